//! The bench by key: opened and closed; states of the page kept and flipped, with
//! the bench open or not.

use super::Shell;
use crate::notebook::{Edit, Kept};

impl Shell {
    /// Opens the bench or closes it.
    pub fn open_bench(&mut self, open: bool) {
        self.view.bench.open = open;
    }

    pub(super) fn keep(&mut self, which: Kept) {
        let (document, derived) = (self.notebook.document(), self.notebook.derived());
        let snapshots = &mut self.view.bench.snapshots;
        snapshots.keep(which, document, &derived.stored_rig);
        let letter = if which == Kept::A { "A" } else { "B" };
        self.notices
            .say_instead(format!("The page is kept as {letter}."));
    }

    pub(super) fn flip(&mut self) {
        let (document, derived) = (self.notebook.document(), self.notebook.derived());
        let snapshots = &mut self.view.bench.snapshots;
        let Some((which, there)) = snapshots.flip(document, &derived.stored_rig) else {
            self.notices
                .say_instead("Nothing has been kept at this step yet: keep it as A or B first.");
            return;
        };
        self.view.stop();
        let edit = Edit::Recall(which, Box::new(there));
        match self.notebook.edit(&edit, self.gesture) {
            Ok(()) => self.notices.say_instead(match which {
                Kept::A => "Snapshot A",
                Kept::B => "Snapshot B",
                Kept::Before => "As it was before",
            }),
            Err(refused) => self.notices.wrong(refused.to_string()),
        }
    }
}
