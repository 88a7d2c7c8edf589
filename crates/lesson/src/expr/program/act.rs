//! What statements do to joints.

use bindpose_skin::JointIndex;
use glam::{DMat4, DQuat, DVec3, DVec4};

use super::statement::Action;
use crate::expr::error::EvalError;
use crate::expr::value::FormulaValue;

/// What statements do to joints. The joint is always one of the rig; what is read
/// afterwards, as `local(j)`, has changed.
pub trait Moves {
    /// Turns it about its own origin, in its own axes, after what has turned it.
    fn rotate(&self, joint: JointIndex, rotation: DQuat);
    /// Moves it along the axes of its parent.
    fn translate(&self, joint: JointIndex, by: DVec3);
    /// Scales it along its own axes.
    fn scale(&self, joint: JointIndex, by: DVec3);
    /// Puts its local transform, the last row of which is 0 0 0 1.
    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4);
    /// Joints from the root to the deepest one: what a global transform takes.
    fn depth(&self) -> u32;
}

/// Does one thing to one joint, with the values that the statement gives.
pub(super) fn act(
    action: Action,
    joint: JointIndex,
    found: &[FormulaValue],
    column: usize,
    moves: &dyn Moves,
) -> Result<(), EvalError> {
    let wrong = |expected: &str, help: &str| EvalError::WrongType {
        expected: expected.to_owned(),
        found: found.first().map_or("nothing", FormulaValue::type_name).to_owned(),
        help: help.to_owned(),
        column,
    };
    match (action, found) {
        (Action::RotateAxis(axis), [FormulaValue::Number(angle)]) => {
            let axis = DVec3::AXES[axis % 3];
            moves.rotate(joint, DQuat::from_axis_angle(axis, *angle));
        }
        (Action::RotateAxis(_), _) => return Err(wrong("an angle", "write 30deg")),
        (Action::Rotate, [FormulaValue::Quat(quat)]) => {
            if quat.length_squared() <= 0.0 {
                return Err(EvalError::NoLength { column });
            }
            moves.rotate(joint, quat.normalize());
        }
        (Action::Rotate, _) => {
            return Err(wrong("a quaternion", "write axis_angle(axis, angle)"));
        }
        (Action::Translate, found) => {
            let by =
                three(found).ok_or_else(|| wrong("three numbers or a vec3", "write 0, 1, 0"))?;
            moves.translate(joint, by);
        }
        (Action::Scale, [FormulaValue::Number(factor)]) => {
            moves.scale(joint, DVec3::splat(*factor));
        }
        (Action::Scale, found) => {
            let by = three(found).ok_or_else(|| wrong("numbers", "write 1, 2, 1"))?;
            moves.scale(joint, by);
        }
        (Action::SetLocal, [FormulaValue::Mat4(matrix)]) => {
            let last = matrix.mat.transpose().w_axis;
            if !last.abs_diff_eq(DVec4::W, 1e-6) {
                let help = "a local transform turns, scales and shifts, and does no more";
                return Err(wrong("a matrix whose last row is 0 0 0 1", help));
            }
            moves.put_local(joint, matrix.mat);
        }
        (Action::SetLocal, _) => {
            return Err(wrong("a matrix", "write translate(x, y, z) * rotate_z(angle)"));
        }
    }
    Ok(())
}

fn three(found: &[FormulaValue]) -> Option<DVec3> {
    match found {
        [FormulaValue::Vec3(vector)] => Some(vector.xyz),
        [FormulaValue::Number(x), FormulaValue::Number(y), FormulaValue::Number(z)] => {
            Some(DVec3::new(*x, *y, *z))
        }
        _ => None,
    }
}
