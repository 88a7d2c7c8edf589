//! Mistakes in a skin's inverse bind matrices and in the rotations of its joints, found by
//! comparing them with each other.

mod repair;
mod rotations;

use std::collections::BTreeMap;

use bindpose_diagnostic::ModelPlace;
use bindpose_gltf::Component;
use bindpose_gltf::decoding::values::{as_usize, get_list, get_usize};
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::catalog::{self as fault, DoctorFault};
use super::document::{NodeGraph, RawDocument};
use super::elements::read_elements;
use super::findings::Findings;
use repair::{MAX_EQUAL_RESIDUAL, MIN_WRONG_RESIDUAL};
use rotations::{JointRotations, RotationExplanation, RotationMistake};

pub(super) use repair::skeleton_radius;
pub use repair::{BindData, BindExplanation, BindRepair, MirrorAxis, known_factor};
pub(super) use rotations::rotation_distance_rad;

/// Maximum number of joints that a message lists.
const MAX_LISTED_JOINTS: usize = 12;

/// The joints of one skin at rest with their stored inverse bind matrices.
pub(super) struct SkinAtRest {
    /// `world_from_joint`.
    pub(super) world: Vec<DMat4>,
    /// The nearest ancestor of each joint that is a joint too.
    pub(super) parents: Vec<Option<usize>>,
    /// `joint_from_bind`, as stored.
    pub(super) stored: Vec<DMat4>,
    /// Normalized local rotations, relative to the parent node.
    rotations: Vec<DQuat>,
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

    /// Returns whether a known mistake explains the stored matrices or rotations.
    pub(super) fn is_explained(&self) -> bool {
        self.data().explained().is_some() || self.explain_rotations().is_some()
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

    /// Returns the correct rotations, `parent_from_joint`, with `None` for joints that need no
    /// repair. Returns `None` as a whole if no known mistake explains the stored ones.
    pub(super) fn repaired_rotations(&self) -> Option<Vec<Option<DQuat>>> {
        if self.data().explained().is_some() {
            return None;
        }
        Some(self.explain_rotations()?.corrected)
    }

    /// Returns the correct inverse bind matrices. `None` if no known mistake explains the
    /// stored ones.
    pub(super) fn repaired_binds(&self) -> Option<Vec<DMat4>> {
        let data = self.data();
        data.repaired(&data.explained()?.repair)
    }
}

/// Reports the mistake that explains a skin's inverse bind matrices, which are at `pointer`,
/// or the rotations of its joints.
pub(super) fn examine(skin: &SkinAtRest, pointer: &str, findings: &mut Findings) {
    let place = ModelPlace::at(pointer);
    if let Some(explanation) = skin.data().explained() {
        let BindExplanation { repair, stored_residual, residual } = explanation;
        let (fault, expected) = fault_of(&repair);
        findings.add(&fault, place).expected(
            expected,
            format_args!(
                "{}: then joint matrices at rest differ by {residual:.0e} of the skeleton’s size; \
                 as stored, by {stored_residual:.2}",
                describe_repair(&repair)
            ),
        );
    } else if let Some(explanation) = skin.explain_rotations() {
        let RotationExplanation { mistake, joint_count, mean_distance_deg, .. } = explanation;
        let (fault, correction) = match mistake {
            RotationMistake::WFirst => (fault::NODES_W_FIRST, "read as w, x, y, z".to_owned()),
            RotationMistake::Inverted => (fault::NODES_TURN_BACK, "the other way round".to_owned()),
            RotationMistake::DegreesAsRadians(order) => (
                fault::NODES_OTHER_ANGLES,
                format!("with angles in degrees for radians, {order:?}"),
            ),
            RotationMistake::RadiansAsDegrees(order) => (
                fault::NODES_OTHER_ANGLES,
                format!("with angles in radians for degrees, {order:?}"),
            ),
        };
        findings.add(&fault, place).expected(
            "rotations that fit the inverse bind matrices",
            format_args!(
                "{joint_count} joints turned {mean_distance_deg:.0}° from what their inverse bind \
                 matrices ask for, on average; {correction}, they are what these ask for"
            ),
        );
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
