//! Why a model did not open, in words for the reader.

use std::fmt;

use crate::asset::{GltfError, GltfErrorKind};

/// A file that did not open: what is wrong, where, and what to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unopened {
    /// The file.
    pub name: String,
    /// What is wrong: one sentence.
    pub what: String,
    /// Where, if it is at one place.
    pub place: Option<Place>,
    /// What to do about it: one sentence.
    pub remedy: String,
}

/// Where something is wrong, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// A JSON pointer, or the name of a part of the file.
    pub at: String,
    /// What should stand there.
    pub expected: String,
    /// What stands there.
    pub found: String,
}

impl Unopened {
    pub(super) fn new(name: &str, what: &str, remedy: &str) -> Self {
        Self {
            name: name.to_owned(),
            what: what.to_owned(),
            place: None,
            remedy: remedy.to_owned(),
        }
    }

    pub(super) fn gone(path: &str) -> Self {
        Self::new(
            path,
            "The file is not there any more.",
            "It was taken off the list of recent files; open it from where it is now.",
        )
    }

    pub(super) fn gltf(name: &str, error: GltfError) -> Self {
        let what = match error.kind {
            GltfErrorKind::Container => "The file is cut off, or is no model.",
            GltfErrorKind::Json => "Its JSON is not that of a glTF file.",
            GltfErrorKind::Missing => "Something that it needs is not there.",
            GltfErrorKind::OutOfBounds => "It points to something outside its data.",
            GltfErrorKind::Invalid => "Some of its data makes no sense.",
            GltfErrorKind::NotATree => "Its nodes form no tree.",
            GltfErrorKind::Unsupported => "It needs something that this program cannot read.",
            GltfErrorKind::TooLarge => "It is too large.",
            GltfErrorKind::Cancelled => "Opening was stopped.",
        };
        Self {
            place: Some(Place {
                at: error.path,
                expected: error.expected,
                found: error.found,
            }),
            ..Self::new(name, what, &sentence(&error.remedy))
        }
    }
}

impl fmt::Display for Unopened {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "“{}” did not open. {}", self.name, self.what)?;
        if let Some(Place {
            at,
            expected,
            found,
        }) = &self.place
        {
            write!(f, " {at}: expected {expected}, found {found}.")?;
        }
        write!(f, " {}", self.remedy)
    }
}

impl std::error::Error for Unopened {}

/// With a capital at its beginning and a full stop at its end.
fn sentence(words: &str) -> String {
    let mut letters = words.chars();
    let first: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .collect();
    format!("{first}{}.", letters.as_str().trim_end_matches('.'))
}
