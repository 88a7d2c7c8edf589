//! Comparison of matrices from two programs, up to rounding.

use glam::Mat4;

/// Relative tolerance of comparisons: the rounding error of exporters and other engines,
/// relative to the size of the compared values.
pub const PART: f32 = 1e-4;

/// Returns the distance between two numbers: 0 if both are the same infinity or both NaN,
/// infinite if exactly one of them is finite.
pub fn apart(a: f32, b: f32) -> f32 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let distance = (a - b).abs();
    if distance.is_nan() { f32::INFINITY } else { distance }
}

/// Finds the pair of numbers that are farthest apart, with its key. Takes the last of
/// equals. Returns `None` if there are no pairs.
pub fn farthest<T>(pairs: impl Iterator<Item = (T, [f32; 2])>) -> Option<(T, [f32; 2])> {
    pairs.max_by(|(_, a), (_, b)| apart(a[0], a[1]).total_cmp(&apart(b[0], b[1])))
}

/// Returns whether two matrices are equal up to the rounding of another engine. Rotations
/// and translations are each compared relative to their own size.
pub fn are_equal(a: &Mat4, b: &Mat4) -> bool {
    are_near(a, b, |_, _| 0.0)
}

/// Returns whether two matrices are equal as by [`are_equal`], where each number may also
/// differ by a tolerance of its own.
///
/// `slack` returns that tolerance for an index in [`Mat4::to_cols_array`] and the larger
/// absolute value of the two numbers there.
pub fn are_near(a: &Mat4, b: &Mat4, slack: impl Fn(usize, f32) -> f32) -> bool {
    let a = a.to_cols_array();
    let b = b.to_cols_array();
    let size = largest_finite(&a, &b);
    a.iter().zip(&b).enumerate().all(|(index, (&a, &b))| {
        is_within_rounding(a, b, size) || apart(a, b) <= slack(index, a.abs().max(b.abs()))
    })
}

/// Computes `a - b`, with 0 where the two differ by rounding alone, and infinity where
/// exactly one of the two numbers is finite.
pub fn difference(a: &Mat4, b: &Mat4) -> Mat4 {
    let a = a.to_cols_array();
    let b = b.to_cols_array();
    let size = largest_finite(&a, &b);
    Mat4::from_cols_array(&std::array::from_fn(|index| {
        let difference = a[index] - b[index];
        if is_within_rounding(a[index], b[index], size) {
            0.0
        } else if difference.is_nan() {
            f32::INFINITY
        } else {
            difference
        }
    }))
}

/// Formats the cell of a matrix for an index in [`Mat4::to_cols_array`]: `row 2, column 4`,
/// counted from 1.
pub fn cell_name(index: usize) -> String {
    format!("row {}, column {}", index % 4 + 1, index / 4 + 1)
}

/// Returns the largest absolute value of the finite numbers, at least 10⁻³.
fn largest_finite(a: &[f32; 16], b: &[f32; 16]) -> f32 {
    a.iter().chain(b).filter(|x| x.is_finite()).fold(1e-3, |largest, x| largest.max(x.abs()))
}

/// The tolerance is relative to the matrix, but not more than to the numbers themselves:
/// rotations beside a large translation are still compared by their own size.
fn is_within_rounding(a: f32, b: f32, size: f32) -> bool {
    let own_size = 1.0 + a.abs().max(b.abs());
    apart(a, b) <= PART * size.min(own_size)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(index: usize, number: f32) -> Mat4 {
        let mut cells = Mat4::IDENTITY.to_cols_array();
        cells[index] = number;
        Mat4::from_cols_array(&cells)
    }

    #[test]
    fn infinities_and_nan_equal_only_themselves() {
        let not_finite = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        for (index_of_a, &a) in not_finite.iter().enumerate() {
            for (index_of_b, &b) in not_finite.iter().enumerate() {
                let are_equal = are_equal(&matrix(1, a), &matrix(1, b));
                assert_eq!(are_equal, index_of_a == index_of_b, "{a} and {b}");
            }
            for finite in [0.0, 5.0, f32::MAX] {
                assert!(!are_equal(&matrix(1, a), &matrix(1, finite)));
                assert_eq!(apart(a, finite), f32::INFINITY);
            }
            // A number that is not finite must not hide a difference in another cell.
            let mut other_translation = matrix(1, a);
            other_translation.w_axis.x = 5.0;
            assert!(!are_equal(&matrix(1, a), &other_translation));
        }
        let a = matrix(12, 1000.0);
        let b = matrix(12, 1000.05);
        assert!(are_equal(&a, &b));
        assert_eq!(difference(&a, &b), Mat4::ZERO);
        let from_nan = difference(&matrix(1, 3.0), &matrix(1, f32::NAN));
        assert_eq!(from_nan.x_axis.to_array(), [0.0, f32::INFINITY, 0.0, 0.0]);
        assert_eq!(difference(&matrix(1, 3.0), &matrix(1, 1.0)).x_axis.y, 2.0);
    }
}
