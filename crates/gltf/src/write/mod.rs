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

pub use ezm::{PoseFrames, encode_ezm};
pub use obj::{write_npy, write_obj};
pub use open_rig::{OpenRig, skeleton_unsound, write_posed_glb, write_rig_glb};
pub(super) use primitives::node_of_joint;
pub use primitives::{encode_glb, encode_gltf, round_to_millionths};
pub(crate) use writer::glb_with;
pub use writer::{AttributePacking, glb_of};
