//! The camera that a reader holds, or the one that is framed for them.

use eframe::egui;
use glam::Vec2;

use crate::notebook::rest_bounds;
use crate::notebook::viewport::{ViewportFrame, framed_camera};
use crate::ui::PageContext;
use crate::ui::view::{CameraState, FramedFor};

/// The camera of a viewport, framed unless the reader has moved it. A legend covers this
/// much of the lower left corner.
pub(in crate::ui::cells) fn camera(
    frame: &ViewportFrame<'_>,
    id: &str,
    page: &PageContext<'_>,
    size: egui::Vec2,
    legend: Option<egui::Vec2>,
) -> CameraState {
    let cell = frame.cell;
    let framed_for = FramedFor {
        lesson: frame.document.lesson.clone(),
        model: rest_bounds(&frame.derived.rig),
        view: frame.view,
        fixed: cell.target.zip(cell.height),
        crowd: frame.document.state.crowd.count,
    };
    if let Some(state) = page.view.cameras.get(id)
        && state.held
        && state.framed_for == framed_for
    {
        return state.clone();
    }
    let legend = legend.map(|legend| Vec2::new(legend.x, legend.y));
    CameraState {
        camera: framed_camera(frame, Vec2::new(size.x, size.y), legend),
        held: false,
        framed_for,
    }
}
