//! Which list of an object has the numbers, before any of them is read.

use std::fmt;

use bindpose_diagnostic::Diagnostic;
use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::shaped::HELP;

/// The list of joints, as this program writes it.
const JOINTS: &str = "joints";

/// What stands under the keys of an object.
#[derive(Default)]
pub(super) struct JsonOutline {
    keys: usize,
    lists: usize,
    first_list: String,
    has_joints: bool,
}

impl JsonOutline {
    /// The list that has the numbers.
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

/// What a value is.
enum ValueKind {
    List {
        /// The first, at least.
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
