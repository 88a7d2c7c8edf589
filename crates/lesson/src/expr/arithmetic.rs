//! Operators between values of all types, as mathematics has them.

use bindpose_skin::{CoordinateFrame, JointIndex};
use glam::{DMat4, DQuat, DVec3};

use super::error::EvalError;
use super::eval::{Call, Operator, Values};
use super::functions::{MatrixKind, OfRig};
use super::value::{FormulaValue, Matrix, SeamKind, Seams, Vector3, Vector4, VectorKind};

/// `left operator right`; the column is the operator's.
pub(super) fn binary(
    operator: Operator,
    left: FormulaValue,
    right: FormulaValue,
    column: usize,
    seams: &mut Seams,
) -> Result<FormulaValue, EvalError> {
    if let (FormulaValue::Number(left), FormulaValue::Number(right)) = (left, right) {
        if operator == Operator::Divide && right == 0.0 {
            return Err(EvalError::DivisionByZero { column });
        }
        return Ok(FormulaValue::Number(operator.value(left, right)));
    }
    let at = OperandPlace { column, seams };
    let value = match operator {
        Operator::Add => at.sum(left, right, 1.0),
        Operator::Subtract => at.sum(left, right, -1.0),
        Operator::Multiply => at.product(left, right),
        Operator::Divide => match right {
            FormulaValue::Number(0.0) => return Err(EvalError::DivisionByZero { column }),
            FormulaValue::Number(number) => Some(scaled(left, 1.0 / number)),
            _ => None,
        },
        Operator::Equal => at.equality(left, right).map(truth),
        Operator::NotEqual => at.equality(left, right).map(|equal| truth(!equal)),
        Operator::Power
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual => None,
    };
    value.ok_or_else(|| wrong_types(operator, left, right, column))
}

/// With the other sign; of a quaternion, all four numbers.
pub(super) fn negated(value: FormulaValue) -> FormulaValue {
    scaled(value, -1.0)
}

/// Every number of it times a factor.
pub(super) fn scaled(value: FormulaValue, factor: f64) -> FormulaValue {
    match value {
        FormulaValue::Number(number) => FormulaValue::Number(number * factor),
        FormulaValue::Vec3(vector) => {
            FormulaValue::Vec3(Vector3 { xyz: vector.xyz * factor, ..vector })
        }
        FormulaValue::Vec4(vector) => {
            FormulaValue::Vec4(Vector4 { xyzw: vector.xyzw * factor, ..vector })
        }
        FormulaValue::Quat(quat) => FormulaValue::Quat(quat * factor),
        FormulaValue::Mat4(matrix) => {
            FormulaValue::Mat4(Matrix { mat: matrix.mat * factor, ..matrix })
        }
    }
}

fn truth(holds: bool) -> FormulaValue {
    FormulaValue::Number(f64::from(u8::from(holds)))
}

struct OperandPlace<'a> {
    column: usize,
    seams: &'a mut Seams,
}

impl OperandPlace<'_> {
    fn meet(
        &mut self,
        kind: SeamKind,
        left: Option<CoordinateFrame>,
        right: Option<CoordinateFrame>,
    ) -> Option<CoordinateFrame> {
        self.seams.meet(self.column, kind, left, right);
        match (left, right) {
            (Some(left), Some(right)) => (left == right).then_some(left),
            _ => left.or(right),
        }
    }

    /// `left + sign * right`; `None`: these cannot be added.
    fn sum(mut self, left: FormulaValue, right: FormulaValue, sign: f64) -> Option<FormulaValue> {
        Some(match (left, right) {
            (FormulaValue::Vec3(left), FormulaValue::Vec3(right)) => FormulaValue::Vec3(Vector3 {
                xyz: left.xyz + right.xyz * sign,
                kind: kind_of_sum(left.kind, right.kind, sign < 0.0),
                frame: self.meet(SeamKind::Together, left.frame, right.frame),
            }),
            (FormulaValue::Vec4(left), FormulaValue::Vec4(right)) => FormulaValue::Vec4(Vector4 {
                xyzw: left.xyzw + right.xyzw * sign,
                frame: self.meet(SeamKind::Together, left.frame, right.frame),
            }),
            (FormulaValue::Quat(left), FormulaValue::Quat(right)) => {
                FormulaValue::Quat(left + right * sign)
            }
            (FormulaValue::Mat4(left), FormulaValue::Mat4(right)) => FormulaValue::Mat4(Matrix {
                mat: left.mat + right.mat * sign,
                to: self.meet(SeamKind::To, left.to, right.to),
                from: self.meet(SeamKind::From, left.from, right.from),
            }),
            _ => return None,
        })
    }

    /// `None`: these cannot be multiplied in this order.
    fn product(mut self, left: FormulaValue, right: FormulaValue) -> Option<FormulaValue> {
        Some(match (left, right) {
            (FormulaValue::Number(factor), other) | (other, FormulaValue::Number(factor)) => {
                scaled(other, factor)
            }
            (FormulaValue::Mat4(left), FormulaValue::Mat4(right)) => {
                self.meet(SeamKind::Product, left.from, right.to);
                FormulaValue::Mat4(Matrix {
                    mat: left.mat * right.mat,
                    to: if left.is_within_a_frame() { right.to } else { left.to },
                    from: if right.is_within_a_frame() { left.from } else { right.from },
                })
            }
            (FormulaValue::Mat4(matrix), FormulaValue::Vec4(vector)) => {
                FormulaValue::Vec4(Vector4 {
                    xyzw: matrix.mat * vector.xyzw,
                    frame: self.moved_into(&matrix, vector.frame),
                })
            }
            (FormulaValue::Mat4(matrix), FormulaValue::Vec3(vector)) => {
                FormulaValue::Vec3(Vector3 {
                    xyz: (matrix.mat * vector.xyz.extend(vector.w()?)).truncate(),
                    frame: self.moved_into(&matrix, vector.frame),
                    ..vector
                })
            }
            (FormulaValue::Quat(left), FormulaValue::Quat(right)) => {
                FormulaValue::Quat(left * right)
            }
            (FormulaValue::Quat(quat), FormulaValue::Vec3(vector)) => FormulaValue::Vec3(Vector3 {
                xyz: rotated(quat, vector.xyz.extend(0.0)).truncate(),
                ..vector
            }),
            _ => return None,
        })
    }

    fn moved_into(
        &mut self,
        matrix: &Matrix,
        frame: Option<CoordinateFrame>,
    ) -> Option<CoordinateFrame> {
        self.meet(SeamKind::Product, matrix.from, frame);
        if matrix.is_within_a_frame() { frame } else { matrix.to }
    }

    /// Within a millionth, number by number; `None`: of different types.
    fn equality(mut self, left: FormulaValue, right: FormulaValue) -> Option<bool> {
        if std::mem::discriminant(&left) != std::mem::discriminant(&right) {
            return None;
        }
        self.meet(SeamKind::Together, single_frame(left), single_frame(right));
        let pairs = left.numbers().into_iter().zip(right.numbers());
        Some(pairs.into_iter().all(|(left, right)| Operator::Equal.value(left, right) != 0.0))
    }
}

fn single_frame(value: FormulaValue) -> Option<CoordinateFrame> {
    match value {
        FormulaValue::Vec3(vector) => vector.frame,
        FormulaValue::Vec4(vector) => vector.frame,
        FormulaValue::Number(_) | FormulaValue::Quat(_) | FormulaValue::Mat4(_) => None,
    }
}

/// Two points, one taken from the other, leave a direction; added, as of a weighted
/// sum, a point.
fn kind_of_sum(left: VectorKind, right: VectorKind, subtracted: bool) -> VectorKind {
    use VectorKind::{Direction, Plain, Point};
    match (left, right) {
        (Point, Point) if subtracted => Direction,
        (Plain, other) | (other, Plain) => other,
        (Point, _) | (_, Point) => Point,
        (Direction, Direction) => Direction,
    }
}

/// `q v q⁻¹`, without asking for unit length.
pub(super) fn rotated(quat: DQuat, vector: glam::DVec4) -> glam::DVec4 {
    let length = quat.length_squared();
    let turned = quat * DQuat::from_vec4(vector) * quat.conjugate();
    glam::DVec4::from(turned) / length
}

fn wrong_types(
    operator: Operator,
    left: FormulaValue,
    right: FormulaValue,
    column: usize,
) -> EvalError {
    let found = format!("{} and {}", left.type_name(), right.type_name());
    let (expected, help) = match (operator, left, right) {
        (Operator::Multiply, FormulaValue::Mat4(_), FormulaValue::Vec3(_)) => (
            "a matrix and a point, a direction or a vec4",
            "write point(x, y, z) or direction(x, y, z), or give it a w: vec4(p, 1)",
        ),
        (
            Operator::Multiply,
            FormulaValue::Vec3(_) | FormulaValue::Vec4(_),
            FormulaValue::Mat4(_),
        ) => ("the matrix on the left", "vectors are columns here: write the matrix first, M * p"),
        (Operator::Multiply, FormulaValue::Vec3(_), FormulaValue::Vec3(_)) => {
            ("a number or a matrix on the left", "write dot(a, b) or cross(a, b)")
        }
        (Operator::Multiply, ..) => (
            "a number with anything, a matrix with a matrix or a vector, or quaternions",
            "write mat4(q) for the matrix of a quaternion",
        ),
        (Operator::Add | Operator::Subtract, ..) => (
            "two values of one type",
            "write what is meant: M * p moves a point, translate(x, y, z) is a shift as a matrix",
        ),
        (Operator::Divide, _, FormulaValue::Mat4(_)) => {
            ("a number after /", "write inverse(M) * … or … * inverse(M): the side matters")
        }
        (Operator::Divide, ..) => ("a number after /", "write inverse(…) where one is meant"),
        (Operator::Equal | Operator::NotEqual, ..) => {
            ("two values of one type", "compare parts, such as p.x")
        }
        _ => ("two numbers", "compare parts, or length(…)"),
    };
    EvalError::WrongType { expected: expected.to_owned(), found, help: help.to_owned(), column }
}

/// A matrix whose determinant is this small, beside its numbers, has no inverse that
/// means anything.
const SINGULAR: f64 = 1e-12;

/// `None` where there is none.
pub(super) fn inverse_of(mat: DMat4) -> Option<DMat4> {
    let size: f64 = mat
        .to_cols_array_2d()
        .iter()
        .map(|column| column.iter().map(|number| number * number).sum::<f64>().sqrt())
        .product();
    let determinant = mat.determinant();
    if !determinant.is_finite() || determinant.abs() <= SINGULAR * size {
        return None;
    }
    let inverse = mat.inverse();
    inverse.is_finite().then_some(inverse)
}

// What the rig gives to formulas: its matrices and points, with their frames.

impl OfRig {
    /// Does it need the global transform of a joint?
    pub(super) fn reads_world(self) -> bool {
        matches!(self, Self::MeshNodeFromBind)
    }
}

/// A matrix of the joint that the first argument names, with its frames.
pub(super) fn matrix_of(arguments: &Arguments<'_>, kind: MatrixKind) -> Result<Matrix, EvalError> {
    let joint = arguments.joint()?;
    let mat = arguments.joint_matrix(kind, joint)?;
    let own = Some(CoordinateFrame::Joint(joint));
    let (to, from) = match kind {
        MatrixKind::ParentFromJoint => {
            let parent = arguments.values.parent(joint);
            (Some(parent.map_or(CoordinateFrame::World, CoordinateFrame::Joint)), own)
        }
        MatrixKind::WorldFromJoint => (Some(CoordinateFrame::World), own),
        MatrixKind::JointFromBind | MatrixKind::StoredJointFromBind => {
            (own, Some(CoordinateFrame::Bind))
        }
        MatrixKind::WorldFromBind => (Some(CoordinateFrame::World), Some(CoordinateFrame::Bind)),
    };
    Ok(Matrix { mat, to, from })
}

/// A function with its arguments.
pub(super) fn rig_call_value(
    arguments: &Arguments<'_>,
    function: OfRig,
) -> Result<FormulaValue, EvalError> {
    let values = arguments.values;
    Ok(match function {
        OfRig::Bind => bind_from_joint(arguments)?,
        OfRig::Parent => {
            let joint = arguments.joint()?;
            let parent = values
                .parent(joint)
                .ok_or(EvalError::NoParent { joint: joint.index(), column: arguments.column })?;
            FormulaValue::Number(f64::from(parent.0))
        }
        OfRig::HasParent => {
            let has = values.parent(arguments.joint()?).is_some();
            FormulaValue::Number(f64::from(u8::from(has)))
        }
        OfRig::MeshNodeFromBind => {
            let world_from_bind =
                arguments.joint_matrix(MatrixKind::WorldFromBind, arguments.joint()?)?;
            let mesh_node_from_world = arguments.inverse(world_from_mesh_node(arguments))?;
            between(
                mesh_node_from_world * world_from_bind,
                (CoordinateFrame::MeshNode, CoordinateFrame::Bind),
            )
        }
        OfRig::WorldFromMeshNode => between(
            world_from_mesh_node(arguments),
            (CoordinateFrame::World, CoordinateFrame::MeshNode),
        ),
        OfRig::SkinMatrix => {
            let matrix = arguments.of_vertex(|vertex| values.skin_matrix(vertex))?;
            between(matrix.as_dmat4(), (CoordinateFrame::World, CoordinateFrame::Bind))
        }
        OfRig::Skinned => {
            let position = arguments.of_vertex(|vertex| values.position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::World)
        }
        OfRig::Stored => {
            let position = arguments.of_vertex(|vertex| values.bind_position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::Bind)
        }
    })
}

fn bind_from_joint(arguments: &Arguments<'_>) -> Result<FormulaValue, EvalError> {
    let joint = arguments.joint()?;
    let stored = arguments.joint_matrix(MatrixKind::StoredJointFromBind, joint)?;
    let frames = (CoordinateFrame::Bind, CoordinateFrame::Joint(joint));
    Ok(between(arguments.inverse(stored)?, frames))
}

fn world_from_mesh_node(arguments: &Arguments<'_>) -> DMat4 {
    let known = arguments.values.world_from_mesh_node();
    // What has no page has no mesh either.
    known.unwrap_or_default().as_dmat4()
}

fn between(mat: DMat4, (to, from): (CoordinateFrame, CoordinateFrame)) -> FormulaValue {
    FormulaValue::Mat4(Matrix { mat, to: Some(to), from: Some(from) })
}

fn point(xyz: DVec3, frame: CoordinateFrame) -> FormulaValue {
    FormulaValue::Vec3(Vector3 { xyz, kind: VectorKind::Point, frame: Some(frame) })
}

// The arguments of a function, each as the type that it must have.

/// A function with its arguments worked out.
pub(super) struct Arguments<'a> {
    pub(super) values: &'a dyn Values,
    pub(super) found: &'a [FormulaValue],
    pub(super) column: usize,
}

impl Arguments<'_> {
    /// Where none of them is anything but a number.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, EvalError> {
        (0..self.found.len()).map(|index| self.number(index)).collect()
    }

    fn call<'b>(&'b self, number: &'b [f64]) -> Call<'b> {
        Call { arguments: number, column: self.column, values: self.values }
    }

    pub(super) fn joint(&self) -> Result<JointIndex, EvalError> {
        self.call(&[self.number(0)?]).joint(0)
    }

    pub(super) fn joint_matrix(
        &self,
        kind: MatrixKind,
        joint: JointIndex,
    ) -> Result<DMat4, EvalError> {
        let matrix = self.values.matrix(kind, joint);
        let number = [f64::from(joint.0)];
        let matrix = matrix.ok_or_else(|| self.call(&number).no_joint(0))?;
        Ok(matrix.as_dmat4())
    }

    pub(super) fn of_vertex<T>(&self, value: impl Fn(usize) -> Option<T>) -> Result<T, EvalError> {
        self.call(&[self.number(0)?]).of_vertex(0, value)
    }

    pub(super) fn inverse(&self, mat: DMat4) -> Result<DMat4, EvalError> {
        let column = self.column;
        inverse_of(mat).ok_or(EvalError::Singular { column })
    }

    pub(super) fn rotation(&self, index: usize) -> Result<DQuat, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Quat(quat)) if quat.length_squared() > 0.0 => Ok(quat.normalize()),
            Some(FormulaValue::Quat(_)) => Err(self.no_length()),
            _ => Err(self.wrong(index, "a quaternion", "write axis_angle(axis, angle)")),
        }
    }

    pub(super) fn normalized(&self, vector: DVec3) -> Result<DVec3, EvalError> {
        vector.try_normalize().ok_or_else(|| self.no_length())
    }

    pub(super) fn no_length(&self) -> EvalError {
        let column = self.column;
        EvalError::NoLength { column }
    }

    pub(super) fn number(&self, index: usize) -> Result<f64, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Number(number)) => Ok(*number),
            _ => Err(self.wrong(index, "a number", "take a part of it, such as p.x")),
        }
    }

    pub(super) fn vec3(&self, index: usize) -> Result<Vector3, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Vec3(vector)) => Ok(*vector),
            _ => Err(self.wrong(index, "a vec3", "write vec3(x, y, z), or .xyz of a vec4")),
        }
    }

    pub(super) fn matrix(&self, index: usize) -> Result<Matrix, EvalError> {
        match self.found.get(index) {
            Some(FormulaValue::Mat4(matrix)) => Ok(*matrix),
            _ => Err(self.wrong(index, "a matrix", "write one, such as world(0)")),
        }
    }

    /// A row or a column.
    pub(super) fn place(&self, index: usize) -> Result<usize, EvalError> {
        let number = self.number(index)?;
        match number {
            0.0 | 1.0 | 2.0 | 3.0 => Ok(number as usize),
            _ => Err(self.wrong(index, "0, 1, 2 or 3", "rows and columns are counted from 0")),
        }
    }

    pub(super) fn wrong(&self, index: usize, expected: &str, help: &str) -> EvalError {
        let found = match self.found.get(index) {
            Some(FormulaValue::Number(number)) => format!("{number}"),
            Some(other) => other.type_name().to_owned(),
            None => "nothing".to_owned(),
        };
        EvalError::WrongType {
            expected: format!("{expected} as argument {}", index + 1),
            found,
            help: help.to_owned(),
            column: self.column,
        }
    }
}
