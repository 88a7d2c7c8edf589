//! A page as it stands: what prose, plots and handouts are worked out from.

use bindpose_lesson::Lesson;

use super::{Derived, Document};

/// The document, what follows from it, and the lesson that it is open at.
#[derive(Clone, Copy)]
pub struct PageState<'a> {
    /// What is open.
    pub document: &'a Document,
    /// What follows from it.
    pub derived: &'a Derived,
    /// The lesson.
    pub lesson: &'a Lesson,
}
