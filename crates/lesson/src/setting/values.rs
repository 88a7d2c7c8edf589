//! Syntax of the values of settings, one module for each kind of value. In each, `read` parses
//! a value, and `text` formats it for a link.

#![expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "the table passes all values by reference"
)]

use bindpose_diagnostic::{Diagnostic, did_you_mean};
use bindpose_skin::Keyed;

use crate::toml_body::{RawValue, index};
use crate::{ClipName, JointName};

/// Value of a setting that is left to the cells of the viewports.
pub(super) const CELL: &str = "cell";

/// Value of a setting that is left to the reader.
pub(super) const READER: &str = "reader";

/// Value for the strongest joint of each vertex.
pub(super) const STRONGEST: &str = "strongest";

fn one_of<T>(
    written: &RawValue<'_>,
    names: &[&str],
    from_name: impl Fn(&str) -> Option<T>,
) -> Result<T, Diagnostic> {
    let name = written.name().unwrap_or_default();
    from_name(name).ok_or_else(|| {
        Diagnostic::expected("one of the names", written.found()).help(did_you_mean(name, names))
    })
}

/// A variant of an enum, by its name.
pub(super) mod named {
    use super::{Diagnostic, Keyed, RawValue, one_of};

    pub(crate) fn read<T: Keyed>(written: &RawValue<'_>) -> Result<T, Diagnostic> {
        one_of(written, T::KEYS, T::from_key)
    }

    pub(crate) fn text<T: Keyed>(value: &T) -> String {
        value.key().to_owned()
    }
}

/// Parses `word` as `None`, and anything else with `read`.
fn read_or<T>(
    word: &str,
    written: &RawValue<'_>,
    read: impl Fn(&RawValue<'_>) -> Result<T, Diagnostic>,
) -> Result<Option<T>, Diagnostic> {
    if written.name() == Some(word) {
        return Ok(None);
    }
    read(written).map(Some)
}

fn text_or<'a, T>(word: &str, value: Option<&'a T>, text: impl Fn(&'a T) -> String) -> String {
    value.map_or_else(|| word.to_owned(), text)
}

/// A variant of an enum, or `cell`.
pub(super) mod named_or_cell {
    use super::{CELL, Diagnostic, Keyed, RawValue, named, read_or, text_or};

    pub(crate) fn read<T: Keyed>(written: &RawValue<'_>) -> Result<Option<T>, Diagnostic> {
        read_or(CELL, written, named::read)
    }

    pub(crate) fn text<T: Keyed>(value: &Option<T>) -> String {
        text_or(CELL, value.as_ref(), named::text)
    }
}

/// A variant of an enum, or `reader`.
pub(super) mod named_or_reader {
    use super::{Diagnostic, Keyed, READER, RawValue, named, read_or, text_or};

    pub(crate) fn read<T: Keyed>(written: &RawValue<'_>) -> Result<Option<T>, Diagnostic> {
        read_or(READER, written, named::read)
    }

    pub(crate) fn text<T: Keyed>(value: &Option<T>) -> String {
        text_or(READER, value.as_ref(), named::text)
    }
}

/// A list of variants of an enum.
pub(super) mod list {
    use super::{Diagnostic, Keyed, RawValue, named};

    pub(crate) fn read<T: Keyed, C: FromIterator<T>>(
        written: &RawValue<'_>,
    ) -> Result<C, Diagnostic> {
        let Some(names) = written.names() else {
            let example = T::KEYS.get(..2).unwrap_or(T::KEYS);
            let help = format!("write {example:?}; in links {}", example.join("+"));
            return Err(Diagnostic::expected("a list of names", written.found()).help(help));
        };
        names.into_iter().map(|name| named::read(&RawValue::Text(name))).collect()
    }

    pub(crate) fn text<'a, T: Keyed, C>(values: &'a C) -> String
    where
        &'a C: IntoIterator<Item = &'a T>,
    {
        let keys: Vec<&str> = values.into_iter().map(|value| value.key()).collect();
        keys.join(",")
    }
}

/// A list of variants of an enum, or `cell`.
pub(super) mod list_or_cell {
    use super::{CELL, Diagnostic, Keyed, RawValue, list, read_or, text_or};

    pub(crate) fn read<T: Keyed>(written: &RawValue<'_>) -> Result<Option<Vec<T>>, Diagnostic> {
        read_or(CELL, written, list::read)
    }

    pub(crate) fn text<T: Keyed>(values: &Option<Vec<T>>) -> String {
        text_or(CELL, values.as_ref(), list::text)
    }
}

/// The second model, for comparison.
pub(super) mod model_b {
    use super::{Diagnostic, RawValue, list};
    use crate::ComparedModel;

    pub(crate) const OPENED: &str = "opened";
    pub(crate) const BEFORE: &str = "before";
    pub(crate) const RIG: &str = "rig:";

    pub(crate) fn read(written: &RawValue<'_>) -> Result<ComparedModel, Diagnostic> {
        match written.name() {
            Some(OPENED) => return Ok(ComparedModel::Opened),
            Some(BEFORE) => return Ok(ComparedModel::Before),
            Some(name) => {
                if let Some(id) = name.strip_prefix(RIG) {
                    return Ok(ComparedModel::BuiltIn(id.to_owned()));
                }
            }
            None => {}
        }
        list::read(written).map(ComparedModel::Written).map_err(|error| {
            let help = "write a list such as [\"centimetres\"], or \"rig:whale\", \"opened\" or \"before\"";
            Diagnostic { help: format!("{}; {help}", error.help), ..error }
        })
    }

    pub(crate) fn text(model: &ComparedModel) -> String {
        match model {
            ComparedModel::Opened => OPENED.to_owned(),
            ComparedModel::Before => BEFORE.to_owned(),
            ComparedModel::BuiltIn(id) => format!("{RIG}{id}"),
            ComparedModel::Written(rewritings) => list::text(rewritings),
        }
    }
}

/// A switch, `on` or `off`.
pub(super) mod switch {
    use super::{Diagnostic, RawValue, two_words};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<bool, Diagnostic> {
        two_words(written, ["off", "on"])
    }

    pub(crate) fn text(on: &bool) -> String {
        if *on { "on" } else { "off" }.to_owned()
    }
}

/// Poses of a crowd, `own` or `same`.
pub(super) mod poses {
    use super::{Diagnostic, RawValue, two_words};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<bool, Diagnostic> {
        two_words(written, ["same", "own"])
    }

    pub(crate) fn text(own: &bool) -> String {
        if *own { "own" } else { "same" }.to_owned()
    }
}

/// Parses one of two words. The second is true.
fn two_words(written: &RawValue<'_>, words: [&str; 2]) -> Result<bool, Diagnostic> {
    let index = one_of(written, &words, |name| words.iter().position(|word| *word == name))?;
    Ok(index == 1)
}

/// A joint, by its index or name.
pub(super) mod joint {
    use bindpose_skin::JointIndex;

    use super::{Diagnostic, JointName, RawValue, index};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<JointName, Diagnostic> {
        if let Some(name) = written.name() {
            return JointName::from_text(name);
        }
        let index = index(written, "joint", u32::from(u16::MAX))?;
        Ok(JointIndex(u16::try_from(index).unwrap_or(u16::MAX)).into())
    }

    pub(crate) fn text(joint: &JointName) -> String {
        joint.to_string()
    }
}

/// A joint, by its index or name, or `strongest`.
pub(super) mod through {
    use super::{Diagnostic, JointName, RawValue, STRONGEST, joint, read_or, text_or};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<Option<JointName>, Diagnostic> {
        let help = "write a joint's number, its name, or \"strongest\"";
        let read = read_or(STRONGEST, written, joint::read);
        read.map_err(|error| error.help(help))
    }

    pub(crate) fn text(joint: &Option<JointName>) -> String {
        text_or(STRONGEST, joint.as_ref(), joint::text)
    }
}

/// A vertex, by its index.
pub(super) mod vertex {
    use super::{Diagnostic, RawValue, index};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<u32, Diagnostic> {
        index(written, "vertex", u32::MAX)
    }

    pub(crate) fn text(vertex: &u32) -> String {
        vertex.to_string()
    }
}

/// Defines the module for a whole number from 1 to a maximum.
macro_rules! from_one {
    ($(#[$doc:meta])* $name:ident, $of:literal, $expected:literal, $max:expr) => {
        $(#[$doc])*
        pub(super) mod $name {
            use super::{Diagnostic, RawValue, index};

            pub(crate) const MAX: u32 = $max;

            pub(crate) fn read(written: &RawValue<'_>) -> Result<u32, Diagnostic> {
                match index(written, $of, MAX)? {
                    0 => Err(Diagnostic::expected($expected, "0")
                        .help(format!("write a number from 1 to {MAX}"))),
                    count => Ok(count),
                }
            }

            pub(crate) use super::vertex::text;
        }
    };
}

from_one!(
    /// Number of copies of the skin.
    crowd,
    "skin",
    "how many times the skin is drawn",
    crate::Crowd::MAX_COUNT
);
from_one!(
    /// Exponent of the distance in inverse-distance weights.
    power,
    "power",
    "a power that falls with the distance",
    32
);
from_one!(
    /// Maximum number of influences of a vertex.
    most_influences,
    "influence",
    "how many influences a vertex keeps",
    bindpose_skin::LANES as u32
);

/// A clip, by its name or index, or `none`.
pub(super) mod clip {
    use super::{ClipName, Diagnostic, RawValue, index};

    pub(crate) fn read(written: &RawValue<'_>) -> Result<ClipName, Diagnostic> {
        if let RawValue::Number(_) = written {
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
}
