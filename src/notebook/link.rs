//! The page as text: `bindpose://lesson/step?name=value&…`.
//!
//! A link holds only what differs from the step as the lesson begins it, so it
//! stays short, and stays right when a lesson's other defaults change.

mod file_bytes;
pub(super) mod model;
mod playing;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::apply::{set_param, set_shader};
use super::exercise::predictions;
use super::glsl::ShaderKind;
use super::{
    Document, InverseBindEdit, Prediction, TexelEdits, apply_setting, playback_params,
    step_document,
};
use crate::asset::{PARAM_LIMIT, Rig};
use crate::lesson::{Lesson, Show, View, parse_settings};
use crate::skin::{InverseBind, JointIndex, LANES, SET_LANES, Stage};

const SCHEME: &str = "bindpose://";

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

/// Why a link cannot be followed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// Not one of ours.
    #[error(
        "a link to a page begins with {SCHEME} and a lesson, as in {SCHEME}bone-grid/half-of-each?b0=0.8; found “{0}”"
    )]
    NotALink(String),
    /// A value that does not fit its name.
    #[error("“{name}={value}” in the link: expected {expected}")]
    Value {
        /// Left of the sign.
        name: String,
        /// Right of it.
        value: String,
        /// What would do.
        expected: String,
    },
}

/// Takes a link apart.
///
/// # Errors
/// When it does not begin as a link does.
pub fn address(link: &str) -> Result<Address, LinkError> {
    let shown: String = link.trim().chars().take(80).collect();
    let rest = link
        .trim()
        .strip_prefix(SCHEME)
        .ok_or_else(|| LinkError::NotALink(shown.clone()))?;
    let (path, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (lesson, step) = path.split_once('/').unwrap_or((path, ""));
    if lesson.is_empty() {
        return Err(LinkError::NotALink(shown));
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

/// The link to a document.
#[must_use]
pub fn write(document: &Document, lesson: &Lesson, rig: &Rig) -> String {
    let begin = step_document(lesson, document.step, Some(rig));
    let mut link = format!("{SCHEME}{}", document.lesson);
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
    let mut put = |name: &str, value: String| values.push((name.to_owned(), value));
    if document.state.stage != begin.state.stage {
        put("stage", document.state.stage.key().to_owned());
    }
    if document.state.inverse_bind != begin.state.inverse_bind {
        put("inverse-bind", document.state.inverse_bind.key().to_owned());
    }
    if document.state.through != begin.state.through {
        let through = document.state.through.map(|joint| joint.0.to_string());
        put("through", through.unwrap_or_else(|| "strongest".to_owned()));
    }
    if document.state.joint != begin.state.joint {
        put("joint", document.state.joint.0.to_string());
    }
    if document.state.vertex != begin.state.vertex {
        put("vertex", document.state.vertex.to_string());
    }
    if document.state.show != begin.state.show {
        let show = document.state.show.as_ref().map(|show| {
            let words: Vec<String> = show.iter().map(word).collect();
            words.join(",")
        });
        put("show", show.unwrap_or_else(|| "cell".to_owned()));
    }
    if document.state.view != begin.state.view {
        put(
            "view",
            document
                .state
                .view
                .as_ref()
                .map_or_else(|| "cell".to_owned(), word),
        );
    }
    write_way(document, &begin, &mut put);
    file_bytes::write(document, &begin, &mut put);
    playing::write(
        &document.state.playback,
        &begin.state.playback,
        rig,
        &mut put,
    );
    for (vertex, weights) in &document.state.weights {
        // The second four only where they say something.
        let used = if weights[SET_LANES..].iter().all(|&weight| weight == 0.0) {
            SET_LANES
        } else {
            LANES
        };
        put(&format!("weights.{vertex}"), list(&weights[..used]));
    }
    for (joint, edit) in &document.state.inverse_binds {
        put(&format!("inverse-bind.{}", joint.0), list(&edit.0));
    }
    for (kind, text) in &document.state.shaders {
        put(&format!("shader.{kind}"), encode(text));
    }
    for (cell, prediction) in &document.state.predictions {
        let mut value = list(&prediction.position_in_world);
        if prediction.revealed {
            value.push_str(",revealed");
        }
        put(&format!("predict.{cell}"), value);
    }
    for (joint, TexelEdits(columns)) in &document.state.texels {
        for (column, texel) in columns.iter().enumerate() {
            if let Some(texel) = texel {
                put(&format!("texel.{}.{column}", joint.0), list(texel));
            }
        }
    }
    for (index, (name, value)) in values.iter().enumerate() {
        let _ = write!(link, "{}{name}={value}", if index == 0 { '?' } else { '&' });
    }
    link
}

/// How the picture is computed.
fn write_way(document: &Document, begin: &Document, put: &mut impl FnMut(&str, String)) {
    if document.state.tint != begin.state.tint {
        let tint = document.state.tint.as_ref().map(word);
        put("tint", tint.unwrap_or_else(|| "cell".to_owned()));
    }
    if document.state.method != begin.state.method {
        put("method", document.state.method.key().to_owned());
    }
    if document.state.normals != begin.state.normals {
        put("normals", document.state.normals.key().to_owned());
    }
    if document.state.mesh_node != begin.state.mesh_node {
        put("mesh-node", document.state.mesh_node.key().to_owned());
    }
    if document.state.transport != begin.state.transport {
        put("transport", document.state.transport.key().to_owned());
    }
    if document.state.faults != begin.state.faults {
        let faults: Vec<&str> = document
            .state
            .faults
            .iter()
            .map(|fault| fault.key())
            .collect();
        put("faults", faults.join(","));
    }
    if document.state.device != begin.state.device {
        put("device", document.state.device.key().to_owned());
    }
    if document.state.crowd.count != begin.state.crowd.count {
        put("crowd", document.state.crowd.count.to_string());
    }
    if document.state.crowd.own_poses != begin.state.crowd.own_poses {
        let poses = if document.state.crowd.own_poses {
            "own"
        } else {
            "same"
        };
        put("poses", poses.to_owned());
    }
}

/// Applies the values of a link to the step it leads to.
///
/// # Errors
/// For the first value that does not fit, with what would.
pub fn read(
    values: &[(String, String)],
    document: &mut Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), LinkError> {
    for (name, value) in values {
        read_value(name, value, document, lesson, rig).map_err(|expected| LinkError::Value {
            name: name.clone(),
            value: value.clone(),
            expected,
        })?;
    }
    Ok(())
}

fn read_value(
    name: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
    rig: &Rig,
) -> Result<(), String> {
    let joint = |text: &str| -> Result<JointIndex, String> {
        text.parse()
            .ok()
            .map(JointIndex)
            .filter(|joint| joint.at() < rig.skeleton.len())
            .ok_or_else(|| format!("a joint, 0 to {}", rig.skeleton.len() - 1))
    };
    let vertex = |text: &str| -> Result<u32, String> {
        let count = rig.mesh.positions.len();
        text.parse()
            .ok()
            .filter(|&vertex: &u32| (vertex as usize) < count)
            .ok_or_else(|| format!("a vertex, 0 to {}", count.saturating_sub(1)))
    };
    match name {
        "stage" => {
            document.state.stage =
                Stage::from_key(value).ok_or_else(|| "bind, joint, posed or blended".to_owned())?;
        }
        "inverse-bind" => {
            document.state.inverse_bind = InverseBind::from_key(value)
                .ok_or_else(|| "inverse, left-out or subtract".to_owned())?;
        }
        "through" if value == "strongest" => document.state.through = None,
        "through" => document.state.through = Some(joint(value)?),
        "joint" => document.state.joint = joint(value)?,
        "vertex" => document.state.vertex = vertex(value)?,
        "show" if value == "cell" => document.state.show = None,
        "show" => {
            let words = value.split(',').filter(|word| !word.is_empty());
            let show: Result<Vec<Show>, String> = words.map(from_word).collect();
            document.state.show = Some(show?);
        }
        "view" if value == "cell" => document.state.view = None,
        "view" => document.state.view = Some(from_word::<View>(value)?),
        "tint" if value == "cell" => document.state.tint = None,
        "clip" | "fade-to" | "between" | "loop" => playing::read(name, value, document, rig)?,
        "tint" | "method" | "normals" | "transport" | "faults" | "device" | "crowd" | "poses"
        | "mesh-node" | "reading" => {
            // The words are those of `set:` links, but for the commas.
            let text = format!("{name}={}", value.replace(',', "+"));
            for setting in parse_settings(&text)? {
                apply_setting(document, &setting, Some(rig));
            }
        }
        _ => {
            if let Some(number) = name.strip_prefix("weights.") {
                let weights = numbers::<LANES>(value).or_else(|_| {
                    let [a, b, c, d] = numbers::<SET_LANES>(value)?;
                    Ok::<_, String>([a, b, c, d, 0.0, 0.0, 0.0, 0.0])
                })?;
                document.state.weights.insert(vertex(number)?, weights);
            } else if let Some(number) = name.strip_prefix("inverse-bind.") {
                let edit = InverseBindEdit(numbers::<16>(value)?);
                document.state.inverse_binds.insert(joint(number)?, edit);
            } else if let Some(key) = name.strip_prefix("shader.") {
                let kind = ShaderKind::from_key(key).ok_or_else(|| {
                    "which shader, as in shader.texel-fetch.linear.inverse-transpose".to_owned()
                })?;
                set_shader(document, kind, Some(value)).map_err(|refused| refused.0)?;
            } else if let Some(cell) = name.strip_prefix("predict.") {
                read_prediction(cell, value, document, lesson)?;
            } else if let Some(place) = name.strip_prefix("texel.") {
                let (row, column) = place
                    .split_once('.')
                    .and_then(|(row, column)| Some((row, column.parse::<usize>().ok()?)))
                    .filter(|&(_, column)| column < 4)
                    .ok_or_else(|| "texel.joint.column, as in texel.1.3".to_owned())?;
                let edits = document.state.texels.entry(joint(row)?).or_default();
                edits.0[column] = Some(numbers::<4>(value)?);
            } else if let Some(place) = name.strip_prefix("bytes.") {
                file_bytes::read(place, value, document, rig)?;
            } else {
                read_param(name, value, document, lesson, rig)?;
            }
        }
    }
    Ok(())
}

fn read_prediction(
    cell: &str,
    value: &str,
    document: &mut Document,
    lesson: &Lesson,
) -> Result<(), String> {
    let known: Vec<&str> = predictions(lesson).map(|(id, _)| id).collect();
    if !known.contains(&cell) {
        return Err(if known.is_empty() {
            "no prediction: this lesson asks for none".to_owned()
        } else {
            format!("predict. and one of {}", known.join(", "))
        });
    }
    let (place, revealed) = value
        .strip_suffix(",revealed")
        .map_or((value, false), |place| (place, true));
    let prediction = Prediction {
        position_in_world: numbers::<3>(place)
            .map_err(|expected| format!("{expected}, then perhaps ,revealed"))?,
        revealed,
    };
    document
        .state
        .predictions
        .insert(cell.to_owned(), prediction);
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
    let refused = set_param(document, name, value, lesson, rig).is_err();
    if refused { Err(expected) } else { Ok(()) }
}

fn defaults<'a>(lesson: &'a Lesson, rig: &'a Rig) -> impl Iterator<Item = (&'a str, f64)> {
    let of_rig = rig.params.iter().map(|p| (p.name.as_str(), p.default));
    let of_lesson = lesson.params.iter().map(|p| (p.name.as_str(), p.default));
    let playing = playback_params(rig).into_iter();
    let playing = playing.filter(|p| rig.param(p.name).is_none());
    let of_playback = playing.map(|p| (p.name, p.range.0));
    of_rig.chain(of_lesson).chain(of_playback)
}

/// The kebab-case name that serde gives to a unit variant.
fn word(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(word)) => word,
        _ => String::new(),
    }
}

fn from_word<T: serde::de::DeserializeOwned>(word: &str) -> Result<T, String> {
    serde_json::from_value(word.into()).map_err(|error| {
        // serde says “unknown variant `x`, expected one of `a`, `b`”.
        let text = error.to_string();
        text.split_once("expected ")
            .map_or_else(|| text.clone(), |(_, names)| names.replace('`', ""))
    })
}

fn list(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(f32::to_string).collect();
    words.join(",")
}

fn numbers<const N: usize>(text: &str) -> Result<[f32; N], String> {
    let expected = || format!("{N} numbers with commas between");
    let parsed: Result<Vec<f32>, _> = text.split(',').map(str::parse).collect();
    let parsed: [f32; N] = parsed
        .ok()
        .and_then(|numbers| numbers.try_into().ok())
        .ok_or_else(expected)?;
    if parsed.iter().all(|n| n.is_finite() && n.abs() <= 1e6) {
        Ok(parsed)
    } else {
        Err(expected())
    }
}

/// Percent-encoding of everything that could end a link or be changed on its
/// way.
fn encode(text: &str) -> String {
    let mut out = String::with_capacity(2 * text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Undoes percent-encoding, which mailers and chats add on their own.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%')
            .then(|| bytes.get(at + 1..at + 3))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        out.push(code.unwrap_or(bytes[at]));
        at += if code.is_some() { 3 } else { 1 };
    }
    String::from_utf8_lossy(&out).into_owned()
}
