//! A file as the examination sees it: JSON that may say anything, and the bytes
//! of its buffers.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeSet;

use glam::{DMat4, DQuat, DVec3};
use serde_json::Value;

use super::catalog as fault;
use super::findings::Findings;
use crate::TaskProgress;
use crate::budget::FileBudget;
use crate::gltf_file::{ChildFaultKind, NodeForest, NodeLoop};

/// Numbers read out of buffers during one examination. Accessors may overlap
/// without end; the time that this takes must not.
const MOST_READ: u64 = 48_000_000;

/// Entries of a list after which progress is told.
const LONG: usize = 256;

/// JSON and buffers.
pub(super) struct Doc<'a> {
    pub(super) root: Value,
    /// By index; `None` where the bytes are not to be had.
    pub(super) buffers: Vec<Option<Cow<'a, [u8]>>>,
    /// Were numbers replaced that are too large for floats?
    pub(super) patched: bool,
    /// Was something left out that is nested too deeply to be read?
    pub(super) cut: bool,
    pub(super) work: ExaminationWork,
}

/// How much of the data has been read, and how far the examination is.
#[derive(Debug)]
pub(super) struct ExaminationWork {
    budget: FileBudget,
    left_out: Cell<usize>,
    progress: TaskProgress,
    /// The part of the whole that is being done.
    stage: Cell<(f32, f32)>,
}

impl ExaminationWork {
    pub(super) fn new(progress: &TaskProgress) -> Self {
        Self {
            budget: FileBudget::of_numbers(MOST_READ),
            left_out: Cell::new(0),
            progress: progress.clone(),
            stage: Cell::default(),
        }
    }

    /// What follows is this part of the whole. Not if it was cancelled.
    pub(super) fn begin(&self, from: f32, to: f32) -> bool {
        self.stage.set((from, to));
        self.progress.set(from);
        !self.progress.is_cancelled()
    }

    /// Entries with their places, until it is cancelled.
    pub(super) fn each<'v>(
        &'v self,
        list: &'v [Value],
    ) -> impl Iterator<Item = (usize, &'v Value)> {
        list.iter().enumerate().take_while(|(place, _)| {
            if list.len() >= LONG && place % LONG == 0 {
                let (from, to) = self.stage.get();
                let at = from + (to - from) * *place as f32 / list.len() as f32;
                self.progress.set(at.max(self.progress.fraction()));
            }
            !self.progress.is_cancelled()
        })
    }

    /// May `numbers` more be read? Counts them if so.
    pub(super) fn take(&self, numbers: usize) -> bool {
        if self.progress.is_cancelled() {
            return false;
        }
        let may = self.budget.read(numbers, 1).is_ok();
        self.left_out.set(self.left_out.get() + usize::from(!may));
        may
    }

    /// How many times it was too much.
    pub(super) fn left_out(&self) -> usize {
        self.left_out.get()
    }
}

impl Doc<'_> {
    /// A top-level list; empty where there is none.
    pub(super) fn list(&self, name: &str) -> &[Value] {
        list(&self.root, name)
    }

    /// Its entries with their places, until the examination is cancelled.
    pub(super) fn each(&self, name: &str) -> impl Iterator<Item = (usize, &Value)> {
        self.work.each(self.list(name))
    }

    /// One thing of a top-level list.
    pub(super) fn one(&self, name: &str, index: usize) -> Option<&Value> {
        self.list(name).get(index)
    }

    /// What `object` refers to under `name`: the number of an entry of `list`.
    pub(super) fn referred(&self, object: &Value, name: &str, list: &str) -> Option<&Value> {
        self.one(list, whole(object, name)?)
    }

    /// Those of all meshes.
    pub(super) fn primitives(&self) -> impl Iterator<Item = &Value> {
        let meshes = self.list("meshes").iter();
        meshes.flat_map(|mesh| list(mesh, "primitives"))
    }

    /// Those of all animations.
    pub(super) fn samplers(&self) -> impl Iterator<Item = &Value> {
        let animations = self.list("animations").iter();
        animations.flat_map(|animation| list(animation, "samplers"))
    }

    /// The texts in a top-level list.
    pub(super) fn texts(&self, name: &str) -> BTreeSet<&str> {
        self.list(name).iter().filter_map(Value::as_str).collect()
    }
}

/// A list in an object; empty where there is none.
pub(super) fn list<'v>(object: &'v Value, name: &str) -> &'v [Value] {
    object.get(name).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// An index or a count in an object.
pub(super) fn whole(object: &Value, name: &str) -> Option<usize> {
    object.get(name).and_then(as_whole)
}

/// A value as an index or a count; also one that is written `2.0`, as glTF 2.0.1
/// allows.
pub(super) fn as_whole(value: &Value) -> Option<usize> {
    // Above, not every whole number is a 64-bit float.
    const MOST: f64 = (1_u64 << 53) as f64;
    let written = |number: f64| {
        (number.fract() == 0.0 && (0.0..=MOST).contains(&number)).then_some(number as u64)
    };
    let whole = value.as_u64().or_else(|| written(value.as_f64()?));
    usize::try_from(whole?).ok()
}

/// Text in an object.
pub(super) fn text<'v>(object: &'v Value, name: &str) -> Option<&'v str> {
    object.get(name).and_then(Value::as_str)
}

/// Exactly `N` finite numbers in an object.
pub(super) fn numbers<const N: usize>(object: &Value, name: &str) -> Option<[f64; N]> {
    let found = object.get(name)?.as_array()?;
    let found: Vec<f64> = found.iter().filter_map(Value::as_f64).collect();
    found.try_into().ok()
}

/// A name in quotes behind a word: `node 3 (“hip”)`.
pub(super) fn named(what: &str, index: usize, object: Option<&Value>) -> String {
    match object.and_then(|object| text(object, "name")) {
        Some(name) if !name.is_empty() => {
            format!("{what} {index} ({})", super::findings::quoted(name))
        }
        _ => format!("{what} {index}"),
    }
}

// The hierarchy of nodes, also where they form no trees.

/// The trees of all nodes, and all that is inherited along them: checks ask here and
/// walk nowhere themselves.
pub(super) struct Graph {
    pub(super) forest: NodeForest,
    /// The topmost ancestor, or the node itself. `None` on a loop and below one.
    pub(super) roots: Vec<Option<usize>>,
    /// `world_from_node` at rest; identity on a loop and below one.
    pub(super) world_from_node: Vec<DMat4>,
    /// `world_from_parent` at rest; identity for roots.
    pub(super) world_from_parent: Vec<DMat4>,
    /// Rotations as stored, made unit; none of a node with a matrix.
    pub(super) turns: Vec<DQuat>,
    /// The nearest node, from this one upwards, that a clip moves.
    pub(super) animated: Vec<Option<usize>>,
    /// The nearest node, from this one upwards, whose transform flattens.
    pub(super) flattened: Vec<Option<usize>>,
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
        let channels = doc.list("animations").iter().flat_map(|clip| list(clip, "channels"));
        let targets = channels.filter_map(|channel| whole(channel.get("target")?, "node"));
        let targets: BTreeSet<usize> = targets.collect();
        let own = |node: usize, is_so: bool| is_so.then_some(node);
        let mut graph = Self {
            roots: vec![None; nodes.len()],
            world_from_node: vec![DMat4::IDENTITY; nodes.len()],
            world_from_parent: vec![DMat4::IDENTITY; nodes.len()],
            turns: nodes.iter().map(turn).collect(),
            animated: (0..nodes.len()).map(|node| own(node, targets.contains(&node))).collect(),
            flattened: vec![None; nodes.len()],
            forest,
        };
        for &node in &graph.forest.order {
            let parent_from_node = local(&nodes[node]);
            graph.flattened[node] = own(node, parent_from_node.determinant() == 0.0);
            let Some(parent) = graph.forest.parent(node) else {
                graph.roots[node] = Some(node);
                graph.world_from_node[node] = parent_from_node;
                continue;
            };
            graph.roots[node] = graph.roots[parent];
            graph.world_from_parent[node] = graph.world_from_node[parent];
            graph.world_from_node[node] = graph.world_from_node[parent] * parent_from_node;
            graph.animated[node] = graph.animated[node].or(graph.animated[parent]);
            graph.flattened[node] = graph.flattened[node].or(graph.flattened[parent]);
        }
        graph
    }

    /// The node that `node` hangs below. `None` for roots and on loops.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parent(node)
    }
}

fn faults(forest: &NodeForest, found: &mut Findings) {
    for entry in &forest.faults {
        let (parent, child) = (entry.parent, entry.child);
        let pointer = || format!("/nodes/{parent}/children/{}", entry.place);
        match entry.kind {
            ChildFaultKind::Named(first) if first != parent => {
                found.add(&fault::NODE_PARENT_OVERRIDE, pointer()).expected(
                    "one parent a node",
                    format_args!("node {child} under node {first} and under node {parent}"),
                );
            }
            ChildFaultKind::Own => found.add(&fault::NODE_LOOP, pointer()).expected(
                "a parent that is not below the node",
                format_args!("node {child} among its own children"),
            ),
            // Reported by the schema: also twice under the same parent.
            ChildFaultKind::Named(_) | ChildFaultKind::Missing => {}
        }
    }
    for &NodeLoop { lowest, length } in &forest.loops {
        found.add_many(&fault::NODE_LOOP, length, format_args!("/nodes/{lowest}")).expected(
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
    DMat4::from_scale_rotation_translation(
        numbers(node, "scale").map_or(DVec3::ONE, DVec3::from_array),
        turn(node),
        numbers(node, "translation").map_or(DVec3::ZERO, DVec3::from_array),
    )
}

/// The rotation of a node, made unit; none where there is none, or none of a length.
pub(super) fn turn(node: &Value) -> DQuat {
    let stored = numbers::<4>(node, "rotation").map(DQuat::from_array);
    let is_turn = |turn: &DQuat| turn.length_squared() > 1e-24 && turn.is_finite();
    stored.filter(is_turn).map_or(DQuat::IDENTITY, DQuat::normalize)
}
