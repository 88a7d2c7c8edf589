//! The scene graph of a file: all nodes, including those that no vertex follows.

use glam::Mat4;

use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};

/// Index of a node in its file. Differs from the index of a joint in its skin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeIndex(pub u32);

impl NodeIndex {
    /// Returns the index as `usize`, for indexing slices.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// All nodes, scenes and skins of a file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SceneGraph {
    /// Nodes, in the file's order.
    pub nodes: Vec<GraphNode>,
    /// Scenes, in the file's order.
    pub scenes: Vec<NodeScene>,
    /// Index of the default scene, if the file has one.
    pub scene: Option<usize>,
    /// Skins, in the file's order.
    pub skins: Vec<NodeSkin>,
}

impl SceneGraph {
    /// Creates the graph of a rig without a file: one node for each joint, with equal
    /// indices, and one skin.
    pub fn of_skeleton(skeleton: &Skeleton) -> Self {
        let skin = NodeSkin {
            name: None,
            joints: skeleton.indices().map(|joint| NodeIndex(joint.0.into())).collect(),
            ours: skeleton.indices().collect(),
            has_inverse_binds: true,
        };
        let nodes = skeleton
            .indices()
            .zip(skeleton.joints())
            .map(|(index, joint)| GraphNode::of_joint(index, joint))
            .collect();
        Self::of_nodes(nodes, vec![skin])
    }

    /// Iterates over the ancestors of a node, from its parent to the root. Ends even in a
    /// graph with cycles, because no node can have more ancestors than there are nodes.
    pub fn ancestors(&self, node: NodeIndex) -> impl Iterator<Item = NodeIndex> + '_ {
        std::iter::successors(self.parent(node), |&ancestor| self.parent(ancestor))
            .take(self.nodes.len())
    }

    fn parent(&self, node: NodeIndex) -> Option<NodeIndex> {
        self.nodes.get(node.index())?.parent
    }

    /// Creates a graph with a single scene. `nodes` have only their parents set. Their
    /// children are derived from that.
    pub(super) fn of_nodes(mut nodes: Vec<GraphNode>, skins: Vec<NodeSkin>) -> Self {
        let mut roots = Vec::new();
        for index in 0..nodes.len() {
            let parent = nodes[index].parent;
            match parent.and_then(|parent| nodes.get_mut(parent.index())) {
                Some(parent) => parent.children.push(NodeIndex(index as u32)),
                None => roots.push(NodeIndex(index as u32)),
            }
        }
        Self { nodes, scenes: vec![NodeScene { name: None, roots }], scene: Some(0), skins }
    }
}

/// A node of the scene graph as stored.
#[derive(Clone, Debug, PartialEq)]
pub struct GraphNode {
    /// Name of the node. `None` if the file gives none.
    pub name: Option<String>,
    /// Parent of the node. `None` for a root.
    pub parent: Option<NodeIndex>,
    /// Children of the node, in the file's order.
    pub children: Vec<NodeIndex>,
    /// Transform from the node's frame to its parent's, or to the world's for a root.
    pub local: NodeTransform,
    /// Index of the mesh in the file, if the node carries one.
    pub mesh: Option<usize>,
    /// Index of the skin in the file, if the node's mesh is skinned.
    pub skin: Option<usize>,
    /// Joint of the rig whose `world_from_joint` equals this node's world transform. `None`
    /// for nodes that no vertex depends on.
    pub joint: Option<JointIndex>,
}

impl GraphNode {
    /// Creates the node of a joint in a graph whose nodes have the indices of the joints.
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

/// Local transform of a node, in the form that the file stores.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodeTransform {
    /// Translation, rotation and scale as separate properties.
    Trs(Trs),
    /// A 4 × 4 matrix, stored column-major.
    Matrix(Mat4),
}

impl NodeTransform {
    /// Returns the transform as the matrix `parent_from_node`.
    pub fn matrix(self) -> Mat4 {
        match self {
            Self::Trs(trs) => trs.matrix(),
            Self::Matrix(matrix) => matrix,
        }
    }
}

/// A scene: a list of root nodes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeScene {
    /// Name of the scene. `None` if the file gives none.
    pub name: Option<String>,
    /// Root nodes, in the file's order.
    pub roots: Vec<NodeIndex>,
}

/// A skin: its joints as nodes of the file, and as joints of the rig.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct NodeSkin {
    /// Name of the skin. `None` if the file gives none.
    pub name: Option<String>,
    /// Nodes of the joints (`skin.joints`), in the order that `JOINTS_n` refers to.
    pub joints: Vec<NodeIndex>,
    /// The rig's joint for each entry of `joints`. Empty if the skin could not be read.
    pub ours: Vec<JointIndex>,
    /// Whether the file stores inverse bind matrices. Without them, all are the identity.
    pub has_inverse_binds: bool,
}
