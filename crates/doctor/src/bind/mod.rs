//! Mistakes in a skin's inverse bind matrices and in the rotations of its joints, found by
//! comparing them with each other.

mod repair;
mod rotations;
mod witness;

use std::collections::BTreeMap;

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_usize};
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::bones::stored_joint;
use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument};
use super::elements::read_elements;
use super::findings::Findings;
use super::skinned_vertices::{SampledVertex, SkinnedMeshSample};
use repair::{MAX_EQUAL_RESIDUAL, MIN_WRONG_RESIDUAL};
use rotations::{JointRotations, RotationExplanation};
use witness::MeshWitness;

pub use repair::{BindData, BindExplanation, BindRepair, MirrorAxis, known_factor};
pub(super) use rotations::{RotationMistake, rotation_distance_rad};

/// Maximum number of joints that a message lists.
const MAX_LISTED_JOINTS: usize = 12;
/// Minimum number of joints without a transform from which a loss is concluded.
const MIN_BARE_NODES: usize = 2;
/// Minimum difference of an angle between two axes from 90° that counts as shear.
const MIN_SHEAR_DEG: f64 = 3.0;
/// Maximum shear of a node as a fraction of that in its bind matrix, if the node has lost it.
const MAX_KEPT_SHEAR: f64 = 0.25;

/// The joints of one skin at rest with their stored inverse bind matrices.
pub(super) struct SkinAtRest {
    /// `world_from_joint`.
    pub(super) world: Vec<DMat4>,
    /// The nearest ancestor of each joint that is a joint too.
    pub(super) parents: Vec<Option<usize>>,
    /// `joint_from_bind`, as stored.
    pub(super) stored: Vec<DMat4>,
    /// Transform of each joint relative to its parent node.
    local: Vec<DMat4>,
    /// Local rotations as stored, relative to the parent node. `None` for nodes with a matrix.
    rotations: Vec<Option<[f64; 4]>>,
    /// `world_from_parent` of the parent node, which need not be a joint.
    world_from_parent_node: Vec<DMat4>,
    /// Whether the parent node is the parent joint. `true` for joints without a parent joint.
    is_child_of_parent_joint: Vec<bool>,
}

impl SkinAtRest {
    /// `joints`: nodes in the order of the skin. Returns `None` if a joint has no matrix or no
    /// node, or if a matrix is not finite.
    pub(super) fn new(graph: &NodeGraph, joints: &[usize], stored: &[DMat4]) -> Option<Self> {
        if stored.len() != joints.len() || !stored.iter().all(DMat4::is_finite) {
            return None;
        }
        let world: Vec<DMat4> = joints
            .iter()
            .map(|&node| graph.world_from_node.get(node).copied())
            .collect::<Option<_>>()?;
        let parents = graph.forest.nearest_above(joints);
        let is_child_of_parent_joint = joints
            .iter()
            .zip(&parents)
            .map(|(&node, parent)| {
                parent.is_none_or(|parent| graph.forest.named_by(node) == Some(joints[parent]))
            })
            .collect();
        Some(Self {
            world_from_parent_node: joints
                .iter()
                .map(|&node| graph.world_from_parent[node])
                .collect(),
            is_child_of_parent_joint,
            local: joints.iter().map(|&node| graph.parent_from_node[node]).collect(),
            rotations: joints.iter().map(|&node| graph.rotations[node]).collect(),
            stored: stored.to_vec(),
            world,
            parents,
        })
    }

    fn data(&self) -> BindData<'_> {
        BindData { world: &self.world, parents: &self.parents, stored: &self.stored }
    }

    /// Returns the largest difference between joint matrices. See [`BindData::residual`].
    pub(super) fn residual(&self) -> Option<f64> {
        self.data().residual(&self.stored)
    }

    /// Returns whether all joints rest in their bind pose, up to a transform that they share.
    /// `None` for a single joint.
    pub(super) fn is_in_bind_pose(&self) -> Option<bool> {
        Some(self.residual()? < MAX_EQUAL_RESIDUAL)
    }

    /// Computes world matrix times inverse bind matrix for each joint.
    pub(super) fn joint_matrices(&self) -> Vec<DMat4> {
        self.world.iter().zip(&self.stored).map(|(&world, &stored)| world * stored).collect()
    }

    /// Returns the joint matrix that all joints share at rest. `None` if they differ, or if it
    /// is the identity.
    pub(super) fn common_joint_matrix(&self) -> Option<DMat4> {
        let residual = self.data().residual(&self.stored)?;
        let common = self.world[0] * self.stored[0];
        let is_identity = common.abs_diff_eq(DMat4::IDENTITY, MAX_EQUAL_RESIDUAL);
        (residual < MAX_EQUAL_RESIDUAL && !is_identity).then_some(common)
    }

    /// Returns whether a known mistake explains the stored matrices or the nodes.
    pub(super) fn is_explained(&self) -> bool {
        self.data().explained().is_some()
            || self.explain_rotations().is_some()
            || self.count_bare_nodes().is_some()
            || self.find_lost_shear().is_some()
    }

    /// Finds the mistake in the rotations of joints whose inverse bind matrices do not fit.
    fn explain_rotations(&self) -> Option<RotationExplanation> {
        if self.data().residual(&self.stored)? <= MIN_WRONG_RESIDUAL {
            return None;
        }
        let joints = JointRotations {
            rotations: &self.rotations,
            world_from_parent_node: &self.world_from_parent_node,
            parents: &self.parents,
            is_child_of_parent_joint: &self.is_child_of_parent_joint,
            stored: &self.stored,
        };
        joints.explain()
    }

    /// Counts the joints whose nodes have no transform at all, although the inverse bind
    /// matrices ask for one. Returns `None` unless that holds for all joints below others.
    fn count_bare_nodes(&self) -> Option<usize> {
        let mut count = 0;
        for joint in 0..self.local.len() {
            if self.parents[joint].is_none() {
                continue;
            }
            if !self.local[joint].abs_diff_eq(DMat4::IDENTITY, 1e-9) {
                return None;
            }
            if let Some(implied) = self.implied_local(joint)
                && !implied.abs_diff_eq(DMat4::IDENTITY, MAX_EQUAL_RESIDUAL)
            {
                count += 1;
            }
        }
        (count >= MIN_BARE_NODES).then_some(count)
    }

    /// Finds axes of bind matrices that are far from square although those of the nodes are
    /// not. Returns `None` if there are none, or if nodes and matrices agree.
    fn find_lost_shear(&self) -> Option<LostShear> {
        if self.data().residual(&self.stored)? <= MIN_WRONG_RESIDUAL {
            return None;
        }
        let mut lost = LostShear { joint: 0, joint_count: 0, angle_deg: 0.0 };
        for (joint, (world, stored)) in self.world.iter().zip(&self.stored).enumerate() {
            let angle_deg = shear_deg(stored.inverse());
            if angle_deg > MIN_SHEAR_DEG && shear_deg(*world) < MAX_KEPT_SHEAR * angle_deg {
                lost.joint_count += 1;
                if angle_deg > lost.angle_deg {
                    lost = LostShear { joint, angle_deg, ..lost };
                }
            }
        }
        (lost.joint_count > 0).then_some(lost)
    }

    /// Returns the rotation of a joint relative to its parent joint that the inverse bind
    /// matrices imply. `None` for joints without a parent joint.
    pub(super) fn implied_rotation(&self, joint: usize) -> Option<DQuat> {
        (*self.parents.get(joint)?)?;
        let (_, rotation, _) = self.implied_local(joint)?.to_scale_rotation_translation();
        rotation.is_finite().then_some(rotation)
    }

    /// Computes the transform of a joint relative to its parent node that the inverse bind
    /// matrices imply. Returns `None` if other nodes are between the joint and its parent
    /// joint, or if a matrix is singular.
    fn implied_local(&self, joint: usize) -> Option<DMat4> {
        if !self.is_child_of_parent_joint[joint] {
            return None;
        }
        let parent_from_bind = match self.parents[joint] {
            Some(parent) => self.stored[parent],
            None => self.world_from_parent_node[joint].inverse(),
        };
        let local = parent_from_bind * self.stored[joint].inverse();
        local.is_finite().then_some(local)
    }

    /// Returns the transforms of nodes that the inverse bind matrices imply, with `None` for
    /// nodes that have them already. Roots keep theirs if they are not in the root's own space.
    fn implied_nodes(&self) -> SkinCorrection {
        let has_scene_roots = self.world_from_parent_node.iter().zip(&self.parents).all(
            |(world_from_parent, parent)| {
                parent.is_some() || world_from_parent.abs_diff_eq(DMat4::IDENTITY, 1e-6)
            },
        );
        let nodes = (0..self.local.len()).map(|joint| {
            let is_kept = self.parents[joint].is_none() && !has_scene_roots;
            let implied = self.implied_local(joint).filter(|_| !is_kept)?;
            (!implied.abs_diff_eq(self.local[joint], 1e-6)).then_some(implied)
        });
        SkinCorrection::Nodes(nodes.collect())
    }

    /// Finds the mistake that explains the matrices or the nodes of the skin. `vertices`:
    /// stored vertices of its meshes.
    fn diagnose(&self, vertices: &[SampledVertex]) -> Option<SkinDiagnosis> {
        let data = self.data();
        let explanation = data.explained();
        let rotations = self.explain_rotations();
        if explanation.is_none()
            && rotations.is_none()
            && self.count_bare_nodes().is_none()
            && self.find_lost_shear().is_none()
        {
            return None;
        }
        let witness = MeshWitness::new(vertices, &self.world, &self.stored, &self.parents);
        let blames_nodes = witness.is_some_and(|witness| witness.contradicts_nodes());
        if let Some(explanation) = explanation {
            let BindExplanation { repair, stored_residual, residual } = explanation;
            let node_fault = node_fault_of(&repair).filter(|_| blames_nodes);
            let (fault, expected) = node_fault.unwrap_or_else(|| fault_of(&repair));
            let residuals = format!(
                "then joint matrices at rest differ by {residual:.0e} of the skeleton’s size; as \
                 stored, by {stored_residual:.2}"
            );
            if let (Some(witness), Some(_)) = (witness, node_fault) {
                let subject = describe_node_repair(&repair);
                return Some(SkinDiagnosis {
                    fault,
                    expected,
                    shown: format!("{subject}: {residuals}; {}", describe_witness(witness)),
                    correction: self.implied_nodes(),
                });
            }
            return Some(SkinDiagnosis {
                fault,
                expected,
                shown: format!("{}: {residuals}", describe_repair(&repair)),
                correction: data
                    .repaired(&repair)
                    .map_or(SkinCorrection::Unknown, SkinCorrection::Binds),
            });
        }
        if let Some(explanation) = rotations {
            return Some(self.diagnose_rotations(explanation));
        }
        if let Some(joint_count) = self.count_bare_nodes().filter(|_| blames_nodes)
            && let Some(witness) = witness
        {
            return Some(SkinDiagnosis {
                fault: fault::NODES_WITHOUT_TRANSFORM,
                expected: "nodes where the inverse bind matrices have the joints",
                shown: format!(
                    "{joint_count} joints without translation, rotation and scale, although \
                     their inverse bind matrices differ from their parents’; {}",
                    describe_witness(witness)
                ),
                correction: self.implied_nodes(),
            });
        }
        let LostShear { joint, joint_count, angle_deg } = self.find_lost_shear()?;
        Some(SkinDiagnosis {
            fault: fault::IBM_SHEARED,
            expected: "bind matrices with square axes, as the nodes have",
            shown: format!(
                "axes up to {angle_deg:.0}° from square in the inverses of {joint_count} \
                 matrices, most at joint {joint}, and none in the nodes"
            ),
            correction: SkinCorrection::Unknown,
        })
    }

    fn diagnose_rotations(&self, explanation: RotationExplanation) -> SkinDiagnosis {
        let RotationExplanation { mistake, joint_count, mean_distance_deg, corrected } =
            explanation;
        let fault = match mistake {
            RotationMistake::WFirst => fault::NODES_W_FIRST,
            RotationMistake::Inverted => fault::NODES_TURN_BACK,
            RotationMistake::WholeAngle => fault::NODES_WHOLE_ANGLE,
            RotationMistake::OtherHand(_) => fault::NODES_OTHER_HAND,
            RotationMistake::OtherAxes(_) => fault::NODES_OTHER_AXES,
            RotationMistake::DegreesAsRadians(_) | RotationMistake::RadiansAsDegrees(_) => {
                fault::NODES_OTHER_ANGLES
            }
            RotationMistake::OtherOrder { .. } => fault::NODES_OTHER_ORDER,
            RotationMistake::Angles { .. } | RotationMistake::AxisAndAngle(_) => {
                fault::NODES_HOLD_ANGLES
            }
        };
        let correction = mistake.describe_correction();
        let nodes = self.local.iter().zip(corrected).map(|(&local, rotation)| {
            let (scale, _, translation) = local.to_scale_rotation_translation();
            Some(DMat4::from_scale_rotation_translation(scale, rotation?, translation))
        });
        SkinDiagnosis {
            fault,
            expected: "rotations that fit the inverse bind matrices",
            shown: format!(
                "{joint_count} joints turned {mean_distance_deg:.0}° from what their inverse \
                 bind matrices ask for, on average; {correction}, they are what these ask for"
            ),
            correction: SkinCorrection::Nodes(nodes.collect()),
        }
    }
}

/// Shear that bind matrices have and nodes have not.
struct LostShear {
    /// The joint with the largest shear.
    joint: usize,
    joint_count: usize,
    /// Largest difference of an angle between two axes from 90°.
    angle_deg: f64,
}

/// Returns the largest difference from 90° between two axes of a matrix.
fn shear_deg(matrix: DMat4) -> f64 {
    let [x, y, z] =
        [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|axis| axis.truncate().normalize());
    let cosine = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    cosine.min(1.0).asin().to_degrees()
}

/// A mistake in the matrices or the nodes of a skin.
pub(super) struct SkinDiagnosis {
    fault: DoctorFault,
    expected: &'static str,
    shown: String,
    pub(super) correction: SkinCorrection,
}

/// A correction of a skin.
pub(super) enum SkinCorrection {
    /// Correct inverse bind matrices, `joint_from_bind`.
    Binds(Vec<DMat4>),
    /// Correct transforms of joints, `parent_from_joint`, with `None` for joints that need none.
    Nodes(Vec<Option<DMat4>>),
    /// The file does not reveal the correct numbers.
    Unknown,
}

/// Finds the mistake that explains a skin's inverse bind matrices or the nodes of its joints.
pub(super) fn diagnose(doc: &RawDocument<'_>, skin: &LoadedSkin) -> Option<SkinDiagnosis> {
    skin.accessor?;
    let sample = SkinnedMeshSample::of_skin(doc, skin.index);
    let vertices: Vec<SampledVertex> =
        sample.vertices().filter(|vertex| stored_joint(vertex).is_some()).copied().collect();
    skin.at_rest.diagnose(&vertices)
}

/// Reports the mistake that explains a skin's inverse bind matrices or the nodes of its joints.
pub(super) fn examine(doc: &RawDocument<'_>, skin: &LoadedSkin, findings: &mut Findings) {
    if let Some(diagnosis) = diagnose(doc, skin) {
        let SkinDiagnosis { fault, expected, shown, correction } = diagnosis;
        let property = match correction {
            SkinCorrection::Nodes(_) => "joints",
            SkinCorrection::Binds(_) | SkinCorrection::Unknown => "inverseBindMatrices",
        };
        let mendable = !matches!(correction, SkinCorrection::Unknown);
        let fault = DoctorFault { mendable, ..fault };
        let pointer = format!("/skins/{}/{property}", skin.index);
        findings.add(&fault, ModelPlace::at(pointer)).expected(expected, shown);
    }
}

/// Returns the fault that a repair corrects, and the expected matrices.
fn fault_of(repair: &BindRepair) -> (DoctorFault, &'static str) {
    match repair {
        BindRepair::Reordered(_) => (fault::IBM_ORDER, "matrices in the order of skin.joints"),
        BindRepair::Inverted => (fault::IBM_NOT_INVERTED, "inverses of the bind matrices"),
        BindRepair::Accumulated => {
            (fault::IBM_OF_LOCAL, "inverses of world matrices, with all parents in them")
        }
        BindRepair::Transposed => (fault::IBM_TRANSPOSED, "matrices column by column"),
        BindRepair::Mirrored(_) => (fault::IBM_OTHER_HAND, "right-handed axes, as the nodes have"),
        BindRepair::Turned(_) => (fault::IBM_OTHER_AXES, "the axes of the nodes"),
        BindRepair::Scaled(_) => (fault::IBM_OTHER_UNIT, "the unit of the nodes"),
        BindRepair::OtherSide => {
            (fault::IBM_OTHER_SIDE, "inverse of the joint, times the bind shape matrix")
        }
    }
}

/// Returns the fault of nodes that contradict correct matrices as those of `repair` contradict
/// correct nodes, and the expected nodes. `None` if only matrices can have the mistake.
fn node_fault_of(repair: &BindRepair) -> Option<(DoctorFault, &'static str)> {
    match repair {
        BindRepair::Accumulated => {
            Some((fault::NODES_ARE_WORLD, "transforms of nodes relative to their parents"))
        }
        BindRepair::Mirrored(_) => {
            Some((fault::NODES_OTHER_HAND, "the axes of mesh and inverse bind matrices"))
        }
        BindRepair::Turned(_) => {
            Some((fault::NODES_OTHER_AXES, "the axes of mesh and inverse bind matrices"))
        }
        BindRepair::Scaled(_) => {
            Some((fault::NODES_OTHER_UNIT, "the unit of mesh and inverse bind matrices"))
        }
        _ => None,
    }
}

/// Describes the correction of nodes that [`node_fault_of`] a repair needs.
fn describe_node_repair(repair: &BindRepair) -> String {
    match repair {
        BindRepair::Mirrored(axis) => format!("nodes fit with {} mirrored", axis.name()),
        BindRepair::Turned(quarters) => {
            format!("nodes fit turned by {}° about x", -90 * i32::from(*quarters))
        }
        BindRepair::Scaled(factor) => match known_factor(1.0 / factor) {
            Some((known, conversion)) => {
                format!("nodes fit with translations times {known}, which turns {conversion}")
            }
            None => format!("nodes fit with translations times {:.4}", 1.0 / factor),
        },
        _ => "nodes fit with the transforms of their parents taken off".to_owned(),
    }
}

fn describe_witness(witness: MeshWitness) -> String {
    let MeshWitness { from_binds, from_nodes } = witness;
    let nodes = if from_nodes.is_finite() {
        format!("{from_nodes:.2} where the nodes have them")
    } else {
        "and the nodes have all joints in one place".to_owned()
    };
    format!(
        "vertices are {from_binds:.2} of the mesh’s size from the bones where the matrices have \
         them, {nodes}"
    )
}

fn describe_repair(repair: &BindRepair) -> String {
    match repair {
        BindRepair::Reordered(order) => {
            let listed: Vec<String> =
                order.iter().take(MAX_LISTED_JOINTS).map(usize::to_string).collect();
            let more = if order.len() > MAX_LISTED_JOINTS { ", …" } else { "" };
            format!("they fit in the order {}{more}", listed.join(", "))
        }
        BindRepair::Inverted => "they fit inverted".to_owned(),
        BindRepair::Accumulated => "they fit multiplied down the chain".to_owned(),
        BindRepair::Transposed => "they fit transposed".to_owned(),
        BindRepair::OtherSide => "they fit with their common transform on the right".to_owned(),
        BindRepair::Mirrored(axis) => format!("they fit with {} mirrored", axis.name()),
        BindRepair::Turned(quarters) => {
            format!("they fit turned by {}° about x", 90 * i32::from(*quarters))
        }
        BindRepair::Scaled(factor) => match known_factor(*factor) {
            Some((known, conversion)) => {
                format!("they fit with translations times {known}, which turns {conversion}")
            }
            None => format!("they fit with translations times {factor:.4}"),
        },
    }
}

/// A skin with readable joints and inverse bind matrices.
pub(super) struct LoadedSkin {
    pub(super) index: usize,
    /// Nodes.
    pub(super) joints: Vec<usize>,
    /// Accessor of the inverse bind matrices. `None` if the skin has none, which means
    /// identity matrices.
    pub(super) accessor: Option<usize>,
    pub(super) at_rest: SkinAtRest,
}

impl LoadedSkin {
    pub(super) fn joint_by_node(&self) -> BTreeMap<usize, usize> {
        self.joints.iter().enumerate().map(|(joint, &node)| (node, joint)).collect()
    }
}

/// Iterates over all skins that can be read.
pub(super) fn load_skins<'a>(
    doc: &'a RawDocument<'_>,
    graph: &'a NodeGraph,
) -> impl Iterator<Item = LoadedSkin> + 'a {
    (0..doc.list("skins").len()).filter_map(move |index| load_skin(doc, graph, index))
}

/// Returns one skin. `None` if it is missing, or if its joints or matrices cannot be read.
pub(super) fn load_skin(
    doc: &RawDocument<'_>,
    graph: &NodeGraph,
    index: usize,
) -> Option<LoadedSkin> {
    let skin = doc.get("skins", index)?;
    let joints: Vec<usize> = get_list(skin, "joints").iter().filter_map(as_usize).collect();
    let accessor = get_usize(skin, "inverseBindMatrices");
    let stored = match accessor {
        Some(accessor) => load_matrices(doc, accessor, joints.len())?,
        None => vec![DMat4::IDENTITY; joints.len()],
    };
    let at_rest = SkinAtRest::new(graph, &joints, &stored)?;
    Some(LoadedSkin { index, joints, accessor, at_rest })
}

/// Returns at most `max_count` matrices of an accessor. `None` if it does not hold 4×4 matrices
/// of floats, or only implicit zeros.
pub(super) fn load_matrices(
    doc: &RawDocument<'_>,
    accessor: usize,
    max_count: usize,
) -> Option<Vec<DMat4>> {
    let elements = read_elements(doc, accessor)?;
    if elements.format.kind.components != 16 || elements.format.component != Component::F32 {
        return None;
    }
    let count = elements.count.min(max_count);
    Some((0..count).map(|at| DMat4::from_cols_array(&elements.vector(at))).collect())
}

/// Returns the angle of a transform's rotation, or `None` if it mirrors or flattens.
pub(super) fn rotation_angle_rad(transform: DMat4) -> Option<f64> {
    let keeps_orientation = DMat3::from_mat4(transform).determinant() > 0.0;
    keeps_orientation.then(|| {
        let (_, rotation, _) = transform.to_scale_rotation_translation();
        2.0 * rotation.w.abs().clamp(0.0, 1.0).acos()
    })
}

/// Formats the angle, scale and distance of a transform.
pub(super) fn describe_transform(transform: DMat4) -> String {
    let distance = transform.w_axis.truncate().length();
    let Some(angle_rad) = rotation_angle_rad(transform) else {
        return format!("mirrored or flattened, and moved by {distance:.3}");
    };
    let angle_deg = angle_rad.to_degrees();
    let (scale, ..) = transform.to_scale_rotation_translation();
    let mut parts = Vec::new();
    if angle_deg > 0.05 {
        parts.push(format!("turned by {angle_deg:.1}°"));
    }
    if (scale - DVec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("scaled by {:.4}", scale.x));
    }
    if distance > 1e-6 {
        parts.push(format!("moved by {distance:.3}"));
    }
    parts.join(" and ")
}
