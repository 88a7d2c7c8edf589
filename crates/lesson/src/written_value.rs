//! A value of a setting as it stands in a text, before it is known what it means.

use bindpose_diagnostic::{Diagnostic, short_number};
use toml::de::DeValue;

use super::toml_body::{number, strings};

/// A value, from TOML or from a link.
pub(crate) enum WrittenValue<'a> {
    Number(f64),
    Text(&'a str),
    /// In a link, no number: a name, or several.
    Link(&'a str),
    List(Vec<&'a str>),
    /// Something else, in words.
    Other(&'static str),
}

const NO_STRINGS: &str = "a list of other things than strings";

impl<'a> WrittenValue<'a> {
    pub(crate) fn from_toml(value: &'a DeValue<'_>) -> Self {
        if let Some(number) = number(value) {
            return Self::Number(number);
        }
        match value {
            DeValue::String(text) => Self::Text(text),
            DeValue::Array(_) => match strings(value) {
                Some(texts) => Self::List(texts.into_iter().map(|(text, _)| text).collect()),
                None => Self::Other(NO_STRINGS),
            },
            DeValue::Boolean(_) => Self::Other("true or false"),
            DeValue::Datetime(_) => Self::Other("a date"),
            _ => Self::Other("a table"),
        }
    }

    /// As [`Self::from_toml`], of a value without its place.
    pub(crate) fn from_value(value: &'a toml::Value) -> Self {
        match value {
            toml::Value::Integer(number) => Self::Number(*number as f64),
            toml::Value::Float(number) => Self::Number(*number),
            toml::Value::String(text) => Self::Text(text),
            toml::Value::Array(values) => values
                .iter()
                .map(toml::Value::as_str)
                .collect::<Option<_>>()
                .map_or(Self::Other(NO_STRINGS), Self::List),
            toml::Value::Boolean(_) => Self::Other("true or false"),
            toml::Value::Datetime(_) => Self::Other("a date"),
            toml::Value::Table(_) => Self::Other("a table"),
        }
    }

    pub(crate) fn from_link(text: &'a str) -> Self {
        match text.parse::<f64>() {
            Ok(number) => Self::Number(number),
            Err(_) => Self::Link(text),
        }
    }

    /// One name.
    pub(super) fn name(&self) -> Option<&'a str> {
        match self {
            Self::Text(name) | Self::Link(name) => Some(name),
            _ => None,
        }
    }

    /// Several names. In links `+` joins them, or a comma where it does not end
    /// the setting.
    pub(super) fn names(&self) -> Option<Vec<&'a str>> {
        match self {
            Self::List(names) => Some(names.clone()),
            Self::Link(text) => {
                let names = text.split(['+', ',']);
                Some(names.filter(|name| !name.is_empty()).collect())
            }
            _ => None,
        }
    }

    pub(super) fn found(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {}", short_number(*number)),
            Self::Text(text) | Self::Link(text) => format!("`{text}`"),
            Self::List(_) => "a list".to_owned(),
            Self::Other(words) => (*words).to_owned(),
        }
    }
}

/// A whole number from 0 to `limit`: the number of a `what`.
pub(super) fn index(written: &WrittenValue<'_>, what: &str, limit: u32) -> Result<u32, Diagnostic> {
    match written {
        WrittenValue::Number(number)
            if number.fract() == 0.0 && (0.0..=f64::from(limit)).contains(number) =>
        {
            Ok(*number as u32)
        }
        _ => Err(Diagnostic::expected(format!("the number of a {what}, from 0"), written.found())
            .help("write a whole number without quotes, such as 1")),
    }
}
