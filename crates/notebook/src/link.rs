//! The page as text: `bindpose://lesson/step?name=value&…`.
//!
//! A link holds only what differs from the step as the lesson begins it, so it
//! stays short, and stays right when a lesson's other defaults change.

mod camera_text;
pub mod own_model;
mod site;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::fmt::Write as _;

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, Place};
use bindpose_lesson::{
    Cell, CellKind, DataEdit, Lesson, MatrixProduct, PARAM_LIMIT, Setting, numbers, with_commas,
};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};

use super::apply_edit::{keep_pose, put_answer, put_draw, set_param, set_shader};
use super::cell_text::{linked_texts, put_text};
use super::document::MOST_GUESSES;
use super::exercise_cells::{Exercise, exercises};
use super::glsl::ShaderKind;
use super::model_data::{data_edits, put_data};
use super::posing::SavedPose;
use super::setting::{put_setting, settings_of};
use super::{
    Cameras, Document, EditError, GivenAnswer, Prediction, StepState, playback_params,
    step_document,
};
use crate::apply_edit::put_chain;
use crate::chain::ChainState;
use site::WEB_SCHEME;

pub use site::{NotebookSite, PagePart, WebAddress, WebQuery};

/// Everything that could end a link or be changed on its way.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A link taken apart; what it says is applied by [`read`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Address {
    /// Slug, number or folder, as written.
    pub lesson: String,
    /// Slug or number from 1; absent: the first step.
    pub step: Option<String>,
    /// Name and value, in order, decoded.
    pub values: Vec<(String, String)>,
}

/// What a link calls the route that leads over its page.
const ROUTE: &str = "route";

/// Puts the name of a route into a link, after all other values.
pub(super) fn name_route(link: &str, route: &str) -> String {
    let and = if link.contains('?') { '&' } else { '?' };
    format!("{link}{and}{ROUTE}={}", encode(route))
}

/// What a link calls the form of the inventory that it opens, and its question.
const FORM: &str = "form";

/// Puts a form into a link, after all other values.
pub(super) fn name_form(link: &str, form: &str) -> String {
    let and = if link.contains('?') { '&' } else { '?' };
    format!("{link}{and}{FORM}={}", encode(form))
}

/// Takes the form off the values of a link; `None`: it names none.
pub(super) fn take_form(values: &mut Vec<(String, String)>) -> Option<String> {
    let place = values.iter().position(|(name, _)| name == FORM)?;
    Some(values.remove(place).1)
}

/// Takes the name of a route off the values of a link; `None`: it names none.
pub(super) fn take_route(values: &mut Vec<(String, String)>) -> Option<String> {
    let place = values.iter().position(|(name, _)| name == ROUTE)?;
    Some(values.remove(place).1)
}

/// Takes a link apart; one that a browser’s address bar shows, too.
///
/// Fails when it does not begin as a link does.
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

/// The link to a document, seen from where the reader looks.
pub fn write(document: &Document, cameras: &Cameras, lesson: &Lesson, rig: &Rig) -> String {
    let begin = step_document(lesson, document.step, Some(rig));
    let mut link = format!("{WEB_SCHEME}{}", document.lesson);
    if let Some(step) = lesson.steps.get(document.step) {
        let _ = write!(link, "/{}", step.slug);
    }
    let mut values: Vec<(String, String)> = Vec::new();
    for (name, default) in defaults(lesson, rig) {
        let value =
            |document: &Document| document.state.params.get(name).copied().unwrap_or(default);
        if value(document) != value(&begin) {
            values.push((name.to_owned(), value(document).to_string()));
        }
    }
    let (now, then) = (&document.state, &begin.state);
    let settings = settings_of(now, rig).into_iter().zip(settings_of(then, rig));
    let changed = settings.filter(|(now, then)| now != then);
    values.extend(changed.map(|(now, _)| (now.key().into_owned(), now.text())));
    values.extend(changed_data(now, then, rig));
    for (kind, text) in &now.shaders {
        values.push((format!("shader.{kind}"), encode(text)));
    }
    for (cell, text) in linked_texts(&now.texts, lesson) {
        values.push((format!("text.{cell}"), encode(&text.text)));
    }
    for (cell, prediction) in &now.predictions {
        // The guess that is being made comes last, after those that are kept.
        let kept = prediction.kept_in_world.iter();
        let places = kept.chain([&prediction.position_in_world]).flatten().copied();
        let place = with_commas(&places.collect::<Vec<f32>>());
        let mark = if prediction.revealed { ",revealed" } else { "" };
        values.push((format!("predict.{cell}"), format!("{place}{mark}")));
    }
    // Draws come first: what an answer may be can depend on them.
    for (cell, draw) in &now.draws {
        values.push((format!("draw.{cell}"), (draw + 1).to_string()));
    }
    for (cell, answer) in &now.answers {
        let mark = if answer.given { ",given" } else { "" };
        values.push((format!("answer.{cell}"), format!("{}{mark}", encode(&answer.text))));
    }
    for (name, pose) in &now.poses {
        values.push((format!("pose.{}", encode(name)), encode(&pose.text())));
    }
    for (cell, chain) in &now.chains {
        values.push((format!("chain.{cell}"), encode(&write_chain_text(chain))));
    }
    // Other panels than the lesson's own are not on every page that the link opens.
    let of_lesson = |viewport: &str| camera_text::pictures(lesson).any(|id| id == viewport);
    for (viewport, camera) in cameras.iter().filter(|(id, _)| of_lesson(id)) {
        values.push((format!("camera.{viewport}"), camera_text::write(camera)));
    }
    for (index, (name, value)) in values.iter().enumerate() {
        let _ = write!(link, "{}{name}={value}", if index == 0 { '?' } else { '&' });
    }
    link
}

/// What differs in the data behind the picture. Where the step itself edits data
/// that is as stored again, all is put back first.
fn changed_data(now: &StepState, then: &StepState, rig: &Rig) -> Vec<(String, String)> {
    let words = |edit: &DataEdit| (edit.key(), edit.text());
    let given: Vec<_> = data_edits(then, rig).collect();
    let edits: Vec<_> = data_edits(now, rig).collect();
    let new: Vec<_> = edits.iter().filter(|edit| !given.contains(edit)).collect();
    let mut reached = then.clone();
    for edit in &new {
        let _ = put_data(&mut reached, edit, rig);
    }
    if data_edits(&reached, rig).eq(edits.iter().cloned()) {
        return new.into_iter().map(words).collect();
    }
    let none = Setting::NoEdits;
    let none = (none.key().into_owned(), none.text());
    std::iter::once(none).chain(edits.iter().map(words)).collect()
}

/// Applies the values of a link to the step it leads to.
///
/// Errors: for the first value that does not fit, with what would.
pub fn read(
    values: &[(String, String)],
    document: &mut Document,
    cameras: &mut Cameras,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), Diagnostic> {
    for (name, value) in values {
        let at = || Place::Link(format!("{name}={value}"));
        let looks = camera_text::read(name, value, cameras, lesson);
        looks
            .unwrap_or_else(|| read_value(name, value, document, lesson, rig))
            .map_err(|wrong| wrong.at(at()))?;
    }
    Ok(())
}

/// As [`read`], leaving out each value that does not fit: a lesson or a model
/// may have changed since the link was made. The answer names those.
pub(super) fn read_what_fits(
    values: &[(String, String)],
    document: &mut Document,
    cameras: &mut Cameras,
    lesson: &Lesson,
    rig: &Rig,
) -> Vec<String> {
    let mut left = Vec::new();
    for value in values {
        if read(std::slice::from_ref(value), document, cameras, lesson, rig).is_err() {
            left.push(value.0.clone());
        }
    }
    left
}

/// The first link in a text that was copied from somewhere, such as a message: to
/// the notebook as a program or to its pages in a browser.
pub fn find(text: &str) -> Option<&str> {
    let opening = ['<', '(', '[', '"', '“', '\''];
    let closing = ['>', ')', ']', '"', '”', '\'', '.', ',', ';'];
    let mut words = text.split_whitespace().filter_map(|word| {
        let word = word.trim_start_matches(opening);
        // Words may run into a link of ours, which nothing else begins like.
        let ours = word.find(WEB_SCHEME).map(|at| &word[at..]);
        let web = || Some(word.trim_end_matches(closing)).filter(|word| is_web(word));
        ours.or_else(web)
    });
    words.next()
}

/// Does it lead to a page of the notebook in a browser?
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
    // What was found stands in the place: name and value.
    let expected = |expected: String| Diagnostic::expected(expected, "");
    if let Some(edit) = DataEdit::from_link(name, value) {
        return Ok(put_data(&mut document.state, &edit.map_err(expected)?, rig)?);
    }
    let read = match name.split_once('.') {
        Some(("shader", kind)) => {
            let kind = ShaderKind::from_key(kind).ok_or_else(|| {
                let example = "shader.texel-fetch.linear.inverse-transpose";
                expected(format!("which shader, as in {example}"))
            })?;
            return Ok(set_shader(document, kind, Some(value))?);
        }
        Some(("text", cell)) => return Ok(put_text(document, cell, Some(value), lesson)?),
        Some(("predict", cell)) => read_prediction(cell, value, document, lesson),
        Some(("draw", cell)) => read_draw(cell, value, document, lesson),
        Some(("answer", cell)) => {
            let (text, given) = without_mark(value, ",given");
            let answer = GivenAnswer { text: text.to_owned(), given };
            return Ok(put_answer(document, cell, &answer, lesson)?);
        }
        Some(("pose", pose)) => {
            let read = SavedPose::from_text(value);
            let read = read.ok_or_else(|| expected("a pose, as in b0:0.5,b1:0.2".to_owned()))?;
            return Ok(keep_pose(document, pose, &read, rig)?);
        }
        Some(("chain", cell)) => read_chain_text(cell, value, document, lesson),
        _ => read_param(name, value, document, lesson, rig),
    };
    read.map_err(expected)
}

/// What stands before a mark at the end, and whether the mark is there.
fn without_mark<'a>(value: &'a str, mark: &str) -> (&'a str, bool) {
    value.strip_suffix(mark).map_or((value, false), |before| (before, true))
}

/// Draws are counted from 1.
fn read_draw(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let drawn = || exercises(lesson).filter(|(_, exercise)| exercise.count() > 1);
    let Some((_, exercise)) = drawn().find(|(id, _)| *id == cell) else {
        let names: Vec<&str> = drawn().map(|(id, _)| id).collect();
        return Err(if names.is_empty() {
            "no draw: this lesson has no exercise with draws".to_owned()
        } else {
            format!("draw. and one of {}", names.join(", "))
        });
    };
    let draw = value.parse::<usize>().ok();
    let draw = draw.and_then(|draw| draw.checked_sub(1));
    draw.and_then(|draw| put_draw(document, cell, draw, lesson).ok())
        .ok_or_else(|| format!("a draw from 1 to {}", exercise.count()))
}

fn read_prediction(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let asked = exercises(lesson).filter(|(_, one)| matches!(one, Exercise::Predict(_)));
    let known: Vec<&str> = asked.map(|(id, _)| id).collect();
    if !known.contains(&cell) {
        return Err(if known.is_empty() {
            "no prediction: this lesson asks for none".to_owned()
        } else {
            format!("predict. and one of {}", known.join(", "))
        });
    }
    let (places, revealed) = without_mark(value, ",revealed");
    let words: Vec<&str> = places.split(',').collect();
    let places = words.chunks(3).map(|place| numbers(&place.join(",")));
    let mut kept_in_world: Vec<[f32; 3]> = places
        .collect::<Result<_, _>>()
        .map_err(|expected| format!("{expected} for each guess, then perhaps ,revealed"))?;
    if kept_in_world.len() > MOST_GUESSES {
        return Err(format!("at most {MOST_GUESSES} guesses"));
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
    let expected = format!("a number up to ±{PARAM_LIMIT}");
    let Ok(value) = value.parse() else {
        return Err(expected);
    };
    match set_param(document, name, value, lesson, rig) {
        Ok(()) => Ok(()),
        Err(EditError::Driven { formula, .. }) => Err(format!("no number: it follows {formula}")),
        Err(_) => Err(expected),
    }
}

/// Every parameter of rig, lesson and playback, with what it is unless something
/// else is said.
pub(super) fn defaults<'a>(
    lesson: &'a Lesson,
    rig: &'a Rig,
) -> impl Iterator<Item = (&'a str, f64)> {
    let of_rig = rig.params.iter().map(|p| (p.name.as_str(), p.default));
    let of_lesson = lesson.params.iter().map(|p| (p.name.as_str(), p.default));
    let playing = playback_params(rig).into_iter();
    let playing = playing.filter(|p| rig.param(p.name).is_none());
    let of_playback = playing.map(|p| (p.name, p.range.0));
    of_rig.chain(of_lesson).chain(of_playback)
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

/// Undoes percent-encoding, which mailers and chats add on their own.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8_lossy().into_owned()
}

// Products in links: what stands in them, which rung, and how far the vertex is.

/// `world_from_joint(1) * ?,2,0.5`: of a rung, its blanks and 1.
fn write_chain_text(chain: &ChainState) -> String {
    let ChainState { product, rung, travelled } = chain;
    format!("{product},{},{travelled}", rung + 1)
}

/// The error is what was expected.
fn read_chain_text(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let chain = read_chain(value);
    let chain = chain.ok_or("a product, a rung and a way, as in world_from_joint(1) * ?,1,0")?;
    // A ladder of before began with the whole product: now it opens at its first blank.
    let is_ladder = |known: &Cell| {
        known.id == cell && matches!(&known.kind, CellKind::Chain(chain) if chain.ladder)
    };
    if chain.rung == 0 && lesson.cells().any(is_ladder) {
        return Ok(());
    }
    put_chain(document, cell, &chain, lesson)
        .map_err(|_refused| "a product of this lesson, no longer than it may be".to_owned())
}

/// Names of joints may have commas: the numbers stand last.
fn read_chain(value: &str) -> Option<ChainState> {
    let mut parts = value.rsplitn(3, ',');
    let travelled = parts.next()?.parse().ok()?;
    let rung = parts.next()?.parse::<usize>().ok()?.checked_sub(1)?;
    let product = MatrixProduct::try_from(parts.next()?.to_owned()).ok()?;
    Some(ChainState { product, rung, travelled })
}
