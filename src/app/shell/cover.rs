//! The cover. Its whale has a notebook of its own, so changes to it are not remembered,
//! undone or counted.

use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_lesson::{ClipName, LessonSet, Setting};
use bindpose_notebook::{Edit, LinkedHighlight, Notebook};
use bindpose_page::cover::{self, CoverNotebook, CoverView};
use bindpose_page::requests::Requests;
use bindpose_page::view::ViewState;
use eframe::egui::Context;

/// Largest model shown on the cover. A larger one would make the first page slow.
const MAX_COVER_VERTICES: usize = 200_000;

/// The cover, open instead of a page.
pub(super) struct Cover {
    pub(super) notebook: Notebook,
    pub(super) view: ViewState,
    pub(super) linked: LinkedHighlight,
    pub(super) state: CoverView,
    /// Facts about the notebook behind the cover.
    pub(super) contents: CoverNotebook,
}

impl Cover {
    /// Creates a cover with the reader's own model if it has an animation, else with the
    /// whale. Returns `None` if the whale's model is not loaded yet.
    pub(super) fn new(contents: CoverNotebook, own: Option<&Arc<Rig>>) -> Option<Box<Self>> {
        let own_notebook = own.and_then(|own| animated_notebook(Arc::clone(own)));
        let notebook = own_notebook.or_else(|| {
            let set = LessonSet::from_memory(&[("0-cover", cover::PAGE, "")], "");
            Notebook::new(set, bindpose_rigs::builtin)
        })?;
        Some(Box::new(Self {
            notebook,
            view: ViewState::default(),
            linked: LinkedHighlight::default(),
            state: CoverView::default(),
            contents,
        }))
    }

    /// Applies the changes to the whale, and requests a frame that shows them.
    pub(super) fn apply(&mut self, ctx: &Context, requests: &Requests) {
        for edit in &requests.edits {
            let _ = self.notebook.edit(edit, 1);
        }
        for target in &requests.navigation {
            let _ = self.notebook.navigate(target);
        }
        self.notebook.forget_history();
        self.view.playing.after_frame();
        // Playback requests its next frame by itself.
        let only_plays = requests.edits.iter().all(|edit| matches!(edit, Edit::PlayTo { .. }));
        if self.linked.turn() || !only_plays || !requests.navigation.is_empty() {
            ctx.request_repaint();
        }
    }
}

/// Opens the reader's model with its first clip. Returns `None` if it has no clip with a
/// duration, no triangles or too many vertices.
fn animated_notebook(own: Arc<Rig>) -> Option<Notebook> {
    if own.mesh.triangles.is_empty() || own.mesh.positions.len() > MAX_COVER_VERTICES {
        return None;
    }
    let clip = own.clips.iter().position(|clip| clip.duration_secs > 0.0)?;
    let set = LessonSet::from_memory(&[("0-cover", cover::OWN_PAGE, "")], "");
    let mut notebook = Notebook::new(set, bindpose_rigs::builtin)?;
    notebook.open_model(own, 0).ok()?;
    let choose_clip = Edit::set(Setting::Clip(ClipName::Index(clip as u32)));
    notebook.edit(&choose_clip, 0).ok()?;
    Some(notebook)
}
