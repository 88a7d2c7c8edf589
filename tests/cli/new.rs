//! `bindpose new` writes courses that pass `bindpose check`.

use super::*;

/// End of the last line of `check` for lessons without findings.
const SOUND: &str = ": 0 errors, 0 warnings\n";

#[test]
fn a_new_course_passes_the_check_and_can_be_packed() {
    let dir = tempfile::tempdir().unwrap();
    let course = dir.path().join("my course");
    let course = course.to_str().unwrap();
    let output = stdout_of(&["new", course, "--title", "Squash and stretch"]);
    for expected in [
        "lessons.toml",
        "10-squash-and-stretch/lesson.md",
        "10-squash-and-stretch/notes.md",
        &format!("bindpose --lessons '{course}'"),
        &format!("bindpose check '{course}'"),
        &format!("bindpose pack '{course}'"),
    ] {
        assert!(output.contains(expected), "{expected}: {output}");
    }
    let checked = stdout_of(&["check", course]);
    assert_eq!(checked, format!("1 lesson{SOUND}"));

    let model = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/models/arm/arm.glb");
    stdout_of(&["new", course, "--lesson", "--rig", model]);
    stdout_of(&["new", course, "--lesson", "--rig", "whale", "--title", "W"]);
    let checked = stdout_of(&["check", course]);
    assert_eq!(checked, format!("3 lessons{SOUND}"));
    assert!(dir.path().join("my course/30-w/lesson.md").is_file());

    let packed = dir.path().join("packed.bindpose");
    let files = stdout_of(&["pack", course, "--out", packed.to_str().unwrap()]);
    assert!(files.contains("20-one-joint-of-a-model/arm.glb"), "{files}");
}

#[test]
fn new_overwrites_nothing_and_suggests_a_remedy() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().to_str().unwrap();
    std::fs::write(dir.path().join("mine.txt"), "mine").unwrap();
    let complaint = error_of(&["new", folder]);
    assert!(complaint.contains("add --lesson"), "{complaint}");
    let complaint = error_of(&["new", folder, "--lesson"]);
    assert!(complaint.contains("is no course"), "{complaint}");
    let deep = dir.path().join("a/b");
    let complaint = error_of(&["new", deep.to_str().unwrap()]);
    assert!(complaint.contains("was not written"), "{complaint}");
    let complaint = error_of(&["new", deep.to_str().unwrap(), "--rig", "wale"]);
    assert!(complaint.contains("`whale`"), "{complaint}");
    let left: Vec<_> = std::fs::read_dir(dir.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "nothing was written");
}

#[test]
fn schema_prints_json_schemas() {
    let all: Value = serde_json::from_str(&stdout_of(&["schema"])).unwrap();
    assert!(all["$defs"]["viewport"]["properties"]["view"]["enum"].is_array());
    let plot: Value = serde_json::from_str(&stdout_of(&["schema", "plot"])).unwrap();
    assert_eq!(plot["title"], "plot");
    assert_eq!(plot["additionalProperties"], false);
    let complaint = error_of(&["schema", "plott"]);
    assert!(complaint.contains("`plot`"), "{complaint}");
}
