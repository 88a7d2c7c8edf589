//! From the joint numbers of vertices to the nodes of the file.

use super::{NodeIndex, Rig, write};
use crate::skin::JointIndex;

/// Where a file has a joint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPlace {
    /// Its place in the skin's list of joints: what `JOINTS_0` stores.
    pub place: usize,
    /// Which skin of the file.
    pub skin: usize,
    /// The node that the list names there.
    pub node: NodeIndex,
}

impl Rig {
    /// Where the file that the rig was read from has a joint; for rigs made in
    /// memory, the file that is written of them. `None` for joints of no skin.
    #[must_use]
    pub fn joint_place(&self, joint: JointIndex) -> Option<JointPlace> {
        let Some(origin) = &self.origin else {
            return (joint.at() < self.skeleton.len()).then(|| JointPlace {
                place: joint.at(),
                skin: 0,
                node: write::node_of(joint),
            });
        };
        let mut skins = origin.graph.skins.iter().enumerate();
        skins.find_map(|(skin, stored)| {
            let place = stored.ours.iter().position(|&ours| ours == joint)?;
            let node = *stored.joints.get(place)?;
            Some(JointPlace { place, skin, node })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::{NodeSkin, Origin, SceneGraph, Source, builtin};
    use std::sync::Arc;

    #[test]
    fn places_are_those_of_the_file() {
        let made = builtin("simple_skin").unwrap();
        let place = made.joint_place(JointIndex(1)).unwrap();
        assert_eq!((place.place, place.node), (1, NodeIndex(2)));
        assert_eq!(made.joint_place(JointIndex(2)), None);

        let skin = |joints: [u32; 1], ours| NodeSkin {
            joints: joints.map(NodeIndex).to_vec(),
            ours: vec![ours],
            ..NodeSkin::default()
        };
        let graph = SceneGraph {
            skins: vec![skin([7], JointIndex(0)), skin([3], JointIndex(1))],
            ..SceneGraph::default()
        };
        let mut read = (*made).clone();
        let source = Source::default();
        read.origin = Some(Arc::new(Origin {
            source,
            graph,
            notes: Vec::new(),
        }));
        let place = read.joint_place(JointIndex(1)).unwrap();
        assert_eq!(
            (place.skin, place.place, place.node),
            (1, 0, NodeIndex(3)),
            "counted in its own skin"
        );
    }
}
