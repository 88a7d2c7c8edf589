//! Lessons of a folder are checked when they were read, so that their author sees on
//! the page what `bindpose check` would say.

use std::time::Duration;

use bindpose_asset::Task;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::LessonSet;
use bindpose_notebook::check::check;
use eframe::egui::Context;

#[cfg(test)]
mod tests;

/// The check of the lessons that are open.
#[derive(Debug)]
pub(super) struct ContentCheck {
    /// Were they read since it was last begun?
    due: bool,
    task: Option<Task<Vec<Diagnostic>>>,
}

impl Default for ContentCheck {
    fn default() -> Self {
        Self { due: true, task: None }
    }
}

impl ContentCheck {
    /// The lessons were read again.
    pub(super) fn ask(&mut self) {
        self.due = true;
    }

    /// Begins it where it is due. One that is under way ends first: saving often must
    /// not pile them up.
    pub(super) fn begin(&mut self, set: &LessonSet, ctx: &Context) {
        if self.task.is_some() || !std::mem::take(&mut self.due) || !set.is_on_disk() {
            return;
        }
        let (set, ctx) = (set.clone(), ctx.clone());
        self.task = Some(Task::start(
            "content check",
            move |_| check(&set, &bindpose_asset::builtin),
            move || ctx.request_repaint(),
        ));
    }

    /// What it found, once; waits for it at most so long.
    pub(super) fn found(&mut self, patience: Duration) -> Option<Vec<Diagnostic>> {
        let answer = self.task.as_ref()?.answer(patience)?;
        self.task = None;
        answer.ok()
    }
}
