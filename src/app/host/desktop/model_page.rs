//! The page that is opened together with a model.

use bindpose_lesson::{LessonSet, find_lesson};
use bindpose_notebook::{OWN_RIG, link};

/// Checks that the page of a link uses the reader's own model.
///
/// # Errors
/// Fails with a message for the reader if it does not.
pub(super) fn check_page_uses_own_model(set: &LessonSet, link: &str) -> Result<(), String> {
    let address = link::address(link).map_err(|error| error.to_string())?;
    let index = find_lesson(&set.lessons, &address.lesson).map_err(|error| error.to_string())?;
    let lesson = &set.lessons[index];
    if lesson.rig == OWN_RIG {
        return Ok(());
    }
    let alternative = match set.lessons.iter().find(|lesson| lesson.rig == OWN_RIG) {
        Some(own) => format!("a model of one’s own stands in lesson {}", own.number),
        None => "no lesson here stands on a model of one’s own".to_owned(),
    };
    Err(format!(
        "lesson {} has a model of its own; {alternative}: leave out the model, or the lesson",
        lesson.number
    ))
}
