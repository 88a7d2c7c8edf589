//! Table of the fields of a settings file: key, writing, parsing and merging. A
//! new field needs a row here.

use bindpose_skin::{ConventionAxes, Conventions, MemoryOrder, Vectors};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::Value;

use super::values::{
    KeptPage, MAX_RECENT_MODELS, Merge, Preferences, ZOOM_RANGE, path_from, path_value,
};
use crate::ReaderProgress;

/// Version of the file format. Fields of newer versions are kept.
pub(super) const VERSION: u64 = 1;

pub(super) const VERSION_KEY: &str = "version";
pub(super) const PROGRESS_KEY: &str = "progress";
pub(super) const PAGE_KEY: &str = "page";
pub(super) const RECENT_KEY: &str = "recent";
pub(super) const COURSES_KEY: &str = "courses";

/// A field of the settings file.
pub(super) struct PreferenceField {
    pub(super) key: &'static str,
    pub(super) write: fn(&Preferences) -> Value,
    /// Takes the valid parts of a value. Returns false if some parts are
    /// invalid.
    pub(super) read: fn(&mut Preferences, &Value) -> bool,
    /// How changes in two windows are merged.
    pub(super) merge: Merge,
}

/// A field that serde writes and reads directly.
macro_rules! plain {
    ($field:ident) => {
        PreferenceField {
            key: stringify!($field),
            write: |preferences| to_json(&preferences.$field),
            read: |preferences, value| read_into(&mut preferences.$field, value),
            merge: Merge::Whole,
        }
    };
}

/// A pair of numbers, which must be valid for a window.
macro_rules! pair {
    ($field:ident, $least:expr) => {
        PreferenceField {
            key: stringify!($field),
            write: |preferences| to_json(&preferences.$field),
            read: |preferences, value| {
                let mut pair: Option<[f32; 2]> = None;
                let read = read_into(&mut pair, value)
                    && pair
                        .iter()
                        .flatten()
                        .all(|x| x.is_finite() && ($least..32_000.0).contains(x));
                if read {
                    preferences.$field = pair;
                }
                read
            },
            merge: Merge::Whole,
        }
    };
}

pub(super) const FIELDS: [PreferenceField; 21] = [
    plain!(dark),
    plain!(less_motion),
    PreferenceField {
        key: "zoom",
        write: |preferences| to_json(preferences.zoom),
        read: |preferences, value| {
            let read = read_into(&mut preferences.zoom, value);
            preferences.zoom = preferences.zoom.clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
            read
        },
        merge: Merge::Whole,
    },
    plain!(contents),
    PreferenceField {
        key: "conventions",
        write: |preferences| {
            let Conventions { vectors, memory, axes } = preferences.conventions;
            to_json([vectors.key(), memory.key(), axes.key()])
        },
        read: |preferences, value| {
            let mut keys = [const { String::new() }; 3];
            let read = read_into(&mut keys, value);
            let conventions = conventions_from_keys(&keys).filter(|_| read);
            preferences.conventions = conventions.unwrap_or_default();
            conventions.is_some()
        },
        merge: Merge::Whole,
    },
    plain!(bench),
    plain!(knows_sources),
    plain!(snapshots),
    plain!(site),
    pair!(window_size, 200.0),
    pair!(window_position, -32_000.0),
    PreferenceField {
        key: PROGRESS_KEY,
        write: |preferences| to_json(&preferences.progress),
        read: |preferences, value| {
            let (progress, sound) = ReaderProgress::from_value(value);
            preferences.progress = progress;
            sound
        },
        merge: Merge::Entries,
    },
    PreferenceField {
        key: "bookmarks",
        write: |preferences| preferences.marks.bookmarks_value(),
        read: |preferences, value| preferences.marks.read_bookmarks(value),
        merge: Merge::Entries,
    },
    PreferenceField {
        key: "notes",
        write: |preferences| preferences.marks.notes_value(),
        read: |preferences, value| preferences.marks.read_notes(value),
        merge: Merge::Texts,
    },
    PreferenceField {
        key: PAGE_KEY,
        write: |preferences| preferences.page.as_ref().map_or(Value::Null, page_value),
        read: |preferences, value| {
            preferences.page = page_from(value);
            value.is_null() || preferences.page.is_some()
        },
        merge: Merge::Whole,
    },
    plain!(route),
    PreferenceField {
        key: "kept",
        write: |preferences| to_json(&preferences.kept),
        read: |preferences, value| {
            read_list(&mut preferences.kept, value, |link| link.as_str().map(str::to_owned))
        },
        merge: Merge::Entries,
    },
    PreferenceField {
        key: "model",
        write: |preferences| preferences.model.as_deref().and_then(path_value).unwrap_or_default(),
        read: |preferences, value| {
            preferences.model = path_from(value);
            value.is_null() || preferences.model.is_some()
        },
        merge: Merge::Whole,
    },
    PreferenceField {
        key: "waiting",
        write: |preferences| preferences.waiting.iter().map(page_value).collect(),
        read: |preferences, value| read_list(&mut preferences.waiting, value, page_from),
        merge: Merge::Entries,
    },
    PreferenceField {
        key: RECENT_KEY,
        write: |preferences| {
            preferences.recent.iter().filter_map(|path| path_value(path)).collect()
        },
        read: |preferences, value| {
            let read = read_list(&mut preferences.recent, value, path_from);
            preferences.recent.truncate(MAX_RECENT_MODELS);
            read
        },
        merge: Merge::Entries,
    },
    PreferenceField {
        key: COURSES_KEY,
        write: |preferences| {
            preferences.courses.iter().filter_map(|path| path_value(path)).collect()
        },
        read: |preferences, value| read_list(&mut preferences.courses, value, path_from),
        merge: Merge::Entries,
    },
];

fn to_json(value: impl Serialize) -> Value {
    serde_json::to_value(value).unwrap_or_default()
}

fn read_into<T: DeserializeOwned>(place: &mut T, value: &Value) -> bool {
    match T::deserialize(value) {
        Ok(read) => {
            *place = read;
            true
        }
        Err(_) => false,
    }
}

fn conventions_from_keys([vectors, memory, axes]: &[String; 3]) -> Option<Conventions> {
    Some(Conventions {
        vectors: Vectors::from_key(vectors)?,
        memory: MemoryOrder::from_key(memory)?,
        axes: ConventionAxes::from_key(axes)?,
    })
}

/// Reads the valid entries of a list.
fn read_list<T>(place: &mut Vec<T>, value: &Value, entry: fn(&Value) -> Option<T>) -> bool {
    let Value::Array(values) = value else {
        return value.is_null();
    };
    *place = values.iter().filter_map(entry).collect();
    place.len() == values.len()
}

fn page_value(page: &KeptPage) -> Value {
    let model = page.model.as_deref().and_then(path_value);
    serde_json::json!({ "link": page.link, "step": page.step, "model": model })
}

fn page_from(value: &Value) -> Option<KeptPage> {
    Some(KeptPage {
        link: value["link"].as_str()?.to_owned(),
        step: value["step"].as_u64().map(|step| step as usize),
        model: path_from(&value["model"]),
    })
}
