//! Whole handouts without a window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, find_lesson};
use bindpose_notebook::inventory::{InventoryForm, asked_questions, form_file};
use bindpose_paper::handout::{
    HandoutPages, HandoutRequest, NoPictures, PictureRequests, PictureSource, write,
};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;

use super::read_files::open_file;
use crate::app::handout::look::handout_look;
use crate::app::handout::{StillError, Stills};
use crate::app::opening::OpenFailure;

/// Content and form of a handout.
#[derive(Clone, Debug)]
pub struct HandoutOptions {
    /// Folders of lessons and packed courses. The built-in lessons if empty.
    pub lessons: Vec<PathBuf>,
    /// The lesson, form or route.
    pub of: HandoutOf,
    /// A file of routes in addition to those of the lessons.
    pub routes: Option<PathBuf>,
    /// The model for lessons on the reader's own rig. The whale if `None`.
    pub model: Option<PathBuf>,
    /// Form of the handout.
    pub request: HandoutRequest,
    /// Whether it has pictures.
    pub pictures: bool,
}

/// Subject of a handout.
#[derive(Clone, Debug)]
pub enum HandoutOf {
    /// A lesson, by number, slug or folder name.
    Lesson(String),
    /// The questions of a lesson before or after it.
    Form(String, InventoryForm),
    /// A route, by name.
    Route(String),
}

/// The reason why a handout was not made.
#[derive(Debug, thiserror::Error)]
pub enum HandoutError {
    /// A lesson or route is missing or invalid.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The model could not be opened.
    #[error(transparent)]
    Model(#[from] OpenFailure),
    /// Headless GL is unavailable.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// A picture could not be drawn.
    #[error(transparent)]
    Still(#[from] StillError),
}

/// Returns the file name of a handout.
///
/// # Errors
///
/// [`HandoutError::Lessons`] if the lesson or route does not exist.
pub fn handout_name(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = load_lessons(options)?;
    Ok(match &options.of {
        HandoutOf::Lesson(lesson) => {
            let index = find_lesson(&set.lessons, lesson)?;
            format!("{}.html", set.lessons[index].site_folder())
        }
        HandoutOf::Form(lesson, form) => {
            let index = lesson_with_questions(&set, lesson, *form)?;
            format!("{}.html", form_file(&set.lessons[index], *form))
        }
        HandoutOf::Route(route) => format!("{}.html", set.route(route)?.name),
    })
}

/// Finds the index of a lesson, and checks that this form has questions.
fn lesson_with_questions(
    set: &LessonSet,
    lesson: &str,
    form: InventoryForm,
) -> Result<usize, Diagnostic> {
    let index = find_lesson(&set.lessons, lesson)?;
    asked_questions(&set.lessons[index], form)?;
    Ok(index)
}

fn load_lessons(options: &HandoutOptions) -> Result<LessonSet, Diagnostic> {
    let mut set = LessonSet::from_paths(&options.lessons)?;
    if let Some(file) = &options.routes {
        set.add_routes_from(file);
        if let Some(finding) = set.outside_findings().next() {
            return Err(finding.clone());
        }
    }
    Ok(set)
}

/// Makes a handout as HTML.
///
/// # Errors
///
/// A [`HandoutError`] if the lessons, the model or a picture fail.
pub fn handout(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = load_lessons(options)?;
    let own_rig = options.model.as_deref().map(open_file).transpose()?;
    let pages = match &options.of {
        HandoutOf::Lesson(lesson) => {
            HandoutPages::of_lesson(&set, find_lesson(&set.lessons, lesson)?)
        }
        HandoutOf::Form(lesson, form) => {
            HandoutPages::of_form(&set, lesson_with_questions(&set, lesson, *form)?, *form)
        }
        HandoutOf::Route(route) => HandoutPages::of_route(&set, set.route(route)?),
    };
    let look = handout_look();
    let request = options.request;
    let write_with = |pictures: &mut dyn PictureSource| {
        write(&set, &pages, request, &look, &bindpose_rigs::builtin, own_rig.as_ref(), pictures)
    };
    if !options.pictures {
        return Ok(write_with(&mut NoPictures));
    }
    let mut requests = PictureRequests::default();
    let _ = write_with(&mut requests);
    let gl = HeadlessGl::new()?;
    let mut stills = Stills::new(&gl.gl(), set.clone(), own_rig.as_ref())?;
    let mut pictures = BTreeMap::new();
    for request in requests.0 {
        let picture = stills.draw_picture(&request)?;
        pictures.insert(request, picture);
    }
    Ok(write_with(&mut pictures))
}
