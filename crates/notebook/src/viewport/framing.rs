//! Where a camera stands before a reader touches it.

use std::sync::Arc;

use bindpose_asset::bounds_of;
use bindpose_lesson::{Projection, Show, View};
use bindpose_skin::SkinStage;
use glam::{Vec2, Vec3};

use super::ViewportFrame;
use super::fit::{fit, hold_what_is_seen_wide, keep_in_view};
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
