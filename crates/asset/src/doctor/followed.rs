//! Which joints of a skin any vertex follows.

use std::collections::BTreeSet;

use super::doc::{Doc, list, whole};
use super::elements::stored_elements;

/// Sets of influences that are looked at.
const MOST_SETS: usize = 16;

/// Joints of one skin, by their places in its list, that some vertex has a weight for.
#[derive(Debug, Default)]
pub(super) struct FollowedJoints(Vec<bool>);

impl FollowedJoints {
    /// By all meshes that are shown with a skin.
    pub(super) fn of_skin(doc: &Doc<'_>, skin: usize) -> Self {
        let nodes = doc.list("nodes").iter();
        let shown = nodes.filter(|node| whole(node, "skin") == Some(skin));
        let meshes: BTreeSet<usize> = shown.filter_map(|node| whole(node, "mesh")).collect();
        let mut seen = BTreeSet::new();
        let mut followed = Self::default();
        for mesh in meshes.into_iter().filter_map(|mesh| doc.one("meshes", mesh)) {
            for attributes in
                list(mesh, "primitives").iter().filter_map(|one| one.get("attributes"))
            {
                for set in 0..MOST_SETS {
                    let named = |name: &str| whole(attributes, &format!("{name}_{set}"));
                    let Some(set) = named("JOINTS").zip(named("WEIGHTS")) else { break };
                    if seen.insert(set) {
                        followed.add_set(doc, set);
                    }
                }
            }
        }
        followed
    }

    pub(super) fn contains(&self, joint: usize) -> bool {
        self.0.get(joint) == Some(&true)
    }

    /// `joints`, `weights`: accessors.
    fn add_set(&mut self, doc: &Doc<'_>, (joints, weights): (usize, usize)) {
        let Some((joints, weights)) =
            stored_elements(doc, joints).zip(stored_elements(doc, weights))
        else {
            return;
        };
        let four = [&joints, &weights].iter().all(|one| one.format.kind.components == 4);
        for vertex in 0..joints.count.min(weights.count) {
            for lane in (0..4).filter(|_| four) {
                let joint = joints.stored(vertex, lane) as usize;
                // Numbers of 16 bits: others are told elsewhere.
                if weights.number(vertex, lane) != 0.0 && u16::try_from(joint).is_ok() {
                    let length = self.0.len().max(joint + 1);
                    self.0.resize(length, false);
                    self.0[joint] = true;
                }
            }
        }
    }
}
