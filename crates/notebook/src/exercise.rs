//! Exercises: distance to a goal, actual positions for guesses, and mistakes
//! that explain wrong guesses.

use bindpose_gltf::Rig;
use bindpose_lesson::{
    CheckCell, Condition, EvalError, FormulaValue, Lesson, PredictCell, Setting, Text, WrongPlace,
};
use bindpose_skin::InverseBind;
use glam::Vec3;

use super::exercise_cells::{Exercise, exercises_at};
use super::{Derived, Document, Edit, EditError, Prediction, apply, step_document};
use crate::joint_name::joint_name_or_number;

/// Measured value and goal of a condition, in the unit shown: degrees if the
/// condition's unit is `°`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MeasuredCondition {
    pub value: f64,
    pub goal: f64,
    /// Maximum accepted difference.
    pub tolerance: f64,
}

impl MeasuredCondition {
    /// Evaluates a condition.
    ///
    /// # Errors
    ///
    /// Fails if a formula has no finite value.
    pub fn from_condition(condition: &Condition, derived: &Derived) -> Result<Self, EvalError> {
        let shown = if condition.unit == "°" { 180.0 / std::f64::consts::PI } else { 1.0 };
        Ok(Self {
            value: condition.measure.eval(derived)? * shown,
            goal: condition.goal.eval(derived)? * shown,
            tolerance: condition.tolerance.0 * shown,
        })
    }

    /// Signed difference from the goal. Positive above it.
    pub fn off(&self) -> f64 {
        self.value - self.goal
    }

    /// Returns true if the condition is met.
    pub fn holds(&self) -> bool {
        // The numbers come from f32, so accept values at the very edge.
        self.off().abs() <= self.tolerance * (1.0 + 1e-4)
    }

    /// Position on a bar from −1 to 1 with the goal in the centre. Large
    /// differences approach the ends.
    pub fn along(&self) -> f64 {
        bar_position(self.off(), self.tolerance)
    }

    /// Half-width of the accepted range on the same bar.
    pub fn reach(&self) -> f64 {
        bar_position(self.tolerance, self.tolerance)
    }
}

/// Enlarges the centre of the bar: nine tolerances off is halfway to the end.
fn bar_position(off: f64, tolerance: f64) -> f64 {
    off / (off.abs() + 9.0 * tolerance)
}

/// Returns true if all conditions of an exercise are met. A condition without a
/// value is not met.
pub fn is_solved(check: &CheckCell, derived: &Derived) -> bool {
    !check.conditions.is_empty()
        && check.conditions.iter().all(|condition| {
            MeasuredCondition::from_condition(condition, derived)
                .is_ok_and(|measured| measured.holds())
        })
}

/// Creates the edit that applies the stored solution of an exercise.
pub fn solution(check: &CheckCell) -> Edit {
    Edit::solve(&check.solution.0, &check.solution_edits.0)
}

/// Returns the world position of a vertex after applying `settings`. Returns
/// `None` if there is no such vertex.
///
/// # Errors
///
/// Fails if a setting does not fit.
pub fn position_with(
    settings: &[Setting],
    vertex: u32,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Result<Option<Vec3>, EditError> {
    let derived_after = derived_with(settings, document, lesson, derived)?;
    Ok(derived_after.as_ref().unwrap_or(derived).position(vertex as usize))
}

/// Returns the page after applying `settings`. Returns `None` if they change nothing.
fn derived_with(
    settings: &[Setting],
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Result<Option<Derived>, EditError> {
    let mut after = document.clone();
    let edit = Edit::Settings(settings.to_vec());
    apply(&mut after, &edit, lesson, &derived.stored_rig)?;
    Ok((after != *document).then(|| derived.of_other(&after, Some(lesson))))
}

/// Parses a guess submitted to a class, `x,y,z` in world space. Returns `None`
/// if it is invalid or absurdly far away.
pub fn handed_in_place(text: &str) -> Option<Vec3> {
    let numbers = text.split(',').map(str::parse).collect::<Result<Vec<f32>, _>>().ok()?;
    let place: [f32; 3] = numbers.try_into().ok()?;
    let is_sane = place.iter().all(|number| number.is_finite() && number.abs() < 1e6);
    is_sane.then_some(place.into())
}

/// Rating of the distance between a guess and the actual position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nearness {
    /// Within a quarter of the accepted distance.
    SpotOn,
    /// Within the accepted distance.
    Close,
    /// Within three times the accepted distance.
    NotFar,
    /// Farther away.
    Far,
}

impl Nearness {
    /// Rates a distance. `close` is the maximum accepted one.
    pub fn from_distance(distance: f32, close: f32) -> Self {
        match distance / close {
            ratio if ratio <= 0.25 => Self::SpotOn,
            ratio if ratio <= 1.0 => Self::Close,
            ratio if ratio <= 3.0 => Self::NotFar,
            _ => Self::Far,
        }
    }

    /// Returns true if the guess counts as right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::SpotOn | Self::Close)
    }

    /// Rating as shown to the reader.
    pub fn words(self) -> &'static str {
        match self {
            Self::SpotOn => "spot on",
            Self::Close => "close",
            Self::NotFar => "not far",
            Self::Far => "far off",
        }
    }
}

/// Returns the prediction cells of the document's step, with the variants
/// selected there, and their names.
pub fn predictions_at<'a>(
    lesson: &'a Lesson,
    document: &'a Document,
    rig: &'a Rig,
) -> impl Iterator<Item = (&'a str, &'a PredictCell)> {
    exercises_at(lesson, document.step)
        .filter_map(|(id, exercise)| match exercise {
            Exercise::Predict(cell) => Some((id, cell.with(document.draw_of(id)))),
            Exercise::Check(_) | Exercise::Ask(_) | Exercise::Chain(_) | Exercise::Diagnose(_) => {
                None
            }
        })
        .filter(|(_, cell)| (cell.vertex as usize) < rig.mesh.positions.len())
}

/// Returns the guess nearest to the actual position, and its distance. A class
/// that keeps several guesses is rated by its best.
pub fn nearest(guess: &Prediction, truth_in_world: Vec3) -> ([f32; 3], f32) {
    guess
        .all_in_world()
        .map(|place| (place, truth_in_world.distance(Vec3::from(place))))
        .min_by(|(_, a), (_, b)| a.total_cmp(b))
        .unwrap_or_else(|| {
            let place = guess.position_in_world;
            (place, truth_in_world.distance(Vec3::from(place)))
        })
}

/// Returns the edits that reveal the first unrevealed guess of the document's
/// step. The first edit names the undo step.
pub fn reveal(lesson: &Lesson, document: &Document, rig: &Rig) -> Option<[Edit; 2]> {
    let (cell, predict) = predictions_at(lesson, document, rig).find(|(cell, _)| {
        document.state.predictions.get(*cell).is_some_and(|guess| !guess.revealed)
    })?;
    Some([Edit::Reveal(cell.to_owned()), Edit::Settings(predict.set.0.clone())])
}

/// Returns the world positions that exercises of the document's step ask for.
pub fn places_at(lesson: &Lesson, document: &Document) -> impl Iterator<Item = Vec3> {
    exercises_at(lesson, document.step)
        .filter_map(|(id, exercise)| match exercise {
            Exercise::Check(cell) => cell.with(document.draw_of(id)).place,
            Exercise::Predict(_)
            | Exercise::Ask(_)
            | Exercise::Chain(_)
            | Exercise::Diagnose(_) => None,
        })
        .map(Vec3::from)
}

// Mistakes that explain wrong guesses.

/// Mistakes in the amount of a motion: the fraction of the full motion, and the
/// explanation.
const AMOUNT_MISTAKES: [(f64, &str); 4] = [
    (0.0, "That is where it was before."),
    (0.5, "You went half of the way."),
    (-1.0, "You turned it the other way."),
    (2.0, "You went twice as far."),
];

/// Reason why a wrong place of a prediction has no position.
#[derive(Clone, Debug, PartialEq)]
pub enum WrongPlaceError {
    /// A setting does not fit.
    Setting(EditError),
    /// The formula has no value.
    Formula(EvalError),
    /// The formula has a value of this type, and no point.
    NotAPoint(&'static str),
    /// The rig has no such vertex.
    NoVertex,
}

/// Computes the world position of a wrong place of a prediction.
///
/// # Errors
///
/// Fails if a setting does not fit, or the formula is not a point.
pub fn wrong_position(
    wrong: &WrongPlace,
    cell: &PredictCell,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> Result<Vec3, WrongPlaceError> {
    let settings = [cell.set.0.as_slice(), wrong.set.0.as_slice()].concat();
    let derived_after =
        derived_with(&settings, document, lesson, derived).map_err(WrongPlaceError::Setting)?;
    let page = derived_after.as_ref().unwrap_or(derived);
    let Some(place) = &wrong.place else {
        return page.position(cell.vertex as usize).ok_or(WrongPlaceError::NoVertex);
    };
    match place.value(page).map_err(WrongPlaceError::Formula)?.value {
        FormulaValue::Vec3(point) => Ok(point.xyz.as_vec3()),
        other => Err(WrongPlaceError::NotAPoint(other.type_name())),
    }
}

/// Position that a mistake leads to.
struct GuessMistake {
    position_in_world: Vec3,
    reply: Text,
}

/// Positions that the mistakes named by the lesson and other common ones lead to.
pub struct GuessMistakes {
    truth_in_world: Vec3,
    /// Maximum accepted distance of a guess.
    close: f32,
    named_by_lesson: Vec<GuessMistake>,
    common: Vec<GuessMistake>,
}

impl GuessMistakes {
    /// Computes the mistakes for a prediction. `document` is the page that shows
    /// the actual position. Returns `None` if it shows none.
    pub fn new(
        cell: &PredictCell,
        document: &Document,
        lesson: &Lesson,
        derived: &Derived,
    ) -> Option<Self> {
        let truth_in_world =
            position_with(&cell.set.0, cell.vertex, document, lesson, derived).ok().flatten()?;
        let named_by_lesson = cell
            .wrong
            .iter()
            .filter_map(|wrong| {
                let position_in_world =
                    wrong_position(wrong, cell, document, lesson, derived).ok()?;
                Some(GuessMistake { position_in_world, reply: wrong.reply.clone() })
            })
            .collect();
        let mut common = Vec::new();
        let start = step_document(lesson, document.step, Some(&derived.rig));
        if cell.set.0.iter().any(|setting| matches!(setting, Setting::Param(..))) {
            for (amount, words) in AMOUNT_MISTAKES {
                let settings = scaled_settings(&cell.set.0, amount, &start, &derived.rig);
                let position =
                    position_with(&settings, cell.vertex, document, lesson, derived).ok().flatten();
                common.extend(position.map(|position_in_world| GuessMistake {
                    position_in_world,
                    reply: words.into(),
                }));
            }
        }
        let joints = derived.influence_points(cell.vertex as usize);
        if joints.len() > 1 {
            common.extend(joints.into_iter().map(|point| {
                let joint = joint_name_or_number(point.joint, &derived.rig);
                GuessMistake {
                    position_in_world: point.position_in_world,
                    reply: format!("You let it follow {joint} alone.").as_str().into(),
                }
            }));
        }
        if document.state.inverse_bind == InverseBind::Inverse {
            let mut settings = cell.set.0.clone();
            settings.push(Setting::InverseBind(InverseBind::LeftOut));
            let position =
                position_with(&settings, cell.vertex, document, lesson, derived).ok().flatten();
            common.extend(position.map(|position_in_world| GuessMistake {
                position_in_world,
                reply: "You left out the inverse bind matrix.".into(),
            }));
        }
        Some(Self { truth_in_world, close: cell.close.0, named_by_lesson, common })
    }

    /// Returns the reply to a wrong guess: that of the lesson if one fits, else
    /// that of a common mistake.
    pub fn reply_to(&self, guess_in_world: Vec3) -> Option<&Text> {
        self.nearest_reply(&self.named_by_lesson, guess_in_world)
            .or_else(|| self.nearest_reply(&self.common, guess_in_world))
    }

    /// Returns the reply of the mistake that leads nearest to a wrong guess. It must
    /// lead nearer to the guess than the accepted distance, and much nearer than the
    /// actual position is.
    fn nearest_reply<'a>(
        &self,
        mistakes: &'a [GuessMistake],
        guess_in_world: Vec3,
    ) -> Option<&'a Text> {
        let off = self.distance_from_truth(guess_in_world);
        if off <= self.close {
            return None;
        }
        mistakes
            .iter()
            .map(|mistake| (mistake.position_in_world.distance(guess_in_world), &mistake.reply))
            .filter(|(distance, _)| *distance <= self.close && *distance <= 0.5 * off)
            .min_by(|(a, _), (b, _)| a.total_cmp(b))
            .map(|(_, reply)| reply)
    }

    /// Distance of a guess from the actual position.
    pub fn distance_from_truth(&self, guess_in_world: Vec3) -> f32 {
        self.truth_in_world.distance(guess_in_world)
    }
}

/// Scales the change of each parameter from its value at the start of the step.
fn scaled_settings(settings: &[Setting], amount: f64, start: &Document, rig: &Rig) -> Vec<Setting> {
    settings
        .iter()
        .map(|setting| match setting {
            Setting::Param(name, to) => {
                let from = start
                    .state
                    .params
                    .get(name)
                    .copied()
                    .unwrap_or_else(|| rig.param(name).map_or(0.0, |param| param.default));
                Setting::Param(name.clone(), from + amount * (to - from))
            }
            other => other.clone(),
        })
        .collect()
}

#[cfg(test)]
mod tests {

    use bindpose_lesson::{Expr, LessonSet, Settings, Tolerance};
    use bindpose_rigs::builtin;

    use super::*;
    use crate::exercise_cells::exercises;
    use crate::test_sample::{derive, lesson, rig};

    fn condition(measure: &str, goal: &str, tolerance: f64, unit: &str) -> Condition {
        Condition {
            label: "it".into(),
            measure: Expr::parse(measure).unwrap(),
            goal: Expr::parse(goal).unwrap(),
            tolerance: Tolerance(tolerance),
            decimals: None,
            unit: unit.to_owned(),
            secret: false,
        }
    }

    fn nodding(nod_rad: f64) -> Derived {
        let mut document = step_document(&lesson(), 0, Some(&rig()));
        document.state.params.insert("nod".to_owned(), nod_rad);
        derive(&document)
    }

    #[test]
    fn condition_has_signed_difference() {
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
    fn actual_position_follows_settings() {
        let (lesson, rig) = (lesson(), rig());
        let begin = step_document(&lesson, 0, Some(&rig));
        let (_, cell) = predictions_at(&lesson, &begin, &rig).next().unwrap();
        let truth = |document: &Document| {
            let derived = derive(document);
            position_with(&cell.set.0, 0, document, &lesson, &derived).unwrap().unwrap()
        };
        // (0.25, 0) of the head, turned by half a radian, 2 up.
        let expected = Vec3::new(0.25 * 0.5_f32.cos(), 2.0 + 0.25 * 0.5_f32.sin(), 0.0);
        assert!(truth(&begin).abs_diff_eq(expected, 1e-6));
        let mut after = begin.clone();
        after.state.params.insert("nod".to_owned(), 0.5);
        assert!(truth(&after).abs_diff_eq(expected, 1e-6), "the same after the reveal");
        let unknown = [Setting::Param("nose".to_owned(), 1.0)];
        assert!(position_with(&unknown, 0, &begin, &lesson, &derive(&begin)).is_err());
        let far = position_with(&cell.set.0, 99, &begin, &lesson, &derive(&begin));
        assert_eq!(far, Ok(None));
    }

    #[test]
    fn predictions_are_found_on_their_step_only() {
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
    fn nearness_is_relative_to_accepted_distance() {
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
    fn wrong_guess_is_explained_by_its_mistake() {
        let set = LessonSet::embedded();
        let lesson = set.lessons.iter().find(|lesson| lesson.slug == "what-skinning-is").unwrap();
        let step = lesson.steps.iter().position(|step| step.slug == "guess-half-of-two-joints");
        let rig = builtin("limb").unwrap();
        let mut document = step_document(lesson, step.unwrap(), Some(&rig));
        let cell = lesson.steps[document.step].cells().find_map(|cell| match &cell.kind {
            bindpose_lesson::CellKind::Predict(drawn) => Some(drawn.with(0).clone()),
            _ => None,
        });
        let mut cell = cell.unwrap();
        for setting in &cell.set.0 {
            crate::apply_setting(&mut document, setting, Some(&rig));
        }
        let derived = Derived::of_document(&document, Some(lesson), &rig);
        cell.wrong = vec![WrongPlace {
            set: Settings(vec![Setting::Param("bend".to_owned(), 0.0)]),
            place: None,
            reply: "It turns.".into(),
        }];
        let mistakes = GuessMistakes::new(&cell, &document, lesson, &derived).unwrap();
        let told = |place: Vec3| mistakes.reply_to(place).map(|reply| reply.source.as_str());
        let with = |degrees: f64| {
            let turn = [Setting::Param("bend".to_owned(), degrees.to_radians())];
            position_with(&turn, cell.vertex, &document, lesson, &derived).unwrap().unwrap()
        };
        assert_eq!(told(with(90.0)), None, "it is right");
        assert_eq!(told(with(-90.0)).unwrap(), "You turned it the other way.");
        let alone = derived.influence_points(cell.vertex as usize);
        let last = told(alone[1].position_in_world).unwrap();
        assert!(last.starts_with("You let it follow ") && last.ends_with(" alone."), "{last}");
        assert_eq!(told(with(0.0)).unwrap(), "It turns.", "the lesson comes first");
        assert_eq!(told(Vec3::new(30.0, 0.0, 0.0)), None, "no usual mistake leads there");
    }

    #[test]
    fn wrong_place_is_a_formula_or_where_its_settings_take_the_vertex() {
        let (lesson, rig) = (lesson(), rig());
        let begin = step_document(&lesson, 0, Some(&rig));
        let (_, cell) = predictions_at(&lesson, &begin, &rig).next().unwrap();
        let position = |nod: Option<f64>, place: Option<&str>| {
            let nod = nod.map(|nod| Setting::Param("nod".to_owned(), nod));
            let wrong = WrongPlace {
                set: Settings(nod.into_iter().collect()),
                place: place.map(|place| Expr::parse(place).unwrap()),
                reply: Text::default(),
            };
            wrong_position(&wrong, cell, &begin, &lesson, &derive(&begin))
        };
        let nodded =
            |nod_rad: f32| Vec3::new(0.25 * nod_rad.cos(), 2.0 + 0.25 * nod_rad.sin(), 0.0);
        let with_settings = position(Some(-0.5), None).unwrap();
        assert!(with_settings.abs_diff_eq(nodded(-0.5), 1e-6));
        let of_formula = position(None, Some("joint_matrix(1) * stored(0)")).unwrap();
        assert!(of_formula.abs_diff_eq(nodded(0.5), 1e-6), "with the settings of the cell");
        assert_eq!(position(None, Some("x(v0)")), Err(WrongPlaceError::NotAPoint("a number")));
        assert!(matches!(position(None, Some("stored(9)")), Err(WrongPlaceError::Formula(_))));
        let unknown = WrongPlace {
            set: Settings(vec![Setting::Param("nose".to_owned(), 1.0)]),
            ..WrongPlace::default()
        };
        let refused = wrong_position(&unknown, cell, &begin, &lesson, &derive(&begin));
        assert!(matches!(refused, Err(WrongPlaceError::Setting(_))));
    }
}
