//! The gizmo without a pointer: Tab leads to each handle, arrow keys turn or move it,
//! screen readers put it to a value. The pointer passes these by.

use bindpose_lesson::Setting;
use bindpose_notebook::Edit;
use eframe::egui::{Id, Key, Rect, Sense, Ui, Vec2, accesskit};
use glam::DVec3;

use super::PictureGizmo;
use super::handles::{Handle, HandleKind};
use crate::PageContext;
use crate::widgets::{Scrub, ScrubChange, pressed};

/// Side of what has the focus, in points.
const SIDE: f32 = 24.0;
const AXES: [&str; 3] = ["x", "y", "z"];

impl PictureGizmo {
    /// The handles as numbers; says which of them has the focus.
    pub(in super::super) fn keys(
        &self,
        ui: &Ui,
        id: &str,
        page: &mut PageContext<'_>,
    ) -> Option<usize> {
        let mut focused = None;
        for handle in &self.handles {
            if let HandleKind::End = handle.kind {
                self.end_keys(ui, id, page, &mut focused);
            } else if let Some(changed) = self.axis_keys(ui, id, handle, &mut focused) {
                page.edits.push(Edit::Settings(vec![changed]));
            }
        }
        if focused.is_some() && pressed(ui, Key::V) {
            page.choose(Setting::GizmoFrame(self.view.frame.next()));
        }
        if focused.is_some() && pressed(ui, Key::G) {
            page.choose(Setting::Gizmo(self.tool.next()));
        }
        focused
    }

    fn axis_keys(
        &self,
        ui: &Ui,
        id: &str,
        handle: &Handle,
        focused: &mut Option<usize>,
    ) -> Option<Setting> {
        let letter = AXES.get(handle.axis)?;
        let (joint, frame) = (self.view.joint_words(), self.view.frame.key());
        let at = handle.words_at().unwrap_or(self.view.at);
        match &handle.kind {
            HandleKind::Ring(axis) => {
                let label = format!("turn {joint} about {letter}, {frame} frame");
                let now = self.view.held.turned_rad(axis);
                let scrub = |id| Scrub::with_id(id, now, label).suffix("°").decimals(1);
                let change = self.number(ui, (id, handle.axis), at, scrub, focused)?;
                let by = match change {
                    ScrubChange::Set(value) => value - now,
                    ScrubChange::Reset => -now,
                };
                Some(self.view.held.turned(axis.axis_in_parent, by))
            }
            HandleKind::Arrow(axis) => {
                let label = format!("move {joint} along {letter}, {frame} frame");
                let now = self.view.held.moved_by(axis);
                let scrub = |id| Scrub::with_id(id, now, label).decimals(2);
                let change = self.number(ui, (id, handle.axis), at, scrub, focused)?;
                let by = match change {
                    ScrubChange::Set(value) => value - now,
                    ScrubChange::Reset => -now,
                };
                Some(self.view.held.moved(axis.step_in_parent * by))
            }
            HandleKind::End => None,
        }
    }

    /// The end of two bones: where it is, by coordinate in the world.
    fn end_keys(&self, ui: &Ui, id: &str, page: &mut PageContext<'_>, focused: &mut Option<usize>) {
        let Some(bones) = &self.bones else { return };
        let end = bones.end_in_world();
        let mut place = end;
        let axes = if self.view.flat { 2 } else { 3 };
        for (axis, letter) in AXES.into_iter().enumerate().take(axes) {
            let label = format!("reach with {} to {letter}", self.view.joint_words());
            let scrub = |id| Scrub::with_id(id, end[axis], label).decimals(2);
            let change = self.number(ui, (id, axis), self.view.at, scrub, focused);
            if let Some(ScrubChange::Set(value)) = change {
                place[axis] = value;
            }
        }
        if place != end && DVec3::is_finite(place) {
            let reached = bones.reach(place);
            page.edits.push(Edit::Settings(reached.settings.to_vec()));
        }
    }

    fn number(
        &self,
        ui: &Ui,
        (picture, axis): (&str, usize),
        at: eframe::egui::Pos2,
        scrub: impl FnOnce(Id) -> Scrub,
        focused: &mut Option<usize>,
    ) -> Option<ScrubChange> {
        let id = Id::unique(("gizmo", picture, axis));
        let at = self.view.rect.shrink(SIDE / 2.0).clamp(at);
        let rect = Rect::from_center_size(at, Vec2::splat(SIDE));
        let response = ui.interact(rect, id, Sense::focusable_noninteractive());
        let scrub = scrub(id);
        scrub.describe(ui, &response, accesskit::Role::Slider);
        if response.has_focus() {
            *focused = Some(axis);
        }
        scrub.asked(ui, &response)
    }
}
