//! Animations without an effect on the picture: of a copy of the skeleton, of joints that no
//! vertex has a weight for, or with keys that all equal the rest pose.

use std::collections::{BTreeMap, BTreeSet};

use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use serde_json::Value;

use super::catalog as fault;
use super::clips::{self, ClipChannel};
use super::document::{NodeGraph, RawDocument};
use super::findings::Findings;
use super::nodes::morph_target_count;
use super::skinned_vertices::WeightedJoints;

/// Maximum number of nodes that a message names.
const MAX_NAMED_NODES: usize = 4;

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    if doc.list("animations").is_empty() {
        return;
    }
    let visible = VisibleNodes::new(doc, graph);
    let mut still_clips = Vec::new();
    let mut has_moving_clip = false;
    for (index, animation) in doc.entries("animations") {
        let channels = clips::load_channels(doc, animation);
        let stored_channels = get_list(animation, "channels");
        // Channels of morph weights and pointers, and unreadable ones, may have an effect.
        if channels.is_empty()
            || channels.len() < stored_channels.len()
            || !stored_channels.iter().all(animates_transform)
        {
            has_moving_clip = true;
            continue;
        }
        let changing: Vec<&ClipChannel<'_>> =
            channels.iter().filter(|channel| channel.differs_from_rest()).collect();
        if changing.iter().any(|channel| visible.nodes.contains(&channel.node_index)) {
            has_moving_clip = true;
        } else if !changing.is_empty() {
            let moved = changing.iter().map(|channel| channel.node_index).collect();
            report_invisible_clip(doc, graph, &visible, &moved, index, findings);
        } else if channels.iter().any(|channel| channel.key_count() > 1)
            // A full turn in two keys has a fault of its own.
            && clips::find_full_turn(&channels).is_none()
        {
            still_clips.push(index);
        }
    }
    // In a file with moving clips, a still one is a pose.
    if !has_moving_clip {
        for index in still_clips {
            findings
                .add(&fault::CLIP_MOVES_NOTHING.as_note(), format_args!("/animations/{index}"))
                .expected("a clip that moves the mesh", "keys that are all as the nodes rest");
        }
    }
}

fn animates_transform(channel: &Value) -> bool {
    let path = channel.get("target").and_then(|target| get_str(target, "path"));
    matches!(path, Some("translation" | "rotation" | "scale"))
}

/// Reports a clip that moves only nodes without an effect on the picture.
fn report_invisible_clip(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    visible: &VisibleNodes,
    moved: &BTreeSet<usize>,
    index: usize,
    findings: &mut Findings,
) {
    let names: Vec<String> =
        moved.iter().take(MAX_NAMED_NODES).map(|&node| doc.describe_node(node)).collect();
    let more = if moved.len() > MAX_NAMED_NODES { " and others" } else { "" };
    let mut shown =
        format!("it moves {}{more}, which no vertex that is shown follows", names.join(", "));
    let original = moved.iter().find_map(|&node| {
        let name = get_str(doc.get("nodes", node)?, "name")?;
        visible.by_name.get(name)
    });
    if let Some(&original) = original {
        shown = format!(
            "{shown}; {}, which vertices follow, has the same name: a copy of the skeleton",
            doc.describe_node(original)
        );
    }
    let scene = moved.iter().find_map(|&node| find_other_scene(doc, graph, node));
    if let Some(scene) = scene {
        shown = format!("{shown}; they are in scene {scene}, which is not the one that is shown");
    }
    findings
        .add(&fault::CLIP_MOVES_NOTHING, format_args!("/animations/{index}"))
        .expected("a clip that moves the mesh", shown);
}

/// Returns a scene that a node is in, unless the node is in the scene that is shown.
fn find_other_scene(doc: &RawDocument<'_>, graph: &NodeGraph, node: usize) -> Option<usize> {
    let root = (*graph.roots.get(node)?)?;
    if find_scene_roots(doc)?.contains(&root) {
        return None;
    }
    doc.list("scenes").iter().position(|scene| {
        get_list(scene, "nodes").iter().filter_map(as_usize).any(|other| other == root)
    })
}

/// Nodes whose transforms have an effect on the picture.
struct VisibleNodes {
    nodes: BTreeSet<usize>,
    by_name: BTreeMap<String, usize>,
}

impl VisibleNodes {
    fn new(doc: &RawDocument<'_>, graph: &NodeGraph) -> Self {
        let nodes = doc.list("nodes");
        let scene_roots = find_scene_roots(doc);
        let mut carriers = Vec::new();
        let mut skins = BTreeSet::new();
        for (index, node) in nodes.iter().enumerate() {
            let is_in_scene = scene_roots.as_ref().is_none_or(|scene_roots| {
                graph.roots[index].is_some_and(|root| scene_roots.contains(&root))
            });
            let Some(mesh) = doc.resolve(node, "mesh", "meshes").filter(|_| is_in_scene) else {
                continue;
            };
            match get_usize(node, "skin") {
                Some(skin) if skins.insert(skin) => {
                    let weighted = WeightedJoints::of_skin(doc, skin);
                    let joints =
                        doc.get("skins", skin).map_or(&[][..], |skin| get_list(skin, "joints"));
                    for (joint, node) in joints.iter().enumerate() {
                        if weighted.contains(joint) {
                            carriers.extend(as_usize(node));
                        }
                    }
                }
                Some(_) => {}
                None => carriers.push(index),
            }
            if morph_target_count(mesh) > 0 {
                carriers.push(index);
            }
        }
        let is_visible = graph.forest.with_ancestors(carriers);
        let visible: BTreeSet<usize> = (0..nodes.len()).filter(|&node| is_visible[node]).collect();
        let by_name = visible
            .iter()
            .filter_map(|&node| Some((get_str(&nodes[node], "name")?.to_owned(), node)))
            .collect();
        Self { nodes: visible, by_name }
    }
}

/// Returns the roots of the default scene, or of the first one. `None` if there is no such
/// scene.
fn find_scene_roots(doc: &RawDocument<'_>) -> Option<BTreeSet<usize>> {
    let scene = doc.get("scenes", get_usize(&doc.root, "scene").unwrap_or(0))?;
    Some(get_list(scene, "nodes").iter().filter_map(as_usize).collect())
}
