//! Keeps a model clear of the legend in the picture's lower left corner.

use std::f32::consts::PI;

use glam::{Vec2, Vec3};

use crate::camera::Camera;

/// Minimum fraction of the picture's width or height left to the model. If a
/// legend leaves less, it may cover the model.
const MIN_ROOM: f32 = 0.45;
/// Factor by which a model beside the legend must be larger than above it to be
/// placed there. Above the legend, it stays centred horizontally.
const MIN_GAIN_BESIDE: f32 = 1.5;

/// Returns the camera that `framed` computes for a room of the given size in
/// points, moved clear of the legend. If the whole model, given by `points`, is
/// in the picture and partly covered by the legend, it is framed in the room
/// above the legend, or beside it if it is much larger there.
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
    let above = camera_in_room(
        picture,
        Vec2::new(picture.x, picture.y - legend.y),
        Vec2::new(0.0, -legend.y),
        &framed,
    );
    let beside = camera_in_room(
        picture,
        Vec2::new(picture.x - legend.x, picture.y),
        Vec2::new(legend.x, 0.0),
        &framed,
    );
    match (above, beside) {
        (Some(above), Some(beside)) if above.height > MIN_GAIN_BESIDE * beside.height => beside,
        (Some(above), _) => above,
        (None, beside) => beside.unwrap_or(whole),
    }
}

/// Returns the camera that frames the model in a part of the picture. `offset`
/// is twice the distance from the picture's centre to that of the room, in
/// points. Returns `None` if the room is too small.
fn camera_in_room(
    picture: Vec2,
    room: Vec2,
    offset: Vec2,
    framed: &impl Fn(Vec2) -> Camera,
) -> Option<Camera> {
    let has_room = (room / picture).min_element() >= MIN_ROOM;
    if !has_room {
        return None;
    }
    let mut camera = framed(room);
    camera.height = camera.height / room.y.max(1.0) * picture.y;
    camera.pan(offset * 0.5 / picture.y);
    Some(camera)
}

/// Returns true if all of the model is in the picture, and a part of it is
/// covered by the legend.
fn is_covered(camera: &Camera, picture: Vec2, points: &[Vec3], legend: Vec2) -> bool {
    let mut placed: Vec<Vec2> = Vec::new();
    for &point in points {
        match camera.project(point, picture) {
            Some(at) if at.cmpge(Vec2::ZERO).all() && at.cmple(picture).all() => placed.push(at),
            _ => return false,
        }
    }
    let corner = Vec2::new(legend.x, picture.y - legend.y);
    placed.iter().any(|at| at.x < corner.x && at.y > corner.y) || is_surrounded(corner, &placed)
}

/// Returns true if the position is within the outline of the others, which
/// means that they are not all on one side of it.
fn is_surrounded(place: Vec2, others: &[Vec2]) -> bool {
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

    /// Corners of a box, and a camera that frames it.
    fn framed(high: Vec3, aspect: f32) -> (Vec<Vec3>, Camera) {
        let projection = Projection::Orthographic;
        let camera = Camera::framing((-high, high), View::Front, projection, aspect);
        (corners((-high, high)).to_vec(), camera)
    }

    #[test]
    fn legend_does_not_cover_the_model() {
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
    fn model_moves_aside_only_if_much_larger() {
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
    fn camera_stays_if_nothing_is_covered_or_part_is_outside() {
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
