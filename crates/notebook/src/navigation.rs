//! Where the reader goes, and where they look from: no edits, so never undone.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_asset::Rig;

use super::KeptPage;
use super::camera::Camera;
use super::inventory::FormAct;

/// Where the reader looks from, by viewport: those that were moved by hand.
pub type Cameras = BTreeMap<String, Camera>;

/// A page, by the names that links and lessons use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageAddress {
    /// Slug, number or folder.
    pub lesson: String,
    /// Slug or number from 1; `None`: the first step.
    pub step: Option<String>,
}

impl PageAddress {
    /// A step of a lesson.
    pub fn step(lesson: impl Into<String>, step: impl Into<String>) -> Self {
        Self { lesson: lesson.into(), step: Some(step.into()) }
    }

    /// The first step of a lesson.
    pub fn lesson(lesson: impl Into<String>) -> Self {
        Self { lesson: lesson.into(), step: None }
    }

    /// As a link, `bindpose://slug/step`, without values.
    pub fn link(&self) -> String {
        let step = self.step.iter().map(|step| format!("/{step}"));
        format!("bindpose://{}{}", self.lesson, step.collect::<String>())
    }
}

/// One move of the reader. Cells push these beside their edits; the app makes
/// them after the frame.
#[derive(Clone, Debug, PartialEq)]
pub enum Navigation {
    /// Open a page.
    Go(PageAddress),
    /// Open a form of the lesson’s inventory, answer in it, or leave it.
    Form(FormAct),
    /// Follow a route, by its name, from its first step.
    Follow(String),
    /// Follow none.
    LeaveRoute,
    /// Open a model that comes with the notebook, by the name of its file: it is
    /// read beside the page, as any other.
    Open(String),
    /// Put a model on the page that was read already, as one of the reader's own: undo
    /// brings back the one before.
    OpenRead(Arc<Rig>),
    /// Ask for a file to hold the model of the page against.
    OpenModelB,
    /// A viewport was moved by hand; `None`: it is framed again.
    Look(String, Option<Camera>),
}

impl Navigation {
    /// Is something else in sight after it?
    pub fn shows_another_page(&self) -> bool {
        matches!(self, Self::Go(_) | Self::Form(_) | Self::Look(_, None))
    }
}

// What the reader has asked for and gets as soon as its model is here: in a
// browser some built-in rigs are fetched when they are first needed. Until then
// the page that was open stays as it is.

/// What waits.
#[derive(Clone, Debug)]
pub enum AwaitedPage {
    /// To open a page.
    Page(PageAddress),
    /// To follow a link.
    Link(String),
    /// To open a page that was remembered.
    Kept(KeptPage),
    /// To stand a model of the reader's own on its lesson, which without one stands
    /// on a rig that is yet to come.
    Model(Arc<Rig>),
}

/// What the reader has asked for, and what it waits for.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// What is done when that is here.
    pub asked: AwaitedPage,
    /// Title of the lesson.
    pub lesson: String,
    /// Id of the rig that the lesson stands on; `None`: the lesson's own text is yet to come.
    pub rig: Option<String>,
}
