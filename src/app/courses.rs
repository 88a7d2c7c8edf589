//! Packed courses that a window opens with: those given on the command line, and those
//! that were open in the last run.

use std::path::{Path, PathBuf};

use crate::diagnostic::Diagnostic;
use crate::lesson::{COURSE_ENDING, LessonSet};

/// Is it named as a packed course is?
pub(super) fn is_course(path: &Path) -> bool {
    let ending = path.extension().unwrap_or_default();
    ending.eq_ignore_ascii_case(COURSE_ENDING)
}

/// Adds a course to the lessons; the link to its first lesson.
///
/// # Errors
/// When it cannot be read, or is none.
pub(super) fn add_course(set: &mut LessonSet, path: &Path) -> Result<String, Diagnostic> {
    let (with, first) = set.with_course_at(path)?;
    let link = format!("bindpose://{}", with.lessons[first].slug);
    *set = with;
    Ok(link)
}

/// Adds those of the last run that are still there. Says of each that could not be
/// added why, and keeps the others.
pub(super) fn add_remembered(
    set: &mut LessonSet,
    remembered: &[PathBuf],
) -> (Vec<PathBuf>, Vec<String>) {
    let mut complaints = Vec::new();
    let mut here = Vec::new();
    for path in remembered {
        match add_course(set, path) {
            Ok(_) => here.push(path.clone()),
            Err(wrong) => {
                complaints.push(format!(
                    "A course of the last time was not opened: {wrong}."
                ));
            }
        }
    }
    (here, complaints)
}
