//! Matrices, vertices and weights as CSV and JSON, with as many digits as an f32 needs to
//! come back the same.

use std::fmt::Write as _;

use bindpose_asset::Rig;
use bindpose_skin::JointIndex;
use glam::{Mat4, Vec3};

use crate::Derived;

/// A name and a matrix a joint.
pub(super) type Named<'a> = (&'static str, &'a [Mat4]);

/// The four of every joint, in the order of the sum: local, global, inverse
/// bind, and the product that moves vertices.
pub(super) fn matrices_table(derived: &Derived) -> [Named<'_>; 4] {
    [
        ("parent_from_joint", &derived.joints.parent_from_joint),
        ("world_from_joint", &derived.joints.world_from_joint),
        ("joint_from_bind", &derived.joints.used_joint_from_bind),
        ("world_from_bind", &derived.joints.world_from_bind),
    ]
}

/// A line a matrix: `r2c0` is row 2, column 0, both from 0. Joints and their parents are
/// numbered as `joints` lists them.
pub(super) fn matrices_csv(rig: &Rig, joints: &[JointIndex], matrices: &[Named<'_>]) -> Vec<u8> {
    let columns = (0..16).map(|at| format!("r{}c{}", at % 4, at / 4));
    let mut text = format!("joint,name,parent,matrix,{}\n", columns.collect::<Vec<_>>().join(","));
    for (place, (joint, parent)) in joints.iter().zip(rig.parents_among(joints)).enumerate() {
        let name = csv_field(name_of(rig, *joint));
        let parent = parent.map_or(String::new(), |parent| parent.to_string());
        for (which, list) in matrices {
            let numbers = matrix_of(list, *joint).to_cols_array();
            let _ = writeln!(text, "{place},{name},{parent},{which},{}", joined(&numbers));
        }
    }
    text.into_bytes()
}

/// One object, a joint a line, its matrices as 16 numbers, column-major. Parents are
/// numbered as `joints` lists them.
pub(super) fn matrices_json(
    rig: &Rig,
    joints: &[JointIndex],
    matrices: &[Named<'_>],
) -> Result<Vec<u8>, serde_json::Error> {
    let mut text = format!(
        "{{\"rig\":{},\n\"order\":\"column-major\",\n\"joints\":[",
        serde_json::to_string(&rig.id)?
    );
    for (place, (joint, parent)) in joints.iter().zip(rig.parents_among(joints)).enumerate() {
        let end = if place == 0 { "\n" } else { ",\n" };
        let _ = write!(
            text,
            "{end}{{\"name\":{},\"parent\":{}",
            serde_json::to_string(name_of(rig, *joint))?,
            serde_json::to_string(&parent)?
        );
        for (which, list) in matrices {
            let numbers = matrix_of(list, *joint).to_cols_array();
            let _ = write!(text, ",\"{which}\":{}", serde_json::to_string(&numbers)?);
        }
        text.push('}');
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
}

fn name_of(rig: &Rig, joint: JointIndex) -> &str {
    rig.skeleton.joints().get(joint.index()).map_or("", |joint| &joint.name)
}

/// A line a vertex.
pub(super) fn vertices_csv(positions: &[Vec3], normals: &[Vec3]) -> Vec<u8> {
    let mut text = String::from("vertex,x,y,z,normal_x,normal_y,normal_z\n");
    for (index, (position, normal)) in positions.iter().zip(normals).enumerate() {
        let numbers = [position.to_array(), normal.to_array()];
        let _ = writeln!(text, "{index},{}", joined(numbers.as_flattened()));
    }
    text.into_bytes()
}

fn joined(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    words.join(",")
}

/// A field of a CSV file: quoted where it must be (RFC 4180).
pub fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

pub(super) fn matrix_of(matrices: &[Mat4], joint: JointIndex) -> Mat4 {
    matrices.get(joint.index()).copied().unwrap_or(Mat4::ZERO)
}

// Joints and weights of every vertex.

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
