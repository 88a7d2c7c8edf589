//! Controls that several cells share.

mod scrub;
mod scrub_edit;

pub use scrub::{Scrub, ScrubChange};
