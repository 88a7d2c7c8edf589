//! What the reader has seen and answered, noted as frames come: nothing is drawn
//! for it.

use eframe::egui::Context;

use super::Shell;
use crate::app::today::today;

/// A step that has stood for so long has been seen; one that is passed on the way
/// to another has not.
const SEEN_AFTER_SECS: f64 = 3.0;

impl Shell {
    /// Before anything is applied: the frame that leaves a step is the last that
    /// can say how long it stood.
    pub(super) fn count_seen(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let since_secs = *self.in_sight.get_or_insert(now_secs);
        if now_secs - since_secs >= SEEN_AFTER_SECS && self.notebook.mark_seen() {
            self.changes += 1;
        }
    }

    /// After all was applied, unless something is still being dragged.
    pub(super) fn note_progress(&mut self, ctx: &Context) {
        if ctx.input(|input| input.pointer.any_down()) {
            return;
        }
        self.notebook.set_today(today());
        if let Some(since_secs) = self.in_sight {
            let now_secs = ctx.input(|input| input.time);
            self.notebook.set_secs_in_sight(now_secs - since_secs);
        }
        if self.notebook.note_answers() {
            self.changes += 1;
        }
    }
}
