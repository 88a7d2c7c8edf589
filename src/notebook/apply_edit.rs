//! Edits applied to the document. Whatever a reader can type ends here, so
//! here it is checked.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use glam::Mat4;

use super::derived::Joints;
use super::exercise_cells::{Exercise, exercises};
use super::file_bytes::{put_bytes, reset_bytes};
use super::glsl::ShaderKind;
use super::question::is_answer;
use super::setting::{known_joint, known_vertex, put_setting};
use super::{
    Document, Edit, GivenAnswer, InfluencesEdit, InverseBindEdit, Prediction, Refused,
    SettingGroup, TIME, copy_settings, playback_param, reset_settings, step_document,
};
use crate::asset::{ByteEdits, Rig};
use crate::diagnostic::did_you_mean;
use crate::lesson::{CELL_LIMIT, DataEdit, Lesson, PARAM_LIMIT, Setting};
use crate::skin::{Influences, JointIndex};

/// Characters of a shader: many times the longest of ours.
const SHADER_LIMIT: usize = 20_000;

/// Changes the document.
///
/// # Errors
/// When a number is not finite or absurd, or the edit names something that is
/// not there; the document is then unchanged.
#[expect(clippy::too_many_lines, reason = "a list")]
pub fn apply(
    document: &mut Document,
    edit: &Edit,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Refused> {
    let state = &mut document.state;
    match edit {
        Edit::PlayTo { time_secs, .. } => set_param(document, TIME, *time_secs, lesson, rig)?,
        Edit::Weight {
            vertex,
            lane,
            weight,
        } => {
            all_finite(&[*weight], "A weight")?;
            let put = |all: &mut Influences| all.weights.get_mut(*lane).map(|one| *one = *weight);
            put_lane(document, rig, (*vertex, *lane), put)?;
        }
        Edit::LaneJoint {
            vertex,
            lane,
            joint,
        } => {
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
        Edit::ResetWeights(vertex) => reset(&mut state.weights, vertex.as_ref()),
        Edit::InverseBindCell {
            joint,
            row,
            column,
            value,
        } => {
            put_inverse_bind_cell(document, rig, *joint, (*row, *column), *value)?;
        }
        Edit::ResetInverseBind(joint) => reset(&mut state.inverse_binds, joint.as_ref()),
        Edit::Texel {
            joint,
            column,
            part,
            value,
        } => {
            all_finite(&[*value], "A texel")?;
            let mut texel = texel_of(document, rig, *joint, *column)?;
            *texel.get_mut(*part).ok_or(Refused::NoTexel)? = *value;
            put_data(document, &DataEdit::Texel(*joint, *column, texel), rig)?;
        }
        Edit::ResetTexel(joint, column) => reset_texel(document, *joint, *column),
        Edit::ResetTexels(joint) => reset(&mut state.texels, joint.as_ref()),
        Edit::Shader { kind, text, .. } => set_shader(document, *kind, text.as_deref())?,
        Edit::Data(edit) => {
            if let DataEdit::InverseBind(_, cells) = edit {
                all_finite(cells, "A matrix cell")?;
            }
            put_all(document, &[], std::slice::from_ref(edit), lesson, rig)?;
        }
        Edit::ResetBytes {
            buffer,
            offset,
            length,
        } => reset_bytes(document, *buffer, *offset, *length),
        Edit::ResetAllBytes => state.bytes = ByteEdits::default(),
        Edit::Predict(cell, position_in_world) => {
            all_finite(position_in_world, "A place")?;
            let guess = Prediction {
                position_in_world: *position_in_world,
                revealed: false,
            };
            state.predictions.insert(cell.clone(), guess);
        }
        Edit::Reveal(cell) => {
            if let Some(prediction) = state.predictions.get_mut(cell) {
                prediction.revealed = true;
            }
        }
        Edit::ForgetPrediction(cell) => reset(&mut state.predictions, Some(cell)),
        Edit::Answer(cell, answer) => put_answer(document, cell, answer, lesson)?,
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
                return Err(Refused::OtherStep);
            }
            document.clone_from(before);
        }
        Edit::ResetStep => *document = step_document(lesson, document.step, Some(rig)),
    }
    Ok(())
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
    cell: &str,
    answer: &GivenAnswer,
    lesson: &Lesson,
) -> Result<(), Refused> {
    let draw = document.draw_of(cell);
    let fits = exercises(lesson).any(|(id, exercise)| match exercise {
        Exercise::Ask(asked) => id == cell && is_answer(asked.with(draw), &answer.text),
        Exercise::Check(_) | Exercise::Predict(_) => false,
    });
    if !fits {
        return Err(Refused::NoAnswer);
    }
    document
        .state
        .answers
        .insert(cell.to_owned(), answer.clone());
    Ok(())
}

/// Gives an exercise the numbers of a draw, by index.
pub(super) fn put_draw(
    document: &mut Document,
    cell: &str,
    draw: usize,
    lesson: &Lesson,
) -> Result<(), Refused> {
    let exercise = exercises(lesson).find(|(id, _)| *id == cell);
    if exercise.is_none_or(|(_, exercise)| draw >= exercise.count()) {
        return Err(Refused::NoDraw);
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
            let now = influences_of(document, rig, *vertex)?;
            let weights = *weights;
            store_influences(document, rig, *vertex, Influences { weights, ..now });
        }
        DataEdit::Joints(vertex, joints) => {
            let now = influences_of(document, rig, *vertex)?;
            for (joint, now) in joints.iter().zip(now.joints) {
                // An unused lane may hold what no joint has.
                if *joint != now {
                    known_joint(*joint, rig)?;
                }
            }
            let joints = *joints;
            store_influences(document, rig, *vertex, Influences { joints, ..now });
        }
        DataEdit::InverseBind(joint, cells) => {
            known_joint(*joint, rig)?;
            store_inverse_bind(document, rig, *joint, *cells);
        }
        DataEdit::Texel(joint, column, texel) => {
            known_joint(*joint, rig)?;
            let edits = document.state.texels.entry(*joint).or_default();
            *edits.0.get_mut(*column).ok_or(Refused::NoTexel)? = Some(*texel);
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
    Err(Refused::NoParam {
        name: name.to_owned(),
        help: did_you_mean(name, &names),
    })
}

fn store_param(document: &mut Document, name: &str, value: f64, default: f64) {
    if value == default {
        document.state.params.remove(name);
    } else {
        document.state.params.insert(name.to_owned(), value);
    }
}

/// As they are now.
fn influences_of(document: &Document, rig: &Rig, vertex: u32) -> Result<Influences, Refused> {
    known_vertex(vertex, rig)?;
    let stored = rig.mesh.influences.get(vertex as usize);
    let stored = stored.copied().unwrap_or_default();
    let edit = document.state.weights.get(&vertex);
    Ok(edit.map_or(stored, |edit| edit.on(stored)))
}

/// Puts what `put` does to one lane of a vertex.
fn put_lane(
    document: &mut Document,
    rig: &Rig,
    (vertex, lane): (u32, usize),
    put: impl Fn(&mut Influences) -> Option<()>,
) -> Result<(), Refused> {
    let mut influences = influences_of(document, rig, vertex)?;
    put(&mut influences).ok_or(Refused::NoLane(lane))?;
    store_influences(document, rig, vertex, influences);
    Ok(())
}

fn store_influences(document: &mut Document, rig: &Rig, vertex: u32, influences: Influences) {
    let stored = rig.mesh.influences.get(vertex as usize);
    if stored == Some(&influences) {
        document.state.weights.remove(&vertex);
        return;
    }
    let other_joints = stored.is_none_or(|stored| stored.joints != influences.joints);
    let edit = InfluencesEdit {
        weights: influences.weights,
        joints: other_joints.then_some(influences.joints),
    };
    document.state.weights.insert(vertex, edit);
}

fn normalize(document: &mut Document, rig: &Rig, vertex: u32) -> Result<(), Refused> {
    let influences = influences_of(document, rig, vertex)?;
    // A sum that prints as 1 is left alone: dividing would only shift digits.
    if (influences.sum() - 1.0).abs() > 1e-6 {
        store_influences(document, rig, vertex, influences.normalized());
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
    known_joint(joint, rig)?;
    Ok(stored_inverse_bind(document, rig, joint).unwrap_or_default())
}

fn put_inverse_bind_cell(
    document: &mut Document,
    rig: &Rig,
    joint: JointIndex,
    (row, column): (usize, usize),
    value: f32,
) -> Result<(), Refused> {
    all_finite(&[value], "A matrix cell")?;
    let mut cells = inverse_bind_of(document, rig, joint)?.to_cols_array();
    let cell = cells.get_mut(column * 4 + row).filter(|_| row < 4);
    *cell.ok_or(Refused::NoCell)? = value;
    put_data(document, &DataEdit::InverseBind(joint, cells), rig)
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

/// As it is now: an edited texel is kept whole.
fn texel_of(
    document: &Document,
    rig: &Rig,
    joint: JointIndex,
    column: usize,
) -> Result<[f32; 4], Refused> {
    known_joint(joint, rig)?;
    let matrices = Joints::new(document, rig).world_from_bind;
    let matrix = matrices.get(joint.index()).copied().unwrap_or_default();
    let columns = matrix.to_cols_array_2d();
    columns.get(column).copied().ok_or(Refused::NoTexel)
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
    let found = text.chars().count();
    if found > SHADER_LIMIT {
        let most = SHADER_LIMIT;
        return Err(Refused::LongShader { most, found });
    }
    document.state.shaders.insert(kind.key(), text.to_owned());
    Ok(())
}

fn all_finite(values: &[f32], what: &str) -> Result<(), Refused> {
    let limit = CELL_LIMIT.into();
    values
        .iter()
        .try_for_each(|&value| finite(value.into(), limit, what))
}

fn finite(value: f64, limit: f64, what: &str) -> Result<(), Refused> {
    if !value.is_finite() {
        return Err(Refused::NotFinite(what.to_owned()));
    }
    if value.abs() > limit {
        let what = what.to_owned();
        return Err(Refused::Beyond { what, limit });
    }
    Ok(())
}
