//! Whole handouts without a window.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bindpose_asset as asset;
use bindpose_diagnostic::Diagnostic;
use bindpose_lesson::{LessonSet, find_lesson};
use bindpose_notebook::inventory::{InventoryForm, asked_questions, form_file};
use bindpose_paper::handout::{
    HandoutPages, HandoutRequest, NoPictures, PictureRequests, PictureSource, write,
};
use bindpose_render::RenderError;
use bindpose_render::headless::HeadlessGl;

use super::look::look;
use super::{StillError, Stills};
use crate::app::opening::{OpenFailure, open_file};

/// What handouts are made of, and how.
#[derive(Clone, Debug)]
pub struct HandoutOptions {
    /// Lessons of these folders and packed courses; without any, the built-in ones.
    pub lessons: Vec<PathBuf>,
    /// Of what.
    pub of: HandoutOf,
    /// A file of routes besides the lessons' own.
    pub routes: Option<PathBuf>,
    /// The model that lessons on the reader's own stand on; absent: the whale.
    pub model: Option<PathBuf>,
    /// How.
    pub request: HandoutRequest,
    /// With pictures?
    pub pictures: bool,
}

/// What a handout is of.
#[derive(Clone, Debug)]
pub enum HandoutOf {
    /// A lesson, by number, slug or folder name.
    Lesson(String),
    /// The questions of a lesson before or after it.
    Form(String, InventoryForm),
    /// A route, by name.
    Route(String),
}

/// Why there is no handout.
#[derive(Debug, thiserror::Error)]
pub enum HandoutError {
    /// There is no such lesson.
    #[error(transparent)]
    Lessons(#[from] Diagnostic),
    /// The model did not open.
    #[error(transparent)]
    Model(#[from] OpenFailure),
    /// No headless GL.
    #[error("{0}; without pictures it can be made: --without-pictures")]
    Render(#[from] RenderError),
    /// A picture was not drawn.
    #[error(transparent)]
    Still(#[from] StillError),
}

/// What the file of a handout is called.
///
/// Fails when there is no such lesson or route.
pub fn handout_name(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = set_of(options)?;
    Ok(match &options.of {
        HandoutOf::Lesson(lesson) => {
            let index = find_lesson(&set.lessons, lesson)?;
            format!("{}.html", set.lessons[index].site_folder())
        }
        HandoutOf::Form(lesson, form) => {
            let index = with_questions(&set, lesson, *form)?;
            format!("{}.html", form_file(&set.lessons[index], *form))
        }
        HandoutOf::Route(route) => format!("{}.html", set.route(route)?.name),
    })
}

/// The index of a lesson that has questions there.
fn with_questions(set: &LessonSet, lesson: &str, form: InventoryForm) -> Result<usize, Diagnostic> {
    let index = find_lesson(&set.lessons, lesson)?;
    asked_questions(&set.lessons[index], form)?;
    Ok(index)
}

fn set_of(options: &HandoutOptions) -> Result<LessonSet, Diagnostic> {
    let mut set = LessonSet::from_paths(&options.lessons)?;
    if let Some(file) = &options.routes {
        set.add_routes_from(file);
        if let Some(wrong) = set.outside_findings().next() {
            return Err(wrong.clone());
        }
    }
    Ok(set)
}

/// A handout as HTML.
///
/// Errors: [`HandoutError`].
pub fn handout(options: &HandoutOptions) -> Result<String, HandoutError> {
    let set = set_of(options)?;
    let own = options.model.as_deref().map(open_file).transpose()?;
    let pages = match &options.of {
        HandoutOf::Lesson(lesson) => {
            HandoutPages::of_lesson(&set, find_lesson(&set.lessons, lesson)?)
        }
        HandoutOf::Form(lesson, form) => {
            HandoutPages::of_form(&set, with_questions(&set, lesson, *form)?, *form)
        }
        HandoutOf::Route(route) => HandoutPages::of_route(&set, set.route(route)?),
    };
    let written = |pictures: &mut dyn PictureSource| {
        let rigs = |id: &str| asset::builtin(id);
        let (look, own) = (look(), own.as_ref());
        write(&set, &pages, options.request, &look, &rigs, own, pictures)
    };
    if !options.pictures {
        return Ok(written(&mut NoPictures));
    }
    let mut wanted = PictureRequests::default();
    let _ = written(&mut wanted);
    let gl = HeadlessGl::new()?;
    let mut stills = Stills::new(&gl.gl(), set.clone(), own.as_ref())?;
    let mut pictures = BTreeMap::new();
    for wanted in wanted.0 {
        let picture = stills.drawn(&wanted)?;
        pictures.insert(wanted, picture);
    }
    Ok(written(&mut pictures))
}
