//! Access to the open page, with its pictures or as text alone, and moving the shell to
//! another context of egui and of GL.

use std::sync::Arc;

use bindpose_notebook::Notebook;
use bindpose_page::PageContext;
use bindpose_page::view::{NoViewports, ViewState};
use eframe::egui::{Context, Memory};
use eframe::glow;

use super::rendered_viewports::{PictureDrawing, RenderedViewports};
use super::{Shell, ShellError};
use crate::app::prepare_context::prepare;

impl Shell {
    /// Calls `draw` with the open page.
    pub(super) fn with_page<R>(
        &mut self,
        draw: impl FnOnce(&Notebook, &mut PageContext<'_>) -> R,
    ) -> R {
        let mut viewports = RenderedViewports {
            renderer: self.pictures.renderer.as_mut(),
            full_resolution: self.exporting.has_pending_screenshot(),
            first_viewport: &mut self.exporting.first_viewport,
        };
        let mut page = PageContext::new(
            &self.notebook,
            &self.appearance.theme,
            &mut self.linked,
            &mut self.requests,
            &mut self.view,
            &mut viewports,
            self.pictures.limits.as_ref(),
        );
        draw(&self.notebook, &mut page)
    }

    /// Calls `draw` with the text of the page alone, for windows beside it. There are no
    /// cells and no pictures, so of the view only the class is kept.
    pub(super) fn with_text_of_page<R>(
        &mut self,
        draw: impl FnOnce(&Notebook, &mut PageContext<'_>) -> R,
    ) -> R {
        let classroom = std::mem::take(&mut self.view.classroom);
        let mut view = ViewState { classroom, ..ViewState::default() };
        let mut viewports = NoViewports;
        let mut page = PageContext::new(
            &self.notebook,
            &self.appearance.theme,
            &mut self.linked,
            &mut self.requests,
            &mut view,
            &mut viewports,
            None,
        );
        let result = draw(&self.notebook, &mut page);
        self.view.classroom = view.classroom;
        result
    }

    /// Frees GL objects.
    pub fn destroy(&mut self) {
        self.exporting.leave_context();
        self.pictures.destroy();
    }

    /// Moves the notebook from one egui context to another, after a driver has reset GL.
    /// Open pages, typed text, scroll positions and undo steps are kept; a drag ends.
    /// Background tasks still request repaints of `from`; these are forwarded to `to`.
    ///
    /// # Errors
    /// Fails if the new GL is too old. There are no pictures then until the next move.
    pub fn move_to(
        &mut self,
        from: &Context,
        to: &Context,
        gl: Option<Arc<glow::Context>>,
    ) -> Result<(), ShellError> {
        self.destroy();
        let memory = from.memory(Memory::clone);
        to.memory_mut(|new| *new = memory);
        prepare(to);
        let new_context = to.clone();
        from.set_repaint_observer(move |request| new_context.request_repaint_after(request.delay));
        self.appearance.forget_context();
        self.apply_appearance(to);
        self.pictures = PictureDrawing::new(gl, self.pictures.moving)?;
        Ok(())
    }
}
