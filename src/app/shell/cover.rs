//! The cover: its whale stands in a notebook of its own, so nothing that is done to it is
//! remembered, undone or counted.

use bindpose_lesson::LessonSet;
use bindpose_notebook::{Edit, Linked, Navigation, Notebook};
use bindpose_page::cover::{self, CoverNotebook, CoverView};
use bindpose_page::view::ViewState;
use eframe::egui::Context;

/// What is open instead of a page.
pub(super) struct Cover {
    pub(super) notebook: Notebook,
    pub(super) view: ViewState,
    pub(super) linked: Linked,
    pub(super) state: CoverView,
    /// Of the notebook behind it.
    pub(super) told: CoverNotebook,
}

impl Cover {
    /// `None`: the whale is not here.
    pub(super) fn new(told: CoverNotebook) -> Option<Box<Self>> {
        let set = LessonSet::from_memory(&[("0-cover", cover::PAGE, "")], "");
        let notebook = Notebook::new(set, bindpose_asset::builtin)?;
        let (view, linked) = (ViewState::default(), Linked::default());
        Some(Box::new(Self { notebook, view, linked, state: CoverView::default(), told }))
    }

    /// Does what was done to the whale, and asks for the frame that shows it.
    pub(super) fn take(&mut self, ctx: &Context, edits: &[Edit], looks: &[Navigation]) {
        for edit in edits {
            let _ = self.notebook.edit(edit, 1);
        }
        for look in looks {
            let _ = self.notebook.navigate(look);
        }
        self.notebook.forget_history();
        self.view.playing.after_frame();
        // What swims asks for its next frame itself.
        let only_plays = edits.iter().all(|edit| matches!(edit, Edit::PlayTo { .. }));
        if self.linked.turn() || !only_plays || !looks.is_empty() {
            ctx.request_repaint();
        }
    }
}
