//! What was measured of surfaces, kept until a pose changes.

use std::cell::OnceCell;
use std::sync::{Arc, OnceLock};

use crate::asset::SurfaceEdges;
use crate::skin::Surface;

/// Worked out when somebody asks.
#[derive(Clone, Debug, Default)]
pub(super) struct SurfaceCache {
    /// The same for all poses of a mesh.
    pub(super) edges: Arc<OnceLock<SurfaceEdges>>,
    /// In the picture.
    pub(super) shown: OnceCell<Option<Surface>>,
    pub(super) stored: OnceCell<Option<Surface>>,
}
