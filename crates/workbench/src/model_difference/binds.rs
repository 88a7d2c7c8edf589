//! How the inverse bind matrices of B were derived from those of A, found by the doctor.

use bindpose_diagnostic::counted;
use bindpose_doctor::{BindData, BindRepair};
use bindpose_gltf::JointRole;
use bindpose_skin::JointIndex;
use glam::{DMat4, Mat4};

use super::space::ComparedModels;
use super::space::RestModel;
use crate::differences::{AXIS_TOLERANCE, describe_factor, describe_transform, largest_difference};

/// Maximum number of joints that a description of an order names.
const MAX_NAMED_JOINTS: usize = 24;
/// Maximum number of joints whose order is searched.
const MAX_ORDERED_JOINTS: usize = 512;

/// Describes how the inverse bind matrices of B were derived from those of A. Returns `None`
/// if no known operation explains them.
pub(super) fn find_bind_change(
    models: &ComparedModels<'_>,
    pairs: &[(JointIndex, JointIndex)],
) -> Option<String> {
    let ComparedModels { a, b, space, .. } = *models;
    let roles = a.rig.joint_roles();
    let pairs: Vec<(JointIndex, JointIndex)> = pairs
        .iter()
        .filter(|pair| roles.get(pair.0.index()).is_some_and(|&role| role != JointRole::Helper))
        .copied()
        .collect();
    let mut binds_a = Vec::new();
    let mut binds_b = Vec::new();
    for (joint_a, joint_b) in &pairs {
        binds_a.push(space.convert_matrix(a.joint_from_bind.get(joint_a.index())?));
        binds_b.push(*b.joint_from_bind.get(joint_b.index())?);
    }
    if pairs.len() < 2 {
        return None;
    }
    let size = models.size * space.scale();
    if binds_b.iter().all(|matrix| are_same(matrix, &Mat4::IDENTITY, size)) {
        return Some("B has no inverse bind matrices: all are the identity.".to_owned());
    }
    let between: Vec<Mat4> =
        binds_a.iter().zip(&binds_b).map(|(of_a, of_b)| of_a.inverse() * *of_b).collect();
    let first = between.first()?;
    if between.iter().all(|one| are_same(first, one, size)) {
        return Some(format!(
            "Every inverse bind matrix has the same matrix more on its right ({}): the mesh was put into another space.",
            describe_transform(first)
        ));
    }
    let words = if let Some(order) = find_order(&binds_a, &binds_b, size) {
        describe_order(&order, &pairs)
    } else {
        let right: Vec<DMat4> = binds_a.iter().map(Mat4::as_dmat4).collect();
        let bind: Vec<DMat4> = right.iter().map(DMat4::inverse).collect();
        let stored: Vec<DMat4> = binds_b.iter().map(Mat4::as_dmat4).collect();
        let parents = parent_pairs(a, &pairs);
        let data = BindData { world: &bind, parents: &parents, stored: &stored };
        describe_change(&data.explained()?.repair, &pairs)?
    };
    Some(format!(
        "Inverse bind matrices of B are those of A, {words} ({}).",
        counted(pairs.len(), "joint")
    ))
}

/// Are the matrices equal, for a mesh of this size?
fn are_same(one: &Mat4, other: &Mat4, size: f32) -> bool {
    largest_difference(one, other, size) <= AXIS_TOLERANCE
}

/// Returns the index of the nearest ancestor that is paired, for each pair. `pairs` are in
/// the order of A.
fn parent_pairs(a: &RestModel<'_>, pairs: &[(JointIndex, JointIndex)]) -> Vec<Option<usize>> {
    pairs
        .iter()
        .map(|pair| {
            a.rig
                .skeleton
                .ancestors(pair.0)
                .find_map(|ancestor| pairs.binary_search_by_key(&ancestor, |pair| pair.0).ok())
        })
        .collect()
}

/// Describes the change of A's matrices that a repair of B's would undo.
fn describe_change(repair: &BindRepair, pairs: &[(JointIndex, JointIndex)]) -> Option<String> {
    Some(match repair {
        BindRepair::Transposed => "transposed: rows where columns belong".to_owned(),
        BindRepair::Inverted => "inverted: they are bind matrices".to_owned(),
        BindRepair::Accumulated => "without those of the parents: of local matrices".to_owned(),
        BindRepair::Mirrored(axis) => {
            format!("mirrored in {}: of the other handedness", axis.name())
        }
        BindRepair::Turned(quarters) => {
            format!("turned by {}° about x: of other axes", -90 * i32::from(*quarters))
        }
        BindRepair::Scaled(factor) => {
            let words = describe_factor(1.0 / factor);
            format!("with translations {}", words.replace("times ours", "times as large"))
        }
        BindRepair::Reordered(order) => {
            // The repair has the new index of each joint, the description the old ones.
            let mut sources = vec![0; order.len()];
            for (joint, &at) in order.iter().enumerate() {
                *sources.get_mut(at)? = joint;
            }
            describe_order(&sources, pairs)
        }
        BindRepair::OtherSide => {
            "with one matrix more on their left: a bind shape matrix on the wrong side".to_owned()
        }
        _ => return None,
    })
}

/// Returns the index of the matrix of A that each matrix of B equals, its own index if
/// possible, and each index once. Returns `None` if a matrix equals none, or the order is
/// the same.
fn find_order(in_a: &[Mat4], in_b: &[Mat4], size: f32) -> Option<Vec<usize>> {
    if in_a.len() > MAX_ORDERED_JOINTS {
        return None;
    }
    let mut is_taken = vec![false; in_a.len()];
    let mut sources = Vec::new();
    for (own, of_b) in in_b.iter().enumerate() {
        let mut own_first = std::iter::once(own).chain(0..in_a.len());
        let source = own_first.find(|&at| !is_taken[at] && are_same(&in_a[at], of_b, size))?;
        is_taken[source] = true;
        sources.push(source);
    }
    let has_moved = sources.iter().enumerate().any(|(own, source)| own != *source);
    has_moved.then_some(sources)
}

/// Describes an order by the joint numbers of A, such as `in another order: 2 0 1`.
fn describe_order(sources: &[usize], pairs: &[(JointIndex, JointIndex)]) -> String {
    let named: Vec<String> = sources
        .iter()
        .take(MAX_NAMED_JOINTS)
        .filter_map(|source| pairs.get(*source).map(|pair| pair.0.0.to_string()))
        .collect();
    let more = if sources.len() > MAX_NAMED_JOINTS { " …" } else { "" };
    format!("in another order: {}{more}", named.join(" "))
}
