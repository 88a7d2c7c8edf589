//! The fit of meshes to their skeletons: how far vertices are from the bone of their strongest
//! joint, as stored and under the assumption of known mistakes.

use std::collections::BTreeMap;

use glam::{DMat3, DMat4, DVec3};

use super::bind::{self, LoadedSkin, describe_transform, known_factor, skeleton_radius};
use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument};
use super::findings::Findings;
use super::skinned_vertices::{LaneOrder, SampledVertex, SkinnedMeshSample};

/// Minimum number of sampled vertices from which conclusions are drawn.
const MIN_VERTICES: usize = 16;
/// Minimum number of joints for which inexact explanations are tried.
const MIN_JOINTS: usize = 3;
/// Minimum mean distance of vertices from their bones, relative to the skeleton's size, for which
/// explanations are tried. In sound models it is up to 0.4.
const MIN_FAR_DISTANCE: f64 = 0.3;
/// Minimum mean distance of a mesh that counts as elsewhere, in the same unit.
const MIN_ELSEWHERE_DISTANCE: f64 = 0.5;
/// Maximum fraction of the stored distance that an explanation may leave.
const MAX_EXPLAINED_FRACTION: f64 = 0.5;
/// Maximum distance that another numbering of joints may leave.
const MAX_RENUMBERED_DISTANCE: f64 = 0.4;
/// Size of an aligned mesh relative to its skeleton. In a mesh scaled to a point, every vertex
/// would be near a bone.
const ALIGNED_SIZES: std::ops::Range<f64> = 0.4..5.0;

/// A fault of a mesh and its skeleton.
struct SkinFault {
    /// Index of the skin.
    skin: usize,
    fault: DoctorFault,
    /// JSON pointer relative to the skin.
    pointer: &'static str,
    expected: &'static str,
    shown: String,
    /// `None` if the correct numbers are not known.
    repair: Option<SkinRepair>,
}

/// A repair of a skin, or of the meshes that nodes show with it.
pub(super) enum SkinRepair {
    /// Replaces the inverse bind matrices, `joint_from_bind`.
    Binds(Vec<DMat4>),
    /// Renumbers the joints in `JOINTS_n`.
    Joints(JointNumbering),
}

/// A wrong numbering of the joints in `JOINTS_n`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JointNumbering {
    /// Numbers are nodes.
    Nodes,
    /// Numbers count joints from 1.
    FromOne,
    /// Numbers are joints in another order than their weights.
    Lanes(LaneOrder),
}

impl JointNumbering {
    /// Returns the order of lanes under this numbering.
    pub(super) fn lane_order(self) -> LaneOrder {
        match self {
            Self::Lanes(order) => order,
            Self::Nodes | Self::FromOne => LaneOrder::AsStored,
        }
    }

    /// Resolves a stored number to a joint.
    pub(super) fn joint(
        self,
        stored: usize,
        joint_by_node: &BTreeMap<usize, usize>,
    ) -> Option<usize> {
        match self {
            Self::Nodes => joint_by_node.get(&stored).copied(),
            Self::FromOne => stored.checked_sub(1),
            Self::Lanes(_) => Some(stored),
        }
    }
}

pub(super) fn examine(doc: &RawDocument<'_>, graph: &NodeGraph, findings: &mut Findings) {
    for skin_fault in find_faults(doc, graph) {
        let SkinFault { skin, fault, pointer, expected, shown, repair } = skin_fault;
        let fault = DoctorFault { mendable: repair.is_some(), ..fault };
        findings.add(&fault, format_args!("/skins/{skin}{pointer}")).expected(expected, shown);
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
    bind::load_skins(doc, graph).filter_map(|skin| SkinFit::new(doc, &skin)?.find_fault()).collect()
}

/// Returns whether a skin without inverse bind matrices needs some to fit its vertices.
pub(super) fn is_missing_binds(doc: &RawDocument<'_>, graph: &NodeGraph, skin: usize) -> bool {
    let Some(skin) = bind::load_skin(doc, graph, skin) else {
        return false;
    };
    SkinFit::new(doc, &skin).is_some_and(|fit| fit.find_missing_binds().is_some())
}

/// Returns the mean distance of vertices from the bones of their strongest joints in the bind
/// pose, relative to the size of the skeleton. `None` if there are too few vertices, or if one
/// names a joint that does not exist.
pub(super) fn mean_bone_distance(doc: &RawDocument<'_>, skin: &LoadedSkin) -> Option<f64> {
    let sample = SkinnedMeshSample::of_skin(doc, skin.index);
    let vertices: Vec<SampledVertex> =
        sample.vertices().filter(|vertex| stored_joint(vertex).is_some()).copied().collect();
    if vertices.len() < MIN_VERTICES {
        return None;
    }
    let bind_from_joint: Vec<DMat4> = skin.at_rest.stored.iter().map(DMat4::inverse).collect();
    let bones = BoneSegments::new(&bind_from_joint, &skin.at_rest.parents)?;
    bones.mean_distance(&vertices, |position| position, stored_joint)
}

/// Line segments from joints to their children.
struct BoneSegments {
    /// By joint. Leaf joints continue the bone of their parent.
    by_joint: Vec<Vec<[DVec3; 2]>>,
    skeleton_radius: f64,
}

impl BoneSegments {
    /// Returns `None` if all joints are in one place.
    fn new(frames: &[DMat4], parents: &[Option<usize>]) -> Option<Self> {
        let positions: Vec<DVec3> = frames.iter().map(|frame| frame.w_axis.truncate()).collect();
        let skeleton_radius = skeleton_radius(frames);
        let mut by_joint: Vec<Vec<[DVec3; 2]>> = vec![Vec::new(); frames.len()];
        let mut has_length = false;
        for (joint, parent) in parents.iter().enumerate() {
            if let Some(parent) = *parent {
                by_joint[parent].push([positions[parent], positions[joint]]);
                let length = positions[joint].distance(positions[parent]);
                has_length |= length > 1e-3 * skeleton_radius;
            }
        }
        for (joint, parent) in parents.iter().enumerate() {
            if by_joint[joint].is_empty() {
                let direction =
                    parent.map_or(DVec3::ZERO, |parent| positions[joint] - positions[parent]);
                by_joint[joint].push([positions[joint], positions[joint] + direction]);
            }
        }
        has_length.then_some(Self { by_joint, skeleton_radius })
    }

    /// Returns the distance of a position from the bones of a joint, or `None` if there is no
    /// such joint.
    fn distance(&self, position: DVec3, joint: usize) -> Option<f64> {
        let segments = self.by_joint.get(joint)?;
        Some(
            segments
                .iter()
                .map(|&segment| distance_from_segment(position, segment))
                .fold(f64::INFINITY, f64::min),
        )
    }

    /// Computes the mean distance of vertices from the bones of their strongest joints,
    /// relative to the size of the skeleton. Returns `None` if a vertex has no joint.
    /// `strongest_joint` and `transform` make the assumption that is tried.
    fn mean_distance(
        &self,
        vertices: &[SampledVertex],
        transform: impl Fn(DVec3) -> DVec3,
        strongest_joint: impl Fn(&SampledVertex) -> Option<usize>,
    ) -> Option<f64> {
        let mut sum = 0.0;
        for vertex in vertices {
            sum += self.distance(transform(vertex.position), strongest_joint(vertex)?)?;
        }
        let mean = sum / vertices.len() as f64 / self.skeleton_radius;
        mean.is_finite().then_some(mean)
    }
}

fn distance_from_segment(position: DVec3, segment: [DVec3; 2]) -> f64 {
    let [from, to] = segment;
    let direction = to - from;
    let fraction = (position - from).dot(direction) / direction.length_squared();
    let fraction = if fraction.is_finite() { fraction.clamp(0.0, 1.0) } else { 0.0 };
    position.distance(from + fraction * direction)
}

fn stored_joint(vertex: &SampledVertex) -> Option<usize> {
    vertex.strongest_joint(LaneOrder::AsStored)
}

/// Returns the joint that is strongest at all vertices, if there is only one.
fn only_joint(
    vertices: &[SampledVertex],
    strongest_joint: impl Fn(&SampledVertex) -> Option<usize>,
) -> Option<usize> {
    let first = strongest_joint(vertices.first()?)?;
    vertices.iter().all(|vertex| strongest_joint(vertex) == Some(first)).then_some(first)
}

/// One skin with a sample of its vertices.
struct SkinFit<'a> {
    skin: &'a LoadedSkin,
    vertices: Vec<SampledVertex>,
}

impl<'a> SkinFit<'a> {
    /// Returns `None` if a mistake in the matrices is known already, or if there are too few
    /// vertices.
    fn new(doc: &RawDocument<'_>, skin: &'a LoadedSkin) -> Option<Self> {
        let vertices: Vec<SampledVertex> = SkinnedMeshSample::of_skin(doc, skin.index)
            .vertices()
            .filter(|vertex| stored_joint(vertex).is_some())
            .copied()
            .collect();
        let is_examined = vertices.len() >= MIN_VERTICES && !skin.at_rest.is_explained();
        is_examined.then_some(Self { skin, vertices })
    }

    fn new_fault(&self, fault: DoctorFault, expected: &'static str) -> SkinFault {
        SkinFault {
            skin: self.skin.index,
            fault,
            pointer: "",
            expected,
            shown: String::new(),
            repair: None,
        }
    }

    fn find_fault(&self) -> Option<SkinFault> {
        if let Some(fault) = self.find_missing_binds() {
            return Some(fault);
        }
        let rest = &self.skin.at_rest;
        let bind_from_joint: Vec<DMat4> = rest.stored.iter().map(DMat4::inverse).collect();
        let bones = BoneSegments::new(&bind_from_joint, &rest.parents)?;
        let distance = bones.mean_distance(&self.vertices, |position| position, stored_joint)?;
        if distance <= MIN_FAR_DISTANCE {
            return None;
        }
        let mesh = DistantMesh { fit: self, bones, distance };
        if let Some(fault) = mesh.find_other_numbering() {
            return Some(fault);
        }
        match only_joint(&self.vertices, stored_joint) {
            Some(joint) => mesh.single_joint_fault(joint),
            None => mesh.find_missing_transform().or_else(|| mesh.find_alignment()),
        }
    }

    /// Finds identity inverse bind matrices of vertices that are in bind space and not in the
    /// frames of their joints.
    fn find_missing_binds(&self) -> Option<SkinFault> {
        let rest = &self.skin.at_rest;
        if !rest.stored.iter().all(|matrix| matrix.abs_diff_eq(DMat4::IDENTITY, 1e-6)) {
            return None;
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
}

/// A mesh that is far from its bones in bind space.
struct DistantMesh<'a> {
    fit: &'a SkinFit<'a>,
    bones: BoneSegments,
    /// Mean distance as stored. See [`BoneSegments::mean_distance`].
    distance: f64,
}

impl DistantMesh<'_> {
    /// Returns whether an assumption that leaves this distance explains the stored one.
    fn is_explained_by(&self, distance: f64) -> bool {
        distance < MAX_EXPLAINED_FRACTION * self.distance
    }

    fn describe_distance(&self) -> String {
        format!(
            "vertices are {:.2} of the skeleton’s size from the bone of their strongest joint, \
             on average",
            self.distance
        )
    }

    /// Creates the fault of a mesh that follows a single joint of several.
    fn single_joint_fault(&self, joint: usize) -> Option<SkinFault> {
        let other_count = self.fit.skin.joints.len().checked_sub(1).filter(|&count| count > 0)?;
        Some(SkinFault {
            shown: format!(
                "all vertices on joint {joint}, though they are {:.2} of the skeleton’s size from \
                 its bone on average; the other {other_count} joints move none",
                self.distance
            ),
            ..self
                .fit
                .new_fault(fault::ALL_ON_ONE_JOINT, "vertices that follow the joints near them")
        })
    }

    /// Finds a numbering of joints under which vertices are near their bones.
    fn find_other_numbering(&self) -> Option<SkinFault> {
        let joint_by_node = self.fit.skin.joint_by_node();
        let vertices = &self.fit.vertices;
        for (numbering, fault, assumption) in [
            (JointNumbering::Nodes, fault::JOINTS_ARE_NODES, "read as numbers of nodes"),
            (JointNumbering::FromOne, fault::JOINTS_FROM_ONE, "with every number one lower"),
            (
                JointNumbering::Lanes(LaneOrder::Reversed),
                fault::JOINTS_OTHER_LANES,
                "with the lanes of joints reversed",
            ),
            (
                JointNumbering::Lanes(LaneOrder::SetsSwapped),
                fault::JOINTS_OTHER_LANES,
                "with the two sets of joints swapped",
            ),
        ] {
            let strongest_joint = |vertex: &SampledVertex| {
                let stored = vertex.strongest_joint(numbering.lane_order())?;
                numbering.joint(stored, &joint_by_node)
            };
            let Some(distance) =
                self.bones.mean_distance(vertices, |position| position, strongest_joint)
            else {
                continue;
            };
            if self.is_explained_by(distance)
                && distance < MAX_RENUMBERED_DISTANCE
                && only_joint(vertices, strongest_joint).is_none()
            {
                return Some(SkinFault {
                    shown: format!("{}; {assumption}, {distance:.2}", self.describe_distance()),
                    repair: Some(SkinRepair::Joints(numbering)),
                    ..self.fit.new_fault(
                        fault,
                        "JOINTS_0 that counts from 0 in skin.joints, each number in the lane of \
                         its weight",
                    )
                });
            }
        }
        None
    }

    /// Finds a transform that mesh and nodes have in common, but that the inverse bind matrices
    /// lack.
    fn find_missing_transform(&self) -> Option<SkinFault> {
        let rest = &self.fit.skin.at_rest;
        let common = rest.common_joint_matrix()?;
        let bones = BoneSegments::new(&rest.world, &rest.parents)?;
        let distance =
            bones.mean_distance(&self.fit.vertices, |position| position, stored_joint)?;
        self.is_explained_by(distance).then(|| SkinFault {
            pointer: "/inverseBindMatrices",
            shown: format!(
                "all joint matrices are one transform, {}; {}, and {distance:.2} from the nodes",
                describe_transform(common),
                self.describe_distance()
            ),
            repair: Some(SkinRepair::Binds(rest.world.iter().map(DMat4::inverse).collect())),
            ..self.fit.new_fault(
                fault::IBM_WITHOUT_TRANSFORM,
                "inverse bind matrices of the nodes as they rest",
            )
        })
    }

    /// Finds a transform that moves the mesh to its skeleton: a plain rotation, mirroring or
    /// conversion of units, or else the best fit, which is not precise enough for a repair.
    fn find_alignment(&self) -> Option<SkinFault> {
        if self.distance < MIN_ELSEWHERE_DISTANCE {
            return None;
        }
        // A single bone may well be beside its mesh, or much shorter.
        let has_few_joints = self.fit.skin.joints.len() < MIN_JOINTS;
        let mut candidates = turn_alignments();
        if !has_few_joints {
            candidates.extend(unit_alignments());
        }
        let plain = self.best_alignment(candidates);
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
        let (shown, repair) = match best {
            Some((NamedAlignment { name, alignment }, distance)) => {
                let matrix = alignment.matrix();
                let shown =
                    format!("{}; {name}, the mesh is {distance:.2} away", self.describe_distance());
                // Mirrored by its matrices, the mesh would be inside out.
                let is_repairable = is_plain && matrix.determinant() > 0.0;
                let stored = self.fit.skin.at_rest.stored.iter();
                let binds = stored.map(|&joint_from_bind| joint_from_bind * matrix).collect();
                (shown, is_repairable.then_some(SkinRepair::Binds(binds)))
            }
            None if self.distance > 2.0 * MIN_ELSEWHERE_DISTANCE => {
                (self.describe_distance(), None)
            }
            None => return None,
        };
        Some(SkinFault {
            shown,
            repair,
            ..self.fit.new_fault(fault::MESH_OFF_SKELETON, "a mesh around its bones")
        })
    }

    /// Returns the alignment that explains the stored distance and leaves the smallest one,
    /// with that distance.
    fn best_alignment(&self, candidates: Vec<NamedAlignment>) -> Option<(NamedAlignment, f64)> {
        let vertices = &self.fit.vertices;
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
                self.is_explained_by(distance).then_some((candidate, distance))
            })
            .min_by(|a, b| a.1.total_cmp(&b.1))
    }

    /// Adds to a rotation the scale and translation that bring vertices nearest to the centers
    /// of their bones, by least squares.
    fn fit_alignment(&self, candidate: &NamedAlignment) -> Option<NamedAlignment> {
        let turn = candidate.alignment.turn;
        let mut pairs: Vec<(DVec3, DVec3)> = Vec::new();
        for vertex in &self.fit.vertices {
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

/// A transform that moves a mesh to its skeleton: rotation or mirroring, then scale, then
/// translation.
struct Alignment {
    turn: DMat3,
    scale: f64,
    translation: DVec3,
}

impl Default for Alignment {
    fn default() -> Self {
        Self { turn: DMat3::IDENTITY, scale: 1.0, translation: DVec3::ZERO }
    }
}

impl Alignment {
    fn apply(&self, position: DVec3) -> DVec3 {
        self.scale * (self.turn * position) + self.translation
    }

    fn matrix(&self) -> DMat4 {
        DMat4::from_translation(self.translation) * DMat4::from_mat3(self.scale * self.turn)
    }
}

/// An alignment with its description.
#[derive(Default)]
struct NamedAlignment {
    name: String,
    alignment: Alignment,
}

const AXES: [(&str, DVec3); 3] = [("x", DVec3::X), ("y", DVec3::Y), ("z", DVec3::Z)];

/// Iterates over rotations between the coordinate systems of programs, with their
/// descriptions: by quarter and half turns about one axis.
pub(super) fn quarter_turns() -> impl Iterator<Item = (String, DMat3)> {
    AXES.into_iter().flat_map(|(name, axis)| {
        [-90.0, 90.0, 180.0].map(|degrees: f64| {
            let turn = DMat3::from_axis_angle(axis, degrees.to_radians());
            (format!("turned by {degrees}° about {name}").replace('-', "−"), turn)
        })
    })
}

/// Returns quarter turns, and mirrorings of one axis.
fn turn_alignments() -> Vec<NamedAlignment> {
    let mirrors = AXES.into_iter().map(|(name, axis)| {
        (format!("mirrored in {name}"), DMat3::from_diagonal(DVec3::ONE - 2.0 * axis))
    });
    quarter_turns()
        .chain(mirrors)
        .map(|(name, turn)| NamedAlignment {
            name,
            alignment: Alignment { turn, ..Alignment::default() },
        })
        .collect()
}

/// Returns conversions between units that programs mistake for one another.
fn unit_alignments() -> Vec<NamedAlignment> {
    [100.0, 0.01, 1000.0, 0.001, 39.370_08, 0.0254]
        .into_iter()
        .map(|scale| {
            let conversion = known_factor(scale).map_or("", |(_, conversion)| conversion);
            NamedAlignment {
                name: format!("scaled by {scale} ({conversion})"),
                alignment: Alignment { scale, ..Alignment::default() },
            }
        })
        .collect()
}
