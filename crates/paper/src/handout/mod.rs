//! Lessons as HTML: prose, formulas, numbers, pictures and exercises. What is live
//! on the page is written here as it is when its step opens.
//!
//! [`write()`] makes a page to print, one file that needs nothing beside it;
//! [`lesson_text`] and [`all_texts`] make what stands in the pages of a site.
//!
//! No egui and no GL: colours, faces and pictures are handed in.

mod cells;
mod exercises;
mod figures;
mod html;
mod live_cells;
mod prose;
mod site_text;
mod writer;

pub use bindpose_notebook::export::{HandoutRequest, PaperSize};
pub use html::{
    DrawPictures, HandoutForm, HandoutLook, HandoutPage, HandoutPages, HandoutPicture, HtmlPlace,
    NoPictures, PicturedPart, Pictures, Roles, WantedPicture, WantedPictures, escaped, site_style,
};
pub(crate) use html::{OpenedStep, note, style};
pub use site_text::{SiteText, all_texts, lesson_text};
pub(crate) use writer::html_file;
pub use writer::write;
