//! The rig as a document wants it, before its parameters: with changed bytes in its
//! file, with weights that are worked out, and as a faulty loader reads it.

use std::sync::Arc;

use super::computed_weights::{LongWork, WeightsState, rig_weighted};
use super::faults::{influences_as_read, rig_as_read};
use super::{Document, file_bytes};
use crate::asset::{GltfError, Rig};
use crate::skin::SharedInfluences;

/// A rig, and how its reading went.
pub(super) struct RigRead {
    pub(super) rig: Arc<Rig>,
    /// With the learner's edits, and with what is wrong with them.
    pub(super) influences: SharedInfluences,
    /// The same without what is wrong with them.
    pub(super) meant_influences: SharedInfluences,
    /// Why the file with the document's bytes does not open; `rig` is then the last
    /// one that did.
    pub(super) unreadable: Option<Arc<GltfError>>,
    pub(super) weights_state: WeightsState,
}

impl RigRead {
    /// `influences`: those of the stored rig, with the document's edits.
    pub(super) fn new(
        document: &Document,
        (stored_rig, last_good): (&Arc<Rig>, &Arc<Rig>),
        influences: SharedInfluences,
        long_work: &LongWork,
    ) -> Self {
        let (rig, influences, unreadable) = if file_bytes::is_changed(document) {
            match file_bytes::read_as(document, stored_rig) {
                Ok(read) if document.state.weights.is_empty() => (read.rig, read.influences, None),
                Ok(read) => {
                    let influences = edited_influences(document, &read.rig);
                    (read.rig, influences, None)
                }
                Err(error) => {
                    let influences = edited_influences(document, last_good);
                    (Arc::clone(last_good), influences, Some(error))
                }
            }
        } else {
            (Arc::clone(stored_rig), influences, None)
        };
        let by = document.state.weights_by;
        let (weighted, weights_state) = rig_weighted(&rig, by, long_work);
        let meant_influences = if Arc::ptr_eq(&weighted, &rig) {
            influences
        } else {
            edited_influences(document, &weighted)
        };
        let faults = &document.state.faults;
        let rig = rig_as_read(&weighted, faults);
        let influences = influences_as_read(&meant_influences, &rig, faults);
        Self {
            rig,
            influences,
            meant_influences,
            unreadable,
            weights_state,
        }
    }
}

/// The rig's influences with the document's edits. An edit that names no joints is of
/// those that the file has, whatever the weights are now.
pub(super) fn edited_influences(document: &Document, rig: &Rig) -> SharedInfluences {
    let mut influences = rig.mesh.influences.clone();
    if document.state.weights.is_empty() {
        return influences;
    }
    let of_file = rig.mesh.of_file();
    // Copied once, here.
    let own = influences.as_mut_slice();
    for (vertex, edit) in document.state.weights.iter() {
        let vertex = vertex as usize;
        if let (Some(entry), Some(stored)) = (own.get_mut(vertex), of_file.get(vertex)) {
            *entry = edit.on(*stored);
        }
    }
    influences
}
