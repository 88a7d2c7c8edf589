//! The round end of a scale of colours.

use std::sync::Arc;

use bindpose_lesson::Tint;
use glam::Vec3;

use super::Derived;
use super::model_bounds::stored_bounds;
use super::scene::Scalars;
use super::significant_digits::round_up;
use super::weight_cache::WrongSums;

/// Errors of Σw below this are what rounding leaves.
pub const SUM_TOLERANCE: f32 = 1e-4;

/// Distances below this part of a model's size are, too.
const ROUNDING: f32 = 1e-6;

/// What gets the brightest colour: what most |Σw − 1| of the mesh stay below, or
/// the largest distance from the stored position, or from where the weights of the file
/// would put the vertex, in world units, rounded up to 1,
/// 2 or 5 times a power of ten. 1 for tints that measure nothing, and where there
/// is nothing to measure.
pub fn tint_most(derived: &Derived, tint: Tint) -> f32 {
    match tint {
        Tint::SumError => round_up(wrong_sums(derived).most.into()) as f32,
        Tint::Displacement => round_up(largest_displacement(derived).into()) as f32,
        Tint::WeightError => weight_errors(derived).most,
        _ => 1.0,
    }
}

/// Has its scale of colours an end that depends on the page?
pub fn measures(tint: Tint) -> bool {
    matches!(tint, Tint::SumError | Tint::Displacement | Tint::WeightError)
}

/// The largest |Σw − 1|; 0 for what rounding leaves.
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

/// |Σw − 1| of every vertex as its file stores it, for the view of that name.
/// `None` where the weights at work say the same: nothing was divided when the
/// file was read.
pub fn sum_errors(derived: &Derived) -> Option<&Arc<Scalars>> {
    let made = derived.caches.weights.sum_errors.get_or_init(|| {
        let stored = &derived.rig.mesh.stored_sums;
        // NaN is not 1 either.
        let is_one = |sum: &f32| (sum - 1.0).abs() < SUM_TOLERANCE;
        let divided = !stored.iter().all(is_one);
        divided.then(|| {
            let error = |sum: f32| {
                let error = (sum - 1.0).abs();
                // A sum that is no number is as wrong as can be.
                if error.is_finite() { error } else { f32::MAX }
            };
            Arc::new(Scalars {
                values: raw_sums(derived).map(error).collect(),
                most: tint_most(derived, Tint::SumError),
            })
        })
    });
    made.as_ref()
}

/// Σw of every vertex: as stored in the file, before it was divided, where
/// the vertex is not edited.
fn raw_sums(derived: &Derived) -> impl Iterator<Item = f32> {
    let mesh = &derived.rig.mesh;
    let now = derived.influences.iter();
    now.enumerate().map(|(index, influences)| {
        let read = mesh.influences.get(index) == Some(influences);
        let stored = mesh.stored_sums.get(index).filter(|_| read);
        stored.copied().unwrap_or_else(|| influences.sum())
    })
}

/// World units; 0 for what rounding leaves.
fn largest_displacement(derived: &Derived) -> f32 {
    *derived.caches.shape.largest_displacement.get_or_init(|| {
        let (low, high) = stored_bounds(&derived.rig);
        let reach = low.abs().max(high.abs()).max_element();
        let most = largest_distance(derived.positions(), derived.stored_positions());
        if most > reach * ROUNDING { most } else { 0.0 }
    })
}

/// How far every vertex is from where the weights of the file would put it, edited or
/// worked out as they may be, in world units, for the view of that name.
pub fn weight_errors(derived: &Derived) -> &Arc<Scalars> {
    derived.caches.shape.weight_errors.get_or_init(|| {
        let now = derived.positions();
        let stored = derived.positions_by_file_weights();
        let distance = |(now, stored): (&Vec3, &Vec3)| {
            let distance = now.distance(*stored);
            // What is nowhere is as wrong as can be.
            if distance.is_finite() { distance } else { f32::MAX }
        };
        let (low, high) = stored_bounds(&derived.rig);
        let reach = low.abs().max(high.abs()).max_element();
        let largest = largest_distance(now, &stored);
        let largest = if largest > reach * ROUNDING { largest } else { 0.0 };
        Arc::new(Scalars {
            values: now.iter().zip(&*stored).map(distance).collect(),
            most: round_up(largest.into()) as f32,
        })
    })
}

/// Between points of the same number; what is not finite is left out.
fn largest_distance(from: &[Vec3], to: &[Vec3]) -> f32 {
    let squared = || from.iter().zip(to).map(|(a, b)| a.distance_squared(*b));
    let most = squared().fold(0.0, f32::max).sqrt();
    if most.is_finite() {
        return most;
    }
    // Infinite, or too far for its square: seldom, and slower.
    let distances = from.iter().zip(to).map(|(a, b)| a.as_dvec3().distance(b.as_dvec3()) as f32);
    distances.filter(|distance| distance.is_finite()).fold(0.0, f32::max)
}

#[cfg(test)]
mod tests {
    use bindpose_asset::{Mesh, Rig, builtin};

    use super::*;
    use crate::Document;

    fn derived(document: &Document, rig: &str) -> Derived {
        let rig = builtin(rig).unwrap();
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, None, &rig, influences)
    }

    #[test]
    fn a_picture_can_fix_the_end_of_its_scale() {
        let rig = Arc::new(builtin("arm").unwrap().as_ref().clone());
        let document = Document::default();
        let derived = Derived::new(&document, None, &rig, rig.mesh.influences.clone());
        let most = |tint, tint_most| {
            let cell = bindpose_lesson::ViewportCell { tint, tint_most, ..Default::default() };
            crate::viewport::ViewportFrame::new(&cell, &document, &derived, None).tint_most
        };
        assert_eq!(most(Tint::Displacement, Some(0.2)), 0.2);
        assert_eq!(most(Tint::Displacement, None), tint_most(&derived, Tint::Displacement));
        assert_eq!(most(Tint::Weights, Some(0.2)), 1.0, "weights go from 0 to 1");
    }

    #[test]
    fn the_sums_of_a_file_are_those_before_the_division() {
        let read = builtin("bone_grid").unwrap();
        let mut mesh = (*read.mesh).clone();
        mesh.stored_sums = vec![1.0; mesh.positions.len()];
        let sound = |mesh: &Mesh| {
            let mesh = Arc::new(mesh.clone());
            Arc::new(Rig { mesh, ..(*read).clone() })
        };
        let mut document = Document::default();
        let of = |document: &Document, rig: &Arc<Rig>| {
            let influences = Derived::edited_influences(document, rig);
            Derived::new(document, None, rig, influences)
        };
        assert_eq!(sum_errors(&of(&document, &sound(&mesh))), None);

        mesh.stored_sums[1] = 3.3;
        mesh.stored_sums[3] = f32::NAN;
        let rig = sound(&mesh);
        let shown = of(&document, &rig);
        let errors = sum_errors(&shown).expect("a sum is not 1");
        assert!((errors.values[1] - 2.3).abs() < 1e-6 && errors.most == 5.0);
        assert_eq!((errors.values[0], errors.values[3]), (0.0, f32::MAX));

        // Weights of one's own are not divided.
        document.state.weights.insert(1, [0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0].into());
        let shown = of(&document, &rig);
        let errors = sum_errors(&shown).expect("a sum is not 1");
        assert_eq!((errors.values[1], errors.most), (0.25, 0.5));
    }

    #[test]
    fn a_few_sums_that_are_far_off_do_not_hide_the_others() {
        let whale = builtin("whale").unwrap();
        let mut mesh = (*whale.mesh).clone();
        mesh.stored_sums = vec![1.04; mesh.positions.len()];
        mesh.stored_sums[7] = 3.3;
        let rig = Arc::new(Rig { mesh: Arc::new(mesh), ..(*whale).clone() });
        let document = Document::default();
        let influences = Derived::edited_influences(&document, &rig);
        let shown = Derived::new(&document, None, &rig, influences);
        assert!((tint_most(&shown, Tint::SumError) - 0.05).abs() < 1e-6);
        assert!((largest_sum_error(&shown) - 2.3).abs() < 1e-6);
    }

    #[test]
    fn the_scale_holds_the_largest_error_and_the_largest_way() {
        let mut document = Document::default();
        let rest = derived(&document, "bone_grid");
        assert_eq!(largest_sum_error(&rest), 0.0);
        assert_eq!(tint_most(&rest, Tint::Displacement), 1.0);
        let mut weights = [0.0; 8];
        weights[0] = 0.7;
        document.state.weights.insert(2, weights.into());
        // The first joint stands at the origin: half a turn takes a vertex at
        // distance r to the other side, 2r away.
        document.state.params.insert("b0".to_owned(), std::f64::consts::PI);
        let turned = derived(&document, "bone_grid");
        assert_eq!(tint_most(&turned, Tint::SumError), 0.5);
        let far = turned.rig.mesh.positions.iter().map(|p| p.length()).fold(0.0, f32::max);
        let most = tint_most(&turned, Tint::Displacement);
        assert!(most >= 2.0 * far * 0.99 && most <= 5.0 * far, "{most}, {far}");
        assert_eq!(tint_most(&turned, Tint::Weight), 1.0);
    }
}
