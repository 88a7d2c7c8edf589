//! What the reader has changed at steps, kept as links while other steps are in
//! sight and between runs. A link holds what differs from the step as its author
//! meant it, so what is kept stays right when a lesson changes, and is held
//! against lesson and model whenever it comes back.
//!
//! # What each step keeps
//!
//! A step opens as its author meant it: `notebook/steps.rs`, a pure function of lesson
//! and rig. `Document` is the step in sight, and nothing else. When the reader leaves
//! it, what differs is kept as a link (`notebook/kept_steps.rs`): one form for links,
//! restarts and other steps, and whatever comes back is held against lesson and model
//! again. What is remembered between runs is the list of these links. Each step has its
//! own history; histories last as long as the program. Where the reader goes and looks
//! from is a `Navigation`, not an `Edit`: undo does not know it. So is following a
//! route: `notebook/open_notebook/routes.rs` holds its name and where it was left, and
//! works out the way on from the lessons each time. What was seen, tried and solved is
//! no part of the document: `notebook/progress.rs` holds it, and
//! `open_notebook/answers.rs` adds to it when the reader lets go of a value; only
//! beginning anew takes it away. Bookmarks and the reader’s own notes
//! (`notebook/step_marks.rs`) are neither: only the reader takes them away. What the
//! page says to be changed (`notebook/step_changes.rs`) is read off document and step
//! each time, with the edit that puts it back.

use std::collections::BTreeMap;

use super::link;

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

#[cfg(test)]
mod tests {
    use super::*;

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
}
