//! Exercises: how far a reader is from a goal, where a vertex goes that a reader has
//! made a guess about, and which mistake leads to a wrong guess.

use bindpose_asset::Rig;
use bindpose_lesson::{CheckCell, Condition, EvalError, Lesson, PredictCell, Setting};
use bindpose_skin::InverseBind;
use glam::Vec3;

use super::exercise_cells::{Exercise, exercises_at};
use super::{Derived, Document, Edit, EditError, Prediction, apply, step_document};
use crate::edit_label::joint_label;

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

// The mistakes that lead to wrong guesses.

/// Mistakes in how far something is turned or moved: the part of the way, and its words.
const WAYS: [(f64, &str); 4] = [
    (0.0, "That is where it was before."),
    (0.5, "You went half of the way."),
    (-1.0, "You turned it the other way."),
    (2.0, "You went twice as far."),
];

/// Where usual mistakes with a question about a place lead.
pub struct GuessMistakes {
    truth_in_world: Vec3,
    /// Within this distance a guess is right.
    close: f32,
    /// Places in world space, each with what was done wrong, as a sentence.
    mistakes: Vec<(Vec3, String)>,
}

impl GuessMistakes {
    /// `document` is the page on which the truth is shown. `None`: it shows none.
    pub fn new(
        cell: &PredictCell,
        (document, lesson, derived): (&Document, &Lesson, &Derived),
    ) -> Option<Self> {
        let place = |settings: &[Setting]| {
            position_with(settings, cell.vertex, document, lesson, derived).ok().flatten()
        };
        let truth_in_world = place(&cell.set.0)?;
        let begin = step_document(lesson, document.step, Some(&derived.rig));
        let begins_at = |name: &str| {
            let set = begin.state.params.get(name).copied();
            set.unwrap_or_else(|| derived.rig.param(name).map_or(0.0, |param| param.default))
        };
        let part_of_way = |part: f64| {
            let moved = cell.set.0.iter().map(|setting| match setting {
                Setting::Param(name, to) => {
                    let from = begins_at(name);
                    Setting::Param(name.clone(), from + part * (to - from))
                }
                other => other.clone(),
            });
            moved.collect::<Vec<Setting>>()
        };
        let moves = cell.set.0.iter().any(|setting| matches!(setting, Setting::Param(..)));
        let ways = WAYS.iter().filter(|_| moves);
        let mut mistakes: Vec<(Vec3, String)> = ways
            .filter_map(|(part, words)| Some((place(&part_of_way(*part))?, (*words).to_owned())))
            .collect();
        let joints = derived.influence_points(cell.vertex as usize);
        if joints.len() > 1 {
            mistakes.extend(joints.into_iter().map(|point| {
                let joint = joint_label(point.joint, &derived.rig);
                (point.position_in_world, format!("You let it follow {joint} alone."))
            }));
        }
        if document.state.inverse_bind == InverseBind::Inverse {
            let left_out = Setting::InverseBind(InverseBind::LeftOut);
            let without = place(&[&cell.set.0[..], &[left_out]].concat());
            let words = "You left out the inverse bind matrix.".to_owned();
            mistakes.extend(without.map(|place| (place, words)));
        }
        Some(Self { truth_in_world, close: cell.close, mistakes })
    }

    /// What was done wrong, in a sentence, if a usual mistake leads to the guess: nearer
    /// than what counts as close, and much nearer than the truth.
    pub fn story(&self, guess_in_world: Vec3) -> Option<&str> {
        let off = self.off(guess_in_world);
        let near = |place: Vec3| place.distance(guess_in_world);
        let fit = self.mistakes.iter().filter(|(place, _)| {
            off > self.close && near(*place) <= self.close && near(*place) <= 0.5 * off
        });
        let nearest = fit.min_by(|a, b| near(a.0).total_cmp(&near(b.0)));
        nearest.map(|(_, words)| &**words)
    }

    /// How far the guess lies from the truth.
    pub fn off(&self, guess_in_world: Vec3) -> f32 {
        self.truth_in_world.distance(guess_in_world)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bindpose_asset::builtin;
    use bindpose_lesson::{Expr, LessonSet, Quantity, Settings, Text};

    use super::*;
    use crate::exercise_cells::exercises;
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

    #[test]
    fn a_wrong_guess_is_told_by_the_mistake_that_leads_there() {
        let set = LessonSet::embedded();
        let lesson = set.lessons.iter().find(|lesson| lesson.slug == "what-skinning-is").unwrap();
        let step = lesson.steps.iter().position(|step| step.slug == "guess-half-of-two-joints");
        let rig = builtin("limb").unwrap();
        let mut document = step_document(lesson, step.unwrap(), Some(&rig));
        let cell = lesson.steps[document.step].cells().find_map(|cell| match &cell.kind {
            bindpose_lesson::CellKind::Predict(drawn) => Some(drawn.with(0).clone()),
            _ => None,
        });
        let cell = cell.unwrap();
        for setting in &cell.set.0 {
            crate::apply_setting(&mut document, setting, Some(&rig));
        }
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, Some(lesson), &Arc::clone(&rig), influences);
        let mistakes = GuessMistakes::new(&cell, (&document, lesson, &derived)).unwrap();
        let told = |place: Vec3| mistakes.story(place);
        let with = |degrees: f64| {
            let turn = [Setting::Param("bend".to_owned(), degrees.to_radians())];
            position_with(&turn, cell.vertex, &document, lesson, &derived).unwrap().unwrap()
        };
        assert_eq!(told(with(90.0)), None, "it is right");
        assert_eq!(told(with(-90.0)).unwrap(), "You turned it the other way.");
        let alone = derived.influence_points(cell.vertex as usize);
        let last = told(alone[1].position_in_world).unwrap();
        assert!(last.starts_with("You let it follow ") && last.ends_with(" alone."), "{last}");
        assert_eq!(told(Vec3::new(30.0, 0.0, 0.0)), None, "no usual mistake leads there");
    }
}
