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

mod front_matter;
pub(crate) mod of_type;
mod set_block;
mod values;

use schemars::Schema;
use serde_json::{Map, Value};

use super::cells::{CellSchema, cell_schemas};
use super::course::CourseFile;
use super::inventory::Inventory;
use of_type::schema_of;

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
    let front = schema_of::<front_matter::FrontMatterKeys>();
    let course = schema_of::<CourseFile>();
    cells
        .chain([
            part(
                "set",
                "What the page is put to when a step opens.",
                set_block::schema(),
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
mod tests;
