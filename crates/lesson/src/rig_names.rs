//! How lessons, settings and links name joints and clips of a rig.

use std::fmt;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;

/// Longer names are refused.
const MOST_CHARACTERS: usize = 200;

/// Words that stand for something else where a joint may stand.
const OTHER_WORDS: [&str; 2] = ["joint", "strongest"];

const HELP: &str = "write its number, such as 1, or its name; in 'quotes' where the name looks \
                    like a number";

/// A joint of the rig. Whether there is such a joint is for whoever knows the rig.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointName {
    /// By its number, from 0.
    Index(JointIndex),
    /// By its name, which is not empty; of several the first.
    Name(String),
}

impl JointName {
    /// A whole number, or a name: `neck`, and in quotes also one that is written as
    /// something else, `'2'`. Spaces around are left out where there are no quotes.
    ///
    /// Errors: for nothing, for other numbers than 0 to 65535, and for more than 200 characters.
    pub fn from_text(text: &str) -> Result<Self, Diagnostic> {
        let text = text.trim();
        if text.chars().nth(MOST_CHARACTERS).is_some() {
            let expected = format!("the name of a joint, at most {MOST_CHARACTERS} characters");
            let found = format!("{}", text.chars().count());
            return Err(Diagnostic::expected(expected, found).help("write its number"));
        }
        let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let wrong = |found: &str| {
            Diagnostic::expected("the number of a joint, from 0, or its name", found).help(HELP)
        };
        match (quoted, text.parse()) {
            (Some(name), _) if !name.is_empty() => Ok(Self::Name(name.to_owned())),
            (Some(_), _) => Err(wrong("an empty name")),
            (None, Ok(index)) => Ok(Self::Index(JointIndex(index))),
            (None, Err(_)) if text.is_empty() => Err(wrong("nothing")),
            (None, Err(_)) if is_number(text) => Err(wrong(&format!("`{text}`"))),
            (None, Err(_)) => Ok(Self::Name(text.to_owned())),
        }
    }
}

/// `inf` and `nan` are names.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

impl From<JointIndex> for JointName {
    fn from(joint: JointIndex) -> Self {
        Self::Index(joint)
    }
}

/// `1`, `"neck"`
impl TryFrom<toml::Value> for JointName {
    type Error = Diagnostic;

    fn try_from(value: toml::Value) -> Result<Self, Diagnostic> {
        match value {
            toml::Value::String(text) => Self::from_text(&text),
            toml::Value::Integer(number) => Self::from_text(&number.to_string()),
            other => {
                let found = format!("`{other}`");
                Err(Diagnostic::expected("the number of a joint, or its name", found).help(HELP))
            }
        }
    }
}

/// As [`Self::from_text`] reads it.
impl fmt::Display for JointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{}", index.0),
            Self::Name(name) => {
                let plain = !OTHER_WORDS.contains(&name.as_str())
                    && Self::from_text(name).is_ok_and(|read| read == *self);
                if plain { f.write_str(name) } else { write!(f, "'{name}'") }
            }
        }
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(name: &str) -> JointName {
        JointName::Name(name.to_owned())
    }

    #[test]
    fn a_joint_is_named_by_number_or_name() {
        let read = JointName::from_text;
        assert_eq!(read("12"), Ok(JointName::Index(JointIndex(12))));
        assert_eq!(read(" neck "), Ok(named("neck")));
        assert_eq!(read("upper arm.L"), Ok(named("upper arm.L")));
        assert_eq!(read("'12'"), Ok(named("12")));
        assert_eq!(read("' neck'"), Ok(named(" neck")));
        assert_eq!(read("шея"), Ok(named("шея")));
        assert_eq!(read("nan"), Ok(named("nan")));
        let long = "é".repeat(MOST_CHARACTERS);
        assert_eq!(read(&long), Ok(named(&long)));
        let longer = "é".repeat(MOST_CHARACTERS + 1);
        for text in ["", "  ", "''", "-1", "1.5", "65536", "1e3", &longer] {
            assert!(read(text).is_err(), "{text}");
        }
        let of_toml = |value| JointName::try_from(value);
        assert_eq!(of_toml(toml::Value::Integer(3)), read("3"));
        assert_eq!(of_toml(toml::Value::String("neck".to_owned())), Ok(named("neck")));
        assert!(of_toml(toml::Value::Integer(-1)).is_err());
        assert!(of_toml(toml::Value::Float(1.0)).is_err());
    }

    proptest! {
        #[test]
        fn what_is_read_is_written_so_that_it_is_read_again(text in "\\PC{0,12}|'?[0-9.e-]{1,6}'?|joint") {
            if let Ok(name) = JointName::from_text(&text) {
                prop_assert_eq!(JointName::from_text(&name.to_string()), Ok(name));
            }
        }
    }
}
