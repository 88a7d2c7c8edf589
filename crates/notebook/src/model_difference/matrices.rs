//! How far two matrices are apart.

use glam::Mat4;

use super::words::exceeds;

/// Between the rotations in two matrices without shear, in radians.
pub(super) fn angle_between(a: &Mat4, b: &Mat4) -> f32 {
    let [a, b] = [a, b].map(|matrix| matrix.to_scale_rotation_translation().1);
    a.angle_between(b)
}

/// The largest difference of what two matrices do to the axes.
pub(super) fn axes_differ(a: &Mat4, b: &Mat4) -> f32 {
    largest_difference(&linear(a), &linear(b), 1.0)
}

fn linear(matrix: &Mat4) -> Mat4 {
    let mut matrix = *matrix;
    matrix.w_axis = glam::Vec4::W;
    matrix
}

/// Translations as parts of `size`; NaN where a number is none.
pub(super) fn largest_difference(a: &Mat4, b: &Mat4, size: f32) -> f32 {
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
