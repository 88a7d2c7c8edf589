//! Names of joints and clips in lessons, settings and links.

use std::fmt;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::JointIndex;

const MAX_CHARS: usize = 200;

/// Words with another meaning in places for a joint. A joint of that name is quoted.
const RESERVED_WORDS: [&str; 2] = ["joint", "strongest"];

const HELP: &str = "write its number, such as 1, or its name; in 'quotes' where the name looks \
                    like a number";

/// Reference to a joint. Whether the rig has such a joint is not checked here.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum JointName {
    /// Index of the joint, from 0.
    Index(JointIndex),
    /// Name of the joint, not empty. If several have it, the first.
    Name(String),
}

impl JointName {
    /// Parses an index or a name such as `neck`. A name in quotes can look like something
    /// else, `'2'`. Without quotes, surrounding space is ignored.
    ///
    /// # Errors
    /// If the text is empty, a number other than 0 to 65535, or longer than 200 characters.
    pub fn from_text(text: &str) -> Result<Self, Diagnostic> {
        let text = text.trim();
        if text.chars().nth(MAX_CHARS).is_some() {
            let expected = format!("the name of a joint, at most {MAX_CHARS} characters");
            let found = format!("{}", text.chars().count());
            return Err(Diagnostic::expected(expected, found).help("write its number"));
        }
        let quoted = text.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''));
        let found = match (quoted, text.parse()) {
            (Some(name), _) if !name.is_empty() => return Ok(Self::Name(name.to_owned())),
            (Some(_), _) => "an empty name".to_owned(),
            (None, Ok(index)) => return Ok(Self::Index(JointIndex(index))),
            (None, Err(_)) if text.is_empty() => "nothing".to_owned(),
            (None, Err(_)) if is_number(text) => format!("`{text}`"),
            (None, Err(_)) => return Ok(Self::Name(text.to_owned())),
        };
        let expected = "the number of a joint, from 0, or its name";
        Err(Diagnostic::expected(expected, found).help(HELP))
    }
}

/// Whether the text is a number. `inf` and `nan` count as names.
fn is_number(text: &str) -> bool {
    text.contains(|c: char| c.is_ascii_digit()) && text.parse::<f64>().is_ok()
}

impl From<JointIndex> for JointName {
    fn from(joint: JointIndex) -> Self {
        Self::Index(joint)
    }
}

/// Converts `1` or `"neck"`.
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

/// Writes the text that [`Self::from_text`] parses.
impl fmt::Display for JointName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Index(index) => write!(f, "{}", index.0),
            Self::Name(name) => {
                let is_plain = !RESERVED_WORDS.contains(&name.as_str())
                    && Self::from_text(name).is_ok_and(|read| read == *self);
                if is_plain { f.write_str(name) } else { write!(f, "'{name}'") }
            }
        }
    }
}

/// Reference to a clip, or to none. Whether the rig has such a clip is not checked here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ClipName {
    /// No clip: the rest pose.
    None,
    /// Index of the clip, from 0.
    Index(u32),
    /// Name of the clip. If several have it, the first.
    Name(String),
}

impl ClipName {
    /// Parses `none`, an index, or a name.
    pub fn from_text(text: &str) -> Self {
        match text.parse() {
            _ if text == "none" => Self::None,
            Ok(index) => Self::Index(index),
            Err(_) => Self::Name(text.to_owned()),
        }
    }
}

/// Writes the text that [`ClipName::from_text`] parses.
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
    fn parses_joints_by_number_and_name() {
        let read = JointName::from_text;
        assert_eq!(read("12"), Ok(JointName::Index(JointIndex(12))));
        assert_eq!(read(" neck "), Ok(named("neck")));
        assert_eq!(read("upper arm.L"), Ok(named("upper arm.L")));
        assert_eq!(read("'12'"), Ok(named("12")));
        assert_eq!(read("' neck'"), Ok(named(" neck")));
        assert_eq!(read("шея"), Ok(named("шея")));
        assert_eq!(read("nan"), Ok(named("nan")));
        let long = "é".repeat(MAX_CHARS);
        assert_eq!(read(&long), Ok(named(&long)));
        let longer = "é".repeat(MAX_CHARS + 1);
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
        fn formatting_and_parsing_are_inverse(text in "\\PC{0,12}|'?[0-9.e-]{1,6}'?|joint") {
            if let Ok(name) = JointName::from_text(&text) {
                prop_assert_eq!(JointName::from_text(&name.to_string()), Ok(name));
            }
        }
    }
}
