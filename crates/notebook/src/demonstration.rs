//! Parts of the page that a step asks the reader to drag and to watch, which
//! must be visible together. Also all parameters that a step lets the reader
//! change, and the targets of links in its prose.

use bindpose_gltf::Rig;
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, DataEdit, Inline, JointName, JointRef, Lesson, LessonBlock,
    LessonStep, LinkTarget, LinkWhen, MatrixCell, MatrixRef, Setting, open_texts,
};

use super::exercise_cells::cells_at;
use super::{FADE_PARAM, TIME_PARAM, is_same_joint};

/// A part of the page, by name.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DemonstratedPart {
    /// A parameter: its slider, or its number in the prose.
    Param(String),
    /// A cell, by id.
    Cell(String),
    /// The row of a vertex in a table of weights.
    Vertex(u32),
    /// The bytes of the file and their values.
    Bytes,
}

/// Parts of a step that must be visible together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Demonstration {
    pub drag: Vec<DemonstratedPart>,
    /// Parts to watch during the drag. Viewports are always watched and not
    /// listed.
    pub watch: Vec<DemonstratedPart>,
}

impl Demonstration {
    /// Returns the parts that the step declares. By default, the reader drags
    /// the parameters in the prose and those that solve its exercise, and
    /// watches the plots, microscopes and histograms on the stage and the cells
    /// whose numbers the prose shows. `rig` is the rig of that step.
    pub fn at(lesson: &Lesson, step: usize, rig: &Rig) -> Self {
        let Some(here) = lesson.steps.get(step) else {
            return Self::default();
        };
        let cells: Vec<&Cell> = cells_at(lesson, step).collect();
        let drag = here.drag.as_ref().map(|names| declared_parts(names, &cells));
        let watch = here.watch.as_ref().map(|names| declared_parts(names, &cells));
        Self {
            drag: drag.unwrap_or_else(|| default_drag(here, &cells, rig)),
            watch: watch.unwrap_or_else(|| default_watch(here, lesson, &cells, rig)),
        }
    }
}

fn declared_parts(names: &[String], cells: &[&Cell]) -> Vec<DemonstratedPart> {
    names
        .iter()
        .map(|name| {
            if cells.iter().any(|cell| cell.id == *name) {
                DemonstratedPart::Cell(name.clone())
            } else {
                DemonstratedPart::Param(name.clone())
            }
        })
        .collect()
}

fn default_drag(step: &LessonStep, cells: &[&Cell], rig: &Rig) -> Vec<DemonstratedPart> {
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
        // Variants differ only in their numbers.
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
            let editor = cells.iter().find(|cell| can_edit(&cell.kind, edit, rig));
            drag.extend(editor.map(|cell| DemonstratedPart::Cell(cell.id.clone())));
        }
    }
    drag.sort();
    drag.dedup();
    drag
}

/// Returns true if this cell can make such an edit.
fn can_edit(kind: &CellKind, edit: &DataEdit, rig: &Rig) -> bool {
    match (kind, edit) {
        (CellKind::Matrix(cell), DataEdit::InverseBind(joint, _)) => {
            shows_inverse_bind(cell, joint, rig)
        }
        (CellKind::Texture(_), DataEdit::Texel(..)) => true,
        _ => false,
    }
}

/// Returns true if the cell shows the inverse bind matrix of this joint or of
/// the selected one.
pub fn shows_inverse_bind(cell: &MatrixCell, joint: &JointName, rig: &Rig) -> bool {
    cell.show.iter().any(|shown| match shown {
        MatrixRef::JointFromBind(JointRef::Named(shown)) => is_same_joint(shown, joint, rig),
        MatrixRef::JointFromBind(JointRef::Chosen) => true,
        _ => false,
    })
}

/// Returns the figures on the stage that follow a drag, and the cells whose
/// numbers the prose shows.
fn default_watch(
    step: &LessonStep,
    lesson: &Lesson,
    cells: &[&Cell],
    rig: &Rig,
) -> Vec<DemonstratedPart> {
    let values: Vec<&str> = targets(&step.blocks)
        .into_iter()
        .filter_map(|target| match target {
            LinkTarget::Value(expr, _, LinkWhen::Always | LinkWhen::Now) => {
                Some(expr.source.as_str())
            }
            _ => None,
        })
        .collect();
    let mut watch = Vec::new();
    for cell in cells {
        let is_on_stage = lesson.stage.iter().chain(&step.stage).any(|staged| staged.id == cell.id);
        if !is_on_stage {
            continue;
        }
        let is_watched = match &cell.kind {
            CellKind::Matrix(matrix) => matrix.show.iter().any(|shown| {
                values.iter().any(|source| {
                    shown.is_read_by(source, &|a: &JointName, b: &JointName| {
                        is_same_joint(a, b, rig)
                    })
                })
            }),
            CellKind::Weights(_) => {
                values.iter().any(|source| source.contains("weight(") || source.contains("sum("))
            }
            CellKind::Plot(_) | CellKind::Vertex(_) | CellKind::Histogram(_) => true,
            _ => false,
        };
        if is_watched {
            watch.push(DemonstratedPart::Cell(cell.id.clone()));
        }
    }
    watch
}

/// Returns the names of parameters that the reader can change freely at a step:
/// by sliders, numbers in the prose, plots and timelines, but not by links and
/// stops. `rig` is the rig of that step. Names may repeat.
pub fn offered_params<'a>(lesson: &'a Lesson, step: usize, rig: &'a Rig) -> Vec<&'a str> {
    let intro = if step == 0 { &*lesson.intro } else { &[] };
    let own = lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
    let mut offered: Vec<&str> = targets(intro)
        .into_iter()
        .chain(targets(own))
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
            CellKind::Timeline(_) => offered.extend([TIME_PARAM, FADE_PARAM]),
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

// Targets of links in the prose.

/// Returns the targets of all links in the prose, in order.
pub fn targets(blocks: &[LessonBlock]) -> Vec<&LinkTarget> {
    blocks.iter().flat_map(targets_of_block).collect()
}

/// Returns the targets of the links in one block, in order.
pub fn targets_of_block(block: &LessonBlock) -> Vec<&LinkTarget> {
    match block {
        LessonBlock::Heading { inlines, .. } | LessonBlock::Paragraph(inlines) => {
            targets_in_inlines(inlines)
        }
        LessonBlock::List { items, .. } => items.iter().flat_map(|item| targets(item)).collect(),
        LessonBlock::Quote(blocks) => targets(blocks),
        LessonBlock::Table { header, rows, .. } => header
            .iter()
            .chain(rows.iter().flatten())
            .flat_map(|cell| targets_in_inlines(cell))
            .collect(),
        LessonBlock::Cell(cell) => open_texts(&cell.kind)
            .flat_map(|text| text.inlines())
            .flat_map(targets_in_inlines)
            .collect(),
        LessonBlock::Code { .. }
        | LessonBlock::Math(_)
        | LessonBlock::Rule
        | LessonBlock::Broken(_) => Vec::new(),
    }
}

fn targets_in_inlines(inlines: &[Inline]) -> Vec<&LinkTarget> {
    inlines
        .iter()
        .filter_map(|inline| match inline {
            Inline::Link { target, .. } => Some(target),
            _ => None,
        })
        .collect()
}
