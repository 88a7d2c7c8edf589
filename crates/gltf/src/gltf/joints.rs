//! Builds one skeleton from all skins of a file.
//!
//! The joints of skin 0 come first, in its order, so that their indices are those of
//! `JOINTS_0`, followed by the joints of the other skins. A node that is a joint already gets
//! an alias: a child of its first joint with an identity transform and its own inverse bind
//! matrix. Helper joints follow: ancestors of joints and of unskinned meshes, the nodes of
//! those meshes, and the first factor of every matrix with shear.

use std::collections::BTreeMap;
use std::fmt::Display;

use bindpose_diagnostic::Diagnostic;
use bindpose_skin::{Joint, JointIndex, Skeleton, Trs};
use glam::Mat4;

use super::accessor::Accessor;
use super::document::{GltfDocument, NodeTree};
use super::error::{ReadingNotes, dangling, gltf_error, over_budget};
use crate::gltf_file::decompose_affine;
use crate::read_error::code;
use crate::{NodeIndex, NodeSkin, NodeTransform};

/// The skeleton of a file, and the correspondence of its joints to nodes.
pub(super) struct SkinJoints {
    pub(super) skeleton: Skeleton,
    /// Joint that follows each node.
    pub(super) of_node: Vec<Option<JointIndex>>,
    /// Whether the transform of each node needed two joints.
    pub(super) is_split: Vec<bool>,
    /// Skins, in the file's order.
    pub(super) skins: Vec<NodeSkin>,
    /// For each node with an unskinned mesh, the joint that its vertices are bound to.
    pub(super) rigid: Vec<Option<JointIndex>>,
}

/// The parts of a file that need joints.
pub(super) struct RequiredJoints<'a> {
    /// Whether each skin is shown. Mistakes in other skins are only noted.
    pub(super) skins: &'a [bool],
    /// Whether each node has an unskinned mesh or primitive.
    pub(super) rigid: &'a [bool],
}

/// Builds the skeleton. Returns `None` if it would have no joints.
pub(super) fn build_joints(
    document: &GltfDocument<'_>,
    tree: &NodeTree,
    required: &RequiredJoints<'_>,
    notes: &mut ReadingNotes,
) -> Result<Option<SkinJoints>, Diagnostic> {
    let count = document.root.nodes.len();
    let mut builder =
        SkeletonBuilder { document, tree, joints: Vec::new(), of_node: vec![None; count] };
    let mut skins = Vec::new();
    for (index, &shown) in required.skins.iter().enumerate() {
        let joint_count = builder.joints.len();
        match builder.add_skin(index, notes) {
            Ok(skin) => skins.push(skin),
            Err(error) if !shown => {
                builder.truncate(joint_count);
                notes.left_out("SKIN_LEFT_OUT", error, "nothing that is shown uses this skin");
                skins.push(NodeSkin::default());
            }
            Err(error) => return Err(error),
        }
    }
    let skin_joints = builder.of_node.clone();
    builder.add_helpers(required.rigid);
    let rigid = builder.add_rigid_joints(required.rigid, &skin_joints);
    let is_split = builder.set_parents_and_transforms();
    if builder.joints.is_empty() {
        return Ok(None);
    }
    let skeleton = Skeleton::in_any_order(builder.joints).map_err(|error| {
        gltf_error(code::GLTF_TOO_LARGE, "/nodes", "a skeleton that can be held", error)
            .help("open a smaller model, or export the file again")
    })?;
    Ok(Some(SkinJoints { skeleton, of_node: builder.of_node, is_split, skins, rigid }))
}

struct SkeletonBuilder<'a> {
    document: &'a GltfDocument<'a>,
    tree: &'a NodeTree,
    /// Parents and transforms are set by `set_parents_and_transforms`, except for aliases.
    joints: Vec<Joint>,
    /// First joint of each node.
    of_node: Vec<Option<JointIndex>>,
}

impl SkeletonBuilder<'_> {
    fn add_skin(&mut self, index: usize, notes: &mut ReadingNotes) -> Result<NodeSkin, Diagnostic> {
        let skin = &self.document.root.skins[index];
        let path = format!("/skins/{index}");
        if skin.joints.is_empty() || skin.joints.len() > usize::from(u16::MAX) + 1 {
            return Err(gltf_error(
                code::GLTF_INVALID,
                format_args!("{path}/joints"),
                "1 to 65,536 joints",
                skin.joints.len(),
            )
            .help("a skin without joints moves nothing; export the file with its armature"));
        }
        let joint_count = self.joints.len() + skin.joints.len();
        if joint_count > usize::from(u16::MAX) + 1 {
            return Err(gltf_error(
                code::GLTF_TOO_LARGE,
                format_args!("{path}/joints"),
                "at most 65,536 joints in all skins",
                joint_count,
            )
            .help("open a smaller model"));
        }
        let inverse_binds = match skin.inverse_bind_matrices {
            Some(accessor) => {
                let path = format_args!("{path}/inverseBindMatrices");
                read_inverse_binds(self.document, accessor.value(), &path, skin.joints.len())?
            }
            None => vec![Mat4::IDENTITY; skin.joints.len()],
        };
        let mut node_skin = NodeSkin {
            name: skin.name.clone(),
            has_inverse_binds: skin.inverse_bind_matrices.is_some(),
            ..NodeSkin::default()
        };
        let mut seen = BTreeMap::new();
        for (index, (joint, joint_from_bind)) in skin.joints.iter().zip(inverse_binds).enumerate() {
            let node = joint.value();
            let path = format_args!("{path}/joints/{index}");
            if node >= self.of_node.len() {
                let count = self.of_node.len();
                return Err(dangling(path, "nodes", count, node));
            }
            if let Some(other) = seen.insert(node, index) {
                let error = gltf_error(
                    code::GLTF_INVALID,
                    path,
                    "every node once",
                    format_args!("node {node}, as at {other}"),
                );
                notes.left_out("DUPLICATE_JOINT", error, "both follow the same node");
            }
            node_skin.joints.push(NodeIndex(node as u32));
            node_skin.ours.push(self.add_joint(node, joint_from_bind));
        }
        Ok(node_skin)
    }

    /// Adds a joint that follows a node. It is an alias if the node has a joint already.
    fn add_joint(&mut self, node: usize, joint_from_bind: Mat4) -> JointIndex {
        let parent = self.of_node[node];
        let index = JointIndex(u16::try_from(self.joints.len()).unwrap_or(u16::MAX));
        if parent.is_none() {
            self.of_node[node] = Some(index);
        }
        self.joints.push(Joint {
            name: self.joint_name(node),
            parent,
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind,
        });
        index
    }

    /// Removes all joints but the first `count`.
    fn truncate(&mut self, count: usize) {
        self.joints.truncate(count);
        for joint in &mut self.of_node {
            *joint = joint.filter(|joint| joint.index() < count);
        }
    }

    /// Adds joints for the nodes of unskinned meshes, and for the ancestors of all joints.
    fn add_helpers(&mut self, rigid: &[bool]) {
        let moving = (0..rigid.len()).filter(|&node| rigid[node] || self.of_node[node].is_some());
        let needed = self.tree.with_ancestors(moving);
        for node in self.tree.parents_first() {
            if needed[node] && self.of_node[node].is_none() {
                self.add_joint(node, Mat4::IDENTITY);
            }
        }
    }

    /// Returns the joint of each unskinned mesh. It must have an identity inverse bind
    /// matrix, so that the joint of a skin gets an alias. `skin_joints` are the joints that
    /// were added by skins.
    fn add_rigid_joints(
        &mut self,
        rigid: &[bool],
        skin_joints: &[Option<JointIndex>],
    ) -> Vec<Option<JointIndex>> {
        let mut joints = Vec::with_capacity(rigid.len());
        for (node, &is_rigid) in rigid.iter().enumerate() {
            joints.push(match skin_joints[node] {
                _ if !is_rigid => None,
                Some(_) => Some(self.add_joint(node, Mat4::IDENTITY)),
                None => self.of_node[node],
            });
        }
        joints
    }

    /// Sets parent and transform of the first joint of each node. Returns, for each node,
    /// whether its transform needed two joints.
    fn set_parents_and_transforms(&mut self) -> Vec<bool> {
        let mut is_split = vec![false; self.of_node.len()];
        for node in self.tree.parents_first() {
            let Some(joint) = self.of_node[node] else {
                continue;
            };
            let mut parent = self.tree.parent(node).and_then(|parent| self.of_node[parent]);
            let trs = match self.tree.locals[node] {
                NodeTransform::Trs(trs) => trs,
                NodeTransform::Matrix(matrix) => match decompose_affine(matrix) {
                    (trs, None) => trs,
                    (first, Some(last)) => {
                        is_split[node] = true;
                        let index = u16::try_from(self.joints.len()).unwrap_or(u16::MAX);
                        self.joints.push(Joint {
                            name: format!("{} (stretched)", self.joint_name(node)),
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

    fn joint_name(&self, node: usize) -> String {
        let name = self.document.root.nodes[node].name.clone();
        name.unwrap_or_else(|| format!("node {node}"))
    }
}

fn read_inverse_binds(
    document: &GltfDocument<'_>,
    accessor: usize,
    path: &dyn Display,
    joints: usize,
) -> Result<Vec<Mat4>, Diagnostic> {
    let elements = Accessor::new(document, accessor, path)?.expect_fractions()?;
    document.budget.read(joints, 16).map_err(|over| over_budget(over, path))?;
    if elements.count() < joints {
        return Err(gltf_error(
            code::GLTF_OUT_OF_BOUNDS,
            format_args!("{}/count", elements.path()),
            format_args!("a matrix for each of the {joints} joints"),
            elements.count(),
        ));
    }
    // There may be more matrices, if skins share the accessor.
    let matrices = elements.read_first::<16>(joints)?;
    Ok(matrices.iter().map(Mat4::from_cols_array).collect())
}
