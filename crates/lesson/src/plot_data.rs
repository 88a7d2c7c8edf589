//! What a plot is drawn over: a table of numbers, from rows in the cell or from a file, or
//! a path along the vertices of a mesh, `[[49, 72], 3]`.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_skin::keyed;

/// More are not told apart in a plot.
pub(super) const MAX_ROWS: usize = 20_000;
/// More are refused.
pub(super) const MAX_COLUMNS: usize = 64;

/// Columns of numbers, all as long.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTable {
    pub(super) columns: Vec<Column>,
}

/// One column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    /// From the top; absent where nothing was measured.
    pub(super) values: Vec<Option<f64>>,
    /// The first cell that is no number.
    pub(super) wrong: Option<Diagnostic>,
}

impl DataTable {
    /// Without rows, by names that are not empty, each once.
    pub(super) fn with_columns(
        names: Vec<(LineColumn, String)>,
    ) -> Result<Self, (LineColumn, Diagnostic)> {
        let mut columns: Vec<Column> = Vec::new();
        for (at, name) in names {
            let wrong = if name.is_empty() {
                Diagnostic::expected("a name of the column", "")
            } else if columns.iter().any(|column| column.name == name) {
                Diagnostic::expected("another name", format!("`{name}` a second time"))
            } else {
                columns.push(Column { name, values: Vec::new(), wrong: None });
                continue;
            };
            return Err((at, wrong.help("give each column a name of its own")));
        }
        Ok(Self { columns })
    }

    /// Of the columns, from the left.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// The numbers of a column, from the top; absent where nothing was measured.
    ///
    /// Fails when there is no such column, or one of its cells is no number.
    pub fn column(&self, name: &str) -> Result<&[Option<f64>], Diagnostic> {
        let names: Vec<&str> = self.names().collect();
        let found = self.columns.iter().find(|column| column.name == name);
        let column = found.ok_or_else(|| Diagnostic::unknown("column", name, &names))?;
        match &column.wrong {
            Some(wrong) => Err(wrong.clone()),
            None => Ok(&column.values),
        }
    }
}

/// Where the numbers of a plot come from.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotData {
    /// Rows in the cell.
    Rows(DataTable),
    /// A file of the lesson's folder, by its name; its table, once it was read.
    File(String, Option<DataTable>),
}

impl PlotData {
    /// `None` while its file was not read.
    pub fn table(&self) -> Option<&DataTable> {
        match self {
            Self::Rows(table) => Some(table),
            Self::File(_, table) => table.as_ref(),
        }
    }
}

const HELP: &str =
    "write data = \"measured.csv\", or data = [[\"t\", \"height\"], [0, 1.5], [1, 2.25]]";

impl TryFrom<toml::Value> for PlotData {
    type Error = Diagnostic;

    fn try_from(written: toml::Value) -> Result<Self, Diagnostic> {
        match written {
            toml::Value::String(name) if is_plain(&name) => Ok(Self::File(name, None)),
            toml::Value::String(name) => {
                let expected = "the name of a .csv file in the lesson's folder";
                Err(Diagnostic::expected(expected, format!("`{name}`")).help(HELP))
            }
            toml::Value::Array(rows) => rows_table(rows).map(Self::Rows),
            other => {
                let expected = "the name of a .csv file, or rows";
                let found = format!("a {}", other.type_str());
                Err(Diagnostic::expected(expected, found).help(HELP))
            }
        }
    }
}

/// Of the lesson's own folder and those in it.
fn is_plain(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':'))
    };
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("csv")) && name.split('/').all(part)
}

/// The first row has names.
fn rows_table(rows: Vec<toml::Value>) -> Result<DataTable, Diagnostic> {
    let wrong = |expected: &str, found: String| Diagnostic::expected(expected, found).help(HELP);
    let count = rows.len();
    let mut rows = rows.into_iter().map(|row| match row {
        toml::Value::Array(cells) => cells,
        other => vec![other],
    });
    let names = rows.next().unwrap_or_default();
    let names = names.iter().map(|name| Some(name.as_str()?.trim().to_owned()));
    let names = names.collect::<Option<Vec<String>>>();
    let names = names.filter(|names| !names.is_empty() && count > 1);
    let Some(names) = names else {
        return Err(wrong("a row of names and then rows of numbers", String::new()));
    };
    if names.len() > MAX_COLUMNS || count > MAX_ROWS {
        let expected = format!("at most {MAX_COLUMNS} columns and {MAX_ROWS} rows");
        return Err(wrong(&expected, String::new()));
    }
    let begin = LineColumn { line: 1, column: 1 };
    let names = names.into_iter().map(|name| (begin, name)).collect();
    let mut table = DataTable::with_columns(names).map_err(|(_, wrong)| wrong)?;
    for (index, row) in rows.enumerate() {
        if row.len() != table.columns.len() {
            let expected = format!("{} numbers in row {}", table.columns.len(), index + 1);
            return Err(wrong(&expected, row.len().to_string()));
        }
        for (column, cell) in table.columns.iter_mut().zip(row) {
            let number = match &cell {
                toml::Value::Integer(number) => Some(*number as f64),
                toml::Value::Float(number) => Some(*number).filter(|number| number.is_finite()),
                _ => None,
            };
            let empty = cell.as_str().is_some_and(str::is_empty);
            if number.is_none() && !empty {
                let expected = format!("a number in row {}", index + 1);
                return Err(wrong(&expected, format!("`{cell}`")));
            }
            column.values.push(number);
        }
    }
    Ok(table)
}

/// Longer paths are refused.
pub const MAX_PATH: usize = 10_000;

/// A vertex, or all from one to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// By its number.
    Vertex(u32),
    /// From the first to the last by number, either way.
    Run(u32, u32),
}

keyed! {
    /// What the axis of a path counts.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PathMeasure {
        /// How long it is up to there, along the stored vertices.
        #[default]
        Length = "length",
        /// How many vertices come before.
        Number = "number",
    }
}

impl PathPart {
    /// The largest number in it.
    pub fn last(self) -> u32 {
        match self {
            Self::Vertex(vertex) => vertex,
            Self::Run(first, last) => first.max(last),
        }
    }

    /// How many vertices it has.
    pub fn count(self) -> usize {
        match self {
            Self::Vertex(_) => 1,
            Self::Run(first, last) => first.abs_diff(last) as usize + 1,
        }
    }

    /// Their numbers, in order.
    pub fn vertices(self) -> impl Iterator<Item = u32> {
        let (first, last) = match self {
            Self::Vertex(vertex) => (vertex, vertex),
            Self::Run(first, last) => (first, last),
        };
        let back = first > last;
        (0..=first.abs_diff(last)).map(move |at| if back { first - at } else { first + at })
    }
}

impl TryFrom<toml::Value> for PathPart {
    type Error = Diagnostic;

    fn try_from(written: toml::Value) -> Result<Self, Diagnostic> {
        let vertex = |value: &toml::Value| u32::try_from(value.as_integer()?).ok();
        let part = match &written {
            toml::Value::Array(ends) => match ends.as_slice() {
                [first, last] => vertex(first).zip(vertex(last)),
                _ => None,
            }
            .map(|(first, last)| Self::Run(first, last)),
            value => vertex(value).map(Self::Vertex),
        };
        part.ok_or_else(|| {
            Diagnostic::expected("the number of a vertex, or the first and the last of several", "")
                .help("write along = [[49, 72]], or along = [3, 9, 17]")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_goes_either_way() {
        let numbers = |part: PathPart| part.vertices().collect::<Vec<u32>>();
        assert_eq!(numbers(PathPart::Run(3, 6)), [3, 4, 5, 6]);
        assert_eq!(numbers(PathPart::Run(2, 0)), [2, 1, 0]);
        assert_eq!(numbers(PathPart::Vertex(7)), [7]);
        assert_eq!(PathPart::Run(6, 3).count(), 4);
        assert_eq!(PathPart::Run(0, u32::MAX).count(), 1 << 32);
    }
}
