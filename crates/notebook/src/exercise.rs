//! Exercises: how far a reader is from a goal, and where a vertex goes that a
//! reader has made a guess about.

use bindpose_asset::Rig;
use bindpose_lesson::{CheckCell, Condition, EvalError, Lesson, PredictCell, Setting};
use glam::Vec3;

use super::exercise_cells::{Exercise, exercises_at};
use super::{Derived, Document, Edit, EditError, Prediction, apply};

/// A condition's number and where it should be. In the unit that is shown:
/// degrees where the condition says `°`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredCondition {
    /// What it is now.
    pub value: f64,
    /// What it should be.
    pub goal: f64,
    /// How far off still counts.
    pub tolerance: f64,
}

impl MeasuredCondition {
    /// Looks at a condition as things stand.
    ///
    /// Fails when a formula has no finite value there.
    pub fn from_condition(condition: &Condition, derived: &Derived) -> Result<Self, EvalError> {
        let shown = if condition.unit == "°" { 180.0 / std::f64::consts::PI } else { 1.0 };
        Ok(Self {
            value: condition.measure.eval(derived)? * shown,
            goal: condition.goal.eval(derived)? * shown,
            tolerance: condition.tolerance.0 * shown,
        })
    }

    /// How far above the goal; negative below.
    pub fn off(&self) -> f64 {
        self.value - self.goal
    }

    /// Near enough?
    pub fn holds(&self) -> bool {
        // Numbers come from f32: a value at the very edge counts.
        self.off().abs() <= self.tolerance * (1.0 + 1e-4)
    }

    /// Where on a bar from −1 to 1 with the goal in its middle: far off comes
    /// near an end and never leaves the bar.
    pub fn along(&self) -> f64 {
        along(self.off(), self.tolerance)
    }

    /// Half the width of the stretch that counts, on the same bar.
    pub fn reach(&self) -> f64 {
        along(self.tolerance, self.tolerance)
    }
}

/// The middle of the bar is drawn large: nine tolerances off is half way.
fn along(off: f64, tolerance: f64) -> f64 {
    off / (off.abs() + 9.0 * tolerance)
}

/// Do all conditions of an exercise hold? False where one has no value.
pub fn is_solved(check: &CheckCell, derived: &Derived) -> bool {
    let holds =
        |condition| MeasuredCondition::from_condition(condition, derived).is_ok_and(|m| m.holds());
    !check.conditions.is_empty() && check.conditions.iter().all(holds)
}

/// The edit that puts an exercise's stored solution.
pub fn solution(check: &CheckCell) -> Edit {
    Edit::Solve(check.solution.0.clone(), check.solution_edits.0.clone())
}

/// Where a vertex stands, in world space, once `settings` are put; `None` when
/// there is no such vertex.
///
/// Fails when a setting does not fit.
pub fn position_with(
    settings: &[Setting],
    vertex: u32,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Result<Option<Vec3>, EditError> {
    let mut after = document.clone();
    let edit = Edit::Settings(settings.to_vec());
    apply(&mut after, &edit, lesson, &derived.stored_rig)?;
    if after == *document {
        return Ok(derived.position(vertex as usize));
    }
    let there = derived.of_other(&after, Some(lesson));
    Ok(there.position(vertex as usize))
}

/// A guess as it is handed in to a class: `x,y,z`, in world space. `None`: it is none, or
/// out of this world.
pub fn handed_in_place(text: &str) -> Option<Vec3> {
    let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>().ok()?;
    let place: [f32; 3] = numbers.try_into().ok()?;
    let is_near = |number: &f32| number.is_finite() && number.abs() < 1e6;
    place.iter().all(is_near).then_some(place.into())
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
    pub fn from_distance(distance: f32, close: f32) -> Self {
        match distance / close {
            ratio if ratio <= 0.25 => Self::SpotOn,
            ratio if ratio <= 1.0 => Self::Close,
            ratio if ratio <= 3.0 => Self::NotFar,
            _ => Self::Far,
        }
    }

    /// Does the guess count as right?
    pub fn is_right(self) -> bool {
        matches!(self, Self::SpotOn | Self::Close)
    }

    /// For the reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::SpotOn => "spot on",
            Self::Close => "close",
            Self::NotFar => "not far",
            Self::Far => "far off",
        }
    }
}

/// The predictions that stand on the page of a document, with the numbers drawn
/// there, by the name of their cell.
pub fn predictions_at<'a>(
    lesson: &'a Lesson,
    document: &'a Document,
    rig: &'a Rig,
) -> impl Iterator<Item = (&'a str, &'a PredictCell)> {
    let drawn = |(id, exercise)| match exercise {
        Exercise::Predict(cell) => Some((id, cell.with(document.draw_of(id)))),
        Exercise::Check(_) | Exercise::Ask(_) | Exercise::Chain(_) | Exercise::Diagnose(_) => None,
    };
    exercises_at(lesson, document.step)
        .filter_map(drawn)
        .filter(|(_, cell)| (cell.vertex as usize) < rig.mesh.positions.len())
}

/// The best of the guesses, with how far off it is: a class that keeps several has
/// found what one of it has.
pub fn nearest(guess: &Prediction, truth_in_world: Vec3) -> ([f32; 3], f32) {
    let off = |place: [f32; 3]| truth_in_world.distance(Vec3::from(place));
    let all = guess.all_in_world().map(|place| (place, off(place)));
    let nearest = all.min_by(|(_, a), (_, b)| a.total_cmp(b));
    nearest.unwrap_or((guess.position_in_world, off(guess.position_in_world)))
}

/// What reveals the guess that stands on the page of a document and is not revealed
/// yet; the first names the step of undo.
pub fn reveal(lesson: &Lesson, document: &Document, rig: &Rig) -> Option<[Edit; 2]> {
    let is_open = |cell| document.state.predictions.get(cell).is_some_and(|one| !one.revealed);
    let (cell, predict) = predictions_at(lesson, document, rig).find(|&(cell, _)| is_open(cell))?;
    Some([Edit::Reveal(cell.to_owned()), Edit::Settings(predict.set.0.clone())])
}

/// Where the exercises on the page of a document want a vertex, in world space.
pub fn places_at(lesson: &Lesson, document: &Document) -> impl Iterator<Item = Vec3> {
    let place = |(id, exercise)| match exercise {
        Exercise::Check(cell) => cell.with(document.draw_of(id)).place,
        Exercise::Predict(_) | Exercise::Ask(_) | Exercise::Chain(_) | Exercise::Diagnose(_) => {
            None
        }
    };
    exercises_at(lesson, document.step).filter_map(place).map(Vec3::from)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_lesson::{Expr, Quantity, Settings, Text};

    use super::*;
    use crate::exercise_cells::exercises;
    use crate::step_document;
    use crate::test_sample::{lesson, rig};

    fn condition(measure: &str, goal: &str, tolerance: f64, unit: &str) -> Condition {
        Condition {
            label: "it".into(),
            measure: Expr::parse(measure).unwrap(),
            goal: Expr::parse(goal).unwrap(),
            tolerance: Quantity(tolerance),
            decimals: None,
            unit: unit.to_owned(),
            secret: false,
        }
    }

    fn derived(document: &Document) -> Derived {
        let rig = Arc::new(rig());
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, Some(&lesson()), &rig, influences)
    }

    fn nodding(nod_rad: f64) -> Derived {
        let mut document = step_document(&lesson(), 0, Some(&rig()));
        document.state.params.insert("nod".to_owned(), nod_rad);
        derived(&document)
    }

    #[test]
    fn a_condition_says_how_far_off_and_on_which_side() {
        let angle = condition("nod", "45deg", 1_f64.to_radians(), "°");
        let at = |degrees: f64| {
            MeasuredCondition::from_condition(&angle, &nodding(degrees.to_radians())).unwrap()
        };
        let below = at(35.0);
        assert!((below.value - 35.0).abs() < 1e-6 && (below.goal - 45.0).abs() < 1e-6);
        assert!((below.off() + 10.0).abs() < 1e-6 && !below.holds());
        assert!(at(46.0).holds(), "the very edge counts");
        assert!(!at(46.01).holds());
        assert!(
            MeasuredCondition::from_condition(&condition("1/nod", "0", 1.0, ""), &nodding(0.0))
                .is_err()
        );
    }

    #[test]
    fn the_bar_grows_towards_the_goal_and_never_ends() {
        let goal = condition("nod", "0", 0.01, "");
        let along =
            |nod_rad| MeasuredCondition::from_condition(&goal, &nodding(nod_rad)).unwrap().along();
        let mut last = -1.0;
        for nod_rad in [-900.0, -1.0, -0.1, 0.0, 0.1, 1.0, 900.0] {
            assert!(along(nod_rad) > last && along(nod_rad) < 1.0, "{nod_rad}");
            last = along(nod_rad);
        }
        let edge = MeasuredCondition::from_condition(&goal, &nodding(0.01)).unwrap();
        assert!((edge.along() - edge.reach()).abs() < 1e-6);
    }

    #[test]
    fn an_exercise_is_solved_when_all_conditions_hold() {
        let check = |conditions| CheckCell {
            ask: Text::default(),
            conditions,
            place: None,
            hints: Vec::new(),
            solution: Settings::default(),
            solution_edits: bindpose_lesson::DataEdits::default(),
            solved: Text::default(),
        };
        let near = || condition("nod", "0.5", 0.01, "");
        let here = nodding(0.5);
        assert!(is_solved(&check(vec![near()]), &here));
        let other = condition("x(v0)", "9", 0.01, "");
        assert!(!is_solved(&check(vec![near(), other]), &here));
        let nowhere = condition("1/(nod-nod)", "0", 1.0, "");
        assert!(!is_solved(&check(vec![near(), nowhere]), &here));
        assert!(!is_solved(&check(Vec::new()), &here));
    }

    #[test]
    fn the_truth_is_where_the_settings_put_the_vertex() {
        let (lesson, rig) = (lesson(), rig());
        let begin = step_document(&lesson, 0, Some(&rig));
        let (_, cell) = predictions_at(&lesson, &begin, &rig).next().unwrap();
        let truth = |document: &Document| {
            let derived = derived(document);
            position_with(&cell.set.0, 0, document, &lesson, &derived).unwrap().unwrap()
        };
        // (0.25, 0) of the head, turned by half a radian, 2 up.
        let expected = Vec3::new(0.25 * 0.5_f32.cos(), 2.0 + 0.25 * 0.5_f32.sin(), 0.0);
        assert!(truth(&begin).abs_diff_eq(expected, 1e-6));
        let mut after = begin.clone();
        after.state.params.insert("nod".to_owned(), 0.5);
        assert!(truth(&after).abs_diff_eq(expected, 1e-6), "the same after the reveal");
        let unknown = [Setting::Param("nose".to_owned(), 1.0)];
        assert!(position_with(&unknown, 0, &begin, &lesson, &derived(&begin)).is_err());
        let far = position_with(&cell.set.0, 99, &begin, &lesson, &derived(&begin));
        assert_eq!(far, Ok(None));
    }

    #[test]
    fn questions_are_found_on_their_step_alone() {
        let (lesson, rig) = (lesson(), rig());
        let count = |step| {
            let document = step_document(&lesson, step, Some(&rig));
            predictions_at(&lesson, &document, &rig).count()
        };
        assert_eq!([0, 1].map(count), [1, 0]);
        assert_eq!(exercises_at(&lesson, 99).count(), 0);
        assert_eq!(exercises(&lesson).next().unwrap().0, "aim");
    }

    #[test]
    fn nearness_is_judged_by_what_counts_as_close() {
        for (distance, nearness, right) in [
            (0.0, Nearness::SpotOn, true),
            (0.1, Nearness::SpotOn, true),
            (0.4, Nearness::Close, true),
            (1.2, Nearness::NotFar, false),
            (1.3, Nearness::Far, false),
            (f32::NAN, Nearness::Far, false),
        ] {
            let found = Nearness::from_distance(distance, 0.4);
            assert_eq!((found, found.is_right()), (nearness, right), "{distance}");
        }
    }
}
