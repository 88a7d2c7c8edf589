//! The JSON against glTF's schema: names, types, ranges, references.

use std::collections::BTreeSet;
use std::fmt::{Display, Write as _};

use bindpose_diagnostic::{Diagnostic, Severity, short_number};
use serde_json::{Map, Value};

use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, ExaminationWork, as_whole};
use super::findings::{Findings, quoted};
use super::schema_tables::{Is, PRIMITIVES, ROOT, Range, SchemaProperty};
use crate::TaskProgress;
use crate::gltf_file::json::escaped;

/// Reads the whole JSON once. What is reported here is passed over in silence
/// by everything after.
pub(super) fn examine(doc: &Doc<'_>, found: &mut Findings) {
    let mut walk = Walk { doc, used: doc.texts("extensionsUsed"), found, pointer: String::new() };
    walk.object(&doc.root, ROOT);
}

/// Takes −1 away where it stands for the index of none, of what may be absent; answers
/// with the places.
pub(crate) fn leave_out_minus_ones(root: &mut Value) -> Vec<String> {
    let mut places = Vec::new();
    minus_ones(root, &Is::Object(ROOT), &mut String::new(), &mut places);
    places
}

fn minus_ones(value: &mut Value, is: &Is, pointer: &mut String, places: &mut Vec<String>) {
    let length = pointer.len();
    match (is, value) {
        (Is::Object(schema), Value::Object(object)) => {
            for SchemaProperty { name, is, required, .. } in *schema {
                let Some(value) = object.get_mut(*name) else {
                    continue;
                };
                pointer.push('/');
                pointer.push_str(name);
                if !required && matches!(is, Is::Index(_)) && value.as_f64() == Some(-1.0) {
                    object.remove(*name);
                    places.push(pointer.clone());
                } else {
                    minus_ones(value, is, pointer, places);
                }
                pointer.truncate(length);
            }
        }
        (Is::List(is @ Is::Object(_)), Value::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(pointer, "/{index}");
                minus_ones(item, is, pointer, places);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// A file's JSON, of which the reader of files asks what is wrong with parts that
/// it cannot read.
pub(crate) struct Schema(Doc<'static>);

impl Schema {
    pub(crate) fn of(root: Value) -> Self {
        Self(Doc {
            root,
            buffers: Vec::new(),
            patched: false,
            cut: false,
            work: ExaminationWork::new(&TaskProgress::default()),
        })
    }

    /// The first error at a place, or below it.
    pub(crate) fn first_error(&self, pointer: &str) -> Option<Diagnostic> {
        let Self(doc) = self;
        let (mut value, mut is) = (&doc.root, &Is::Object(ROOT));
        for part in pointer.split('/').skip(1) {
            (value, is) = match is {
                Is::Object(schema) => {
                    let property = schema.iter().find(|property| property.name == part)?;
                    (value.get(part)?, &property.is)
                }
                Is::List(is) => (value.get(part.parse::<usize>().ok()?)?, *is),
                _ => return None,
            };
        }
        let mut found = Findings::default();
        let mut walk = Walk {
            doc,
            used: doc.texts("extensionsUsed"),
            found: &mut found,
            pointer: pointer.to_owned(),
        };
        walk.value(value, is);
        let first = found.into_list().into_iter().next();
        first.filter(|finding| finding.severity == Severity::Error)
    }
}

struct Walk<'d, 'f> {
    doc: &'d Doc<'d>,
    /// Extensions that the file declares.
    used: BTreeSet<&'d str>,
    found: &'f mut Findings,
    pointer: String,
}

impl Walk<'_, '_> {
    /// What is said is put together only where it is listed.
    fn tell(&mut self, fault: &DoctorFault, said: impl FnOnce() -> (String, String)) {
        if !self.found.counted(fault, 1, &self.pointer) {
            let (expected, found) = said();
            self.found.add(fault, self.pointer.as_str()).expected(expected, found);
        }
    }

    fn at(&mut self, part: impl Display, then: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        // Writing to a string cannot fail.
        let _ = write!(self.pointer, "/{part}");
        then(self);
        self.pointer.truncate(length);
    }

    fn object(&mut self, value: &Value, schema: &[SchemaProperty]) {
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
                None => self.at(escaped(name), |walk| walk.unknown(schema)),
            }
        }
        self.missing(object, schema);
    }

    fn missing(&mut self, object: &Map<String, Value>, schema: &[SchemaProperty]) {
        for property in schema {
            if property.required && !object.contains_key(property.name) {
                let fault = match property.name {
                    PRIMITIVES => &fault::MESH_WITHOUT_PRIMITIVES,
                    _ => &fault::UNDEFINED_PROPERTY,
                };
                self.found
                    .add(fault, self.pointer.as_str())
                    .expected(format_args!("“{}”", property.name), "nothing");
            }
            if let Some(needs) = property.needs
                && object.contains_key(property.name)
                && !object.contains_key(needs)
            {
                self.found
                    .add(
                        &fault::UNSATISFIED_DEPENDENCY,
                        format_args!("{}/{}", self.pointer, property.name),
                    )
                    .expected(format_args!("“{needs}” beside it"), format_args!("no “{needs}”"));
            }
        }
    }

    fn unknown(&mut self, schema: &[SchemaProperty]) {
        let found = quoted(self.pointer.rsplit('/').next().unwrap_or_default());
        self.tell(&fault::UNEXPECTED_PROPERTY, || {
            let known: Vec<&str> = schema.iter().map(|property| property.name).collect();
            (format!("one of {}", known.join(", ")), found)
        });
    }

    fn mismatch(&mut self, expected: &str, value: &Value) {
        self.tell(&fault::TYPE_MISMATCH, || (expected.to_owned(), shown(value)));
    }

    fn value(&mut self, value: &Value, is: &Is) {
        match is {
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
                    if entries.is_empty() {
                        self.empty();
                    }
                    for (name, item) in entries {
                        self.at(escaped(name), |walk| walk.value(item, is));
                    }
                }
                None => self.mismatch("an object", value),
            },
            Is::Index(list) => self.index(value, list),
            Is::Place => {
                self.place(value);
            }
            Is::Version => self.version(value),
            Is::Whole { least, most } => self.whole(value, *least, *most),
            Is::Stride => self.stride(value),
            Is::Number(range) => self.number(value, *range),
            Is::Numbers { lengths, range } => self.numbers(value, lengths, *range),
            Is::OneOf(texts) => match value.as_str() {
                Some(text) if texts.contains(&text) => {}
                Some(text) => self.not_in_list(&texts.join(", "), &quoted(text)),
                None => self.mismatch("text in quotes", value),
            },
            Is::OneOfNumbers(numbers) => match as_whole(value) {
                Some(number) if numbers.contains(&number) => {}
                _ if is_whole(value) => {
                    let list: Vec<String> = numbers.iter().map(usize::to_string).collect();
                    self.not_in_list(&list.join(", "), &value.to_string());
                }
                _ => self.mismatch("a whole number", value),
            },
        }
    }

    fn not_in_list(&mut self, expected: &str, found: &str) {
        self.found
            .add(&fault::VALUE_NOT_IN_LIST, self.pointer.as_str())
            .expected(format_args!("one of {expected}"), found);
    }

    fn list(&mut self, value: &Value, mut each: impl FnMut(&mut Self, &Value)) {
        let Some(items) = value.as_array() else {
            self.mismatch("a list", value);
            return;
        };
        if items.is_empty() {
            self.empty();
        }
        let doc = self.doc;
        for (index, item) in doc.work.each(items) {
            self.at(index, |walk| each(walk, item));
        }
    }

    fn empty(&mut self) {
        let at = self.pointer.as_str();
        let (at, fault) = match at.strip_suffix(PRIMITIVES).and_then(|at| at.strip_suffix('/')) {
            Some(mesh) => (mesh, &fault::MESH_WITHOUT_PRIMITIVES),
            None => (at, &fault::EMPTY_ENTITY),
        };
        self.found.add(fault, at).expected("at least one entry", "none");
    }

    fn distinct(&mut self, value: &Value) {
        let mut seen = std::collections::BTreeMap::new();
        for (place, item) in value.as_array().into_iter().flatten().enumerate() {
            let key = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            if let Some(first) = seen.insert(key, place) {
                self.found
                    .add(&fault::DUPLICATE_ELEMENTS, format_args!("{}/{place}", self.pointer))
                    .expected("each once", format_args!("{}, as at {first}", shown(item)));
            }
        }
    }

    fn index(&mut self, value: &Value, list: &str) {
        let Some(index) = self.place(value) else {
            return;
        };
        let count = self.doc.list(list).len();
        if index >= count {
            self.tell(&fault::UNRESOLVED_REFERENCE, || {
                let expected = match count {
                    0 => format!("an index into {list}, of which there are none"),
                    count => format!("an index into {list}, 0 to {}", count - 1),
                };
                (expected, index.to_string())
            });
        }
    }

    /// An index, whatever it leads to.
    fn place(&mut self, value: &Value) -> Option<usize> {
        let index = as_whole(value);
        let expected = "a whole number from 0 on";
        if index.is_none() && is_whole(value) {
            let at = self.pointer.as_str();
            self.found.add(&fault::INVALID_INDEX, at).expected(expected, shown(value));
        } else if index.is_none() {
            self.mismatch(expected, value);
        }
        index
    }

    fn version(&mut self, value: &Value) {
        match value.as_str() {
            Some(text) if version(text).is_some() => {}
            Some(text) => self
                .found
                .add(&fault::PATTERN_MISMATCH, self.pointer.as_str())
                .expected("two numbers with a dot between them, 2.0", quoted(text)),
            None => self.mismatch("text in quotes", value),
        }
    }

    fn whole(&mut self, value: &Value, least: usize, most: usize) {
        match as_whole(value) {
            Some(number) if (least..=most).contains(&number) => {}
            None if !is_whole(value) => self.mismatch("a whole number", value),
            _ if most == usize::MAX => {
                let expected = format!("a whole number, {least} or more");
                self.out_of_range(&expected, &value.to_string());
            }
            _ => self.out_of_range(&format!("{least} to {most}"), &value.to_string()),
        }
    }

    fn stride(&mut self, value: &Value) {
        match as_whole(value) {
            Some(stride) if !(4..=252).contains(&stride) => {
                self.out_of_range("4 to 252", &stride.to_string());
            }
            Some(stride) if stride % 4 != 0 => self
                .found
                .add(&fault::VALUE_MULTIPLE_OF, self.pointer.as_str())
                .expected("a multiple of 4", stride),
            Some(_) => {}
            None => self.mismatch("a whole number", value),
        }
    }

    fn number(&mut self, value: &Value, (least, most): Range) {
        match value.as_f64() {
            Some(number) if (least..=most).contains(&number) => {}
            // Reported when the text was read.
            Some(number) if self.doc.patched && number.abs() >= f64::MAX => {}
            Some(number) => {
                let expected = if least < -1.0 {
                    "a number that fits a 32-bit float".to_owned()
                } else if least == f64::MIN_POSITIVE {
                    "more than 0".to_owned()
                } else if most > 1.0 {
                    format!("{least} or more")
                } else {
                    format!("{least} to {most}").replace('-', "−")
                };
                let found = short_number(number);
                self.out_of_range(&expected, &found);
            }
            None => self.mismatch("a number", value),
        }
    }

    fn out_of_range(&mut self, expected: &str, found: &str) {
        self.found.add(&fault::VALUE_NOT_IN_RANGE, self.pointer.as_str()).expected(expected, found);
    }

    fn numbers(&mut self, value: &Value, lengths: &[usize], range: Range) {
        let length = value.as_array().map(Vec::len);
        if let Some(length) = length
            && length > 0
            && !lengths.is_empty()
            && !lengths.contains(&length)
        {
            self.tell(&fault::ARRAY_LENGTH_NOT_IN_LIST, || {
                let list: Vec<String> = lengths.iter().map(usize::to_string).collect();
                (format!("{} numbers", list.join(" or ")), length.to_string())
            });
        }
        self.list(value, |walk, item| walk.number(item, range));
    }

    fn extensions(&mut self, value: &Value) {
        let Some(extensions) = value.as_object() else {
            self.mismatch("an object", value);
            return;
        };
        for name in extensions.keys() {
            if !self.used.contains(name.as_str()) {
                self.found
                    .add(
                        &fault::UNDECLARED_EXTENSION,
                        format_args!("{}/{}", self.pointer, escaped(name)),
                    )
                    .expected("its name in /extensionsUsed", quoted(name));
            }
        }
    }
}

/// Without a fraction, of any sign and size.
fn is_whole(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Major and minor version.
pub(super) fn version(text: &str) -> Option<(u32, u32)> {
    let number = |part: &str| {
        let digits = part.bytes().all(|byte| byte.is_ascii_digit());
        part.parse().ok().filter(|_| digits)
    };
    let (major, minor) = text.split_once('.')?;
    Some((number(major)?, number(minor)?))
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
