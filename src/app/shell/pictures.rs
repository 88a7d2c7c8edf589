//! The open page with its pictures or as text alone, and how the shell moves to another
//! context, of egui and of GL.

use std::sync::Arc;

use bindpose_notebook::{Edit, Navigation, Notebook};
use bindpose_page::PageContext;
use bindpose_page::view::{NoViewports, ViewState};
use eframe::egui::{Context, Memory};
use eframe::glow;

use super::rendered_viewports::{PictureDrawing, RenderedViewports};
use super::{Shell, ShellError};
use crate::app::prepare_context::prepare;

impl Shell {
    /// Draws with the page as it is; what it asks for is put into `edits` and
    /// `navigation`.
    pub(super) fn with_page<R>(
        &mut self,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
        draw: impl FnOnce(&Notebook, &mut PageContext<'_>) -> R,
    ) -> R {
        let mut viewports = RenderedViewports {
            renderer: self.pictures.renderer.as_mut(),
            in_full: self.exporting.takes_picture(),
            first_viewport: &mut self.exporting.first_viewport,
        };
        let mut page = PageContext::new(
            &self.notebook,
            &self.look.theme,
            &mut self.linked,
            edits,
            navigation,
            &mut self.view,
            &mut viewports,
            self.pictures.limits.as_ref(),
        );
        draw(&self.notebook, &mut page)
    }

    /// The same where text of the page is read beside it: there are no cells, so
    /// nothing of the view but the class is kept, and there are no pictures.
    pub(super) fn with_text_of_page<R>(
        &mut self,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
        draw: impl FnOnce(&Notebook, &mut PageContext<'_>) -> R,
    ) -> R {
        let classroom = std::mem::take(&mut self.view.classroom);
        let (mut view, mut viewports) =
            (ViewState { classroom, ..ViewState::default() }, NoViewports);
        let mut page = PageContext::new(
            &self.notebook,
            &self.look.theme,
            &mut self.linked,
            edits,
            navigation,
            &mut view,
            &mut viewports,
            None,
        );
        let drawn = draw(&self.notebook, &mut page);
        self.view.classroom = view.classroom;
        drawn
    }

    /// Frees GL objects.
    pub fn destroy(&mut self) {
        self.exporting.leave_context();
        self.pictures.destroy();
    }

    /// Goes on in other contexts, after a driver has taken GL back: what is open,
    /// typed, scrolled and undone is as it was; what was being dragged is let go.
    /// `from`: egui's context until now. Who still asks that one for a frame, as
    /// work beside the page does when it is done, gets one here.
    ///
    /// Fails when the new GL is too old; then there are no pictures until the next move.
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
        let here = to.clone();
        from.set_repaint_observer(move |asked| here.request_repaint_after(asked.delay));
        self.look.leave_context();
        self.restyle(to);
        self.pictures = PictureDrawing::new(gl, self.pictures.moving)?;
        Ok(())
    }
}
