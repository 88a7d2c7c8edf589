//! From the joint numbers of vertices to the nodes of the file.

use bindpose_skin::JointIndex;

use super::{NodeIndex, Rig, SceneGraph, write};

/// What a joint of the rig is to the file that the rig was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointRole {
    /// A joint of a skin.
    OfSkin,
    /// A joint of a skin that stands exactly where another does: two skins, or
    /// two places of one, name the same node.
    Again,
    /// Of no skin: a node above joints or above a mesh, or a part of a matrix
    /// that shears. The program keeps it as a joint; the file does not call it
    /// one.
    Helper,
}

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
    pub fn joint_place(&self, joint: JointIndex) -> Option<JointPlace> {
        let Some(origin) = &self.origin else {
            return (joint.index() < self.skeleton.len()).then(|| JointPlace {
                place: joint.index(),
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

    /// How many skins the file has. Of a rig made in memory, 1.
    pub fn skin_count(&self) -> usize {
        self.origin.as_ref().map_or(1, |origin| origin.graph.skins.len())
    }

    /// The joints of a skin of the file, in the order of its list: that of its palette.
    /// Empty if the skin could not be read. Of a rig made in memory, all joints are those
    /// of skin 0. Returns `None` if there is no such skin.
    pub fn joints_of_skin(&self, skin: usize) -> Option<Vec<JointIndex>> {
        match &self.origin {
            Some(origin) => Some(origin.graph.skins.get(skin)?.ours.clone()),
            None => (skin == 0).then(|| self.skeleton.indices().collect()),
        }
    }

    /// The first skin of the file that could be read; 0 where there is none.
    pub fn first_skin(&self) -> usize {
        let is_read = |&skin: &usize| self.joints_of_skin(skin).is_some_and(|all| !all.is_empty());
        (0..self.skin_count()).find(is_read).unwrap_or(0)
    }

    /// For each of some joints of a skin the nearest of them above it in the file, by its
    /// index in the list; nodes between them are passed over. Of a joint that is listed
    /// twice, the last entry counts.
    pub fn parents_among(&self, joints: &[JointIndex]) -> Vec<Option<usize>> {
        let roles = self.joint_roles();
        let all = self.skeleton.joints();
        // A repeated entry of a joint is a child of its first entry: use that one.
        let of_node = |joint: JointIndex| match roles.get(joint.index()) {
            Some(JointRole::Again) => all[joint.index()].parent.unwrap_or(joint),
            _ => joint,
        };
        let mut places = vec![None; all.len()];
        for (place, &joint) in joints.iter().enumerate() {
            if let Some(of) = places.get_mut(of_node(joint).index()) {
                *of = Some(place);
            }
        }
        let parent = |&joint: &JointIndex| {
            let mut above = self.skeleton.ancestors(of_node(joint));
            above.find_map(|above| places[above.index()])
        };
        joints.iter().map(parent).collect()
    }

    /// What each joint is to the file. Of a rig made in memory, and of a file
    /// without skins, all are joints like any other.
    pub fn joint_roles(&self) -> Vec<JointRole> {
        let count = self.skeleton.len();
        match &self.origin {
            Some(origin) => origin.graph.joint_roles(count),
            None => vec![JointRole::OfSkin; count],
        }
    }

    /// Joints as the file counts them, each once; see [`Self::joint_roles`].
    pub fn joint_count(&self) -> usize {
        let roles = self.joint_roles();
        let of_skins = roles.iter().filter(|&&role| role == JointRole::OfSkin);
        of_skins.count()
    }
}

impl SceneGraph {
    /// As [`Rig::joint_roles`], for a skeleton of so many joints.
    pub fn joint_roles(&self, count: usize) -> Vec<JointRole> {
        let mut roles = vec![JointRole::Helper; count];
        let of_skins = self.skins.iter().flat_map(|skin| skin.joints.iter().zip(&skin.ours));
        for (node, ours) in of_skins {
            let of_node = self.nodes.get(node.index()).and_then(|node| node.joint);
            if let Some(role) = roles.get_mut(ours.index()) {
                *role = match of_node {
                    Some(first) if first != *ours => JointRole::Again,
                    _ => JointRole::OfSkin,
                };
            }
        }
        if roles.iter().all(|&role| role == JointRole::Helper) {
            roles.fill(JointRole::OfSkin);
        }
        roles
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ModelSource, NodeSkin, RigOrigin, SceneGraph, builtin};
    use std::sync::Arc;

    #[test]
    fn roles_tell_joints_of_skins_from_those_that_only_the_program_has() {
        let made = builtin("arm").unwrap();
        assert!(made.joint_roles().iter().all(|&r| r == JointRole::OfSkin));

        // Node 0 stands above node 1, which both skins name.
        let node = |joint: u16| crate::GraphNode {
            name: None,
            parent: None,
            children: Vec::new(),
            local: crate::NodeTransform::Trs(bindpose_skin::Trs::IDENTITY),
            mesh: None,
            skin: None,
            joint: Some(JointIndex(joint)),
        };
        let skin = |ours| NodeSkin {
            joints: vec![NodeIndex(1)],
            ours: vec![JointIndex(ours)],
            ..NodeSkin::default()
        };
        let graph = SceneGraph {
            nodes: vec![node(2), node(0)],
            skins: vec![skin(0), skin(1)],
            ..SceneGraph::default()
        };
        let roles = [JointRole::OfSkin, JointRole::Again, JointRole::Helper];
        assert_eq!(graph.joint_roles(3), roles);

        let without = SceneGraph { skins: Vec::new(), ..graph };
        assert_eq!(without.joint_roles(3), [JointRole::OfSkin; 3]);
    }

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
        let source = ModelSource::default();
        read.origin = Some(Arc::new(RigOrigin { source, graph, notes: Vec::new() }));
        let place = read.joint_place(JointIndex(1)).unwrap();
        assert_eq!(
            (place.skin, place.place, place.node),
            (1, 0, NodeIndex(3)),
            "counted in its own skin"
        );
    }
}
