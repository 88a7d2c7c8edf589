//! Numbers of a reader's own engine and their parser: JSON, NumPy's `.npy`, numbers in brackets as programs and
//! debuggers print them, and rows of numbers.

mod exported;
mod json;
mod shaped;
#[cfg(test)]
mod tests;

use std::iter::Peekable;
use std::str::Chars;

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_gltf::checked_size;
use bindpose_skin::Trs;
use glam::{Mat4, Vec3};

use shaped::{HELP, NestedLists, ShapedNumbers, UnexpectedInput, error_at, parse_number};

/// The numbers of an engine.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineNumbers {
    /// One matrix per joint, in the order of the palette. Text is row-major if it groups
    /// numbers into rows, otherwise column-major.
    Matrices(Vec<Mat4>),
    /// One position per vertex, in the order of the mesh, in world space.
    Positions(Vec<Vec3>),
    /// Four lists of one matrix per joint, as in the export `matrices-npy`. Only the last
    /// list, the matrices that move vertices, is compared.
    FourLists(Vec<Mat4>),
    /// Local transforms of all moving joints, as in an exported pose. The joint matrices
    /// computed from them are compared.
    Pose(Vec<Trs>),
}

impl EngineNumbers {
    /// Memory usage of the numbers, in bytes.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Matrices(all) | Self::FourLists(all) => size_of_val(all.as_slice()),
            Self::Positions(all) => size_of_val(all.as_slice()),
            Self::Pose(all) => size_of_val(all.as_slice()),
        }
    }

    /// Number of matrices, positions or transforms.
    pub fn count(&self) -> usize {
        match self {
            Self::Matrices(all) | Self::FourLists(all) => all.len(),
            Self::Positions(all) => all.len(),
            Self::Pose(all) => all.len(),
        }
    }
}

/// Maximum number of numbers: a matrix for each of two million joints, or eleven million
/// positions.
const MAX_NUMBERS: usize = 1 << 25;

/// Parses the numbers of an engine. Detects the format from the content.
///
/// # Errors
///
/// Returns a diagnostic with the expected format. For text, it includes the line and column.
pub fn read_numbers(bytes: &[u8]) -> Result<EngineNumbers, Diagnostic> {
    checked_size(bytes, "write one pose")?;
    parse(bytes, MAX_NUMBERS)
}

fn parse(bytes: &[u8], max_numbers: usize) -> Result<EngineNumbers, Diagnostic> {
    if bytes.starts_with(b"\x93NUMPY") {
        return convert_shaped(parse_npy(bytes, max_numbers)?);
    }
    if let Some(wrong) = exported::other_file_error(bytes) {
        return Err(wrong);
    }
    let text = std::str::from_utf8(bytes)
        .map_err(|wrong| {
            let found = format!("bytes that are no text from {} on", wrong.valid_up_to());
            Diagnostic::expected("JSON, .npy or rows of numbers", found).help(HELP)
        })?
        .trim_start_matches('\u{feff}');
    if let Some(pose) = exported::parse_pose(text) {
        return pose.map(EngineNumbers::Pose);
    }
    if let Some(shaped) =
        exported::parse_table(text, max_numbers).or_else(|| exported::parse_obj(text, max_numbers))
    {
        return convert_shaped(shaped?);
    }
    convert_shaped(if text.trim_start().starts_with(['{', '[']) && text.contains('"') {
        json::parse_json(text, max_numbers)?
    } else if has_brackets(text) {
        parse_nested(text, max_numbers)?
    } else {
        parse_rows(text, max_numbers)?
    })
}

fn convert_shaped(shaped: ShapedNumbers) -> Result<EngineNumbers, Diagnostic> {
    let ShapedNumbers { shape, numbers } = shaped;
    // Brackets around the whole text have no meaning.
    let outer_count = shape.iter().take_while(|&&count| count == 1).count();
    let shape = shape.get(outer_count.min(shape.len().saturating_sub(2))..).unwrap_or_default();
    if numbers.is_empty() {
        return Err(Diagnostic::expected("numbers", "none").help(HELP));
    }
    match *shape {
        [4, _, 4, 4] => Ok(EngineNumbers::FourLists(convert_matrices(&numbers, 16, from_rows))),
        [.., 4, 4] => Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 16, from_rows))),
        [.., 3, 4] | [_, 12] => {
            Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 12, from_three_rows)))
        }
        [_, 4, 3] => {
            Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 12, from_rows_of_three)))
        }
        [_, 16] => Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 16, from_columns))),
        [_, 3] => {
            let positions = numbers.chunks_exact(3).map(Vec3::from_slice).collect();
            Ok(EngineNumbers::Positions(positions))
        }
        // Matrices below one another.
        [count, 4] if count.is_multiple_of(4) => {
            Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 16, from_rows)))
        }
        [count] | [1, count] if count.is_multiple_of(16) => {
            Ok(EngineNumbers::Matrices(convert_matrices(&numbers, 16, from_columns)))
        }
        _ => {
            let sizes: Vec<String> = shape.iter().map(ToString::to_string).collect();
            let found = format!("{} numbers, {}", numbers.len(), sizes.join(" × "));
            let expected = "4 × 4 matrices, or positions of three numbers";
            Err(Diagnostic::expected(expected, found).help(HELP))
        }
    }
}

fn convert_matrices(numbers: &[f32], size: usize, convert: fn(&[f32]) -> Mat4) -> Vec<Mat4> {
    numbers.chunks_exact(size).map(convert).collect()
}

fn from_columns(sixteen: &[f32]) -> Mat4 {
    Mat4::from_cols_array(&sixteen.try_into().unwrap_or([0.0; 16]))
}

fn from_rows(sixteen: &[f32]) -> Mat4 {
    from_columns(sixteen).transpose()
}

/// Converts a matrix without its last row, which is 0 0 0 1.
fn from_three_rows(twelve: &[f32]) -> Mat4 {
    let mut parse_rows = [0.0; 16];
    parse_rows[..12].copy_from_slice(twelve);
    parse_rows[15] = 1.0;
    from_rows(&parse_rows)
}

/// Converts a matrix for row vectors without its last column, which is 0 0 0 1.
fn from_rows_of_three(twelve: &[f32]) -> Mat4 {
    let mut parse_rows = [0.0; 16];
    for (row, three) in parse_rows.chunks_exact_mut(4).zip(twelve.chunks_exact(3)) {
        row[..3].copy_from_slice(three);
    }
    parse_rows[15] = 1.0;
    from_rows(&parse_rows)
}

/// Parses rows of numbers between commas, semicolons, tabs or spaces. Skips lines that
/// start with `#`, and a first line of names.
fn parse_rows(text: &str, max_numbers: usize) -> Result<ShapedNumbers, Diagnostic> {
    let mut numbers = Vec::new();
    let mut width = None;
    let mut count = 0;
    let mut names_seen = false;
    for (index, line) in text.lines().enumerate() {
        if split_cells(line).next().is_none_or(|(_, cell)| cell.starts_with('#')) {
            continue;
        }
        if count == 0
            && !names_seen
            && split_cells(line).all(|(_, cell)| parse_number(cell).is_none())
        {
            names_seen = true;
            continue;
        }
        let line_number = index + 1;
        let before = numbers.len();
        for (column, cell) in split_cells(line) {
            let at = LineColumn { line: line_number, column };
            let Some(number) = parse_number(cell) else {
                let found: String = cell.chars().take(40).collect();
                return Err(error_at(at, "a number", &format!("`{found}`")));
            };
            if numbers.len() == max_numbers {
                return Err(UnexpectedInput::too_many(max_numbers).at(at));
            }
            numbers.push(number);
        }
        let found = numbers.len() - before;
        let width = *width.get_or_insert(found);
        if found != width {
            let expected = format!("{width} numbers a row, as before");
            let at = LineColumn { line: line_number, column: line.chars().count() };
            return Err(error_at(at, expected, &found.to_string()));
        }
        count += 1;
    }
    Ok(ShapedNumbers { shape: vec![count, width.unwrap_or(0)], numbers })
}

/// Returns the cells of a line, each with its column in characters, from 1.
fn split_cells(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut column = 1;
    line.split(|c: char| matches!(c, ',' | ';') || c.is_whitespace()).filter_map(move |cell| {
        let begin = column;
        column += cell.chars().count() + 1;
        (!cell.is_empty()).then_some((begin, cell))
    })
}

/// Parses an array of 32- or 64-bit floats in NumPy's format, little-endian and in C order.
fn parse_npy(bytes: &[u8], max_numbers: usize) -> Result<ShapedNumbers, Diagnostic> {
    let version = *bytes.get(6).ok_or_else(|| npy_error("a file that ends early"))?;
    let (begin, length): (usize, _) = if version == 1 {
        let field = bytes.get(8..10).and_then(|field| field.try_into().ok());
        (10, field.map(|field| usize::from(u16::from_le_bytes(field))))
    } else {
        let field = bytes.get(8..12).and_then(|field| field.try_into().ok());
        let length = field.map(|field| u32::from_le_bytes(field) as usize);
        (12, length)
    };
    let end = length
        .and_then(|length| begin.checked_add(length))
        .ok_or_else(|| npy_error("a file that ends early"))?;
    let head = bytes
        .get(begin..end)
        .and_then(|head| std::str::from_utf8(head).ok())
        .ok_or_else(|| npy_error("a header that is no text"))?;
    let data = bytes.get(end..).unwrap_or_default();
    if head.contains("'fortran_order': True") {
        return Err(npy_error("Fortran order"));
    }
    let size = if head.contains("<f8") { 8 } else { 4 };
    if data.len() / size > max_numbers {
        let found = (data.len() / size).to_string();
        let wrong = Diagnostic::expected(format!("at most {max_numbers} numbers"), found);
        return Err(wrong.help("write one pose"));
    }
    let numbers: Vec<f32> = if head.contains("<f4") {
        let words = data.chunks_exact(4).filter_map(|word| word.try_into().ok());
        words.map(f32::from_le_bytes).collect()
    } else if head.contains("<f8") {
        let words = data.chunks_exact(8).filter_map(|word| word.try_into().ok());
        words.map(|word| f64::from_le_bytes(word) as f32).collect()
    } else {
        return Err(npy_error(head.trim()));
    };
    let axes = head
        .split_once("'shape':")
        .and_then(|(_, rest)| rest.split_once('('))
        .and_then(|(_, rest)| rest.split_once(')'))
        .map(|(axes, _)| axes.split(',').map(str::trim).filter(|axis| !axis.is_empty()));
    let shape: Vec<usize> = axes
        .and_then(|axes| axes.map(|axis| axis.parse().ok()).collect())
        .ok_or_else(|| npy_error("a header without a shape"))?;
    let count = shape.iter().try_fold(1_usize, |all, &axis| all.checked_mul(axis));
    if count != Some(numbers.len()) {
        return Err(npy_error("another number of floats than its shape says"));
    }
    Ok(ShapedNumbers { shape, numbers })
}

fn npy_error(found: &str) -> Diagnostic {
    Diagnostic::expected("floats of 4 or 8 bytes in C order", found.to_owned())
        .help("write numpy.save(path, numpy.ascontiguousarray(array, dtype='<f4'))")
}

/// Does the text contain a bracket followed by a number or another bracket?
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

/// Parses numbers in brackets of any kind, as in `{{1, 0.f, 0}, …}`, `float4x4(…)` and
/// `array([[1., 0.], …], dtype=float32)`.
///
/// Skips declarations before `=`, names of types and functions before a bracket, names
/// before `=` or `:` within brackets, and comments. Other words must be numbers.
fn parse_nested(text: &str, max_numbers: usize) -> Result<ShapedNumbers, Diagnostic> {
    let mut nest = NestedLists::of_lists(max_numbers);
    let mut tokens = Tokens::new(text);
    // A word that is no number, allowed only if a bracket or `=` follows.
    let mut word: Option<(LineColumn, String)> = None;
    let mut after_equals = false;
    for (at, token) in tokens.by_ref() {
        match token {
            NumbersToken::Open(closed_by) => {
                word = None;
                nest.open(closed_by).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Equals if nest.is_outside() => {
                nest = NestedLists::of_lists(max_numbers);
                word = None;
            }
            NumbersToken::Equals => {
                word = None;
                after_equals = true;
                continue;
            }
            NumbersToken::Word(text) => match parse_number(&text) {
                Some(number) => {
                    reject_word(word.take())?;
                    nest.push_number(number).map_err(|wrong| wrong.at(at))?;
                }
                // `x: 1`, `dtype=float32`
                None if text.ends_with(':') || after_equals => {}
                // `const float m`
                None if nest.is_outside() => word = word.or(Some((at, text))),
                None => {
                    reject_word(word.take())?;
                    word = Some((at, text));
                }
            },
            NumbersToken::Close(bracket) => {
                reject_word(word.take())?;
                nest.close(bracket).map_err(|wrong| wrong.at(at))?;
            }
            NumbersToken::Separator => reject_word(word.take())?,
        }
        after_equals = false;
    }
    reject_word(word)?;
    nest.finish().map_err(|wrong| wrong.at(tokens.at))
}

fn reject_word(word: Option<(LineColumn, String)>) -> Result<(), Diagnostic> {
    let Some((at, word)) = word else {
        return Ok(());
    };
    let shown: String = word.chars().take(40).collect();
    Err(error_at(at, "a number", &format!("`{shown}`")))
}

enum NumbersToken {
    /// Contains the closing bracket.
    Open(char),
    Close(char),
    Equals,
    Separator,
    Word(String),
}

struct Tokens<'a> {
    rest: Peekable<Chars<'a>>,
    /// Position of the next character.
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

    /// Skips the rest of a comment, after its `/*`.
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
