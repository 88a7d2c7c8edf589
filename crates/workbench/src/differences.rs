//! Comparison of numbers of two pages, models or programs, and descriptions of the transforms
//! between them.

use bindpose_doctor::{MirrorAxis, known_factor};
use bindpose_gltf::bounds_of;
use bindpose_lesson::number_text::fixed;
use bindpose_notebook::longest_side;
pub use bindpose_skin::differences::{PART, difference};
pub(crate) use bindpose_skin::differences::{apart, are_equal, are_near, cell_name, farthest};
use glam::{Mat3, Mat4, Vec3, Vec4};

/// Tolerance of axes, of angles in radians, and of inverse bind matrices with translations
/// relative to the size of the model.
pub const AXIS_TOLERANCE: f32 = 1e-3;

/// Is the number larger than `max`, or NaN?
pub(crate) fn exceeds(number: f32, max: f32) -> bool {
    number.is_nan() || number > max
}

/// Returns the distance of two positions. Equal infinities have the distance 0.
pub(crate) fn position_distance(a: Vec3, b: Vec3) -> f32 {
    Vec3::new(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z)).length()
}

/// Returns the longest side of the bounding box of all finite positions, which is finite.
pub fn finite_size(positions: &[Vec3]) -> f32 {
    let finite: Vec<Vec3> =
        positions.iter().copied().filter(|position| position.is_finite()).collect();
    longest_side(bounds_of(&finite)).min(f32::MAX)
}

/// Returns the largest distance of positions of this model that count as equal. Always finite.
pub(crate) fn tolerance(places: &[Vec3]) -> f32 {
    PART * finite_size(places).max(1e-6)
}

/// Returns the angle between the rotations of two matrices without shear, in radians.
pub(crate) fn angle_between(a: &Mat4, b: &Mat4) -> f32 {
    let [a, b] = [a, b].map(|matrix| matrix.to_scale_rotation_translation().1);
    a.angle_between(b)
}

/// Returns the largest difference of the axes of two matrices.
pub(crate) fn axis_difference(a: &Mat4, b: &Mat4) -> f32 {
    largest_difference(&linear(a), &linear(b), 1.0)
}

fn linear(matrix: &Mat4) -> Mat4 {
    let mut matrix = *matrix;
    matrix.w_axis = Vec4::W;
    matrix
}

/// Returns the largest difference of two matrices, with translations relative to `size`. NaN if
/// an element is NaN.
pub(crate) fn largest_difference(a: &Mat4, b: &Mat4, size: f32) -> f32 {
    let mut largest = 0.0_f32;
    for column in 0..4 {
        let unit = if column == 3 { size } else { 1.0 };
        for (a, b) in a.col(column).to_array().into_iter().zip(b.col(column).to_array()) {
            let off = (a - b).abs() / unit;
            if exceeds(off, largest) {
                largest = off;
            }
        }
    }
    largest
}

/// Describes a transform that is one of `known`, a mirror, or a turn by quarters. Returns
/// `None` if it is none of these.
pub(crate) fn known_transform(found: &Mat4, known: &[(Mat4, String)]) -> Option<String> {
    let turns = mirrors_and_turns().into_iter();
    known
        .iter()
        .cloned()
        .chain(turns.map(|(words, turn)| (Mat4::from_mat3(turn), words)))
        .find(|(one, _)| are_equal(found, one) && !are_equal(one, &Mat4::IDENTITY))
        .map(|(_, words)| words)
}

/// Returns all mirrors, quarter turns and half turns with their descriptions, such as
/// `mirrored in z` or `turned by 90° about x`.
pub(crate) fn mirrors_and_turns() -> Vec<(String, Mat3)> {
    let mirrors = MirrorAxis::ALL.map(|axis| {
        let mirror = axis.mirror().as_mat4();
        (format!("mirrored in {}", axis.name()), Mat3::from_mat4(mirror))
    });
    let axes = [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)];
    let turns = axes.into_iter().flat_map(|(name, axis)| {
        [90.0_f32, -90.0, 180.0].map(|by| {
            (format!("turned by {by}° about {name}"), Mat3::from_axis_angle(axis, by.to_radians()))
        })
    });
    mirrors.into_iter().chain(turns).collect()
}

/// Describes a factor, such as `100 times ours: metres into centimetres`.
pub(crate) fn describe_factor(factor: f64) -> String {
    match known_factor(factor) {
        Some((known, words)) => format!("{known} times ours: {words}"),
        None => format!("{} times ours", fixed(factor, 4)),
    }
}

/// Describes the parts of a transform, such as `a turn of 33.0° about z, a scale of 2.0000, a
/// move by (0.100, 0.000, 2.000)`.
pub(crate) fn describe_transform(transform: &Mat4) -> String {
    let (scale, rotation, translation) = transform.to_scale_rotation_translation();
    let angle = 2.0 * rotation.w.abs().clamp(0.0, 1.0).acos().to_degrees();
    let mut parts = Vec::new();
    if transform.determinant() < 0.0 {
        parts.push("a mirror".to_owned());
    }
    if angle > 0.05 {
        let axis = rotation.xyz() * rotation.w.signum();
        parts.push(describe_turn(angle, axis.normalize_or_zero()));
    }
    if (scale.abs() - Vec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("a scale of {}", fixed(scale.x.abs().into(), 4)));
    }
    if translation.length() > 1e-6 {
        let [x, y, z] = translation.to_array().map(|number| fixed(number.into(), 3));
        parts.push(format!("a move by ({x}, {y}, {z})"));
    }
    parts.join(", ")
}

/// Describes a rotation by its angle in degrees and its axis, such as `a turn of 30.0° about z`.
fn describe_turn(angle_deg: f32, axis: Vec3) -> String {
    for (name, unit) in [("x", Vec3::X), ("y", Vec3::Y), ("z", Vec3::Z)] {
        let along = axis.dot(unit);
        if along.abs() > 1.0 - 1e-5 {
            // Half a turn is the same both ways.
            let sign = if angle_deg > 179.95 { 1.0 } else { along.signum() };
            return format!("a turn of {}° about {name}", fixed((angle_deg * sign).into(), 1));
        }
    }
    let [x, y, z] = axis.to_array().map(|number| fixed(number.into(), 2));
    format!("a turn of {}° about ({x}, {y}, {z})", fixed(angle_deg.into(), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tolerance_ignores_infinite_positions() {
        let places = [Vec3::ZERO, Vec3::ONE, Vec3::splat(f32::INFINITY), Vec3::NAN];
        assert_eq!(tolerance(&places), PART);
        assert!(tolerance(&[Vec3::MIN, Vec3::MAX]).is_finite());
        assert_eq!(position_distance(places[2], places[2]), 0.0);
        assert_eq!(position_distance(places[2], places[1]), f32::INFINITY);
        assert_eq!(position_distance(places[3], places[0]), f32::INFINITY);
        assert_eq!(tolerance(&[]), tolerance(&[Vec3::NAN]));
    }
}
