//! Where an engine's palette parts from ours.

use std::error::Error;
use std::fmt;

use glam::Mat4;

use super::differences::{are_equal, cell_name, farthest};
use super::{JointIndex, Skeleton};

/// How two palettes differ, first that of the joint nearest to a root.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteDifference {
    /// They have not as many matrices as there are joints.
    Count {
        /// Joints of the skin.
        joints: usize,
        /// Their matrices.
        theirs: usize,
    },
    /// A joint of the skin has no matrix in ours.
    Missing {
        /// The joint.
        joint: JointIndex,
    },
    /// The numbers are others.
    Number {
        /// The first joint down the hierarchy whose matrix differs: all that are above it
        /// in the skin are right.
        joint: JointIndex,
        /// Its place in their palette.
        place: usize,
        /// Its name, which may be empty.
        name: String,
        /// Where in the matrix the two are farthest apart: 0 to 3.
        row: usize,
        /// 0 to 3; column 3 is the translation.
        column: usize,
        /// Our number there.
        ours: f32,
        /// Theirs.
        theirs: f32,
        /// Of how many joints the matrices differ; at least 1.
        wrong_joints: usize,
        /// Joints of the skin.
        joints: usize,
    },
}

/// Holds an engine's palette against ours. `theirs` has one matrix for each joint of the
/// skin, in its order; `ours` has one for each joint of the skeleton. Any matrices do, as
/// long as both are the same: `world_from_bind`, as shaders get it, or `world_from_joint`.
///
/// Numbers are equal if they differ by what rounding in 32-bit floats does:
/// [`PART`](super::differences::PART) of their size.
///
/// ```
/// use bindpose_skin::{Joint, JointIndex, Skeleton, Trs, compare_palettes, joint_matrices};
/// use glam::{Mat4, Vec3};
///
/// # let joint = |name: &str, parent| Joint {
/// #     name: name.to_owned(),
/// #     parent,
/// #     parent_from_joint_at_rest: Trs::at(Vec3::Y),
/// #     joint_from_bind: Mat4::IDENTITY,
/// # };
/// let (arm, hand) = (JointIndex(0), JointIndex(1));
/// let skeleton = Skeleton::new(vec![joint("arm", None), joint("hand", Some(arm))])?;
/// let world_from_joint = skeleton.world_from_joint(&skeleton.rest_pose());
/// let ours = joint_matrices(&world_from_joint, &skeleton.joint_from_bind());
///
/// // 16 numbers a joint, column by column, as they are uploaded.
/// let uploaded: [f32; 32] = [
///     1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0,
///     1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.5, 0.0, 1.0,
/// ];
/// let theirs: Vec<Mat4> = uploaded.chunks_exact(16).map(Mat4::from_cols_slice).collect();
///
/// let wrong = compare_palettes(&skeleton, &[arm, hand], &ours, &theirs).unwrap_err();
/// assert_eq!(
///     wrong.to_string(),
///     "joint 1 (“hand”): row 2, column 4 is 1.5, and ours is 2; 1 of 2 joints differ, \
///      this one first down the hierarchy"
/// );
/// # Ok::<(), bindpose_skin::SkeletonError>(())
/// ```
///
/// Errors: [`PaletteDifference`].
pub fn compare_palettes(
    skeleton: &Skeleton,
    skin: &[JointIndex],
    ours: &[Mat4],
    theirs: &[Mat4],
) -> Result<(), PaletteDifference> {
    let joints = skin.len();
    if theirs.len() != joints {
        return Err(PaletteDifference::Count { joints, theirs: theirs.len() });
    }
    let mut rank_of = vec![usize::MAX; skeleton.len()];
    for (rank, joint) in skeleton.walk().enumerate() {
        rank_of[joint.index()] = rank;
    }
    let mut wrong = Vec::new();
    for (place, (&joint, theirs)) in skin.iter().zip(theirs).enumerate() {
        let here = skeleton.joints().get(joint.index()).zip(ours.get(joint.index()));
        let Some((known, ours)) = here else {
            return Err(PaletteDifference::Missing { joint });
        };
        if !are_equal(theirs, ours) {
            wrong.push((place, joint, known, ours, theirs));
        }
    }
    let first = wrong.iter().min_by_key(|(_, joint, ..)| rank_of[joint.index()]);
    let Some(&(place, joint, known, ours, theirs)) = first else {
        return Ok(());
    };
    let pairs = ours.to_cols_array().into_iter().zip(theirs.to_cols_array());
    let pairs = pairs.map(|(ours, theirs)| [ours, theirs]);
    let (at, [ours, theirs]) = farthest(pairs.enumerate()).unwrap_or_default();
    Err(PaletteDifference::Number {
        joint,
        place,
        name: known.name.clone(),
        row: at % 4,
        column: at / 4,
        ours,
        theirs,
        wrong_joints: wrong.len(),
        joints,
    })
}

impl fmt::Display for PaletteDifference {
    /// Joints are counted from 0, as in the palette; rows and columns from 1, as on paper.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { joints, theirs } => {
                write!(f, "there are {theirs} matrices, and the skin has {joints} joints")
            }
            Self::Missing { joint } => {
                write!(f, "the skin names joint {}, which is not among ours", joint.index())
            }
            Self::Number {
                place, name, row, column, ours, theirs, wrong_joints, joints, ..
            } => {
                let joint = format!("joint {place}");
                f.write_str(&joint)?;
                if !name.is_empty() && *name != joint {
                    write!(f, " (“{name}”)")?;
                }
                let cell = cell_name(column * 4 + row);
                write!(
                    f,
                    ": {cell} is {theirs}, and ours is {ours}; {wrong_joints} of {joints} joints \
                     differ, this one first down the hierarchy"
                )
            }
        }
    }
}

impl Error for PaletteDifference {}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::{Joint, Trs};

    /// Joint 0 hangs on joint 2, and that on joint 1.
    fn skeleton() -> Skeleton {
        let joint = |parent: Option<u16>| Joint {
            name: String::new(),
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs::at(Vec3::Y),
            joint_from_bind: Mat4::IDENTITY,
        };
        Skeleton::in_any_order(vec![joint(Some(2)), joint(None), joint(Some(1))]).unwrap()
    }

    #[test]
    fn the_first_joint_is_that_above_the_others_wherever_it_is_in_the_list() {
        let skeleton = skeleton();
        let ours = skeleton.world_from_joint(&skeleton.rest_pose());
        let skin = [JointIndex(0), JointIndex(2)];
        let mut theirs = [ours[0], ours[2]];
        assert_eq!(compare_palettes(&skeleton, &skin, &ours, &theirs), Ok(()));
        theirs[0].w_axis.y = 9.0;
        theirs[1].z_axis.y = f32::NAN;
        theirs[1].w_axis.x = 4.0;
        let wrong = compare_palettes(&skeleton, &skin, &ours, &theirs).unwrap_err();
        let PaletteDifference::Number { joint, place, row, column, ours, wrong_joints, .. } = wrong
        else {
            panic!("{wrong}");
        };
        assert_eq!((joint, place, row, column), (JointIndex(2), 1, 1, 2));
        assert_eq!((ours, wrong_joints), (0.0, 2));
    }

    #[test]
    fn rounding_is_no_difference_and_what_is_missing_is() {
        let skeleton = skeleton();
        let ours = skeleton.world_from_joint(&skeleton.rest_pose());
        let skin: Vec<JointIndex> = skeleton.indices().collect();
        let rounded: Vec<Mat4> = ours.iter().map(|matrix| *matrix * (1.0 + 1e-6)).collect();
        assert_eq!(compare_palettes(&skeleton, &skin, &ours, &rounded), Ok(()));
        let told = |skin: &[JointIndex], theirs: &[Mat4]| {
            compare_palettes(&skeleton, skin, &ours, theirs).unwrap_err().to_string()
        };
        assert_eq!(told(&skin, &ours[..2]), "there are 2 matrices, and the skin has 3 joints");
        let beyond = told(&[JointIndex(7)], &ours[..1]);
        assert_eq!(beyond, "the skin names joint 7, which is not among ours");
    }
}
