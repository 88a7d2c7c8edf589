//! Keeps a model clear of the legend in the picture's lower left corner.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::camera::Camera;

/// Part of the picture's width or height that the model keeps, at least: a
/// legend that leaves less is put up with.
const LEAST_PART: f32 = 0.45;
/// How much larger the model must be beside the legend than above it to go
/// there: above, it keeps the middle of the picture.
const PUSHED_ASIDE: f32 = 1.5;

/// The camera that `framed` gives for a picture of a size, in points; but where
/// the legend covers a part of the model, `points`, that otherwise is whole in
/// the picture, the model is framed in the room above the legend, or in that
/// beside it if it is much larger there.
pub(super) fn clear_of_legend(
    legend: Vec2,
    picture: Vec2,
    points: &[Vec3],
    framed: impl Fn(Vec2) -> Camera,
) -> Camera {
    let whole = framed(picture);
    if !is_covered(&whole, picture, points, legend) {
        return whole;
    }
    let per_point = |camera: &Camera, room: Vec2| camera.height / room.y.max(1.0);
    // The room, and how far its middle is from the picture's, in points.
    let above = (Vec2::new(picture.x, picture.y - legend.y), Vec2::new(0.0, -legend.y));
    let beside = (Vec2::new(picture.x - legend.x, picture.y), Vec2::new(legend.x, 0.0));
    let within = |(room, off): (Vec2, Vec2)| {
        let enough = (room / picture).min_element() >= LEAST_PART;
        enough.then(|| {
            let mut camera = framed(room);
            camera.height = per_point(&camera, room) * picture.y;
            camera.pan(off * 0.5 / picture.y);
            camera
        })
    };
    match (within(above), within(beside)) {
        (Some(above), Some(beside)) if above.height > PUSHED_ASIDE * beside.height => beside,
        (Some(above), _) => above,
        (None, beside) => beside.unwrap_or(whole),
    }
}

/// Is all of the model in the picture, and a part of it under the legend?
fn is_covered(camera: &Camera, picture: Vec2, points: &[Vec3], legend: Vec2) -> bool {
    let placed = points.iter().map(|&point| camera.project(point, picture));
    let inside = |at: &Vec2| at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all();
    let Some(placed) = placed.map(|at| at.filter(inside)).collect::<Option<Vec<Vec2>>>() else {
        return false;
    };
    let corner = Vec2::new(legend.x, picture.y - legend.y);
    placed.iter().any(|at| at.x < corner.x && at.y > corner.y) || surround(&placed, corner)
}

/// Does the place lie within the outline of the others? It does unless they all
/// are on one side of it.
fn surround(others: &[Vec2], place: Vec2) -> bool {
    let mut angles: Vec<f32> = others.iter().map(|at| (*at - place).to_angle()).collect();
    angles.sort_by(f32::total_cmp);
    let (Some(first), Some(last)) = (angles.first(), angles.last()) else {
        return false;
    };
    let around = first + 2.0 * PI - last;
    let between = angles.windows(2).map(|pair| pair[1] - pair[0]);
    between.fold(around, f32::max) < PI
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::{Projection, View};

    use super::*;
    use crate::camera::corners;

    /// Corners of a box, and a camera on it.
    fn framed(high: Vec3, aspect: f32) -> (Vec<Vec3>, Camera) {
        let projection = Projection::Orthographic;
        let camera = Camera::framing((-high, high), View::Front, projection, aspect);
        (corners((-high, high)).to_vec(), camera)
    }

    #[test]
    fn a_model_stands_above_the_legend_or_beside_it_and_never_under_it() {
        let legend = Vec2::new(150.0, 60.0);
        let wide = Vec3::new(4.0, 1.0, 1.0);
        let high = Vec3::new(1.0, 4.0, 1.0);
        for (half, picture) in [
            (Vec3::ONE, Vec2::new(400.0, 230.0)),
            (high, Vec2::new(400.0, 230.0)),
            (wide, Vec2::new(400.0, 120.0)),
            (wide, Vec2::new(400.0, 900.0)),
        ] {
            let points = framed(half, 1.0).0;
            let camera =
                clear_of_legend(legend, picture, &points, |room| framed(half, room.x / room.y).1);
            assert!(!is_covered(&camera, picture, &points, legend), "{half} {picture}");
            for &point in &points {
                let at = camera.project(point, picture).unwrap();
                let inside = at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all();
                assert!(inside, "{half} {picture}: {at}");
            }
        }
    }

    #[test]
    fn a_model_keeps_the_middle_unless_it_were_much_smaller_there() {
        let picture = Vec2::new(588.0, 262.0);
        let points = framed(Vec3::ONE, 1.0).0;
        let middle = |legend| {
            let camera = clear_of_legend(legend, picture, &points, |room| {
                framed(Vec3::ONE, room.x / room.y).1
            });
            camera.project(Vec3::ZERO, picture).unwrap() / picture
        };
        let above = middle(Vec2::new(260.0, 64.0));
        assert!((above.x - 0.5).abs() < 1e-3 && above.y < 0.45, "{above}");
        let beside = middle(Vec2::new(260.0, 120.0));
        assert!(beside.x > 0.6 && (beside.y - 0.5).abs() < 1e-3, "{beside}");
    }

    #[test]
    fn where_nothing_is_covered_or_a_part_is_outside_all_stays() {
        let picture = Vec2::new(600.0, 300.0);
        let (points, whole) = framed(Vec3::ONE, 2.0);
        let kept = |legend, camera: Camera| clear_of_legend(legend, picture, &points, |_| camera);
        assert_eq!(kept(Vec2::new(80.0, 60.0), whole), whole);
        let mut close = whole;
        close.zoom(0.2);
        assert_eq!(kept(Vec2::new(150.0, 60.0), close), close);
        assert_ne!(kept(Vec2::new(250.0, 60.0), whole), whole);
        // No room is left.
        assert_eq!(kept(Vec2::new(500.0, 200.0), whole), whole);
    }
}
