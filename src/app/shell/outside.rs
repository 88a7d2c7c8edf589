//! What windows, the command line, pictures and tests ask of a shell.

#[cfg(not(target_arch = "wasm32"))]
use std::path::Path;

#[cfg(not(target_arch = "wasm32"))]
use bindpose_notebook::GpuLimits;
use bindpose_notebook::{Edit, Notebook, WorkMode};
#[cfg(not(target_arch = "wasm32"))]
use bindpose_page::stage::placed::PlacedItems;
use bindpose_render::Renderer;
use eframe::egui::Context;

use super::Shell;
#[cfg(not(target_arch = "wasm32"))]
use super::kept_pages::CrashOffer;
use crate::app::SystemSettings;

impl Shell {
    /// For tests and pictures: frames wait from now on for all that is worked out
    /// beside the page.
    pub fn wait_for_work(&mut self) {
        self.view.pictures.waits = true;
        self.notebook.set_long_work(WorkMode::Waits);
    }

    /// The open notebook.
    pub fn notebook(&self) -> &Notebook {
        &self.notebook
    }

    /// For tests and the command line: opens the page a link leads to.
    ///
    /// Errors: in words; what was open stays open.
    pub fn follow(&mut self, link: &str) -> Result<(), String> {
        self.gesture += 1;
        self.changes += 1;
        (self.cover, self.cover_is_awaited) = (None, false);
        match self.notebook.follow(link, self.gesture) {
            Ok(Some(missing)) => self.notices.say(missing),
            Ok(None) => {}
            // The page says so.
            Err(_) if self.notebook.awaits_link(link) => {}
            Err(wrong) => return Err(wrong.to_string()),
        }
        Ok(())
    }

    /// Applies one edit as a step of its own.
    ///
    /// Errors: in words; nothing has changed then.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        self.gesture += 1;
        self.changes += 1;
        self.notebook.edit(edit, self.gesture).map_err(|refused| refused.to_string())
    }

    /// For tests and pictures: turns the presenter mode on or off, with all of the
    /// prose, and leaves the window as it is.
    pub fn present(&mut self, on: bool) {
        self.view.presenting = on;
        self.view.presenter.by_paragraph = Some(false);
    }

    /// Leaves the presenter mode, when something outside the page ends it.
    pub fn stop_presenting(&mut self, ctx: &Context) {
        self.set_presenting(ctx, false);
        self.changes += 1;
    }

    /// Is the presenter mode on?
    pub fn is_presenting(&self) -> bool {
        self.view.presenting
    }

    /// Tells the reader something once.
    pub fn say(&mut self, text: impl Into<String>) {
        self.notices.say(text);
    }

    /// Tells the reader what went wrong, once.
    pub fn warn(&mut self, text: impl Into<String>) {
        self.notices.wrong(text);
    }

    /// Prints a handout of what is open.
    #[cfg(target_arch = "wasm32")]
    pub(in crate::app) fn print(&mut self) {
        let request = self.view.files.export.handout;
        self.exporting.print(&self.notebook, request);
    }

    /// Where the parts of the page stood in the last frame.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) fn placed(&self) -> &PlacedItems {
        &self.view.placed
    }

    /// What this machine's GL can; absent where there are no pictures.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) fn limits(&self) -> Option<&GpuLimits> {
        self.pictures.limits.as_ref()
    }

    /// Tells of a report that an earlier run has left in `file`, until the reader answers.
    #[cfg(not(target_arch = "wasm32"))]
    pub(in crate::app) fn offer_crash_report(&mut self, file: &Path, text: String) {
        let words = format!(
            "Bindpose crashed the last time it ran. What it takes to fix that is in {}. Nothing \
             was sent.",
            file.display()
        );
        self.crash = Some(CrashOffer { words, text });
    }

    /// The renderer, when there is GL.
    pub fn renderer(&self) -> Option<&Renderer> {
        self.pictures.renderer.as_ref()
    }
}

impl Shell {
    /// What the system asks for, where the reader has not said otherwise.
    pub fn follow_system(&mut self, settings: SystemSettings) {
        self.look.system = settings;
    }

    /// Are there to be no animations?
    pub fn less_motion(&self) -> bool {
        self.look.has_less_motion()
    }

    pub(super) fn toggle_motion(&mut self) {
        let less = !self.less_motion();
        self.look.less_motion = Some(less);
        self.notices.say_instead(if less {
            "Less motion: nothing glides or fades."
        } else {
            "Motion as usual."
        });
    }

    /// Theme, text size and motion into the context, when they changed.
    pub(super) fn restyle(&mut self, ctx: &Context) {
        self.look.put_into(ctx, self.view.presenting);
    }
}
