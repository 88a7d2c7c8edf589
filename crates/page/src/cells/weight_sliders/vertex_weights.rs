//! What the sliders show.

use bindpose_skin::Influences;

/// A vertex with its weights as they are now and as they are stored.
pub(super) struct VertexWeights {
    pub(super) vertex: u32,
    /// As they are.
    pub(super) now: Influences,
    /// As the model stores them.
    pub(super) stored: Influences,
    /// Lanes that have a slider.
    pub(super) shown: Vec<usize>,
}
