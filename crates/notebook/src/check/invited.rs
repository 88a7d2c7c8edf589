//! What a step invites its reader to change, by its words and by what stands on
//! its stage: settings to choose among, parameters to drag, data to edit. Joints
//! dragged in a picture, and tables that nothing points to, are not counted.

use bindpose_asset::Rig;
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, DataEdit, Lesson, LessonStep, LinkTarget, MatrixRef, Setting,
    StagesCell, WeightsCell,
};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};

use crate::demonstration::{DemonstratedPart, Demonstration, targets};
use crate::exercise::solution;
use crate::exercise_cells::cells_at;
use crate::matrix::joint_of;
use crate::{Derived, Document, Edit, FADE, TIME};

/// A table that lists every vertex of a large mesh invites to edit the chosen one.
const FEW_VERTICES: usize = 64;

/// What there is to change at a step.
#[derive(Debug, Default)]
pub(super) struct Invited {
    /// Names of parameters, each once.
    pub(super) params: Vec<String>,
    /// Everything else, one change at a time.
    pub(super) edits: Vec<Edit>,
}

impl Invited {
    /// By the step of that index; the introduction stands above the first.
    pub(super) fn at(lesson: &Lesson, step: usize, start: &Document, derived: &Derived) -> Self {
        let mut invited = Self::default();
        let Some(here) = lesson.steps.get(step) else {
            return invited;
        };
        let cells: Vec<&Cell> = cells_at(lesson, step).collect();
        invited.by_words(lesson, step, here);
        for cell in &cells {
            invited.by_cell(cell, start, derived);
        }
        for part in Demonstration::at(lesson, step, &derived.rig).drag {
            match part {
                DemonstratedPart::Param(name) => invited.params.push(name),
                DemonstratedPart::Vertex(vertex) => invited.weights(vertex, derived),
                DemonstratedPart::Bytes => {}
                DemonstratedPart::Cell(id) => {
                    if let Some(cell) = cells.iter().find(|cell| cell.id == id) {
                        invited.by_editor(&cell.kind, start, derived);
                    }
                }
            }
        }
        invited.params.sort_unstable();
        invited.params.dedup();
        invited
    }

    fn by_words(&mut self, lesson: &Lesson, step: usize, here: &LessonStep) {
        let intro = if step == 0 { &*lesson.intro } else { &[] };
        for target in [intro, &here.blocks].into_iter().flat_map(targets) {
            match target {
                LinkTarget::Param(name, _) => self.params.push(name.clone()),
                LinkTarget::Set(settings) => self.edits.push(Edit::Settings(settings.clone())),
                _ => {}
            }
        }
    }

    fn by_cell(&mut self, cell: &Cell, start: &Document, derived: &Derived) {
        let rig = &derived.stored_rig;
        match &cell.kind {
            CellKind::Angles(angles) => {
                self.params.extend(sliders(&angles.params, rig));
                if angles.all {
                    self.params.push("all".to_owned());
                }
            }
            CellKind::Timeline(_) => self.params.extend([TIME, FADE].map(str::to_owned)),
            CellKind::Budget(BudgetCell { limit, others, .. }) => {
                self.params.push(limit.as_deref().unwrap_or("vec4s").to_owned());
                self.params.extend(others.clone());
            }
            CellKind::Weights(weights) if weights.sliders => {
                self.table(weights, start, derived);
            }
            CellKind::Stages(cell) => self.stages(cell, rig),
            CellKind::Stops(cell) => {
                let stops = cell.stops.iter().map(|stop| stop.set.0.clone());
                self.edits.extend(stops.map(Edit::Settings));
            }
            CellKind::Check(cell) => {
                let draws = cell.iter().map(|draw| solution(&draw.cell));
                self.edits.extend(draws);
            }
            CellKind::Predict(cell) => {
                let draws = cell.iter().map(|draw| draw.cell.set.0.clone());
                self.edits.extend(draws.map(Edit::Settings));
            }
            _ => {}
        }
    }

    /// A cell that the step names as something to drag.
    fn by_editor(&mut self, kind: &CellKind, start: &Document, derived: &Derived) {
        match kind {
            CellKind::Weights(weights) => self.table(weights, start, derived),
            CellKind::Plot(plot) if !plot.sweep.is_empty() => {
                self.params.push(plot.sweep.clone());
            }
            CellKind::Matrix(matrix) => {
                for shown in &matrix.show {
                    if let MatrixRef::JointFromBind(joint) = shown
                        && let Ok(joint) = joint_of(joint, start, &derived.rig)
                    {
                        self.inverse_bind(joint, derived);
                    }
                }
            }
            _ => {}
        }
    }

    fn stages(&mut self, cell: &StagesCell, rig: &Rig) {
        let mut settings: Vec<Setting> = SkinStage::ALL.map(Setting::Stage).into();
        if !cell.stage_only {
            settings.extend(InverseBind::ALL.map(Setting::InverseBind));
        }
        if cell.through {
            let joints = (0..rig.skeleton.joints().len().min(8) as u16).map(JointIndex);
            settings.extend(joints.map(|joint| Setting::Through(Some(joint.into()))));
        }
        self.edits.extend(settings.into_iter().map(Edit::set));
    }

    fn table(&mut self, cell: &WeightsCell, start: &Document, derived: &Derived) {
        let count = derived.influences.len();
        let all = cell.vertices.is_empty();
        if all && (cell.sliders || count > FEW_VERTICES) {
            self.weights(start.state.vertex, derived);
        } else if all {
            (0..count as u32).for_each(|vertex| self.weights(vertex, derived));
        } else {
            let vertices = cell.vertices.iter();
            vertices.for_each(|&vertex| self.weights(vertex, derived));
        }
    }

    /// All to one lane or the other, and nothing at all.
    fn weights(&mut self, vertex: u32, derived: &Derived) {
        let Some(influences) = derived.influences.get(vertex as usize) else {
            return;
        };
        for lane in 0..influences.used().count().max(2) {
            for weight in [0.0, 0.3, 1.0] {
                self.edits.push(Edit::Weight { vertex, lane, weight });
            }
        }
    }

    /// Each cell of the upper three rows, farther by one.
    fn inverse_bind(&mut self, joint: JointIndex, derived: &Derived) {
        let Some(matrix) = derived.joint_from_bind.get(joint.index()) else {
            return;
        };
        let cells = matrix.to_cols_array();
        for at in (0..16).filter(|at| at % 4 != 3) {
            let mut cells = cells;
            if let Some(cell) = cells.get_mut(at) {
                *cell += 1.0;
            }
            self.edits.push(Edit::Data(DataEdit::InverseBind(joint.into(), cells)));
        }
    }
}

/// As an `angles` cell shows them.
fn sliders(named: &[String], rig: &Rig) -> Vec<String> {
    if named.is_empty() {
        let all = rig.angles().chain(rig.morphs());
        all.map(|param| param.name.clone()).collect()
    } else {
        named.to_vec()
    }
}
