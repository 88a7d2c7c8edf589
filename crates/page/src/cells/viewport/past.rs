//! The trail of the chosen vertex, and ghosts of the last poses.

use bindpose_notebook::camera::Camera;
use bindpose_notebook::scene::Scene;
use bindpose_notebook::viewport::{PastPoses, ViewportFrame};
use eframe::egui::{Painter, Pos2, Rect, Stroke, Ui, vec2};
use glam::{Vec2, Vec3};

use crate::PageContext;
use crate::theme::Theme;

/// Lets the picture remember what it shows, and puts ghosts into the scene; answers
/// with the trail, the oldest place first.
pub(super) fn follow(
    ui: &Ui,
    id: &str,
    frame: &ViewportFrame<'_>,
    page: &mut PageContext<'_>,
    scene: &mut Scene,
) -> Vec<Vec3> {
    let (now_secs, is_held) = ui.input(|input| (input.time, input.pointer.any_down()));
    let past = page.state::<PastPoses>(id);
    past.see(frame, now_secs, is_held);
    scene.past_poses = past.poses(frame);
    past.trail().collect()
}

/// The trail, fainter the longer ago.
pub(super) fn paint(
    painter: &Painter,
    (rect, camera): (Rect, &Camera),
    theme: &Theme,
    trail: &[Vec3],
) {
    if trail.len() < 2 {
        return;
    }
    let size = Vec2::new(rect.width(), rect.height());
    let clip = camera.clip_from_world(size.x / size.y.max(1.0));
    let at = |place: &Vec3| -> Option<Pos2> {
        let at = Camera::project_with(clip, *place, size)?;
        Some(rect.min + vec2(at.x, at.y))
    };
    let places: Vec<Option<Pos2>> = trail.iter().map(at).collect();
    let count = places.len() as f32;
    // Below it, so that it is seen on a surface of any colour.
    for ends in places.windows(2) {
        if let [Some(from), Some(to)] = ends {
            painter.line_segment([*from, *to], Stroke::new(4.5, theme.paper));
        }
    }
    for (nth, ends) in places.windows(2).enumerate() {
        if let [Some(from), Some(to)] = ends {
            let part = 0.2 + 0.8 * (nth as f32 + 1.0) / count;
            let color = theme.accent.gamma_multiply(part);
            painter.line_segment([*from, *to], Stroke::new(2.5, color));
        }
    }
}
