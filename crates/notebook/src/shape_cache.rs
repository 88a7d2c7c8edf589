//! What was measured of the mesh in one pose, kept until that changes.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use bindpose_asset::{Mesh, MovedVertices, SurfaceEdges};
use bindpose_skin::Surface;
use glam::{Mat4, Vec3};

use super::scene::Scalars;

/// Worked out when somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct ShapeCache {
    /// The same for all poses of a mesh.
    pub(super) edges: Arc<OnceLock<SurfaceEdges>>,
    /// In the picture.
    pub(super) shown_surface: OnceCell<Option<Surface>>,
    pub(super) stored_surface: OnceCell<Option<Surface>>,
    /// Smallest box around the vertices in the picture: (min, max).
    pub(super) shown_bounds: OnceCell<(Vec3, Vec3)>,
    /// The longest way of a vertex from where it is stored, in world units.
    pub(super) largest_displacement: OnceCell<f32>,
    /// How far each vertex is from where the weights of the file would put it.
    pub(super) weight_errors: OnceCell<Arc<Scalars>>,
}

/// The mesh in the rest pose, and what it was made of.
#[derive(Clone, Debug)]
pub(super) struct RestGhost {
    pub(super) mesh: Arc<Mesh>,
    pub(super) world_from_bind: Vec<Mat4>,
    pub(super) morph_weights: Vec<f32>,
    pub(super) moved: Arc<MovedVertices>,
}
