//! How much memory undo takes: a document in which every weight of a large mesh is
//! edited is no small thing.

use std::mem::size_of;

use super::history::Held;
use super::{InfluencesEdit, Moment, StepState};

impl Held for Moment {
    fn held_bytes(&self) -> usize {
        size_of::<Self>() + edits_bytes(&self.document.state)
    }
}

/// Of what readers may edit by the thousand.
fn edits_bytes(state: &StepState) -> usize {
    let weights = state.weights.len() * size_of::<(u32, InfluencesEdit)>();
    let bytes = state.bytes.runs();
    let bytes: usize = bytes.iter().map(|(_, _, bytes)| bytes.len()).sum();
    let shaders: usize = state.shaders.values().map(String::len).sum();
    weights + bytes + shaders
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notebook::Document;
    use crate::skin::LANES;

    #[test]
    fn edited_weights_count() {
        let mut moment = Moment {
            document: Document::default(),
            own: None,
            everywhere: None,
        };
        let before = moment.held_bytes();
        for vertex in 0..1000 {
            moment
                .document
                .state
                .weights
                .insert(vertex, [0.0; LANES].into());
        }
        assert_eq!(moment.held_bytes() - before, 56_000);
    }
}
