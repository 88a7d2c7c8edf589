//! Models as files: glTF of rigs made by code and of what is open, others beside
//! it.
//!
//! The same rig gives the same bytes on every run.

mod animations;
mod container;
mod error;
mod ezm;
mod graph;
mod groups;
mod influences;
mod json;
mod keys;
mod made;
mod materials;
mod meshes;
mod model;
mod morphs;
mod nodes;
mod npy;
mod obj;
mod placed;
mod png;
mod posed;
mod primitives;
mod shown;
mod tutorial;
mod writer;

pub(crate) use container::{glb_of, glb_with};
pub(crate) use error::skeleton_unsound;
pub(super) use ezm::{PoseFrames, ezm};
pub(super) use graph::node_of;
pub(super) use made::{glb, gltf};
pub use model::write_rig_glb;
pub use npy::write_npy;
pub use obj::write_obj;
pub(super) use placed::rounded;
pub use posed::write_posed_glb;
pub use shown::OpenRig;
pub(super) use writer::Packing;
