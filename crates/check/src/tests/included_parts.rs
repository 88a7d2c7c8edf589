use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{DiskChange, LessonSet};
use bindpose_notebook::findings_here::StepFindings;

use crate::check_lessons;

#[test]
fn findings_in_included_parts_belong_to_including_step() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = dir.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    let head =
        "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n```viewport main\n```\n\n";
    let body = "## One\n\n{{#include ../parts/long.md}}\n\n## Two\n\n[x](joint:9)\n";
    write("10-a/lesson.md", &format!("{head}{body}"));
    write("10-a/notes.md", "Notes.\n");
    write("parts/long.md", "One.\n\nTwo.\n\n[y](joint:8) and [3](value:2).\n");
    let mut set = LessonSet::from_dir(dir.path());
    let findings = check_lessons(&set, &bindpose_rigs::builtin);
    let mut places: Vec<String> = findings.iter().map(|one| one.to_string()).collect();
    places.sort();
    for (place, end) in
        places.iter().zip(["10-a/lesson.md:16:11:", "parts/long.md:5:11:", "parts/long.md:5:19:"])
    {
        assert!(place.contains(end), "{end} in {place}");
    }
    let first = StepFindings::new(&findings, &set, &set.lessons[0], 0);
    assert_eq!((first.here.len(), first.elsewhere), (2, 1), "{places:?}");
    let second = StepFindings::new(&findings, &set, &set.lessons[0], 1);
    assert_eq!((second.here.len(), second.elsewhere), (1, 2), "{places:?}");
    // A changed part is parsed again.
    let changes = |set: &mut LessonSet| matches!(set.read_changes(), DiskChange::Read(_));
    assert!(!changes(&mut set));
    write("parts/long.md", "One, two.\n");
    assert!(changes(&mut set));
    assert_eq!(check_lessons(&set, &bindpose_rigs::builtin).len(), 1);
    assert!(!changes(&mut set));
}

#[test]
fn findings_are_listed_at_their_step_and_others_counted() {
    let head = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\nneeds = [\"gone\"]\n+++\n\n```viewport main\n```\n\n";
    let one = "## One\n\n[4](value:joints())\n\n";
    let two = "## Two\n\nWords.\n\n```angles\nparams = 3\n```\n\n[x](joint:9)\n";
    let text = format!("{head}{one}{two}");
    let set =
        LessonSet::from_memory(&[("10-a", &text, "Notes."), ("20-b", &text, "[x](joint:9)")], "");
    let findings = check_lessons(&set, &bindpose_rigs::builtin);
    let sentences =
        |found: &[&Diagnostic]| -> Vec<String> { found.iter().map(|one| one.sentence()).collect() };
    let first = StepFindings::new(&findings, &set, &set.lessons[0], 0);
    let said = sentences(&first.listed);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[0].contains("no lesson `gone`"), "of the whole lesson: {said:?}");
    assert!(said[1].contains("prints 3"), "{said:?}");
    let second = StepFindings::new(&findings, &set, &set.lessons[0], 1);
    let said = sentences(&second.listed);
    assert_eq!(said.len(), 2, "{said:?}");
    assert!(said[1].contains("no joint 9"), "{said:?}");
    assert_eq!(second.here.len(), 3, "one is shown in the place of its block");
    assert_eq!(first.here.len() + first.elsewhere, findings.len());
    let notes = StepFindings::new(&findings, &set, &set.lessons[1], 0);
    assert!(sentences(&notes.here).iter().any(|said| said.contains("no joint 9")));
}
