//! TOML inside a lesson: front matter, bodies of cells and of `set` blocks,
//! with errors placed in the file.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::number::checked;
use super::source::LessonSource;
use super::toml_error::{LINES_HELP, ValueError};

/// TOML as it stands in a file, perhaps indented there, so that one stretch of
/// it comes from several places.
pub(crate) struct Body<'a> {
    source: &'a LessonSource<'a>,
    /// Without the indentation.
    pub(crate) text: String,
    /// Where stretches begin: in `text`, in the file.
    stretches: Vec<(usize, usize)>,
    end: usize,
}

pub(crate) type Entry<'a, 't> = (&'a Spanned<std::borrow::Cow<'t, str>>, &'a Spanned<DeValue<'t>>);

impl<'a> Body<'a> {
    /// Nothing yet; `start` is where the body would begin in the file.
    pub(crate) fn new(source: &'a LessonSource<'a>, start: usize) -> Self {
        Self { source, text: String::new(), stretches: Vec::new(), end: start }
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
    pub(crate) fn at(&self, in_text: usize) -> LineColumn {
        self.source.at(self.offset(in_text))
    }

    /// The table, when it is TOML without absurd numbers.
    pub(crate) fn table(&self) -> Result<DeTable<'_>, Diagnostic> {
        let table = DeTable::parse(&self.text).map_err(|error| self.not_toml(&error))?.into_inner();
        for (_, value) in &table {
            self.check_numbers(value)?;
        }
        Ok(table)
    }

    /// Refuses NaN, infinity and absurd numbers, wherever they are.
    fn check_numbers(&self, value: &Spanned<DeValue<'_>>) -> Result<(), Diagnostic> {
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => match number(value.get_ref()) {
                Some(number) => checked(number).map(|_| ()),
                None => Err(Diagnostic::expected("a number of ordinary size", "")),
            }
            .map_err(|wrong| self.error(value.span().start, wrong.help(FINITE_HELP))),
            DeValue::Array(values) => values.iter().try_for_each(|v| self.check_numbers(v)),
            DeValue::Table(table) => table.iter().try_for_each(|(_, v)| self.check_numbers(v)),
            _ => Ok(()),
        }
    }

    /// What is wrong, at an offset in `text`.
    pub(crate) fn error(&self, in_text: usize, wrong: Diagnostic) -> Diagnostic {
        self.source.error(self.offset(in_text), wrong)
    }

    /// What the TOML parser says; it has words alone.
    fn not_toml(&self, error: &toml::de::Error) -> Diagnostic {
        let message = error.message();
        let help = if message == DUPLICATE_KEY { "keep one of the two" } else { LINES_HELP };
        let wrong = Diagnostic::said("INVALID_TOML", message.trim().replace('\n', "; "));
        let start = error.span().map_or(0, |span| span.start);
        self.error(start, wrong.help(help))
    }

    /// What the schema says. What has no place of its own, such as a missing key,
    /// is placed at offset `fallback` of the file; `thing` says what has the keys.
    pub(crate) fn value_error(
        &self,
        error: ValueError,
        fallback: usize,
        thing: &str,
    ) -> Diagnostic {
        let start = error.start;
        let wrong = error.into_diagnostic(thing);
        match (start, &wrong.at) {
            // A formula begins behind the quote of its string.
            (Some(start), Place::Character(_)) => self.error(start + 1, wrong),
            (Some(start), _) => self.error(start, wrong),
            (None, _) => self.source.error(fallback, wrong),
        }
    }

    /// Every key with the place of its value: `lines[0].expr`.
    pub(crate) fn keys(&self, table: &DeTable<'_>) -> Vec<(String, LineColumn)> {
        let mut keys = Vec::new();
        for (key, value) in in_order(table) {
            self.collect_keys(key.get_ref(), value, &mut keys);
        }
        keys
    }

    fn collect_keys(
        &self,
        path: &str,
        value: &Spanned<DeValue<'_>>,
        keys: &mut Vec<(String, LineColumn)>,
    ) {
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

/// What the parser says of a key that stands there twice.
const DUPLICATE_KEY: &str = "duplicate key";
const FINITE_HELP: &str = "write a finite number of ordinary size, such as 0.8";

/// The entries in the order of the text.
pub(crate) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<Entry<'a, 't>> {
    let mut entries: Vec<_> = table.iter().collect();
    entries.sort_by_key(|(key, _)| key.span().start);
    entries
}

/// The value at a path such as `also[0].label`.
pub(crate) fn value_at<'a, 't>(
    table: &'a DeTable<'t>,
    path: &str,
) -> Option<&'a Spanned<DeValue<'t>>> {
    let mut value: Option<&Spanned<DeValue<'_>>> = None;
    for part in path.split('.') {
        let (key, indices) = part.split_once('[').unwrap_or((part, ""));
        let here = match value {
            None => table,
            Some(value) => value.get_ref().as_table()?,
        };
        let mut found = here.get(key)?;
        for index in indices.split('[').filter(|index| !index.is_empty()) {
            let index: usize = index.trim_end_matches(']').parse().ok()?;
            found = found.get_ref().as_array()?.get(index)?;
        }
        value = Some(found);
    }
    value
}

/// A number as f64; `None` for what is none.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(digits) => integer(digits).map(|integer| integer as f64),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

/// A whole number; `None` where it has too many digits.
pub(crate) fn integer(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

/// Texts of an array of strings; `None` for what is none.
pub(crate) fn strings<'v>(value: &'v DeValue<'_>) -> Option<Vec<(&'v str, usize)>> {
    let texts = value.as_array()?.iter().map(|item| {
        let text = item.get_ref().as_str()?;
        Some((text, item.span().start))
    });
    texts.collect()
}
