//! Errors of deserialization from TOML, which keep serde's reasons in separate parts.

use std::fmt::{self, Display};

use serde::de::{self, Expected, Unexpected};

use bindpose_diagnostic::Diagnostic;

/// Why a value does not match its type.
#[derive(Debug)]
pub(crate) struct ValueError {
    error: Diagnostic,
    /// Byte offset of the value in the text. `None` if it is not known or nothing is there.
    pub(crate) start: Option<usize>,
}

impl ValueError {
    /// Converts to a diagnostic. `thing` names the owner of the keys.
    pub(crate) fn into_diagnostic(self, thing: &str) -> Diagnostic {
        match self.error.code {
            UNKNOWN_KEY | MISSING_KEY => {
                let title = format!("{} in {thing}", self.error.title);
                self.error.title(title)
            }
            _ => self.error,
        }
    }

    fn unknown_key(key: &str, known: &[&str]) -> Self {
        Diagnostic { code: UNKNOWN_KEY, ..Diagnostic::unknown("key", key, known) }
            .title(format!("unknown key `{key}`"))
            .into()
    }

    /// Adds the offset of the enclosing value, unless a more exact one is known.
    pub(crate) fn within(self, start: usize) -> Self {
        Self { start: self.start.or(Some(start)), ..self }
    }
}

impl From<Diagnostic> for ValueError {
    fn from(error: Diagnostic) -> Self {
        Self { error, start: None }
    }
}

/// Reports a key that `thing` does not have.
pub(crate) fn unknown_key(key: &str, thing: &str, known: &[&str]) -> Diagnostic {
    ValueError::unknown_key(key, known).into_diagnostic(thing)
}

const UNKNOWN_KEY: &str = "UNKNOWN_KEY";
const MISSING_KEY: &str = "MISSING_KEY";
const TYPES_HELP: &str = "strings go in quotes, lists in [ ], numbers and true or false go without";

/// Help for errors without a better one.
pub(crate) const LINES_HELP: &str = "one `key = value` a line: strings in quotes, lists in [ ]";

impl de::Error for ValueError {
    fn custom<T: Display>(message: T) -> Self {
        Diagnostic::said("INVALID_VALUE", message.to_string()).help(LINES_HELP).into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        Diagnostic::expected(expected.to_string(), found.to_string())
            .title(format!("invalid type: {found}, expected {expected}"))
            .help(TYPES_HELP)
            .into()
    }

    fn unknown_variant(name: &str, names: &'static [&'static str]) -> Self {
        Diagnostic::unknown("name", name, names).title(format!("unknown name `{name}`")).into()
    }

    fn unknown_field(key: &str, known: &'static [&'static str]) -> Self {
        Self::unknown_key(key, known)
    }

    fn missing_field(key: &'static str) -> Self {
        Diagnostic::said(MISSING_KEY, format!("the key `{key}` is missing"))
            .help(format!("add a line `{key} = …`"))
            .into()
    }
}

impl std::error::Error for ValueError {}

impl Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}
