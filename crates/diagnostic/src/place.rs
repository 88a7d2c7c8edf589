//! Where something is wrong.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// Where something is wrong.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Nowhere in particular, or not known yet.
    #[default]
    Whole,
    /// In a text of many lines.
    Text {
        /// `20-bind-pose/lesson.md`; the content check puts the folder of the
        /// lessons before it.
        file: String,
        /// In it.
        at: LineColumn,
    },
    /// In a formula: the character, from 1.
    Character(usize),
    /// In a model that is JSON and bytes.
    Model(ModelPlace),
    /// In a model that is XML.
    Xml {
        /// An `XPath`: `/MeshSystem/Skeletons/Skeleton[2]/Bone[3]/@parent`.
        path: String,
        /// The same place in the text.
        at: LineColumn,
    },
    /// In what has a name: a file, an argument.
    Within(String, Box<Self>),
    /// A value of a link, by its name.
    Link(String),
    /// On the command line, as it was written: `--set b0=x`.
    Argument(String),
}

/// A line and a column.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// From 1.
    pub line: usize,
    /// In characters, from 1.
    pub column: usize,
}

/// In a model that is JSON and bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelPlace {
    /// A JSON pointer such as `/skins/0/joints/2`, or the name of a part of the
    /// file; empty for the file as a whole.
    pub pointer: String,
    /// The vertex, if it is about one: of the primitive that `pointer` names.
    pub vertex: Option<u32>,
    /// The joint, if it is about one: its place in the skin's list.
    pub joint: Option<u32>,
}

impl LineColumn {
    /// So many characters further right in the same line.
    #[must_use]
    pub fn right(self, chars: usize) -> Self {
        Self { column: self.column + chars, ..self }
    }
}

impl Place {
    /// In a text.
    pub fn text(file: impl Into<String>, at: LineColumn) -> Self {
        Self::Text { file: file.into(), at }
    }

    /// The JSON pointer into a model; empty for all other places.
    pub fn pointer(&self) -> &str {
        match self {
            Self::Model(place) => &place.pointer,
            _ => "",
        }
    }

    /// In what has this name: a file, an argument.
    #[must_use]
    pub fn within(self, name: impl Into<String>) -> Self {
        Self::Within(name.into(), Box::new(self))
    }
}

impl ModelPlace {
    /// At a JSON pointer.
    pub fn at(pointer: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), ..Self::default() }
    }

    /// The place `self` names, within `pointer`.
    #[must_use]
    pub fn under(self, pointer: &str) -> Self {
        Self { pointer: format!("{pointer}{}", self.pointer), ..self }
    }

    /// The same place, at that vertex.
    #[must_use]
    pub fn vertex(self, vertex: usize) -> Self {
        Self { vertex: u32::try_from(vertex).ok(), ..self }
    }

    /// The same place, at that joint.
    #[must_use]
    pub fn joint(self, joint: usize) -> Self {
        Self { joint: u32::try_from(joint).ok(), ..self }
    }
}

impl From<String> for ModelPlace {
    fn from(pointer: String) -> Self {
        Self::at(pointer)
    }
}

impl From<&str> for ModelPlace {
    fn from(pointer: &str) -> Self {
        Self::at(pointer)
    }
}

impl From<ModelPlace> for Place {
    fn from(place: ModelPlace) -> Self {
        Self::Model(place)
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => f.write_str("the file"),
            Self::Text { file, at } => write!(f, "{file}:{at}"),
            Self::Character(character) => write!(f, "character {character}"),
            Self::Model(place) => place.fmt(f),
            Self::Xml { path, at } => write!(f, "{path} ({at})"),
            Self::Within(name, place) => match &**place {
                Self::Whole => f.write_str(name),
                place => write!(f, "{name}: {place}"),
            },
            Self::Link(name) => write!(f, "“{name}” in the link"),
            Self::Argument(written) => f.write_str(written),
        }
    }
}

impl fmt::Display for LineColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for ModelPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.pointer.as_str() {
            "" => "the file",
            pointer => pointer,
        })?;
        for (what, number) in [("vertex", self.vertex), ("joint", self.joint)] {
            if let Some(number) = number {
                write!(f, ", {what} {number}")?;
            }
        }
        Ok(())
    }
}

/// `at`, and `vertex` and `joint` where there are any; `at` is empty for a file
/// as a whole.
impl Serialize for Place {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        match self {
            Self::Whole => map.serialize_entry("at", "")?,
            Self::Model(place) => {
                map.serialize_entry("at", &place.pointer)?;
                for (what, number) in [("vertex", place.vertex), ("joint", place.joint)] {
                    if let Some(number) = number {
                        map.serialize_entry(what, &number)?;
                    }
                }
            }
            _ => map.serialize_entry("at", &self.to_string())?,
        }
        map.end()
    }
}
