//! Tests that `docs/lesson-format.md` says all that can be written, and that what it
//! shows can be.
//!
//! An example in four marks, of `markdown`, is a part of a step on the rig that a comment
//! before it names, `<!-- on arm -->`. One in `toml` is a front matter, `routes.toml` or
//! `lessons.toml`, by what it begins with.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bindpose_check::check_lessons;
use bindpose_lesson::{
    COURSE_FILE, CourseFiles, LessonSet, SchemaPart, parse_lesson, written_parts,
};
use bindpose_notebook::Preferences;
use serde_json::Value;

use super::gallery::example_set;
use super::testing::page_with;

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lesson-format.md");
    fs::read_to_string(path).expect("the page for authors")
}

/// A fenced block of the page.
struct DocumentedBlock {
    /// From 1.
    line: usize,
    /// Behind the marks.
    language: String,
    text: String,
    /// As the comment before it says.
    rig: Option<String>,
}

fn examples(page: &str) -> Vec<DocumentedBlock> {
    let mut found: Vec<DocumentedBlock> = Vec::new();
    let mut fence: Option<String> = None;
    let mut rig = None;
    for (number, line) in (1..).zip(page.lines()) {
        let marks: String = line.chars().take_while(|&c| c == '`').collect();
        match &fence {
            Some(open) if *open == line => fence = None,
            Some(_) => {
                if let Some(example) = found.last_mut() {
                    example.text.push_str(line);
                    example.text.push('\n');
                }
            }
            None if marks.len() >= 3 => {
                found.push(DocumentedBlock {
                    line: number,
                    language: line[marks.len()..].trim().to_owned(),
                    text: String::new(),
                    rig: rig.take(),
                });
                fence = Some(marks);
            }
            None => {
                let named = line.strip_prefix("<!-- on ");
                if let Some(named) = named.and_then(|rest| rest.strip_suffix(" -->")) {
                    rig = Some(named.to_owned());
                }
            }
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    found
}

/// Every key of a schema, those within others too.
fn keys(schema: &Value) -> Vec<String> {
    let mut found = Vec::new();
    let below = schema.get("properties").and_then(Value::as_object);
    for (key, schema) in below.into_iter().flatten() {
        found.push(key.clone());
        found.extend(keys(schema));
    }
    for inner in ["items", "additionalProperties"] {
        found.extend(schema.get(inner).map(keys).unwrap_or_default());
    }
    let any = schema.get("anyOf").and_then(Value::as_array);
    found.extend(any.into_iter().flatten().flat_map(keys));
    found
}

/// What the page says of a part: its row, and the section that is about it.
fn said_of(part: &SchemaPart, page: &str) -> String {
    let begins = format!("| `{}` |", part.name);
    let rows = page.lines().filter(|line| line.starts_with(&begins));
    let row = rows.collect::<Vec<&str>>().join("\n") + "\n";
    // Exercises and plots have sections of their own.
    let section = |heading: &str| {
        let from = page.find(heading).unwrap_or_default();
        let rest = &page[from..];
        let end = rest[heading.len()..].find("\n## ").map(|at| at + heading.len());
        rest[..end.unwrap_or(rest.len())].to_owned()
    };
    match part.name {
        "check" | "ask" | "predict" => row + &section("### Exercises"),
        "set" | "claim" => section("## Steps"),
        "front-matter" => section("## The front matter"),
        "lessons" => section("## Courses"),
        "inventory" => section("## Concept inventories"),
        "plot" => row + &section("### Plots"),
        _ => row,
    }
}

#[test]
fn every_kind_of_cell_and_every_key_is_named() {
    let page = page();
    let mut missing = Vec::new();
    for part in written_parts() {
        let said = said_of(&part, &page);
        let row = format!("| `{}` |", part.name);
        if part.is_cell() && !page.contains(&row) {
            missing.push(format!("a row for the cell `{}`", part.name));
        }
        for key in keys(&part.schema) {
            let names = [
                format!("`{key}`"),
                format!("`{key} ="),
                format!("\n{key} = "),
                format!("\n{key}."),
                format!("[{key}]"),
                format!("[{key}."),
                format!("\"{key}."),
                format!("{{ {key} = "),
                format!(", {key} = "),
            ];
            if !names.iter().any(|name| said.contains(name)) {
                missing.push(format!("the key `{key}` of `{}`", part.name));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "docs/lesson-format.md does not name, in backticks or in an example: {missing:#?}"
    );
}

/// A lesson that has nothing but these lines in its only step.
fn lesson_of(rig: &str, text: &str) -> String {
    format!(
        "+++\ntitle = \"Example\"\nminutes = 1\nrig = \"{rig}\"\n+++\n\n```viewport picture\n```\n\n\
         ## Before\n\nText.\n\n## Example\n\nText.\n\n{text}"
    )
}

#[test]
fn every_example_can_be_read_and_drawn() {
    let page = page();
    let mut drawn = 0;
    for DocumentedBlock { line, language, text, rig } in examples(&page) {
        let at = format!("docs/lesson-format.md:{line}");
        match language.as_str() {
            "markdown" => {
                let rig = rig.unwrap_or_else(|| {
                    panic!("{at}: write <!-- on arm --> before it, or another rig")
                });
                let lesson = lesson_of(&rig, &text);
                let set = example_set(&[("10-example", &lesson, "")]);
                assert_eq!(set.lessons[0].findings, [], "{at}");
                for size in [[1280.0, 800.0], [390.0, 844.0]] {
                    let mut harness = page_with(size, set.clone(), Preferences::default());
                    let shell = harness.state_mut().shell();
                    shell.follow("bindpose://example/example").expect("a step");
                    harness.run();
                }
                drawn += 1;
            }
            "toml" if text.starts_with("+++") => {
                let lesson = format!("{text}\n```viewport main\n```\n\n## One\n\nText.\n");
                assert_eq!(parse_lesson("10-example", &lesson, "").findings, [], "{at}");
            }
            "toml" if text.starts_with("[[route]]") => {
                let mut set = LessonSet::embedded();
                set.add_routes_text("routes.toml", &text);
                assert_eq!(set.outside_findings().count(), 0, "{at}");
            }
            "toml" if text.starts_with("[[misconception]]") => {
                let lesson = lesson_of("bone_grid", "");
                let files = [("10-example/inventory.toml".to_owned(), text.as_bytes().into())];
                let files = CourseFiles::in_memory(files.into());
                let notes = "## 1. Before (1 minute)\n\nx\n\n## 2. Example (1 minute)\n\nx\n";
                let lessons = [("10-example", &*lesson, notes)];
                let set = LessonSet::from_memory_with(&lessons, "", files);
                let found = check_lessons(&set, &bindpose_asset::builtin);
                assert!(found.is_empty(), "{at}: {found:#?}");
            }
            "toml" => {
                let lesson = lesson_of("arm", "");
                let files = [(COURSE_FILE, &text), ("10-squash/lesson.md", &lesson)];
                let files = files.map(|(path, text)| (path.to_owned(), Arc::from(text.as_bytes())));
                let (set, first) = LessonSet::embedded()
                    .with_course("example", files.into())
                    .unwrap_or_else(|wrong| panic!("{at}: {wrong}"));
                let course = set.course_of(first).expect("a course");
                assert!(!course.name.is_empty() && !course.author.is_empty(), "{at}");
            }
            other => panic!("{at}: nothing reads an example in `{other}`"),
        }
    }
    assert!(drawn > 5, "{drawn}");
}
