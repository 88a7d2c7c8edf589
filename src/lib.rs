//! Bindpose, an interactive notebook that teaches vertex skinning. This crate is the program. It
//! combines the crates below.
//!
//! | crate | contents |
//! | --- | --- |
//! | [`bindpose_skin`] | the math of skinning, and the conventions of all crates |
//! | [`bindpose_diagnostic`] | errors and findings: code, place, expected, found, help |
//! | [`bindpose_fetch`] | the files that a browser fetches when they are needed |
//! | [`bindpose_gltf`] | reads, checks and writes models |
//! | [`bindpose_rigs`] | the built-in models |
//! | [`bindpose_lesson`] | parses lessons |
//! | [`bindpose_notebook`] | the open notebook: document, derived values, commands |
//! | [`bindpose_paper`] | lessons as HTML: handouts and the web site |
//! | [`bindpose_render`] | draws viewports with three-d |
//! | [`bindpose_kit`] | theme, widgets, formulas and typesetting in egui |
//! | [`bindpose_page`] | draws the page with egui |
//! | [`app`] | the window and the browser app |
//! | `cli` | the command line |

#![forbid(unsafe_code)]

pub mod app;
#[cfg(not(target_arch = "wasm32"))]
pub mod cli;
