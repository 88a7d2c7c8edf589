//! The scene graph of a file: every node, also those that move nothing.

use glam::Mat4;

use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};

/// Index of a node in its file. Not the index of a joint in a skin's list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    /// For indexing slices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All nodes and scenes of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneGraph {
    /// In the file's order.
    pub nodes: Vec<GraphNode>,
    /// In the file's order.
    pub scenes: Vec<NodeScene>,
    /// The scene that is shown first, if the file names one.
    pub scene: Option<usize>,
    /// The skins, in the file's order.
    pub skins: Vec<NodeSkin>,
}

impl SceneGraph {
    /// A node for each joint, with the same numbers: for a rig without a file.
    pub fn of_skeleton(skeleton: &Skeleton) -> Self {
        let node_of = |joint: JointIndex| NodeIndex(joint.0.into());
        let nodes = skeleton.indices().zip(skeleton.joints());
        let skin = NodeSkin {
            name: None,
            joints: skeleton.indices().map(node_of).collect(),
            ours: skeleton.indices().collect(),
            has_inverse_binds: true,
        };
        let nodes = nodes.map(|(index, joint)| GraphNode::of_joint(index, joint));
        Self::of_nodes(nodes.collect(), vec![skin])
    }

    /// All nodes above one, the nearest first. Ends in any graph, also in one with loops:
    /// no node has more ancestors than there are nodes.
    pub fn ancestors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        let parent = |node: NodeIndex| self.nodes.get(node.index())?.parent;
        let above = std::iter::successors(parent(node), move |&above| parent(above));
        above.take(self.nodes.len())
    }

    /// One scene of nodes that name their parents alone; their children follow.
    pub(super) fn of_nodes(mut nodes: Vec<GraphNode>, skins: Vec<NodeSkin>) -> Self {
        let mut roots = Vec::new();
        for at in 0..nodes.len() {
            let parent = nodes[at].parent;
            match parent.and_then(|parent| nodes.get_mut(parent.index())) {
                Some(parent) => parent.children.push(NodeIndex(at as u32)),
                None => roots.push(NodeIndex(at as u32)),
            }
        }
        Self { nodes, scenes: vec![NodeScene { name: None, roots }], scene: Some(0), skins }
    }
}

/// One node as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    /// Absent where the file gives none.
    pub name: Option<String>,
    /// `None` for a root.
    pub parent: Option<NodeIndex>,
    /// In the file's order.
    pub children: Vec<NodeIndex>,
    /// Transform in the parent's frame, or the world's.
    pub local: NodeTransform,
    /// Index of a mesh of the file.
    pub mesh: Option<usize>,
    /// Index of a skin of the file.
    pub skin: Option<usize>,
    /// The joint of the rig that follows this node: `world_from_joint` of it is
    /// the node's. `None` for nodes that neither move nor carry anything.
    pub joint: Option<JointIndex>,
}

impl GraphNode {
    /// The node of a joint, where each joint has the node of its own number.
    pub(super) fn of_joint(index: JointIndex, joint: &Joint) -> Self {
        Self {
            name: Some(joint.name.clone()),
            parent: joint.parent.map(|parent| NodeIndex(parent.0.into())),
            children: Vec::new(),
            local: NodeTransform::Trs(joint.parent_from_joint_at_rest),
            mesh: None,
            skin: None,
            joint: Some(index),
        }
    }
}

/// How a file gives a node's transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeTransform {
    /// Translation, rotation and scale.
    Trs(Trs),
    /// Sixteen numbers, column-major.
    Matrix(Mat4),
}

impl NodeTransform {
    /// `parent_from_node`.
    pub fn matrix(self) -> Mat4 {
        match self {
            Self::Trs(trs) => trs.matrix(),
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// A scene: a list of roots.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeScene {
    /// Absent where the file gives none.
    pub name: Option<String>,
    /// In the file's order.
    pub roots: Vec<NodeIndex>,
}

/// A skin: which nodes are its joints, in the order in which vertices count
/// them, and which joints of the rig stand for them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeSkin {
    /// Absent where the file gives none.
    pub name: Option<String>,
    /// `skin.joints`.
    pub joints: Vec<NodeIndex>,
    /// The rig's joint for each of them.
    pub ours: Vec<JointIndex>,
    /// Does the file store inverse bind matrices? If not, all are the identity.
    pub has_inverse_binds: bool,
}
