//! Writes nodes, scenes and skins. The nodes of the rig's file keep their indices. Further
//! nodes that the rules of glTF require follow them.

use std::collections::{BTreeSet, VecDeque};

use bindpose_skin::{JointIndex, Pose, Trs};

use super::json;
use super::primitives::{json_node, scene_graph};
use crate::gltf_file::{NodeForest, decompose_affine};
use crate::{NodeIndex, NodeTransform, Rig, SceneGraph};

/// Builds the nodes, scenes and skins of a file.
pub(super) struct NodeBuilder {
    /// Nodes, whose children are filled in by `finish`.
    pub(super) list: Vec<json::Node>,
    /// Node of each joint.
    pub(super) of_joint: Vec<usize>,
    pub(super) skins: Vec<WrittenSkin>,
    /// Skin for each skin of the rig's file. `None` for those that could not be read.
    pub(super) skin_of: Vec<Option<usize>>,
    parents: Vec<Option<usize>>,
    /// An ancestor of each node, or the node itself if it is a root. Shortcuts for `root_of`.
    ancestors: Vec<usize>,
    /// Nodes in the order in which the rig's file lists them as children.
    child_order: Vec<usize>,
    scenes: Vec<json::Scene>,
    /// Index of the default scene.
    scene: usize,
}

pub(super) struct WrittenSkin {
    pub(super) name: Option<String>,
    /// Node of each joint, in the order that `JOINTS_n` refers to.
    pub(super) nodes: Vec<usize>,
    pub(super) joints: Vec<JointIndex>,
    /// Whether inverse bind matrices are written even if all are the identity.
    pub(super) has_inverse_binds: bool,
}

impl NodeBuilder {
    /// Creates the nodes of a rig, in a pose.
    pub(super) fn new(rig: &Rig, pose: &Pose) -> Self {
        let graph = scene_graph(rig);
        let mut nodes = Self {
            list: Vec::new(),
            of_joint: vec![usize::MAX; rig.skeleton.len()],
            skins: Vec::new(),
            skin_of: Vec::new(),
            parents: Vec::new(),
            ancestors: Vec::new(),
            child_order: Vec::new(),
            scenes: Vec::new(),
            scene: graph.scene.unwrap_or(0),
        };
        nodes.add_nodes(&graph, pose);
        nodes.add_joints(rig, pose);
        nodes.set_parents(rig, &graph);
        nodes.add_skins(rig, &graph);
        for scene in &graph.scenes {
            nodes.scenes.push(json::Scene {
                name: scene.name.clone(),
                nodes: scene.roots.iter().map(|root| root.index()).collect(),
            });
        }
        if nodes.scenes.is_empty() {
            // Without scenes, all nodes are shown.
            let roots =
                (0..graph.nodes.len()).filter(|&node| nodes.parents[node].is_none()).collect();
            nodes.scenes.push(json::Scene { name: None, nodes: roots });
        }
        nodes
    }

    /// Adds a node with an identity transform. Returns its index.
    pub(super) fn push_identity(&mut self, name: Option<String>, parent: Option<usize>) -> usize {
        let node = json::Node { name, ..json::Node::default() };
        self.push(node, parent)
    }

    /// Adds a node. Returns its index.
    fn push(&mut self, node: json::Node, parent: Option<usize>) -> usize {
        let index = self.list.len();
        self.list.push(node);
        self.parents.push(parent);
        self.ancestors.push(parent.unwrap_or(index));
        index
    }

    /// Adds a skin with the given joints. Returns its index.
    pub(super) fn push_skin(&mut self, joints: Vec<JointIndex>) -> usize {
        let nodes = joints.iter().map(|joint| self.of_joint[joint.index()]).collect();
        self.add_skin(WrittenSkin { name: None, nodes, joints, has_inverse_binds: true })
    }

    fn add_nodes(&mut self, graph: &SceneGraph, pose: &Pose) {
        for (index, node) in graph.nodes.iter().enumerate() {
            let mut posed = None;
            if let Some(joint) = node.joint {
                self.of_joint[joint.index()] = index;
                posed = pose.parent_from_joint.get(joint.index()).copied();
            }
            let local = posed.unwrap_or_else(|| match node.local {
                NodeTransform::Trs(trs) => trs,
                // The shear is lost, but no vertex depends on this node.
                NodeTransform::Matrix(matrix) => decompose_affine(matrix).0,
            });
            let node =
                json::Node { name: node.name.clone(), ..json_node(NodeTransform::Trs(local)) };
            self.push(node, None);
            self.child_order.extend(graph.nodes[index].children.iter().map(|child| child.index()));
        }
    }

    /// Assigns a node to each joint that has none: the node of its parent if the joint has an
    /// identity transform, otherwise a new one.
    fn add_joints(&mut self, rig: &Rig, pose: &Pose) {
        for joint in rig.skeleton.walk() {
            let index = joint.index();
            if self.of_joint[index] != usize::MAX {
                continue;
            }
            let stored = &rig.skeleton.joints()[index];
            let local = pose
                .parent_from_joint
                .get(index)
                .copied()
                .unwrap_or(stored.parent_from_joint_at_rest);
            let parent = stored.parent.map(|parent| self.of_joint[parent.index()]);
            self.of_joint[index] = match parent {
                Some(parent) if local == Trs::IDENTITY => parent,
                _ => {
                    let node = json::Node {
                        name: Some(stored.name.clone()),
                        ..json_node(NodeTransform::Trs(local))
                    };
                    self.push(node, parent)
                }
            };
        }
    }

    /// Sets the parents of the file's nodes: those of the joint, or those of the file for nodes
    /// without a joint.
    fn set_parents(&mut self, rig: &Rig, graph: &SceneGraph) {
        for (index, node) in graph.nodes.iter().enumerate() {
            self.parents[index] = match node.joint {
                Some(joint) => {
                    let parent = rig.skeleton.joints()[joint.index()].parent;
                    parent.map(|parent| self.of_joint[parent.index()])
                }
                None => node.parent.map(NodeIndex::index),
            };
        }
        // A graph made by a program may have cycles, whose nodes get no parents.
        let forest = NodeForest::from_parents(&self.parents);
        for node in 0..self.parents.len() {
            self.parents[node] = forest.parent(node);
            self.ancestors[node] = self.parents[node].unwrap_or(node);
        }
    }

    fn add_skins(&mut self, rig: &Rig, graph: &SceneGraph) {
        for stored in &graph.skins {
            let joints = &stored.ours;
            if joints.is_empty() {
                self.skin_of.push(None);
                continue;
            }
            let mut seen = BTreeSet::new();
            let mut nodes = Vec::new();
            for &joint in joints {
                let mut node = self.of_joint[joint.index()];
                if !seen.insert(node) {
                    // A skin must not list a node twice.
                    let name = rig.skeleton.joints()[joint.index()].name.clone();
                    node = self.push_identity(Some(name), Some(node));
                }
                nodes.push(node);
            }
            let skin = self.add_skin(WrittenSkin {
                name: stored.name.clone(),
                nodes,
                joints: joints.clone(),
                has_inverse_binds: stored.has_inverse_binds,
            });
            self.skin_of.push(Some(skin));
        }
    }

    /// Adds a skin, and a common root of its joints if they have none, which glTF requires.
    fn add_skin(&mut self, skin: WrittenSkin) -> usize {
        let roots: BTreeSet<usize> = skin.nodes.iter().map(|&node| self.root_of(node)).collect();
        if roots.len() > 1 {
            let common_root = self.push_identity(Some("root".to_owned()), None);
            for root in roots {
                self.parents[root] = Some(common_root);
                self.ancestors[root] = common_root;
            }
        }
        self.skins.push(skin);
        self.skins.len() - 1
    }

    /// Returns the root above a node. Halves the path for later calls, so that deep chains of
    /// nodes cost no more than flat ones.
    fn root_of(&mut self, mut node: usize) -> usize {
        while self.ancestors[node] != node {
            self.ancestors[node] = self.ancestors[self.ancestors[node]];
            node = self.ancestors[node];
        }
        node
    }

    /// Completes the nodes and scenes. Returns them with the index of the default scene.
    pub(super) fn finish(mut self) -> (Vec<json::Node>, Vec<json::Scene>, usize) {
        self.fill_children();
        let roots: Vec<usize> = (0..self.list.len()).map(|node| self.root_of(node)).collect();
        let default_scene = self.scene.min(self.scenes.len() - 1);
        let mut scenes = std::mem::take(&mut self.scenes);
        for (index, scene) in scenes.iter_mut().enumerate() {
            let mut scene_roots: Vec<usize> = scene.nodes.iter().map(|&node| roots[node]).collect();
            if index == default_scene {
                for (node, written) in self.list.iter().enumerate() {
                    if written.mesh.is_some() {
                        scene_roots.push(roots[node]);
                    }
                }
            }
            scene.nodes = self.with_roots_of_joints(scene_roots, &roots);
        }
        (self.list, scenes, default_scene)
    }

    fn fill_children(&mut self) {
        let mut is_added = vec![false; self.list.len()];
        let child_order = std::mem::take(&mut self.child_order);
        for node in child_order.into_iter().chain(0..self.list.len()) {
            // Ancestors are added before their descendants.
            let mut chain = Vec::new();
            let mut next = Some(node);
            while let Some(node) = next.filter(|&node| !is_added[node]) {
                is_added[node] = true;
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

    /// Removes duplicates, and adds the roots of all joints that meshes below these roots
    /// depend on. `roots` is the root of each node.
    fn with_roots_of_joints(&self, scene_roots: Vec<usize>, roots: &[usize]) -> Vec<usize> {
        let mut skins_of_root = vec![BTreeSet::new(); self.list.len()];
        for (node, written) in self.list.iter().enumerate() {
            skins_of_root[roots[node]].extend(written.skin);
        }
        let mut seen = BTreeSet::new();
        let mut all = Vec::new();
        let mut queue: VecDeque<usize> = scene_roots.into();
        while let Some(root) = queue.pop_front() {
            if seen.insert(root) {
                all.push(root);
                for &skin in &skins_of_root[root] {
                    queue.push_back(roots[self.skins[skin].nodes[0]]);
                }
            }
        }
        all
    }
}
