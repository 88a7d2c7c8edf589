//! The joints of a skin, and forward kinematics from parents to children.

use std::fmt;

use glam::{Mat4, Vec4, Vec4Swizzles as _};

use super::{JointIndex, Pose, Trs};

/// One joint of a skin, as a model file stores it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// The name for display. Not necessarily unique.
    pub name: String,
    /// The parent joint. `None` for a root.
    pub parent: Option<JointIndex>,
    /// Local transform of the rest pose: the transform stored with the node. It may
    /// differ from the bind pose.
    pub parent_from_joint_at_rest: Trs,
    /// The inverse bind matrix, which maps stored vertices to this joint's space.
    pub joint_from_bind: Mat4,
}

/// A validated list of joints: at least one, all of their transforms finite, and none its
/// own ancestor.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// All joints with parents before children. `None` if the list itself has that order.
    parents_first: Option<Vec<JointIndex>>,
}

/// The reason for which a list of joints is not a [`Skeleton`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkeletonError {
    /// The list has no joints.
    Empty,
    /// The list has more joints than 16-bit indices can address. Holds their number.
    TooMany(usize),
    /// A parent comes after its child, in a list that must have parents first.
    ParentNotBefore {
        /// Index of the child in the list.
        joint: usize,
        /// Name of the child, for display.
        name: String,
        /// Index of the parent in the list.
        parent: u16,
    },
    /// A joint has a parent outside the list.
    NoSuchParent {
        /// Index of the child in the list.
        joint: usize,
        /// Index of the missing parent.
        parent: u16,
        /// Number of joints in the list.
        count: usize,
    },
    /// A joint is its own ancestor.
    Cycle {
        /// Index of the joint in the list.
        joint: usize,
    },
    /// A transform of a joint contains NaN or infinity.
    NotFinite {
        /// Index of the joint in the list.
        joint: usize,
        /// Name of the joint, for display.
        name: String,
    },
}

impl fmt::Display for SkeletonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("a skeleton needs at least one joint"),
            Self::TooMany(count) => write!(f, "{count} joints; at most 65,536 can be numbered"),
            Self::ParentNotBefore { joint, name, parent } => write!(
                f,
                "joint {joint} (“{name}”) has the parent {parent}, which does not come before it; sort parents before children"
            ),
            Self::NoSuchParent { joint, parent, count } => {
                write!(f, "joint {joint} has the parent {parent}, but there are {count} joints")
            }
            Self::Cycle { joint } => write!(f, "joint {joint} is among its own ancestors"),
            Self::NotFinite { joint, name } => write!(
                f,
                "joint {joint} (“{name}”) has a number in its transforms that is not finite"
            ),
        }
    }
}

impl std::error::Error for SkeletonError {}

impl Skeleton {
    /// Creates a skeleton from joints in which every parent comes before its children.
    ///
    /// # Errors
    /// Returns [`SkeletonError`] if the list is empty or too long, a transform is not finite,
    /// or a parent does not come before its child.
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        validate_joints(&joints)?;
        for (index, joint) in joints.iter().enumerate() {
            if let Some(parent) = joint.parent
                && parent.index() >= index
            {
                return Err(SkeletonError::ParentNotBefore {
                    joint: index,
                    name: joint.name.clone(),
                    parent: parent.0,
                });
            }
        }
        Ok(Self { joints, parents_first: None })
    }

    /// Creates a skeleton from joints in any order, as a file's skin may list them.
    ///
    /// The joints keep their indices; [`Self::walk`] iterates parents first.
    ///
    /// # Errors
    /// Returns [`SkeletonError`] if the list is empty or too long, a transform is not finite,
    /// a parent is not in the list, or a joint is its own ancestor.
    pub fn in_any_order(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        validate_joints(&joints)?;
        let is_parents_first = joints
            .iter()
            .enumerate()
            .all(|(index, joint)| joint.parent.is_none_or(|parent| parent.index() < index));
        let parents_first =
            if is_parents_first { None } else { Some(sort_parents_first(&joints)?) };
        Ok(Self { joints, parents_first })
    }

    /// Iterates over the indices of all joints, parents before children.
    pub fn walk(&self) -> impl Iterator<Item = JointIndex> + '_ {
        self.indices().map(|index| match &self.parents_first {
            Some(parents_first) => parents_first[index.index()],
            None => index,
        })
    }

    /// Iterates from the parent of `joint` up to its root.
    pub fn ancestors(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        std::iter::successors(self.parent(joint), |&ancestor| self.parent(ancestor))
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.joints.get(joint.index())?.parent
    }

    /// Returns all joints, in the order of their indices.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// Returns the number of joints, which is never 0.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Iterates over the indices of all joints, in rising order.
    pub fn indices(&self) -> impl Iterator<Item = JointIndex> + use<> {
        (0..self.joints.len()).map(|index| JointIndex(u16::try_from(index).unwrap_or(u16::MAX)))
    }

    /// Finds the first joint with the given name. Returns `None` if there is none.
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        self.indices().find(|index| self.joints[index.index()].name == name)
    }

    /// Returns the rest pose, in which the file stores the nodes.
    pub fn rest_pose(&self) -> Pose {
        Pose {
            parent_from_joint: self
                .joints
                .iter()
                .map(|joint| joint.parent_from_joint_at_rest)
                .collect(),
            ..Pose::default()
        }
    }

    /// Returns the stored inverse bind matrices, one per joint.
    pub fn joint_from_bind(&self) -> Vec<Mat4> {
        self.joints.iter().map(|joint| joint.joint_from_bind).collect()
    }

    /// Computes the world matrix of every joint by forward kinematics:
    /// `world_from_joint[j] = world_from_joint[parent(j)] * parent_from_joint[j]`.
    ///
    /// Joints past the end of a shorter pose are at rest.
    pub fn world_from_joint(&self, pose: &Pose) -> Vec<Mat4> {
        let mut world_from_joint = vec![Mat4::IDENTITY; self.joints.len()];
        for index in self.walk().map(JointIndex::index) {
            let joint = &self.joints[index];
            let parent_from_joint = pose
                .matrix(JointIndex(index as u16))
                .unwrap_or_else(|| joint.parent_from_joint_at_rest.matrix());
            world_from_joint[index] = match joint.parent {
                Some(parent) => world_from_joint[parent.index()] * parent_from_joint,
                None => parent_from_joint,
            };
        }
        world_from_joint
    }

    /// Computes [`Self::world_from_joint`] and [`joint_matrices`](super::joint_matrices) in
    /// one pass, into buffers that the caller reuses from frame to frame.
    ///
    /// Overwrites both buffers. If `joint_from_bind` is shorter than the skeleton, so is
    /// `world_from_bind`.
    pub fn joint_matrices_into(
        &self,
        pose: &Pose,
        joint_from_bind: &[Mat4],
        world_from_joint: &mut Vec<Mat4>,
        world_from_bind: &mut Vec<Mat4>,
    ) {
        let count = self.joints.len();
        world_from_joint.resize(count, Mat4::IDENTITY);
        world_from_bind.resize(count.min(joint_from_bind.len()), Mat4::IDENTITY);
        for index in self.walk().map(JointIndex::index) {
            let joint = &self.joints[index];
            let at_rest = &joint.parent_from_joint_at_rest;
            let parent_from_joint = if pose.stretch_in_parent.is_empty() {
                pose.parent_from_joint.get(index).unwrap_or(at_rest).matrix()
            } else {
                pose.matrix(JointIndex(index as u16)).unwrap_or_else(|| at_rest.matrix())
            };
            let world = match joint.parent {
                Some(parent) => {
                    affine_product(&world_from_joint[parent.index()], &parent_from_joint)
                }
                None => parent_from_joint,
            };
            world_from_joint[index] = world;
            if let Some(joint_matrix) = world_from_bind.get_mut(index) {
                *joint_matrix = world * joint_from_bind[index];
            }
        }
    }
}

/// Multiplies two affine matrices. Their last row is 0 0 0 1, which saves a quarter of the
/// products.
#[inline]
fn affine_product(a: &Mat4, b: &Mat4) -> Mat4 {
    Mat4::from_cols(
        transform_direction(a, b.x_axis),
        transform_direction(a, b.y_axis),
        transform_direction(a, b.z_axis),
        transform_direction(a, b.w_axis) + a.w_axis,
    )
}

/// Transforms x, y and z of `v` without the translation.
#[inline]
fn transform_direction(a: &Mat4, v: Vec4) -> Vec4 {
    a.x_axis * v.xxxx() + a.y_axis * v.yyyy() + a.z_axis * v.zzzz()
}

fn validate_joints(joints: &[Joint]) -> Result<(), SkeletonError> {
    if joints.is_empty() {
        return Err(SkeletonError::Empty);
    }
    if joints.len() > usize::from(u16::MAX) + 1 {
        return Err(SkeletonError::TooMany(joints.len()));
    }
    for (index, joint) in joints.iter().enumerate() {
        let rest = joint.parent_from_joint_at_rest.matrix();
        if !(rest.is_finite() && joint.joint_from_bind.is_finite()) {
            return Err(SkeletonError::NotFinite { joint: index, name: joint.name.clone() });
        }
    }
    Ok(())
}

/// Returns the indices of all joints breadth-first from the roots.
fn sort_parents_first(joints: &[Joint]) -> Result<Vec<JointIndex>, SkeletonError> {
    let count = joints.len();
    let mut children: Vec<Vec<JointIndex>> = vec![Vec::new(); count];
    let mut order = Vec::with_capacity(count);
    for (index, joint) in joints.iter().enumerate() {
        let this = JointIndex(index as u16);
        match joint.parent {
            None => order.push(this),
            Some(parent) => children
                .get_mut(parent.index())
                .ok_or(SkeletonError::NoSuchParent { joint: index, parent: parent.0, count })?
                .push(this),
        }
    }
    let mut reached = vec![false; count];
    let mut next = 0;
    while let Some(&index) = order.get(next) {
        reached[index.index()] = true;
        order.extend(&children[index.index()]);
        next += 1;
    }
    match reached.iter().position(|&reached| !reached) {
        None => Ok(order),
        Some(joint) => Err(SkeletonError::Cycle { joint }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(parent: Option<u16>) -> Joint {
        Joint {
            name: "j".to_owned(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::IDENTITY,
            joint_from_bind: Mat4::IDENTITY,
        }
    }

    #[test]
    fn a_parent_after_its_child_is_an_error() {
        let error = Skeleton::new(vec![joint(Some(1)), joint(None)]).unwrap_err();
        assert!(matches!(error, SkeletonError::ParentNotBefore { joint: 0, parent: 1, .. }));
        assert!(Skeleton::new(vec![joint(Some(0))]).is_err(), "own parent");
        assert_eq!(Skeleton::new(vec![]).unwrap_err(), SkeletonError::Empty);
    }

    #[test]
    fn a_file_may_list_children_before_their_parents() {
        let placed = |parent, x| Joint {
            parent_from_joint_at_rest: Trs::at(glam::Vec3::X * x),
            ..joint(parent)
        };
        let joints = vec![placed(Some(2), 1.0), placed(None, 10.0), placed(Some(1), 4.0)];
        let skeleton = Skeleton::in_any_order(joints).unwrap();
        let walk: Vec<u16> = skeleton.walk().map(|index| index.0).collect();
        assert_eq!(walk, [1, 2, 0]);
        let world = skeleton.world_from_joint(&Pose::default());
        let xs: Vec<f32> = world.iter().map(|matrix| matrix.w_axis.x).collect();
        assert_eq!(xs, [15.0, 10.0, 14.0]);

        let cycle = vec![joint(None), joint(Some(2)), joint(Some(1))];
        assert_eq!(Skeleton::in_any_order(cycle).unwrap_err(), SkeletonError::Cycle { joint: 1 });
        assert!(matches!(
            Skeleton::in_any_order(vec![joint(Some(7))]).unwrap_err(),
            SkeletonError::NoSuchParent { parent: 7, .. }
        ));
    }

    #[test]
    fn transforms_that_are_not_finite_are_an_error() {
        let mut bad = joint(None);
        bad.joint_from_bind.w_axis.x = f32::NAN;
        assert!(matches!(Skeleton::new(vec![bad]), Err(SkeletonError::NotFinite { joint: 0, .. })));
    }
}
