//! Pages as links: `bindpose://lesson/step?name=value&…`.
//!
//! A link holds only the differences from the start of its step. It stays
//! short, and stays valid when other defaults of the lesson change.

mod camera_text;
pub mod own_model;
mod site;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;

use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    Cell, CellKind, DataEdit, Lesson, MAX_PARAM_ABS, MatrixProduct, Setting, numbers, with_commas,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::apply_edit::{set_param, store_answer, store_chain, store_draw, store_shader};
use super::cell_text::{linked_texts, store_text};
use super::document::MAX_GUESSES;
use super::exercise_cells::{Exercise, exercises};
use super::glsl::ShaderKind;
use super::model_data::{apply_data_edit, data_edits};
use super::setting::{put_setting, settings_of};
use super::{
    Answer, Cameras, Document, EditError, Prediction, StepState, playback_params, step_document,
};
use crate::chain::ChainState;
use site::WEB_SCHEME;

pub use site::{NotebookSite, PagePart, WebAddress, WebQuery};

/// Characters that could end a link or be changed in transit.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A parsed link. [`read`] applies its values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Slug, number or folder of the lesson, as written.
    pub lesson: String,
    /// Slug of the step, or its number from 1. If `None`, the first step.
    pub step: Option<String>,
    /// Decoded names and values, in order.
    pub values: Vec<(String, String)>,
}

/// Name of the value that holds a route.
const ROUTE: &str = "route";

/// Appends the name of a route to a link.
pub(super) fn name_route(link: &str, route: &str) -> String {
    let and = if link.contains('?') { '&' } else { '?' };
    format!("{link}{and}{ROUTE}={}", encode(route))
}

/// Name of the value that holds an inventory form and its question.
const FORM: &str = "form";

/// Appends a form to a link.
pub(super) fn name_form(link: &str, form: &str) -> String {
    let and = if link.contains('?') { '&' } else { '?' };
    format!("{link}{and}{FORM}={}", encode(form))
}

/// Removes and returns the form among the values of a link. Returns `None` if
/// there is none.
pub(super) fn take_form(values: &mut Vec<(String, String)>) -> Option<String> {
    let place = values.iter().position(|(name, _)| name == FORM)?;
    Some(values.remove(place).1)
}

/// Removes and returns the route among the values of a link. Returns `None` if
/// there is none.
pub(super) fn take_route(values: &mut Vec<(String, String)>) -> Option<String> {
    let place = values.iter().position(|(name, _)| name == ROUTE)?;
    Some(values.remove(place).1)
}

/// Parses a link, also in the form that a browser’s address bar shows.
///
/// # Errors
///
/// Fails if the text does not start like a link.
pub fn address(link: &str) -> Result<Address, Diagnostic> {
    let shown: String = link.trim().chars().take(80).collect();
    let of_site = site::link_at(link.trim());
    let link = of_site.map_or(Cow::Borrowed(link.trim()), Cow::Owned);
    let rest = link.strip_prefix(WEB_SCHEME).ok_or_else(|| not_a_link(&shown))?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (lesson, step) = path.split_once('/').unwrap_or((path, ""));
    if lesson.is_empty() {
        return Err(not_a_link(&shown));
    }
    let step = step.trim_end_matches('/');
    Ok(Address {
        lesson: decode(lesson),
        step: (!step.is_empty()).then(|| decode(step)),
        values: query
            .split('&')
            .filter(|pair| !pair.is_empty())
            .map(|pair| {
                let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
                (decode(name), decode(value))
            })
            .collect(),
    })
}

fn not_a_link(shown: &str) -> Diagnostic {
    let expected =
        format!("{WEB_SCHEME} and a lesson, as in {WEB_SCHEME}bone-grid/half-of-each?b0=0.8");
    let found = format!("“{shown}”");
    let title = format!("a link to a page begins with {expected}; found {found}");
    Diagnostic::expected(expected, found).title(title)
}

/// Writes the link to a document, including cameras moved by hand.
pub fn write(document: &Document, cameras: &Cameras, lesson: &Lesson, rig: &Rig) -> String {
    let start = step_document(lesson, document.step, Some(rig));
    let mut link = format!("{WEB_SCHEME}{}", document.lesson);
    if let Some(step) = lesson.steps.get(document.step) {
        let _ = write!(link, "/{}", step.slug);
    }
    let mut values: Vec<(String, String)> = Vec::new();
    for (name, default) in defaults(lesson, rig) {
        let value = document.state.params.get(name).copied().unwrap_or(default);
        if value != start.state.params.get(name).copied().unwrap_or(default) {
            values.push((name.to_owned(), value.to_string()));
        }
    }
    let now = &document.state;
    for (setting, at_start) in settings_of(now, rig).into_iter().zip(settings_of(&start.state, rig))
    {
        if setting != at_start {
            values.push((setting.key().into_owned(), setting.text()));
        }
    }
    values.extend(changed_data(now, &start.state, rig));
    for (kind, text) in &now.shaders {
        values.push((format!("shader.{kind}"), encode(text)));
    }
    for (cell, text) in linked_texts(&now.texts, lesson) {
        values.push((format!("text.{cell}"), encode(&text.text)));
    }
    for (cell, prediction) in &now.predictions {
        // Kept guesses come first, then the current one.
        let kept = prediction.kept_in_world.iter();
        let places = kept.chain([&prediction.position_in_world]).flatten().copied();
        let place = with_commas(&places.collect::<Vec<f32>>());
        let mark = if prediction.revealed { ",revealed" } else { "" };
        values.push((format!("predict.{cell}"), format!("{place}{mark}")));
    }
    // Variants come first, because valid answers can depend on them.
    for (cell, draw) in &now.draws {
        values.push((format!("draw.{cell}"), (draw + 1).to_string()));
    }
    for (cell, answer) in &now.answers {
        let mark = if answer.given { ",given" } else { "" };
        values.push((format!("answer.{cell}"), format!("{}{mark}", encode(&answer.text))));
    }
    for (cell, chain) in &now.chains {
        values.push((format!("chain.{cell}"), encode(&write_chain_text(chain))));
    }
    // Viewports outside the lesson do not exist on every page that the link opens.
    let own_cameras = cameras
        .iter()
        .filter(|(viewport, _)| camera_text::viewport_ids(lesson).any(|id| id == *viewport));
    for (viewport, camera) in own_cameras {
        values.push((format!("camera.{viewport}"), camera_text::write(camera)));
    }
    for (index, (name, value)) in values.iter().enumerate() {
        let _ = write!(link, "{}{name}={value}", if index == 0 { '?' } else { '&' });
    }
    link
}

/// Lists the differences in edited data. If the step itself edits data that is
/// now as stored, the list starts by clearing all edits.
fn changed_data(now: &StepState, start: &StepState, rig: &Rig) -> Vec<(String, String)> {
    let given: Vec<_> = data_edits(start, rig).collect();
    let edits: Vec<_> = data_edits(now, rig).collect();
    let new: Vec<_> = edits.iter().filter(|edit| !given.contains(edit)).collect();
    let mut reached = start.clone();
    for edit in &new {
        let _ = apply_data_edit(&mut reached, edit, rig);
    }
    let mut values: Vec<(String, String)> = Vec::new();
    let listed = if data_edits(&reached, rig).eq(edits.iter().cloned()) {
        new
    } else {
        values.push((Setting::NoEdits.key().into_owned(), Setting::NoEdits.text()));
        edits.iter().collect()
    };
    values.extend(listed.into_iter().map(|edit| (edit.key(), edit.text())));
    values
}

/// Applies the values of a link to the step that it leads to.
///
/// # Errors
///
/// Fails at the first invalid value and describes valid ones.
pub fn read(
    values: &[(String, String)],
    document: &mut Document,
    cameras: &mut Cameras,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Diagnostic> {
    for (name, value) in values {
        camera_text::read(name, value, cameras, lesson)
            .unwrap_or_else(|| read_value(name, value, document, lesson, rig))
            .map_err(|error| error.at(Place::Link(format!("{name}={value}"))))?;
    }
    Ok(())
}

/// Like [`read`], but skips invalid values, because the lesson or model may
/// have changed since the link was made. Returns the names of skipped values.
pub(super) fn read_valid(
    values: &[(String, String)],
    document: &mut Document,
    cameras: &mut Cameras,
    lesson: &Lesson,
    rig: &Rig,
) -> Vec<String> {
    let mut skipped = Vec::new();
    for value in values {
        if read(std::slice::from_ref(value), document, cameras, lesson, rig).is_err() {
            skipped.push(value.0.clone());
        }
    }
    skipped
}

/// Finds the first link in a copied text such as a message, either to the
/// program or to a page in a browser.
pub fn find(text: &str) -> Option<&str> {
    let opening = ['<', '(', '[', '"', '“', '\''];
    let closing = ['>', ')', ']', '"', '”', '\'', '.', ',', ';'];
    text.split_whitespace().find_map(|word| {
        let word = word.trim_start_matches(opening);
        // Text may precede a program link without a space. Nothing else starts
        // with its scheme.
        if let Some(start) = word.find(WEB_SCHEME) {
            return Some(&word[start..]);
        }
        Some(word.trim_end_matches(closing)).filter(|word| is_web(word))
    })
}

/// Returns true if the text is the address of a notebook page in a browser.
pub fn is_web(text: &str) -> bool {
    site::link_at(text.trim()).is_some()
}

fn read_value(
    name: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Diagnostic> {
    if let Some(setting) = Setting::from_link(name, value) {
        return Ok(put_setting(&mut document.state, &setting?, Some(rig))?);
    }
    if let Some(edit) = DataEdit::from_link(name, value) {
        return Ok(apply_data_edit(&mut document.state, &edit.map_err(expected_value)?, rig)?);
    }
    let read = match name.split_once('.') {
        Some(("shader", kind)) => {
            let kind = ShaderKind::from_key(kind).ok_or_else(|| {
                let example = "shader.texel-fetch.linear.inverse-transpose";
                expected_value(format!("which shader, as in {example}"))
            })?;
            return Ok(store_shader(document, kind, value)?);
        }
        Some(("text", cell)) => return Ok(store_text(document, cell, value, lesson)?),
        Some(("predict", cell)) => read_prediction(cell, value, document, lesson),
        Some(("draw", cell)) => read_draw(cell, value, document, lesson),
        Some(("answer", cell)) => {
            let (text, given) = split_mark(value, ",given");
            let answer = Answer { text: text.to_owned(), given };
            return Ok(store_answer(document, cell, &answer, lesson)?);
        }
        // Links of version 0.2 have poses that the reader named on the bench.
        Some(("pose", _)) => return Ok(()),
        Some(("chain", cell)) => read_chain(cell, value, document, lesson),
        _ => read_param(name, value, document, lesson, rig),
    };
    read.map_err(expected_value)
}

/// Describes a valid value. The caller adds the place, which contains the value found.
fn expected_value(expected: String) -> Diagnostic {
    Diagnostic::expected(expected, "")
}

/// Splits a mark off the end. Returns the rest, and whether the mark was there.
fn split_mark<'a>(value: &'a str, mark: &str) -> (&'a str, bool) {
    value.strip_suffix(mark).map_or((value, false), |before| (before, true))
}

/// Reads the variant of an exercise, numbered from 1.
fn read_draw(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let with_draws: Vec<(&str, Exercise<'_>)> =
        exercises(lesson).filter(|(_, exercise)| exercise.count() > 1).collect();
    let Some((_, exercise)) = with_draws.iter().find(|(id, _)| *id == cell) else {
        let names: Vec<&str> = with_draws.iter().map(|(id, _)| *id).collect();
        return Err(if names.is_empty() {
            "no draw: this lesson has no exercise with draws".to_owned()
        } else {
            format!("draw. and one of {}", names.join(", "))
        });
    };
    value
        .parse::<usize>()
        .ok()
        .and_then(|number| number.checked_sub(1))
        .and_then(|draw| store_draw(document, cell, draw, lesson).ok())
        .ok_or_else(|| format!("a draw from 1 to {}", exercise.count()))
}

fn read_prediction(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let known: Vec<&str> = exercises(lesson)
        .filter(|(_, exercise)| matches!(exercise, Exercise::Predict(_)))
        .map(|(id, _)| id)
        .collect();
    if !known.contains(&cell) {
        return Err(if known.is_empty() {
            "no prediction: this lesson asks for none".to_owned()
        } else {
            format!("predict. and one of {}", known.join(", "))
        });
    }
    let (places, revealed) = split_mark(value, ",revealed");
    let words: Vec<&str> = places.split(',').collect();
    let places = words.chunks(3).map(|place| numbers(&place.join(",")));
    let mut kept_in_world: Vec<[f32; 3]> = places
        .collect::<Result<_, _>>()
        .map_err(|expected| format!("{expected} for each guess, then perhaps ,revealed"))?;
    if kept_in_world.len() > MAX_GUESSES {
        return Err(format!("at most {MAX_GUESSES} guesses"));
    }
    let position_in_world = kept_in_world.pop().unwrap_or_default();
    let prediction = Prediction { position_in_world, revealed, kept_in_world };
    document.state.predictions.insert(cell.to_owned(), prediction);
    Ok(())
}

fn read_param(
    name: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), String> {
    let names: Vec<&str> = defaults(lesson, rig).map(|(name, _)| name).collect();
    if !names.contains(&name) {
        return Err(format!("one of {}", names.join(", ")));
    }
    let expected = format!("a number up to ±{MAX_PARAM_ABS}");
    let Ok(value) = value.parse() else {
        return Err(expected);
    };
    match set_param(document, name, value, lesson, rig) {
        Ok(()) => Ok(()),
        Err(EditError::Driven { formula, .. }) => Err(format!("no number: it follows {formula}")),
        Err(_) => Err(expected),
    }
}

/// Returns every parameter of rig, lesson and playback with its default.
pub(super) fn defaults<'a>(
    lesson: &'a Lesson,
    rig: &'a Rig,
) -> impl Iterator<Item = (&'a str, f64)> {
    let of_rig = rig.params.iter().map(|p| (p.name.as_str(), p.default));
    let of_lesson = lesson.params.iter().map(|p| (p.name.as_str(), p.default));
    let of_playback = playback_params(rig)
        .into_iter()
        .filter(|p| rig.param(p.name).is_none())
        .map(|p| (p.name, p.range.0));
    of_rig.chain(of_lesson).chain(of_playback)
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Decodes percent-encoding, which mail and chat programs add on their own.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

// Matrix products in links: product, rung and fraction of the way.

/// Writes a product such as `world_from_joint(1) * ?,2,0.5`. Rungs are numbered from 1.
fn write_chain_text(chain: &ChainState) -> String {
    let ChainState { product, rung, travelled } = chain;
    format!("{product},{},{travelled}", rung + 1)
}

/// Reads a product. The error describes a valid value.
fn read_chain(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let chain = parse_chain(value)
        .ok_or("a product, a rung and a way, as in world_from_joint(1) * ?,1,0")?;
    // Ladders used to start with the whole product, but now start at their first blank.
    if chain.rung == 0 && lesson.cells().any(|known| known.id == cell && is_ladder(known)) {
        return Ok(());
    }
    store_chain(document, cell, &chain, lesson)
        .map_err(|_refused| "a product of this lesson, no longer than it may be".to_owned())
}

fn is_ladder(cell: &Cell) -> bool {
    matches!(&cell.kind, CellKind::Chain(chain) if chain.ladder)
}

/// Splits from the end, because names of joints may contain commas.
fn parse_chain(value: &str) -> Option<ChainState> {
    let mut parts = value.rsplitn(3, ',');
    let travelled = parts.next()?.parse().ok()?;
    let rung = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
    let product = MatrixProduct::try_from(parts.next()?.to_owned()).ok()?;
    Some(ChainState { product, rung, travelled })
}
