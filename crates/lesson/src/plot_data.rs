//! Data of a plot: a table of numbers, from rows in the cell or from a file, or a path along
//! the vertices of a mesh, `[[49, 72], 3]`.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_skin::keyed;

/// Maximum number of rows; more could not be distinguished in a plot.
pub(super) const MAX_ROWS: usize = 20_000;
pub(super) const MAX_COLUMNS: usize = 64;

/// A table of numbers, with columns of equal length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DataTable {
    pub(super) columns: Vec<Column>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Column {
    pub(super) name: String,
    /// Values from the top. `None` for an empty cell.
    pub(super) values: Vec<Option<f64>>,
    /// Error about the first cell that is not a number.
    pub(super) error: Option<Diagnostic>,
}

impl DataTable {
    /// Creates a table without rows. Names must be unique and not empty.
    pub(super) fn with_columns(
        names: Vec<(LineColumn, String)>,
    ) -> Result<Self, (LineColumn, Diagnostic)> {
        let mut columns: Vec<Column> = Vec::new();
        for (at, name) in names {
            let error = if name.is_empty() {
                Diagnostic::expected("a name of the column", "")
            } else if columns.iter().any(|column| column.name == name) {
                Diagnostic::expected("another name", format!("`{name}` a second time"))
            } else {
                columns.push(Column { name, values: Vec::new(), error: None });
                continue;
            };
            return Err((at, error.help("give each column a name of its own")));
        }
        Ok(Self { columns })
    }

    /// Names of the columns from the left.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| column.name.as_str())
    }

    /// Returns the values of a column from the top; `None` for an empty cell.
    ///
    /// # Errors
    /// If there is no such column, or one of its cells is not a number.
    pub fn column(&self, name: &str) -> Result<&[Option<f64>], Diagnostic> {
        let names: Vec<&str> = self.names().collect();
        let column = self
            .columns
            .iter()
            .find(|column| column.name == name)
            .ok_or_else(|| Diagnostic::unknown("column", name, &names))?;
        match &column.error {
            Some(error) => Err(error.clone()),
            None => Ok(&column.values),
        }
    }
}

/// Source of the numbers of a plot.
#[derive(Clone, Debug, PartialEq)]
pub enum PlotData {
    /// Rows in the body of the cell.
    Rows(DataTable),
    /// A file in the folder of the lesson, by its name, and its table once it was read.
    File(String, Option<DataTable>),
}

impl PlotData {
    /// Returns the table, or `None` if its file was not read.
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
            toml::Value::String(name) if is_csv_name(&name) => Ok(Self::File(name, None)),
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

/// Whether the name is the path of a CSV file within the folder of the lesson.
fn is_csv_name(name: &str) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| ending.eq_ignore_ascii_case("csv"))
        && name.split('/').all(|part| {
            !part.is_empty()
                && !part.starts_with('.')
                && part.chars().all(|c| !c.is_control() && !matches!(c, '\\' | ':'))
        })
}

/// Parses rows, the first of which holds the names of the columns.
fn rows_table(rows: Vec<toml::Value>) -> Result<DataTable, Diagnostic> {
    let count = rows.len();
    let mut rows = rows.into_iter().map(|row| match row {
        toml::Value::Array(cells) => cells,
        other => vec![other],
    });
    let begin = LineColumn { line: 1, column: 1 };
    let names: Option<Vec<(LineColumn, String)>> = rows
        .next()
        .unwrap_or_default()
        .iter()
        .map(|name| Some((begin, name.as_str()?.trim().to_owned())))
        .collect();
    let Some(names) = names.filter(|names| !names.is_empty() && count > 1) else {
        let expected = "a row of names and then rows of numbers";
        return Err(Diagnostic::expected(expected, "").help(HELP));
    };
    if names.len() > MAX_COLUMNS || count > MAX_ROWS {
        let expected = format!("at most {MAX_COLUMNS} columns and {MAX_ROWS} rows");
        return Err(Diagnostic::expected(expected, "").help(HELP));
    }
    let mut table = DataTable::with_columns(names).map_err(|(_, error)| error)?;
    for (index, row) in rows.enumerate() {
        if row.len() != table.columns.len() {
            let expected = format!("{} numbers in row {}", table.columns.len(), index + 1);
            return Err(Diagnostic::expected(expected, row.len().to_string()).help(HELP));
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
                return Err(Diagnostic::expected(expected, format!("`{cell}`")).help(HELP));
            }
            column.values.push(number);
        }
    }
    Ok(table)
}

/// Maximum number of vertices in a path.
pub const MAX_PATH_VERTICES: usize = 10_000;

/// Part of a path along vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPart {
    /// A vertex, by its number.
    Vertex(u32),
    /// All vertices from the first number to the last, in either direction.
    Run(u32, u32),
}

keyed! {
    /// Measure of the axis along a path.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    pub enum PathMeasure {
        /// Length of the path so far, along the stored positions.
        #[default]
        Length = "length",
        /// Number of vertices before.
        Number = "number",
    }
}

impl PathPart {
    /// Largest vertex number in the part.
    pub fn last(self) -> u32 {
        match self {
            Self::Vertex(vertex) => vertex,
            Self::Run(first, last) => first.max(last),
        }
    }

    /// Number of vertices in the part.
    pub fn count(self) -> usize {
        match self {
            Self::Vertex(_) => 1,
            Self::Run(first, last) => first.abs_diff(last) as usize + 1,
        }
    }

    /// Vertex numbers of the part, in order.
    pub fn vertices(self) -> impl Iterator<Item = u32> {
        let (first, last) = match self {
            Self::Vertex(vertex) => (vertex, vertex),
            Self::Run(first, last) => (first, last),
        };
        let is_descending = first > last;
        (0..=first.abs_diff(last))
            .map(move |offset| if is_descending { first - offset } else { first + offset })
    }
}

impl TryFrom<toml::Value> for PathPart {
    type Error = Diagnostic;

    fn try_from(written: toml::Value) -> Result<Self, Diagnostic> {
        let part = match &written {
            toml::Value::Array(ends) => match ends.as_slice() {
                [first, last] => parse_vertex(first)
                    .zip(parse_vertex(last))
                    .map(|(first, last)| Self::Run(first, last)),
                _ => None,
            },
            value => parse_vertex(value).map(Self::Vertex),
        };
        part.ok_or_else(|| {
            Diagnostic::expected("the number of a vertex, or the first and the last of several", "")
                .help("write along = [[49, 72]], or along = [3, 9, 17]")
        })
    }
}

fn parse_vertex(value: &toml::Value) -> Option<u32> {
    u32::try_from(value.as_integer()?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_can_be_ascending_or_descending() {
        let numbers = |part: PathPart| part.vertices().collect::<Vec<u32>>();
        assert_eq!(numbers(PathPart::Run(3, 6)), [3, 4, 5, 6]);
        assert_eq!(numbers(PathPart::Run(2, 0)), [2, 1, 0]);
        assert_eq!(numbers(PathPart::Vertex(7)), [7]);
        assert_eq!(PathPart::Run(6, 3).count(), 4);
        assert_eq!(PathPart::Run(0, u32::MAX).count(), 1 << 32);
    }
}
