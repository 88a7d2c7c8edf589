//! When numbers of two pages, models or programs are the same, how far they are apart, and
//! which transform lies between them, in words.

use bindpose_asset::bounds_of;
use bindpose_asset::doctor::{MirrorAxis, known_factor};
pub use bindpose_skin::differences::{PART, difference};
pub(crate) use bindpose_skin::differences::{apart, are_equal, are_near, cell_name, farthest};
use glam::{Mat3, Mat4, Vec3, Vec4};

use crate::number_text::fixed;

/// Of axes and inverse bind matrices, whose translations are parts of the model’s size,
/// and of angles in radians.
pub const SAME: f32 = 1e-3;

/// What is no number exceeds everything.
pub(crate) fn exceeds(number: f32, most: f32) -> bool {
    number.is_nan() || number > most
}

/// The same of places.
pub(crate) fn places_apart(a: Vec3, b: Vec3) -> f32 {
    Vec3::new(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z)).length()
}

/// The longest side of a box from its lowest corner to its highest.
pub fn longest_side((low, high): (Vec3, Vec3)) -> f32 {
    (high - low).max_element()
}

/// The longest side of the box around the places that are finite; always finite.
pub fn finite_size(places: &[Vec3]) -> f32 {
    let finite = places.iter().copied().filter(|place| place.is_finite());
    let finite: Vec<Vec3> = finite.collect();
    longest_side(bounds_of(&finite)).min(f32::MAX)
}

/// How far apart places of this model may be that are the same; always finite.
pub(crate) fn tolerance(places: &[Vec3]) -> f32 {
    PART * finite_size(places).max(1e-6)
}

/// Between the rotations in two matrices without shear, in radians.
pub(crate) fn angle_between(a: &Mat4, b: &Mat4) -> f32 {
    let [a, b] = [a, b].map(|matrix| matrix.to_scale_rotation_translation().1);
    a.angle_between(b)
}

/// The largest difference of what two matrices do to the axes.
pub(crate) fn axes_differ(a: &Mat4, b: &Mat4) -> f32 {
    largest_difference(&linear(a), &linear(b), 1.0)
}

fn linear(matrix: &Mat4) -> Mat4 {
    let mut matrix = *matrix;
    matrix.w_axis = Vec4::W;
    matrix
}

/// Translations as parts of `size`; NaN where a number is none.
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

// A transform in words, as programs apply them.

/// Which of these it is, or which that every program knows: a mirror, or a turn by
/// quarters. `None`: neither.
pub(crate) fn known_transform(found: &Mat4, known: &[(Mat4, String)]) -> Option<String> {
    let is = |one: &Mat4| are_equal(found, one) && !are_equal(one, &Mat4::IDENTITY);
    let named = known.iter().find(|(one, _)| is(one)).map(|(_, words)| words.clone());
    named.or_else(|| {
        let plain = plain_turns().into_iter();
        plain
            .map(|(words, turn)| (words, Mat4::from_mat3(turn)))
            .find(|(_, one)| is(one))
            .map(|one| one.0)
    })
}

/// Mirrors, quarter and half turns, each with its words: `mirrored in z`, `turned by 90°
/// about x`.
pub(crate) fn plain_turns() -> Vec<(String, Mat3)> {
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

/// `100 times ours: metres into centimetres`
pub(crate) fn factor_words(factor: f64) -> String {
    match known_factor(factor) {
        Some((known, words)) => format!("{known} times ours: {words}"),
        None => format!("{} times ours", fixed(factor, 4)),
    }
}

/// `a turn of 33.0°, a scale of 2.0000, a move by (0.100, 0.000, 2.000)`
pub(crate) fn transform_words(transform: &Mat4) -> String {
    let (scale, rotation, shift) = transform.to_scale_rotation_translation();
    let angle = 2.0 * rotation.w.abs().clamp(0.0, 1.0).acos().to_degrees();
    let mut parts = Vec::new();
    if transform.determinant() < 0.0 {
        parts.push("a mirror".to_owned());
    }
    if angle > 0.05 {
        parts.push(format!("a turn of {}°", fixed(angle.into(), 1)));
    }
    if (scale.abs() - Vec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("a scale of {}", fixed(scale.x.abs().into(), 4)));
    }
    if shift.length() > 1e-6 {
        let [x, y, z] = shift.to_array().map(|number| fixed(number.into(), 3));
        parts.push(format!("a move by ({x}, {y}, {z})"));
    }
    parts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_vertex_far_out_makes_no_other_place_the_same() {
        let places = [Vec3::ZERO, Vec3::ONE, Vec3::splat(f32::INFINITY), Vec3::NAN];
        assert_eq!(tolerance(&places), PART);
        assert!(tolerance(&[Vec3::MIN, Vec3::MAX]).is_finite());
        assert_eq!(places_apart(places[2], places[2]), 0.0);
        assert_eq!(places_apart(places[2], places[1]), f32::INFINITY);
        assert_eq!(places_apart(places[3], places[0]), f32::INFINITY);
        assert_eq!(tolerance(&[]), tolerance(&[Vec3::NAN]));
    }
}
