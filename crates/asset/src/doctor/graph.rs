//! Who stands below whom, also where the nodes form no trees.

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use super::catalog as fault;
use super::doc::{Doc, as_whole, list, numbers};
use super::findings::Findings;
use crate::gltf_file::{ChildFaultKind, NodeForest, NodeLoop};

/// The trees of all nodes. A node with two parents stands below the first; what
/// lies on a loop, or below one, has no root.
pub(super) struct Graph {
    pub(super) forest: NodeForest,
    /// The topmost ancestor; `None` on loops.
    pub(super) roots: Vec<Option<usize>>,
    /// `world_from_node` at rest; identity on loops.
    pub(super) world_from_node: Vec<DMat4>,
}

impl Graph {
    pub(super) fn new(doc: &Doc<'_>, found: &mut Findings) -> Self {
        let nodes = doc.list("nodes");
        let forest = NodeForest::new(nodes.len(), |node| {
            let children = list(&nodes[node], "children").iter();
            // What is no index is a matter of the schema; as is what is not there.
            children.map(|child| as_whole(child).unwrap_or(usize::MAX))
        });
        faults(&forest, found);
        let mut roots = vec![None; nodes.len()];
        let mut world_from_node = vec![DMat4::IDENTITY; nodes.len()];
        for &node in &forest.order {
            let parent_from_node = local(&nodes[node]);
            (roots[node], world_from_node[node]) = match forest.parents[node] {
                Some(parent) => (roots[parent], world_from_node[parent] * parent_from_node),
                None => (Some(node), parent_from_node),
            };
        }
        Self { forest, roots, world_from_node }
    }

    /// The node that `node` stands below.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parents[node]
    }
}

fn faults(forest: &NodeForest, found: &mut Findings) {
    for entry in &forest.faults {
        let (parent, child) = (entry.parent, entry.child);
        let pointer = || format!("/nodes/{parent}/children/{}", entry.place);
        match entry.kind {
            ChildFaultKind::Named(first) if first != parent => found.add(
                &fault::NODE_PARENT_OVERRIDE,
                pointer(),
                "one parent a node",
                format_args!("node {child} under node {first} and under node {parent}"),
            ),
            ChildFaultKind::Own => found.add(
                &fault::NODE_LOOP,
                pointer(),
                "a parent that is not below the node",
                format_args!("node {child} among its own children"),
            ),
            // Reported by the schema: also twice under the same parent.
            ChildFaultKind::Named(_) | ChildFaultKind::Missing => {}
        }
    }
    for NodeLoop { lowest, length } in forest.loops() {
        found.add_many(
            &fault::NODE_LOOP,
            length,
            format_args!("/nodes/{lowest}"),
            "a parent that is not below the node",
            format_args!("a loop of {length} nodes"),
        );
    }
}

/// `parent_from_node` as stored, with the rotation made unit.
pub(super) fn local(node: &Value) -> DMat4 {
    if let Some(matrix) = numbers::<16>(node, "matrix") {
        return DMat4::from_cols_array(&matrix);
    }
    let rotation = numbers::<4>(node, "rotation").map_or(DQuat::IDENTITY, DQuat::from_array);
    let rotation = if rotation.length_squared() > 1e-24 && rotation.is_finite() {
        rotation.normalize()
    } else {
        DQuat::IDENTITY
    };
    DMat4::from_scale_rotation_translation(
        numbers(node, "scale").map_or(DVec3::ONE, DVec3::from_array),
        rotation,
        numbers(node, "translation").map_or(DVec3::ZERO, DVec3::from_array),
    )
}
