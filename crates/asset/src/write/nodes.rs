//! The nodes, scenes and skins of the file that is written of a rig: those of the
//! file that it came from, with the same numbers, and behind them what the rules
//! of glTF ask for beyond that.

use std::collections::BTreeSet;

use bindpose_skin::{JointIndex, Pose, Trs};

use super::json;
use super::primitives::{graph_of, placed};
use crate::gltf::split;
use crate::gltf_file::NodeForest;
use crate::{NodeIndex, NodeTransform, Rig, SceneGraph};

/// Where everything is to stand.
pub(super) struct Nodes {
    /// Without children, which follow from the parents at the end.
    pub(super) list: Vec<json::Node>,
    /// The node of each joint.
    pub(super) of_joint: Vec<usize>,
    pub(super) skins: Vec<Skin>,
    /// The skin for each of the rig's file; `None` for those it could not read.
    pub(super) skin_of: Vec<Option<usize>>,
    parents: Vec<Option<usize>>,
    /// A node above each, on the way to its root, which is its own: shortcuts for `top`.
    towards_top: Vec<usize>,
    /// The order in which the file names children, as far as it does.
    order: Vec<usize>,
    scenes: Vec<json::Scene>,
    scene: usize,
}

/// A list of joints.
pub(super) struct Skin {
    pub(super) name: Option<String>,
    /// In the order in which vertices count them.
    pub(super) nodes: Vec<usize>,
    pub(super) joints: Vec<JointIndex>,
    /// Are the inverse bind matrices written even if all are the identity?
    pub(super) has_inverse_binds: bool,
}

impl Nodes {
    /// The nodes in a pose.
    pub(super) fn new(rig: &Rig, pose: &Pose) -> Self {
        let graph = graph_of(rig);
        let mut nodes = Self {
            list: Vec::new(),
            of_joint: vec![usize::MAX; rig.skeleton.len()],
            skins: Vec::new(),
            skin_of: Vec::new(),
            parents: Vec::new(),
            towards_top: Vec::new(),
            order: Vec::new(),
            scenes: Vec::new(),
            scene: graph.scene.unwrap_or(0),
        };
        nodes.add_nodes(&graph, pose);
        nodes.add_joints(rig, pose);
        nodes.hang_up(rig, &graph);
        nodes.add_skins(rig, &graph);
        let scenes = graph.scenes.iter().map(|scene| json::Scene {
            name: scene.name.clone(),
            nodes: scene.roots.iter().map(|root| root.index()).collect(),
        });
        nodes.scenes = scenes.collect();
        if nodes.scenes.is_empty() {
            // Then all is shown.
            let roots = (0..graph.nodes.len()).filter(|&node| nodes.parents[node].is_none());
            let (name, roots) = (None, roots.collect());
            nodes.scenes.push(json::Scene { name, nodes: roots });
        }
        nodes
    }

    /// A new node where its parent is.
    pub(super) fn push_plain(&mut self, name: Option<String>, parent: Option<usize>) -> usize {
        let node = json::Node { name, ..json::Node::default() };
        self.push(node, parent)
    }

    /// A new node below another, or a root.
    fn push(&mut self, node: json::Node, parent: Option<usize>) -> usize {
        self.list.push(node);
        self.parents.push(parent);
        self.towards_top.push(parent.unwrap_or(self.parents.len() - 1));
        self.list.len() - 1
    }

    /// A skin of these joints alone.
    pub(super) fn push_skin(&mut self, joints: Vec<JointIndex>) -> usize {
        let nodes = joints.iter().map(|joint| self.of_joint[joint.index()]);
        let nodes: Vec<usize> = nodes.collect();
        self.add_skin(Skin { name: None, nodes, joints, has_inverse_binds: true })
    }

    fn add_nodes(&mut self, graph: &SceneGraph, pose: &Pose) {
        for (at, node) in graph.nodes.iter().enumerate() {
            let posed = node.joint.and_then(|joint| {
                self.of_joint[joint.index()] = at;
                pose.parent_from_joint.get(joint.index()).copied()
            });
            let local = posed.unwrap_or_else(|| match node.local {
                NodeTransform::Trs(trs) => trs,
                // What carries no joint may not shear either.
                NodeTransform::Matrix(matrix) => split(matrix).0,
            });
            let node = json::Node { name: node.name.clone(), ..placed(NodeTransform::Trs(local)) };
            self.push(node, None);
        }
        let children = graph.nodes.iter().flat_map(|node| &node.children);
        self.order = children.map(|child| child.index()).collect();
    }

    /// Joints without a node of their own: those that stand exactly where
    /// another does share its node, the others get one.
    fn add_joints(&mut self, rig: &Rig, pose: &Pose) {
        for joint in rig.skeleton.walk() {
            let at = joint.index();
            if self.of_joint[at] != usize::MAX {
                continue;
            }
            let stored = &rig.skeleton.joints()[at];
            let local = pose.parent_from_joint.get(at).copied();
            let local = local.unwrap_or(stored.parent_from_joint_at_rest);
            let parent = stored.parent.map(|parent| self.of_joint[parent.index()]);
            self.of_joint[at] = match parent {
                Some(parent) if local == Trs::IDENTITY => parent,
                _ => {
                    let node = json::Node {
                        name: Some(stored.name.clone()),
                        ..placed(NodeTransform::Trs(local))
                    };
                    self.push(node, parent)
                }
            };
        }
    }

    /// Nodes of joints hang as the joints do; others as in the file.
    fn hang_up(&mut self, rig: &Rig, graph: &SceneGraph) {
        for (at, node) in graph.nodes.iter().enumerate() {
            self.parents[at] = match node.joint {
                Some(joint) => {
                    let above = rig.skeleton.joints()[joint.index()].parent;
                    above.map(|above| self.of_joint[above.index()])
                }
                None => node.parent.map(NodeIndex::index),
            };
        }
        // A graph that a program has made may hold loops; those are cut open.
        let forest = NodeForest::from_parents(&self.parents);
        for node in 0..self.parents.len() {
            self.parents[node] = forest.parent(node);
            self.towards_top[node] = self.parents[node].unwrap_or(node);
        }
    }

    fn add_skins(&mut self, rig: &Rig, graph: &SceneGraph) {
        for stored in &graph.skins {
            let joints = &stored.ours;
            let skin = (!joints.is_empty()).then(|| {
                let mut seen = BTreeSet::new();
                let mut nodes = Vec::new();
                for &joint in joints {
                    let mut node = self.of_joint[joint.index()];
                    if !seen.insert(node) {
                        // A skin names a node once.
                        let name = rig.skeleton.joints()[joint.index()].name.clone();
                        node = self.push_plain(Some(name), Some(node));
                    }
                    nodes.push(node);
                }
                self.add_skin(Skin {
                    name: stored.name.clone(),
                    nodes,
                    joints: joints.clone(),
                    has_inverse_binds: stored.has_inverse_binds,
                })
            });
            self.skin_of.push(skin);
        }
    }

    /// The joints of a skin must have a common root.
    fn add_skin(&mut self, skin: Skin) -> usize {
        let tops: BTreeSet<usize> = skin.nodes.iter().map(|&node| self.top(node)).collect();
        if tops.len() > 1 {
            let root = self.push_plain(Some("root".to_owned()), None);
            for top in tops {
                self.parents[top] = Some(root);
                self.towards_top[top] = root;
            }
        }
        self.skins.push(skin);
        self.skins.len() - 1
    }

    /// The root above a node. Halves the way there for the next one who asks, so that
    /// deep chains of nodes cost no more than flat ones.
    fn top(&mut self, mut node: usize) -> usize {
        while self.towards_top[node] != node {
            self.towards_top[node] = self.towards_top[self.towards_top[node]];
            node = self.towards_top[node];
        }
        node
    }

    /// With children and scenes: nodes, scenes, and which scene is shown.
    pub(super) fn finish(mut self) -> (Vec<json::Node>, Vec<json::Scene>, usize) {
        self.write_children();
        let tops: Vec<usize> = (0..self.list.len()).map(|node| self.top(node)).collect();
        let shown = self.scene.min(self.scenes.len() - 1);
        let mut scenes = std::mem::take(&mut self.scenes);
        for (number, scene) in scenes.iter_mut().enumerate() {
            let mut roots: Vec<usize> = scene.nodes.iter().map(|&node| tops[node]).collect();
            if number == shown {
                let meshes = (0..self.list.len()).filter(|&node| self.list[node].mesh.is_some());
                roots.extend(meshes.map(|node| tops[node]));
            }
            scene.nodes = self.with_joints(roots, &tops);
        }
        (self.list, scenes, shown)
    }

    fn write_children(&mut self) {
        let mut written = vec![false; self.list.len()];
        let order = std::mem::take(&mut self.order);
        let all = order.into_iter().chain(0..self.list.len());
        for node in all {
            // What a node hangs on comes before it.
            let mut chain = Vec::new();
            let mut next = Some(node);
            while let Some(node) = next.filter(|&node| !written[node]) {
                written[node] = true;
                chain.push(node);
                next = self.parents[node];
            }
            for node in chain.into_iter().rev() {
                if let Some(parent) = self.parents[node] {
                    self.list[parent].children.push(node);
                }
            }
        }
    }

    /// Each root once, and with them those of all joints that move what hangs
    /// there.
    fn with_joints(&self, roots: Vec<usize>, tops: &[usize]) -> Vec<usize> {
        let mut skins_of_top = vec![BTreeSet::new(); self.list.len()];
        for (node, written) in self.list.iter().enumerate() {
            skins_of_top[tops[node]].extend(written.skin);
        }
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        let mut waiting: std::collections::VecDeque<usize> = roots.into();
        while let Some(root) = waiting.pop_front() {
            if seen.insert(root) {
                all.push(root);
                let skins = skins_of_top[root].iter();
                waiting.extend(skins.map(|&skin: &usize| tops[self.skins[skin].nodes[0]]));
            }
        }
        all
    }
}
