//! Prose: a lesson's blocks as a live page.
//!
//! [`blocks_ui`] draws blocks below each other. Each paragraph is one galley
//! ([`bindpose_kit::typeset`]), with its formulas painted on the baseline and its links as
//! widgets over the words: numbers that can be dragged, joints and vertices that
//! highlight, and links that change settings.

mod blocks;
mod links;
mod paragraph;
mod program;
#[cfg(test)]
mod sample;
mod symbols;
mod table;
#[cfg(test)]
mod tests;

pub use blocks::blocks_ui;
pub use paragraph::{PaintedLine, inlines_ui, line_ui, text_ui};
