//! Operators and rig functions for values of all types.

use bindpose_skin::{CoordinateFrame, JointIndex};
use glam::{DMat4, DQuat, DVec3};

use super::error::EvalError;
use super::eval::{Call, Operator, Values};
use super::functions::{MatrixKind, RigFunction};
use super::value::{FormulaValue, Matrix, SeamKind, Seams, Vector3, Vector4, VectorKind};

/// Evaluates `left operator right`. `column` is that of the operator.
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
    let mut operands = Operands { column, seams };
    let value = match operator {
        Operator::Add => operands.sum(left, right, 1.0),
        Operator::Subtract => operands.sum(left, right, -1.0),
        Operator::Multiply => operands.product(left, right),
        Operator::Divide => match right {
            FormulaValue::Number(0.0) => return Err(EvalError::DivisionByZero { column }),
            FormulaValue::Number(number) => Some(scaled(left, 1.0 / number)),
            _ => None,
        },
        Operator::Equal => operands.equality(left, right).map(truth_value),
        Operator::NotEqual => operands.equality(left, right).map(|equal| truth_value(!equal)),
        Operator::Power
        | Operator::Less
        | Operator::LessOrEqual
        | Operator::Greater
        | Operator::GreaterOrEqual => None,
    };
    value.ok_or_else(|| wrong_types(operator, left, right, column))
}

/// Negates all components, of a quaternion too.
pub(super) fn negated(value: FormulaValue) -> FormulaValue {
    scaled(value, -1.0)
}

/// Multiplies all components by a factor.
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

fn truth_value(holds: bool) -> FormulaValue {
    FormulaValue::Number(f64::from(u8::from(holds)))
}

/// Computes binary operations and records where frames do not match.
struct Operands<'a> {
    column: usize,
    seams: &'a mut Seams,
}

impl Operands<'_> {
    /// Returns the common frame, or the known one if the other is unknown. Records a seam
    /// if they differ.
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

    /// Computes `left + sign * right`. Returns `None` if the types cannot be added.
    fn sum(&mut self, left: FormulaValue, right: FormulaValue, sign: f64) -> Option<FormulaValue> {
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

    /// Computes `left * right`. Returns `None` if the types cannot be multiplied in this
    /// order.
    fn product(&mut self, left: FormulaValue, right: FormulaValue) -> Option<FormulaValue> {
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
                    frame: self.frame_of_product(&matrix, vector.frame),
                })
            }
            (FormulaValue::Mat4(matrix), FormulaValue::Vec3(vector)) => {
                FormulaValue::Vec3(Vector3 {
                    xyz: (matrix.mat * vector.xyz.extend(vector.w()?)).truncate(),
                    frame: self.frame_of_product(&matrix, vector.frame),
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

    fn frame_of_product(
        &mut self,
        matrix: &Matrix,
        frame: Option<CoordinateFrame>,
    ) -> Option<CoordinateFrame> {
        self.meet(SeamKind::Product, matrix.from, frame);
        if matrix.is_within_a_frame() { frame } else { matrix.to }
    }

    /// Compares component by component, with a tolerance of a millionth. Returns `None` if
    /// the types differ.
    fn equality(&mut self, left: FormulaValue, right: FormulaValue) -> Option<bool> {
        if std::mem::discriminant(&left) != std::mem::discriminant(&right) {
            return None;
        }
        self.meet(SeamKind::Together, single_frame(left), single_frame(right));
        let mut pairs = left.numbers().into_iter().zip(right.numbers());
        Some(pairs.all(|(left, right)| Operator::Equal.value(left, right) != 0.0))
    }
}

fn single_frame(value: FormulaValue) -> Option<CoordinateFrame> {
    match value {
        FormulaValue::Vec3(vector) => vector.frame,
        FormulaValue::Vec4(vector) => vector.frame,
        FormulaValue::Number(_) | FormulaValue::Quat(_) | FormulaValue::Mat4(_) => None,
    }
}

/// The difference of two points is a direction. Their sum is a point, because it is usually
/// part of a weighted sum.
fn kind_of_sum(left: VectorKind, right: VectorKind, subtracted: bool) -> VectorKind {
    use VectorKind::{Direction, Plain, Point};
    match (left, right) {
        (Point, Point) if subtracted => Direction,
        (Plain, other) | (other, Plain) => other,
        (Point, _) | (_, Point) => Point,
        (Direction, Direction) => Direction,
    }
}

/// Computes `q v q⁻¹` for a quaternion of any length.
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

/// Determinant, relative to the product of the column lengths, below which a matrix counts
/// as singular.
const MIN_RELATIVE_DETERMINANT: f64 = 1e-12;

/// Returns `None` if the matrix is singular.
pub(super) fn inverse_of(mat: DMat4) -> Option<DMat4> {
    let size: f64 = mat
        .to_cols_array_2d()
        .iter()
        .map(|column| column.iter().map(|number| number * number).sum::<f64>().sqrt())
        .product();
    let determinant = mat.determinant();
    if !determinant.is_finite() || determinant.abs() <= MIN_RELATIVE_DETERMINANT * size {
        return None;
    }
    let inverse = mat.inverse();
    inverse.is_finite().then_some(inverse)
}

// Matrices and points of the rig, with their frames.

impl RigFunction {
    /// Whether the function computes the world matrix of a joint.
    pub(super) fn reads_world(self) -> bool {
        matches!(self, Self::MeshNodeFromBind)
    }
}

/// Returns a matrix of the joint in the first argument, with its frames.
pub(super) fn matrix_of(arguments: &Arguments<'_>, kind: MatrixKind) -> Result<Matrix, EvalError> {
    let joint = arguments.joint()?;
    let mat = arguments.joint_matrix(kind, joint)?;
    let own = Some(CoordinateFrame::Joint(joint));
    let (to, from) = match kind {
        MatrixKind::ParentFromJoint => {
            let parent = arguments.page.parent(joint);
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

/// Evaluates a function of the rig.
pub(super) fn rig_call_value(
    arguments: &Arguments<'_>,
    function: RigFunction,
) -> Result<FormulaValue, EvalError> {
    let page = arguments.page;
    Ok(match function {
        RigFunction::Bind => {
            let joint = arguments.joint()?;
            let stored = arguments.joint_matrix(MatrixKind::StoredJointFromBind, joint)?;
            let bind_from_joint = arguments.inverse(stored)?;
            framed(bind_from_joint, CoordinateFrame::Bind, CoordinateFrame::Joint(joint))
        }
        RigFunction::Parent => {
            let joint = arguments.joint()?;
            let parent = page
                .parent(joint)
                .ok_or(EvalError::NoParent { joint: joint.index(), column: arguments.column })?;
            FormulaValue::Number(f64::from(parent.0))
        }
        RigFunction::HasParent => {
            let has = page.parent(arguments.joint()?).is_some();
            FormulaValue::Number(f64::from(u8::from(has)))
        }
        RigFunction::MeshNodeFromBind => {
            let world_from_bind =
                arguments.joint_matrix(MatrixKind::WorldFromBind, arguments.joint()?)?;
            let mesh_node_from_world = arguments.inverse(world_from_mesh_node(arguments))?;
            framed(
                mesh_node_from_world * world_from_bind,
                CoordinateFrame::MeshNode,
                CoordinateFrame::Bind,
            )
        }
        RigFunction::WorldFromMeshNode => framed(
            world_from_mesh_node(arguments),
            CoordinateFrame::World,
            CoordinateFrame::MeshNode,
        ),
        RigFunction::SkinMatrix => {
            let matrix = arguments.vertex_value(|vertex| page.skin_matrix(vertex))?;
            framed(matrix.as_dmat4(), CoordinateFrame::World, CoordinateFrame::Bind)
        }
        RigFunction::Skinned => {
            let position = arguments.vertex_value(|vertex| page.position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::World)
        }
        RigFunction::Stored => {
            let position = arguments.vertex_value(|vertex| page.bind_position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::Bind)
        }
    })
}

/// Global transform of the node with the mesh. The identity without a page, which then has
/// no mesh either.
fn world_from_mesh_node(arguments: &Arguments<'_>) -> DMat4 {
    arguments.page.world_from_mesh_node().unwrap_or_default().as_dmat4()
}

fn framed(mat: DMat4, to: CoordinateFrame, from: CoordinateFrame) -> FormulaValue {
    FormulaValue::Mat4(Matrix { mat, to: Some(to), from: Some(from) })
}

fn point(xyz: DVec3, frame: CoordinateFrame) -> FormulaValue {
    FormulaValue::Vec3(Vector3 { xyz, kind: VectorKind::Point, frame: Some(frame) })
}

// Arguments of a function, each checked for its type.

/// The evaluated arguments of a function.
pub(super) struct Arguments<'a> {
    pub(super) page: &'a dyn Values,
    pub(super) values: &'a [FormulaValue],
    pub(super) column: usize,
}

impl Arguments<'_> {
    /// Returns the arguments as numbers. Fails if one is not a number.
    pub(super) fn numbers(&self) -> Result<Vec<f64>, EvalError> {
        (0..self.values.len()).map(|index| self.number(index)).collect()
    }

    fn call<'b>(&'b self, numbers: &'b [f64]) -> Call<'b> {
        Call { arguments: numbers, column: self.column, values: self.page }
    }

    pub(super) fn joint(&self) -> Result<JointIndex, EvalError> {
        self.call(&[self.number(0)?]).joint(0)
    }

    pub(super) fn joint_matrix(
        &self,
        kind: MatrixKind,
        joint: JointIndex,
    ) -> Result<DMat4, EvalError> {
        let number = [f64::from(joint.0)];
        let matrix =
            self.page.matrix(kind, joint).ok_or_else(|| self.call(&number).no_joint_error(0))?;
        Ok(matrix.as_dmat4())
    }

    pub(super) fn vertex_value<T>(
        &self,
        value: impl Fn(usize) -> Option<T>,
    ) -> Result<T, EvalError> {
        self.call(&[self.number(0)?]).vertex_value(0, value)
    }

    pub(super) fn inverse(&self, mat: DMat4) -> Result<DMat4, EvalError> {
        let column = self.column;
        inverse_of(mat).ok_or(EvalError::Singular { column })
    }

    pub(super) fn rotation(&self, index: usize) -> Result<DQuat, EvalError> {
        match self.values.get(index) {
            Some(FormulaValue::Quat(quat)) if quat.length_squared() > 0.0 => Ok(quat.normalize()),
            Some(FormulaValue::Quat(_)) => Err(self.no_length_error()),
            _ => Err(self.type_error(index, "a quaternion", "write axis_angle(axis, angle)")),
        }
    }

    pub(super) fn normalized(&self, vector: DVec3) -> Result<DVec3, EvalError> {
        vector.try_normalize().ok_or_else(|| self.no_length_error())
    }

    pub(super) fn no_length_error(&self) -> EvalError {
        let column = self.column;
        EvalError::NoLength { column }
    }

    pub(super) fn number(&self, index: usize) -> Result<f64, EvalError> {
        match self.values.get(index) {
            Some(FormulaValue::Number(number)) => Ok(*number),
            _ => Err(self.type_error(index, "a number", "take a part of it, such as p.x")),
        }
    }

    pub(super) fn vec3(&self, index: usize) -> Result<Vector3, EvalError> {
        match self.values.get(index) {
            Some(FormulaValue::Vec3(vector)) => Ok(*vector),
            _ => Err(self.type_error(index, "a vec3", "write vec3(x, y, z), or .xyz of a vec4")),
        }
    }

    pub(super) fn matrix(&self, index: usize) -> Result<Matrix, EvalError> {
        match self.values.get(index) {
            Some(FormulaValue::Mat4(matrix)) => Ok(*matrix),
            _ => Err(self.type_error(index, "a matrix", "write one, such as world(0)")),
        }
    }

    /// Returns the index of a row or column.
    pub(super) fn matrix_index(&self, index: usize) -> Result<usize, EvalError> {
        let number = self.number(index)?;
        match number {
            0.0 | 1.0 | 2.0 | 3.0 => Ok(number as usize),
            _ => Err(self.type_error(index, "0, 1, 2 or 3", "rows and columns are counted from 0")),
        }
    }

    /// Reports that the argument at `index` has another type than expected.
    pub(super) fn type_error(&self, index: usize, expected: &str, help: &str) -> EvalError {
        let found = match self.values.get(index) {
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
