//! Reads glTF 2.0 (`.gltf` and `.glb`) as one rig.
//!
//! The gltf crate parses the JSON. All indices, ranges and types are validated here before
//! they are used. Reading terminates for any bytes, with a rig or with an error that has a
//! location. Invalid parts that skinning does not need are skipped, with a note.

mod accessor;
mod clips;
mod document;
mod error;
mod joints;
mod json;
mod material;
mod morphs;
mod primitives;
#[cfg(test)]
mod tests;
mod vertices;

use std::collections::BTreeSet;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::Influences;
use glam::{Mat4, Vec2, Vec3, Vec4};
use gltf::json::Root;
use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use self::document::{GltfDocument, NodeTree};
use self::error::{ReadingNotes, missing, over_budget};
use self::joints::{RequiredJoints, SkinJoints};
use self::vertices::PrimitiveUse;
use super::progress::{OpenStage, Pace, Paced};
use super::{GraphNode, ModelSource, NodeIndex, NodeScene, Rig, SceneGraph, TaskProgress};

pub(super) use accessor::format_of;
pub(super) use clips::Names;
pub use document::named_files;
pub(super) use error::gltf_error;
pub(super) use primitives::fill_normals;

/// Content of a glTF file.
pub(super) struct GltfModel {
    /// The rig, without its origin.
    pub(super) rig: Rig,
    pub(super) graph: SceneGraph,
    /// Warnings about skipped parts, and remarks.
    pub(super) notes: Vec<Diagnostic>,
}

/// Reads a glTF file as one rig, without its origin.
///
/// Every joint of a skin gets a parameter of its name, which rotates the joint about its own
/// x axis on top of the rest pose.
///
/// # Errors
///
/// Returns an error if the file is not glTF, is damaged, has nothing to show, or
/// needs an unsupported feature.
pub fn read_gltf(source: &ModelSource) -> Result<Rig, Diagnostic> {
    let source = source.clone();
    let task =
        Paced::new(&TaskProgress::default(), |pace| async move { read(&source, &pace).await });
    Ok(task.finish()?.rig)
}

/// Parses the JSON into the types of the gltf crate. Returns `None` if it is not glTF.
pub(super) fn root(json: &[u8]) -> Option<Root> {
    json::root(json, &mut ReadingNotes::default()).ok()
}

pub(super) async fn read(source: &ModelSource, pace: &Pace) -> Result<GltfModel, Diagnostic> {
    let mut notes = ReadingNotes::default();
    match read_with_notes(source, &mut notes, pace).await {
        Ok((rig, graph)) => Ok(GltfModel { rig, graph, notes: notes.into_findings() }),
        Err(error) => {
            // An entry such as `/accessors/3` may have been replaced by a placeholder. Then
            // the reason for that is the cause of the error.
            let mut parts = error.at.pointer().split('/').skip(1);
            let entry = parts.next().zip(parts.next());
            let cause =
                entry.and_then(|(list, index)| notes.why_left_out(&format!("/{list}/{index}")));
            Err(cause.unwrap_or(error))
        }
    }
}

async fn read_with_notes(
    source: &ModelSource,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<(Rig, SceneGraph), Diagnostic> {
    pace.spend(source.main.len()).await?;
    let document = GltfDocument::parse(source, notes)?;
    let progress = pace.progress();
    progress.set(0.2);
    pace.enter(OpenStage::Joints).await?;
    let root = &document.root;
    let tree = NodeTree::new(&root.nodes)?;
    let shown = document::shown_nodes(root, &tree, notes);
    let uses = primitives::shown_primitives(&document, &shown, notes)?;
    charge_primitives(&document, &uses)?;
    let joints = build_joints(&document, &tree, &uses, notes)?;
    let (slots, morph_weights) = morphs::assign_slots(&document, &uses)?;
    pace.enter(OpenStage::Vertices).await?;
    let (mut mesh, materials) =
        primitives::read_mesh(&document, &uses, &joints, &slots, notes, pace).await?;
    pace.enter(OpenStage::Animations).await?;
    materials.read_into(&document, &mut mesh, notes, pace).await?;
    let clips = clips::read_clips(&document, &joints, &slots, notes, pace).await?;
    progress.set(1.0);
    let first_skinned = uses.iter().find(|part| is_skinned(root, part));
    let title = uses.first().and_then(|part| root.meshes[part.mesh].name.clone());
    let graph = build_graph(root, &tree, &joints);
    let rig = Rig {
        params: clips::create_params(&joints, &slots, &morph_weights),
        world_from_mesh_node: first_skinned
            .map_or(Mat4::IDENTITY, |part| tree.world_from_node(part.node)),
        mesh: Arc::new(mesh),
        clips,
        morph_weights,
        ..Rig::new(
            "model",
            title.as_deref().unwrap_or("Model"),
            joints.skeleton,
            super::Mesh::default(),
        )
    };
    Ok((rig, graph))
}

fn is_skinned(root: &Root, part: &PrimitiveUse<'_>) -> bool {
    part.has_influences() && root.nodes[part.node].skin.is_some()
}

/// Builds the skeleton for the primitives that are shown.
fn build_joints(
    document: &GltfDocument<'_>,
    tree: &NodeTree,
    uses: &[PrimitiveUse<'_>],
    notes: &mut ReadingNotes,
) -> Result<SkinJoints, Diagnostic> {
    let root = &document.root;
    let mut skins = vec![false; root.skins.len()];
    let mut rigid = vec![false; root.nodes.len()];
    for part in uses {
        if is_skinned(root, part) {
            let skin = root.nodes[part.node].skin.map(|skin| skin.value());
            if let Some(skin) = skin.and_then(|skin| skins.get_mut(skin)) {
                *skin = true;
            }
        } else {
            rigid[part.node] = true;
        }
    }
    if uses.is_empty() {
        // Without meshes, the file is about its skeletons.
        skins.fill(true);
    }
    let required = RequiredJoints { skins: &skins, rigid: &rigid };
    if let Some(joints) = joints::build_joints(document, tree, &required, notes)? {
        return Ok(joints);
    }
    // Missing data is the more likely cause, and reported first.
    let lost_buffer = document.buffers.iter().find_map(|buffer| buffer.as_ref().err());
    Err(lost_buffer.cloned().unwrap_or_else(|| {
        missing("/nodes", "a node with a mesh, or a skin").help("open a file with a model in it")
    }))
}

/// Converts all nodes of the file, with the joint that follows each.
fn build_graph(root: &Root, tree: &NodeTree, joints: &SkinJoints) -> SceneGraph {
    let nodes = root
        .nodes
        .iter()
        .enumerate()
        .map(|(index, node)| GraphNode {
            name: node.name.clone(),
            parent: tree.parent(index).map(|parent| NodeIndex(parent as u32)),
            children: node
                .children
                .iter()
                .flatten()
                .map(|child| NodeIndex(child.value() as u32))
                .collect(),
            local: tree.locals[index],
            mesh: node.mesh.map(|mesh| mesh.value()),
            skin: node.skin.map(|skin| skin.value()),
            joint: joints.of_node[index],
        })
        .collect();
    let scenes = root
        .scenes
        .iter()
        .map(|scene| NodeScene {
            name: scene.name.clone(),
            roots: scene
                .nodes
                .iter()
                .map(|node| node.value())
                .filter(|&node| node < root.nodes.len())
                .map(|node| NodeIndex(node as u32))
                .collect(),
        })
        .collect();
    SceneGraph {
        nodes,
        scenes,
        scene: root.scene.map(|scene| scene.value()).filter(|&scene| scene < root.scenes.len()),
        skins: joints.skins.clone(),
    }
}

// The budget for primitives, charged before they are read.

/// Size of positions, normals, tangents, texture coordinates, colours, influences and their
/// stored sum.
const BYTES_PER_VERTEX: usize =
    2 * size_of::<Vec3>() + 2 * size_of::<Vec4>() + size_of::<Vec2>() + size_of::<Influences>() + 4;
/// Size of an index and of a triangle, because every corner of a strip begins a triangle.
const BYTES_PER_CORNER: usize = size_of::<[u32; 4]>();

/// Charges all vertices, corners and morph targets that the file declares, and all numbers
/// that are read for them. Vertices that primitives share are charged once.
fn charge_primitives(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
) -> Result<(), Diagnostic> {
    let budget = &document.budget;
    let mut seen = BTreeSet::new();
    for part in uses {
        let too_large = |over| over_budget(over, part.path());
        let vertices = match part.accessor(Semantic::Positions) {
            Some(accessor) => element_count(document, accessor),
            None => 0,
        };
        let corners = match part.primitive.indices {
            Some(indices) => element_count(document, indices.value()),
            None => vertices,
        };
        budget.hold(corners, BYTES_PER_CORNER).map_err(too_large)?;
        budget.read(corners, 1).map_err(too_large)?;
        let attributes: Vec<usize> =
            part.primitive.attributes.values().map(|accessor| accessor.value()).collect();
        let skin = document.root.nodes[part.node].skin.map(|skin| skin.value());
        let targets = part.primitive.targets.as_deref().unwrap_or_default();
        let is_unshared = skin.is_none() || !targets.is_empty();
        let owner = is_unshared.then_some((part.node, part.index));
        if !seen.insert((attributes.clone(), skin, owner)) {
            continue;
        }
        budget.hold(vertices, BYTES_PER_VERTEX).map_err(too_large)?;
        let bytes_per_target = 2 * size_of::<Vec3>();
        budget.hold(vertices.saturating_mul(targets.len()), bytes_per_target).map_err(too_large)?;
        let attribute_numbers: usize =
            attributes.iter().map(|&accessor| element_width(document, accessor)).sum();
        budget.read(vertices, attribute_numbers + 6 * targets.len()).map_err(too_large)?;
    }
    Ok(())
}

/// Returns the declared number of elements, but no more than the view has bytes. A larger
/// number is an error when the accessor is read.
fn element_count(document: &GltfDocument<'_>, accessor: usize) -> usize {
    let Some(accessor) = document.root.accessors.get(accessor) else { return 0 };
    let view = accessor.buffer_view.and_then(|view| document.root.buffer_views.get(view.value()));
    let max_count = view.map_or(u64::MAX, |view| view.byte_length.0);
    usize::try_from(accessor.count.0.min(max_count)).unwrap_or(usize::MAX)
}

/// Returns the number of components of an attribute.
fn element_width(document: &GltfDocument<'_>, accessor: usize) -> usize {
    match document.root.accessors.get(accessor).map(|accessor| accessor.type_) {
        Some(Checked::Valid(Type::Scalar)) => 1,
        Some(Checked::Valid(Type::Vec2)) => 2,
        Some(Checked::Valid(Type::Vec3)) => 3,
        _ => 4,
    }
}
