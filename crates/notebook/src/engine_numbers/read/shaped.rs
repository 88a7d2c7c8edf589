//! Numbers with their shape, and what is wrong with them.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

/// Numbers with the shape in which a file has them.
pub(super) struct Shaped {
    /// From the outside to the inside.
    pub(super) shape: Vec<usize>,
    pub(super) numbers: Vec<f32>,
}

/// What to write.
pub(super) const HELP: &str = "write a palette as [[16 numbers], …] or [[[4 numbers], … 4 rows], …], positions \
                    as [[x, y, z], …]; or the same as .npy, or as rows of a .csv";

/// What stands where something else belongs, until its place is known.
#[derive(Debug)]
pub(super) struct Misplaced {
    expected: String,
    found: String,
}

impl Misplaced {
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into() }
    }

    /// One number more than are taken.
    pub(super) fn too_many(most: usize) -> Self {
        Self::new(format!("at most {most} numbers"), "one more")
    }

    pub(super) fn at(self, at: LineColumn) -> Diagnostic {
        let LineColumn { line, column } = at;
        let found = format!("{} in line {line}, column {column}", self.found);
        let wrong = Diagnostic::expected(self.expected, found).at(Place::text("", at));
        wrong.help(HELP)
    }
}

/// What is wrong at a place of a text.
pub(super) fn wrong_at(at: LineColumn, expected: impl Into<String>, found: &str) -> Diagnostic {
    Misplaced::new(expected, found).at(at)
}

/// `1`, `-2.5e3`, `1.0f`, `1f32`, `nan`, `-nan(ind)`
pub(super) fn number(word: &str) -> Option<f32> {
    // As JSON and C libraries write what is no number, or beyond all.
    match word.trim_start_matches('-') {
        "null" | "nan(ind)" | "nan(snan)" | "1.#IND" | "1.#QNAN" => return Some(f32::NAN),
        "1.#INF" => {
            let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
            return Some(sign * f32::INFINITY);
        }
        _ => {}
    }
    let parsed = word.parse().ok();
    parsed.or_else(|| {
        let suffixes = ["_f32", "f32", "f", "F", "h", "d", "L"];
        let bare = suffixes.iter().find_map(|end| word.strip_suffix(end))?;
        bare.parse().ok()
    })
}
