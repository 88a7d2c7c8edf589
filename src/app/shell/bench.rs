//! The bench by key: opened and closed; states of the page kept and flipped, with
//! the bench open or not.

use bindpose_notebook::{Edit, Kept};

use super::Shell;

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
        self.notices.say_instead(format!("The page is kept as {letter}."));
    }

    /// Snapshots as links, for the next run.
    pub(super) fn snapshot_links(&self) -> [Option<String>; 2] {
        let snapshots = &self.view.bench.snapshots;
        snapshots.links(|document, rig| self.notebook.link_to(document, rig))
    }

    /// Takes up the snapshots of the last run that are of the open lesson.
    pub(super) fn take_waiting_snapshots(&mut self) {
        let stored_rig = &self.notebook.derived().stored_rig;
        let snapshots = &mut self.view.bench.snapshots;
        for (place, which) in [Kept::A, Kept::B].into_iter().enumerate() {
            let link = snapshots.waiting[place].as_deref();
            if let Some(document) = link.and_then(|link| self.notebook.read_aside(link)) {
                snapshots.keep(which, &document, stored_rig);
            }
        }
    }

    /// Is the bench, or what it keeps, or how matrices are written, to be remembered
    /// anew?
    pub(super) fn note_bench(&mut self) {
        let bench = &self.view.bench;
        let now = (bench.open, bench.snapshots.revision(), self.view.conventions);
        if self.bench_noted != now {
            self.bench_noted = now;
            self.changes += 1;
        }
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
