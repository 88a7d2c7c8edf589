//! JSON schemas of the values of settings, one function for each module of [`values`].

use std::marker::PhantomData;

use bindpose_skin::{Keyed, keys_schema};
use schemars::{Schema, json_schema};

use super::values::model_b::{BEFORE, OPENED, RIG};
use super::values::{self, CELL, READER, STRONGEST};
use crate::{ClipName, ComparedModel, JointName, Rewriting};

pub(super) fn named<T: Keyed>(_: PhantomData<T>) -> Schema {
    keys_schema::<T>()
}

pub(super) fn named_or_cell<T: Keyed>(_: PhantomData<Option<T>>) -> Schema {
    or_word(CELL, &keys_schema::<T>())
}

pub(super) fn named_or_reader<T: Keyed>(_: PhantomData<Option<T>>) -> Schema {
    or_word(READER, &keys_schema::<T>())
}

pub(super) fn list<T: Keyed, C: IntoIterator<Item = T>>(_: PhantomData<C>) -> Schema {
    json_schema!({ "type": "array", "items": keys_schema::<T>() })
}

pub(super) fn list_or_cell<T: Keyed>(_: PhantomData<Option<Vec<T>>>) -> Schema {
    or_word(CELL, &list(PhantomData::<Vec<T>>))
}

pub(super) fn model_b(_: PhantomData<ComparedModel>) -> Schema {
    let written = list(PhantomData::<Vec<Rewriting>>);
    let rig = format!("^({OPENED}|{BEFORE}|{RIG}.+)$");
    json_schema!({ "anyOf": [written, { "type": "string", "pattern": rig }] })
}

pub(super) fn switch(_: PhantomData<bool>) -> Schema {
    json_schema!({ "type": "string", "enum": ["off", "on"] })
}

pub(super) fn poses(_: PhantomData<bool>) -> Schema {
    json_schema!({ "type": "string", "enum": ["same", "own"] })
}

pub(super) fn joint(_: PhantomData<JointName>) -> Schema {
    json_schema!({
        "type": ["string", "integer"], "minLength": 1, "minimum": 0, "maximum": u16::MAX
    })
}

pub(super) fn through(_: PhantomData<Option<JointName>>) -> Schema {
    or_word(STRONGEST, &joint(PhantomData))
}

pub(super) fn vertex(_: PhantomData<u32>) -> Schema {
    json_schema!({ "type": "integer", "minimum": 0 })
}

pub(super) fn crowd(_: PhantomData<u32>) -> Schema {
    from_one(values::crowd::MAX)
}

pub(super) fn power(_: PhantomData<u32>) -> Schema {
    from_one(values::power::MAX)
}

pub(super) fn most_influences(_: PhantomData<u32>) -> Schema {
    from_one(values::most_influences::MAX)
}

pub(super) fn clip(_: PhantomData<ClipName>) -> Schema {
    json_schema!({ "type": ["string", "integer"], "minimum": 0 })
}

/// Adds a word to a schema as an alternative.
fn or_word(word: &str, schema: &Schema) -> Schema {
    json_schema!({ "anyOf": [schema, { "type": "string", "enum": [word] }] })
}

fn from_one(max: u32) -> Schema {
    json_schema!({ "type": "integer", "minimum": 1, "maximum": max })
}
