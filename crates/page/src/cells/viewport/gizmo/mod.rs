//! The gizmo of the chosen joint: rings to turn it about, arrows to move it along, a
//! square to take two bones by. What a drag means is `notebook::posing`'s.

mod drag;
mod handles;
mod keys;
mod paint;
#[cfg(test)]
mod tests;
mod tools;
mod view;

use bindpose_lesson::Gizmo as Tool;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::posing::{HeldJoint, TwoBones};
use eframe::egui::{CursorIcon, PointerButton, Pos2, Rect, Response, Ui};

use super::reach::reach;
use crate::PageContext;
use drag::Drag;
use handles::{Handle, HandleKind};
pub(super) use tools::{NAME as TOOLS_NAME, ui as tools};
use view::JointView;

/// The gizmo in one picture and one frame.
pub(in crate::cells) struct PictureGizmo {
    tool: Tool,
    view: JointView,
    bones: Option<TwoBones>,
    handles: Vec<Handle>,
    /// Why some of it is not there, in words.
    why_not: Option<String>,
}

/// While the gizmo of a picture is dragged, it is seen from where it was when that began.
pub(super) fn hold_still(id: &str, camera: &mut Camera, page: &mut PageContext<'_>) {
    if let Some(drag) = page.state::<Option<Drag>>(id) {
        *camera = drag.camera;
    }
}

impl PictureGizmo {
    /// `None` where none is shown, or the chosen joint is not in the picture.
    pub(super) fn new(page: &PageContext<'_>, camera: &Camera, rect: Rect) -> Option<Self> {
        let state = &page.document.state;
        let tool = state.gizmo;
        if tool == Tool::Off {
            return None;
        }
        let held = HeldJoint::new(page.document, page.derived, state.joint)?;
        let of_page = (state.gizmo_frame, page.derived.rig.flat);
        let mut gizmo = Self {
            tool,
            view: JointView::new(held, of_page, camera, rect)?,
            bones: None,
            handles: Vec::new(),
            why_not: None,
        };
        if page.derived.is_moved_by_program(state.joint) {
            gizmo.why_not = Some("the program of this page moves it".to_owned());
            return Some(gizmo);
        }
        gizmo.put_handles(page);
        Some(gizmo)
    }

    fn put_handles(&mut self, page: &PageContext<'_>) {
        match self.tool {
            Tool::Off => {}
            Tool::Turn => {
                // A flat figure is turned about the axis that points at the reader.
                let axes = if self.view.flat { 2..3 } else { 0..3 };
                for axis in axes {
                    let found = self.view.held.turn_axis(self.view.frame, axis);
                    self.put(axis, found.map(HandleKind::Ring));
                }
            }
            Tool::Move => {
                let axes = if self.view.flat { 0..2 } else { 0..3 };
                for axis in axes {
                    let found = self.view.held.move_axis(self.view.frame, axis);
                    self.put(axis, found.map(HandleKind::Arrow));
                }
            }
            Tool::Reach => {
                let across = self.view.across_in_world();
                let bones =
                    TwoBones::new(page.document, page.derived, self.view.held.joint, across);
                let moved = |bones: &TwoBones| {
                    let turning = bones.turning();
                    turning.into_iter().any(|joint| page.derived.is_moved_by_program(joint))
                };
                match bones {
                    Ok(bones) if moved(&bones) => {
                        let why_not = "the program of this page moves the joints above it";
                        self.why_not = Some(why_not.to_owned());
                    }
                    Ok(bones) => {
                        self.bones = Some(bones);
                        self.handles.push(Handle::end(&self.view));
                    }
                    Err(why) => self.why_not = Some(why.to_string()),
                }
            }
        }
    }

    fn put(&mut self, axis: usize, kind: Result<HandleKind, impl std::fmt::Display>) {
        match kind {
            Ok(kind) => self.handles.push(Handle::new(&self.view, axis, kind)),
            Err(why) => self.why_not = Some(why.to_string()),
        }
    }

    /// The handle under the pointer.
    fn under(&self, at: Pos2, reach: f32) -> Option<usize> {
        let near = self.handles.iter().map(|handle| handle.distance(at)).enumerate();
        let near = near.filter(|&(_, distance)| distance < reach);
        near.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    /// Is the pointer on a handle, and not on the joint itself?
    pub(super) fn is_under(&self, ui: &Ui, pointer: Option<Pos2>) -> bool {
        pointer.is_some_and(|at| self.under(at, reach(ui) * 0.8).is_some())
    }

    /// Follows a drag that began on a handle; true while there is one. A press that
    /// began beside them is the camera's.
    pub(super) fn drag(
        &self,
        ui: &Ui,
        (id, response): (&str, &Response),
        page: &mut PageContext<'_>,
    ) -> bool {
        page.with_state(id, |drag: &mut Option<Drag>, page| {
            if response.drag_started_by(PointerButton::Primary) {
                let from = ui.input(|input| input.pointer.press_origin());
                let on = from.and_then(|at| self.under(at, reach(ui) * 0.8));
                let on = on.and_then(|index| self.handles.get(index));
                *drag = from
                    .zip(on)
                    .and_then(|(from, on)| Drag::new(&self.view, on, self.bones.as_ref(), from));
            }
            if !response.dragged_by(PointerButton::Primary) {
                *drag = None;
            }
            // Two fingers are the camera's.
            if ui.input(|input| input.multi_touch().is_some()) {
                *drag = None;
            }
            let pointer = response.interact_pointer_pos();
            if let Some((drag, at)) = drag.as_mut().zip(pointer) {
                let modifiers = ui.input(|input| input.modifiers);
                let settings = drag.follow(&self.view, at, modifiers);
                page.edits.extend(settings.map(bindpose_notebook::Edit::Settings));
                ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
            } else if self.is_under(ui, response.hover_pos()) {
                ui.ctx().set_cursor_icon(CursorIcon::Grab);
            }
            drag.is_some()
        })
    }
}
