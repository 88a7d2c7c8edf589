//! From bytes to checked models: meshes, rigs, glTF, EZMesh.

mod builtin;
mod byte_edits;
mod data;
pub mod doctor;
mod encoded;
mod ezm;
mod files;
mod gltf;
mod graph;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
mod load;
mod memory;
mod mesh;
mod morph;
mod moved;
mod open;
mod place;
mod progress;
mod rig;
mod source;
mod write;

pub use builtin::{builtin, builtin_ids};
pub use byte_edits::{ByteEdits, edited_source, read_again};
pub use ezm::{EzmError, EzmErrorKind, EzmFault, read_ezm};
#[cfg(not(target_arch = "wasm32"))]
pub use files::write_assets;
pub use files::{AssetFile, asset_files};
pub use gltf::{GltfError, GltfErrorKind, named_files, read_gltf};
pub use graph::{Local, Node, NodeIndex, NodeScene, NodeSkin, SceneGraph};
pub use layout::{
    AccessorLayout, BufferLayout, BufferPlace, Component, ElementPlace, ElementType, FileLayout,
    Glb, GlbChunk, PrimitiveLayout, SparseLayout, ViewLayout,
};
#[cfg(not(target_arch = "wasm32"))]
pub use load::{LoadError, load};
pub use mesh::{Image, Material, Mesh, MorphTarget, Part, TextureUse, Wrap, bounds_of};
pub use morph::Morphed;
pub use moved::Moved;
pub use open::{OpenError, open};
pub use place::{JointPlace, JointRole};
pub use progress::Progress;
pub use rig::{ClipAt, NodePart, Origin, Param, ParamKind, Posed, Rig};
pub use source::Source;
pub use write::{Numbers, Shown, WriteError, write_npy, write_obj, write_posed_glb, write_rig_glb};
