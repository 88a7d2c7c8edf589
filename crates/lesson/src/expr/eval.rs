//! The value of a formula.

use bindpose_skin::{JointIndex, Surface};
use glam::{DMat3, DQuat, Mat4, Vec3};

use super::error::EvalError;
use super::functions::{FormulaFunction, MatrixKind, OfNumbers};

/// What formulas can ask for. What a page has only when its pose, its mesh or its joints are
/// known is `None` where nothing else is said; whatever wraps another page hands on all of it.
pub trait Values {
    /// A parameter of the rig or the lesson; radians for angles.
    fn param(&self, name: &str) -> Option<f64>;
    /// Where the picture shows a vertex, in world space.
    fn position(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// Where the vertex is stored, in bind space.
    fn bind_position(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// The normal of a vertex as the picture shows it, in world space, by the
    /// rule in force; of unit length, or zero where the mesh has collapsed.
    fn normal(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// The normal as stored, in bind space.
    fn stored_normal(&self, _: usize) -> Option<Vec3> {
        None
    }
    /// The weight of a joint on a vertex; 0 when the joint is not among its
    /// influences; `None` when there is no such vertex.
    fn weight(&self, _: usize, _: JointIndex) -> Option<f64> {
        None
    }
    /// Σw of a vertex.
    fn sum(&self, _: usize) -> Option<f64> {
        None
    }
    /// A matrix of a joint.
    fn matrix(&self, _: MatrixKind, _: JointIndex) -> Option<Mat4> {
        None
    }
    /// The surface where the picture shows it; `None` without triangles.
    fn surface(&self) -> Option<Surface> {
        None
    }
    /// The surface as stored, with shapes added.
    fn stored_surface(&self) -> Option<Surface> {
        None
    }
    /// The joint of that name, the first of several.
    fn joint_named(&self, _: &str) -> Option<JointIndex> {
        None
    }
    /// How many joints the rig has: of a file, those of its skins.
    fn joints(&self) -> usize;
    /// How many rows the palette has: a row also for each node that is a joint
    /// of no skin and yet moves something.
    fn rows(&self) -> usize;
    /// How many vertices it has.
    fn vertices(&self) -> usize;
    /// How many times the skin is drawn.
    fn crowd(&self) -> u32;
    /// The parent of a joint; `None` of a root, and of no joint.
    fn parent(&self, _: JointIndex) -> Option<JointIndex> {
        None
    }
    /// The weighted sum of the joint matrices of a vertex.
    fn skin_matrix(&self, _: usize) -> Option<Mat4> {
        None
    }
    /// Global transform of the node that carries the mesh.
    fn world_from_mesh_node(&self) -> Option<Mat4> {
        None
    }
}

/// The parser bounds the depth of the tree, so that this recursion is safe.
pub(super) fn eval(node: &FormulaNode, values: &dyn Values) -> Result<f64, EvalError> {
    let value = value_of(node, values)?;
    if value.is_finite() { Ok(value) } else { Err(EvalError::NotFinite) }
}

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
        // The parser knows which trees have such parts, and has them worked out with
        // types.
        FormulaNode::Member(_, _, column) => return Err(EvalError::NotANumber { column: *column }),
        FormulaNode::Call { function, arguments, column } => {
            let arguments = arguments.iter().enumerate();
            let arguments = arguments
                .map(|(index, argument)| match argument {
                    // Of a file, parameters have the names of its joints: where a joint
                    // stands, the joint is meant.
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

/// Where a joint is asked for, is it one by name?
fn means_joint(name: &str, values: &dyn Values) -> bool {
    values.joint_named(name).is_some() || values.param(name).is_none()
}

/// Its number.
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

    /// Numbers that differ by less than a millionth of the larger, or of 1, are equal
    /// here: they come by way of 32-bit floats. One of less, equal and greater holds;
    /// with what is no number, none but not equal.
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

impl OfNumbers {
    /// NaN for arguments that are missing; the parser has counted them.
    pub(super) fn value(self, arguments: &[f64]) -> f64 {
        let argument = |index: usize| arguments.get(index).copied().unwrap_or(f64::NAN);
        let (a, b) = (argument(0), argument(1));
        match self {
            Self::Sin => a.sin(),
            Self::Cos => a.cos(),
            Self::Tan => a.tan(),
            // Rounding must not take a cosine or sine out of reach.
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

/// A function with its arguments worked out.
pub(super) struct Call<'a> {
    pub(super) arguments: &'a [f64],
    pub(super) column: usize,
    pub(super) values: &'a dyn Values,
}

impl Call<'_> {
    pub(super) fn value(&self, function: FormulaFunction) -> Result<f64, EvalError> {
        let values = self.values;
        Ok(match function {
            FormulaFunction::OfNumbers(function) => function.value(self.arguments),
            FormulaFunction::Position(axis) => {
                cell(self.of_vertex(0, |v| values.position(v))?, axis)
            }
            FormulaFunction::BindPosition(axis) => {
                cell(self.of_vertex(0, |v| values.bind_position(v))?, axis)
            }
            FormulaFunction::Normal(axis) => cell(self.of_vertex(0, |v| values.normal(v))?, axis),
            FormulaFunction::StoredNormal(axis) => {
                cell(self.of_vertex(0, |v| values.stored_normal(v))?, axis)
            }
            FormulaFunction::Distance => {
                let from = self.of_vertex(0, |vertex| values.position(vertex))?;
                let to = self.of_vertex(1, |vertex| values.position(vertex))?;
                from.as_dvec3().distance(to.as_dvec3())
            }
            FormulaFunction::Sum => self.of_vertex(0, |vertex| values.sum(vertex))?,
            FormulaFunction::Weight => {
                let joint = self.joint(1)?;
                self.of_vertex(0, |vertex| values.weight(vertex, joint))?
            }
            FormulaFunction::Matrix(kind) => {
                let joint = self.joint(0)?;
                let matrix = values.matrix(kind, joint).ok_or_else(|| self.no_joint(0))?;
                self.matrix_cell(matrix)?
            }
            FormulaFunction::AngleBetween => {
                let (from, to) = (self.orientation(0)?, self.orientation(1)?);
                // The arc tangent stays exact where the cosine hardly changes.
                let between = from.inverse() * to;
                2.0 * between.xyz().length().atan2(between.w.abs())
            }
            FormulaFunction::Determinant => {
                let joint = self.joint(0)?;
                let matrix = values.matrix(MatrixKind::WorldFromBind, joint);
                let matrix = matrix.ok_or_else(|| self.no_joint(0))?;
                DMat3::from_mat4(matrix.as_dmat4()).determinant()
            }
            // What is not chosen need not be finite.
            FormulaFunction::If => {
                let condition = self.argument(0);
                if condition.is_nan() {
                    f64::NAN
                } else {
                    self.argument(if condition == 0.0 { 2 } else { 1 })
                }
            }
            FormulaFunction::Volume => self.of_surface(values.surface())?.volume,
            FormulaFunction::Area => self.of_surface(values.surface())?.area,
            FormulaFunction::MaxDisplacement => {
                let moved = |vertex: usize| {
                    let from = values.bind_position(vertex)?.as_dvec3();
                    Some(values.position(vertex)?.as_dvec3().distance(from))
                };
                // What is nowhere is at no distance.
                let further =
                    |most: f64, next: f64| if most >= next || most.is_nan() { most } else { next };
                (0..values.vertices()).filter_map(moved).fold(0.0, further)
            }
            FormulaFunction::NotFinite => {
                let mut positions =
                    (0..values.vertices()).filter_map(|vertex| values.position(vertex));
                f64::from(u8::from(positions.any(|position| !position.is_finite())))
            }
            FormulaFunction::BindVolume => self.of_surface(values.stored_surface())?.volume,
            FormulaFunction::BindArea => self.of_surface(values.stored_surface())?.area,
            FormulaFunction::Joints => values.joints() as f64,
            FormulaFunction::Rows => values.rows() as f64,
            FormulaFunction::Vertices => values.vertices() as f64,
            FormulaFunction::Crowd => f64::from(values.crowd()),
            FormulaFunction::Typed(_) => {
                return Err(EvalError::NotANumber { column: self.column });
            }
        })
    }

    /// The parser has counted them.
    fn argument(&self, index: usize) -> f64 {
        self.arguments.get(index).copied().unwrap_or(f64::NAN)
    }

    pub(super) fn of_vertex<T>(
        &self,
        index: usize,
        value: impl Fn(usize) -> Option<T>,
    ) -> Result<T, EvalError> {
        whole(self.argument(index))
            .and_then(value)
            .ok_or(EvalError::NoVertex { vertex: self.argument(index), column: self.column })
    }

    fn of_surface(&self, surface: Option<Surface>) -> Result<Surface, EvalError> {
        let column = self.column;
        surface.ok_or(EvalError::NoSurface { column })
    }

    pub(super) fn joint(&self, index: usize) -> Result<JointIndex, EvalError> {
        whole(self.argument(index))
            .filter(|&joint| joint < self.values.joints())
            .and_then(|joint| u16::try_from(joint).ok())
            .map(JointIndex)
            .ok_or_else(|| self.no_joint(index))
    }

    /// Of a joint in world space, whatever its scale.
    fn orientation(&self, index: usize) -> Result<DQuat, EvalError> {
        let joint = self.joint(index)?;
        let matrix = self.values.matrix(MatrixKind::WorldFromJoint, joint);
        let matrix = matrix.ok_or_else(|| self.no_joint(index))?;
        Ok(matrix.as_dmat4().to_scale_rotation_translation().1.normalize())
    }

    pub(super) fn no_joint(&self, index: usize) -> EvalError {
        EvalError::NoJoint {
            joint: self.argument(index),
            joints: self.values.joints(),
            column: self.column,
        }
    }

    fn matrix_cell(&self, matrix: Mat4) -> Result<f64, EvalError> {
        let (row, column) = (self.argument(1), self.argument(2));
        match (whole(row), whole(column)) {
            (Some(row @ 0..4), Some(column @ 0..4)) => {
                Ok(f64::from(matrix.to_cols_array_2d()[column][row]))
            }
            _ => Err(EvalError::NoCell { row, cell_column: column, column: self.column }),
        }
    }
}

fn cell(point: Vec3, axis: usize) -> f64 {
    f64::from(point.to_array()[axis % 3])
}

/// As an index, when it is one.
fn whole(value: f64) -> Option<usize> {
    (value >= 0.0 && value <= f64::from(u32::MAX) && value.fract() == 0.0).then_some(value as usize)
}

// A formula as a tree.

/// A formula. Columns are in characters from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FormulaNode {
    Number(f64),
    /// A number with a unit, in radians.
    Angle(f64),
    Pi,
    /// The number of a vertex, as `v2`.
    Vertex(u32),
    Name {
        name: String,
        column: usize,
    },
    /// The name of a joint in quotes, where a function takes a joint.
    Joint {
        name: String,
        column: usize,
    },
    Negate(Box<Self>),
    /// With the column of the operator.
    Binary(Operator, Box<Self>, Box<Self>, usize),
    /// A part of a vector, as `p.x`, with the column of the point.
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
    /// 1 where it holds, 0 where it does not.
    pub(super) fn is_comparison(self) -> bool {
        !matches!(self, Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power)
    }
}

/// What an angle is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    /// As written after a number.
    pub(super) const NAMES: [(&'static str, Self); 3] =
        [("deg", Self::Degrees), ("°", Self::Degrees), ("rad", Self::Radians)];

    pub(super) fn radians(self, value: f64) -> f64 {
        match self {
            Self::Degrees => value.to_radians(),
            Self::Radians => value,
        }
    }
}

/// What may stand after a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Member {
    /// 0 is x, 3 is w.
    Part(usize),
    /// The first three of four.
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
    /// Is something in it no number, so that it is worked out with types?
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
