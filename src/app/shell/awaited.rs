//! A page, a link or a model that waits for a rig which is fetched, or for weights that
//! are worked out: what is shown meanwhile, and doing what was asked when they are here.

use std::sync::Arc;
use std::time::Duration;

use eframe::egui::{Context, Ui};

use super::Shell;
use crate::asset::builtin_file;
use crate::notebook::{Asked, LongWork};
use crate::shipped;
use crate::ui::awaited_page::{self, Answer};

impl Shell {
    /// Does what was asked, once its rig is here, and shows weights that are.
    pub(super) fn take_up_awaited(&mut self, ctx: &Context) {
        self.take_up_page();
        self.take_up_weights(ctx);
    }

    fn take_up_page(&mut self) {
        let Some(asked) = self.notebook.take_awaited() else {
            return;
        };
        self.gesture += 1;
        self.changes += 1;
        self.view.scroll_to_top = true;
        self.view.scroll_to_demonstration = true;
        let wrong = match asked {
            Asked::Page(page) => self.notebook.go(&page).err().map(|why| why.to_string()),
            Asked::Link(link) => self.follow(&link).err(),
            Asked::Model(model) => self.open_model(model).err(),
            Asked::Kept(page) => match self.notebook.reopen(&page, self.gesture) {
                Ok(reopened) => {
                    self.notebook.forget_history();
                    reopened.remark
                }
                Err(wrong) => Some(wrong.to_string()),
            },
        };
        if let Some(wrong) = wrong {
            self.notices.wrong(wrong);
        }
    }

    /// Shows weights that were worked out beside the page, and has others worked out
    /// there, but where frames wait for all.
    fn take_up_weights(&mut self, ctx: &Context) {
        /// Between two frames that say how far it is.
        const PROGRESS: Duration = Duration::from_millis(100);
        if self.view.waits {
            self.notebook.set_long_work(LongWork::Waits);
        } else {
            let ctx = ctx.clone();
            let wake = Arc::new(move || ctx.request_repaint());
            self.notebook.set_long_work(LongWork::Beside(wake));
        }
        if self.notebook.derived().awaits_weights() && !self.notebook.take_up_weights() {
            ctx.request_repaint_after(PROGRESS);
        }
    }

    /// In the place of the page, while something waits.
    pub(super) fn awaited_page(&mut self, ui: &mut Ui) {
        let Some(awaited) = self.notebook.awaited() else {
            return;
        };
        let file = builtin_file(&awaited.rig);
        let failure = file.and_then(shipped::failure);
        let here = self.notebook.step().map_or("", |step| &step.title);
        let answer = awaited_page::ui(ui, &self.theme, awaited, here, failure.as_deref());
        match answer {
            Some(Answer::TryAgain) => {
                if let Some(file) = file {
                    shipped::try_again(file);
                }
            }
            Some(Answer::Stay) => self.notebook.stop_waiting(),
            None => return,
        }
        ui.ctx().request_repaint();
    }
}
