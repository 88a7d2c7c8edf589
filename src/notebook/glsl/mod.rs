//! What can be said of a reader's vertex shader without GL: what is refused
//! before a driver sees it, what a driver's log says, and the small changes
//! that the page offers.

mod accept;
mod kind;
mod log;
mod loops;
mod probe;
mod tokens;
mod tries;

pub use accept::{accept, too_long};
pub use kind::{Blending, ShaderKind};
pub use log::{FIRST_LINE, findings_in_log};
pub use probe::{Probe, probe};
pub use tries::{Try, apply_try, tried, tries};
