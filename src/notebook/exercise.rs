//! Exercises: how far a reader is from a goal, and where a vertex goes that a
//! reader has made a guess about.

use glam::Vec3;

use super::{Derived, Document, Edit, Refused, apply};
use crate::asset::Rig;
use crate::lesson::{
    Block, Cell, CellKind, CheckCell, Condition, EvalError, Lesson, PredictCell, Setting,
};

/// A condition's number and where it should be. In the unit that is shown:
/// degrees where the condition says `°`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// What it is now.
    pub value: f64,
    /// What it should be.
    pub goal: f64,
    /// How far off still counts.
    pub tolerance: f64,
}

impl Measured {
    /// Looks at a condition as things stand.
    ///
    /// # Errors
    /// When a formula has no finite value there.
    pub fn of(condition: &Condition, derived: &Derived) -> Result<Self, EvalError> {
        let shown = if condition.unit == "°" {
            180.0 / std::f64::consts::PI
        } else {
            1.0
        };
        Ok(Self {
            value: condition.measure.eval(derived)? * shown,
            goal: condition.goal.eval(derived)? * shown,
            tolerance: condition.tolerance.0 * shown,
        })
    }

    /// How far above the goal; negative below.
    #[must_use]
    pub fn off(&self) -> f64 {
        self.value - self.goal
    }

    /// Near enough?
    #[must_use]
    pub fn holds(&self) -> bool {
        // Numbers come from f32: a value at the very edge counts.
        self.off().abs() <= self.tolerance * (1.0 + 1e-4)
    }

    /// Where on a bar from −1 to 1 with the goal in its middle: far off comes
    /// near an end and never leaves the bar.
    #[must_use]
    pub fn along(&self) -> f64 {
        along(self.off(), self.tolerance)
    }

    /// Half the width of the stretch that counts, on the same bar.
    #[must_use]
    pub fn reach(&self) -> f64 {
        along(self.tolerance, self.tolerance)
    }
}

/// The middle of the bar is drawn large: nine tolerances off is half way.
fn along(off: f64, tolerance: f64) -> f64 {
    off / (off.abs() + 9.0 * tolerance)
}

/// Do all conditions of an exercise hold? False where one has no value.
#[must_use]
pub fn is_solved(check: &CheckCell, derived: &Derived) -> bool {
    let holds = |condition| Measured::of(condition, derived).is_ok_and(|m| m.holds());
    !check.conditions.is_empty() && check.conditions.iter().all(holds)
}

/// The edit that puts an exercise's stored solution.
#[must_use]
pub fn solution(check: &CheckCell) -> Edit {
    let values = check.solution_edits.clone().into_iter().collect();
    Edit::Solve(check.solution.0.clone(), values)
}

/// Where a vertex stands, in world space, once `settings` are put; `None` when
/// there is no such vertex.
///
/// # Errors
/// When a setting does not fit.
pub fn position_with(
    settings: &[Setting],
    vertex: u32,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Result<Option<Vec3>, Refused> {
    let mut after = document.clone();
    let edit = Edit::Settings(settings.to_vec());
    apply(&mut after, &edit, lesson, &derived.rig)?;
    if after == *document {
        return Ok(derived.position(vertex as usize));
    }
    let influences = derived.influences.clone();
    let there = Derived::new(&after, Some(lesson), &derived.rig, influences);
    Ok(there.position(vertex as usize))
}

/// How far a guess lies from the truth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// Within a quarter of what counts.
    SpotOn,
    /// Counts.
    Close,
    /// Within three times of what counts.
    NotFar,
    /// Farther.
    Far,
}

impl Nearness {
    /// `close`: within this distance the guess is right.
    #[must_use]
    pub fn of(distance: f32, close: f32) -> Self {
        match distance / close {
            ratio if ratio <= 0.25 => Self::SpotOn,
            ratio if ratio <= 1.0 => Self::Close,
            ratio if ratio <= 3.0 => Self::NotFar,
            _ => Self::Far,
        }
    }

    /// Does the guess count as right?
    #[must_use]
    pub fn is_right(self) -> bool {
        matches!(self, Self::SpotOn | Self::Close)
    }

    /// For the reader.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::SpotOn => "spot on",
            Self::Close => "close",
            Self::NotFar => "not far",
            Self::Far => "far off",
        }
    }
}

/// The predictions that stand on the page at a step, by the name of their cell.
pub fn predictions_at<'a>(
    lesson: &'a Lesson,
    step: usize,
    rig: &'a Rig,
) -> impl Iterator<Item = (&'a str, &'a PredictCell)> {
    cells_at(lesson, step)
        .filter_map(prediction)
        .filter(|(_, cell)| (cell.vertex as usize) < rig.mesh.positions.len())
}

/// Where the exercises on the page at a step want a vertex, in world space.
pub fn places_at(lesson: &Lesson, step: usize) -> impl Iterator<Item = Vec3> {
    cells_at(lesson, step).filter_map(|cell| match &cell.kind {
        CellKind::Check(check) => check.place.map(Vec3::from),
        _ => None,
    })
}

/// All predictions of a lesson, by the name of their cell.
pub fn predictions(lesson: &Lesson) -> impl Iterator<Item = (&str, &PredictCell)> {
    let steps = lesson.steps.iter();
    let of_steps = steps.flat_map(|step| step.stage.iter().chain(in_prose(&step.blocks)));
    let staged = lesson.stage.iter().chain(in_prose(&lesson.intro));
    staged.chain(of_steps).filter_map(prediction)
}

fn cells_at(lesson: &Lesson, step: usize) -> impl Iterator<Item = &Cell> {
    let intro: &[Block] = if step == 0 { &lesson.intro } else { &[] };
    let step = lesson.steps.get(step);
    let hidden = move |cell: &Cell| step.is_some_and(|step| step.hide.contains(&cell.id));
    let staged = lesson.stage.iter().filter(move |cell| !hidden(cell));
    let of_step = step
        .into_iter()
        .flat_map(|step| step.stage.iter().chain(in_prose(&step.blocks)));
    staged.chain(in_prose(intro)).chain(of_step)
}

fn in_prose(blocks: &[Block]) -> impl Iterator<Item = &Cell> {
    blocks.iter().filter_map(|block| match block {
        Block::Cell(cell) => Some(&**cell),
        _ => None,
    })
}

fn prediction(cell: &Cell) -> Option<(&str, &PredictCell)> {
    match &cell.kind {
        CellKind::Predict(predict) => Some((cell.id.as_str(), predict)),
        _ => None,
    }
}
