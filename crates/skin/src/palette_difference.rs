//! Where an engine's palette parts from ours.

use std::error::Error;
use std::fmt;

use glam::Mat4;

use super::differences::{are_equal, cell_name, farthest};
use super::{JointIndex, Skeleton};

/// How two palettes differ, first that of the joint nearest to a root.
#[derive(Clone, Debug, PartialEq)]
pub enum PaletteDifference {
    /// They have not as many matrices as the skeleton has joints.
    Count {
        /// Joints of the skeleton.
        joints: usize,
        /// Our matrices.
        ours: usize,
        /// Theirs.
        theirs: usize,
    },
    /// The numbers are others.
    Number {
        /// Joints of the skeleton.
        joints: usize,
        /// The first joint down the hierarchy whose matrix differs: all joints above it
        /// are right.
        joint: JointIndex,
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
        /// In how many joints the palettes differ; at least 1.
        wrong_joints: usize,
    },
}

/// Holds an engine's palette against ours: one matrix for each joint, in the order of the
/// skeleton, which is that of the file's skin. Any matrices do, as long as both are the
/// same: `world_from_bind` as a shader gets them, or `world_from_joint`.
///
/// Numbers are equal if they differ by what rounding in 32-bit floats does,
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
/// let skeleton = Skeleton::new(vec![joint("arm", None), joint("hand", Some(JointIndex(0)))])?;
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
/// let wrong = compare_palettes(&skeleton, &ours, &theirs).unwrap_err();
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
    ours: &[Mat4],
    theirs: &[Mat4],
) -> Result<(), PaletteDifference> {
    let joints = skeleton.len();
    if ours.len() != joints || theirs.len() != joints {
        let (ours, theirs) = (ours.len(), theirs.len());
        return Err(PaletteDifference::Count { joints, ours, theirs });
    }
    let is_wrong = |joint: &JointIndex| !are_equal(&theirs[joint.index()], &ours[joint.index()]);
    let mut wrong = skeleton.walk().filter(is_wrong);
    let Some(first) = wrong.next() else {
        return Ok(());
    };
    let wrong_joints = 1 + wrong.count();
    let [ours, theirs] = [ours, theirs].map(|palette| palette[first.index()].to_cols_array());
    let pairs = ours.into_iter().zip(theirs).map(|(ours, theirs)| [ours, theirs]);
    let (at, [ours, theirs]) = farthest(pairs.enumerate()).unwrap_or_default();
    Err(PaletteDifference::Number {
        joints,
        joint: first,
        name: skeleton.joints()[first.index()].name.clone(),
        row: at % 4,
        column: at / 4,
        ours,
        theirs,
        wrong_joints,
    })
}

impl fmt::Display for PaletteDifference {
    /// Rows and columns are counted from 1, as on paper.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count { joints, ours, theirs } => write!(
                f,
                "there are {theirs} matrices, and ours are {ours}; the skeleton has {joints} joints"
            ),
            Self::Number { joints, joint, name, row, column, ours, theirs, wrong_joints } => {
                write!(f, "joint {}", joint.index())?;
                if !name.is_empty() {
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
        assert_eq!(compare_palettes(&skeleton, &ours, &ours), Ok(()));
        let mut theirs = ours.clone();
        theirs[0].w_axis.y = 9.0;
        theirs[2].z_axis.y = f32::NAN;
        theirs[2].w_axis.x = 4.0;
        let wrong = compare_palettes(&skeleton, &ours, &theirs).unwrap_err();
        let PaletteDifference::Number { joint, row, column, ours, wrong_joints, .. } = wrong else {
            panic!("{wrong}");
        };
        assert_eq!((joint, row, column, ours, wrong_joints), (JointIndex(2), 1, 2, 0.0, 2));
    }

    #[test]
    fn rounding_is_no_difference_and_a_palette_cut_short_is() {
        let skeleton = skeleton();
        let ours = skeleton.world_from_joint(&skeleton.rest_pose());
        let rounded: Vec<Mat4> = ours.iter().map(|matrix| *matrix * (1.0 + 1e-6)).collect();
        assert_eq!(compare_palettes(&skeleton, &ours, &rounded), Ok(()));
        let short = compare_palettes(&skeleton, &ours, &ours[..2]).unwrap_err();
        assert_eq!(
            short.to_string(),
            "there are 2 matrices, and ours are 3; the skeleton has 3 joints"
        );
    }
}
