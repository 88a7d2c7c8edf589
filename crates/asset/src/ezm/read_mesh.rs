//! A mesh as it is stored, before it stands anywhere.

use roxmltree::Node;

use super::vertices::EzmVertices;

/// Its vertices and sections.
pub(super) struct ReadMesh<'d> {
    pub(super) node: Node<'d, 'd>,
    pub(super) name: Option<&'d str>,
    /// Its place among the skeletons; `None`: it moves as a whole.
    pub(super) skeleton: Option<usize>,
    pub(super) vertices: EzmVertices,
    pub(super) sections: Vec<MeshSection>,
}

pub(super) struct MeshSection {
    pub(super) material: Option<usize>,
    pub(super) triangles: Vec<[u32; 3]>,
}
