//! What cells are given, in a shell that shows pictures.

use super::Shell;
use crate::app::rendered_viewports::RenderedViewports;
use crate::notebook::{Edit, Navigation};
use crate::ui::PageContext;

impl Shell {
    /// Draws with the page as it is; what it asks for is put into `edits` and
    /// `navigation`.
    pub(super) fn with_page<R>(
        &mut self,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
        draw: impl FnOnce(&mut PageContext<'_>) -> R,
    ) -> R {
        let mut viewports = RenderedViewports {
            renderer: self.renderer.as_mut(),
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
        draw(&mut page)
    }
}
