//! From bytes to checked models: meshes, rigs, glTF.

mod builtin;
mod files;
mod gltf;
mod mesh;
mod rig;
mod write;

pub use builtin::{builtin, builtin_ids};
#[cfg(not(target_arch = "wasm32"))]
pub use files::write_assets;
pub use files::{AssetFile, asset_files};
pub use gltf::{GltfError, GltfErrorKind, read_gltf};
pub use mesh::{Image, Mesh, bounds_of};
pub use rig::{PARAM_LIMIT, Param, ParamKind, Posed, Rig};
pub use write::WriteError;
