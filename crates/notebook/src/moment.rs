//! What a step of undo leads back to, and the undo of each step of a lesson.

use std::collections::BTreeMap;
use std::mem::size_of;
use std::sync::Arc;

use bindpose_asset::Rig;

use super::history::HeldMemory;
use super::{Cameras, Document, History, ReaderProgress, StepState, link};

/// Steps whose undo is kept while they are out of sight.
const STEPS_KEPT: usize = 24;

/// The step as it was.
#[derive(Clone, Debug)]
pub struct UndoPoint {
    /// What stood there.
    pub(super) document: Document,
    /// The reader's own model then, where the lesson stands on it.
    pub(super) own: Option<Arc<Rig>>,
    /// The one that was open before it, where the change was of that.
    pub(super) own_before: Option<OpenedB>,
    /// What was open to compare, where the change was of that.
    pub(super) model_b: Option<OpenedB>,
    /// What was kept everywhere else, where the change was of that.
    pub(super) everywhere: Option<Box<Everywhere>>,
}

/// A model to hold that of the page against; none, perhaps.
#[derive(Clone, Debug)]
pub(super) struct OpenedB(pub(super) Option<Arc<Rig>>);

/// What is kept of all steps, beside the document in sight.
#[derive(Clone, Debug)]
pub(super) struct Everywhere {
    pub(super) kept: KeptSteps,
    pub(super) histories: Histories,
    pub(super) progress: ReaderProgress,
    /// Of the step in sight.
    pub(super) cameras: Cameras,
    /// Whose changes these are.
    pub(super) class: u64,
}

/// Undo of steps that are out of sight, the latest last.
#[derive(Clone, Debug, Default)]
pub(super) struct Histories(Vec<(StepKey, History<UndoPoint>)>);

impl Histories {
    /// Keeps what can be undone at a step; that of the step left longest ago is
    /// forgotten.
    pub(super) fn keep(&mut self, key: StepKey, history: History<UndoPoint>) {
        if history.is_empty() {
            return;
        }
        if self.0.len() == STEPS_KEPT {
            self.0.remove(0);
        }
        self.0.push((key, history));
    }

    /// Takes what can be undone at a step.
    pub(super) fn take(&mut self, key: &StepKey) -> History<UndoPoint> {
        let index = self.0.iter().position(|(other, _)| other == key);
        index.map_or_else(History::default, |index| self.0.remove(index).1)
    }

    /// Forgets what belongs to the steps of some lessons, by slug.
    pub(super) fn forget_lessons(&mut self, is_forgotten: impl Fn(&str) -> bool) {
        self.0.retain(|(key, _)| !is_forgotten(&key.lesson));
    }
}

// What the reader has changed at steps, kept as links while other steps are in
// sight and between runs. A link holds what differs from the step as its author
// meant it, so what is kept stays right when a lesson changes, and is held
// against lesson and model whenever it comes back.
//
// # What each step keeps
//
// A step opens as its author meant it: `notebook/steps.rs`, a pure function of lesson
// and rig. `Document` is the step in sight, and nothing else. When the reader leaves
// it, what differs is kept as a link (`notebook/moment.rs`): one form for links,
// restarts and other steps, and whatever comes back is held against lesson and model
// again. What is remembered between runs is the list of these links. Each step has its
// own history; histories last as long as the program. Where the reader goes and looks
// from is a `Navigation`, not an `Edit`: undo does not know it. So is following a
// route: `notebook/open_notebook.rs` holds its name and where it was left, and
// works out the way on from the lessons each time. What was seen, tried and solved is
// no part of the document: `notebook/progress.rs` holds it, and
// `open_notebook/answers.rs` adds to it when the reader lets go of a value; only
// beginning anew takes it away. Bookmarks and the reader’s own notes
// (`notebook/step_marks.rs`) are neither: only the reader takes them away. What the
// page says to be changed (`notebook/step_changes.rs`) is read off document and step
// each time, with the edit that puts it back.

/// Links to changed steps. A step that stands as it opens is not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptSteps(BTreeMap<StepKey, String>);

/// Which step, and with which model on it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct StepKey {
    /// Slug.
    pub(super) lesson: String,
    /// Slug.
    pub(super) step: String,
    /// Name of the reader's own model, where the lesson stands on it.
    pub(super) model: Option<String>,
}

impl KeptSteps {
    /// Reads what [`Self::links`] gave. What is no link to a step is left out;
    /// links to steps that are not there now are kept for when they are.
    pub(super) fn from_links(links: &[String]) -> Self {
        let with_key = |link: &String| Some((StepKey::from_link(link)?, link.clone()));
        Self(links.iter().filter_map(with_key).collect())
    }

    /// Every link, in a lasting order.
    pub(super) fn links(&self) -> Vec<String> {
        self.0.values().cloned().collect()
    }

    pub(super) fn get(&self, key: &StepKey) -> Option<&str> {
        self.0.get(key).map(String::as_str)
    }

    /// Keeps a link to a step, or, with `None`, nothing of it.
    pub(super) fn keep(&mut self, key: StepKey, link: Option<String>) {
        match link {
            Some(link) => self.0.insert(key, link),
            None => self.0.remove(&key),
        };
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
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

// How much memory undo takes: a document in which every weight of a large mesh is
// edited is no small thing.

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
    use crate::Document;
    use crate::GivenFile;

    #[test]
    fn what_was_kept_comes_back_from_its_links_and_nonsense_does_not() {
        let links = [
            "bindpose://gone/step?nod=0.5",
            "bindpose://yours/one?model=a%20b.glb&joint=1",
            "bindpose://yours/one?joint=2",
        ]
        .map(str::to_owned);
        let mut kept = KeptSteps::from_links(&links);
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
        assert!(KeptSteps::from_links(&nonsense.map(str::to_owned)).is_empty());
    }

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
