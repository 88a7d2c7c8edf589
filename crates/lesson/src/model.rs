//! What a lesson is, once read. `docs/lesson-format.md` describes the text.

use bindpose_diagnostic::Diagnostic;

use super::{
    Cell, CellKind, Drive, Expr, Inline, Inventory, InventoryQuestion, LessonParam, Passage,
    Setting, Text,
};

/// One lesson, errors included: a lesson with mistakes still opens.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Orders the contents: 20.
    pub number: u32,
    /// Stable name: `bind-pose`; of a course that has a name, with it before:
    /// `hands.squash`.
    pub slug: String,
    /// Folder: `20-bind-pose`.
    pub folder: String,
    /// From the front matter.
    pub title: String,
    /// From the front matter, in a sentence; empty: it says none.
    pub about: String,
    /// Time to plan for, in minutes.
    pub minutes: u32,
    /// Slugs of lessons that should come first.
    pub needs: Vec<String>,
    /// Id of the rig on the stage: the name of a built-in one, `own`, or that of a
    /// file as [`super::LessonSet::file`] takes it. Steps may stand on another,
    /// [`Self::rig_at`].
    pub rig: String,
    /// Parameters the lesson adds to those of the rig.
    pub params: Vec<LessonParam>,
    /// Parameters of the rig that follow formulas.
    pub drive: Vec<Drive>,
    /// Prose before the first step, shown above it.
    pub intro: Vec<LessonBlock>,
    /// What stands on the stage during every step.
    pub stage: Vec<Cell>,
    /// At least one in a sound lesson.
    pub steps: Vec<LessonStep>,
    /// The teacher's notes (`notes.md`), as Markdown blocks.
    pub notes: Vec<LessonBlock>,
    /// Questions about its misconceptions.
    pub inventory: Inventory,
    /// Everything found wrong.
    pub findings: Vec<Diagnostic>,
}

/// One `##` heading and what follows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonStep {
    /// The heading.
    pub title: String,
    /// From the heading: `two-plus-two`. Unique in the lesson.
    pub slug: String,
    /// Id of the rig that stands on the stage from this step on, as [`Lesson::rig`];
    /// `None`: the one before.
    pub rig: Option<String>,
    /// What entering the step sets.
    pub set: Vec<Setting>,
    /// Prose and cells, in order.
    pub blocks: Vec<LessonBlock>,
    /// Cells this step adds to the stage.
    pub stage: Vec<Cell>,
    /// Ids of stage cells this step leaves out.
    pub hide: Vec<String>,
    /// Does it open with what the reader changed at the step before?
    pub carry: bool,
    /// Names of parameters and cells that the step asks to drag; absent: see
    /// `notebook::demonstration`.
    pub drag: Option<Vec<String>>,
    /// Names of parameters and cells that the step asks to watch meanwhile.
    pub watch: Option<Vec<String>>,
    /// The parameter that sways around its value until the reader does something.
    pub sways: Option<String>,
    /// What it was called before it was renamed or moved, `lesson/step`, so that old links
    /// and what readers noted lead here.
    pub was: Vec<String>,
}

impl Lesson {
    /// The formula that a parameter of the rig follows, if it follows one.
    pub fn drive_of(&self, param: &str) -> Option<&Expr> {
        let drive = self.drive.iter().find(|drive| drive.param == param)?;
        Some(&drive.formula)
    }

    /// Id of the rig on the stage at a step.
    pub fn rig_at(&self, step: usize) -> &str {
        let begins = self.steps.get(self.rig_begins_at(step));
        let own = begins.and_then(|step| step.rig.as_deref());
        own.unwrap_or(&self.rig)
    }

    /// Index of the step from which on the rig of a step stands on the stage. With
    /// its rig, all begins anew: what steps before it set does not count.
    pub fn rig_begins_at(&self, step: usize) -> usize {
        let up_to = (step + 1).min(self.steps.len());
        let names_one = |step: &usize| self.steps[*step].rig.is_some();
        (0..up_to).rev().find(names_one).unwrap_or(0)
    }

    /// The cells on the stage at a step, in their order: those of the whole lesson
    /// but for what the step leaves out, then its own.
    pub fn on_stage(&self, step: usize) -> impl Iterator<Item = &Cell> + use<'_> {
        let step = self.steps.get(step);
        let is_shown = move |cell: &&Cell| step.is_none_or(|step| !step.hide.contains(&cell.id));
        let own = step.into_iter().flat_map(|step| &step.stage);
        self.stage.iter().filter(is_shown).chain(own)
    }

    /// Every cell, in the order of the text.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let before = self.stage.iter().chain(cells_in(&self.intro));
        before.chain(self.steps.iter().flat_map(LessonStep::cells))
    }

    /// As [`Self::cells`], to put what stands in other files.
    pub(super) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        let steps = self.steps.iter_mut();
        let of_steps =
            steps.flat_map(|step| step.stage.iter_mut().chain(cells_in_mut(&mut step.blocks)));
        let before = self.stage.iter_mut().chain(cells_in_mut(&mut self.intro));
        before.chain(of_steps)
    }
}

impl LessonStep {
    /// The cells that it adds to the stage, and those in its prose.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.stage.iter().chain(cells_in(&self.blocks))
    }

    /// Does it list all that the doctor finds in the model?
    pub fn has_all_findings(&self) -> bool {
        self.cells().any(|cell| matches!(&cell.kind, CellKind::Doctor(doctor) if !doctor.brief))
    }
}

/// The cells among blocks.
pub fn cells_in(blocks: &[LessonBlock]) -> impl Iterator<Item = &Cell> {
    blocks.iter().filter_map(|block| match block {
        LessonBlock::Cell(cell) => Some(&**cell),
        _ => None,
    })
}

fn cells_in_mut(blocks: &mut [LessonBlock]) -> impl Iterator<Item = &mut Cell> {
    blocks.iter_mut().filter_map(|block| match block {
        LessonBlock::Cell(cell) => Some(&mut **cell),
        _ => None,
    })
}

/// A piece of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonBlock {
    /// `###` and below; `##` begins a step.
    Heading {
        /// 3 to 6.
        level: u8,
        /// The text.
        inlines: Vec<Inline>,
    },
    /// Running text.
    Paragraph(Vec<Inline>),
    /// Bullets, or numbers starting at `first`.
    List {
        /// `None` for bullets.
        first: Option<u64>,
        /// Each item is blocks.
        items: Vec<Vec<Self>>,
    },
    /// `> …`
    Quote(Vec<Self>),
    /// A table; rows are as long as the header.
    Table {
        /// First row.
        header: Vec<Vec<Inline>>,
        /// Alignment to the right, by column.
        right: Vec<bool>,
        /// The rest.
        rows: Vec<Vec<Vec<Inline>>>,
    },
    /// A listing.
    Code {
        /// `glsl`, `rust`, `json`, `text`, ….
        language: String,
        /// Of a whole program, which a test runs; unique in all lessons.
        name: Option<String>,
        /// Without the last newline.
        text: String,
    },
    /// `$$…$$`
    Math(String),
    /// `---`
    Rule,
    /// Something live.
    Cell(Box<Cell>),
    /// A fenced block that could not be read; shown in its place. Index into
    /// [`Lesson::findings`].
    Broken(usize),
}

/// A word of the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// `inverse-bind-matrix`
    pub slug: String,
    /// `inverse bind matrix`
    pub title: String,
    /// What it means.
    pub blocks: Vec<LessonBlock>,
}

impl From<&Passage> for LessonBlock {
    fn from(passage: &Passage) -> Self {
        match passage {
            Passage::Paragraph(inlines) => Self::Paragraph(inlines.clone()),
            Passage::Math(tex) => Self::Math(tex.clone()),
            Passage::List { first, items } => Self::List {
                first: *first,
                items: items.iter().map(|item| vec![Self::Paragraph(item.clone())]).collect(),
            },
        }
    }
}

impl Text {
    /// As blocks of a page.
    pub fn blocks(&self) -> Vec<LessonBlock> {
        self.passages.iter().map(LessonBlock::from).collect()
    }
}

impl InventoryQuestion {
    /// Name of the rig that figure and values are of.
    pub fn rig_in<'a>(&'a self, lesson: &'a Lesson) -> &'a str {
        self.rig.as_deref().unwrap_or(&lesson.rig)
    }
}
