//! What a notebook is opened with, and why it could not be.

use bindpose_lesson::LessonSet;
use bindpose_notebook::Preferences;
use bindpose_notebook::link::NotebookSite;
use bindpose_page::command::KeyMap;
use bindpose_render::MovingPictures;

use crate::app::exporting::MakeStills;

/// What a notebook is opened with.
#[derive(Clone, Debug, Default)]
pub struct ShellOptions {
    /// The lessons.
    pub set: LessonSet,
    /// What was remembered.
    pub preferences: Preferences,
    /// What draws the pictures of handouts; absent: they go without.
    pub stills: Option<MakeStills>,
    /// Where the notebook stands in the web; absent where it stands nowhere, and
    /// the reader names one.
    pub site: Option<NotebookSite>,
    /// Which keys do what.
    pub keys: KeyMap,
    /// How pictures that move are drawn; in full unless said otherwise.
    pub moving: MovingPictures,
}

/// Why no notebook could be opened.
#[derive(Debug, thiserror::Error)]
pub enum ShellError {
    /// Nothing to show.
    #[error(
        "there is no lesson to open; a folder of lessons holds folders named NN-slug, each with a lesson.md"
    )]
    NoLessons,
    /// Drawing is impossible.
    #[error(transparent)]
    Render(#[from] bindpose_render::RenderError),
}
