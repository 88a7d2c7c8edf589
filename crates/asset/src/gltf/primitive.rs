//! One primitive, and what moves it.

use gltf::json::mesh::{Primitive, Semantic};
use gltf::json::validation::Checked;

use bindpose_skin::JointIndex;

/// What moves the vertices of a part.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum BoundPart {
    /// The joints of this skin.
    Skin(usize),
    /// One joint alone.
    Joint(JointIndex),
}

/// One primitive as one node shows it.
pub(super) struct PrimitiveUse<'a> {
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) index: usize,
    pub(super) primitive: &'a Primitive,
}

impl PrimitiveUse<'_> {
    pub(super) fn path(&self) -> String {
        format!("/meshes/{}/primitives/{}", self.mesh, self.index)
    }

    pub(super) fn accessor(&self, semantic: Semantic) -> Option<usize> {
        let attributes = &self.primitive.attributes;
        attributes.get(&Checked::Valid(semantic)).map(|accessor| accessor.value())
    }

    /// Does it say which joints move its vertices?
    pub(super) fn has_influences(&self) -> bool {
        self.accessor(Semantic::Joints(0)).is_some()
            || self.accessor(Semantic::Weights(0)).is_some()
    }
}
