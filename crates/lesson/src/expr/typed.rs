//! The typed evaluator, for formulas with vectors, quaternions and matrices.

use std::collections::BTreeMap;

use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3, DVec4};

use super::arithmetic;
use super::arithmetic::{Arguments, binary, matrix_of, negated, scaled};
use super::error::EvalError;
use super::eval::{Call, FormulaNode, Member, Operator, Values};
use super::functions::{FormulaFunction, MatrixKind, TypedFunction};
use super::value::{FormulaValue, Matrix, SeamKind, Seams, Vector3, Vector4, VectorKind};

/// Maximum number of operations of one evaluation. Each operation, name and number counts.
/// Takes some milliseconds, in a browser too.
pub(super) const MAX_OPERATIONS: u32 = 50_000;

/// Evaluation of one formula or one program.
pub(super) struct Evaluator<'n, 'v> {
    values: &'v dyn Values,
    /// Variables of a program.
    pub(super) variables: BTreeMap<&'n str, FormulaValue>,
    /// Cached parameters, because a page may have thousands.
    params: BTreeMap<&'n str, Option<f64>>,
    /// Cached joints, for the same reason.
    joints: BTreeMap<&'n str, Option<JointIndex>>,
    pub(super) seams: Seams,
    operations: u32,
    /// Column of the current statement; 1 for a formula.
    pub(super) statement: usize,
    /// Operations to count for the world matrix of a joint that is not cached.
    operations_per_world_transform: u32,
}

impl<'n, 'v> Evaluator<'n, 'v> {
    pub(super) fn new(values: &'v dyn Values, operations_per_world_transform: u32) -> Self {
        Self {
            values,
            variables: BTreeMap::new(),
            params: BTreeMap::new(),
            joints: BTreeMap::new(),
            seams: Seams::default(),
            operations: 0,
            statement: 1,
            operations_per_world_transform,
        }
    }

    /// Counts operations. Fails when the limit is exceeded.
    pub(super) fn count_operations(&mut self, operations: u32) -> Result<(), EvalError> {
        self.operations = self.operations.saturating_add(operations);
        if self.operations > MAX_OPERATIONS {
            return Err(EvalError::TooMuchWork { most: MAX_OPERATIONS, column: self.statement });
        }
        Ok(())
    }

    /// Evaluates a node. The result is finite. Recursion is safe because the parser limits
    /// the depth of the tree.
    pub(super) fn value(&mut self, node: &'n FormulaNode) -> Result<FormulaValue, EvalError> {
        self.count_operations(1)?;
        let (value, column) = match node {
            FormulaNode::Number(number) | FormulaNode::Angle(number) => {
                return Ok(FormulaValue::Number(*number));
            }
            FormulaNode::Pi => return Ok(FormulaValue::Number(std::f64::consts::PI)),
            FormulaNode::Vertex(vertex) => return Ok(FormulaValue::Number(f64::from(*vertex))),
            FormulaNode::Name { name, column } => (self.variable_or_param(name, *column)?, *column),
            FormulaNode::Joint { name, column } => (self.joint(name, *column)?, *column),
            FormulaNode::Negate(inner) => return Ok(negated(self.value(inner)?)),
            FormulaNode::Binary(operator, left, right, column) => {
                let left = self.value(left)?;
                let right = self.value(right)?;
                let value = binary(*operator, left, right, *column, &mut self.seams)?;
                (value, *column)
            }
            FormulaNode::Member(inner, member, column) => {
                (member_value(self.value(inner)?, *member, *column)?, *column)
            }
            FormulaNode::Call { function, arguments, column } => {
                (self.call(*function, arguments, *column)?, *column)
            }
        };
        if value.is_finite() { Ok(value) } else { Err(EvalError::NotFiniteAt { column }) }
    }

    /// Evaluates a node that must be a number.
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

    /// Returns the value of a variable, or of a parameter of the page.
    fn variable_or_param(
        &mut self,
        name: &'n str,
        column: usize,
    ) -> Result<FormulaValue, EvalError> {
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

    /// Evaluates an argument that must be a joint. A bare name can be that of a joint.
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
            return self.evaluate_if(condition, yes, no, column);
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            values.push(if function.takes_joint(index) {
                self.joint_argument(argument)?
            } else {
                self.value(argument)?
            });
        }
        let arguments = Arguments { page: self.values, values: &values, column };
        match (function, &*values) {
            (FormulaFunction::Typed(function), _) => {
                if matches!(function, TypedFunction::Rig(of_rig) if of_rig.reads_world()) {
                    self.count_operations(self.operations_per_world_transform)?;
                }
                arguments.value(function, &mut self.seams)
            }
            (FormulaFunction::Matrix(kind), [_]) => {
                if matches!(kind, MatrixKind::WorldFromJoint | MatrixKind::WorldFromBind) {
                    self.count_operations(self.operations_per_world_transform)?;
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

    /// Evaluates `if`. The branch not taken must be well typed, but its value may be
    /// undefined.
    fn evaluate_if(
        &mut self,
        condition: &'n FormulaNode,
        yes: &'n FormulaNode,
        no: &'n FormulaNode,
        column: usize,
    ) -> Result<FormulaValue, EvalError> {
        let holds = self.number(condition, column)? != 0.0;
        let yes = self.value(yes);
        let no = self.value(no);
        let (chosen, other) = if holds { (yes, no) } else { (no, yes) };
        match other {
            Err(error) if !error.is_of_numbers() => Err(error),
            _ => chosen,
        }
    }
}

fn member_value(
    value: FormulaValue,
    member: Member,
    column: usize,
) -> Result<FormulaValue, EvalError> {
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

// Functions that take or return more than numbers.

impl Arguments<'_> {
    pub(super) fn value(
        &self,
        function: TypedFunction,
        seams: &mut Seams,
    ) -> Result<FormulaValue, EvalError> {
        Ok(match function {
            TypedFunction::Rig(function) => arithmetic::rig_call_value(self, function)?,
            TypedFunction::Vec3 => FormulaValue::Vec3(Vector3::plain(self.vector_from(0)?)),
            TypedFunction::Point => self.vector_of_kind(VectorKind::Point)?,
            TypedFunction::Direction => self.vector_of_kind(VectorKind::Direction)?,
            TypedFunction::Vec4 => self.vec4()?,
            TypedFunction::Quat => self.quat()?,
            TypedFunction::AxisAngle => {
                let axis = self.normalized(self.vec3(0)?.xyz)?;
                FormulaValue::Quat(DQuat::from_axis_angle(axis, self.number(1)?))
            }
            TypedFunction::Mat4 => self.mat4()?,
            TypedFunction::Identity => matrix_without_frames(DMat4::IDENTITY),
            TypedFunction::Translate => {
                matrix_without_frames(DMat4::from_translation(self.vector_from(0)?))
            }
            TypedFunction::Scale => matrix_without_frames(DMat4::from_scale(match self.values {
                [_] => DVec3::splat(self.number(0)?),
                _ => self.vector_from(0)?,
            })),
            TypedFunction::Rotate(axis) => {
                let axis = DVec3::AXES[axis % 3];
                matrix_without_frames(DMat4::from_axis_angle(axis, self.number(0)?))
            }
            TypedFunction::Inverse => self.inverse_value()?,
            TypedFunction::Transpose => matrix_without_frames(self.matrix(0)?.mat.transpose()),
            TypedFunction::Trace => {
                let mat = self.matrix(0)?.mat;
                FormulaValue::Number((0..4).map(|index| mat.col(index)[index]).sum())
            }
            TypedFunction::Cell => FormulaValue::Number(
                self.matrix(0)?.mat.col(self.matrix_index(2)?)[self.matrix_index(1)?],
            ),
            TypedFunction::Column => {
                let matrix = self.matrix(0)?;
                FormulaValue::Vec4(Vector4 {
                    xyzw: matrix.mat.col(self.matrix_index(1)?),
                    frame: matrix.to,
                })
            }
            TypedFunction::Dot => FormulaValue::Number(self.dot(seams)?),
            TypedFunction::Cross => {
                let a = self.vec3(0)?;
                let b = self.vec3(1)?;
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                FormulaValue::Vec3(Vector3 {
                    xyz: a.xyz.cross(b.xyz),
                    kind: VectorKind::Direction,
                    frame: a.frame.or(b.frame),
                })
            }
            TypedFunction::Length => FormulaValue::Number(self.length()?),
            TypedFunction::Normalize => match self.length()? {
                0.0 => return Err(self.no_length_error()),
                length => scaled(self.values[0], 1.0 / length),
            },
            TypedFunction::Mix => self.mix(seams)?,
            TypedFunction::Slerp => {
                let a = self.rotation(0)?;
                let b = self.rotation(1)?;
                FormulaValue::Quat(a.slerp(b, self.number(2)?))
            }
        })
    }

    /// Distance of two points.
    pub(super) fn distance(&self, seams: &mut Seams) -> Result<FormulaValue, EvalError> {
        let a = self.vec3(0)?;
        let b = self.vec3(1)?;
        seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
        Ok(FormulaValue::Number(a.xyz.distance(b.xyz)))
    }

    fn inverse_value(&self) -> Result<FormulaValue, EvalError> {
        match self.values.first() {
            Some(FormulaValue::Mat4(matrix)) => Ok(FormulaValue::Mat4(Matrix {
                mat: self.inverse(matrix.mat)?,
                to: matrix.from,
                from: matrix.to,
            })),
            Some(FormulaValue::Quat(quat)) => match quat.length_squared() {
                0.0 => Err(self.no_length_error()),
                square => Ok(FormulaValue::Quat(quat.conjugate() * (1.0 / square))),
            },
            _ => Err(self.type_error(0, "a matrix or a quaternion", "write 1 / a for a number")),
        }
    }

    fn vec4(&self) -> Result<FormulaValue, EvalError> {
        if let [FormulaValue::Vec3(vector), w] = self.values {
            let FormulaValue::Number(w) = w else {
                return Err(self.type_error(
                    1,
                    "a number",
                    "write 1 for a point, 0 for a direction",
                ));
            };
            return Ok(FormulaValue::Vec4(Vector4 {
                xyzw: vector.xyz.extend(*w),
                frame: vector.frame,
            }));
        }
        let xyzw = match *self.numbers()? {
            [x, y, z, w] => DVec4::new(x, y, z, w),
            _ => return Err(self.type_error(0, "a vec3", "write vec4(p, 1)")),
        };
        Ok(FormulaValue::Vec4(Vector4 { xyzw, frame: None }))
    }

    fn quat(&self) -> Result<FormulaValue, EvalError> {
        if let [FormulaValue::Mat4(matrix)] = self.values {
            self.inverse(matrix.mat)?;
            let (_, rotation, _) = matrix.mat.to_scale_rotation_translation();
            return Ok(FormulaValue::Quat(rotation));
        }
        match *self.numbers()? {
            [x, y, z, w] => Ok(FormulaValue::Quat(DQuat::from_xyzw(x, y, z, w))),
            _ => Err(self.type_error(0, "a matrix", "write quat(x, y, z, w)")),
        }
    }

    fn mat4(&self) -> Result<FormulaValue, EvalError> {
        if let [_] = self.values {
            return Ok(matrix_without_frames(DMat4::from_quat(self.rotation(0)?)));
        }
        let rows: Result<[f64; 16], _> = self.numbers()?.try_into();
        match rows {
            Ok(rows) => Ok(matrix_without_frames(DMat4::from_cols_array(&rows).transpose())),
            Err(_) => Err(self.type_error(0, "16 numbers", "write them row by row")),
        }
    }

    /// Returns three numbers from `first` on, or the coordinates of a single vec3.
    fn vector_from(&self, first: usize) -> Result<DVec3, EvalError> {
        match self.values {
            [FormulaValue::Vec3(vector)] => Ok(vector.xyz),
            [_] => Err(self.type_error(0, "a vec3", "write vec3(x, y, z)")),
            _ => Ok(DVec3::new(
                self.number(first)?,
                self.number(first + 1)?,
                self.number(first + 2)?,
            )),
        }
    }

    fn vector_of_kind(&self, kind: VectorKind) -> Result<FormulaValue, EvalError> {
        let frame = match self.values {
            [FormulaValue::Vec3(vector)] => vector.frame,
            _ => None,
        };
        let xyz = self.vector_from(0)?;
        Ok(FormulaValue::Vec3(Vector3 { xyz, kind, frame }))
    }

    fn dot(&self, seams: &mut Seams) -> Result<f64, EvalError> {
        match self.values {
            [FormulaValue::Vec4(a), FormulaValue::Vec4(b)] => {
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                Ok(a.xyzw.dot(b.xyzw))
            }
            [FormulaValue::Quat(a), FormulaValue::Quat(b)] => Ok(a.dot(*b)),
            _ => {
                let a = self.vec3(0)?;
                let b = self.vec3(1)?;
                seams.meet(self.column, SeamKind::Together, a.frame, b.frame);
                Ok(a.xyz.dot(b.xyz))
            }
        }
    }

    fn length(&self) -> Result<f64, EvalError> {
        match self.values.first() {
            Some(FormulaValue::Vec3(vector)) => Ok(vector.xyz.length()),
            Some(FormulaValue::Vec4(vector)) => Ok(vector.xyzw.length()),
            Some(FormulaValue::Quat(quat)) => Ok(quat.length()),
            _ => Err(self.type_error(0, "a vector or a quaternion", "write abs(a) for a number")),
        }
    }

    /// Linear interpolation, component by component.
    fn mix(&self, seams: &mut Seams) -> Result<FormulaValue, EvalError> {
        let amount = self.number(2)?;
        let &[a, b, _] = self.values else {
            return Err(self.type_error(0, "two values and an amount", "write mix(a, b, 0.5)"));
        };
        let a = scaled(a, 1.0 - amount);
        let b = scaled(b, amount);
        binary(Operator::Add, a, b, self.column, seams)
    }
}

/// A matrix between unknown frames.
fn matrix_without_frames(mat: DMat4) -> FormulaValue {
    FormulaValue::Mat4(Matrix::without_frames(mat))
}
