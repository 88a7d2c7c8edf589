//! The nodes of a file: who stands below whom, where, and which are shown.

use bindpose_skin::Trs;
use glam::{Mat4, Quat, Vec3};
use gltf::json::Root;
use gltf::json::scene::Node;

use super::error::{GltfError, GltfErrorKind};
use super::notes::ReadingNotes;
use crate::NodeTransform;
use crate::gltf_file::{ChildFaultKind, NodeForest, NodeLoop};

/// The trees of all nodes.
pub(super) struct Tree {
    /// Transform of every node in its parent's frame; all finite.
    pub(super) locals: Vec<NodeTransform>,
    forest: NodeForest,
}

impl Tree {
    /// Checks that every node has one parent at most and none contains itself.
    pub(super) fn new(nodes: &[Node]) -> Result<Self, GltfError> {
        let forest = NodeForest::new(nodes.len(), |node| {
            let children = nodes[node].children.iter().flatten();
            children.map(|child| child.value())
        });
        if let Some(entry) = forest.faults.first() {
            let (parent, child) = (entry.parent, entry.child);
            let path = format!("/nodes/{parent}/children/{}", entry.place);
            return Err(match entry.kind {
                ChildFaultKind::Missing => GltfError::dangling(path, "nodes", nodes.len(), child),
                ChildFaultKind::Own => {
                    not_a_tree(path, format!("node {child} among its own children"))
                }
                ChildFaultKind::Named(first) => {
                    let found = format!("node {child} under {first} and under {parent}");
                    not_a_tree(path, found)
                }
            });
        }
        if let Some(NodeLoop { lowest, .. }) = forest.loops().first() {
            let found = format!("node {lowest} among its own ancestors");
            return Err(not_a_tree(format!("/nodes/{lowest}"), found));
        }
        let locals = nodes.iter().enumerate().map(|(at, node)| local(node, at));
        Ok(Self { locals: locals.collect::<Result<_, _>>()?, forest })
    }

    /// The node that `node` is a child of.
    pub(super) fn parent(&self, node: usize) -> Option<usize> {
        self.forest.parents.get(node).copied().flatten()
    }

    /// Every node once, parents before children.
    pub(super) fn parents_first(&self) -> impl Iterator<Item = usize> + '_ {
        self.forest.order.iter().copied()
    }

    /// `world_from_node`.
    pub(super) fn world_from_node(&self, node: usize) -> Mat4 {
        let mut product = self.locals[node].matrix();
        let mut next = self.parent(node);
        while let Some(parent) = next {
            product = self.locals[parent].matrix() * product;
            next = self.parent(parent);
        }
        product
    }
}

/// Which nodes are shown: those of the scene that the file names, of the first
/// if it names none, all if it has no scenes.
pub(super) fn shown(root: &Root, tree: &Tree, notes: &mut ReadingNotes) -> Vec<bool> {
    let count = root.nodes.len();
    let named = root.scene.map(|scene| scene.value());
    if let Some(scene) = named.filter(|&scene| scene >= root.scenes.len()) {
        let error = GltfError::dangling("/scene", "scenes", root.scenes.len(), scene);
        notes.left_out("SCENE_LEFT_OUT", error, "another scene is shown");
    }
    let scene = named.and_then(|scene| root.scenes.get(scene)).or(root.scenes.first());
    let Some(scene) = scene else {
        return vec![true; count];
    };
    let mut shown = vec![false; count];
    for root in &scene.nodes {
        if let Some(shown) = shown.get_mut(root.value()) {
            *shown = true;
        }
    }
    for node in tree.parents_first() {
        shown[node] |= tree.parent(node).is_some_and(|parent| shown[parent]);
    }
    let has_mesh = |node: usize| root.nodes[node].mesh.is_some();
    if (0..count).any(has_mesh) && !(0..count).any(|node| shown[node] && has_mesh(node)) {
        let error = GltfError::missing(
            "/scenes",
            "a node with a mesh in the scene that is shown",
            "put the model into the scene and export it again",
        );
        notes.left_out("EMPTY_SCENE", error, "all nodes are shown");
        return vec![true; count];
    }
    shown
}

/// As stored; a rotation is made a unit quaternion.
fn local(node: &Node, index: usize) -> Result<NodeTransform, GltfError> {
    let finite = |key: &str, numbers: &[f32]| {
        if numbers.iter().all(|x| x.is_finite()) {
            return Ok(());
        }
        Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("/nodes/{index}/{key}"),
            "finite numbers",
            "numbers too large for 32-bit floats",
            "export the file again",
        ))
    };
    if let Some(matrix) = &node.matrix {
        finite("matrix", matrix)?;
        let mut matrix = Mat4::from_cols_array(matrix);
        // The last row of an affine matrix says nothing.
        for column in 0..4 {
            matrix.col_mut(column).w = if column == 3 { 1.0 } else { 0.0 };
        }
        return Ok(NodeTransform::Matrix(matrix));
    }
    let translation = node.translation.unwrap_or_default();
    let scale = node.scale.unwrap_or([1.0; 3]);
    let rotation = node.rotation.map_or(Quat::IDENTITY.to_array(), |rotation| rotation.0);
    finite("translation", &translation)?;
    finite("scale", &scale)?;
    finite("rotation", &rotation)?;
    Ok(NodeTransform::Trs(Trs {
        translation: Vec3::from_array(translation),
        rotation: unit(Quat::from_array(rotation)),
        scale: Vec3::from_array(scale),
    }))
}

/// Of unit length; no rotation where there is no direction.
fn unit(rotation: Quat) -> Quat {
    let wide = rotation.as_dquat();
    if wide.length() > 1e-12 { wide.normalize().as_quat() } else { Quat::IDENTITY }
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
