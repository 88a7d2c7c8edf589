//! The list of lessons: beside the page, or over it.

use bindpose_notebook::Navigation;
use bindpose_page::command::Command;
use bindpose_page::contents;
use eframe::egui::{Context, Ui};

use super::Shell;

/// Under this width the list of lessons lies over the page instead of beside it.
const ROOM_FOR_CONTENTS: f32 = 1000.0;
/// So much more, while the bench is open.
const ROOM_FOR_BENCH: f32 = 700.0;

impl Shell {
    /// The list of lessons, and of models that were opened.
    pub(super) fn contents(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        navigation: &mut Vec<Navigation>,
    ) {
        let recent = &mut self.opening.recent;
        let quiet = self.view.presenting;
        contents::ui(ui, &self.notebook, &self.theme, quiet, recent, navigation, commands);
    }

    /// Is there room for the list of lessons beside the page?
    pub(super) fn contents_beside(&self, ctx: &Context) -> bool {
        let bench = if self.view.bench.open { ROOM_FOR_BENCH } else { 0.0 };
        !self.view.presenting && ctx.content_rect().width() >= ROOM_FOR_CONTENTS + bench
    }
}
