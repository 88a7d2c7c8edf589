//! Lessons as pages to print: prose, formulas, numbers, pictures and exercises in
//! one HTML file that needs nothing beside it. What is live on the page is written
//! here as it is when its step opens.
//!
//! No egui and no GL: colours, faces and pictures are handed in.

mod cells;
mod exercises;
mod findings;
mod formulas;
mod glossary;
mod html;
mod live_cells;
mod look;
mod matrices;
mod pages;
mod pictures;
mod plots;
mod prose;
mod solution_words;
mod weights;
mod writer;

pub use crate::notebook::export::{HandoutRequest, PaperSize};
pub use look::{Look, Roles};
pub use pages::{HandoutPage, Pages};
pub use pictures::{DrawPictures, NoPictures, Picture, Pictures, Wanted, WantedPictures};
pub use writer::write;
