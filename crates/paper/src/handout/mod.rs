//! Lessons as HTML: prose, formulas, numbers, pictures and exercises. What is live
//! on the page is written here as it is when its step opens.
//!
//! [`write()`] makes a page to print, one file that needs nothing beside it;
//! [`lesson_text`] and [`all_texts`] make what stands in the pages of a site.
//!
//! No egui and no GL: colours, faces and pictures are handed in.

mod cells;
mod conventions;
mod exercises;
mod faults;
mod findings;
mod forms;
mod formulas;
mod given_pictures;
mod glossary;
mod html;
mod live_cells;
mod look;
mod matrices;
mod model_difference;
mod pages;
mod pictures;
mod place;
mod plots;
mod prose;
mod site_text;
mod solution_words;
mod weights;
mod writer;

pub use bindpose_notebook::export::{HandoutRequest, PaperSize};
pub use html::escaped;
pub use look::{HandoutLook, Roles, site_style};
pub use pages::{HandoutForm, HandoutPage, HandoutPages};
pub use pictures::{
    DrawPictures, HandoutPicture, NoPictures, PicturedPart, Pictures, WantedPicture, WantedPictures,
};
pub use place::HtmlPlace;
pub use site_text::{SiteText, all_texts, lesson_text};
pub use writer::write;
