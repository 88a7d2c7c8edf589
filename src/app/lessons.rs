//! The lessons that are shown.

use std::path::Path;

use crate::diagnostic::{Diagnostic, Place};
use crate::lesson::LessonSet;

/// Those of a folder, or the built-in ones.
///
/// # Errors
/// When the folder has none.
pub(super) fn lessons(folder: Option<&Path>) -> Result<LessonSet, Diagnostic> {
    let Some(folder) = folder else {
        return Ok(LessonSet::embedded());
    };
    let mut set = LessonSet::from_dir(folder);
    if set.lessons.is_empty() && !set.findings.is_empty() {
        let place = Place::Whole.within(folder.display().to_string());
        return Err(set.findings.swap_remove(0).at(place));
    }
    // None can be shown: what is wrong with the first says more than that.
    let mut unread = set.lessons.iter().filter(|lesson| lesson.steps.is_empty());
    if unread.clone().count() == set.lessons.len()
        && let Some(wrong) = unread.find_map(|lesson| lesson.findings.first())
    {
        let place = wrong.at.clone().within(folder.display().to_string());
        return Err(wrong.clone().at(place));
    }
    Ok(set)
}
