//! Matrices as a lesson names them: which numbers, between which frames, and in a
//! row with operators between them.

mod operators;
mod row_as_written;
mod source;

pub use operators::{
    BrokenSeam, MINUS, NOT_EQUAL, OperatorBlock, OperatorRole, computed, product, with_operators,
};
pub use row_as_written::{left_factor, row_as_written};
pub use source::{MatrixOwner, PageMatrix, follows, from_bind, joint_of, resolve};

/// What the columns of a matrix say.
pub const COLUMN_MEANINGS: [&str; 4] =
    ["x axis goes to", "y axis goes to", "z axis goes to", "origin goes to"];
