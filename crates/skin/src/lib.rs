//! Vertex skinning as pure maths, on glam: no window, no GPU, no files, no clock. Depends
//! on no other crate of this workspace.
//!
//! Each influence transforms the vertex `bind → joint → world`, and the results are
//! blended:
//!
//! ```text
//! parent_from_joint   local TRS of the current pose
//! world_from_joint    product of the local matrices down the hierarchy
//! joint_from_bind     the inverse bind matrix: stored vertex -> joint space
//! world_from_bind     world_from_joint * joint_from_bind: the joint matrix
//! Σ wᵢ world_from_bind[jᵢ]   the skin matrix of one vertex
//! ```
//!
//! A triangle on two joints, the second rotated by 90° about z:
//!
//! ```
//! use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, Trs};
//! use bindpose_skin::{joint_matrices, skin_positions};
//! use glam::{Mat4, Quat, Vec3};
//!
//! let joint = |name: &str, parent, y: f32| Joint {
//!     name: name.to_owned(),
//!     parent,
//!     parent_from_joint_at_rest: Trs::at(Vec3::Y * y),
//!     joint_from_bind: Mat4::from_translation(Vec3::Y * -y),
//! };
//! let arm = JointIndex(0);
//! let hand = JointIndex(1);
//! let skeleton = Skeleton::new(vec![joint("arm", None, 0.0), joint("hand", Some(arm), 2.0)])?;
//!
//! let positions_in_bind = [Vec3::ZERO, Vec3::Y * 2.0, Vec3::Y * 3.0];
//! let influences = [
//!     Influences::new(&[(arm, 1.0)]),
//!     Influences::new(&[(arm, 0.5), (hand, 0.5)]),
//!     Influences::new(&[(hand, 1.0)]),
//! ];
//!
//! let mut pose = skeleton.rest_pose();
//! pose.parent_from_joint[1].rotation = Quat::from_rotation_z(90_f32.to_radians());
//! let world_from_joint = skeleton.world_from_joint(&pose);
//! let world_from_bind = joint_matrices(&world_from_joint, &skeleton.joint_from_bind());
//! let positions_in_world = skin_positions(&positions_in_bind, &influences, &world_from_bind);
//! assert!(positions_in_world[1].abs_diff_eq(Vec3::Y * 2.0, 1e-6));
//! assert!(positions_in_world[2].abs_diff_eq(Vec3::new(-1.0, 2.0, 0.0), 1e-6));
//! # Ok::<(), bindpose_skin::SkeletonError>(())
//! ```
//!
//! # Conventions
//!
//! Space is right-handed, y points up, and angles are in radians. A positive rotation
//! about z takes x to y. Vectors are columns, and matrices are column-major: the last four
//! numbers are the translation.
//!
//! ```
//! use bindpose_skin::Trs;
//! use glam::{Mat4, Quat, Vec3};
//!
//! assert_eq!(Vec3::X.cross(Vec3::Y), Vec3::Z);
//! let turned = Quat::from_rotation_z(std::f64::consts::FRAC_PI_2 as f32) * Vec3::X;
//! assert!(turned.abs_diff_eq(Vec3::Y, 1e-6));
//! let parent_from_joint: Mat4 = Trs::at(Vec3::new(1.0, 2.0, 3.0)).matrix();
//! assert_eq!(parent_from_joint.to_cols_array()[12..], [1.0, 2.0, 3.0, 1.0]);
//! ```
//!
//! A matrix named `b_from_a` maps coordinates in `a` to coordinates in `b`, so that equal
//! names meet in a product: `world_from_joint * joint_from_bind`.
//!
//! [`Skinner`] transforms large meshes, eight vertices at a time. [`mod@reference`] has the
//! same formulas in 64-bit floats, written naively, and tests compare the two. The features
//! `serde` and `schema`, off by default, serialize poses and the names of enum variants.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

mod clip;
mod clip_sampler;
mod conventions;
mod coordinate_frames;
pub mod differences;
mod dual_quaternion;
mod enum_keys;
mod influences;
mod kernels;
mod linear_blend;
mod normals;
mod palette_difference;
mod pose;
mod quantized_weights;
pub mod reference;
mod rotation_interpolation;
mod shared_influences;
mod skeleton;
mod stages;
mod surface;
mod weight_brush;
mod weight_sources;

pub use clip::{Channel, ChannelTarget, Clip, Interpolation, Track, TrackProperty, put_sample};
pub use clip_sampler::{ClipSampler, sample_clip};
pub use conventions::{ConventionAxes, Conventions, MemoryOrder, Vectors};
pub use coordinate_frames::{CoordinateFrame, FrameMismatch, JointIndex, NamedTransform};
pub use dual_quaternion::{
    JointMotion, dual_quaternion_matrix, dual_quaternion_matrix_of,
    one_sided_dual_quaternion_matrix,
};
pub use enum_keys::Keyed;
#[cfg(feature = "serde")]
pub use enum_keys::deserialize_key;
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use enum_keys::keys_schema;
pub use influences::{Influences, LANES, SET_LANES, keep_strongest, sharing_the_rest};
pub use kernels::{BindVertices, Skinner, VertexGroups, WorldVertices, with_skinner};
pub use linear_blend::{
    joint_matrices, moved_position, skin_matrix, skin_matrix_of, skin_position, skin_positions,
};
pub use normals::{
    NormalRule, cofactors, moved_normal, moved_tangent, normal_from_bind, normal_matrix,
    skin_normal, skin_normals,
};
pub use palette_difference::{PaletteDifference, compare_palettes};
pub use pose::{Pose, Trs};
pub use quantized_weights::WeightFormat;
pub use rotation_interpolation::{RotationInterpolation, lerped_matrix, slerp};
#[cfg(feature = "schema")]
#[doc(hidden)]
pub use schemars;
#[cfg(feature = "serde")]
#[doc(hidden)]
pub use serde;
pub use shared_influences::{InfluencesName, SharedInfluences};
pub use skeleton::{Joint, Skeleton, SkeletonError};
pub use stages::{Blend, InverseBind, MeshNodeUse, Method, SkinStage, used_joint_from_bind};
pub use surface::Surface;
pub use weight_brush::{
    Brush, BrushMode, BrushSurface, Falloff, MirrorPlane, PaintedStroke, PaintedVertex, Unpainted,
};
pub use weight_sources::{
    BindBones, BindSurface, WeightSource, WeightsBy, WeightsError, WorkPace, computed_weights,
};

/// Runs the README's examples as doctests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct ReadmeExamples;
