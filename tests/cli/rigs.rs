//! `bindpose rigs` and `bindpose eval`.

use serde_json::Value;

use super::{assert_near, bindpose, error_of, golden, numbers, stdout_of};

fn json(args: &[&str]) -> Value {
    let text = stdout_of(&[&["rigs"], args, &["--format", "json"]].concat());
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn all_rigs_are_listed_with_their_parameters() {
    let rigs = json(&[]);
    let find = |id: &str| {
        let mut all = rigs.as_array().unwrap().iter();
        all.find(|rig| rig["rig"] == id).unwrap().clone()
    };
    for id in ["arm", "whale", "head", "ball"] {
        let params = find(id)["params"].as_array().unwrap().clone();
        assert!(params.contains(&Value::from("squash")), "{id}: {params:?}");
    }
    assert_eq!(find("limb")["joints"], 2);
    let text = stdout_of(&["rigs"]);
    for id in ["bone_grid", "whale", "limb", "centipede"] {
        assert!(text.contains(&format!("\n{id} ")), "{text}");
    }
}

#[test]
fn one_rig_is_printed_with_everything_that_lessons_can_name() {
    let arm = json(&["arm"]);
    let bend = &arm["params"][0];
    assert_eq!((&bend["name"], &bend["unit"]), (&"bend".into(), &"rad".into()));
    let pi = std::f64::consts::PI;
    assert_near(&bend["range"], &serde_json::json!([-pi, pi]), 1e-12);
    assert_near(&bend["axis_in_bind"], &serde_json::json!([0, 0, 1]), 1e-6);
    assert_eq!(arm["joints"][1]["name"], "lower");
    assert_eq!(arm["joints"][1]["parent"], 0);
    assert_near(&arm["joints"][1]["position_in_bind"], &serde_json::json!([2, 0, 0]), 1e-6);
    assert_eq!(arm["clips"][0]["name"], "wave");
    assert_near(&arm["clips"][0]["secs"], &serde_json::json!(2), 1e-6);
    assert!(arm.get("weights").is_none());
    let text = stdout_of(&["rigs", "arm"]);
    for line in [
        "bend",
        "-180° to 180°",
        "about z\n",
        "Joints",
        "lower",
        "below 0",
        "wave",
        "nearest to joint 1",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
}

#[test]
fn weights_are_printed_on_request_and_sum_to_one() {
    let arm = json(&["arm", "--weights"]);
    let weights = arm["weights"].as_array().unwrap();
    assert_eq!(weights.len() as u64, arm["vertices"].as_u64().unwrap());
    for vertex in weights {
        let rows = vertex.as_array().unwrap().iter();
        let sum: f64 = rows.map(|row| row["weight"].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6);
    }
    assert!(stdout_of(&["rigs", "bone_grid", "--weights"]).contains("v4"));
}

#[test]
fn models_are_named_by_file_and_unknown_rigs_are_rejected() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/models/whale/whale.glb");
    let whale = json(&[file]);
    assert_eq!(whale["rig"], "whale.glb");
    assert_eq!(whale["joints"].as_array().unwrap().len(), 21);
    assert!(error_of(&["rigs", "whele"]).contains("write `whale`"));
    assert!(error_of(&["rigs", "--weights"]).contains("RIG|FILE"));
}

fn evaluated(formula: &str, set: &str) -> Value {
    let text = stdout_of(&["eval", "bone_grid", formula, "--set", set, "--format", "json"]);
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn eval_prints_the_golden_numbers_of_the_bone_grid_in_every_pose() {
    for case in golden()["cases"].as_array().expect("cases") {
        let angles = numbers(&case["angles_rad"]);
        let set = format!("b0={},b1={},b2={}", angles[0], angles[1], angles[2]);
        for (index, position) in case["skinned"].as_array().expect("positions").iter().enumerate() {
            let value = evaluated(&format!("skinned(v{index})"), &set);
            assert_eq!((&value["type"], &value["frames"]), (&"vec3".into(), &"world".into()));
            assert_near(&value["numbers"], position, 1e-5);
        }
        let ours = evaluated("world(b1) * inverse(bind(b1))", &set);
        assert_eq!(ours["frames"], "world from bind");
        let theirs = evaluated("joint_matrix(b1)", &set);
        assert_near(&ours["numbers"], &theirs["numbers"], 1e-6);
    }
}

#[test]
fn seams_exit_with_1_and_mistakes_with_2_and_their_column() {
    let output = bindpose(&["eval", "bone_grid", "inverse_bind(1) * world(1)"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("mat4 joint 1 from joint 1\n"), "{text}");
    assert!(text.contains("column 17: The left factor starts from bind"), "{text}");
    let complaint = error_of(&["eval", "bone_grid", "world(1) + skinned(2)"]);
    assert!(complaint.contains("column 10: Expected two values of one type"), "{complaint}");
    assert!(error_of(&["eval", "bone_grid", "world(b9)"]).contains("no joint called"));
    assert!(error_of(&["eval", "bone_grid", "1/0"]).contains("divides by zero"));
}
