//! Effects of edits: what each changes in the document, what resets it, and
//! how undo and the list of changes call it. All reader input passes through
//! here and is validated here.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use bindpose_diagnostic::did_you_mean;
use bindpose_gltf::{ByteEdits, Rig};
use bindpose_lesson::matrix_names::{INVERSE_BIND_MATRICES, INVERSE_BIND_MATRIX};
use bindpose_lesson::{CellKind, DataEdit, Lesson, MAX_PARAM_ABS, Setting};
use bindpose_skin::{Influences, JointIndex, LANES};

use super::cell_text::{store_file, store_text};
use super::chain_state::ChainState;
use super::exercise_cells::{Exercise, exercises};
use super::faults::offered_by_id;
use super::file_bytes::reset_bytes;
use super::glsl::ShaderKind;
use super::joint_name::joint_name_or_number;
use super::joints::JointMatrices;
use super::model_data::{influences_of, store_influences, store_inverse_bind, store_texel};
use super::param_values::ParamValues;
use super::question::is_answer;
use super::refused::{check_all_finite, check_finite, known_joint, known_vertex};
use super::setting::put_setting;
use super::setting_label::{bytes_label, settings_label};
use super::{
    Answer, Document, Edit, EditError, EditTarget, PageSnapshot, SettingGroup, StepState,
    TIME_PARAM, copy_settings, playback_param, reset_settings, step_document,
};

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
    match edit {
        Edit::PlayTo { time_secs, .. } => set_time(document, *time_secs, lesson, rig)?,
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
        Edit::InverseBindCell { joint, row, column, value } => {
            check_all_finite(&[*value], "A matrix cell")?;
            let mut cells = current_inverse_bind(document, lesson, rig, *joint)?;
            let cell = cells.get_mut(column * 4 + row).filter(|_| *row < 4);
            *cell.ok_or(EditError::NoCell)? = *value;
            store_inverse_bind(&mut document.state, rig, *joint, cells);
        }
        Edit::Texel { joint, column, part, value } => {
            check_all_finite(&[*value], "A texel")?;
            let mut texel = current_texel(document, lesson, rig, *joint, *column)?;
            *texel.get_mut(*part).ok_or(EditError::NoTexel)? = *value;
            store_texel(&mut document.state, *joint, *column, Some(texel));
        }
        Edit::Shader { kind, text, .. } => store_shader(document, *kind, text)?,
        Edit::Text { cell, text, .. } => store_text(document, cell, text, lesson)?,
        Edit::GiveFile(cell, file) => store_file(document, cell, file, lesson)?,
        Edit::Draw(cell, draw) => {
            store_draw(document, cell, *draw, lesson)?;
            document.state.predictions.remove(cell);
            document.state.answers.remove(cell);
            restart_step(document, lesson, rig);
        }
        Edit::Predict(cell, position_in_world) => {
            check_all_finite(position_in_world, "A place")?;
            let predictions = &mut document.state.predictions;
            predictions.entry(cell.clone()).or_default().set_guess(*position_in_world);
        }
        Edit::Answer(cell, answer) => store_answer(document, cell, answer, lesson)?,
        Edit::Chain(cell, chain) => store_chain(document, cell, chain, lesson)?,
        Edit::Reset(target) => target.reset(&mut document.state),
        Edit::NormalizeWeights(Some(vertex)) => normalize_vertex(document, rig, *vertex)?,
        Edit::NormalizeWeights(None) => {
            for vertex in 0..rig.mesh.influences.len() as u32 {
                normalize_vertex(document, rig, vertex)?;
            }
        }
        Edit::Paint(influences) | Edit::OpenWeights(influences) => {
            put_influences(document, rig, influences)?;
        }
        Edit::KeepGuess(cell) => {
            if let Some(guess) = document.state.predictions.get_mut(cell) {
                guess.keep_latest();
            }
        }
        Edit::Reveal(cell) => {
            if let Some(guess) = document.state.predictions.get_mut(cell) {
                guess.revealed = true;
            }
        }
        Edit::Settings(settings) | Edit::Solve(settings) => {
            let mut next = document.clone();
            for setting in settings {
                match setting {
                    Setting::Param(name, value) => set_param(&mut next, name, *value, lesson, rig)?,
                    other => put_setting(&mut next.state, other, Some(rig))?,
                }
            }
            *document = next;
        }
        Edit::ResetSettings(settings) => reset_settings(document, settings, lesson, rig),
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

/// Describes an edit in a few words that fit after "Undo: ", such as `weight of
/// v4`. `lesson` and `rig` are those after the edit. Names that they do not
/// contain are used as they are.
pub(super) fn edit_label(edit: &Edit, lesson: &Lesson, rig: &Rig) -> String {
    match edit {
        Edit::PlayTo { .. } => "playing".to_owned(),
        Edit::Weight { vertex, .. } => format!("weight of v{vertex}"),
        Edit::LaneJoint { vertex, .. } => format!("joints of v{vertex}"),
        Edit::InverseBindCell { joint, .. } => {
            EditTarget::InverseBind(Some(*joint)).label(lesson, rig)
        }
        Edit::Texel { joint, column, .. } => EditTarget::Texel(*joint, *column).label(lesson, rig),
        Edit::Shader { kind, .. } => EditTarget::Shader(*kind).label(lesson, rig),
        Edit::Text { cell, .. } => EditTarget::Text(cell.clone()).label(lesson, rig),
        Edit::GiveFile(cell, _) => EditTarget::File(cell.clone()).label(lesson, rig),
        Edit::Draw(cell, _) => EditTarget::Draw(cell.clone()).label(lesson, rig),
        Edit::Predict(cell, _) => EditTarget::Prediction(cell.clone()).label(lesson, rig),
        Edit::Answer(cell, _) => EditTarget::Answer(cell.clone()).label(lesson, rig),
        Edit::Chain(cell, _) => EditTarget::Chain(cell.clone()).label(lesson, rig),
        Edit::Reset(target) => target.reset_label(lesson, rig),
        Edit::NormalizeWeights(Some(vertex)) => format!("normalizing the weights of v{vertex}"),
        Edit::NormalizeWeights(None) => "normalizing all weights".to_owned(),
        Edit::Paint(_) => "painted weights".to_owned(),
        Edit::OpenWeights(_) => "weights from a file".to_owned(),
        Edit::KeepGuess(_) => "keeping the guess".to_owned(),
        Edit::Reveal(_) => "revealing the answer".to_owned(),
        Edit::Settings(settings) => settings_label(settings, lesson, rig),
        Edit::ResetSettings(settings) => {
            format!("reset of {}", settings_label(settings, lesson, rig))
        }
        Edit::Solve(_) => "showing the solution".to_owned(),
        Edit::Restore(_) => "going back to your own values".to_owned(),
        Edit::ResetStep => "reset of the step".to_owned(),
        Edit::Recall(PageSnapshot::A, _) => "going to snapshot A".to_owned(),
        Edit::Recall(PageSnapshot::B, _) => "going to snapshot B".to_owned(),
        Edit::Recall(PageSnapshot::Before, _) => "going back from the snapshots".to_owned(),
    }
}

impl EditTarget {
    pub(super) fn reset(&self, state: &mut StepState) {
        match self {
            Self::Weights(Some(vertex)) => state.weights.remove(*vertex),
            Self::Weights(None) => state.weights.clear(),
            Self::InverseBind(joint) => remove(&mut state.inverse_binds, joint.as_ref()),
            Self::Texel(joint, column) => store_texel(state, *joint, *column, None),
            Self::Texels(joint) => remove(&mut state.texels, joint.as_ref()),
            Self::JointMove(joint) => remove(&mut state.joint_moves, joint.as_ref()),
            Self::Bytes { buffer, offset, length } => {
                reset_bytes(state, *buffer, *offset, *length);
            }
            Self::AllBytes => state.bytes = ByteEdits::default(),
            Self::Shader(kind) => remove(&mut state.shaders, Some(&kind.key())),
            Self::Text(cell) => remove(&mut state.texts, Some(cell)),
            Self::File(cell) => remove(&mut state.given_files, Some(cell)),
            Self::Draw(cell) => {
                remove(&mut state.draws, Some(cell));
                remove(&mut state.predictions, Some(cell));
                remove(&mut state.answers, Some(cell));
            }
            Self::Prediction(cell) => remove(&mut state.predictions, Some(cell)),
            Self::Answer(cell) => remove(&mut state.answers, Some(cell)),
            Self::Chain(cell) => remove(&mut state.chains, Some(cell)),
        }
    }

    /// Lists the shaders and the parts of cells that the reader has set, in a
    /// stable order.
    pub(super) fn set_in_cells(state: &StepState) -> impl Iterator<Item = Self> {
        let shaders = state.shaders.keys().filter_map(|key| ShaderKind::from_key(key));
        shaders
            .map(Self::Shader)
            .chain(state.texts.keys().cloned().map(Self::Text))
            .chain(state.given_files.keys().cloned().map(Self::File))
            .chain(state.draws.keys().cloned().map(Self::Draw))
            .chain(state.predictions.keys().cloned().map(Self::Prediction))
            .chain(state.answers.keys().cloned().map(Self::Answer))
            .chain(state.chains.keys().cloned().map(Self::Chain))
    }

    /// Returns settings that name the same data, with any values, because
    /// resetting these restores the values of the step. Empty for all data of a
    /// kind, and for parts of cells.
    pub(super) fn data_settings(&self) -> Vec<Setting> {
        let edits = match *self {
            Self::Weights(Some(vertex)) => vec![DataEdit::Weights(vertex, [0.0; LANES])],
            Self::InverseBind(Some(joint)) => vec![DataEdit::InverseBind(joint.into(), [0.0; 16])],
            Self::Texels(Some(joint)) => {
                (0..4).map(|column| DataEdit::Texel(joint.into(), column, [0.0; 4])).collect()
            }
            Self::JointMove(Some(joint)) => vec![
                DataEdit::Turn(joint.into(), [0.0, 0.0, 0.0, 1.0]),
                DataEdit::Shift(joint.into(), [0.0; 3]),
            ],
            Self::Bytes { buffer, offset, length } => {
                vec![DataEdit::Bytes { buffer, offset, bytes: vec![0; length as usize] }]
            }
            _ => Vec::new(),
        };
        edits.into_iter().map(Setting::Data).collect()
    }

    /// Name of the part without an article, such as `weights of v4`.
    pub(super) fn label(&self, lesson: &Lesson, rig: &Rig) -> String {
        match self {
            Self::Weights(Some(vertex)) => format!("weights of v{vertex}"),
            Self::Weights(None) => "all weights".to_owned(),
            Self::InverseBind(Some(joint)) => part_of(INVERSE_BIND_MATRIX, *joint, rig),
            Self::InverseBind(None) => format!("all {INVERSE_BIND_MATRICES}"),
            Self::Texel(joint, column) => part_of(&format!("texel {column}"), *joint, rig),
            Self::Texels(Some(joint)) => part_of("texels", *joint, rig),
            Self::Texels(None) => "all texels".to_owned(),
            Self::JointMove(Some(joint)) => {
                format!("{} by hand", joint_name_or_number(*joint, rig))
            }
            Self::JointMove(None) => "joints by hand".to_owned(),
            Self::Bytes { offset, length, .. } => bytes_label(*offset, *length as usize),
            Self::AllBytes => "all bytes".to_owned(),
            Self::Shader(_) => "vertex shader".to_owned(),
            Self::Text(cell) => text_label(cell, lesson).to_owned(),
            Self::File(_) => ENGINE_NUMBERS.to_owned(),
            Self::Draw(_) => "numbers of the exercise".to_owned(),
            Self::Prediction(_) => "guess".to_owned(),
            Self::Answer(_) => "answer".to_owned(),
            Self::Chain(_) => "product".to_owned(),
        }
    }

    /// Describes the edit that resets the part, for undo.
    pub(super) fn reset_label(&self, lesson: &Lesson, rig: &Rig) -> String {
        let label = self.label(lesson, rig);
        match self {
            Self::Weights(None)
            | Self::InverseBind(None)
            | Self::Texels(None)
            | Self::Texel(..)
            | Self::Bytes { .. }
            | Self::AllBytes => format!("reset of {label}"),
            Self::JointMove(_) => format!("reset of what is done to {label}"),
            Self::Draw(_) => label,
            Self::Prediction(_) | Self::Answer(_) => format!("forgetting the {label}"),
            _ => format!("reset of the {label}"),
        }
    }
}

/// Removes the value of one key. If `None`, all values.
fn remove<K: Ord, V>(values: &mut BTreeMap<K, V>, key: Option<&K>) {
    match key {
        Some(key) => drop(values.remove(key)),
        None => values.clear(),
    }
}

fn part_of(part: &str, joint: JointIndex, rig: &Rig) -> String {
    format!("{part} of {}", joint_name_or_number(joint, rig))
}

/// Label of an engine's numbers, given to a cell as text or file.
const ENGINE_NUMBERS: &str = "numbers of an engine";

fn text_label(cell: &str, lesson: &Lesson) -> &'static str {
    let mut cells = lesson.cells();
    match cells.find(|other| other.id == cell).map(|cell| &cell.kind) {
        Some(CellKind::Pose(_)) => "program of the pose",
        Some(CellKind::EngineNumbers(_)) => ENGINE_NUMBERS,
        _ => "formula",
    }
}

/// Returns the inverse bind matrix of a joint, column-major, including edits
/// and the effect of parameters.
fn current_inverse_bind(
    document: &Document,
    lesson: &Lesson,
    rig: &Rig,
    joint: JointIndex,
) -> Result<[f32; 16], EditError> {
    if let Some(edit) = document.state.inverse_binds.get(&joint) {
        return Ok(edit.0);
    }
    known_joint(joint, rig)?;
    let values = ParamValues::new(document, Some(lesson), rig);
    let posed = rig.posed(|name| values.get(name));
    let matrix = posed.joint_from_bind.get(joint.index()).copied().unwrap_or_default();
    Ok(matrix.to_cols_array())
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

/// Maximum length of a shader. Many times the longest one that we generate.
const MAX_SHADER_CHARS: usize = 20_000;

/// Stores the reader's source of a shader unless it is absurdly long.
pub(super) fn store_shader(
    document: &mut Document,
    kind: ShaderKind,
    text: &str,
) -> Result<(), EditError> {
    let found = text.chars().count();
    if found > MAX_SHADER_CHARS {
        return Err(EditError::LongShader { most: MAX_SHADER_CHARS, found });
    }
    document.state.shaders.insert(kind.key(), text.to_owned());
    Ok(())
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
