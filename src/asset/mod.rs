//! From bytes to checked models: meshes, rigs, glTF.

mod builtin;
mod mesh;
mod rig;

pub use builtin::{builtin, builtin_ids};
pub use mesh::{Image, Mesh, bounds_of};
pub use rig::{PARAM_LIMIT, Param, ParamKind, Posed, Rig};
