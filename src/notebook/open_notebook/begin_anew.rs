//! Beginning anew: nothing that was changed, answered or seen is kept.

use super::super::kept_steps::KeptSteps;
use super::super::moment::{Everywhere, Histories};
use super::super::step_document;
use super::Notebook;

impl Notebook {
    /// Is anything kept that the next class should not see: changes, answers,
    /// cameras?
    #[must_use]
    pub fn keeps_anything(&self) -> bool {
        !self.kept.is_empty() || self.is_changed()
    }

    /// Every step opens as its author meant it, nothing is answered, and no step
    /// but this one has been seen. One step of undo, here, brings all of it back.
    pub fn begin_anew(&mut self, gesture: u64) {
        self.typing.stop();
        let mut before = self.moment();
        before.everywhere = Some(Box::new(self.everywhere()));
        self.history
            .record(&before, "beginning anew".to_owned(), gesture);
        self.kept = KeptSteps::default();
        self.histories = Histories::default();
        self.visited.clear();
        self.cameras.clear();
        let begin = step_document(self.lesson(), self.document.step, Some(&self.rig));
        self.replace(begin);
        self.mark_visited();
    }

    pub(super) fn everywhere(&self) -> Everywhere {
        Everywhere {
            kept: self.kept.clone(),
            histories: self.histories.clone(),
            visited: self.visited.clone(),
            cameras: self.cameras.clone(),
        }
    }

    pub(super) fn put_back_everywhere(&mut self, everywhere: Everywhere) {
        self.kept = everywhere.kept;
        self.histories = everywhere.histories;
        self.visited = everywhere.visited;
        self.cameras = everywhere.cameras;
        self.mark_visited();
    }
}
