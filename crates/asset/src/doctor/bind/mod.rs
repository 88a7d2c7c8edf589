//! What a skin's inverse bind matrices are, where they are not what they should be.

mod repair;

use bindpose_diagnostic::ModelPlace;
use glam::DMat4;

use super::catalog::{self as fault, DoctorFault};
use super::doc::{Doc, Graph, as_whole, list, whole};
use super::elements::{Component, stored_elements};
use super::findings::Findings;
use repair::SAME;
pub(super) use repair::size_of;
pub use repair::{Axis, BindData, BindExplanation, BindRepair, known_factor};

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
}

impl SkinAtRest {
    /// `joints`: nodes, in the order of the skin. `None` where there are not as many
    /// matrices, or some are no numbers.
    pub(super) fn new(graph: &Graph, joints: &[usize], stored: &[DMat4]) -> Option<Self> {
        if stored.len() != joints.len() || !stored.iter().all(DMat4::is_finite) {
            return None;
        }
        let world = |&node: &usize| graph.world_from_node.get(node).copied();
        let places: std::collections::BTreeMap<usize, usize> =
            joints.iter().enumerate().map(|(place, &node)| (node, place)).collect();
        let parent = |&node: &usize| {
            let mut above = graph.parent(node);
            // A forest: it ends.
            while let Some(node) = above {
                if let Some(&place) = places.get(&node) {
                    return Some(place);
                }
                above = graph.parent(node);
            }
            None
        };
        Some(Self {
            world: joints.iter().map(world).collect::<Option<_>>()?,
            parents: joints.iter().map(parent).collect(),
            stored: stored.to_vec(),
        })
    }

    fn data(&self) -> BindData<'_> {
        let Self { world, parents, stored } = self;
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
        self.data().explained().is_some()
    }

    /// The matrices as they should be, where a repair explains the stored ones.
    pub(super) fn repaired(&self) -> Option<Vec<DMat4>> {
        let data = self.data();
        data.repaired(&data.explained()?.repair)
    }
}

/// Says what the matrices at `pointer` are. False where nothing explains them better
/// than what they should be.
pub(super) fn examine(skin: &SkinAtRest, pointer: &str, found: &mut Findings) -> bool {
    let data = skin.data();
    let Some(explained) = data.explained() else {
        return false;
    };
    let (fault, expected) = said_of(&explained.repair);
    let BindExplanation { repair, stored_residual, residual } = explained;
    let shown = format!(
        "{}: then joint matrices at rest differ by {residual:.0e} of the skeleton’s size; as \
         stored, by {stored_residual:.2}",
        done(&repair)
    );
    found.add(&fault, ModelPlace::at(pointer)).expected(expected, shown);
    true
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
        BindRepair::Mirrored(axis) => format!("they fit with {} mirrored", Axis::name(*axis)),
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

/// All skins of a file whose matrices can be read, with their accessor.
pub(super) fn skins<'a>(
    doc: &'a Doc<'_>,
    graph: &'a Graph,
) -> impl Iterator<Item = (usize, SkinAtRest)> + 'a {
    let accessor = |skin: usize| whole(&doc.list("skins")[skin], "inverseBindMatrices");
    skins_with_joints(doc, graph).filter_map(move |(index, _, skin)| Some((accessor(index)?, skin)))
}

/// The same with their numbers and the nodes of their joints.
pub(super) fn skins_with_joints<'a>(
    doc: &'a Doc<'_>,
    graph: &'a Graph,
) -> impl Iterator<Item = (usize, Vec<usize>, SkinAtRest)> + 'a {
    doc.list("skins").iter().enumerate().filter_map(move |(index, skin)| {
        let joints: Vec<usize> = list(skin, "joints").iter().filter_map(as_whole).collect();
        let accessor = whole(skin, "inverseBindMatrices")?;
        let elements = stored_elements(doc, accessor)?;
        let format = elements.format;
        if format.kind.components != 16 || format.component != Component::F32 {
            return None;
        }
        let count = elements.count.min(joints.len());
        let stored: Vec<DMat4> =
            (0..count).map(|joint| DMat4::from_cols_array(&elements.vector(joint))).collect();
        let skin = SkinAtRest::new(graph, &joints, &stored)?;
        Some((index, joints, skin))
    })
}
