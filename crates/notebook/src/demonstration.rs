//! What a step asks to drag, and what it asks to watch meanwhile: what must be in sight
//! together; all that it lets a reader change; and where the links of its prose lead.

use bindpose_asset::Rig;
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, DataEdit, Inline, JointName, JointRef, Lesson, LessonBlock,
    LessonStep, LinkTarget, LinkWhen, MatrixCell, MatrixRef, Setting, open_texts,
};

use super::exercise_cells::cells_at;
use super::{FADE, TIME, is_same_joint};

/// Something on the page by its name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DemonstratedPart {
    /// A parameter: its slider, or its number in the prose.
    Param(String),
    /// A cell by its id.
    Cell(String),
    /// The row of a vertex in a table of weights.
    Vertex(u32),
    /// The bytes of the file, and their values.
    Bytes,
}

/// What belongs together at a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demonstration {
    /// What is dragged.
    pub drag: Vec<DemonstratedPart>,
    /// What is watched while it is, beside the pictures, which always are.
    pub watch: Vec<DemonstratedPart>,
}

impl Demonstration {
    /// As the step declares it. What it does not declare: it asks to drag what
    /// its prose has as numbers to drag and what solves its exercise, and to
    /// watch the plots, microscopes and histograms of the stage and the cells whose
    /// numbers its prose shows. `rig` stands on the stage there.
    pub fn at(lesson: &Lesson, step: usize, rig: &Rig) -> Self {
        let Some(here) = lesson.steps.get(step) else {
            return Self::default();
        };
        let cells: Vec<&Cell> = cells_at(lesson, step).collect();
        let named = |names: &Vec<String>| names.iter().map(|name| part(name, &cells)).collect();
        let drag = here.drag.as_ref().map(named);
        let watch = here.watch.as_ref().map(named);
        Self {
            drag: drag.unwrap_or_else(|| usual_drag(here, &cells, rig)),
            watch: watch.unwrap_or_else(|| usual_watch(here, lesson, &cells, rig)),
        }
    }
}

fn part(name: &str, cells: &[&Cell]) -> DemonstratedPart {
    if cells.iter().any(|cell| cell.id == name) {
        DemonstratedPart::Cell(name.to_owned())
    } else {
        DemonstratedPart::Param(name.to_owned())
    }
}

fn usual_drag(step: &LessonStep, cells: &[&Cell], rig: &Rig) -> Vec<DemonstratedPart> {
    let mut drag = Vec::new();
    for target in targets(&step.blocks) {
        if let LinkTarget::Param(name, _) = target {
            drag.push(DemonstratedPart::Param(name.clone()));
        }
    }
    for cell in cells {
        let CellKind::Check(check) = &cell.kind else {
            continue;
        };
        // Draws differ in their numbers alone.
        let check = check.with(0);
        for setting in &check.solution.0 {
            if let Setting::Param(name, _) = setting {
                drag.push(DemonstratedPart::Param(name.clone()));
            }
        }
        let in_settings = check.solution.0.iter().filter_map(|setting| match setting {
            Setting::Data(edit) => Some(edit),
            _ => None,
        });
        for edit in check.solution_edits.0.iter().chain(in_settings) {
            let row = match edit {
                DataEdit::Weights(vertex, _) => Some(DemonstratedPart::Vertex(*vertex)),
                DataEdit::Bytes { .. } => Some(DemonstratedPart::Bytes),
                _ => None,
            };
            if let Some(row) = row {
                drag.push(row);
                continue;
            }
            let editor = cells.iter().find(|cell| edits(&cell.kind, edit, rig));
            drag.extend(editor.map(|cell| DemonstratedPart::Cell(cell.id.clone())));
        }
    }
    drag.sort();
    drag.dedup();
    drag
}

/// Can such an edit be made in this cell?
fn edits(kind: &CellKind, edit: &DataEdit, rig: &Rig) -> bool {
    match (kind, edit) {
        (CellKind::Matrix(cell), DataEdit::InverseBind(joint, _)) => {
            shows_inverse_bind(cell, joint, rig)
        }
        (CellKind::Texture(_), DataEdit::Texel(..)) => true,
        _ => false,
    }
}

/// Does the cell show the inverse bind matrix of the joint, or that of the chosen one?
pub fn shows_inverse_bind(cell: &MatrixCell, joint: &JointName, rig: &Rig) -> bool {
    cell.show.iter().any(|shown| match shown {
        MatrixRef::JointFromBind(JointRef::Named(shown)) => is_same_joint(shown, joint, rig),
        MatrixRef::JointFromBind(JointRef::Chosen) => true,
        _ => false,
    })
}

/// The figures of the stage that follow what is dragged, and the cells whose
/// numbers the prose shows.
fn usual_watch(
    step: &LessonStep,
    lesson: &Lesson,
    cells: &[&Cell],
    rig: &Rig,
) -> Vec<DemonstratedPart> {
    let on_stage = |cell: &&&Cell| {
        let mut staged = lesson.stage.iter().chain(&step.stage);
        staged.any(|other| other.id == cell.id)
    };
    let values: Vec<&str> = targets(&step.blocks)
        .into_iter()
        .filter_map(|target| match target {
            LinkTarget::Value(expr, _, LinkWhen::Always | LinkWhen::Now) => {
                Some(expr.source.as_str())
            }
            _ => None,
        })
        .collect();
    let names = |word: &str| values.iter().any(|source| source.contains(word));
    let is_same = |a: &JointName, b: &JointName| is_same_joint(a, b, rig);
    let reads = |shown: &MatrixRef| {
        let mut values = values.iter();
        values.any(|source| shown.is_read_by(source, &is_same))
    };
    let shown = cells.iter().filter(on_stage).filter(|cell| match &cell.kind {
        CellKind::Matrix(matrix) => matrix.show.iter().any(reads),
        CellKind::Weights(_) => names("weight(") || names("sum("),
        CellKind::Plot(_) | CellKind::Vertex(_) | CellKind::Histogram(_) => true,
        _ => false,
    });
    shown.map(|cell| DemonstratedPart::Cell(cell.id.clone())).collect()
}

/// The parameters that a step lets a reader change as they like: by sliders, numbers in
/// its prose, plots and timelines; not what links and stops put. Their names, where `rig`
/// stands on the page; some may come twice.
pub fn offered_params<'a>(lesson: &'a Lesson, step: usize, rig: &'a Rig) -> Vec<&'a str> {
    let intro = if step == 0 { &*lesson.intro } else { &[] };
    let own = lesson.steps.get(step);
    let own = own.map_or(&[][..], |step| &step.blocks);
    let in_prose = [intro, own].into_iter().flat_map(targets);
    let mut offered: Vec<&str> = in_prose
        .filter_map(|target| match target {
            LinkTarget::Param(name, _) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    for cell in cells_at(lesson, step) {
        match &cell.kind {
            CellKind::Angles(angles) => {
                if angles.params.is_empty() || angles.search {
                    let all = rig.angles().chain(rig.morphs());
                    offered.extend(all.map(|param| param.name.as_str()));
                }
                offered.extend(angles.params.iter().map(String::as_str));
                if angles.all {
                    offered.push("all");
                }
            }
            CellKind::Timeline(_) => offered.extend([TIME, FADE]),
            CellKind::Plot(plot) => offered.push(&plot.sweep),
            CellKind::Budget(BudgetCell { limit, others, .. }) => {
                offered.push(limit.as_deref().unwrap_or("vec4s"));
                offered.extend(others.iter().map(String::as_str));
            }
            _ => {}
        }
    }
    if offered.contains(&"all") {
        offered.extend(rig.angles().map(|param| param.name.as_str()));
    }
    offered
}

// What the links of the prose lead to.

/// The targets of all links of the prose, in order.
pub fn targets(blocks: &[LessonBlock]) -> Vec<&LinkTarget> {
    blocks.iter().flat_map(of_block).collect()
}

/// The targets of the links in one block, in order.
pub fn of_block(block: &LessonBlock) -> Vec<&LinkTarget> {
    match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
            of_inlines(inlines)
        }
        LessonBlock::List { items, .. } => items.iter().flat_map(|item| targets(item)).collect(),
        LessonBlock::Quote(blocks) => targets(blocks),
        LessonBlock::Table { header, rows, .. } => {
            header.iter().chain(rows.iter().flatten()).flat_map(|cell| of_inlines(cell)).collect()
        }
        LessonBlock::Cell(cell) => {
            open_texts(&cell.kind).flat_map(|text| text.inlines()).flat_map(of_inlines).collect()
        }
        LessonBlock::Code { .. }
        | LessonBlock::Math(_)
        | LessonBlock::Rule
        | LessonBlock::Broken(_) => Vec::new(),
    }
}

fn of_inlines(inlines: &[Inline]) -> Vec<&LinkTarget> {
    let links = inlines.iter().filter_map(|inline| match inline {
        Inline::Link { target, .. } => Some(target),
        _ => None,
    });
    links.collect()
}
