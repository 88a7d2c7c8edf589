//! Where a lesson names things, so that the content check can say line and
//! column of a name that leads nowhere. Kept beside the lesson, which stays
//! free of positions.

use std::sync::Arc;

use bindpose_diagnostic::LineColumn;

use super::cell_texts::PageChange;
use super::included_parts::IncludedParts;
use super::{CellKind, Drive, LinkTarget, Setting};

/// Everything a lesson names, in the order of its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonOutline {
    /// Names and formulas.
    pub mentions: Vec<Mention>,
    /// The headings of the steps.
    pub steps: Vec<LineColumn>,
    /// Ids of all cells, those with mistakes included.
    pub cell_ids: Vec<String>,
    /// Where the values of its inventory are: `question[2].options[0].why`.
    pub inventory: Vec<(String, LineColumn)>,
    /// Which of its lines stand in other files. All places here, and those of cells,
    /// are of the text that was put together.
    pub parts: IncludedParts,
    /// Was the text not read to its end? A finding says why; what else seems to be
    /// missing may be there.
    pub incomplete: bool,
}

/// One name or formula.
#[derive(Clone, Debug, PartialEq)]
pub struct Mention {
    /// Where it is written.
    pub at: LineColumn,
    /// In which part.
    pub place: OutlinePlace,
    /// What is written.
    pub what: Mentioned,
    /// What has been done by the time it is read; `None`: the step stands as it
    /// opens.
    pub after: Option<Arc<PageChange>>,
}

/// A part of a lesson's text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OutlinePlace {
    /// Front matter, introduction, stage.
    #[default]
    Intro,
    /// The step of that index.
    Step(usize),
    /// The teacher's notes.
    Notes,
    /// The glossary.
    Glossary,
}

/// What can be wrong though it is written correctly.
#[derive(Clone, Debug, PartialEq)]
pub enum Mentioned {
    /// `rig` of the front matter.
    Rig(String),
    /// A slug in `needs`.
    Need(String),
    /// The name of a parameter the lesson adds.
    OwnParam(String),
    /// The name of a parameter of the rig that follows a formula.
    Drive {
        /// Which, and its formula.
        drive: Drive,
        /// Where the formula is written.
        formula_at: LineColumn,
    },
    /// A link.
    Link {
        /// Its words.
        text: String,
        /// What it leads to.
        target: LinkTarget,
        /// Where the target is written, after the kind and its colon.
        target_at: LineColumn,
    },
    /// One entry of a `set` block or link.
    Set(Setting),
    /// An id in `hide`.
    Hide(String),
    /// A parameter or a cell in `drag` or `watch`.
    Part(String),
    /// A formula in LaTeX.
    Math(String),
    /// The name of a whole program.
    Listing(String),
    /// A cell.
    Cell {
        /// What it is.
        kind: Box<CellKind>,
        /// Where the values of its keys are: `lines[0].expr`, `show[2]`.
        keys: Vec<(String, LineColumn)>,
    },
}
