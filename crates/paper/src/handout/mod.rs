//! Lessons as HTML: prose, formulas, numbers, pictures and exercises. Interactive cells are written
//! in the state in which their step opens.
//!
//! [`write()`] makes a handout to print, a self-contained HTML file. [`lesson_html`] and
//! [`all_lessons_html`] make the text of a site's pages.
//!
//! This module needs neither egui nor OpenGL: the caller passes in colors, fonts and pictures.

mod cells;
mod exercises;
mod figures;
mod formulas;
mod html;
mod inventory_sheet;
mod live_cells;
mod pages;
mod pictures;
mod prose;
mod site_text;
mod writer;

pub use bindpose_notebook::export::{HandoutRequest, PaperSize};
pub use html::{HandoutLook, HtmlTarget, RoleColors, escaped, site_style};
pub(crate) use html::{code_spans_html, handout_style, html_file};
pub(crate) use pages::OpenedStep;
pub use pages::{HandoutForm, HandoutPage, HandoutPages};
pub use pictures::{
    HandoutPicture, NoPictures, PictureRenderer, PictureRequest, PictureRequests, PictureSource,
    PictureSubject,
};
pub use site_text::{SiteTextSources, all_lessons_html, lesson_html};
pub use writer::write;
