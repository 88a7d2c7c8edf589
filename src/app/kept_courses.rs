//! Packed courses that were opened in a browser, which keeps them, and opens them again
//! at the next start.

use std::path::PathBuf;
use std::sync::Arc;

use bindpose_lesson::{LessonSet, unpack};

use super::opening::kept_files::{COURSES, MOST_BYTES};

/// Keeps a course by the name of its file. `courses`: those that are kept, the last one
/// last; it becomes the last, and the first ones go where there are too many. False when
/// it is too large to be kept.
pub(super) fn keep(courses: &mut Vec<PathBuf>, name: &str, packed: Arc<[u8]>) -> bool {
    courses.retain(|known| *known != *name);
    if packed.len() > MOST_BYTES {
        return false;
    }
    courses.push(name.into());
    courses.drain(..courses.len().saturating_sub(COURSES.most));
    let names = courses.iter();
    let names = names.map(|path| path.display().to_string()).collect();
    let name = name.to_owned();
    wasm_bindgen_futures::spawn_local(async move {
        if let Err(why) = COURSES.keep(&[(&name, &packed)], &names).await {
            log::warn!("the browser does not keep the course: {why:?}");
        }
    });
    true
}

/// Adds those of the last time that are still kept to the lessons; gives the names of
/// their files, and of each other one, why it is not open.
pub(super) async fn open(set: &mut LessonSet, courses: &[PathBuf]) -> (Vec<PathBuf>, Vec<String>) {
    let (mut open, mut complaints) = (Vec::new(), Vec::new());
    for path in courses {
        let name = path.display().to_string();
        match with_kept(set, &name).await {
            Ok(with) => {
                *set = with;
                open.push(path.clone());
            }
            Err(why) => complaints
                .push(format!("The course “{name}” of the last time was not opened: {why}.")),
        }
    }
    (open, complaints)
}

/// The lessons with those of a course that is kept.
async fn with_kept(set: &LessonSet, name: &str) -> Result<LessonSet, String> {
    let kept = COURSES.files(name).await.unwrap_or_default();
    let Some((_, packed)) = kept.first() else {
        return Err("the browser keeps no copy of it; open it again".to_owned());
    };
    let files = unpack(packed).map_err(|wrong| wrong.to_string())?;
    let with = set.with_course(name, files);
    let (with, _) = with.map_err(|wrong| wrong.to_string())?;
    Ok(with)
}
