//! TOML inside a lesson: front matter, bodies of cells and of `set` blocks,
//! with errors placed in the file.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::number::checked;
use super::source::{At, Source};
use super::{Finding, did_you_mean};

/// TOML as it stands in a file, perhaps indented there, so that one stretch of
/// it comes from several places.
pub(crate) struct Body<'a> {
    source: &'a Source<'a>,
    /// Without the indentation.
    pub(crate) text: String,
    /// Where stretches begin: in `text`, in the file.
    stretches: Vec<(usize, usize)>,
    end: usize,
}

pub(crate) type Entry<'a, 't> = (
    &'a Spanned<std::borrow::Cow<'t, str>>,
    &'a Spanned<DeValue<'t>>,
);

impl<'a> Body<'a> {
    /// Nothing yet; `start` is where the body would begin in the file.
    pub(crate) fn new(source: &'a Source<'a>, start: usize) -> Self {
        Self {
            source,
            text: String::new(),
            stretches: Vec::new(),
            end: start,
        }
    }

    /// Adds text that stands at `offset` of the file.
    pub(crate) fn push(&mut self, text: &str, offset: usize) {
        self.stretches.push((self.text.len(), offset));
        self.text.push_str(text);
        self.end = offset + text.len();
    }

    /// The offset in the file of an offset in `text`.
    pub(crate) fn offset(&self, in_text: usize) -> usize {
        if in_text >= self.text.len() {
            return self.end;
        }
        let next = self.stretches.partition_point(|&(at, _)| at <= in_text);
        next.checked_sub(1)
            .and_then(|index| self.stretches.get(index))
            .map_or(self.end, |&(at, offset)| offset + (in_text - at))
    }

    /// Line and column of an offset in `text`.
    pub(crate) fn at(&self, in_text: usize) -> At {
        self.source.at(self.offset(in_text))
    }

    /// The table, when it is TOML without absurd numbers.
    pub(crate) fn table(&self) -> Result<DeTable<'_>, Finding> {
        let table = DeTable::parse(&self.text)
            .map_err(|error| self.toml_error(&error, 0, "this block"))?
            .into_inner();
        for (_, value) in &table {
            self.check_numbers(value)?;
        }
        Ok(table)
    }

    /// Refuses NaN, infinity and absurd numbers, wherever they are.
    fn check_numbers(&self, value: &Spanned<DeValue<'_>>) -> Result<(), Finding> {
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => match number(value.get_ref()) {
                Some(number) => checked(number)
                    .map(|_| ())
                    .map_err(|message| self.error(value.span().start, message, FINITE_HELP)),
                None => Err(self.error(
                    value.span().start,
                    "expected a number of ordinary size",
                    FINITE_HELP,
                )),
            },
            DeValue::Array(values) => values.iter().try_for_each(|v| self.check_numbers(v)),
            DeValue::Table(table) => table.iter().try_for_each(|(_, v)| self.check_numbers(v)),
            _ => Ok(()),
        }
    }

    /// An error at an offset in `text`.
    pub(crate) fn error(
        &self,
        in_text: usize,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Finding {
        self.source.error(self.offset(in_text), message, help)
    }

    /// What the TOML reader says, in words for authors. What has no place of its
    /// own, such as a missing key, is placed at offset `fallback` of the file.
    pub(crate) fn toml_error(
        &self,
        error: &toml::de::Error,
        fallback: usize,
        thing: &str,
    ) -> Finding {
        let (message, help) = explain(error.message(), thing);
        match error.span() {
            Some(span) if !span.is_empty() || span.start > 0 => {
                // Within a formula: its string's quote, then its column.
                let column = formula_column(&message).unwrap_or(0);
                let mut finding = self.error(span.start, message, help);
                finding.column += column;
                finding
            }
            _ if fallback > 0 => self.source.error(fallback, message, help),
            _ => self.error(0, message, help),
        }
    }

    /// Every key with the place of its value: `lines[0].expr`.
    pub(crate) fn keys(&self, table: &DeTable<'_>) -> Vec<(String, At)> {
        let mut keys = Vec::new();
        for (key, value) in in_order(table) {
            self.collect_keys(key.get_ref(), value, &mut keys);
        }
        keys
    }

    fn collect_keys(&self, path: &str, value: &Spanned<DeValue<'_>>, keys: &mut Vec<(String, At)>) {
        keys.push((path.to_owned(), self.at(value.span().start)));
        match value.get_ref() {
            DeValue::Array(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.collect_keys(&format!("{path}[{index}]"), value, keys);
                }
            }
            DeValue::Table(table) => {
                for (key, value) in in_order(table) {
                    self.collect_keys(&format!("{path}.{}", key.get_ref()), value, keys);
                }
            }
            _ => {}
        }
    }
}

const FINITE_HELP: &str = "write a finite number of ordinary size, such as 0.8";

/// The entries in the order of the text.
pub(crate) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<Entry<'a, 't>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// A number as f64; `None` for what is none.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(integer) => i64::from_str_radix(integer.as_str(), integer.radix())
            .ok()
            .map(|integer| integer as f64),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

/// Texts of an array of strings; `None` for what is none.
pub(crate) fn strings<'v>(value: &'v DeValue<'_>) -> Option<Vec<(&'v str, usize)>> {
    let texts = value.as_array()?.iter().map(|item| {
        let text = item.get_ref().as_str()?;
        Some((text, item.span().start))
    });
    texts.collect()
}

/// The column that an error of a formula names.
fn formula_column(message: &str) -> Option<usize> {
    let (_, after) = message.split_once("(character ")?;
    let (digits, _) = after.split_once(" of ")?;
    digits.parse().ok().filter(|&column| column < 1000)
}

/// Serde's words and the nearest names: message and help. `thing` says what has
/// the keys.
pub(crate) fn explain(message: &str, thing: &str) -> (String, String) {
    let message = message.trim();
    let names: Vec<&str> = message.split('`').skip(1).step_by(2).collect();
    let candidates = names.get(1..).unwrap_or_default();
    if let (Some(name), true) = (names.first(), message.starts_with("unknown field")) {
        return (
            format!("unknown key `{name}` in {thing}"),
            did_you_mean(name, candidates),
        );
    }
    if let (Some(name), true) = (names.first(), message.starts_with("unknown variant")) {
        return (
            format!("unknown name `{name}`"),
            did_you_mean(name, candidates),
        );
    }
    if let (Some(name), true) = (names.first(), message.starts_with("missing field")) {
        return (
            format!("the key `{name}` is missing in {thing}"),
            format!("add a line `{name} = …`"),
        );
    }
    // Our own types say what to write in a second line.
    if let Some((message, help)) = message.split_once("\nhelp: ") {
        return (message.to_owned(), help.to_owned());
    }
    let help = if message.starts_with("invalid type") {
        "strings stand in quotes, numbers and true or false do not, lists in [ ]"
    } else if message.contains("duplicate key") {
        "keep one of the two"
    } else {
        "one `key = value` a line: strings in quotes, lists in [ ]"
    };
    (message.replace('\n', "; "), help.to_owned())
}
