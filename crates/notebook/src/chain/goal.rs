//! Does a product come to what it should?

use bindpose_lesson::{Lesson, MatrixProduct, MatrixRef};
use glam::Mat4;

use super::ChainProduct;
use crate::matrix::resolve;
use crate::{Derived, Document};

/// How far numbers of ordinary size may be off: they come from 32-bit floats.
const ROUNDING: f32 = 1e-4;

/// First angle and distance to the next, in radians, of poses in which it is tried:
/// any in which no joint stands as at rest and no two turn alike.
const POSES: [(f64, f64); 2] = [(0.37, 0.23), (-0.81, 0.17)];

/// True when the product comes to the matrix now and in other poses too: at rest many
/// wrong ones do. False where a place is blank.
pub fn comes_to_goal(
    product: &MatrixProduct,
    goal: &MatrixRef,
    document: &Document,
    lesson: &Lesson,
    derived: &Derived,
) -> bool {
    let comes = |document: &Document, derived: &Derived| {
        is_equal(product, goal, document, derived).unwrap_or(false)
    };
    comes(document, derived)
        && POSES.into_iter().all(|(first, step)| {
            let posed = turned(document, derived, first, step);
            let derived = derived.of_other(&posed, Some(lesson));
            comes(&posed, &derived)
        })
}

fn turned(document: &Document, derived: &Derived, first: f64, step: f64) -> Document {
    let mut posed = document.clone();
    for (place, angle) in derived.free_angles().enumerate() {
        // So that they stay apart with any number of joints.
        let angle_rad = (first + step * place as f64).rem_euclid(2.9);
        posed.state.params.insert(angle.name.clone(), angle_rad);
    }
    posed
}

fn is_equal(
    product: &MatrixProduct,
    goal: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Option<bool> {
    let product = ChainProduct::resolved(product, document, derived).ok()?;
    let found = product.value()?.mat;
    let goal = resolve(goal, document, derived).ok()?.named.mat;
    let size = |matrix: &Mat4| {
        let cells = matrix.to_cols_array().into_iter();
        cells.fold(1.0, |most: f32, cell| most.max(cell.abs()))
    };
    Some(found.abs_diff_eq(goal, ROUNDING * size(&goal)))
}
