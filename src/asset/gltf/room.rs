//! How much memory a model may take, counted before it is taken.

use super::error::{GltfError, GltfErrorKind};
use crate::asset::memory;

/// What a model may take where nothing is known about the machine.
const MOST_BYTES: u64 = 1 << 30;

/// What is left of it.
pub(super) struct Room {
    most: u64,
    left: u64,
}

impl Room {
    /// All of it; no more than half of what the machine has free.
    pub(super) fn new() -> Self {
        let most = memory::available_bytes().map_or(MOST_BYTES, |free| MOST_BYTES.min(free / 2));
        Self { most, left: most }
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
