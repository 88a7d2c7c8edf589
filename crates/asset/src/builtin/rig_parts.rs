//! What several rigs have: skeletons whose joints are not turned in the bind pose, and
//! parameters.

use std::f64::consts::PI;

use bindpose_skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};
use glam::{Mat4, Quat, Vec3};

use crate::{NodePart, Param, ParamKind};

/// From names, parents and bind positions in world space. Rest pose and bind pose agree.
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

// Parameters that several rigs have: angles, lengths, scales.

/// An angle about one axis of a joint, ±`limit_rad`.
pub(super) fn angle(name: &str, label: &str, joint: u16, axis: Vec3, limit_rad: f64) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Angle { joint: JointIndex(joint), axis },
        default: 0.0,
        range: (-limit_rad, limit_rad),
    }
}

/// Turns a joint of a chain about z, by up to `limit_rad` either way: `b0` for joint 0.
pub(super) fn bend(joint: u16, limit_rad: f64) -> Param {
    let label = format!("joint {joint}");
    angle(&format!("b{joint}"), &label, joint, Vec3::Z, limit_rad)
}

/// A distance in world units, from 0, up to ±`limit`.
pub(super) fn length(name: &str, label: &str, kind: ParamKind, limit: f64) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind,
        default: 0.0,
        range: (-limit, limit),
    }
}

/// All that moves the node that carries the mesh: along x and y up to ±`limit`
/// world units, about `axis`, in size.
pub(super) fn mesh_node(axis: Vec3, limit: f64) -> [Param; 4] {
    let part = |name: &str, label: &str, part, limit| {
        length(name, label, ParamKind::MeshNode(part), limit)
    };
    [
        part("node_x", "node, x", NodePart::Shift(0), limit),
        part("node_y", "node, y", NodePart::Shift(1), limit),
        part("node_turn", "node, turn", NodePart::Turn(axis), PI),
        Param {
            default: 1.0,
            range: (0.0, 2.0),
            ..part("node_size", "node, size", NodePart::Size, 0.0)
        },
    ]
}

/// A factor along one axis of a joint, 0 is x, or along all.
pub(super) fn scale(name: &str, label: &str, joint: u16, axis: Option<usize>) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Scale { joint: JointIndex(joint), axis },
        default: 1.0,
        range: (0.1, 2.0),
    }
}

/// Of the whole, along an axis of its first joint: 0 is x.
pub(super) fn squash(root: u16, axis: usize) -> Param {
    scale("squash", "squash", root, Some(axis))
}
