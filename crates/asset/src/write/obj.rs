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

// NumPy's `.npy`, version 1.0: a short header, then the numbers.

/// 32-bit floats, little endian, in C order: the last axis runs fastest. `shape`
/// and `values` must agree.
pub fn write_npy(shape: &[usize], values: &[f32]) -> Vec<u8> {
    debug_assert_eq!(shape.iter().product::<usize>(), values.len());
    let axes: Vec<String> = shape.iter().map(ToString::to_string).collect();
    let mut axes = axes.join(", ");
    if shape.len() == 1 {
        // Without its comma, a tuple of one is none.
        axes.push(',');
    }
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({axes}), }}");
    // The numbers begin at a multiple of 64, after a line feed.
    let before = 10 + header.len() + 1;
    header.push_str(&" ".repeat(before.next_multiple_of(64) - before));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_as_numpy_writes_it() {
        let bytes = write_npy(&[2, 3], &[0.0; 6]);
        assert_eq!(&bytes[..8], b"\x93NUMPY\x01\x00");
        let length = usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
        assert_eq!((10 + length) % 64, 0);
        let header = std::str::from_utf8(&bytes[10..10 + length]).unwrap();
        let dict = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
        assert_eq!(header.trim_end(), dict);
        assert!(header.ends_with('\n'));
        assert_eq!(bytes.len(), 10 + length + 6 * 4);
        let one = write_npy(&[2], &[0.0; 2]);
        assert!(one.windows(4).any(|w| w == b"(2,)"));
    }
}
