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

// Lists within lists, as far as they are read: is each as long as the ones before?

/// Brackets within brackets, at most.
const DEEPEST: usize = 6;

/// What the brackets hold.
pub(super) struct Nest {
    /// Those that are open, the outermost first.
    levels: Vec<Level>,
    /// Lists on the outermost level.
    outermost: usize,
    /// Can there be no other list beside the first?
    is_one_list: bool,
    /// How many brackets the first number stands in.
    innermost: Option<usize>,
    /// How many items a list has, by depth.
    shape: Vec<Option<usize>>,
    numbers: Vec<f32>,
    most: usize,
}

struct Level {
    closed_by: char,
    count: usize,
    holds_lists: bool,
}

impl Nest {
    /// For at most so many numbers, in lists of which several may stand side by side.
    pub(super) fn of_lists(most: usize) -> Self {
        Self {
            levels: Vec::new(),
            outermost: 0,
            is_one_list: false,
            innermost: None,
            shape: Vec::new(),
            numbers: Vec::new(),
            most,
        }
    }

    /// The same where all stands in one list.
    pub(super) fn of_one_list(most: usize) -> Self {
        Self { is_one_list: true, ..Self::of_lists(most) }
    }

    /// Is no bracket open?
    pub(super) fn is_outside(&self) -> bool {
        self.levels.is_empty()
    }

    pub(super) fn open(&mut self, closed_by: char) -> Result<(), Misplaced> {
        match self.levels.last_mut() {
            Some(level) if level.count > 0 && !level.holds_lists => {
                return Err(Misplaced::new("a number, as before", "a bracket"));
            }
            Some(level) => {
                level.holds_lists = true;
                level.count += 1;
            }
            None => self.outermost += 1,
        }
        if self.levels.len() == DEEPEST {
            let expected = format!("at most {DEEPEST} brackets");
            return Err(Misplaced::new(expected, "one more"));
        }
        self.levels.push(Level { closed_by, count: 0, holds_lists: false });
        Ok(())
    }

    pub(super) fn number(&mut self, number: f32) -> Result<(), Misplaced> {
        let depth = self.levels.len();
        match self.levels.last_mut() {
            Some(level) if !level.holds_lists => {
                let innermost = *self.innermost.get_or_insert(depth);
                if innermost != depth {
                    let expected = format!("numbers in {innermost} brackets, as before");
                    return Err(Misplaced::new(expected, format!("one in {depth}")));
                }
                if self.numbers.len() == self.most {
                    return Err(Misplaced::too_many(self.most));
                }
                level.count += 1;
                self.numbers.push(number);
                Ok(())
            }
            Some(_) => Err(Misplaced::new("a bracket, as before", "a number")),
            None => Err(Misplaced::new("an opening bracket", "a number")),
        }
    }

    pub(super) fn close(&mut self, bracket: char) -> Result<(), Misplaced> {
        let path = self.path();
        let Some(level) = self.levels.pop() else {
            return Err(Misplaced::new("an opening bracket", format!("`{bracket}`")));
        };
        if level.closed_by != bracket {
            let expected = format!("`{}`", level.closed_by);
            return Err(Misplaced::new(expected, format!("`{bracket}`")));
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
        Err(Misplaced::new(expected, format!("{}{path}", level.count)))
    }

    /// What comes next in the open list is no number.
    pub(super) fn no_number(&self, found: &str) -> Misplaced {
        let next = self.levels.last().map(|level| level.count + 1);
        let path = self.path_to(next);
        Misplaced::new("a number or a list of numbers", format!("{found}{path}"))
    }

    /// ` in element [2][0]`, counted from 0: of what is open.
    fn path(&self) -> String {
        self.path_to(None)
    }

    /// The same of the item that has this number in it, counted from 1.
    fn path_to(&self, item: Option<usize>) -> String {
        let above = self.levels.len().saturating_sub(1);
        let above = self.levels.iter().take(above).map(|level| level.count);
        let outermost = (!self.is_one_list).then_some(self.outermost);
        let nths = outermost.into_iter().chain(above).chain(item);
        let path = nths.map(|nth| format!("[{}]", nth.saturating_sub(1)));
        match path.collect::<String>() {
            path if path.is_empty() => path,
            path => format!(" in element {path}"),
        }
    }

    /// With the bracket that is missing where there is one.
    pub(super) fn finished(self) -> Result<Shaped, Misplaced> {
        if let Some(level) = self.levels.last() {
            let expected = format!("`{}`", level.closed_by);
            return Err(Misplaced::new(expected, "the end"));
        }
        let inner = self.shape.into_iter().map(|size| size.unwrap_or(0));
        Ok(Shaped {
            shape: std::iter::once(self.outermost).chain(inner).collect(),
            numbers: self.numbers,
        })
    }
}
