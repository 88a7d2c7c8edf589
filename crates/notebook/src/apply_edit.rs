//! Edits applied to the document. Whatever a reader can type ends here, so
//! here it is checked.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bindpose_asset::{ByteEdits, Param, Rig};
use bindpose_diagnostic::did_you_mean;
use bindpose_lesson::{CELL_LIMIT, CellKind, DataEdit, Lesson, PARAM_LIMIT, Setting};
use bindpose_skin::{Influences, JointIndex};
use glam::Mat4;

use super::cell_text::{put_file, put_text};
use super::chain::ChainState;
use super::exercise_cells::{Exercise, exercises};
use super::faults::offered_by_id;
use super::file_bytes::reset_bytes;
use super::glsl::ShaderKind;
use super::joints::JointMatrices;
use super::model_data::{influences_of, put_data, put_texel, store_influences};
use super::param_values::ParamValues;
use super::posing::{MOST_NAME_CHARS, MOST_POSES, SavedPose, is_pose_name, put_pose};
use super::question::is_answer;
use super::refused::{known_joint, known_vertex};
use super::setting::put_setting;
use super::{
    Document, Edit, EditError, GivenAnswer, Prediction, SettingGroup, TIME, copy_settings,
    playback_param, reset_settings, step_document,
};

/// Characters of a shader: many times the longest of ours.
const SHADER_LIMIT: usize = 20_000;

/// Changes the document.
///
/// Fails when a number is not finite or absurd, or the edit names something that is
/// not there; the document is then unchanged.
pub fn apply(
    document: &mut Document,
    edit: &Edit,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    let state = &mut document.state;
    match edit {
        Edit::PlayTo { time_secs, .. } => put_time(document, *time_secs, lesson, rig)?,
        Edit::Text { cell, text, .. } => put_text(document, cell, text.as_deref(), lesson)?,
        Edit::GiveFile(cell, file) => put_file(document, cell, file.as_ref(), lesson)?,
        Edit::Weight { vertex, lane, weight } => {
            all_finite(&[*weight], "A weight")?;
            let put = |all: &mut Influences| all.weights.get_mut(*lane).map(|one| *one = *weight);
            put_lane(document, rig, (*vertex, *lane), put)?;
        }
        Edit::LaneJoint { vertex, lane, joint } => {
            known_joint(*joint, rig)?;
            let put = |all: &mut Influences| all.joints.get_mut(*lane).map(|one| *one = *joint);
            put_lane(document, rig, (*vertex, *lane), put)?;
        }
        Edit::NormalizeWeights(Some(vertex)) => normalize(document, rig, *vertex)?,
        Edit::NormalizeWeights(None) => {
            for vertex in 0..rig.mesh.influences.len() as u32 {
                normalize(document, rig, vertex)?;
            }
        }
        Edit::Paint(influences) | Edit::OpenWeights(influences) => {
            put_influences(document, rig, influences)?;
        }
        Edit::ResetWeights(Some(vertex)) => state.weights.remove(*vertex),
        Edit::ResetWeights(None) => state.weights.clear(),
        Edit::InverseBindCell { joint, row, column, value } => {
            put_inverse_bind_cell(document, (lesson, rig), *joint, (*row, *column), *value)?;
        }
        Edit::ResetInverseBind(joint) => reset(&mut state.inverse_binds, joint.as_ref()),
        Edit::Texel { joint, column, part, value } => {
            all_finite(&[*value], "A texel")?;
            let mut texel = texel_of(document, (lesson, rig), *joint, *column)?;
            *texel.get_mut(*part).ok_or(EditError::NoTexel)? = *value;
            put_data(&mut document.state, &DataEdit::Texel((*joint).into(), *column, texel), rig)?;
        }
        Edit::ResetTexel(joint, column) => put_texel(state, *joint, *column, None),
        Edit::ResetTexels(joint) => reset(&mut state.texels, joint.as_ref()),
        Edit::ResetJointMove(joint) => reset(&mut state.joint_moves, joint.as_ref()),
        Edit::SavePose(name, pose) => keep_pose(document, name, pose, rig)?,
        Edit::ForgetPose(name) => reset(&mut state.poses, Some(name)),
        Edit::PutPose(pose) => put_pose(&pose.fitting(rig), document, lesson, rig),
        Edit::Shader { kind, text, .. } => set_shader(document, *kind, text.as_deref())?,
        Edit::Data(edit) => {
            if let DataEdit::InverseBind(_, cells) = edit {
                all_finite(cells, "A matrix cell")?;
            }
            put_all(document, &[], std::slice::from_ref(edit), lesson, rig)?;
        }
        Edit::ResetBytes { buffer, offset, length } => {
            reset_bytes(document, *buffer, *offset, *length);
        }
        Edit::ResetAllBytes => state.bytes = ByteEdits::default(),
        Edit::Predict(cell, position_in_world) => {
            all_finite(position_in_world, "A place")?;
            state.predictions.entry(cell.clone()).or_default().put(*position_in_world);
        }
        Edit::KeepGuess(cell) => change_guess(document, cell, Prediction::keep),
        Edit::Reveal(cell) => change_guess(document, cell, |guess| guess.revealed = true),
        Edit::ForgetPrediction(cell) => reset(&mut state.predictions, Some(cell)),
        Edit::Answer(cell, answer) => put_answer(document, cell, answer, lesson)?,
        Edit::Chain(cell, chain) => put_chain(document, cell, chain, lesson)?,
        Edit::ForgetChain(cell) => reset(&mut state.chains, Some(cell)),
        Edit::ForgetAnswer(cell) => reset(&mut state.answers, Some(cell)),
        Edit::Draw { cell, draw, afresh } => {
            put_draw(document, cell, *draw, lesson)?;
            // A guess was about the numbers of before.
            document.state.predictions.remove(cell);
            document.state.answers.remove(cell);
            if *afresh {
                begin_afresh(document, lesson, rig);
            }
        }
        Edit::Settings(settings) => put_all(document, settings, &[], lesson, rig)?,
        Edit::ResetSettings(settings) => reset_settings(document, settings, lesson, rig),
        Edit::Solve(settings, edits) => put_all(document, settings, edits, lesson, rig)?,
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

/// Does something to the guess of a cell, if there is one.
fn change_guess(document: &mut Document, cell: &str, change: impl Fn(&mut Prediction)) {
    if let Some(guess) = document.state.predictions.get_mut(cell) {
        change(guess);
    }
}

/// Leaves out the edit of one, or, where none is named, of all.
fn reset<K: Ord, V>(edits: &mut BTreeMap<K, V>, of: Option<&K>) {
    match of {
        Some(one) => drop(edits.remove(one)),
        None => edits.clear(),
    }
}

/// The step as it opens, but for what is chosen and drawn, and for other
/// exercises.
fn begin_afresh(document: &mut Document, lesson: &Lesson, rig: &Rig) {
    let mut begin = step_document(lesson, document.step, Some(rig));
    let held = [SettingGroup::Selection, SettingGroup::Display];
    copy_settings(&mut begin.state, &document.state, &held);
    begin.state.predictions = std::mem::take(&mut document.state.predictions);
    begin.state.answers = std::mem::take(&mut document.state.answers);
    begin.state.draws = std::mem::take(&mut document.state.draws);
    *document = begin;
}

/// Puts an answer, if it is one to that question with its draw.
pub(super) fn put_answer(
    document: &mut Document,
    cell_id: &str,
    answer: &GivenAnswer,
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

/// Keeps a pose by a name.
pub(super) fn keep_pose(
    document: &mut Document,
    name: &str,
    pose: &SavedPose,
    rig: &Rig,
) -> Result<(), EditError> {
    let poses = &mut document.state.poses;
    let is_full = poses.len() >= MOST_POSES && !poses.contains_key(name);
    if is_full || !is_pose_name(name) {
        return Err(EditError::NoPose { most: MOST_POSES, chars: MOST_NAME_CHARS });
    }
    poses.insert(name.to_owned(), pose.fitting(rig));
    Ok(())
}

/// Puts a product, if it fits its cell.
pub(super) fn put_chain(
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

/// Gives an exercise the numbers of a draw, by index.
pub(super) fn put_draw(
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

/// Puts all of it, or nothing.
fn put_all(
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
        put_data(&mut next.state, edit, rig)?;
    }
    *document = next;
    Ok(())
}

/// Puts a parameter, or `all`, to a checked value.
pub(super) fn set_param(
    document: &mut Document,
    name: &str,
    value: f64,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    // A number of the lesson's own may be large; its range holds it below.
    let of_lesson = lesson.params.iter().any(|param| param.name == name);
    let limit =
        if of_lesson || playback_param(name, rig).is_some() { f64::MAX } else { PARAM_LIMIT };
    finite(value, limit, name)?;
    if name == "all" {
        let free = |param: &&Param| lesson.drive_of(&param.name).is_none();
        for param in rig.angles().filter(free) {
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
    let own = rig.params.iter().map(|param| param.name.as_str());
    let of_lesson = lesson.params.iter().map(|param| param.name.as_str());
    let names: Vec<&str> = own.chain(of_lesson).chain(["all"]).collect();
    Err(EditError::NoParam { name: name.to_owned(), help: did_you_mean(name, &names) })
}

/// Seconds that a program may play without a clip: then it stands still.
const LONGEST_PLAY_SECS: f64 = 86_400.0;

/// Puts the time of what plays: of a clip, or of a program.
fn put_time(
    document: &mut Document,
    time_secs: f64,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), EditError> {
    if document.pose_program(lesson).is_none() || playback_param(TIME, rig).is_some() {
        return set_param(document, TIME, time_secs, lesson, rig);
    }
    finite(time_secs, LONGEST_PLAY_SECS, TIME)?;
    store_param(document, TIME, time_secs.max(0.0), 0.0);
    Ok(())
}

fn store_param(document: &mut Document, name: &str, value: f64, default: f64) {
    if value == default {
        document.state.params.remove(name);
    } else {
        document.state.params.insert(name.to_owned(), value);
    }
}

/// Puts what `put` does to one lane of a vertex.
fn put_lane(
    document: &mut Document,
    rig: &Rig,
    (vertex, lane): (u32, usize),
    put: impl Fn(&mut Influences) -> Option<()>,
) -> Result<(), EditError> {
    let mut influences = influences_of(&document.state, rig, vertex)?;
    put(&mut influences).ok_or(EditError::NoLane(lane))?;
    store_influences(&mut document.state, rig, vertex, influences);
    Ok(())
}

/// Puts all of it, or nothing.
fn put_influences(
    document: &mut Document,
    rig: &Rig,
    all: &[(u32, Influences)],
) -> Result<(), EditError> {
    for (vertex, influences) in all {
        known_vertex(*vertex, rig)?;
        all_finite(&influences.weights, "A weight")?;
        for (_, joint, _) in influences.used() {
            known_joint(joint, rig)?;
        }
    }
    for (vertex, influences) in all {
        store_influences(&mut document.state, rig, *vertex, *influences);
    }
    Ok(())
}

fn normalize(document: &mut Document, rig: &Rig, vertex: u32) -> Result<(), EditError> {
    let influences = influences_of(&document.state, rig, vertex)?;
    // A sum that prints as 1 is left alone: dividing would only shift digits.
    if (influences.sum() - 1.0).abs() > 1e-6 {
        store_influences(&mut document.state, rig, vertex, influences.normalized());
    }
    Ok(())
}

fn put_inverse_bind_cell(
    document: &mut Document,
    of @ (_, rig): (&Lesson, &Rig),
    joint: JointIndex,
    (row, column): (usize, usize),
    value: f32,
) -> Result<(), EditError> {
    all_finite(&[value], "A matrix cell")?;
    let mut cells = match document.state.inverse_binds.get(&joint) {
        Some(edit) => edit.0,
        None => stored_inverse_bind(document, of, joint)?.to_cols_array(),
    };
    let cell = cells.get_mut(column * 4 + row).filter(|_| row < 4);
    *cell.ok_or(EditError::NoCell)? = value;
    put_data(&mut document.state, &DataEdit::InverseBind(joint.into(), cells), rig)
}

/// As the model has it, with what drives it.
fn stored_inverse_bind(
    document: &Document,
    (lesson, rig): (&Lesson, &Rig),
    joint: JointIndex,
) -> Result<Mat4, EditError> {
    known_joint(joint, rig)?;
    let values = ParamValues::new(document, Some(lesson), rig);
    let posed = rig.posed(|name| values.get(name));
    Ok(posed.joint_from_bind.get(joint.index()).copied().unwrap_or_default())
}

/// As it is now: an edited texel is kept whole.
fn texel_of(
    document: &Document,
    (lesson, rig): (&Lesson, &Rig),
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

/// Puts a reader's text, if it is not absurdly long; `None`: the page's again.
pub(super) fn set_shader(
    document: &mut Document,
    kind: ShaderKind,
    text: Option<&str>,
) -> Result<(), EditError> {
    let Some(text) = text else {
        document.state.shaders.remove(&kind.key());
        return Ok(());
    };
    let found = text.chars().count();
    if found > SHADER_LIMIT {
        let most = SHADER_LIMIT;
        return Err(EditError::LongShader { most, found });
    }
    document.state.shaders.insert(kind.key(), text.to_owned());
    Ok(())
}

fn all_finite(values: &[f32], what: &str) -> Result<(), EditError> {
    let limit = CELL_LIMIT.into();
    values.iter().try_for_each(|&value| finite(value.into(), limit, what))
}

fn finite(value: f64, limit: f64, what: &str) -> Result<(), EditError> {
    if !value.is_finite() {
        return Err(EditError::NotFinite(what.to_owned()));
    }
    if value.abs() > limit {
        let what = what.to_owned();
        return Err(EditError::Beyond { what, limit });
    }
    Ok(())
}
