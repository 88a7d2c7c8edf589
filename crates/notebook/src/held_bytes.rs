//! How much memory undo takes: a document in which every weight of a large mesh is
//! edited is no small thing.

use std::mem::size_of;

use super::history::HeldMemory;
use super::{StepState, UndoPoint};

impl HeldMemory for UndoPoint {
    fn held_bytes_beside(&self, other: Option<&Self>) -> usize {
        let other = other.map(|other| &other.document.state);
        size_of::<Self>() + edits_bytes(&self.document.state, other)
    }
}

/// Of what readers may edit by the thousand.
fn edits_bytes(state: &StepState, other: Option<&StepState>) -> usize {
    let weights = state.weights.held_bytes_beside(other.map(|other| &other.weights));
    let bytes = state.bytes.runs();
    let bytes: usize = bytes.iter().map(|(_, _, bytes)| bytes.len()).sum();
    let shaders: usize = state.shaders.values().map(String::len).sum();
    let files = state.given_files.iter();
    let own = files.filter(|(cell, file)| {
        other.is_none_or(|other| other.given_files.get(*cell) != Some(*file))
    });
    let files: usize = own.map(|(_, file)| file.held_bytes()).sum();
    weights + bytes + shaders + files
}

#[cfg(test)]
mod tests {
    use bindpose_skin::LANES;

    use super::*;
    use crate::{Document, GivenFile};

    #[test]
    fn edited_weights_count() {
        let mut moment = UndoPoint {
            document: Document::default(),
            own: None,
            own_before: None,
            model_b: None,
            everywhere: None,
        };
        let before = moment.held_bytes_beside(None);
        for vertex in 0..1000 {
            moment.document.state.weights.insert(vertex, [0.0; LANES].into());
        }
        assert_eq!(moment.held_bytes_beside(None) - before, 56_000);
        let copy = moment.clone();
        assert_eq!(moment.held_bytes_beside(Some(&copy)), before, "shared");

        let file = GivenFile::read("a.csv", "1 2 3\n".repeat(1000).as_bytes());
        let files = &mut moment.document.state.given_files;
        files.insert("numbers".to_owned(), file);
        let with_file = moment.held_bytes_beside(Some(&copy));
        assert_eq!(with_file - before, 12_000);
        let copy = moment.clone();
        assert_eq!(moment.held_bytes_beside(Some(&copy)), before, "shared");
    }
}
