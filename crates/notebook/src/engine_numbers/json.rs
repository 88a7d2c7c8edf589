//! Parser of numbers in JSON with keys.

use std::fmt;

use bindpose_diagnostic::{Diagnostic, LineColumn, json_wrong};
use serde::de::{
    Deserialize, DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor,
};

use super::exported::JOINT_MATRIX;
use super::shaped::{HELP, NestedLists, ShapedNumbers, UnexpectedInput, error_at};

/// Parses an array, the only array of an object, or joints with their matrices as written by
/// `bindpose export --as palette-json` and `bindpose skin --format json`. Keeps only the
/// numbers in memory.
pub(super) fn parse_json(text: &str, max_numbers: usize) -> Result<ShapedNumbers, Diagnostic> {
    let key = if text.trim_start().starts_with('{') {
        let outline: JsonOutline =
            serde_json::from_str(text).map_err(|wrong| invalid_json(&wrong))?;
        Some(outline.key_of_numbers()?)
    } else {
        None
    };
    let mut list = ListReader { nest: NestedLists::of_one_list(max_numbers), wrong: None };
    let mut reader = serde_json::Deserializer::from_str(text);
    let read = match &key {
        Some(key) => reader.deserialize_map(KeySeed(key, &mut list)),
        None => NumbersSeed(&mut list).deserialize(&mut reader),
    };
    if let Err(wrong) = read.and_then(|()| reader.end()) {
        let (_, at) = json_wrong(&wrong);
        let unexpected = list.wrong.map(|unexpected| unexpected.at(at));
        return Err(unexpected.unwrap_or_else(|| invalid_json(&wrong)));
    }
    let begin = LineColumn { line: 1, column: 1 };
    list.nest.finish().map_err(|wrong| wrong.at(begin))
}

fn invalid_json(wrong: &serde_json::Error) -> Diagnostic {
    let (words, at) = json_wrong(wrong);
    error_at(at, "JSON", &words)
}

/// The list that was read so far, and its error, because an error of serde cannot contain a
/// value.
struct ListReader {
    nest: NestedLists,
    wrong: Option<UnexpectedInput>,
}

impl ListReader {
    fn take<E: Error>(&mut self, done: Result<(), UnexpectedInput>) -> Result<(), E> {
        done.map_err(|wrong| {
            self.wrong = Some(wrong);
            E::custom("not the numbers that were expected")
        })
    }

    fn reject_word<E: Error>(&mut self, found: &str) -> Result<(), E> {
        let wrong = self.nest.unexpected_value(found);
        self.take(Err(wrong))
    }
}

/// Reads the list under a key of an object.
struct KeySeed<'a>(&'a str, &'a mut ListReader);

impl<'de> Visitor<'de> for KeySeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut was_read = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == self.0 && !was_read {
                map.next_value_seed(NumbersSeed(self.1))?;
                was_read = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        Ok(())
    }
}

/// Reads a list, a number, or the matrix of a joint.
struct NumbersSeed<'a>(&'a mut ListReader);

impl<'de> DeserializeSeed<'de> for NumbersSeed<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<(), D::Error> {
        from.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for NumbersSeed<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("numbers")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self(list) = self;
        let opened = list.nest.open(']');
        list.take(opened)?;
        while items.next_element_seed(NumbersSeed(list))?.is_some() {}
        let closed = list.nest.close(']');
        list.take(closed)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let mut was_read = false;
        while let Some(key) = map.next_key::<String>()? {
            if key == JOINT_MATRIX && !was_read {
                map.next_value_seed(NumbersSeed(self.0))?;
                was_read = true;
            } else {
                map.next_value::<IgnoredAny>()?;
            }
        }
        if was_read {
            return Ok(());
        }
        self.0.reject_word(&format!("an object without `{JOINT_MATRIX}`"))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<(), E> {
        let taken = self.0.nest.push_number(number as f32);
        self.0.take(taken)
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<(), E> {
        self.visit_f64(number as f64)
    }

    /// JSON has no NaN, and programs write `null` instead.
    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.visit_f64(f64::NAN)
    }

    fn visit_bool<E: Error>(self, found: bool) -> Result<(), E> {
        self.0.reject_word(&format!("`{found}`"))
    }

    fn visit_str<E: Error>(self, found: &str) -> Result<(), E> {
        let shown: String = found.chars().take(40).collect();
        self.0.reject_word(&format!("`\"{shown}\"`"))
    }
}

const JOINTS: &str = "joints";

/// Summary of the keys of an object, which determines the list with the numbers.
#[derive(Default)]
pub(super) struct JsonOutline {
    keys: usize,
    lists: usize,
    first_list: String,
    has_joints: bool,
}

impl JsonOutline {
    /// Returns the key of the list with the numbers.
    pub(super) fn key_of_numbers(self) -> Result<String, Diagnostic> {
        match self {
            Self { has_joints: true, .. } => Ok(JOINTS.to_owned()),
            Self { lists: 1, first_list, .. } => Ok(first_list),
            Self { keys, lists, .. } => {
                let found = format!("{lists} in an object with {keys} keys");
                Err(Diagnostic::expected("one array of numbers", found).help(HELP))
            }
        }
    }
}

impl<'de> Deserialize<'de> for JsonOutline {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_map(OutlineVisitor)
    }
}

struct OutlineVisitor;

impl<'de> Visitor<'de> for OutlineVisitor {
    type Value = JsonOutline;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<JsonOutline, A::Error> {
        let mut outline = JsonOutline::default();
        while let Some(key) = map.next_key::<String>()? {
            outline.keys += 1;
            let ValueKind::List { of_objects } = map.next_value()? else {
                continue;
            };
            outline.has_joints |= of_objects && key == JOINTS;
            outline.lists += 1;
            if outline.lists == 1 {
                outline.first_list = key;
            }
        }
        Ok(outline)
    }
}

enum ValueKind {
    List {
        /// Is the first element an object?
        of_objects: bool,
    },
    Object,
    Other,
}

impl<'de> Deserialize<'de> for ValueKind {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(KindVisitor)
    }
}

struct KindVisitor;

impl<'de> Visitor<'de> for KindVisitor {
    type Value = ValueKind;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a value")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<ValueKind, A::Error> {
        let first = items.next_element::<ValueKind>()?;
        while items.next_element::<IgnoredAny>()?.is_some() {}
        Ok(ValueKind::List { of_objects: matches!(first, Some(ValueKind::Object)) })
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ValueKind, A::Error> {
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(ValueKind::Object)
    }

    fn visit_bool<E>(self, _: bool) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }

    fn visit_i64<E>(self, _: i64) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }

    fn visit_u64<E>(self, _: u64) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }

    fn visit_str<E>(self, _: &str) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }

    fn visit_unit<E>(self) -> Result<ValueKind, E> {
        Ok(ValueKind::Other)
    }
}
