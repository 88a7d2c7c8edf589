//! Input that moves the camera of a picture, or places a guess in it.

use bindpose_kit::widgets::{Arrows, keep_arrows};
use bindpose_notebook::Navigation;
use bindpose_notebook::camera::Camera;
use bindpose_notebook::viewport::{PictureFill, ViewportFrame, framed_camera};
use eframe::egui::{self, Key, Rect, Ui};
use glam::Vec2;

use super::OpenQuestion;
use crate::PageContext;
use crate::view::CameraState;

/// Length of the drag that a press of an arrow key equals, in heights of the picture.
const ARROW_KEY_DRAG_HEIGHTS: f32 = 0.05;
/// Natural logarithm of the zoom for one point of the wheel.
const LN_ZOOM_PER_WHEEL_POINT: f32 = 0.003;

/// Places a guess while a question is open, otherwise moves the camera.
pub(crate) fn handle_camera_input(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    state: &mut CameraState,
    question: Option<&OpenQuestion>,
    page: &mut PageContext<'_>,
) {
    let is_guess_dragged = question
        .is_some_and(|question| question.handle_pointer(ui, response, rect, &state.camera, page));
    if !is_guess_dragged {
        steer_camera(ui, response, rect, state, page.derived.rig.flat);
    }
}

/// Moves the camera. A drag orbits. A drag with another button or Shift pans, and so does every
/// drag of a `flat` model, which is never turned out of its plane. Two fingers pan and zoom. A
/// double click frames the model. With focus, the arrow keys orbit. The wheel zooms if the
/// picture has been clicked, or with Ctrl. Otherwise it scrolls the page.
fn steer_camera(
    ui: &Ui,
    response: &egui::Response,
    rect: Rect,
    state: &mut CameraState,
    flat: bool,
) {
    let height = rect.height().max(1.0);
    if let Some(touch) = ui.input(egui::InputState::multi_touch)
        && rect.contains(touch.start_pos)
    {
        let delta = touch.translation_delta;
        state.camera.pan(Vec2::new(delta.x, delta.y) / height);
        state.camera.zoom(1.0 / touch.zoom_delta);
        state.is_held = true;
        return;
    }
    let drag = response.drag_delta();
    let drag_in_heights = Vec2::new(drag.x, drag.y) / height;
    if drag_in_heights != Vec2::ZERO {
        if flat
            || ui.input(|input| input.modifiers.shift)
            || response.dragged_by(egui::PointerButton::Secondary)
            || response.dragged_by(egui::PointerButton::Middle)
        {
            state.camera.pan(drag_in_heights);
        } else {
            state.camera.orbit(drag_in_heights);
        }
        state.is_held = true;
    }
    if response.contains_pointer() {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        // egui reports the wheel as a pinch while Ctrl is held.
        let scroll = if response.has_focus() { wheel } else { 0.0 };
        let factor = (-scroll * LN_ZOOM_PER_WHEEL_POINT).exp() / pinch;
        if factor != 1.0 {
            state.camera.zoom(factor);
            state.is_held = true;
            ui.input_mut(|input| input.smooth_scroll_delta.y = 0.0);
        }
    }
    if response.double_clicked() {
        state.is_held = false;
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
    let [left, right, up, down] = ui.input_mut(|input| {
        [Key::ArrowLeft, Key::ArrowRight, Key::ArrowUp, Key::ArrowDown]
            .map(|key| input.count_and_consume_key(egui::Modifiers::NONE, key) as f32)
    });
    let presses = Vec2::new(right - left, down - up);
    if presses != Vec2::ZERO {
        if flat {
            state.camera.pan(presses * ARROW_KEY_DRAG_HEIGHTS);
        } else {
            state.camera.orbit(presses * ARROW_KEY_DRAG_HEIGHTS);
        }
        state.is_held = true;
    }
}

/// Returns the camera of a viewport: the reader's, or a framed one if the reader has not moved
/// it. `legend` is the area covered in the lower left corner, in points.
pub(crate) fn current_camera(
    frame: &ViewportFrame<'_>,
    id: &str,
    page: &PageContext<'_>,
    size: egui::Vec2,
    legend: Option<egui::Vec2>,
) -> CameraState {
    if let Some(&camera) = page.cameras.get(id) {
        return CameraState { camera, is_held: true };
    }
    let legend = legend.map(|legend| Vec2::new(legend.x, legend.y));
    CameraState { camera: framed_camera(frame, Vec2::new(size.x, size.y), legend), is_held: false }
}

/// Records how far a picture is filled, for the check of lessons.
pub(crate) fn record_fill(
    frame: &ViewportFrame<'_>,
    camera: &Camera,
    size: egui::Vec2,
    page: &mut PageContext<'_>,
) {
    if page.view.pictures.is_measured
        && let Some(fill) = PictureFill::measure(frame, camera, Vec2::new(size.x, size.y))
    {
        page.view.item_rects.picture_fills.push((size, fill));
    }
}

/// Stores the camera in the notebook if the reader has moved it or put it back.
pub(crate) fn store_camera(id: &str, state: CameraState, page: &mut PageContext<'_>) {
    let camera = state.is_held.then_some(state.camera);
    if page.cameras.get(id).copied() != camera {
        page.requests.navigation.push(Navigation::Look(id.to_owned(), camera));
    }
}
