//! The end of a scale of colours: round, and no lower than what is shown.

use super::Derived;
use crate::lesson::Tint;

/// Errors of Σw below this are what rounding leaves.
pub const SUM_TOLERANCE: f32 = 1e-4;

/// Distances below this part of a model's size are, too.
const ROUNDING: f32 = 1e-6;

/// What gets the brightest colour: the largest |Σw − 1| of the mesh, or the
/// largest distance from the stored position in world units, rounded up to 1, 2
/// or 5 times a power of ten. 1 for tints that measure nothing, and where there
/// is nothing to measure.
#[must_use]
pub fn tint_most(derived: &Derived, tint: Tint) -> f32 {
    match tint {
        Tint::SumError => round_up(largest_sum_error(derived)),
        Tint::Displacement => round_up(largest_displacement(derived)),
        _ => 1.0,
    }
}

/// The largest |Σw − 1|; 0 for what rounding leaves.
#[must_use]
pub fn largest_sum_error(derived: &Derived) -> f32 {
    derived
        .influences
        .iter()
        .map(|influences| (influences.sum() - 1.0).abs())
        .filter(|error| *error >= SUM_TOLERANCE)
        .fold(0.0, f32::max)
}

/// World units; 0 for what rounding leaves.
fn largest_displacement(derived: &Derived) -> f32 {
    let (low, high) = derived.rig.mesh.bounds();
    let reach = low.abs().max(high.abs()).max_element();
    let most = derived
        .positions()
        .iter()
        .zip(derived.stored_positions())
        .map(|(moved, stored)| moved.distance(*stored))
        .filter(|distance| distance.is_finite())
        .fold(0.0, f32::max);
    if most > reach * ROUNDING { most } else { 0.0 }
}

/// The next 1, 2 or 5 times a power of ten; 1 for what is 0 or next to it.
#[must_use]
pub fn round_up(value: f32) -> f32 {
    if value < 1e-12 {
        return 1.0;
    }
    let decade = 10_f32.powf(value.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|step| step * decade)
        .find(|&step| step >= value * 0.9999)
        .unwrap_or(10.0 * decade)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::builtin;
    use crate::notebook::Document;

    fn derived(document: &Document, rig: &str) -> Derived {
        let rig = builtin(rig).unwrap();
        let influences = Derived::edited_influences(document, &rig);
        Derived::new(document, None, &rig, influences)
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
        ] {
            let found = round_up(value);
            assert!((found - end).abs() < 1e-5 * end, "{value}: {found}");
        }
    }

    #[test]
    fn the_scale_holds_the_largest_error_and_the_largest_way() {
        let mut document = Document::default();
        let rest = derived(&document, "bone_grid");
        assert_eq!(largest_sum_error(&rest), 0.0);
        assert_eq!(tint_most(&rest, Tint::Displacement), 1.0);
        let mut weights = [0.0; 8];
        weights[0] = 0.7;
        document.weights.insert(2, weights);
        // The first joint stands at the origin: half a turn takes a vertex at
        // distance r to the other side, 2r away.
        document
            .params
            .insert("b0".to_owned(), std::f64::consts::PI);
        let turned = derived(&document, "bone_grid");
        assert_eq!(tint_most(&turned, Tint::SumError), 0.5);
        let far = turned
            .rig
            .mesh
            .positions
            .iter()
            .map(|p| p.length())
            .fold(0.0, f32::max);
        let most = tint_most(&turned, Tint::Displacement);
        assert!(
            most >= 2.0 * far * 0.99 && most <= 5.0 * far,
            "{most}, {far}"
        );
        assert_eq!(tint_most(&turned, Tint::Weight), 1.0);
    }
}
