//! Where a camera stands before a reader touches it, and the grid under it.

use eframe::egui::Vec2 as Size;
use glam::{Mat4, Vec2, Vec3};

use super::{clear, shown};
use crate::asset::bounds_of;
use crate::lesson::{Projection, Show, View, ViewportCell};
use crate::notebook::camera::{Camera, corners};
use crate::notebook::scene::Grid;
use crate::notebook::{Derived, Document, crowd_reach, digits, extent, rest_bounds, stored_bounds};
use crate::skin::Stage;
use crate::ui::PageContext;
use crate::ui::view::{CameraState, FramedFor};

/// A picture narrower than this, width over height, shows more from top to
/// bottom instead of cutting off left and right.
const ASPECT: f32 = 1.15;

/// Width over height of the picture before which a lesson is written.
const WIDE: f32 = 1.75;

/// From the middle to the edge, of a narrow picture of what is seen in that one.
const HELD_ACROSS: f32 = 0.92;

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

/// The camera of a viewport, framed if nobody has moved it. A legend covers this
/// much of the lower left corner.
pub(in crate::ui::cells) fn camera(
    cell: &ViewportCell,
    id: &str,
    page: &PageContext<'_>,
    size: Size,
    legend: Option<Size>,
) -> CameraState {
    let rig = &page.derived.rig;
    let framed_for = FramedFor {
        lesson: page.document.lesson.clone(),
        model: rest_bounds(rig),
        view: page.document.state.view.unwrap_or(cell.view),
        fixed: cell.target.zip(cell.height),
        crowd: page.document.state.crowd.count,
    };
    if let Some(state) = page.view.cameras.get(id)
        && state.held
        && state.framed_for == framed_for
    {
        return state.clone();
    }
    let framed = |aspect: f32| framed(cell, page, &framed_for, size, aspect);
    let camera = match legend {
        Some(legend) if !rig.flat => clear::of_legend(legend, size, &points(cell, page), framed),
        _ => framed(size.x / size.y.max(1.0)),
    };
    CameraState {
        camera,
        held: false,
        framed_for,
    }
}

/// The camera in a picture, or in a part of one, of this width over height.
fn framed(
    cell: &ViewportCell,
    page: &PageContext<'_>,
    framed_for: &FramedFor,
    size: Size,
    aspect: f32,
) -> Camera {
    let reach = crowd_reach(&page.derived.rig, framed_for.crowd);
    let (low, high) = bounds(cell, page);
    let mut camera = Camera::framing(
        (low - reach, high + reach),
        framed_for.view,
        cell.projection,
        aspect,
    );
    // From the side, a crowd on the ground is a line.
    let from_above = matches!(framed_for.view, View::Top | View::Bottom);
    if reach.z > 0.0 && !from_above {
        camera.pitch_rad = camera.pitch_rad.max(CROWD_PITCH_RAD);
    }
    if page.derived.crowd().is_some() {
        fit(&mut camera, aspect, CROWD_PART, &points(cell, page));
    } else if cell.projection == Projection::Perspective && rests_alone(cell, page) {
        fit(&mut camera, aspect, ONE_PART, &points(cell, page));
    }
    // The lesson's frame is for one; a crowd needs its own.
    let alone = reach == Vec3::ZERO;
    let free = cell.target.is_none() && cell.height.is_none();
    let outline = extent(page.document, &page.derived.rig).outline;
    if alone && free && matches!(page.derived.stage(), Stage::Posed | Stage::Blended) {
        camera.hold(&outline, aspect);
    }
    if let Some(target) = cell.target.filter(|_| alone) {
        camera.target = Vec3::from(target);
    }
    let flat = page.derived.rig.flat;
    if let Some(height) = cell.height.filter(|_| alone) {
        // Markers at the edge need the same room in a small picture.
        let room = size.y / (size.y - 2.0 * MARGIN).max(0.5 * size.y);
        camera.height = height * room;
        let narrow = camera.height * (ASPECT / aspect).max(1.0);
        if !flat {
            hold_what_is_seen_wide(&mut camera, aspect, &outline);
        }
        camera.height = camera.height.max(narrow);
    }
    if alone && flat && framed_for.view == View::Front {
        let node = super::shown(cell, page).contains(&Show::MeshNode);
        let node = node.then_some(page.derived.world_from_mesh_node);
        keep_in_view(&mut camera, page.derived, node, size);
    }
    camera
}

/// The outermost points of what is shown: of a crowd, of one model about where
/// it is at rest, or of the box around all that is framed.
fn points(cell: &ViewportCell, page: &PageContext<'_>) -> Vec<Vec3> {
    let corners = corners(bounds(cell, page));
    if let Some(crowd) = page.derived.crowd() {
        let placed = crowd.world_from_instance.iter();
        let placed = placed.flat_map(|placed| corners.map(|p| placed.transform_point3(p)));
        return placed.collect();
    }
    if rests_alone(cell, page) {
        let extent = extent(page.document, &page.derived.rig);
        return extent.outline.to_vec();
    }
    corners.to_vec()
}

/// What a picture is framed on: where vertices are shown in the rest pose, so
/// that the camera stands still while a reader poses, or all along the clip that
/// plays; for the stages before that, where these show them.
fn bounds(cell: &ViewportCell, page: &PageContext<'_>) -> (Vec3, Vec3) {
    let derived = page.derived;
    let stored = || stored_bounds(&derived.rig);
    match derived.stage() {
        // A crowd's room does not depend on the stage.
        _ if page.document.state.crowd.count > 1 => rest_bounds(&derived.rig),
        Stage::Bind => stored(),
        Stage::Joint => bounds_of(derived.positions()),
        Stage::Posed | Stage::Blended => {
            let shown = shown(cell, page);
            let ghost = shown.contains(&Show::Ghost).then(stored);
            let rest = shown.contains(&Show::RestGhost);
            let rest = rest.then(|| rest_bounds(&derived.rig));
            let now = extent(page.document, &derived.rig).bounds;
            let both = ghost.into_iter().chain(rest);
            both.fold(now, |(low, high), (ghost_low, ghost_high)| {
                (low.min(ghost_low), high.max(ghost_high))
            })
        }
    }
}

/// Is nothing to be seen but one model, about where it is at rest?
fn rests_alone(cell: &ViewportCell, page: &PageContext<'_>) -> bool {
    let placed = matches!(page.derived.stage(), Stage::Posed | Stage::Blended);
    let shown = shown(cell, page);
    let ghosts = [Show::Ghost, Show::RestGhost];
    placed && !ghosts.iter().any(|ghost| shown.contains(ghost))
}

/// Frames what is posed together with where it is at rest: the farther a pose
/// reaches, the farther back the camera stands, without a jump.
pub(in crate::ui::cells) fn keep_posed(
    camera: &mut Camera,
    view: View,
    size: Size,
    page: &PageContext<'_>,
    posed: &[&[Vec3]],
) {
    if !matches!(page.derived.stage(), Stage::Posed | Stage::Blended) {
        return;
    }
    let aspect = size.x / size.y.max(1.0);
    let posed = posed.iter().flat_map(|positions| {
        let every = positions.len().div_ceil(KEPT_IN_VIEW).max(1);
        positions.iter().step_by(every).copied()
    });
    let mut points: Vec<Vec3> = posed.filter(|point| point.is_finite()).collect();
    points.extend(extent(page.document, &page.derived.rig).outline.iter());
    *camera = Camera::framing(bounds_of(&points), view, camera.projection, aspect);
    if camera.projection == Projection::Perspective {
        fit(camera, aspect, ONE_PART, &points);
        camera.hold(&points, aspect);
    }
}

/// Moves and comes nearer until these points take this part of the picture: what
/// is near looks larger, and reaches further than a box says; and a crowd stands
/// in a circle, so that the corners of the box around it are empty.
fn fit(camera: &mut Camera, aspect: f32, part: f32, points: &[Vec3]) {
    // Nearer also means steeper; it settles at once.
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
fn hold_what_is_seen_wide(camera: &mut Camera, aspect: f32, outline: &[Vec3]) {
    let wide = camera.clip_from_world(WIDE);
    let is_seen = |point: &&Vec3| {
        let at = wide.project_point3(**point).truncate();
        at.abs().max_element() <= 1.0
    };
    let seen: Vec<Vec3> = outline.iter().filter(is_seen).copied().collect();
    // From farther away, less is in perspective; it settles at once.
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
fn keep_in_view(camera: &mut Camera, derived: &Derived, node: Option<Mat4>, size: Size) {
    let size = Vec2::new(size.x.max(1.0), size.y.max(1.0));
    let half = Vec2::new(camera.height * size.x / size.y, camera.height) * 0.5;
    let at = camera.target.truncate();
    let (mut low, mut high) = (at - half, at + half);
    // Joints with their axes, which are 1/9 of the picture long.
    let frames = derived.world_from_joint.iter().chain(&node);
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
    for point in points.map(glam::Vec3::truncate).filter(|p| p.is_finite()) {
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

/// Lines of the ground, or of the picture plane for a flat rig, at a spacing of
/// 1, 2 or 5 times a power of ten.
pub(super) fn grid(document: &Document, derived: &Derived, camera: &Camera) -> Grid {
    let (low, high) = extent(document, &derived.rig).bounds;
    let size = (high - low).max_element().max(f32::MIN_POSITIVE);
    let spacing = digits::round_up(f64::from(size) / 6.0) as f32;
    if derived.rig.flat {
        Grid {
            spacing,
            extent: camera.height * 3.0 + camera.target.length(),
            ground: false,
            at: low.z - size * 0.01,
        }
    } else {
        Grid {
            spacing,
            extent: size * 2.0
                + crowd_reach(&derived.rig, document.state.crowd.count).max_element(),
            ground: true,
            at: low.y,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;

    #[test]
    fn a_flat_figure_stays_in_view_whatever_is_dragged() {
        let rig = builtin("bone_grid").unwrap();
        let size = Size::new(600.0, 300.0);
        for angles_rad in [
            [0.0, 0.0, 0.0],
            [1.5, 1.5, 1.5],
            [3.1, 0.0, -2.0],
            [-1.0, 0.4, 0.0],
        ] {
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
                let at = camera.project(point, Vec2::new(size.x, size.y)).unwrap();
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
            fit(
                &mut camera,
                aspect,
                CROWD_PART,
                &placed.collect::<Vec<Vec3>>(),
            );
            let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
            for placed in &world_from_instance {
                for &point in &rig.mesh.positions {
                    let at = camera
                        .project(placed.transform_point3(point), size)
                        .unwrap();
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

    #[test]
    fn grid_lines_stand_at_round_distances() {
        let rig = builtin("bone_grid").unwrap();
        let document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let derived = Derived::new(&document, None, &rig, influences);
        let bounds = rig.mesh.bounds();
        let camera = Camera::framing(bounds, View::Front, Projection::Orthographic, 1.5);
        let grid = grid(&document, &derived, &camera);
        assert_eq!((grid.spacing, grid.ground), (2.0, false));
    }
}
