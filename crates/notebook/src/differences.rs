//! When numbers of two pages, models or programs are the same, and how far they are apart.

use bindpose_asset::bounds_of;
pub use bindpose_skin::differences::{PART, difference};
pub(crate) use bindpose_skin::differences::{apart, are_equal, are_near, cell_name, farthest};
use glam::{Mat4, Vec3, Vec4};

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
