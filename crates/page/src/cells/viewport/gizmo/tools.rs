//! Menu for the tool and the frame of the gizmo, and the gizmo's input from keys and screen
//! readers.

use bindpose_kit::icons;
use bindpose_kit::theme::{self, ICON_SIZE};
use bindpose_kit::widgets::{Scrub, ScrubChange, consume_key};
use bindpose_lesson::{Gizmo as Tool, GizmoFrame, Setting};
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::{Color32, Id, Key, Pos2, Response, RichText, Shape, Stroke, Ui, vec2};
use glam::DVec3;

use super::PictureGizmo;
use super::drag::{Handle, HandleKind};
use super::view::mark_number;
use crate::PageContext;
use crate::command::Command;

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

/// Accessible name of the menu's button.
pub(in super::super) const TOOLS_MENU_NAME: &str = "Pose the chosen joint";

/// Shows the button of the menu.
pub(in super::super) fn tools_menu_button(ui: &mut Ui, page: &mut PageContext<'_>) -> Response {
    // A transparent icon reserves the space. The rings are painted over it.
    let placeholder = RichText::new(icons::CUBE)
        .family(theme::family::icons())
        .size(ICON_SIZE)
        .color(Color32::TRANSPARENT);
    let menu = ui.menu_button(placeholder, |ui| tools_menu_ui(ui, page));
    paint_rings_icon(ui, &menu.response);
    menu.response
}

fn tools_menu_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    page.theme.edge_empty_marks(ui);
    let selected_tool = page.document.state.gizmo;
    for (tool, label) in TOOLS {
        if ui.radio(selected_tool == tool, label).clicked() {
            page.choose(Setting::Gizmo(tool));
        }
    }
    ui.separator();
    let selected_frame = page.document.state.gizmo_frame;
    for (frame, label) in FRAMES {
        if ui.radio(selected_frame == frame, label).clicked() {
            page.choose(Setting::GizmoFrame(frame));
        }
    }
    if !page.document.state.joint_moves.is_empty() {
        ui.separator();
        if ui.button("Undo what was done by hand").clicked() {
            page.requests.edits.push(Edit::Reset(EditTarget::JointMove(None)));
            ui.close();
        }
    }
    ui.separator();
    for command in [Command::Gizmo, Command::GizmoFrame] {
        ui.label(page.theme.label(command.hint(ui.ctx(), None)));
    }
}

/// Paints the icon: two rings about a joint.
fn paint_rings_icon(ui: &Ui, button: &Response) {
    let visuals = ui.style().interact(button);
    let center = button.rect.center();
    let radius = ICON_SIZE * 0.42;
    let stroke = Stroke::new(1.4, visuals.fg_stroke.color);
    for radii in [vec2(radius, radius * 0.4), vec2(radius * 0.4, radius)] {
        ui.painter().add(Shape::ellipse_stroke(center, radii, stroke));
    }
    ui.painter().circle_filled(center, 2.0, stroke.color);
}

// Input without a pointer: Tab focuses each handle, arrow keys turn or move it, and screen readers
// set its value. The pointer does not interact with these numbers.

const AXES: [&str; 3] = ["x", "y", "z"];

impl PictureGizmo {
    /// Adds the handles as numbers. Returns the axis of the focused one.
    pub(in super::super) fn handle_keys(
        &self,
        ui: &Ui,
        id: &str,
        page: &mut PageContext<'_>,
    ) -> Option<usize> {
        let mut focused_axis = None;
        for handle in &self.handles {
            if let HandleKind::End = handle.kind {
                self.end_numbers(ui, id, page, &mut focused_axis);
            } else if let Some(setting) = self.axis_number(ui, id, handle, &mut focused_axis) {
                page.requests.edits.push(Edit::Settings(vec![setting]));
            }
        }
        if focused_axis.is_some() && consume_key(ui, Key::V) {
            page.choose(Setting::GizmoFrame(self.view.frame.next()));
        }
        if focused_axis.is_some() && consume_key(ui, Key::G) {
            page.choose(Setting::Gizmo(self.tool.next()));
        }
        focused_axis
    }

    /// Adds the number of a ring or an arrow. Returns the setting if it was changed.
    fn axis_number(
        &self,
        ui: &Ui,
        picture: &str,
        handle: &Handle,
        focused_axis: &mut Option<usize>,
    ) -> Option<Setting> {
        let letter = AXES.get(handle.axis)?;
        let joint = self.view.joint_name();
        let frame = self.view.frame.key();
        let held = &self.view.held;
        let at = handle.label_at().unwrap_or(self.view.at);
        let id = number_id(picture, handle.axis);
        match &handle.kind {
            HandleKind::Ring(axis) => {
                let label = format!("turn {joint} about {letter}, {frame} frame");
                let value = held.turned_rad(axis);
                let scrub = Scrub::with_id(id, value, label).suffix("°").decimals(1);
                let change = self.number(ui, id, handle.axis, at, &scrub, focused_axis)?;
                let delta = match change {
                    ScrubChange::Set(new_value) => new_value - value,
                    ScrubChange::Reset => -value,
                };
                Some(held.turned(axis.axis_in_parent, delta))
            }
            HandleKind::Arrow(axis) => {
                let label = format!("move {joint} along {letter}, {frame} frame");
                let value = held.moved_by(axis);
                let scrub = Scrub::with_id(id, value, label).decimals(2);
                let change = self.number(ui, id, handle.axis, at, &scrub, focused_axis)?;
                let delta = match change {
                    ScrubChange::Set(new_value) => new_value - value,
                    ScrubChange::Reset => -value,
                };
                Some(held.moved(axis.step_in_parent * delta))
            }
            HandleKind::End => None,
        }
    }

    /// Adds the world coordinates of the end of two bones as numbers.
    fn end_numbers(
        &self,
        ui: &Ui,
        picture: &str,
        page: &mut PageContext<'_>,
        focused_axis: &mut Option<usize>,
    ) {
        let Some(bones) = &self.bones else { return };
        let end_in_world = bones.end_in_world();
        let mut goal_in_world = end_in_world;
        let axis_count = if self.view.flat { 2 } else { 3 };
        for (axis, letter) in AXES.into_iter().enumerate().take(axis_count) {
            let label = format!("reach with {} to {letter}", self.view.joint_name());
            let id = number_id(picture, axis);
            let scrub = Scrub::with_id(id, end_in_world[axis], label).decimals(2);
            let change = self.number(ui, id, axis, self.view.at, &scrub, focused_axis);
            if let Some(ScrubChange::Set(value)) = change {
                goal_in_world[axis] = value;
            }
        }
        if goal_in_world != end_in_world && DVec3::is_finite(goal_in_world) {
            let reached = bones.reach(goal_in_world);
            page.requests.edits.push(Edit::Settings(reached.settings.to_vec()));
        }
    }

    fn number(
        &self,
        ui: &Ui,
        id: Id,
        axis: usize,
        at: Pos2,
        scrub: &Scrub,
        focused_axis: &mut Option<usize>,
    ) -> Option<ScrubChange> {
        let input = mark_number(ui, id, self.view.picture.rect, at, scrub);
        if input.has_focus {
            *focused_axis = Some(axis);
        }
        input.change
    }
}

fn number_id(picture: &str, axis: usize) -> Id {
    Id::unique(("gizmo", picture, axis))
}
