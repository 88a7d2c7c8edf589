//! What is true of all weights of a mesh together: worked out when somebody asks, and
//! kept until a weight changes.

use std::sync::{Arc, OnceLock};

use bindpose_asset::Mesh;
use bindpose_skin::Influences;

use super::scene::Scalars;
use super::significant_digits;

/// Of one mesh with one list of influences, shared by all poses of it.
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

// How often each sum of weights occurs, as stored and with the reader's edits,
// and how far the sums are from 1.

/// No bin is narrower: weights are shown with two decimals.
const LEAST_STEP: f32 = 0.01;
/// Bins on each side of 1, at least.
const LEAST_SIDE: i32 = 5;
/// Bins, about.
const MANY: f32 = 32.0;

/// Bins of equal width; the middle of one of them is 1.
#[derive(Clone, Debug, PartialEq)]
pub struct SumBins {
    /// Width of a bin.
    pub step: f32,
    /// From the smallest sum to the largest.
    pub bins: Vec<SumBin>,
    /// Vertices without a finite sum.
    pub odd: u32,
}

/// The vertices whose Σw lies in one range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct SumBin {
    /// Middle of the range.
    pub middle: f32,
    /// How many there are as stored.
    pub stored: u32,
    /// How many there are now.
    pub now: u32,
    /// One that is in it now, or else was as stored.
    pub example: Option<u32>,
}

/// How far off the sums of weights are; 0 for what rounding leaves.
#[derive(Clone, Copy, Debug)]
pub(super) struct WrongSums {
    /// |Σw − 1|.
    pub(super) largest: f32,
    /// What nine tenths of those that are wrong stay below: a few that are far
    /// off must not make all others look right.
    pub(super) most: f32,
}

impl SumBins {
    pub(super) fn new(mesh: &Mesh, influences: &[Influences]) -> Self {
        let made = || mesh.influences.iter().map(Influences::sum).collect();
        let stored: Vec<f32> =
            if mesh.stored_sums.is_empty() { made() } else { mesh.stored_sums.clone() };
        let now: Vec<f32> = influences.iter().map(Influences::sum).collect();
        let finite = |sums: &[f32]| sums.iter().filter(|sum| sum.is_finite()).count();
        let (least, most) = stored
            .iter()
            .chain(&now)
            .filter(|sum| sum.is_finite())
            .fold((1.0_f32, 1.0_f32), |(low, high), &sum| (low.min(sum), high.max(sum)));
        let step =
            significant_digits::round_up(((most - least) / MANY).max(LEAST_STEP).into()) as f32;
        let place = |sum: f32| ((sum - 1.0) / step).round() as i32;
        let first = place(least).min(-LEAST_SIDE);
        let last = place(most).max(LEAST_SIDE);
        let mut bins: Vec<SumBin> = (first..=last)
            .map(|place| SumBin { middle: 1.0 + place as f32 * step, ..SumBin::default() })
            .collect();
        let at =
            |sum: f32| sum.is_finite().then(|| usize::try_from(place(sum) - first).ok()).flatten();
        for (vertex, &sum) in now.iter().enumerate() {
            if let Some(bin) = at(sum).and_then(|at| bins.get_mut(at)) {
                bin.now += 1;
                bin.example.get_or_insert(vertex as u32);
            }
        }
        for (vertex, &sum) in stored.iter().enumerate() {
            if let Some(bin) = at(sum).and_then(|at| bins.get_mut(at)) {
                bin.stored += 1;
                bin.example.get_or_insert(vertex as u32);
            }
        }
        Self { step, bins, odd: (stored.len() - finite(&stored)) as u32 }
    }

    /// Is 1 in this bin?
    pub fn is_one(&self, bin: &SumBin) -> bool {
        (bin.middle - 1.0).abs() < self.step * 0.5
    }
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
    fn what_was_edited_leaves_the_bin_around_one() {
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
    fn sums_that_are_all_1_stand_in_one_narrow_bin() {
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
    fn absurd_sums_do_not_make_absurdly_many_bins() {
        let mesh = Mesh {
            influences: vec![of_sum(1.0)].into(),
            stored_sums: vec![1e6],
            ..Mesh::default()
        };
        let bins = SumBins::new(&mesh, &mesh.influences);
        assert!(bins.bins.len() < 50, "{}", bins.bins.len());
    }
}
