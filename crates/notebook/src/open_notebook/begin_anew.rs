//! Beginning anew: nothing that was changed, answered or seen is kept.

use super::super::kept_steps::KeptSteps;
use super::super::moment::{Everywhere, Histories};
use super::super::progress::StepRecord;
use super::super::{ReaderProgress, step_document};
use super::Notebook;

impl Notebook {
    /// Is anything kept that the next class should not see: changes, answers,
    /// cameras?
    pub fn keeps_anything(&self) -> bool {
        let answered = |record: &StepRecord| !record.answers.is_empty();
        let mut records = self.progress.records();
        !self.kept.is_empty() || self.is_changed() || records.any(|(.., one)| answered(one))
    }

    /// Every step opens as its author meant it, nothing is answered, and nothing
    /// has been seen. One step of undo, here, brings all of it back.
    pub fn begin_anew(&mut self, gesture: u64) {
        self.typing.stop();
        self.note_answers();
        let mut before = self.moment();
        before.everywhere = Some(Box::new(self.everywhere()));
        self.history.record(&before, "beginning anew".to_owned(), gesture);
        self.classes += 1;
        self.class = self.classes;
        self.kept = KeptSteps::default();
        self.histories = Histories::default();
        self.progress = ReaderProgress::default();
        self.cameras.clear();
        let begin = step_document(self.lesson(), self.document.step, Some(&self.rig));
        self.replace(begin);
        self.overlook_answers();
    }

    /// Whose changes are in sight: another number, never used before, once
    /// everything was begun anew, and the one before when that is undone.
    pub fn class(&self) -> u64 {
        self.class
    }

    pub(super) fn everywhere(&self) -> Everywhere {
        Everywhere {
            kept: self.kept.clone(),
            histories: self.histories.clone(),
            progress: self.progress.clone(),
            cameras: self.cameras.clone(),
            class: self.class,
        }
    }

    pub(super) fn put_back_everywhere(&mut self, everywhere: Everywhere) {
        self.kept = everywhere.kept;
        self.histories = everywhere.histories;
        self.progress = everywhere.progress;
        self.cameras = everywhere.cameras;
        self.class = everywhere.class;
    }
}
