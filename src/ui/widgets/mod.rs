//! Controls that several cells share.

mod scrub;
mod scrub_edit;
pub mod segmented;
pub mod slider;

pub use scrub::{Scrub, ScrubChange};
