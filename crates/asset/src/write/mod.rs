//! Writes rigs as files: glTF, EZMesh, OBJ and NumPy arrays. The output is deterministic.

mod animations;
mod ezm;
mod influences;
mod json;
mod materials;
mod nodes;
mod obj;
mod open_rig;
mod primitives;
mod writer;

pub(super) use ezm::{PoseFrames, encode_ezm};
pub use obj::{write_npy, write_obj};
pub(crate) use open_rig::skeleton_unsound;
pub use open_rig::{OpenRig, write_posed_glb, write_rig_glb};
pub(super) use primitives::{encode_glb, encode_gltf, node_of_joint, round_to_millionths};
pub(super) use writer::AttributePacking;
pub use writer::glb_of;
pub(crate) use writer::glb_with;
