//! What a lesson is, once read. `docs/lesson-format.md` describes the text.

use super::{Cell, Drive, Expr, LessonParam, NumberFormat, Setting};
use crate::diagnostic::Diagnostic;
use crate::skin::JointIndex;

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
    /// file as [`super::LessonSet::file`] takes it.
    pub rig: String,
    /// Parameters the lesson adds to those of the rig.
    pub params: Vec<LessonParam>,
    /// Parameters of the rig that follow formulas.
    pub drive: Vec<Drive>,
    /// Prose before the first step, shown above it.
    pub intro: Vec<Block>,
    /// What stands on the stage during every step.
    pub stage: Vec<Cell>,
    /// At least one in a sound lesson.
    pub steps: Vec<Step>,
    /// The teacher's notes (`notes.md`), as Markdown blocks.
    pub notes: Vec<Block>,
    /// Everything found wrong.
    pub findings: Vec<Diagnostic>,
}

/// One `##` heading and what follows it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Step {
    /// The heading.
    pub title: String,
    /// From the heading: `two-plus-two`. Unique in the lesson.
    pub slug: String,
    /// What entering the step sets.
    pub set: Vec<Setting>,
    /// Prose and cells, in order.
    pub blocks: Vec<Block>,
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
}

impl Lesson {
    /// The formula that a parameter of the rig follows, if it follows one.
    #[must_use]
    pub fn drive_of(&self, param: &str) -> Option<&Expr> {
        let drive = self.drive.iter().find(|drive| drive.param == param)?;
        Some(&drive.formula)
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
        before.chain(self.steps.iter().flat_map(Step::cells))
    }
}

impl Step {
    /// The cells that it adds to the stage, and those in its prose.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.stage.iter().chain(cells_in(&self.blocks))
    }
}

/// The cells among blocks.
pub fn cells_in(blocks: &[Block]) -> impl Iterator<Item = &Cell> {
    blocks.iter().filter_map(|block| match block {
        Block::Cell(cell) => Some(&**cell),
        _ => None,
    })
}

/// A piece of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Block {
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

/// A piece of a paragraph.
#[derive(Clone, Debug, PartialEq)]
pub enum Inline {
    /// Plain words.
    Text {
        /// The words.
        text: String,
        /// `**bold**`
        strong: bool,
        /// `*italic*`
        emphasis: bool,
    },
    /// `` `code` ``
    Code(String),
    /// `$…$`
    Math(String),
    /// A line break that the text asks for.
    Break,
    /// `[shown](kind:target)`
    Link {
        /// The words shown; for numbers, their format.
        text: String,
        /// What it does.
        target: Target,
    },
}

/// What a link leads to or shows.
#[derive(Clone, Debug, PartialEq)]
pub enum Target {
    /// `param:NAME`: a number to drag.
    Param(String, NumberFormat),
    /// `value:EXPR`, `now:EXPR` or `start:EXPR`: a number that the notebook
    /// works out.
    Value(Expr, NumberFormat, When),
    /// `joint:1`
    Joint(JointIndex),
    /// `vertex:6`
    Vertex(u32),
    /// `set:stage=posed,b0=45deg`: puts things to values.
    Set(Vec<Setting>),
    /// `lesson:80` or `lesson:80/step-slug`
    Lesson {
        /// Number, slug or folder, as [`super::find_lesson`] takes it.
        lesson: String,
        /// Slug or number from 1, as [`super::find_step`] takes it.
        step: Option<String>,
    },
    /// `term:inverse-bind-matrix`: an entry of the glossary.
    Term(String),
    /// `model:arm.ezm`: opens a model that comes with the notebook, by the name of
    /// its file.
    Model(String),
    /// `https://…`
    Url(String),
}

/// When the number of a link holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// `value:`: always, whatever its step asks to drag.
    Always,
    /// `now:`: it follows what is dragged, and its sentence is true at every
    /// value.
    Now,
    /// `start:`: at the start of its step; it stays as it is there.
    AtStart,
}

impl When {
    /// Of a kind of link, as it is written; `None` for links that show no number
    /// worked out.
    #[must_use]
    pub fn of_kind(kind: &str) -> Option<Self> {
        match kind {
            "value" => Some(Self::Always),
            "now" => Some(Self::Now),
            "start" => Some(Self::AtStart),
            _ => None,
        }
    }
}

/// A word of the field.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// `inverse-bind-matrix`
    pub slug: String,
    /// `inverse bind matrix`
    pub title: String,
    /// What it means.
    pub blocks: Vec<Block>,
}
