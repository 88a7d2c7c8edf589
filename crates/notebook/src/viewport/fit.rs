//! Moves that bring given points into a picture.

use glam::{Mat4, Vec2, Vec3};

use crate::Derived;
use crate::camera::Camera;

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
