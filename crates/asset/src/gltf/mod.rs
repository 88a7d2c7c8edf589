//! glTF 2.0, `.gltf` and `.glb`, as one rig.
//!
//! JSON is parsed by the gltf crate; everything it says is checked here before
//! it is believed. Whatever the bytes, reading ends, with a rig or an error
//! that names the place. What skinning does not need may be broken: it is left
//! out, with a note.

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
use std::rc::Rc;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::Influences;
use glam::{Mat4, Vec2, Vec3, Vec4};
use gltf::json::Root;
use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use self::document::{GltfDocument, Tree};
use self::error::ReadingNotes;
use self::joints::{SkinJoints, WantedJoints};
use self::vertices::PrimitiveUse;
use super::progress::{OpenStage, Pace, Paced};
use super::{GraphNode, ModelSource, NodeIndex, NodeScene, Rig, SceneGraph, TaskProgress};

pub(super) use accessor::{MOST_ZEROS, format_of};
pub(super) use clips::Names;
pub use document::named_files;
pub use error::{GltfError, GltfErrorKind};
pub(super) use joints::split;
pub(super) use primitives::fill_normals;

/// All that a file holds.
pub(super) struct Whole {
    /// Without its origin.
    pub(super) rig: Rig,
    pub(super) graph: SceneGraph,
    /// What was left out, and what is good to know.
    pub(super) notes: Vec<Diagnostic>,
}

/// Reads a whole file as one rig, which does not know where it came from.
///
/// Every joint of a skin gets a parameter of its name: a turn about its own x axis
/// on top of the rest pose.
///
/// Fails when the file is not glTF, is damaged, has nothing to show, or needs what
/// this program cannot read. See [`GltfError`].
pub fn read_gltf(source: &ModelSource) -> Result<Rig, GltfError> {
    let source = source.clone();
    let work = |pace: Rc<Pace>| async move { read(&source, &pace).await };
    Paced::new(&TaskProgress::default(), work).finish().map(|whole| whole.rig)
}

/// The JSON as the gltf crate's types, if it can be read at all.
pub(super) fn root(json: &[u8]) -> Option<Root> {
    json::root(json, &mut ReadingNotes::default()).ok()
}

/// Reads a whole file.
pub(super) async fn read(source: &ModelSource, pace: &Pace) -> Result<Whole, GltfError> {
    let mut notes = ReadingNotes::default();
    let read = read_noting(source, &mut notes, pace).await;
    let (rig, graph) = read.map_err(|error| {
        // What stands empty for something that could not be read is no fault of
        // its own.
        let mut parts = error.path.split('/').skip(1);
        let entry = parts.next().zip(parts.next());
        let cause = entry.and_then(|(list, at)| notes.why_left_out(&format!("/{list}/{at}")));
        cause.unwrap_or(error)
    })?;
    Ok(Whole { rig, graph, notes: notes.into_findings() })
}

async fn read_noting(
    source: &ModelSource,
    notes: &mut ReadingNotes,
    pace: &Pace,
) -> Result<(Rig, SceneGraph), GltfError> {
    pace.spend(source.main.len()).await?;
    let document = GltfDocument::parse(source, notes)?;
    let progress = pace.progress();
    progress.set(0.2);
    pace.enter(OpenStage::Joints).await?;
    let root = &document.root;
    let tree = Tree::new(&root.nodes)?;
    let shown = document::shown_nodes(root, &tree, notes);
    let uses = primitives::uses(&document, &shown, notes)?;
    take_from_budget(&document, &uses)?;
    let joints = joints_for(&document, &tree, &uses, notes)?;
    let (slots, morph_weights) = morphs::morph_slots(&document, &uses)?;
    pace.enter(OpenStage::Vertices).await?;
    let (mut mesh, materials) =
        primitives::mesh(&document, &uses, &joints, &slots, notes, pace).await?;
    pace.enter(OpenStage::Animations).await?;
    materials.finish(&document, &mut mesh, notes, pace).await?;
    let clips = clips::clips(&document, &joints, &slots, notes, pace).await?;
    progress.set(1.0);
    let carrier = uses.iter().find(|part| is_skinned(root, part));
    let title = uses.first().and_then(|part| root.meshes[part.mesh].name.clone());
    let graph = graph(root, &tree, &joints);
    let rig = Rig {
        params: clips::params(&joints, &slots, &morph_weights),
        world_from_mesh_node: carrier
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

/// The joints for what is shown.
fn joints_for(
    document: &GltfDocument<'_>,
    tree: &Tree,
    uses: &[PrimitiveUse<'_>],
    notes: &mut ReadingNotes,
) -> Result<SkinJoints, GltfError> {
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
    let nothing_shown = uses.is_empty();
    if nothing_shown {
        // Then the skeletons are what the file is about.
        skins.fill(true);
    }
    let wanted = WantedJoints { skins: &skins, rigid: &rigid };
    if let Some(joints) = joints::joints(document, tree, &wanted, notes)? {
        return Ok(joints);
    }
    // A file whose data is missing should say so first.
    let missing = document.buffers.iter().find_map(|buffer| buffer.as_ref().err());
    Err(missing.cloned().unwrap_or_else(|| {
        GltfError::missing("/nodes", "a node with a mesh, or a skin")
            .help("open a file with a model in it")
    }))
}

/// Every node of the file, and the joint that follows it.
fn graph(root: &Root, tree: &Tree, joints: &SkinJoints) -> SceneGraph {
    let index = |node: usize| NodeIndex(node as u32);
    let nodes = root.nodes.iter().enumerate().map(|(at, node)| {
        let children = node.children.iter().flatten();
        GraphNode {
            name: node.name.clone(),
            parent: tree.parent(at).map(index),
            children: children.map(|child| index(child.value())).collect(),
            local: tree.locals[at],
            mesh: node.mesh.map(|mesh| mesh.value()),
            skin: node.skin.map(|skin| skin.value()),
            joint: joints.of_node[at],
        }
    });
    let scenes = root.scenes.iter().map(|scene| NodeScene {
        name: scene.name.clone(),
        roots: scene
            .nodes
            .iter()
            .map(|node| node.value())
            .filter(|&node| node < root.nodes.len())
            .map(index)
            .collect(),
    });
    SceneGraph {
        nodes: nodes.collect(),
        scenes: scenes.collect(),
        scene: root.scene.map(|scene| scene.value()).filter(|&scene| scene < root.scenes.len()),
        skins: joints.skins.clone(),
    }
}

// What the primitives of a file will take, counted before they are read.

/// Positions, normals, tangents, texture coordinates, colours, influences and
/// their stored sum.
const BYTES_A_VERTEX: usize =
    2 * size_of::<Vec3>() + 2 * size_of::<Vec4>() + size_of::<Vec2>() + size_of::<Influences>() + 4;
/// In a strip, each begins a triangle.
const BYTES_A_CORNER: usize = size_of::<[u32; 4]>();

/// Counts all vertices, corners and morph targets that the file declares, those
/// that primitives share once, and all numbers that are read for them.
fn take_from_budget(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
) -> Result<(), GltfError> {
    let budget = &document.budget;
    let mut seen = BTreeSet::new();
    for part in uses {
        let over = |over| GltfError::over_budget(over, part.path());
        let positions = part.accessor(Semantic::Positions);
        let vertices = positions.map_or(0, |accessor| count(document, accessor));
        let corners = part.primitive.indices.map(|indices| indices.value());
        let corners = corners.map_or(vertices, |accessor| count(document, accessor));
        budget.hold(corners, BYTES_A_CORNER).map_err(over)?;
        budget.read(corners, 1).map_err(over)?;
        let attributes = part.primitive.attributes.values();
        let attributes: Vec<usize> = attributes.map(|accessor| accessor.value()).collect();
        let skin = document.root.nodes[part.node].skin.map(|skin| skin.value());
        let targets = part.primitive.targets.as_deref().unwrap_or_default();
        let own = skin.is_none() || !targets.is_empty();
        if !seen.insert((attributes.clone(), skin, own.then_some((part.node, part.index)))) {
            continue;
        }
        budget.hold(vertices, BYTES_A_VERTEX).map_err(over)?;
        let a_target = 2 * size_of::<Vec3>();
        budget.hold(vertices.saturating_mul(targets.len()), a_target).map_err(over)?;
        let numbers = attributes.iter().map(|&accessor| width(document, accessor));
        let numbers = numbers.sum::<usize>() + 6 * targets.len();
        budget.read(vertices, numbers).map_err(over)?;
    }
    Ok(())
}

/// More than its bytes cannot be; that is told when it is read.
fn count(document: &GltfDocument<'_>, accessor: usize) -> usize {
    document.root.accessors.get(accessor).map_or(0, |accessor| {
        let view = accessor.buffer_view.map(|view| view.value());
        let view = view.and_then(|view| document.root.buffer_views.get(view));
        let most = view.map_or(u64::MAX, |view| view.byte_length.0);
        usize::try_from(accessor.count.0.min(most)).unwrap_or(usize::MAX)
    })
}

/// Numbers of an element.
fn width(document: &GltfDocument<'_>, accessor: usize) -> usize {
    match document.root.accessors.get(accessor).map(|accessor| accessor.type_) {
        Some(Checked::Valid(Type::Scalar)) => 1,
        Some(Checked::Valid(Type::Vec2)) => 2,
        Some(Checked::Valid(Type::Vec3)) => 3,
        _ => 4,
    }
}
