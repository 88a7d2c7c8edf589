//! What has been found, and when it is worked out anew: one row a frame, while
//! nothing moves.

use std::sync::Arc;

use bindpose_notebook::gpu_proof::{self, ProofOutcome};
use bindpose_notebook::scene::Scene;
use eframe::egui::Ui;

use super::subjects::{ProofSubject, Subjects};
use crate::PageContext;

/// Results of a table of proof.
#[derive(Debug, Default)]
pub(super) struct ProofResults {
    base: Option<Scene>,
    drawn: Option<Scene>,
    found: Vec<RowResult>,
    /// Number of the frame in which something was last different.
    changed_in: Option<u64>,
    /// Number of the frame in which a row was last computed.
    computed_in: Option<u64>,
}

/// Of one row.
#[derive(Debug)]
pub(super) struct RowResult {
    subject: ProofSubject,
    /// The error is in words for the reader.
    pub(super) result: Result<ProofOutcome, String>,
    /// Of a pose, or of a picture, that is no longer there.
    pub(super) stale: bool,
}

impl RowResult {
    pub(super) fn passes(&self) -> bool {
        self.result.as_ref().is_ok_and(ProofOutcome::passes)
    }
}

impl ProofResults {
    /// Notices what has changed since the last frame.
    pub(super) fn follow(&mut self, ui: &Ui, subjects: &Subjects) {
        let another_mesh =
            self.base.as_ref().is_some_and(|base| !Arc::ptr_eq(&base.mesh, &subjects.base.mesh));
        if another_mesh {
            self.found.clear();
        }
        let posed = !is_same(self.base.as_ref(), Some(&subjects.base));
        let redrawn = !is_same(self.drawn.as_ref(), subjects.drawn.as_ref());
        if posed || redrawn {
            for found in &mut self.found {
                found.stale |= posed || found.subject == ProofSubject::Drawn;
            }
            self.base = Some(subjects.base.clone());
            self.drawn.clone_from(&subjects.drawn);
            self.changed_in = Some(ui.ctx().cumulative_frame_nr());
        }
    }

    pub(super) fn found(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.found.iter().find(|found| found.subject == subject)
    }

    /// What holds for what is shown now.
    pub(super) fn fresh(&self, subject: ProofSubject) -> Option<&RowResult> {
        self.found(subject).filter(|found| !found.stale)
    }

    /// Computes the next row that is not known, if nothing moves; asks for
    /// another frame only while there are such rows.
    pub(super) fn work(&mut self, ui: &Ui, subjects: &Subjects, page: &mut PageContext<'_>) {
        let Some(next) = subjects.computable().find(|&row| self.fresh(row).is_none()) else {
            return;
        };
        // A gesture ends with an event, which brings a frame of its own.
        if page.view.playing.motion.playing
            || page.view.playing.clip.playing
            || ui.input(|input| input.pointer.any_down())
        {
            return;
        }
        let frame = Some(ui.ctx().cumulative_frame_nr());
        if frame != self.changed_in && frame != self.computed_in {
            self.computed_in = frame;
            let result = prove(next, subjects, page);
            self.found.retain(|found| found.subject != next);
            self.found.push(RowResult { subject: next, result, stale: false });
        }
        ui.ctx().request_repaint();
    }
}

/// Is there the same to prove? Shared data is compared by pointer first.
fn is_same(a: Option<&Scene>, b: Option<&Scene>) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return a.is_none() && b.is_none();
    };
    Arc::ptr_eq(&a.mesh, &b.mesh)
        && (a.influences.is_same(&b.influences) || a.influences == b.influences)
        && (Arc::ptr_eq(&a.palette, &b.palette) || a.palette == b.palette)
        && a.blend == b.blend
        && a.skinning == b.skinning
}

fn prove(
    subject: ProofSubject,
    subjects: &Subjects,
    page: &mut PageContext<'_>,
) -> Result<ProofOutcome, String> {
    let expected = match (subject, &subjects.drawn) {
        (ProofSubject::Combination(transport, method), _) => {
            gpu_proof::scene(&subjects.base, transport, method.into())
        }
        (ProofSubject::Drawn, Some(drawn)) => {
            gpu_proof::scene(&subjects.base, drawn.skinning.transport, drawn.blend)
        }
        (ProofSubject::Drawn, None) => return Err("Nothing is drawn.".to_owned()),
    };
    let skinned = match (subject, &subjects.drawn) {
        (ProofSubject::Drawn, Some(drawn)) => page.viewports.skinned(drawn)?,
        _ => page.viewports.skinned(&expected)?,
    };
    Ok(gpu_proof::compare(&expected, &skinned))
}
