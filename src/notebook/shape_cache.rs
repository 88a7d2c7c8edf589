//! What was measured of the mesh in one pose, kept until that changes.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use crate::asset::SurfaceEdges;
use crate::skin::Surface;

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
}
