//! Weights computed from the positions of vertices and bones in the bind pose.
//!
//! Computed weights are a first guess: they depend on distances and on the surface, but not on
//! the anatomy of the model.

mod computed;
mod conjugate_gradients;
#[cfg(test)]
mod heat_tests;
#[cfg(test)]
mod test_meshes;
mod triangle_tree;

use std::fmt;

use super::LANES;
use crate::keyed;

pub use computed::{BindBones, BindSurface, WorkPace, computed_weights};

keyed! {
    /// The source of a mesh's weights.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum WeightSource {
        /// The weights stored with the model.
        #[default]
        Stored = "stored" => "stored",
        /// Weight 1 for the joint with the nearest bone.
        NearestJoint = "nearest-joint" => "nearest joint",
        /// Weights proportional to a negative power of the distance to each joint's bone.
        InverseDistance = "inverse-distance" => "inverse distance",
        /// Heat that diffuses over the surface from the nearest visible bones.
        BoneHeat = "bone-heat" => "bone heat",
    }
}

/// The source of weights, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsBy {
    /// The source of the weights.
    pub source: WeightSource,
    /// The power p of the inverse distance 1/dᵖ. Other sources ignore it.
    pub power: u32,
    /// Maximum number of influences per vertex, from 1 to [`LANES`]. The strongest remain, with
    /// the weights divided by their sum.
    pub most: u32,
}

impl Default for WeightsBy {
    fn default() -> Self {
        Self { source: WeightSource::Stored, power: 2, most: LANES as u32 }
    }
}

impl WeightsBy {
    /// Returns whether the stored weights remain unchanged: they are the source, and
    /// [`Self::most`] does not reduce their number.
    pub fn is_stored(&self) -> bool {
        self.source == WeightSource::Stored && self.most as usize >= LANES
    }

    /// Resets parameters that the source ignores, so that caches compare equal for equal
    /// results.
    #[must_use]
    pub fn effective(self) -> Self {
        let power = match self.source {
            WeightSource::InverseDistance => self.power,
            _ => Self::default().power,
        };
        Self { power, ..self }
    }
}

/// The reason for which weights could not be computed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// The mesh has no triangles with an area, on which heat could diffuse.
    NoTriangles,
    /// A position contains NaN or infinity.
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// Bone heat would take minutes: it solves one system of equations per joint, as large as
    /// the mesh.
    TooLarge {
        /// Number of joints whose bone is the nearest one of some vertex.
        joints: usize,
        /// Number of vertices without the copies along seams.
        vertices: usize,
        /// Maximum product of the two.
        most: usize,
    },
    /// The computation was cancelled.
    Stopped,
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoTriangles => f.write_str(
                "bone heat needs triangles for the heat to flow along, and this mesh has none",
            ),
            Self::NotFinite { vertex } => write!(
                f,
                "vertex {vertex} has a position that is not finite: no distance can be measured"
            ),
            Self::TooLarge { joints, vertices, most } => write!(
                f,
                "bone heat for {joints} joints on {vertices} vertices would take minutes: joints times vertices may be {most} at most. Choose inverse distance"
            ),
            Self::Stopped => f.write_str("the work was stopped"),
        }
    }
}

impl std::error::Error for WeightsError {}

/// Minimum weight relative to a vertex's sum. Smaller weights are invisible, but they would use
/// lanes.
const MIN_RELATIVE_WEIGHT: f64 = 1e-3;
