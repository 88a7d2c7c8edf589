//! Lessons of a folder are checked when they were read, so that their author sees on
//! the page what `bindpose check` would say.

use std::time::Duration;

use eframe::egui::Context;

use super::Shell;

/// For pictures of pages.
const PATIENCE: Duration = Duration::from_mins(1);

impl Shell {
    /// Takes what the check found, and begins it anew where the lessons were read.
    /// Until it is done, what was found before stays.
    pub(super) fn check_content(&mut self, ctx: &Context) {
        self.take_found(Duration::ZERO);
        self.content_check.begin(&self.notebook.set, ctx);
    }

    /// Checks the lessons and waits for it.
    pub fn check_content_now(&mut self, ctx: &Context) {
        self.take_found(PATIENCE);
        self.content_check.begin(&self.notebook.set, ctx);
        self.take_found(PATIENCE);
    }

    fn take_found(&mut self, patience: Duration) {
        if let Some(found) = self.content_check.found(patience) {
            self.notebook.findings = Some(found);
        }
    }
}

#[cfg(test)]
mod tests;
