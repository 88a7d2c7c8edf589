//! Output and exit codes of `bindpose check`.

use super::*;

#[test]
fn check_passes_on_the_lessons_of_the_program() {
    let summary = stdout_of(&["check"]);
    assert!(summary.contains("0 errors"), "{summary}");
    assert!(!summary.contains("0 lessons"), "{summary}");
}

#[test]
fn check_fails_on_a_lesson_with_errors_and_on_a_folder_without_lessons() {
    let dir = tempfile::tempdir().unwrap();
    let lesson = dir.path().join("10-broken");
    std::fs::create_dir(&lesson).unwrap();
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n## One\n\n\
                ```viewport\ncolour = 3\n```\n";
    std::fs::write(lesson.join("lesson.md"), text).unwrap();
    std::fs::write(lesson.join("notes.md"), "Notes.\n").unwrap();
    let output = bindpose(&["check", dir.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let findings = String::from_utf8(output.stdout).unwrap();
    assert!(findings.contains("10-broken/lesson.md:10:"), "{findings}");
    assert!(findings.contains("colour"), "{findings}");

    let nowhere = dir.path().join("nowhere");
    let complaint = error_of(&["check", nowhere.to_str().unwrap()]);
    assert!(complaint.contains("there is no folder"), "{complaint}");

    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().to_str().unwrap();
    assert_eq!(bindpose(&["check", empty]).status.code(), Some(1));
    let unread = folder_with_unreadable_lesson();
    let complaint = error_of(&[
        "shot",
        "10",
        "--out",
        "never.png",
        "--lessons",
        unread.path().to_str().unwrap(),
    ]);
    assert!(complaint.contains("10-u/lesson.md:1:1: expected text in UTF-8"), "{complaint}");
    for args in [&[][..], &["shot", "40", "--out", "never.png"], &["tour", "--out", "never"]] {
        let complaint = error_of(&[args, &["--lessons", empty]].concat());
        assert!(complaint.contains("expected lessons in this folder"), "{complaint}");
        assert!(complaint.contains("NN-slug"), "{complaint}");
        assert!(complaint.contains(empty) && !complaint.contains(":1:1"), "{complaint}");
    }
}

/// A folder whose only lesson is not UTF-8.
fn folder_with_unreadable_lesson() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder to write in");
    let lesson = dir.path().join("10-u");
    std::fs::create_dir(&lesson).expect("a folder to write in");
    std::fs::write(lesson.join("lesson.md"), [0xff, 0xfe, 0x0a]).expect("a file");
    dir
}

/// Two lessons that link to each other, and a glossary. The first has an unknown parameter and a
/// wrong number, the second a broken link.
fn two_lessons() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a folder to write in");
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a folder to write in"))
            .expect("a folder to write in");
        std::fs::write(path, text).expect("a folder to write in");
    };
    let head =
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n```viewport main\n```\n\n";
    let one = "## One\n\n[there](lesson:two), [3](value:joints()), [4](value:joints()), \
               [joint](term:joint).\n\n```angles\nparams = [\"b9\"]\n```\n";
    write("10-one/lesson.md", &format!("{head}{one}"));
    write("10-one/notes.md", "Notes.\n");
    let two = "## Two\n\n[here](lesson:one) and [nowhere](lesson:three).\n";
    write("20-two/lesson.md", &format!("{head}{two}"));
    write("20-two/notes.md", "Notes.\n");
    write("glossary.md", "## joint\n\nA frame, see [one](lesson:one).\n");
    dir
}

#[test]
fn check_takes_one_lesson_by_its_folder_or_its_text() {
    let dir = two_lessons();
    let checked = |name: &str| {
        let output = bindpose(&["check", dir.path().join(name).to_str().unwrap()]);
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text)
    };
    let (code, all) = checked("");
    assert_eq!(code, Some(1));
    assert!(all.ends_with("2 lessons: 3 errors, 0 warnings\n"), "{all}");
    for name in ["10-one", "10-one/lesson.md", "10-one/."] {
        let (code, one) = checked(name);
        assert_eq!(code, Some(1), "{name}");
        assert!(one.ends_with("1 lesson: 2 errors, 0 warnings\n"), "{name}: {one}");
        assert!(one.contains("10-one/lesson.md:12:44: error: at the start"), "{one}");
        assert!(!one.contains("three"), "{name}: {one}");
    }
    let (_, two) = checked("20-two");
    assert!(two.contains("there is no lesson `three`"), "{two}");
    assert!(two.ends_with("1 lesson: 1 error, 0 warnings\n"), "{two}");
    let complaint = error_of(&["check", dir.path().join("glossary.md").to_str().unwrap()]);
    assert!(complaint.contains("or that of one lesson"), "{complaint}");
}

#[test]
fn check_writes_its_findings_as_json() {
    let dir = two_lessons();
    let folder = dir.path().to_str().unwrap();
    let json = |args: &[&str]| -> (Option<i32>, serde_json::Value) {
        let output = bindpose(&[&["check", "--format", "json"], args].concat());
        let answer = serde_json::from_slice(&output.stdout).expect("JSON and nothing else");
        (output.status.code(), answer)
    };
    let (code, answer) = json(&[folder]);
    assert_eq!(code, Some(1));
    assert_eq!(answer["lessons"], 2);
    assert_eq!((&answer["errors"], &answer["warnings"]), (&3.into(), &0.into()));
    let first = &answer["findings"][1];
    let keys: Vec<&String> = first.as_object().unwrap().keys().collect();
    let mut expected =
        ["severity", "code", "file", "line", "column", "title", "expected", "found", "help"];
    expected.sort_unstable();
    let mut found = keys.clone();
    found.sort_unstable();
    assert_eq!(found, expected);
    assert_eq!(first["severity"], "error");
    assert_eq!(first["code"], "UNKNOWN_NAME");
    assert_eq!(first["file"], format!("{folder}/10-one/lesson.md"));
    assert_eq!((&first["line"], &first["column"]), (&15.into(), &11.into()));
    assert_eq!(first["title"], "there is no parameter `b9`");
    assert_eq!(first["found"], "`b9`");
    assert!(first["help"].as_str().unwrap().contains("`b0`"));

    let (code, sound) = json(&[]);
    assert_eq!(code, Some(0), "those of the program");
    assert_eq!(sound["findings"].as_array().map(Vec::len), Some(0));
}
