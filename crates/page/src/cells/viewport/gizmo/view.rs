//! A joint in a picture, and pointer and keyboard input on marks of a picture.

use bindpose_kit::theme::{CAPTION_SIZE, Theme, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{Scrub, ScrubChange};
use bindpose_lesson::number_text::fixed;
use eframe::egui::{
    Color32, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2, accesskit, vec2,
};
use glam::DVec3;

use bindpose_lesson::GizmoFrame;
use bindpose_notebook::camera::{Camera, Ray};
use bindpose_notebook::posing::HeldJoint;

use super::super::labels::paint_text_box;
use super::super::picture_view::PictureView;
use crate::PageContext;

/// Radius of a gizmo relative to the height of the picture.
pub(super) const RADIUS_OF_HEIGHT: f32 = 0.17;

/// A joint in a picture, in one frame.
pub(super) struct JointView {
    pub(super) held: HeldJoint,
    pub(super) frame: GizmoFrame,
    /// True for a flat figure, whose joints stay in its plane.
    pub(super) flat: bool,
    pub(super) picture: PictureView,
    /// Screen position of the joint.
    pub(super) at: Pos2,
}

impl JointView {
    /// Returns `None` if the joint is outside the picture.
    pub(super) fn new(
        held: HeldJoint,
        page: &PageContext<'_>,
        picture: &PictureView,
    ) -> Option<Self> {
        let at = picture.project(held.origin_in_world.as_vec3())?;
        picture.rect.contains(at).then_some(Self {
            held,
            frame: page.document.state.gizmo_frame,
            flat: page.derived.rig.flat,
            picture: *picture,
            at,
        })
    }

    pub(super) fn camera(&self) -> &Camera {
        &self.picture.camera
    }

    /// Normal of the plane in which the end of two bones is dragged: the figure's own plane if it
    /// is flat, otherwise the one that faces the reader.
    pub(super) fn drag_plane_normal_in_world(&self) -> DVec3 {
        if self.flat {
            return DVec3::Z;
        }
        self.camera().forward().as_dvec3()
    }

    /// Radius of the gizmo, in points.
    pub(super) fn radius_pts(&self) -> f32 {
        (self.picture.rect.height() * RADIUS_OF_HEIGHT).clamp(36.0, 96.0)
    }

    /// Radius of the gizmo, in world units at the joint.
    pub(super) fn radius_in_world(&self) -> f64 {
        f64::from(self.radius_pts()) * self.world_per_point()
    }

    /// World units per point of the screen, at the joint.
    pub(super) fn world_per_point(&self) -> f64 {
        let camera = self.camera();
        let offset = camera.view_from_world().row(0).truncate() * camera.height * 0.05;
        let beside = self.picture.project(self.held.origin_in_world.as_vec3() + offset);
        let points = beside.map_or(1.0, |beside| beside.distance(self.at));
        f64::from(offset.length() / points.max(1e-3))
    }

    pub(super) fn project(&self, in_world: DVec3) -> Option<Pos2> {
        self.picture.project(in_world.as_vec3())
    }

    pub(super) fn ray(&self, at: Pos2) -> Ray {
        self.picture.ray(at)
    }

    /// Name of the joint in labels, such as `joint 2`.
    pub(super) fn joint_name(&self) -> String {
        format!("joint {}", self.held.joint.0)
    }

    /// Paints text at a distance below the joint, in points, or above it if there is no room.
    pub(super) fn paint_label(&self, painter: &Painter, theme: &Theme, distance: f32, text: &str) {
        let rect = self.picture.rect;
        let pad = vec2(6.0, 3.0);
        let width = (rect.width() - 24.0).max(60.0);
        let galley = painter.layout(text.to_owned(), font::strong(CAPTION_SIZE), theme.ink, width);
        let size = galley.size();
        let below = self.at + vec2(-size.x / 2.0, distance);
        let above = self.at - vec2(size.x / 2.0, distance + size.y);
        let room = rect.shrink2(pad + Vec2::splat(2.0));
        let preferred = if below.y + size.y < room.bottom() { below } else { above };
        let max = (room.max - size).max(room.min);
        let at =
            Pos2::new(preferred.x.clamp(room.left(), max.x), preferred.y.clamp(room.top(), max.y));
        paint_text_box(painter, theme, at, galley, pad, 0.92);
    }
}

/// Formats a number with its sign, such as `+12.0` or `−3.5`.
pub(super) fn format_signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    if value > 0.0 { format!("+{text}") } else { text }
}

/// Paints the head of an arrow in the unit direction `along` that ends at `tip`.
pub(super) fn paint_arrow_head(painter: &Painter, along: Vec2, tip: Pos2, color: Color32) {
    let side = along.rot90() * 5.0;
    let back = tip - along * 11.0;
    let head = vec![tip, back + side, back - side];
    painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

/// Maximum distance at which a mouse picks a mark.
const MOUSE_REACH_PTS: f32 = 12.0;

/// Maximum distance at which a finger picks a mark.
const FINGER_REACH_PTS: f32 = touch::MIN_TARGET_SIZE_PTS / 2.0;

/// Maximum distance at which the pointer picks a mark, in points.
pub(in super::super) fn pointer_reach(ui: &Ui) -> f32 {
    if touch::is_touch_active(ui.ctx()) { FINGER_REACH_PTS } else { MOUSE_REACH_PTS }
}

/// Maximum distance at which the pointer picks a handle, in points. It is smaller than for marks,
/// because handles are close to each other.
pub(super) fn handle_reach(ui: &Ui) -> f32 {
    pointer_reach(ui) * 0.8
}

/// Side of the focusable area of a mark.
const FOCUS_SIDE_PTS: f32 = 24.0;

/// Keyboard and screen reader input on a mark.
pub(super) struct MarkInput {
    pub(super) has_focus: bool,
    pub(super) change: Option<ScrubChange>,
}

/// Adds a number at a mark of the picture in `rect` for keys and screen readers. The pointer does
/// not interact with it.
pub(super) fn mark_number(ui: &Ui, id: Id, rect: Rect, at: Pos2, scrub: &Scrub) -> MarkInput {
    let center = rect.shrink(FOCUS_SIDE_PTS / 2.0).clamp(at);
    let mark = Rect::from_center_size(center, Vec2::splat(FOCUS_SIDE_PTS));
    let response = ui.interact(mark, id, Sense::focusable_noninteractive());
    scrub.describe(ui, &response, accesskit::Role::Slider);
    MarkInput { has_focus: response.has_focus(), change: scrub.find_change(ui, &response) }
}
