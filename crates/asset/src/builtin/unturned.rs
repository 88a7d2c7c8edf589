//! Skeletons of joints that are not turned in the bind pose.

use glam::{Mat4, Quat, Vec3};

use bindpose_skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};

/// From names,
/// parents and bind positions in world space. Rest pose and bind pose agree.
pub(super) fn unturned_skeleton(
    joints: impl IntoIterator<Item = (String, Option<u16>, Vec3)>,
) -> Result<Skeleton, SkeletonError> {
    let mut positions: Vec<Vec3> = Vec::new();
    let mut list = Vec::new();
    for (name, parent, position) in joints {
        let parent_position = parent
            .and_then(|parent| positions.get(usize::from(parent)))
            .copied()
            .unwrap_or(Vec3::ZERO);
        list.push(Joint {
            name,
            parent: parent.map(JointIndex),
            parent_from_joint_at_rest: Trs {
                translation: position - parent_position,
                rotation: Quat::IDENTITY,
                scale: Vec3::ONE,
            },
            joint_from_bind: Mat4::from_translation(-position),
        });
        positions.push(position);
    }
    Skeleton::new(list)
}

/// A chain of joints at `positions` in bind space, each below the one before it;
/// they are called "`name` 0", "`name` 1" and so on.
///
/// Errors: as for [`Skeleton::new`].
pub(super) fn unturned_chain(
    name: &str,
    positions: impl IntoIterator<Item = Vec3>,
) -> Result<Skeleton, SkeletonError> {
    unturned_skeleton(
        positions
            .into_iter()
            .zip(0_u16..)
            .map(|(position, index)| (format!("{name} {index}"), index.checked_sub(1), position)),
    )
}
