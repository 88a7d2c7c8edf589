//! Tests that `docs/lesson-format.md` documents everything that authors can write, and that its
//! examples are valid.
//!
//! An example with a fence of four backticks, in `markdown`, is a part of a step. A comment before
//! it names its rig, as in `<!-- on arm -->`. An example in `toml` is a front matter,
//! `routes.toml` or `lessons.toml`, depending on its first line.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use bindpose_check::check_lessons;
use bindpose_lesson::{
    COURSE_FILE, CourseFiles, LessonSet, SchemaPart, parse_lesson, written_parts,
};
use bindpose_notebook::Preferences;
use serde_json::Value;

use super::host::example_set;
use super::testing::page_with;

fn read_page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/lesson-format.md");
    fs::read_to_string(path).expect("the page for authors")
}

/// A fenced block of the page.
struct DocumentedBlock {
    /// Line number, from 1.
    line: usize,
    /// Language after the fence.
    language: String,
    text: String,
    /// Rig named by the comment before the block.
    rig: Option<String>,
}

fn find_blocks(page: &str) -> Vec<DocumentedBlock> {
    let mut blocks: Vec<DocumentedBlock> = Vec::new();
    let mut fence: Option<String> = None;
    let mut rig = None;
    for (number, line) in (1..).zip(page.lines()) {
        let marks: String = line.chars().take_while(|&c| c == '`').collect();
        match &fence {
            Some(open) if *open == line => fence = None,
            Some(_) => {
                if let Some(block) = blocks.last_mut() {
                    block.text.push_str(line);
                    block.text.push('\n');
                }
            }
            None if marks.len() >= 3 => {
                blocks.push(DocumentedBlock {
                    line: number,
                    language: line[marks.len()..].trim().to_owned(),
                    text: String::new(),
                    rig: rig.take(),
                });
                fence = Some(marks);
            }
            None => {
                let comment = line.strip_prefix("<!-- on ");
                if let Some(name) = comment.and_then(|rest| rest.strip_suffix(" -->")) {
                    rig = Some(name.to_owned());
                }
            }
        }
    }
    assert_eq!(fence, None, "every fence is closed");
    blocks
}

/// Lists all keys of a schema, including nested ones.
fn schema_keys(schema: &Value) -> Vec<String> {
    let mut keys = Vec::new();
    let properties = schema.get("properties").and_then(Value::as_object);
    for (key, property) in properties.into_iter().flatten() {
        keys.push(key.clone());
        keys.extend(schema_keys(property));
    }
    for nested in ["items", "additionalProperties"] {
        keys.extend(schema.get(nested).map(schema_keys).unwrap_or_default());
    }
    let alternatives = schema.get("anyOf").and_then(Value::as_array);
    keys.extend(alternatives.into_iter().flatten().flat_map(schema_keys));
    keys
}

/// Returns the documentation of a part: its row of a table, and its section.
fn documentation_of(part: &SchemaPart, page: &str) -> String {
    let row_start = format!("| `{}` |", part.name);
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with(&row_start)).collect();
    let row = rows.join("\n") + "\n";
    // Exercises and plots have sections of their own.
    match part.name {
        "check" | "ask" | "predict" => row + section(page, "### Exercises"),
        "set" | "claim" => section(page, "## Steps").to_owned(),
        "front-matter" => section(page, "## The front matter").to_owned(),
        "lessons" => section(page, "## Courses").to_owned(),
        "inventory" => section(page, "## Concept inventories").to_owned(),
        "plot" => row + section(page, "### Plots"),
        _ => row,
    }
}

/// Returns the text from a heading to the next heading of the second level.
fn section<'p>(page: &'p str, heading: &str) -> &'p str {
    let start = page.find(heading).unwrap_or_default();
    let rest = &page[start..];
    let end = rest[heading.len()..].find("\n## ").map(|offset| offset + heading.len());
    &rest[..end.unwrap_or(rest.len())]
}

#[test]
fn every_cell_and_key_is_documented() {
    let page = read_page();
    let mut missing = Vec::new();
    for part in written_parts() {
        let documentation = documentation_of(&part, &page);
        let row = format!("| `{}` |", part.name);
        if part.is_cell() && !page.contains(&row) {
            missing.push(format!("a row for the cell `{}`", part.name));
        }
        for key in schema_keys(&part.schema) {
            let mentions = [
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
            if !mentions.iter().any(|mention| documentation.contains(mention)) {
                missing.push(format!("the key `{key}` of `{}`", part.name));
            }
        }
    }
    assert!(
        missing.is_empty(),
        "docs/lesson-format.md does not name, in backticks or in an example: {missing:#?}"
    );
}

/// Formats a lesson with these lines in its second step.
fn lesson_with(rig: &str, text: &str) -> String {
    format!(
        "+++\ntitle = \"Example\"\nminutes = 1\nrig = \"{rig}\"\n+++\n\n```viewport picture\n```\n\n\
         ## Before\n\nText.\n\n## Example\n\nText.\n\n{text}"
    )
}

#[test]
fn every_example_is_valid() {
    let page = read_page();
    let mut drawn_count = 0;
    for DocumentedBlock { line, language, text, rig } in find_blocks(&page) {
        let at = format!("docs/lesson-format.md:{line}");
        match language.as_str() {
            "markdown" => {
                let rig = rig.unwrap_or_else(|| {
                    panic!("{at}: write <!-- on arm --> before it, or another rig")
                });
                let lesson = lesson_with(&rig, &text);
                let set = example_set(&[("10-example", &lesson, "")]);
                assert_eq!(set.lessons[0].findings, [], "{at}");
                for size in [[1280.0, 800.0], [390.0, 844.0]] {
                    let mut harness = page_with(size, set.clone(), Preferences::default());
                    let shell = harness.state_mut().shell();
                    shell.open_link("bindpose://example/example").expect("a step");
                    harness.run();
                }
                drawn_count += 1;
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
                let lesson = lesson_with("bone_grid", "");
                let inventory = ("10-example/inventory.toml".to_owned(), text.as_bytes().into());
                let files = CourseFiles::in_memory([inventory].into());
                let notes = "## 1. Before (1 minute)\n\nx\n\n## 2. Example (1 minute)\n\nx\n";
                let lessons = [("10-example", &*lesson, notes)];
                let set = LessonSet::from_memory_with(&lessons, "", files);
                let findings = check_lessons(&set, &bindpose_rigs::builtin);
                assert!(findings.is_empty(), "{at}: {findings:#?}");
            }
            "toml" => {
                let lesson = lesson_with("arm", "");
                let files = [(COURSE_FILE, &text), ("10-squash/lesson.md", &lesson)]
                    .map(|(path, text)| (path.to_owned(), Arc::from(text.as_bytes())));
                let (set, first) = LessonSet::embedded()
                    .with_course("example", files.into())
                    .unwrap_or_else(|error| panic!("{at}: {error}"));
                let course = set.course_of(first).expect("a course");
                assert!(!course.name.is_empty() && !course.author.is_empty(), "{at}");
            }
            other => panic!("{at}: nothing reads an example in `{other}`"),
        }
    }
    assert!(drawn_count > 5, "{drawn_count}");
}
