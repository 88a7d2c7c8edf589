//! Lessons as HTML, written from the Markdown that the page is drawn from: handouts to print
//! ([`handout`]) and a web site ([`site`]). Also reports on what a class did ([`class_report`]).

#![forbid(unsafe_code)]

pub mod class_report;
pub mod handout;
#[cfg(not(target_arch = "wasm32"))]
pub mod site;
