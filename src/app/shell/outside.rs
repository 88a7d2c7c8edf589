//! Interface of the shell for windows, the command line, pictures and tests.

use std::path::Path;

use bindpose_notebook::{Edit, GpuLimits, Notebook, WorkMode};
use bindpose_page::view::UnfoldedStep;
use bindpose_page::view::placed::PlacedItems;
use bindpose_render::Renderer;
use eframe::egui::Context;

use super::Shell;
use super::appearance::LargeType;
use super::kept_pages::CrashOffer;
use crate::app::SystemSettings;

impl Shell {
    /// Makes frames wait for background computations from now on. For tests and pictures.
    pub fn wait_for_background_work(&mut self) {
        self.view.pictures.waits_for_work = true;
        self.notebook.set_long_work(WorkMode::Waits);
    }

    pub fn notebook(&self) -> &Notebook {
        &self.notebook
    }

    /// Opens the page of a link.
    ///
    /// # Errors
    /// Fails with a message for the reader. The open page is kept.
    pub fn open_link(&mut self, link: &str) -> Result<(), String> {
        self.gesture += 1;
        self.changes += 1;
        self.cover = None;
        self.is_cover_pending = false;
        match self.notebook.follow(link, self.gesture) {
            Ok(missing) => {
                self.kept_pages.skip_model_for(link);
                if let Some(missing) = missing {
                    self.notices.add(missing);
                }
            }
            // The page shows that it waits.
            Err(_) if self.notebook.awaits_link(link) => {}
            Err(error) => return Err(error.to_string()),
        }
        Ok(())
    }

    /// Applies one edit as a separate undo step.
    ///
    /// # Errors
    /// Fails with a message for the reader. Nothing is changed.
    pub fn edit(&mut self, edit: &Edit) -> Result<(), String> {
        self.gesture += 1;
        self.changes += 1;
        self.notebook.edit(edit, self.gesture).map_err(|refused| refused.to_string())
    }

    /// Turns presenter mode on or off, with all of the prose. For tests and pictures.
    pub fn set_presenting_without_window(&mut self, on: bool) {
        self.view.presenting = on;
        self.view.presenter.by_paragraph = Some(false);
    }

    /// Unfolds the cells of the open step, as a press on one of them does in presenter mode.
    pub fn unfold_stage(&mut self) {
        let document = self.notebook.document();
        let lesson = document.lesson.clone();
        self.view.unfolded = Some(UnfoldedStep { lesson, step: document.step });
    }

    /// Leaves presenter mode, for callers outside the page.
    pub fn stop_presenting(&mut self, ctx: &Context) {
        self.set_presenting(ctx, false);
        self.changes += 1;
    }

    pub fn is_presenting(&self) -> bool {
        self.view.presenting
    }

    /// Shows a notice.
    pub fn show_notice(&mut self, text: impl Into<String>) {
        self.notices.add(text);
    }

    /// Shows a notice of an error.
    pub fn show_error(&mut self, text: impl Into<String>) {
        self.notices.add_error(text);
    }

    /// Prints a handout of what is open.
    pub fn print(&mut self) {
        let request = self.view.files.export.handout;
        self.exporting.print(&self.notebook, request);
    }

    /// Returns the rectangles of the parts of the page in the last frame.
    pub fn placed(&self) -> &PlacedItems {
        &self.view.item_rects
    }

    /// Records from now on how far pictures are filled, in [`Self::placed`].
    pub fn measure_pictures(&mut self) {
        self.view.pictures.is_measured = true;
    }

    /// Returns the limits of this machine's GL, or `None` without pictures.
    pub fn limits(&self) -> Option<&GpuLimits> {
        self.pictures.limits.as_ref()
    }

    /// Shows a notice of the crash report of an earlier run in `file` until the reader
    /// responds.
    pub fn offer_crash_report(&mut self, file: &Path, report: String) {
        let notice = format!(
            "Bindpose crashed the last time it ran. What it takes to fix that is in {}. Nothing \
             was sent.",
            file.display()
        );
        self.crash = Some(CrashOffer { notice, report });
    }

    /// Returns the renderer, or `None` without GL.
    pub fn renderer(&self) -> Option<&Renderer> {
        self.pictures.renderer.as_ref()
    }
}

impl Shell {
    /// Sets the system's settings. The reader's own choices take precedence.
    pub fn set_system_settings(&mut self, settings: SystemSettings) {
        self.appearance.system = settings;
    }

    /// Returns true if there are no animations.
    pub fn less_motion(&self) -> bool {
        self.appearance.has_less_motion()
    }

    pub(super) fn toggle_motion(&mut self) {
        let less = !self.less_motion();
        self.appearance.less_motion = Some(less);
        self.notices.set_status(if less {
            "Less motion: nothing glides or fades."
        } else {
            "Motion as usual."
        });
    }

    /// Applies theme, text size and motion to the context if they changed.
    pub(super) fn apply_appearance(&mut self, ctx: &Context) {
        let document = self.notebook.document();
        let large_type = if self.view.shows_tasks_alone(&document.lesson, document.step) {
            Some(LargeType::Tasks)
        } else if self.view.shows_cell_alone(&document.lesson, document.step) {
            Some(LargeType::Cell)
        } else {
            None
        };
        self.appearance.apply_to(ctx, self.view.presenting, large_type);
    }
}
