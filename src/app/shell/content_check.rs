//! Lessons of a folder are checked on a thread when they were read, so that their
//! author sees on the page what `bindpose check` would say.

use std::time::Duration;

use eframe::egui::Context;

use super::Shell;
use crate::asset::Task;
use crate::diagnostic::Diagnostic;
use crate::notebook::check::check;

/// The check of the lessons that are open.
#[derive(Debug)]
pub(super) struct ContentCheck {
    /// Were they read since it was last begun?
    pub(super) due: bool,
    task: Option<Task<Vec<Diagnostic>>>,
}

impl Default for ContentCheck {
    fn default() -> Self {
        Self {
            due: true,
            task: None,
        }
    }
}

impl Shell {
    /// Begins the check where it is due, and takes what it found. Until then, what
    /// was found before stays.
    pub(super) fn check_content(&mut self, ctx: &Context) {
        self.take_content_check(Duration::ZERO);
        if std::mem::take(&mut self.content_check.due) && self.notebook.set.is_on_disk() {
            let (set, ctx) = (self.notebook.set.clone(), ctx.clone());
            // One that is under way is of texts that are gone, and stops unheard.
            self.content_check.task = Some(Task::start(
                "content check",
                move |_| check(&set, &crate::asset::builtin),
                move || ctx.request_repaint(),
            ));
        }
    }

    /// Waits for the check at most so long.
    pub(super) fn take_content_check(&mut self, patience: Duration) {
        let task = self.content_check.task.as_ref();
        let Some(answer) = task.and_then(|task| task.answer(patience)) else {
            return;
        };
        self.content_check.task = None;
        self.notebook.findings = answer.ok();
    }

    /// Checks the lessons now, for pictures of pages.
    pub fn check_content_now(&mut self, ctx: &Context) {
        self.check_content(ctx);
        self.take_content_check(Duration::from_mins(1));
    }
}

#[cfg(test)]
mod tests;
