//! A page, a link or a model that waits for a rig which is fetched, or for weights that
//! are worked out: what is shown meanwhile, and doing what was asked when they are here.

use std::sync::Arc;

use bindpose_asset::builtin_file;
use bindpose_notebook::{Asked, LongWork};
use bindpose_page::awaited_page::{self, Answer};
use bindpose_shipped as shipped;
use eframe::egui::{Context, Ui};

use super::Shell;

impl Shell {
    /// Does what was asked, once its rig is here, and shows weights that are.
    pub(super) fn take_up_awaited(&mut self) {
        self.notebook.take_up_weights();
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

    /// What takes long is done beside the page from now on.
    pub(super) fn work_beside(&mut self, ctx: &Context) {
        let ctx = ctx.clone();
        let wake = Arc::new(move || ctx.request_repaint());
        self.notebook.set_long_work(LongWork::Beside(wake));
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
