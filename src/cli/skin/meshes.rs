//! The primitives of a file as `bindpose skin` prints them.

use glam::{Mat4, Vec3};
use serde::Serialize;

use bindpose_asset::{Moved, Part, Rig};

/// One primitive as one node shows it.
#[derive(Serialize)]
pub(super) struct MeshRow {
    /// Index of the node in the file.
    pub(super) node: u32,
    /// Index of the primitive in its mesh.
    pub(super) primitive: usize,
    /// Index of the skin; null where the node alone moves it.
    skin: Option<usize>,
    /// Nodes of the skin's joints; empty without a skin.
    joints: Vec<u32>,
    /// world(joint) × inverse bind, column-major, one a joint.
    joint_matrices: Vec<[f32; 16]>,
    /// Its place in the list of all vertices.
    pub(super) first_vertex: u32,
    pub(super) vertex_count: usize,
    /// In world space.
    positions: Vec<Vec3>,
    /// In world space, of unit length.
    normals: Vec<Vec3>,
    /// The smallest and the largest Σw of a vertex as the file has it; empty
    /// without a skin.
    weight_sums: Vec<f32>,
    #[serde(skip)]
    pub(super) name: String,
}

/// Everything that is shown, or what one skin moves of it.
pub(super) fn rows(
    rig: &Rig,
    skin: Option<usize>,
    world_from_bind: &[Mat4],
    moved: &Moved,
) -> Vec<MeshRow> {
    let parts = rig.mesh.parts.iter();
    parts
        .filter(|part| skin.is_none() || part.skin == skin)
        .map(|part| row(rig, part, world_from_bind, moved))
        .collect()
}

fn row(rig: &Rig, part: &Part, world_from_bind: &[Mat4], moved: &Moved) -> MeshRow {
    let range = part.vertices.start as usize..part.vertices.end as usize;
    let graph = rig.origin.as_ref().map(|origin| &origin.graph);
    let skin = graph.and_then(|graph| graph.skins.get(part.skin?));
    let (nodes, ours) = skin.map_or((&[][..], &[][..]), |skin| (&*skin.joints, &*skin.ours));
    let sums = rig.mesh.stored_sums.get(range.clone()).unwrap_or_default();
    let matrices = ours.iter().filter_map(|joint| world_from_bind.get(joint.index()));
    MeshRow {
        node: part.node.0,
        primitive: part.primitive,
        skin: part.skin,
        joints: nodes.iter().map(|node| node.0).collect(),
        joint_matrices: matrices.map(Mat4::to_cols_array).collect(),
        first_vertex: part.vertices.start,
        vertex_count: range.len(),
        positions: moved.positions[range.clone()].to_vec(),
        normals: moved.normals[range].to_vec(),
        weight_sums: match part.skin {
            Some(_) if !sums.is_empty() => vec![
                sums.iter().copied().fold(f32::INFINITY, f32::min),
                sums.iter().copied().fold(f32::NEG_INFINITY, f32::max),
            ],
            _ => Vec::new(),
        },
        name: part.name.clone(),
    }
}
