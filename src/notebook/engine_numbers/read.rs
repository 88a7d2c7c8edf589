//! Matrices or positions from a file: JSON, NumPy's `.npy`, or numbers in rows.

use glam::{Mat4, Vec3};
use serde_json::Value;

use crate::diagnostic::Diagnostic;

/// What an engine gave.
#[derive(Clone, Debug, PartialEq)]
pub enum EngineNumbers {
    /// A matrix a joint, in the order of the palette: its numbers as rows and columns
    /// where the file has rows, else column after column.
    Matrices(Vec<Mat4>),
    /// A place a vertex, in the order of the mesh, world space.
    Positions(Vec<Vec3>),
}

/// Longer files are refused.
const MOST_BYTES: usize = 256 << 20;

/// Numbers with the shape in which a file has them.
struct Shaped {
    /// From the outside to the inside.
    shape: Vec<usize>,
    numbers: Vec<f32>,
}

/// Reads what an engine wrote, by its content.
///
/// # Errors
/// What was expected, and what to write.
pub fn read_numbers(bytes: &[u8]) -> Result<EngineNumbers, Diagnostic> {
    if bytes.len() > MOST_BYTES {
        let found = format!("{} bytes", bytes.len());
        return Err(Diagnostic::expected("at most 256 MiB", found).help("write one pose"));
    }
    if bytes.starts_with(b"\x93NUMPY") {
        return of_shape(npy(bytes)?);
    }
    let text = std::str::from_utf8(bytes).map_err(|wrong| {
        let found = format!("bytes that are no text from {} on", wrong.valid_up_to());
        Diagnostic::expected("JSON, .npy or rows of numbers", found).help(HELP)
    })?;
    let text = text.trim_start_matches('\u{feff}').trim();
    if text.starts_with(['[', '{']) {
        return of_shape(json(text)?);
    }
    of_shape(rows(text)?)
}

const HELP: &str = "write a palette as [[16 numbers], …] or [[[4 numbers], … 4 rows], …], positions \
                    as [[x, y, z], …]; or the same as .npy, or as rows of a .csv";

fn of_shape(Shaped { shape, numbers }: Shaped) -> Result<EngineNumbers, Diagnostic> {
    let chunks = |size: usize| numbers.chunks_exact(size);
    let columns = |sixteen: &[f32]| {
        let cells: [f32; 16] = sixteen.try_into().unwrap_or([0.0; 16]);
        Mat4::from_cols_array(&cells)
    };
    let rows = |sixteen: &[f32]| columns(sixteen).transpose();
    match shape.as_slice() {
        [4, 4] | [.., 4, 4] => Ok(EngineNumbers::Matrices(chunks(16).map(rows).collect())),
        [_, 16] | [16] => Ok(EngineNumbers::Matrices(chunks(16).map(columns).collect())),
        [_, 3] => Ok(EngineNumbers::Positions(
            chunks(3).map(Vec3::from_slice).collect(),
        )),
        // Rows of matrices, one below the other.
        [count, 4] if count.is_multiple_of(4) && *count > 0 => {
            Ok(EngineNumbers::Matrices(chunks(16).map(rows).collect()))
        }
        [count] if count.is_multiple_of(16) && *count > 0 => {
            Ok(EngineNumbers::Matrices(chunks(16).map(columns).collect()))
        }
        other => {
            let sizes: Vec<String> = other.iter().map(ToString::to_string).collect();
            let found = format!("{} numbers, {}", numbers.len(), sizes.join(" × "));
            Err(
                Diagnostic::expected("4 × 4 matrices, or places of three numbers", found)
                    .help(HELP),
            )
        }
    }
}

/// An array, or the only array of an object.
fn json(text: &str) -> Result<Shaped, Diagnostic> {
    let value: Value = serde_json::from_str(text)
        .map_err(|wrong| Diagnostic::expected("JSON", wrong.to_string()).help(HELP))?;
    let array = match &value {
        Value::Object(fields) => {
            let mut arrays = fields.values().filter(|value| value.is_array());
            let (Some(only), None) = (arrays.next(), arrays.next()) else {
                let found = format!("an object with {} keys", fields.len());
                let wrong = Diagnostic::expected("one array of numbers", found);
                return Err(wrong.help(HELP));
            };
            only
        }
        array => array,
    };
    let mut shaped = Shaped {
        shape: Vec::new(),
        numbers: Vec::new(),
    };
    flatten(array, 0, &mut shaped)?;
    Ok(shaped)
}

fn flatten(value: &Value, depth: usize, shaped: &mut Shaped) -> Result<(), Diagnostic> {
    match value {
        Value::Array(items) if depth < 4 => {
            match shaped.shape.get(depth) {
                None => shaped.shape.push(items.len()),
                Some(&size) if size == items.len() => {}
                Some(size) => {
                    let expected = format!("{size} items, as many as before");
                    let found = items.len().to_string();
                    return Err(Diagnostic::expected(expected, found).help(HELP));
                }
            }
            items
                .iter()
                .try_for_each(|item| flatten(item, depth + 1, shaped))
        }
        Value::Number(number) if depth == shaped.shape.len() => {
            shaped
                .numbers
                .push(number.as_f64().unwrap_or(f64::NAN) as f32);
            Ok(())
        }
        // What JSON has no number for.
        Value::Null if depth == shaped.shape.len() => {
            shaped.numbers.push(f32::NAN);
            Ok(())
        }
        other => {
            let found: String = other.to_string().chars().take(40).collect();
            Err(Diagnostic::expected("numbers in arrays of equal length", found).help(HELP))
        }
    }
}

/// Rows of numbers, between commas, semicolons, tabs or spaces. A first line of names,
/// and lines that begin with `#`, are left out.
fn rows(text: &str) -> Result<Shaped, Diagnostic> {
    let mut numbers = Vec::new();
    let (mut width, mut count) = (None, 0);
    for (nth, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells = line.split(|c: char| matches!(c, ',' | ';') || c.is_whitespace());
        let cells = cells.filter(|cell| !cell.is_empty());
        let row: Result<Vec<f32>, _> = cells.map(str::parse::<f32>).collect();
        let Ok(row) = row else {
            if count == 0 {
                continue;
            }
            let found: String = line.chars().take(40).collect();
            let wrong = Diagnostic::expected("numbers", format!("line {}: {found}", nth + 1));
            return Err(wrong.help(HELP));
        };
        let width = *width.get_or_insert(row.len());
        if row.len() != width {
            let found = format!("line {}: {}", nth + 1, row.len());
            let expected = format!("{width} numbers, as many as before");
            return Err(Diagnostic::expected(expected, found).help(HELP));
        }
        numbers.extend(row);
        count += 1;
    }
    Ok(Shaped {
        shape: vec![count, width.unwrap_or(0)],
        numbers,
    })
}

/// 32- or 64-bit floats, little endian, in C order.
fn npy(bytes: &[u8]) -> Result<Shaped, Diagnostic> {
    let wrong = |found: &str| {
        Diagnostic::expected("floats of 4 or 8 bytes in C order", found.to_owned())
            .help("write numpy.save(path, numpy.ascontiguousarray(array, dtype='<f4'))")
    };
    let version = *bytes
        .get(6)
        .ok_or_else(|| wrong("a file that ends early"))?;
    let (begin, length): (usize, _) = if version == 1 {
        let field = bytes.get(8..10).and_then(|field| field.try_into().ok());
        (
            10,
            field.map(|field| usize::from(u16::from_le_bytes(field))),
        )
    } else {
        let field = bytes.get(8..12).and_then(|field| field.try_into().ok());
        let length = field.map(|field| u32::from_le_bytes(field) as usize);
        (12, length)
    };
    let end = length.and_then(|length| begin.checked_add(length));
    let end: usize = end.ok_or_else(|| wrong("a file that ends early"))?;
    let head = bytes
        .get(begin..end)
        .and_then(|head| std::str::from_utf8(head).ok());
    let head = head.ok_or_else(|| wrong("a header that is no text"))?;
    let data = bytes.get(end..).unwrap_or_default();
    if head.contains("'fortran_order': True") {
        return Err(wrong("Fortran order"));
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
        .map(|(axes, _)| {
            axes.split(',')
                .map(str::trim)
                .filter(|axis| !axis.is_empty())
        });
    let shape: Option<Vec<usize>> =
        shape.and_then(|axes| axes.map(|axis| axis.parse().ok()).collect());
    let shape = shape.ok_or_else(|| wrong("a header without a shape"))?;
    let count = shape
        .iter()
        .try_fold(1_usize, |all, &axis| all.checked_mul(axis));
    if count != Some(numbers.len()) {
        return Err(wrong("another number of floats than its shape says"));
    }
    Ok(Shaped { shape, numbers })
}
