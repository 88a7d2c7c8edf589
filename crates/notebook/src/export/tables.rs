//! Matrices and vertices as CSV and JSON, with as many digits as an f32 needs to
//! come back the same.

use std::fmt::Write as _;

use bindpose_asset::Rig;
use glam::{Mat4, Vec3};

use crate::Derived;

/// A name and a matrix a joint.
pub(super) type Named<'a> = (&'static str, &'a [Mat4]);

/// The four of every joint, in the order of the sum: local, global, inverse
/// bind, and the product that moves vertices.
pub(super) fn matrices(derived: &Derived) -> [Named<'_>; 4] {
    [
        ("parent_from_joint", &derived.parent_from_joint),
        ("world_from_joint", &derived.world_from_joint),
        ("joint_from_bind", &derived.used_joint_from_bind),
        ("world_from_bind", &derived.world_from_bind),
    ]
}

/// A line a matrix: `r2c0` is row 2, column 0, both from 0.
pub(super) fn matrices_csv(rig: &Rig, matrices: &[Named<'_>]) -> Vec<u8> {
    let columns = (0..16).map(|at| format!("r{}c{}", at % 4, at / 4));
    let mut text = format!("joint,name,parent,matrix,{}\n", columns.collect::<Vec<_>>().join(","));
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        let name = csv_field(&joint.name);
        let parent = joint.parent.map_or(String::new(), |parent| parent.0.to_string());
        for (which, list) in matrices {
            let numbers = list.get(index).map_or([0.0; 16], Mat4::to_cols_array);
            let _ = writeln!(text, "{index},{name},{parent},{which},{}", joined(&numbers));
        }
    }
    text.into_bytes()
}

/// One object, a joint a line, its matrices as 16 numbers, column-major.
pub(super) fn matrices_json(
    derived: &Derived,
    matrices: &[Named<'_>],
) -> Result<Vec<u8>, serde_json::Error> {
    let rig = &derived.rig;
    let mut text = format!(
        "{{\"rig\":{},\n\"order\":\"column-major\",\n\"joints\":[",
        serde_json::to_string(&rig.id)?
    );
    for (index, joint) in rig.skeleton.joints().iter().enumerate() {
        let end = if index == 0 { "\n" } else { ",\n" };
        let _ = write!(
            text,
            "{end}{{\"name\":{},\"parent\":{}",
            serde_json::to_string(&joint.name)?,
            serde_json::to_string(&joint.parent.map(|parent| parent.0))?
        );
        for (which, list) in matrices {
            let numbers = list.get(index).map_or([0.0; 16], Mat4::to_cols_array);
            let _ = write!(text, ",\"{which}\":{}", serde_json::to_string(&numbers)?);
        }
        text.push('}');
    }
    text.push_str("\n]}\n");
    Ok(text.into_bytes())
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
