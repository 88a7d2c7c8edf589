//! What the primitives of a file will take, counted before they are read.

use std::collections::BTreeSet;

use bindpose_skin::Influences;
use glam::{Vec2, Vec3, Vec4};
use gltf::json::accessor::Type;
use gltf::json::mesh::Semantic;
use gltf::json::validation::Checked;

use super::document::GltfDocument;
use super::error::GltfError;
use super::primitive::PrimitiveUse;

/// Positions, normals, tangents, texture coordinates, colours, influences and
/// their stored sum.
const BYTES_A_VERTEX: usize =
    2 * size_of::<Vec3>() + 2 * size_of::<Vec4>() + size_of::<Vec2>() + size_of::<Influences>() + 4;
/// In a strip, each begins a triangle.
const BYTES_A_CORNER: usize = size_of::<[u32; 4]>();

/// Counts all vertices, corners and morph targets that the file declares, those
/// that primitives share once, and all numbers that are read for them.
pub(super) fn take(
    document: &GltfDocument<'_>,
    uses: &[PrimitiveUse<'_>],
) -> Result<(), GltfError> {
    let budget = &document.budget;
    let mut seen = BTreeSet::new();
    for part in uses {
        let over = |over| GltfError::over_budget(over, part.path());
        let positions = part.accessor(Semantic::Positions);
        let vertices = positions.map_or(0, |accessor| count(document, accessor));
        let corners = part.primitive.indices.map(|indices| indices.value());
        let corners = corners.map_or(vertices, |accessor| count(document, accessor));
        budget.hold(corners, BYTES_A_CORNER).map_err(over)?;
        budget.read(corners, 1).map_err(over)?;
        let attributes = part.primitive.attributes.values();
        let attributes: Vec<usize> = attributes.map(|accessor| accessor.value()).collect();
        let skin = document.root.nodes[part.node].skin.map(|skin| skin.value());
        let targets = part.primitive.targets.as_deref().unwrap_or_default();
        let own = skin.is_none() || !targets.is_empty();
        if !seen.insert((attributes.clone(), skin, own.then_some((part.node, part.index)))) {
            continue;
        }
        budget.hold(vertices, BYTES_A_VERTEX).map_err(over)?;
        let a_target = 2 * size_of::<Vec3>();
        budget.hold(vertices.saturating_mul(targets.len()), a_target).map_err(over)?;
        let numbers = attributes.iter().map(|&accessor| width(document, accessor));
        let numbers = numbers.sum::<usize>() + 6 * targets.len();
        budget.read(vertices, numbers).map_err(over)?;
    }
    Ok(())
}

/// More than its bytes cannot be; that is told when it is read.
fn count(document: &GltfDocument<'_>, accessor: usize) -> usize {
    document.root.accessors.get(accessor).map_or(0, |accessor| {
        let view = accessor.buffer_view.map(|view| view.value());
        let view = view.and_then(|view| document.root.buffer_views.get(view));
        let most = view.map_or(u64::MAX, |view| view.byte_length.0);
        usize::try_from(accessor.count.0.min(most)).unwrap_or(usize::MAX)
    })
}

/// Numbers of an element.
fn width(document: &GltfDocument<'_>, accessor: usize) -> usize {
    match document.root.accessors.get(accessor).map(|accessor| accessor.type_) {
        Some(Checked::Valid(Type::Scalar)) => 1,
        Some(Checked::Valid(Type::Vec2)) => 2,
        Some(Checked::Valid(Type::Vec3)) => 3,
        _ => 4,
    }
}
