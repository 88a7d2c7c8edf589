//! How settings and links name a clip.

use std::fmt;

/// A clip of the rig, or none. Whether there is such a clip is for whoever knows
/// the rig.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipName {
    /// Nothing plays: the rest pose.
    None,
    /// By its place, from 0.
    Index(u32),
    /// By its name; of several the first.
    Name(String),
}

impl ClipName {
    /// `none`, a whole number, or a name.
    pub fn from_text(text: &str) -> Self {
        match text.parse() {
            _ if text == "none" => Self::None,
            Ok(index) => Self::Index(index),
            Err(_) => Self::Name(text.to_owned()),
        }
    }
}

/// As [`ClipName::from_text`] reads it.
impl fmt::Display for ClipName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("none"),
            Self::Index(index) => write!(f, "{index}"),
            Self::Name(name) => f.write_str(name),
        }
    }
}
