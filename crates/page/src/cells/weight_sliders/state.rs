//! What the sliders keep from frame to frame.

use std::collections::BTreeSet;

use bindpose_skin::{LANES, sharing_the_rest};

use super::vertex_weights::VertexWeights;

/// May be lost without harm.
#[derive(Default)]
pub(super) struct Sliders {
    /// Vertex and lane of sliders that were asked for, though their weight is 0.
    pub(super) added: BTreeSet<(u32, usize)>,
    /// What is sought among the joints to add.
    pub(super) sought: String,
    moved: Option<MovedLane>,
}

/// The lane that was moved last, with all weights before and after.
struct MovedLane {
    vertex: u32,
    lane: usize,
    before: [f32; LANES],
    after: [f32; LANES],
}

impl Sliders {
    /// All weights with one of them put to `weight` and Σw kept at 1. As long as
    /// the same one is moved, the others keep the proportion that they had when
    /// that began: at 1 they are 0, and on the way back they are themselves again.
    pub(super) fn sharing(
        &mut self,
        vertex_weights: &VertexWeights,
        lane: usize,
        weight: f32,
    ) -> [f32; LANES] {
        let now = vertex_weights.now.weights;
        let goes_on = |moved: &&MovedLane| {
            (moved.vertex, moved.lane) == (vertex_weights.vertex, lane) && moved.after == now
        };
        let before = self.moved.as_ref().filter(goes_on);
        let before = before.map_or(now, |moved| moved.before);
        let mut alike = [0.0; LANES];
        for &lane in &vertex_weights.shown {
            alike[lane] = 1.0;
        }
        let proportions = [before, vertex_weights.stored.weights, alike];
        let after = sharing_the_rest(lane, weight, &proportions);
        self.moved = Some(MovedLane { vertex: vertex_weights.vertex, lane, before, after });
        after
    }
}
