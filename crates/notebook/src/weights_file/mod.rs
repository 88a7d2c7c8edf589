//! Weights that were saved as a file, opened again: on the model that is open, by the
//! order of its vertices and the names of its joints.

#[cfg(test)]
mod tests;
pub(crate) mod text;

use bindpose_asset::checked_size;
use bindpose_diagnostic::{Diagnostic, LineColumn, ModelPlace, Place, did_you_mean, json_wrong};
use bindpose_lesson::CELL_LIMIT;
use bindpose_skin::{Influences, JointIndex, LANES, Skeleton};
use serde::Deserialize;

use super::Derived;
use text::{Lines, is_weights, is_weights_file};

impl WeightsFile {
    /// What is in a file that was saved as `weights-json` or `weights-csv`; `None`: it is
    /// none, by the names in it.
    ///
    /// Fails where such a file holds something else than expected, and what to do.
    pub fn read(bytes: &[u8]) -> Option<Result<Self, Diagnostic>> {
        let text = std::str::from_utf8(bytes).ok()?;
        let text = text.trim_start_matches('\u{feff}');
        if !is_weights_file(text) {
            return None;
        }
        let is_json = is_weights(text);
        let size = checked_size(bytes, "save the weights of a smaller model");
        Some(size.and_then(|()| if is_json { read_json(text) } else { read_csv(text) }))
    }

    /// Vertices whose influences in the file are other ones than they are now, in rising
    /// order, with those of the file. Joints are those of the same name; where several
    /// have it, the one of the same number.
    ///
    /// Fails when the file is of another model.
    pub fn fitting(&self, derived: &Derived) -> Result<Vec<(u32, Influences)>, Diagnostic> {
        let now = derived.meant_influences();
        let (expected, found) = (now.len(), self.vertices.len());
        if expected != found {
            let wrong = match expected {
                0 => {
                    let found = format!("weights of {found} vertices");
                    Diagnostic::expected("a model with weights", found)
                }
                _ => Diagnostic::expected(
                    format!("weights of {expected} vertices, as many as the model has"),
                    found.to_string(),
                ),
            };
            return Err(wrong.help("open the model that these weights are of, then the file"));
        }
        let mesh = &derived.rig.mesh;
        let joints = self.joints_in(&derived.rig.skeleton)?;
        let mut changes = Vec::new();
        let all = self.vertices.iter().zip(now.iter()).zip(&mesh.influences);
        for (vertex, ((in_file, now), stored)) in (0_u32..).zip(all) {
            let pairs = in_file.iter().filter_map(|&(joint, weight)| {
                let joint = joints.get(usize::from(joint)).copied().flatten()?;
                Some((joint, weight))
            });
            let pairs: Vec<(JointIndex, f32)> = pairs.collect();
            let is_edited = now != stored;
            let many = mesh.many.get(&vertex);
            // Of more than eight the strongest stand in the list.
            let is_stored = match many {
                Some(many) => {
                    let many = many.iter().filter(|(_, weight)| *weight != 0.0);
                    many.eq(&pairs)
                }
                None => is_of(stored, &pairs),
            };
            if is_stored {
                if is_edited {
                    changes.push((vertex, *stored));
                }
                continue;
            }
            if pairs.len() > LANES {
                let expected = format!("at most {LANES} joints at an edited vertex");
                let help = format!(
                    "leave out the weakest, and divide the others by their sum; up to {LANES} can be painted"
                );
                let wrong = Diagnostic::expected(expected, pairs.len().to_string()).help(help);
                return Err(wrong.at(at_vertex(vertex as usize)));
            }
            let is_now = (is_edited || many.is_none()) && is_of(now, &pairs);
            if !is_now {
                changes.push((vertex, Influences::new(&pairs)));
            }
        }
        Ok(changes)
    }

    /// The joint of the model for each of the file's; `None`: no weight asks for it.
    fn joints_in(&self, skeleton: &Skeleton) -> Result<Vec<Option<JointIndex>>, Diagnostic> {
        let mut first_use: Vec<Option<usize>> = vec![None; self.joints.len()];
        for (vertex, pairs) in self.vertices.iter().enumerate() {
            for &(joint, _) in pairs {
                if let Some(first) = first_use.get_mut(usize::from(joint)) {
                    first.get_or_insert(vertex);
                }
            }
        }
        let named = |(number, (name, first)): (usize, (&String, Option<usize>))| {
            let Some(vertex) = first else { return Ok(None) };
            joint_named(skeleton, name, number, vertex).map(Some)
        };
        let all = self.joints.iter().zip(first_use);
        all.enumerate().map(named).collect()
    }
}

fn joint_named(
    skeleton: &Skeleton,
    name: &str,
    number: usize,
    vertex: usize,
) -> Result<JointIndex, Diagnostic> {
    let all = skeleton.joints();
    let mut same =
        skeleton.indices().zip(all).filter(|(_, joint)| joint.name == name).map(|(joint, _)| joint);
    match (same.next(), same.count()) {
        (Some(only), 0) => Ok(only),
        (Some(_), more) => {
            let by_number = all.get(number).filter(|joint| joint.name == name);
            let by_number = by_number.and(u16::try_from(number).ok()).map(JointIndex);
            by_number.ok_or_else(|| {
                let expected = format!("joint `{name}` at the place where the file has it");
                let found = format!("{} joints of that name at other places", more + 1);
                Diagnostic::expected(expected, found)
                    .help("give the joints of the model names of their own")
            })
        }
        (None, _) => {
            let names: Vec<&str> = all.iter().map(|joint| joint.name.as_str()).collect();
            let mut help = did_you_mean(name, &names);
            if help.is_empty() {
                "open the model that these weights are of, or name the joints in the file as the \
                 model does"
                    .clone_into(&mut help);
            }
            let found = format!("`{name}`");
            let wrong = Diagnostic::expected("the name of a joint of the model", found);
            Err(wrong.help(help).at(at_vertex(vertex)))
        }
    }
}

/// Are these the used influences, in their order?
fn is_of(influences: &Influences, pairs: &[(JointIndex, f32)]) -> bool {
    let used = influences.used().map(|(_, joint, weight)| (joint, weight));
    used.eq(pairs.iter().copied())
}

fn at_vertex(vertex: usize) -> Place {
    ModelPlace::at("").vertex(vertex).into()
}

// One object: the names of the joints, and a line a vertex.

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

fn read_json(text: &str) -> Result<WeightsFile, Diagnostic> {
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

// A line a weight: vertex, lane, joint, name, weight.

fn read_csv(text: &str) -> Result<WeightsFile, Diagnostic> {
    let mut file = WeightsFile { joints: Vec::new(), vertices: Vec::new() };
    let mut lines = Lines::new(text);
    // The names of the columns.
    lines.next();
    for (line, cells) in lines {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        add(&mut file, line, &cells)?;
    }
    Ok(file)
}

fn add(file: &mut WeightsFile, line: usize, cells: &[String]) -> Result<(), Diagnostic> {
    let at = |column: usize| Place::text("line and column", LineColumn { line, column });
    let wrong = |column: usize, expected: &str, found: &str| {
        let found: String = found.chars().take(40).collect();
        let wrong = Diagnostic::expected(expected, format!("`{found}`"));
        Err(wrong.at(at(column)).help("save the weights again"))
    };
    let [vertex, _, joint, name, weight] = cells else {
        let found = cells.len().to_string();
        return wrong(1, "vertex, lane, joint, name and weight", &found);
    };
    let Ok(vertex) = vertex.trim().parse::<usize>() else {
        return wrong(1, "the number of a vertex", vertex);
    };
    // Every vertex has a line, and they rise.
    let next = file.vertices.len();
    if vertex > next || vertex + 1 < next {
        let expected = format!("vertex {next}, each after the one before");
        return wrong(1, &expected, &vertex.to_string());
    }
    let Ok(joint) = joint.trim().parse::<u16>() else {
        return wrong(3, "the number of a joint", joint);
    };
    let Ok(number) = weight.trim().parse::<f32>() else {
        return wrong(5, "a weight", weight);
    };
    let number = checked(number, || format!("line {line}"))?;
    let at_joint = usize::from(joint);
    if file.joints.len() <= at_joint {
        file.joints.resize(at_joint + 1, String::new());
    }
    file.joints[at_joint].clone_from(name);
    if vertex == next {
        file.vertices.push(Vec::new());
    }
    if number != 0.0 {
        file.vertices[vertex].push((joint, number));
    }
    Ok(())
}

// What a file of weights says, whatever it is written in.

/// Joints and weights of all vertices, as a file has them. Weights are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// The names of its joints, by number.
    joints: Vec<String>,
    /// Of each vertex, joints by number and their weights, none of them 0.
    vertices: Vec<Vec<(u16, f32)>>,
}

/// A weight that can be worked with.
fn checked(weight: f32, at: impl Fn() -> String) -> Result<f32, Diagnostic> {
    if weight.is_finite() && weight.abs() <= CELL_LIMIT {
        return Ok(weight);
    }
    let wrong = Diagnostic::expected(
        format!("a weight between -{CELL_LIMIT} and {CELL_LIMIT}"),
        weight.to_string(),
    );
    Err(wrong.at(ModelPlace::at(at()).into()).help("write 0 to 1, or save the weights again"))
}
