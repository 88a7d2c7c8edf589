//! Files of saved weights, and their changes to the open model. Vertices are matched by their
//! order, joints by their names.

#[cfg(test)]
mod tests;

use bindpose_diagnostic::{Diagnostic, LineColumn, ModelPlace, Place, did_you_mean, json_wrong};
use bindpose_gltf::checked_size;
use bindpose_lesson::MAX_CELL_ABS;
use bindpose_skin::{Influences, JointIndex, LANES, Skeleton};
use serde::Deserialize;

use super::Derived;
use crate::weights_text::{Lines, is_weights_file, is_weights_json};

/// Joints and weights of all vertices from a file. Weights are finite.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightsFile {
    /// Names of the joints, by their index in the file.
    joints: Vec<String>,
    /// Joints and weights of each vertex, without weights of 0.
    vertices: Vec<Vec<(u16, f32)>>,
}

impl WeightsFile {
    /// Parses a file that was saved as `weights-json` or `weights-csv`. Returns `None` if the
    /// names in the file are not those of such a file.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file is invalid or too large.
    pub fn read(bytes: &[u8]) -> Option<Result<Self, Diagnostic>> {
        let text = std::str::from_utf8(bytes).ok()?.trim_start_matches('\u{feff}');
        if !is_weights_file(text) {
            return None;
        }
        let size = checked_size(bytes, "save the weights of a smaller model");
        Some(size.and_then(
            |()| {
                if is_weights_json(text) { parse_json(text) } else { parse_csv(text) }
            },
        ))
    }

    /// Returns the vertices whose influences in the file differ from their current ones, in
    /// ascending order, with those of the file. Joints are matched by name, and by index too
    /// if several have the name.
    ///
    /// # Errors
    ///
    /// Returns a diagnostic if the file belongs to another model.
    pub fn fitting(&self, derived: &Derived) -> Result<Vec<(u32, Influences)>, Diagnostic> {
        let current = derived.faultless_influences();
        let expected = current.len();
        let found = self.vertices.len();
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
        let joints = self.match_joints(&derived.rig.skeleton)?;
        let mut changes = Vec::new();
        let all = self.vertices.iter().zip(current.iter()).zip(&mesh.influences);
        for (vertex, ((in_file, current), stored)) in (0_u32..).zip(all) {
            let pairs: Vec<(JointIndex, f32)> = in_file
                .iter()
                .filter_map(|&(joint, weight)| {
                    Some((joints.get(usize::from(joint)).copied().flatten()?, weight))
                })
                .collect();
            let is_edited = current != stored;
            let many = mesh.many.get(&vertex);
            // `influences` only contains the strongest if a vertex has more than eight.
            let is_stored = match many {
                Some(many) => many.iter().filter(|(_, weight)| *weight != 0.0).eq(&pairs),
                None => are_used_influences(stored, &pairs),
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
            let is_current = (is_edited || many.is_none()) && are_used_influences(current, &pairs);
            if !is_current {
                changes.push((vertex, Influences::new(&pairs)));
            }
        }
        Ok(changes)
    }

    /// Returns the joint of the model for each joint of the file. `None` for joints without
    /// a weight, which need no partner.
    fn match_joints(&self, skeleton: &Skeleton) -> Result<Vec<Option<JointIndex>>, Diagnostic> {
        let mut first_use: Vec<Option<usize>> = vec![None; self.joints.len()];
        for (vertex, pairs) in self.vertices.iter().enumerate() {
            for &(joint, _) in pairs {
                if let Some(first) = first_use.get_mut(usize::from(joint)) {
                    first.get_or_insert(vertex);
                }
            }
        }
        let mut matched = Vec::new();
        for (number, (name, vertex)) in self.joints.iter().zip(first_use).enumerate() {
            matched.push(match vertex {
                Some(vertex) => Some(find_joint(skeleton, name, number, vertex)?),
                None => None,
            });
        }
        Ok(matched)
    }
}

/// Finds the joint of the model with this name. `number` is its index in the file, and
/// `vertex` the first vertex that follows it.
fn find_joint(
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
            let by_number = all
                .get(number)
                .filter(|joint| joint.name == name)
                .and(u16::try_from(number).ok())
                .map(JointIndex);
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

/// Are these the used influences, in the same order?
fn are_used_influences(influences: &Influences, pairs: &[(JointIndex, f32)]) -> bool {
    let used = influences.used().map(|(_, joint, weight)| (joint, weight));
    used.eq(pairs.iter().copied())
}

fn at_vertex(vertex: usize) -> Place {
    ModelPlace::at("").vertex(vertex).into()
}

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

fn parse_json(text: &str) -> Result<WeightsFile, Diagnostic> {
    let file: WeightsJson = serde_json::from_str(text).map_err(|wrong| {
        let (found, at) = json_wrong(&wrong);
        Diagnostic::expected("joints by name, and joints and weights a vertex", found)
            .at(Place::text("JSON", at))
            .help("save the weights again")
    })?;
    let WeightsJson { joints, vertices } = file;
    let mut pairs = Vec::new();
    for (index, vertex) in vertices.iter().enumerate() {
        pairs.push(vertex_weights(index, vertex, joints.len())?);
    }
    Ok(WeightsFile { vertices: pairs, joints })
}

fn vertex_weights(
    index: usize,
    vertex: &Vertex,
    joint_count: usize,
) -> Result<Vec<(u16, f32)>, Diagnostic> {
    let expected = vertex.joints.len();
    let found = vertex.weights.len();
    if expected != found {
        let expected = format!("{expected} weights, one a joint");
        return Err(json_error(index, "weights", expected, found));
    }
    let mut pairs = Vec::with_capacity(found);
    for (lane, (&joint, &weight)) in vertex.joints.iter().zip(&vertex.weights).enumerate() {
        if usize::from(joint) >= joint_count {
            let expected = format!("a number below {joint_count}, that of a joint");
            return Err(json_error(index, &format!("joints/{lane}"), expected, joint.into()));
        }
        let weight = check_weight(weight, || format!("/vertices/{index}/weights/{lane}"))?;
        if weight != 0.0 {
            pairs.push((joint, weight));
        }
    }
    Ok(pairs)
}

fn json_error(vertex: usize, key: &str, expected: String, found: usize) -> Diagnostic {
    Diagnostic::expected(expected, found.to_string())
        .at(ModelPlace::at(format!("/vertices/{vertex}/{key}")).into())
        .help("save the weights again")
}

fn parse_csv(text: &str) -> Result<WeightsFile, Diagnostic> {
    let mut file = WeightsFile { joints: Vec::new(), vertices: Vec::new() };
    let mut lines = Lines::new(text);
    // The first line contains the names of the columns.
    lines.next();
    for (line, cells) in lines {
        if cells.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        add_csv_line(&mut file, line, &cells)?;
    }
    Ok(file)
}

/// Adds the weight of a line: vertex, lane, joint, name, weight.
fn add_csv_line(file: &mut WeightsFile, line: usize, cells: &[String]) -> Result<(), Diagnostic> {
    let wrong = |column: usize, expected: &str, found: &str| {
        let at = Place::text("line and column", LineColumn { line, column });
        let found: String = found.chars().take(40).collect();
        let wrong = Diagnostic::expected(expected, format!("`{found}`"));
        Err(wrong.at(at).help("save the weights again"))
    };
    let [vertex, _, joint, name, weight] = cells else {
        let found = cells.len().to_string();
        return wrong(1, "vertex, lane, joint, name and weight", &found);
    };
    let Ok(vertex) = vertex.trim().parse::<usize>() else {
        return wrong(1, "the number of a vertex", vertex);
    };
    // Each vertex has at least one line, and vertices are in ascending order.
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
    let number = check_weight(number, || format!("line {line}"))?;
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

/// Returns an error if the weight is not finite or too large.
fn check_weight(weight: f32, at: impl Fn() -> String) -> Result<f32, Diagnostic> {
    if weight.is_finite() && weight.abs() <= MAX_CELL_ABS {
        return Ok(weight);
    }
    let wrong = Diagnostic::expected(
        format!("a weight between -{MAX_CELL_ABS} and {MAX_CELL_ABS}"),
        weight.to_string(),
    );
    Err(wrong.at(ModelPlace::at(at()).into()).help("write 0 to 1, or save the weights again"))
}
