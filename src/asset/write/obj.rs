//! Triangles and lines as Wavefront OBJ.

use std::fmt::Write as _;
use std::ops::Range;

use glam::{Vec2, Vec3};

use crate::asset::Mesh;

/// The mesh with its vertices where `positions` puts them, in world space, with
/// as many digits as an f32 needs to come back the same. A group a part.
///
/// `positions` and `normals` are as many as the mesh has vertices.
#[must_use]
pub fn write_obj(name: &str, mesh: &Mesh, positions: &[Vec3], normals: &[Vec3]) -> Vec<u8> {
    let mut text = String::from("# Bindpose: posed mesh, world space, y up\n");
    let _ = writeln!(text, "o {}", word(name));
    for p in positions {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for Vec2 { x, y } in &mesh.uvs {
        // OBJ counts v from the bottom of the image.
        let _ = writeln!(text, "vt {x} {}", 1.0 - y);
    }
    for n in normals {
        let _ = writeln!(text, "vn {} {} {}", n.x, n.y, n.z);
    }
    let corner = Corner {
        uvs: mesh.uvs.len() == positions.len(),
        normals: normals.len() == positions.len(),
    };
    if mesh.parts.is_empty() {
        let all = |count: usize| 0..count as u32;
        let [triangles, lines] = [all(mesh.triangles.len()), all(mesh.lines.len())];
        faces(&mut text, mesh, &corner, triangles, lines);
    }
    for part in &mesh.parts {
        let _ = writeln!(text, "g {}", word(&part.name));
        let (triangles, lines) = (part.triangles.clone(), part.lines.clone());
        faces(&mut text, mesh, &corner, triangles, lines);
    }
    text.into_bytes()
}

/// What a corner of a face names beside its position.
struct Corner {
    uvs: bool,
    normals: bool,
}

impl Corner {
    /// OBJ counts from 1.
    fn write(&self, text: &mut String, vertex: u32) {
        let at = u64::from(vertex) + 1;
        let _ = match (self.uvs, self.normals) {
            (true, true) => write!(text, " {at}/{at}/{at}"),
            (true, false) => write!(text, " {at}/{at}"),
            (false, true) => write!(text, " {at}//{at}"),
            (false, false) => write!(text, " {at}"),
        };
    }
}

fn faces(
    text: &mut String,
    mesh: &Mesh,
    corner: &Corner,
    triangles: Range<u32>,
    lines: Range<u32>,
) {
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    for corners in mesh.triangles.get(range(triangles)).unwrap_or_default() {
        text.push('f');
        for &vertex in corners {
            corner.write(text, vertex);
        }
        text.push('\n');
    }
    for [a, b] in mesh.lines.get(range(lines)).unwrap_or_default() {
        let _ = writeln!(text, "l {} {}", u64::from(*a) + 1, u64::from(*b) + 1);
    }
}

/// One word: names end at a blank.
fn word(name: &str) -> String {
    let word = name.split_whitespace().collect::<Vec<_>>().join("_");
    if word.is_empty() {
        "mesh".to_owned()
    } else {
        word
    }
}
