//! The mistakes that lead to wrong guesses.

use bindpose_lesson::{Lesson, PredictCell, Setting};
use bindpose_skin::InverseBind;
use glam::Vec3;

use super::exercise::position_with;
use super::{Derived, Document, step_document};
use crate::edit_label::joint_label;

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
    use bindpose_lesson::LessonSet;

    use super::*;

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
