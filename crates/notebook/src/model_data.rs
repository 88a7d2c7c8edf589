//! Edits of the model's data (weights, matrices, texels, bytes and joint
//! moves): applying, copying, listing and clearing, for edits, settings, steps
//! and links alike.

use bindpose_gltf::Rig;
use bindpose_lesson::{DataEdit, JointName};
use bindpose_skin::{Influences, JointIndex};
use glam::{Mat4, Quat, Vec3};

use super::file_bytes::put_bytes;
use super::joint_move::JointMove;
use super::joint_name::joint_number;
use super::refused::{check_all_finite, known_joint, known_vertex};
use super::{EditError, InfluencesEdit, InverseBindEdit, StepState, TexelEdits, joint_index};

/// Applies an edit of data from a step, a link or a solution.
///
/// # Errors
///
/// Fails if the rig has no such vertex, joint or byte. The state is then
/// unchanged.
pub(super) fn apply_data_edit(
    state: &mut StepState,
    edit: &DataEdit,
    rig: &Rig,
) -> Result<(), EditError> {
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
                // An unused lane may contain the number of a joint that does
                // not exist.
                if joint != *place {
                    known_joint(joint, rig)?;
                }
                *place = joint;
            }
            store_influences(state, rig, *vertex, Influences { joints: put, ..now });
        }
        DataEdit::InverseBind(joint, cells) => {
            check_all_finite(cells, "A matrix cell")?;
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
            let rotation = normalize_rotation(Quat::from_array(*turn));
            change_joint_move(state, joint, |all| all.rotation = rotation);
        }
        DataEdit::Shift(joint, by) => {
            let joint = joint_index(joint, rig)?;
            let translation = Vec3::from(*by);
            change_joint_move(state, joint, |all| all.translation = translation);
        }
    }
    Ok(())
}

/// Removes all edits of data.
pub(super) fn clear_data(state: &mut StepState) {
    copy_all_data(state, &StepState::default());
}

/// Copies all edits of data from `from`.
pub(super) fn copy_all_data(to: &mut StepState, from: &StepState) {
    to.weights.clone_from(&from.weights);
    to.inverse_binds.clone_from(&from.inverse_binds);
    to.texels.clone_from(&from.texels);
    to.joint_moves.clone_from(&from.joint_moves);
    to.bytes.clone_from(&from.bytes);
}

/// Copies what an edit names from `from`; for a vertex, its weights and joints.
/// Parts that the rig does not have are ignored.
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
            let texel = from.texels.get(&joint).and_then(|edits| *edits.0.get(*column)?);
            store_texel(to, joint, *column, texel);
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
            change_joint_move(to, joint, |all| match edit {
                DataEdit::Turn(..) => all.rotation = theirs.rotation,
                _ => all.translation = theirs.translation,
            });
        }
    }
}

/// Lists all edits of data, in a stable order.
pub(super) fn data_edits<'a>(
    state: &'a StepState,
    rig: &'a Rig,
) -> impl Iterator<Item = DataEdit> + 'a {
    let bytes = state.bytes.runs().into_iter().map(|(buffer, offset, bytes)| DataEdit::Bytes {
        buffer,
        offset,
        bytes,
    });
    let weights = state.weights.iter().flat_map(|(vertex, edit)| {
        let stored = rig.mesh.of_file().get(vertex as usize);
        // With computed weights, even the file's own weights are an edit.
        let has_weights = !state.weights_by.is_stored()
            || stored.is_none_or(|stored| stored.weights != edit.weights);
        let joints =
            edit.joints.map(|joints| DataEdit::Joints(vertex, joints.map(JointName::from)));
        let weights = has_weights.then_some(DataEdit::Weights(vertex, edit.weights));
        joints.into_iter().chain(weights)
    });
    let inverse_binds = state
        .inverse_binds
        .iter()
        .map(|(&joint, edit)| DataEdit::InverseBind(joint.into(), edit.0));
    let texels = state.texels.iter().flat_map(|(joint, TexelEdits(columns))| {
        columns.iter().enumerate().filter_map(|(column, texel)| {
            texel.map(|texel| DataEdit::Texel((*joint).into(), column, texel))
        })
    });
    let moves = state.joint_moves.iter().flat_map(|(&joint, by)| {
        let is_turned = by.rotation != Quat::IDENTITY;
        let is_shifted = by.translation != Vec3::ZERO;
        let turn = is_turned.then(|| DataEdit::Turn(joint.into(), by.rotation.to_array()));
        let shift = is_shifted.then(|| DataEdit::Shift(joint.into(), by.translation.to_array()));
        turn.into_iter().chain(shift)
    });
    bytes.chain(weights).chain(inverse_binds).chain(texels).chain(moves)
}

/// Changes the move of a joint by hand. A move that does nothing is removed.
pub(super) fn change_joint_move(
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

/// Normalizes a rotation. A rotation of unit length is kept to the last digit,
/// and a zero one becomes the identity.
fn normalize_rotation(rotation: Quat) -> Quat {
    let length = rotation.length();
    if (length - 1.0).abs() < 1e-6 {
        return rotation;
    }
    if length.is_finite() && length > 1e-6 { rotation.normalize() } else { Quat::IDENTITY }
}

/// Returns the influences that text refers to: the edited ones or those of the
/// file, even if the weights are computed.
fn named_influences(state: &StepState, rig: &Rig, vertex: u32) -> Result<Influences, EditError> {
    known_vertex(vertex, rig)?;
    let file_influences = rig.mesh.of_file().get(vertex as usize).copied().unwrap_or_default();
    let edit = state.weights.get(vertex);
    Ok(edit.map_or(file_influences, |edit| edit.on(file_influences)))
}

/// Returns the current influences of a vertex.
pub(super) fn influences_of(
    state: &StepState,
    rig: &Rig,
    vertex: u32,
) -> Result<Influences, EditError> {
    let named = named_influences(state, rig, vertex)?;
    if state.weights.get(vertex).is_some() {
        return Ok(named);
    }
    Ok(rig.mesh.influences.get(vertex as usize).copied().unwrap_or(named))
}

/// Stores influences of a vertex. Influences that equal the unedited ones
/// remove the edit.
pub(super) fn store_influences(
    state: &mut StepState,
    rig: &Rig,
    vertex: u32,
    influences: Influences,
) {
    let unedited = rig.mesh.influences.get(vertex as usize);
    if unedited == Some(&influences) && has_requested_weights(rig, state) {
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

/// Returns true if the rig has the weights that the state requests. Links and
/// steps may be read with the stored rig instead.
fn has_requested_weights(rig: &Rig, state: &StepState) -> bool {
    rig.mesh.file_influences.is_some() != state.weights_by.is_stored()
}

fn stored_inverse_bind(state: &StepState, rig: &Rig, joint: JointIndex) -> Option<Mat4> {
    rig.posed(|name| state.params.get(name).copied()).joint_from_bind.get(joint.index()).copied()
}

/// Stores an inverse bind matrix, column-major. The stored matrix removes the
/// edit.
pub(super) fn store_inverse_bind(
    state: &mut StepState,
    rig: &Rig,
    joint: JointIndex,
    cells: [f32; 16],
) {
    let stored = stored_inverse_bind(state, rig, joint);
    if stored.is_some_and(|stored| stored.to_cols_array() == cells) {
        state.inverse_binds.remove(&joint);
    } else {
        state.inverse_binds.insert(joint, InverseBindEdit(cells));
    }
}

/// Stores a texel, or removes the edit if `texel` is `None`. Entries without
/// edits are removed.
pub(super) fn store_texel(
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
