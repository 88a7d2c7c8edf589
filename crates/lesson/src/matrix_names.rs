//! Names of the matrices of a joint for readers, within a sentence. A label that names one of
//! them takes it from here.

pub const LOCAL_TRANSFORM: &str = "local transform";
pub const WORLD_MATRIX: &str = "world matrix";
pub const INVERSE_BIND_MATRIX: &str = "inverse bind matrix";
pub const INVERSE_BIND_MATRICES: &str = "inverse bind matrices";
pub const JOINT_MATRIX: &str = "joint matrix";
pub const JOINT_MATRICES: &str = "joint matrices";
