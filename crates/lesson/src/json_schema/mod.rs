//! What authors may write, as JSON Schema, for editors: front matter, `set` blocks,
//! every kind of cell, and `lessons.toml`. Derived from the types that read them, so
//! that both say the same; the words on their fields are what an editor shows.
//!
//! # What editors know
//!
//! `lesson/json_schema/` gives what authors may write as JSON Schema, derived from the
//! types that read it; a browser has none of it. Front matter and `set` blocks have
//! readers of their own, so their keys are written down a second time there, and a test
//! holds the two together. Everything in the built-in lessons is held against the
//! schemas. `app/new_course/` writes a course to begin with: its templates, which the
//! check must find nothing in on any rig, and the files for editors. `app/documented.rs`
//! holds `docs/lesson-format.md` against the schemas, and reads and draws every example
//! in it.

pub(crate) mod handwritten;

use schemars::Schema;
use serde_json::{Map, Value};

use super::cells::{CellSchema, cell_schemas};
use super::course::CourseFile;
use super::inventory::Inventory;
use super::schema::Claim;
use handwritten::schema_of;

/// Something that authors write, and what it may say.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenPart {
    /// `front-matter`, `set`, `lessons`, `inventory`, or a kind of cell.
    pub name: &'static str,
    /// In a sentence.
    pub about: String,
    /// JSON Schema 2020-12 of an object; TOML has the same values but for `null`, which
    /// it allows nowhere.
    pub schema: Value,
    /// Does it stand in a fenced block of its own, which begins with its name?
    pub is_fenced: bool,
}

impl WrittenPart {
    /// Its keys, in their order, each with its schema.
    pub fn keys(&self) -> impl Iterator<Item = (&str, &Value)> {
        let keys = self.schema.get("properties").and_then(Value::as_object);
        keys.into_iter().flatten().map(|(key, schema)| (&**key, schema))
    }

    /// Does it show something on the page?
    pub fn is_cell(&self) -> bool {
        self.is_fenced && !["set", "claim"].contains(&self.name)
    }

    /// Must this key be there?
    pub fn requires(&self, key: &str) -> bool {
        let required = self.schema.get("required").and_then(Value::as_array);
        required.is_some_and(|required| required.iter().any(|one| one == key))
    }
}

/// Everything that has a schema: cells in the order of their table, then the others.
pub fn written_parts() -> Vec<WrittenPart> {
    let cells = cell_schemas().into_iter();
    let cells = cells.map(|CellSchema { kind, about, make }| part(kind, about, make(), true));
    let front = schema_of::<handwritten::FrontMatterKeys>();
    let course = schema_of::<CourseFile>();
    cells
        .chain([
            part(
                "set",
                "What the page is put to when a step opens.",
                handwritten::set_block_schema(),
                true,
            ),
            part(
                "claim",
                "What the prose of a step says, as a formula that the content check tries.",
                schema_of::<Claim>(),
                true,
            ),
            part(
                "front-matter",
                "What a lesson says of itself, between two lines of +++ at its top.",
                front,
                false,
            ),
            part(
                "lessons",
                "What a folder of lessons says of itself, in lessons.toml.",
                course,
                false,
            ),
            part(
                "inventory",
                "What learners may believe that is not so, and questions about it, in inventory.toml.",
                schema_of::<Inventory>(),
                false,
            ),
        ])
        .collect()
}

/// All of them in one document, each by its name below `$defs`.
pub fn all_parts_schema() -> Value {
    let parts = written_parts().into_iter();
    let parts: Map<String, Value> = parts
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
        "description": "What the parts of a lesson may say: cells by their kinds, set blocks, \
                        front matter and lessons.toml.",
        "$defs": parts,
    })
}

const DIALECT: &str = "https://json-schema.org/draft/2020-12/schema";

fn part(name: &'static str, about: &str, schema: Schema, is_fenced: bool) -> WrittenPart {
    let mut schema = schema.to_value();
    tidy(&mut schema);
    let about = in_one_line(about);
    if let Some(schema) = schema.as_object_mut() {
        schema.insert("title".to_owned(), name.into());
        schema.insert("description".to_owned(), about.clone().into());
    }
    WrittenPart { name, about, schema, is_fenced }
}

/// Takes out what TOML does not know, and what says nothing to authors.
fn tidy(schema: &mut Value) {
    match schema {
        Value::Object(schema) => {
            let null =
                |value: &Value| *value == "null" || *value == serde_json::json!({"type": "null"});
            for key in ["type", "enum", "anyOf"] {
                let Some(Value::Array(list)) = schema.get_mut(key) else {
                    continue;
                };
                list.retain(|value| !null(value) && !value.is_null());
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
            schema.values_mut().for_each(tidy);
        }
        Value::Array(list) => list.iter_mut().for_each(tidy),
        _ => {}
    }
}

/// Words of doc comments, whose lines end where they are full.
fn in_one_line(words: &str) -> String {
    let words: Vec<&str> = words.split_whitespace().collect();
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::front_matter::{KEYS, PARAM_KEYS};
    use crate::{LessonSet, parse_lesson, set_keys};

    /// The keywords that the schemas have, and no others: one that is not known here fails
    /// the test, so that nothing counts as checked that is not.
    fn wrong(schema: &Value, value: &Value, at: &str) -> Result<(), String> {
        let fits = |schema: &Value| wrong(schema, value, at);
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
                "maximum" => value.as_f64().is_none_or(|number| number <= says.as_f64().unwrap()),
                "items" => {
                    for item in value.as_array().into_iter().flatten() {
                        wrong(says, item, at)?;
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
                            Some(schema) => wrong(&schema, below, &at)?,
                            None if *says == json!(false) => {
                                return Err(format!("{at}: unknown key"));
                            }
                            None => wrong(says, below, &at)?,
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

    fn part(name: &str) -> WrittenPart {
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
    fn everything_in_the_built_in_lessons_fits_its_schema() {
        let set = LessonSet::embedded();
        let parts = written_parts();
        let mut seen = std::collections::BTreeSet::new();
        for lesson in &set.lessons {
            let id = &lesson.folder;
            let path = format!("{}/../../lessons/{id}/lesson.md", env!("CARGO_MANIFEST_DIR"));
            let text = std::fs::read_to_string(&path).expect("a lesson");
            let front = text.split("+++").nth(1).expect("front matter");
            let front = wrong(&part("front-matter").schema, &json_of(front), "front matter");
            assert_eq!(front, Ok(()), "{id}");
            for (kind, body) in fenced(&text) {
                if let Some(part) = parts.iter().find(|part| part.is_fenced && part.name == kind) {
                    assert_eq!(wrong(&part.schema, &json_of(&body), &kind), Ok(()), "{id}: {body}");
                    seen.insert(kind);
                }
            }
        }
        assert!(seen.len() > 20, "{seen:?}");
    }

    #[test]
    fn what_the_reader_refuses_the_schema_refuses() {
        for part in written_parts() {
            let extra = json!({ "no-such-key": true });
            assert!(wrong(&part.schema, &extra, part.name).is_err(), "{}", part.name);
        }
        for (kind, body) in [
            ("viewport", "view = \"font\""),
            ("viewport", "target = [1.0, 2.0]"),
            ("matrix", "product = 1"),
            ("plot", "sweep = \"bend\""),
            ("predict", "ask = \"Where?\""),
            ("weights", "vertices = [-1]"),
        ] {
            assert!(wrong(&part(kind).schema, &json_of(body), kind).is_err(), "{kind}: {body}");
            let text = format!(
                "+++\ntitle = \"T\"\nminutes = 1\nrig = \"arm\"\n+++\n\n## One\n\n```{kind}\n{body}\n```\n"
            );
            let lesson = parse_lesson("10-t", &text, "");
            assert!(!lesson.findings.is_empty(), "{kind}: {body}");
        }
    }

    #[test]
    fn every_key_is_explained() {
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
    fn the_readers_of_front_matter_and_set_blocks_know_the_same_keys() {
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
        for key in set_keys().chain(crate::data_edit::DATA_KINDS) {
            assert!(said.contains(&key), "{key}: crates/lesson/src/json_schema/handwritten.rs");
        }
        // A matrix’s kind of edit has the name of a setting.
        let data = crate::data_edit::DATA_KINDS.len() - 1;
        assert_eq!(said.len(), set_keys().count() + data, "{said:?}");
    }

    #[test]
    fn all_schemas_stand_in_one_document() {
        let all = all_parts_schema();
        assert_eq!(all["$schema"], DIALECT);
        assert_eq!(all["$defs"]["plot"]["required"], json!(["lines"]));
        assert!(all["$defs"]["check"]["properties"]["draws"].is_object());
        assert!(all["$defs"]["lessons"]["properties"]["built-in"]["enum"].is_array());
        assert!(!all.to_string().contains("null"), "TOML has no null");
    }
}
