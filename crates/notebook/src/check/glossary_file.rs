//! The file of the glossary that is looked at.

use bindpose_diagnostic::LineColumn;
use bindpose_lesson::LessonSet;

/// Where what is wrong with a whole file is told.
pub(super) const START: LineColumn = LineColumn { line: 1, column: 1 };
/// In the folder of the lessons.
pub(super) const GLOSSARY: &str = "glossary.md";

/// The glossary of the course that is looked at: the last one that does not come with
/// the program.
pub(super) fn own_glossary(set: &LessonSet) -> String {
    let last = set.own_lessons().last();
    last.map_or_else(|| GLOSSARY.to_owned(), |lesson| set.file_name(lesson, GLOSSARY))
}
