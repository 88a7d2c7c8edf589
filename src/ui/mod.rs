//! The page: egui only, no GL. Reads the document and what follows from it,
//! and answers with edits.

pub mod cells;
pub mod code;
pub mod contents;
pub mod export;
pub mod icons;
pub mod math;
pub mod page;
pub mod prose;
pub mod recent;
pub mod theme;
pub mod top_bar;
pub mod view;
pub mod widgets;

use crate::lesson::{Lesson, LessonSet};
use crate::notebook::{Derived, Document, Edit, GpuLimits, Linked};
use theme::Theme;
use view::{ViewState, Viewports};

/// What a cell, or a piece of prose, can see and say.
pub struct PageContext<'a> {
    /// The open lesson.
    pub lesson: &'a Lesson,
    /// The state of the page.
    pub document: &'a Document,
    /// Every number that follows from it.
    pub derived: &'a Derived,
    /// All lessons, and the words of the field.
    pub set: &'a LessonSet,
    /// Colours and type.
    pub theme: &'a Theme,
    /// What is lit.
    pub linked: &'a mut Linked,
    /// What the reader does, applied after the frame.
    pub edits: &'a mut Vec<Edit>,
    /// Cameras and motion.
    pub view: &'a mut ViewState,
    /// Draws scenes.
    pub viewports: &'a mut dyn Viewports,
    /// `None` without GL.
    pub limits: Option<&'a GpuLimits>,
}

impl PageContext<'_> {
    /// The same page with another document on it, and what follows from that:
    /// one of several variants.
    pub fn with<'b>(&'b mut self, document: &'b Document, derived: &'b Derived) -> PageContext<'b> {
        PageContext {
            lesson: self.lesson,
            document,
            derived,
            set: self.set,
            theme: self.theme,
            linked: self.linked,
            edits: self.edits,
            view: self.view,
            viewports: self.viewports,
            limits: self.limits,
        }
    }
}
