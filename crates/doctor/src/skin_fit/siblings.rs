//! Skins held against each other: meshes that fit another skin than their own, and small skins
//! beside the skeleton that they share.

use std::collections::BTreeMap;

use bindpose_gltf::decoding::values::{as_usize, get_list, get_str, get_usize};
use glam::{DMat4, DVec3};

use super::distant_mesh::DistantMesh;
use super::fit::{MAX_EXPLAINED_FRACTION, MIN_VERTICES, SkinFault, SkinFit, SkinRepair};
use crate::bind::{self, LoadedSkin, known_factor};
use crate::bones::{BoneSegments, mesh_size, skeleton_radius, stored_joint};
use crate::catalog as fault;
use crate::skinned_vertices::SkinnedMeshSample;

/// Maximum number of skins that one skin is compared with.
const MAX_COMPARED_SKINS: usize = 64;
/// Minimum distance of a small mesh from its joints, relative to the body beside it.
const MIN_FAR_SIBLING: f64 = 1.5;
/// Maximum distance that an explanation of a small mesh may leave, in the same unit.
const MAX_SIBLING_RESIDUAL: f64 = 0.4;
/// Factors between units, tried for small meshes.
const UNIT_FACTORS: [f64; 6] = [0.01, 100.0, 0.001, 1000.0, 0.0254, 39.370_08];

/// Finds another skin that the mesh fits, although a node shows it with this one.
pub(super) fn find_other_skin(
    fit: &SkinFit<'_>,
    mesh: &DistantMesh<'_>,
    node: usize,
) -> Option<SkinFault> {
    let skin_count = fit.doc.list("skins").len().min(MAX_COMPARED_SKINS);
    let mut best: Option<(usize, f64)> = None;
    let own_meshes = fit.doc.meshes_of_skin(fit.skin.index);
    for index in (0..skin_count).filter(|&index| index != fit.skin.index) {
        // A mesh with several skins is shown several times.
        if !fit.doc.meshes_of_skin(index).is_disjoint(&own_meshes) {
            continue;
        }
        let Some(other) = bind::load_skin(fit.doc, fit.graph, index) else {
            continue;
        };
        let bind: Vec<DMat4> = other.at_rest.stored.iter().map(DMat4::inverse).collect();
        let distance = BoneSegments::new(&bind, &other.at_rest.parents)
            .and_then(|bones| mesh.distance_from(&bones, stored_joint));
        if let Some(distance) = distance
            && best.is_none_or(|(_, least)| distance < least)
        {
            best = Some((index, distance));
        }
    }
    let (index, distance) = best?;
    let is_unused = fit.doc.meshes_of_skin(index).is_empty();
    let unused = if is_unused { ", which no node uses" } else { "" };
    Some(SkinFault {
        pointer: format!("/nodes/{node}/skin"),
        shown: format!(
            "skin {}; {}; from those of skin {index}{unused}, {distance:.2}",
            fit.skin.index,
            mesh.describe_distance()
        ),
        repair: Some(SkinRepair::Node { node, skin: index }),
        ..fit.new_fault(fault::NODE_OTHER_SKIN, "the skin that the mesh is made for")
    })
}

/// Finds another skin with the same mesh whose joints have the names of this skin's in another
/// order, which the numbers of the mesh follow.
pub(super) fn find_other_order(fit: &SkinFit<'_>, mesh: &DistantMesh<'_>) -> Option<SkinFault> {
    let skin_count = fit.doc.list("skins").len().min(MAX_COMPARED_SKINS);
    let own_meshes = fit.doc.meshes_of_skin(fit.skin.index);
    for index in (0..skin_count).filter(|&index| index != fit.skin.index) {
        if fit.doc.meshes_of_skin(index).is_disjoint(&own_meshes) {
            continue;
        }
        let Some(order) = joints_in_order_of(fit, index) else {
            continue;
        };
        let bind: Vec<DMat4> = fit.skin.at_rest.stored.iter().map(DMat4::inverse).collect();
        let bones = BoneSegments::new(&bind, &fit.skin.at_rest.parents)?;
        let distance =
            mesh.distance_from(&bones, |vertex| order.get(stored_joint(vertex)?).copied());
        if let Some(distance) = distance {
            let moved: Vec<String> = order
                .iter()
                .enumerate()
                .filter(|(number, joint)| number != *joint)
                .take(4)
                .map(|(number, joint)| format!("{number} is {}", fit.joint_name(*joint)))
                .collect();
            return Some(SkinFault {
                pointer: format!("/skins/{}/joints", fit.skin.index),
                shown: format!(
                    "another order than skin {index} has for the same mesh: {}; in the order of \
                     skin {index}, by names ({}), {distance:.2}",
                    mesh.describe_distance(),
                    moved.join(", ")
                ),
                repair: Some(SkinRepair::Order {
                    joints: order.iter().map(|&joint| fit.skin.joints[joint]).collect(),
                    binds: order.iter().map(|&joint| fit.skin.at_rest.stored[joint]).collect(),
                }),
                ..fit.new_fault(
                    fault::SKIN_OTHER_ORDER,
                    "joints in the order that the mesh counts in",
                )
            });
        }
    }
    None
}

/// Returns for each joint of another skin the joint of this skin with the same name. `None` if
/// a joint has none, or if the orders are the same.
fn joints_in_order_of(fit: &SkinFit<'_>, other: usize) -> Option<Vec<usize>> {
    let nodes = fit.doc.list("nodes");
    let mut joint_by_name: BTreeMap<&str, usize> = BTreeMap::new();
    for (joint, &node) in fit.skin.joints.iter().enumerate() {
        let name = get_str(nodes.get(node)?, "name")?;
        if joint_by_name.insert(name, joint).is_some() {
            return None;
        }
    }
    let joints = get_list(fit.doc.get("skins", other)?, "joints");
    if joints.len() != fit.skin.joints.len() {
        return None;
    }
    let mut order = Vec::new();
    for node in joints {
        let name = get_str(nodes.get(as_usize(node)?)?, "name")?;
        order.push(*joint_by_name.get(name)?);
    }
    (!order.iter().copied().eq(0..order.len())).then_some(order)
}

/// A larger skin that shares joints with a smaller one.
struct Sibling {
    skin: LoadedSkin,
    /// For each joint of the smaller skin, its index in the larger one.
    joints: Vec<Option<usize>>,
}

impl Sibling {
    /// Returns the skin with the most joints that shares any with this skin and is larger.
    fn of(fit: &SkinFit<'_>) -> Option<Self> {
        let skins = fit.doc.list("skins");
        let own = &fit.skin.joints;
        let mut best: Option<(usize, usize)> = None;
        for (index, skin) in skins.iter().enumerate().take(MAX_COMPARED_SKINS) {
            let joints = get_list(skin, "joints");
            let is_larger = joints.len() > own.len()
                && best.is_none_or(|(_, count)| joints.len() > count)
                && get_usize(skin, "inverseBindMatrices").is_some();
            if is_larger
                && fit.doc.work.try_spend(joints.len())
                && joints.iter().filter_map(as_usize).any(|joint| own.contains(&joint))
            {
                best = Some((index, joints.len()));
            }
        }
        let skin = bind::load_skin(fit.doc, fit.graph, best?.0)?;
        let joint_by_node = skin.joint_by_node();
        let joints = own.iter().map(|node| joint_by_node.get(node).copied()).collect();
        Some(Self { skin, joints })
    }

    /// Returns the inverse bind matrices of the smaller skin's joints in the larger skin. `None`
    /// if it does not have all of them.
    fn binds(&self) -> Option<Vec<DMat4>> {
        self.joints.iter().map(|joint| self.skin.at_rest.stored.get((*joint)?).copied()).collect()
    }

    /// Returns the size of the larger skin's mesh, or else of its skeleton.
    fn size(&self, fit: &SkinFit<'_>) -> f64 {
        let sample = SkinnedMeshSample::of_skin(fit.doc, self.skin.index);
        let vertices: Vec<_> = sample.vertices().copied().collect();
        if vertices.len() >= MIN_VERTICES { mesh_size(&vertices) } else { 2.0 * self.radius() }
    }

    fn radius(&self) -> f64 {
        let bind: Vec<DMat4> = self.skin.at_rest.stored.iter().map(DMat4::inverse).collect();
        skeleton_radius(&bind)
    }
}

/// Returns the size of a larger skeleton that the skin's joints belong to, or 0 if there is
/// none. See [`skeleton_radius`].
pub(super) fn whole_skeleton_radius(fit: &SkinFit<'_>) -> f64 {
    Sibling::of(fit).map_or(0.0, |sibling| sibling.radius())
}

/// Computes the mean distance of vertices, scaled by `scale`, from their strongest joints with
/// these inverse bind matrices.
fn joint_distance(fit: &SkinFit<'_>, binds: &[DMat4], scale: f64) -> Option<f64> {
    let positions: Vec<DVec3> = binds.iter().map(|bind| bind.inverse().w_axis.truncate()).collect();
    let mut sum = 0.0;
    for vertex in &fit.vertices {
        let joint = *positions.get(stored_joint(vertex)?)?;
        sum += (scale * vertex.position).distance(joint);
    }
    let distance = sum / fit.vertices.len() as f64;
    distance.is_finite().then_some(distance)
}

/// Finds inverse bind matrices that a skin lacks and that a larger skin has for the same joints.
pub(super) fn find_binds_of_sibling(fit: &SkinFit<'_>) -> Option<SkinFault> {
    let sibling = Sibling::of(fit)?;
    let binds = sibling.binds()?;
    if binds.iter().all(|bind| bind.abs_diff_eq(DMat4::IDENTITY, 1e-6)) {
        return None;
    }
    let size = sibling.size(fit);
    let with = joint_distance(fit, &binds, 1.0)? / size;
    let without = joint_distance(fit, &fit.skin.at_rest.stored, 1.0)? / size;
    let is_explained = with < MAX_SIBLING_RESIDUAL && with < MAX_EXPLAINED_FRACTION * without;
    is_explained.then(|| SkinFault {
        shown: format!(
            "none; with those of the same joints in skin {}, vertices are {with:.2} of its mesh’s \
             size from their joints, and {without:.2} without",
            sibling.skin.index
        ),
        repair: Some(SkinRepair::Binds(binds)),
        ..fit.new_fault(fault::IBM_MISSING, "inverse bind matrices, as another skin has")
    })
}

/// Finds a mesh in another unit than the body that it belongs to.
pub(super) fn find_distant_sibling(fit: &SkinFit<'_>) -> Option<SkinFault> {
    let sibling = Sibling::of(fit)?;
    let size = sibling.size(fit);
    let binds = &fit.skin.at_rest.stored;
    let stored = joint_distance(fit, binds, 1.0)? / size;
    let own_size = fit.mesh_size / size;
    // A mesh that has shrunk onto the origin is not far away, but much smaller than its body.
    if stored < MIN_FAR_SIBLING && own_size > 0.1 {
        return None;
    }
    UNIT_FACTORS.into_iter().find_map(|scale| {
        let distance = joint_distance(fit, binds, scale)? / size;
        let scaled_size = scale * own_size;
        let is_explained = distance < MAX_SIBLING_RESIDUAL
            && distance < MAX_EXPLAINED_FRACTION * stored
            && (0.02..2.0).contains(&scaled_size);
        let conversion = known_factor(scale).map_or("", |(_, conversion)| conversion);
        is_explained.then(|| SkinFault {
            shown: format!(
                "a mesh {own_size:.2} times the size of that of skin {}, {stored:.2} of that size \
                 from its joints; scaled by {scale} ({conversion}), {distance:.2}",
                sibling.skin.index
            ),
            repair: Some(SkinRepair::Binds(
                binds.iter().map(|&bind| bind * DMat4::from_scale(DVec3::splat(scale))).collect(),
            )),
            ..fit.new_fault(fault::MESH_OFF_SKELETON, "meshes of one skeleton in one unit")
        })
    })
}
