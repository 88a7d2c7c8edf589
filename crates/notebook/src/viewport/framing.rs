//! Cameras of viewports before the reader moves them.

use std::sync::Arc;

use bindpose_gltf::bounds_of;
use bindpose_lesson::{Projection, Show, View};
use bindpose_skin::SkinStage;
use glam::{Mat4, Vec2, Vec3};

use super::ViewportFrame;
use super::legend_room::clear_of_legend;
use crate::Derived;
use crate::camera::{Camera, corners};
use crate::crowd::crowd_reach;
use crate::model_bounds::{Extent, extent, rest_bounds, stored_bounds};

/// Aspect ratio (width / height) below which a picture shows more vertically
/// instead of cutting off the sides.
const MIN_ASPECT: f32 = 1.15;

/// Margin around a picture with a camera from the lesson, in points.
const MARGIN_PTS: f32 = 6.0;

/// Minimum angle from above at which a crowd is seen.
const MIN_CROWD_PITCH_RAD: f32 = 0.5;

/// Fraction of the picture's width or height that a crowd fills.
const CROWD_FILL: f32 = 0.9;

/// Maximum number of vertices of a posed model that are kept in view.
const MAX_SAMPLED_VERTICES: usize = 4096;

/// Fraction that a single model fills, which leaves room for joint markers.
const MODEL_FILL: f32 = 0.86;

/// Fraction of the picture's width or height that the reach of a step fills.
const REACH_FILL: f32 = 0.88;

/// Maximum size of a flat model outside the reach of its step that is kept in view, relative
/// to the reach.
const MAX_FOLLOWED_SIZE: f32 = 3.0;

/// Computes the camera of a picture that the reader has not moved. `picture` is
/// its size, and `legend` the area covered in its lower left corner, both in
/// points.
pub fn framed_camera(frame: &ViewportFrame<'_>, picture: Vec2, legend: Option<Vec2>) -> Camera {
    if let Some(points) = reached_points(frame) {
        return reach_camera(frame, &points, picture, legend);
    }
    let subject = FramedSubject::new(frame);
    let flat = frame.derived.rig.flat;
    let Some(legend) = legend else {
        return subject.camera(picture, aspect_of(picture));
    };
    // A flat model stays in place however it is bent, so its outline at rest counts.
    let outline = if flat { &*subject.outline } else { &subject.points };
    clear_of_legend(legend, picture, outline, |room| {
        // A flat model is framed with its markers, whose size does not depend
        // on the room.
        subject.camera(if flat { room } else { picture }, aspect_of(room))
    })
}

/// Returns the outermost points of all that the step can show. Returns `None` if the lesson has
/// set the camera of the picture itself, for crowds, and if the reader has
/// chosen a stage or a clip that the step does not lead to.
fn reached_points(frame: &ViewportFrame<'_>) -> Option<Vec<Vec3>> {
    let reach = frame.reach.filter(|reach| reach.covers(frame.document))?;
    let has_free_camera = frame.cell.target.is_none() && frame.cell.height.is_none();
    let is_single = frame.document.state.crowd.count <= 1;
    let points = reach.points(|layer| frame.shows(layer));
    (has_free_camera && is_single && !points.is_empty()).then_some(points)
}

/// Frames the reach of a step. The camera is the same while the reader works, unless a flat
/// model leaves the reach.
fn reach_camera(
    frame: &ViewportFrame<'_>,
    points: &[Vec3],
    picture: Vec2,
    legend: Option<Vec2>,
) -> Camera {
    let mut points = points.to_vec();
    if frame.derived.rig.flat {
        let bounds = bounds_of(&points);
        let middle = (bounds.0 + bounds.1) * 0.5;
        let half = (bounds.1 - bounds.0) * (0.5 * MAX_FOLLOWED_SIZE);
        let joints = frame.derived.joints.world_from_joint.iter().map(|it| it.w_axis.truncate());
        let current = frame.derived.positions().iter().copied().chain(joints);
        let followed: Vec<Vec3> = current
            .filter(|point| point.is_finite())
            .map(|point| point.clamp(middle - half, middle + half))
            .collect();
        points.extend(followed);
    }
    let framed = |room: Vec2| {
        let aspect = aspect_of(room);
        let projection = frame.cell.projection;
        let mut camera = Camera::framing(bounds_of(&points), frame.view, projection, aspect);
        fit_points(&mut camera, aspect, REACH_FILL, &points);
        camera
    };
    let Some(legend) = legend else {
        return framed(picture);
    };
    let figure = frame.reach.map(|reach| reach.figure_points(|layer| frame.shows(layer)));
    clear_of_legend(legend, picture, &figure.unwrap_or_default(), framed)
}

/// Returns the aspect ratio (width / height) of all that the step can show, as the picture looks
/// at it. Returns `None` if the lesson has set the camera itself.
pub fn content_aspect(frame: &ViewportFrame<'_>) -> Option<f32> {
    let points = reached_points(frame)?;
    let flat = Projection::Orthographic;
    let view_from_world =
        Camera::framing(bounds_of(&points), frame.view, flat, 1.0).view_from_world();
    let seen: Vec<Vec3> =
        points.iter().map(|&point| view_from_world.transform_point3(point)).collect();
    let (low, high) = bounds_of(&seen);
    let size = high - low;
    (size.x > 0.0 && size.y > 0.0).then(|| size.x / size.y)
}

/// Fractions of a picture's width and height that its contents fill, from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PictureFill {
    /// Box of all that the step can show.
    pub reach: Vec2,
    /// Box of the model as the step opens.
    pub figure: Vec2,
    /// Whether the lesson has set the camera itself, for a part of the model.
    pub is_close_up: bool,
}

impl PictureFill {
    /// Measures a picture with this camera and size. Returns `None` outside a lesson and for
    /// crowds.
    pub fn measure(frame: &ViewportFrame<'_>, camera: &Camera, picture: Vec2) -> Option<Self> {
        let reach = frame.reach.filter(|_| frame.document.state.crowd.count <= 1)?;
        let shows = |layer| frame.shows(layer);
        Some(Self {
            reach: filled_part(camera, picture, &reach.points(shows))?,
            figure: filled_part(camera, picture, &reach.figure_points(shows))?,
            is_close_up: frame.cell.target.is_some() || frame.cell.height.is_some(),
        })
    }
}

/// Returns the fractions of the picture that the box of these points fills. Returns `None` if no
/// point is in front of the camera.
fn filled_part(camera: &Camera, picture: Vec2, points: &[Vec3]) -> Option<Vec2> {
    let mut low = Vec2::INFINITY;
    let mut high = Vec2::NEG_INFINITY;
    for at in points.iter().filter_map(|&point| camera.project(point, picture)) {
        low = low.min(at);
        high = high.max(at);
    }
    let seen = high.clamp(Vec2::ZERO, picture) - low.clamp(Vec2::ZERO, picture);
    low.is_finite().then(|| (seen / picture.max(Vec2::ONE)).max(Vec2::ZERO))
}

/// Frames poses together with the rest pose, or with the reach of the step: the farther a pose
/// reaches, the farther back the camera moves, continuously. `picture` is the size in
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
    let mut points: Vec<Vec3> = Vec::new();
    for derived in posed {
        let count = derived.rig.mesh.positions.len();
        // Sample large models instead of computing all their vertices.
        let every = count.div_ceil(MAX_SAMPLED_VERTICES).max(1);
        let positions = (0..count).step_by(every).filter_map(|vertex| derived.position(vertex));
        points.extend(positions.filter(|point| point.is_finite()));
    }
    if let Some(reached) = reached_points(frame) {
        points.extend(reached);
        fit_points(camera, aspect, REACH_FILL, &points);
        return;
    }
    points.extend(extent(frame.document, &frame.derived.rig).outline.iter());
    *camera = Camera::framing(bounds_of(&points), frame.view, camera.projection, aspect);
    if camera.projection == Projection::Perspective {
        fit_points(camera, aspect, MODEL_FILL, &points);
        camera.hold(&points, aspect);
    }
}

/// Aspect ratio, width / height.
fn aspect_of(picture: Vec2) -> f32 {
    picture.x / picture.y.max(1.0)
}

/// Returns true if vertices are shown in world space, moved by their joints.
fn is_in_world(frame: &ViewportFrame<'_>) -> bool {
    matches!(frame.derived.stage(), SkinStage::Posed | SkinStage::Blended)
}

/// The part of the scene to be framed, in world space.
struct FramedSubject<'a> {
    frame: &'a ViewportFrame<'a>,
    bounds: (Vec3, Vec3),
    /// Additional reach of a crowd along each axis. Zero for a single instance.
    reach: Vec3,
    /// Whether only one model near its rest pose is visible.
    rests_alone: bool,
    /// Outermost vertices of the rest pose, or of all poses of the playing
    /// clip.
    outline: Arc<[Vec3]>,
    /// Outermost points of the visible parts: of a crowd, of a single model
    /// near its rest pose, or of the bounding box.
    points: Vec<Vec3>,
}

impl<'a> FramedSubject<'a> {
    fn new(frame: &'a ViewportFrame<'a>) -> Self {
        let rig = &frame.derived.rig;
        let extent = extent(frame.document, rig);
        let bounds = framed_bounds(frame, &extent);
        let ghosts = frame.shows(Show::Ghost) || frame.shows(Show::RestGhost);
        let rests_alone = is_in_world(frame) && !ghosts;
        let corners = corners(bounds);
        let mut points: Vec<Vec3> = Vec::new();
        if let Some(crowd) = frame.derived.crowd() {
            for world_from_instance in &crowd.world_from_instance {
                points.extend(corners.map(|corner| world_from_instance.transform_point3(corner)));
            }
        } else if rests_alone {
            points.extend(extent.outline.iter());
        } else {
            points.extend(corners);
        }
        Self {
            frame,
            bounds,
            reach: crowd_reach(rig, frame.document.state.crowd.count),
            rests_alone,
            outline: extent.outline,
            points,
        }
    }

    /// Computes the camera for a picture, or a part of one, of this aspect ratio.
    fn camera(&self, picture: Vec2, aspect: f32) -> Camera {
        let frame = self.frame;
        let cell = frame.cell;
        let derived = frame.derived;
        let (low, high) = self.bounds;
        let mut camera = Camera::framing(
            (low - self.reach, high + self.reach),
            frame.view,
            cell.projection,
            aspect,
        );
        // Seen from the side, a crowd on the ground would be a line.
        let from_above = matches!(frame.view, View::Top | View::Bottom);
        if self.reach.z > 0.0 && !from_above {
            camera.pitch_rad = camera.pitch_rad.max(MIN_CROWD_PITCH_RAD);
        }
        if derived.crowd().is_some() {
            fit_points(&mut camera, aspect, CROWD_FILL, &self.points);
        } else if cell.projection == Projection::Perspective && self.rests_alone {
            fit_points(&mut camera, aspect, MODEL_FILL, &self.points);
        }
        // The lesson's camera is for a single model. A crowd needs its own.
        let is_single = self.reach == Vec3::ZERO;
        let has_free_camera = cell.target.is_none() && cell.height.is_none();
        if is_single && has_free_camera && is_in_world(frame) {
            camera.hold(&self.outline, aspect);
        }
        if let Some(target) = cell.target.filter(|_| is_single) {
            camera.target = Vec3::from(target);
        }
        let flat = derived.rig.flat;
        if let Some(height) = cell.height.filter(|_| is_single) {
            // Markers at the edge need the same margin in a small picture.
            let room = picture.y / (picture.y - 2.0 * MARGIN_PTS).max(0.5 * picture.y);
            camera.height = height.0 * room;
            let narrow = camera.height * (MIN_ASPECT / aspect).max(1.0);
            if !flat {
                hold_wide_content(&mut camera, aspect, &self.outline);
            }
            camera.height = camera.height.max(narrow);
        }
        if is_single && flat && frame.view == View::Front {
            let node = frame.shows(Show::MeshNode).then_some(derived.world_from_mesh_node);
            keep_in_view(&mut camera, derived, node, picture);
        }
        camera
    }
}

/// Bounds that a picture frames. In the rest pose, or for all poses of the
/// playing clip, so that the camera does not move while the reader poses. At
/// earlier stages, the bounds of the vertices as shown.
fn framed_bounds(frame: &ViewportFrame<'_>, extent: &Extent) -> (Vec3, Vec3) {
    let derived = frame.derived;
    match derived.stage() {
        // The camera of a crowd does not depend on the stage.
        _ if frame.document.state.crowd.count > 1 => rest_bounds(&derived.rig),
        SkinStage::Bind => stored_bounds(&derived.rig),
        SkinStage::Joint => derived.shown_bounds(),
        SkinStage::Posed | SkinStage::Blended => {
            let (mut low, mut high) = extent.bounds;
            if frame.shows(Show::Ghost) {
                let (ghost_low, ghost_high) = stored_bounds(&derived.rig);
                low = low.min(ghost_low);
                high = high.max(ghost_high);
            }
            if frame.shows(Show::RestGhost) {
                let (rest_low, rest_high) = rest_bounds(&derived.rig);
                low = low.min(rest_low);
                high = high.max(rest_high);
            }
            (low, high)
        }
    }
}

// Camera moves that bring given points into a picture.

/// Aspect ratio (width / height) that lessons are written for.
const AUTHORED_ASPECT: f32 = 1.75;

/// Fraction of the half-width of a narrow picture that the content of the wide
/// one may fill.
const WIDE_CONTENT_FILL: f32 = 0.92;

/// Moves and zooms the camera until the points fill this fraction of the
/// picture. Bounding boxes do not suffice, because near parts look larger, and
/// because the corners of the box around a circular crowd are empty.
pub(super) fn fit_points(camera: &mut Camera, aspect: f32, part: f32, points: &[Vec3]) {
    // Zooming in changes the perspective, but three iterations are accurate
    // enough.
    for _ in 0..3 {
        let clip_from_world = camera.clip_from_world(aspect);
        let mut least = Vec2::INFINITY;
        let mut most = Vec2::NEG_INFINITY;
        for &point in points {
            let at = clip_from_world.project_point3(point).truncate();
            least = least.min(at);
            most = most.max(at);
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

/// Zooms out until a narrow picture shows all parts of the model that are
/// visible at the same height in a wide one, which lessons are written for.
pub(super) fn hold_wide_content(camera: &mut Camera, aspect: f32, outline: &[Vec3]) {
    let wide = camera.clip_from_world(AUTHORED_ASPECT);
    let seen: Vec<Vec3> = outline
        .iter()
        .filter(|point| wide.project_point3(**point).truncate().abs().max_element() <= 1.0)
        .copied()
        .collect();
    // Zooming out changes the perspective, but three iterations are accurate
    // enough.
    for _ in 0..3 {
        let clip_from_world = camera.clip_from_world(aspect);
        let across = seen
            .iter()
            .map(|&point| clip_from_world.project_point3(point).x.abs())
            .fold(0.0, f32::max);
        if !(across > WIDE_CONTENT_FILL && across.is_finite()) {
            return;
        }
        camera.zoom(across / WIDE_CONTENT_FILL);
    }
}

/// Zooms out and moves the picture as far as a flat model that has left it
/// needs, including room for markers and labels, up to three times the height.
/// The reader may drag it anywhere and still see all of it.
pub(super) fn keep_in_view(camera: &mut Camera, derived: &Derived, node: Option<Mat4>, size: Vec2) {
    let size = size.max(Vec2::ONE);
    let half = Vec2::new(camera.height * size.x / size.y, camera.height) * 0.5;
    let at = camera.target.truncate();
    let mut low = at - half;
    let mut high = at + half;
    // Joints with their axes, which are 1/9 of the picture height long.
    let frames = derived.joints.world_from_joint.iter().chain(&node);
    let joints = frames.flat_map(|frame| {
        [frame.x_axis, frame.y_axis].map(|axis| {
            let along = axis.truncate().normalize_or_zero();
            frame.w_axis.truncate() + along * (camera.height / 9.0)
        })
    });
    let points = derived.positions().iter().copied().chain(joints);
    // Room at the edges in points, as a fraction of the picture.
    let room = (Vec2::new(30.0, 20.0) / size).min(Vec2::splat(0.15));
    let mut least = Vec2::INFINITY;
    let mut most = Vec2::NEG_INFINITY;
    for point in points.map(Vec3::truncate).filter(|p| p.is_finite()) {
        least = least.min(point);
        most = most.max(point);
    }
    if least.x > most.x {
        return;
    }
    let room = (most - least) * room / (Vec2::ONE - 2.0 * room);
    low = low.min(least - room).max(at - 3.0 * half);
    high = high.max(most + room).min(at + 3.0 * half);
    camera.target = ((low + high) * 0.5).extend(camera.target.z);
    let across = high - low;
    camera.height = across.y.max(across.x * size.y / size.x);
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Projection, View};
    use bindpose_rigs::builtin;

    use super::*;
    use crate::camera::corners;
    use crate::{Document, model_bounds::extent};

    #[test]
    fn flat_model_stays_in_view() {
        let rig = builtin("bone_grid").unwrap();
        let size = Vec2::new(600.0, 300.0);
        for angles_rad in [[0.0, 0.0, 0.0], [1.5, 1.5, 1.5], [3.1, 0.0, -2.0], [-1.0, 0.4, 0.0]] {
            let mut document = Document::default();
            for (joint, angle_rad) in angles_rad.into_iter().enumerate() {
                document.state.params.insert(format!("b{joint}"), angle_rad);
            }
            let derived = Derived::of_document(&document, None, &rig);
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
    fn crowd_fills_the_picture() {
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
            fit_points(&mut camera, aspect, 0.9, &placed.collect::<Vec<Vec3>>());
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
    fn narrow_picture_holds_content_of_wide_one() {
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
        hold_wide_content(&mut camera, size.x / size.y, &outline);
        // The rings stay in the ball around them at any angle.
        for point in &gimbal.mesh.positions {
            let at = camera.project(*point, size).unwrap();
            assert!(at.x > 4.0 && at.x < 396.0, "{at}");
        }
        let mut wide = of_lesson(3.7);
        hold_wide_content(&mut wide, 1.9, &outline);
        assert_eq!(wide, of_lesson(3.7));
        let mut close = of_lesson(0.3);
        hold_wide_content(&mut close, 1.0, &outline);
        assert_eq!(close, of_lesson(0.3));
    }
}
