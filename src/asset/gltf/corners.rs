//! Indices of a primitive, and the triangles or lines they stand for.

use std::ops::Range;

use gltf::json::mesh::Mode;
use gltf::json::validation::Checked;

use super::accessor::Elements;
use super::error::{GltfError, GltfErrorKind};

/// The corners in turn, as vertices of the whole mesh; without indices every
/// vertex in turn.
pub(super) fn read(
    indices: Option<&Elements<'_>>,
    vertices: &Range<u32>,
) -> Result<Vec<u32>, GltfError> {
    let Some(indices) = indices else {
        return Ok(vertices.clone().collect());
    };
    let count = vertices.len();
    let mut corners = Vec::with_capacity(indices.count());
    for (at, [corner]) in indices.whole::<1>()?.into_iter().enumerate() {
        if corner as usize >= count {
            return Err(GltfError::new(
                GltfErrorKind::OutOfBounds,
                indices.path(),
                format_args!("indices below {count}"),
                format_args!("{corner} at place {at}"),
                "the indices belong to another mesh or are damaged; export the file again",
            ));
        }
        corners.push(vertices.start + corner);
    }
    Ok(corners)
}

/// Adds what the corners stand for. Points are left out.
pub(super) fn assemble(
    mode: Checked<Mode>,
    corners: &[u32],
    path: &str,
    triangles: &mut Vec<[u32; 3]>,
    lines: &mut Vec<[u32; 2]>,
) -> Result<(), GltfError> {
    let Checked::Valid(mode) = mode else {
        return Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{path}/mode"),
            "0 to 6",
            "something else",
            "export the file again",
        ));
    };
    match mode {
        Mode::Triangles => triangles.extend(corners.as_chunks::<3>().0),
        Mode::TriangleStrip => {
            // Every other triangle runs the other way.
            triangles.extend(corners.windows(3).enumerate().map(|(i, three)| {
                let [a, b, c] = [three[0], three[1], three[2]];
                if i % 2 == 0 { [a, b, c] } else { [a, c, b] }
            }));
        }
        Mode::TriangleFan => {
            let middle = corners.first().copied().unwrap_or_default();
            let rim = corners.get(1..).unwrap_or_default();
            triangles.extend(rim.windows(2).map(|two| [middle, two[0], two[1]]));
        }
        Mode::Lines => lines.extend(corners.as_chunks::<2>().0),
        Mode::LineStrip | Mode::LineLoop => {
            lines.extend(corners.windows(2).map(|two| [two[0], two[1]]));
            if mode == Mode::LineLoop
                && let [first, _, .., last] = *corners
            {
                lines.push([last, first]);
            }
        }
        Mode::Points => {}
    }
    Ok(())
}
