//! A mesh as it is stored, before it stands anywhere.

use roxmltree::Node;

use super::vertices::Vertices;

/// Its vertices and sections.
pub(super) struct ReadMesh<'d> {
    pub(super) node: Node<'d, 'd>,
    pub(super) name: Option<&'d str>,
    /// Its place among the skeletons; `None`: it moves as a whole.
    pub(super) skeleton: Option<usize>,
    pub(super) vertices: Vertices,
    pub(super) sections: Vec<Section>,
}

pub(super) struct Section {
    pub(super) material: Option<usize>,
    pub(super) triangles: Vec<[u32; 3]>,
}
