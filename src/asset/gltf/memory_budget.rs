//! How much memory a model may take, counted before it is taken.

use std::collections::BTreeSet;

use glam::Vec3;
use gltf::json::mesh::Semantic;

use super::container::Document;
use super::error::{GltfError, GltfErrorKind};
use super::primitive::Use;
use crate::asset::memory;

/// What a vertex and a corner take, with what is held while they are read.
const BYTES_A_VERTEX: u64 = 200;
const BYTES_A_CORNER: u64 = 20;

/// What a model may take where nothing is known about the machine.
const MOST_BYTES: u64 = 1 << 30;

/// What of that is left for the rest of the file.
pub(super) struct MemoryBudget {
    most: u64,
    left: u64,
}

impl MemoryBudget {
    /// All of it; no more than half of what the machine has free.
    pub(super) fn new() -> Self {
        let most = memory::cap(MOST_BYTES, 2);
        Self { most, left: most }
    }

    /// Counts all vertices, corners and morph targets that the file declares,
    /// those that primitives share once.
    pub(super) fn take_parts(
        &mut self,
        document: &Document<'_>,
        uses: &[Use<'_>],
    ) -> Result<(), GltfError> {
        let accessors = &document.root.accessors;
        let count = |accessor: usize| {
            let accessor = accessors.get(accessor);
            accessor.map_or(0, |accessor| {
                // More than its bytes cannot be; that is told when it is read.
                let view = accessor.buffer_view.map(|view| view.value());
                let view = view.and_then(|view| document.root.buffer_views.get(view));
                let most = view.map_or(u64::MAX, |view| view.byte_length.0);
                usize::try_from(accessor.count.0.min(most)).unwrap_or(usize::MAX)
            })
        };
        let mut seen = BTreeSet::new();
        for part in uses {
            let path = part.path();
            let positions = part.accessor(Semantic::Positions);
            let vertices = positions.map_or(0, count);
            let corners = part.primitive.indices.map(|indices| indices.value());
            self.take(corners.map_or(vertices, count), BYTES_A_CORNER, &path)?;
            let attributes = part.primitive.attributes.values();
            let attributes: Vec<usize> = attributes.map(|accessor| accessor.value()).collect();
            let skin = document.root.nodes[part.node].skin.map(|skin| skin.value());
            let targets = part.primitive.targets.as_deref().unwrap_or_default();
            let own = skin.is_none() || !targets.is_empty();
            if seen.insert((attributes, skin, own.then_some((part.node, part.index)))) {
                self.take(vertices, BYTES_A_VERTEX, &path)?;
                let a_target = 2 * size_of::<Vec3>() as u64;
                self.take(vertices.saturating_mul(targets.len()), a_target, &path)?;
            }
        }
        Ok(())
    }

    /// Counts `count` things of `bytes` each; `path` names who asks.
    pub(super) fn take(&mut self, count: usize, bytes: u64, path: &str) -> Result<(), GltfError> {
        let wanted = (count as u64).saturating_mul(bytes);
        let left = self.left.checked_sub(wanted).ok_or_else(|| {
            GltfError::new(
                GltfErrorKind::TooLarge,
                path,
                format_args!("a model that takes at most {} MiB", self.most >> 20),
                format_args!("{} MiB more than are left", (wanted - self.left) >> 20),
                "open a smaller model, or close other programs",
            )
        })?;
        self.left = left;
        Ok(())
    }
}
