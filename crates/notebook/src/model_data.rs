//! What stands in the place of the model's own data: put, copied, listed and taken
//! away, for edits, settings, steps and links alike.

use bindpose_asset::Rig;
use bindpose_lesson::{DataEdit, JointName};
use bindpose_skin::{Influences, JointIndex};
use glam::{Mat4, Quat, Vec3};

use super::file_bytes::put_bytes;
use super::joint_name::joint_number;
use super::posing::JointMove;
use super::refused::{known_joint, known_vertex};
use super::{EditError, InfluencesEdit, InverseBindEdit, StepState, TexelEdits, joint_index};

/// Puts what a step, a link or a solution says of the data behind the picture.
///
/// Fails when the rig has no such vertex, joint or byte; nothing is changed then.
pub(super) fn put_data(state: &mut StepState, edit: &DataEdit, rig: &Rig) -> Result<(), EditError> {
    match edit {
        DataEdit::Weights(vertex, weights) => {
            let now = named_influences(state, rig, *vertex)?;
            let weights = *weights;
            store_influences(state, rig, *vertex, Influences { weights, ..now });
        }
        DataEdit::Joints(vertex, joints) => {
            let now = named_influences(state, rig, *vertex)?;
            let mut put = now.joints;
            for (place, name) in put.iter_mut().zip(joints) {
                let joint = joint_number(name, rig)?;
                // An unused lane may hold what no joint has.
                if joint != *place {
                    known_joint(joint, rig)?;
                }
                *place = joint;
            }
            store_influences(state, rig, *vertex, Influences { joints: put, ..now });
        }
        DataEdit::InverseBind(joint, cells) => {
            store_inverse_bind(state, rig, joint_index(joint, rig)?, *cells);
        }
        DataEdit::Texel(joint, column, texel) => {
            let edits = state.texels.entry(joint_index(joint, rig)?).or_default();
            *edits.0.get_mut(*column).ok_or(EditError::NoTexel)? = Some(*texel);
        }
        DataEdit::Bytes { buffer, offset, bytes } => {
            put_bytes(state, rig, *buffer, *offset, bytes)?;
        }
        DataEdit::Turn(joint, turn) => {
            let joint = joint_index(joint, rig)?;
            let rotation = unit(Quat::from_array(*turn));
            put_move(state, joint, |all| all.rotation = rotation);
        }
        DataEdit::Shift(joint, by) => {
            let joint = joint_index(joint, rig)?;
            let translation = Vec3::from(*by);
            put_move(state, joint, |all| all.translation = translation);
        }
    }
    Ok(())
}

/// All data as the model has it.
pub(super) fn clear_data(state: &mut StepState) {
    copy_all_data(state, &StepState::default());
}

/// Puts all data to what it is in `from`.
pub(super) fn copy_all_data(to: &mut StepState, from: &StepState) {
    to.weights.clone_from(&from.weights);
    to.inverse_binds.clone_from(&from.inverse_binds);
    to.texels.clone_from(&from.texels);
    to.joint_moves.clone_from(&from.joint_moves);
    to.bytes.clone_from(&from.bytes);
}

/// Puts what an edit names to what it is in `from`: of a vertex its weights and
/// their joints. What the rig does not have stays as it is.
pub(super) fn copy_data(to: &mut StepState, from: &StepState, edit: &DataEdit, rig: &Rig) {
    match edit {
        DataEdit::Weights(vertex, _) | DataEdit::Joints(vertex, _) => {
            match from.weights.get(*vertex) {
                Some(&edit) => to.weights.insert(*vertex, edit),
                None => to.weights.remove(*vertex),
            }
        }
        DataEdit::InverseBind(joint, _) => {
            let Ok(joint) = joint_number(joint, rig) else {
                return;
            };
            match from.inverse_binds.get(&joint) {
                Some(&edit) => drop(to.inverse_binds.insert(joint, edit)),
                None => drop(to.inverse_binds.remove(&joint)),
            }
        }
        DataEdit::Texel(joint, column, _) => {
            let Ok(joint) = joint_number(joint, rig) else {
                return;
            };
            let texel = from.texels.get(&joint).and_then(|edits| edits.0.get(*column));
            put_texel(to, joint, *column, texel.copied().flatten());
        }
        DataEdit::Bytes { buffer, offset, bytes } => {
            for nth in 0..bytes.len() as u32 {
                let at = offset.saturating_add(nth);
                match from.bytes.get(*buffer, at) {
                    Some(byte) => to.bytes.put(*buffer, at, byte),
                    None => to.bytes.remove(*buffer, at),
                }
            }
        }
        DataEdit::Turn(joint, _) | DataEdit::Shift(joint, _) => {
            let Ok(joint) = joint_number(joint, rig) else {
                return;
            };
            let theirs = from.joint_moves.get(&joint).copied().unwrap_or_default();
            put_move(to, joint, |all| match edit {
                DataEdit::Turn(..) => all.rotation = theirs.rotation,
                _ => all.translation = theirs.translation,
            });
        }
    }
}

/// Everything that stands in the place of the model's own data, in a lasting
/// order.
pub(super) fn data_edits<'a>(
    state: &'a StepState,
    rig: &'a Rig,
) -> impl Iterator<Item = DataEdit> + 'a {
    let bytes = state.bytes.runs().into_iter();
    let bytes = bytes.map(|(buffer, offset, bytes)| DataEdit::Bytes { buffer, offset, bytes });
    let weights = state.weights.iter();
    let weights = weights.flat_map(|(vertex, edit)| {
        let stored = rig.mesh.of_file().get(vertex as usize);
        // Beside other weights, those of the file are not there to be left as they are.
        let other = stored.is_none_or(|stored| stored.weights != edit.weights)
            || !state.weights_by.is_stored();
        let joints = edit.joints.map(|joints| joints.map(JointName::from));
        let joints = joints.map(|joints| DataEdit::Joints(vertex, joints));
        let weights = other.then_some(DataEdit::Weights(vertex, edit.weights));
        joints.into_iter().chain(weights)
    });
    let inverse_binds = state.inverse_binds.iter();
    let inverse_binds =
        inverse_binds.map(|(&joint, edit)| DataEdit::InverseBind(joint.into(), edit.0));
    let texels = state.texels.iter();
    let texels = texels.flat_map(|(joint, TexelEdits(columns))| {
        let texel = |(column, texel): (usize, &Option<_>)| {
            texel.map(|texel| DataEdit::Texel((*joint).into(), column, texel))
        };
        columns.iter().enumerate().filter_map(texel)
    });
    let moves = state.joint_moves.iter();
    let moves = moves.flat_map(|(&joint, by)| {
        let turned = by.rotation != Quat::IDENTITY;
        let turn = turned.then(|| DataEdit::Turn(joint.into(), by.rotation.to_array()));
        let moved = by.translation != Vec3::ZERO;
        let shift = moved.then(|| DataEdit::Shift(joint.into(), by.translation.to_array()));
        turn.into_iter().chain(shift)
    });
    let data = bytes.chain(weights).chain(inverse_binds).chain(texels);
    data.chain(moves)
}

/// Changes what is done to a joint by hand; one to which nothing is done has no entry.
pub(super) fn put_move(
    state: &mut StepState,
    joint: JointIndex,
    change: impl FnOnce(&mut JointMove),
) {
    let mut by = state.joint_moves.get(&joint).copied().unwrap_or_default();
    change(&mut by);
    if by == JointMove::default() {
        state.joint_moves.remove(&joint);
    } else {
        state.joint_moves.insert(joint, by);
    }
}

/// Of unit length; what is so already stays as it is, to the last digit, and nothing
/// is no turn.
fn unit(rotation: Quat) -> Quat {
    let length = rotation.length();
    if (length - 1.0).abs() < 1e-6 {
        return rotation;
    }
    if length.is_finite() && length > 1e-6 { rotation.normalize() } else { Quat::IDENTITY }
}

/// Influences of a vertex that text is about: the edited ones, or those of the file,
/// whatever the weights are now.
fn named_influences(state: &StepState, rig: &Rig, vertex: u32) -> Result<Influences, EditError> {
    known_vertex(vertex, rig)?;
    let of_file = rig.mesh.of_file().get(vertex as usize);
    let of_file = of_file.copied().unwrap_or_default();
    let edit = state.weights.get(vertex);
    Ok(edit.map_or(of_file, |edit| edit.on(of_file)))
}

/// Influences of a vertex as they are now.
pub(super) fn influences_of(
    state: &StepState,
    rig: &Rig,
    vertex: u32,
) -> Result<Influences, EditError> {
    let named = named_influences(state, rig, vertex)?;
    let unedited = rig.mesh.influences.get(vertex as usize);
    let unedited = unedited.filter(|_| state.weights.get(vertex).is_none());
    Ok(unedited.copied().unwrap_or(named))
}

/// Influences that are as without an edit are none.
pub(super) fn store_influences(
    state: &mut StepState,
    rig: &Rig,
    vertex: u32,
    influences: Influences,
) {
    let unedited = rig.mesh.influences.get(vertex as usize);
    if unedited == Some(&influences) && is_weighted(rig, state) {
        state.weights.remove(vertex);
        return;
    }
    let stored = rig.mesh.of_file().get(vertex as usize);
    let other_joints = stored.is_none_or(|stored| stored.joints != influences.joints);
    let edit = InfluencesEdit {
        weights: influences.weights,
        joints: other_joints.then_some(influences.joints),
    };
    state.weights.insert(vertex, edit);
}

/// Has the rig the weights that the state asks for? A link or a step may be read with
/// the rig as stored.
fn is_weighted(rig: &Rig, state: &StepState) -> bool {
    rig.mesh.file_influences.is_some() != state.weights_by.is_stored()
}

fn stored_inverse_bind(state: &StepState, rig: &Rig, joint: JointIndex) -> Option<Mat4> {
    rig.posed(|name| state.params.get(name).copied()).joint_from_bind.get(joint.index()).copied()
}

fn store_inverse_bind(state: &mut StepState, rig: &Rig, joint: JointIndex, cells: [f32; 16]) {
    let stored = stored_inverse_bind(state, rig, joint);
    if stored.is_some_and(|stored| stored.to_cols_array() == cells) {
        state.inverse_binds.remove(&joint);
    } else {
        state.inverse_binds.insert(joint, InverseBindEdit(cells));
    }
}

/// A texel, or, with `None`, the computed one; a joint without any has no entry.
pub(super) fn put_texel(
    state: &mut StepState,
    joint: JointIndex,
    column: usize,
    texel: Option<[f32; 4]>,
) {
    let mut edits = state.texels.get(&joint).copied().unwrap_or_default();
    if let Some(place) = edits.0.get_mut(column) {
        *place = texel;
    }
    if edits.0.iter().any(Option::is_some) {
        state.texels.insert(joint, edits);
    } else {
        state.texels.remove(&joint);
    }
}

#[cfg(test)]
mod tests;
