//! TOML inside a lesson: front matter and the bodies of cells and `set` blocks. Errors are
//! reported at their position in the file.

use std::borrow::Cow;
use std::cell::Cell;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place, short_number};
use toml::Spanned;
use toml::de::{DeInteger, DeTable, DeValue};

use super::number::check_number;
use super::toml_error::{LINES_HELP, ValueError};

/// A piece of TOML in a file. It may be indented there, so that its lines come from
/// separate ranges of the file.
pub(crate) struct Body<'a> {
    source: &'a LessonSource<'a>,
    /// The TOML without its indentation.
    pub(crate) text: String,
    /// Byte offset of each segment, in `text` and in the file.
    segments: Vec<(usize, usize)>,
    /// Byte offset in the file of the end of `text`.
    end: usize,
}

/// A key of a TOML table with its value, and the position of both.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'a, 't> {
    pub(crate) key: &'a Spanned<Cow<'t, str>>,
    pub(crate) value: &'a Spanned<DeValue<'t>>,
}

impl<'a> Body<'a> {
    /// Creates an empty body that begins at byte `start` of the file.
    pub(crate) fn new(source: &'a LessonSource<'a>, start: usize) -> Self {
        Self { source, text: String::new(), segments: Vec::new(), end: start }
    }

    /// Appends text found at byte `offset` of the file.
    pub(crate) fn push(&mut self, text: &str, offset: usize) {
        self.segments.push((self.text.len(), offset));
        self.text.push_str(text);
        self.end = offset + text.len();
    }

    /// Converts a byte offset in `text` to one in the file.
    pub(crate) fn offset(&self, in_text: usize) -> usize {
        if in_text >= self.text.len() {
            return self.end;
        }
        let next = self.segments.partition_point(|&(at, _)| at <= in_text);
        next.checked_sub(1)
            .and_then(|index| self.segments.get(index))
            .map_or(self.end, |&(at, offset)| offset + (in_text - at))
    }

    /// Line and column in the file of a byte offset in `text`.
    pub(crate) fn at(&self, in_text: usize) -> LineColumn {
        self.source.at(self.offset(in_text))
    }

    /// Parses the TOML, rejecting numbers that are not finite or too large.
    pub(crate) fn table(&self) -> Result<DeTable<'_>, Diagnostic> {
        let table =
            DeTable::parse(&self.text).map_err(|error| self.syntax_error(&error))?.into_inner();
        for (_, value) in &table {
            self.check_numbers(value)?;
        }
        Ok(table)
    }

    /// Rejects NaN, infinity and numbers beyond the limit, at any depth.
    fn check_numbers(&self, value: &Spanned<DeValue<'_>>) -> Result<(), Diagnostic> {
        match value.get_ref() {
            DeValue::Integer(_) | DeValue::Float(_) => match number(value.get_ref()) {
                Some(number) => check_number(number).map(|_| ()),
                None => Err(Diagnostic::expected("a number of ordinary size", "")),
            }
            .map_err(|error| self.error(value.span().start, error.help(FINITE_HELP))),
            DeValue::Array(values) => values.iter().try_for_each(|v| self.check_numbers(v)),
            DeValue::Table(table) => table.iter().try_for_each(|(_, v)| self.check_numbers(v)),
            _ => Ok(()),
        }
    }

    /// Moves a diagnostic to a byte offset in `text`.
    pub(crate) fn error(&self, in_text: usize, error: Diagnostic) -> Diagnostic {
        self.source.error(self.offset(in_text), error)
    }

    /// Converts an error of the TOML parser, which has only a message.
    fn syntax_error(&self, error: &toml::de::Error) -> Diagnostic {
        let message = error.message();
        let start = error.span().map_or(0, |span| span.start);
        let line = self.text.get(..start).map_or(0, |before| before.matches('\n').count());
        let said = message.trim().replace('\n', "; ");
        let (said, help) = match self.text.lines().nth(line) {
            _ if message == DUPLICATE_KEY => (said, "keep one of the two"),
            Some(line) if has_bare_unit(line) => {
                ("a number with a unit is without quotes".to_owned(), UNIT_HELP)
            }
            _ => (said, LINES_HELP),
        };
        self.error(start, Diagnostic::said("INVALID_TOML", said).help(help))
    }

    /// Converts an error of deserialization. One without a position, such as a missing
    /// key, is placed at byte `fallback` of the file. `thing` names the owner of the keys.
    pub(crate) fn value_error(
        &self,
        error: ValueError,
        fallback: usize,
        thing: &str,
    ) -> Diagnostic {
        let start = error.start;
        let error = error.into_diagnostic(thing);
        match (start, &error.at) {
            // The formula begins after the quote of its string.
            (Some(start), Place::Character(_)) => self.error(start + 1, error),
            (Some(start), _) => self.error(start, error),
            (None, _) => self.source.error(fallback, error),
        }
    }

    /// All keys with the positions of their values; nested ones as `lines[0].expr`.
    pub(crate) fn keys(&self, table: &DeTable<'_>) -> Vec<(String, LineColumn)> {
        let mut keys = Vec::new();
        for Entry { key, value } in in_order(table) {
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
                for Entry { key, value } in in_order(table) {
                    self.collect_keys(&format!("{path}.{}", key.get_ref()), value, keys);
                }
            }
            _ => {}
        }
    }
}

/// Whether the value of the line is a number with a unit but no quotes: `turn = 20deg`.
fn has_bare_unit(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    let unit = value.trim_start_matches(|c: char| c.is_ascii_digit() || "+-−.".contains(c));
    unit.len() < value.len() && (unit.starts_with("deg") || unit.starts_with('°'))
}

const UNIT_HELP: &str = "write \"20deg\"";

/// Message of the TOML parser for a repeated key.
const DUPLICATE_KEY: &str = "duplicate key";
const FINITE_HELP: &str = "write a finite number of ordinary size, such as 0.8";

/// The entries of a table in the order of the text.
pub(crate) fn in_order<'a, 't>(table: &'a DeTable<'t>) -> Vec<Entry<'a, 't>> {
    let mut entries: Vec<_> = table.iter().map(|(key, value)| Entry { key, value }).collect();
    entries.sort_by_key(|entry| entry.key.span().start);
    entries
}

/// Returns the value at a path such as `also[0].label`.
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

/// Returns the value as f64, or `None` if it is not a number.
pub(crate) fn number(value: &DeValue<'_>) -> Option<f64> {
    match value {
        DeValue::Integer(digits) => integer(digits).map(|integer| integer as f64),
        DeValue::Float(float) => float.as_str().parse().ok(),
        _ => None,
    }
}

/// Returns the integer, or `None` if it exceeds 64 bits.
pub(crate) fn integer(digits: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(digits.as_str(), digits.radix()).ok()
}

/// Returns the items of an array of strings, each with its byte offset, or `None` if the
/// value is anything else.
pub(crate) fn strings<'v>(value: &'v DeValue<'_>) -> Option<Vec<(&'v str, usize)>> {
    let texts = value.as_array()?.iter().map(|item| {
        let text = item.get_ref().as_str()?;
        Some((text, item.span().start))
    });
    texts.collect()
}

// Values of settings before their key gives them a meaning.

/// An uninterpreted value, from TOML or from a link.
pub(crate) enum RawValue<'a> {
    Number(f64),
    Text(&'a str),
    /// Text of a link that is not a number: one name or several.
    Link(&'a str),
    List(Vec<&'a str>),
    /// Any other value, described for an error message.
    Other(&'static str),
}

const NO_STRINGS: &str = "a list of other things than strings";

impl<'a> RawValue<'a> {
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

    /// Like [`Self::from_toml`], for a value without a position.
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

    /// Returns the single name.
    pub(super) fn name(&self) -> Option<&'a str> {
        match self {
            Self::Text(name) | Self::Link(name) => Some(name),
            _ => None,
        }
    }

    /// Returns several names. In links they are joined by `+`, or by commas where a comma
    /// does not end the setting.
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

    /// Describes the value for an error message.
    pub(super) fn found(&self) -> String {
        match self {
            Self::Number(number) => format!("the number {}", short_number(*number)),
            Self::Text(text) | Self::Link(text) => format!("`{text}`"),
            Self::List(_) => "a list".to_owned(),
            Self::Other(words) => (*words).to_owned(),
        }
    }
}

/// Parses a whole number from 0 to `limit`. `what` names the numbered thing in errors.
pub(super) fn index(written: &RawValue<'_>, what: &str, limit: u32) -> Result<u32, Diagnostic> {
    match written {
        RawValue::Number(number)
            if number.fract() == 0.0 && (0.0..=f64::from(limit)).contains(number) =>
        {
            Ok(*number as u32)
        }
        _ => Err(Diagnostic::expected(format!("the number of a {what}, from 0"), written.found())
            .help("write a whole number without quotes, such as 1")),
    }
}

// Positions in a file.

/// Maximum size of a text file.
pub(crate) const MAX_BYTES: usize = 512 * 1024;

/// A text with its file name, which converts byte offsets to lines and columns.
pub(crate) struct LessonSource<'a> {
    pub(crate) file: String,
    pub(crate) text: &'a str,
    line_starts: Vec<usize>,
    /// The most recent result, as a starting point for the next: offsets mostly increase,
    /// and counting the columns of a long line from its start each time would be slow.
    last: Cell<(usize, LineColumn)>,
    /// For a text embedded in another: the position there of each byte.
    within: Option<Vec<LineColumn>>,
}

impl<'a> LessonSource<'a> {
    pub(crate) fn new(file: String, text: &'a str) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            file,
            text,
            line_starts: std::iter::once(0).chain(ends).collect(),
            last: Cell::default(),
            within: None,
        }
    }

    /// A text embedded in this one, perhaps with escapes. `places` holds the positions of
    /// its bytes and of its end.
    pub(crate) fn part<'p>(&self, text: &'p str, places: Vec<LineColumn>) -> LessonSource<'p> {
        LessonSource { within: Some(places), ..LessonSource::new(self.file.clone(), text) }
    }

    /// Line and column of a byte offset. Offsets past the end count as the end.
    pub(crate) fn at(&self, offset: usize) -> LineColumn {
        let offset = offset.min(self.text.len());
        if let Some(places) = &self.within {
            let place = places.get(offset).or(places.last());
            return place.copied().unwrap_or_default();
        }
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start =
            line.checked_sub(1).and_then(|index| self.line_starts.get(index)).copied().unwrap_or(0);
        let (last_offset, last) = self.last.get();
        let (from, column) = if last.line == line && (start..=offset).contains(&last_offset) {
            (last_offset, last.column)
        } else {
            (start, 1)
        };
        let between = self.text.get(from..).unwrap_or_default();
        let chars = between.char_indices().take_while(|&(at, _)| from + at < offset).count();
        let at = LineColumn { line, column: column + chars };
        if self.text.is_char_boundary(offset) {
            self.last.set((offset, at));
        }
        at
    }

    /// Moves a diagnostic to a byte offset. If it points at a character of a formula,
    /// the offset is where the formula begins.
    pub(crate) fn error(&self, offset: usize, error: Diagnostic) -> Diagnostic {
        let at = self.at(offset);
        let at = match error.at {
            Place::Character(character) => at.right(character.saturating_sub(1)),
            _ => at,
        };
        error.at(Place::text(&self.file, at))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_columns_count_characters_from_one() {
        let source = LessonSource::new("f.md".to_owned(), "aé\nxyz\n");
        let at = |offset| {
            let LineColumn { line, column } = source.at(offset);
            (line, column)
        };
        assert_eq!(at(0), (1, 1));
        assert_eq!(at(3), (1, 3), "é is two bytes and one column");
        assert_eq!(at(4), (2, 1));
        assert_eq!(at(7), (2, 4));
        assert_eq!(at(8), (3, 1));
        assert_eq!(at(999), (3, 1));
        assert_eq!(at(6), (2, 3));
        assert_eq!(at(7), (2, 4), "from the place before");
        assert_eq!(at(5), (2, 2), "and backwards");
        assert_eq!(at(2), (1, 3), "within a character: after it");
    }
}
