//! Formulas in lessons: real numbers, the usual operators, a few functions.
//! Angles are radians.

mod eval;
mod parse;
#[cfg(test)]
mod tests;

pub use eval::{EvalError, MatrixKind, Values};

/// A parsed formula; `source` is what the author wrote.
#[derive(Clone, Debug, PartialEq, serde::Deserialize)]
#[serde(try_from = "String")]
pub struct Expr {
    /// As written.
    pub source: String,
    root: Node,
}

/// Why a text is no formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message} (character {column} of `{found}`)")]
pub struct ExprError {
    /// Where, in characters from 1.
    pub column: usize,
    /// What was expected and what was found.
    pub message: String,
    /// What to write instead.
    pub help: String,
    /// The formula, cut when it is long.
    pub found: String,
}

impl Expr {
    /// Reads a formula.
    ///
    /// # Errors
    /// Where it goes wrong, what was expected, and what to write. Formulas of
    /// more than 400 characters or 48 levels are refused.
    pub fn parse(source: &str) -> Result<Self, ExprError> {
        let root = parse::parse(source)?;
        Ok(Self {
            source: source.to_owned(),
            root,
        })
    }

    /// The value now. Always finite.
    ///
    /// # Errors
    /// When it names something that is not there, or has no finite value.
    pub fn eval(&self, values: &dyn Values) -> Result<f64, EvalError> {
        eval::eval(&self.root, values)
    }
}

impl TryFrom<String> for Expr {
    type Error = String;

    fn try_from(source: String) -> Result<Self, String> {
        Self::parse(&source).map_err(|error| format!("{error}\nhelp: {}", error.help))
    }
}

/// A formula as a tree. Columns are in characters from 1.
#[derive(Clone, Debug, PartialEq)]
enum Node {
    Number(f64),
    Name {
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
enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Function {
    Sin,
    Cos,
    Tan,
    Acos,
    Atan2,
    Sqrt,
    Abs,
    Floor,
    Min,
    Max,
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
    Joints,
    Rows,
    Vertices,
    Crowd,
}

impl Function {
    /// Name, function, and the words for its arguments.
    const ALL: [(&'static str, Self, &'static [&'static str]); 29] = [
        ("sin", Self::Sin, &["angle"]),
        ("cos", Self::Cos, &["angle"]),
        ("tan", Self::Tan, &["angle"]),
        ("acos", Self::Acos, &["number"]),
        ("atan2", Self::Atan2, &["y", "x"]),
        ("sqrt", Self::Sqrt, &["number"]),
        ("abs", Self::Abs, &["number"]),
        ("floor", Self::Floor, &["number"]),
        ("min", Self::Min, &["a", "b"]),
        ("max", Self::Max, &["a", "b"]),
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
        ("weight", Self::Weight, &["vertex", "joint"]),
        (
            "parent_from_joint",
            Self::Matrix(MatrixKind::ParentFromJoint),
            MATRIX_ARGUMENTS,
        ),
        (
            "world_from_joint",
            Self::Matrix(MatrixKind::WorldFromJoint),
            MATRIX_ARGUMENTS,
        ),
        (
            "joint_from_bind",
            Self::Matrix(MatrixKind::JointFromBind),
            MATRIX_ARGUMENTS,
        ),
        (
            "world_from_bind",
            Self::Matrix(MatrixKind::WorldFromBind),
            MATRIX_ARGUMENTS,
        ),
    ];
    /// Those without arguments.
    const COUNTS: [(&'static str, Self); 4] = [
        ("joints", Self::Joints),
        ("rows", Self::Rows),
        ("vertices", Self::Vertices),
        ("crowd", Self::Crowd),
    ];
}

const MATRIX_ARGUMENTS: &[&str] = &["joint", "row", "column"];

/// Is this name taken, so that no parameter may have it?
#[must_use]
pub(crate) fn is_reserved(name: &str) -> bool {
    name == "pi"
        || name == "deg"
        || Function::COUNTS.iter().any(|&(count, _)| count == name)
        || parse::vertex_name(name).is_some()
        || Function::ALL.iter().any(|&(other, ..)| other == name)
}
