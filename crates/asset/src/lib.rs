//! From bytes to checked models, and from models to bytes: glTF, EZMesh, the doctor. No
//! window, no GPU.
//!
//! A [`ModelSource`] is a file with those beside it that it names: [`ModelSource::alone`]
//! of bytes, [`load`] from the disk. The content counts, not the name.
//!
//! # What is wrong with it
//!
//! [`doctor::examine`] says that of any bytes. A [finding](bindpose_diagnostic::Diagnostic)
//! has a code, a place, and what to do; [`doctor::mend`] does it where that is certain.
//!
//! ```
//! use bindpose_asset::doctor::examine;
//! use bindpose_asset::{ModelSource, TaskProgress};
//!
//! let json = br#"{"asset": {"version": "2.0"}, "nodes": [{"mesh": 7}]}"#;
//! let source = ModelSource::alone("model.gltf", &json[..]);
//! let report = examine(&source, &TaskProgress::default());
//! for finding in &report.findings {
//!     println!("{} {finding}", finding.severity);
//! }
//! assert_eq!(report.findings[0].at.pointer(), "/nodes/0/mesh");
//! ```
//!
//! # From a model to the palette
//!
//! [`open`] reads a source as a [`Rig`]: one skeleton for the whole file, one mesh, clips.
//! The joints of its first skin come first, in the skin's order; [`Rig::skins`] lists them.
//!
//! ```
//! use bindpose_asset::{ClipAt, TaskProgress, bundled_model, open};
//! use bindpose_skin::{Method, compare_palettes};
//! use glam::Mat4;
//!
//! let source = bundled_model("arm.ezm").ok_or("there is no arm")?;
//! let rig = open(&source, &TaskProgress::default())?;
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
//! // In an engine's tests: its palette in the place of ours.
//! compare_palettes(&rig.skeleton, skin, &world_from_bind, &palette)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Work that takes long is [`Paced`]: whoever drives it can stop it, or do something else
//! in between; [`TaskProgress`] says how far it is. `examples/engine.rs` is the whole way,
//! `examples/palette_test.rs` an engine's test.
//!
//! The feature `notebook`, off by default, adds what the notebook has beside models: the
//! whale, and pictures of lessons as pixels.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

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
mod ezm;
mod files;
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
#[cfg(feature = "notebook")]
mod picture;
mod place;
mod progress;
mod rig;
mod source;
mod surface;
mod task;
mod write;

pub use budget::{checked_size, set_memory_cap};
pub use builtin::{builtin, builtin_ids};
// What is hidden is for the notebook, and may change with it.
#[doc(hidden)]
pub use builtin::{WHALE_JOINTS, builtin_file};
#[doc(hidden)]
pub use byte_edits::{ByteEdits, edited_source, leave_weights_whole, no_file, read_again};
pub use computed_weights::reweighted;
pub use ezm::{EzmError, EzmErrorKind, EzmFault, read_ezm};
#[doc(hidden)]
pub use files::{AssetFile, asset_files};
pub use files::{bundled_model, bundled_names};
pub use gltf::{GltfError, GltfErrorKind, named_files, read_gltf};
pub use gltf_file::{Component, ElementFormat, ElementType, Glb, GlbChunk};
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
#[cfg(feature = "notebook")]
pub use picture::EncodedPicture;
pub use place::{JointPlace, JointRole};
pub use progress::{Cancelled, OpenStage, Pace, Paced, TaskProgress};
pub use rig::{ClipAt, NodePart, Param, ParamKind, Posed, Rig, RigOrigin};
pub use source::ModelSource;
pub use surface::SurfaceEdges;
pub use task::{Broken, Task};
pub use write::{OpenRig, write_npy, write_obj, write_posed_glb, write_rig_glb};

/// What the package's page shows runs.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
