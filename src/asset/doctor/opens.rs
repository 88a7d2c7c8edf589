//! Does the reader open it? A file that does not open has an error that says
//! why, and what was left out of one that opens is told.

use super::catalog::container::{CANNOT_OPEN, NOT_GLTF};
use super::findings::Findings;
use crate::asset::{OpenError, Progress, Rig, Severity, Source, open};

/// Adds what the reader stumbles over in a glTF file, unless the examination has
/// found the cause already.
pub(super) fn examine(source: &Source, found: &mut Findings) {
    if found.any_error() {
        return;
    }
    match open(source, &Progress::default()) {
        Ok(rig) => left_out(&rig, found),
        Err(error) => refused(error, found),
    }
}

/// Files of other formats are as their readers find them.
pub(super) fn examine_other(source: &Source, found: &mut Findings) {
    match open(source, &Progress::default()) {
        Ok(rig) => {
            for note in rig.origin.iter().flat_map(|origin| &origin.notes) {
                found.adopt(note.clone());
            }
        }
        Err(error) => refused(error, found),
    }
}

/// What was left out for a reason that is not in the list yet.
fn left_out(rig: &Rig, found: &mut Findings) {
    for note in rig.origin.iter().flat_map(|origin| &origin.notes) {
        if note.severity != Severity::Note && !found.speaks_of(&note.at) {
            found.adopt(note.clone());
        }
    }
}

fn refused(error: OpenError, found: &mut Findings) {
    if let OpenError::Gltf { error, .. } = error {
        // The reader also names parts of the file that are not in its JSON.
        let in_json = error.path.starts_with('/');
        let pointer = if in_json { error.path.as_str() } else { "" };
        let told = (error.expected, error.found);
        found.add_with_remedy(&CANNOT_OPEN, pointer, told, error.remedy);
    } else if let OpenError::UnknownFormat { found: begins, .. } = error {
        found.add(&NOT_GLTF, "", "a glTF model", begins);
    } else {
        found.add(&CANNOT_OPEN, "", "a model", error.to_string());
    }
}
