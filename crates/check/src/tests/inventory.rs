use std::collections::BTreeSet;

use bindpose_lesson::{CourseFiles, LessonSet};
use bindpose_rigs::builtin;

use crate::check_lessons;
use bindpose_notebook::inventory::{InventoryForm, questions_of};

const LESSON: &str = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n\n\
    ```viewport main\n```\n\n## One\n\nWords.\n";
const NOTES: &str = "## 1. One (5 minutes)\n\nx\n";

const SOUND: &str = r#"
[[misconception]]
id = "M-01"
belief = "A."
truth = "B."

[[question]]
id = "words"
misconception = "M-01"
ask = "How many joints?"
choices = [
    { text = "three", right = true, when = "joints()==3" },
    { text = "two", misconception = "M-01", when = "joints()==2", reply = "Count." },
]
why = "Count."

[[question]]
id = "value"
misconception = "M-01"
set = { b1 = "90deg" }
ask = "At which x is v4?"
value = "x(v4)"
choices = [
    { right = true },
    { misconception = "M-01", value = "bind_x(v4)", reply = "So." },
]
why = "So."

[[question]]
id = "picture"
misconception = "M-01"
ask = "Which?"
set = { b1 = "90deg" }
pictures = true
viewport = { view = "front" }
choices = [
    { right = true },
    { misconception = "M-01", set = { b1 = 0 }, reply = "So." },
]
why = "So."
"#;

fn findings(inventory: &str) -> Vec<String> {
    let path = "20-a/inventory.toml".to_owned();
    let files = [(path, inventory.as_bytes().into())];
    let files = CourseFiles::in_memory(files.into());
    let set = LessonSet::from_memory_with(&[("20-a", LESSON, NOTES)], "", files);
    let findings = check_lessons(&set, &builtin);
    findings.iter().map(ToString::to_string).collect()
}

#[test]
fn rig_without_file_ending_suggests_the_file() {
    let files = [("20-a/Fox.glb".to_owned(), b"".as_slice().into())];
    let files = CourseFiles::in_memory(files.into());
    let text = "+++\ntitle = \"A\"\nminutes = 5\nrig = \"fox\"\n+++\n\n## One\n\nWords.\n";
    let set = LessonSet::from_memory_with(&[("20-a", text, NOTES)], "", files);
    let findings = check_lessons(&set, &builtin);
    let finding = findings.iter().find(|one| one.sentence().contains("no rig `fox`"));
    assert_eq!(finding.map(|one| &*one.help), Some("write `Fox.glb`"));
}

#[test]
fn answers_contradicting_their_formula_are_reported() {
    assert_eq!(findings(SOUND), [""; 0]);
    for (old, new, place, words) in [
        (
            "joints()==3",
            "joints()==4",
            "12:44",
            "the answer is right, so that its formula should be not 0",
        ),
        (
            "joints()==2",
            "joints()==3",
            "13:",
            "the answer is wrong, so that its formula should be 0",
        ),
        ("bind_x(v4)\"", "x(v4)\"", "25:5", "answers 1 and 2 are the same, 3.00"),
        ("b1 = 0 }", "b1 = \"91deg\" }", "38:5", "answers 1 and 2 are the same"),
        ("x(v4)\"", "x(v40)\"", "22:9", "there is no vertex 40"),
        ("b1 = 0 }", "b9 = 0 }", "38:", "There is no parameter “b9” here"),
        ("id = \"value\"", "id = \"value\"\nrig = \"grid\"", "19:7", "there is no rig `grid`"),
    ] {
        let found = findings(&SOUND.replacen(old, new, 1)).join("\n");
        assert!(found.contains(words), "{new}: {found}");
        let place = format!("lessons/20-a/inventory.toml:{place}");
        assert!(found.contains(&place), "{new}: {found}");
    }
}

#[test]
fn missing_and_unknown_misconceptions_are_reported() {
    let without = |id: &str| {
        let mut parts: Vec<&str> = SOUND.split("\n[[question]]").collect();
        parts.retain(|part| !part.contains(&format!("id = \"{id}\"")));
        parts.join("\n[[question]]")
    };
    let one = without("value").replace("[[question]]\nid = \"picture\"", "#");
    let one = one.split('#').next().unwrap().to_owned();
    let found = findings(&one).join("\n");
    assert!(found.contains("nothing asks about `M-01` after the lesson"), "{found}");
    let unknown = SOUND.replacen(
        "{ text = \"two\", misconception = \"M-01\"",
        "{ text = \"two\", misconception = \"M-99\"",
        1,
    );
    let found = findings(&unknown).join("\n");
    assert!(found.contains("there is no misconception `M-99`"), "{found}");
    assert!(found.contains("no wrong answer is what `M-01` leads to"), "{found}");
    let other = SOUND.replacen(
        "id = \"words\"\nmisconception = \"M-01\"",
        "id = \"words\"\nmisconception = \"M-02\"",
        1,
    );
    let found = findings(&other).join("\n");
    assert!(found.contains("there is no misconception of this lesson `M-02`"), "{found}");
}

#[test]
fn unknown_step_of_a_misconception_is_reported() {
    let with = |step: &str| {
        let named = format!("truth = \"B.\"\nstep = \"{step}\"");
        findings(&SOUND.replacen("truth = \"B.\"", &named, 1)).join("\n")
    };
    for known in ["one", "1", "a/one"] {
        assert_eq!(with(known), "", "{known}");
    }
    for (unknown, words) in [("on", "there is no step `on`"), ("a/two", "there is no step `two`")] {
        let found = with(unknown);
        assert!(found.contains(words), "{found}");
        assert!(found.contains("lessons/20-a/inventory.toml:6:8"), "{found}");
    }
}

/// The lessons may cover more misconceptions than these.
#[test]
fn the_lessons_ask_about_all_31_misconceptions() {
    let set = LessonSet::embedded();
    let inventories = set.lessons.iter().map(|lesson| &lesson.inventory);
    let all = inventories.flat_map(|inventory| &inventory.misconceptions);
    assert_eq!(all.clone().find(|one| one.step.is_none()), None);
    let ids: BTreeSet<&str> = all.map(|one| &*one.id).collect();
    for number in 1..=31 {
        let id = format!("M-{number:02}");
        assert!(ids.contains(id.as_str()), "no lesson is about {id}");
    }
}

/// A single right answer may be luck.
#[test]
fn every_lesson_asks_two_questions_before_it_and_two_after_it() {
    for lesson in &LessonSet::embedded().lessons {
        for form in InventoryForm::ALL {
            let questions = questions_of(lesson, form).len();
            assert!(questions >= 2, "{} {}: {questions}", lesson.slug, form.key());
        }
    }
}
