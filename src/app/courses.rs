//! Packed courses that a window opens with: those given on the command line, and those
//! that were open in the last run.

use std::path::{Path, PathBuf};

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{COURSE_ENDING, LessonSet};

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
/// Fails when one that is given cannot be read, or is none.
pub(super) fn add_courses(
    set: &mut LessonSet,
    remembered: &[PathBuf],
    given: &[PathBuf],
) -> Result<OpenCourses, Diagnostic> {
    let mut courses = OpenCourses { files: Vec::new(), complaints: Vec::new(), link: None };
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

#[cfg(test)]
mod tests {
    use bindpose_lesson::COURSE_ENDING;

    #[test]
    fn what_desktops_are_told_names_the_ending_of_courses() {
        let kinds = include_str!("../../assets/desktop/bindpose-mime.xml");
        assert!(kinds.contains(&format!("<glob pattern=\"*.{COURSE_ENDING}\"/>")));
        let kind = kinds
            .split_once("<mime-type type=\"")
            .and_then(|(_, rest)| rest.split_once('"'))
            .map(|(kind, _)| kind)
            .expect("a kind");
        let entry = include_str!("../../assets/desktop/bindpose.desktop");
        let kinds = entry.lines().find(|line| line.starts_with("MimeType="));
        assert!(kinds.is_some_and(|kinds| kinds.contains(kind)), "{entry}");
        assert!(entry.contains("Exec=bindpose --tells-in-window %F"));
    }
}
