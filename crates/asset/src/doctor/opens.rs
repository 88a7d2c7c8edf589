//! Does the reader open it? A file that does not open has an error that says
//! why, and what was left out of one that opens is told.

use bindpose_diagnostic::{Diagnostic, ModelPlace, Place, Severity};

use super::catalog::{CANNOT_OPEN, NOT_GLTF};
use super::examined::{ExaminedModel, SkinnedSize};
use super::findings::Findings;
use crate::progress::Pace;
use crate::{ModelOpening, ModelSource, OpenError, Rig, TaskProgress, open};

/// Adds what the reader stumbles over in a glTF file, unless the examination has
/// found the cause already.
pub(super) async fn examine_opening(source: &ModelSource, pace: &Pace, found: &mut Findings) {
    if found.any_error() {
        return;
    }
    let mut opening = ModelOpening::new(source, &pace.progress().part(0.9, 1.0));
    let opened = loop {
        // Asked to stop, the opening ends by itself.
        let piece = pace.whole_piece().await.unwrap_or(usize::MAX);
        if let Some(opened) = opening.advance(piece) {
            break opened;
        }
    };
    match opened {
        Ok(rig) => {
            if let Some(examined) = &mut found.examined {
                examined.size = SkinnedSize::of(&rig);
            }
            left_out(&rig, found);
        }
        Err(error) => refused(error, found),
    }
}

/// Files of other formats are as their readers find them.
pub(super) fn examine_other(source: &ModelSource, progress: &TaskProgress, found: &mut Findings) {
    match open(source, progress) {
        Ok(rig) => {
            found.examined = Some(ExaminedModel::of_rig(&rig));
            for note in rig.origin.iter().flat_map(|origin| &origin.notes) {
                found.adopt(note.clone());
            }
        }
        Err(error) => refused(error, found),
    }
}

/// What was left out for a reason that is not in the list yet.
fn left_out(rig: &Rig, found: &mut Findings) {
    for note in rig.left_out() {
        if note.severity != Severity::Note && !found.speaks_of(note.at.pointer()) {
            found.adopt(note.clone());
        }
    }
}

fn refused(error: OpenError, found: &mut Findings) {
    match error {
        OpenError::Gltf { error, .. } => {
            // The reader also names parts of the file that are not in its JSON.
            let pointer = Some(&*error.path).filter(|path| path.starts_with('/'));
            let at = ModelPlace::at(pointer.unwrap_or_default());
            found.adopt(CANNOT_OPEN.of(Diagnostic::from(*error).at(Place::Model(at))));
        }
        OpenError::Ezm { error, .. } => {
            let last = error.faults.len().saturating_sub(1);
            for (index, fault) in error.faults.into_iter().enumerate() {
                let mut fault = CANNOT_OPEN.of(fault.into());
                if index == last {
                    fault.count += error.more;
                }
                found.adopt(fault);
            }
        }
        OpenError::UnknownFormat { found: begins, help, .. } => {
            let finding = found.add(&NOT_GLTF, "").help(help.unwrap_or_default());
            finding.expected("a glTF model", begins);
        }
        // Nobody asks any more.
        OpenError::Cancelled { .. } => {}
    }
}
