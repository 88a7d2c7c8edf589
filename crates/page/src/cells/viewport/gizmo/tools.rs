//! The button and the menu that choose what the gizmo does, and in whose axes.

use bindpose_lesson::{Gizmo as Tool, GizmoFrame, Setting};
use bindpose_notebook::Edit;
use eframe::egui::{Color32, Id, Key, Response, RichText, Shape, Stroke, Ui, vec2};
use glam::DVec3;

use super::PictureGizmo;
use super::drag::{Handle, HandleKind};
use super::view::number_of_mark;
use crate::command::Command;
use crate::theme::ICON;
use crate::widgets::{Scrub, ScrubChange, pressed};
use crate::{PageContext, icons, theme};

const TOOLS: [(Tool, &str); 4] = [
    (Tool::Off, "No gizmo"),
    (Tool::Turn, "Turn the chosen joint"),
    (Tool::Move, "Move the chosen joint"),
    (Tool::Reach, "Reach: two bones follow"),
];

const FRAMES: [(GizmoFrame, &str); 3] = [
    (GizmoFrame::Local, "In its own frame"),
    (GizmoFrame::Parent, "In its parent’s frame"),
    (GizmoFrame::World, "In the world’s frame"),
];

/// The button.
pub(in super::super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) -> Response {
    // Room for an icon, which is painted over it.
    let room = RichText::new(icons::CUBE)
        .family(theme::family::icons())
        .size(ICON)
        .color(Color32::TRANSPARENT);
    let menu = ui.menu_button(room, |ui| choices(ui, page));
    paint_rings(ui, &menu.response);
    menu.response
}

/// What the button is called.
pub(in super::super) const NAME: &str = "Pose the chosen joint";

fn choices(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    let now = page.document.state.gizmo;
    for (tool, words) in TOOLS {
        if ui.radio(now == tool, words).clicked() {
            page.choose(Setting::Gizmo(tool));
        }
    }
    ui.separator();
    let now = page.document.state.gizmo_frame;
    for (frame, words) in FRAMES {
        if ui.radio(now == frame, words).clicked() {
            page.choose(Setting::GizmoFrame(frame));
        }
    }
    let moves = &page.document.state.joint_moves;
    if !moves.is_empty() {
        ui.separator();
        if ui.button("Undo what was done by hand").clicked() {
            page.edits.push(bindpose_notebook::Edit::ResetJointMove(None));
            ui.close();
        }
    }
    ui.separator();
    for command in [Command::Gizmo, Command::GizmoFrame] {
        ui.label(page.theme.label(command.hint(ui.ctx(), None)));
    }
}

/// Two rings about a joint: the icon.
fn paint_rings(ui: &Ui, button: &Response) {
    let visuals = ui.style().interact(button);
    let (at, radius) = (button.rect.center(), ICON * 0.42);
    let stroke = Stroke::new(1.4, visuals.fg_stroke.color);
    for radii in [vec2(radius, radius * 0.4), vec2(radius * 0.4, radius)] {
        ui.painter().add(Shape::ellipse_stroke(at, radii, stroke));
    }
    ui.painter().circle_filled(at, 2.0, stroke.color);
}

// The gizmo without a pointer: Tab leads to each handle, arrow keys turn or move it,
// screen readers put it to a value. The pointer passes these by.

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
        let (has_focus, change) = number_of_mark(ui, id, (self.view.rect, at), &scrub(id));
        if has_focus {
            *focused = Some(axis);
        }
        change
    }
}
