//! Clips that move nothing that is shown: of a copy of the skeleton, of joints that no
//! vertex follows, or with keys that change nothing.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::catalog as fault;
use super::clips::{self, ClipChannel};
use super::doc::{Doc, Graph, as_whole, list, named, text, whole};
use super::findings::Findings;
use super::nodes::morph_targets;
use super::skinned_vertices::FollowedJoints;

/// Nodes that a sentence names.
const MOST_NAMED: usize = 4;

/// All clips.
pub(super) fn examine(doc: &Doc<'_>, graph: &Graph, found: &mut Findings) {
    if doc.list("animations").is_empty() {
        return;
    }
    let shown = ShownNodes::new(doc, graph);
    let mut still = Vec::new();
    let mut any_moves = false;
    for (index, animation) in doc.each("animations") {
        // Morph weights and pointers are not looked into.
        let is_plain = |channel: &Value| {
            let path = channel.get("target").and_then(|target| text(target, "path"));
            matches!(path, Some("translation" | "rotation" | "scale"))
        };
        let channels = clips::channels(doc, animation);
        let all = list(animation, "channels");
        if channels.is_empty() || channels.len() < all.len() || !all.iter().all(is_plain) {
            any_moves = true;
            continue;
        }
        let changes: Vec<&ClipChannel<'_>> =
            channels.iter().filter(|channel| channel.changes()).collect();
        let moves = |channel: &&&ClipChannel<'_>| shown.moved.contains(&channel.node_index);
        if changes.iter().any(|channel| moves(&channel)) {
            any_moves = true;
        } else if !changes.is_empty() {
            let moved: BTreeSet<usize> = changes.iter().map(|channel| channel.node_index).collect();
            elsewhere(doc, &shown, &moved, &format!("/animations/{index}"), found);
        } else if channels.iter().any(|channel| channel.keys() > 1)
            // It has a fault of its own.
            && clips::full_turn(&channels).is_none()
        {
            still.push(index);
        }
    }
    // Beside clips that move, one that does not is a pose.
    for index in still.into_iter().filter(|_| !any_moves) {
        let fault = fault::CLIP_MOVES_NOTHING.as_note();
        found
            .add(&fault, format_args!("/animations/{index}"))
            .expected("a clip that moves the mesh", "keys that are all as the nodes rest");
    }
}

/// Says which nodes a clip moves in vain.
fn elsewhere(
    doc: &Doc<'_>,
    shown: &ShownNodes,
    moved: &BTreeSet<usize>,
    pointer: &str,
    found: &mut Findings,
) {
    let names: Vec<String> = moved
        .iter()
        .take(MOST_NAMED)
        .map(|&node| named("node", node, doc.one("nodes", node)))
        .collect();
    let more = if moved.len() > MOST_NAMED { " and others" } else { "" };
    let mut words =
        format!("it moves {}{more}, which no vertex that is shown follows", names.join(", "));
    let copied = moved.iter().find_map(|&node| {
        let name = text(doc.one("nodes", node)?, "name")?;
        shown.by_name.get(name)
    });
    if let Some(&node) = copied {
        let node = named("node", node, doc.one("nodes", node));
        words.push_str("; ");
        words.push_str(&node);
        words.push_str(", which vertices follow, has the same name: a copy of the skeleton");
    }
    found.add(&fault::CLIP_MOVES_NOTHING, pointer).expected("a clip that moves the mesh", words);
}

/// Nodes that move something that is shown.
struct ShownNodes {
    moved: BTreeSet<usize>,
    /// The same, by their names.
    by_name: BTreeMap<String, usize>,
}

impl ShownNodes {
    fn new(doc: &Doc<'_>, graph: &Graph) -> Self {
        let nodes = doc.list("nodes");
        let roots = scene_roots(doc);
        let is_shown = |node: usize| {
            let root = graph.roots.get(node).copied().flatten();
            roots.as_ref().is_none_or(|roots| root.is_some_and(|root| roots.contains(&root)))
        };
        let mut carriers = Vec::new();
        let mut skins = BTreeSet::new();
        for (index, node) in nodes.iter().enumerate().filter(|(index, _)| is_shown(*index)) {
            let Some(mesh) = doc.referred(node, "mesh", "meshes") else { continue };
            match whole(node, "skin") {
                Some(skin) if skins.insert(skin) => {
                    let followed = FollowedJoints::of_skin(doc, skin);
                    let joints =
                        doc.one("skins", skin).map_or(&[][..], |skin| list(skin, "joints"));
                    let joints =
                        joints.iter().enumerate().filter(|(place, _)| followed.contains(*place));
                    carriers.extend(joints.filter_map(|(_, node)| as_whole(node)));
                }
                Some(_) => {}
                None => carriers.push(index),
            }
            if morph_targets(mesh) > 0 {
                carriers.push(index);
            }
        }
        let moved = graph.forest.with_ancestors(carriers);
        let moved: BTreeSet<usize> = (0..nodes.len()).filter(|&node| moved[node]).collect();
        let name = |&node: &usize| Some((text(nodes.get(node)?, "name")?.to_owned(), node));
        let by_name = moved.iter().filter_map(name).collect();
        Self { moved, by_name }
    }
}

/// Of the scene that is shown; `None` where the file names none, or it has no mesh.
fn scene_roots(doc: &Doc<'_>) -> Option<BTreeSet<usize>> {
    let scene = doc.one("scenes", whole(&doc.root, "scene").unwrap_or(0))?;
    Some(list(scene, "nodes").iter().filter_map(as_whole).collect())
}
