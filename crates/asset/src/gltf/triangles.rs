//! Indices of a primitive, and the triangles or lines they stand for.

use std::cell::Cell;
use std::ops::Range;

use gltf::json::mesh::Mode;
use gltf::json::validation::Checked;

use super::accessor::{Accessor, BLOCK, blocks};
use super::error::{GltfError, GltfErrorKind};
use super::primitive::PrimitiveUse;
use crate::pace::Pace;

/// Does every three corners make a triangle?
pub(super) fn is_list(mode: Checked<Mode>) -> bool {
    mode == Checked::Valid(Mode::Triangles)
}

/// Adds the triangles of a list.
pub(super) async fn read(
    indices: &Accessor<'_>,
    vertices: &Range<u32>,
    triangles: &mut Vec<[u32; 3]>,
    pace: &Pace,
) -> Result<(), GltfError> {
    let mut corners = Vec::with_capacity(3 * BLOCK);
    for range in blocks(indices.count() / 3 * 3, 3 * BLOCK) {
        append(indices, range, vertices, &mut corners, pace).await?;
        triangles.extend_from_slice(corners.as_chunks::<3>().0);
        corners.clear();
    }
    Ok(())
}

/// The corners in turn, as vertices of the whole mesh; without indices every
/// vertex in turn.
pub(super) async fn corners(
    indices: Option<&Accessor<'_>>,
    vertices: &Range<u32>,
    pace: &Pace,
) -> Result<Vec<u32>, GltfError> {
    let Some(indices) = indices else {
        return Ok(vertices.clone().collect());
    };
    let mut corners = Vec::with_capacity(indices.count());
    for range in blocks(indices.count(), BLOCK) {
        append(indices, range, vertices, &mut corners, pace).await?;
    }
    Ok(corners)
}

/// Adds a run of indices as vertices of the whole mesh.
async fn append(
    indices: &Accessor<'_>,
    range: Range<usize>,
    vertices: &Range<u32>,
    corners: &mut Vec<u32>,
    pace: &Pace,
) -> Result<(), GltfError> {
    pace.spend(range.len()).await?;
    let (first, before) = (range.start, corners.len());
    // One that is too large may wrap here, and is found right below.
    let largest = Cell::new(0_u32);
    indices.append_whole(range, corners, |[corner]: [u32; 1]| {
        largest.set(largest.get().max(corner));
        vertices.start.wrapping_add(corner)
    })?;
    if (largest.get() as usize) < vertices.len() || corners.len() == before {
        return Ok(());
    }
    let mut added = corners[before..].iter();
    let outside = |&corner: &u32| corner.wrapping_sub(vertices.start) as usize >= vertices.len();
    let Some(at) = added.position(outside) else {
        return Ok(());
    };
    Err(GltfError::new(
        GltfErrorKind::OutOfBounds,
        indices.path(),
        format_args!("indices below {}", vertices.len()),
        format_args!(
            "{} at place {}",
            corners[before + at].wrapping_sub(vertices.start),
            first + at
        ),
        "the indices belong to another mesh or are damaged; export the file again",
    ))
}

/// Adds what the corners stand for. Points are left out.
pub(super) fn assemble(
    part: &PrimitiveUse<'_>,
    corners: &[u32],
    triangles: &mut Vec<[u32; 3]>,
    lines: &mut Vec<[u32; 2]>,
) -> Result<(), GltfError> {
    let Checked::Valid(mode) = part.primitive.mode else {
        return Err(GltfError::new(
            GltfErrorKind::Invalid,
            format_args!("{}/mode", part.path()),
            "0 to 6",
            "another number",
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
