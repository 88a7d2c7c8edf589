//! The nodes of a file: who stands below whom, and where.

use std::collections::BTreeSet;

use glam::{Mat4, Quat, Vec3};
use gltf::json::scene::Node;

use super::error::{GltfError, GltfErrorKind};
use crate::skin::Trs;

/// The tree of all nodes.
pub(super) struct Tree {
    parents: Vec<Option<usize>>,
    /// All nodes, parents before children.
    order: Vec<usize>,
}

/// Where a node stands below the nearest ancestor that was asked for.
#[derive(Clone, Copy)]
pub(super) struct Below {
    /// `None`: the world.
    pub(super) ancestor: Option<usize>,
    /// The node's transform in that frame.
    pub(super) ancestor_from_node: Mat4,
}

impl Tree {
    /// Checks that every node has one parent at most and none contains itself.
    pub(super) fn new(nodes: &[Node]) -> Result<Self, GltfError> {
        let mut parents = vec![None; nodes.len()];
        for (parent, node) in nodes.iter().enumerate() {
            for (at, child) in node.children.iter().flatten().enumerate() {
                let path = format!("/nodes/{parent}/children/{at}");
                let child = child.value();
                let Some(slot) = parents.get_mut(child) else {
                    return Err(GltfError::dangling(path, "nodes", nodes.len(), child));
                };
                if let Some(other) = slot.replace(parent) {
                    let found = format!("node {child} under {other} and under {parent}");
                    return Err(not_a_tree(path, found));
                }
            }
        }
        // From the roots down. What is never reached lies on a cycle.
        let mut order: Vec<usize> = (0..nodes.len())
            .filter(|&node| parents[node].is_none())
            .collect();
        let mut next = 0;
        while let Some(node) = order.get(next).and_then(|&node| nodes.get(node)) {
            order.extend(node.children.iter().flatten().map(|child| child.value()));
            next += 1;
        }
        if order.len() < nodes.len() {
            let reached: BTreeSet<usize> = order.iter().copied().collect();
            let lost = (0..nodes.len()).find(|node| !reached.contains(node));
            let lost = lost.unwrap_or_default();
            return Err(not_a_tree(
                format!("/nodes/{lost}"),
                format!("node {lost} among its own ancestors"),
            ));
        }
        Ok(Self { parents, order })
    }

    /// The node that `node` is a child of.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.parents.get(node).copied().flatten()
    }

    /// `world_from_node`.
    pub(super) fn world_from_node(&self, nodes: &[Node], node: usize) -> Mat4 {
        self.below(nodes, |_| false)
            .get(node)
            .map_or(Mat4::IDENTITY, |below| below.ancestor_from_node)
    }

    /// Of every node: its nearest ancestor that `stops` accepts, and its
    /// transform in that one's frame.
    pub(super) fn below(&self, nodes: &[Node], stops: impl Fn(usize) -> bool) -> Vec<Below> {
        let unplaced = Below {
            ancestor: None,
            ancestor_from_node: Mat4::IDENTITY,
        };
        let mut all = vec![unplaced; nodes.len()];
        for &index in &self.order {
            let parent_from_node = matrix(&nodes[index]);
            all[index] = match self.parents[index] {
                Some(parent) if stops(parent) => Below {
                    ancestor: Some(parent),
                    ancestor_from_node: parent_from_node,
                },
                Some(parent) => Below {
                    ancestor: all[parent].ancestor,
                    ancestor_from_node: all[parent].ancestor_from_node * parent_from_node,
                },
                None => Below {
                    ancestor: None,
                    ancestor_from_node: parent_from_node,
                },
            };
        }
        all
    }
}

/// The transform of a node without a matrix; its rotation made a unit
/// quaternion.
pub(super) fn stored_trs(node: &Node) -> Trs {
    let rotation = node
        .rotation
        .map_or(Quat::IDENTITY, |rotation| Quat::from_array(rotation.0));
    let rotation = if rotation.is_finite() && rotation.length_squared() > 1e-12 {
        rotation.normalize()
    } else {
        rotation
    };
    Trs {
        translation: node.translation.map_or(Vec3::ZERO, Vec3::from_array),
        rotation,
        scale: node.scale.map_or(Vec3::ONE, Vec3::from_array),
    }
}

fn matrix(node: &Node) -> Mat4 {
    match &node.matrix {
        Some(matrix) => Mat4::from_cols_array(matrix),
        None => stored_trs(node).matrix(),
    }
}

fn not_a_tree(path: String, found: String) -> GltfError {
    GltfError::new(
        GltfErrorKind::NotATree,
        path,
        "nodes that form trees",
        found,
        "the hierarchy is damaged; export the file again",
    )
}
