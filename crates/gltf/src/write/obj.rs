//! Writes meshes as Wavefront OBJ, and arrays in NumPy's format.

use std::fmt::Write as _;

use glam::{Vec2, Vec3};

use super::primitives::to_usize_range;
use crate::Mesh;

/// Writes a mesh as OBJ, with vertices at `positions` in world space. Numbers have as many
/// digits as are needed to restore each `f32` exactly. Each part is a group.
///
/// `positions` and `normals` must have one entry for each vertex of the mesh.
pub fn write_obj(name: &str, mesh: &Mesh, positions: &[Vec3], normals: &[Vec3]) -> Vec<u8> {
    let mut text = String::from("# Bindpose: posed mesh, world space, y up\n");
    let _ = writeln!(text, "o {}", obj_name(name));
    for p in positions {
        let _ = writeln!(text, "v {} {} {}", p.x, p.y, p.z);
    }
    for Vec2 { x, y } in &mesh.uvs {
        // The origin is at the bottom left of the image in OBJ.
        let _ = writeln!(text, "vt {x} {}", 1.0 - y);
    }
    for n in normals {
        let _ = writeln!(text, "vn {} {} {}", n.x, n.y, n.z);
    }
    let has_uvs = !mesh.uvs.is_empty();
    if mesh.parts.is_empty() {
        write_elements(&mut text, has_uvs, &mesh.triangles, &mesh.lines);
    }
    for part in &mesh.parts {
        let _ = writeln!(text, "g {}", obj_name(&part.name));
        let triangles = mesh.triangles.get(to_usize_range(&part.triangles)).unwrap_or_default();
        let lines = mesh.lines.get(to_usize_range(&part.lines)).unwrap_or_default();
        write_elements(&mut text, has_uvs, triangles, lines);
    }
    text.into_bytes()
}

/// Writes triangles and lines. Indices in OBJ start at 1.
fn write_elements(text: &mut String, has_uvs: bool, triangles: &[[u32; 3]], lines: &[[u32; 2]]) {
    for corners in triangles {
        text.push('f');
        for index in corners.map(|vertex| u64::from(vertex) + 1) {
            let _ = if has_uvs {
                write!(text, " {index}/{index}/{index}")
            } else {
                write!(text, " {index}//{index}")
            };
        }
        text.push('\n');
    }
    for line in lines {
        let [a, b] = line.map(|vertex| u64::from(vertex) + 1);
        let _ = writeln!(text, "l {a} {b}");
    }
}

/// Replaces whitespace, because it ends a name in OBJ.
fn obj_name(name: &str) -> String {
    let joined = name.split_whitespace().collect::<Vec<_>>().join("_");
    if joined.is_empty() { "mesh".to_owned() } else { joined }
}

/// Writes an array in NumPy's `.npy` format, version 1.0: a header, followed by 32-bit floats,
/// little endian, in C order, so that the index of the last axis varies fastest. The product of
/// `shape` must be the number of values.
pub fn write_npy(shape: &[usize], values: &[f32]) -> Vec<u8> {
    debug_assert_eq!(shape.iter().product::<usize>(), values.len());
    let mut axes = shape.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ");
    if shape.len() == 1 {
        // A Python tuple of one element needs a comma.
        axes.push(',');
    }
    let mut header = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({axes}), }}");
    // The header ends with a line feed and is padded to a multiple of 64 bytes.
    let unpadded_length = 10 + header.len() + 1;
    header.push_str(&" ".repeat(unpadded_length.next_multiple_of(64) - unpadded_length));
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
    fn npy_header_equals_that_of_numpy() {
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
