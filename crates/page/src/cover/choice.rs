//! What the cover is told, and what is chosen there.

use bindpose_notebook::{CoverRoute, CoverWay};
use eframe::egui::{Rect, Ui, UiBuilder};

use crate::command::Command;

/// What of the notebook the cover tells.
pub struct CoverNotebook {
    /// Where the reader was last, `40 · 6`; absent: nowhere yet.
    pub last: Option<String>,
    /// The ways in.
    pub ways: Vec<CoverWay>,
    /// All routes.
    pub routes: Vec<CoverRoute>,
}

/// What the reader chose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverChoice {
    /// From the first step on.
    Begin,
    /// Where they were last.
    Continue,
    /// A route, by its name.
    Follow(String),
    /// Something that stays as it is elsewhere.
    Do(Command),
}

/// A part of the cover.
pub(super) fn child(ui: &mut Ui, rect: Rect) -> Ui {
    let mut child =
        ui.new_child(UiBuilder::new().max_rect(rect).id_salt(("cover", rect.top() as i32)));
    child.set_clip_rect(ui.clip_rect().intersect(rect.expand(12.0)));
    child
}
