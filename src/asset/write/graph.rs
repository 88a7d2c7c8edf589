//! The scene graph of a written file, as a reader finds it.

use glam::Mat4;

use super::FIRST_JOINT;
use crate::asset::{Local, Node, NodeIndex, NodeScene, NodeSkin, Rig, SceneGraph};
use crate::skin::Trs;

/// The scene graph of the file that is written here for the rig `id`.
pub(in crate::asset) fn graph(id: &str, rig: &Rig) -> SceneGraph {
    let mut graph = SceneGraph::of_skeleton(&rig.skeleton);
    let shifted = |node: NodeIndex| NodeIndex(node.0 + FIRST_JOINT as u32);
    for node in &mut graph.nodes {
        node.parent = node.parent.map(shifted);
        node.children = node.children.iter().copied().map(shifted).collect();
    }
    let mesh_node = Node {
        name: Some(format!("{id}_mesh")),
        parent: None,
        children: Vec::new(),
        local: if rig.world_from_mesh_node == Mat4::IDENTITY {
            Local::Trs(Trs::IDENTITY)
        } else {
            Local::Matrix(rig.world_from_mesh_node)
        },
        mesh: Some(0),
        skin: Some(0),
        joint: None,
    };
    graph.nodes.insert(0, mesh_node);
    for NodeScene { roots, .. } in &mut graph.scenes {
        *roots = roots.iter().copied().map(shifted).collect();
        roots.insert(0, NodeIndex(0));
    }
    for NodeSkin { joints, .. } in &mut graph.skins {
        *joints = joints.iter().copied().map(shifted).collect();
    }
    graph
}
