//! Triangles and lines as Wavefront OBJ.

use std::fmt::Write as _;

use glam::{Vec2, Vec3};

use super::primitives::places;
use crate::Mesh;

/// The mesh with its vertices where `positions` puts them, in world space, with
/// as many digits as an f32 needs to come back the same. A group a part.
///
/// `positions` and `normals` are as many as the mesh has vertices.
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
    let with_uvs = !mesh.uvs.is_empty();
    if mesh.parts.is_empty() {
        faces(&mut text, with_uvs, &mesh.triangles, &mesh.lines);
    }
    for part in &mesh.parts {
        let _ = writeln!(text, "g {}", word(&part.name));
        let triangles = mesh.triangles.get(places(&part.triangles));
        let lines = mesh.lines.get(places(&part.lines));
        let (triangles, lines) = (triangles.unwrap_or_default(), lines.unwrap_or_default());
        faces(&mut text, with_uvs, triangles, lines);
    }
    text.into_bytes()
}

/// OBJ counts from 1.
fn faces(text: &mut String, with_uvs: bool, triangles: &[[u32; 3]], lines: &[[u32; 2]]) {
    for corners in triangles {
        text.push('f');
        for at in corners.map(|vertex| u64::from(vertex) + 1) {
            let _ = if with_uvs {
                write!(text, " {at}/{at}/{at}")
            } else {
                write!(text, " {at}//{at}")
            };
        }
        text.push('\n');
    }
    for line in lines {
        let [a, b] = line.map(|vertex| u64::from(vertex) + 1);
        let _ = writeln!(text, "l {a} {b}");
    }
}

/// One word: names end at a blank.
fn word(name: &str) -> String {
    let word = name.split_whitespace().collect::<Vec<_>>().join("_");
    if word.is_empty() { "mesh".to_owned() } else { word }
}
