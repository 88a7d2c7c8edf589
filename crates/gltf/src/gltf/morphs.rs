//! Reads morph targets.

use std::collections::BTreeMap;

use bindpose_diagnostic::Diagnostic;
use glam::Vec3;
use gltf::json::mesh::{Mesh as StoredMesh, MorphTarget as StoredTarget};
use serde::Deserialize;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::gltf_error;
use super::vertices::{PrimitiveUse, VertexReader};
use crate::read_error::code;
use crate::{Mesh, MorphTarget};

/// Limit for the morph weights of a file.
const MAX_SLOTS: usize = 1 << 16;

/// The morph weights of a node: a run in the rig's list of weights.
#[derive(Clone, Debug)]
pub(super) struct MorphSlots {
    /// Index of the first weight.
    pub(super) first: usize,
    /// Name of each target.
    pub(super) names: Vec<String>,
}

/// Assigns slots to each node whose mesh has morph targets. Returns them by node, together
/// with the rest weights of all slots: those of the node, of its mesh, or 0.
pub(super) fn assign_slots(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
) -> Result<(BTreeMap<usize, MorphSlots>, Vec<f32>), Diagnostic> {
    let mut slots: BTreeMap<usize, MorphSlots> = BTreeMap::new();
    let mut weights = Vec::new();
    for part in uses {
        let mesh = &document.root.meshes[part.mesh];
        let count = mesh
            .primitives
            .iter()
            .flat_map(|primitive| &primitive.targets)
            .map(Vec::len)
            .max()
            .unwrap_or(0);
        if count == 0 || slots.contains_key(&part.node) {
            continue;
        }
        let first = weights.len();
        if count > MAX_SLOTS - first {
            return Err(gltf_error(
                code::GLTF_TOO_LARGE,
                format_args!("/nodes/{}/mesh", part.node),
                format_args!("at most {MAX_SLOTS} morph weights in all nodes"),
                "more",
            )
            .help("open a smaller model"));
        }
        let node = &document.root.nodes[part.node];
        if let Some(rest_weights) = node.weights.as_ref().or(mesh.weights.as_ref()) {
            for &weight in rest_weights.iter().take(count) {
                weights.push(if weight.is_finite() { weight } else { 0.0 });
            }
        }
        weights.resize(first + count, 0.0);
        slots.insert(part.node, MorphSlots { first, names: target_names(mesh, count) });
    }
    Ok((slots, weights))
}

/// Reads the morph targets of one primitive. Those that cannot be read are skipped, with a
/// note.
pub(super) async fn read_targets(
    reader: &mut VertexReader<'_, '_>,
    mesh: &mut Mesh,
    slots: &MorphSlots,
    first_vertex: u32,
) -> Result<(), Diagnostic> {
    let targets = reader.part.primitive.targets.iter().flatten();
    for ((index, stored), name) in targets.enumerate().zip(&slots.names) {
        let path = format!("{}/targets/{index}", reader.path);
        match read_target(reader, stored, &path).await {
            Ok((positions, normals)) => mesh.targets.push(MorphTarget {
                name: name.clone(),
                slot: slots.first + index,
                first_vertex,
                positions,
                normals,
            }),
            Err(error) if error.code == code::GLTF_CANCELLED => return Err(error),
            Err(error) => {
                let effect = "the morph target changes nothing";
                reader.notes.left_out("MORPH_TARGET_LEFT_OUT", error, effect);
            }
        }
    }
    Ok(())
}

/// Reads the differences of positions and of normals. Either may be absent, and is empty then.
async fn read_target(
    reader: &VertexReader<'_, '_>,
    stored: &StoredTarget,
    path: &str,
) -> Result<(Vec<Vec3>, Vec<Vec3>), Diagnostic> {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    for (accessor, name, out) in
        [(&stored.positions, "POSITION", &mut positions), (&stored.normals, "NORMAL", &mut normals)]
    {
        let Some(accessor) = accessor else { continue };
        let path = format_args!("{path}/{name}");
        let differences =
            Accessor::new(reader.document, accessor.value(), &path)?.expect_count(reader.count)?;
        out.reserve_exact(reader.count);
        reader.append(&differences, out, Vec3::from_array).await?;
    }
    Ok((positions, normals))
}

/// Returns the names in `extras.targetNames`, where exporters write them. Missing ones are
/// numbered.
fn target_names(mesh: &StoredMesh, count: usize) -> Vec<String> {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct MeshExtras {
        target_names: Vec<String>,
    }
    let mut names = mesh
        .extras
        .as_ref()
        .and_then(|extras| serde_json::from_str::<MeshExtras>(extras.get()).ok())
        .unwrap_or_default()
        .target_names;
    names.truncate(count);
    for (index, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("morph {index}");
    }
    names.extend((names.len()..count).map(|index| format!("morph {index}")));
    names
}
