//! What presenter mode adds: prose that comes paragraph by paragraph, a pen, a
//! spotlight, a picture that is held, a blank screen. Nothing of it is kept.

pub mod bar;
pub mod over_stage;
pub mod paragraphs;

use std::rc::Rc;

use eframe::egui::Pos2;

use bindpose_notebook::{Derived, Document};

/// What the pointer does on the stage besides what it always does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PresenterTool {
    /// It draws.
    Pen,
    /// The stage is dim but around it.
    Spotlight,
}

/// A page as it was when the picture was held.
#[derive(Debug)]
pub struct HeldPage {
    /// The state of the page.
    pub document: Document,
    /// What follows from it.
    pub derived: Derived,
}

/// State of presenter mode: lost without harm.
#[derive(Clone, Debug, Default)]
pub struct Presenter {
    /// In the hand.
    pub tool: Option<PresenterTool>,
    /// What was drawn, in points of the page.
    pub strokes: Vec<Vec<Pos2>>,
    /// What the pictures show instead of the page as it is.
    pub held: Option<Rc<HeldPage>>,
    /// Nothing is shown.
    pub blank: bool,
    /// Does the prose come paragraph by paragraph? Absent: when presenting.
    pub by_paragraph: Option<bool>,
    /// How far it has come.
    pub reading: paragraphs::ProseReading,
}

impl Presenter {
    /// Takes a tool, or puts it away.
    pub fn take(&mut self, tool: PresenterTool) {
        self.tool = Some(tool).filter(|_| self.tool != Some(tool));
    }

    /// Puts away what lies over the stage, pictures that are held included. False
    /// if there was nothing.
    pub fn put_away(&mut self) -> bool {
        let lies = self.tool.is_some() || !self.strokes.is_empty() || self.held.is_some();
        self.wipe();
        self.tool = None;
        lies
    }

    /// Of another step nothing drawn and nothing held is left.
    pub fn wipe(&mut self) {
        self.strokes.clear();
        self.held = None;
    }
}
