//! Reads tables of numbers from comma-separated values (RFC 4180). Semicolons and tabs
//! separate too. Between semicolons, numbers can have a decimal comma.

use std::collections::BTreeMap;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

use super::plot_data::{Column, DataTable, MAX_COLUMNS, MAX_ROWS};
use super::{CellKind, FileBytes, Lesson, LessonOutline, MentionKind, PlotData};

/// Maximum size of a CSV text.
pub const MAX_CSV_BYTES: usize = 1024 * 1024;
/// Maximum length of a cell, in characters.
const MAX_CELL_CHARS: usize = 200;

/// Parses a table whose first line names the columns. Skips empty lines and lines that begin
/// with `#`. A cell that is not a number is an error only if its column is used.
///
/// # Errors
/// If a row does not match the header, or a limit is exceeded. The error is placed in
/// `file`.
pub fn csv_table(file: &str, text: &str) -> Result<DataTable, Diagnostic> {
    parse_table(file, text).map_err(|CsvError { at, error }| error.at(Place::text(file, at)))
}

fn parse_table(file: &str, text: &str) -> Result<DataTable, CsvError> {
    let begin = LineColumn { line: 1, column: 1 };
    if text.len() > MAX_CSV_BYTES {
        let expected = format!("at most {MAX_CSV_BYTES} bytes");
        let error = Diagnostic::expected(expected, text.len().to_string());
        return Err(CsvError { at: begin, error: error.help("leave out rows that nobody sees") });
    }
    let text = text.trim_start_matches('\u{feff}');
    let separator = detect_separator(text);
    let mut rows = split_rows(text, separator)?;
    if rows.len() < 2 {
        let error = Diagnostic::expected("a line with names and a row of numbers", "");
        let help = "write t,height and below it 0,1.5";
        return Err(CsvError { at: begin, error: error.help(help) });
    }
    let body = rows.split_off(1);
    let head = rows.pop().unwrap_or_default();
    let names = head.iter().map(|(at, name)| (*at, name.trim().to_owned())).collect();
    let mut table = DataTable::with_columns(names).map_err(|(at, error)| CsvError { at, error })?;
    if body.len() > MAX_ROWS {
        let expected = format!("at most {MAX_ROWS} rows");
        let error = Diagnostic::expected(expected, body.len().to_string());
        let row = body.get(MAX_ROWS).and_then(|row| row.first());
        let at = row.map_or(begin, |(at, _)| *at);
        return Err(CsvError { at, error: error.help("leave out rows that nobody sees") });
    }
    for row in body {
        let at = row.first().map_or(begin, |(at, _)| *at);
        if row.len() != table.columns.len() {
            let expected = format!("{} cells, as many as names", table.columns.len());
            let error = Diagnostic::expected(expected, row.len().to_string());
            let help = "fill up rows that are shorter; put texts with separators in quotes";
            return Err(CsvError { at, error: error.help(help) });
        }
        for (column, (at, cell)) in table.columns.iter_mut().zip(row) {
            push_cell(column, cell.trim(), separator, Place::text(file, at));
        }
    }
    Ok(table)
}

/// Adds a cell to its column. The first cell that is not a number is kept as an error.
fn push_cell(column: &mut Column, cell: &str, separator: char, at: Place) {
    let plain = cell.replace('−', "-");
    let plain = match separator {
        ';' => plain.replace(',', "."),
        _ => plain,
    };
    let number = plain.parse().ok().filter(|number: &f64| number.is_finite());
    if number.is_none() && !cell.is_empty() && column.error.is_none() {
        let error = Diagnostic::expected("a number", format!("`{cell}`"));
        let help = "write 1.5, or leave the cell empty where nothing was measured";
        column.error = Some(error.help(help).at(at));
    }
    column.values.push(number);
}

/// Detects the separator from the header.
fn detect_separator(text: &str) -> char {
    let mut lines = text.lines().filter(|line| !is_skipped(line));
    let head = lines.next().unwrap_or_default();
    [';', '\t'].into_iter().find(|&separator| head.contains(separator)).unwrap_or(',')
}

fn is_skipped(line: &str) -> bool {
    line.trim().is_empty() || line.starts_with('#')
}

/// A cell with its position.
type Cell = (LineColumn, String);

struct CsvError {
    at: LineColumn,
    error: Diagnostic,
}

/// Splits the text into rows of cells.
fn split_rows(text: &str, separator: char) -> Result<Vec<Vec<Cell>>, CsvError> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    let mut reader =
        CsvReader { chars: text.chars().peekable(), at: LineColumn { line: 1, column: 1 } };
    while let Some(&first) = reader.chars.peek() {
        if first == '#' || first == '\n' || first == '\r' {
            reader.skip_line();
            continue;
        }
        let row = reader.row(separator)?;
        if row.len() > 1 || row.iter().any(|(_, cell)| !cell.trim().is_empty()) {
            rows.push(row);
        }
    }
    Ok(rows)
}

struct CsvReader<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
    at: LineColumn,
}

impl CsvReader<'_> {
    fn next(&mut self) -> Option<char> {
        let next = self.chars.next()?;
        self.at = match next {
            '\n' => LineColumn { line: self.at.line + 1, column: 1 },
            _ => self.at.right(1),
        };
        Some(next)
    }

    fn skip_line(&mut self) {
        while self.next().is_some_and(|next| next != '\n') {}
    }

    /// Reads a row and the end of its line.
    fn row(&mut self, separator: char) -> Result<Vec<Cell>, CsvError> {
        let mut row = Vec::new();
        loop {
            let at = self.at;
            if row.len() >= MAX_COLUMNS {
                let error = Diagnostic::expected(format!("at most {MAX_COLUMNS} columns"), "more")
                    .help("leave out columns that nobody sees");
                return Err(CsvError { at, error });
            }
            row.push((at, self.cell(separator)?));
            match self.next() {
                Some(next) if next == separator => {}
                Some('\r') if self.chars.peek() == Some(&'\n') => {
                    self.next();
                    return Ok(row);
                }
                _ => return Ok(row),
            }
        }
    }

    /// Reads a cell, without the separator after it.
    fn cell(&mut self, separator: char) -> Result<String, CsvError> {
        let begin = self.at;
        let mut cell = String::new();
        let quoted = self.chars.peek() == Some(&'"');
        if quoted {
            self.next();
        }
        loop {
            match self.chars.peek() {
                None if quoted => {
                    let error =
                        Diagnostic::expected("a second quote at the end of the cell", "the end");
                    return Err(CsvError {
                        at: begin,
                        error: error.help("write \"a, b\"; a quote within is written \"\""),
                    });
                }
                Some('"') if quoted => {
                    self.next();
                    if self.chars.peek() != Some(&'"') {
                        break;
                    }
                    self.next();
                    cell.push('"');
                }
                None => break,
                Some(&next) if !quoted && (next == separator || next == '\n' || next == '\r') => {
                    break;
                }
                Some(_) => cell.extend(self.next()),
            }
            if cell.chars().count() > MAX_CELL_CHARS {
                let expected = format!("a cell of at most {MAX_CELL_CHARS} characters");
                let error = Diagnostic::expected(expected, "more")
                    .help("look for a quote that is not closed");
                return Err(CsvError { at: begin, error });
            }
        }
        match self.chars.peek() {
            Some(&next) if next != separator && next != '\n' && next != '\r' => {
                let error =
                    Diagnostic::expected("a separator after the quote", format!("`{next}`"))
                        .help("a quote within a cell is written \"\"");
                Err(CsvError { at: self.at, error })
            }
            _ => Ok(cell),
        }
    }
}

// Files with data for the plots of a lesson.

/// Reads the tables for the plots of a lesson, also for their copies in the outline, which
/// the content check uses. `read` returns the bytes of a file in the folder of the lesson.
/// Errors become findings of the lesson, one per file.
pub fn read_data_files(
    lesson: &mut Lesson,
    outline: &mut LessonOutline,
    read: &dyn Fn(&str) -> FileBytes,
) {
    let folder = lesson.folder.clone();
    let mut known: BTreeMap<String, Option<DataTable>> = BTreeMap::new();
    let mut findings = Vec::new();
    // The outline mentions all cells in the order of the text, with their positions.
    for mention in &mut outline.mentions {
        let MentionKind::Cell { kind, keys } = &mut mention.what else {
            continue;
        };
        let Some((name, table)) = data_file(kind) else {
            continue;
        };
        let at = keys.iter().find(|(key, _)| key == "data").map_or(mention.at, |&(_, at)| at);
        let known_table = known.entry(name.to_owned()).or_insert_with(|| {
            // A missing file is reported where it is named.
            let here = Place::text(format!("{folder}/lesson.md"), at);
            let read = read(name)
                .map_err(|error| error.at(here))
                .and_then(|bytes| decode_utf8(&folder, name, &bytes))
                .and_then(|text| csv_table(&format!("{folder}/{name}"), &text));
            read.map_err(|error| findings.push(error)).ok()
        });
        table.clone_from(known_table);
    }
    for cell in lesson.cells_mut() {
        if let Some((name, table)) = data_file(&mut cell.kind) {
            *table = known.get(name).cloned().flatten();
        }
    }
    lesson.findings.extend(findings);
}

/// Name of the data file of a plot, and the table read from it.
fn data_file(kind: &mut CellKind) -> Option<(&str, &mut Option<DataTable>)> {
    let CellKind::Plot(plot) = kind else {
        return None;
    };
    match &mut plot.data {
        Some(PlotData::File(name, table)) => Some((name, table)),
        _ => None,
    }
}

fn decode_utf8(folder: &str, name: &str, bytes: &[u8]) -> Result<String, Diagnostic> {
    std::str::from_utf8(bytes).map(str::to_owned).map_err(|error| {
        let valid = error.valid_up_to();
        Diagnostic::expected("a text in UTF-8", format!("another byte after {valid}"))
            .help("save the table as CSV with UTF-8")
            .at(Place::text(format!("{folder}/{name}"), LineColumn { line: 1, column: 1 }))
    })
}

#[cfg(test)]
mod tests {

    use super::*;
    use crate::parse_outlined;

    fn table(text: &str) -> DataTable {
        csv_table("m.csv", text).unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    fn values<'a>(table: &'a DataTable, name: &str) -> &'a [Option<f64>] {
        table.column(name).expect("a column")
    }

    #[test]
    fn parses_a_header_and_rows_of_numbers() {
        let table = table(
            "\u{feff}# by hand\r\nt, height ,\"who, where\"\r\n0,1.5,\"a \"\"b\"\"\"\r\n\r\n1,−2e-1,\r\n",
        );
        let names: Vec<&str> = table.names().collect();
        assert_eq!(names, ["t", "height", "who, where"]);
        assert_eq!(values(&table, "t"), [Some(0.0), Some(1.0)]);
        assert_eq!(values(&table, "height"), [Some(1.5), Some(-0.2)]);
        let error = table.column("who, where").expect_err("words");
        assert_eq!(error.at, Place::text("m.csv", LineColumn { line: 3, column: 7 }));
    }

    #[test]
    fn detects_semicolons_with_decimal_commas_and_tabs() {
        let german = table("t;h\n0;1,5\n1;\n");
        assert_eq!(values(&german, "h"), [Some(1.5), None], "nothing was measured");
        assert_eq!(values(&table("t\th\n0\t1.5"), "h"), [Some(1.5)]);
    }

    #[test]
    fn reports_errors_with_line_and_column() {
        let long = format!("a,b\n1,\"{}", "x".repeat(300));
        let wide = vec!["c"; 100].join(",");
        let many = format!("a\n{}", "1\n".repeat(MAX_ROWS + 1));
        for (text, place, message) in [
            ("", (1, 1), "a line with names"),
            ("a,b\n", (1, 1), "a row of numbers"),
            ("a,b\n1,2\n3\n", (3, 1), "2 cells"),
            ("a,b\n1,\"2\n", (2, 3), "a second quote"),
            ("a,b\n1,\"2\"3\n", (2, 6), "a separator"),
            ("a, a\n1,2\n", (1, 3), "`a` a second time"),
            ("a,\n1,2\n", (1, 3), "a name"),
            (&long, (2, 3), "at most 200 characters"),
            (&wide, (1, 129), "at most 64 columns"),
            (&many, (MAX_ROWS + 2, 1), "at most"),
            (&"1".repeat(MAX_CSV_BYTES + 1), (1, 1), "bytes"),
        ] {
            let error = csv_table("m.csv", text).expect_err("wrong");
            let at = LineColumn { line: place.0, column: place.1 };
            assert_eq!(error.at, Place::text("m.csv", at), "{error}");
            assert!(error.sentence().contains(message), "{error}");
            assert!(!error.help.is_empty(), "{error}");
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic() {
        for text in ["\"", "\"\"\"", ",,,\n\"", "#", "\r", "\r\n\r", "a\rb,c", ";\n\t,\"\n\""] {
            let _ = csv_table("m.csv", text);
        }
    }

    const LESSON: &str = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## S\n```plot\ndata = \"m.csv\"\nlines = [{ label = \"h\", column = \"h\" }]\n```\n```plot\ndata = \"m.csv\"\nlines = [{ label = \"h\", column = \"h\" }]\n```\n";

    fn read(answer: &FileBytes) -> (Lesson, LessonOutline) {
        let (mut lesson, mut outline) = parse_outlined("20-x", LESSON, "");
        assert_eq!(lesson.findings, []);
        read_data_files(&mut lesson, &mut outline, &|name| {
            assert_eq!(name, "m.csv");
            answer.clone()
        });
        (lesson, outline)
    }

    #[test]
    fn every_plot_has_the_table_of_its_file() {
        let (lesson, outline) = read(&Ok(b"t,h\n0,1.5\n".as_slice().into()));
        assert_eq!(lesson.findings, []);
        let mentioned = outline.mentions.iter().filter_map(|mention| match &mention.what {
            MentionKind::Cell { kind, .. } => Some(&**kind),
            _ => None,
        });
        let mut tables = 0;
        for kind in lesson.cells().map(|cell| &cell.kind).chain(mentioned) {
            if let CellKind::Plot(plot) = kind {
                let table = plot.data.as_ref().and_then(PlotData::table);
                let column = table.expect("read").column("h").expect("numbers");
                assert_eq!(column, [Some(1.5)]);
                tables += 1;
            }
        }
        assert_eq!(tables, 4, "two plots, shown and mentioned");
    }

    #[test]
    fn reports_each_broken_file_once() {
        for (answer, code) in [
            (Ok(b"t,h\n0\n".as_slice().into()), "UNEXPECTED"),
            (Ok([0xff].as_slice().into()), "UNEXPECTED"),
            (Err(Diagnostic::said("MISSING", "no file")), "MISSING"),
        ] {
            let (lesson, _) = read(&answer);
            assert_eq!(lesson.findings.len(), 1);
            assert_eq!(lesson.findings[0].code, code);
        }
    }
}
