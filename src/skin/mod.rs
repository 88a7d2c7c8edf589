//! Skinning as pure maths: no window, no GL, no files, no clock.
//!
//! A vertex travels `bind → joint → world`, once per influence, and the copies
//! are blended:
//!
//! ```text
//! parent_from_joint   local TRS of the current pose
//! world_from_joint    product down the hierarchy
//! joint_from_bind     the inverse bind matrix: stored vertex -> joint's space
//! world_from_bind     world_from_joint * joint_from_bind: what moves vertices
//! Σ wᵢ world_from_bind[jᵢ]   the skin matrix of one vertex
//! ```
//!
//! [`mod@reference`] holds the same sums in float64, written naively; tests compare
//! the two.

mod blend;
mod clip;
mod clip_sampler;
mod conventions;
mod coordinate_frames;
mod dual_quaternion;
mod enum_keys;
mod influences;
mod kernels;
mod linear_blend;
mod normals;
mod pose;
mod quantized_weights;
pub mod reference;
mod rotation_interpolation;
mod shared_influences;
mod skeleton;
mod stages;
mod surface;
mod tangents;
mod weight_brush;
mod weight_shares;
mod weight_sources;

pub use blend::{Blend, Method, NormalRule};
pub use clip::{Channel, Clip, Interpolation, Property, Target, Track, put_sample};
pub use clip_sampler::ClipSampler;
pub(crate) use clip_sampler::sample_clip;
pub use conventions::{Axes, Conventions, MemoryOrder, Vectors};
pub use coordinate_frames::{Frame, FrameMismatch, JointIndex, NamedTransform};
pub use dual_quaternion::{
    JointMotion, dual_quaternion_matrix, dual_quaternion_matrix_of,
    one_sided_dual_quaternion_matrix,
};
#[cfg(not(target_arch = "wasm32"))]
pub(crate) use enum_keys::keys_schema;
pub(crate) use enum_keys::{Keyed, deserialize_key, keyed};
pub use influences::{Influences, LANES, SET_LANES, keep_strongest};
pub(crate) use kernels::with_skinner;
pub use kernels::{BindVertices, Skinner, VertexGroups, WorldVertices};
pub use linear_blend::{
    joint_matrices, moved_position, skin_matrix, skin_matrix_of, skin_position, skin_positions,
};
pub use normals::{
    cofactors, moved_normal, normal_from_bind, normal_matrix, skin_normal, skin_normals,
};
pub use pose::{Pose, Trs};
pub use quantized_weights::WeightFormat;
pub use rotation_interpolation::{RotationInterpolation, lerped_matrix, slerp};
pub use shared_influences::{InfluencesName, SharedInfluences};
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use stages::{InverseBind, MeshNodeUse, Stage, used_joint_from_bind};
pub use surface::Surface;
pub use tangents::moved_tangent;
pub use weight_brush::{
    Brush, BrushMode, BrushSurface, Falloff, MirrorPlane, Painted, PaintedVertex, Unpainted,
};
pub use weight_shares::sharing_the_rest;
pub use weight_sources::{BindBones, WeightSource, WeightsBy, WeightsError};
pub(crate) use weight_sources::{BindSurface, WorkPace, computed_weights};
