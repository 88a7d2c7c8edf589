//! Navigation and cameras. These are not edits and cannot be undone.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_gltf::Rig;

use super::KeptPage;
use super::camera::Camera;
use super::inventory::FormAct;

/// Cameras of viewports that were moved by hand, by cell name.
pub type Cameras = BTreeMap<String, Camera>;

/// A page, by the names used in links and lessons.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageAddress {
    /// Slug, number or folder of the lesson.
    pub lesson: String,
    /// Slug of the step, or its number from 1. If `None`, the first step.
    pub step: Option<String>,
}

impl PageAddress {
    pub fn step(lesson: impl Into<String>, step: impl Into<String>) -> Self {
        Self { lesson: lesson.into(), step: Some(step.into()) }
    }

    /// Address of the first step of a lesson.
    pub fn lesson(lesson: impl Into<String>) -> Self {
        Self { lesson: lesson.into(), step: None }
    }

    /// Returns the link `bindpose://slug/step`, without values.
    pub fn link(&self) -> String {
        match &self.step {
            Some(step) => format!("bindpose://{}/{step}", self.lesson),
            None => format!("bindpose://{}", self.lesson),
        }
    }
}

/// One navigation of the reader. Cells push these in addition to edits, and the
/// app performs them after the frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Navigation {
    Go(PageAddress),
    /// Opens a form of the lesson’s inventory, answers in it, or leaves it.
    Form(FormAct),
    /// Follows a route, by name, from its first step.
    Follow(String),
    LeaveRoute,
    /// Opens a model that comes with the notebook, by file name. It loads in
    /// the background like any other.
    Open(String),
    /// Shows a model that is already loaded as the reader's own. Undo restores
    /// the previous one.
    OpenRead(Arc<Rig>),
    /// Asks for a file to compare the page's model with.
    OpenModelB,
    /// Stores the camera of a viewport that was moved by hand. If `None`,
    /// resets it.
    Look(String, Option<Camera>),
}

impl Navigation {
    /// Returns true if it changes what is visible on the page.
    pub fn shows_another_page(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Form(_) | Self::Look(_, None))
    }
}

/// Action that waits for a model or lesson to load. In a browser, some built-in
/// rigs are fetched on first use. Until then the open page stays unchanged.
#[derive(Clone, Debug)]
pub enum PendingActionKind {
    Page(PageAddress),
    Link(String),
    Kept(KeptPage),
    /// Show the reader's own model in its lesson, whose placeholder rig is not
    /// loaded yet.
    Model(Arc<Rig>),
}

/// A waiting action and the assets that it waits for.
#[derive(Clone, Debug)]
pub struct PendingAction {
    /// Action to perform once everything is loaded.
    pub asked: PendingActionKind,
    pub lesson: String,
    /// Id of the lesson's rig. If `None`, the text of the lesson is not loaded
    /// yet.
    pub rig: Option<String>,
}
