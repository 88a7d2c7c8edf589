//! From bytes to checked models: meshes, rigs, glTF, EZMesh.

mod builtin;
mod ezm;
mod files;
mod finding;
mod gltf;
mod graph;
mod mesh;
mod progress;
mod rig;
mod source;
mod write;

pub use builtin::{builtin, builtin_ids};
pub use ezm::{EzmError, EzmErrorKind, EzmFault, examine_ezm, read_ezm};
#[cfg(not(target_arch = "wasm32"))]
pub use files::write_assets;
pub use files::{AssetFile, asset_files};
pub use finding::{Finding, Severity};
pub use gltf::{GltfError, GltfErrorKind, read_gltf};
pub use graph::{Local, Node, NodeIndex, NodeScene, NodeSkin, SceneGraph};
pub use mesh::{Image, Material, Mesh, MorphTarget, Part, TextureUse, Wrap, bounds_of};
pub use progress::Progress;
pub use rig::{ClipAt, Origin, PARAM_LIMIT, Param, ParamKind, Posed, Rig};
pub use source::Source;
pub use write::{
    EzmWriteError, Shown, WriteError, write_npy, write_obj, write_posed_glb, write_rig_glb,
};
