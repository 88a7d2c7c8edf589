//! All skins and moving nodes of a file as one skeleton.
//!
//! First stand the joints of skin 0, in its order, so that their numbers are
//! those of `JOINTS_0`; then those of the other skins. A node that is a joint
//! already gets an alias: a joint that stands on the first one, with an inverse
//! bind matrix of its own. Then come helpers: nodes above joints and above
//! meshes without a skin, those meshes' own nodes, and the first half of every
//! matrix that shears.

use std::collections::BTreeMap;
use std::fmt::Display;

use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};
use glam::Mat4;

use super::accessor::Accessor;
use super::document::GltfDocument;
use super::error::{GltfError, GltfErrorKind};
use super::notes::ReadingNotes;
use super::split::split;
use super::tree::Tree;
use crate::{NodeIndex, NodeSkin, NodeTransform};

/// The skeleton, and who is who.
pub(super) struct SkinJoints {
    pub(super) skeleton: Skeleton,
    /// The joint that follows each node.
    pub(super) of_node: Vec<Option<JointIndex>>,
    /// Nodes whose transform took two joints.
    pub(super) is_split: Vec<bool>,
    /// In the file's order.
    pub(super) skins: Vec<NodeSkin>,
    /// For each node: what the vertices of an unskinned mesh are bound to.
    pub(super) rigid: Vec<Option<JointIndex>>,
}

/// What the skeleton is made for.
pub(super) struct WantedJoints<'a> {
    /// Skins that are shown: faults in others are no reason to stop.
    pub(super) skins: &'a [bool],
    /// Nodes with a mesh, or a part of one, that follows them.
    pub(super) rigid: &'a [bool],
}

/// Builds the skeleton. `None` when no node moves anything.
pub(super) fn joints(
    document: &GltfDocument<'_>,
    tree: &Tree,
    wanted: &WantedJoints<'_>,
    notes: &mut ReadingNotes,
) -> Result<Option<SkinJoints>, GltfError> {
    let count = document.root.nodes.len();
    let mut builder = Builder { document, tree, joints: Vec::new(), of_node: vec![None; count] };
    let mut skins = Vec::new();
    for (index, &shown) in wanted.skins.iter().enumerate() {
        let before = builder.joints.len();
        match builder.skin(index, notes) {
            Ok(skin) => skins.push(skin),
            Err(error) if !shown => {
                builder.forget(before);
                notes.left_out("SKIN_LEFT_OUT", error, "nothing that is shown uses this skin");
                skins.push(NodeSkin::default());
            }
            Err(error) => return Err(error),
        }
    }
    let own = builder.of_node.clone();
    builder.helpers(wanted.rigid);
    let rigid = builder.rigid(wanted.rigid, &own);
    let is_split = builder.place();
    if builder.joints.is_empty() {
        return Ok(None);
    }
    let skeleton = Skeleton::in_any_order(builder.joints).map_err(|error| {
        GltfError::new(
            GltfErrorKind::TooLarge,
            "/nodes",
            "a skeleton that can be held",
            error,
            "open a smaller model, or export the file again",
        )
    })?;
    Ok(Some(SkinJoints { skeleton, of_node: builder.of_node, is_split, skins, rigid }))
}

struct Builder<'a> {
    document: &'a GltfDocument<'a>,
    tree: &'a Tree,
    /// Parents of joints that follow nodes are put in by `place`.
    joints: Vec<Joint>,
    of_node: Vec<Option<JointIndex>>,
}

impl Builder<'_> {
    fn skin(&mut self, index: usize, notes: &mut ReadingNotes) -> Result<NodeSkin, GltfError> {
        let skin = &self.document.root.skins[index];
        let path = format!("/skins/{index}");
        if skin.joints.is_empty() || skin.joints.len() > usize::from(u16::MAX) + 1 {
            return Err(GltfError::new(
                GltfErrorKind::Invalid,
                format_args!("{path}/joints"),
                "1 to 65,536 joints",
                skin.joints.len(),
                "a skin without joints moves nothing; export the file with its armature",
            ));
        }
        let together = self.joints.len() + skin.joints.len();
        if together > usize::from(u16::MAX) + 1 {
            return Err(GltfError::new(
                GltfErrorKind::TooLarge,
                format_args!("{path}/joints"),
                "at most 65,536 joints in all skins",
                together,
                "open a smaller model",
            ));
        }
        let inverse_binds = match skin.inverse_bind_matrices {
            Some(accessor) => {
                let path = format_args!("{path}/inverseBindMatrices");
                inverse_binds(self.document, accessor.value(), &path, skin.joints.len())?
            }
            None => vec![Mat4::IDENTITY; skin.joints.len()],
        };
        let mut read = NodeSkin {
            name: skin.name.clone(),
            has_inverse_binds: skin.inverse_bind_matrices.is_some(),
            ..NodeSkin::default()
        };
        let mut seen = BTreeMap::new();
        for (place, (joint, joint_from_bind)) in skin.joints.iter().zip(inverse_binds).enumerate() {
            let node = joint.value();
            let path = format_args!("{path}/joints/{place}");
            if node >= self.of_node.len() {
                let count = self.of_node.len();
                return Err(GltfError::dangling(path, "nodes", count, node));
            }
            if let Some(other) = seen.insert(node, place) {
                let error = GltfError::new(
                    GltfErrorKind::Invalid,
                    path,
                    "every node once",
                    format_args!("node {node}, as at {other}"),
                    "export the file again",
                );
                notes.left_out("DUPLICATE_JOINT", error, "both follow the same node");
            }
            read.joints.push(NodeIndex(node as u32));
            read.ours.push(self.joint(node, joint_from_bind));
        }
        Ok(read)
    }

    /// A joint that follows a node: the node's own, or an alias of that.
    fn joint(&mut self, node: usize, joint_from_bind: Mat4) -> JointIndex {
        let parent = self.of_node[node];
        let this = JointIndex(u16::try_from(self.joints.len()).unwrap_or(u16::MAX));
        if parent.is_none() {
            self.of_node[node] = Some(this);
        }
        self.joints.push(Joint {
            name: self.name(node),
            parent,
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind,
        });
        this
    }

    /// Takes back all joints from this one on.
    fn forget(&mut self, first: usize) {
        self.joints.truncate(first);
        for joint in &mut self.of_node {
            *joint = joint.filter(|joint| joint.index() < first);
        }
    }

    /// Nodes above joints, and nodes that carry unskinned meshes and what is
    /// above those.
    fn helpers(&mut self, rigid: &[bool]) {
        let mut needed = vec![false; self.of_node.len()];
        for (node, &rigid) in rigid.iter().enumerate() {
            let mut next = (rigid || self.of_node[node].is_some()).then_some(node);
            while let Some(node) = next.filter(|&node| !needed[node]) {
                needed[node] = true;
                next = self.tree.parent(node);
            }
        }
        for node in self.tree.parents_first() {
            if needed[node] && self.of_node[node].is_none() {
                self.joint(node, Mat4::IDENTITY);
            }
        }
    }

    /// What the vertices of unskinned meshes are bound to. `own`: the joints
    /// that skins made, whose inverse bind matrices are the skins'.
    fn rigid(&mut self, rigid: &[bool], own: &[Option<JointIndex>]) -> Vec<Option<JointIndex>> {
        (0..rigid.len())
            .map(|node| match own[node] {
                _ if !rigid[node] => None,
                Some(_) => Some(self.joint(node, Mat4::IDENTITY)),
                None => self.of_node[node],
            })
            .collect()
    }

    /// Gives every node's joint its parent and its transform; answers which
    /// took two joints.
    fn place(&mut self) -> Vec<bool> {
        let mut is_split = vec![false; self.of_node.len()];
        for node in self.tree.parents_first() {
            let Some(joint) = self.of_node[node] else {
                continue;
            };
            let above = self.tree.parent(node);
            let mut parent = above.and_then(|above| self.of_node[above]);
            let trs = match self.tree.locals[node] {
                NodeTransform::Trs(trs) => trs,
                NodeTransform::Matrix(matrix) => match split(matrix) {
                    (trs, None) => trs,
                    (first, Some(last)) => {
                        is_split[node] = true;
                        let index = u16::try_from(self.joints.len()).unwrap_or(u16::MAX);
                        self.joints.push(Joint {
                            name: format!("{} (stretched)", self.name(node)),
                            parent,
                            parent_from_joint_at_rest: first,
                            joint_from_bind: Mat4::IDENTITY,
                        });
                        parent = Some(JointIndex(index));
                        last
                    }
                },
            };
            if let Some(joint) = self.joints.get_mut(joint.index()) {
                joint.parent = parent;
                joint.parent_from_joint_at_rest = trs;
            }
        }
        is_split
    }

    fn name(&self, node: usize) -> String {
        let name = self.document.root.nodes[node].name.clone();
        name.unwrap_or_else(|| format!("node {node}"))
    }
}

fn inverse_binds(
    document: &GltfDocument<'_>,
    accessor: usize,
    path: &dyn Display,
    joints: usize,
) -> Result<Vec<Mat4>, GltfError> {
    let elements = Accessor::new(document, accessor, path)?.expect_fractions()?;
    let over = |over| GltfError::over_budget(over, path);
    document.budget.read(joints, 16).map_err(over)?;
    if elements.count() < joints {
        return Err(GltfError::new(
            GltfErrorKind::OutOfBounds,
            format_args!("{}/count", elements.path()),
            format_args!("a matrix for each of the {joints} joints"),
            elements.count(),
            "export the file again",
        ));
    }
    // There may be more: those of joints that another skin has.
    let matrices = elements.first::<16>(joints)?;
    Ok(matrices.iter().map(Mat4::from_cols_array).collect())
}
