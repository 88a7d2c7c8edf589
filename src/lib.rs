//! Bindpose, an interactive notebook that teaches vertex skinning: the program, made
//! of the crates below it.
//!
//! | crate | is |
//! | --- | --- |
//! | [`bindpose_skin`] | the maths; its page has the conventions |
//! | [`bindpose_diagnostic`] | what is wrong: code, place, expected, found, help |
//! | [`bindpose_shipped`] | the files that come with the program, at once or later |
//! | [`bindpose_asset`] | bytes to checked models |
//! | [`bindpose_lesson`] | text to lessons |
//! | [`bindpose_notebook`] | the open notebook: document, what follows from it, commands |
//! | [`bindpose_paper`] | lessons as HTML, to print and to read, and the site |
//! | [`bindpose_render`] | three-d: the viewport's pictures |
//! | [`bindpose_page`] | egui: the page |
//! | [`app`] | joins them to a program |
//! | `cli` | the command line |

#![forbid(unsafe_code)]

pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
