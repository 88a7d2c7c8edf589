//! How many digits numbers need, in models of any size: a millimetre given in
//! metres must not be all zeros, and ten kilometres not all rounding.
//!
//! Numbers that are read together get the same digits, by the largest of them.
//! Where that is about 1, as in the built-in rigs, the usual digits stay.

use std::sync::Arc;

use bindpose_asset::Rig;
use glam::{Mat4, Vec3};

use super::model_bounds::{rest_bounds, stored_bounds};

/// Digits after the point of the numbers of a matrix, where they are about 1.
pub const USUAL: usize = 3;

/// Digits after the point, at most.
const MOST: usize = 12;

/// Below this part of the largest number, a difference is what rounding leaves.
const ROUNDING: f64 = 1e-6;

/// The next 1, 2 or 5 times a power of ten that is not below `least`, but for
/// what rounding adds to it; 1 for what is 0, next to it, or not finite.
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

/// Digits after the point for numbers of which the largest is `largest`, where
/// `usual` digits suit numbers from 0.1 to 100: of a smaller one three digits
/// are shown at least, of a larger one five at most, but never less than whole
/// numbers. `usual` for 0 and for what is not finite.
pub fn decimals(largest: f64, usual: usize) -> usize {
    let largest = largest.abs();
    if !largest.is_finite() || largest == 0.0 {
        return usual;
    }
    // 9.9999 is as good as 10.
    let decade = (largest * 1.000_1).log10().floor() as i32;
    match decade {
        ..=-2 => usual.max((2 - decade).unsigned_abs() as usize).min(MOST),
        -1..=1 => usual,
        _ => usual.min(usize::try_from(4_i32.saturating_sub(decade)).unwrap_or(0)),
    }
}

/// 1 where the usual digits suit `largest`, else the power of ten below it: what
/// a step or a scale that suits numbers of about 1 is to be multiplied by.
pub fn unit(largest: f64) -> f64 {
    if !largest.is_finite() || (0.099_99..99.99).contains(&largest) || largest <= 0.0 {
        1.0
    } else {
        10.0_f64.powf((largest * 1.000_1).log10().floor())
    }
}

/// How large the numbers of a matrix are, by what they measure. Its columns are
/// axes, which may be scaled, and a place, which has the size of the model.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Magnitude {
    /// Length of the longest of the three axes: turning does not change it.
    pub linear: f64,
    /// Of places.
    pub translation: f64,
}

impl Magnitude {
    /// Of one matrix that leads to a frame in which the model has this `size`;
    /// 0 where only the numbers themselves should count. What is not finite does
    /// not count.
    pub fn from_matrix(matrix: &Mat4, size: f64) -> Self {
        let place = matrix.w_axis.truncate();
        Self { linear: longest_axis(matrix), translation: largest(place).max(size) }
    }

    /// Where lengths are given in units of which a metre has so many.
    #[must_use]
    pub fn in_units(self, units_in_metre: f32) -> Self {
        Self { translation: self.translation * f64::from(units_in_metre), ..self }
    }

    /// Of both together.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            linear: self.linear.max(other.linear),
            translation: self.translation.max(other.translation),
        }
    }

    /// Of a difference between matrices of this magnitude, `compared`: as theirs
    /// while their digits show it, else by its own numbers.
    #[must_use]
    pub fn beside(self, compared: Self) -> Self {
        let beside = |own: f64, compared: f64| {
            let last_digit = 0.1_f64.powf(decimals(compared, USUAL) as f64);
            if own == 0.0 || own >= 9.99 * last_digit { compared } else { own }
        };
        Self {
            linear: beside(self.linear, compared.linear),
            translation: beside(self.translation, compared.translation),
        }
    }

    /// Of a column.
    pub fn of_column(self, column: usize) -> f64 {
        if column == 3 { self.translation } else { self.linear }
    }

    /// Digits after the point, by column.
    pub fn decimals(self, usual: usize) -> [usize; 4] {
        [0, 1, 2, 3].map(|column| decimals(self.of_column(column), usual))
    }

    /// Of a cell: the last row, 0 0 0 1, measures nothing.
    fn of_cell(self, column: usize, row: usize) -> f64 {
        let of_column = self.of_column(column);
        if row == 3 { of_column.max(1.0) } else { of_column }
    }

    /// Are all numbers of two matrices as near as this part of what they measure?
    pub fn are_near(self, a: &Mat4, b: &Mat4, part: f64) -> bool {
        let off = |column: usize, row: usize| f64::from((a.col(column) - b.col(column))[row]).abs();
        (0..16)
            .map(|cell| (cell / 4, cell % 4))
            .all(|(column, row)| off(column, row) <= part * self.of_cell(column, row))
    }
}

/// `a − b`, in which what rounding leaves is 0. `size`: of the model in the frame
/// they lead to.
pub fn difference(a: &Mat4, b: &Mat4, size: f64) -> Mat4 {
    let compared = Magnitude::from_matrix(a, size).and(Magnitude::from_matrix(b, size));
    let mut difference = *a - *b;
    for column in 0..4 {
        for row in 0..4 {
            let cell = &mut difference.col_mut(column)[row];
            if f64::from(cell.abs()) <= ROUNDING * compared.of_cell(column, row) {
                *cell = 0.0;
            }
        }
    }
    difference
}

/// The largest coordinate, whatever its sign; 0 if none is finite.
pub fn largest(point: Vec3) -> f64 {
    let coordinates = point.to_array().into_iter();
    let finite = coordinates.filter(|number| number.is_finite());
    f64::from(finite.map(f32::abs).fold(0.0, f32::max))
}

/// The largest coordinate of the model in its rest pose, in world units.
pub fn size_in_world(rig: &Arc<Rig>) -> f64 {
    let (low, high) = rest_bounds(rig);
    largest(low).max(largest(high))
}

/// The largest coordinate of the model as stored, in units of bind space.
pub fn size_in_bind(rig: &Arc<Rig>) -> f64 {
    let (low, high) = stored_bounds(rig);
    largest(low).max(largest(high))
}

/// Length of the longest of a matrix's first three columns: by how much it
/// scales, at most. 0 if none is finite.
pub fn longest_axis(matrix: &Mat4) -> f64 {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis]
        .into_iter()
        .map(|axis| f64::from(axis.truncate().length()))
        .filter(|length| length.is_finite())
        .fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use bindpose_asset::{builtin, builtin_ids};
    use bindpose_skin::{CoordinateFrame, JointIndex, Skeleton};

    use super::*;
    use crate::{Derived, Document, number_text, test_sample};

    fn derived(rig: &Arc<Rig>) -> Derived {
        let document = Document::default();
        let influences = Derived::edited_influences(&document, rig);
        Derived::new(&document, None, rig, influences)
    }

    #[test]
    fn numbers_about_1_keep_the_usual_digits() {
        for usual in [0, 2, 3, 5] {
            for largest in [0.1, 0.5, 0.999_99, 1.0, 9.999_99, 10.0, 42.0, 99.0] {
                assert_eq!(decimals(largest, usual), usual, "{largest}");
                assert!((unit(largest) - 1.0).abs() < 1e-12, "{largest}");
            }
        }
    }

    #[test]
    fn of_tiny_numbers_three_digits_are_seen_and_of_huge_ones_five() {
        let text = |number: f64| number_text::fixed(number, decimals(number, 3));
        assert_eq!(text(0.041_234), "0.0412");
        assert_eq!(text(0.004_123_4), "0.00412");
        assert_eq!(text(-1.234e-5), "−0.0000123");
        assert_eq!(text(123.456), "123.46");
        assert_eq!(text(1234.56), "1234.6");
        assert_eq!(text(-41_803.293), "−41803");
        assert_eq!(text(1.234e9), "1234000000");
        assert_eq!(number_text::fixed(-0.001, decimals(1e4, 3)), "0");
        assert_eq!(decimals(1e-300, 3), MOST);
        assert_eq!(decimals(0.02, 2), 4, "three digits, whatever is usual");
        assert_eq!(decimals(0.02, 5), 5);
        assert!((unit(4e-3) - 1e-3).abs() < 1e-12 && (unit(4e4) - 1e4).abs() < 1e-6);
    }

    #[test]
    fn what_is_zero_or_no_number_has_the_usual_digits() {
        for number in [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(decimals(number, 3), 3);
            assert!((unit(number) - 1.0).abs() < 1e-12);
        }
        let matrix = Mat4::from_cols_array(&[f32::NAN; 16]);
        assert_eq!(Magnitude::from_matrix(&matrix, 0.0), Magnitude::default());
        assert_eq!(Magnitude::from_matrix(&matrix, 0.0).decimals(3), [3; 4]);
    }

    #[test]
    fn axes_and_places_have_digits_of_their_own() {
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
    fn turning_does_not_change_the_digits() {
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
    fn a_difference_is_judged_by_the_size_of_what_is_compared() {
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
    fn a_small_difference_gets_digits_of_its_own() {
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
    fn the_built_in_rigs_are_shown_with_the_usual_digits() {
        for id in builtin_ids() {
            let rig = builtin(id).unwrap();
            let derived = derived(&rig);
            assert_eq!(decimals(size_in_world(&rig), 3), 3, "{id}");
            for (at, joint) in rig.skeleton.joints().iter().enumerate() {
                let index = JointIndex(at as u16);
                let above = joint.parent.map_or(CoordinateFrame::World, CoordinateFrame::Joint);
                for (frame, matrix) in [
                    (CoordinateFrame::World, &derived.joints.world_from_joint[at]),
                    (CoordinateFrame::World, &derived.joints.world_from_bind[at]),
                    (CoordinateFrame::Joint(index), &derived.joints.joint_from_bind[at]),
                    (above, &derived.joints.parent_from_joint[at]),
                    (CoordinateFrame::Parent(index), &derived.joints.parent_from_joint[at]),
                ] {
                    let magnitude = Magnitude::from_matrix(matrix, derived.size_in(frame));
                    assert_eq!(magnitude.decimals(3), [3; 4], "{id}, {frame} of joint {at}");
                }
            }
        }
    }

    #[test]
    fn frames_below_a_scaled_root_have_their_own_size() {
        let small = test_sample::rig();
        let mut joints = small.skeleton.joints().to_vec();
        joints[0].parent_from_joint_at_rest.scale = Vec3::splat(1e-3);
        let rig = Arc::new(Rig { skeleton: Skeleton::new(joints).unwrap(), ..small });
        let derived = derived(&rig);
        let near = |frame, expected: f64| {
            let size = derived.size_in(frame);
            assert!((size - expected).abs() < 1e-3 * expected, "{frame}: {size}");
        };
        near(CoordinateFrame::World, 2e-3);
        near(CoordinateFrame::Bind, 2.0);
        near(CoordinateFrame::Joint(JointIndex(1)), 2.0);
        near(CoordinateFrame::Parent(JointIndex(1)), 2.0);
        near(CoordinateFrame::Parent(JointIndex(0)), 2e-3);
    }

    #[test]
    fn scales_end_at_round_numbers() {
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
