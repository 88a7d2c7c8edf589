//! Edits applied to the document. Whatever a reader can type ends here, so
//! here it is checked.

#[cfg(test)]
mod tests;

use glam::Mat4;

use super::derived::Joints;
use super::file_bytes::{put_bytes, reset_bytes};
use super::glsl::ShaderKind;
use super::setting::{known_joint, known_vertex, put_setting};
use super::{
    Document, Edit, InverseBindEdit, Prediction, Refused, TIME, playback_param, reset_settings,
    step_document,
};
use crate::asset::{ByteEdits, Rig};
use crate::diagnostic::did_you_mean;
use crate::lesson::{DataEdit, Lesson, PARAM_LIMIT, Setting};
use crate::skin::{Influences, JointIndex, LANES};

/// Weights and matrix cells beyond ±this are refused.
const CELL_LIMIT: f32 = 1e6;

/// Characters of a shader: many times the longest of ours.
const SHADER_LIMIT: usize = 20_000;

/// Changes the document.
///
/// # Errors
/// When a number is not finite or absurd, or the edit names something that is
/// not there, or is [`Edit::Go`]; the document is then unchanged.
pub fn apply(
    document: &mut Document,
    edit: &Edit,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Refused> {
    match edit {
        Edit::Param(name, value) => set_param(document, name, *value, lesson, rig)?,
        Edit::PlayTo { time_secs, .. } => set_param(document, TIME, *time_secs, lesson, rig)?,
        Edit::ResetParam(name) => {
            let param = Setting::Param(name.clone(), 0.0);
            reset_settings(document, &[param], lesson, rig);
        }
        Edit::Weight { .. } | Edit::NormalizeWeights(_) | Edit::ResetWeights(_) => {
            edit_weights(document, edit, rig)?;
        }
        Edit::InverseBindCell { .. } | Edit::InverseBindMatrix(..) => {
            edit_inverse_bind(document, edit, rig)?;
        }
        Edit::ResetInverseBind(Some(joint)) => {
            document.state.inverse_binds.remove(joint);
        }
        Edit::ResetInverseBind(None) => document.state.inverse_binds.clear(),
        Edit::Texel {
            joint,
            column,
            part,
            value,
        } => {
            finite(f64::from(*value), CELL_LIMIT.into(), "A texel")?;
            store_texel(document, rig, *joint, (*column, *part), *value)?;
        }
        Edit::ResetTexel(joint, column) => reset_texel(document, *joint, *column),
        Edit::ResetTexels(Some(joint)) => {
            document.state.texels.remove(joint);
        }
        Edit::ResetTexels(None) => document.state.texels.clear(),
        Edit::Shader { kind, text, .. } => set_shader(document, *kind, text.as_deref())?,
        Edit::Bytes {
            buffer,
            offset,
            bytes,
        } => {
            // Nothing is changed unless all of it fits.
            let mut changed = document.clone();
            put_bytes(&mut changed, rig, *buffer, *offset, bytes)?;
            *document = changed;
        }
        Edit::ResetBytes {
            buffer,
            offset,
            length,
        } => reset_bytes(document, *buffer, *offset, *length),
        Edit::ResetAllBytes => document.state.bytes = ByteEdits::default(),
        Edit::Predict(..) | Edit::Reveal(_) | Edit::ForgetPrediction(_) => {
            edit_prediction(document, edit)?;
        }
        Edit::Settings(settings) => put_all(document, settings, &[], lesson, rig)?,
        Edit::ResetSettings(settings) => reset_settings(document, settings, lesson, rig),
        Edit::Solve(settings, edits) => put_all(document, settings, edits, lesson, rig)?,
        Edit::Restore(before) => {
            if (&before.lesson, before.step) != (&document.lesson, document.step) {
                return Err(Refused("That was at another step.".to_owned()));
            }
            document.clone_from(before);
        }
        Edit::ResetLesson => *document = step_document(lesson, document.step, Some(rig)),
        Edit::Go { .. } => return Err(Refused("A document cannot open a lesson.".to_owned())),
    }
    Ok(())
}

fn edit_inverse_bind(document: &mut Document, edit: &Edit, rig: &Rig) -> Result<(), Refused> {
    match edit {
        Edit::InverseBindCell {
            joint,
            row,
            column,
            value,
        } => {
            finite(f64::from(*value), CELL_LIMIT.into(), "A matrix cell")?;
            let mut cells = inverse_bind_of(document, rig, *joint)?.to_cols_array();
            *cells
                .get_mut(column * 4 + row)
                .filter(|_| *row < 4)
                .ok_or_else(|| Refused("A matrix has rows and columns 0 to 3.".to_owned()))? =
                *value;
            store_inverse_bind(document, rig, *joint, cells);
        }
        Edit::InverseBindMatrix(joint, cells) => {
            inverse_bind_of(document, rig, *joint)?;
            for &cell in cells {
                finite(f64::from(cell), CELL_LIMIT.into(), "A matrix cell")?;
            }
            store_inverse_bind(document, rig, *joint, *cells);
        }
        _ => {}
    }
    Ok(())
}

fn edit_weights(document: &mut Document, edit: &Edit, rig: &Rig) -> Result<(), Refused> {
    match edit {
        Edit::Weight {
            vertex,
            lane,
            weight,
        } => {
            finite(f64::from(*weight), CELL_LIMIT.into(), "A weight")?;
            let mut weights = weights_of(document, rig, *vertex)?;
            *weights
                .get_mut(*lane)
                .ok_or_else(|| Refused(format!("A vertex has lanes 0 to 7, not {lane}.")))? =
                *weight;
            store_weights(document, rig, *vertex, weights);
        }
        Edit::NormalizeWeights(Some(vertex)) => normalize(document, rig, *vertex)?,
        Edit::NormalizeWeights(None) => {
            for vertex in 0..rig.mesh.influences.len() as u32 {
                normalize(document, rig, vertex)?;
            }
        }
        Edit::ResetWeights(Some(vertex)) => {
            document.state.weights.remove(vertex);
        }
        Edit::ResetWeights(None) => document.state.weights.clear(),
        _ => {}
    }
    Ok(())
}

fn edit_prediction(document: &mut Document, edit: &Edit) -> Result<(), Refused> {
    match edit {
        Edit::Predict(cell, position_in_world) => {
            for &number in position_in_world {
                finite(f64::from(number), CELL_LIMIT.into(), "A place")?;
            }
            document.state.predictions.insert(
                cell.clone(),
                Prediction {
                    position_in_world: *position_in_world,
                    revealed: false,
                },
            );
        }
        Edit::Reveal(cell) => {
            if let Some(prediction) = document.state.predictions.get_mut(cell) {
                prediction.revealed = true;
            }
        }
        Edit::ForgetPrediction(cell) => {
            document.state.predictions.remove(cell);
        }
        _ => {}
    }
    Ok(())
}

/// Puts all of it, or nothing.
fn put_all(
    document: &mut Document,
    settings: &[Setting],
    edits: &[DataEdit],
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Refused> {
    let mut next = document.clone();
    for setting in settings {
        match setting {
            Setting::Param(name, value) => set_param(&mut next, name, *value, lesson, rig)?,
            other => put_setting(&mut next.state, other, Some(rig))?,
        }
    }
    for edit in edits {
        put_data(&mut next, edit, rig)?;
    }
    *document = next;
    Ok(())
}

/// Puts what a link or a solution says of the data behind the picture.
pub(super) fn put_data(document: &mut Document, edit: &DataEdit, rig: &Rig) -> Result<(), Refused> {
    match edit {
        DataEdit::Weights(vertex, weights) => {
            known_vertex(*vertex, rig)?;
            document.state.weights.insert(*vertex, *weights);
        }
        DataEdit::InverseBind(joint, cells) => {
            known_joint(*joint, rig)?;
            let edit = InverseBindEdit(*cells);
            document.state.inverse_binds.insert(*joint, edit);
        }
        DataEdit::Texel(joint, column, texel) => {
            known_joint(*joint, rig)?;
            let edits = document.state.texels.entry(*joint).or_default();
            edits.0[*column] = Some(*texel);
        }
        DataEdit::Bytes {
            buffer,
            offset,
            bytes,
        } => put_bytes(document, rig, *buffer, *offset, bytes)?,
    }
    Ok(())
}

/// Puts a parameter, or `all`, to a checked value.
pub(super) fn set_param(
    document: &mut Document,
    name: &str,
    value: f64,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Refused> {
    // A number of the lesson's own may be large; its range holds it below.
    let of_lesson = lesson.params.iter().any(|param| param.name == name);
    let limit = if of_lesson || playback_param(name, rig).is_some() {
        f64::MAX
    } else {
        PARAM_LIMIT
    };
    finite(value, limit, name)?;
    if name == "all" {
        for param in rig.angles() {
            store_param(document, &param.name, value, param.default);
        }
        return Ok(());
    }
    if let Some(param) = rig.param(name) {
        store_param(document, name, value, param.default);
        return Ok(());
    }
    if let Some(param) = lesson.params.iter().find(|param| param.name == name) {
        let (low, high) = param.range;
        let value = if param.whole { value.round() } else { value };
        store_param(document, name, value.max(low).min(high), param.default);
        return Ok(());
    }
    if let Some(param) = playback_param(name, rig) {
        let (low, high) = param.range;
        store_param(document, name, value.clamp(low, high), low);
        return Ok(());
    }
    let own = rig.params.iter().map(|param| param.name.as_str());
    let of_lesson = lesson.params.iter().map(|param| param.name.as_str());
    let names: Vec<&str> = own.chain(of_lesson).chain(["all"]).collect();
    let help = did_you_mean(name, &names);
    Err(Refused(format!(
        "There is no parameter “{name}” here; {help}."
    )))
}

fn store_param(document: &mut Document, name: &str, value: f64, default: f64) {
    if value == default {
        document.state.params.remove(name);
    } else {
        document.state.params.insert(name.to_owned(), value);
    }
}

fn weights_of(document: &Document, rig: &Rig, vertex: u32) -> Result<[f32; LANES], Refused> {
    if let Some(weights) = document.state.weights.get(&vertex) {
        return Ok(*weights);
    }
    rig.mesh
        .influences
        .get(vertex as usize)
        .map(|influences| influences.weights)
        .ok_or_else(|| Refused(format!("There is no vertex {vertex}.")))
}

fn store_weights(document: &mut Document, rig: &Rig, vertex: u32, weights: [f32; LANES]) {
    let stored = rig.mesh.influences.get(vertex as usize);
    if stored.is_some_and(|stored| stored.weights == weights) {
        document.state.weights.remove(&vertex);
    } else {
        document.state.weights.insert(vertex, weights);
    }
}

fn normalize(document: &mut Document, rig: &Rig, vertex: u32) -> Result<(), Refused> {
    let influences = Influences {
        weights: weights_of(document, rig, vertex)?,
        ..Influences::default()
    };
    // A sum that prints as 1 is left alone: dividing would only shift digits.
    if (influences.sum() - 1.0).abs() > 1e-6 {
        store_weights(document, rig, vertex, influences.normalized().weights);
    }
    Ok(())
}

fn stored_inverse_bind(document: &Document, rig: &Rig, joint: JointIndex) -> Option<Mat4> {
    rig.posed(|name| document.state.params.get(name).copied())
        .joint_from_bind
        .get(joint.index())
        .copied()
}

fn inverse_bind_of(document: &Document, rig: &Rig, joint: JointIndex) -> Result<Mat4, Refused> {
    if let Some(edit) = document.state.inverse_binds.get(&joint) {
        return Ok(Mat4::from_cols_array(&edit.0));
    }
    stored_inverse_bind(document, rig, joint)
        .ok_or_else(|| Refused(format!("There is no joint {}.", joint.0)))
}

fn store_inverse_bind(document: &mut Document, rig: &Rig, joint: JointIndex, cells: [f32; 16]) {
    let stored = stored_inverse_bind(document, rig, joint);
    if stored.is_some_and(|stored| stored.to_cols_array() == cells) {
        document.state.inverse_binds.remove(&joint);
    } else {
        document
            .state
            .inverse_binds
            .insert(joint, InverseBindEdit(cells));
    }
}

/// The edited texel is kept whole: its other three numbers stay what they are
/// now.
fn store_texel(
    document: &mut Document,
    rig: &Rig,
    joint: JointIndex,
    (column, part): (usize, usize),
    value: f32,
) -> Result<(), Refused> {
    if column >= 4 || part >= 4 {
        return Err(Refused(
            "A joint has texels 0 to 3 of four numbers.".to_owned(),
        ));
    }
    let joints = Joints::new(document, rig);
    let matrix = joints
        .world_from_bind
        .get(joint.index())
        .ok_or_else(|| Refused(format!("There is no joint {}.", joint.0)))?;
    let mut texel = matrix.col(column).to_array();
    texel[part] = value;
    document.state.texels.entry(joint).or_default().0[column] = Some(texel);
    Ok(())
}

fn reset_texel(document: &mut Document, joint: JointIndex, column: usize) {
    let Some(edits) = document.state.texels.get_mut(&joint) else {
        return;
    };
    if let Some(texel) = edits.0.get_mut(column) {
        *texel = None;
    }
    if edits.0.iter().all(Option::is_none) {
        document.state.texels.remove(&joint);
    }
}

/// Puts a reader's text, if it is not absurdly long; `None`: the page's again.
pub(super) fn set_shader(
    document: &mut Document,
    kind: ShaderKind,
    text: Option<&str>,
) -> Result<(), Refused> {
    let Some(text) = text else {
        document.state.shaders.remove(&kind.key());
        return Ok(());
    };
    let length = text.chars().count();
    if length > SHADER_LIMIT {
        return Err(Refused(format!(
            "A shader may have {SHADER_LIMIT} characters; this one has {length}."
        )));
    }
    document.state.shaders.insert(kind.key(), text.to_owned());
    Ok(())
}

fn finite(value: f64, limit: f64, what: &str) -> Result<(), Refused> {
    if !value.is_finite() {
        return Err(Refused(format!("{what} must be a number.")));
    }
    if value.abs() > limit {
        return Err(Refused(format!("{what} may not go beyond ±{limit}.")));
    }
    Ok(())
}
