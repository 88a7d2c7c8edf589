//! JSON Schemas for editors: front matter, `set` blocks, every kind of cell, and
//! `lessons.toml`. They are derived from the types that serde reads, and the docs of the
//! fields become the descriptions that an editor shows.
//!
//! # Schemas for editors
//!
//! Browsers do without this module. Front matter and `set` blocks have parsers of their
//! own, so `handwritten` repeats their keys, and a test compares the two. All built-in
//! lessons are validated against the schemas. `app/host/desktop/new_course/` writes a starter course:
//! templates, in which the content check must find nothing on any rig, and files for
//! editors. `app/documented.rs` compares `docs/lesson-format.md` with the schemas, and
//! parses and draws every example in it.

pub(crate) mod handwritten;

use schemars::Schema;
use serde_json::{Map, Value};

use super::cells::{CellSchema, cell_schemas};
use super::course::CourseFile;
use super::inventory::Inventory;
use super::schema::Claim;
use handwritten::schema_of;

/// A part of a lesson with a schema.
#[derive(Clone, Debug, PartialEq)]
pub struct SchemaPart {
    /// `front-matter`, `set`, `lessons`, `inventory`, or a kind of cell.
    pub name: &'static str,
    /// Describes the part in one sentence.
    pub about: String,
    /// JSON Schema 2020-12 of an object. No value may be `null`, which TOML does not have.
    pub schema: Value,
    /// Whether it is written in a fenced block whose info string begins with its name.
    pub is_fenced: bool,
}

impl SchemaPart {
    /// The keys in their order, each with its schema.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &Value)> {
        let keys = self.schema.get("properties").and_then(Value::as_object);
        keys.into_iter().flatten().map(|(key, schema)| (&**key, schema))
    }

    /// Whether it appears on the page.
    pub fn is_cell(&self) -> bool {
        self.is_fenced && !["set", "claim"].contains(&self.name)
    }

    /// Whether the key is required.
    pub fn requires(&self, key: &str) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == key))
    }
}

/// All parts with a schema: first the cells, in the order of their table.
pub fn written_parts() -> Vec<SchemaPart> {
    let front = schema_of::<handwritten::FrontMatterKeys>();
    let course = schema_of::<CourseFile>();
    cell_schemas()
        .into_iter()
        .map(|CellSchema { kind, about, make }| make_part(kind, about, make(), true))
        .chain([
            make_part(
                "set",
                "Settings of the page when a step opens.",
                handwritten::set_block_schema(),
                true,
            ),
            make_part(
                "claim",
                "A claim of the prose, as a formula that the content check evaluates.",
                schema_of::<Claim>(),
                true,
            ),
            make_part(
                "front-matter",
                "Facts about a lesson, between two lines of +++ at its top.",
                front,
                false,
            ),
            make_part(
                "lessons",
                "Facts about a folder of lessons, in lessons.toml.",
                course,
                false,
            ),
            make_part(
                "inventory",
                "False beliefs of learners, and questions about them, in inventory.toml.",
                schema_of::<Inventory>(),
                false,
            ),
        ])
        .collect()
}

/// One document with all schemas, by name below `$defs`.
pub fn all_parts_schema() -> Value {
    let parts: Map<String, Value> = written_parts()
        .into_iter()
        .map(|part| {
            let mut schema = part.schema;
            if let Some(schema) = schema.as_object_mut() {
                schema.remove("$schema");
            }
            (part.name.to_owned(), schema)
        })
        .collect();
    serde_json::json!({
        "$schema": DIALECT,
        "title": "Bindpose lessons",
        "description": "Keys of the parts of a lesson: cells by their kinds, set blocks, front \
                        matter and lessons.toml.",
        "$defs": parts,
    })
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn make_part(name: &'static str, about: &str, schema: Schema, is_fenced: bool) -> SchemaPart {
    let mut schema = schema.to_value();
    simplify(&mut schema);
    let about = in_one_line(about);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".to_owned(), name.into());
        schema.insert("description".to_owned(), about.clone().into());
    }
    SchemaPart { name, about, schema, is_fenced }
}

/// Removes whatever TOML cannot express or authors do not need.
fn simplify(schema: &mut Value) {
    match schema {
        Value::Object(schema) => {
            for key in ["type", "enum", "anyOf"] {
                let Some(Value::Array(list)) = schema.get_mut(key) else {
                    continue;
                };
                list.retain(|value| {
                    !value.is_null()
                        && *value != "null"
                        && *value != serde_json::json!({"type": "null"})
                });
                if let ("type", [only]) = (key, &list[..]) {
                    let only = only.clone();
                    schema.insert(key.to_owned(), only);
                }
            }
            schema.remove("format");
            for key in ["default", "const"] {
                if schema.get(key).is_some_and(Value::is_null) {
                    schema.remove(key);
                }
            }
            if let Some(Value::String(words)) = schema.get_mut("description") {
                *words = in_one_line(words);
            }
            schema.values_mut().for_each(simplify);
        }
        Value::Array(list) => list.iter_mut().for_each(simplify),
        _ => {}
    }
}

/// Joins the lines of a doc comment.
fn in_one_line(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data_edit::DataKind;
    use crate::front_matter::{KEYS, PARAM_KEYS};
    use crate::{LessonSet, parse_lesson, set_keys};

    /// Validates a value. Panics on a keyword that it does not implement, so that nothing
    /// passes unchecked.
    fn validate(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let fits = |schema: &Value| validate(schema, value, at);
        for (keyword, says) in schema.as_object().expect("a schema") {
            let list = || says.as_array().into_iter().flatten();
            let ok = match keyword.as_str() {
                "title" | "description" | "default" | "$schema" | "properties"
                | "patternProperties" => true,
                "type" => {
                    let named = |name: &Value| match name.as_str().unwrap_or_default() {
                        "string" => value.is_string(),
                        "number" => value.is_number(),
                        "integer" => value.is_i64() || value.is_u64(),
                        "boolean" => value.is_boolean(),
                        "array" => value.is_array(),
                        "object" => value.is_object(),
                        other => panic!("type {other}"),
                    };
                    says.is_string() && named(says) || list().any(named)
                }
                "enum" => list().any(|one| one == value),
                "anyOf" => list().any(|one| fits(one).is_ok()),
                "required" => {
                    list().all(|key| value.get(key.as_str().unwrap_or_default()).is_some())
                }
                "minItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 >= says.as_u64().unwrap()),
                "maxItems" => value
                    .as_array()
                    .is_none_or(|items| items.len() as u64 <= says.as_u64().unwrap()),
                "minLength" => {
                    value.as_str().is_none_or(|text| text.len() as u64 >= says.as_u64().unwrap())
                }
                "minimum" => value.as_f64().is_none_or(|number| number >= says.as_f64().unwrap()),
                "exclusiveMinimum" => {
                    value.as_f64().is_none_or(|number| number > says.as_f64().unwrap())
                }
                "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        validate(says, item, at)?;
                    }
                    true
                }
                "additionalProperties" => {
                    let known = |key: &str| {
                        let properties = schema.get("properties").and_then(|keys| keys.get(key));
                        let patterns = schema.get("patternProperties").and_then(Value::as_object);
                        let mut patterns = patterns.into_iter().flatten();
                        let begins = |pattern: &str| {
                            let begin = pattern.trim_start_matches('^').replace("\\.", ".");
                            key.starts_with(&begin)
                        };
                        let matching = patterns.find(|(pattern, _)| begins(pattern));
                        properties.or(matching.map(|(_, schema)| schema)).cloned()
                    };
                    for (key, below) in value.as_object().into_iter().flatten() {
                        let at = format!("{at}.{key}");
                        match known(key) {
                            Some(schema) => validate(&schema, below, &at)?,
                            None if *says == json!(false) => {
                                return Err(format!("{at}: unknown key"));
                            }
                            None => validate(says, below, &at)?,
                        }
                    }
                    true
                }
                other => panic!("the keyword {other} is not known to this test"),
            };
            if !ok {
                return Err(format!("{at}: {keyword} {says}, found {value}"));
            }
        }
        Ok(())
    }

    fn part(name: &str) -> SchemaPart {
        let mut parts = written_parts().into_iter();
        parts.find(|part| part.name == name).unwrap_or_else(|| panic!("no schema of {name}"))
    }

    fn json_of(toml: &str) -> Value {
        let table: toml::Table = toml.parse().expect("TOML");
        serde_json::to_value(table).expect("JSON")
    }

    /// Kind and body of every fenced block of a text.
    fn fenced(text: &str) -> Vec<(String, String)> {
        let mut blocks: Vec<(String, String)> = Vec::new();
        let mut open = false;
        for line in text.lines() {
            match line.trim_start().strip_prefix("```") {
                Some(_) if open => open = false,
                Some(info) => {
                    open = true;
                    let kind = info.split_whitespace().next().unwrap_or_default();
                    blocks.push((kind.to_owned(), String::new()));
                }
                None if open => {
                    if let Some((_, body)) = blocks.last_mut() {
                        body.push_str(line);
                        body.push('\n');
                    }
                }
                None => {}
            }
        }
        blocks
    }

    #[test]
    fn built_in_lessons_match_their_schemas() {
        let set = LessonSet::embedded();
        let parts = written_parts();
        let mut seen = std::collections::BTreeSet::new();
        for lesson in &set.lessons {
            let id = &lesson.folder;
            let path = format!("{}/../../lessons/{id}/lesson.md", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).expect("a lesson");
            let front = text.split("+++").nth(1).expect("front matter");
            let front = validate(&part("front-matter").schema, &json_of(front), "front matter");
            assert_eq!(front, Ok(()), "{id}");
            for (kind, body) in fenced(&text) {
                if let Some(part) = parts.iter().find(|part| part.is_fenced && part.name == kind) {
                    assert_eq!(
                        validate(&part.schema, &json_of(&body), &kind),
                        Ok(()),
                        "{id}: {body}"
                    );
                    seen.insert(kind);
                }
            }
        }
        assert!(seen.len() > 20, "{seen:?}");
    }

    #[test]
    fn schemas_reject_what_the_parser_rejects() {
        for part in written_parts() {
            let extra = json!({ "no-such-key": true });
            assert!(validate(&part.schema, &extra, part.name).is_err(), "{}", part.name);
        }
        for (kind, body) in [
            ("viewport", "view = \"font\""),
            ("viewport", "target = [1.0, 2.0]"),
            ("matrix", "product = 1"),
            ("plot", "sweep = \"bend\""),
            ("predict", "ask = \"Where?\""),
            ("weights", "vertices = [-1]"),
            ("weights", "lanes = 9"),
            ("matrix", "decimals = 10"),
            ("tree", "rows = 0"),
            ("viewport", "height = 0"),
            ("histogram", "height = 20"),
            ("plot", "sweep = \"bend\"\nlines = []"),
            ("stops", "label = \"S\"\nstops = []"),
            ("learnt", "lines = []"),
        ] {
            assert!(validate(&part(kind).schema, &json_of(body), kind).is_err(), "{kind}: {body}");
            let text = format!(
                "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\n```{kind}\n{body}\n```\n"
            );
            let lesson = parse_lesson("10-t", &text, "");
            assert!(!lesson.findings.is_empty(), "{kind}: {body}");
        }
    }

    #[test]
    fn every_key_has_a_description() {
        fn look(at: &str, schema: &Value, missing: &mut Vec<String>) {
            for (key, below) in
                schema.get("properties").and_then(Value::as_object).into_iter().flatten()
            {
                let at = format!("{at}.{key}");
                let words = below.get("description").and_then(Value::as_str).unwrap_or_default();
                if words.len() < 8 || !words.ends_with(['.', '?']) || words.contains("[`") {
                    missing.push(format!("{at}: {words:?}"));
                }
                look(&at, below, missing);
            }
            for below in ["items", "additionalProperties"] {
                if let Some(schema) = schema.get(below).filter(|schema| schema.is_object()) {
                    look(at, schema, missing);
                }
            }
            for schema in schema.get("anyOf").and_then(Value::as_array).into_iter().flatten() {
                look(at, schema, missing);
            }
        }
        let mut missing = Vec::new();
        for part in written_parts() {
            assert!(part.about.ends_with('.'), "{}: {}", part.name, part.about);
            look(part.name, &part.schema, &mut missing);
        }
        assert!(
            missing.is_empty(),
            "write a sentence for authors above the field in crates/lesson/src/schema: {missing:#?}"
        );
    }

    #[test]
    fn handwritten_schemas_have_the_keys_of_the_parsers() {
        let sorted = |keys: &mut Vec<&str>| keys.sort_unstable();
        let front = part("front-matter");
        let mut known = KEYS.to_vec();
        let mut said: Vec<&str> = front.keys().map(|(key, _)| key).collect();
        sorted(&mut known);
        sorted(&mut said);
        assert_eq!(said, known, "crates/lesson/src/json_schema/handwritten.rs");
        let params = &front.schema["properties"]["params"]["additionalProperties"]["properties"];
        let mut said: Vec<&str> = params.as_object().unwrap().keys().map(|key| &**key).collect();
        let mut known = PARAM_KEYS.to_vec();
        sorted(&mut known);
        sorted(&mut said);
        assert_eq!(said, known, "crates/lesson/src/json_schema/handwritten.rs");

        let set = part("set");
        let said: Vec<&str> = set.keys().map(|(key, _)| key).collect();
        for key in set_keys().chain(DataKind::ALL.map(DataKind::key)) {
            assert!(said.contains(&key), "{key}: crates/lesson/src/json_schema/handwritten.rs");
        }
        // `inverse-bind` is both a setting and a kind of data edit.
        let data = DataKind::ALL.len() - 1;
        assert_eq!(said.len(), set_keys().count() + data, "{said:?}");
    }

    #[test]
    fn one_document_holds_all_schemas() {
        let all = all_parts_schema();
        assert_eq!(all["$schema"], DIALECT);
        assert_eq!(all["$defs"]["plot"]["required"], json!(["lines"]));
        assert!(all["$defs"]["check"]["properties"]["draws"].is_object());
        assert!(all["$defs"]["lessons"]["properties"]["built-in"]["enum"].is_array());
        assert!(!all.to_string().contains("null"), "TOML has no null");
    }
}
