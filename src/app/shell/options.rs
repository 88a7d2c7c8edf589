//! Options of a notebook, and errors of opening it.

use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_notebook::link::NotebookSite;
use bindpose_page::command::KeyMap;
use bindpose_render::MovingPictures;

use crate::app::exporting::MakeStills;

#[derive(Clone, Debug, Default)]
pub struct ShellOptions {
    pub set: LessonSet,
    /// Preferences saved by the last run.
    pub preferences: Preferences,
    /// Creates the renderer of the pictures of handouts. They have no pictures if `None`.
    pub make_stills: Option<MakeStills>,
    /// Web site that serves the notebook. If `None`, the reader can enter one.
    pub site: Option<NotebookSite>,
    pub keys: KeyMap,
    /// Resolution of moving pictures, full by default.
    pub moving: MovingPictures,
}

/// Error of opening a notebook.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// The set has no lesson.
    #[error(
        "there is no lesson to open; a folder of lessons holds folders named NN-slug, each with a lesson.md"
    )]
    NoLessons,
    /// The pictures cannot be drawn.
    #[error(transparent)]
    Render(#[from] bindpose_render::RenderError),
}
