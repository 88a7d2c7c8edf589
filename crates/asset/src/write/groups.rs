//! Which parts of a rig make a mesh of the file, on which node, and in which skin.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use bindpose_skin::JointIndex;
use glam::Mat4;

use super::nodes::Nodes;
use super::primitives::places;
use super::shown::OpenRig;
use crate::MeshPart;

/// The parts of one mesh of the file.
pub(super) struct PartGroup<'a> {
    /// The node that carries it.
    pub(super) node: usize,
    /// `None`: it moves with its node.
    pub(super) skin: Option<usize>,
    /// Each with its place among the parts that are written; at least one.
    pub(super) parts: Vec<(usize, &'a MeshPart)>,
}

/// A mesh for each node and skin. Parts that one node carries in different skins
/// come onto nodes of their own.
pub(super) fn groups<'a>(
    shown: &OpenRig<'_>,
    parts: &'a [Cow<'_, MeshPart>],
    nodes: &mut Nodes,
) -> Vec<PartGroup<'a>> {
    let mut binder = Binder { shown, used: BTreeMap::new(), made: BTreeMap::new() };
    let mut groups: Vec<PartGroup<'a>> = Vec::new();
    let mut known = BTreeMap::new();
    for (place, part) in parts.iter().enumerate() {
        let (node, skin) = binder.bind(part, nodes);
        let group = *known.entry((node, skin)).or_insert_with(|| {
            groups.push(PartGroup { node, skin, parts: Vec::new() });
            groups.len() - 1
        });
        groups[group].parts.push((place, part));
    }
    let mut taken = BTreeSet::new();
    for group in &mut groups {
        if !taken.insert(group.node) {
            let name = nodes.list[group.node].name.clone();
            group.node = nodes.push_plain(name, Some(group.node));
        }
    }
    groups
}

/// Finds the skin for each part.
struct Binder<'a> {
    shown: &'a OpenRig<'a>,
    /// Joints at work on a range of vertices: parts may share it.
    used: BTreeMap<(u32, u32), BTreeSet<JointIndex>>,
    /// Skins that the rig's file does not have.
    made: BTreeMap<Vec<JointIndex>, usize>,
}

impl Binder<'_> {
    /// The node for a part, and the skin; none where all vertices follow one
    /// joint, as those of a mesh without a skin do.
    fn bind(&mut self, part: &MeshPart, nodes: &mut Nodes) -> (usize, Option<usize>) {
        let key = (part.vertices.start, part.vertices.end);
        let used = self.used.entry(key).or_insert_with(|| joints_of(self.shown, &part.vertices));
        let node = part.node.index();
        if part.skin.is_none()
            && used.len() == 1
            && let Some(joint) = used.first()
            && self.shown.joint_from_bind.get(joint.index()) == Some(&Mat4::IDENTITY)
        {
            return (nodes.of_joint[joint.index()], None);
        }
        let stored = part.skin.and_then(|skin| nodes.skin_of.get(skin).copied().flatten());
        if let Some(skin) = stored {
            let joints: BTreeSet<JointIndex> = nodes.skins[skin].joints.iter().copied().collect();
            if used.is_subset(&joints) {
                return (node, Some(skin));
            }
        }
        if used.is_empty() {
            return (node, None);
        }
        let joints: Vec<JointIndex> = used.iter().copied().collect();
        let made = self.made.entry(joints);
        let skin = *made.or_insert_with_key(|joints| nodes.push_skin(joints.clone()));
        (node, Some(skin))
    }
}

fn joints_of(shown: &OpenRig<'_>, vertices: &Range<u32>) -> BTreeSet<JointIndex> {
    let mut joints = BTreeSet::new();
    let mut used = Vec::new();
    let mut last = None;
    for vertex in places(vertices) {
        shown.used(vertex, &mut used);
        for &(joint, _) in &used {
            if last != Some(joint) {
                joints.insert(joint);
                last = Some(joint);
            }
        }
    }
    joints
}
