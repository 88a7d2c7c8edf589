//! What is kept with the steps, and links that are pasted, in the open program.

use eframe::egui::{Context, Event};

use super::Shell;
use crate::notebook::link;
use crate::ui::command::Command;

impl Shell {
    /// To the next step with the values of this one.
    pub(super) fn carry_on(&mut self) {
        if !self.notebook.carry_on(self.gesture) {
            self.notices
                .say("This is the last step of the lesson: there is none to carry on to.");
        }
    }

    /// Forgets what was changed, answered and seen, and offers it back.
    pub(super) fn begin_anew(&mut self) {
        self.view.stop();
        self.view.resets += 1;
        self.view.cells.forget_lessons(|_| true);
        self.notebook.begin_anew(self.gesture);
        self.notices.offer(
            "Begun anew: every step opens as it was meant, nothing is answered.",
            Command::Undo,
        );
    }

    /// What an earlier class has left would be on the screen of this one.
    pub(super) fn offer_to_begin_anew(&mut self) {
        if self.notebook.keeps_anything() {
            self.notices.offer(
                "Answers and changes of earlier are kept.",
                Command::BeginAnew,
            );
        }
    }

    /// Opens a link that was pasted where no text is being written.
    pub(super) fn take_pasted(&mut self, ctx: &Context) {
        if ctx.text_edit_focused() {
            return;
        }
        let pasted = ctx.input(|input| {
            input.events.iter().find_map(|event| match event {
                Event::Paste(text) => Some(text.clone()),
                _ => None,
            })
        });
        let Some(pasted) = pasted else { return };
        // A message may have words around the link.
        let link = link::find(&pasted).unwrap_or(&pasted);
        match self.follow(link) {
            Ok(()) => self.view.scroll_to_top = true,
            Err(why) => self
                .notices
                .wrong(format!("The link was not opened: {why}")),
        }
    }
}
