//! What the parts of a shell draw with: the open page, with its pictures or as text
//! alone.

use bindpose_notebook::{Edit, Navigation, Notebook};
use bindpose_page::PageContext;
use bindpose_page::view::{NoViewports, ViewState};

use super::Shell;
use crate::app::rendered_viewports::RenderedViewports;

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
            renderer: self.renderer.as_mut(),
            in_full: self.exporting.takes_picture(),
            first_viewport: &mut self.exporting.first_viewport,
        };
        let mut page = PageContext::new(
            &self.notebook,
            &self.theme,
            &mut self.linked,
            edits,
            navigation,
            &mut self.view,
            &mut viewports,
            self.limits.as_ref(),
        );
        draw(&self.notebook, &mut page)
    }

    /// The same where text of the page is read beside it: there are no cells, so
    /// nothing of the view is kept, and there are no pictures.
    pub(super) fn with_text_of_page<R>(
        &mut self,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
        draw: impl FnOnce(&Notebook, &mut PageContext<'_>) -> R,
    ) -> R {
        let (mut view, mut viewports) = (ViewState::default(), NoViewports);
        let mut page = PageContext::new(
            &self.notebook,
            &self.theme,
            &mut self.linked,
            edits,
            navigation,
            &mut view,
            &mut viewports,
            None,
        );
        draw(&self.notebook, &mut page)
    }
}
