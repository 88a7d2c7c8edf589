//! Weights that are worked out from where vertices and bones are in the bind pose.
//!
//! Whatever is computed here is a first guess: it knows distances and the surface, not
//! what the model is.

mod computed;
mod conjugate_gradients;
#[cfg(test)]
mod heat_tests;
mod segment_tree;
#[cfg(test)]
mod test_meshes;

use std::fmt;

use super::LANES;
use crate::keyed;

pub use computed::{BindBones, BindSurface, WorkPace, computed_weights};

keyed! {
    /// Where the weights of a mesh come from.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum WeightSource {
        /// As the model has them.
        #[default]
        Stored = "stored" => "stored",
        /// All of it to the joint whose bone is nearest.
        NearestJoint = "nearest-joint" => "nearest joint",
        /// Shared among all joints by the distance of their bones, raised to a power.
        InverseDistance = "inverse-distance" => "inverse distance",
        /// Warmth that the nearest visible bone gives off and the surface carries on.
        BoneHeat = "bone-heat" => "bone heat",
    }
}

/// How weights are worked out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeightsBy {
    /// From what.
    pub source: WeightSource,
    /// The power p of the inverse distance 1/dᵖ; other sources leave it alone.
    pub power: u32,
    /// Influences that a vertex keeps, the strongest, divided by their sum; 1 to
    /// [`LANES`].
    pub most: u32,
}

impl Default for WeightsBy {
    fn default() -> Self {
        Self { source: WeightSource::Stored, power: 2, most: LANES as u32 }
    }
}

impl WeightsBy {
    /// Are these the weights of the model as they are? More than [`LANES`] are all of
    /// them, too.
    pub fn is_stored(&self) -> bool {
        self.source == WeightSource::Stored && self.most as usize >= LANES
    }

    /// Without what makes no difference, so that what is worked out is found again.
    #[must_use]
    pub fn effective(self) -> Self {
        let power = match self.source {
            WeightSource::InverseDistance => self.power,
            _ => Self::default().power,
        };
        Self { power, ..self }
    }
}

/// Why there are no weights of that source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WeightsError {
    /// Heat flows along a surface.
    NoTriangles,
    /// NaN or infinity in a position.
    NotFinite {
        /// Its index.
        vertex: usize,
    },
    /// One system of equations a joint, each as large as the mesh.
    TooLarge {
        /// With a bone that is the nearest of some vertex.
        joints: usize,
        /// Places on the surface.
        vertices: usize,
        /// Of the two multiplied.
        most: usize,
    },
    /// Whoever asked has gone.
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

/// Weights below this part of a vertex's sum are dropped: no picture shows them, and
/// they would take lanes.
const NEGLIGIBLE: f64 = 1e-3;
