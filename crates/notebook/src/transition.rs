//! Transition of the picture after *Reveal* or after a solution is applied:
//! angles and weights are interpolated. Only the picture is interpolated; the
//! page has its new values at once.

use bindpose_lesson::Lesson;

use super::weight_edits::InfluencesEdit;
use super::{Derived, Document, FADE_PARAM, TIME_PARAM};

const DURATION_SECS: f64 = 0.35;

/// Transition between two states of the same step.
#[derive(Clone, Debug)]
pub struct Transition {
    from: Box<Document>,
    /// State after the change. `None` until the page changes.
    to: Option<Box<Document>>,
    since_secs: f64,
}

impl Transition {
    /// Creates a transition before the page changes from `from`.
    pub fn new(from: &Document, now_secs: f64) -> Self {
        Self { from: Box::new(from.clone()), to: None, since_secs: now_secs }
    }

    /// Returns true if the time is over, or the page has changed again.
    pub fn is_over(&mut self, now: &Document, now_secs: f64) -> bool {
        let is_other_step = self.from.lesson != now.lesson || self.from.step != now.step;
        if self.to.is_none() && *self.from != *now {
            self.to = Some(Box::new(now.clone()));
        }
        let has_changed_again = self.to.as_ref().is_some_and(|to| **to != *now);
        let passed = now_secs - self.since_secs;
        is_other_step || has_changed_again || !(0.0..DURATION_SECS).contains(&passed)
    }

    /// Returns the state to draw in place of the page `now`, before the
    /// transition is over. Returns `None` until the page has changed.
    pub fn at(
        &self,
        now: &Document,
        derived: &Derived,
        lesson: &Lesson,
        now_secs: f64,
    ) -> Option<(Document, Derived)> {
        self.to.as_ref()?;
        let part = ((now_secs - self.since_secs) / DURATION_SECS).clamp(0.0, 1.0);
        // Smoothstep.
        let part = part * part * (3.0 - 2.0 * part);
        let mut between = now.clone();
        self.interpolate_params(&mut between, derived, lesson, part);
        self.interpolate_moves(&mut between, part as f32);
        self.interpolate_weights(&mut between, derived, part as f32);
        let derived = derived.of_other(&between, Some(lesson));
        Some((between, derived))
    }

    /// Interpolates the parameters that move the model.
    fn interpolate_params(
        &self,
        between: &mut Document,
        derived: &Derived,
        lesson: &Lesson,
        part: f64,
    ) {
        let rig = &derived.stored_rig;
        let of_rig = rig.params.iter().map(|param| (param.name.as_str(), param.default));
        // Parameters of the lesson move the model only through formulas.
        let own = if lesson.drive.is_empty() { &[][..] } else { &lesson.params };
        let of_lesson = own.iter().map(|param| (param.name.as_str(), param.default));
        for (name, default) in of_rig.chain(of_lesson).chain([(TIME_PARAM, 0.0), (FADE_PARAM, 0.0)])
        {
            let from = self.from.state.params.get(name).copied();
            let to = between.state.params.get(name).copied();
            if from != to {
                let from = from.unwrap_or(default);
                let value = from + (to.unwrap_or(default) - from) * part;
                between.state.params.insert(name.to_owned(), value);
            }
        }
    }

    /// Interpolates moves of joints by hand.
    fn interpolate_moves(&self, between: &mut Document, part: f32) {
        let from = &self.from.state.joint_moves;
        let to = between.state.joint_moves.clone();
        if *from == to {
            return;
        }
        for joint in from.keys().chain(to.keys()) {
            let from = from.get(joint).copied().unwrap_or_default();
            let to = to.get(joint).copied().unwrap_or_default();
            let by = from.towards(to, part);
            between.state.joint_moves.insert(*joint, by);
        }
    }

    /// Interpolates the weights of vertices whose joints stay the same.
    fn interpolate_weights(&self, between: &mut Document, derived: &Derived, part: f32) {
        let from = &self.from.state.weights;
        let to = between.state.weights.clone();
        if *from == to {
            return;
        }
        for vertex in from.differing(&to) {
            let Some(stored) = derived.rig.mesh.influences.get(vertex as usize) else {
                continue;
            };
            let from = from.get(vertex).map_or(*stored, |edit| edit.on(*stored));
            let to = to.get(vertex).map_or(*stored, |edit| edit.on(*stored));
            if from.joints != to.joints {
                continue;
            }
            let mut weights = to.weights;
            for (weight, from) in weights.iter_mut().zip(from.weights) {
                *weight = from + (*weight - from) * part;
            }
            let joints = between.state.weights.get(vertex).and_then(|to| to.joints);
            let edit = InfluencesEdit { weights, joints };
            between.state.weights.insert(vertex, edit);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_sample::{derive, lesson, rig};

    #[test]
    fn transition_interpolates_angles_and_weights() {
        let from = Document::default();
        let mut to = from.clone();
        to.state.params.insert("nod".to_owned(), 1.0);
        let mut weights = rig().mesh.influences[1].weights;
        weights[0] = 0.9;
        to.state.weights.insert(1, weights.into());
        let mut transition = Transition::new(&from, 5.0);
        assert!(!transition.is_over(&from, 5.0), "not yet begun");
        let of_to = derive(&to);
        assert!(transition.at(&from, &derive(&from), &lesson(), 5.0).is_none());
        assert!(!transition.is_over(&to, 5.01));
        let half = 5.0 + DURATION_SECS / 2.0;
        let (document, between) = transition.at(&to, &of_to, &lesson(), half).expect("a way");
        assert!((document.state.params["nod"] - 0.5).abs() < 1e-9);
        assert!((between.param("nod").expect("it has one") - 0.5).abs() < 1e-9);
        assert!((between.influences[1].weights[0] - 0.7).abs() < 1e-6);
        // It starts at the old state and ends at the new one.
        let (_, first) = transition.at(&to, &of_to, &lesson(), 5.0).expect("a way");
        assert_eq!(first.positions(), derive(&from).positions());
        assert!(transition.is_over(&to, 5.01 + DURATION_SECS));
    }

    #[test]
    fn further_changes_end_the_transition() {
        let from = Document::default();
        let mut to = from.clone();
        to.state.params.insert("nod".to_owned(), 1.0);
        let mut transition = Transition::new(&from, 0.0);
        assert!(!transition.is_over(&to, 0.1));
        let mut dragged = to.clone();
        dragged.state.params.insert("nod".to_owned(), 0.7);
        assert!(transition.is_over(&dragged, 0.1));
        let elsewhere = Document { step: 1, ..from.clone() };
        assert!(Transition::new(&from, 0.0).is_over(&elsewhere, 0.1));
    }
}
