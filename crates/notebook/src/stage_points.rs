//! Position of the selected vertex at each skinning stage, and descriptions of
//! the picture.

use bindpose_lesson::number_text::point as point_text;
use bindpose_lesson::significant_digits::{self, Magnitude};
use bindpose_skin::{self as skin, Blend, CoordinateFrame, InverseBind, JointIndex, SkinStage};
use glam::Vec3;

use super::{Derived, PageState};

/// Names of the stages, in order.
pub const STAGE_NAMES: [&str; 4] = ["bind space", "joint space", "posed", "blended"];

/// Returns the joint through which the stages show the selected vertex.
pub fn joint_of_view(page: PageState<'_>) -> JointIndex {
    page.document.state.through.unwrap_or_else(|| {
        page.derived
            .influences
            .get(page.document.state.vertex as usize)
            .map(|influences| influences.strongest())
            .unwrap_or_default()
    })
}

/// Formats the position of a vertex at each of the four stages.
pub fn way(derived: &Derived, vertex: usize, joint: JointIndex) -> [String; 4] {
    let Some(&position_in_bind) = derived.stored_positions().get(vertex) else {
        return [const { String::new() }; 4];
    };
    let index = joint.index();
    let joints = &derived.joints;
    let world_from_joint = joints.world_from_joint.get(index).copied().unwrap_or_default();
    let joint_from_bind = joints.used_joint_from_bind.get(index).copied().unwrap_or_default();
    let flat = derived.rig.flat || position_in_bind.z == 0.0;
    SkinStage::ALL.map(|stage| {
        let matrix = if stage == SkinStage::Blended {
            let influences =
                derived.used_influences(vertex).map(|(_, joint, weight)| (joint, weight));
            skin::skin_matrix_of(influences, &derived.joints.world_from_bind)
        } else {
            stage.matrix(world_from_joint, joint_from_bind)
        };
        let position = (matrix * position_in_bind.extend(1.0)).truncate();
        let frame = match stage {
            SkinStage::Bind => CoordinateFrame::Bind,
            SkinStage::Joint => CoordinateFrame::Joint(joint),
            SkinStage::Posed | SkinStage::Blended => CoordinateFrame::World,
        };
        let size = derived.size_in(frame).max(significant_digits::largest(position));
        format_point(position, flat, size)
    })
}

/// Formats a point, without the z of a flat rig if it is 0. `size` is that of
/// the model in the point's frame.
fn format_point(p: Vec3, flat: bool, size: f64) -> String {
    let decimals = significant_digits::decimals(size, 2);
    let flat = flat && f64::from(p.z.abs()) < 5e-4 * significant_digits::unit(size);
    point_text(&p.to_array()[..if flat { 2 } else { 3 }], decimals)
}

/// Describes the picture, and returns true if it is wrong.
pub fn sentence(page: PageState<'_>, joint: JointIndex) -> (String, bool) {
    let document = page.document;
    let through = match page.derived.blend {
        Blend::Only(joint) => format!("the whole mesh through joint {}", joint.0),
        _ => "each vertex through its strongest joint".to_owned(),
    };
    let taken_out = match document.state.inverse_bind {
        InverseBind::LeftOut => "p",
        InverseBind::Inverse | InverseBind::Subtract => "joint_from_bind · p",
    };
    let stage = match document.state.stage {
        SkinStage::Bind => "As stored. No joint has touched it.".to_owned(),
        SkinStage::Joint => {
            format!("{taken_out}: {through}, drawn as if that joint were the origin.")
        }
        SkinStage::Posed => format!("world_from_joint · {taken_out}: {through}."),
        SkinStage::Blended => format!("Σ w · world_from_joint · {taken_out}: all influences."),
    };
    if document.state.stage == SkinStage::Bind {
        return (stage, false);
    }
    match document.state.inverse_bind {
        InverseBind::Inverse => (stage, false),
        InverseBind::LeftOut => {
            (format!("{stage} The inverse bind is left out: the bind position counts twice."), true)
        }
        InverseBind::Subtract => {
            let used = page.derived.joints.used_joint_from_bind.get(joint.index());
            let right = page.derived.joints.joint_from_bind.get(joint.index());
            let agrees = used.zip(right).is_some_and(|(used, right)| {
                let size = page.derived.size_in(CoordinateFrame::Joint(joint));
                Magnitude::from_matrix(right, size).are_near(used, right, 1e-5)
            });
            if agrees {
                (
                    format!(
                        "{stage} Subtracting gives the same here: the bind pose is not rotated."
                    ),
                    false,
                )
            } else {
                (format!("{stage} Subtracting forgets the rotation of the bind pose."), true)
            }
        }
    }
}
