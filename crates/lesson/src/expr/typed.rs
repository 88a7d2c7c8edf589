//! A formula worked out with types: numbers, vectors, quaternions and matrices.

use std::collections::BTreeMap;

use bindpose_skin::JointIndex;

use super::arguments::Arguments;
use super::arithmetic::{binary, negated};
use super::error::EvalError;
use super::eval::{Call, Values};
use super::functions::{FormulaFunction, MatrixKind, TypedFunction};
use super::rig_calls::matrix_of;
use super::seam::Seams;
use super::tree::{FormulaNode, Member};
use super::value::{FormulaValue, Vector3, VectorKind};

/// What one evaluation may take, each operation, name and number counted: some
/// milliseconds, in a browser too.
pub(super) const MOST_OPERATIONS: u32 = 50_000;

/// One evaluation, of a formula or of all of a program.
pub(super) struct Evaluator<'n, 'v> {
    values: &'v dyn Values,
    /// What a program has put into names.
    pub(super) variables: BTreeMap<&'n str, FormulaValue>,
    /// What was looked up, since a page may have thousands.
    params: BTreeMap<&'n str, Option<f64>>,
    joints: BTreeMap<&'n str, Option<JointIndex>>,
    pub(super) seams: Seams,
    operations: u32,
    /// Where the statement begins that is worked on; of a formula 1.
    pub(super) statement: usize,
    /// What the global transform of a joint takes, where it is not known already.
    world_operations: u32,
}

impl<'n, 'v> Evaluator<'n, 'v> {
    pub(super) fn new(values: &'v dyn Values, world_operations: u32) -> Self {
        Self {
            values,
            variables: BTreeMap::new(),
            params: BTreeMap::new(),
            joints: BTreeMap::new(),
            seams: Seams::default(),
            operations: 0,
            statement: 1,
            world_operations,
        }
    }

    /// Counts what is about to be done.
    pub(super) fn spend(&mut self, operations: u32) -> Result<(), EvalError> {
        self.operations = self.operations.saturating_add(operations);
        if self.operations > MOST_OPERATIONS {
            let (most, column) = (MOST_OPERATIONS, self.statement);
            return Err(EvalError::TooMuchWork { most, column });
        }
        Ok(())
    }

    /// Finite. The parser bounds the depth of the tree, so that this recursion is safe.
    pub(super) fn value(&mut self, node: &'n FormulaNode) -> Result<FormulaValue, EvalError> {
        self.spend(1)?;
        let (value, column) = match node {
            FormulaNode::Number(number) | FormulaNode::Angle(number) => {
                return Ok(FormulaValue::Number(*number));
            }
            FormulaNode::Pi => return Ok(FormulaValue::Number(std::f64::consts::PI)),
            FormulaNode::Vertex(vertex) => return Ok(FormulaValue::Number(f64::from(*vertex))),
            FormulaNode::Name { name, column } => (self.named(name, *column)?, *column),
            FormulaNode::Joint { name, column } => (self.joint(name, *column)?, *column),
            FormulaNode::Negate(inner) => return Ok(negated(self.value(inner)?)),
            FormulaNode::Binary(operator, left, right, column) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                let value = binary(*operator, left, right, *column, &mut self.seams)?;
                (value, *column)
            }
            FormulaNode::Member(inner, member, column) => {
                (part(self.value(inner)?, *member, *column)?, *column)
            }
            FormulaNode::Call { function, arguments, column } => {
                (self.call(*function, arguments, *column)?, *column)
            }
        };
        if value.is_finite() { Ok(value) } else { Err(EvalError::NotFiniteAt { column }) }
    }

    /// A number, for what takes nothing else.
    pub(super) fn number(
        &mut self,
        node: &'n FormulaNode,
        column: usize,
    ) -> Result<f64, EvalError> {
        match self.value(node)? {
            FormulaValue::Number(number) => Ok(number),
            other => Err(EvalError::WrongType {
                expected: "a number".to_owned(),
                found: other.type_name().to_owned(),
                help: "take a part of it, such as p.x".to_owned(),
                column,
            }),
        }
    }

    /// A variable, or a parameter of the page.
    fn named(&mut self, name: &'n str, column: usize) -> Result<FormulaValue, EvalError> {
        if let Some(value) = self.variables.get(name) {
            return Ok(*value);
        }
        match self.param(name) {
            Some(value) => Ok(FormulaValue::Number(value)),
            None => Err(EvalError::UnknownParam { name: name.to_owned(), column }),
        }
    }

    pub(super) fn param(&mut self, name: &'n str) -> Option<f64> {
        let values = self.values;
        *self.params.entry(name).or_insert_with(|| values.param(name))
    }

    fn joint(&mut self, name: &'n str, column: usize) -> Result<FormulaValue, EvalError> {
        let values = self.values;
        let known = self.joints.entry(name);
        match known.or_insert_with(|| values.joint_named(name)) {
            Some(joint) => Ok(FormulaValue::Number(f64::from(joint.0))),
            None => Err(EvalError::UnknownJoint { name: name.to_owned(), column }),
        }
    }

    /// What stands where a joint is asked for: a name may be its own.
    pub(super) fn joint_argument(
        &mut self,
        node: &'n FormulaNode,
    ) -> Result<FormulaValue, EvalError> {
        match node {
            FormulaNode::Name { name, column } if !self.variables.contains_key(&**name) => {
                let is_joint = self.joint(name, *column).is_ok() || self.param(name).is_none();
                if is_joint {
                    return self.joint(name, *column);
                }
                self.value(node)
            }
            _ => self.value(node),
        }
    }

    fn call(
        &mut self,
        function: FormulaFunction,
        arguments: &'n [FormulaNode],
        column: usize,
    ) -> Result<FormulaValue, EvalError> {
        if let (FormulaFunction::If, [condition, yes, no]) = (function, arguments) {
            return self.choice(condition, yes, no, column);
        }
        let mut found = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            found.push(if function.takes_joint(index) {
                self.joint_argument(argument)?
            } else {
                self.value(argument)?
            });
        }
        let arguments = Arguments { values: self.values, found: &found, column };
        match (function, &*found) {
            (FormulaFunction::Typed(function), _) => {
                if matches!(function, TypedFunction::OfRig(of_rig) if of_rig.reads_world()) {
                    self.spend(self.world_operations)?;
                }
                arguments.value(function, &mut self.seams)
            }
            (FormulaFunction::Matrix(kind), [_]) => {
                if matches!(kind, MatrixKind::WorldFromJoint | MatrixKind::WorldFromBind) {
                    self.spend(self.world_operations)?;
                }
                matrix_of(&arguments, kind).map(FormulaValue::Mat4)
            }
            (FormulaFunction::Determinant, [FormulaValue::Mat4(matrix)]) => {
                Ok(FormulaValue::Number(glam::DMat3::from_mat4(matrix.mat).determinant()))
            }
            (FormulaFunction::Distance, [FormulaValue::Vec3(_), _]) => {
                arguments.distance(&mut self.seams)
            }
            _ => {
                let numbers = arguments.numbers()?;
                let call = Call { arguments: &numbers, column, values: self.values };
                call.value(function).map(FormulaValue::Number)
            }
        }
    }

    /// What is not chosen must make sense, but its numbers need not.
    fn choice(
        &mut self,
        condition: &'n FormulaNode,
        yes: &'n FormulaNode,
        no: &'n FormulaNode,
        column: usize,
    ) -> Result<FormulaValue, EvalError> {
        let holds = self.number(condition, column)? != 0.0;
        let (yes, no) = (self.value(yes), self.value(no));
        let (chosen, other) = if holds { (yes, no) } else { (no, yes) };
        match other {
            Err(error) if !error.is_of_numbers() => Err(error),
            _ => chosen,
        }
    }
}

fn part(value: FormulaValue, member: Member, column: usize) -> Result<FormulaValue, EvalError> {
    let found = match (member, value) {
        (Member::Part(index @ 0..3), FormulaValue::Vec3(vector)) => Some(vector.xyz[index]),
        (Member::Part(index), FormulaValue::Vec4(vector)) => Some(vector.xyzw[index % 4]),
        (Member::Part(index), FormulaValue::Quat(quat)) => Some(quat.to_array()[index % 4]),
        (Member::Xyz, FormulaValue::Vec4(vector)) => {
            let kind = match vector.xyzw.w {
                1.0 => VectorKind::Point,
                0.0 => VectorKind::Direction,
                _ => VectorKind::Plain,
            };
            return Ok(FormulaValue::Vec3(Vector3 {
                xyz: vector.xyzw.truncate(),
                kind,
                frame: vector.frame,
            }));
        }
        (Member::Xyz, FormulaValue::Vec3(_)) => return Ok(value),
        _ => None,
    };
    let help = match value {
        FormulaValue::Mat4(_) => "write cell(m, row, column), or column(m, k) and a part of that",
        FormulaValue::Number(_) => "leave the point and what follows out",
        _ => "a vec3 has .x, .y and .z; .w is of four numbers, as of vec4(p, 1)",
    };
    found.map(FormulaValue::Number).ok_or_else(|| EvalError::WrongType {
        expected: "a vector or a quaternion that has this part".to_owned(),
        found: value.type_name().to_owned(),
        help: help.to_owned(),
        column,
    })
}
