//! What the reader has asked for and gets as soon as its model is here: in a
//! browser some built-in rigs are fetched when they are first needed. Until then
//! the page that was open stays as it is.

use std::sync::Arc;

use bindpose_asset::Rig;

use super::{KeptPage, PageAddress};

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

/// What the reader has asked for, and the rig that it waits for.
#[derive(Clone, Debug)]
pub struct Awaited {
    /// What is done when the rig is here.
    pub asked: AwaitedPage,
    /// Title of the lesson that stands on it.
    pub lesson: String,
    /// Its id.
    pub rig: String,
}
