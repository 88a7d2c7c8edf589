//! Skeletons and parameters that several rigs have in common.

use std::f64::consts::PI;

use bindpose_gltf::{NodePart, Param, ParamKind};
use bindpose_skin::{Joint, JointIndex, Skeleton, SkeletonError, Trs};
use glam::{Mat4, Quat, Vec3};

/// Creates a skeleton without rotations from names, parents and bind positions in world space.
/// The rest pose equals the bind pose.
pub(crate) fn unturned_skeleton(
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

/// Creates a skeleton without rotations, in which each joint is a child of the previous one.
/// Joints are called "`name` 0", "`name` 1" and so on.
pub(crate) fn unturned_chain(
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

/// Creates a parameter for the rotation of a joint about an axis of its frame, within
/// ±`limit_rad`.
pub(crate) fn angle_param(
    name: &str,
    label: &str,
    joint: u16,
    axis: Vec3,
    limit_rad: f64,
) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Angle { joint: JointIndex(joint), axis },
        default: 0.0,
        range: (-limit_rad, limit_rad),
    }
}

/// Creates a parameter `b0`, `b1`, … for the rotation of a joint about z, within ±`limit_rad`.
pub(crate) fn bend_param(joint: u16, limit_rad: f64) -> Param {
    let label = format!("joint {joint}");
    angle_param(&format!("b{joint}"), &label, joint, Vec3::Z, limit_rad)
}

/// Creates a parameter with default 0, within ±`limit`.
pub(crate) fn length_param(name: &str, label: &str, kind: ParamKind, limit: f64) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind,
        default: 0.0,
        range: (-limit, limit),
    }
}

/// Creates the parameters of the node that carries the mesh: translation along x and y within
/// ±`limit` world units, rotation about `axis`, and scale.
pub(crate) fn mesh_node_params(axis: Vec3, limit: f64) -> [Param; 4] {
    let [x, y, turn, size] =
        [NodePart::Shift(0), NodePart::Shift(1), NodePart::Turn(axis), NodePart::Size]
            .map(ParamKind::MeshNode);
    [
        length_param("node_x", "node, x", x, limit),
        length_param("node_y", "node, y", y, limit),
        length_param("node_turn", "node, turn", turn, PI),
        Param {
            default: 1.0,
            range: (0.0, 2.0),
            ..length_param("node_size", "node, size", size, 0.0)
        },
    ]
}

/// Creates a parameter for the scale of a joint along one of its axes (0 for x), or along all.
pub(crate) fn scale_param(name: &str, label: &str, joint: u16, axis: Option<usize>) -> Param {
    Param {
        name: name.to_owned(),
        label: label.to_owned(),
        kind: ParamKind::Scale { joint: JointIndex(joint), axis },
        default: 1.0,
        range: (0.1, 2.0),
    }
}

/// Creates the parameter `squash`, which scales the whole model along an axis of its root (0
/// for x).
pub(crate) fn squash_param(root: u16, axis: usize) -> Param {
    scale_param("squash", "squash", root, Some(axis))
}
