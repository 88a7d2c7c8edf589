//! What can be said of a reader's vertex shader without GL: what is refused
//! before a driver sees it, what a driver's log says, and the small changes
//! that the page offers.

mod driver_log;
mod loop_bounds;
mod probe;
mod restrictions;
mod shader_kind;
mod suggested_edits;

pub use driver_log::{FIRST_LINE, findings_in_log};
pub use probe::{Probe, probe};
pub use restrictions::{accept, too_long};
pub use shader_kind::{ShaderBlending, ShaderKind};
pub use suggested_edits::{Try, apply_try, tried, tries};
