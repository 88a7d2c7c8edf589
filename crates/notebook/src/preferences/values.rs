//! The values that are remembered, and what they are at first.

use std::path::PathBuf;

use bindpose_skin::Conventions;

use crate::{ReaderProgress, StepMarks};

/// Smallest and largest text size, 1 being normal.
pub const ZOOM_RANGE: (f32, f32) = (0.75, 3.0);

/// Models kept in the list of recent ones.
pub const MOST_RECENT: usize = 10;

/// Theme, text size, window, progress and the page that was open.
#[derive(Clone, Debug, PartialEq)]
pub struct Preferences {
    /// `None`: as the system has it.
    pub dark: Option<bool>,
    /// No animations; `None`: as the system has it.
    pub less_motion: Option<bool>,
    /// Text size; see [`ZOOM_RANGE`].
    pub zoom: f32,
    /// Is the list of lessons shown?
    pub contents: bool,
    /// How matrices are written down where a step does not say.
    pub conventions: Conventions,
    /// Is the bench open?
    pub bench: bool,
    /// Snapshots A and B, as links to their pages.
    pub snapshots: [Option<String>; 2],
    /// Inner size of the window, in points.
    pub window_size: Option<[f32; 2]>,
    /// Outer position of the window, in points.
    pub window_position: Option<[f32; 2]>,
    /// What was seen, tried and solved.
    pub progress: ReaderProgress,
    /// Bookmarks, and the reader's own notes.
    pub marks: StepMarks,
    /// The page that was open.
    pub page: Option<KeptPage>,
    /// Name of the route that is followed.
    pub route: Option<String>,
    /// What was changed at steps, as links to them; see
    /// [`Notebook::kept_links`](crate::Notebook::kept_links).
    pub kept: Vec<String>,
    /// The file of the reader's own model, on whatever page that was open.
    pub model: Option<PathBuf>,
    /// Pages that could not be opened again, the newest first.
    pub waiting: Vec<KeptPage>,
    /// Files of models that were opened, the newest first.
    pub recent: Vec<PathBuf>,
    /// Files of the courses that are open.
    pub courses: Vec<PathBuf>,
    /// Where the reader’s notebook stands in the web, for links to it.
    pub site: Option<String>,
}

/// A page as it is remembered.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeptPage {
    /// The page, with its values.
    pub link: String,
    /// Number of its step, from 1: where to look when no step has the link's
    /// name any more.
    pub step: Option<usize>,
    /// The file of the reader's model that it stands on.
    pub model: Option<PathBuf>,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            dark: None,
            less_motion: None,
            zoom: 1.0,
            contents: true,
            conventions: Conventions::default(),
            bench: false,
            snapshots: [None, None],
            window_size: None,
            window_position: None,
            progress: ReaderProgress::default(),
            marks: StepMarks::default(),
            page: None,
            route: None,
            kept: Vec::new(),
            model: None,
            waiting: Vec::new(),
            recent: Vec::new(),
            courses: Vec::new(),
            site: None,
        }
    }
}
