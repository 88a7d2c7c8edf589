//! Numbers in nested lists, and errors in them.

use std::fmt::Write as _;

use bindpose_diagnostic::{Diagnostic, LineColumn, Place};

/// Numbers with the shape of their nested lists.
pub(super) struct ShapedNumbers {
    /// Lengths from the outermost to the innermost list.
    pub(super) shape: Vec<usize>,
    pub(super) numbers: Vec<f32>,
}

/// Help of all errors: the formats that can be parsed.
pub(super) const HELP: &str = "write a palette as [[16 numbers], …] or [[[4 numbers], … 4 rows], …], positions \
                    as [[x, y, z], …]; or the same as .npy, or as rows of a .csv";

/// An error whose position is not yet known.
#[derive(Debug)]
pub(super) struct UnexpectedInput {
    expected: String,
    found: String,
}

impl UnexpectedInput {
    pub(super) fn new(expected: impl Into<String>, found: impl Into<String>) -> Self {
        Self { expected: expected.into(), found: found.into() }
    }

    /// More than the maximum number of numbers.
    pub(super) fn too_many(max_numbers: usize) -> Self {
        Self::new(format!("at most {max_numbers} numbers"), "one more")
    }

    pub(super) fn at(self, at: LineColumn) -> Diagnostic {
        let LineColumn { line, column } = at;
        let found = format!("{} in line {line}, column {column}", self.found);
        let wrong = Diagnostic::expected(self.expected, found).at(Place::text("", at));
        wrong.help(HELP)
    }
}

/// Returns an error at a position in the text.
pub(super) fn error_at(at: LineColumn, expected: impl Into<String>, found: &str) -> Diagnostic {
    UnexpectedInput::new(expected, found).at(at)
}

/// Parses a number such as `1`, `-2.5e3`, `1.0f`, `1f32`, `nan` or `-nan(ind)`.
pub(super) fn parse_number(word: &str) -> Option<f32> {
    // NaN and infinity as JSON and C libraries print them.
    match word.trim_start_matches('-') {
        "null" | "nan(ind)" | "nan(snan)" | "1.#IND" | "1.#QNAN" => return Some(f32::NAN),
        "1.#INF" => {
            let sign = if word.starts_with('-') { -1.0 } else { 1.0 };
            return Some(sign * f32::INFINITY);
        }
        _ => {}
    }
    word.parse().ok().or_else(|| {
        let suffixes = ["_f32", "f32", "f", "F", "h", "d", "L"];
        let bare = suffixes.iter().find_map(|end| word.strip_suffix(end))?;
        bare.parse().ok()
    })
}

/// Maximum nesting depth of brackets.
const MAX_BRACKET_DEPTH: usize = 6;

/// Nested lists while they are parsed. Checks that all lists of a level have the same length.
pub(super) struct NestedLists {
    /// The open lists, outermost first.
    levels: Vec<Level>,
    /// Number of lists on the outermost level.
    outermost: usize,
    /// Is a second list on the outermost level an error?
    is_one_list: bool,
    /// Depth of the first number.
    innermost: Option<usize>,
    /// Length of the lists, by depth.
    shape: Vec<Option<usize>>,
    numbers: Vec<f32>,
    max_numbers: usize,
}

struct Level {
    closed_by: char,
    count: usize,
    holds_lists: bool,
}

impl NestedLists {
    /// Allows several lists beside one another.
    pub(super) fn of_lists(max_numbers: usize) -> Self {
        Self {
            levels: Vec::new(),
            outermost: 0,
            is_one_list: false,
            innermost: None,
            shape: Vec::new(),
            numbers: Vec::new(),
            max_numbers,
        }
    }

    /// Allows a single list.
    pub(super) fn of_one_list(max_numbers: usize) -> Self {
        Self { is_one_list: true, ..Self::of_lists(max_numbers) }
    }

    /// Returns whether no bracket is open.
    pub(super) fn is_outside(&self) -> bool {
        self.levels.is_empty()
    }

    pub(super) fn open(&mut self, closed_by: char) -> Result<(), UnexpectedInput> {
        match self.levels.last_mut() {
            Some(level) if level.count > 0 && !level.holds_lists => {
                return Err(UnexpectedInput::new("a number, as before", "a bracket"));
            }
            Some(level) => {
                level.holds_lists = true;
                level.count += 1;
            }
            None => self.outermost += 1,
        }
        if self.levels.len() == MAX_BRACKET_DEPTH {
            let expected = format!("at most {MAX_BRACKET_DEPTH} brackets");
            return Err(UnexpectedInput::new(expected, "one more"));
        }
        self.levels.push(Level { closed_by, count: 0, holds_lists: false });
        Ok(())
    }

    pub(super) fn push_number(&mut self, number: f32) -> Result<(), UnexpectedInput> {
        let depth = self.levels.len();
        match self.levels.last_mut() {
            Some(level) if !level.holds_lists => {
                let innermost = *self.innermost.get_or_insert(depth);
                if innermost != depth {
                    let expected = format!("numbers in {innermost} brackets, as before");
                    return Err(UnexpectedInput::new(expected, format!("one in {depth}")));
                }
                if self.numbers.len() == self.max_numbers {
                    return Err(UnexpectedInput::too_many(self.max_numbers));
                }
                level.count += 1;
                self.numbers.push(number);
                Ok(())
            }
            Some(_) => Err(UnexpectedInput::new("a bracket, as before", "a number")),
            None => Err(UnexpectedInput::new("an opening bracket", "a number")),
        }
    }

    pub(super) fn close(&mut self, bracket: char) -> Result<(), UnexpectedInput> {
        let path = self.path_to(None);
        let Some(level) = self.levels.pop() else {
            return Err(UnexpectedInput::new("an opening bracket", format!("`{bracket}`")));
        };
        if level.closed_by != bracket {
            let expected = format!("`{}`", level.closed_by);
            return Err(UnexpectedInput::new(expected, format!("`{bracket}`")));
        }
        let depth = self.levels.len();
        if self.shape.len() <= depth {
            self.shape.resize(depth + 1, None);
        }
        let known = self.shape.get_mut(depth);
        let size = known.map_or(level.count, |known| *known.get_or_insert(level.count));
        if size == level.count {
            return Ok(());
        }
        let expected = format!("{size} items in brackets, as before");
        Err(UnexpectedInput::new(expected, format!("{}{path}", level.count)))
    }

    /// Returns the error of a value that is no number, at the next position in the open list.
    pub(super) fn unexpected_value(&self, found: &str) -> UnexpectedInput {
        let next = self.levels.last().map(|level| level.count + 1);
        let path = self.path_to(next);
        UnexpectedInput::new("a number or a list of numbers", format!("{found}{path}"))
    }

    /// Returns the path of the open list, such as ` in element [2][0]`. `item` is the number
    /// of an item in it, from 1. The path counts from 0.
    fn path_to(&self, item: Option<usize>) -> String {
        let above_count = self.levels.len().saturating_sub(1);
        let above = self.levels.iter().take(above_count).map(|level| level.count);
        let outermost = (!self.is_one_list).then_some(self.outermost);
        let mut path = String::new();
        for number in outermost.into_iter().chain(above).chain(item) {
            let _ = write!(path, "[{}]", number.saturating_sub(1));
        }
        if path.is_empty() { path } else { format!(" in element {path}") }
    }
    /// Returns the numbers, or an error with the missing bracket.
    pub(super) fn finish(self) -> Result<ShapedNumbers, UnexpectedInput> {
        if let Some(level) = self.levels.last() {
            let expected = format!("`{}`", level.closed_by);
            return Err(UnexpectedInput::new(expected, "the end"));
        }
        let inner = self.shape.into_iter().map(|size| size.unwrap_or(0));
        Ok(ShapedNumbers {
            shape: std::iter::once(self.outermost).chain(inner).collect(),
            numbers: self.numbers,
        })
    }
}
