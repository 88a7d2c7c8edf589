//! The joints of a skin, and the walk from parents to children.

use std::fmt;

use glam::{Mat4, Vec4, Vec4Swizzles as _};

use super::{JointIndex, Pose, Trs};

/// One joint as the file gives it.
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// For people; not necessarily unique.
    pub name: String,
    /// `None` for a root.
    pub parent: Option<JointIndex>,
    /// The rest pose: the transform the file gives to the node. Need not be the
    /// bind pose.
    pub parent_from_joint_at_rest: Trs,
    /// The inverse bind matrix: takes stored vertices into this joint's space.
    pub joint_from_bind: Mat4,
}

/// A checked list of joints: at least one, and none among its own ancestors.
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    joints: Vec<Joint>,
    /// All joints, parents before children; absent: they are in that order.
    walk: Option<Vec<JointIndex>>,
}

/// Why a list of joints is not a skeleton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SkeletonError {
    /// A skin without joints moves nothing.
    Empty,
    /// Joint indices are 16 bits wide.
    TooMany(usize),
    /// The forward loop would read a matrix that is not computed yet.
    ParentNotBefore {
        /// The child.
        joint: usize,
        /// Its name.
        name: String,
        /// The parent it names.
        parent: u16,
    },
    /// A parent that is not in the list.
    NoSuchParent {
        /// The child.
        joint: usize,
        /// The parent it names.
        parent: u16,
        /// How many there are.
        count: usize,
    },
    /// A joint that is its own ancestor.
    Cycle {
        /// Its index.
        joint: usize,
    },
    /// NaN or infinity in a transform.
    NotFinite {
        /// Its index.
        joint: usize,
        /// Its name.
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
    /// Checks and takes the joints; every parent must stand before its children.
    ///
    /// Errors: [`SkeletonError`].
    pub fn new(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        check_each(&joints)?;
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
        Ok(Self { joints, walk: None })
    }

    /// Checks and takes the joints in the order in which a file's skin lists
    /// them: parents may stand after their children.
    ///
    /// Errors: [`SkeletonError`].
    pub fn in_any_order(joints: Vec<Joint>) -> Result<Self, SkeletonError> {
        check_each(&joints)?;
        let parents_first = joints.iter().enumerate();
        let walk = parents_first
            .map(|(index, joint)| joint.parent.is_none_or(|parent| parent.index() < index))
            .any(|sorted| !sorted)
            .then(|| walk(&joints))
            .transpose()?;
        Ok(Self { joints, walk })
    }

    /// Every index once, parents before children.
    pub fn walk(&self) -> impl Iterator<Item = JointIndex> + '_ {
        let sorted = self.walk.as_deref();
        self.indices().map(move |index| sorted.map_or(index, |walk| walk[index.index()]))
    }

    /// All joints above one, the nearest first. Ends: no joint is among its own ancestors.
    pub fn ancestors(&self, joint: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
        let parent = |joint: JointIndex| self.joints.get(joint.index())?.parent;
        std::iter::successors(parent(joint), move |&above| parent(above))
    }

    /// All joints, in order.
    pub fn joints(&self) -> &[Joint] {
        &self.joints
    }

    /// How many joints; never 0.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    pub fn len(&self) -> usize {
        self.joints.len()
    }

    /// Every index, in order.
    pub fn indices(&self) -> impl Iterator<Item = JointIndex> + use<> {
        (0..self.joints.len()).map(|index| JointIndex(u16::try_from(index).unwrap_or(u16::MAX)))
    }

    /// The joint of that name, if there is one.
    pub fn find(&self, name: &str) -> Option<JointIndex> {
        self.indices().find(|index| self.joints[index.index()].name == name)
    }

    /// The pose in which the file stores the nodes.
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

    /// The stored inverse bind matrices.
    pub fn joint_from_bind(&self) -> Vec<Mat4> {
        self.joints.iter().map(|joint| joint.joint_from_bind).collect()
    }

    /// Local matrices multiplied down the hierarchy:
    /// `world_from_joint[j] = world_from_joint[parent(j)] * parent_from_joint[j]`.
    ///
    /// A pose shorter than the skeleton leaves the missing joints at rest.
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

    /// [`Self::world_from_joint`] and [`joint_matrices`](super::joint_matrices) in
    /// one walk, into lists that are kept from frame to frame: what was in them is
    /// gone. Of inverse binds that are missing, the joint matrices are missing.
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
            if let (Some(to), Some(from)) =
                (world_from_bind.get_mut(index), joint_from_bind.get(index))
            {
                *to = world * *from;
            }
        }
    }
}

/// Of matrices whose last row is 0 0 0 1: a quarter of the products is known.
#[inline]
fn affine_product(a: &Mat4, b: &Mat4) -> Mat4 {
    let column = |of: Vec4| a.x_axis * of.xxxx() + a.y_axis * of.yyyy() + a.z_axis * of.zzzz();
    Mat4::from_cols(
        column(b.x_axis),
        column(b.y_axis),
        column(b.z_axis),
        column(b.w_axis) + a.w_axis,
    )
}

fn check_each(joints: &[Joint]) -> Result<(), SkeletonError> {
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

/// All joints from the roots down.
fn walk(joints: &[Joint]) -> Result<Vec<JointIndex>, SkeletonError> {
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
    fn a_parent_after_its_child_is_refused_by_number() {
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
    fn numbers_that_are_not_finite_are_refused() {
        let mut bad = joint(None);
        bad.joint_from_bind.w_axis.x = f32::NAN;
        assert!(matches!(Skeleton::new(vec![bad]), Err(SkeletonError::NotFinite { joint: 0, .. })));
    }
}
