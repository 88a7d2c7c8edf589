//! From bytes to checked models: meshes, rigs, glTF.

mod mesh;
mod rig;

pub use mesh::{Image, Mesh, bounds_of};
pub use rig::{PARAM_LIMIT, Param, ParamKind, Posed, Rig};
