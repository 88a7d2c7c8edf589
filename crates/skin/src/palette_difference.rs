//! Comparison of another engine's joint palette with ours.

use std::error::Error;
use std::fmt;

use glam::Mat4;

use super::differences::{are_equal, cell_name, farthest};
use super::{JointIndex, Skeleton};

/// The first difference between two palettes, in the order from the roots down.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteDifference {
    /// The number of their matrices is not the number of joints.
    Count {
        /// Number of joints of the skin.
        joints: usize,
        /// Number of matrices in their palette.
        theirs: usize,
    },
    /// A joint of the skin is not in the skeleton or has no matrix in our palette.
    Missing {
        /// Index of the joint in the skeleton.
        joint: JointIndex,
    },
    /// At least one number differs.
    Number {
        /// The first joint down the hierarchy whose matrix differs. The matrices of all its
        /// ancestors in the skin are equal.
        joint: JointIndex,
        /// Index of the joint in the skin and in their palette.
        place: usize,
        /// Name of the joint, which may be empty.
        name: String,
        /// Row of the number that differs most, from 0 to 3.
        row: usize,
        /// Column of the number that differs most, from 0 to 3. Column 3 is the translation.
        column: usize,
        /// The number in our matrix.
        ours: f32,
        /// The number in their matrix.
        theirs: f32,
        /// Number of joints whose matrices differ, at least 1.
        wrong_joints: usize,
        /// Number of joints of the skin.
        joints: usize,
    },
}

/// Compares another engine's palette with ours.
///
/// `skin` lists joints of the skeleton. `theirs` has one matrix per joint of the skin, in its
/// order; `ours` has one per joint of the skeleton. Both hold the same kind of matrix:
/// `world_from_bind`, as uploaded to shaders, or `world_from_joint`.
///
/// Numbers are equal if they differ by no more than rounding in 32-bit floats:
/// [`PART`](super::differences::PART) of their size.
///
/// # Errors
/// Returns [`PaletteDifference`] if the palettes differ.
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
/// let arm = JointIndex(0);
/// let hand = JointIndex(1);
/// let skeleton = Skeleton::new(vec![joint("arm", None), joint("hand", Some(arm))])?;
/// let world_from_joint = skeleton.world_from_joint(&skeleton.rest_pose());
/// let ours = joint_matrices(&world_from_joint, &skeleton.joint_from_bind());
///
/// // 16 numbers per joint, column-major, as uploaded to the GPU.
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
    let mut rank_of_joint = vec![usize::MAX; skeleton.len()];
    for (rank, joint) in skeleton.walk().enumerate() {
        rank_of_joint[joint.index()] = rank;
    }
    let mut different_places = Vec::new();
    for (place, (&joint, theirs)) in skin.iter().zip(theirs).enumerate() {
        let ours = ours.get(joint.index()).filter(|_| joint.index() < skeleton.len());
        let Some(ours) = ours else {
            return Err(PaletteDifference::Missing { joint });
        };
        if !are_equal(theirs, ours) {
            different_places.push(place);
        }
    }
    let first = different_places.iter().min_by_key(|&&place| rank_of_joint[skin[place].index()]);
    let Some(&place) = first else {
        return Ok(());
    };
    let joint = skin[place];
    let our_numbers = ours[joint.index()].to_cols_array();
    let their_numbers = theirs[place].to_cols_array();
    let pairs = our_numbers.into_iter().zip(their_numbers).map(|(ours, theirs)| [ours, theirs]);
    let (index, [ours, theirs]) = farthest(pairs.enumerate()).unwrap_or_default();
    Err(PaletteDifference::Number {
        joint,
        place,
        name: skeleton.joints()[joint.index()].name.clone(),
        row: index % 4,
        column: index / 4,
        ours,
        theirs,
        wrong_joints: different_places.len(),
        joints,
    })
}

impl fmt::Display for PaletteDifference {
    /// Formats joints from 0, as in the palette, but rows and columns from 1, as on paper.
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

    /// A chain in which joint 1 is the root, 2 its child and 0 the child of 2.
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
    fn the_first_difference_is_the_topmost_joint_not_the_first_in_the_list() {
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
    fn rounding_is_not_a_difference_but_missing_matrices_are() {
        let skeleton = skeleton();
        let ours = skeleton.world_from_joint(&skeleton.rest_pose());
        let skin: Vec<JointIndex> = skeleton.indices().collect();
        let rounded: Vec<Mat4> = ours.iter().map(|matrix| *matrix * (1.0 + 1e-6)).collect();
        assert_eq!(compare_palettes(&skeleton, &skin, &ours, &rounded), Ok(()));
        let too_few = compare_palettes(&skeleton, &skin, &ours, &ours[..2]).unwrap_err();
        assert_eq!(too_few.to_string(), "there are 2 matrices, and the skin has 3 joints");
        let missing = compare_palettes(&skeleton, &[JointIndex(7)], &ours, &ours[..1]).unwrap_err();
        assert_eq!(missing.to_string(), "the skin names joint 7, which is not among ours");
    }
}
