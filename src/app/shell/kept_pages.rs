//! What earlier runs have left: their pages, kept until they are open again or the reader
//! forgets them, and a report of one that broke off; and a save that failed.

use std::path::PathBuf;

use bindpose_notebook::{Document, KeptPage, link};

/// Why the reader's work could not be saved, and what the reader says to it.
#[derive(Debug, Default)]
pub(super) struct SaveFailure {
    /// Why the last save failed.
    pub(super) why: Option<String>,
    /// The same, when the reader has put it off.
    pub(super) put_off: Option<String>,
    /// Is it to be tried again?
    pub(super) retry: bool,
}

/// What an earlier run wrote when it broke off.
#[derive(Debug)]
pub(super) struct CrashOffer {
    pub(super) words: String,
    /// The report itself.
    pub(super) text: String,
}

/// Pages kept, at most.
const MOST: usize = 20;

/// All of them.
#[derive(Debug, Default)]
pub(super) struct KeptPages {
    pub(super) pages: Vec<Waiting>,
    /// The file of the reader's model in the last run.
    pub(super) model: Option<PathBuf>,
    /// Is it to be opened when a page is entered that stands on it?
    pub(super) model_due: bool,
}

/// One of them.
#[derive(Clone, Debug)]
pub(super) struct Waiting {
    pub(super) page: KeptPage,
    pub(super) state: KeptState,
    /// What is shown in its place; only of the page that was open last.
    pub(super) stand_in: Option<Document>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum KeptState {
    /// Its model is yet to be read.
    Due,
    Reading,
    /// It could not be opened, and why.
    Failed(String),
    /// Its lesson is there again.
    Ready,
    /// For its model, whenever that is opened.
    Silent,
}

impl Waiting {
    /// The model that it was made on.
    pub(super) fn named_model(&self) -> Option<String> {
        link::own_model::named_model(&self.page.link)
    }

    /// In words, what it waits for; `None`: nothing to say.
    pub(super) fn words(&self) -> Option<String> {
        let shown = self.page.link.split('?').next().unwrap_or_default();
        match (&self.state, self.named_model()) {
            (KeptState::Failed(why), Some(model)) => {
                Some(format!("Your page on “{model}” is kept until the file can be opened. {why}"))
            }
            (KeptState::Failed(why), None) => {
                Some(format!("The page that was open last is kept: {shown}. {why}"))
            }
            (KeptState::Ready, _) => Some(format!(
                "A page that was kept from an earlier time can be opened again: {shown}."
            )),
            _ => None,
        }
    }

    /// What can be done about it.
    pub(super) fn actions(&self) -> &'static [&'static str] {
        match self.state {
            KeptState::Ready => &["Open it", "Forget this page", "Later"],
            _ => &["Try again", "Forget this page", "Later"],
        }
    }
}

impl KeptPages {
    /// At the front; an older page on the same model makes room.
    pub(super) fn keep(&mut self, waiting: Waiting) {
        let model = waiting.named_model();
        let pages = &mut self.pages;
        pages.retain(|other| model.is_none() || other.named_model() != model);
        pages.insert(0, waiting);
        pages.truncate(MOST);
    }

    pub(super) fn index_of(&self, state: &KeptState) -> Option<usize> {
        let mut pages = self.pages.iter();
        pages.position(|waiting| waiting.state == *state)
    }
}
