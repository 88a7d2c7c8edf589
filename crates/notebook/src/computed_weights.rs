//! Weights computed in place of the model's own. Each model and method is
//! computed once, in the background if the page runs a background worker, and
//! cached.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{Mesh, Rig, Task, TaskProgress, reweighted};
use bindpose_skin::{Influences, SharedInfluences, WeightSource, WeightsBy, WeightsError};

use super::faults::{influences_as_read, rig_as_read};
use super::{Document, WeightEdits, file_bytes};

/// How long a frame waits for weights that have just been started. Small models
/// finish within it, which avoids flicker.
const FIRST_WAIT: Duration = Duration::from_millis(8);
/// Maximum vertices × joints computed within a frame: less than one frame in a
/// browser.
const MAX_SYNC_VERTEX_JOINTS: usize = 400_000;
/// Same limit for bone heat, where each step is one of hundreds.
const MAX_SYNC_VERTEX_JOINTS_HEAT: usize = 10_000;
/// Maximum number of cached models with computed weights.
const MAX_CACHED_RIGS: usize = 12;

/// Whether frames wait for long computations.
#[derive(Clone, Default)]
pub enum WorkMode {
    /// Frames wait: pictures, proofs, the command line.
    #[default]
    Waits,
    /// Long computations run in the background. The callback wakes the page
    /// when one ends.
    Beside(Arc<dyn Fn() + Send + Sync>),
}

impl fmt::Debug for WorkMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waits => "Waits",
            Self::Beside(_) => "Beside",
        })
    }
}

/// State of the page's weights.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightsState {
    /// The requested weights are in use.
    AsAsked,
    /// The model's own weights are in use while the requested ones are
    /// computed. Progress from 0 to 1.
    UnderWay(f32),
    /// The model's own weights are in use, because the requested ones cannot be
    /// computed.
    Refused(WeightsError),
}

/// Number of background computations finished so far. If it changed, values
/// derived from the weights before are out of date.
pub(super) fn finished_count() -> u64 {
    FINISHED_COUNT.load(Ordering::Relaxed)
}

static FINISHED_COUNT: AtomicU64 = AtomicU64::new(0);

/// Returns the rig with the requested weights, or unchanged if they are not
/// available.
pub(super) fn weighted_rig(
    rig: &Arc<Rig>,
    by: WeightsBy,
    long_work: &WorkMode,
) -> (Arc<Rig>, WeightsState) {
    // The last rig that opened, in place of a broken file, has weights of its
    // own.
    if by.is_stored() || rig.mesh.file_influences.is_some() {
        return (Arc::clone(rig), WeightsState::AsAsked);
    }
    let by = by.effective();
    let known = look_up(rig, by, long_work).unwrap_or_else(|| compute_now(rig, by));
    match known {
        KnownWeights::Done(Ok(weighted)) => (weighted, WeightsState::AsAsked),
        KnownWeights::Done(Err(why)) => (Arc::clone(rig), WeightsState::Refused(why)),
        KnownWeights::UnderWay(fraction) => (Arc::clone(rig), WeightsState::UnderWay(fraction)),
    }
}

type WeightedRig = Result<Arc<Rig>, WeightsError>;

enum KnownWeights {
    Done(WeightedRig),
    UnderWay(f32),
}

struct ComputedEntry {
    /// A rig is identified by its address.
    rig: Weak<Rig>,
    by: WeightsBy,
    work: WeightsWork,
}

enum WeightsWork {
    UnderWay(Task<WeightedRig>),
    Done(WeightedRig),
}

static ENTRIES: Mutex<VecDeque<ComputedEntry>> = Mutex::new(VecDeque::new());

/// Returns the cached weights, starting their computation in the background if
/// necessary. Returns `None` if the caller has to compute them itself.
fn look_up(rig: &Arc<Rig>, by: WeightsBy, long_work: &WorkMode) -> Option<KnownWeights> {
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    entries.retain(|entry| entry.rig.strong_count() > 0);
    let position =
        entries.iter().position(|entry| entry.by == by && entry.rig.as_ptr() == Arc::as_ptr(rig));
    let (entry, patience) = match (position, long_work) {
        (Some(index), _) => (entries.remove(index)?, Duration::ZERO),
        (None, WorkMode::Waits) => return None,
        (None, WorkMode::Beside(_)) if is_short(rig, by) => return None,
        (None, WorkMode::Beside(wake)) => (start_computation(rig, by, wake), FIRST_WAIT),
    };
    let entry = entry.poll(patience);
    let known = match (&entry.work, long_work) {
        // This computes the weights twice, but a caller that waits is rare.
        (WeightsWork::UnderWay(_), WorkMode::Waits) => None,
        (WeightsWork::UnderWay(task), WorkMode::Beside(_)) => {
            Some(KnownWeights::UnderWay(task.fraction()))
        }
        (WeightsWork::Done(done), _) => Some(KnownWeights::Done(done.clone())),
    };
    entries.push_front(entry);
    entries.truncate(MAX_CACHED_RIGS);
    known
}

fn is_short(rig: &Rig, by: WeightsBy) -> bool {
    let work = rig.mesh.positions.len().saturating_mul(rig.skeleton.len());
    work <= match by.source {
        WeightSource::BoneHeat => MAX_SYNC_VERTEX_JOINTS_HEAT,
        WeightSource::Stored | WeightSource::NearestJoint | WeightSource::InverseDistance => {
            MAX_SYNC_VERTEX_JOINTS
        }
    }
}

fn start_computation(
    rig: &Arc<Rig>,
    by: WeightsBy,
    wake: &Arc<dyn Fn() + Send + Sync>,
) -> ComputedEntry {
    let task_rig = Arc::clone(rig);
    let wake = Arc::clone(wake);
    let task = Task::start_paced(
        "weights",
        move |progress| reweighted(&task_rig, by, progress),
        move || {
            FINISHED_COUNT.fetch_add(1, Ordering::Relaxed);
            wake();
        },
    );
    ComputedEntry { rig: Arc::downgrade(rig), by, work: WeightsWork::UnderWay(task) }
}

fn compute_now(rig: &Arc<Rig>, by: WeightsBy) -> KnownWeights {
    let done = reweighted(rig, by, &TaskProgress::default()).finish();
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    entries.push_front(ComputedEntry {
        rig: Arc::downgrade(rig),
        by,
        work: WeightsWork::Done(done.clone()),
    });
    entries.truncate(MAX_CACHED_RIGS);
    KnownWeights::Done(done)
}

impl ComputedEntry {
    fn poll(self, patience: Duration) -> Self {
        let work = match self.work {
            WeightsWork::UnderWay(task) => match task.answer(patience) {
                Some(answer) => WeightsWork::Done(answer.unwrap_or(Err(WeightsError::Stopped))),
                None => WeightsWork::UnderWay(task),
            },
            done @ WeightsWork::Done(_) => done,
        };
        Self { work, ..self }
    }
}

/// A rig as read for a document, before its parameters are applied: with the
/// edited bytes of its file, with computed weights and with the loader faults
/// that are switched on.
pub(super) struct RigRead {
    pub(super) rig: Arc<Rig>,
    /// Influences with the reader's edits and the active faults.
    pub(super) influences: SharedInfluences,
    /// The same without the faults.
    pub(super) edited: EditedInfluences,
    /// Error from opening the file with the document's bytes. `rig` is then the
    /// last one that opened.
    pub(super) unreadable: Option<Arc<Diagnostic>>,
    pub(super) weights_state: WeightsState,
}

/// The reader's influences and the data that they were computed from.
#[derive(Clone, Debug)]
pub(super) struct EditedInfluences {
    /// Mesh whose influences are edited.
    mesh: Arc<Mesh>,
    pub(super) edits: WeightEdits,
    pub(super) influences: SharedInfluences,
}

/// Starting point for computing the reader's influences.
pub(super) enum InfluencesSource<'a> {
    /// Known influences of the stored rig.
    Given(SharedInfluences),
    /// Influences of another document. On the same mesh only the differing
    /// vertices are computed.
    After(&'a EditedInfluences),
}

impl RigRead {
    pub(super) fn new(
        document: &Document,
        stored_rig: &Arc<Rig>,
        last_good: &Arc<Rig>,
        source: InfluencesSource<'_>,
        long_work: &WorkMode,
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
        let (weighted, weights_state) = weighted_rig(&rig, by, long_work);
        let influences = match source {
            InfluencesSource::Given(influences) if Arc::ptr_eq(&weighted, stored_rig) => influences,
            InfluencesSource::After(before) if Arc::ptr_eq(&weighted.mesh, &before.mesh) => {
                before.with_edits(&document.state.weights)
            }
            InfluencesSource::Given(_) | InfluencesSource::After(_) => {
                edited_influences(document, &weighted)
            }
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
    /// Returns the influences with other edits on the same mesh. They share all
    /// data that the edits do not change.
    fn with_edits(&self, edits: &WeightEdits) -> SharedInfluences {
        if *edits == self.edits {
            return self.influences.clone();
        }
        if edits.is_empty() {
            return self.mesh.influences.clone();
        }
        let file_influences = self.mesh.of_file();
        let mut changes: Vec<(u32, Influences)> = Vec::new();
        for vertex in edits.differing(&self.edits) {
            let index = vertex as usize;
            let edited = match edits.get(vertex) {
                Some(edit) => file_influences.get(index).map(|stored| edit.on(*stored)),
                None => self.mesh.influences.get(index).copied(),
            };
            if let Some(edited) = edited {
                changes.push((vertex, edited));
            }
        }
        self.influences.with(&changes)
    }
}

/// Returns the rig's influences with the document's edits. An edit without
/// joints keeps those of the file, even if the weights are computed.
pub(super) fn edited_influences(document: &Document, rig: &Rig) -> SharedInfluences {
    let mut influences = rig.mesh.influences.clone();
    if document.state.weights.is_empty() {
        return influences;
    }
    let file_influences = rig.mesh.of_file();
    // The only copy of the whole list.
    let own = influences.as_mut_slice();
    for (vertex, edit) in document.state.weights.iter() {
        let vertex = vertex as usize;
        if let (Some(entry), Some(stored)) = (own.get_mut(vertex), file_influences.get(vertex)) {
            *entry = edit.on(*stored);
        }
    }
    influences
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use bindpose_lesson::{DataEdit, Lesson, LessonSet, Setting};
    use bindpose_rigs::builtin;
    use bindpose_skin::{Influences, JointIndex, WeightSource};

    use super::*;
    use crate::test_sample::document_with;
    use crate::{Derived, Document, Edit, Notebook, apply, tint_most, weight_errors};

    fn from(source: WeightSource) -> Document {
        let mut document = document_with(&[("left_out", 0.8)]);
        document.state.weights_by.source = source;
        document
    }

    #[test]
    fn requested_weights_are_computed_once() {
        let rig = builtin("legs").unwrap();
        let stored = Derived::of_document(&from(WeightSource::Stored), None, &rig);
        assert!(Arc::ptr_eq(&stored.rig, &rig));
        for source in [WeightSource::NearestJoint, WeightSource::BoneHeat] {
            let first = Derived::of_document(&from(source), None, &rig);
            let again = Derived::of_document(&from(source), None, &rig);
            assert!(Arc::ptr_eq(&first.rig, &again.rig), "{source:?}");
            assert!(Arc::ptr_eq(&first.stored_rig, &rig));
            assert_ne!(first.influences, stored.influences);
            assert_eq!(first.weights_state, WeightsState::AsAsked);
            let other = stored.of_other(&from(source), None);
            assert!(other.influences.is_same(&first.influences), "{source:?}");
            let back = other.of_other(&from(WeightSource::Stored), None);
            assert!(back.influences.is_same(&rig.mesh.influences));
        }
        let mut grid = (*builtin("bone_grid").unwrap()).clone();
        Arc::make_mut(&mut grid.mesh).triangles.clear();
        let grid = Arc::new(grid);
        let none = Derived::of_document(&from(WeightSource::BoneHeat), None, &grid);
        let refused = WeightsState::Refused(WeightsError::NoTriangles);
        assert_eq!(none.weights_state, refused);
        assert!(none.influences.is_same(&grid.mesh.influences));
    }

    #[test]
    fn edits_override_every_source_and_keep_their_joints() {
        let rig = builtin("legs").unwrap();
        let put = |document: &mut Document, edit: &Edit| {
            let rig = Derived::of_document(document, None, &rig).rig;
            apply(document, edit, &Lesson::default(), &rig).unwrap();
        };
        let mut document = from(WeightSource::BoneHeat);
        let before = Derived::of_document(&document, None, &rig).influences[700];
        let edit = Edit::Weight { vertex: 700, lane: 0, weight: 0.25 };
        put(&mut document, &edit);
        let mut expected = before;
        expected.weights[0] = 0.25;
        assert_eq!(Derived::of_document(&document, None, &rig).influences[700], expected);
        // Changing the source below the edit changes the joints of other
        // vertices.
        for source in WeightSource::ALL {
            put(&mut document, &Edit::set(Setting::WeightsFrom(source)));
            let now = Derived::of_document(&document, None, &rig);
            assert_eq!(now.influences[700], expected, "{source:?}");
        }
        put(&mut document, &Edit::set(Setting::WeightsFrom(WeightSource::BoneHeat)));
        let edit = Edit::Weight { vertex: 700, lane: 0, weight: before.weights[0] };
        put(&mut document, &edit);
        assert!(document.state.weights.is_empty(), "as it is without the edit");

        // An edit without joints keeps those of the file.
        let weights = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        put(&mut document, &Edit::data(DataEdit::Weights(700, weights)));
        let joints = rig.mesh.influences[700].joints;
        let found = Derived::of_document(&document, None, &rig).influences[700];
        assert_eq!(found, Influences { joints, weights });
    }

    #[test]
    fn weight_error_is_distance_from_position_by_stored_weights() {
        let rig = builtin("legs").unwrap();
        let stored = Derived::of_document(&from(WeightSource::Stored), None, &rig);
        assert!(weight_errors(&stored).values.iter().all(|error| *error == 0.0));
        let near = Derived::of_document(&from(WeightSource::InverseDistance), None, &rig);
        let errors = weight_errors(&near);
        for (vertex, error) in errors.values.iter().enumerate() {
            let apart = near.position(vertex).unwrap().distance(stored.position(vertex).unwrap());
            assert!((error - apart).abs() < 1e-5);
        }
        let largest = errors.values.iter().copied().fold(0.0, f32::max);
        assert!(largest > 0.3 && errors.most >= largest);
        assert_eq!(tint_most(&near, bindpose_lesson::Tint::WeightError), errors.most);
    }

    #[test]
    fn notebook_takes_up_finished_weights_and_undo_restores() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow("bindpose://what-skinning-is/why-four", 1).unwrap();
        let (woken, wait) = channel();
        let wake = Arc::new(move || woken.send(()).unwrap_or_default());
        notebook.set_long_work(WorkMode::Beside(wake));
        let heat = Edit::set(Setting::WeightsFrom(WeightSource::BoneHeat));
        notebook.edit(&heat, 2).unwrap();
        if notebook.derived().awaits_weights() {
            wait.recv_timeout(Duration::from_mins(5)).unwrap();
            notebook.take_up_weights();
        }
        let derived = notebook.derived();
        assert_eq!(derived.weights_state, WeightsState::AsAsked);
        assert!(!derived.influences.is_same(&derived.stored_rig.mesh.influences));
        notebook.undo();
        let by = notebook.document().state.weights_by;
        assert_eq!((by.source, by.most), (WeightSource::Stored, 8));
    }

    #[test]
    fn own_weights_are_used_until_background_task_ends() {
        // A rig of its own, so that the cache has no results of other tests.
        let rig = Arc::new((*builtin("tentacle").unwrap()).clone());
        let by = WeightsBy { source: WeightSource::BoneHeat, ..WeightsBy::default() };
        let (woken, wait) = channel();
        let beside = WorkMode::Beside(Arc::new(move || woken.send(()).unwrap_or_default()));
        let (shown, state) = weighted_rig(&rig, by, &beside);
        if state != WeightsState::AsAsked {
            assert!(Arc::ptr_eq(&shown, &rig) && matches!(state, WeightsState::UnderWay(_)));
        }
        // Not a measure of speed: only a hang takes this long.
        wait.recv_timeout(Duration::from_mins(5)).unwrap();
        let (shown, state) = weighted_rig(&rig, by, &beside);
        assert_eq!(state, WeightsState::AsAsked);
        let (waited, _) = weighted_rig(&rig, by, &WorkMode::Waits);
        assert!(Arc::ptr_eq(&shown, &waited));
        assert!(shown.mesh.influences[0].joints.contains(&JointIndex(0)));
    }
}
