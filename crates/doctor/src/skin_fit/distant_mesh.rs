//! Explanations of a mesh, or a part of one, that is far from its bones in bind space.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DMat4, DVec3};

use super::alignment::{Alignment, NamedAlignment, turn_alignments, unit_alignments};
use super::fit::{MAX_EXPLAINED_FRACTION, MAX_RESIDUAL};
use super::numbering::JointNumbering;
use crate::bind::{LoadedSkin, describe_transform};
use crate::bones::{BoneSegments, mesh_size, stored_joint};
use crate::catalog::{self as fault, DoctorFault};
use crate::skinned_vertices::{LaneOrder, SampledVertex};

/// Minimum number of joints for which inexact explanations are tried.
const MIN_JOINTS: usize = 3;
/// Minimum mean distance of a mesh that counts as elsewhere, relative to the skeleton.
const MIN_ELSEWHERE_DISTANCE: f64 = 0.5;
/// Maximum distance that another numbering of joints may leave, relative to the skeleton.
const MAX_RENUMBERED_DISTANCE: f64 = 0.4;
/// Maximum fraction of the stored distance that a free choice of joints may leave, which always
/// leaves little.
const MAX_PALETTE_FRACTION: f64 = 0.35;
/// Size of an aligned mesh relative to its skeleton. In a mesh scaled to a point, every vertex
/// would be near a bone.
const ALIGNED_SIZES: std::ops::Range<f64> = 0.4..5.0;
/// Mean distance of vertices from their joints, relative to the bones, in joint space.
const JOINT_SPACE_OFFSETS: std::ops::Range<f64> = 0.2..1.5;
/// Maximum number of vertices for which all offsets of joint numbers are tried.
const MAX_OFFSET_VERTICES: usize = 200;
/// Maximum number of joints of a skin for which all offsets are tried.
const MAX_OFFSET_JOINTS: usize = 512;
/// Maximum number of joints that a message lists.
const MAX_LISTED_JOINTS: usize = 12;
/// Minimum fraction of vertices near another joint in a mesh that follows a wrong one.
const MIN_NEAR_OTHERS: f64 = 0.25;
/// Maximum distance from another joint as a fraction of that from the own one.
const MAX_OTHER_FRACTION: f64 = 0.5;

/// A mesh that is far from its bones in bind space.
pub(super) struct DistantMesh<'a> {
    skin: &'a LoadedSkin,
    bones: &'a BoneSegments,
    vertices: &'a [SampledVertex],
    /// Longest side as stored.
    size: f64,
    /// Mean distance as stored, relative to the skeleton. Infinite if a joint does not exist.
    pub(super) distance: f64,
}

/// Another numbering of joints under which vertices are near their bones.
pub(super) struct Renumbering {
    pub(super) numbering: JointNumbering,
    pub(super) fault: DoctorFault,
    pub(super) assumption: String,
    /// Mean distance under the numbering, relative to the skeleton.
    pub(super) distance: f64,
}

/// An explanation of a mesh as a whole.
pub(super) struct MeshExplanation {
    pub(super) fault: DoctorFault,
    /// Property of the skin, as the end of a JSON pointer.
    pub(super) property: &'static str,
    pub(super) expected: &'static str,
    pub(super) shown: String,
    /// Correct inverse bind matrices, `joint_from_bind`. `None` if they are not known.
    pub(super) binds: Option<Vec<DMat4>>,
}

impl<'a> DistantMesh<'a> {
    /// Returns `None` if the mesh is a point.
    pub(super) fn new(
        skin: &'a LoadedSkin,
        bones: &'a BoneSegments,
        vertices: &'a [SampledVertex],
    ) -> Option<Self> {
        let size = mesh_size(vertices);
        let distance = bones
            .mean_distance(vertices, |position| position, stored_joint)
            .unwrap_or(f64::INFINITY);
        (size > 0.0).then_some(Self { skin, bones, vertices, size, distance })
    }

    /// Returns whether an assumption that leaves this distance explains the stored one. `scale`
    /// is that of the mesh under the assumption.
    fn is_explained_by(&self, distance: f64, scale: f64) -> bool {
        distance < MAX_EXPLAINED_FRACTION * self.distance
            && distance * self.bones.skeleton_radius < MAX_RESIDUAL * scale * self.size
    }

    pub(super) fn describe_distance(&self) -> String {
        if self.distance.is_infinite() {
            return "vertices follow joints that do not exist".to_owned();
        }
        format!(
            "vertices are {:.2} of the skeleton’s size from the bone of their strongest joint, \
             on average",
            self.distance
        )
    }

    /// Returns the distance from other bones that explains the stored one. `None` if it does
    /// not.
    pub(super) fn distance_from(
        &self,
        bones: &BoneSegments,
        strongest_joint: impl Fn(&SampledVertex) -> Option<usize>,
    ) -> Option<f64> {
        let relative = bones.mean_distance(self.vertices, |position| position, strongest_joint)?;
        let distance = relative * bones.skeleton_radius / self.bones.skeleton_radius;
        self.is_explained_by(distance, 1.0).then_some(distance)
    }

    /// Explains a mesh that follows a single joint of several, although others are nearer.
    pub(super) fn explain_single_joint(&self, joint: usize) -> Option<MeshExplanation> {
        let other_count = self.skin.joints.len().checked_sub(1).filter(|&count| count > 0)?;
        let mut near_others = 0;
        for vertex in self.vertices {
            let own = self.bones.distance(vertex.position, joint)?;
            let other = (0..self.skin.joints.len())
                .filter(|&other| other != joint)
                .filter_map(|other| self.bones.distance(vertex.position, other))
                .fold(f64::INFINITY, f64::min);
            near_others += usize::from(other < MAX_OTHER_FRACTION * own);
        }
        if (near_others as f64) < MIN_NEAR_OTHERS * self.vertices.len() as f64 {
            return None;
        }
        Some(MeshExplanation {
            fault: fault::ALL_ON_ONE_JOINT,
            property: "",
            expected: "vertices that follow the joints near them",
            shown: format!(
                "all vertices on joint {joint}, though they are {:.2} of the skeleton’s size from \
                 its bone on average; the other {other_count} joints move none",
                self.distance
            ),
            binds: None,
        })
    }

    /// Finds a numbering of joints under which vertices are near their bones.
    pub(super) fn find_renumbering(&self) -> Option<Renumbering> {
        let joint_by_node = self.skin.joint_by_node();
        let joint_count = self.skin.joints.len();
        let max_stored = self.vertices.iter().filter_map(stored_joint).max().unwrap_or(0);
        let mut assumptions = vec![
            (JointNumbering::Nodes, fault::JOINTS_ARE_NODES, "read as numbers of nodes".to_owned()),
            (
                JointNumbering::TooHigh(1),
                fault::JOINTS_FROM_ONE,
                "with every number one lower".to_owned(),
            ),
        ];
        for (order, assumption) in [
            (LaneOrder::Reversed, "with the lanes of joints reversed"),
            (LaneOrder::SetsSwapped, "with the two sets of joints swapped"),
        ] {
            assumptions.push((
                JointNumbering::Lanes(order),
                fault::JOINTS_OTHER_LANES,
                assumption.to_owned(),
            ));
        }
        if max_stored > 0xFF {
            assumptions.push((
                JointNumbering::LowByte,
                fault::JOINTS_WRAPPED,
                "with the low byte of each number alone, as of signed bytes".to_owned(),
            ));
        } else {
            assumptions.extend((256..joint_count).step_by(256).map(|lost| {
                (
                    JointNumbering::LostHighByte(lost),
                    fault::JOINTS_WRAPPED,
                    format!("with {lost} more, where the skin has that joint"),
                )
            }));
        }
        assumptions.extend(self.best_offset(max_stored).map(|excess| {
            let assumption = if excess > 0 {
                format!("with every number {excess} lower")
            } else {
                format!("with every number {} higher", -excess)
            };
            (JointNumbering::TooHigh(excess), fault::JOINTS_SHIFTED, assumption)
        }));
        assumptions.into_iter().find_map(|(numbering, fault, assumption)| {
            let distance = self.renumbered_distance(self.vertices, &numbering, &joint_by_node)?;
            let is_explained = self.is_explained_by(distance, 1.0)
                && distance < MAX_RENUMBERED_DISTANCE
                && !self.has_single_joint(&numbering, &joint_by_node);
            is_explained.then_some(Renumbering { numbering, fault, assumption, distance })
        })
    }

    fn renumbered_distance(
        &self,
        vertices: &[SampledVertex],
        numbering: &JointNumbering,
        joint_by_node: &BTreeMap<usize, usize>,
    ) -> Option<f64> {
        self.bones.mean_distance(
            vertices,
            |position| position,
            |vertex| {
                numbering.joint(vertex.strongest_joint(numbering.lane_order())?, joint_by_node)
            },
        )
    }

    fn has_single_joint(
        &self,
        numbering: &JointNumbering,
        joint_by_node: &BTreeMap<usize, usize>,
    ) -> bool {
        let joints: BTreeSet<Option<usize>> = self
            .vertices
            .iter()
            .map(|vertex| {
                let stored = vertex.strongest_joint(numbering.lane_order())?;
                numbering.joint(stored, joint_by_node)
            })
            .collect();
        joints.len() < 2
    }

    /// Returns the excess of all joint numbers that brings a few vertices nearest to their
    /// bones. `None` if there are too many joints, or if no excess is possible.
    fn best_offset(&self, max_stored: usize) -> Option<isize> {
        let joint_count = self.skin.joints.len();
        if joint_count > MAX_OFFSET_JOINTS || max_stored > u16::MAX.into() {
            return None;
        }
        let min_stored = self.vertices.iter().filter_map(stored_joint).min()?;
        let step = self.vertices.len().div_ceil(MAX_OFFSET_VERTICES);
        let few: Vec<SampledVertex> = self.vertices.iter().step_by(step).copied().collect();
        let lowest = max_stored as isize + 1 - joint_count as isize;
        let joint_by_node = BTreeMap::new();
        (lowest..=min_stored as isize)
            .filter(|&excess| excess != 0)
            .filter_map(|excess| {
                let numbering = JointNumbering::TooHigh(excess);
                let distance = self.renumbered_distance(&few, &numbering, &joint_by_node)?;
                Some((excess, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(excess, _)| excess)
    }

    /// Finds the joints meant by numbers that count from 0 in a list of their own.
    /// Returns their description and the distance that they leave.
    pub(super) fn find_palette(&self) -> Option<(String, f64)> {
        let joint_count = self.skin.joints.len();
        let mut by_number: BTreeMap<usize, Vec<DVec3>> = BTreeMap::new();
        for vertex in self.vertices {
            by_number.entry(stored_joint(vertex)?).or_default().push(vertex.position);
        }
        let largest = *by_number.keys().last()?;
        if by_number.len() < 2 || largest + 1 >= joint_count || joint_count > MAX_OFFSET_JOINTS {
            return None;
        }
        let mut joints = BTreeSet::new();
        let mut listed = Vec::new();
        let mut sum = 0.0;
        for (number, positions) in &by_number {
            let mut best: Option<(usize, f64)> = None;
            for joint in 0..joint_count {
                let mut joint_sum = 0.0;
                for position in positions {
                    joint_sum += self.bones.distance(*position, joint)?;
                }
                if best.is_none_or(|(_, least)| joint_sum < least) {
                    best = Some((joint, joint_sum));
                }
            }
            let (joint, joint_sum) = best?;
            if !joints.insert(joint) {
                return None;
            }
            listed.push(format!("{number} for joint {joint}"));
            sum += joint_sum;
        }
        let distance = sum / self.vertices.len() as f64 / self.bones.skeleton_radius;
        let is_explained =
            self.is_explained_by(distance, 1.0) && distance < MAX_PALETTE_FRACTION * self.distance;
        listed.truncate(MAX_LISTED_JOINTS);
        is_explained.then(|| (listed.join(", "), distance))
    }

    /// Explains vertices that are stored in the frame of their strongest joint already.
    pub(super) fn explain_joint_space(&self) -> Option<MeshExplanation> {
        let rest = &self.skin.at_rest;
        let mut sum = 0.0;
        let mut offset_sum = 0.0;
        let mut length_sum = 0.0;
        let mut moved = Vec::new();
        for vertex in self.vertices {
            let joint = stored_joint(vertex)?;
            let [from, to] = *self.bones.by_joint.get(joint)?.first()?;
            offset_sum += vertex.position.length();
            length_sum += from.distance(to);
            let position = rest.stored.get(joint)?.inverse().transform_point3(vertex.position);
            sum += self.bones.distance(position, joint)?;
            moved.push(position);
        }
        let distance = sum / self.vertices.len() as f64 / self.bones.skeleton_radius;
        let mut min = DVec3::splat(f64::INFINITY);
        let mut max = DVec3::splat(f64::NEG_INFINITY);
        for position in moved {
            min = min.min(position);
            max = max.max(position);
        }
        let scale = (max - min).max_element() / self.size;
        // A mesh that is much too small would be near any bone.
        let is_along_bones = JOINT_SPACE_OFFSETS.contains(&(offset_sum / length_sum));
        (is_along_bones && self.is_explained_by(distance, scale)).then(|| MeshExplanation {
            fault: fault::MESH_IN_JOINT_SPACE,
            property: "/inverseBindMatrices",
            expected: "vertices in one space for all joints",
            shown: format!(
                "{}; moved by the inverse of their joint’s matrix, {distance:.2}",
                self.describe_distance()
            ),
            binds: Some(vec![DMat4::IDENTITY; rest.stored.len()]),
        })
    }

    /// Explains a transform that mesh and nodes have in common, but that the inverse bind
    /// matrices lack.
    pub(super) fn explain_missing_transform(&self) -> Option<MeshExplanation> {
        let rest = &self.skin.at_rest;
        let common = rest.common_joint_matrix()?;
        let bones = BoneSegments::new(&rest.world, &rest.parents)?;
        let distance = bones.mean_distance(self.vertices, |position| position, stored_joint)?;
        let scale = bones.skeleton_radius / self.bones.skeleton_radius;
        self.is_explained_by(distance, 1.0 / scale.max(1e-9)).then(|| MeshExplanation {
            fault: fault::IBM_WITHOUT_TRANSFORM,
            property: "/inverseBindMatrices",
            expected: "inverse bind matrices of the nodes as they rest",
            shown: format!(
                "all joint matrices are one transform, {}; {}, and {distance:.2} from the nodes",
                describe_transform(common),
                self.describe_distance()
            ),
            binds: Some(rest.world.iter().map(DMat4::inverse).collect()),
        })
    }

    /// Finds a plain rotation, mirroring or conversion of units that brings the mesh to its
    /// bones. Returns its description and the distance that it leaves.
    pub(super) fn find_plain_alignment(&self) -> Option<(String, f64)> {
        let (best, distance) = self.best_alignment(self.plain_alignments())?;
        Some((best.name, distance))
    }

    fn plain_alignments(&self) -> Vec<NamedAlignment> {
        let mut candidates = turn_alignments();
        // A single bone may well be beside its mesh, or much shorter.
        if self.skin.joints.len() >= MIN_JOINTS {
            candidates.extend(unit_alignments());
        }
        candidates
    }

    /// Explains a mesh by a transform that moves it to its skeleton: a plain one, or else the
    /// best fit, which is not precise enough for a repair. A mesh far away without such a
    /// transform is reported with its distance alone.
    pub(super) fn explain_alignment(&self) -> Option<MeshExplanation> {
        if self.distance < MIN_ELSEWHERE_DISTANCE || self.distance.is_infinite() {
            return None;
        }
        let has_few_joints = self.skin.joints.len() < MIN_JOINTS;
        let plain = self.best_alignment(self.plain_alignments());
        let is_plain = plain.is_some();
        if !is_plain && has_few_joints {
            return None;
        }
        let best = plain.or_else(|| {
            let mut candidates = vec![NamedAlignment::default()];
            candidates.extend(turn_alignments());
            let fitted =
                candidates.iter().filter_map(|candidate| self.fit_alignment(candidate)).collect();
            self.best_alignment(fitted)
        });
        let (shown, binds) = match best {
            Some((NamedAlignment { name, alignment }, distance)) => {
                let matrix = alignment.matrix();
                let shown =
                    format!("{}; {name}, the mesh is {distance:.2} away", self.describe_distance());
                // Mirrored by its matrices, the mesh would be inside out.
                let is_repairable = is_plain && matrix.determinant() > 0.0;
                let stored = self.skin.at_rest.stored.iter();
                let binds = stored.map(|&joint_from_bind| joint_from_bind * matrix).collect();
                (shown, is_repairable.then_some(binds))
            }
            None if self.distance > 2.0 * MIN_ELSEWHERE_DISTANCE => {
                (self.describe_distance(), None)
            }
            None => return None,
        };
        Some(MeshExplanation {
            fault: fault::MESH_OFF_SKELETON,
            property: "",
            expected: "a mesh around its bones",
            shown,
            binds,
        })
    }

    /// Returns the alignment that explains the stored distance and leaves the smallest one,
    /// with that distance.
    fn best_alignment(&self, candidates: Vec<NamedAlignment>) -> Option<(NamedAlignment, f64)> {
        let vertices = self.vertices;
        let center =
            vertices.iter().map(|vertex| vertex.position).sum::<DVec3>() / vertices.len() as f64;
        let mesh_radius =
            vertices.iter().map(|vertex| vertex.position.distance(center)).fold(0.0, f64::max);
        let relative_size = mesh_radius / self.bones.skeleton_radius;
        candidates
            .into_iter()
            .filter_map(|candidate| {
                let alignment = &candidate.alignment;
                if !ALIGNED_SIZES.contains(&(alignment.scale * relative_size)) {
                    return None;
                }
                let distance = self.bones.mean_distance(
                    vertices,
                    |position| alignment.apply(position),
                    stored_joint,
                )?;
                self.is_explained_by(distance, alignment.scale).then_some((candidate, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Adds to a rotation the scale and translation that bring vertices nearest to the centers
    /// of their bones, by least squares.
    fn fit_alignment(&self, candidate: &NamedAlignment) -> Option<NamedAlignment> {
        let turn = candidate.alignment.turn;
        let mut pairs: Vec<(DVec3, DVec3)> = Vec::new();
        for vertex in self.vertices {
            let segments = stored_joint(vertex).and_then(|joint| self.bones.by_joint.get(joint));
            if let Some(segments) = segments {
                let sum: DVec3 = segments.iter().map(|[from, to]| from.midpoint(*to)).sum();
                pairs.push((turn * vertex.position, sum / segments.len() as f64));
            }
        }
        let count = pairs.len().max(1) as f64;
        let mut vertex_center = DVec3::ZERO;
        let mut bone_center = DVec3::ZERO;
        for (vertex, bone) in &pairs {
            vertex_center += *vertex / count;
            bone_center += *bone / count;
        }
        let mut product_sum = 0.0;
        let mut square_sum = 0.0;
        for (vertex, bone) in &pairs {
            product_sum += (*vertex - vertex_center).dot(*bone - bone_center);
            square_sum += (*vertex - vertex_center).length_squared();
        }
        let scale = product_sum / square_sum;
        if !scale.is_finite() || scale <= 0.0 {
            return None;
        }
        let translation = bone_center - scale * vertex_center;
        let DVec3 { x, y, z } = translation;
        let separator = if candidate.name.is_empty() { "" } else { ", " };
        Some(NamedAlignment {
            name: format!(
                "{}{separator}scaled by {scale:.2} and moved by ({x:.2}, {y:.2}, {z:.2})",
                candidate.name
            ),
            alignment: Alignment { turn, scale, translation },
        })
    }
}
