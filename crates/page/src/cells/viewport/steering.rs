//! How a reader moves the camera of a picture, or places a guess in it.

use bindpose_notebook::Navigation;
use bindpose_notebook::viewport::{ViewportFrame, framed_camera};
use eframe::egui::{self, Key, Rect, Ui};
use glam::Vec2;

use super::OpenQuestion;
use crate::PageContext;
use crate::view::CameraState;
use crate::widgets::{Arrows, keep_arrows};

/// Places a guess where one is asked for; else moves the camera.
pub(crate) fn steer(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    state: &mut CameraState,
    question: Option<&OpenQuestion>,
    page: &mut PageContext<'_>,
) {
    let placing =
        question.is_some_and(|question| question.place(ui, response, rect, &state.camera, page));
    if !placing {
        turn(ui, response, rect, state, page.derived.rig.flat);
    }
}

/// Drag turns, right drag or Shift moves, a double click frames; two fingers move and
/// come nearer; with focus, the arrow keys turn. The wheel comes nearer once the picture has been clicked, or
/// with Ctrl; before that it is the page's. What is `flat` is moved and never
/// turned out of its plane.
fn turn(ui: &Ui, response: &egui::Response, rect: Rect, state: &mut CameraState, flat: bool) {
    let in_heights = |way: egui::Vec2| Vec2::new(way.x, way.y) / rect.height().max(1.0);
    let two_fingers = ui.input(egui::InputState::multi_touch);
    if let Some(touch) = two_fingers.filter(|touch| rect.contains(touch.start_pos)) {
        state.camera.pan(in_heights(touch.translation_delta));
        state.camera.zoom(1.0 / touch.zoom_delta);
        state.held = true;
        return;
    }
    let in_heights = in_heights(response.drag_delta());
    if in_heights != Vec2::ZERO {
        let shift = ui.input(|input| input.modifiers.shift);
        if flat
            || shift
            || response.dragged_by(egui::PointerButton::Secondary)
            || response.dragged_by(egui::PointerButton::Middle)
        {
            state.camera.pan(in_heights);
        } else {
            state.camera.orbit(in_heights);
        }
        state.held = true;
    }
    if response.contains_pointer() {
        let (scroll, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        // egui counts the wheel with Ctrl held as a pinch.
        let scroll = if response.has_focus() { scroll } else { 0.0 };
        let factor = (-scroll * 0.003).exp() / pinch;
        if factor != 1.0 {
            state.camera.zoom(factor);
            state.held = true;
            ui.input_mut(|input| input.smooth_scroll_delta.y = 0.0);
        }
    }
    if response.double_clicked() {
        state.held = false;
        ui.ctx().request_repaint();
    }
    if response.clicked() {
        response.request_focus();
    }
    if response.has_focus() {
        steer_by_keys(ui, response, state, flat);
    }
}

fn steer_by_keys(ui: &Ui, response: &egui::Response, state: &mut CameraState, flat: bool) {
    keep_arrows(ui, response.id, Arrows::All);
    let turn = ui.input_mut(|input| {
        let mut presses = |key| input.count_and_consume_key(egui::Modifiers::NONE, key) as f32;
        let x = presses(Key::ArrowRight) - presses(Key::ArrowLeft);
        let y = presses(Key::ArrowDown) - presses(Key::ArrowUp);
        Vec2::new(x, y)
    });
    if turn != Vec2::ZERO {
        if flat {
            state.camera.pan(turn * 0.05);
        } else {
            state.camera.orbit(turn * 0.05);
        }
        state.held = true;
    }
}

// The camera that a reader holds, or the one that is framed for them.

/// The camera of a viewport, framed unless the reader has moved it. A legend covers this
/// much of the lower left corner.
pub(crate) fn camera(
    frame: &ViewportFrame<'_>,
    id: &str,
    page: &PageContext<'_>,
    size: egui::Vec2,
    legend: Option<egui::Vec2>,
) -> CameraState {
    if let Some(&camera) = page.cameras.get(id) {
        return CameraState { camera, held: true };
    }
    let legend = legend.map(|legend| Vec2::new(legend.x, legend.y));
    CameraState { camera: framed_camera(frame, Vec2::new(size.x, size.y), legend), held: false }
}

/// Tells the notebook where the reader looks from, if that has changed.
pub(crate) fn hold(id: &str, state: CameraState, page: &mut PageContext<'_>) {
    let camera = state.held.then_some(state.camera);
    if page.cameras.get(id).copied() != camera {
        page.navigation.push(Navigation::Look(id.to_owned(), camera));
    }
}
