//! The texts of a lesson before they are read.

use bindpose_diagnostic::{Diagnostic, LineColumn};

use crate::inventory::read_inventory;
use crate::outline::with_parts;
use crate::reader::{parse_outlined, unread};
use crate::{CourseFiles, Lesson, LessonOutline, read_data_files, read_picture_files};

/// Where what is wrong with a whole file is told.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };
/// In the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

/// The two texts of a lesson, or why one cannot be read.
pub(super) struct PairOfTexts {
    pub(super) folder: String,
    pub(super) lesson: Result<String, Diagnostic>,
    pub(super) notes: Result<String, Diagnostic>,
}

impl PairOfTexts {
    /// With all that it names among the files of its course.
    pub(super) fn parse(self, files: &CourseFiles) -> (Lesson, LessonOutline) {
        let text = match self.lesson {
            Ok(text) => text,
            Err(wrong) => return unread(&self.folder, wrong),
        };
        let notes = self.notes.as_deref().unwrap_or_default();
        let (text, parts, unread_parts) = with_parts(&self.folder, &text, files);
        let (mut lesson, mut outline) = parse_outlined(&self.folder, &text, notes);
        let folder = &self.folder;
        let read = |name: &str| files.read(&format!("{folder}/{name}"));
        read_data_files(&mut lesson, &mut outline, &read);
        read_picture_files(&mut lesson, &mut outline, &read);
        for finding in &mut lesson.findings {
            finding.at = parts.written_at(std::mem::take(&mut finding.at));
        }
        lesson.findings.extend(unread_parts);
        lesson.findings.extend(self.notes.err());
        let (inventory, keys, wrong) = read_inventory(folder, files);
        (lesson.inventory, outline.inventory) = (inventory, keys);
        lesson.findings.extend(wrong);
        outline.parts = parts;
        (lesson, outline)
    }
}
