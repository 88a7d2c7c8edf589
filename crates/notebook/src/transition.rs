//! The way that a picture goes from the page before *Reveal*, or before a
//! solution, to the page after it: angles and weights on their way. Only what is
//! drawn is between; the page has its new values at once.

use std::collections::BTreeMap;

use bindpose_lesson::Lesson;

use super::posing::JointMove;
use super::weight_edits::InfluencesEdit;
use super::{Derived, Document, FADE, TIME};

/// How long it takes.
const DURATION_SECS: f64 = 0.35;

/// From one page to the next at the same step.
#[derive(Clone, Debug)]
pub struct Transition {
    from: Box<Document>,
    /// As the page became; absent until it has.
    to: Option<Box<Document>>,
    since_secs: f64,
}

impl Transition {
    /// The page is about to change from `from`, at this time.
    pub fn new(from: &Document, now_secs: f64) -> Self {
        Self { from: Box::new(from.clone()), to: None, since_secs: now_secs }
    }

    /// Is it over? By the time, or because the page has changed once more.
    pub fn is_over(&mut self, now: &Document, now_secs: f64) -> bool {
        let elsewhere = (&self.from.lesson, self.from.step) != (&now.lesson, now.step);
        if self.to.is_none() && *self.from != *now {
            self.to = Some(Box::new(now.clone()));
        }
        let changed = self.to.as_ref().is_some_and(|to| **to != *now);
        let passed = now_secs - self.since_secs;
        elsewhere || changed || !(0.0..DURATION_SECS).contains(&passed)
    }

    /// What is drawn at this moment in the place of the page `now`; absent while
    /// that has not changed. Only before it is over.
    pub fn at(
        &self,
        now: &Document,
        derived: &Derived,
        lesson: &Lesson,
        now_secs: f64,
    ) -> Option<(Document, Derived)> {
        self.to.as_ref()?;
        let part = ((now_secs - self.since_secs) / DURATION_SECS).clamp(0.0, 1.0);
        // Slow at both ends.
        let part = part * part * (3.0 - 2.0 * part);
        let mut between = now.clone();
        self.params(&mut between, derived, lesson, part);
        self.moves(&mut between, part as f32);
        self.weights(&mut between, derived, part as f32);
        let derived = derived.of_other(&between, Some(lesson));
        Some((between, derived))
    }

    /// Puts the parameters that move the model between.
    fn params(&self, between: &mut Document, derived: &Derived, lesson: &Lesson, part: f64) {
        let rig = derived.stored_rig.params.iter();
        let rig = rig.map(|param| (param.name.as_str(), param.default));
        // The lesson's own move the model where a formula says so.
        let own = lesson.params.iter().filter(|_| !lesson.drive.is_empty());
        let own = own.map(|param| (param.name.as_str(), param.default));
        for (name, default) in rig.chain(own).chain([(TIME, 0.0), (FADE, 0.0)]) {
            let of = |document: &Document| document.state.params.get(name).copied();
            let (from, to) = (of(&self.from), of(between));
            if from != to {
                let (from, to) = (from.unwrap_or(default), to.unwrap_or(default));
                let value = from + (to - from) * part;
                between.state.params.insert(name.to_owned(), value);
            }
        }
    }

    /// Puts between what is done to joints by hand.
    fn moves(&self, between: &mut Document, part: f32) {
        let (from, to) = (&self.from.state.joint_moves, between.state.joint_moves.clone());
        if *from == to {
            return;
        }
        for joint in from.keys().chain(to.keys()) {
            let of = |moves: &BTreeMap<_, JointMove>| moves.get(joint).copied().unwrap_or_default();
            let by = of(from).towards(of(&to), part);
            between.state.joint_moves.insert(*joint, by);
        }
    }

    /// Puts the weights between of vertices whose joints stay.
    fn weights(&self, between: &mut Document, derived: &Derived, part: f32) {
        let (from, to) = (&self.from.state.weights, between.state.weights.clone());
        if *from == to {
            return;
        }
        for vertex in from.differing(&to) {
            let Some(stored) = derived.rig.mesh.influences.get(vertex as usize) else {
                continue;
            };
            let on = |edit: Option<&InfluencesEdit>| edit.map_or(*stored, |edit| edit.on(*stored));
            let (from, to) = (on(from.get(vertex)), on(to.get(vertex)));
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
    use crate::test_sample::{lesson, rig};
    use std::sync::Arc;

    fn derived(document: &Document) -> Derived {
        let rig = Arc::new(rig());
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, Some(&lesson()), &rig, influences)
    }

    #[test]
    fn half_the_time_is_half_the_angle_and_half_the_weight() {
        let from = Document::default();
        let mut to = from.clone();
        to.state.params.insert("nod".to_owned(), 1.0);
        let mut weights = rig().mesh.influences[1].weights;
        weights[0] = 0.9;
        to.state.weights.insert(1, weights.into());
        let mut transition = Transition::new(&from, 5.0);
        assert!(!transition.is_over(&from, 5.0), "not yet begun");
        let of_to = derived(&to);
        assert!(transition.at(&from, &derived(&from), &lesson(), 5.0).is_none());
        assert!(!transition.is_over(&to, 5.01));
        let half = 5.0 + DURATION_SECS / 2.0;
        let (document, between) = transition.at(&to, &of_to, &lesson(), half).expect("a way");
        assert!((document.state.params["nod"] - 0.5).abs() < 1e-9);
        assert!((between.param("nod").expect("it has one") - 0.5).abs() < 1e-9);
        assert!((between.influences[1].weights[0] - 0.7).abs() < 1e-6);
        // It begins where the page was and ends where it is.
        let (_, first) = transition.at(&to, &of_to, &lesson(), 5.0).expect("a way");
        assert_eq!(first.positions(), derived(&from).positions());
        assert!(transition.is_over(&to, 5.01 + DURATION_SECS));
    }

    #[test]
    fn what_changes_on_the_way_or_elsewhere_ends_it() {
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
