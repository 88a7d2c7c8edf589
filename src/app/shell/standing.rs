//! What stands at the foot of the page until it is no longer so: a save that
//! failed, pages that wait.

use eframe::egui::Context;

use super::Shell;
use crate::app::standing_notice::{self, StandingNotice};

/// What can be done about a save that failed.
const SAVE_ACTIONS: [&str; 3] = ["Try again", "Save my work…", "Not now"];

impl Shell {
    /// Says why the last save failed, for people; `None`: it did not.
    pub fn set_save_failure(&mut self, why: Option<String>) {
        self.save_failure = why;
    }

    /// Does the reader want the save tried again? Answers once.
    pub fn take_save_retry(&mut self) -> bool {
        std::mem::take(&mut self.save_retry)
    }

    pub(super) fn standing_notices(&mut self, ctx: &Context) {
        let mut notices = Vec::new();
        let failure = self.save_failure.as_ref();
        let failure = failure.filter(|why| self.unsaved_for_now.as_ref() != Some(why));
        let of_save = usize::from(failure.is_some());
        notices.extend(failure.map(|why| StandingNotice {
            text: format!(
                "{why}. Progress and the open page are in this window only, and are lost when it \
                 is closed."
            ),
            wrong: true,
            actions: &SAVE_ACTIONS,
        }));
        let pages: Vec<usize> = self.told_pages().map(|(index, _)| index).collect();
        notices.extend(self.told_pages().map(|(_, waiting)| StandingNotice {
            text: waiting.words().unwrap_or_default(),
            wrong: false,
            actions: waiting.actions(),
        }));
        let Some((notice, action)) = standing_notice::show(ctx, &self.theme, &notices) else {
            return;
        };
        match notice.checked_sub(of_save) {
            Some(page) => self.act_on_page(ctx, pages[page], action),
            None if action == 0 => self.save_retry = true,
            None if action == 1 => {
                self.exporting.wanted_work = Some("bindpose-work.json".to_owned());
            }
            None => self.unsaved_for_now.clone_from(&self.save_failure),
        }
        ctx.request_repaint();
    }
}
