//! State left by earlier runs: pages, kept until they are open again or the reader drops
//! them, and a crash report. Also the failure of a save.

use std::path::PathBuf;

use bindpose_notebook::{Document, KeptPage, link};

use crate::app::opening::file_name;

/// Failure to save the reader's work, and the reader's response.
#[derive(Debug, Default)]
pub(super) struct SaveFailure {
    /// Why the last save failed.
    pub(super) why: Option<String>,
    /// Failure that the reader has dismissed.
    pub(super) dismissed: Option<String>,
    /// True if the reader wants the save tried again.
    pub(super) retry: bool,
}

/// Crash report of an earlier run, offered to the reader.
#[derive(Debug)]
pub(super) struct CrashOffer {
    pub(super) notice: String,
    pub(super) report: String,
}

const MAX_KEPT_PAGES: usize = 20;

/// Pages of earlier runs that are not open yet.
#[derive(Debug, Default)]
pub(super) struct KeptPages {
    pub(super) pages: Vec<WaitingPage>,
    /// The file of the reader's model in the last run.
    pub(super) model: Option<PathBuf>,
    /// True if the model is opened as soon as a page on it is entered.
    pub(super) is_model_due: bool,
}

#[derive(Clone, Debug)]
pub(super) struct WaitingPage {
    pub(super) page: KeptPage,
    pub(super) state: KeptState,
    /// Document shown instead of it. Set only for the page that was open last.
    pub(super) stand_in: Option<Document>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum KeptState {
    /// Its model is not being read yet.
    Due,
    Reading,
    /// It could not be opened, for this reason.
    Failed(String),
    /// Its lesson is available again.
    Ready,
    /// Waits for its model without a notice.
    Silent,
}

impl WaitingPage {
    /// Returns the name of the model that the page was made on.
    pub(super) fn model_name(&self) -> Option<String> {
        link::own_model::named_model(&self.page.link)
    }

    /// Returns the notice for the reader, or `None` if there is nothing to report.
    pub(super) fn notice_text(&self) -> Option<String> {
        let short_link = self.page.link.split('?').next().unwrap_or_default();
        match (&self.state, self.model_name()) {
            (KeptState::Failed(why), Some(model)) => {
                Some(format!("Your page on “{model}” is kept until the file can be opened. {why}"))
            }
            (KeptState::Failed(why), None) => {
                Some(format!("The page that was open last is kept: {short_link}. {why}"))
            }
            (KeptState::Ready, _) => Some(format!(
                "A page that was kept from an earlier time can be opened again: {short_link}."
            )),
            _ => None,
        }
    }

    /// Returns the labels of the notice's buttons.
    pub(super) fn actions(&self) -> &'static [&'static str] {
        match self.state {
            KeptState::Ready => &["Open it", "Forget this page", "Later"],
            _ => &["Try again", "Forget this page", "Later"],
        }
    }
}

impl KeptPages {
    /// Inserts a page at the front. It replaces an older page on the same model.
    pub(super) fn insert_first(&mut self, waiting: WaitingPage) {
        let model = waiting.model_name();
        self.pages.retain(|other| model.is_none() || other.model_name() != model);
        self.pages.insert(0, waiting);
        self.pages.truncate(MAX_KEPT_PAGES);
    }

    /// Does not open the model of the last run if a followed link names another one.
    pub(super) fn skip_model_for(&mut self, link: &str) {
        if let Some(named) = link::own_model::named_model(link)
            && self.model.as_deref().is_some_and(|model| file_name(model) != named)
        {
            self.is_model_due = false;
        }
    }

    pub(super) fn index_of(&self, state: &KeptState) -> Option<usize> {
        self.pages.iter().position(|waiting| waiting.state == *state)
    }
}
