//! The cover: its whale stands in a notebook of its own, so nothing that is done to it is
//! remembered, undone or counted.

use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::{ClipName, LessonSet, Setting};
use bindpose_notebook::{Edit, LinkedHighlight, Navigation, Notebook};
use bindpose_page::cover::{self, CoverNotebook, CoverView};
use bindpose_page::view::ViewState;
use eframe::egui::Context;

/// A larger model would make the first page slow.
const MOST_VERTICES: usize = 200_000;

/// What is open instead of a page.
pub(super) struct Cover {
    pub(super) notebook: Notebook,
    pub(super) view: ViewState,
    pub(super) linked: LinkedHighlight,
    pub(super) state: CoverView,
    /// Of the notebook behind it.
    pub(super) told: CoverNotebook,
}

impl Cover {
    /// With the reader's own model, if that can move by itself, else with the whale.
    /// `None`: the whale is not here.
    pub(super) fn new(told: CoverNotebook, own: Option<&Arc<Rig>>) -> Option<Box<Self>> {
        let own = own.and_then(|own| in_motion(Arc::clone(own)));
        let whale = || {
            let set = LessonSet::from_memory(&[("0-cover", cover::PAGE, "")], "");
            Notebook::new(set, bindpose_asset::builtin)
        };
        let notebook = own.or_else(whale)?;
        let (view, linked) = (ViewState::default(), LinkedHighlight::default());
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

/// The reader's model with its first clip; `None`: it has none that moves, or nothing to see.
fn in_motion(own: Arc<Rig>) -> Option<Notebook> {
    if own.mesh.triangles.is_empty() || own.mesh.positions.len() > MOST_VERTICES {
        return None;
    }
    let clip = own.clips.iter().position(|clip| clip.duration_secs > 0.0)?;
    let set = LessonSet::from_memory(&[("0-cover", cover::OWN_PAGE, "")], "");
    let mut notebook = Notebook::new(set, bindpose_asset::builtin)?;
    notebook.open_model(own, 0).ok()?;
    let plays = Edit::set(Setting::Clip(ClipName::Index(clip as u32)));
    notebook.edit(&plays, 0).ok()?;
    Some(notebook)
}
