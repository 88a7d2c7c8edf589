//! A file under examination: unvalidated JSON, the bytes of its buffers, and the hierarchy of
//! its nodes.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;

use bindpose_gltf::decoding::values::{
    as_usize, get_list, get_numbers, get_str, get_strings, get_usize, quoted,
};
use bindpose_gltf::{ChildFaultKind, NodeForest, NodeLoop, TaskProgress};
use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use super::catalog as fault;
use super::findings::Findings;

/// Maximum number of accessor components that one examination reads. Limits the time for
/// small files with many overlapping accessors.
const MAX_NUMBERS_READ: u64 = 48_000_000;

/// Number of list entries between two updates of the progress.
const PROGRESS_INTERVAL: usize = 256;

pub(super) struct RawDocument<'a> {
    pub(super) root: Value,
    /// By index. `None` if the bytes are not available.
    pub(super) buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Whether the parser replaced numbers too large for floats.
    pub(super) has_replaced_numbers: bool,
    /// Whether the parser left out something that is nested too deeply.
    pub(super) is_truncated: bool,
    pub(super) work: WorkTracker,
}

/// The budget of numbers to read, and the progress of the examination.
#[derive(Debug)]
pub(super) struct WorkTracker {
    numbers_left: Cell<u64>,
    skipped_count: Cell<usize>,
    progress: TaskProgress,
    /// Progress at the start and the end of the current stage.
    stage: Cell<(f32, f32)>,
}

impl WorkTracker {
    pub(super) fn new(progress: &TaskProgress) -> Self {
        Self {
            numbers_left: Cell::new(MAX_NUMBERS_READ),
            skipped_count: Cell::new(0),
            progress: progress.clone(),
            stage: Cell::default(),
        }
    }

    /// Starts a stage that covers the progress between `start` and `end`. Returns `false` if
    /// the examination was cancelled.
    pub(super) fn begin_stage(&self, start: f32, end: f32) -> bool {
        self.stage.set((start, end));
        self.progress.set(start);
        !self.progress.is_cancelled()
    }

    /// Reports that a stage is at entry `index` of `count`. Returns `false` if the examination
    /// was cancelled.
    pub(super) fn advance(&self, index: usize, count: usize) -> bool {
        if count >= PROGRESS_INTERVAL && index.is_multiple_of(PROGRESS_INTERVAL) {
            let (start, end) = self.stage.get();
            let fraction = start + (end - start) * index as f32 / count as f32;
            self.progress.set(fraction.max(self.progress.fraction()));
        }
        !self.progress.is_cancelled()
    }

    /// Iterates over a list with indices until the examination is cancelled.
    pub(super) fn entries<'v>(
        &'v self,
        list: &'v [Value],
    ) -> impl Iterator<Item = (usize, &'v Value)> {
        list.iter().enumerate().take_while(|(index, _)| self.advance(*index, list.len()))
    }

    /// Takes `count` numbers from the budget. Returns `false` if they exceed it, or if the
    /// examination was cancelled.
    pub(super) fn try_spend(&self, count: usize) -> bool {
        if self.progress.is_cancelled() {
            return false;
        }
        let left = self.numbers_left.get().checked_sub(count as u64);
        if let Some(left) = left {
            self.numbers_left.set(left);
        } else {
            self.skipped_count.set(self.skipped_count.get() + 1);
        }
        left.is_some()
    }

    /// Returns how many reads exceeded the budget.
    pub(super) fn skipped_count(&self) -> usize {
        self.skipped_count.get()
    }
}

impl RawDocument<'_> {
    /// Returns a top-level list, or an empty one if the file has none of this name.
    pub(super) fn list(&self, name: &str) -> &[Value] {
        get_list(&self.root, name)
    }

    /// Iterates over a top-level list with indices until the examination is cancelled.
    pub(super) fn entries(&self, name: &str) -> impl Iterator<Item = (usize, &Value)> {
        self.work.entries(self.list(name))
    }

    /// Returns an entry of a top-level list.
    pub(super) fn get(&self, list: &str, index: usize) -> Option<&Value> {
        self.list(list).get(index)
    }

    /// Returns the entry of `list` that `object` refers to by its index under `name`.
    pub(super) fn resolve(&self, object: &Value, name: &str, list: &str) -> Option<&Value> {
        self.get(list, get_usize(object, name)?)
    }

    /// Iterates over the primitives of all meshes.
    pub(super) fn primitives(&self) -> impl Iterator<Item = &Value> {
        self.list("meshes").iter().flat_map(|mesh| get_list(mesh, "primitives"))
    }

    /// Iterates over the samplers of all animations.
    pub(super) fn samplers(&self) -> impl Iterator<Item = &Value> {
        self.list("animations").iter().flat_map(|animation| get_list(animation, "samplers"))
    }

    /// Returns the strings in a top-level list.
    pub(super) fn strings(&self, name: &str) -> BTreeSet<&str> {
        get_strings(&self.root, name)
    }

    /// Returns the meshes that nodes show with a skin.
    pub(super) fn meshes_of_skin(&self, skin: usize) -> BTreeSet<usize> {
        self.list("nodes")
            .iter()
            .filter(|node| get_usize(node, "skin") == Some(skin))
            .filter_map(|node| get_usize(node, "mesh"))
            .collect()
    }

    /// Formats an entry of a top-level list with its name, if it has one: `node 3 (“hip”)`.
    /// `kind` is the word for one entry.
    pub(super) fn describe(&self, kind: &str, list: &str, index: usize) -> String {
        match self.get(list, index).and_then(|entry| get_str(entry, "name")) {
            Some(name) if !name.is_empty() => format!("{kind} {index} ({})", quoted(name)),
            _ => format!("{kind} {index}"),
        }
    }

    pub(super) fn describe_node(&self, index: usize) -> String {
        self.describe("node", "nodes", index)
    }

    pub(super) fn describe_mesh(&self, index: usize) -> String {
        self.describe("mesh", "meshes", index)
    }
}

/// The node hierarchy and everything that nodes inherit along it. Nodes on loops and below
/// them are in no tree.
pub(super) struct NodeGraph {
    pub(super) forest: NodeForest,
    /// The topmost ancestor, or the node itself. `None` outside of trees.
    pub(super) roots: Vec<Option<usize>>,
    /// `world_from_node` at rest. Identity outside of trees.
    pub(super) world_from_node: Vec<DMat4>,
    /// `world_from_parent` at rest. Identity for roots.
    pub(super) world_from_parent: Vec<DMat4>,
    /// Transform of each node relative to its parent, with a normalized rotation.
    pub(super) parent_from_node: Vec<DMat4>,
    /// Rotations as stored, or the identity if there is none. `None` for nodes with a matrix.
    pub(super) rotations: Vec<Option<[f64; 4]>>,
    /// The nearest node, from this one upwards, that an animation moves.
    pub(super) nearest_animated: Vec<Option<usize>>,
    /// The nearest node, from this one upwards, with a singular transform.
    pub(super) nearest_flattened: Vec<Option<usize>>,
}

impl NodeGraph {
    /// Builds the hierarchy. Reports loops and second parents.
    pub(super) fn new(doc: &RawDocument<'_>, findings: &mut Findings) -> Self {
        let nodes = doc.list("nodes");
        let forest = NodeForest::new(nodes.len(), |node| {
            // The schema reports entries that are no index, and indices without a node.
            get_list(&nodes[node], "children")
                .iter()
                .map(|child| as_usize(child).unwrap_or(usize::MAX))
        });
        report_hierarchy_faults(&forest, findings);
        let mut graph = Self {
            roots: vec![None; nodes.len()],
            world_from_node: vec![DMat4::IDENTITY; nodes.len()],
            world_from_parent: vec![DMat4::IDENTITY; nodes.len()],
            parent_from_node: nodes.iter().map(parent_from_node).collect(),
            rotations: nodes.iter().map(stored_rotation).collect(),
            nearest_animated: vec![None; nodes.len()],
            nearest_flattened: vec![None; nodes.len()],
            forest,
        };
        for animation in doc.list("animations") {
            for channel in get_list(animation, "channels") {
                let target = channel.get("target").and_then(|target| get_usize(target, "node"));
                if let Some(node) = target.filter(|&node| node < nodes.len()) {
                    graph.nearest_animated[node] = Some(node);
                }
            }
        }
        for &node in &graph.forest.order {
            let parent_from_node = graph.parent_from_node[node];
            if parent_from_node.determinant() == 0.0 {
                graph.nearest_flattened[node] = Some(node);
            }
            let Some(parent) = graph.forest.parent(node) else {
                graph.roots[node] = Some(node);
                graph.world_from_node[node] = parent_from_node;
                continue;
            };
            graph.roots[node] = graph.roots[parent];
            graph.world_from_parent[node] = graph.world_from_node[parent];
            graph.world_from_node[node] = graph.world_from_node[parent] * parent_from_node;
            graph.nearest_animated[node] =
                graph.nearest_animated[node].or(graph.nearest_animated[parent]);
            graph.nearest_flattened[node] =
                graph.nearest_flattened[node].or(graph.nearest_flattened[parent]);
        }
        graph
    }

    /// Returns the parent of a node. `None` for roots and outside of trees.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parent(node)
    }
}

fn report_hierarchy_faults(forest: &NodeForest, findings: &mut Findings) {
    for entry in &forest.faults {
        let parent = entry.parent;
        let child = entry.child;
        let pointer = format!("/nodes/{parent}/children/{}", entry.place);
        match entry.kind {
            ChildFaultKind::Named(first) if first != parent => {
                findings.add(&fault::NODE_PARENT_OVERRIDE, pointer).expected(
                    "one parent a node",
                    format_args!("node {child} under node {first} and under node {parent}"),
                );
            }
            ChildFaultKind::Own => findings.add(&fault::NODE_LOOP, pointer).expected(
                "a parent that is not below the node",
                format_args!("node {child} among its own children"),
            ),
            // The schema reports both: a child twice in one list counts as a duplicate entry.
            ChildFaultKind::Named(_) | ChildFaultKind::Missing => {}
        }
    }
    for &NodeLoop { lowest, length } in &forest.loops {
        findings.add_many(&fault::NODE_LOOP, length, format_args!("/nodes/{lowest}")).expected(
            "a parent that is not below the node",
            format_args!("a loop of {length} nodes"),
        );
    }
}

/// Returns the local transform of a node with its rotation normalized.
pub(super) fn parent_from_node(node: &Value) -> DMat4 {
    if let Some(matrix) = get_numbers::<16>(node, "matrix") {
        return DMat4::from_cols_array(&matrix);
    }
    DMat4::from_scale_rotation_translation(
        get_numbers(node, "scale").map_or(DVec3::ONE, DVec3::from_array),
        unit_rotation(node),
        get_numbers(node, "translation").map_or(DVec3::ZERO, DVec3::from_array),
    )
}

/// Returns the rotation of a node as stored, or the identity if it has none. `None` for nodes
/// with a matrix.
fn stored_rotation(node: &Value) -> Option<[f64; 4]> {
    if node.get("matrix").is_some() {
        return None;
    }
    Some(get_numbers(node, "rotation").unwrap_or([0.0, 0.0, 0.0, 1.0]))
}

/// Returns the normalized rotation of a node, or the identity if it has none or cannot be
/// normalized.
pub(super) fn unit_rotation(node: &Value) -> DQuat {
    get_numbers::<4>(node, "rotation")
        .map(DQuat::from_array)
        .filter(|rotation| rotation.length_squared() > 1e-24 && rotation.is_finite())
        .map_or(DQuat::IDENTITY, DQuat::normalize)
}
