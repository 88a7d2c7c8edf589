//! When numbers of two programs are the same, and how far they are apart.

use glam::Mat4;

/// What exporters and other engines round away of lengths, as a part of the size of what
/// is compared.
pub const PART: f32 = 1e-4;

/// How far apart two numbers are: 0 where both are the same infinity, or both none;
/// infinite where one of them is finite and the other is not.
pub fn apart(a: f32, b: f32) -> f32 {
    if a == b || a.is_nan() && b.is_nan() {
        return 0.0;
    }
    let off = (a - b).abs();
    if off.is_nan() { f32::INFINITY } else { off }
}

/// Of numbers of two things, the pair that is farthest apart; of equals the last. `None`
/// where there are none.
pub fn farthest<T>(pairs: impl Iterator<Item = (T, [f32; 2])>) -> Option<(T, [f32; 2])> {
    pairs.max_by(|(_, a), (_, b)| apart(a[0], a[1]).total_cmp(&apart(b[0], b[1])))
}

/// The same numbers, up to what rounding in another engine does? Turns and places are
/// held each against its own size.
pub fn are_equal(a: &Mat4, b: &Mat4) -> bool {
    are_near(a, b, |_, _| 0.0)
}

/// The same where a number may be off by `slack` in any case: by its place in
/// [`Mat4::to_cols_array`], and its size.
pub fn are_near(a: &Mat4, b: &Mat4, slack: impl Fn(usize, f32) -> f32) -> bool {
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

/// Where a number of a matrix is, by its place in [`Mat4::to_cols_array`]: `row 2, column 4`,
/// counted from 1.
pub fn cell_name(at: usize) -> String {
    format!("row {}, column {}", at % 4 + 1, at / 4 + 1)
}

fn size(a: &[f32; 16], b: &[f32; 16]) -> f32 {
    let finite = a.iter().chain(b).filter(|x| x.is_finite());
    finite.fold(1e-3, |most, x| most.max(x.abs()))
}

fn is_near(a: f32, b: f32, size: f32) -> bool {
    let own = 1.0 + a.abs().max(b.abs());
    apart(a, b) <= PART * size.min(own)
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
}
