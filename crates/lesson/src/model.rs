//! The data model of a lesson. `docs/lesson-format.md` describes the text it is parsed from.

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_skin::keyed;

use super::site_folder::site_folder;
use super::{
    Cell, CellKind, Expr, Inline, Inventory, InventoryQuestion, LessonParam, Passage, PlotData,
    Setting, Text,
};

/// One lesson. A lesson with errors still opens and lists them in [`Self::findings`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// Position in the list of contents: 20.
    pub number: u32,
    /// Stable name: `bind-pose`. Prefixed by the name of its course if that has one:
    /// `hands.squash`.
    pub slug: String,
    /// Name of the folder: `020-bind-pose`.
    pub folder: String,
    /// Title from the front matter.
    pub title: String,
    /// One sentence from the front matter. Empty if there is none.
    pub about: String,
    /// Planned minutes for a class.
    pub minutes: u32,
    /// Slugs of lessons that should come first.
    pub needs: Vec<String>,
    /// Id of the rig on the stage: the name of a built-in rig, `own`, or the id of a file
    /// for [`super::LessonSet::file`]. A step can change it, see [`Self::rig_at`].
    pub rig: String,
    /// Parameters the lesson adds to those of the rig.
    pub params: Vec<LessonParam>,
    /// Parameters of the rig that follow formulas.
    pub drive: Vec<Drive>,
    /// Blocks before the first step, shown above it.
    pub intro: Vec<LessonBlock>,
    /// Cells on the stage in every step.
    pub stage: Vec<Cell>,
    /// The steps: at least one, unless the lesson has errors.
    pub steps: Vec<LessonStep>,
    /// Teacher's notes, from `notes.md`.
    pub notes: Vec<LessonBlock>,
    pub inventory: Inventory,
    /// All errors found in the lesson.
    pub findings: Vec<Diagnostic>,
}

impl Lesson {
    /// Returns the name of the lesson in addresses of a site and in names of files.
    pub fn site_folder(&self) -> &str {
        site_folder(&self.folder)
    }

    /// Whether this is the name of the folder, or the name in addresses of a site.
    pub fn has_folder(&self, name: &str) -> bool {
        self.folder == name || self.site_folder() == name
    }
}

/// A `##` heading with the text below it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LessonStep {
    pub title: String,
    /// Name made from the heading: `two-plus-two`. Unique in the lesson.
    pub slug: String,
    /// Id of the rig from this step on, like [`Lesson::rig`]. `None` to keep the rig of
    /// the previous step.
    pub rig: Option<String>,
    /// Settings applied when the step opens.
    pub set: Vec<Setting>,
    /// Prose and cells in order.
    pub blocks: Vec<LessonBlock>,
    /// Cells added to the stage.
    pub stage: Vec<Cell>,
    /// Ids of stage cells hidden in this step.
    pub hide: Vec<String>,
    /// Whether the step keeps the reader's changes from the previous step.
    pub carry: bool,
    /// Parameters and cells that the demonstration of the step drags. For `None`, see
    /// `notebook::demonstration`.
    pub drag: Option<Vec<String>>,
    /// Parameters and cells to watch during the demonstration.
    pub watch: Option<Vec<String>>,
    /// Parameter that oscillates around its value once the exercises of the step are
    /// solved, until the reader changes something.
    pub sways: Option<String>,
    /// Subject of the step, if that is not its pictures. They can then be smaller.
    pub subject: Option<StepSubject>,
    /// Former names of the step, `lesson/step`, so that old links and stored progress
    /// still lead to it.
    pub was: Vec<String>,
}

keyed! {
    /// Subject of a step that is not about its pictures.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum StepSubject {
        /// A program, a shader or the bytes of a file.
        Code = "code",
        /// Rows of numbers, such as weights or a tree of nodes.
        Table = "table",
    }
}

/// A parameter of the rig that follows a formula: `bend = "k * 45deg"`.
#[derive(Clone, Debug, PartialEq)]
pub struct Drive {
    /// Name of the driven parameter.
    pub param: String,
    /// Formula of its value; radians for angles.
    pub formula: Expr,
}

impl Lesson {
    /// Returns the formula that drives a parameter of the rig, if there is one.
    pub fn drive_of(&self, param: &str) -> Option<&Expr> {
        let drive = self.drive.iter().find(|drive| drive.param == param)?;
        Some(&drive.formula)
    }

    /// Returns the id of the rig at a step.
    pub fn rig_at(&self, step: usize) -> &str {
        let step = self.steps.get(self.rig_begins_at(step));
        step.and_then(|step| step.rig.as_deref()).unwrap_or(&self.rig)
    }

    /// Index of the first step with the rig of the given step. A change of the rig resets
    /// the page, so settings of steps before it no longer apply.
    pub fn rig_begins_at(&self, step: usize) -> usize {
        let end = (step + 1).min(self.steps.len());
        self.steps[..end].iter().rposition(|step| step.rig.is_some()).unwrap_or(0)
    }

    /// The cells on the stage at a step, in order: those of the lesson that the step does
    /// not hide, then those that the step adds.
    pub fn on_stage(&self, step: usize) -> impl Iterator<Item = &Cell> + use<'_> {
        let step = self.steps.get(step);
        let added = step.into_iter().flat_map(|step| &step.stage);
        self.stage
            .iter()
            .filter(move |cell| step.is_none_or(|step| !step.hide.contains(&cell.id)))
            .chain(added)
    }

    /// All cells in the order of the text.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        let before = self.stage.iter().chain(cells_in(&self.intro));
        before.chain(self.steps.iter().flat_map(LessonStep::cells))
    }

    /// Ids of the model files of the lesson, for [`super::LessonSet::file`].
    pub fn file_ids(&self) -> impl Iterator<Item = &str> {
        let of_steps = self.steps.iter().filter_map(|step| step.rig.as_deref());
        std::iter::once(self.rig.as_str()).chain(of_steps).filter(|rig| is_file(rig))
    }

    /// Names of the files that its cells show, tables of numbers and pictures, relative to
    /// the folder of the lesson.
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

    /// Like [`Self::cells`], for filling in the contents of other files.
    pub(super) fn cells_mut(&mut self) -> impl Iterator<Item = &mut Cell> {
        let steps = self.steps.iter_mut();
        let of_steps =
            steps.flat_map(|step| step.stage.iter_mut().chain(cells_in_mut(&mut step.blocks)));
        let before = self.stage.iter_mut().chain(cells_in_mut(&mut self.intro));
        before.chain(of_steps)
    }

    /// Names of the model files: as written by the author, `hand.glb`, until the lesson
    /// becomes part of a set, then ids for [`super::LessonSet::file`].
    pub(super) fn file_ids_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let of_steps = self.steps.iter_mut().filter_map(|step| step.rig.as_mut());
        std::iter::once(&mut self.rig).chain(of_steps).filter(|rig| is_file(rig))
    }
}

impl LessonStep {
    /// The cells that the step adds to the stage, then those in its prose.
    pub fn cells(&self) -> impl Iterator<Item = &Cell> {
        self.stage.iter().chain(cells_in(&self.blocks))
    }

    /// Whether a doctor cell of the step lists all findings about the model.
    pub fn has_all_findings(&self) -> bool {
        self.cells().any(|cell| matches!(&cell.kind, CellKind::Doctor(doctor) if !doctor.brief))
    }
}

/// Whether a rig is the name or id of a file, such as `hand.glb`. Names of built-in rigs
/// contain no point.
pub fn is_file(rig: &str) -> bool {
    rig.contains('.')
}

/// File name extensions of models.
pub const MODEL_EXTENSIONS: [&str; 3] = ["glb", "gltf", "ezm"];

/// Whether a file is a model, judged by its extension.
pub fn is_model(file: &str) -> bool {
    let ending = file.rsplit_once('.').map_or("", |(_, ending)| ending);
    MODEL_EXTENSIONS.iter().any(|one| ending.eq_ignore_ascii_case(one))
}

/// The cells among the given blocks.
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

/// A block of prose or a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum LessonBlock {
    /// `###` and below; `##` begins a step.
    Heading {
        /// Level 3 to 6.
        level: u8,
        inlines: Vec<Inline>,
    },
    Paragraph(Vec<Inline>),
    /// A bulleted or numbered list.
    List {
        /// Number of the first item. `None` for bullets.
        first: Option<u64>,
        items: Vec<Vec<Self>>,
    },
    Quote(Vec<Self>),
    /// A table. All rows have as many cells as the header.
    Table {
        header: Vec<Vec<Inline>>,
        /// Whether each column is aligned to the right.
        right: Vec<bool>,
        rows: Vec<Vec<Vec<Inline>>>,
    },
    Code {
        /// `glsl`, `rust`, `json`, `text`, ….
        language: String,
        /// Name of a listing that is a whole program, which a test runs. Unique among all
        /// lessons.
        name: Option<String>,
        /// The code without its last newline.
        text: String,
    },
    /// A displayed formula in LaTeX.
    Math(String),
    Rule,
    Cell(Box<Cell>),
    /// A fenced block with an error, which is shown in its place. Index into
    /// [`Lesson::findings`].
    Broken(usize),
}

/// An entry of the glossary.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    /// Name in links: `inverse-bind-matrix`.
    pub slug: String,
    /// Heading: `inverse bind matrix`.
    pub title: String,
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
    /// Converts the text to blocks.
    pub fn blocks(&self) -> Vec<LessonBlock> {
        self.passages.iter().map(LessonBlock::from).collect()
    }
}

impl InventoryQuestion {
    /// Name of the rig for the figure and the values of the question.
    pub fn rig_in<'a>(&'a self, lesson: &'a Lesson) -> &'a str {
        self.rig.as_deref().unwrap_or(&lesson.rig)
    }
}

/// Rejects a formula that cannot drive a parameter because it would form a loop: one that
/// depends on the pose, which depends on the formula, or on another driven parameter.
pub(crate) fn check_drive(formula: &Expr, driven: &[&str]) -> Result<(), Diagnostic> {
    if let Some((function, column)) = formula.posed_function() {
        let title = format!("`{function}` follows from the pose, which this formula makes");
        let help = "write a formula of parameters, numbers and what is stored";
        let error = Diagnostic::said("LOOP", title).help(help);
        return Err(error.at(Place::Character(column)));
    }
    if let Some((name, column)) =
        formula.names().into_iter().find(|(name, _)| driven.contains(name))
    {
        let title = format!("`{name}` is driven by a formula itself");
        let help = format!("write the formula of {name} in its place");
        let error = Diagnostic::said("LOOP", title).help(help);
        return Err(error.at(Place::Character(column)));
    }
    Ok(())
}
