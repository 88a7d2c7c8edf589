//! The scene graph: visible rows of its tree, and current transforms of nodes.

use bindpose_gltf::{NodeIndex, NodeTransform, SceneGraph};
use bindpose_skin::JointIndex;
use glam::{Mat4, Quat, Vec3};

use super::Derived;

/// A row of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRow {
    pub node: NodeIndex,
    /// Depth in the tree. 0 for a root.
    pub depth: usize,
}

/// Returns the nodes of a scene, parents before children, without descendants
/// of folded nodes. If `scene` does not exist, uses the roots of all nodes.
pub fn rows(graph: &SceneGraph, scene: usize, folded: impl Fn(NodeIndex) -> bool) -> Vec<TreeRow> {
    let roots = match graph.scenes.get(scene) {
        Some(scene) => scene.roots.clone(),
        None => (0..graph.nodes.len() as u32)
            .map(NodeIndex)
            .filter(|node| graph.nodes[node.index()].parent.is_none())
            .collect(),
    };
    let mut rows = Vec::new();
    let mut open: Vec<TreeRow> =
        roots.into_iter().rev().map(|node| TreeRow { node, depth: 0 }).collect();
    // A file may list a node twice, so limit the number of rows.
    while let Some(row) = open.pop().filter(|_| rows.len() <= graph.nodes.len()) {
        let Some(node) = graph.nodes.get(row.node.index()) else {
            continue;
        };
        rows.push(row);
        if !folded(row.node) {
            let depth = row.depth + 1;
            let children = node.children.iter().rev();
            open.extend(children.map(|&node| TreeRow { node, depth }));
        }
    }
    rows
}

/// Returns the node of a joint.
pub fn node_of(graph: &SceneGraph, joint: JointIndex) -> Option<NodeIndex> {
    let of_skin = graph.skins.iter().find_map(|skin| {
        let place = skin.ours.iter().position(|&ours| ours == joint)?;
        skin.joints.get(place).copied()
    });
    of_skin.or_else(|| {
        let nodes = graph.nodes.iter();
        let at = nodes.map(|node| node.joint).position(|j| j == Some(joint))?;
        Some(NodeIndex(at as u32))
    })
}

/// Current world matrix of a node: that of its joint, or its own transform
/// on top of its parent's.
pub fn world_from_node(derived: &Derived, graph: &SceneGraph, node: NodeIndex) -> Mat4 {
    let mut below = Mat4::IDENTITY;
    for at in std::iter::once(node).chain(graph.ancestors(node)) {
        let Some(node) = graph.nodes.get(at.index()) else {
            break;
        };
        let of_joint =
            node.joint.and_then(|joint| derived.joints.world_from_joint.get(joint.index()));
        if let Some(&world_from_joint) = of_joint {
            return world_from_joint * below;
        }
        below = node.local.matrix() * below;
    }
    below
}

/// Current local transform of a node. As stored unless a joint moves it.
pub fn parent_from_node(derived: &Derived, graph: &SceneGraph, node: NodeIndex) -> Mat4 {
    let Some(stored) = graph.nodes.get(node.index()) else {
        return Mat4::IDENTITY;
    };
    let Some(joint) = stored.joint else {
        return stored.local.matrix();
    };
    let parent_joint =
        derived.rig.skeleton.joints().get(joint.index()).and_then(|joint| joint.parent);
    let parent_node = stored.parent.and_then(|parent| graph.nodes.get(parent.index()));
    let same_parent = parent_joint == parent_node.and_then(|parent| parent.joint);
    match (derived.joints.parent_from_joint.get(joint.index()), stored.parent) {
        (Some(&local), _) if same_parent => local,
        (_, Some(parent)) => {
            let world_from_parent = world_from_node(derived, graph, parent);
            world_from_parent.inverse() * world_from_node(derived, graph, node)
        }
        (_, None) => world_from_node(derived, graph, node),
    }
}

/// Describes how the file stores the node's transform.
pub fn kind_of_local(local: NodeTransform) -> &'static str {
    match local {
        NodeTransform::Trs(_) => "translation, rotation, scale",
        NodeTransform::Matrix(_) => "matrix",
    }
}

/// Decomposition of a matrix into translation, rotation and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrsDecomposition {
    /// Fourth column of the matrix.
    pub translation: Vec3,
    /// Rotation of unit length.
    pub rotation: Quat,
    /// Lengths of the first three columns. One is negative in a mirrored
    /// matrix.
    pub scale: Vec3,
    /// Largest difference between cells of the matrix and of the recomposed
    /// one.
    pub residual: f32,
}

impl TrsDecomposition {
    /// Returns `None` if a column is zero or a number is not finite.
    pub fn from_matrix(matrix: Mat4) -> Option<Self> {
        if !matrix.is_finite() || matrix.determinant() == 0.0 {
            return None;
        }
        let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
        // The rotation is not normalized if the columns are not orthogonal.
        let rotation = rotation.normalize();
        let again = Mat4::from_scale_rotation_translation(scale, rotation, translation);
        let cells = (again - matrix).to_cols_array();
        Some(Self {
            translation,
            rotation,
            scale,
            residual: cells.into_iter().map(f32::abs).fold(0.0, f32::max),
        })
    }
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;

    use super::*;
    use crate::test_sample::document_with;

    #[test]
    fn nodes_follow_their_joints_or_parents() {
        let rig = builtin("gimbal").unwrap();
        let derived =
            Derived::of_document(&document_with(&[("yaw", 0.5), ("pitch", 1.0)]), None, &rig);
        let graph = derived.graph();
        let node = node_of(graph, JointIndex(2)).unwrap();
        assert_eq!(node, NodeIndex(3), "the mesh’s node comes first");
        assert_eq!(world_from_node(&derived, graph, node), derived.joints.world_from_joint[2]);
        assert_eq!(parent_from_node(&derived, graph, node), derived.joints.parent_from_joint[2]);

        let mut without = graph.clone();
        for node in &mut without.nodes[2..] {
            node.joint = None;
        }
        let world = world_from_node(&derived, &without, node);
        let above = derived.joints.world_from_joint[0];
        assert!(world.abs_diff_eq(above, 1e-6), "at rest below the outer ring");
    }

    #[test]
    fn rows_list_parents_first_and_skip_folded_nodes() {
        let rig = builtin("gimbal").unwrap();
        let derived = Derived::of_document(&document_with(&[]), None, &rig);
        let of = |folded: Option<u32>| -> Vec<(u32, usize)> {
            let rows = rows(derived.graph(), 0, |node| Some(node.0) == folded);
            rows.iter().map(|row| (row.node.0, row.depth)).collect()
        };
        let all = [(0, 0), (5, 0), (1, 1), (2, 2), (3, 3), (4, 1)];
        assert_eq!(of(None), all);
        assert_eq!(of(Some(2)), [(0, 0), (5, 0), (1, 1), (2, 2), (4, 1)]);
    }

    #[test]
    fn stretched_parent_shears_rotated_child() {
        let rig = builtin("gimbal").unwrap();
        let plain =
            Derived::of_document(&document_with(&[("pitch", 0.5), ("roll", 0.5)]), None, &rig);
        let residual = |derived: &Derived| {
            TrsDecomposition::from_matrix(derived.joints.world_from_joint[2]).unwrap().residual
        };
        assert!(residual(&plain) < 1e-5);
        let stretched = Derived::of_document(
            &document_with(&[("pitch", 0.5), ("roll", 0.5), ("stretch", 0.5)]),
            None,
            &rig,
        );
        assert!(residual(&stretched) > 0.1);
        assert_eq!(TrsDecomposition::from_matrix(Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0))), None);
    }
}
