//! One file for each kind of cell.
//!
//! Each has `ui(ui, cell, id, page)`: reads the page, writes edits and what is
//! hovered. Widget ids come from the cell's id, never from its position.

mod choose;
pub mod matrix;
mod matrix_source;
#[cfg(test)]
mod testing;
