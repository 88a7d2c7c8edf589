//! The exercises of a lesson and their variants.

use bindpose_lesson::{
    AskCell, Cell, CellDraws, CellKind, ChainCell, CheckCell, FaultsCell, Lesson, LessonBlock,
    LessonStep, PredictCell, Text, cells_in, known_faults,
};

/// Question for a hidden fault.
pub const DIAGNOSE: &str = "One of these is on. Which?";

/// An exercise or a question, with all its variants.
#[derive(Clone, Copy, Debug)]
pub enum Exercise<'a> {
    /// Bring values to a goal.
    Check(&'a CellDraws<CheckCell>),
    /// Guess the position of a vertex.
    Predict(&'a CellDraws<PredictCell>),
    Ask(&'a CellDraws<AskCell>),
    /// Assemble a product that equals a matrix.
    Chain(&'a ChainCell),
    /// Name the fault that is switched on.
    Diagnose(&'a FaultsCell),
}

impl<'a> Exercise<'a> {
    /// Returns `None` for other kinds of cells.
    pub fn from_cell(cell: &'a Cell) -> Option<Self> {
        match &cell.kind {
            CellKind::Check(check) => Some(Self::Check(check)),
            CellKind::Predict(predict) => Some(Self::Predict(predict)),
            CellKind::Ask(ask) => Some(Self::Ask(ask)),
            CellKind::Chain(chain) if chain.goal.is_some() => Some(Self::Chain(chain)),
            CellKind::Faults(faults) => faults.diagnose.then_some(Self::Diagnose(faults)),
            _ => None,
        }
    }

    /// Number of variants, at least 1.
    pub fn count(self) -> usize {
        match self {
            Self::Check(cell) => cell.count(),
            Self::Predict(cell) => cell.count(),
            Self::Ask(cell) => cell.count(),
            Self::Chain(_) => 1,
            Self::Diagnose(cell) if cell.faults.is_empty() => known_faults().count(),
            Self::Diagnose(cell) => cell.faults.len(),
        }
    }

    /// The question in a variant.
    pub fn ask(self, draw: usize) -> String {
        match self {
            Self::Check(cell) => cell.with(draw).ask.words(),
            Self::Predict(cell) => cell.with(draw).ask.words(),
            Self::Ask(cell) => cell.with(draw).ask.words(),
            Self::Chain(cell) => cell.ask.as_ref().map(Text::words).unwrap_or_default(),
            Self::Diagnose(_) => DIAGNOSE.to_owned(),
        }
    }

    /// The numbers of a variant. Empty if the cell lists no variants.
    pub fn numbers(self, draw: usize) -> &'a [(String, f64)] {
        let numbers = match self {
            Self::Check(cell) => cell.iter().nth(draw).map(|draw| &draw.numbers),
            Self::Predict(cell) => cell.iter().nth(draw).map(|draw| &draw.numbers),
            Self::Ask(cell) => cell.iter().nth(draw).map(|draw| &draw.numbers),
            Self::Chain(_) | Self::Diagnose(_) => None,
        };
        numbers.map_or(&[], Vec::as_slice)
    }
}

/// Returns all exercises on the page at a step, with the names of their cells.
pub fn exercises_at(lesson: &Lesson, step: usize) -> impl Iterator<Item = (&str, Exercise<'_>)> {
    cells_at(lesson, step).filter_map(with_name)
}

/// Returns all exercises of a lesson, with the names of their cells.
pub fn exercises(lesson: &Lesson) -> impl Iterator<Item = (&str, Exercise<'_>)> {
    lesson.cells().filter_map(with_name)
}

/// Returns every cell on the page at a step, those of the stage first.
pub fn cells_at(lesson: &Lesson, step: usize) -> impl Iterator<Item = &Cell> {
    let intro: &[LessonBlock] = if step == 0 { &lesson.intro } else { &[] };
    let step = lesson.steps.get(step);
    let staged = lesson
        .stage
        .iter()
        .filter(move |cell| step.is_none_or(|step| !step.hide.contains(&cell.id)));
    let of_step = step.into_iter().flat_map(LessonStep::cells);
    staged.chain(cells_in(intro)).chain(of_step)
}

fn with_name(cell: &Cell) -> Option<(&str, Exercise<'_>)> {
    Some((&cell.id, Exercise::from_cell(cell)?))
}
