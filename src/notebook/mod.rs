//! The open notebook: what is saved and undone, what follows from it, and what
//! can be done to it.

pub mod camera;
mod derived;
mod document;
pub mod scene;

pub use derived::{Copy, Derived};
pub use document::{Document, InverseBindEdit};
