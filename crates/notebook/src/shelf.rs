//! The shelf: a row under the stage with an angle, the weights of one vertex and one matrix
//! of the open step. Decides what they are, what the step shows itself, and what an open
//! exercise asks for, so that the shelf must not show it yet.

use bindpose_gltf::{Param, ParamKind, Rig};
use bindpose_lesson::{
    AskCell, Cell, CellKind, CheckCell, DataEdit, Expr, JointRef, Lesson, LinkTarget, MatrixRef,
    Setting, Text,
};
use bindpose_skin::JointIndex;

use super::demonstration::targets;
use super::exercise::is_solved;
use super::exercise_cells::{Exercise, cells_at, exercises_at};
use super::progress::StepRecord;
use super::shown_cells::{has_slider, shows_chosen_vertex, shows_joint_matrix};
use super::{Derived, Document, is_same_joint};

/// Name in `hide` with which a step has no shelf.
pub const SHELF: &str = "shelf";

/// Contents of the shelf at a step.
#[derive(Clone, Debug)]
pub struct Shelf<'a> {
    pub joint: JointIndex,
    /// Angles that rotate the joint. None if the step has a slider for one of them.
    pub angles: Vec<&'a Param>,
    /// Whether the step has a slider for an angle of the joint.
    has_own_slider: bool,
    /// `None` if the model has no weights.
    pub vertex: Option<u32>,
    /// Kind of the matrix, as that of the chosen joint: the joint matrix, or the inverse bind
    /// matrix where the step edits it.
    pub matrix_of_chosen: MatrixRef,
}

/// A set of parts of the shelf.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShelfParts {
    pub angle: bool,
    pub weights: bool,
    pub matrix: bool,
}

/// A part of the shelf.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShelfPart {
    Angle,
    Weights,
    Matrix,
}

/// A number that the shelf shows.
#[derive(Clone, Debug, PartialEq)]
pub struct ShelfNumber {
    pub part: ShelfPart,
    /// Description within a sentence: `the weight of joint 1 on v482`.
    pub name: String,
    /// Value as displayed: angles in degrees.
    pub value: f64,
    pub decimals: usize,
}

impl ShelfParts {
    pub const ALL: Self = Self { angle: true, weights: true, matrix: true };

    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self {
            angle: self.angle || other.angle,
            weights: self.weights || other.weights,
            matrix: self.matrix || other.matrix,
        }
    }

    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self {
            angle: self.angle && !other.angle,
            weights: self.weights && !other.weights,
            matrix: self.matrix && !other.matrix,
        }
    }

    pub fn contains(self, part: ShelfPart) -> bool {
        match part {
            ShelfPart::Angle => self.angle,
            ShelfPart::Weights => self.weights,
            ShelfPart::Matrix => self.matrix,
        }
    }

    pub fn is_empty(self) -> bool {
        self == Self::default()
    }
}

/// Returns true if a step has a shelf: if its rig has joints, and it neither hides the shelf
/// nor is an ending.
pub fn has_shelf(lesson: &Lesson, step: usize, rig: &Rig) -> bool {
    let hides_shelf =
        lesson.steps.get(step).is_some_and(|step| step.hide.iter().any(|id| id == SHELF));
    !hides_shelf
        && !rig.skeleton.joints().is_empty()
        && !cells_at(lesson, step).any(|cell| matches!(cell.kind, CellKind::Learnt(_)))
}

/// Vertex that the shelf shows, if the model has weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShelfVertex {
    /// The chosen vertex.
    Chosen(u32),
    /// No vertex is chosen. [`super::shown_cells::shared_vertex`] finds one.
    Shared,
}

/// Returns the vertex of the shelf at the open step.
pub fn shelf_vertex(lesson: &Lesson, document: &Document) -> ShelfVertex {
    if shows_chosen_vertex(cells_at(lesson, document.step), document) {
        ShelfVertex::Chosen(document.state.vertex)
    } else {
        ShelfVertex::Shared
    }
}

impl<'a> Shelf<'a> {
    /// Returns the contents of the shelf for the chosen joint and this vertex.
    pub fn new(
        lesson: &Lesson,
        document: &Document,
        derived: &'a Derived,
        vertex: Option<u32>,
    ) -> Self {
        let rig = &derived.rig;
        let joint = document.state.joint;
        let is_on_slider = |param: &Param| {
            cells_at(lesson, document.step).any(|cell| match &cell.kind {
                CellKind::Angles(angles) => has_slider(angles, &param.name, true),
                _ => false,
            })
        };
        let mut angles: Vec<&Param> = rig
            .angles()
            .filter(|param| param.kind.joint() == Some(joint) && is_hinge(param.kind))
            .collect();
        let has_own_slider = angles.iter().any(|param| is_on_slider(param));
        if has_own_slider {
            angles.clear();
        }
        let of_chosen = MatrixRef::JointFromBind(JointRef::Chosen);
        let shows_inverse_bind = edits_inverse_bind(lesson, document.step, joint, rig)
            && !shows_joint_matrix(
                cells_at(lesson, document.step),
                &of_chosen,
                joint,
                document,
                derived,
            );
        let matrix_of_chosen =
            if shows_inverse_bind { of_chosen } else { MatrixRef::WorldFromBind(JointRef::Chosen) };
        let is_bound = |&vertex: &u32| (vertex as usize) < derived.influences.len();
        let vertex = vertex.filter(is_bound);
        Self { joint, angles, has_own_slider, vertex, matrix_of_chosen }
    }

    /// Returns the parts for which the joint has an angle, and the model weights.
    pub fn parts(&self) -> ShelfParts {
        ShelfParts {
            angle: self.has_own_slider || !self.angles.is_empty(),
            weights: self.vertex.is_some(),
            matrix: true,
        }
    }

    /// Returns the parts that need not be shown, because the cells show them.
    pub fn shown_by(&self, cells: &[&Cell], document: &Document, derived: &Derived) -> ShelfParts {
        let has_weights = |vertex: u32| {
            cells.iter().any(|cell| match &cell.kind {
                CellKind::Weights(cell) => {
                    cell.vertices.is_empty() || cell.vertices.contains(&vertex)
                }
                _ => false,
            })
        };
        ShelfParts {
            angle: self.has_own_slider,
            weights: self.vertex.is_some_and(has_weights),
            matrix: shows_joint_matrix(
                cells.iter().copied(),
                &self.matrix_of_chosen,
                self.joint,
                document,
                derived,
            ),
        }
    }

    /// Returns the parts that the open exercises of the step ask for.
    pub fn asked_at(
        &self,
        lesson: &Lesson,
        document: &Document,
        derived: &Derived,
        record: Option<&StepRecord>,
    ) -> ShelfParts {
        let mut asked = ShelfParts::default();
        for (cell, exercise) in exercises_at(lesson, document.step) {
            if !is_answered(cell, exercise, document, derived, record) {
                let draw = document.draw_of(cell);
                asked = asked.union(self.asked_by(exercise, draw, &derived.rig));
            }
        }
        asked
    }

    /// Returns the parts that an exercise asks for: that its answer changes, that its formulas
    /// read, or that its text names.
    pub fn asked_by(&self, exercise: Exercise<'_>, draw: usize, rig: &Rig) -> ShelfParts {
        match exercise {
            Exercise::Diagnose(_) => ShelfParts::ALL,
            Exercise::Chain(_) => ShelfParts { matrix: true, ..ShelfParts::default() },
            Exercise::Predict(cell) => {
                let set = &cell.with(draw).set.0;
                set.iter().fold(ShelfParts::default(), |parts, setting| {
                    parts.union(self.changed_by(setting, rig))
                })
            }
            Exercise::Check(cell) => self.asked_by_check(cell.with(draw), rig),
            Exercise::Ask(cell) => self.asked_by_question(cell.with(draw)),
        }
    }

    fn asked_by_check(&self, cell: &CheckCell, rig: &Rig) -> ShelfParts {
        let mut asked = ShelfParts::default();
        for setting in &cell.solution.0 {
            asked = asked.union(self.changed_by(setting, rig));
        }
        for edit in &cell.solution_edits.0 {
            asked = asked.union(self.edited_by(edit, rig));
        }
        for condition in cell.conditions.iter().filter(|condition| condition.secret) {
            asked = asked.union(self.read_by(&condition.goal));
        }
        asked
    }

    fn asked_by_question(&self, cell: &AskCell) -> ShelfParts {
        let mut asked = self.named_in(&cell.ask);
        for choice in &cell.choices {
            asked = asked.union(self.named_in(&choice.text));
            if let Some(when) = &choice.when {
                asked = asked.union(self.read_by(when));
            }
        }
        if let Some(number) = &cell.number {
            asked = asked.union(self.read_by(number));
        }
        asked.matrix |= !cell.order.is_empty();
        asked
    }

    /// Returns the part with which a reader could set the same.
    fn changed_by(&self, setting: &Setting, rig: &Rig) -> ShelfParts {
        match setting {
            Setting::Param(name, _) => {
                let angle = name == "all" || self.angles.iter().any(|param| param.name == *name);
                ShelfParts { angle, ..ShelfParts::default() }
            }
            Setting::Data(edit) => self.edited_by(edit, rig),
            _ => ShelfParts::default(),
        }
    }

    /// Returns the part with which a reader could make the same edit.
    fn edited_by(&self, edit: &DataEdit, rig: &Rig) -> ShelfParts {
        ShelfParts {
            angle: false,
            weights: match edit {
                DataEdit::Weights(vertex, _) | DataEdit::Joints(vertex, _) => {
                    self.vertex == Some(*vertex)
                }
                _ => false,
            },
            matrix: match edit {
                DataEdit::InverseBind(joint, _) => is_same_joint(joint, &self.joint.into(), rig),
                _ => false,
            },
        }
    }

    /// Returns the parts whose numbers a formula reads.
    fn read_by(&self, formula: &Expr) -> ShelfParts {
        let reads_any =
            |names: &[&str]| names.iter().any(|name| formula.source.contains(&format!("{name}(")));
        let params = formula.names();
        ShelfParts {
            angle: params
                .iter()
                .any(|(name, _)| *name == "all" || self.angles.iter().any(|own| own.name == *name)),
            weights: reads_any(&["weight", "sum"]),
            matrix: reads_any(&[
                "world_from_bind",
                "mesh_node_from_bind",
                "joint_from_bind",
                "world_from_joint",
                "skin_matrix",
            ]),
        }
    }

    /// Returns the parts that a text names.
    fn named_in(&self, text: &Text) -> ShelfParts {
        let words = text.words().to_lowercase();
        let names_any = |names: &[&str]| names.iter().any(|name| words.contains(name));
        ShelfParts {
            angle: names_any(&["angle", "°", "degree"])
                || self.angles.iter().any(|param| words.contains(&param.label.to_lowercase())),
            weights: names_any(&["weight", "share"]),
            matrix: names_any(&["matri", "column", "row", "inverse", "diagonal"]),
        }
    }

    /// Returns the numbers of the parts, as displayed.
    pub fn numbers(&self, parts: ShelfParts, derived: &Derived) -> Vec<ShelfNumber> {
        let mut numbers = Vec::new();
        if parts.angle {
            for param in &self.angles {
                let angle_rad = derived.param(&param.name).unwrap_or(param.default);
                numbers.push(ShelfNumber {
                    part: ShelfPart::Angle,
                    name: format!("the angle `{}`", param.label),
                    value: angle_rad.to_degrees(),
                    decimals: 1,
                });
            }
        }
        let vertex = self.vertex.filter(|_| parts.weights);
        if let Some(influences) = vertex.and_then(|vertex| derived.influences.get(vertex as usize))
        {
            for (_, joint, weight) in influences.used() {
                let vertex = vertex.unwrap_or_default();
                numbers.push(ShelfNumber {
                    part: ShelfPart::Weights,
                    name: format!("the weight of joint {} on v{vertex}", joint.0),
                    value: f64::from(weight),
                    decimals: 2,
                });
            }
        }
        let matrices = match self.matrix_of_chosen {
            MatrixRef::JointFromBind(_) => &derived.joints.used_joint_from_bind,
            _ => &derived.joints.world_from_bind,
        };
        if let Some(matrix) = matrices.get(self.joint.index()).filter(|_| parts.matrix) {
            for row in 0..3 {
                for column in 0..4 {
                    let (row_number, column_number) = (row + 1, column + 1);
                    numbers.push(ShelfNumber {
                        part: ShelfPart::Matrix,
                        name: format!(
                            "row {row_number}, column {column_number} of the matrix of joint {}",
                            self.joint.0
                        ),
                        value: f64::from(matrix.col(column)[row]),
                        decimals: 2,
                    });
                }
            }
        }
        numbers
    }
}

fn is_hinge(kind: ParamKind) -> bool {
    matches!(kind, ParamKind::Angle { .. })
}

/// Returns true if the step sets an inverse bind matrix of the joint, by its settings, a link
/// or the solution of an exercise.
fn edits_inverse_bind(lesson: &Lesson, step: usize, joint: JointIndex, rig: &Rig) -> bool {
    let is_of_joint = |edit: &DataEdit| match edit {
        DataEdit::InverseBind(name, _) => is_same_joint(name, &joint.into(), rig),
        _ => false,
    };
    let sets_it = |setting: &Setting| match setting {
        Setting::Data(edit) => is_of_joint(edit),
        _ => false,
    };
    let Some(here) = lesson.steps.get(step) else {
        return false;
    };
    here.set.iter().any(sets_it)
        || targets(&here.blocks).into_iter().any(|target| match target {
            LinkTarget::Set(settings) => settings.iter().any(sets_it),
            _ => false,
        })
        || exercises_at(lesson, step).any(|(_, exercise)| match exercise {
            Exercise::Check(cell) => {
                let cell = cell.with(0);
                cell.solution.0.iter().any(sets_it) || cell.solution_edits.0.iter().any(is_of_joint)
            }
            _ => false,
        })
}

/// Returns true if the reader has answered an exercise, rightly or wrongly, or has solved it.
fn is_answered(
    cell: &str,
    exercise: Exercise<'_>,
    document: &Document,
    derived: &Derived,
    record: Option<&StepRecord>,
) -> bool {
    let draw = document.draw_of(cell);
    let recorded = record.and_then(|record| record.answer(cell, draw));
    let state = &document.state;
    recorded.is_some_and(|answer| answer.solved || answer.shown)
        || state.answers.get(cell).is_some_and(|answer| answer.given)
        || state.predictions.get(cell).is_some_and(|guess| guess.revealed)
        || matches!(exercise, Exercise::Check(check) if is_solved(check.with(draw), derived))
}
