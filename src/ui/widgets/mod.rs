//! Controls used by more than one cell.

pub mod segmented;
pub mod slider;
