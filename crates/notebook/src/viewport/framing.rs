//! Where a camera stands before a reader touches it.

use std::sync::Arc;

use bindpose_asset::bounds_of;
use bindpose_lesson::{Projection, Show, View};
use bindpose_skin::SkinStage;
use glam::{Mat4, Vec2, Vec3};

use super::ViewportFrame;
use super::legend_room::clear_of_legend;
use crate::Derived;
use crate::camera::{Camera, corners};
use crate::crowd::crowd_reach;
use crate::model_bounds::{Extent, extent, rest_bounds, stored_bounds};

/// A picture narrower than this, width over height, shows more from top to
/// bottom instead of cutting off left and right.
const ASPECT: f32 = 1.15;

/// Around a picture whose camera the lesson gives, in points.
const MARGIN: f32 = 6.0;

/// A crowd is seen from this far above, at least.
const CROWD_PITCH_RAD: f32 = 0.5;

/// Part of the picture's width or height that a crowd takes.
const CROWD_PART: f32 = 0.9;

/// Vertices of a posed model that are looked at, at most.
const KEPT_IN_VIEW: usize = 4096;

/// Part that one model takes, with room for the marks of its joints.
const ONE_PART: f32 = 0.86;

/// The camera of a picture of this size that the reader has not moved. A legend covers
/// this much of the lower left corner. Both in points.
pub fn framed_camera(frame: &ViewportFrame<'_>, picture: Vec2, legend: Option<Vec2>) -> Camera {
    let subject = FramedSubject::new(frame);
    let flat = frame.derived.rig.flat;
    // What is flat is kept in view with its marks, which are as large in any room.
    let framed = |room: Vec2| subject.framed(if flat { room } else { picture }, aspect_of(room));
    // A drawing is in one place however it is bent: its outline at rest decides.
    let outline = if flat { &*subject.outline } else { &subject.points };
    match legend {
        Some(legend) => clear_of_legend(legend, picture, outline, framed),
        None => framed(picture),
    }
}

/// Frames what is posed together with where it is at rest: the farther a pose
/// reaches, the farther back the camera stands, without a jump. `picture` is in
/// points.
pub fn hold_poses(
    camera: &mut Camera,
    frame: &ViewportFrame<'_>,
    picture: Vec2,
    posed: &[&Derived],
) {
    if !is_in_world(frame) {
        return;
    }
    let aspect = aspect_of(picture);
    let posed = posed.iter().flat_map(|derived| {
        let vertices = 0..derived.rig.mesh.positions.len();
        let every = vertices.len().div_ceil(KEPT_IN_VIEW).max(1);
        // Of a large model some are asked for, not all worked out.
        let vertices = vertices.step_by(every);
        vertices.filter_map(|vertex| derived.position(vertex))
    });
    let mut points: Vec<Vec3> = posed.filter(|point| point.is_finite()).collect();
    points.extend(extent(frame.document, &frame.derived.rig).outline.iter());
    *camera = Camera::framing(bounds_of(&points), frame.view, camera.projection, aspect);
    if camera.projection == Projection::Perspective {
        fit(camera, aspect, ONE_PART, &points);
        camera.hold(&points, aspect);
    }
}

/// Width over height.
fn aspect_of(picture: Vec2) -> f32 {
    picture.x / picture.y.max(1.0)
}

/// Do vertices stand where their joints have carried them?
fn is_in_world(frame: &ViewportFrame<'_>) -> bool {
    matches!(frame.derived.stage(), SkinStage::Posed | SkinStage::Blended)
}

/// What is framed, in world space.
struct FramedSubject<'a> {
    frame: &'a ViewportFrame<'a>,
    bounds: (Vec3, Vec3),
    /// How far a crowd reaches beyond it to every side; zero for one alone.
    reach: Vec3,
    /// Is nothing to be seen but one model, about where it is at rest?
    rests_alone: bool,
    /// Its outermost vertices there, or all along the clip that plays.
    outline: Arc<[Vec3]>,
    /// The outermost points of what is shown: of a crowd, of one model about
    /// where it is at rest, or of the box around all that is framed.
    points: Vec<Vec3>,
}

impl<'a> FramedSubject<'a> {
    fn new(frame: &'a ViewportFrame<'a>) -> Self {
        let rig = &frame.derived.rig;
        let extent = extent(frame.document, rig);
        let bounds = bounds(frame, &extent);
        let ghosts = frame.shows(Show::Ghost) || frame.shows(Show::RestGhost);
        let rests_alone = is_in_world(frame) && !ghosts;
        let corners = corners(bounds);
        let points = if let Some(crowd) = frame.derived.crowd() {
            let placed = crowd.world_from_instance.iter();
            let placed = placed.flat_map(|placed| corners.map(|p| placed.transform_point3(p)));
            placed.collect()
        } else if rests_alone {
            extent.outline.to_vec()
        } else {
            corners.to_vec()
        };
        Self {
            frame,
            bounds,
            reach: crowd_reach(rig, frame.document.state.crowd.count),
            rests_alone,
            outline: extent.outline,
            points,
        }
    }

    /// The camera in a picture, or in a part of one, of this width over height.
    fn framed(&self, picture: Vec2, aspect: f32) -> Camera {
        let (frame, cell, derived) = (self.frame, self.frame.cell, self.frame.derived);
        let (low, high) = self.bounds;
        let mut camera = Camera::framing(
            (low - self.reach, high + self.reach),
            frame.view,
            cell.projection,
            aspect,
        );
        // From the side, a crowd on the ground is a line.
        let from_above = matches!(frame.view, View::Top | View::Bottom);
        if self.reach.z > 0.0 && !from_above {
            camera.pitch_rad = camera.pitch_rad.max(CROWD_PITCH_RAD);
        }
        if derived.crowd().is_some() {
            fit(&mut camera, aspect, CROWD_PART, &self.points);
        } else if cell.projection == Projection::Perspective && self.rests_alone {
            fit(&mut camera, aspect, ONE_PART, &self.points);
        }
        // The lesson's frame is for one; a crowd needs its own.
        let alone = self.reach == Vec3::ZERO;
        let free = cell.target.is_none() && cell.height.is_none();
        if alone && free && is_in_world(frame) {
            camera.hold(&self.outline, aspect);
        }
        if let Some(target) = cell.target.filter(|_| alone) {
            camera.target = Vec3::from(target);
        }
        let flat = derived.rig.flat;
        if let Some(height) = cell.height.filter(|_| alone) {
            // Markers at the edge need the same room in a small picture.
            let room = picture.y / (picture.y - 2.0 * MARGIN).max(0.5 * picture.y);
            camera.height = height * room;
            let narrow = camera.height * (ASPECT / aspect).max(1.0);
            if !flat {
                hold_what_is_seen_wide(&mut camera, aspect, &self.outline);
            }
            camera.height = camera.height.max(narrow);
        }
        if alone && flat && frame.view == View::Front {
            let node = frame.shows(Show::MeshNode);
            let node = node.then_some(derived.world_from_mesh_node);
            keep_in_view(&mut camera, derived, node, picture);
        }
        camera
    }
}

/// What a picture is framed on: where vertices are shown in the rest pose, so
/// that the camera stands still while a reader poses, or all along the clip that
/// plays; for the stages before that, where these show them.
fn bounds(frame: &ViewportFrame<'_>, extent: &Extent) -> (Vec3, Vec3) {
    let derived = frame.derived;
    let stored = || stored_bounds(&derived.rig);
    match derived.stage() {
        // A crowd's room does not depend on the stage.
        _ if frame.document.state.crowd.count > 1 => rest_bounds(&derived.rig),
        SkinStage::Bind => stored(),
        SkinStage::Joint => derived.shown_bounds(),
        SkinStage::Posed | SkinStage::Blended => {
            let ghost = frame.shows(Show::Ghost).then(stored);
            let rest = frame.shows(Show::RestGhost);
            let rest = rest.then(|| rest_bounds(&derived.rig));
            let both = ghost.into_iter().chain(rest);
            both.fold(extent.bounds, |(low, high), (ghost_low, ghost_high)| {
                (low.min(ghost_low), high.max(ghost_high))
            })
        }
    }
}

// Moves that bring given points into a picture.

/// Width over height of the picture before which a lesson is written.
const WIDE: f32 = 1.75;

/// From the middle to the edge, of a narrow picture of what is seen in that one.
const HELD_ACROSS: f32 = 0.92;

/// Moves and comes nearer until these points take this part of the picture: what
/// is near looks larger, and reaches further than a box says; and a crowd stands
/// in a circle, so that the corners of the box around it are empty.
pub(super) fn fit(camera: &mut Camera, aspect: f32, part: f32, points: &[Vec3]) {
    // Nearer also means steeper: three rounds come close enough.
    for _ in 0..3 {
        let clip_from_world = camera.clip_from_world(aspect);
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for &point in points {
            let at = clip_from_world.project_point3(point).truncate();
            (least, most) = (least.min(at), most.max(at));
        }
        let half = ((most - least) * 0.5).max_element();
        if !(half.is_finite() && half > 0.0) {
            return;
        }
        let middle = (least + most) * 0.5;
        camera.pan(Vec2::new(-middle.x * aspect, middle.y) * 0.5);
        camera.zoom(half / part);
    }
}

/// Steps back until a narrow picture holds all that is seen of the model in a
/// wide one of the same height, which is what the lesson was written before.
pub(super) fn hold_what_is_seen_wide(camera: &mut Camera, aspect: f32, outline: &[Vec3]) {
    let wide = camera.clip_from_world(WIDE);
    let is_seen = |point: &&Vec3| {
        let at = wide.project_point3(**point).truncate();
        at.abs().max_element() <= 1.0
    };
    let seen: Vec<Vec3> = outline.iter().filter(is_seen).copied().collect();
    // From farther away, less is in perspective: three rounds come close enough.
    for _ in 0..3 {
        let clip_from_world = camera.clip_from_world(aspect);
        let across = seen
            .iter()
            .map(|&point| clip_from_world.project_point3(point).x.abs())
            .fold(0.0, f32::max);
        if !(across > HELD_ACROSS && across.is_finite()) {
            return;
        }
        camera.zoom(across / HELD_ACROSS);
    }
}

/// Widens and moves the picture as far as a flat figure needs that has left it,
/// with room for the marks and words around it, up to three times the height.
/// A drawing shows all of itself, whatever a reader drags.
pub(super) fn keep_in_view(camera: &mut Camera, derived: &Derived, node: Option<Mat4>, size: Vec2) {
    let size = size.max(Vec2::ONE);
    let half = Vec2::new(camera.height * size.x / size.y, camera.height) * 0.5;
    let at = camera.target.truncate();
    let (mut low, mut high) = (at - half, at + half);
    // Joints with their axes, which are 1/9 of the picture long.
    let frames = derived.joints.world_from_joint.iter().chain(&node);
    let joints = frames.flat_map(|frame| {
        [frame.x_axis, frame.y_axis].map(|axis| {
            let along = axis.truncate().normalize_or_zero();
            frame.w_axis.truncate() + along * (camera.height / 9.0)
        })
    });
    let points = derived.positions().iter().copied().chain(joints);
    // Room at the edges in points, as a part of the picture.
    let room = (Vec2::new(30.0, 20.0) / size).min(Vec2::splat(0.15));
    let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    for point in points.map(Vec3::truncate).filter(|p| p.is_finite()) {
        (least, most) = (least.min(point), most.max(point));
    }
    if least.x > most.x {
        return;
    }
    let room = (most - least) * room / (Vec2::ONE - 2.0 * room);
    (low, high) = (low.min(least - room), high.max(most + room));
    let (low, high) = (low.max(at - 3.0 * half), high.min(at + 3.0 * half));
    camera.target = ((low + high) * 0.5).extend(camera.target.z);
    let across = high - low;
    camera.height = across.y.max(across.x * size.y / size.x);
}

#[cfg(test)]
mod tests {
    use bindpose_asset::builtin;
    use bindpose_lesson::{Projection, View};

    use super::*;
    use crate::camera::corners;
    use crate::{Document, model_bounds::extent};

    #[test]
    fn a_flat_figure_stays_in_view_whatever_is_dragged() {
        let rig = builtin("bone_grid").unwrap();
        let size = Vec2::new(600.0, 300.0);
        for angles_rad in [[0.0, 0.0, 0.0], [1.5, 1.5, 1.5], [3.1, 0.0, -2.0], [-1.0, 0.4, 0.0]] {
            let mut document = Document::default();
            for (joint, angle_rad) in angles_rad.into_iter().enumerate() {
                document.state.params.insert(format!("b{joint}"), angle_rad);
            }
            let influences = Derived::edited_influences(&document, &rig);
            let derived = Derived::new(&document, None, &rig, influences);
            let mut camera = Camera {
                target: Vec3::new(4.0, 0.0, 0.0),
                yaw_rad: 0.0,
                pitch_rad: 0.0,
                height: 8.0,
                projection: Projection::Orthographic,
            };
            keep_in_view(&mut camera, &derived, None, size);
            for &point in derived.positions().iter() {
                let at = camera.project(point, size).unwrap();
                let inside = at.x > 10.0 && at.x < 590.0 && at.y > 10.0 && at.y < 290.0;
                assert!(inside, "{angles_rad:?}: {point} at {at}");
            }
        }
    }

    #[test]
    fn a_crowd_fills_the_picture_and_no_more() {
        let rig = builtin("whale").unwrap();
        let bounds = rig.mesh.bounds();
        let world_from_instance: Vec<Mat4> = (0..100)
            .map(|index| Vec2::from_angle(index as f32 * 2.4) * (index as f32).sqrt())
            .map(|at| Mat4::from_translation(Vec3::new(at.x, 0.0, 3.0 * at.y)))
            .collect();
        let size = Vec2::new(580.0, 500.0);
        for projection in [Projection::Perspective, Projection::Orthographic] {
            let aspect = size.x / size.y;
            let mut camera = Camera::framing(bounds, View::ThreeQuarter, projection, aspect);
            let placed = world_from_instance.iter();
            let corners = corners(bounds);
            let placed = placed.flat_map(|placed| corners.map(|p| placed.transform_point3(p)));
            fit(&mut camera, aspect, 0.9, &placed.collect::<Vec<Vec3>>());
            let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            for placed in &world_from_instance {
                for &point in &rig.mesh.positions {
                    let at = camera.project(placed.transform_point3(point), size).unwrap();
                    (least, most) = (least.min(at), most.max(at));
                }
            }
            assert!(least.min_element() > 0.0 && most.cmplt(size).all());
            let part = (most - least) / size;
            assert!(part.max_element() > 0.75, "{part}");
        }
    }

    #[test]
    fn a_narrow_picture_holds_what_a_wide_one_shows_and_a_close_look_stays_close() {
        let gimbal = builtin("gimbal").unwrap();
        let outline = extent(&Document::default(), &gimbal).outline;
        let of_lesson = |height: f32| {
            let mut camera = Camera {
                target: Vec3::ZERO,
                yaw_rad: 0.0,
                pitch_rad: 0.0,
                height,
                projection: Projection::Orthographic,
            };
            camera.look_from(View::ThreeQuarter);
            camera
        };
        let size = Vec2::new(400.0, 380.0);
        let mut camera = of_lesson(3.7);
        hold_what_is_seen_wide(&mut camera, size.x / size.y, &outline);
        // The rings, however they are turned, stay in the ball around them.
        for point in &gimbal.mesh.positions {
            let at = camera.project(*point, size).unwrap();
            assert!(at.x > 4.0 && at.x < 396.0, "{at}");
        }
        let mut wide = of_lesson(3.7);
        hold_what_is_seen_wide(&mut wide, 1.9, &outline);
        assert_eq!(wide, of_lesson(3.7));
        let mut close = of_lesson(0.3);
        hold_what_is_seen_wide(&mut close, 1.0, &outline);
        assert_eq!(close, of_lesson(0.3));
    }
}
