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

/// What became of the courses that a window opens with.
pub(super) struct OpenCourses {
    /// Files of those that are open.
    pub(super) files: Vec<PathBuf>,
    /// Of each that could not be opened, why.
    pub(super) complaints: Vec<String>,
    /// To the first lesson of the last one that was given.
    pub(super) link: Option<String>,
}

/// Adds the courses of the last run that are still there, and those that are given.
///
/// # Errors
/// When one that is given cannot be read, or is none.
pub(super) fn add_courses(
    set: &mut LessonSet,
    remembered: &[PathBuf],
    given: &[PathBuf],
) -> Result<OpenCourses, Diagnostic> {
    let mut courses = OpenCourses {
        files: Vec::new(),
        complaints: Vec::new(),
        link: None,
    };
    for path in remembered {
        match add(set, path) {
            Ok(_) => courses.files.push(path.clone()),
            Err(wrong) => {
                let said = format!("A course of the last time was not opened: {wrong}.");
                courses.complaints.push(said);
            }
        }
    }
    for path in given {
        courses.link = Some(add(set, path)?);
        let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
        courses.files.retain(|known| *known != path);
        courses.files.push(path);
    }
    Ok(courses)
}

/// Adds a course to the lessons; the link to its first lesson.
fn add(set: &mut LessonSet, path: &Path) -> Result<String, Diagnostic> {
    let (with, first) = set.with_course_at(path)?;
    let link = format!("bindpose://{}", with.lessons[first].slug);
    *set = with;
    Ok(link)
}
