//! The button and the menu that choose what the gizmo does, and in whose axes.

use bindpose_lesson::{Gizmo as Tool, GizmoFrame, Setting};
use eframe::egui::{Color32, Response, RichText, Shape, Stroke, Ui, vec2};

use crate::command::Command;
use crate::theme::ICON;
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
        if ui.button("Take back what was done by hand").clicked() {
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
