//! Evaluation of formulas that consist only of numbers.

use bindpose_skin::{JointIndex, Surface};
use glam::{DMat3, DQuat, Mat4, Vec3};

use super::error::EvalError;
use super::functions::{FormulaFunction, MatrixKind, NumericFunction};

/// The page as formulas read it. By default, everything that depends on the pose, the mesh
/// or the joints is `None`. Whoever wraps another page must forward all methods.
pub trait Values {
    /// A parameter of the rig or the lesson; radians for angles.
    fn param(&self, name: &str) -> Option<f64>;
    /// Displayed position of a vertex, in world space.
    fn position(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// Stored position of a vertex, in bind space.
    fn bind_position(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// Displayed normal of a vertex, in world space, computed by the current method. Of
    /// unit length, or zero where the mesh has collapsed.
    fn normal(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// Stored normal of a vertex, in bind space.
    fn stored_normal(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// Weight of a joint on a vertex; 0 if the joint is not among its influences. `None`
    /// if there is no such vertex.
    fn weight(&self, _: usize, _: JointIndex) -> Option<f64> {
        None
    }
    /// Sum of the weights of a vertex, Σw.
    fn sum(&self, _: usize) -> Option<f64> {
        None
    }
    /// A matrix of a joint.
    fn matrix(&self, _: MatrixKind, _: JointIndex) -> Option<Mat4> {
        None
    }
    /// The displayed surface. `None` for a model without triangles.
    fn surface(&self) -> Option<Surface> {
        None
    }
    /// The stored surface, with morph targets applied.
    fn stored_surface(&self) -> Option<Surface> {
        None
    }
    /// The first joint of that name.
    fn joint_named(&self, _: &str) -> Option<JointIndex> {
        None
    }
    /// Number of joints of the rig. For a file, of the joints in its skins.
    fn joints(&self) -> usize;
    /// Number of rows of the palette, which also has a row for each node that moves
    /// something but is a joint of no skin.
    fn rows(&self) -> usize;
    /// Number of vertices.
    fn vertices(&self) -> usize;
    /// Number of copies of the skin that are drawn.
    fn crowd(&self) -> u32;
    /// Parent of a joint. `None` for a root or an unknown joint.
    fn parent(&self, _: JointIndex) -> Option<JointIndex> {
        None
    }
    /// Weighted sum of the joint matrices of a vertex.
    fn skin_matrix(&self, _: usize) -> Option<Mat4> {
        None
    }
    /// Global transform of the node with the mesh.
    fn world_from_mesh_node(&self) -> Option<Mat4> {
        None
    }
}

/// Evaluates a formula. The result is finite.
pub(super) fn eval(node: &FormulaNode, values: &dyn Values) -> Result<f64, EvalError> {
    let value = value_of(node, values)?;
    if value.is_finite() { Ok(value) } else { Err(EvalError::NotFinite) }
}

/// Recursion is safe because the parser limits the depth of the tree.
fn value_of(node: &FormulaNode, values: &dyn Values) -> Result<f64, EvalError> {
    Ok(match node {
        FormulaNode::Number(number) | FormulaNode::Angle(number) => *number,
        FormulaNode::Pi => std::f64::consts::PI,
        FormulaNode::Vertex(vertex) => f64::from(*vertex),
        FormulaNode::Name { name, column } => values
            .param(name)
            .ok_or_else(|| EvalError::UnknownParam { name: name.clone(), column: *column })?,
        FormulaNode::Joint { name, column } => joint_named(name, *column, values)?,
        FormulaNode::Negate(inner) => -value_of(inner, values)?,
        FormulaNode::Binary(operator, left, right, _) => {
            operator.value(value_of(left, values)?, value_of(right, values)?)
        }
        // Never reached: the parser marks such formulas for the typed evaluator.
        FormulaNode::Member(_, _, column) => return Err(EvalError::NotANumber { column: *column }),
        FormulaNode::Call { function, arguments, column } => {
            let arguments = arguments
                .iter()
                .enumerate()
                .map(|(index, argument)| match argument {
                    // Parameters of a file have the names of its joints. As the argument
                    // for a joint, the name means the joint.
                    FormulaNode::Name { name, column }
                        if function.takes_joint(index) && means_joint(name, values) =>
                    {
                        joint_named(name, *column, values)
                    }
                    _ => value_of(argument, values),
                })
                .collect::<Result<Vec<f64>, _>>()?;
            Call { arguments: &arguments, column: *column, values }.value(*function)?
        }
    })
}

/// Whether a name in place of a joint is that of a joint, and not of a parameter.
fn means_joint(name: &str, values: &dyn Values) -> bool {
    values.joint_named(name).is_some() || values.param(name).is_none()
}

/// Index of the joint of that name.
fn joint_named(name: &str, column: usize, values: &dyn Values) -> Result<f64, EvalError> {
    let joint = values.joint_named(name);
    joint.map(|joint| f64::from(joint.0)).ok_or_else(|| {
        let name = name.to_owned();
        EvalError::UnknownJoint { name, column }
    })
}

impl Operator {
    pub(super) fn value(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Power => left.powf(right),
            _ => f64::from(u8::from(self.holds(left, right))),
        }
    }

    /// Evaluates a comparison. Numbers that differ by less than a millionth of the larger,
    /// or of 1, are equal, because they are computed from 32-bit floats. Exactly one of
    /// less, equal and greater holds; with NaN only "not equal" does.
    fn holds(self, left: f64, right: f64) -> bool {
        let size = left.abs().max(right.abs()).max(1.0);
        let equal = left == right || (left - right).abs() <= 1e-6 * size;
        match self {
            Self::Less => left < right && !equal,
            Self::LessOrEqual => left < right || equal,
            Self::Greater => left > right && !equal,
            Self::GreaterOrEqual => left > right || equal,
            Self::Equal => equal,
            Self::NotEqual => !equal,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power => false,
        }
    }
}

impl NumericFunction {
    /// Missing arguments count as NaN; the parser has already counted them.
    pub(super) fn value(self, arguments: &[f64]) -> f64 {
        let a = arguments.first().copied().unwrap_or(f64::NAN);
        let b = arguments.get(1).copied().unwrap_or(f64::NAN);
        match self {
            Self::Sin => a.sin(),
            Self::Cos => a.cos(),
            Self::Tan => a.tan(),
            // Rounding can push a cosine or sine slightly beyond ±1.
            Self::Acos => a.clamp(-1.0, 1.0).acos(),
            Self::Asin => a.clamp(-1.0, 1.0).asin(),
            Self::Exp => a.exp(),
            Self::Log => a.ln(),
            Self::Atan2 => a.atan2(b),
            Self::Sqrt => a.sqrt(),
            Self::Abs => a.abs(),
            Self::Floor => a.floor(),
            Self::Min => a.min(b),
            Self::Max => a.max(b),
        }
    }
}

/// A function with its evaluated arguments.
pub(super) struct Call<'a> {
    pub(super) arguments: &'a [f64],
    pub(super) column: usize,
    pub(super) values: &'a dyn Values,
}

impl Call<'_> {
    pub(super) fn value(&self, function: FormulaFunction) -> Result<f64, EvalError> {
        let values = self.values;
        Ok(match function {
            FormulaFunction::Numeric(function) => function.value(self.arguments),
            FormulaFunction::Position(axis) => {
                coordinate(self.vertex_value(0, |v| values.position(v))?, axis)
            }
            FormulaFunction::BindPosition(axis) => {
                coordinate(self.vertex_value(0, |v| values.bind_position(v))?, axis)
            }
            FormulaFunction::Normal(axis) => {
                coordinate(self.vertex_value(0, |v| values.normal(v))?, axis)
            }
            FormulaFunction::StoredNormal(axis) => {
                coordinate(self.vertex_value(0, |v| values.stored_normal(v))?, axis)
            }
            FormulaFunction::Distance => {
                let from = self.vertex_value(0, |vertex| values.position(vertex))?;
                let to = self.vertex_value(1, |vertex| values.position(vertex))?;
                from.as_dvec3().distance(to.as_dvec3())
            }
            FormulaFunction::Sum => self.vertex_value(0, |vertex| values.sum(vertex))?,
            FormulaFunction::Weight => {
                let joint = self.joint(1)?;
                self.vertex_value(0, |vertex| values.weight(vertex, joint))?
            }
            FormulaFunction::Matrix(kind) => {
                let joint = self.joint(0)?;
                let matrix = values.matrix(kind, joint).ok_or_else(|| self.no_joint_error(0))?;
                self.matrix_cell(matrix)?
            }
            FormulaFunction::AngleBetween => {
                let from = self.orientation(0)?;
                let to = self.orientation(1)?;
                // The arc tangent is accurate where the cosine hardly changes.
                let between = from.inverse() * to;
                2.0 * between.xyz().length().atan2(between.w.abs())
            }
            FormulaFunction::Determinant => {
                let joint = self.joint(0)?;
                let matrix = values
                    .matrix(MatrixKind::WorldFromBind, joint)
                    .ok_or_else(|| self.no_joint_error(0))?;
                DMat3::from_mat4(matrix.as_dmat4()).determinant()
            }
            // The value not chosen may be infinite.
            FormulaFunction::If => {
                let condition = self.argument(0);
                if condition.is_nan() {
                    f64::NAN
                } else {
                    self.argument(if condition == 0.0 { 2 } else { 1 })
                }
            }
            FormulaFunction::Volume => self.surface_or_error(values.surface())?.volume,
            FormulaFunction::Area => self.surface_or_error(values.surface())?.area,
            FormulaFunction::MaxDisplacement => (0..values.vertices())
                .filter_map(|vertex| {
                    let from = values.bind_position(vertex)?.as_dvec3();
                    Some(values.position(vertex)?.as_dvec3().distance(from))
                })
                // Keeps a NaN, which `f64::max` would drop.
                .fold(
                    0.0,
                    |max, distance| {
                        if max >= distance || max.is_nan() { max } else { distance }
                    },
                ),
            FormulaFunction::NotFinite => {
                let mut positions =
                    (0..values.vertices()).filter_map(|vertex| values.position(vertex));
                f64::from(u8::from(positions.any(|position| !position.is_finite())))
            }
            FormulaFunction::BindVolume => self.surface_or_error(values.stored_surface())?.volume,
            FormulaFunction::BindArea => self.surface_or_error(values.stored_surface())?.area,
            FormulaFunction::Joints => values.joints() as f64,
            FormulaFunction::Rows => values.rows() as f64,
            FormulaFunction::Vertices => values.vertices() as f64,
            FormulaFunction::Crowd => f64::from(values.crowd()),
            FormulaFunction::Typed(_) => {
                return Err(EvalError::NotANumber { column: self.column });
            }
        })
    }

    /// Missing arguments count as NaN; the parser has already counted them.
    fn argument(&self, index: usize) -> f64 {
        self.arguments.get(index).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn vertex_value<T>(
        &self,
        index: usize,
        value: impl Fn(usize) -> Option<T>,
    ) -> Result<T, EvalError> {
        index_of(self.argument(index))
            .and_then(value)
            .ok_or(EvalError::NoVertex { vertex: self.argument(index), column: self.column })
    }

    fn surface_or_error(&self, surface: Option<Surface>) -> Result<Surface, EvalError> {
        let column = self.column;
        surface.ok_or(EvalError::NoSurface { column })
    }

    pub(super) fn joint(&self, index: usize) -> Result<JointIndex, EvalError> {
        index_of(self.argument(index))
            .filter(|&joint| joint < self.values.joints())
            .and_then(|joint| u16::try_from(joint).ok())
            .map(JointIndex)
            .ok_or_else(|| self.no_joint_error(index))
    }

    /// Rotation of a joint in world space, without its scale.
    fn orientation(&self, index: usize) -> Result<DQuat, EvalError> {
        let joint = self.joint(index)?;
        let matrix = self
            .values
            .matrix(MatrixKind::WorldFromJoint, joint)
            .ok_or_else(|| self.no_joint_error(index))?;
        Ok(matrix.as_dmat4().to_scale_rotation_translation().1.normalize())
    }

    pub(super) fn no_joint_error(&self, index: usize) -> EvalError {
        EvalError::NoJoint {
            joint: self.argument(index),
            joints: self.values.joints(),
            column: self.column,
        }
    }

    fn matrix_cell(&self, matrix: Mat4) -> Result<f64, EvalError> {
        let row = self.argument(1);
        let column = self.argument(2);
        match (index_of(row), index_of(column)) {
            (Some(row @ 0..4), Some(column @ 0..4)) => {
                Ok(f64::from(matrix.to_cols_array_2d()[column][row]))
            }
            _ => Err(EvalError::NoCell { row, cell_column: column, column: self.column }),
        }
    }
}

fn coordinate(point: Vec3, axis: usize) -> f64 {
    f64::from(point.to_array()[axis % 3])
}

/// Returns the number as an index, or `None` if it is negative or not whole.
fn index_of(value: f64) -> Option<usize> {
    (value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0).then_some(value as usize)
}

// The syntax tree.

/// Syntax tree of a formula. Columns are in characters from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FormulaNode {
    Number(f64),
    /// A number with a unit, in radians.
    Angle(f64),
    Pi,
    /// A vertex, written as `v2`.
    Vertex(u32),
    Name {
        name: String,
        column: usize,
    },
    /// The name of a joint in quotes, as an argument for a joint.
    Joint {
        name: String,
        column: usize,
    },
    Negate(Box<Self>),
    /// A binary operation, with the column of the operator.
    Binary(Operator, Box<Self>, Box<Self>, usize),
    /// A component of a vector such as `p.x`, with the column of the point.
    Member(Box<Self>, Member, usize),
    Call {
        function: FormulaFunction,
        arguments: Vec<Self>,
        column: usize,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

impl Operator {
    /// Whether the result is 1 or 0: whether the comparison holds.
    pub(super) fn is_comparison(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    /// Spellings of the units.
    pub(super) const NAMES: [(&'static str, Self); 3] =
        [("deg", Self::Degrees), ("°", Self::Degrees), ("rad", Self::Radians)];

    pub(super) fn radians(self, value: f64) -> f64 {
        match self {
            Self::Degrees => value.to_radians(),
            Self::Radians => value,
        }
    }
}

/// A component after a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// A single component: 0 is x, 3 is w.
    Part(usize),
    /// The first three components of a vec4.
    Xyz,
}

impl Member {
    pub(super) const NAMES: [(&'static str, Self); 5] = [
        ("x", Self::Part(0)),
        ("y", Self::Part(1)),
        ("z", Self::Part(2)),
        ("w", Self::Part(3)),
        ("xyz", Self::Xyz),
    ];
}

impl FormulaNode {
    /// Whether the formula contains anything but numbers, and needs the typed evaluator.
    pub(super) fn is_typed(&self) -> bool {
        match self {
            Self::Member(..) => true,
            Self::Call { function, arguments, .. } => {
                function.is_typed(arguments.len()) || arguments.iter().any(Self::is_typed)
            }
            Self::Binary(_, left, right, _) => left.is_typed() || right.is_typed(),
            Self::Negate(inner) => inner.is_typed(),
            Self::Number(_)
            | Self::Angle(_)
            | Self::Pi
            | Self::Vertex(_)
            | Self::Name { .. }
            | Self::Joint { .. } => false,
        }
    }
}
