//! Runs the program as a process. Checks its output and exit codes.

use std::io::Read;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

#[path = "cli/arguments.rs"]
mod arguments;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/compare.rs"]
mod compare;
#[path = "cli/doctor.rs"]
mod doctor;
#[path = "cli/files.rs"]
mod files;
#[path = "cli/gpu.rs"]
mod gpu;
#[path = "cli/handout.rs"]
mod handout;
#[path = "cli/new.rs"]
mod new;
#[path = "cli/rigs.rs"]
mod rigs;
#[path = "cli/signals.rs"]
mod signals;
#[path = "cli/terminal.rs"]
mod terminal;
#[path = "cli/versions.rs"]
mod versions;

fn bindpose(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_bindpose"))
        .args(args)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .output()
        .expect("the program starts")
}

fn stdout_of(args: &[&str]) -> String {
    let output = bindpose(args);
    let complaint = String::from_utf8_lossy(&output.stderr);
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(output.status.success(), "{args:?}: {complaint}{text}");
    text
}

/// Runs a command that must fail with exit code 2 and print nothing. Returns its error message.
fn error_of(args: &[&str]) -> String {
    let output = bindpose(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    let complaint = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(!complaint.contains("panicked"), "{args:?}: {complaint}");
    complaint
}

fn golden() -> Value {
    serde_json::from_str(include_str!("data/bone_grid.json")).expect("JSON")
}

/// Returns all numbers of nested arrays, in order.
fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(values) => values.iter().flat_map(numbers).collect(),
        _ => vec![value.as_f64().expect("a number")],
    }
}

#[track_caller]
fn assert_near(found: &Value, expected: &Value, tolerance: f64) {
    let (found, expected) = (numbers(found), numbers(expected));
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(&expected) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }
}

#[test]
fn skin_prints_the_golden_numbers_of_the_bone_grid_in_every_pose() {
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    assert!(cases.len() >= 7);
    for case in cases {
        let angles = numbers(&case["angles_rad"]);
        let set = format!("b0={},b1={},b2={}", angles[0], angles[1], angles[2]);
        let text = stdout_of(&["skin", "bone_grid", "--set", &set, "--format", "json"]);
        let report: Value = serde_json::from_str(&text).unwrap();
        for (index, joint) in report["joints"].as_array().unwrap().iter().enumerate() {
            for (key, golden_key) in [
                ("world_from_joint", "world_from_joint"),
                ("joint_from_bind", "joint_from_bind"),
                ("world_from_bind", "joint_matrices"),
            ] {
                assert_near(&joint[key], &case[golden_key][index], 1e-6);
            }
            assert_eq!(numbers(&joint["parent_from_joint"]).len(), 16);
        }
        let vertices = report["vertices"].as_array().unwrap();
        assert_eq!(vertices.len(), 10);
        for (index, vertex) in vertices.iter().enumerate() {
            assert_eq!(vertex["index"], index);
            assert_near(&vertex["position_in_world"], &case["skinned"][index], 1e-5);
            assert_near(&vertex["normal_in_world"], &serde_json::json!([0, 0, 1]), 1e-6);
        }
    }
}

#[test]
fn all_sets_every_angle_and_deg_means_degrees() {
    let json = |set: &str| stdout_of(&["skin", "bone_grid", "--set", set, "--format", "json"]);
    assert_eq!(json("all=0.8"), json("b0=0.8,b1=0.8,b2=0.8"));
    assert_eq!(json("all=0.8"), json("b1=3,all=0.8"), "the last one counts");
    let degrees: Value = serde_json::from_str(&json("b1=45deg")).unwrap();
    assert_near(&degrees["params"]["b1"], &serde_json::json!(std::f64::consts::FRAC_PI_4), 1e-12);
}

#[test]
fn joints_name_their_parents() {
    let text = stdout_of(&["skin", "bone_grid", "--format", "json"]);
    let report: Value = serde_json::from_str(&text).unwrap();
    let joints = report["joints"].as_array().unwrap();
    let parents: Vec<&Value> = joints.iter().map(|joint| &joint["parent"]).collect();
    assert_eq!(parents, [&Value::Null, &Value::from(0), &Value::from(1)]);
    assert!(joints.iter().all(|joint| joint["name"].is_string()));
}

#[test]
fn only_selected_vertices_are_printed() {
    let args = ["skin", "bone_grid", "--vertices", "0-2,7", "--format"];
    let report: Value = serde_json::from_str(&stdout_of(&[&args[..], &["json"]].concat())).unwrap();
    let indices: Vec<u64> = report["vertices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|vertex| vertex["index"].as_u64().unwrap())
        .collect();
    assert_eq!(indices, [0, 1, 2, 7]);
}

#[test]
fn csv_has_a_quantity_per_line_with_the_numbers_of_json() {
    let args = ["skin", "bone_grid", "--set", "all=0.3", "--format"];
    let csv = stdout_of(&[&args[..], &["csv"]].concat());
    let rows: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0][..6], ["kind", "index", "name", "parent", "quantity", "n0"]);
    assert!(rows.iter().all(|row| row.len() == 21));
    assert_eq!(rows.len(), 1 + 3 * 4 + 10 * 3);

    let json: Value = serde_json::from_str(&stdout_of(&[&args[..], &["json"]].concat())).unwrap();
    let row = rows
        .iter()
        .find(|row| row[0] == "joint" && row[1] == "2" && row[4] == "world_from_bind")
        .unwrap();
    let in_csv: Vec<f32> = row[5..].iter().map(|cell| cell.parse().unwrap()).collect();
    let in_json: Vec<f32> = numbers(&json["joints"][2]["world_from_bind"])
        .iter()
        .map(|&number| number as f32)
        .collect();
    assert_eq!(in_csv, in_json);
}

#[test]
fn a_table_shows_matrices_as_on_paper() {
    let table = stdout_of(&["skin", "bone_grid", "--set", "all=0", "--vertices", "8"]);
    let lines: Vec<&str> = table.lines().collect();
    let joint = lines.iter().position(|line| line.starts_with("joint 1 ")).unwrap();
    assert!(lines[joint].ends_with("parent 0"), "{}", lines[joint]);
    let top_row: Vec<&str> = lines[joint + 2].split_whitespace().collect();
    assert_eq!(
        top_row,
        ["1.0000", "0.0000", "0.0000", "4.0000", "1.0000", "0.0000", "0.0000", "4.0000"]
    );
    let last: Vec<&str> = lines.last().unwrap().split_whitespace().collect();
    assert_eq!(last[..4], ["8", "8.0000", "1.0000", "0.0000"]);
}

#[test]
fn unknown_names_get_suggestions() {
    let complaint = error_of(&["skin", "bonegrid"]);
    assert!(complaint.contains("`bone_grid`"), "{complaint}");
    let complaint = error_of(&["skin", "bone_grid", "--set", "b3=1"]);
    for name in ["`b0`", "`b1`", "`b2`", "`all`"] {
        assert!(complaint.contains(name), "{complaint}");
    }
    let complaint = error_of(&["skin", "bone_grid", "--format", "jsn"]);
    for name in ["json", "csv", "table"] {
        assert!(complaint.contains(name), "{complaint}");
    }
    assert!(error_of(&["skni", "bone_grid"]).contains("`skin`"));
}

/// The built-in whale as a file.
const WHALE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/models/whale/whale.glb");

#[test]
fn a_model_opens_only_with_the_lesson_for_it() {
    let complaint = error_of(&[WHALE, "--lesson", "40"]);
    assert!(complaint.contains("lesson 160"), "{complaint}");
    // The model is accepted, and the program fails only because there is no display.
    for page in [&[WHALE, "--lesson", "160", "--step", "2"][..], &[WHALE]] {
        let complaint = error_of(page);
        assert!(complaint.contains("display"), "{complaint}");
    }
    let shot = ["shot", "40", "--model", WHALE, "--out", "never.png"];
    assert!(error_of(&shot).contains("lesson 160"));
}

#[test]
fn unreadable_models_are_rejected_before_drawing() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("cut.glb");
    std::fs::write(&file, b"glTF\x02\0\0\0").expect("written");
    let file = file.to_str().expect("a name");
    let complaint = error_of(&["shot", "160", "--model", file, "--out", "never.png"]);
    for words in ["“cut.glb” did not open", "expected", "found"] {
        assert!(complaint.contains(words), "{complaint}");
    }
}

#[test]
fn invalid_and_absurd_numbers_are_rejected() {
    for (value, words) in [
        ("nan", "NaN"),
        ("inf", "infinity"),
        ("-inf", "infinity"),
        ("1e400", "infinity"),
        ("1001", "1000"),
        ("1e9", "1000"),
        ("360000deg", "1000"),
        ("much", "much"),
        ("", "number"),
        ("45degrees", "45degrees"),
    ] {
        let set = format!("b0={value}");
        let complaint = error_of(&["skin", "bone_grid", "--set", &set]);
        assert!(complaint.contains(words), "{value}: {complaint}");
        let set = format!("all={value}");
        error_of(&["skin", "bone_grid", "--set", &set]);
    }
    error_of(&["skin", "bone_grid", "--set", "b0"]);
    error_of(&["skin", "bone_grid", "--set", "stage=posed"]);
    let complaint = error_of(&["skin", "bone_grid", "--vertices", "0-10"]);
    assert!(complaint.contains("0 to 9"), "{complaint}");
}

#[test]
fn a_file_is_skinned_like_the_rig_that_it_was_written_from() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/models/whale/whale.gltf");
    let args = ["--animation", "swim", "--format", "json"];
    let late: &[&str] = &["--time", "0.7"];
    let json = |rig: &str, more: &[&str]| -> Value {
        let text = stdout_of(&[&["skin", rig], &args[..], more].concat());
        serde_json::from_str(&text).unwrap()
    };
    let (found, made) = (json(file, late), json("whale", late));
    assert_eq!(found["rig"], "whale.gltf");
    for key in ["joints", "vertices", "meshes"] {
        assert_eq!(found[key], made[key], "{key}");
    }
    // The built-in whale has further parameters for its mesh node.
    for (name, value) in found["params"].as_object().unwrap() {
        assert_eq!(*value, made["params"][name], "{name}");
    }
    let mesh = &found["meshes"][0];
    assert_eq!((&mesh["node"], &mesh["primitive"]), (&Value::from(0), &Value::from(0)));
    let joints = found["joints"].as_array().unwrap();
    assert_eq!(mesh["joints"].as_array().unwrap().len(), joints.len());
    for (matrix, joint) in mesh["joint_matrices"].as_array().unwrap().iter().zip(joints) {
        assert_eq!(*matrix, joint["world_from_bind"]);
    }
    let vertices = found["vertices"].as_array().unwrap();
    assert_eq!(mesh["positions"].as_array().unwrap().len(), vertices.len());
    for (at, vertex) in vertices.iter().enumerate() {
        assert_eq!(mesh["positions"][at], vertex["position_in_world"]);
        assert_eq!(mesh["normals"][at], vertex["normal_in_world"]);
    }
    assert_eq!(numbers(&mesh["weight_sums"]), [1.0, 1.0]);
    assert_eq!(json(file, &["--time", "0.7", "--skin", "0"]), found);
    assert_ne!(json(file, &["--time", "0.7", "--method", "rigid"])["vertices"], found["vertices"]);
    assert_ne!(json(file, &["--time", "0.2"])["vertices"], found["vertices"]);
}

#[test]
fn missing_files_animations_and_skins_are_reported() {
    let complaint = error_of(&["skin", "whale", "--animation", "sing"]);
    assert!(complaint.contains("0 `swim`, 1 `turn`, 2 `breach`, and none"), "{complaint}");
    let complaint = error_of(&["skin", "bone_grid", "--animation", "0"]);
    assert!(complaint.contains("has none"), "{complaint}");
    let complaint = error_of(&["skin", "whale", "--skin", "1"]);
    assert!(complaint.contains("the only one is 0"), "{complaint}");
    error_of(&["skin", "whale", "--time", "inf"]);
    error_of(&["skin", "whale", "--method", "magic"]);
    let complaint = error_of(&["skin", "nowhere/model.glb"]);
    assert!(complaint.contains("model.glb") && complaint.contains("check the name"), "{complaint}");
    let here = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let complaint = error_of(&["skin", here]);
    assert!(complaint.contains("expected a glTF model"), "{complaint}");
}

#[test]
fn a_closed_pipe_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_bindpose"))
        .args(["skin", "centipede(300)", "--format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The output exceeds the buffer of a pipe, so the program is still writing.
    drop(child.stdout.take());
    let mut complaint = String::new();
    let mut stderr = child.stderr.take().unwrap();
    stderr.read_to_string(&mut complaint).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0), "{complaint}");
    assert_eq!(complaint, "");
}

#[test]
fn licences_are_printed_in_both_spellings() {
    let notices = stdout_of(&["--licences"]);
    for text in ["SIL OPEN FONT LICENSE", "egui 0.", "Apache License", "MIT"] {
        assert!(notices.contains(text), "{text}");
    }
    assert_eq!(stdout_of(&["--licenses"]), notices);
}

#[test]
#[cfg(target_os = "linux")]
fn without_a_display_the_error_suggests_tour() {
    let complaint = error_of(&[]);
    assert!(complaint.contains("display"), "{complaint}");
    assert!(complaint.contains("tour"), "{complaint}");
    error_of(&["--lesson", "40"]);
}

#[test]
fn unknown_pages_are_rejected_before_drawing() {
    let complaint = error_of(&["shot", "bonegrid", "--out", "never.png"]);
    assert!(complaint.contains("bone-grid"), "{complaint}");
    error_of(&["shot", "40", "--step", "999", "--out", "never.png"]);
    error_of(&["shot", "40", "--size", "12", "--out", "never.png"]);
    error_of(&["shot", "40", "--set", "stage=psed", "--out", "never.png"]);
}

/// Draws step 4 of lesson 20 with a nod of the head. Returns `None` without OpenGL.
fn pictured(folder: &std::path::Path, nod: &str, theme: &str) -> Option<image::RgbaImage> {
    let file = folder.join(format!("{theme}-{nod}.png"));
    let output = Command::new(env!("CARGO_BIN_EXE_bindpose"))
        .args(["shot", "20", "--step", "and-carry-it-back", "--size", "1280x720"])
        .args(["--theme", theme, "--set", &format!("nod={nod}"), "--force", "--out"])
        .arg(&file)
        .output()
        .expect("the program runs");
    let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
    if complaint.contains("OpenGL") && std::env::var_os("REQUIRE_GL").is_none() {
        return None;
    }
    assert!(output.status.success(), "{complaint}");
    let image = image::open(&file).expect("a picture").into_rgba8();
    assert_eq!(image.dimensions(), (1280, 720));
    Some(image)
}

/// Returns the share of visibly different pixels in a rectangle of two pictures.
fn changed(a: &image::RgbaImage, b: &image::RgbaImage, [x, y, w, h]: [u32; 4]) -> f64 {
    let differ = |x: u32, y: u32| {
        let (a, b) = (a.get_pixel(x, y).0, b.get_pixel(x, y).0);
        a.iter().zip(b).any(|(a, b)| a.abs_diff(b) > 24)
    };
    let count = (y..y + h)
        .flat_map(|y| (x..x + w).map(move |x| (x, y)))
        .filter(|&(x, y)| differ(x, y))
        .count();
    count as f64 / f64::from(w * h)
}

#[test]
fn prose_viewport_and_matrices_show_the_same_pose() {
    let folder = tempfile::tempdir().expect("a folder");
    let picture = |nod: &str, theme: &str| pictured(folder.path(), nod, theme);
    let Some(still) = picture("0", "light") else {
        println!("SKIPPED prose_viewport_and_matrices_show_the_same_pose: no GL");
        return;
    };
    let (bar, prose) = ([0, 0, 1280, 44], [230, 120, 420, 560]);
    let (viewport, matrices) = ([690, 70, 560, 220], [690, 480, 560, 200]);
    let again = picture("0", "light").expect("GL was there");
    assert_eq!(still, again, "the same page twice is the same picture");

    let nodding = picture("60deg", "light").expect("GL was there");
    for (what, part, least) in
        [("prose", prose, 0.0002), ("viewport", viewport, 0.01), ("matrices", matrices, 0.002)]
    {
        let share = changed(&still, &nodding, part);
        assert!(share > least, "{what}: {share}");
    }
    assert!(changed(&still, &nodding, bar) < 0.02, "the bar stays");

    let dark = picture("0", "dark").expect("GL was there");
    assert!(changed(&still, &dark, [0, 0, 1280, 720]) > 0.9, "the dark theme is dark");
}

#[test]
fn broken_links_are_rejected_before_a_window_opens() {
    for (link, word) in [
        ("https://example.org", "bindpose://"),
        ("bindpose://bonegrid", "bone-grid"),
        ("bindpose://bone-grid/half-of-each?b7=1", "b0"),
        ("bindpose://bone-grid/half-of-each?b0=NaN", "number"),
    ] {
        let complaint = error_of(&["--link", link]);
        assert!(complaint.contains(word), "{link}: {complaint}");
    }
    // A valid link fails only because there is no display. A link to a step that was renamed is
    // valid too and opens the first step.
    for link in ["bindpose://bone-grid/half-of-each?b0=0.8", "bindpose://bone-grid/renamed?b0=0.8"]
    {
        let complaint = error_of(&["--link", link]);
        assert!(complaint.contains("display"), "{complaint}");
    }
}

#[test]
fn match_distinguishes_an_engines_palette_from_ours() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("match");
    std::fs::create_dir_all(&folder).expect("a folder for the test");
    let ours = folder.join("ours.npy");
    let pose = ["--set", "b0=0.4,b1=0.8,b2=-0.3"];
    let export = [
        &["export", "bone_grid", "--as", "palette-npy", "--force", "--out"][..],
        &[ours.to_str().expect("text")],
        &pose,
    ]
    .concat();
    stdout_of(&export);
    let asked = |file: &std::path::Path, form: &str| {
        let file = file.to_str().expect("text");
        bindpose(&[&["match", "bone_grid", file, "--format", form], &pose[..]].concat())
    };
    let same = asked(&ours, "text");
    assert_eq!(same.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&same.stdout).contains("They are the joint matrices."));

    let skin = stdout_of(&[&["skin", "bone_grid", "--format", "json"], &pose[..]].concat());
    let skin: Value = serde_json::from_str(&skin).expect("JSON");
    let joints = skin["joints"].as_array().expect("joints");
    let worlds: Vec<&Value> = joints.iter().map(|joint| &joint["world_from_joint"]).collect();
    let theirs = folder.join("theirs.json");
    std::fs::write(&theirs, serde_json::json!(worlds).to_string()).expect("a file");
    let wrong = asked(&theirs, "json");
    assert_eq!(wrong.status.code(), Some(1));
    let found: Value = serde_json::from_slice(&wrong.stdout).expect("JSON");
    assert_eq!(found["faults"][0], "inverse-bind-left-out");
    assert!(found["findings"][0].as_str().is_some_and(|words| words.contains("is missing")));

    std::fs::write(&theirs, "[1, 2]").expect("a file");
    assert_eq!(asked(&theirs, "text").status.code(), Some(2));
}
