//! `bindpose eval`.

use serde_json::Value;

use super::{assert_near, bindpose, golden, numbers, printed, refused};

fn json(formula: &str, set: &str) -> Value {
    let text = printed(&["eval", "bone_grid", formula, "--set", set, "--format", "json"]);
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn eval_prints_the_golden_numbers_of_the_bone_grid_in_every_pose() {
    for case in golden()["cases"].as_array().expect("cases") {
        let angles = numbers(&case["angles_rad"]);
        let set = format!("b0={},b1={},b2={}", angles[0], angles[1], angles[2]);
        for (index, position) in case["skinned"].as_array().expect("positions").iter().enumerate() {
            let value = json(&format!("skinned(v{index})"), &set);
            assert_eq!((&value["type"], &value["frames"]), (&"vec3".into(), &"world".into()));
            assert_near(&value["numbers"], position, 1e-5);
        }
        let ours = json("world(b1) * inverse(bind(b1))", &set);
        assert_eq!(ours["frames"], "world from bind");
        let theirs = json("joint_matrix(b1)", &set);
        assert_near(&ours["numbers"], &theirs["numbers"], 1e-6);
    }
}

#[test]
fn a_seam_ends_with_1_and_a_mistake_with_2_and_its_column() {
    let output = bindpose(&["eval", "bone_grid", "inverse_bind(1) * world(1)"]);
    assert_eq!(output.status.code(), Some(1));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("mat4 joint 1 from joint 1\n"), "{text}");
    assert!(text.contains("column 17: The left factor starts from bind"), "{text}");
    let complaint = refused(&["eval", "bone_grid", "world(1) + skinned(2)"]);
    assert!(complaint.contains("column 10: Expected two values of one type"), "{complaint}");
    assert!(refused(&["eval", "bone_grid", "world(b9)"]).contains("no joint called"));
    assert!(refused(&["eval", "bone_grid", "1/0"]).contains("divides by zero"));
}
