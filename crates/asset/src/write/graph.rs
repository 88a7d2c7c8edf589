//! The nodes of a rig, also of one made in memory.

use std::borrow::Cow;

use bindpose_skin::JointIndex;

use crate::{GraphNode, NodeIndex, NodeSkin, NodeTransform, Rig, SceneGraph};

/// The mesh's node comes first, then the joints in their order.
pub(super) const FIRST_JOINT: usize = 1;

/// The node of a joint.
pub(crate) fn node_of(joint: JointIndex) -> NodeIndex {
    NodeIndex((FIRST_JOINT + joint.index()) as u32)
}

/// The graph of the rig's file; of a rig made in memory the mesh's node, then the
/// joints, all of one skin.
pub(super) fn graph_of(rig: &Rig) -> Cow<'_, SceneGraph> {
    match &rig.origin {
        Some(origin) => Cow::Borrowed(&origin.graph),
        None => Cow::Owned(made_graph(rig)),
    }
}

fn made_graph(rig: &Rig) -> SceneGraph {
    let joints = rig.skeleton.indices().zip(rig.skeleton.joints());
    let carrier = GraphNode {
        name: Some(format!("{}_mesh", rig.id)),
        parent: None,
        children: Vec::new(),
        local: NodeTransform::Matrix(rig.world_from_mesh_node),
        mesh: Some(0),
        skin: Some(0),
        joint: None,
    };
    let joints = joints.map(|(index, joint)| GraphNode {
        parent: joint.parent.map(node_of),
        ..GraphNode::of_joint(index, joint)
    });
    let skin = NodeSkin {
        name: Some(rig.id.clone()),
        joints: rig.skeleton.indices().map(node_of).collect(),
        ours: rig.skeleton.indices().collect(),
        has_inverse_binds: true,
    };
    let nodes = std::iter::once(carrier).chain(joints).collect();
    SceneGraph::of_nodes(nodes, vec![skin])
}
