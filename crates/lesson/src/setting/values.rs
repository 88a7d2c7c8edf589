//! How the values of settings are read and written, one module for each way.
//! Each has `read`, which says what is wrong and what to write, and `text`,
//! which gives the words back.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the table passes all values alike"
)]

#[cfg(not(target_arch = "wasm32"))]
use std::marker::PhantomData;

use bindpose_diagnostic::{Diagnostic, did_you_mean};
use bindpose_skin::Keyed;

use crate::toml_body::{WrittenValue, index};
use crate::{ClipName, JointName};

#[cfg(not(target_arch = "wasm32"))]
use bindpose_skin::keys_schema;
#[cfg(not(target_arch = "wasm32"))]
use schemars::{Schema, json_schema};

/// What stands for “as the cells of the viewports say”.
const CELL: &str = "cell";

/// What stands for “as the reader has it”.
const READER: &str = "reader";

/// What stands for “each vertex through its strongest joint”.
const STRONGEST: &str = "strongest";

fn one_of<T>(
    written: &WrittenValue<'_>,
    names: &[&str],
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, Diagnostic> {
    let name = written.name().unwrap_or_default();
    from_name(name).ok_or_else(|| {
        Diagnostic::expected("one of the names", written.found()).help(did_you_mean(name, names))
    })
}

/// One of the names of an enum.
pub(super) mod named {
    use super::{Diagnostic, Keyed, WrittenValue, one_of};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, keys_schema};

    pub(crate) fn read<T: Keyed>(written: &WrittenValue<'_>) -> Result<T, Diagnostic> {
        one_of(written, T::KEYS, T::from_key)
    }

    pub(crate) fn text<T: Keyed>(value: &T) -> String {
        value.key().to_owned()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema<T: Keyed>(_: PhantomData<T>) -> Schema {
        keys_schema::<T>()
    }
}

/// What `read` reads, or a word for none.
fn read_or<T>(
    word: &str,
    written: &WrittenValue<'_>,
    read: impl Fn(&WrittenValue<'_>) -> Result<T, Diagnostic>,
) -> Result<Option<T>, Diagnostic> {
    if written.name() == Some(word) {
        return Ok(None);
    }
    read(written).map(Some)
}

fn text_or<'a, T>(word: &str, value: Option<&'a T>, text: impl Fn(&'a T) -> String) -> String {
    value.map_or_else(|| word.to_owned(), text)
}

/// One of the names of an enum, or `cell`.
pub(super) mod named_or_cell {
    use super::{CELL, Diagnostic, Keyed, WrittenValue, named, read_or, text_or};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, keys_schema, or_word};

    pub(crate) fn read<T: Keyed>(written: &WrittenValue<'_>) -> Result<Option<T>, Diagnostic> {
        read_or(CELL, written, named::read)
    }

    pub(crate) fn text<T: Keyed>(value: &Option<T>) -> String {
        text_or(CELL, value.as_ref(), named::text)
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema<T: Keyed>(_: PhantomData<Option<T>>) -> Schema {
        or_word(CELL, &keys_schema::<T>())
    }
}

/// One of the names of an enum, or `reader`.
pub(super) mod named_or_reader {
    use super::{Diagnostic, Keyed, READER, WrittenValue, named, read_or, text_or};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, keys_schema, or_word};

    pub(crate) fn read<T: Keyed>(written: &WrittenValue<'_>) -> Result<Option<T>, Diagnostic> {
        read_or(READER, written, named::read)
    }

    pub(crate) fn text<T: Keyed>(value: &Option<T>) -> String {
        text_or(READER, value.as_ref(), named::text)
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema<T: Keyed>(_: PhantomData<Option<T>>) -> Schema {
        or_word(READER, &keys_schema::<T>())
    }
}

/// Any number of names of an enum.
pub(super) mod list {
    use super::{Diagnostic, Keyed, WrittenValue, named};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema, keys_schema};

    pub(crate) fn read<T: Keyed, C: FromIterator<T>>(
        written: &WrittenValue<'_>,
    ) -> Result<C, Diagnostic> {
        let Some(names) = written.names() else {
            let example = T::KEYS.get(..2).unwrap_or(T::KEYS);
            let help = format!("write {example:?}; in links {}", example.join("+"));
            return Err(Diagnostic::expected("a list of names", written.found()).help(help));
        };
        let read = |name| named::read(&WrittenValue::Text(name));
        names.into_iter().map(read).collect()
    }

    pub(crate) fn text<'a, T: Keyed, C>(values: &'a C) -> String
    where
        &'a C: IntoIterator<Item = &'a T>,
    {
        let keys: Vec<&str> = values.into_iter().map(|value| value.key()).collect();
        keys.join(",")
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema<T: Keyed, C: IntoIterator<Item = T>>(_: PhantomData<C>) -> Schema {
        json_schema!({ "type": "array", "items": keys_schema::<T>() })
    }
}

/// Any number of names of an enum, or `cell`.
pub(super) mod list_or_cell {
    use super::{CELL, Diagnostic, Keyed, WrittenValue, list, read_or, text_or};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, or_word};

    pub(crate) fn read<T: Keyed>(written: &WrittenValue<'_>) -> Result<Option<Vec<T>>, Diagnostic> {
        read_or(CELL, written, list::read)
    }

    pub(crate) fn text<T: Keyed>(values: &Option<Vec<T>>) -> String {
        text_or(CELL, values.as_ref(), list::text)
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema<T: Keyed>(_: PhantomData<Option<Vec<T>>>) -> Schema {
        or_word(CELL, &list::schema(PhantomData::<Vec<T>>))
    }
}

/// What a schema says, or a word.
#[cfg(not(target_arch = "wasm32"))]
fn or_word(word: &str, schema: &Schema) -> Schema {
    json_schema!({ "anyOf": [schema, { "type": "string", "enum": [word] }] })
}

/// What the page's model is held against.
pub(super) mod model_b {
    use super::{Diagnostic, WrittenValue, list};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};
    use crate::ModelB;
    #[cfg(not(target_arch = "wasm32"))]
    use crate::Rewriting;

    const OPENED: &str = "opened";
    const BEFORE: &str = "before";
    const RIG: &str = "rig:";

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<ModelB, Diagnostic> {
        match written.name() {
            Some(OPENED) => return Ok(ModelB::Opened),
            Some(BEFORE) => return Ok(ModelB::Before),
            Some(name) => {
                if let Some(id) = name.strip_prefix(RIG) {
                    return Ok(ModelB::BuiltIn(id.to_owned()));
                }
            }
            None => {}
        }
        list::read(written).map(ModelB::Written).map_err(|wrong| {
            let help = "write a list such as [\"centimetres\"], or \"rig:whale\", \"opened\" or \"before\"";
            Diagnostic { help: format!("{}; {help}", wrong.help), ..wrong }
        })
    }

    pub(crate) fn text(model: &ModelB) -> String {
        match model {
            ModelB::Opened => OPENED.to_owned(),
            ModelB::Before => BEFORE.to_owned(),
            ModelB::BuiltIn(id) => format!("{RIG}{id}"),
            ModelB::Written(rewritings) => list::text(rewritings),
        }
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<ModelB>) -> Schema {
        let written = list::schema(PhantomData::<Vec<Rewriting>>);
        let rig = format!("^({OPENED}|{BEFORE}|{RIG}.+)$");
        json_schema!({ "anyOf": [written, { "type": "string", "pattern": rig }] })
    }
}

/// `on` or `off`.
pub(super) mod switch {
    use super::{Diagnostic, WrittenValue, two_words};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<bool, Diagnostic> {
        two_words(written, ["off", "on"])
    }

    pub(crate) fn text(on: &bool) -> String {
        if *on { "on" } else { "off" }.to_owned()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<bool>) -> Schema {
        json_schema!({ "type": "string", "enum": ["off", "on"] })
    }
}

/// `own` or `same`.
pub(super) mod poses {
    use super::{Diagnostic, WrittenValue, two_words};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<bool, Diagnostic> {
        two_words(written, ["same", "own"])
    }

    pub(crate) fn text(own: &bool) -> String {
        if *own { "own" } else { "same" }.to_owned()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<bool>) -> Schema {
        json_schema!({ "type": "string", "enum": ["same", "own"] })
    }
}

/// The second word is true.
fn two_words(written: &WrittenValue<'_>, words: [&str; 2]) -> Result<bool, Diagnostic> {
    let at = |name: &str| words.iter().position(|word| *word == name);
    one_of(written, &words, at).map(|at| at == 1)
}

/// The number of a joint, or its name.
pub(super) mod joint {
    use bindpose_skin::JointIndex;

    use super::{Diagnostic, JointName, WrittenValue, index};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<JointName, Diagnostic> {
        if let Some(name) = written.name() {
            return JointName::from_text(name);
        }
        let index = index(written, "joint", u32::from(u16::MAX))?;
        Ok(JointIndex(u16::try_from(index).unwrap_or(u16::MAX)).into())
    }

    pub(crate) fn text(joint: &JointName) -> String {
        joint.to_string()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<JointName>) -> Schema {
        json_schema!({
            "type": ["string", "integer"], "minLength": 1, "minimum": 0, "maximum": u16::MAX
        })
    }
}

/// The number of a joint, its name, or `strongest`.
pub(super) mod through {
    use super::{Diagnostic, JointName, STRONGEST, WrittenValue, joint, read_or, text_or};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, or_word};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<Option<JointName>, Diagnostic> {
        let help = "write a joint's number, its name, or \"strongest\"";
        let read = read_or(STRONGEST, written, joint::read);
        read.map_err(|wrong| wrong.help(help))
    }

    pub(crate) fn text(joint: &Option<JointName>) -> String {
        text_or(STRONGEST, joint.as_ref(), joint::text)
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<Option<JointName>>) -> Schema {
        or_word(STRONGEST, &joint::schema(PhantomData))
    }
}

/// The number of a vertex.
pub(super) mod vertex {
    use super::{Diagnostic, WrittenValue, index};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<u32, Diagnostic> {
        index(written, "vertex", u32::MAX)
    }

    pub(crate) fn text(vertex: &u32) -> String {
        vertex.to_string()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<u32>) -> Schema {
        json_schema!({ "type": "integer", "minimum": 0 })
    }
}

/// A module for a whole number from 1 to the most there may be.
macro_rules! from_one {
    ($(#[$doc:meta])* $name:ident, $of:literal, $expected:literal, $most:expr) => {
        $(#[$doc])*
        pub(super) mod $name {
            use super::{Diagnostic, WrittenValue, index};
            #[cfg(not(target_arch = "wasm32"))]
            use super::{PhantomData, Schema, json_schema};

            const MOST: u32 = $most;

            pub(crate) fn read(written: &WrittenValue<'_>) -> Result<u32, Diagnostic> {
                match index(written, $of, MOST)? {
                    0 => Err(Diagnostic::expected($expected, "0")
                        .help(format!("write a number from 1 to {MOST}"))),
                    count => Ok(count),
                }
            }

            pub(crate) use super::vertex::text;

            #[cfg(not(target_arch = "wasm32"))]
            pub(crate) fn schema(_: PhantomData<u32>) -> Schema {
                json_schema!({ "type": "integer", "minimum": 1, "maximum": MOST })
            }
        }
    };
}

from_one!(
    /// How many, from 1 to [`Crowd::MOST`](crate::Crowd::MOST).
    crowd,
    "skin",
    "how many times the skin is drawn",
    crate::Crowd::MOST
);
from_one!(
    /// The power of a distance.
    power,
    "power",
    "a power that falls with the distance",
    32
);
from_one!(
    /// Influences of a vertex.
    most_influences,
    "influence",
    "how many influences a vertex keeps",
    bindpose_skin::LANES as u32
);

/// The name of a clip, its number, or `none`.
pub(super) mod clip {
    use super::{ClipName, Diagnostic, WrittenValue, index};
    #[cfg(not(target_arch = "wasm32"))]
    use super::{PhantomData, Schema, json_schema};

    pub(crate) fn read(written: &WrittenValue<'_>) -> Result<ClipName, Diagnostic> {
        if let WrittenValue::Number(_) = written {
            return index(written, "clip", u32::MAX).map(ClipName::Index);
        }
        let name = written.name().filter(|name| !name.is_empty());
        name.map(ClipName::from_text).ok_or_else(|| {
            Diagnostic::expected("the name of a clip", written.found())
                .help("write its name, its number from 0, or \"none\"")
        })
    }

    pub(crate) fn text(clip: &ClipName) -> String {
        clip.to_string()
    }

    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn schema(_: PhantomData<ClipName>) -> Schema {
        json_schema!({ "type": ["string", "integer"], "minimum": 0 })
    }
}
