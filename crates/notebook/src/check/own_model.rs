//! Lessons for the reader's own model name what every model has: joint 0, vertex 0,
//! the parameters of the lesson and `all`; no clip, and no byte of a file.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{DataEdit, Expr, JointName, NamedThing, OutlinePlace};
use bindpose_skin::JointIndex;

use super::checker::Checker;

/// The code of what not every model has.
const OWN_MODEL: &str = "OWN_MODEL";

impl Checker<'_> {
    /// Says so, and answers true, where a lesson for any model names this parameter.
    pub(super) fn not_in_all_models(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        name: &str,
    ) -> bool {
        let own = self.lesson.params.iter().any(|param| param.name == name);
        let wrong = self.own_model && !own && name != "all";
        if wrong {
            self.no_model_has(place, at, &format!("parameter `{name}`"));
        }
        wrong
    }

    /// As [`Self::not_in_all_models`], of a joint. No name is one that every model has.
    pub(super) fn not_joint_of_all(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        joint: &JointName,
    ) -> bool {
        let what = match joint {
            JointName::Index(JointIndex(0)) => return false,
            JointName::Index(joint) => format!("joint {}", joint.0),
            JointName::Name(name) => format!("joint `{name}`"),
        };
        if self.own_model {
            self.no_model_has(place, at, &what);
        }
        self.own_model
    }

    /// As [`Self::not_in_all_models`], of a vertex.
    pub(super) fn not_vertex_of_all(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        vertex: u32,
    ) -> bool {
        let wrong = self.own_model && vertex > 0;
        if wrong {
            self.no_model_has(place, at, &format!("vertex {vertex}"));
        }
        wrong
    }

    /// As [`Self::not_in_all_models`], of an edit of data.
    pub(super) fn not_data_of_all(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        edit: &DataEdit,
    ) -> bool {
        match edit {
            DataEdit::Weights(vertex, _) => self.not_vertex_of_all(place, at, *vertex),
            DataEdit::Joints(vertex, joints) => {
                let mut joints = joints.iter();
                self.not_vertex_of_all(place, at, *vertex)
                    || joints.any(|joint| self.not_joint_of_all(place, at, joint))
            }
            DataEdit::InverseBind(joint, _)
            | DataEdit::Texel(joint, ..)
            | DataEdit::Turn(joint, _)
            | DataEdit::Shift(joint, _) => self.not_joint_of_all(place, at, joint),
            DataEdit::Bytes { .. } => {
                let wrong = self.own_model;
                if wrong {
                    self.no_model_has(place, at, "bytes that could be told");
                }
                wrong
            }
        }
    }

    /// As [`Self::not_in_all_models`], of everything that a formula names.
    pub(super) fn not_formula_of_all(
        &mut self,
        place: OutlinePlace,
        at: LineColumn,
        expr: &Expr,
    ) -> bool {
        self.own_model
            && expr.named().into_iter().any(|named| match named {
                NamedThing::Param(name) => self.not_in_all_models(place, at, &name),
                NamedThing::Vertex(vertex) => self.not_vertex_of_all(place, at, vertex),
                NamedThing::Joint(joint) => {
                    self.not_joint_of_all(place, at, &JointIndex(joint).into())
                }
                NamedThing::JointNamed(name) => {
                    self.not_joint_of_all(place, at, &JointName::Name(name))
                }
            })
    }

    /// Says that a lesson for any model names something that not all have.
    pub(super) fn no_model_has(&mut self, place: OutlinePlace, at: LineColumn, what: &str) {
        let title = format!("not every model has {what}");
        let help = "rig = \"own\" stands for any model: name joint 0, vertex 0, `all` and the \
                    lesson’s own parameters, or choose a rig";
        self.error_in(place, at, Diagnostic::said(OWN_MODEL, title).help(help));
    }
}
