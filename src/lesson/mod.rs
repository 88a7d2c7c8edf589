//! From text to lessons: front matter, steps, cells. No egui, no live state.

mod expr;
mod model;

pub use expr::Expr;
pub use model::*;
