//! Weights that are worked out in the place of the model's own: once for each model and
//! way, beside the page where there is one, and kept for a while.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use bindpose_asset::{GltfError, Mesh, Rig, Task, TaskProgress, reweighted};
use bindpose_skin::{Influences, SharedInfluences, WeightSource, WeightsBy, WeightsError};

use super::faults::{influences_as_read, rig_as_read};
use super::{Document, WeightEdits, file_bytes};

/// What the first look waits: small models are done by then, and nothing flickers.
const GLANCE: Duration = Duration::from_millis(8);
/// Vertices times joints of what is done at once: less than a frame in a browser.
const SHORT: usize = 400_000;
/// The same where each step is one of hundreds.
const SHORT_HEAT: usize = 10_000;
/// Models with weights of some source that are kept.
const KEPT: usize = 12;

/// Whether frames wait for what takes long.
#[derive(Clone, Default)]
pub enum LongWork {
    /// They do: pictures, proofs, the command line.
    #[default]
    Waits,
    /// It is done beside the page, which is then woken.
    Beside(Arc<dyn Fn() + Send + Sync>),
}

impl fmt::Debug for LongWork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Waits => "Waits",
            Self::Beside(_) => "Beside",
        })
    }
}

/// What the weights of the page are.
#[derive(Clone, Debug, PartialEq)]
pub enum WeightsState {
    /// Those that were asked for.
    AsAsked,
    /// Those of the model, while others are being worked out: how far, 0 to 1.
    UnderWay(f32),
    /// Those of the model, for others there are none.
    Refused(WeightsError),
}

/// How often weights have come that were worked out beside a page: what was made of those
/// that stood there meanwhile is old then.
pub(super) fn arrivals() -> u64 {
    ARRIVALS.load(Ordering::Relaxed)
}

static ARRIVALS: AtomicU64 = AtomicU64::new(0);

/// The rig with the weights that are asked for, or as it is, and which of the two.
pub(super) fn rig_weighted(
    rig: &Arc<Rig>,
    by: WeightsBy,
    long_work: &LongWork,
) -> (Arc<Rig>, WeightsState) {
    // The last one that opened stands in for a file, with weights of its own.
    if by.is_stored() || rig.mesh.file_influences.is_some() {
        return (Arc::clone(rig), WeightsState::AsAsked);
    }
    let by = by.effective();
    let found = look_up(rig, by, long_work);
    match found.unwrap_or_else(|| worked_out_now(rig, by)) {
        KnownWeights::Done(Ok(weighted)) => (weighted, WeightsState::AsAsked),
        KnownWeights::Done(Err(why)) => (Arc::clone(rig), WeightsState::Refused(why)),
        KnownWeights::UnderWay(fraction) => (Arc::clone(rig), WeightsState::UnderWay(fraction)),
    }
}

type Weighted = Result<Arc<Rig>, WeightsError>;

enum KnownWeights {
    Done(Weighted),
    UnderWay(f32),
}

struct ComputedEntry {
    /// Another rig is another model.
    rig: Weak<Rig>,
    by: WeightsBy,
    work: WeightsWork,
}

enum WeightsWork {
    UnderWay(Task<Weighted>),
    Done(Weighted),
}

static ENTRIES: Mutex<VecDeque<ComputedEntry>> = Mutex::new(VecDeque::new());

/// `None`: nobody has worked it out, and who asks waits for it.
fn look_up(rig: &Arc<Rig>, by: WeightsBy, long_work: &LongWork) -> Option<KnownWeights> {
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    entries.retain(|entry| entry.rig.strong_count() > 0);
    let is_this = |entry: &ComputedEntry| entry.by == by && entry.rig.as_ptr() == Arc::as_ptr(rig);
    let (entry, patience) = match (entries.iter().position(is_this), long_work) {
        (Some(at), _) => (entries.remove(at)?, Duration::ZERO),
        (None, LongWork::Waits) => return None,
        (None, LongWork::Beside(_)) if is_short(rig, by) => return None,
        (None, LongWork::Beside(wake)) => (begun(rig, by, wake), GLANCE),
    };
    let entry = entry.advanced(patience);
    let known = match (&entry.work, long_work) {
        // It is worked out twice then, but only here.
        (WeightsWork::UnderWay(_), LongWork::Waits) => None,
        (WeightsWork::UnderWay(task), LongWork::Beside(_)) => {
            Some(KnownWeights::UnderWay(task.fraction()))
        }
        (WeightsWork::Done(done), _) => Some(KnownWeights::Done(done.clone())),
    };
    entries.push_front(entry);
    entries.truncate(KEPT);
    known
}

fn is_short(rig: &Rig, by: WeightsBy) -> bool {
    let work = rig.mesh.positions.len().saturating_mul(rig.skeleton.len());
    work <= match by.source {
        WeightSource::BoneHeat => SHORT_HEAT,
        WeightSource::Stored | WeightSource::NearestJoint | WeightSource::InverseDistance => SHORT,
    }
}

fn begun(rig: &Arc<Rig>, by: WeightsBy, wake: &Arc<dyn Fn() + Send + Sync>) -> ComputedEntry {
    let (of, wake) = (Arc::clone(rig), Arc::clone(wake));
    let task = Task::start_paced(
        "weights",
        move |progress| reweighted(&of, by, progress),
        move || {
            ARRIVALS.fetch_add(1, Ordering::Relaxed);
            wake();
        },
    );
    ComputedEntry { rig: Arc::downgrade(rig), by, work: WeightsWork::UnderWay(task) }
}

fn worked_out_now(rig: &Arc<Rig>, by: WeightsBy) -> KnownWeights {
    let done = reweighted(rig, by, &TaskProgress::default()).finish();
    let mut entries = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    entries.push_front(ComputedEntry {
        rig: Arc::downgrade(rig),
        by,
        work: WeightsWork::Done(done.clone()),
    });
    entries.truncate(KEPT);
    KnownWeights::Done(done)
}

impl ComputedEntry {
    fn advanced(self, patience: Duration) -> Self {
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

// The rig as a document wants it, before its parameters: with changed bytes in its
// file, with weights that are worked out, and as a faulty loader reads it.

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

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use bindpose_asset::builtin;
    use bindpose_lesson::{DataEdit, Lesson, LessonSet, Setting};
    use bindpose_skin::{Influences, JointIndex, WeightSource};

    use super::*;
    use crate::{Derived, Document, Edit, Notebook, apply, tint_most, weight_errors};

    fn from(source: WeightSource) -> Document {
        let mut document = Document::default();
        document.state.weights_by.source = source;
        document.state.params.insert("left_out".to_owned(), 0.8);
        document
    }

    fn derived(document: &Document, rig: &Arc<Rig>) -> Derived {
        let influences = Derived::edited_influences(document, rig);
        Derived::new(document, None, rig, influences)
    }

    #[test]
    fn the_page_has_the_weights_that_are_asked_for_and_they_are_worked_out_once() {
        let rig = builtin("legs").unwrap();
        let stored = derived(&from(WeightSource::Stored), &rig);
        assert!(Arc::ptr_eq(&stored.rig, &rig));
        for source in [WeightSource::NearestJoint, WeightSource::BoneHeat] {
            let first = derived(&from(source), &rig);
            let again = derived(&from(source), &rig);
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
        let none = derived(&from(WeightSource::BoneHeat), &grid);
        let refused = WeightsState::Refused(WeightsError::NoTriangles);
        assert_eq!(none.weights_state, refused);
        assert!(none.influences.is_same(&grid.mesh.influences));
    }

    #[test]
    fn an_edit_lies_over_weights_of_every_source_and_keeps_its_own_joints() {
        let rig = builtin("legs").unwrap();
        let put = |document: &mut Document, edit: &Edit| {
            let rig = derived(document, &rig).rig;
            apply(document, edit, &Lesson::default(), &rig).unwrap();
        };
        let mut document = from(WeightSource::BoneHeat);
        let before = derived(&document, &rig).influences[700];
        let edit = Edit::Weight { vertex: 700, lane: 0, weight: 0.25 };
        put(&mut document, &edit);
        let mut expected = before;
        expected.weights[0] = 0.25;
        assert_eq!(derived(&document, &rig).influences[700], expected);
        // Below it the weights change, and with them the joints of other vertices.
        for source in WeightSource::ALL {
            put(&mut document, &Edit::set(Setting::WeightsFrom(source)));
            let now = derived(&document, &rig);
            assert_eq!(now.influences[700], expected, "{source:?}");
        }
        put(&mut document, &Edit::set(Setting::WeightsFrom(WeightSource::BoneHeat)));
        let edit = Edit::Weight { vertex: 700, lane: 0, weight: before.weights[0] };
        put(&mut document, &edit);
        assert!(document.state.weights.is_empty(), "as it is without the edit");

        // What names no joints means those of the file.
        let weights = [0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
        put(&mut document, &Edit::Data(DataEdit::Weights(700, weights)));
        let joints = rig.mesh.influences[700].joints;
        let found = derived(&document, &rig).influences[700];
        assert_eq!(found, Influences { joints, weights });
    }

    #[test]
    fn the_error_is_how_far_a_vertex_is_from_where_its_own_weights_put_it() {
        let rig = builtin("legs").unwrap();
        let stored = derived(&from(WeightSource::Stored), &rig);
        assert!(weight_errors(&stored).values.iter().all(|error| *error == 0.0));
        let near = derived(&from(WeightSource::InverseDistance), &rig);
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
    fn the_notebook_takes_weights_up_when_they_have_come_and_undo_puts_them_back() {
        let mut notebook = Notebook::new(LessonSet::embedded(), builtin).unwrap();
        notebook.follow("bindpose://weights/eight-four-two-one", 1).unwrap();
        let (woken, wait) = channel();
        let wake = Arc::new(move || woken.send(()).unwrap_or_default());
        notebook.set_long_work(LongWork::Beside(wake));
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
    fn beside_the_page_the_model_s_own_stand_there_until_the_others_come() {
        // A rig of its own: what other tests have worked out is not here.
        let rig = Arc::new((*builtin("tentacle").unwrap()).clone());
        let by = WeightsBy { source: WeightSource::BoneHeat, ..WeightsBy::default() };
        let (woken, wait) = channel();
        let beside = LongWork::Beside(Arc::new(move || woken.send(()).unwrap_or_default()));
        let (shown, state) = rig_weighted(&rig, by, &beside);
        if state != WeightsState::AsAsked {
            assert!(Arc::ptr_eq(&shown, &rig) && matches!(state, WeightsState::UnderWay(_)));
        }
        // No measure of speed: only a hang takes this long.
        wait.recv_timeout(Duration::from_mins(5)).unwrap();
        let (shown, state) = rig_weighted(&rig, by, &beside);
        assert_eq!(state, WeightsState::AsAsked);
        let (waited, _) = rig_weighted(&rig, by, &LongWork::Waits);
        assert!(Arc::ptr_eq(&shown, &waited));
        assert!(shown.mesh.influences[0].joints.contains(&JointIndex(0)));
    }
}
