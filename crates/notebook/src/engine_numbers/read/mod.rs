//! Matrices or positions from a file or a text: JSON, NumPy's `.npy`, numbers in
//! brackets as programs and debuggers write them, or numbers in rows.

mod json;
mod nest;
mod nested;
mod npy;
mod outline;
mod rows;
mod shaped;
#[cfg(test)]
mod tests;

use glam::{Mat4, Vec3};

use bindpose_asset::checked_size;
use bindpose_diagnostic::Diagnostic;
use shaped::{HELP, Shaped};

/// What an engine gave.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineNumbers {
    /// A matrix a joint, in the order of the palette: its numbers as rows and columns
    /// where the text has rows, else column after column.
    Matrices(Vec<Mat4>),
    /// A place a vertex, in the order of the mesh, world space.
    Positions(Vec<Vec3>),
}

impl EngineNumbers {
    /// What they take in memory.
    pub(crate) fn held_bytes(&self) -> usize {
        match self {
            Self::Matrices(all) => size_of_val(all.as_slice()),
            Self::Positions(all) => size_of_val(all.as_slice()),
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
        return of_shape(npy::npy(bytes, most)?);
    }
    let text = std::str::from_utf8(bytes).map_err(|wrong| {
        let found = format!("bytes that are no text from {} on", wrong.valid_up_to());
        Diagnostic::expected("JSON, .npy or rows of numbers", found).help(HELP)
    })?;
    let text = text.trim_start_matches('\u{feff}');
    of_shape(if text.trim_start().starts_with(['{', '[']) && text.contains('"') {
        json::json(text, most)?
    } else if nested::has_brackets(text) {
        nested::nested(text, most)?
    } else {
        rows::rows(text, most)?
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
            let expected = "4 × 4 matrices, or places of three numbers";
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
