//! Correspondence between the joints of a rig and the joints and nodes of its file.

use bindpose_skin::JointIndex;

use super::{NodeIndex, Rig, SceneGraph, write};

/// Role of a rig's joint in the file that the rig was read from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointRole {
    /// A joint of a skin.
    OfSkin,
    /// A duplicate of another joint: two skins, or two entries of one skin, list the same
    /// node.
    Again,
    /// A joint that no skin of the file lists: a node above joints or above a mesh, or one
    /// factor of a matrix with shear.
    Helper,
}

/// Location of a joint in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JointPlace {
    /// Index in the skin's list of joints, which is the value that `JOINTS_0` stores.
    pub place: usize,
    /// Index of the skin in the file.
    pub skin: usize,
    /// Node that the skin lists at that index.
    pub node: NodeIndex,
}

impl Rig {
    /// Locates a joint in the file of the rig. For rigs made in memory, in the file that the
    /// writer would create. Returns `None` if no skin lists the joint.
    pub fn joint_place(&self, joint: JointIndex) -> Option<JointPlace> {
        let Some(origin) = &self.origin else {
            return (joint.index() < self.skeleton.len()).then(|| JointPlace {
                place: joint.index(),
                skin: 0,
                node: write::node_of_joint(joint),
            });
        };
        let mut skins = origin.graph.skins.iter().enumerate();
        skins.find_map(|(skin, stored)| {
            let place = stored.ours.iter().position(|&ours| ours == joint)?;
            let node = *stored.joints.get(place)?;
            Some(JointPlace { place, skin, node })
        })
    }

    /// Returns the number of skins in the file, or 1 for a rig made in memory.
    pub fn skin_count(&self) -> usize {
        self.origin.as_ref().map_or(1, |origin| origin.graph.skins.len())
    }

    /// Returns the joints of a skin, in the order of its list and palette. Empty if the skin
    /// could not be read. In a rig made in memory, skin 0 has all joints. Returns `None` if
    /// there is no such skin.
    pub fn joints_of_skin(&self, skin: usize) -> Option<Vec<JointIndex>> {
        match &self.origin {
            Some(origin) => Some(origin.graph.skins.get(skin)?.ours.clone()),
            None => (skin == 0).then(|| self.skeleton.indices().collect()),
        }
    }

    /// Returns the index of the first skin that could be read, or 0 if there is none.
    pub fn first_skin(&self) -> usize {
        (0..self.skin_count())
            .find(|&skin| self.joints_of_skin(skin).is_some_and(|joints| !joints.is_empty()))
            .unwrap_or(0)
    }

    /// Returns, for each of the given joints of a skin, the index in `joints` of its nearest
    /// ancestor among them. Nodes in between are skipped. Of a joint that is listed twice,
    /// the last entry counts.
    pub fn parents_among(&self, joints: &[JointIndex]) -> Vec<Option<usize>> {
        let roles = self.joint_roles();
        let all = self.skeleton.joints();
        // A duplicate of a joint is a child of its first entry: use that one.
        let first_entries: Vec<JointIndex> = joints
            .iter()
            .map(|&joint| match roles.get(joint.index()) {
                Some(JointRole::Again) => all[joint.index()].parent.unwrap_or(joint),
                _ => joint,
            })
            .collect();
        let mut index_of = vec![None; all.len()];
        for (index, joint) in first_entries.iter().enumerate() {
            if let Some(slot) = index_of.get_mut(joint.index()) {
                *slot = Some(index);
            }
        }
        first_entries
            .iter()
            .map(|&joint| {
                let mut ancestors = self.skeleton.ancestors(joint);
                ancestors.find_map(|ancestor| index_of[ancestor.index()])
            })
            .collect()
    }

    /// Returns the role of each joint in the file. In a rig made in memory, or of a file
    /// without skins, all are [`JointRole::OfSkin`].
    pub fn joint_roles(&self) -> Vec<JointRole> {
        let count = self.skeleton.len();
        match &self.origin {
            Some(origin) => origin.graph.joint_roles(count),
            None => vec![JointRole::OfSkin; count],
        }
    }

    /// Returns the number of distinct joints that skins of the file list. See
    /// [`Self::joint_roles`].
    pub fn joint_count(&self) -> usize {
        self.joint_roles().into_iter().filter(|&role| role == JointRole::OfSkin).count()
    }
}

impl SceneGraph {
    /// Like [`Rig::joint_roles`], for a skeleton of `count` joints.
    pub fn joint_roles(&self, count: usize) -> Vec<JointRole> {
        let mut roles = vec![JointRole::Helper; count];
        for skin in &self.skins {
            for (node, joint) in skin.joints.iter().zip(&skin.ours) {
                let first_joint = self.nodes.get(node.index()).and_then(|node| node.joint);
                if let Some(role) = roles.get_mut(joint.index()) {
                    *role = match first_joint {
                        Some(first) if first != *joint => JointRole::Again,
                        _ => JointRole::OfSkin,
                    };
                }
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
    use std::sync::Arc;

    use bindpose_skin::{Joint, Skeleton, Trs};
    use glam::Mat4;

    use crate::{Mesh, ModelSource, NodeSkin, RigOrigin, SceneGraph};

    /// Returns a rig of two joints that is of no file.
    fn made_rig() -> Rig {
        let joint = |name: &str, parent: Option<u16>| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: Mat4::IDENTITY,
        };
        let skeleton = Skeleton::new(vec![joint("upper", None), joint("lower", Some(0))]).unwrap();
        Rig::new("made", "Made", skeleton, Mesh::default())
    }

    #[test]
    fn roles_distinguish_skin_joints_duplicates_and_helpers() {
        let made = made_rig();
        assert!(made.joint_roles().iter().all(|&r| r == JointRole::OfSkin));

        // Node 0 is the parent of node 1, which both skins list.
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
    fn joints_are_located_in_the_file() {
        let made = made_rig();
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
        let mut read = made.clone();
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
