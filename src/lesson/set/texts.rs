//! The texts of a lesson before they are read.

use crate::diagnostic::{At, Diagnostic};
use crate::lesson::reader::{parse_outlined, unread};
use crate::lesson::{Lesson, Outline};

/// Where what is wrong with a whole file is told.
pub(super) const START: At = At { line: 1, column: 1 };
/// In the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

/// The two texts of a lesson, or why one cannot be read.
pub(super) struct Texts {
    pub(super) folder: String,
    pub(super) lesson: Result<String, Diagnostic>,
    pub(super) notes: Result<String, Diagnostic>,
}

impl Texts {
    pub(super) fn parse(self) -> (Lesson, Outline) {
        let text = match self.lesson {
            Ok(text) => text,
            Err(wrong) => return unread(&self.folder, wrong),
        };
        let notes = self.notes.as_deref().unwrap_or_default();
        let mut read = parse_outlined(&self.folder, &text, notes);
        read.0.findings.extend(self.notes.err());
        read
    }
}
