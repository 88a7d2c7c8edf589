//! Applying edits to the document. All reader input passes through here and is
//! validated here.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bindpose_asset::{ByteEdits, Rig};
use bindpose_diagnostic::did_you_mean;
use bindpose_lesson::{CellKind, DataEdit, Lesson, MAX_CELL_ABS, MAX_PARAM_ABS, Setting};
use bindpose_skin::{Influences, JointIndex};
use glam::Mat4;

use super::cell_text::{store_file, store_text};
use super::chain::ChainState;
use super::exercise_cells::{Exercise, exercises};
use super::faults::offered_by_id;
use super::file_bytes::reset_bytes;
use super::glsl::ShaderKind;
use super::joints::JointMatrices;
use super::model_data::{apply_data_edit, influences_of, store_influences, store_texel};
use super::param_values::ParamValues;
use super::question::is_answer;
use super::refused::{known_joint, known_vertex};
use super::setting::put_setting;
use super::{
    Answer, Document, Edit, EditError, SettingGroup, TIME_PARAM, copy_settings, playback_param,
    reset_settings, step_document,
};

/// Maximum length of a shader. Many times the longest one that we generate.
const MAX_SHADER_CHARS: usize = 20_000;

/// Applies an edit to the document.
///
/// # Errors
///
/// Fails if a number is not finite or out of range, or if the edit names a part
/// that does not exist. The document is then unchanged.
pub fn apply(
    document: &mut Document,
    edit: &Edit,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    let state = &mut document.state;
    match edit {
        Edit::PlayTo { time_secs, .. } => set_time(document, *time_secs, lesson, rig)?,
        Edit::Text { cell, text, .. } => store_text(document, cell, text.as_deref(), lesson)?,
        Edit::GiveFile(cell, file) => store_file(document, cell, file.as_ref(), lesson)?,
        Edit::Weight { vertex, lane, weight } => {
            check_all_finite(&[*weight], "A weight")?;
            let mut influences = influences_of(&document.state, rig, *vertex)?;
            *influences.weights.get_mut(*lane).ok_or(EditError::NoLane(*lane))? = *weight;
            store_influences(&mut document.state, rig, *vertex, influences);
        }
        Edit::LaneJoint { vertex, lane, joint } => {
            known_joint(*joint, rig)?;
            let mut influences = influences_of(&document.state, rig, *vertex)?;
            *influences.joints.get_mut(*lane).ok_or(EditError::NoLane(*lane))? = *joint;
            store_influences(&mut document.state, rig, *vertex, influences);
        }
        Edit::NormalizeWeights(Some(vertex)) => normalize_vertex(document, rig, *vertex)?,
        Edit::NormalizeWeights(None) => {
            for vertex in 0..rig.mesh.influences.len() as u32 {
                normalize_vertex(document, rig, vertex)?;
            }
        }
        Edit::Paint(influences) | Edit::OpenWeights(influences) => {
            put_influences(document, rig, influences)?;
        }
        Edit::ResetWeights(Some(vertex)) => state.weights.remove(*vertex),
        Edit::ResetWeights(None) => state.weights.clear(),
        Edit::InverseBindCell { joint, row, column, value } => {
            set_inverse_bind_cell(document, lesson, rig, *joint, *row, *column, *value)?;
        }
        Edit::ResetInverseBind(joint) => remove_edits(&mut state.inverse_binds, joint.as_ref()),
        Edit::Texel { joint, column, part, value } => {
            check_all_finite(&[*value], "A texel")?;
            let mut texel = current_texel(document, lesson, rig, *joint, *column)?;
            *texel.get_mut(*part).ok_or(EditError::NoTexel)? = *value;
            apply_data_edit(
                &mut document.state,
                &DataEdit::Texel((*joint).into(), *column, texel),
                rig,
            )?;
        }
        Edit::ResetTexel(joint, column) => store_texel(state, *joint, *column, None),
        Edit::ResetTexels(joint) => remove_edits(&mut state.texels, joint.as_ref()),
        Edit::ResetJointMove(joint) => remove_edits(&mut state.joint_moves, joint.as_ref()),
        Edit::Shader { kind, text, .. } => store_shader(document, *kind, text.as_deref())?,
        Edit::Data(edit) => {
            if let DataEdit::InverseBind(_, cells) = edit {
                check_all_finite(cells, "A matrix cell")?;
            }
            apply_all(document, &[], std::slice::from_ref(edit), lesson, rig)?;
        }
        Edit::ResetBytes { buffer, offset, length } => {
            reset_bytes(document, *buffer, *offset, *length);
        }
        Edit::ResetAllBytes => state.bytes = ByteEdits::default(),
        Edit::Predict(cell, position_in_world) => {
            check_all_finite(position_in_world, "A place")?;
            state.predictions.entry(cell.clone()).or_default().set_guess(*position_in_world);
        }
        Edit::KeepGuess(cell) => {
            if let Some(guess) = state.predictions.get_mut(cell) {
                guess.keep_latest();
            }
        }
        Edit::Reveal(cell) => {
            if let Some(guess) = state.predictions.get_mut(cell) {
                guess.revealed = true;
            }
        }
        Edit::ForgetPrediction(cell) => remove_edits(&mut state.predictions, Some(cell)),
        Edit::Answer(cell, answer) => store_answer(document, cell, answer, lesson)?,
        Edit::Chain(cell, chain) => store_chain(document, cell, chain, lesson)?,
        Edit::ForgetChain(cell) => remove_edits(&mut state.chains, Some(cell)),
        Edit::ForgetAnswer(cell) => remove_edits(&mut state.answers, Some(cell)),
        Edit::Draw { cell, draw, afresh } => {
            store_draw(document, cell, *draw, lesson)?;
            // A guess or an answer belongs to the previous numbers.
            document.state.predictions.remove(cell);
            document.state.answers.remove(cell);
            if *afresh {
                restart_step(document, lesson, rig);
            }
        }
        Edit::Settings(settings) => apply_all(document, settings, &[], lesson, rig)?,
        Edit::ResetSettings(settings) => reset_settings(document, settings, lesson, rig),
        Edit::Solve(settings, edits) => apply_all(document, settings, edits, lesson, rig)?,
        Edit::Restore(before) | Edit::Recall(_, before) => {
            if (&before.lesson, before.step) != (&document.lesson, document.step) {
                return Err(EditError::OtherStep);
            }
            document.clone_from(before);
        }
        Edit::ResetStep => *document = step_document(lesson, document.step, Some(rig)),
    }
    Ok(())
}

/// Removes the edit of one key. If `None`, all edits.
fn remove_edits<K: Ord, V>(edits: &mut BTreeMap<K, V>, key: Option<&K>) {
    match key {
        Some(key) => drop(edits.remove(key)),
        None => edits.clear(),
    }
}

/// Restarts the step, except for selection, display and the other exercises.
fn restart_step(document: &mut Document, lesson: &Lesson, rig: &Rig) {
    let mut start = step_document(lesson, document.step, Some(rig));
    let kept = [SettingGroup::Selection, SettingGroup::Display];
    copy_settings(&mut start.state, &document.state, &kept);
    start.state.predictions = std::mem::take(&mut document.state.predictions);
    start.state.answers = std::mem::take(&mut document.state.answers);
    start.state.draws = std::mem::take(&mut document.state.draws);
    *document = start;
}

/// Stores an answer if it is valid for the question and its variant.
pub(super) fn store_answer(
    document: &mut Document,
    cell_id: &str,
    answer: &Answer,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let draw = document.draw_of(cell_id);
    let fits = exercises(lesson).any(|(id, exercise)| match exercise {
        Exercise::Ask(asked) => id == cell_id && is_answer(asked.with(draw), &answer.text),
        Exercise::Diagnose(cell) => id == cell_id && offered_by_id(cell, &answer.text).is_some(),
        Exercise::Check(_) | Exercise::Predict(_) | Exercise::Chain(_) => false,
    });
    if !fits {
        return Err(EditError::NoAnswer);
    }
    document.state.answers.insert(cell_id.to_owned(), answer.clone());
    Ok(())
}

/// Stores a matrix product if it fits its cell.
pub(super) fn store_chain(
    document: &mut Document,
    cell: &str,
    chain: &ChainState,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let known = lesson.cells().find(|known| known.id == cell);
    let fits = match known.map(|cell| &cell.kind) {
        Some(CellKind::Chain(known)) => chain.fits(known),
        _ => false,
    };
    if !fits {
        return Err(EditError::NoProduct);
    }
    let chains = &mut document.state.chains;
    chains.insert(cell.to_owned(), chain.clone());
    Ok(())
}

/// Selects a variant of an exercise by index.
pub(super) fn store_draw(
    document: &mut Document,
    cell: &str,
    draw: usize,
    lesson: &Lesson,
) -> Result<(), EditError> {
    let exercise = exercises(lesson).find(|(id, _)| *id == cell);
    if exercise.is_none_or(|(_, exercise)| draw >= exercise.count()) {
        return Err(EditError::NoDraw);
    }
    match draw {
        0 => document.state.draws.remove(cell),
        _ => document.state.draws.insert(cell.to_owned(), draw),
    };
    Ok(())
}

/// Applies all settings and edits, or nothing if one of them fails.
fn apply_all(
    document: &mut Document,
    settings: &[Setting],
    edits: &[DataEdit],
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    let mut next = document.clone();
    for setting in settings {
        match setting {
            Setting::Param(name, value) => set_param(&mut next, name, *value, lesson, rig)?,
            other => put_setting(&mut next.state, other, Some(rig))?,
        }
    }
    for edit in edits {
        apply_data_edit(&mut next.state, edit, rig)?;
    }
    *document = next;
    Ok(())
}

/// Sets a parameter, or `all`, after validating the value.
pub(super) fn set_param(
    document: &mut Document,
    name: &str,
    value: f64,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    // Parameters of the lesson may be large. Their range limits them below.
    let of_lesson = lesson.params.iter().any(|param| param.name == name);
    let limit =
        if of_lesson || playback_param(name, rig).is_some() { f64::MAX } else { MAX_PARAM_ABS };
    check_finite(value, limit, name)?;
    if name == "all" {
        let angles = rig.angles().filter(|param| lesson.drive_of(&param.name).is_none());
        for param in angles {
            store_param(document, &param.name, value, param.default);
        }
        return Ok(());
    }
    if let Some(param) = rig.param(name) {
        if let Some(formula) = lesson.drive_of(name) {
            return Err(EditError::Driven {
                label: param.label.clone(),
                formula: formula.source.clone(),
            });
        }
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
    let names: Vec<&str> = rig
        .params
        .iter()
        .map(|param| param.name.as_str())
        .chain(lesson.params.iter().map(|param| param.name.as_str()))
        .chain(["all"])
        .collect();
    Err(EditError::NoParam { name: name.to_owned(), help: did_you_mean(name, &names) })
}

/// Maximum time of a program that plays without a clip. It stops there.
const MAX_PROGRAM_TIME_SECS: f64 = 86_400.0;

/// Sets the playback time of a clip or a program.
fn set_time(
    document: &mut Document,
    time_secs: f64,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    if document.pose_program(lesson).is_none() || playback_param(TIME_PARAM, rig).is_some() {
        return set_param(document, TIME_PARAM, time_secs, lesson, rig);
    }
    check_finite(time_secs, MAX_PROGRAM_TIME_SECS, TIME_PARAM)?;
    store_param(document, TIME_PARAM, time_secs.max(0.0), 0.0);
    Ok(())
}

fn store_param(document: &mut Document, name: &str, value: f64, default: f64) {
    if value == default {
        document.state.params.remove(name);
    } else {
        document.state.params.insert(name.to_owned(), value);
    }
}

/// Sets influences of several vertices, or nothing if one of them is invalid.
fn put_influences(
    document: &mut Document,
    rig: &Rig,
    all: &[(u32, Influences)],
) -> Result<(), EditError> {
    for (vertex, influences) in all {
        known_vertex(*vertex, rig)?;
        check_all_finite(&influences.weights, "A weight")?;
        for (_, joint, _) in influences.used() {
            known_joint(joint, rig)?;
        }
    }
    for (vertex, influences) in all {
        store_influences(&mut document.state, rig, *vertex, *influences);
    }
    Ok(())
}

fn normalize_vertex(document: &mut Document, rig: &Rig, vertex: u32) -> Result<(), EditError> {
    let influences = influences_of(&document.state, rig, vertex)?;
    // A sum that prints as 1 is left alone: dividing would only shift digits.
    if (influences.sum() - 1.0).abs() > 1e-6 {
        store_influences(&mut document.state, rig, vertex, influences.normalized());
    }
    Ok(())
}

fn set_inverse_bind_cell(
    document: &mut Document,
    lesson: &Lesson,
    rig: &Rig,
    joint: JointIndex,
    row: usize,
    column: usize,
    value: f32,
) -> Result<(), EditError> {
    check_all_finite(&[value], "A matrix cell")?;
    let mut cells = match document.state.inverse_binds.get(&joint) {
        Some(edit) => edit.0,
        None => stored_inverse_bind(document, lesson, rig, joint)?.to_cols_array(),
    };
    let cell = cells.get_mut(column * 4 + row).filter(|_| row < 4);
    *cell.ok_or(EditError::NoCell)? = value;
    apply_data_edit(&mut document.state, &DataEdit::InverseBind(joint.into(), cells), rig)
}

/// Returns the model's own inverse bind matrix, including the effect of
/// parameters.
fn stored_inverse_bind(
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
    joint: JointIndex,
) -> Result<Mat4, EditError> {
    known_joint(joint, rig)?;
    let values = ParamValues::new(document, Some(lesson), rig);
    let posed = rig.posed(|name| values.get(name));
    Ok(posed.joint_from_bind.get(joint.index()).copied().unwrap_or_default())
}

/// Returns the current texel, including edits.
fn current_texel(
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
    joint: JointIndex,
    column: usize,
) -> Result<[f32; 4], EditError> {
    known_joint(joint, rig)?;
    let values = ParamValues::new(document, Some(lesson), rig);
    let matrices = JointMatrices::new(document, rig, &values, None).world_from_bind;
    let matrix = matrices.get(joint.index()).copied().unwrap_or_default();
    let columns = matrix.to_cols_array_2d();
    columns.get(column).copied().ok_or(EditError::NoTexel)
}

/// Stores the reader's source of a shader unless it is absurdly long. If
/// `None`, restores the page's own.
pub(super) fn store_shader(
    document: &mut Document,
    kind: ShaderKind,
    text: Option<&str>,
) -> Result<(), EditError> {
    let Some(text) = text else {
        document.state.shaders.remove(&kind.key());
        return Ok(());
    };
    let found = text.chars().count();
    if found > MAX_SHADER_CHARS {
        return Err(EditError::LongShader { most: MAX_SHADER_CHARS, found });
    }
    document.state.shaders.insert(kind.key(), text.to_owned());
    Ok(())
}

fn check_all_finite(values: &[f32], what: &str) -> Result<(), EditError> {
    for &value in values {
        check_finite(value.into(), MAX_CELL_ABS.into(), what)?;
    }
    Ok(())
}

fn check_finite(value: f64, limit: f64, what: &str) -> Result<(), EditError> {
    if !value.is_finite() {
        return Err(EditError::NotFinite(what.to_owned()));
    }
    if value.abs() > limit {
        return Err(EditError::Beyond { what: what.to_owned(), limit });
    }
    Ok(())
}
