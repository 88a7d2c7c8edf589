//! Files that let an editor help authors: snippets of every kind of cell, the schema of
//! `lessons.toml`, and settings that turn suggestions on. For Visual Studio Code, and for editors
//! that read its files.

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{SchemaPart, written_parts};
use serde_json::{Map, Value, json};

use super::super::gallery::{CellExample, cell_examples};

/// Folder in that of a course. Its files are neither read nor packed.
const FOLDER: &str = ".vscode";

/// Returns paths in the course, and contents.
pub(super) fn editor_files() -> Result<Vec<(String, String)>, Diagnostic> {
    let parts = written_parts();
    let course = parts.iter().find(|part| part.name == "lessons");
    let json_files = [
        ("settings.json", settings()),
        ("bindpose.code-snippets", snippets(&parts)?),
        ("lessons.schema.json", course.map_or(Value::Null, |part| part.schema.clone())),
    ];
    Ok(json_files.map(|(name, value)| (format!("{FOLDER}/{name}"), format!("{value:#}\n"))).into())
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

/// Returns a snippet for every fenced block, by its kind.
fn snippets(parts: &[SchemaPart]) -> Result<Value, Diagnostic> {
    let examples = cell_examples()?;
    let mut snippets = Map::new();
    for part in parts.iter().filter(|part| part.is_fenced) {
        let Some(example) = examples.get(part.name) else {
            continue;
        };
        let keys: Vec<String> =
            part.keys().map(|(key, schema)| describe_key(key, schema)).collect();
        let description = format!("{}\n\n{}", part.about, keys.join("\n"));
        snippets.insert(
            format!("Bindpose: {}", part.name),
            json!({
                "scope": "markdown",
                "prefix": [part.name, format!("```{}", part.name)],
                "description": description,
                "body": snippet_lines(part, example),
            }),
        );
    }
    Ok(snippets.into())
}

/// Formats a key with its description, as in `view: Where it looks from.`
fn describe_key(key: &str, schema: &Value) -> String {
    let about = schema.get("description").and_then(Value::as_str);
    format!("{key}: {}", about.unwrap_or_default())
}

/// Returns the lines of an example, with a placeholder for every value of one line.
fn snippet_lines(part: &SchemaPart, example: &CellExample) -> Vec<String> {
    let mut placeholder_count = 0;
    let mut lines = vec![format!("```{}", part.name)];
    for line in example.body.lines() {
        let Some((key, value)) = line
            .split_once(" = ")
            .filter(|(key, value)| !key.starts_with(' ') && is_single_line(value))
        else {
            lines.push(escape(line, "\\$"));
            continue;
        };
        placeholder_count += 1;
        let quoted = value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        let allowed_names = part
            .keys()
            .find(|(known, _)| *known == key)
            .and_then(|(_, schema)| allowed_names(schema));
        let placeholder = match (quoted, allowed_names) {
            (Some(default), Some(names)) => {
                let mut choices = vec![escape(default, "\\$}|,")];
                for name in names.iter().filter(|name| *name != default) {
                    choices.push(escape(name, "\\$}|,"));
                }
                format!("\"${{{placeholder_count}|{}|}}\"", choices.join(","))
            }
            (Some(text), None) => {
                format!("\"${{{placeholder_count}:{}}}\"", escape(text, "\\$}"))
            }
            (None, _) => format!("${{{placeholder_count}:{}}}", escape(value, "\\$}")),
        };
        lines.push(format!("{key} = {placeholder}"));
    }
    lines.extend(["```".to_owned(), "$0".to_owned()]);
    lines
}

/// Returns false for the first line of a list or text of several lines.
fn is_single_line(value: &str) -> bool {
    format!("value = {value}").parse::<toml::Table>().is_ok()
}

/// Returns the names of which a key accepts one. Returns `None` if it accepts other values too.
fn allowed_names(schema: &Value) -> Option<Vec<String>> {
    let Some(alternatives) = schema.get("anyOf").and_then(Value::as_array) else {
        return enum_names(schema);
    };
    let mut names = Vec::new();
    for alternative in alternatives {
        names.extend(enum_names(alternative)?);
    }
    Some(names)
}

fn enum_names(schema: &Value) -> Option<Vec<String>> {
    let names = schema.get("enum")?.as_array()?;
    names.iter().map(|name| name.as_str().map(str::to_owned)).collect()
}

/// Puts a backslash before each of the special characters.
fn escape(text: &str, special: &str) -> String {
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

    /// Replaces the placeholders of a line by their defaults.
    fn fill_placeholders(line: &str) -> String {
        let mut text = String::new();
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if let Some(placeholder) = rest.strip_prefix("${") {
                let after_digits = placeholder.trim_start_matches(|c: char| c.is_ascii_digit());
                let (is_choice, inside) = match after_digits.strip_prefix('|') {
                    Some(inside) => (true, inside),
                    None => (false, after_digits.strip_prefix(':').expect("a default")),
                };
                let mut chars = inside.char_indices();
                let mut default = String::new();
                let mut is_default = true;
                let end = loop {
                    let (index, c) = chars.next().expect("an end");
                    match c {
                        '\\' => {
                            let (_, c) = chars.next().expect("what is escaped");
                            if is_default {
                                default.push(c);
                            }
                        }
                        ',' if is_choice => is_default = false,
                        '|' if is_choice => {
                            assert!(inside[index..].starts_with("|}"), "{line}");
                            break index + 2;
                        }
                        '}' if !is_choice => break index + 1,
                        c if is_default => default.push(c),
                        _ => {}
                    }
                };
                text.push_str(&default);
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
    fn every_snippet_is_a_valid_block() {
        let files = editor_files().expect("files");
        let (_, text) = files.iter().find(|(path, _)| path.ends_with("snippets")).unwrap();
        let snippets: Map<String, Value> = serde_json::from_str(text).expect("JSON");
        let examples = cell_examples().expect("examples");
        assert_eq!(snippets.len(), examples.len());
        for (name, snippet) in &snippets {
            let kind = name.strip_prefix("Bindpose: ").expect("a name");
            let lines: Vec<String> = snippet["body"]
                .as_array()
                .expect("lines")
                .iter()
                .map(|line| fill_placeholders(line.as_str().unwrap()))
                .collect();
            let block = lines.join("\n");
            assert_eq!(block.trim_end(), examples[kind].fenced(kind).trim_end());
            let rig = &examples[kind].rig;
            let front = &examples[kind].front;
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
    fn keys_offer_their_allowed_names() {
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
