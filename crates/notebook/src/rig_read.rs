//! The rig as a document wants it, before its parameters: with changed bytes in its
//! file, with weights that are worked out, and as a faulty loader reads it.

use std::sync::Arc;

use bindpose_asset::{GltfError, Mesh, Rig};
use bindpose_skin::{Influences, SharedInfluences};

use super::computed_weights::{LongWork, WeightsState, rig_weighted};
use super::faults::{influences_as_read, rig_as_read};
use super::{Document, WeightEdits, file_bytes};

/// A rig, and how its reading went.
pub(super) struct RigRead {
    pub(super) rig: Arc<Rig>,
    /// With the learner's edits, and with what is wrong with them.
    pub(super) influences: SharedInfluences,
    /// The same without what is wrong with them.
    pub(super) edited: EditedInfluences,
    /// Why the file with the document's bytes does not open; `rig` is then the last
    /// one that did.
    pub(super) unreadable: Option<Arc<GltfError>>,
    pub(super) weights_state: WeightsState,
}

/// A learner's influences, and what they were made of.
#[derive(Clone, Debug)]
pub(super) struct EditedInfluences {
    /// Whose influences the edits lie over.
    mesh: Arc<Mesh>,
    pub(super) edits: WeightEdits,
    pub(super) influences: SharedInfluences,
}

/// What a learner's influences are worked out from.
pub(super) enum Edited<'a> {
    /// They are known: those of the stored rig.
    Given(SharedInfluences),
    /// From those of another document: on the same mesh only what differs is looked at.
    After(&'a EditedInfluences),
}

impl RigRead {
    pub(super) fn new(
        document: &Document,
        (stored_rig, last_good): (&Arc<Rig>, &Arc<Rig>),
        edited: Edited<'_>,
        long_work: &LongWork,
    ) -> Self {
        let (rig, unreadable) = if file_bytes::is_changed(document) {
            match file_bytes::read_as(document, stored_rig) {
                Ok(read) => (read, None),
                Err(error) => (Arc::clone(last_good), Some(error)),
            }
        } else {
            (Arc::clone(stored_rig), None)
        };
        let by = document.state.weights_by;
        let (weighted, weights_state) = rig_weighted(&rig, by, long_work);
        let influences = match edited {
            Edited::Given(influences) if Arc::ptr_eq(&weighted, stored_rig) => influences,
            Edited::After(before) if Arc::ptr_eq(&weighted.mesh, &before.mesh) => {
                before.with(&document.state.weights)
            }
            Edited::Given(_) | Edited::After(_) => edited_influences(document, &weighted),
        };
        let edited = EditedInfluences {
            mesh: Arc::clone(&weighted.mesh),
            edits: document.state.weights.clone(),
            influences,
        };
        let faults = &document.state.faults;
        let rig = rig_as_read(&weighted, faults);
        let influences = influences_as_read(&edited.influences, &rig, faults);
        Self { rig, influences, edited, unreadable, weights_state }
    }
}

impl EditedInfluences {
    /// Those with other edits on the same mesh: the same ones where the edits are.
    fn with(&self, edits: &WeightEdits) -> SharedInfluences {
        if *edits == self.edits {
            return self.influences.clone();
        }
        if edits.is_empty() {
            return self.mesh.influences.clone();
        }
        let (mesh, of_file) = (&self.mesh, self.mesh.of_file());
        let changes = edits.differing(&self.edits).filter_map(|vertex| {
            let at = vertex as usize;
            let edited = match edits.get(vertex) {
                Some(edit) => of_file.get(at).map(|stored| edit.on(*stored)),
                None => mesh.influences.get(at).copied(),
            };
            Some((vertex, edited?))
        });
        let changes: Vec<(u32, Influences)> = changes.collect();
        self.influences.with(&changes)
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
