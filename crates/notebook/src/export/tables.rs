//! Matrices, vertices and weights as CSV and JSON. Numbers have as many digits as an `f32`
//! needs to be parsed exactly.

use std::fmt::Write as _;

use bindpose_gltf::Rig;
use bindpose_skin::{JointIndex, Pose};
use glam::{Mat4, Vec3};

use crate::Derived;

/// A name, and a matrix for each joint.
pub(super) type NamedMatrices<'a> = (&'static str, &'a [Mat4]);

/// Returns the four matrices of every joint: local, world, inverse bind, and the joint matrix
/// that moves vertices.
pub(super) fn matrices_table(derived: &Derived) -> [NamedMatrices<'_>; 4] {
    [
        ("parent_from_joint", &derived.joints.parent_from_joint),
        ("world_from_joint", &derived.joints.world_from_joint),
        ("joint_from_bind", &derived.joints.used_joint_from_bind),
        ("world_from_bind", &derived.joints.world_from_bind),
    ]
}

/// Writes a line for each matrix. Column `r2c0` is row 2, column 0, both from 0. Joints and
/// their parents are numbered by their order in `joints`.
pub(super) fn matrices_csv(
    rig: &Rig,
    joints: &[JointIndex],
    matrices: &[NamedMatrices<'_>],
) -> Vec<u8> {
    let columns = (0..16).map(|at| format!("r{}c{}", at % 4, at / 4));
    let mut text = format!("joint,name,parent,matrix,{}\n", columns.collect::<Vec<_>>().join(","));
    for (place, (joint, parent)) in joints.iter().zip(rig.parents_among(joints)).enumerate() {
        let name = csv_field(joint_name(rig, *joint));
        let parent = parent.map_or(String::new(), |parent| parent.to_string());
        for (which, list) in matrices {
            let numbers = matrix_of(list, *joint).to_cols_array();
            let _ = writeln!(text, "{place},{name},{parent},{which},{}", join_numbers(&numbers));
        }
    }
    text.into_bytes()
}

/// Writes an object with a line for each joint. Matrices are 16 numbers, column-major. Parents
/// are numbered by their order in `joints`.
pub(super) fn matrices_json(
    rig: &Rig,
    joints: &[JointIndex],
    matrices: &[NamedMatrices<'_>],
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
            serde_json::to_string(joint_name(rig, *joint))?,
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

fn joint_name(rig: &Rig, joint: JointIndex) -> &str {
    rig.skeleton.joints().get(joint.index()).map_or("", |joint| &joint.name)
}

/// Writes a line for each vertex.
pub(super) fn vertices_csv(positions: &[Vec3], normals: &[Vec3]) -> Vec<u8> {
    let mut text = String::from("vertex,x,y,z,normal_x,normal_y,normal_z\n");
    for (index, (position, normal)) in positions.iter().zip(normals).enumerate() {
        let numbers = [position.to_array(), normal.to_array()];
        let _ = writeln!(text, "{index},{}", join_numbers(numbers.as_flattened()));
    }
    text.into_bytes()
}

fn join_numbers(numbers: &[f32]) -> String {
    let words: Vec<String> = numbers.iter().map(|number| format!("{number:?}")).collect();
    words.join(",")
}

/// Quotes a field of a CSV file if necessary (RFC 4180).
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

/// Writes a line for each weight other than 0. Lanes are counted through all sets. A vertex
/// without weights has a line too, so that vertices can be counted.
pub(super) fn weights_csv(derived: &Derived) -> Vec<u8> {
    let mut text = String::from("vertex,lane,joint,name,weight\n");
    for (vertex, influences) in derived.influences.iter().enumerate() {
        let mut used: Vec<(usize, JointIndex, f32)> = derived.used_influences(vertex).collect();
        if used.is_empty() {
            used.push((0, influences.joints[0], 0.0));
        }
        for (lane, joint, weight) in used {
            let name = csv_field(joint_name(&derived.rig, joint));
            let _ = writeln!(text, "{vertex},{lane},{},{name},{weight}", joint.0);
        }
    }
    text.into_bytes()
}

/// Writes an object with the names of the joints, and a line for each vertex.
pub(super) fn weights_json(derived: &Derived) -> Result<Vec<u8>, serde_json::Error> {
    let joints = derived.rig.skeleton.joints();
    let names: Vec<&str> = joints.iter().map(|joint| joint.name.as_str()).collect();
    let mut text = format!(
        "{{\"rig\":{},\n\"joints\":{},\n\"vertices\":[",
        serde_json::to_string(&derived.rig.id)?,
        serde_json::to_string(&names)?
    );
    for vertex in 0..derived.influences.len() {
        let end = if vertex == 0 { "\n" } else { ",\n" };
        let mut joints = Vec::new();
        let mut weights = Vec::new();
        for (_, joint, weight) in derived.used_influences(vertex) {
            joints.push(joint.0);
            weights.push(weight);
        }
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

/// Writes the local transforms of all joints in a pose as JSON, rotations as x, y, z, w.
///
/// # Errors
/// If a number is not finite.
pub(super) fn pose_json(rig: &Rig, pose: &Pose) -> Result<String, serde_json::Error> {
    let mut text = format!(
        "{{\"rig\":{},\n\"transforms\":\"parent_from_joint\",\n\"poses\":[\n\
         {{\"name\":\"now\",\"joints\":[",
        serde_json::to_string(&rig.id)?
    );
    let joints = rig.skeleton.joints().iter().zip(&pose.parent_from_joint);
    for (index, (joint, trs)) in joints.enumerate() {
        let comma = if index == 0 { "\n" } else { ",\n" };
        let _ = write!(
            text,
            "{comma}{{\"joint\":{index},\"name\":{},\"translation\":{},\"rotation\":{},\"scale\":{}}}",
            serde_json::to_string(&joint.name)?,
            serde_json::to_string(&trs.translation.to_array())?,
            serde_json::to_string(&trs.rotation.to_array())?,
            serde_json::to_string(&trs.scale.to_array())?,
        );
    }
    text.push_str("\n]}\n]}\n");
    Ok(text)
}
