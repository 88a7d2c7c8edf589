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
use glam::{DMat3, DQuat, DVec3, Mat4};

use super::accessor::Accessor;
use super::document::{GltfDocument, Tree};
use super::error::{GltfError, GltfErrorKind as Kind, ReadingNotes};
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
        GltfError::new(Kind::TooLarge, "/nodes")
            .expected("a skeleton that can be held", error)
            .help("open a smaller model, or export the file again")
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
            return Err(GltfError::new(Kind::Invalid, format_args!("{path}/joints"))
                .expected("1 to 65,536 joints", skin.joints.len())
                .help("a skin without joints moves nothing; export the file with its armature"));
        }
        let together = self.joints.len() + skin.joints.len();
        if together > usize::from(u16::MAX) + 1 {
            return Err(GltfError::new(Kind::TooLarge, format_args!("{path}/joints"))
                .expected("at most 65,536 joints in all skins", together)
                .help("open a smaller model"));
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
                let error = GltfError::new(Kind::Invalid, path)
                    .expected("every node once", format_args!("node {node}, as at {other}"));
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
        let moving = (0..rigid.len()).filter(|&node| rigid[node] || self.of_node[node].is_some());
        let needed = self.tree.with_ancestors(moving);
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
        return Err(GltfError::new(Kind::OutOfBounds, format_args!("{}/count", elements.path()))
            .expected(format_args!("a matrix for each of the {joints} joints"), elements.count()));
    }
    // There may be more: those of joints that another skin has.
    let matrices = elements.first::<16>(joints)?;
    Ok(matrices.iter().map(Mat4::from_cols_array).collect())
}

// A matrix as translation, rotation and scale; one that shears, as two of them.

/// Cosines under this count as right angles.
const RIGHT_ANGLE: f64 = 2e-6;
/// Sweeps over the three pairs of columns at most; each squares the error.
const SWEEPS: usize = 16;

/// An affine matrix as the transforms whose product it is: one if it does not
/// shear, else two, of which the second is a rotation. Flat and mirrored ones
/// too.
///
/// By the singular value decomposition `M = U Σ Vᵀ`: the first is `T U Σ`, the
/// second `Vᵀ`. One-sided Jacobi rotations make the columns of `M V = U Σ`
/// orthogonal (Hestenes, "Inversion of matrices by biorthogonalization", 1958).
pub(crate) fn split(parent_from_node: Mat4) -> (Trs, Option<Trs>) {
    let translation = parent_from_node.w_axis.truncate();
    let mut columns = [parent_from_node.x_axis, parent_from_node.y_axis, parent_from_node.z_axis]
        .map(|column| column.truncate().as_dvec3());
    let mut v = DMat3::IDENTITY.to_cols_array_2d().map(DVec3::from_array);
    let mut sheared = false;
    for _ in 0..SWEEPS {
        let mut turned = false;
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            let (a, b) = (columns[p], columns[q]);
            let dot = a.dot(b);
            if dot.abs() <= RIGHT_ANGLE * a.length() * b.length() {
                continue;
            }
            let zeta = (b.length_squared() - a.length_squared()) / (2.0 * dot);
            let t = zeta.signum() / (zeta.abs() + (1.0 + zeta * zeta).sqrt());
            let cos = (1.0 + t * t).sqrt().recip();
            let sin = cos * t;
            for list in [&mut columns, &mut v] {
                let (x, y) = (list[p], list[q]);
                list[p] = x * cos - y * sin;
                list[q] = x * sin + y * cos;
            }
            turned = true;
        }
        sheared |= turned;
        if !turned {
            break;
        }
    }
    let (rotation, scale) = rotation_and_scale(columns);
    let first = Trs { translation, rotation: rotation.as_quat(), scale: scale.as_vec3() };
    let second = sheared.then(|| Trs {
        rotation: DQuat::from_mat3(&DMat3::from_cols(v[0], v[1], v[2]).transpose())
            .normalize()
            .as_quat(),
        ..Trs::IDENTITY
    });
    (first, second)
}

/// Of a matrix with orthogonal columns, of which some may be zero. A mirror is
/// a negative first factor.
fn rotation_and_scale(columns: [DVec3; 3]) -> (DQuat, DVec3) {
    let mut scale = DVec3::from_array(columns.map(DVec3::length));
    let least = 1e-9 * scale.max_element();
    let mut axes = [DVec3::ZERO; 3];
    for at in 0..3 {
        if scale[at] > least {
            axes[at] = columns[at] / scale[at];
        } else {
            scale[at] = 0.0;
        }
    }
    // An axis that is flattened may point anywhere that completes the others.
    for at in 0..3 {
        if axes[at] == DVec3::ZERO {
            let (next, last) = (axes[(at + 1) % 3], axes[(at + 2) % 3]);
            axes[at] = match (next == DVec3::ZERO, last == DVec3::ZERO) {
                (false, false) => next.cross(last),
                (false, true) => next.any_orthonormal_vector(),
                (true, false) => last.any_orthonormal_vector(),
                (true, true) => DVec3::X,
            };
        }
    }
    if axes[0].cross(axes[1]).dot(axes[2]) < 0.0 {
        axes[0] = -axes[0];
        scale.x = -scale.x;
    }
    let rotation = DMat3::from_cols(axes[0], axes[1], axes[2]);
    (DQuat::from_mat3(&rotation).normalize(), scale)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{Quat, Vec3};
    use proptest::prelude::*;

    #[track_caller]
    fn assert_product(matrix: Mat4) -> Option<Trs> {
        let (first, second) = split(matrix);
        let product = first.matrix() * second.unwrap_or_default().matrix();
        let size = matrix.to_cols_array().iter().fold(1.0_f32, |a, x| a.max(x.abs()));
        assert!(product.abs_diff_eq(matrix, 1e-5 * size), "{product} for {matrix}");
        second
    }

    #[test]
    fn what_does_not_shear_is_one_transform_mirrored_or_flat() {
        let turn = Quat::from_rotation_x(0.5) * Quat::from_rotation_z(2.0);
        for scale in [
            Vec3::new(1.0, 2.0, 3.0),
            Vec3::new(1.0, -2.0, 3.0),
            Vec3::new(-1e-3, -2e3, -1.0),
            Vec3::new(0.0, 1.0, 2.0),
            Vec3::new(0.0, 0.0, -2.0),
            Vec3::ZERO,
        ] {
            let matrix = Mat4::from_scale_rotation_translation(scale, turn, Vec3::ONE);
            assert_eq!(assert_product(matrix), None, "{scale}");
        }
    }

    #[test]
    fn what_shears_is_a_stretch_after_a_rotation() {
        let mut sheared = Mat4::from_translation(Vec3::new(4.0, 5.0, 6.0));
        sheared.y_axis.x = 0.7;
        let second = assert_product(sheared).expect("two transforms");
        assert_eq!((second.translation, second.scale), (Vec3::ZERO, Vec3::ONE));
        let mut flat = Mat4::from_cols_array(&[1.0; 16]);
        for column in 0..3 {
            flat.col_mut(column).w = 0.0;
        }
        assert!(assert_product(flat).is_some());
    }

    proptest! {
        #[test]
        fn any_affine_matrix_is_the_product(numbers in prop::array::uniform12(-3.0..3.0_f32)) {
            let [a, b, c, d, e, f, g, h, i, x, y, z] = numbers;
            assert_product(Mat4::from_cols_array(&[
                a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0, x, y, z, 1.0,
            ]));
        }
    }
}
