//! Cached statistics over all weights of a mesh, computed on first use.

use std::sync::{Arc, OnceLock};

use bindpose_gltf::Mesh;
use bindpose_lesson::significant_digits;
use bindpose_skin::Influences;

use super::scene::Scalars;

/// Statistics of one mesh with one list of influences, shared by all its poses.
#[derive(Debug, Default)]
pub(super) struct WeightCache {
    pub(super) sum_errors: OnceLock<Option<Arc<Scalars>>>,
    pub(super) wrong_sums: OnceLock<WrongSums>,
    pub(super) sum_bins: OnceLock<SumBins>,
    pub(super) sums_of_one: OnceLock<[usize; 2]>,
    pub(super) lanes: OnceLock<usize>,
    pub(super) exceeds_one: OnceLock<bool>,
    pub(super) normalizable: OnceLock<bool>,
}

// Histogram of the sums of weights, as stored and with the reader's edits.

/// Minimum width of a bin. Weights are shown with two decimals.
const MIN_BIN_WIDTH: f32 = 0.01;
/// Minimum number of bins on each side of 1.
const MIN_BINS_PER_SIDE: i32 = 5;
/// Approximate number of bins.
const TARGET_BIN_COUNT: f32 = 32.0;

/// Histogram with bins of equal width, one of them centred at 1.
#[derive(Clone, Debug, PartialEq)]
pub struct SumBins {
    pub step: f32,
    /// Bins from the smallest sum to the largest.
    pub bins: Vec<SumBin>,
    /// Number of vertices without a finite sum.
    pub odd: u32,
}

/// Vertices whose Σw is in one range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SumBin {
    /// Centre of the range.
    pub middle: f32,
    /// Number of vertices as stored.
    pub stored: u32,
    /// Current number of vertices.
    pub now: u32,
    /// A vertex that is in it now, or otherwise was as stored.
    pub example: Option<u32>,
}

/// Errors of the sums of weights. 0 within rounding errors.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongSums {
    pub(super) largest: f32,
    /// Bound of nine tenths of the wrong sums, so that a few large errors do
    /// not make all others look right.
    pub(super) most: f32,
}

impl SumBins {
    pub(super) fn new(mesh: &Mesh, influences: &[Influences]) -> Self {
        let stored: Vec<f32> = if mesh.stored_sums.is_empty() {
            mesh.influences.iter().map(Influences::sum).collect()
        } else {
            mesh.stored_sums.clone()
        };
        let now: Vec<f32> = influences.iter().map(Influences::sum).collect();
        let (least, most) = stored
            .iter()
            .chain(&now)
            .filter(|sum| sum.is_finite())
            .fold((1.0_f32, 1.0_f32), |(low, high), &sum| (low.min(sum), high.max(sum)));
        let step = significant_digits::round_up(
            ((most - least) / TARGET_BIN_COUNT).max(MIN_BIN_WIDTH).into(),
        ) as f32;
        let first = bin_number(least, step).min(-MIN_BINS_PER_SIDE);
        let last = bin_number(most, step).max(MIN_BINS_PER_SIDE);
        let mut bins: Vec<SumBin> = (first..=last)
            .map(|number| SumBin { middle: 1.0 + number as f32 * step, ..SumBin::default() })
            .collect();
        for (vertex, &sum) in now.iter().enumerate() {
            if let Some(bin) = bin_mut(&mut bins, sum, first, step) {
                bin.now += 1;
                bin.example.get_or_insert(vertex as u32);
            }
        }
        for (vertex, &sum) in stored.iter().enumerate() {
            if let Some(bin) = bin_mut(&mut bins, sum, first, step) {
                bin.stored += 1;
                bin.example.get_or_insert(vertex as u32);
            }
        }
        let odd = stored.iter().filter(|sum| !sum.is_finite()).count() as u32;
        Self { step, bins, odd }
    }

    /// Returns true if 1 is in this bin.
    pub fn is_one(&self, bin: &SumBin) -> bool {
        (bin.middle - 1.0).abs() < self.step * 0.5
    }
}

/// Number of the bin of a sum. That of 1 is 0.
fn bin_number(sum: f32, step: f32) -> i32 {
    ((sum - 1.0) / step).round() as i32
}

fn bin_mut(bins: &mut [SumBin], sum: f32, first: i32, step: f32) -> Option<&mut SumBin> {
    if !sum.is_finite() {
        return None;
    }
    bins.get_mut(usize::try_from(bin_number(sum, step) - first).ok()?)
}

#[cfg(test)]
mod tests {
    use bindpose_skin::JointIndex;

    use super::*;

    fn of_sum(sum: f32) -> Influences {
        Influences::new(&[(JointIndex(0), sum)])
    }

    fn counts(bins: &SumBins) -> Vec<(String, u32, u32, Option<u32>)> {
        let some = bins.bins.iter().filter(|bin| bin.stored + bin.now > 0);
        some.map(|bin| (format!("{:.2}", bin.middle), bin.stored, bin.now, bin.example)).collect()
    }

    #[test]
    fn edited_vertices_leave_the_bin_of_one() {
        let mesh = Mesh { influences: vec![of_sum(1.0); 4].into(), ..Mesh::default() };
        let mut now = mesh.influences.clone();
        now[2] = of_sum(1.3);
        let bins = SumBins::new(&mesh, &now);
        assert!((bins.step - 0.01).abs() < 1e-6);
        assert_eq!(
            counts(&bins),
            [("1.00".to_owned(), 4, 3, Some(0)), ("1.30".to_owned(), 0, 1, Some(2)),]
        );
    }

    #[test]
    fn equal_sums_are_in_one_narrow_bin() {
        let mesh = Mesh { influences: vec![of_sum(1.0); 4].into(), ..Mesh::default() };
        let bins = SumBins::new(&mesh, &mesh.influences);
        assert!((bins.step - 0.01).abs() < 1e-6, "{}", bins.step);
        assert_eq!(counts(&bins), [("1.00".to_owned(), 4, 4, Some(0))]);
    }

    #[test]
    fn stored_sums_are_those_of_the_file() {
        let mesh = Mesh {
            influences: vec![of_sum(1.0); 3].into(),
            stored_sums: vec![0.7, 3.3, f32::NAN],
            ..Mesh::default()
        };
        let bins = SumBins::new(&mesh, &mesh.influences);
        assert_eq!(bins.odd, 1);
        assert!((bins.step - 0.1).abs() < 1e-6);
        assert_eq!(
            counts(&bins),
            [
                ("0.70".to_owned(), 1, 0, Some(0)),
                ("1.00".to_owned(), 0, 3, Some(0)),
                ("3.30".to_owned(), 1, 0, Some(1)),
            ]
        );
    }

    #[test]
    fn large_sums_do_not_create_many_bins() {
        let mesh = Mesh {
            influences: vec![of_sum(1.0)].into(),
            stored_sums: vec![1e6],
            ..Mesh::default()
        };
        let bins = SumBins::new(&mesh, &mesh.influences);
        assert!(bins.bins.len() < 50, "{}", bins.bins.len());
    }
}
