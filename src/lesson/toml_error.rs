//! Why a value of TOML is not what the schema wants: serde's reasons in parts.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use crate::diagnostic::Diagnostic;

/// Why a value is not what the schema wants.
#[derive(Debug)]
pub(crate) struct ValueError {
    why: Why,
    /// Where it begins in the text; `None` where nothing stands.
    pub(crate) start: Option<usize>,
}

#[derive(Debug)]
enum Why {
    UnknownKey(String, &'static [&'static str]),
    MissingKey(&'static str),
    Wrong(Diagnostic),
}

impl ValueError {
    /// In words for authors; `thing` says what has the keys.
    pub(crate) fn into_diagnostic(self, thing: &str) -> Diagnostic {
        match self.why {
            Why::UnknownKey(key, known) => unknown_key(&key, thing, known),
            Why::MissingKey(key) => Diagnostic::said(
                "MISSING_KEY",
                format!("the key `{key}` is missing in {thing}"),
            )
            .help(format!("add a line `{key} = …`")),
            Why::Wrong(wrong) => wrong,
        }
    }

    /// In a value that begins here, if it is not known more exactly.
    pub(crate) fn within(self, start: usize) -> Self {
        Self {
            start: self.start.or(Some(start)),
            ..self
        }
    }
}

impl From<Diagnostic> for ValueError {
    fn from(wrong: Diagnostic) -> Self {
        Self {
            why: Why::Wrong(wrong),
            start: None,
        }
    }
}

/// A key that the schema does not have.
pub(crate) fn unknown_key(key: &str, thing: &str, known: &[&str]) -> Diagnostic {
    Diagnostic {
        title: format!("unknown key `{key}` in {thing}"),
        code: "UNKNOWN_KEY",
        ..Diagnostic::unknown("key", key, known)
    }
}

const TYPES_HELP: &str = "strings stand in quotes, numbers and true or false do not, lists in [ ]";

/// What to write where nothing better is known.
pub(crate) const LINES_HELP: &str = "one `key = value` a line: strings in quotes, lists in [ ]";

impl de::Error for ValueError {
    fn custom<T: Display>(message: T) -> Self {
        Diagnostic::said("INVALID_VALUE", message.to_string())
            .help(LINES_HELP)
            .into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Diagnostic {
            title: format!("invalid type: {found}, expected {expected}"),
            ..Diagnostic::expected(expected.to_string(), found.to_string())
        }
        .help(TYPES_HELP)
        .into()
    }

    fn unknown_variant(name: &str, names: &'static [&'static str]) -> Self {
        Diagnostic {
            title: format!("unknown name `{name}`"),
            ..Diagnostic::unknown("name", name, names)
        }
        .into()
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        Self {
            why: Why::UnknownKey(key.to_owned(), known),
            start: None,
        }
    }

    fn missing_field(key: &'static str) -> Self {
        Self {
            why: Why::MissingKey(key),
            start: None,
        }
    }
}

impl std::error::Error for ValueError {}

impl Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.why)
    }
}
