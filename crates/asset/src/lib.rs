//! From bytes to checked models: meshes, rigs, glTF, EZMesh.

#![forbid(unsafe_code)]

#[cfg(target_arch = "wasm32")]
pub mod between_frames;
#[cfg(target_arch = "wasm32")]
pub mod browser_pixels;
mod budget;
mod builtin;
mod byte_edits;
mod computed_weights;
mod data;
pub mod doctor;
mod encoded;
mod ezm;
mod file_size;
mod files;
mod foreign;
mod gltf;
mod gltf_file;
mod graph;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
mod load;
mod material_image;
mod memory;
mod mesh;
mod morph;
mod moved;
mod open;
#[cfg(feature = "notebook")]
mod picture;
mod place;
mod progress;
mod rig;
mod source;
mod surface;
mod task;
mod write;

pub use builtin::{WHALE_JOINTS, builtin, builtin_file, builtin_ids};
pub use byte_edits::{ByteEdits, edited_source, leave_weights_whole, no_file, read_again};
pub use computed_weights::reweighted;
pub use encoded::base64_text;
pub use ezm::{EzmError, EzmErrorKind, EzmFault, read_ezm};
pub use file_size::checked_size;
pub use files::{AssetFile, asset_files, bundled_model, bundled_names};
pub use gltf::{GltfError, GltfErrorKind, named_files, read_gltf};
pub use gltf_file::{Component, ElementFormat, ElementType, Glb, GlbChunk, same_letters};
pub use graph::{GraphNode, NodeIndex, NodeScene, NodeSkin, NodeTransform, SceneGraph};
pub use layout::{
    AccessorLayout, BufferLayout, BufferPlace, ElementPlace, FileLayout, PrimitiveLayout,
    SparseLayout, ViewLayout,
};
#[cfg(not(target_arch = "wasm32"))]
pub use load::{LoadError, load};
pub use material_image::{Image, MaterialImage};
pub use memory::set_cap as set_memory_cap;
pub use mesh::{Material, Mesh, MeshPart, MorphTarget, TextureUse, Wrap, bounds_of};
pub use morph::Morphed;
pub use moved::MovedVertices;
pub use open::{ModelOpening, OpenError, open};
#[cfg(feature = "notebook")]
pub use picture::EncodedPicture;
pub use place::{JointPlace, JointRole};
pub use progress::{Cancelled, OpenStage, Pace, Paced, TaskProgress};
pub use rig::{ClipAt, NodePart, Param, ParamKind, Posed, Rig, RigOrigin};
pub use source::ModelSource;
pub use surface::SurfaceEdges;
pub use task::{Broken, Task};
pub use write::{OpenRig, write_npy, write_obj, write_posed_glb, write_rig_glb};
