//! A reader's work from a file, taken up in the open program.

use bindpose_notebook::{Preferences, PreferencesTable, work_text};
use bindpose_page::view::SaveRequest;

use super::Shell;

impl Shell {
    /// Gives the reader's work to be saved, if that was asked for.
    pub(super) fn save_work(&mut self) {
        if let Some(name) = self.exporting.wanted_work.take() {
            let bytes = work_text(&self.preferences()).into_bytes();
            self.view.saves.push(SaveRequest { name, bytes });
        }
    }

    /// Adds what is in the file to what is here, and goes to the page that was open
    /// when it was saved. What is of this machine stays.
    pub(super) fn take_work(&mut self, work: &PreferencesTable) {
        let (both, wrong) = self.preferences().with_work(work);
        let Preferences {
            dark,
            zoom,
            less_motion,
            snapshots,
            progress,
            marks,
            page,
            route,
            kept,
            ..
        } = both;
        (self.dark, self.zoom, self.less_motion) = (dark, zoom, less_motion);
        self.notebook.progress = progress;
        self.notebook.marks = marks;
        self.notebook.take_kept(&kept);
        self.notebook.take_route(route.as_deref());
        self.view.bench.snapshots.waiting = snapshots;
        self.view.stop();
        self.gesture += 1;
        self.changes += 1;
        if let Some(page) = page {
            self.go_to_kept(page);
        }
        self.notices.say("Your work is here, with what was here before. Go on where you left off.");
        if !wrong.is_empty() {
            let wrong = wrong.join(", ");
            self.notices.wrong(format!("Of the file, this could not be read: {wrong}."));
        }
    }
}
