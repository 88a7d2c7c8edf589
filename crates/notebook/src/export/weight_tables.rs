//! Joints and weights of every vertex as CSV and JSON, with as many digits as an f32
//! needs to come back the same.

use std::fmt::Write as _;

use bindpose_skin::JointIndex;

use super::csv_field;
use crate::Derived;

/// A line a weight that is not 0: lanes are counted through all sets. A vertex without
/// any has a line that says so, so that whoever reads it can count them.
pub(super) fn weights_csv(derived: &Derived) -> Vec<u8> {
    let mut text = String::from("vertex,lane,joint,name,weight\n");
    let joints = derived.rig.skeleton.joints();
    for (vertex, influences) in derived.influences.iter().enumerate() {
        let mut line = |(lane, joint, weight): (usize, JointIndex, f32)| {
            let name = joints.get(joint.index()).map_or("", |joint| &joint.name);
            let name = csv_field(name);
            let _ = writeln!(text, "{vertex},{lane},{},{name},{weight}", joint.0);
        };
        let mut used = derived.used_influences(vertex).peekable();
        if used.peek().is_none() {
            line((0, influences.joints[0], 0.0));
        }
        used.for_each(line);
    }
    text.into_bytes()
}

/// One object: the names of the joints, and a line a vertex.
pub(super) fn weights_json(derived: &Derived) -> Result<Vec<u8>, serde_json::Error> {
    let joints = derived.rig.skeleton.joints().iter();
    let names: Vec<&str> = joints.map(|joint| joint.name.as_str()).collect();
    let mut text = format!(
        "{{\"rig\":{},\n\"joints\":{},\n\"vertices\":[",
        serde_json::to_string(&derived.rig.id)?,
        serde_json::to_string(&names)?
    );
    for vertex in 0..derived.influences.len() {
        let end = if vertex == 0 { "\n" } else { ",\n" };
        let used = derived.used_influences(vertex);
        let (joints, weights): (Vec<u16>, Vec<f32>) =
            used.map(|(_, JointIndex(joint), weight)| (joint, weight)).unzip();
        let _ = write!(
            text,
            "{end}{{\"joints\":{},\"weights\":{}}}",
            serde_json::to_string(&joints)?,
            serde_json::to_string(&weights)?
        );
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}
