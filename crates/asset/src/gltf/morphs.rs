//! Morph targets: shapes that are added before skinning.

use std::collections::BTreeMap;

use glam::Vec3;
use gltf::json::mesh::{Mesh as StoredMesh, MorphTarget as Stored};
use serde::Deserialize;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind as Kind};
use super::vertices::{PrimitiveUse, VertexReader};
use crate::{Mesh, MorphTarget};

/// Morph weights of a whole file.
const MOST_SLOTS: usize = 1 << 16;

/// Where the morph weights of a node stand in the rig's list.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    pub(super) first: usize,
    /// One a target.
    pub(super) names: Vec<String>,
}

/// Slots of every node whose mesh has targets, by node, and all weights at
/// rest: the node's, else the mesh's, else 0.
pub(super) fn morph_slots(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
) -> Result<(BTreeMap<usize, Slots>, Vec<f32>), GltfError> {
    let mut slots: BTreeMap<usize, Slots> = BTreeMap::new();
    let mut weights = Vec::new();
    for part in uses {
        let mesh = &document.root.meshes[part.mesh];
        let targets = mesh.primitives.iter().flat_map(|one| &one.targets);
        let count = targets.map(Vec::len).max().unwrap_or(0);
        if count == 0 || slots.contains_key(&part.node) {
            continue;
        }
        let first = weights.len();
        if count > MOST_SLOTS - first {
            return Err(GltfError::new(Kind::TooLarge, format_args!("/nodes/{}/mesh", part.node))
                .expected(format_args!("at most {MOST_SLOTS} morph weights in all nodes"), "more")
                .help("open a smaller model"));
        }
        let node = &document.root.nodes[part.node];
        let at_rest = node.weights.as_ref().or(mesh.weights.as_ref());
        weights.extend(
            at_rest
                .into_iter()
                .flatten()
                .take(count)
                .map(|&weight| if weight.is_finite() { weight } else { 0.0 }),
        );
        weights.resize(first + count, 0.0);
        let names = names(mesh, count);
        slots.insert(part.node, Slots { first, names });
    }
    Ok((slots, weights))
}

/// Reads the targets of one primitive; those that cannot be read are left out.
pub(super) async fn read_morphs(
    reader: &mut VertexReader<'_, '_>,
    mesh: &mut Mesh,
    slots: &Slots,
    first_vertex: u32,
) -> Result<(), GltfError> {
    let targets = reader.part.primitive.targets.iter().flatten();
    for ((index, stored), name) in targets.enumerate().zip(&slots.names) {
        let path = format!("{}/targets/{index}", reader.path);
        match target(reader, stored, &path).await {
            Ok((positions, normals)) => mesh.targets.push(MorphTarget {
                name: name.clone(),
                slot: slots.first + index,
                first_vertex,
                positions,
                normals,
            }),
            Err(error) if error.kind == Kind::Cancelled => return Err(error),
            Err(error) => {
                let effect = "the morph target changes nothing";
                reader.notes.left_out("MORPH_TARGET_LEFT_OUT", error, effect);
            }
        }
    }
    Ok(())
}

async fn target(
    reader: &VertexReader<'_, '_>,
    stored: &Stored,
    path: &str,
) -> Result<(Vec<Vec3>, Vec<Vec3>), GltfError> {
    let (mut positions, mut normals) = (Vec::new(), Vec::new());
    for (accessor, name, out) in
        [(&stored.positions, "POSITION", &mut positions), (&stored.normals, "NORMAL", &mut normals)]
    {
        let Some(accessor) = accessor else { continue };
        let path = format_args!("{path}/{name}");
        let differences = Accessor::new(reader.document, accessor.value(), &path)?;
        let differences = differences.expect_count(reader.count)?;
        out.reserve_exact(reader.count);
        reader.append(&differences, out, Vec3::from_array).await?;
    }
    Ok((positions, normals))
}

/// `extras.targetNames`, as exporters write them, or numbers.
fn names(mesh: &StoredMesh, count: usize) -> Vec<String> {
    #[derive(Default, Deserialize)]
    #[serde(rename_all = "camelCase", default)]
    struct MeshExtras {
        target_names: Vec<String>,
    }
    let extras = mesh.extras.as_ref();
    let extras = extras.and_then(|extras| serde_json::from_str::<MeshExtras>(extras.get()).ok());
    let mut names = extras.unwrap_or_default().target_names;
    names.truncate(count);
    for (index, name) in names.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
        *name = format!("morph {index}");
    }
    names.extend((names.len()..count).map(|index| format!("morph {index}")));
    names
}
