//! The JSON against glTF's schema: names, types, ranges, references.

use serde_json::{Map, Value};

use super::catalog::structure as fault;
use super::doc::{Doc, as_whole};
use super::findings::{Findings, quoted};
use super::schema_tables::{Is, Property, ROOT};
use crate::asset::gltf_file::json::escaped;
use crate::diagnostic::short_number;

/// Reads the whole JSON once. What is reported here is passed over in silence
/// by everything after.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    let mut walk = Walk {
        doc,
        found,
        pointer: String::new(),
    };
    walk.object(&doc.root, ROOT);
}

struct Walk<'d, 'f> {
    doc: &'d Doc<'d>,
    found: &'f mut Findings,
    pointer: String,
}

impl Walk<'_, '_> {
    fn at(&mut self, part: &str, then: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        self.pointer.push('/');
        self.pointer.push_str(part);
        then(self);
        self.pointer.truncate(length);
    }

    fn object(&mut self, value: &Value, schema: &[Property]) {
        let Some(object) = value.as_object() else {
            self.mismatch("an object", value);
            return;
        };
        for (name, value) in object {
            let property = schema.iter().find(|property| property.name == name);
            match property {
                Some(property) => self.at(name, |walk| walk.value(value, &property.is)),
                None if name == "extensions" => {
                    self.at(name, |walk| walk.extensions(value));
                }
                None if name == "extras" => {}
                None => self.at(&escaped(name), |walk| walk.unknown(schema)),
            }
        }
        self.missing(object, schema);
    }

    fn missing(&mut self, object: &Map<String, Value>, schema: &[Property]) {
        for property in schema {
            if property.required && !object.contains_key(property.name) {
                self.found.add(
                    &fault::UNDEFINED_PROPERTY,
                    self.pointer.as_str(),
                    format!("“{}”", property.name),
                    "nothing",
                );
            }
            if let Some(needs) = property.needs
                && object.contains_key(property.name)
                && !object.contains_key(needs)
            {
                self.found.add(
                    &fault::UNSATISFIED_DEPENDENCY,
                    format!("{}/{}", self.pointer, property.name),
                    format!("“{needs}” beside it"),
                    format!("no “{needs}”"),
                );
            }
        }
    }

    fn unknown(&mut self, schema: &[Property]) {
        let known: Vec<&str> = schema.iter().map(|property| property.name).collect();
        let name = self.pointer.rsplit('/').next().unwrap_or_default();
        let found = quoted(name);
        self.found.add(
            &fault::UNEXPECTED_PROPERTY,
            self.pointer.as_str(),
            format!("one of {}", known.join(", ")),
            found,
        );
    }

    fn mismatch(&mut self, expected: &str, value: &Value) {
        self.found.add(
            &fault::TYPE_MISMATCH,
            self.pointer.as_str(),
            expected,
            shown(value),
        );
    }

    fn value(&mut self, value: &Value, is: &Is) {
        match is {
            Is::Anything => {}
            Is::Text => {
                if !value.is_string() {
                    self.mismatch("text in quotes", value);
                }
            }
            Is::Flag => {
                if !value.is_boolean() {
                    self.mismatch("true or false", value);
                }
            }
            Is::Object(schema) => self.object(value, schema),
            Is::List(is) => self.list(value, |walk, item| walk.value(item, is)),
            Is::Distinct(is) => {
                self.list(value, |walk, item| walk.value(item, is));
                self.distinct(value);
            }
            Is::Map(is) => match value.as_object() {
                Some(entries) => {
                    for (name, item) in entries {
                        self.at(&escaped(name), |walk| walk.value(item, is));
                    }
                }
                None => self.mismatch("an object", value),
            },
            Is::Index(list) => self.index(value, list),
            Is::Whole { least } => self.whole(value, *least),
            Is::Stride => self.stride(value),
            Is::Numbers { lengths, most } => self.numbers(value, lengths, *most),
            Is::OneOf(texts) => match value.as_str() {
                Some(text) if texts.contains(&text) => {}
                Some(text) => self.not_in_list(&texts.join(", "), &quoted(text)),
                None => self.mismatch("text in quotes", value),
            },
            Is::OneOfNumbers(numbers) => match as_whole(value) {
                Some(number) if numbers.contains(&number) => {}
                Some(number) => {
                    let list: Vec<String> = numbers.iter().map(usize::to_string).collect();
                    self.not_in_list(&list.join(", "), &number.to_string());
                }
                None => self.mismatch("a whole number", value),
            },
        }
    }

    fn not_in_list(&mut self, expected: &str, found: &str) {
        self.found.add(
            &fault::VALUE_NOT_IN_LIST,
            self.pointer.as_str(),
            format!("one of {expected}"),
            found,
        );
    }

    fn list(&mut self, value: &Value, mut each: impl FnMut(&mut Self, &Value)) {
        let Some(items) = value.as_array() else {
            self.mismatch("a list", value);
            return;
        };
        if items.is_empty() {
            self.found.add(
                &fault::EMPTY_ENTITY,
                self.pointer.as_str(),
                "at least one entry",
                "none",
            );
        }
        for (index, item) in items.iter().enumerate() {
            self.at(&index.to_string(), |walk| each(walk, item));
        }
    }

    fn distinct(&mut self, value: &Value) {
        let mut seen = std::collections::BTreeMap::new();
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            let key = item
                .as_str()
                .map_or_else(|| item.to_string(), str::to_owned);
            if let Some(first) = seen.insert(key, place) {
                self.found.add(
                    &fault::DUPLICATE_ELEMENTS,
                    format!("{}/{place}", self.pointer),
                    "each once",
                    format!("{}, as at {first}", shown(item)),
                );
            }
        }
    }

    fn index(&mut self, value: &Value, list: &str) {
        let Some(index) = as_whole(value) else {
            self.found.add(
                &fault::INVALID_INDEX,
                self.pointer.as_str(),
                "a whole number from 0 on",
                shown(value),
            );
            return;
        };
        let count = self.doc.list(list).len();
        if index >= count {
            let expected = match count {
                0 => format!("an index into {list}, of which there are none"),
                count => format!("an index into {list}, 0 to {}", count - 1),
            };
            self.found.add(
                &fault::UNRESOLVED_REFERENCE,
                self.pointer.as_str(),
                expected,
                index.to_string(),
            );
        }
    }

    fn whole(&mut self, value: &Value, least: u64) {
        match value.as_u64() {
            Some(number) if number >= least => {}
            _ if value.is_number() => self.out_of_range(
                &format!("a whole number, {least} or more"),
                &value.to_string(),
            ),
            _ => self.mismatch("a whole number", value),
        }
    }

    fn stride(&mut self, value: &Value) {
        match value.as_u64() {
            Some(stride) if !(4..=252).contains(&stride) => {
                self.out_of_range("4 to 252", &stride.to_string());
            }
            Some(stride) if stride % 4 != 0 => self.found.add(
                &fault::VALUE_MULTIPLE_OF,
                self.pointer.as_str(),
                "a multiple of 4",
                stride.to_string(),
            ),
            Some(_) => {}
            None => self.mismatch("a whole number", value),
        }
    }

    /// A number from −`most` to `most`.
    fn number(&mut self, value: &Value, most: f64) {
        match value.as_f64() {
            Some(number) if number.abs() <= most => {}
            // Reported when the text was read.
            Some(number) if self.doc.patched && number.abs() >= f64::MAX => {}
            Some(number) => {
                let expected = if most >= f64::from(f32::MAX) {
                    "a number that fits a 32-bit float".to_owned()
                } else {
                    format!("−{most} to {most}")
                };
                let found = short_number(number);
                self.out_of_range(&expected, &found);
            }
            None => self.mismatch("a number", value),
        }
    }

    fn out_of_range(&mut self, expected: &str, found: &str) {
        self.found.add(
            &fault::VALUE_NOT_IN_RANGE,
            self.pointer.as_str(),
            expected,
            found,
        );
    }

    fn numbers(&mut self, value: &Value, lengths: &[usize], most: f64) {
        let length = value.as_array().map(Vec::len);
        if let Some(length) = length
            && length > 0
            && !lengths.is_empty()
            && !lengths.contains(&length)
        {
            let list: Vec<String> = lengths.iter().map(usize::to_string).collect();
            self.found.add(
                &fault::ARRAY_LENGTH_NOT_IN_LIST,
                self.pointer.as_str(),
                format!("{} numbers", list.join(" or ")),
                length.to_string(),
            );
        }
        self.list(value, |walk, item| walk.number(item, most));
    }

    fn extensions(&mut self, value: &Value) {
        let Some(extensions) = value.as_object() else {
            self.mismatch("an object", value);
            return;
        };
        for name in extensions.keys() {
            if !self.doc.uses(name) {
                self.found.add(
                    &fault::UNDECLARED_EXTENSION,
                    format!("{}/{}", self.pointer, escaped(name)),
                    "its name in /extensionsUsed",
                    quoted(name),
                );
            }
        }
    }
}

/// A value, short.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
