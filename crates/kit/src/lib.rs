//! Building blocks of the page, in egui: theme and fonts, widgets, formulas, and typesetting.
//! They know numbers and matrices, but no notebook.

#![forbid(unsafe_code)]

pub mod code;
pub mod icons;
pub mod math;
pub mod theme;
pub mod touch;
pub mod typeset;
pub mod widgets;
