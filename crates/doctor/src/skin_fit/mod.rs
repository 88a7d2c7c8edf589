//! The fit of meshes to their skeletons: how far vertices are from the bone of their strongest
//! joint, as stored and under the assumption of known mistakes.
//!
//! An assumption explains a distance only if it leaves little of it. Of those that explain it,
//! the simplest is reported. Parts of a mesh are judged one by one if only some of them fit.

mod alignment;
mod distant_mesh;
mod fit;
mod numbering;
mod posed;
mod siblings;

use std::collections::BTreeMap;

use bindpose_gltf::decoding::values::get_str;
use glam::DMat4;

use super::bind;
use super::bones::{BoneSegments, stored_joint};
use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument};
use super::findings::Findings;
use super::skinned_vertices::SampledVertex;
use distant_mesh::{DistantMesh, MeshExplanation, Renumbering};
use fit::{MAX_EXPLAINED_FRACTION, MAX_RESIDUAL, MIN_VERTICES, SkinFault, SkinFit, SkinnedPart};
use numbering::name_of_other_side;
use posed::{find_posed_mesh, find_tails};
use siblings::{
    find_binds_of_sibling, find_distant_sibling, find_other_order, find_other_skin,
    whole_skeleton_radius,
};

pub(super) use alignment::quarter_turns;
pub(super) use fit::SkinRepair;
pub(super) use numbering::JointNumbering;

/// Minimum mean distance of vertices from their bones, relative to the skeleton's size, for which
/// explanations are tried. In sound models it is up to 0.4.
const MIN_FAR_DISTANCE: f64 = 0.3;
/// Minimum mean distance of a part that is judged by itself, relative to the mesh.
const MIN_FAR_PART: f64 = 0.2;
/// Weight from which a vertex counts as stiff.
const STIFF_WEIGHT: f64 = 0.999;
/// Minimum fraction of a pair's vertices that are nearer to the other side, if sides are
/// exchanged.
const MIN_SWAPPED_FRACTION: f64 = 0.8;
/// Maximum distance from the correct side as a fraction of that from the other.
const MAX_SWAPPED_FRACTION: f64 = 0.7;

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    for skin_fault in find_faults(doc, graph) {
        let SkinFault { fault, pointer, expected, shown, repair, .. } = skin_fault;
        let fault = DoctorFault { mendable: repair.is_some(), ..fault };
        findings.add(&fault, pointer).expected(expected, shown);
    }
}

/// Returns the repairs that skins need, each with the index of the skin.
pub(super) fn find_repairs(doc: &RawDocument<'_>, graph: &NodeGraph) -> Vec<(usize, SkinRepair)> {
    find_faults(doc, graph)
        .into_iter()
        .filter_map(|fault| Some((fault.skin, fault.repair?)))
        .collect()
}

/// Returns at most one fault for each skin.
fn find_faults(doc: &RawDocument<'_>, graph: &NodeGraph) -> Vec<SkinFault> {
    bind::load_skins(doc, graph)
        .filter_map(|skin| SkinFit::new(doc, graph, &skin)?.find_fault())
        .collect()
}

/// Returns whether a skin without inverse bind matrices needs some to fit its vertices.
pub(super) fn is_missing_binds(doc: &RawDocument<'_>, graph: &NodeGraph, skin: usize) -> bool {
    let Some(skin) = bind::load_skin(doc, graph, skin) else {
        return false;
    };
    SkinFit::new(doc, graph, &skin).is_some_and(|fit| fit.find_missing_binds().is_some())
}

/// Returns the joint that is strongest at all vertices, if there is only one.
fn only_joint(
    vertices: &[SampledVertex],
    strongest_joint: impl Fn(&SampledVertex) -> Option<usize>,
) -> Option<usize> {
    let first = strongest_joint(vertices.first()?)?;
    vertices.iter().all(|vertex| strongest_joint(vertex) == Some(first)).then_some(first)
}

impl SkinFit<'_> {
    fn find_fault(&self) -> Option<SkinFault> {
        if let Some(fault) = self.find_missing_binds() {
            return Some(fault);
        }
        let rest = &self.skin.at_rest;
        let bind_from_joint: Vec<DMat4> = rest.stored.iter().map(DMat4::inverse).collect();
        let Some(bones) = BoneSegments::new(&bind_from_joint, &rest.parents) else {
            return find_distant_sibling(self);
        };
        if let Some(fault) = self.find_swapped_sides(&bones) {
            return Some(fault);
        }
        let distances: Vec<Option<f64>> =
            self.parts.iter().map(|part| self.part_distance(&bones, part)).collect();
        let has_near_part = distances.iter().flatten().any(|distance| *distance <= MAX_RESIDUAL);
        if has_near_part {
            for (part, distance) in self.parts.iter().zip(&distances) {
                if distance.is_some_and(|distance| distance > MIN_FAR_PART)
                    && let Some(fault) = self.find_part_fault(&bones, part)
                {
                    return Some(fault);
                }
            }
        }
        find_posed_mesh(self, &bones)
            .or_else(|| self.find_distant_mesh(&bones))
            .or_else(|| find_distant_sibling(self))
            .or_else(|| find_tails(self, &bones))
    }

    /// Computes the mean distance of a part from its bones, relative to the whole mesh. Vertices
    /// whose joint does not exist count as far away. Returns `None` for parts with few vertices.
    fn part_distance(&self, bones: &BoneSegments, part: &SkinnedPart) -> Option<f64> {
        if part.vertices.len() < MIN_VERTICES {
            return None;
        }
        let relative = bones.mean_distance(&part.vertices, |position| position, stored_joint);
        Some(
            relative.map_or(f64::INFINITY, |relative| {
                relative * bones.skeleton_radius / self.mesh_size
            }),
        )
    }

    /// Finds the fault of one part, while others fit.
    fn find_part_fault(&self, bones: &BoneSegments, part: &SkinnedPart) -> Option<SkinFault> {
        if only_joint(&part.vertices, stored_joint).is_some() {
            return None;
        }
        let mesh = DistantMesh::new(self.skin, bones, &part.vertices)?;
        if let Some(fault) = find_other_skin(self, &mesh, part.node) {
            return Some(fault);
        }
        let pointer = format!("/meshes/{}/primitives/{}", part.mesh, part.primitive);
        if let Some((palette, distance)) = mesh.find_palette() {
            return Some(SkinFault {
                pointer: format!("{pointer}/attributes/JOINTS_0"),
                shown: format!(
                    "{}: {}; as numbers of a list of its own, {palette}, {distance:.2}",
                    part.describe(),
                    mesh.describe_distance()
                ),
                ..self.new_fault(fault::JOINTS_OF_A_PART, EXPECTED_NUMBERS)
            });
        }
        if let Some(Renumbering { fault, assumption, distance, .. }) = mesh.find_renumbering() {
            return Some(SkinFault {
                pointer: format!("{pointer}/attributes/JOINTS_0"),
                shown: format!(
                    "{}: {}; {assumption}, {distance:.2}",
                    part.describe(),
                    mesh.describe_distance()
                ),
                ..self.new_fault(fault, EXPECTED_NUMBERS)
            });
        }
        let (name, distance) = mesh.find_plain_alignment()?;
        Some(SkinFault {
            pointer: format!("{pointer}/attributes/POSITION"),
            shown: format!(
                "{}: {}; {name}, {distance:.2}",
                part.describe(),
                mesh.describe_distance()
            ),
            ..self.new_fault(fault::MESH_OFF_SKELETON, "parts of one mesh in one space")
        })
    }

    /// Finds the fault of a mesh of which no part fits.
    fn find_distant_mesh(&self, bones: &BoneSegments) -> Option<SkinFault> {
        let vertices = self.flexible_vertices(bones)?;
        let mesh = DistantMesh::new(self.skin, bones, &vertices)?;
        let distance = mesh.distance * bones.skeleton_radius;
        if mesh.distance <= MIN_FAR_DISTANCE && distance <= MAX_RESIDUAL * self.mesh_size {
            return None;
        }
        let node = self.parts.first()?.node;
        if let Some(fault) =
            find_other_order(self, &mesh).or_else(|| find_other_skin(self, &mesh, node))
        {
            return Some(fault);
        }
        // A small skin is far away only beside the skeleton that it is a part of.
        let radius = bones.skeleton_radius.max(whole_skeleton_radius(self));
        if distance <= MIN_FAR_DISTANCE * radius {
            return None;
        }
        if let Some(Renumbering { numbering, fault, assumption, distance }) =
            mesh.find_renumbering()
        {
            return Some(SkinFault {
                shown: format!("{}; {assumption}, {distance:.2}", mesh.describe_distance()),
                repair: Some(SkinRepair::Joints(numbering)),
                ..self.new_fault(fault, EXPECTED_NUMBERS)
            });
        }
        match only_joint(&vertices, stored_joint) {
            Some(joint) => mesh.explain_single_joint(joint),
            None => mesh
                .explain_missing_transform()
                .or_else(|| mesh.explain_joint_space())
                .or_else(|| mesh.explain_alignment()),
        }
        .map(|explanation| self.fault_of_mesh(explanation))
    }

    fn fault_of_mesh(&self, explanation: MeshExplanation) -> SkinFault {
        let MeshExplanation { fault, property, expected, shown, binds } = explanation;
        SkinFault {
            pointer: format!("/skins/{}{property}", self.skin.index),
            shown,
            repair: binds.map(SkinRepair::Binds),
            ..self.new_fault(fault, expected)
        }
    }

    /// Returns the vertices that show where the mesh is. Parts that hang stiffly on one joint
    /// say nothing about others. Returns `None` if only such parts are far from their bones.
    fn flexible_vertices(&self, bones: &BoneSegments) -> Option<Vec<SampledVertex>> {
        let mut stiff_counts: BTreeMap<usize, usize> = BTreeMap::new();
        for vertex in &self.vertices {
            if vertex.max_weight() >= STIFF_WEIGHT
                && let Some(joint) = stored_joint(vertex)
            {
                *stiff_counts.entry(joint).or_default() += 1;
            }
        }
        let largest = stiff_counts.into_iter().max_by_key(|(_, count)| *count);
        let Some((stiff_joint, _)) = largest.filter(|(_, count)| 2 * count > self.vertices.len())
        else {
            return Some(self.vertices.clone());
        };
        let others: Vec<SampledVertex> = self
            .vertices
            .iter()
            .filter(|vertex| {
                vertex.max_weight() < STIFF_WEIGHT || stored_joint(vertex) != Some(stiff_joint)
            })
            .copied()
            .collect();
        if others.len() < MIN_VERTICES {
            return Some(self.vertices.clone());
        }
        let distance = bones.mean_distance(&others, |position| position, stored_joint);
        (distance.is_none_or(|distance| distance > MIN_FAR_DISTANCE)).then_some(others)
    }

    /// Finds identity inverse bind matrices of vertices that are in bind space and not in the
    /// frames of their joints.
    fn find_missing_binds(&self) -> Option<SkinFault> {
        let rest = &self.skin.at_rest;
        if !rest.stored.iter().all(|matrix| matrix.abs_diff_eq(DMat4::IDENTITY, 1e-6)) {
            return None;
        }
        if let Some(fault) = find_binds_of_sibling(self) {
            return Some(fault);
        }
        let bones = BoneSegments::new(&rest.world, &rest.parents)?;
        let in_bind_space =
            bones.mean_distance(&self.vertices, |position| position, stored_joint)?;
        let mut sum = 0.0;
        for vertex in &self.vertices {
            let joint = stored_joint(vertex)?;
            let position = rest.world.get(joint)?.transform_point3(vertex.position);
            sum += bones.distance(position, joint)?;
        }
        let in_joint_space = sum / self.vertices.len() as f64 / bones.skeleton_radius;
        let is_bind_space = in_bind_space < MIN_FAR_DISTANCE
            && in_bind_space < MAX_EXPLAINED_FRACTION * in_joint_space;
        is_bind_space.then(|| SkinFault {
            shown: format!(
                "identity matrices; with the inverses of the nodes’ world matrices, vertices are \
                 {in_bind_space:.2} of the skeleton’s size from their bones on average, as it is \
                 {in_joint_space:.2}"
            ),
            repair: Some(SkinRepair::Binds(rest.world.iter().map(DMat4::inverse).collect())),
            ..self.new_fault(fault::IBM_MISSING, "inverse bind matrices")
        })
    }

    /// Finds vertices of left joints on the right side and the other way round. The names of
    /// joints say which belong together.
    fn find_swapped_sides(&self, bones: &BoneSegments) -> Option<SkinFault> {
        let table = self.joints_of_other_side()?;
        let mut paired_count = 0;
        let mut swapped_count = 0;
        let mut swapped_joints: BTreeMap<usize, usize> = BTreeMap::new();
        for vertex in &self.vertices {
            let joint = stored_joint(vertex)?;
            let other = *table.get(joint)?;
            if other == joint {
                continue;
            }
            paired_count += 1;
            let own_distance = bones.distance(vertex.position, joint)?;
            let other_distance = bones.distance(vertex.position, other)?;
            if other_distance < MAX_SWAPPED_FRACTION * own_distance {
                swapped_count += 1;
                swapped_joints.insert(joint.min(other), joint.max(other));
            }
        }
        if paired_count < MIN_VERTICES
            || (swapped_count as f64) < MIN_SWAPPED_FRACTION * f64::from(paired_count as u32)
        {
            return None;
        }
        let numbering = JointNumbering::Table(table);
        let joint_by_node = BTreeMap::new();
        let relative = bones.skeleton_radius / self.mesh_size;
        let stored = bones.mean_distance(&self.vertices, |position| position, stored_joint)?;
        let exchanged = bones.mean_distance(
            &self.vertices,
            |position| position,
            |vertex| numbering.joint(stored_joint(vertex)?, &joint_by_node),
        )?;
        if exchanged * relative > MAX_RESIDUAL {
            return None;
        }
        let pairs: Vec<String> = swapped_joints
            .iter()
            .take(MAX_LISTED_PAIRS)
            .map(|(joint, other)| {
                format!("{} and {}", self.joint_name(*joint), self.joint_name(*other))
            })
            .collect();
        Some(SkinFault {
            shown: format!(
                "vertices {:.2} of the mesh’s size from the bones of their strongest joints, on \
                 average; with {} exchanged, {:.2}",
                stored * relative,
                pairs.join(", "),
                exchanged * relative
            ),
            repair: Some(SkinRepair::Joints(numbering)),
            ..self.new_fault(
                fault::SIDES_SWAPPED,
                "left vertices on left joints, and right ones on right joints",
            )
        })
    }

    /// Returns for each joint that of the other side, or itself. `None` if no joint has another
    /// side.
    fn joints_of_other_side(&self) -> Option<Vec<usize>> {
        let nodes = self.doc.list("nodes");
        let names: Vec<&str> = self
            .skin
            .joints
            .iter()
            .map(|&node| nodes.get(node).and_then(|node| get_str(node, "name")).unwrap_or(""))
            .collect();
        let joint_by_name: BTreeMap<&str, usize> =
            names.iter().enumerate().map(|(joint, &name)| (name, joint)).collect();
        let table: Vec<usize> = names
            .iter()
            .enumerate()
            .map(|(joint, name)| {
                let other = name_of_other_side(name);
                other.and_then(|name| joint_by_name.get(name.as_str()).copied()).unwrap_or(joint)
            })
            .collect();
        table.iter().enumerate().any(|(joint, other)| joint != *other).then_some(table)
    }
}

/// Maximum number of pairs of joints that a message lists.
const MAX_LISTED_PAIRS: usize = 4;

const EXPECTED_NUMBERS: &str =
    "JOINTS_0 that counts from 0 in skin.joints, each number in the lane of its weight";
