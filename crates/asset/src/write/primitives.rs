//! What primitives of a rig's mesh have in common, however they are moved:
//! corners and looks.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use glam::{Vec2, Vec4};

use super::json;
use super::writer::{Floats, GltfWriter};
use crate::{Mesh, MeshPart, NodeIndex, Rig};

/// For indexing slices.
pub(super) fn places(range: &Range<u32>) -> Range<usize> {
    range.start as usize..range.end as usize
}

/// The parts of a mesh that have vertices; all as one where it has no parts. Of a rig made in memory they stand on one node and in one
/// skin, both the first.
pub(super) fn parts(rig: &Rig) -> Vec<Cow<'_, MeshPart>> {
    let mesh = &*rig.mesh;
    let of_memory =
        |part: &MeshPart| MeshPart { node: NodeIndex(0), mesh: 0, skin: Some(0), ..part.clone() };
    let mut all = if mesh.parts.is_empty() {
        vec![Cow::Owned(of_memory(&MeshPart {
            name: rig.id.clone(),
            vertices: 0..mesh.positions.len() as u32,
            triangles: 0..mesh.triangles.len() as u32,
            lines: 0..mesh.lines.len() as u32,
            material: Some(0),
            ..MeshPart::default()
        }))]
    } else if rig.origin.is_none() {
        let parts = mesh.parts.iter();
        parts.map(|part| Cow::Owned(of_memory(part))).collect()
    } else {
        mesh.parts.iter().map(Cow::Borrowed).collect()
    };
    all.retain(|part| !part.vertices.is_empty());
    all
}

/// Primitives that differ in their corners alone.
pub(super) struct SharedCorners {
    pub(super) attributes: json::Attributes,
    pub(super) targets: Vec<BTreeMap<&'static str, usize>>,
}

impl GltfWriter {
    /// A primitive of triangles and one of lines, where there are any; else one
    /// of points, so that the vertices are there.
    pub(super) fn primitives(
        &mut self,
        mesh: &Mesh,
        part: &MeshPart,
        shared: &SharedCorners,
        material: usize,
    ) -> Vec<json::Primitive> {
        let triangles = mesh.triangles.get(places(&part.triangles)).unwrap_or_default();
        let lines = mesh.lines.get(places(&part.lines)).unwrap_or_default();
        let kinds = [(triangles.as_flattened(), 4), (lines.as_flattened(), 1)];
        let primitive = |indices, mode| json::Primitive {
            attributes: shared.attributes.clone(),
            indices,
            material,
            mode,
            targets: shared.targets.clone(),
        };
        let mut primitives = Vec::new();
        for (corners, mode) in kinds.into_iter().filter(|(corners, _)| !corners.is_empty()) {
            let first = part.vertices.start;
            let corners = corners.iter().map(|corner| corner - first);
            let indices = self.indices(corners, part.vertices.len());
            primitives.push(primitive(Some(indices), mode));
        }
        if primitives.is_empty() {
            primitives.push(primitive(None, 0));
        }
        primitives
    }

    /// Texture coordinates and colours, where they say anything.
    pub(super) fn put_looks(
        &mut self,
        attributes: &mut json::Attributes,
        mesh: &Mesh,
        vertices: &Range<u32>,
        textured: bool,
    ) {
        let uvs = mesh.uvs.get(places(vertices)).unwrap_or_default();
        if uvs.iter().any(|&uv| uv != Vec2::ZERO) {
            attributes.put("TEXCOORD_0", self.floats(uvs, Floats::UV));
        } else if textured {
            // An image must know where it lies.
            let zeros = vec![Vec2::ZERO; vertices.len()];
            attributes.put("TEXCOORD_0", self.floats(&zeros, Floats::UV));
        }
        let colors = mesh.colors.get(places(vertices)).unwrap_or_default();
        if colors.iter().any(|&color| color != Vec4::ONE) {
            let clamped = colors.iter().map(|one| one.clamp(Vec4::ZERO, Vec4::ONE));
            let clamped: Vec<Vec4> = clamped.collect();
            attributes.put("COLOR_0", self.floats(&clamped, Floats::FOUR));
        }
    }
}

/// The name of the mesh that parts are of.
pub(super) fn mesh_name(part: &MeshPart) -> String {
    let suffix = format!(", part {}", part.primitive);
    let name = part.name.strip_suffix(&suffix).unwrap_or(&part.name);
    name.to_owned()
}
