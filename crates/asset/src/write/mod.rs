//! Models as files: glTF of rigs made by code and of what is open, others beside
//! it.
//!
//! The same rig gives the same bytes on every run.

mod animations;
mod ezm;
mod influences;
mod json;
mod materials;
mod nodes;
mod obj;
mod posed;
mod primitives;
mod writer;

pub(super) use ezm::{PoseFrames, ezm};
pub use obj::{write_npy, write_obj};
pub(crate) use posed::skeleton_unsound;
pub use posed::{OpenRig, write_posed_glb, write_rig_glb};
pub(super) use primitives::{glb, gltf, node_of, rounded_place};
pub(super) use writer::Packing;
pub(crate) use writer::{glb_of, glb_with};
