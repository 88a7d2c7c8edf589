//! One object: the names of the joints, and a line a vertex.

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, json_wrong};
use serde::Deserialize;

use super::content::{WeightsFile, checked};

#[derive(Deserialize)]
struct WeightsJson {
    joints: Vec<String>,
    vertices: Vec<Vertex>,
}

#[derive(Deserialize)]
struct Vertex {
    joints: Vec<u16>,
    weights: Vec<f32>,
}

/// Is it an object in which the names of such a file’s parts stand, wherever? One that
/// is not whole is such a file too, and what is wrong with it is told.
pub(super) fn is_weights(text: &str) -> bool {
    let has = |key: &str| text.contains(key);
    text.trim_start().starts_with('{')
        && has("\"joints\"")
        && has("\"vertices\"")
        && has("\"weights\"")
}

pub(super) fn read(text: &str) -> Result<WeightsFile, Diagnostic> {
    let file: WeightsJson = serde_json::from_str(text).map_err(|wrong| {
        let (found, at) = json_wrong(&wrong);
        Diagnostic::expected("joints by name, and joints and weights a vertex", found)
            .at(Place::text("JSON", at))
            .help("save the weights again")
    })?;
    let WeightsJson { joints, vertices } = file;
    let count = joints.len();
    let vertices = vertices.into_iter().enumerate();
    let vertices = vertices.map(|(nth, vertex)| pairs(nth, &vertex, count));
    Ok(WeightsFile { vertices: vertices.collect::<Result<_, _>>()?, joints })
}

fn pairs(nth: usize, vertex: &Vertex, joints: usize) -> Result<Vec<(u16, f32)>, Diagnostic> {
    let wrong = |key: &str, expected: String, found: usize| {
        Diagnostic::expected(expected, found.to_string())
            .at(ModelPlace::at(format!("/vertices/{nth}/{key}")).into())
            .help("save the weights again")
    };
    let (expected, found) = (vertex.joints.len(), vertex.weights.len());
    if expected != found {
        let expected = format!("{expected} weights, one a joint");
        return Err(wrong("weights", expected, found));
    }
    let mut pairs = Vec::with_capacity(found);
    for (lane, (&joint, &weight)) in vertex.joints.iter().zip(&vertex.weights).enumerate() {
        if usize::from(joint) >= joints {
            let expected = format!("a number below {joints}, that of a joint");
            return Err(wrong(&format!("joints/{lane}"), expected, joint.into()));
        }
        let weight = checked(weight, || format!("/vertices/{nth}/weights/{lane}"))?;
        if weight != 0.0 {
            pairs.push((joint, weight));
        }
    }
    Ok(pairs)
}
