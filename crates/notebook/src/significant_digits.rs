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
mod tests;
