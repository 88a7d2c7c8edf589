//! Bindpose, an interactive notebook that teaches vertex skinning.
//!
//! | module | is |
//! | --- | --- |
//! | [`skin`] | the maths |
//! | [`asset`] | bytes to checked models |
//! | [`lesson`] | text to lessons |
//! | [`notebook`] | the open notebook: document, what follows from it, commands |
//! | [`render`] | three-d: the viewport's pictures |
//! | [`ui`] | egui: the page |
//! | [`app`] | joins them to a program |

pub mod app;
pub mod asset;
pub mod lesson;
pub mod notebook;
pub mod render;
pub mod skin;
pub mod ui;
