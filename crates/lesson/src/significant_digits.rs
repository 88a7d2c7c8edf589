//! Number of decimals for models of any size: a millimetre in metres must not be all zeros,
//! and ten kilometres must not show rounding errors.
//!
//! Numbers that are read together get the same number of decimals, which depends on the
//! largest of them. If that is about 1, as in the built-in rigs, it is the usual number.

use glam::{Mat4, Vec3};

/// Usual number of decimals of matrix elements of about 1.
pub const USUAL_DECIMALS: usize = 3;

const MAX_DECIMALS: usize = 12;

/// Largest rounding error, relative to the largest number.
const ROUNDING: f64 = 1e-6;

/// Rounds up to 1, 2 or 5 times a power of ten, ignoring rounding errors. Returns 1 if the
/// number is not positive or not finite.
pub fn round_up(least: f64) -> f64 {
    if !(least.is_finite() && least > 1e-12) {
        return 1.0;
    }
    let decade = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * decade)
        .find(|&step| step >= least * 0.9999)
        .unwrap_or(10.0 * decade)
}

/// Returns the number of decimals for numbers up to `largest`. `usual` is the number for values
/// from 0.1 to 100. Smaller numbers have at least three significant digits, and larger ones at
/// most five, but no fewer than their integer digits. Returns `usual` if `largest` is 0 or not
/// finite.
pub fn decimals(largest: f64, usual: usize) -> usize {
    let largest = largest.abs();
    if !largest.is_finite() || largest == 0.0 {
        return usual;
    }
    // 9.9999 counts as 10.
    let decade = (largest * 1.000_1).log10().floor() as i32;
    match decade {
        ..=-2 => usual.max((2 - decade).unsigned_abs() as usize).min(MAX_DECIMALS),
        -1..=1 => usual,
        _ => usual.min(usize::try_from(4_i32.saturating_sub(decade)).unwrap_or(0)),
    }
}

/// Returns the factor for steps and scales that suit numbers of about 1: 1 if `largest` has the
/// usual decimals, else the power of ten below it.
pub fn unit(largest: f64) -> f64 {
    if !largest.is_finite() || (0.099_99..99.99).contains(&largest) || largest <= 0.0 {
        1.0
    } else {
        10.0_f64.powf((largest * 1.000_1).log10().floor())
    }
}

/// Sizes of the numbers of a matrix. Its columns are axes, which may be scaled, and a
/// translation, which depends on the size of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Magnitude {
    /// Length of the longest axis, which rotation does not change.
    pub linear: f64,
    /// Largest absolute coordinate of any translation.
    pub translation: f64,
}

impl Magnitude {
    /// Returns the magnitude of a matrix that leads to a frame in which the model has this
    /// `size`, or 0 if only the matrix counts. Ignores numbers that are not finite.
    pub fn from_matrix(matrix: &Mat4, size: f64) -> Self {
        let place = matrix.w_axis.truncate();
        Self { linear: longest_axis(matrix), translation: largest(place).max(size) }
    }

    /// Converts the translation to another unit, given the number of units in a metre.
    #[must_use]
    pub fn in_units(self, units_in_metre: f32) -> Self {
        Self { translation: self.translation * f64::from(units_in_metre), ..self }
    }

    /// Returns the larger magnitude of both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            linear: self.linear.max(other.linear),
            translation: self.translation.max(other.translation),
        }
    }

    /// Returns the magnitude for a difference of matrices with the magnitude `compared`: that
    /// of the matrices if their decimals show the difference, otherwise its own.
    #[must_use]
    pub fn beside(self, compared: Self) -> Self {
        Self {
            linear: difference_magnitude(self.linear, compared.linear),
            translation: difference_magnitude(self.translation, compared.translation),
        }
    }

    /// Returns the magnitude of a column.
    pub fn of_column(self, column: usize) -> f64 {
        if column == 3 { self.translation } else { self.linear }
    }

    /// Returns the number of decimals of each column.
    pub fn decimals(self, usual: usize) -> [usize; 4] {
        [0, 1, 2, 3].map(|column| decimals(self.of_column(column), usual))
    }

    /// Returns the magnitude of an element. The last row, 0 0 0 1, has no unit.
    fn cell_magnitude(self, column: usize, row: usize) -> f64 {
        let of_column = self.of_column(column);
        if row == 3 { of_column.max(1.0) } else { of_column }
    }

    /// Are all differences of two matrices at most `part` of their magnitude?
    pub fn are_near(self, a: &Mat4, b: &Mat4, part: f64) -> bool {
        (0..4).all(|column| {
            let differences = a.col(column) - b.col(column);
            (0..4).all(|row| {
                f64::from(differences[row]).abs() <= part * self.cell_magnitude(column, row)
            })
        })
    }
}

fn difference_magnitude(own: f64, compared: f64) -> f64 {
    let last_decimal = 0.1_f64.powf(decimals(compared, USUAL_DECIMALS) as f64);
    if own == 0.0 || own >= 9.99 * last_decimal { compared } else { own }
}

/// Returns `a − b` with rounding errors replaced by 0. `size` is that of the model in the frame
/// that both lead to.
pub fn difference(a: &Mat4, b: &Mat4, size: f64) -> Mat4 {
    let compared = Magnitude::from_matrix(a, size).and(Magnitude::from_matrix(b, size));
    let mut difference = *a - *b;
    for column in 0..4 {
        for row in 0..4 {
            let cell = &mut difference.col_mut(column)[row];
            if f64::from(cell.abs()) <= ROUNDING * compared.cell_magnitude(column, row) {
                *cell = 0.0;
            }
        }
    }
    difference
}

/// Returns the largest absolute coordinate, or 0 if none is finite.
pub fn largest(point: Vec3) -> f64 {
    let mut largest = 0.0_f32;
    for number in point.to_array() {
        if number.is_finite() {
            largest = largest.max(number.abs());
        }
    }
    f64::from(largest)
}

/// Returns the length of the longest axis of a matrix, which is its largest scale. Returns 0 if
/// none is finite.
pub fn longest_axis(matrix: &Mat4) -> f64 {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
        .into_iter()
        .map(|axis| f64::from(axis.truncate().length()))
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::number_text;

    #[test]
    fn numbers_of_about_1_have_the_usual_decimals() {
        for usual in [0, 2, 3, 5] {
            for largest in [0.1, 0.5, 0.999_99, 1.0, 9.999_99, 10.0, 42.0, 99.0] {
                assert_eq!(decimals(largest, usual), usual, "{largest}");
                assert!((unit(largest) - 1.0).abs() < 1e-12, "{largest}");
            }
        }
    }

    #[test]
    fn tiny_numbers_have_three_digits_and_huge_ones_five() {
        let text = |number: f64| number_text::fixed(number, decimals(number, 3));
        assert_eq!(text(0.041_234), "0.0412");
        assert_eq!(text(0.004_123_4), "0.00412");
        assert_eq!(text(-1.234e-5), "−0.0000123");
        assert_eq!(text(123.456), "123.46");
        assert_eq!(text(1234.56), "1234.6");
        assert_eq!(text(-41_803.293), "−41803");
        assert_eq!(text(1.234e9), "1234000000");
        assert_eq!(number_text::fixed(-0.001, decimals(1e4, 3)), "0");
        assert_eq!(decimals(1e-300, 3), MAX_DECIMALS);
        assert_eq!(decimals(0.02, 2), 4, "three digits, whatever is usual");
        assert_eq!(decimals(0.02, 5), 5);
        assert!((unit(4e-3) - 1e-3).abs() < 1e-12 && (unit(4e4) - 1e4).abs() < 1e-6);
    }

    #[test]
    fn zero_and_nan_have_the_usual_decimals() {
        for number in [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(decimals(number, 3), 3);
            assert!((unit(number) - 1.0).abs() < 1e-12);
        }
        let matrix = Mat4::from_cols_array(&[f32::NAN; 16]);
        assert_eq!(Magnitude::from_matrix(&matrix, 0.0), Magnitude::default());
        assert_eq!(Magnitude::from_matrix(&matrix, 0.0).decimals(3), [3; 4]);
    }

    #[test]
    fn axes_and_translations_have_their_own_decimals() {
        let turn = Mat4::from_rotation_z(0.3);
        let small_step = Mat4::from_translation(Vec3::X * 0.001_5) * turn;
        assert_eq!(Magnitude::from_matrix(&small_step, 0.0).decimals(3), [3, 3, 3, 5]);
        let in_large_model = Magnitude::from_matrix(&small_step, 2.0);
        assert_eq!(in_large_model.decimals(3), [3; 4]);
        let scaled = Mat4::from_scale(Vec3::splat(1e-3)) * turn;
        assert_eq!(Magnitude::from_matrix(&scaled, 2.0).decimals(3), [5, 5, 5, 3]);
        let huge = Mat4::from_scale(Vec3::splat(1e4)) * turn;
        assert_eq!(Magnitude::from_matrix(&huge, 4e4).decimals(3), [0; 4]);
    }

    #[test]
    fn rotation_does_not_change_the_decimals() {
        for step in 0..100 {
            let angle_rad = step as f32 * 0.1;
            let turn = Mat4::from_axis_angle(Vec3::ONE.normalize_or_zero(), angle_rad);
            for (scale, expected) in [(0.1, 3), (1e-3, 5), (100.0, 2), (1e4, 0)] {
                let scaled = turn * Mat4::from_scale(Vec3::splat(scale));
                let found = Magnitude::from_matrix(&scaled, 1.0).decimals(3);
                assert_eq!(found[..3], [expected; 3], "{scale} at {angle_rad}");
            }
        }
    }

    #[test]
    fn differences_depend_on_the_size_of_the_matrices() {
        for scale in [1e-5_f32, 1e-3, 1.0, 1e4] {
            let size = f64::from(2.0 * scale);
            let a = Mat4::from_scale_rotation_translation(
                Vec3::splat(scale),
                glam::Quat::from_rotation_z(0.3),
                Vec3::new(1.0, -2.0, 0.5) * scale,
            );
            assert_eq!(difference(&a, &(a * 1.000_000_2), size), Mat4::ZERO);
            let b = Mat4::from_translation(Vec3::X * 0.01 * scale) * a;
            let found = difference(&a, &b, size);
            assert_ne!(found.w_axis.x, 0.0, "{scale}");
            assert_eq!(found.x_axis, glam::Vec4::ZERO, "{scale}");
            let both = Magnitude::from_matrix(&a, size);
            assert!(both.are_near(&a, &b, 1e-2) && !both.are_near(&a, &b, 1e-3));
        }
    }

    #[test]
    fn small_difference_has_its_own_decimals() {
        let compared = Magnitude { linear: 1.0, translation: 4e-3 };
        let beside = |linear, translation| {
            let own = Magnitude { linear, translation };
            let [linear, .., translation] = own.beside(compared).decimals(3);
            (linear, translation)
        };
        assert_eq!(beside(0.0, 0.0), (3, 5), "zeros look like the rest");
        assert_eq!(beside(0.02, 0.000_2), (3, 5));
        assert_eq!(beside(0.002, 0.000_02), (5, 7));
    }

    #[test]
    fn steps_are_rounded_up() {
        for (value, end) in [
            (0.0, 1.0),
            (0.013, 0.02),
            (0.2, 0.2),
            (0.21, 0.5),
            (3.0, 5.0),
            (7.0, 10.0),
            (10.0, 10.0),
            (-1.0, 1.0),
            (f64::NAN, 1.0),
            (3e-6, 5e-6),
        ] {
            let found = round_up(value);
            assert!((found - end).abs() < 1e-9 * end, "{value}: {found}");
        }
    }
}
