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
//! | `cli` | the command line |

pub mod app;
pub mod asset;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
pub mod lesson;
pub mod notebook;
pub mod render;
pub mod skin;
pub mod ui;
