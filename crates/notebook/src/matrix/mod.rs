//! Matrices as a lesson names them: which numbers, between which frames, and in a
//! row with operators between them.

mod source;

pub use source::{
    BrokenSeam, MINUS, MatrixOwner, NOT_EQUAL, OperatorBlock, OperatorRole, PageMatrix, computed,
    follows, from_bind, joint_of, left_factor, product, resolve, row_as_written, with_operators,
};

/// What the columns of a matrix say.
pub const COLUMN_MEANINGS: [&str; 4] =
    ["x axis goes to", "y axis goes to", "z axis goes to", "origin goes to"];
