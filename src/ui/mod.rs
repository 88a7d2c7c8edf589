//! The page: egui only, no GL. Reads the document and what follows from it,
//! and answers with edits.

pub mod cells;
pub mod icons;
pub mod theme;
pub mod widgets;

use crate::lesson::Lesson;
use crate::notebook::{Derived, Document, Edit, GpuLimits, Linked};
use theme::Theme;

/// What a cell, or a piece of prose, can see and say.
pub struct PageContext<'a> {
    /// The open lesson.
    pub lesson: &'a Lesson,
    /// The state of the page.
    pub document: &'a Document,
    /// Every number that follows from it.
    pub derived: &'a Derived,
    /// Colours and type.
    pub theme: &'a Theme,
    /// What is lit.
    pub linked: &'a mut Linked,
    /// What the reader does, applied after the frame.
    pub edits: &'a mut Vec<Edit>,
    /// `None` without GL.
    pub limits: Option<&'a GpuLimits>,
}
