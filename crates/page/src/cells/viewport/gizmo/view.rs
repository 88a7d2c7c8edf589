//! The joint that a gizmo is of, and the picture that it stands in.

use eframe::egui::{
    Color32, Id, Painter, Pos2, Rect, Sense, Shape, Stroke, Ui, Vec2 as ScreenVec2, accesskit, vec2,
};
use glam::{DVec3, Vec2};

use bindpose_lesson::GizmoFrame;
use bindpose_notebook::camera::{Camera, Ray};
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::posing::HeldJoint;

use super::super::labels::words_on_paper;
use crate::theme::{CAPTION, Theme, font};
use crate::touch;
use crate::widgets::{Scrub, ScrubChange};

/// How far a gizmo reaches from its joint, as a part of the picture's height.
pub(super) const REACH_OF_HEIGHT: f32 = 0.17;

/// A joint in a picture, in one frame.
pub(super) struct JointView {
    pub(super) held: HeldJoint,
    pub(super) frame: GizmoFrame,
    /// Turned in its plane, moved in it, and never out of it.
    pub(super) flat: bool,
    pub(super) camera: Camera,
    pub(super) rect: Rect,
    /// Where the joint is in the picture.
    pub(super) at: Pos2,
}

impl JointView {
    /// `None` where the joint is not in the picture.
    pub(super) fn new(
        held: HeldJoint,
        (frame, flat): (GizmoFrame, bool),
        camera: &Camera,
        rect: Rect,
    ) -> Option<Self> {
        let size = Vec2::new(rect.width(), rect.height());
        let at = camera.project(held.origin_in_world.as_vec3(), size)?;
        let at = rect.min + vec2(at.x, at.y);
        rect.contains(at).then_some(Self { held, frame, flat, camera: *camera, rect, at })
    }

    /// The plane that the end of two bones is dragged in: of a flat figure its own;
    /// else the one that faces the reader.
    pub(super) fn across_in_world(&self) -> DVec3 {
        if self.flat {
            return DVec3::Z;
        }
        self.camera.forward().as_dvec3()
    }

    pub(super) fn size(&self) -> Vec2 {
        Vec2::new(self.rect.width(), self.rect.height())
    }

    /// How far it reaches, in points.
    pub(super) fn reach_points(&self) -> f32 {
        (self.rect.height() * REACH_OF_HEIGHT).clamp(36.0, 96.0)
    }

    /// World units of a point of the screen, where the joint is.
    pub(super) fn world_per_point(&self) -> f64 {
        let side = self.camera.view_from_world().row(0).truncate() * self.camera.height * 0.05;
        let beside = self.held.origin_in_world.as_vec3() + side;
        let beside = self.project(beside.as_dvec3());
        let points = beside.map_or(1.0, |beside| beside.distance(self.at));
        f64::from(side.length() / points.max(1e-3))
    }

    pub(super) fn project(&self, in_world: DVec3) -> Option<Pos2> {
        let at = self.camera.project(in_world.as_vec3(), self.size())?;
        Some(self.rect.min + vec2(at.x, at.y))
    }

    pub(super) fn ray(&self, at: Pos2) -> Ray {
        let at = at - self.rect.min;
        self.camera.ray(Vec2::new(at.x, at.y), self.size())
    }

    /// `joint 2`.
    pub(super) fn joint_words(&self) -> String {
        format!("joint {}", self.held.joint.0)
    }
}

/// So far below the joint, or above it where there is no room.
pub(super) fn write(view: &JointView, painter: &Painter, theme: &Theme, (far, words): (f32, &str)) {
    let pad = vec2(6.0, 3.0);
    let width = (view.rect.width() - 24.0).max(60.0);
    let galley = painter.layout(words.to_owned(), font::strong(CAPTION), theme.ink, width);
    let size = galley.size();
    let below = view.at + vec2(-size.x / 2.0, far);
    let above = view.at - vec2(size.x / 2.0, far + size.y);
    let room = view.rect.shrink2(pad + ScreenVec2::splat(2.0));
    let at = if below.y + size.y < room.bottom() { below } else { above };
    let most = (room.max - size).max(room.min);
    let at = Pos2::new(at.x.clamp(room.left(), most.x), at.y.clamp(room.top(), most.y));
    words_on_paper(painter, theme, at, galley, (pad, 0.92));
}

/// `+12.0`, `−3.5`.
pub(super) fn signed(value: f64, decimals: usize) -> String {
    let words = fixed(value, decimals);
    if value > 0.0 { format!("+{words}") } else { words }
}

/// The head of an arrow that ends at `tip`.
pub(super) fn paint_head(painter: &Painter, along: ScreenVec2, tip: Pos2, color: Color32) {
    let side = along.rot90() * 5.0;
    let back = tip - along * 11.0;
    let head = vec![tip, back + side, back - side];
    painter.add(Shape::convex_polygon(head, color, Stroke::NONE));
}

// How near a mouse or a finger must come to a mark.

/// How near the pointer must be to pick something, in points.
const REACH: f32 = 12.0;
/// How near a finger must be.
const FINGER_REACH: f32 = touch::TARGET / 2.0;

/// How near what points must be to pick something, in points.
pub(in super::super) fn reach(ui: &Ui) -> f32 {
    if touch::is_at_work(ui.ctx()) { FINGER_REACH } else { REACH }
}

// A mark of a picture as a number for the keys.

/// Side of what has the focus, in points.
const SIDE: f32 = 24.0;

/// A number at a mark of the picture in `rect`, which the pointer passes by: whether it
/// has the focus, and what was done to it.
pub(super) fn number_of_mark(
    ui: &Ui,
    id: Id,
    (rect, at): (Rect, Pos2),
    scrub: &Scrub,
) -> (bool, Option<ScrubChange>) {
    let at = rect.shrink(SIDE / 2.0).clamp(at);
    let mark = Rect::from_center_size(at, ScreenVec2::splat(SIDE));
    let response = ui.interact(mark, id, Sense::focusable_noninteractive());
    scrub.describe(ui, &response, accesskit::Role::Slider);
    (response.has_focus(), scrub.asked(ui, &response))
}

/// A place of the screen from the picture's upper left corner, and its size.
pub(in super::super) fn in_picture(at: Pos2, rect: Rect) -> (Vec2, Vec2) {
    let at = at - rect.min;
    (Vec2::new(at.x, at.y), Vec2::new(rect.width(), rect.height()))
}
