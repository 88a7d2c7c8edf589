//! Lessons as HTML from the same Markdown as the page: to print and to hand out
//! ([`handout`]), and as a site that a browser opens ([`site`]); what a class did with them
//! ([`class_report`]).

#![forbid(unsafe_code)]

pub mod class_report;
pub mod handout;
#[cfg(not(target_arch = "wasm32"))]
pub mod site;
