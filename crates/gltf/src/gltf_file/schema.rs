//! Validation of a file's JSON against the glTF 2.0 schema: names, types, ranges, references.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{Display, Write as _};

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, short_number};
use serde_json::Value;

use super::json::escaped;
use super::schema_tables::{NumberRange, PRIMITIVES, ROOT, SchemaProperty, ValueSchema};
use super::values::{as_usize, get_list, get_strings, quoted};

/// A rule of the schema that a value can violate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaRule {
    /// The value has the type of its property.
    Type,
    /// An object has its required properties.
    RequiredProperty,
    /// An object has no property that the schema does not define.
    KnownProperty,
    /// A property requires another one in the same object.
    Dependency,
    /// A list or an object has at least one entry.
    NotEmpty,
    /// A mesh has at least one primitive.
    MeshHasPrimitives,
    /// An index is not negative.
    IndexSign,
    /// An index leads to an entry of its list.
    Reference,
    /// A list has each entry once.
    UniqueEntries,
    /// The value is one of those that the schema lists.
    AllowedValue,
    /// A number is within its bounds.
    Range,
    /// A number is a multiple of another.
    MultipleOf,
    /// A list has a permitted number of entries.
    ListLength,
    /// A version has the form `2.0`.
    VersionPattern,
    /// `extensionsUsed` names every extension.
    DeclaredExtension,
}

impl SchemaRule {
    /// Returns whether a violation is an error. Files with the others can still be read.
    pub fn is_error(self) -> bool {
        !matches!(self, Self::KnownProperty | Self::AllowedValue | Self::MeshHasPrimitives)
    }
}

/// Receives the violations that [`validate`] finds.
pub trait ViolationSink {
    /// Reports a violation at `pointer`. `describe` formats the expected and the actual value.
    /// It is deferred because repeated violations are only counted.
    fn report(&mut self, rule: SchemaRule, pointer: &str, describe: &dyn Fn() -> (String, String));

    /// Called before each entry of a list with its index and the list's length. The walk
    /// skips the rest of the list if this returns `false`.
    fn enter_entry(&mut self, _index: usize, _count: usize) -> bool {
        true
    }
}

/// Validates a whole file in one walk.
///
/// `has_replaced_numbers`: the parser replaced numbers too large for 64-bit floats by
/// infinities and has reported them, so that they are not reported again.
pub fn validate(root: &Value, has_replaced_numbers: bool, sink: &mut dyn ViolationSink) {
    let mut walk = SchemaWalk {
        root,
        has_replaced_numbers,
        declared_extensions: get_strings(root, "extensionsUsed"),
        sink,
        pointer: String::new(),
    };
    walk.check_object(root, ROOT);
}

/// Removes optional indices of −1, which some exporters write for "none". Returns their
/// pointers.
pub fn leave_out_minus_ones(root: &mut Value) -> Vec<String> {
    let mut removed = Vec::new();
    remove_minus_ones(root, &ValueSchema::Object(ROOT), &mut String::new(), &mut removed);
    removed
}

fn remove_minus_ones(
    value: &mut Value,
    schema: &ValueSchema,
    pointer: &mut String,
    removed: &mut Vec<String>,
) {
    let length = pointer.len();
    match (schema, value) {
        (ValueSchema::Object(properties), Value::Object(object)) => {
            for SchemaProperty { name, schema, is_required, .. } in *properties {
                let Some(value) = object.get_mut(*name) else {
                    continue;
                };
                pointer.push('/');
                pointer.push_str(name);
                let is_index = matches!(schema, ValueSchema::Index(_));
                if !is_required && is_index && value.as_f64() == Some(-1.0) {
                    object.remove(*name);
                    removed.push(pointer.clone());
                } else {
                    remove_minus_ones(value, schema, pointer, removed);
                }
                pointer.truncate(length);
            }
        }
        (ValueSchema::List(schema @ ValueSchema::Object(_)), Value::Array(items)) => {
            for (index, item) in items.iter_mut().enumerate() {
                // Writing to a string cannot fail.
                let _ = write!(pointer, "/{index}");
                remove_minus_ones(item, schema, pointer, removed);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}

/// Explains why the reader cannot parse a part of a file's JSON.
pub(crate) struct Schema {
    root: Value,
}

impl Schema {
    pub(crate) fn of(root: Value) -> Self {
        Self { root }
    }

    /// Returns the first error at a pointer or below it, with its place and the expected and
    /// actual value.
    pub(crate) fn first_error(&self, pointer: &str) -> Option<Diagnostic> {
        let mut value = &self.root;
        let mut schema = &ValueSchema::Object(ROOT);
        for part in pointer.split('/').skip(1) {
            match schema {
                ValueSchema::Object(properties) => {
                    let property = properties.iter().find(|property| property.name == part)?;
                    value = value.get(part)?;
                    schema = &property.schema;
                }
                ValueSchema::List(entry_schema) => {
                    value = value.get(part.parse::<usize>().ok()?)?;
                    schema = *entry_schema;
                }
                _ => return None,
            }
        }
        let mut first = FirstError(None);
        let mut walk = SchemaWalk {
            root: &self.root,
            has_replaced_numbers: false,
            declared_extensions: get_strings(&self.root, "extensionsUsed"),
            sink: &mut first,
            pointer: pointer.to_owned(),
        };
        walk.check(value, schema);
        first.0
    }
}

/// Keeps the first violation that is an error.
struct FirstError(Option<Diagnostic>);

impl ViolationSink for FirstError {
    fn report(&mut self, rule: SchemaRule, pointer: &str, describe: &dyn Fn() -> (String, String)) {
        if rule.is_error() && self.0.is_none() {
            let (expected, found) = describe();
            let place = Place::Model(ModelPlace::at(pointer));
            self.0 = Some(Diagnostic::expected(expected, found).at(place));
        }
    }
}

struct SchemaWalk<'a> {
    root: &'a Value,
    has_replaced_numbers: bool,
    declared_extensions: BTreeSet<&'a str>,
    sink: &'a mut dyn ViolationSink,
    /// JSON pointer to the current value.
    pointer: String,
}

impl SchemaWalk<'_> {
    /// Reports a violation at the current value.
    fn report(&mut self, rule: SchemaRule, describe: impl Fn() -> (String, String)) {
        self.sink.report(rule, &self.pointer, &describe);
    }

    /// Runs `check` with one more part in the pointer.
    fn with_part(&mut self, part: impl Display, check: impl FnOnce(&mut Self)) {
        let length = self.pointer.len();
        // Writing to a string cannot fail.
        let _ = write!(self.pointer, "/{part}");
        check(self);
        self.pointer.truncate(length);
    }

    fn check(&mut self, value: &Value, schema: &ValueSchema) {
        match schema {
            ValueSchema::String => {
                if !value.is_string() {
                    self.report_type("text in quotes", value);
                }
            }
            ValueSchema::Bool => {
                if !value.is_boolean() {
                    self.report_type("true or false", value);
                }
            }
            ValueSchema::Object(properties) => self.check_object(value, properties),
            ValueSchema::List(schema) => {
                self.check_list(value, |walk, item| walk.check(item, schema));
            }
            ValueSchema::UniqueList(schema) => {
                self.check_list(value, |walk, item| walk.check(item, schema));
                self.check_unique(value);
            }
            ValueSchema::Map(schema) => match value.as_object() {
                Some(entries) => {
                    if entries.is_empty() {
                        self.report_empty();
                    }
                    for (name, item) in entries {
                        self.with_part(escaped(name), |walk| walk.check(item, schema));
                    }
                }
                None => self.report_type("an object", value),
            },
            ValueSchema::Index(list) => self.check_index(value, list),
            ValueSchema::LocalIndex => {
                self.parse_index(value);
            }
            ValueSchema::Version => self.check_version(value),
            ValueSchema::Integer { min, max } => self.check_integer(value, *min, *max),
            ValueSchema::Stride => self.check_stride(value),
            ValueSchema::Number(range) => self.check_number(value, *range),
            ValueSchema::NumberList { lengths, range } => {
                self.check_number_list(value, lengths, *range);
            }
            ValueSchema::OneOfStrings(allowed) => match value.as_str() {
                Some(text) if allowed.contains(&text) => {}
                Some(text) => self.report_value(&allowed.join(", "), &quoted(text)),
                None => self.report_type("text in quotes", value),
            },
            ValueSchema::OneOfIntegers(allowed) => match as_usize(value) {
                Some(number) if allowed.contains(&number) => {}
                _ if is_integer(value) => {
                    let list: Vec<String> = allowed.iter().map(usize::to_string).collect();
                    self.report_value(&list.join(", "), &value.to_string());
                }
                _ => self.report_type("a whole number", value),
            },
        }
    }

    fn check_object(&mut self, value: &Value, properties: &[SchemaProperty]) {
        let Some(object) = value.as_object() else {
            self.report_type("an object", value);
            return;
        };
        for (name, value) in object {
            match properties.iter().find(|property| property.name == name) {
                Some(property) => {
                    self.with_part(name, |walk| walk.check(value, &property.schema));
                }
                None if name == "extensions" => {
                    self.with_part(name, |walk| walk.check_extensions(value));
                }
                None if name == "extras" => {}
                None => self.with_part(escaped(name), |walk| walk.report_unknown(properties)),
            }
        }
        for property in properties {
            if property.is_required && !object.contains_key(property.name) {
                let rule = match property.name {
                    PRIMITIVES => SchemaRule::MeshHasPrimitives,
                    _ => SchemaRule::RequiredProperty,
                };
                self.report(rule, || (format!("“{}”", property.name), "nothing".to_owned()));
            }
            if let Some(needs) = property.needs
                && object.contains_key(property.name)
                && !object.contains_key(needs)
            {
                self.with_part(property.name, |walk| {
                    walk.report(SchemaRule::Dependency, || {
                        (format!("“{needs}” beside it"), format!("no “{needs}”"))
                    });
                });
            }
        }
    }

    fn check_extensions(&mut self, value: &Value) {
        let Some(extensions) = value.as_object() else {
            self.report_type("an object", value);
            return;
        };
        for name in extensions.keys() {
            if !self.declared_extensions.contains(name.as_str()) {
                self.with_part(escaped(name), |walk| {
                    walk.report(SchemaRule::DeclaredExtension, || {
                        ("its name in /extensionsUsed".to_owned(), quoted(name))
                    });
                });
            }
        }
    }

    fn check_list(&mut self, value: &Value, mut check_entry: impl FnMut(&mut Self, &Value)) {
        let Some(items) = value.as_array() else {
            self.report_type("a list", value);
            return;
        };
        if items.is_empty() {
            self.report_empty();
        }
        for (index, item) in items.iter().enumerate() {
            if !self.sink.enter_entry(index, items.len()) {
                break;
            }
            self.with_part(index, |walk| check_entry(walk, item));
        }
    }

    fn check_unique(&mut self, value: &Value) {
        let mut indices = BTreeMap::new();
        for (index, item) in value.as_array().into_iter().flatten().enumerate() {
            let key = item.as_str().map_or_else(|| item.to_string(), str::to_owned);
            if let Some(first) = indices.insert(key, index) {
                self.with_part(index, |walk| {
                    walk.report(SchemaRule::UniqueEntries, || {
                        ("each once".to_owned(), format!("{}, as at {first}", describe(item)))
                    });
                });
            }
        }
    }

    /// Checks an index into a top-level list.
    fn check_index(&mut self, value: &Value, list: &str) {
        let Some(index) = self.parse_index(value) else {
            return;
        };
        let count = get_list(self.root, list).len();
        if index >= count {
            self.report(SchemaRule::Reference, || {
                let expected = match count {
                    0 => format!("an index into {list}, of which there are none"),
                    count => format!("an index into {list}, 0 to {}", count - 1),
                };
                (expected, index.to_string())
            });
        }
    }

    /// Returns an index, or reports that the value is none.
    fn parse_index(&mut self, value: &Value) -> Option<usize> {
        let index = as_usize(value);
        let expected = "a whole number from 0 on";
        if index.is_none() && is_integer(value) {
            self.report(SchemaRule::IndexSign, || (expected.to_owned(), describe(value)));
        } else if index.is_none() {
            self.report_type(expected, value);
        }
        index
    }

    fn check_version(&mut self, value: &Value) {
        match value.as_str() {
            Some(text) if parse_version(text).is_some() => {}
            Some(text) => self.report(SchemaRule::VersionPattern, || {
                ("two numbers with a dot between them, 2.0".to_owned(), quoted(text))
            }),
            None => self.report_type("text in quotes", value),
        }
    }

    fn check_integer(&mut self, value: &Value, min: usize, max: usize) {
        match as_usize(value) {
            Some(number) if (min..=max).contains(&number) => {}
            None if !is_integer(value) => self.report_type("a whole number", value),
            _ if max == usize::MAX => {
                let expected = format!("a whole number, {min} or more");
                self.report_range(&expected, &value.to_string());
            }
            _ => self.report_range(&format!("{min} to {max}"), &value.to_string()),
        }
    }

    fn check_stride(&mut self, value: &Value) {
        match as_usize(value) {
            Some(stride) if !(4..=252).contains(&stride) => {
                self.report_range("4 to 252", &stride.to_string());
            }
            Some(stride) if stride % 4 != 0 => self.report(SchemaRule::MultipleOf, || {
                ("a multiple of 4".to_owned(), stride.to_string())
            }),
            Some(_) => {}
            None => self.report_type("a whole number", value),
        }
    }

    fn check_number(&mut self, value: &Value, range: NumberRange) {
        let NumberRange { min, max } = range;
        match value.as_f64() {
            Some(number) if (min..=max).contains(&number) => {}
            Some(number) if self.has_replaced_numbers && number.abs() >= f64::MAX => {}
            Some(number) => {
                let expected = if min < -1.0 {
                    "a number that fits a 32-bit float".to_owned()
                } else if min == f64::MIN_POSITIVE {
                    "more than 0".to_owned()
                } else if max > 1.0 {
                    format!("{min} or more")
                } else {
                    format!("{min} to {max}").replace('-', "−")
                };
                self.report_range(&expected, &short_number(number));
            }
            None => self.report_type("a number", value),
        }
    }

    fn check_number_list(&mut self, value: &Value, lengths: &[usize], range: NumberRange) {
        let length = value.as_array().map(Vec::len);
        if let Some(length) = length
            && length > 0
            && !lengths.is_empty()
            && !lengths.contains(&length)
        {
            self.report(SchemaRule::ListLength, || {
                let list: Vec<String> = lengths.iter().map(usize::to_string).collect();
                (format!("{} numbers", list.join(" or ")), length.to_string())
            });
        }
        self.check_list(value, |walk, item| walk.check_number(item, range));
    }

    fn report_type(&mut self, expected: &str, value: &Value) {
        self.report(SchemaRule::Type, || (expected.to_owned(), describe(value)));
    }

    fn report_range(&mut self, expected: &str, found: &str) {
        self.report(SchemaRule::Range, || (expected.to_owned(), found.to_owned()));
    }

    fn report_value(&mut self, allowed: &str, found: &str) {
        self.report(SchemaRule::AllowedValue, || (format!("one of {allowed}"), found.to_owned()));
    }

    fn report_unknown(&mut self, properties: &[SchemaProperty]) {
        let found = quoted(self.pointer.rsplit('/').next().unwrap_or_default());
        self.report(SchemaRule::KnownProperty, || {
            let known: Vec<&str> = properties.iter().map(|property| property.name).collect();
            (format!("one of {}", known.join(", ")), found.clone())
        });
    }

    fn report_empty(&mut self) {
        let mesh = self.pointer.strip_suffix(PRIMITIVES).and_then(|at| at.strip_suffix('/'));
        let (rule, pointer) = match mesh {
            Some(mesh) => (SchemaRule::MeshHasPrimitives, mesh),
            None => (SchemaRule::NotEmpty, self.pointer.as_str()),
        };
        self.sink.report(rule, pointer, &|| ("at least one entry".to_owned(), "none".to_owned()));
    }
}

/// Returns whether a value is a number without a fraction, of any sign and size.
fn is_integer(value: &Value) -> bool {
    value.as_f64().is_some_and(|number| number.fract() == 0.0)
}

/// Parses `2.0` as major and minor version.
pub fn parse_version(text: &str) -> Option<(u32, u32)> {
    let (major, minor) = text.split_once('.')?;
    Some((parse_digits(major)?, parse_digits(minor)?))
}

/// Parses a number of digits alone: `u32::from_str` also accepts a plus sign.
fn parse_digits(text: &str) -> Option<u32> {
    text.parse().ok().filter(|_| text.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Formats a value in a few words.
fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(flag) => flag.to_string(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => quoted(text),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(_) => "an object".to_owned(),
    }
}
