//! The open notebook: what is saved and undone, what follows from it, and what
//! can be done to it.

pub mod camera;
pub mod check;
mod derived;
mod document;
mod edit;
mod limits;
mod linked;
pub mod scene;
mod steps;
mod values;

pub use derived::{Copy, Derived};
pub use document::{Document, InverseBindEdit};
pub use edit::Edit;
pub use limits::GpuLimits;
pub use linked::{Entity, Linked};
pub use steps::{apply_setting, step_document};
