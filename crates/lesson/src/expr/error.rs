//! Errors of evaluation.

/// Why a formula has no value. Columns are in characters of the formula, from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// Neither the rig nor the lesson has a parameter of that name.
    #[error("there is no parameter `{name}`")]
    UnknownParam { name: String, column: usize },
    #[error("there is no vertex {vertex}")]
    NoVertex { vertex: f64, column: usize },
    #[error("there is no joint {joint}; the rig has {joints}, numbered from 0")]
    NoJoint {
        joint: f64,
        /// Number of joints in the rig.
        joints: usize,
        column: usize,
    },
    /// The rig has no joint of that name.
    #[error("there is no joint called `{name}`")]
    UnknownJoint { name: String, column: usize },
    /// A row or column is not in 0 to 3.
    #[error("there is no cell in row {row}, column {cell_column}; both go from 0 to 3")]
    NoCell {
        /// Row in the formula.
        row: f64,
        /// Column in the formula.
        cell_column: f64,
        /// Column of the function in the text.
        column: usize,
    },
    /// Volume and area need triangles, which the rig does not have.
    #[error("the rig has no triangles, and so no surface")]
    NoSurface { column: usize },
    /// Division by zero, root of a negative number, or overflow.
    #[error("it has no finite value here")]
    NotFinite,
    /// Like [`Self::NotFinite`], with its position.
    #[error("what comes of this is not finite")]
    NotFiniteAt {
        /// Column of the operator, name or function.
        column: usize,
    },
    #[error("it divides by zero")]
    DivisionByZero { column: usize },
    #[error("this matrix has no inverse: its determinant is 0")]
    Singular { column: usize },
    /// A vector or quaternion of length 0 cannot be normalised.
    #[error("it has the length 0, and so no direction")]
    NoLength { column: usize },
    /// The joint is a root.
    #[error("joint {joint} has no parent")]
    NoParent { joint: usize, column: usize },
    /// Types that do not match each other, or the function.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// Types that would match.
        expected: String,
        found: String,
        help: String,
        /// Column of the operator or function.
        column: usize,
    },
    /// The value is a vector or matrix where a number is required.
    #[error("expected a number as its value")]
    NotANumber {
        /// Column of the function, or 1 for the whole formula.
        column: usize,
    },
    /// The evaluation exceeds its limit of operations.
    #[error("it takes more than {most} operations")]
    TooMuchWork {
        most: u32,
        /// Column of the statement that was not executed.
        column: usize,
    },
}

impl EvalError {
    /// Column of the error in the formula; 1 for the whole formula.
    pub fn column(&self) -> usize {
        match self {
            Self::UnknownParam { column, .. }
            | Self::NoVertex { column, .. }
            | Self::NoJoint { column, .. }
            | Self::UnknownJoint { column, .. }
            | Self::NoCell { column, .. }
            | Self::NoSurface { column }
            | Self::NotFiniteAt { column }
            | Self::DivisionByZero { column }
            | Self::Singular { column }
            | Self::NoLength { column }
            | Self::NoParent { column, .. }
            | Self::WrongType { column, .. }
            | Self::NotANumber { column }
            | Self::TooMuchWork { column, .. } => *column,
            Self::NotFinite => 1,
        }
    }

    /// Suggested correction. Empty if it depends on the rig.
    pub fn help(&self) -> &str {
        match self {
            Self::UnknownParam { .. } | Self::NoVertex { .. } | Self::UnknownJoint { .. } => "",
            Self::NoJoint { .. } => "write the number of a joint, or its name",
            Self::NoSurface { .. } => "choose a rig with a surface",
            Self::NoCell { .. } => "rows and columns are counted from 0",
            Self::NotFinite | Self::NotFiniteAt { .. } => {
                "look for a division by zero or the root of a negative number"
            }
            Self::DivisionByZero { .. } => "ask before: if(b == 0, 0, a / b)",
            Self::Singular { .. } => "look for a scale of 0, or two columns in one direction",
            Self::NoLength { .. } => "ask before: if(length(v) > 0, …)",
            Self::NoParent { .. } => "ask before: if(has_parent(j), …)",
            Self::WrongType { help, .. } => help,
            Self::NotANumber { .. } => {
                "take a part of it: p.x, cell(m, row, column), length(v) or det(m)"
            }
            Self::TooMuchWork { .. } => "make the loop shorter, or do less in it",
        }
    }

    /// Whether the error depends on the values of numbers, and not on the text alone.
    pub fn is_of_numbers(&self) -> bool {
        matches!(
            self,
            Self::NotFinite
                | Self::NotFiniteAt { .. }
                | Self::DivisionByZero { .. }
                | Self::Singular { .. }
                | Self::NoLength { .. }
                | Self::NoParent { .. }
        )
    }
}
