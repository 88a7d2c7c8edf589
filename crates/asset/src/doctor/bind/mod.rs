//! What a skin's inverse bind matrices are, where they are not what they should be.

mod repair;

use std::collections::BTreeMap;

use bindpose_diagnostic::ModelPlace;
use glam::{DMat3, DMat4, DQuat, DVec3};

use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, Graph, as_whole, list, whole};
use super::elements::{Component, stored_elements};
use super::findings::Findings;
pub(super) use repair::size_of;
use repair::{APART, SAME, TurnData, TurnExplanation, TurnFault};
pub use repair::{BindData, BindExplanation, BindRepair, MirrorAxis, known_factor};

/// Joints that a sentence names.
const MOST_NAMED: usize = 12;

/// The joints of one skin at rest, and their stored matrices.
pub(super) struct SkinAtRest {
    /// `world_from_joint`.
    pub(super) world: Vec<DMat4>,
    /// The joint above each.
    pub(super) parents: Vec<Option<usize>>,
    /// `joint_from_bind`.
    pub(super) stored: Vec<DMat4>,
    /// Rotations as stored, each in the frame of the node above.
    turns: Vec<DQuat>,
    /// `world_from_parent`, whatever node that is.
    world_from_above: Vec<DMat4>,
    /// Is the node above the joint above, or nothing of the kind?
    is_direct: Vec<bool>,
}

impl SkinAtRest {
    /// `joints`: nodes, in the order of the skin. `None` where there are not as many
    /// matrices, or some are no numbers.
    pub(super) fn new(graph: &Graph, joints: &[usize], stored: &[DMat4]) -> Option<Self> {
        if stored.len() != joints.len() || !stored.iter().all(DMat4::is_finite) {
            return None;
        }
        let world = |&node: &usize| graph.world_from_node.get(node).copied();
        let world = joints.iter().map(world).collect::<Option<Vec<DMat4>>>()?;
        let parents = graph.forest.nearest_above(joints);
        let is_direct = joints.iter().zip(&parents).map(|(&joint, parent)| {
            parent.is_none_or(|parent| graph.forest.named_by(joint) == Some(joints[parent]))
        });
        Some(Self {
            world_from_above: joints.iter().map(|&node| graph.world_from_parent[node]).collect(),
            is_direct: is_direct.collect(),
            turns: joints.iter().map(|&node| graph.turns[node]).collect(),
            stored: stored.to_vec(),
            world,
            parents,
        })
    }

    fn data(&self) -> BindData<'_> {
        let Self { world, parents, stored, .. } = self;
        BindData { world, parents, stored }
    }

    /// The joint matrix that all joints have at rest, if they have one that moves
    /// anything.
    pub(super) fn common(&self) -> Option<DMat4> {
        let data = self.data();
        let is_one = data.residual(&self.stored)? < SAME;
        let common = self.world[0] * self.stored[0];
        (is_one && !common.abs_diff_eq(DMat4::IDENTITY, SAME)).then_some(common)
    }

    /// Are the stored matrices something else than they should be?
    pub(super) fn is_explained(&self) -> bool {
        self.data().explained().is_some() || self.turned().is_some()
    }

    /// What was done to the rotations of joints, where the matrices are far from them.
    fn turned(&self) -> Option<TurnExplanation> {
        let is_apart = self.data().residual(&self.stored)? > APART;
        let Self { turns, world_from_above, parents, is_direct, stored, .. } = self;
        let data = TurnData { turns, world_from_above, parents, is_direct, stored };
        data.explained().filter(|_| is_apart)
    }

    /// Rotations as they should be, `parent_from_joint`, where what was done to the stored
    /// ones is known; absent for joints that are right.
    pub(super) fn repaired_turns(&self) -> Option<Vec<Option<DQuat>>> {
        if self.data().explained().is_some() {
            return None;
        }
        Some(self.turned()?.wanted)
    }

    /// The matrices as they should be, where a repair explains the stored ones.
    pub(super) fn repaired(&self) -> Option<Vec<DMat4>> {
        let data = self.data();
        data.repaired(&data.explained()?.repair)
    }
}

/// Says what the matrices at `pointer` are, where something explains them better than
/// what they should be.
pub(super) fn examine(skin: &SkinAtRest, pointer: &str, found: &mut Findings) {
    let data = skin.data();
    let Some(explained) = data.explained() else {
        examine_turns(skin, pointer, found);
        return;
    };
    let (fault, expected) = said_of(&explained.repair);
    let BindExplanation { repair, stored_residual, residual } = explained;
    let shown = format!(
        "{}: then joint matrices at rest differ by {residual:.0e} of the skeleton’s size; as \
         stored, by {stored_residual:.2}",
        done(&repair)
    );
    found.add(&fault, ModelPlace::at(pointer)).expected(expected, shown);
}

/// Says what the rotations of joints are.
fn examine_turns(skin: &SkinAtRest, pointer: &str, found: &mut Findings) {
    let Some(TurnExplanation { fault, joints, apart_deg, .. }) = skin.turned() else {
        return;
    };
    let (fault, done) = match fault {
        TurnFault::WFirst => (fault::NODES_W_FIRST, "read as w, x, y, z".to_owned()),
        TurnFault::Inverse => (fault::NODES_TURN_BACK, "the other way round".to_owned()),
        TurnFault::DegreesAsRadians(order) => {
            (fault::NODES_OTHER_ANGLES, format!("with angles in degrees for radians, {order:?}"))
        }
        TurnFault::RadiansAsDegrees(order) => {
            (fault::NODES_OTHER_ANGLES, format!("with angles in radians for degrees, {order:?}"))
        }
    };
    let shown = format!(
        "{joints} joints turned {apart_deg:.0}° from what their inverse bind matrices ask for, on \
         average; {done}, they are what these ask for"
    );
    let expected = "rotations that fit the inverse bind matrices";
    found.add(&fault, ModelPlace::at(pointer)).expected(expected, shown);
}

/// The fault that a repair mends, and what is expected.
fn said_of(repair: &BindRepair) -> (DoctorFault, &'static str) {
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

/// What makes them fit.
fn done(repair: &BindRepair) -> String {
    match repair {
        BindRepair::Reordered(order) => {
            let all: Vec<String> = order.iter().take(MOST_NAMED).map(usize::to_string).collect();
            let more = if order.len() > MOST_NAMED { ", …" } else { "" };
            format!("they fit in the order {}{more}", all.join(", "))
        }
        BindRepair::Inverted => "they fit inverted".to_owned(),
        BindRepair::Accumulated => "they fit multiplied down the chain".to_owned(),
        BindRepair::Transposed => "they fit transposed".to_owned(),
        BindRepair::OtherSide => "they fit with their common transform on the right".to_owned(),
        BindRepair::Mirrored(axis) => format!("they fit with {} mirrored", MirrorAxis::name(*axis)),
        BindRepair::Turned(quarters) => {
            format!("they fit turned by {}° about x", 90 * i32::from(*quarters))
        }
        BindRepair::Scaled(factor) => {
            format!("they fit with translations times {}", factor_words(*factor))
        }
    }
}

/// What a factor of units is; those that programs mix up by their names.
fn factor_words(factor: f64) -> String {
    match known_factor(factor) {
        Some((known, words)) => format!("{known}, which turns {words}"),
        None => format!("{factor:.4}"),
    }
}

/// A skin whose joints and matrices can be read.
pub(super) struct SkinRead {
    /// Its number.
    pub(super) index: usize,
    /// Nodes.
    pub(super) joints: Vec<usize>,
    /// Of its inverse bind matrices; absent where it has none.
    pub(super) accessor: Option<usize>,
    pub(super) at_rest: SkinAtRest,
}

impl SkinRead {
    pub(super) fn joint_of_node(&self) -> BTreeMap<usize, usize> {
        self.joints.iter().enumerate().map(|(joint, &node)| (node, joint)).collect()
    }
}

/// All skins whose matrices can be read.
pub(super) fn skins<'a>(doc: &'a Doc<'_>, graph: &'a Graph) -> impl Iterator<Item = SkinRead> + 'a {
    (0..doc.list("skins").len()).filter_map(move |index| skin(doc, graph, index))
}

/// One skin. `None` if its matrices cannot be read; of one without, they are the identity.
pub(super) fn skin(doc: &Doc<'_>, graph: &Graph, index: usize) -> Option<SkinRead> {
    let skin = doc.one("skins", index)?;
    let joints: Vec<usize> = list(skin, "joints").iter().filter_map(as_whole).collect();
    let accessor = whole(skin, "inverseBindMatrices");
    let stored = match accessor {
        Some(accessor) => stored_matrices(doc, accessor, joints.len())?,
        None => vec![DMat4::IDENTITY; joints.len()],
    };
    let at_rest = SkinAtRest::new(graph, &joints, &stored)?;
    Some(SkinRead { index, joints, accessor, at_rest })
}

/// The matrices in an accessor, `most` of them at most. `None` where it holds no matrices
/// of floats, or nothing but zeros.
pub(super) fn stored_matrices(doc: &Doc<'_>, accessor: usize, most: usize) -> Option<Vec<DMat4>> {
    let elements = stored_elements(doc, accessor)?;
    let format = elements.format;
    if format.kind.components != 16 || format.component != Component::F32 {
        return None;
    }
    let matrix = |at: usize| DMat4::from_cols_array(&elements.vector(at));
    Some((0..elements.count.min(most)).map(matrix).collect())
}

/// The angle of a transform; `None` where it mirrors or flattens.
pub(super) fn turned_rad(transform: DMat4) -> Option<f64> {
    (DMat3::from_mat4(transform).determinant() > 0.0).then(|| {
        let (_, rotation, _) = transform.to_scale_rotation_translation();
        2.0 * rotation.w.abs().clamp(0.0, 1.0).acos()
    })
}

/// A transform in numbers.
pub(super) fn transform_words(transform: DMat4) -> String {
    let shift = transform.w_axis.truncate().length();
    let Some(angle) = turned_rad(transform).map(f64::to_degrees) else {
        return format!("mirrored or flattened, and moved by {shift:.3}");
    };
    let (scale, ..) = transform.to_scale_rotation_translation();
    let mut parts = Vec::new();
    if angle > 0.05 {
        parts.push(format!("turned by {angle:.1}°"));
    }
    if (scale - DVec3::ONE).abs().max_element() > 1e-3 {
        parts.push(format!("scaled by {:.4}", scale.x));
    }
    if shift > 1e-6 {
        parts.push(format!("moved by {shift:.3}"));
    }
    parts.join(" and ")
}
