//! Which cells stand on the stage, and the parts of the page that they stand in.

use bindpose_lesson::Cell;
use eframe::egui::{Rect, Ui, UiBuilder};

use crate::PageContext;

/// Cells on the stage at this step, in order.
pub fn cells<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    page.lesson.on_stage(page.document.step)
}

/// A part of the page with a scope of its own, clipped to `rect`.
pub fn child(ui: &mut Ui, rect: Rect, salt: &str) -> Ui {
    let mut child = ui.new_child(UiBuilder::new().max_rect(rect).id_salt(salt));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    child
}
