//! Why a formula has no value.

/// Why a formula has no value. Columns are in characters of the formula, from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EvalError {
    /// Neither the rig nor the lesson has a parameter of that name.
    #[error("there is no parameter `{name}`")]
    UnknownParam {
        /// As written.
        name: String,
        /// Where.
        column: usize,
    },
    /// No such vertex.
    #[error("there is no vertex {vertex}")]
    NoVertex {
        /// The number given.
        vertex: f64,
        /// Where.
        column: usize,
    },
    /// No such joint.
    #[error("there is no joint {joint}; the rig has {joints}, numbered from 0")]
    NoJoint {
        /// The number given.
        joint: f64,
        /// How many there are.
        joints: usize,
        /// Where.
        column: usize,
    },
    /// No joint of that name.
    #[error("there is no joint called `{name}`")]
    UnknownJoint {
        /// As written.
        name: String,
        /// Where.
        column: usize,
    },
    /// Rows and columns of matrices go from 0 to 3.
    #[error("there is no cell in row {row}, column {cell_column}; both go from 0 to 3")]
    NoCell {
        /// The row given.
        row: f64,
        /// The column given.
        cell_column: f64,
        /// Where.
        column: usize,
    },
    /// Volume and area need triangles.
    #[error("the rig has no triangles, and so no surface")]
    NoSurface {
        /// Where.
        column: usize,
    },
    /// Divided by zero, root of a negative number, or too large.
    #[error("it has no finite value here")]
    NotFinite,
    /// The same, where it arises.
    #[error("what comes of this is not finite")]
    NotFiniteAt {
        /// Where.
        column: usize,
    },
    /// What stands after `/` is 0.
    #[error("it divides by zero")]
    DivisionByZero {
        /// Of the sign.
        column: usize,
    },
    /// A matrix that flattens space has none.
    #[error("this matrix has no inverse: its determinant is 0")]
    Singular {
        /// Where it is asked for.
        column: usize,
    },
    /// There is nothing to normalise.
    #[error("it has the length 0, and so no direction")]
    NoLength {
        /// Where.
        column: usize,
    },
    /// The parent of a root.
    #[error("joint {joint} has no parent")]
    NoParent {
        /// The joint.
        joint: usize,
        /// Where.
        column: usize,
    },
    /// Values that do not go together, or into this function.
    #[error("expected {expected}, found {found}")]
    WrongType {
        /// What would do.
        expected: String,
        /// What stands there.
        found: String,
        /// What to write.
        help: String,
        /// Where.
        column: usize,
    },
    /// It is a vector or a matrix, where a number is asked for.
    #[error("expected a number as its value")]
    NotANumber {
        /// Where.
        column: usize,
    },
    /// A program that does more than a frame has time for.
    #[error("it takes more than {most} operations")]
    TooMuchWork {
        /// How many it may take.
        most: u32,
        /// What was to be done next.
        column: usize,
    },
}

impl EvalError {
    /// Where in the formula; 1 when it is the whole.
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

    /// What to write in its place; empty where that depends on the rig.
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

    /// Did numbers lead to it, so that other numbers may do, and not the text alone?
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
