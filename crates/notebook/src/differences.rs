//! When numbers of two pages, models or programs are the same, and how far they are apart.

use bindpose_asset::bounds_of;
use glam::{Mat4, Vec3, Vec4};

/// What exporters and other engines round away of lengths, as a part of the size of what
/// is compared.
pub const PART: f32 = 1e-4;

/// Of axes and inverse bind matrices, whose translations are parts of the model’s size,
/// and of angles in radians.
pub const SAME: f32 = 1e-3;

/// What is no number exceeds everything.
pub(crate) fn exceeds(number: f32, most: f32) -> bool {
    number.is_nan() || number > most
}

/// How far apart two numbers are: 0 where both are the same infinity, or both none;
/// infinite where one of them is finite and the other is not.
pub(crate) fn apart(a: f32, b: f32) -> f32 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let off = (a - b).abs();
    if off.is_nan() { f32::INFINITY } else { off }
}

/// The same of places.
pub(crate) fn places_apart(a: Vec3, b: Vec3) -> f32 {
    Vec3::new(apart(a.x, b.x), apart(a.y, b.y), apart(a.z, b.z)).length()
}

/// Of numbers of two things, the pair that is farthest apart; of equals the last.
pub(crate) fn farthest<T>(pairs: impl Iterator<Item = (T, [f32; 2])>) -> Option<(T, [f32; 2])> {
    pairs.max_by(|(_, a), (_, b)| apart(a[0], a[1]).total_cmp(&apart(b[0], b[1])))
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

/// The same numbers, up to what rounding in another engine does? Turns and places are
/// held each against its own size.
pub(crate) fn are_equal(a: &Mat4, b: &Mat4) -> bool {
    are_near(a, b, |_, _| 0.0)
}

/// The same where a number may be off by `slack` in any case: by its place in
/// `to_cols_array`, and its size.
pub(crate) fn are_near(a: &Mat4, b: &Mat4, slack: impl Fn(usize, f32) -> f32) -> bool {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = size(&a, &b);
    let mut pairs = a.iter().zip(&b).enumerate();
    pairs
        .all(|(at, (&a, &b))| is_near(a, b, size) || apart(a, b) <= slack(at, a.abs().max(b.abs())))
}

/// `a` − `b`, 0 where they differ by rounding alone; infinite where one of two numbers is
/// finite and the other is not.
pub fn difference(a: &Mat4, b: &Mat4) -> Mat4 {
    let (a, b) = (a.to_cols_array(), b.to_cols_array());
    let size = size(&a, &b);
    Mat4::from_cols_array(&std::array::from_fn(|at| {
        let (a, b) = (a[at], b[at]);
        match (is_near(a, b, size), a - b) {
            (true, _) => 0.0,
            (false, off) if off.is_nan() => f32::INFINITY,
            (false, off) => off,
        }
    }))
}

fn size(a: &[f32; 16], b: &[f32; 16]) -> f32 {
    let finite = a.iter().chain(b).filter(|x| x.is_finite());
    finite.fold(1e-3, |most, x| most.max(x.abs()))
}

fn is_near(a: f32, b: f32, size: f32) -> bool {
    let own = 1.0 + a.abs().max(b.abs());
    apart(a, b) <= PART * size.min(own)
}

/// Where a number of a matrix stands, by its place in `to_cols_array`: `row 2, column 4`.
pub(crate) fn cell_name(at: usize) -> String {
    format!("row {}, column {}", at % 4 + 1, at / 4 + 1)
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

    fn matrix(at: usize, number: f32) -> Mat4 {
        let mut cells = Mat4::IDENTITY.to_cols_array();
        cells[at] = number;
        Mat4::from_cols_array(&cells)
    }

    #[test]
    fn what_is_not_finite_equals_itself_and_nothing_else() {
        let odd = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for (nth, &a) in odd.iter().enumerate() {
            for (other, &b) in odd.iter().enumerate() {
                let same = are_equal(&matrix(1, a), &matrix(1, b));
                assert_eq!(same, nth == other, "{a} and {b}");
            }
            for finite in [0.0, 5.0, f32::MAX] {
                assert!(!are_equal(&matrix(1, a), &matrix(1, finite)));
                assert_eq!(apart(a, finite), f32::INFINITY);
            }
            // Nor does another cell equal anything beside it.
            let mut beside = matrix(1, a);
            beside.w_axis.x = 5.0;
            assert!(!are_equal(&matrix(1, a), &beside));
        }
        let (a, b) = (matrix(12, 1000.0), matrix(12, 1000.05));
        assert!(are_equal(&a, &b));
        assert_eq!(difference(&a, &b), Mat4::ZERO);
        let off = difference(&matrix(1, 3.0), &matrix(1, f32::NAN));
        assert_eq!(off.x_axis.to_array(), [0.0, f32::INFINITY, 0.0, 0.0]);
        assert_eq!(difference(&matrix(1, 3.0), &matrix(1, 1.0)).x_axis.y, 2.0);
    }

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
