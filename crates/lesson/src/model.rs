//! What a lesson is, once read. `docs/lesson-format.md` describes the text.

use bindpose_diagnostic::{Diagnostic, Place};

use super::{
    Cell, CellKind, Expr, Inline, Inventory, InventoryQuestion, LessonParam, Passage, PlotData,
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
    /// The parameter that sways around its value, once the exercises of the step are answered,
    /// until the reader does something.
    pub sways: Option<String>,
    /// What it was called before it was renamed or moved, `lesson/step`, so that old links
    /// and what readers noted lead here.
    pub was: Vec<String>,
}

/// A parameter of the rig that follows a formula: `bend = "k * 45deg"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Name of the rig's parameter.
    pub param: String,
    /// What it is, in radians for angles.
    pub formula: Expr,
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

    /// The files that it brings along, as [`super::LessonSet::file`] takes them.
    pub fn file_ids(&self) -> impl Iterator<Item = &str> {
        let of_steps = self.steps.iter().filter_map(|step| step.rig.as_deref());
        std::iter::once(self.rig.as_str()).chain(of_steps).filter(|rig| is_file(rig))
    }

    /// The files that its cells show, tables of numbers and pictures, as its author names
    /// them in its folder.
    pub fn shown_files(&self) -> impl Iterator<Item = &str> {
        self.cells().flat_map(|cell| match &cell.kind {
            CellKind::Plot(plot) => match &plot.data {
                Some(PlotData::File(name, _)) => vec![name.as_str()],
                _ => Vec::new(),
            },
            CellKind::Picture(picture) => picture.files().map(|file| &*file.name).collect(),
            _ => Vec::new(),
        })
    }

    /// As [`Self::cells`], to put what stands in other files.
    pub(super) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        let steps = self.steps.iter_mut();
        let of_steps =
            steps.flat_map(|step| step.stage.iter_mut().chain(cells_in_mut(&mut step.blocks)));
        let before = self.stage.iter_mut().chain(cells_in_mut(&mut self.intro));
        before.chain(of_steps)
    }

    /// The names of its files: as its author writes them, `hand.glb`, until it stands
    /// in a set, and then as [`super::LessonSet::file`] takes them.
    pub(super) fn file_ids_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let of_steps = self.steps.iter_mut().filter_map(|step| step.rig.as_mut());
        std::iter::once(&mut self.rig).chain(of_steps).filter(|rig| is_file(rig))
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

/// Is it the name of a file, such as `hand.glb`, or the id of one? Built-in rigs have
/// no point in their names.
pub fn is_file(rig: &str) -> bool {
    rig.contains('.')
}

/// What the names of models end in.
pub const MODEL_ENDINGS: [&str; 3] = ["glb", "gltf", "ezm"];

/// Is it the name of a model, by its ending?
pub fn is_model(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    MODEL_ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one))
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

/// What may not stand in a formula that drives something: what follows from the
/// pose, which follows from the formula; and what is driven itself. So there are no
/// loops.
pub(crate) fn unfit_drive(formula: &Expr, driven: &[&str]) -> Option<Diagnostic> {
    if let Some((function, column)) = formula.posed_function() {
        let title = format!("`{function}` follows from the pose, which this formula makes");
        let help = "write a formula of parameters, numbers and what is stored";
        let wrong = Diagnostic::said("LOOP", title).help(help);
        return Some(wrong.at(Place::Character(column)));
    }
    let (name, column) = formula.names().into_iter().find(|(name, _)| driven.contains(name))?;
    let title = format!("`{name}` is driven by a formula itself");
    let help = format!("write the formula of {name} in its place");
    let wrong = Diagnostic::said("LOOP", title).help(help);
    Some(wrong.at(Place::Character(column)))
}
