//! A formula as a tree, and the words that it knows.

/// A formula. Columns are in characters from 1.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
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
    Binary(Operator, Box<Self>, Box<Self>),
    Call {
        function: Function,
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
        !matches!(
            self,
            Self::Add | Self::Subtract | Self::Multiply | Self::Divide | Self::Power
        )
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    OfNumbers(OfNumbers),
    /// Coordinate of a skinned vertex: 0 is x.
    Position(usize),
    /// Coordinate of a stored vertex.
    BindPosition(usize),
    /// Coordinate of a skinned normal.
    Normal(usize),
    /// Coordinate of a stored normal.
    StoredNormal(usize),
    Distance,
    Sum,
    Weight,
    Matrix(MatrixKind),
    /// Angle of the turn between the orientations of two joints.
    AngleBetween,
    /// By how much a joint matrix multiplies volumes.
    Determinant,
    /// One of two values, by a condition.
    If,
    /// Of the skinned mesh.
    Volume,
    Area,
    /// Of the stored mesh.
    BindVolume,
    BindArea,
    Joints,
    Rows,
    Vertices,
    Crowd,
}

/// What needs nothing but its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum OfNumbers {
    Sin,
    Cos,
    Tan,
    Acos,
    Asin,
    Atan2,
    Exp,
    Log,
    Sqrt,
    Abs,
    Floor,
    Min,
    Max,
}

/// What an angle is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AngleUnit {
    Degrees,
    Radians,
}

impl AngleUnit {
    /// As written after a number.
    pub(super) const NAMES: [(&'static str, Self); 3] = [
        ("deg", Self::Degrees),
        ("°", Self::Degrees),
        ("rad", Self::Radians),
    ];

    pub(super) fn radians(self, value: f64) -> f64 {
        match self {
            Self::Degrees => value.to_radians(),
            Self::Radians => value,
        }
    }
}

/// What functions call an argument that is a joint.
pub(super) const JOINT: &str = "joint";

impl Function {
    /// Name, function, and the words for its arguments.
    pub(super) const ALL: [(&'static str, Self, &'static [&'static str]); 43] = {
        use MatrixKind::{JointFromBind, ParentFromJoint, WorldFromBind, WorldFromJoint};
        const CELL: &[&str] = &[JOINT, "row", "column"];
        [
            ("sin", Self::OfNumbers(OfNumbers::Sin), &["angle"]),
            ("cos", Self::OfNumbers(OfNumbers::Cos), &["angle"]),
            ("tan", Self::OfNumbers(OfNumbers::Tan), &["angle"]),
            ("acos", Self::OfNumbers(OfNumbers::Acos), &["number"]),
            ("asin", Self::OfNumbers(OfNumbers::Asin), &["number"]),
            ("atan2", Self::OfNumbers(OfNumbers::Atan2), &["y", "x"]),
            ("exp", Self::OfNumbers(OfNumbers::Exp), &["number"]),
            ("log", Self::OfNumbers(OfNumbers::Log), &["number"]),
            ("sqrt", Self::OfNumbers(OfNumbers::Sqrt), &["number"]),
            ("abs", Self::OfNumbers(OfNumbers::Abs), &["number"]),
            ("floor", Self::OfNumbers(OfNumbers::Floor), &["number"]),
            ("min", Self::OfNumbers(OfNumbers::Min), &["a", "b"]),
            ("max", Self::OfNumbers(OfNumbers::Max), &["a", "b"]),
            ("if", Self::If, &["condition", "a", "b"]),
            ("x", Self::Position(0), &["vertex"]),
            ("y", Self::Position(1), &["vertex"]),
            ("z", Self::Position(2), &["vertex"]),
            ("bind_x", Self::BindPosition(0), &["vertex"]),
            ("bind_y", Self::BindPosition(1), &["vertex"]),
            ("bind_z", Self::BindPosition(2), &["vertex"]),
            ("normal_x", Self::Normal(0), &["vertex"]),
            ("normal_y", Self::Normal(1), &["vertex"]),
            ("normal_z", Self::Normal(2), &["vertex"]),
            ("stored_normal_x", Self::StoredNormal(0), &["vertex"]),
            ("stored_normal_y", Self::StoredNormal(1), &["vertex"]),
            ("stored_normal_z", Self::StoredNormal(2), &["vertex"]),
            ("distance", Self::Distance, &["vertex", "vertex"]),
            ("sum", Self::Sum, &["vertex"]),
            ("weight", Self::Weight, &["vertex", JOINT]),
            ("parent_from_joint", Self::Matrix(ParentFromJoint), CELL),
            ("world_from_joint", Self::Matrix(WorldFromJoint), CELL),
            ("joint_from_bind", Self::Matrix(JointFromBind), CELL),
            ("world_from_bind", Self::Matrix(WorldFromBind), CELL),
            ("angle_between", Self::AngleBetween, &[JOINT, JOINT]),
            ("det", Self::Determinant, &[JOINT]),
            ("volume", Self::Volume, &[]),
            ("area", Self::Area, &[]),
            ("bind_volume", Self::BindVolume, &[]),
            ("bind_area", Self::BindArea, &[]),
            ("joints", Self::Joints, &[]),
            ("rows", Self::Rows, &[]),
            ("vertices", Self::Vertices, &[]),
            ("crowd", Self::Crowd, &[]),
        ]
    };
}

impl Function {
    /// Is the argument of that index a joint, which may have a name?
    pub(super) fn takes_joint(self, index: usize) -> bool {
        let known = Self::ALL.iter().find(|&&(_, function, _)| function == self);
        known.is_some_and(|(_, _, words)| words.get(index) == Some(&JOINT))
    }
}

/// The four matrices of a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MatrixKind {
    /// Local transform.
    ParentFromJoint,
    /// Global transform.
    WorldFromJoint,
    /// Inverse bind matrix, with the learner's edits.
    JointFromBind,
    /// Joint matrix, as it is used now.
    WorldFromBind,
}
