//! The posed mesh alone, as one `.glb`.

use std::collections::BTreeMap;

use glam::Vec3;

use super::container::glb_of;
use super::error::WriteError;
use super::json;
use super::made::mesh_node_name;
use super::primitives::{Shared, mesh_name, parts, places};
use super::writer::{ARRAY_BUFFER, Floats, Writer};
use crate::asset::Rig;

/// The mesh with its vertices where `positions` puts them, in world space,
/// without a skeleton: names of nodes and meshes, materials, images, vertex
/// colours and texture coordinates stay.
///
/// `positions` and `normals` are as many as the mesh has vertices.
///
/// # Errors
/// See [`WriteError`].
pub fn write_posed_glb(
    rig: &Rig,
    positions: &[Vec3],
    normals: &[Vec3],
) -> Result<Vec<u8>, WriteError> {
    let parts = parts(rig);
    if parts.is_empty() {
        return Err(WriteError::NoVertices);
    }
    let mut writer = Writer::default();
    let mut root = json::Root::of_model();
    let wanted: Vec<Option<usize>> = parts.iter().map(|(_, part)| part.material).collect();
    let materials = root.add_materials(&mut writer, &rig.mesh, rig.flat, &wanted)?;
    let mut shared: BTreeMap<(u32, u32, bool), Shared> = BTreeMap::new();
    let mut mesh_of_node = BTreeMap::new();
    for (place, (_, part)) in parts.iter().enumerate() {
        let textured = materials.is_textured(place);
        let key = (part.vertices.start, part.vertices.end, textured);
        let shared = shared.entry(key).or_insert_with(|| {
            let range = places(&part.vertices);
            let mut attributes = json::Attributes::default();
            let positions = positions.get(range.clone()).unwrap_or_default();
            attributes.put("POSITION", writer.positions(positions));
            let unit = unit_normals(normals.get(range).unwrap_or_default());
            let normals = bytemuck::cast_slice(&unit);
            let normals = writer.floats(normals, Floats::VECTOR, Some(ARRAY_BUFFER));
            attributes.put("NORMAL", normals);
            writer.put_looks(&mut attributes, &rig.mesh, &part.vertices, textured);
            Shared {
                attributes,
                targets: Vec::new(),
            }
        });
        let mesh = *mesh_of_node.entry(part.node).or_insert_with(|| {
            root.nodes.push(json::Node {
                name: node_name(rig, part.node.index()),
                mesh: Some(root.meshes.len()),
                ..json::Node::default()
            });
            root.meshes.push(json::Mesh {
                name: mesh_name(part),
                ..json::Mesh::default()
            });
            root.meshes.len() - 1
        });
        let primitives = writer.primitives(&rig.mesh, part, shared, materials.of(place));
        if let Some(mesh) = root.meshes.get_mut(mesh) {
            mesh.primitives.extend(primitives);
        }
    }
    root.scenes.push(json::Scene {
        nodes: (0..root.nodes.len()).collect(),
        ..json::Scene::default()
    });
    let (root, bytes) = writer.finish(root)?;
    Ok(glb_of(serde_json::to_vec(&root)?, bytes))
}

impl json::Root {
    /// The beginning of a file of a model that is open.
    pub(super) fn of_model() -> Self {
        Self {
            asset: json::Asset {
                version: "2.0",
                generator: "Bindpose",
                copyright: None,
            },
            ..Self::default()
        }
    }
}

/// A collapsed surface has no normals; glTF wants unit ones.
pub(super) fn unit_normals(normals: &[Vec3]) -> Vec<Vec3> {
    normals.iter().map(|n| n.normalize_or(Vec3::Z)).collect()
}

fn node_name(rig: &Rig, node: usize) -> Option<String> {
    match &rig.origin {
        Some(origin) => origin.graph.nodes.get(node)?.name.clone(),
        None => Some(mesh_node_name(rig)),
    }
}
