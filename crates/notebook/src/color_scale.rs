//! Colour scales that measure the mesh: values and rounded ends.

use std::sync::Arc;

use bindpose_lesson::Tint;
use bindpose_lesson::significant_digits::round_up;
use glam::Vec3;

use super::Derived;
use super::model_bounds::stored_bounds;
use super::scene::Scalars;
use super::weight_cache::WrongSums;

/// Differences of Σw from 1 below this are rounding errors.
pub const SUM_TOLERANCE: f32 = 1e-4;

/// Distances below this fraction of the model's size are rounding errors.
const DISTANCE_TOLERANCE: f32 = 1e-6;

/// Value that gets the brightest colour, rounded up to 1, 2 or 5 times a power
/// of ten. For sums of weights it is a bound of most |Σw − 1|. For distances
/// from the stored position, or from the position with the file's weights, it
/// is the largest one in world units. 1 for tints that measure nothing, and if
/// there is nothing to measure.
pub fn tint_most(derived: &Derived, tint: Tint) -> f32 {
    match tint {
        Tint::SumError => round_up(wrong_sums(derived).most.into()) as f32,
        Tint::Displacement => round_up(largest_displacement(derived).into()) as f32,
        Tint::WeightError => weight_errors(derived).most,
        _ => 1.0,
    }
}

/// Returns true if the end of the tint's colour scale depends on the page.
pub fn measures(tint: Tint) -> bool {
    matches!(tint, Tint::SumError | Tint::Displacement | Tint::WeightError)
}

/// Largest |Σw − 1|. 0 within rounding errors.
pub fn largest_sum_error(derived: &Derived) -> f32 {
    wrong_sums(derived).largest
}

fn wrong_sums(derived: &Derived) -> WrongSums {
    *derived.caches.weights.wrong_sums.get_or_init(|| {
        let mut errors: Vec<f32> = raw_sums(derived)
            .map(|sum| (sum - 1.0).abs())
            .filter(|error| error.is_finite() && *error >= SUM_TOLERANCE)
            .collect();
        errors.sort_by(f32::total_cmp);
        let place = (errors.len() * 9).div_ceil(10).saturating_sub(1);
        WrongSums {
            largest: errors.last().copied().unwrap_or(0.0),
            most: errors.get(place).copied().unwrap_or(0.0),
        }
    })
}

/// |Σw − 1| of every vertex as stored in the file, for [`Tint::SumError`]. Returns `None` if the file's weights were not normalized on loading, because the current weights then give the same result.
pub fn sum_errors(derived: &Derived) -> Option<&Arc<Scalars>> {
    let made = derived.caches.weights.sum_errors.get_or_init(|| {
        // NaN counts as an error too.
        let stored = &derived.rig.mesh.stored_sums;
        let was_normalized = !stored.iter().all(|sum| (sum - 1.0).abs() < SUM_TOLERANCE);
        was_normalized.then(|| {
            Arc::new(Scalars {
                values: raw_sums(derived).map(|sum| finite_or_max((sum - 1.0).abs())).collect(),
                most: tint_most(derived, Tint::SumError),
            })
        })
    });
    made.as_ref()
}

/// Σw of every vertex, as stored in the file before normalization unless the
/// vertex is edited.
fn raw_sums(derived: &Derived) -> impl Iterator<Item = f32> {
    let mesh = &derived.rig.mesh;
    derived.influences.iter().enumerate().map(|(index, influences)| {
        let is_stored = mesh.influences.get(index) == Some(influences);
        let stored = mesh.stored_sums.get(index).filter(|_| is_stored);
        stored.copied().unwrap_or_else(|| influences.sum())
    })
}

/// Largest distance from the stored position, in world units. 0 within rounding
/// errors.
fn largest_displacement(derived: &Derived) -> f32 {
    *derived.caches.shape.largest_displacement.get_or_init(|| {
        let (low, high) = stored_bounds(&derived.rig);
        let reach = low.abs().max(high.abs()).max_element();
        let most = largest_distance(derived.positions(), derived.stored_positions());
        if most > reach * DISTANCE_TOLERANCE { most } else { 0.0 }
    })
}

/// Distance of every vertex from its position with the file's weights, in world
/// units, for [`Tint::WeightError`].
pub fn weight_errors(derived: &Derived) -> &Arc<Scalars> {
    derived.caches.shape.weight_errors.get_or_init(|| {
        let now = derived.positions();
        let stored = derived.positions_by_file_weights();
        let (low, high) = stored_bounds(&derived.rig);
        let reach = low.abs().max(high.abs()).max_element();
        let largest = largest_distance(now, &stored);
        let largest = if largest > reach * DISTANCE_TOLERANCE { largest } else { 0.0 };
        Arc::new(Scalars {
            values: now
                .iter()
                .zip(&*stored)
                .map(|(now, stored)| finite_or_max(now.distance(*stored)))
                .collect(),
            most: round_up(largest.into()) as f32,
        })
    })
}

/// A value that is not finite is as wrong as can be.
fn finite_or_max(value: f32) -> f32 {
    if value.is_finite() { value } else { f32::MAX }
}

/// Largest distance between points of the same index, ignoring those that are
/// not finite.
fn largest_distance(from: &[Vec3], to: &[Vec3]) -> f32 {
    let squared = from.iter().zip(to).map(|(a, b)| a.distance_squared(*b)).fold(0.0, f32::max);
    let most = squared.sqrt();
    if most.is_finite() {
        return most;
    }
    // Some distance is infinite, or too large for its square. Rare, and slower.
    let distances = from.iter().zip(to).map(|(a, b)| a.as_dvec3().distance(b.as_dvec3()) as f32);
    distances.filter(|distance| distance.is_finite()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use bindpose_gltf::{Mesh, Rig};
    use bindpose_lesson::BrightestTint;
    use bindpose_rigs::builtin;

    use super::*;
    use crate::Document;
    use crate::test_sample::derive_on;

    #[test]
    fn cell_can_fix_the_end_of_its_scale() {
        let rig = Arc::new(builtin("arm").unwrap().as_ref().clone());
        let document = Document::default();
        let derived = Derived::new(&document, None, &rig, rig.mesh.influences.clone());
        let most = |tint, tint_most| {
            let cell = bindpose_lesson::ViewportCell { tint, tint_most, ..Default::default() };
            crate::viewport::ViewportFrame::new(&cell, &document, &derived, None).tint_most
        };
        assert_eq!(most(Tint::Displacement, Some(BrightestTint(0.2))), 0.2);
        assert_eq!(most(Tint::Displacement, None), tint_most(&derived, Tint::Displacement));
        assert_eq!(most(Tint::Weights, Some(BrightestTint(0.2))), 1.0, "weights go from 0 to 1");
    }

    #[test]
    fn sums_are_those_before_normalization() {
        let read = builtin("bone_grid").unwrap();
        let mut mesh = (*read.mesh).clone();
        mesh.stored_sums = vec![1.0; mesh.positions.len()];
        let sound = |mesh: &Mesh| {
            let mesh = Arc::new(mesh.clone());
            Arc::new(Rig { mesh, ..(*read).clone() })
        };
        let mut document = Document::default();
        assert_eq!(sum_errors(&Derived::of_document(&document, None, &sound(&mesh))), None);

        mesh.stored_sums[1] = 3.3;
        mesh.stored_sums[3] = f32::NAN;
        let rig = sound(&mesh);
        let shown = Derived::of_document(&document, None, &rig);
        let errors = sum_errors(&shown).expect("a sum is not 1");
        assert!((errors.values[1] - 2.3).abs() < 1e-6 && errors.most == 5.0);
        assert_eq!((errors.values[0], errors.values[3]), (0.0, f32::MAX));

        // Edited weights are not normalized.
        document.state.weights.insert(1, [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
        let shown = Derived::of_document(&document, None, &rig);
        let errors = sum_errors(&shown).expect("a sum is not 1");
        assert_eq!((errors.values[1], errors.most), (0.25, 0.5));
    }

    #[test]
    fn few_large_errors_do_not_hide_others() {
        let whale = builtin("whale").unwrap();
        let mut mesh = (*whale.mesh).clone();
        mesh.stored_sums = vec![1.04; mesh.positions.len()];
        mesh.stored_sums[7] = 3.3;
        let rig = Arc::new(Rig { mesh: Arc::new(mesh), ..(*whale).clone() });
        let document = Document::default();
        let shown = Derived::of_document(&document, None, &rig);
        assert!((tint_most(&shown, Tint::SumError) - 0.05).abs() < 1e-6);
        assert!((largest_sum_error(&shown) - 2.3).abs() < 1e-6);
    }

    #[test]
    fn scale_covers_largest_error_and_displacement() {
        let mut document = Document::default();
        let rest = derive_on("bone_grid", &document);
        assert_eq!(largest_sum_error(&rest), 0.0);
        assert_eq!(tint_most(&rest, Tint::Displacement), 1.0);
        let mut weights = [0.0; 8];
        weights[0] = 0.7;
        document.state.weights.insert(2, weights.into());
        // The first joint is at the origin, so half a turn moves a vertex at
        // distance r to the other side, 2r away.
        document.state.params.insert("b0".to_owned(), std::f64::consts::PI);
        let turned = derive_on("bone_grid", &document);
        assert_eq!(tint_most(&turned, Tint::SumError), 0.5);
        let far = turned.rig.mesh.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
        let most = tint_most(&turned, Tint::Displacement);
        assert!(most >= 2.0 * far * 0.99 && most <= 5.0 * far, "{most}, {far}");
        assert_eq!(tint_most(&turned, Tint::Weight), 1.0);
    }
}
