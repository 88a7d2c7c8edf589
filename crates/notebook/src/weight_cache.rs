//! What is true of all weights of a mesh together: worked out when somebody asks, and
//! kept until a weight changes.

use std::sync::{Arc, OnceLock};

use super::scene::Scalars;
use super::sum_bins::{SumBins, WrongSums};

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
