//! What an editor needs to help: snippets of every kind of cell, the schema of
//! `lessons.toml`, and settings that turn suggestions on. For Visual Studio Code, and for
//! others that read its files.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{SchemaPart, written_parts};
use serde_json::{Map, Value, json};

use crate::app::gallery::{CellExample, cell_examples};

/// In the folder of a course; nothing in it is read or packed.
const FOLDER: &str = ".vscode";

/// Names and texts, by their paths in the course.
pub(super) fn editor_files() -> Result<Vec<(String, String)>, Diagnostic> {
    let parts = written_parts();
    let course = parts.iter().find(|part| part.name == "lessons");
    let files = [
        ("settings.json", settings()),
        ("bindpose.code-snippets", snippets(&parts)?),
        ("lessons.schema.json", course.map_or(Value::Null, |part| part.schema.clone())),
    ];
    let files = files.into_iter();
    Ok(files.map(|(name, value)| (format!("{FOLDER}/{name}"), format!("{value:#}\n"))).collect())
}

fn settings() -> Value {
    json!({
        "[markdown]": {
            "editor.quickSuggestions": { "comments": "off", "strings": "off", "other": "on" },
            "editor.snippetSuggestions": "top",
            "editor.wordWrap": "on",
        },
    })
}

/// One for every block that can be fenced, by its kind.
fn snippets(parts: &[SchemaPart]) -> Result<Value, Diagnostic> {
    let examples = cell_examples()?;
    let mut snippets = Map::new();
    for part in parts.iter().filter(|part| part.is_fenced) {
        let Some(example) = examples.get(part.name) else {
            continue;
        };
        let keys: Vec<String> = part.keys().map(|(key, schema)| in_words(key, schema)).collect();
        let description = format!("{}\n\n{}", part.about, keys.join("\n"));
        snippets.insert(
            format!("Bindpose: {}", part.name),
            json!({
                "scope": "markdown",
                "prefix": [part.name, format!("```{}", part.name)],
                "description": description,
                "body": body(part, example),
            }),
        );
    }
    Ok(snippets.into())
}

/// `view: Where it looks from.`
fn in_words(key: &str, schema: &Value) -> String {
    let about = schema.get("description").and_then(Value::as_str);
    format!("{key}: {}", about.unwrap_or_default())
}

/// Lines of the example, with a place to fill in for every value of one line.
fn body(part: &SchemaPart, example: &CellExample) -> Vec<String> {
    let mut places = 0;
    let mut lines = vec![format!("```{}", part.name)];
    for line in example.body.lines() {
        let value = line
            .split_once(" = ")
            .filter(|(key, value)| !key.starts_with(' ') && is_of_one_line(value));
        let Some((key, value)) = value else {
            lines.push(escaped(line, "\\$"));
            continue;
        };
        places += 1;
        let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let names = part.keys().find(|(known, _)| *known == key);
        let names = names.and_then(|(_, schema)| names_of(schema));
        let place = match (quoted, names) {
            (Some(first), Some(names)) => {
                let others = names.iter().filter(|name| *name != first);
                let choices: Vec<String> = std::iter::once(first)
                    .chain(others.map(String::as_str))
                    .map(|name| escaped(name, "\\$}|,"))
                    .collect();
                format!("\"${{{places}|{}|}}\"", choices.join(","))
            }
            (Some(text), None) => format!("\"${{{places}:{}}}\"", escaped(text, "\\$}")),
            (None, _) => format!("${{{places}:{}}}", escaped(value, "\\$}")),
        };
        lines.push(format!("{key} = {place}"));
    }
    lines.extend(["```".to_owned(), "$0".to_owned()]);
    lines
}

/// Not the first line of a list or a text of several.
fn is_of_one_line(value: &str) -> bool {
    format!("value = {value}").parse::<toml::Table>().is_ok()
}

/// The names that a key takes, of which it takes one.
fn names_of(schema: &Value) -> Option<Vec<String>> {
    let of_one = |schema: &Value| {
        let names = schema.get("enum")?.as_array()?.iter();
        let names = names.map(|name| name.as_str().map(str::to_owned));
        names.collect::<Option<Vec<String>>>()
    };
    let any = schema.get("anyOf").and_then(Value::as_array);
    match any {
        Some(any) => any.iter().map(of_one).collect::<Option<Vec<_>>>().map(|all| all.concat()),
        None => of_one(schema),
    }
}

/// With a backslash before each of these.
fn escaped(text: &str, special: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        if special.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::parse_lesson;

    use super::*;

    /// A snippet as it stands when nothing is typed into its places.
    fn filled(line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some(place) = rest.strip_prefix("${") {
                let digits = place.trim_start_matches(|c: char| c.is_ascii_digit());
                let (choice, inside) = match digits.strip_prefix('|') {
                    Some(inside) => (true, inside),
                    None => (false, digits.strip_prefix(':').expect("a default")),
                };
                let mut chars = inside.char_indices();
                let mut taken = String::new();
                let mut taking = true;
                let end = loop {
                    let (at, c) = chars.next().expect("an end");
                    match c {
                        '\\' => {
                            let (_, c) = chars.next().expect("what is escaped");
                            if taking {
                                taken.push(c);
                            }
                        }
                        ',' if choice => taking = false,
                        '|' if choice => {
                            assert!(inside[at..].starts_with("|}"), "{line}");
                            break at + 2;
                        }
                        '}' if !choice => break at + 1,
                        c if taking => taken.push(c),
                        _ => {}
                    }
                };
                text.push_str(&taken);
                rest = &inside[end..];
            } else if let Some(after) = rest.strip_prefix("$0") {
                rest = after;
            } else if let Some(after) = rest.strip_prefix('\\') {
                let c = after.chars().next().expect("what is escaped");
                text.push(c);
                rest = &after[c.len_utf8()..];
            } else {
                assert_ne!(c, '$', "{line}");
                text.push(c);
                rest = &rest[c.len_utf8()..];
            }
        }
        text
    }

    #[test]
    fn every_snippet_is_a_block_that_the_reader_takes() {
        let files = editor_files().expect("files");
        let (_, text) = files.iter().find(|(path, _)| path.ends_with("snippets")).unwrap();
        let snippets: Map<String, Value> = serde_json::from_str(text).expect("JSON");
        let examples = cell_examples().expect("examples");
        assert_eq!(snippets.len(), examples.len());
        for (name, snippet) in &snippets {
            let kind = name.strip_prefix("Bindpose: ").expect("a name");
            let lines = snippet["body"].as_array().expect("lines");
            let lines: Vec<String> =
                lines.iter().map(|line| filled(line.as_str().unwrap())).collect();
            let block = lines.join("\n");
            assert_eq!(block.trim_end(), examples[kind].fenced(kind).trim_end());
            let (rig, front) = (&examples[kind].rig, &examples[kind].front);
            let text = format!(
                "+++\ntitle = \"T\"\nminutes = 1\nrig = \"{rig}\"\n{front}+++\n\n## One\n\nText.\n\n{block}\n"
            );
            let lesson = parse_lesson("10-t", &text, "");
            assert_eq!(lesson.findings, [], "{kind}: {block}");
            assert_eq!(snippet["scope"], "markdown");
            assert!(snippet["description"].as_str().unwrap().len() > 20, "{kind}");
        }
    }

    #[test]
    fn names_are_offered_where_a_key_takes_one_of_several() {
        let files = editor_files().expect("files");
        let (_, text) = files.iter().find(|(path, _)| path.ends_with("snippets")).unwrap();
        let snippets: Value = serde_json::from_str(text).expect("JSON");
        let viewport = snippets["Bindpose: viewport"]["body"].to_string();
        assert!(viewport.contains("${1|front,back,"), "{viewport}");
        for (path, text) in &files {
            assert!(path.starts_with(".vscode/"));
            assert!(serde_json::from_str::<Value>(text).is_ok(), "{path}");
        }
    }
}
