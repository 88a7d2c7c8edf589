//! The camera that a reader holds, or the one that is framed for them.

use bindpose_notebook::Navigation;
use bindpose_notebook::viewport::{ViewportFrame, framed_camera};
use eframe::egui;
use glam::Vec2;

use crate::PageContext;
use crate::view::CameraState;

/// The camera of a viewport, framed unless the reader has moved it. A legend covers this
/// much of the lower left corner.
pub(in crate::cells) fn camera(
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
pub(in crate::cells) fn hold(id: &str, state: CameraState, page: &mut PageContext<'_>) {
    let camera = state.held.then_some(state.camera);
    if page.cameras.get(id).copied() != camera {
        page.navigation.push(Navigation::Look(id.to_owned(), camera));
    }
}
