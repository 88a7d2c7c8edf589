//! The kept states as pictures, and how far apart they put the vertices.

use bindpose_notebook::{Document, PageSnapshot};
use eframe::egui::Ui;

use super::on_page;
use crate::PageContext;
use crate::cells::compare::states;

/// Of the pictures with their scale.
const HEIGHT: f32 = 240.0;

/// Are A and B both of this lesson and model?
pub(super) fn are_possible(page: &PageContext<'_>) -> bool {
    kept(page).is_some()
}

fn kept(page: &PageContext<'_>) -> Option<[Document; 2]> {
    let (lesson, rig) = (&page.document.lesson, &page.derived.stored_rig);
    let snapshots = &page.view.bench.snapshots;
    let kept = |which| Some(snapshots.get(which, lesson, rig)?.document.clone());
    Some([kept(PageSnapshot::A)?, kept(PageSnapshot::B)?])
}

/// Shows them, if the reader asked for them.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if !page.view.bench.pictures {
        return;
    }
    if let Some([a, b]) = kept(page) {
        let look = on_page::picture(page);
        states(ui, "bench pictures", [&a, &b], &look, page, HEIGHT);
        ui.separator();
    }
}
