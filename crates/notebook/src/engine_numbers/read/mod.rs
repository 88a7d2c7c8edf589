//! Matrices or positions from a file or a text: JSON, NumPy's `.npy`, numbers in
//! brackets as programs and debuggers write them, or numbers in rows.

mod exported;
mod json;
mod shaped;
#[cfg(test)]
mod tests;

use std::iter::Peekable;
use std::str::Chars;

use bindpose_asset::checked_size;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_skin::Trs;
use glam::{Mat4, Vec3};

use shaped::{HELP, Misplaced, Nest, Shaped, number, wrong_at};

/// What an engine gave.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineNumbers {
    /// A matrix a joint, in the order of the palette: its numbers as rows and columns
    /// where the text has rows, else column after column.
    Matrices(Vec<Mat4>),
    /// A place a vertex, in the order of the mesh, world space.
    Positions(Vec<Vec3>),
    /// Four matrices a joint, list after list, as `matrices-npy` has them. Of these the
    /// last are held against ours, those that move vertices.
    FourLists(Vec<Mat4>),
    /// A local transform a joint, as a pose is exported: of all joints that move
    /// something. Held against ours as the joint matrices that they give.
    Pose(Vec<Trs>),
}

impl EngineNumbers {
    /// What they take in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Matrices(all) | Self::FourLists(all) => size_of_val(all.as_slice()),
            Self::Positions(all) => size_of_val(all.as_slice()),
            Self::Pose(all) => size_of_val(all.as_slice()),
        }
    }

    /// How many matrices, positions or transforms there are.
    pub fn count(&self) -> usize {
        match self {
            Self::Matrices(all) | Self::FourLists(all) => all.len(),
            Self::Positions(all) => all.len(),
            Self::Pose(all) => all.len(),
        }
    }
}

/// More numbers are refused: a matrix for each of two million joints, or eleven million
/// places.
const MOST_NUMBERS: usize = 1 << 25;

/// Reads what an engine wrote, by its content.
///
/// Errors: what was expected, and what to write; of a text its line and column, in the words and
/// as the place.
pub fn read_numbers(bytes: &[u8]) -> Result<EngineNumbers, Diagnostic> {
    checked_size(bytes, "write one pose")?;
    read_at_most(bytes, MOST_NUMBERS)
}

fn read_at_most(bytes: &[u8], most: usize) -> Result<EngineNumbers, Diagnostic> {
    if bytes.starts_with(b"\x93NUMPY") {
        return of_shape(npy(bytes, most)?);
    }
    if let Some(wrong) = exported::other_file(bytes) {
        return Err(wrong);
    }
    let text = std::str::from_utf8(bytes).map_err(|wrong| {
        let found = format!("bytes that are no text from {} on", wrong.valid_up_to());
        Diagnostic::expected("JSON, .npy or rows of numbers", found).help(HELP)
    })?;
    let text = text.trim_start_matches('\u{feff}');
    if let Some(pose) = exported::pose(text) {
        return pose.map(EngineNumbers::Pose);
    }
    if let Some(shaped) = exported::table(text, most).or_else(|| exported::obj(text, most)) {
        return of_shape(shaped?);
    }
    of_shape(if text.trim_start().starts_with(['{', '[']) && text.contains('"') {
        json::json(text, most)?
    } else if has_brackets(text) {
        nested(text, most)?
    } else {
        rows(text, most)?
    })
}

fn of_shape(Shaped { shape, numbers }: Shaped) -> Result<EngineNumbers, Diagnostic> {
    let chunks = |size: usize| numbers.chunks_exact(size);
    let matrices = |size: usize, read: fn(&[f32]) -> Mat4| {
        Ok(EngineNumbers::Matrices(chunks(size).map(read).collect()))
    };
    // Brackets around all of it say nothing.
    let around = shape.iter().take_while(|&&count| count == 1).count();
    let shape = shape.get(around.min(shape.len().saturating_sub(2))..).unwrap_or_default();
    if numbers.is_empty() {
        return Err(Diagnostic::expected("numbers", "none").help(HELP));
    }
    match *shape {
        [4, _, 4, 4] => Ok(EngineNumbers::FourLists(chunks(16).map(by_rows).collect())),
        [.., 4, 4] => matrices(16, by_rows),
        [.., 3, 4] | [_, 12] => matrices(12, by_three_rows),
        [_, 4, 3] => matrices(12, by_rows_of_three),
        [_, 16] => matrices(16, by_columns),
        [_, 3] => {
            let places = chunks(3).map(Vec3::from_slice).collect();
            Ok(EngineNumbers::Positions(places))
        }
        // Rows of matrices, one below the other.
        [count, 4] if count.is_multiple_of(4) => matrices(16, by_rows),
        [count] | [1, count] if count.is_multiple_of(16) => matrices(16, by_columns),
        _ => {
            let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
            let found = format!("{} numbers, {}", numbers.len(), sizes.join(" × "));
            let expected = "4 × 4 matrices, or positions of three numbers";
            Err(Diagnostic::expected(expected, found).help(HELP))
        }
    }
}

fn by_columns(sixteen: &[f32]) -> Mat4 {
    Mat4::from_cols_array(&sixteen.try_into().unwrap_or([0.0; 16]))
}

fn by_rows(sixteen: &[f32]) -> Mat4 {
    by_columns(sixteen).transpose()
}

/// Without the last row, which is 0 0 0 1.
fn by_three_rows(twelve: &[f32]) -> Mat4 {
    let mut rows = [0.0; 16];
    rows[..12].copy_from_slice(twelve);
    rows[15] = 1.0;
    by_rows(&rows)
}

/// Without the last column, which is 0 0 0 1: as those write them who have row vectors.
fn by_rows_of_three(twelve: &[f32]) -> Mat4 {
    let mut rows = [0.0; 16];
    for (row, three) in rows.chunks_exact_mut(4).zip(twelve.chunks_exact(3)) {
        row[..3].copy_from_slice(three);
    }
    rows[15] = 1.0;
    by_rows(&rows)
}

// Rows of numbers, as in a `.csv`.

/// Rows of at most so many numbers, between commas, semicolons, tabs or spaces. A first
/// line in which nothing is a number has names; it and lines that begin with `#` are left
/// out.
fn rows(text: &str, most: usize) -> Result<Shaped, Diagnostic> {
    let mut numbers = Vec::new();
    let (mut width, mut count) = (None, 0);
    let mut names_seen = false;
    for (nth, line) in text.lines().enumerate() {
        if cells(line).next().is_none_or(|(_, cell)| cell.starts_with('#')) {
            continue;
        }
        let is_named = |(_, cell): (usize, &str)| number(cell).is_none();
        if count == 0 && !names_seen && cells(line).all(is_named) {
            names_seen = true;
            continue;
        }
        let at = |column: usize| LineColumn { line: nth + 1, column };
        let before = numbers.len();
        for (column, cell) in cells(line) {
            let Some(number) = number(cell) else {
                let found: String = cell.chars().take(40).collect();
                return Err(wrong_at(at(column), "a number", &format!("`{found}`")));
            };
            if numbers.len() == most {
                return Err(Misplaced::too_many(most).at(at(column)));
            }
            numbers.push(number);
        }
        let found = numbers.len() - before;
        let width = *width.get_or_insert(found);
        if found != width {
            let expected = format!("{width} numbers a row, as before");
            let column = line.chars().count();
            return Err(wrong_at(at(column), expected, &found.to_string()));
        }
        count += 1;
    }
    Ok(Shaped { shape: vec![count, width.unwrap_or(0)], numbers })
}

/// The cells of a line, each with its column in characters, from 1.
fn cells(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let is_between = |c: char| matches!(c, ',' | ';') || c.is_whitespace();
    let mut column = 1;
    line.split(is_between).filter_map(move |cell| {
        let begin = column;
        column += cell.chars().count() + 1;
        (!cell.is_empty()).then_some((begin, cell))
    })
}

// NumPy's `.npy`.

/// At most so many 32- or 64-bit floats, little endian, in C order.
fn npy(bytes: &[u8], most: usize) -> Result<Shaped, Diagnostic> {
    let wrong = |found: &str| {
        Diagnostic::expected("floats of 4 or 8 bytes in C order", found.to_owned())
            .help("write numpy.save(path, numpy.ascontiguousarray(array, dtype='<f4'))")
    };
    let version = *bytes.get(6).ok_or_else(|| wrong("a file that ends early"))?;
    let (begin, length): (usize, _) = if version == 1 {
        let field = bytes.get(8..10).and_then(|field| field.try_into().ok());
        (10, field.map(|field| usize::from(u16::from_le_bytes(field))))
    } else {
        let field = bytes.get(8..12).and_then(|field| field.try_into().ok());
        let length = field.map(|field| u32::from_le_bytes(field) as usize);
        (12, length)
    };
    let end = length.and_then(|length| begin.checked_add(length));
    let end: usize = end.ok_or_else(|| wrong("a file that ends early"))?;
    let head = bytes.get(begin..end).and_then(|head| std::str::from_utf8(head).ok());
    let head = head.ok_or_else(|| wrong("a header that is no text"))?;
    let data = bytes.get(end..).unwrap_or_default();
    if head.contains("'fortran_order': True") {
        return Err(wrong("Fortran order"));
    }
    let size = if head.contains("<f8") { 8 } else { 4 };
    if data.len() / size > most {
        let found = (data.len() / size).to_string();
        let wrong = Diagnostic::expected(format!("at most {most} numbers"), found);
        return Err(wrong.help("write one pose"));
    }
    let numbers: Vec<f32> = if head.contains("<f4") {
        let words = data.chunks_exact(4).filter_map(|word| word.try_into().ok());
        words.map(f32::from_le_bytes).collect()
    } else if head.contains("<f8") {
        let words = data.chunks_exact(8).filter_map(|word| word.try_into().ok());
        words.map(|word| f64::from_le_bytes(word) as f32).collect()
    } else {
        return Err(wrong(head.trim()));
    };
    let shape = head
        .split_once("'shape':")
        .and_then(|(_, rest)| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(axes, _)| axes.split(',').map(str::trim).filter(|axis| !axis.is_empty()));
    let shape: Option<Vec<usize>> =
        shape.and_then(|axes| axes.map(|axis| axis.parse().ok()).collect());
    let shape = shape.ok_or_else(|| wrong("a header without a shape"))?;
    let count = shape.iter().try_fold(1_usize, |all, &axis| all.checked_mul(axis));
    if count != Some(numbers.len()) {
        return Err(wrong("another number of floats than its shape says"));
    }
    Ok(Shaped { shape, numbers })
}

// Numbers in brackets of any kind, as programs, shaders and debuggers write them:
// `{{1, 0.f, 0}, …}`, `float4x4(…)`, `array([[1., 0.], …], dtype=float32)`.

/// Is there a bracket before a number or another bracket?
fn has_brackets(text: &str) -> bool {
    let mut after_bracket = false;
    for c in text.chars() {
        let begins_number = c.is_ascii_digit() || matches!(c, '-' | '+' | '.');
        let opens = matches!(c, '[' | '{' | '(');
        if after_bracket && (opens || begins_number || matches!(c, ']' | '}' | ')')) {
            return true;
        }
        after_bracket = opens || after_bracket && c.is_whitespace();
    }
    text.trim_start().starts_with(['[', '{', '('])
}

/// Reads at most so many numbers. What stands before `=` is a declaration, a word before a bracket a type or
/// a function, a word before `=` or `:` within brackets a name; the other words are
/// numbers. Comments are left out.
fn nested(text: &str, most: usize) -> Result<Shaped, Diagnostic> {
    let mut nest = Nest::of_lists(most);
    let mut tokens = Tokens::new(text);
    // A word that is no number, until what follows says why.
    let mut word: Option<(LineColumn, String)> = None;
    let mut named = false;
    for (at, token) in tokens.by_ref() {
        match token {
            NumbersToken::Open(closed_by) => {
                word = None;
                nest.open(closed_by).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Equals if nest.is_outside() => {
                nest = Nest::of_lists(most);
                word = None;
            }
            NumbersToken::Equals => {
                word = None;
                named = true;
                continue;
            }
            NumbersToken::Word(text) => match number(&text) {
                Some(number) => {
                    refuse(word.take())?;
                    nest.number(number).map_err(|wrong| wrong.at(at))?;
                }
                // `x: 1`, `dtype=float32`
                None if text.ends_with(':') || named => {}
                // `const float m`
                None if nest.is_outside() => word = word.or(Some((at, text))),
                None => {
                    refuse(word.take())?;
                    word = Some((at, text));
                }
            },
            NumbersToken::Close(bracket) => {
                refuse(word.take())?;
                nest.close(bracket).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Separator => refuse(word.take())?,
        }
        named = false;
    }
    refuse(word)?;
    nest.finished().map_err(|wrong| wrong.at(tokens.at))
}

fn refuse(word: Option<(LineColumn, String)>) -> Result<(), Diagnostic> {
    let Some((at, word)) = word else {
        return Ok(());
    };
    let shown: String = word.chars().take(40).collect();
    Err(wrong_at(at, "a number", &format!("`{shown}`")))
}

enum NumbersToken {
    /// With what closes it.
    Open(char),
    Close(char),
    Equals,
    Separator,
    Word(String),
}

struct Tokens<'a> {
    rest: Peekable<Chars<'a>>,
    /// Of what comes next.
    at: LineColumn,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Self { rest: text.chars().peekable(), at: LineColumn { line: 1, column: 1 } }
    }

    fn step(&mut self) -> Option<char> {
        let c = self.rest.next()?;
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    fn skip_line(&mut self) {
        while self.rest.peek().is_some_and(|&c| c != '\n') {
            self.step();
        }
    }

    /// After `/*`.
    fn skip_comment(&mut self) {
        let mut last = ' ';
        while let Some(c) = self.step() {
            if (last, c) == ('*', '/') {
                return;
            }
            last = c;
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = (LineColumn, NumbersToken);

    fn next(&mut self) -> Option<(LineColumn, NumbersToken)> {
        loop {
            let at = self.at;
            let c = self.step()?;
            let token = match c {
                _ if c.is_whitespace() => continue,
                '#' => {
                    self.skip_line();
                    continue;
                }
                '/' if self.rest.peek() == Some(&'/') => {
                    self.skip_line();
                    continue;
                }
                '/' if self.rest.peek() == Some(&'*') => {
                    self.step();
                    self.skip_comment();
                    continue;
                }
                '[' => NumbersToken::Open(']'),
                '{' => NumbersToken::Open('}'),
                '(' => NumbersToken::Open(')'),
                ']' | '}' | ')' => NumbersToken::Close(c),
                '=' => NumbersToken::Equals,
                ',' | ';' | '|' => NumbersToken::Separator,
                first => {
                    let mut word = String::from(first);
                    while let Some(&c) = self.rest.peek() {
                        if c.is_whitespace() || "[]{}(),;|=".contains(c) {
                            break;
                        }
                        word.push(c);
                        self.step();
                    }
                    NumbersToken::Word(word)
                }
            };
            return Some((at, token));
        }
    }
}
