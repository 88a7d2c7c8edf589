//! Samples of the vertices that nodes show with a skin, and the faults that they reveal.

use std::collections::BTreeMap;

use bindpose_gltf::decoding::values::{get_list, get_str, get_usize};
use glam::DMat4;

use super::numbering::JointNumbering;
use crate::bind::LoadedSkin;
use crate::bones::{mesh_size, stored_joint};
use crate::catalog::DoctorFault;
use crate::document::{NodeGraph, RawDocument};
use crate::skinned_vertices::{SampledVertex, sample_primitive};

/// Minimum number of sampled vertices from which conclusions are drawn.
pub(super) const MIN_VERTICES: usize = 16;
/// Maximum fraction of the stored distance that an explanation may leave.
pub(super) const MAX_EXPLAINED_FRACTION: f64 = 0.5;
/// Maximum mean distance that an explanation may leave, relative to the mesh.
pub(super) const MAX_RESIDUAL: f64 = 0.15;

/// A fault of a mesh and its skeleton.
pub(super) struct SkinFault {
    /// Index of the skin.
    pub(super) skin: usize,
    pub(super) fault: DoctorFault,
    /// JSON pointer.
    pub(super) pointer: String,
    pub(super) expected: &'static str,
    pub(super) shown: String,
    /// `None` if the correct numbers are not known.
    pub(super) repair: Option<SkinRepair>,
}

/// A repair of a skin, or of the meshes that nodes show with it.
pub(crate) enum SkinRepair {
    /// Replaces the inverse bind matrices, `joint_from_bind`.
    Binds(Vec<DMat4>),
    /// Renumbers the joints in `JOINTS_n`.
    Joints(JointNumbering),
    /// Lists other joints, each with its inverse bind matrix.
    Order { joints: Vec<usize>, binds: Vec<DMat4> },
    /// Gives a node this skin.
    Node { node: usize, skin: usize },
}

/// A primitive as a node shows it with a skin.
pub(super) struct SkinnedPart {
    pub(super) node: usize,
    pub(super) mesh: usize,
    pub(super) primitive: usize,
    pub(super) vertices: Vec<SampledVertex>,
}

impl SkinnedPart {
    pub(super) fn describe(&self) -> String {
        format!("primitive {} of mesh {}", self.primitive, self.mesh)
    }
}

/// Samples all primitives that nodes show with a skin, each once.
fn load_parts(doc: &RawDocument<'_>, skin: usize) -> Vec<SkinnedPart> {
    let mut parts: Vec<SkinnedPart> = Vec::new();
    for (node, value) in doc.list("nodes").iter().enumerate() {
        if get_usize(value, "skin") != Some(skin) {
            continue;
        }
        let Some(mesh) = get_usize(value, "mesh") else {
            continue;
        };
        if parts.iter().any(|part| part.mesh == mesh) {
            continue;
        }
        let primitives =
            doc.get("meshes", mesh).map_or(&[][..], |mesh| get_list(mesh, "primitives"));
        for (primitive, value) in primitives.iter().enumerate() {
            let triangles = sample_primitive(doc, value, parts.len()).unwrap_or_default();
            let mut by_index: BTreeMap<usize, SampledVertex> = BTreeMap::new();
            for vertex in triangles.into_iter().flatten() {
                if stored_joint(&vertex).is_some() {
                    by_index.insert(vertex.index(), vertex);
                }
            }
            parts.push(SkinnedPart {
                node,
                mesh,
                primitive,
                vertices: by_index.into_values().collect(),
            });
        }
    }
    parts
}

/// One skin with samples of its vertices.
pub(crate) struct SkinFit<'a> {
    pub(super) doc: &'a RawDocument<'a>,
    pub(super) graph: &'a NodeGraph,
    pub(super) skin: &'a LoadedSkin,
    pub(super) parts: Vec<SkinnedPart>,
    /// The vertices of all parts.
    pub(super) vertices: Vec<SampledVertex>,
    /// The longest side of all parts together, as stored.
    pub(super) mesh_size: f64,
}

impl<'a> SkinFit<'a> {
    /// Returns `None` if a mistake in the matrices is known already, or if there are too few
    /// vertices.
    pub(super) fn new(
        doc: &'a RawDocument<'_>,
        graph: &'a NodeGraph,
        skin: &'a LoadedSkin,
    ) -> Option<Self> {
        let parts = load_parts(doc, skin.index);
        let vertices: Vec<SampledVertex> =
            parts.iter().flat_map(|part| &part.vertices).copied().collect();
        let is_examined = vertices.len() >= MIN_VERTICES && !skin.at_rest.is_explained();
        is_examined.then(|| Self {
            doc,
            graph,
            skin,
            parts,
            mesh_size: mesh_size(&vertices),
            vertices,
        })
    }

    pub(super) fn new_fault(&self, fault: DoctorFault, expected: &'static str) -> SkinFault {
        SkinFault {
            skin: self.skin.index,
            fault,
            pointer: format!("/skins/{}", self.skin.index),
            expected,
            shown: String::new(),
            repair: None,
        }
    }

    /// Formats a joint with the name of its node, if it has one.
    pub(super) fn joint_name(&self, joint: usize) -> String {
        let node = self.skin.joints.get(joint).and_then(|&node| self.doc.get("nodes", node));
        match node.and_then(|node| get_str(node, "name")) {
            Some(name) => name.to_owned(),
            None => format!("joint {joint}"),
        }
    }
}
