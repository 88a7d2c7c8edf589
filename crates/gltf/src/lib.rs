//! Reads, validates and writes skinned models in glTF 2.0 and EZMesh. Needs no window and no
//! GPU. The crate `bindpose-doctor` explains what is wrong with a model, and repairs it.
//!
//! A [`ModelSource`] holds the bytes of a model and of the files beside it that the model
//! references. [`ModelSource::alone`] wraps bytes in memory, [`load`] reads from the disk.
//! The format is detected from the content, never from the file name.
//!
//! # From a model to the palette
//!
//! [`open`] reads a source into a [`Rig`]: one skeleton and one mesh for the whole file,
//! and the animation clips. The joints of the first skin come first, in the skin's order.
//! [`Rig::skins`] lists the joints of every skin.
//!
//! ```
//! use bindpose_gltf::{ClipAt, TaskProgress, load, open};
//! use bindpose_skin::{Method, compare_palettes};
//! use glam::Mat4;
//!
//! # let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/arm/arm.ezm");
//! let progress = TaskProgress::default();
//! let rig = open(&load(path.as_ref(), &progress)?, &progress)?;
//!
//! let at = ClipAt { clip: 0, time_secs: 0.5, share: 1.0 };
//! let posed = rig.posed_in(&[at], |_| None);
//! let world_from_bind: Vec<Mat4> = posed.world_from_bind(&rig.skeleton);
//!
//! let skin = &rig.skins()[0];
//! let palette: Vec<Mat4> = skin.iter().map(|joint| world_from_bind[joint.index()]).collect();
//! let bytes: &[u8] = bytemuck::cast_slice(&palette);
//! assert_eq!(bytes.len(), 64 * skin.len());
//!
//! let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
//! assert_eq!(moved.positions.len(), rig.mesh.positions.len());
//!
//! // In an engine's tests, the second palette is the engine's own.
//! compare_palettes(&rig.skeleton, skin, &world_from_bind, &palette)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Long work is [`Paced`]: the caller drives it in pieces and can stop it between two of
//! them. [`TaskProgress`] reports how much is done. `examples/engine.rs` goes from a file
//! to a palette, `examples/palette_test.rs` is a test for an engine.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(target_arch = "wasm32")]
pub mod between_frames;
#[cfg(target_arch = "wasm32")]
pub mod browser_pixels;
mod budget;
mod byte_edits;
mod computed_weights;
mod data;
mod ezm;
mod foreign;
mod gltf;
mod gltf_file;
mod graph;
mod layout;
#[cfg(not(target_arch = "wasm32"))]
mod load;
mod material_image;
mod mesh;
mod open;
mod place;
mod progress;
mod read_error;
mod rig;
mod source;
mod surface;
mod task;
mod write;

pub use budget::{checked_size, set_memory_cap};
// Hidden items are for the notebook only and may change with it.
#[doc(hidden)]
pub use byte_edits::{ByteEdits, edited_source, leave_weights_whole, no_file, read_again};
pub use computed_weights::reweighted;
pub use ezm::read_ezm;
pub use gltf::{named_files, read_gltf};
pub use gltf_file::{
    ChildFault, ChildFaultKind, Component, ElementFormat, ElementType, Glb, GlbChunk, NodeForest,
    NodeLoop, UriTarget,
};
#[doc(hidden)]
pub use gltf_file::{base64_text, same_letters};
pub use graph::{GraphNode, NodeIndex, NodeScene, NodeSkin, NodeTransform, SceneGraph};
pub use layout::{
    AccessorLayout, BufferLayout, BufferPlace, ElementPlace, FileLayout, PrimitiveLayout,
    SparseLayout, ViewLayout,
};
#[cfg(not(target_arch = "wasm32"))]
pub use load::{LoadError, load};
pub use material_image::{Image, MaterialImage};
pub use mesh::{
    Material, Mesh, MeshPart, MorphTarget, Morphed, MovedVertices, TextureUse, Wrap, bounds_of,
};
pub use open::{ModelOpening, OpenError, open};
pub use place::{JointPlace, JointRole};
pub use progress::{Cancelled, OpenStage, Pace, Paced, TaskProgress};
pub use read_error::read_error_title;
pub use rig::{ClipAt, NodePart, Param, ParamKind, Posed, Rig, RigOrigin};
pub use source::ModelSource;
pub use surface::SurfaceEdges;
pub use task::{Broken, Task};
pub use write::{OpenRig, write_npy, write_obj, write_posed_glb, write_rig_glb};

/// Decoding of files that does not trust their content, for the doctor. May change with it.
#[doc(hidden)]
pub mod decoding {
    pub use crate::foreign::{ForeignFile, foreign, glb_in_text};
    pub use crate::gltf_file::{
        ANIMATION_POINTER, AccessorElements, CONVERT_GLTF_1, MAX_BUFFER_BYTES,
        MAX_ELEMENTS_WITHOUT_VIEW, READ_EXTENSIONS, Sparse, UnreadExtension, composed, data_uri,
        has_bare_percent, is_gltf_1, point_to_nodes,
    };
    pub use crate::gltf_file::{json, schema, values};
    pub use crate::write::glb_of;
}

/// Writers of rigs that are made by code. May change with them.
#[doc(hidden)]
pub mod encoding {
    pub use crate::write::{
        AttributePacking, PoseFrames, encode_ezm, encode_glb, encode_gltf, round_to_millionths,
        skeleton_unsound,
    };
}

/// Returns a file below `assets/models`.
#[cfg(test)]
fn committed_model(path: &str) -> Vec<u8> {
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/");
    std::fs::read(format!("{models}{path}")).unwrap()
}

/// Compiles and runs the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
