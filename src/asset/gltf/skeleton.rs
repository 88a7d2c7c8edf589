//! The joints of a skin as a skeleton.

use std::collections::BTreeMap;

use glam::Mat4;
use gltf::json::scene::Node;

use super::accessor::Elements;
use super::container::Document;
use super::error::{GltfError, GltfErrorKind};
use super::tree::{Below, Tree, stored_trs};
use crate::skin::{Joint, JointIndex, Skeleton, Trs};

/// A skin's joints in our order, and where each of the file's went.
pub(super) struct Joints {
    pub(super) skeleton: Skeleton,
    /// `ours[index in the skin's list]`.
    pub(super) ours: Vec<JointIndex>,
}

pub(super) fn joints(
    document: &Document<'_>,
    tree: &Tree,
    skin_index: usize,
) -> Result<Joints, GltfError> {
    let skins = &document.root.skins;
    let path = format!("/skins/{skin_index}");
    let skin = skins
        .get(skin_index)
        .ok_or_else(|| GltfError::dangling(&path, "skins", skins.len(), skin_index))?;
    let nodes = &document.root.nodes;
    let in_skin = joints_by_node(&skin.joints, nodes, &path)?;
    let inverse_binds = match skin.inverse_bind_matrices {
        Some(accessor) => {
            let path = format!("{path}/inverseBindMatrices");
            inverse_binds(document, accessor.value(), &path, skin.joints.len())?
        }
        None => vec![Mat4::IDENTITY; skin.joints.len()],
    };

    let below = tree.below(nodes, |ancestor| in_skin.contains_key(&ancestor));
    // Parent, as a place in the skin's list, and the transform in its frame.
    let mut found = Vec::new();
    for joint in &skin.joints {
        let node = joint.value();
        let Below {
            ancestor,
            ancestor_from_node,
        } = below[node];
        let parent = ancestor.and_then(|ancestor| in_skin.get(&ancestor).copied());
        let direct = tree.parent(node) == ancestor;
        found.push((parent, trs(nodes, node, direct, ancestor_from_node)?));
    }
    let parents: Vec<Option<usize>> = found.iter().map(|&(parent, _)| parent).collect();
    let order = parents_first(&parents);
    let mut ours = vec![JointIndex::default(); order.len()];
    for (place, &index) in order.iter().enumerate() {
        ours[index] = JointIndex(place as u16);
    }
    let list = order
        .iter()
        .map(|&index| Joint {
            name: name(nodes, skin.joints[index].value()),
            parent: parents[index].map(|parent| ours[parent]),
            parent_from_joint_at_rest: found[index].1,
            joint_from_bind: inverse_binds[index],
        })
        .collect();
    let skeleton = Skeleton::new(list).map_err(|error| {
        GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{path}/joints"),
            "a sound skeleton",
            error,
            "export the file again",
        )
    })?;
    Ok(Joints { skeleton, ours })
}

/// Where each node stands in the skin's list.
fn joints_by_node(
    joints: &[gltf::json::Index<Node>],
    nodes: &[Node],
    path: &str,
) -> Result<BTreeMap<usize, usize>, GltfError> {
    if joints.is_empty() || joints.len() > usize::from(u16::MAX) + 1 {
        return Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{path}/joints"),
            "1 to 65,536 joints",
            joints.len(),
            "a skin without joints moves nothing; export the file with its armature",
        ));
    }
    let mut in_skin = BTreeMap::new();
    for (index, joint) in joints.iter().enumerate() {
        let node = joint.value();
        let path = format!("{path}/joints/{index}");
        if node >= nodes.len() {
            return Err(GltfError::dangling(path, "nodes", nodes.len(), node));
        }
        if let Some(other) = in_skin.insert(node, index) {
            return Err(GltfError::new(
                GltfErrorKind::Invalid,
                path,
                "every node once",
                format_args!("node {node}, as at {other}"),
                "export the file again",
            ));
        }
    }
    Ok(in_skin)
}

fn inverse_binds(
    document: &Document<'_>,
    accessor: usize,
    path: &str,
    joints: usize,
) -> Result<Vec<Mat4>, GltfError> {
    let elements = Elements::new(document, accessor, path)?.expect_fractions()?;
    let matrices: Vec<Mat4> = elements
        .floats::<16>()?
        .iter()
        .map(Mat4::from_cols_array)
        .collect();
    if matrices.len() < joints {
        return Err(GltfError::new(
            GltfErrorKind::OutOfBounds,
            format_args!("{}/count", elements.path()),
            format_args!("a matrix for each of the {joints} joints"),
            matrices.len(),
            "export the file again",
        ));
    }
    Ok(matrices)
}

/// Indices sorted so that parents come before children; as they are where that
/// holds already. The parents are known to form no cycle.
fn parents_first(parents: &[Option<usize>]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..parents.len()).collect();
    let sorted = |index: usize| parents[index].is_none_or(|parent| parent < index);
    if order.iter().all(|&index| sorted(index)) {
        return order;
    }
    let mut depths: Vec<Option<usize>> = vec![None; parents.len()];
    for start in 0..parents.len() {
        let mut way = vec![start];
        while let Some(&top) = way.last() {
            match parents[top] {
                Some(parent) if depths[parent].is_none() => way.push(parent),
                parent => {
                    depths[top] = Some(parent.map_or(0, |parent| depths[parent].unwrap_or(0) + 1));
                    way.pop();
                }
            }
        }
    }
    order.sort_by_key(|&index| depths[index]);
    order
}

/// The transform of a joint in its parent joint's frame. `direct`: nothing
/// stands between the two, so the file's own numbers are kept.
fn trs(nodes: &[Node], node: usize, direct: bool, product: Mat4) -> Result<Trs, GltfError> {
    let stored = nodes.get(node).filter(|node| node.matrix.is_none());
    if let Some(stored) = stored.filter(|_| direct) {
        return Ok(stored_trs(stored));
    }
    let singular = product.determinant() == 0.0;
    let (scale, rotation, translation) = product.to_scale_rotation_translation();
    let trs = Trs {
        translation,
        rotation,
        scale,
    };
    let size = product
        .to_cols_array()
        .iter()
        .fold(1.0_f32, |a, x| a.max(x.abs()));
    if singular || !trs.matrix().abs_diff_eq(product, 1e-3 * size) {
        return Err(GltfError::new(
            GltfErrorKind::Unsupported,
            format_args!("/nodes/{node}"),
            "a transform made of translation, rotation and scale",
            "one that shears or flattens",
            "apply all scales in the modelling program and export again",
        ));
    }
    Ok(trs)
}

fn name(nodes: &[Node], node: usize) -> String {
    nodes
        .get(node)
        .and_then(|node| node.name.clone())
        .unwrap_or_else(|| format!("node {node}"))
}
