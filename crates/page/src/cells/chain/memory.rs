//! What the cell keeps from frame to frame.

use bindpose_lesson::MatrixProduct;
use bindpose_notebook::StepState;

/// Lost without harm.
#[derive(Default)]
pub(super) struct ChainCellState {
    /// The place that the tools work on.
    pub(super) selected: usize,
    /// What stands left of this place is multiplied by the rest.
    pub(super) cut: usize,
    /// Row and column of the product whose sum is written out.
    pub(super) stepped: Option<(usize, usize)>,
    /// Whether numbers are shown; `None`: as the cell says.
    pub(super) shows_numbers: Option<bool>,
    /// Whether a product came to the goal, on a page in this state.
    pub(super) judged: Option<Box<(MatrixProduct, StepState, bool)>>,
}
