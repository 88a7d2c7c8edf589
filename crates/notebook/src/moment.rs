//! Undo points, histories of all steps, and changes of steps that are not open.

use std::collections::BTreeMap;
use std::mem::size_of;
use std::sync::Arc;

use bindpose_gltf::Rig;

use super::history::MemoryUsage;
use super::{Cameras, Document, History, ReaderProgress, StepState, link};

/// Maximum number of closed steps whose undo history is kept.
const MAX_KEPT_HISTORIES: usize = 24;

/// State that an undo step restores.
#[derive(Clone, Debug)]
pub struct UndoPoint {
    pub(super) document: Document,
    /// The reader's own model, if the lesson uses it.
    pub(super) own: Option<Arc<Rig>>,
    /// The previous own model, if the change concerned it.
    pub(super) own_before: Option<SavedModel>,
    /// The model for comparison, if the change concerned it.
    pub(super) model_b: Option<SavedModel>,
    /// State of all other steps, if the change concerned it.
    pub(super) snapshot: Option<Box<NotebookSnapshot>>,
}

/// An optional model, as it was before a change.
#[derive(Clone, Debug)]
pub(super) struct SavedModel(pub(super) Option<Arc<Rig>>);

/// State of all steps except the open document.
#[derive(Clone, Debug)]
pub(super) struct NotebookSnapshot {
    pub(super) kept: StoredSteps,
    pub(super) histories: Histories,
    pub(super) progress: ReaderProgress,
    /// Cameras of the open step.
    pub(super) cameras: Cameras,
    /// Class whose changes these are.
    pub(super) class: u64,
}

/// Histories of closed steps, most recent last.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Vec<(StepKey, History<UndoPoint>)>);

impl Histories {
    /// Stores the history of a step. The oldest one is dropped if there are too
    /// many.
    pub(super) fn keep(&mut self, key: StepKey, history: History<UndoPoint>) {
        if history.is_empty() {
            return;
        }
        if self.0.len() == MAX_KEPT_HISTORIES {
            self.0.remove(0);
        }
        self.0.push((key, history));
    }

    /// Removes and returns the history of a step.
    pub(super) fn take(&mut self, key: &StepKey) -> History<UndoPoint> {
        match self.0.iter().position(|(other, _)| other == key) {
            Some(index) => self.0.remove(index).1,
            None => History::default(),
        }
    }

    /// Drops the histories of some lessons, by slug.
    pub(super) fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| !is_forgotten(&key.lesson));
    }
}

// Changes of closed steps.
//
// The document is the open step and nothing else. A step opens as its author
// prepared it (`steps.rs`), which is a pure function of lesson and rig. When
// the reader leaves a step, its differences are stored as a link. One format
// thus serves links, restarts and other steps. Links stay valid when a lesson
// changes, and are checked against lesson and model when they are opened again.
// Between runs, the list of these links is stored.
//
// Each step has its own undo history, which lasts until the program ends.
// Navigation, including following a route, is not an `Edit` and not undone.
// `open_notebook.rs` stores the name of the route and the last position on it,
// and derives the rest from the lessons. Progress (`progress.rs`) is not part
// of the document: `open_notebook/answers.rs` updates it when the reader
// releases a control, and only starting over removes it. Bookmarks and notes
// (`step_marks.rs`) are removed only by the reader. The list of changes
// (`step_changes.rs`) is derived from the document and its step in every frame.

/// Links to changed steps. Unchanged steps are not included.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct StoredSteps(BTreeMap<StepKey, String>);

/// A step, by slugs of lesson and step, and the reader's model on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepKey {
    pub(super) lesson: String,
    pub(super) step: String,
    /// Name of the reader's own model, if the lesson uses it.
    pub(super) model: Option<String>,
}

impl StoredSteps {
    /// Parses the links from [`Self::links`]. Invalid ones are dropped. Links
    /// to steps that do not exist now are kept, in case the steps come back.
    pub(super) fn from_links(links: &[String]) -> Self {
        let entries =
            links.iter().filter_map(|link| Some((StepKey::from_link(link)?, link.clone())));
        Self(entries.collect())
    }

    /// Returns every link, in a stable order.
    pub(super) fn links(&self) -> Vec<String> {
        self.0.values().cloned().collect()
    }

    pub(super) fn get(&self, key: &StepKey) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Stores the link of a step, or removes it if `None`.
    pub(super) fn keep(&mut self, key: StepKey, link: Option<String>) {
        match link {
            Some(link) => self.0.insert(key, link),
            None => self.0.remove(&key),
        };
    }

    /// Returns true if a step of this lesson is stored, by slug.
    pub(super) fn has_lesson(&self, lesson: &str) -> bool {
        self.0.keys().any(|key| key.lesson == lesson)
    }
}

impl StepKey {
    fn from_link(link: &str) -> Option<Self> {
        let mut address = link::address(link).ok()?;
        Some(Self {
            lesson: address.lesson,
            step: address.step?,
            model: link::own_model::take_model(&mut address.values),
        })
    }
}

// Memory use of undo points, which is large if every weight of a large mesh is
// edited.

impl MemoryUsage for UndoPoint {
    fn held_bytes_excluding(&self, other: Option<&Self>) -> usize {
        let other = other.map(|other| &other.document.state);
        size_of::<Self>() + edits_bytes(&self.document.state, other)
    }
}

/// Approximate memory of data that readers may edit in large amounts, in bytes.
fn edits_bytes(state: &StepState, other: Option<&StepState>) -> usize {
    let weights = state.weights.held_bytes_excluding(other.map(|other| &other.weights));
    let bytes: usize = state.bytes.runs().iter().map(|(_, _, bytes)| bytes.len()).sum();
    let shaders: usize = state.shaders.values().map(String::len).sum();
    let mut files = 0;
    for (cell, file) in &state.given_files {
        let is_shared = other.is_some_and(|other| other.given_files.get(cell) == Some(file));
        if !is_shared {
            files += file.held_bytes();
        }
    }
    weights + bytes + shaders + files
}

#[cfg(test)]
mod tests {

    use bindpose_skin::LANES;

    use super::*;
    use crate::Document;
    use crate::GivenFile;

    #[test]
    fn kept_steps_round_trip_and_invalid_links_are_dropped() {
        let links = [
            "bindpose://gone/step?nod=0.5",
            "bindpose://yours/one?model=a%20b.glb&joint=1",
            "bindpose://yours/one?joint=2",
        ]
        .map(str::to_owned);
        let mut kept = StoredSteps::from_links(&links);
        assert_eq!(kept.links(), [&links[0], &links[2], &links[1]].map(Clone::clone));
        let key = |model: Option<&str>| StepKey {
            lesson: "yours".to_owned(),
            step: "one".to_owned(),
            model: model.map(str::to_owned),
        };
        assert_eq!(kept.get(&key(Some("a b.glb"))), Some(&*links[1]));
        assert_eq!(kept.get(&key(Some("c.glb"))), None);
        kept.keep(key(None), None);
        assert_eq!(kept.get(&key(None)), None);

        let nonsense = ["", "bindpose://", "bindpose://lesson-alone", "nod=0.5"];
        assert_eq!(StoredSteps::from_links(&nonsense.map(str::to_owned)), StoredSteps::default());
    }

    #[test]
    fn edited_weights_count() {
        let mut moment = UndoPoint {
            document: Document::default(),
            own: None,
            own_before: None,
            model_b: None,
            snapshot: None,
        };
        let before = moment.held_bytes_excluding(None);
        for vertex in 0..1000 {
            moment.document.state.weights.insert(vertex, [0.0; LANES].into());
        }
        assert_eq!(moment.held_bytes_excluding(None) - before, 56_000);
        let copy = moment.clone();
        assert_eq!(moment.held_bytes_excluding(Some(&copy)), before, "shared");

        let file = GivenFile::read("a.csv", "1 2 3\n".repeat(1000).as_bytes());
        let files = &mut moment.document.state.given_files;
        files.insert("numbers".to_owned(), file);
        let with_file = moment.held_bytes_excluding(Some(&copy));
        assert_eq!(with_file - before, 12_000);
        let copy = moment.clone();
        assert_eq!(moment.held_bytes_excluding(Some(&copy)), before, "shared");
    }
}
