//! Who stands below whom, also where the nodes form no trees.

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use super::catalog::scene as fault;
use super::doc::{Doc, as_whole, list, numbers};
use super::findings::Findings;

/// The trees of all nodes. A node with two parents stands below the first; what
/// lies on a loop, or below one, has no root.
pub(super) struct Graph {
    pub(super) parents: Vec<Option<usize>>,
    /// The topmost ancestor; `None` on loops.
    pub(super) roots: Vec<Option<usize>>,
    /// `world_from_node` at rest; identity on loops.
    pub(super) world_from_node: Vec<DMat4>,
    /// First and last place of a node's tree in the order of the walk.
    spans: Vec<(usize, usize)>,
}

impl Graph {
    pub(super) fn new(doc: &Doc<'_>, found: &mut Findings) -> Self {
        let nodes = doc.list("nodes");
        let parents = parents(nodes, found);
        loops(&parents, found);
        let mut graph = Self {
            roots: vec![None; nodes.len()],
            world_from_node: vec![DMat4::IDENTITY; nodes.len()],
            spans: vec![(0, 0); nodes.len()],
            parents,
        };
        graph.walk(nodes);
        graph
    }

    /// Is `node` the same as `ancestor`, or below it?
    pub(super) fn is_below(&self, node: usize, ancestor: usize) -> bool {
        match (self.spans.get(node), self.spans.get(ancestor)) {
            (Some(&(first, _)), Some(&(from, to))) => first != 0 && (from..=to).contains(&first),
            _ => false,
        }
    }

    /// From each root down. Places count from 1; 0 is never reached.
    fn walk(&mut self, nodes: &[Value]) {
        let mut place = 0;
        for root in 0..nodes.len() {
            if self.parents[root].is_some() {
                continue;
            }
            let mut open = vec![(root, false)];
            while let Some((node, left)) = open.pop() {
                if left {
                    self.spans[node].1 = place;
                    continue;
                }
                place += 1;
                self.spans[node].0 = place;
                self.roots[node] = Some(root);
                let parent_from_node = local(&nodes[node]);
                self.world_from_node[node] = match self.parents[node] {
                    Some(parent) => self.world_from_node[parent] * parent_from_node,
                    None => parent_from_node,
                };
                open.push((node, true));
                for child in children(&nodes[node], nodes.len()) {
                    // Named twice, or by two parents: once is enough.
                    if self.parents[child] == Some(node) && self.spans[child].0 == 0 {
                        open.push((child, false));
                    }
                }
            }
        }
    }
}

fn children(node: &Value, count: usize) -> impl Iterator<Item = usize> {
    let children = list(node, "children").iter().filter_map(as_whole);
    children.filter(move |&child| child < count)
}

fn parents(nodes: &[Value], found: &mut Findings) -> Vec<Option<usize>> {
    let mut parents: Vec<Option<usize>> = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for (place, child) in list(node, "children").iter().enumerate() {
            let Some(child) = as_whole(child).filter(|&child| child < nodes.len()) else {
                continue;
            };
            match parents[child] {
                None => parents[child] = Some(parent),
                // Twice under the same parent is reported by the schema.
                Some(first) if first == parent => {}
                Some(first) => found.add(
                    &fault::NODE_PARENT_OVERRIDE,
                    format_args!("/nodes/{parent}/children/{place}"),
                    "one parent a node",
                    format_args!("node {child} under node {first} and under node {parent}"),
                ),
            }
        }
    }
    parents
}

/// Reports every loop once, at its lowest node, with the number of its nodes.
fn loops(parents: &[Option<usize>], found: &mut Findings) {
    // 0: not seen; else by which start it was seen.
    let mut seen = vec![0_usize; parents.len()];
    for start in 0..parents.len() {
        let mut node = start;
        while seen[node] == 0 {
            seen[node] = start + 1;
            match parents[node] {
                Some(parent) => node = parent,
                None => break,
            }
        }
        // Back at a node of this very way: it lies on a loop.
        let closed = parents[node].is_some() && seen[node] == start + 1;
        if !closed {
            continue;
        }
        let (mut lowest, mut length, mut way) = (node, 0, node);
        while let Some(parent) = parents[way] {
            length += 1;
            lowest = lowest.min(parent);
            way = parent;
            if way == node {
                break;
            }
        }
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
