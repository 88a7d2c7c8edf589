//! Locations of problems in files, models, links and arguments.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// The location of a problem.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// The file as a whole, or an unknown location.
    #[default]
    Whole,
    /// A position in a text file.
    Text {
        /// Path of the file: `20-bind-pose/lesson.md`. The content check prepends the folder of
        /// the lessons.
        file: String,
        /// The position in the file.
        at: LineColumn,
    },
    /// The index of a character in a formula, from 1.
    Character(usize),
    /// A location in a glTF model.
    Model(ModelPlace),
    /// A location in an XML model.
    Xml {
        /// An `XPath`: `/MeshSystem/Skeletons/Skeleton[2]/Bone[3]/@parent`.
        path: String,
        /// The same location in the text.
        at: LineColumn,
    },
    /// A location within a named file or argument.
    Within(String, Box<Self>),
    /// The name of a value in a link.
    Link(String),
    /// A command-line argument as typed: `--set b0=x`.
    Argument(String),
}

/// A position in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line, starting at 1.
    pub line: usize,
    /// The column in characters, starting at 1.
    pub column: usize,
}

/// A location in a glTF model.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ModelPlace {
    /// A JSON pointer such as `/skins/0/joints/2`, or the name of a part of the file. Empty for
    /// the file as a whole.
    pub pointer: String,
    /// Index of the affected vertex in the primitive at `pointer`, if any.
    pub vertex: Option<u32>,
    /// Index of the affected joint in the skin's joint list, if any.
    pub joint: Option<u32>,
}

impl LineColumn {
    /// Moves the position to the right in the same line, by a number of characters.
    #[must_use]
    pub fn right(self, chars: usize) -> Self {
        Self { column: self.column + chars, ..self }
    }
}

impl Place {
    /// Creates a position in a text file.
    pub fn text(file: impl Into<String>, at: LineColumn) -> Self {
        Self::Text { file: file.into(), at }
    }

    /// Returns the JSON pointer into a glTF model. Empty for all other locations.
    pub fn pointer(&self) -> &str {
        match self {
            Self::Model(place) => &place.pointer,
            _ => "",
        }
    }

    /// Adds the name of the file or argument that contains the location.
    #[must_use]
    pub fn within(self, name: impl Into<String>) -> Self {
        Self::Within(name.into(), Box::new(self))
    }
}

impl ModelPlace {
    /// Creates a location at a JSON pointer.
    pub fn at(pointer: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), ..Self::default() }
    }

    /// Prepends `pointer` to the JSON pointer.
    #[must_use]
    pub fn under(self, pointer: &str) -> Self {
        Self { pointer: format!("{pointer}{}", self.pointer), ..self }
    }

    /// Sets the index of the affected vertex.
    #[must_use]
    pub fn vertex(self, vertex: usize) -> Self {
        Self { vertex: u32::try_from(vertex).ok(), ..self }
    }

    /// Sets the index of the affected joint.
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

/// Serializes to a map with `at`, and `vertex` and `joint` if there are any. `at` is empty for a
/// file as a whole.
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
