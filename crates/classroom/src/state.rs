//! What the teacher says to all.

use serde::{Deserialize, Serialize};

use super::limits::LINK_BYTES;
use super::question::ClassQuestion;

/// What students follow by themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Follows {
    /// Each goes its own way.
    Nothing,
    /// The step that the teacher shows; what is dragged on it is each one's own.
    #[default]
    Step,
    /// The teacher's page with all its values and its view.
    Values,
}

/// Which steps of a lesson students may open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSteps {
    /// Slug of the lesson.
    pub lesson: String,
    /// The first, from 0.
    pub first: usize,
    /// The last, from 0.
    pub last: usize,
}

impl OpenSteps {
    /// May a student open that step?
    pub fn allow(&self, lesson: &str, step: usize) -> bool {
        lesson == self.lesson && (self.first..=self.last).contains(&step)
    }
}

/// A page that was sent to all.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentPage {
    /// The how-manieth of this class.
    pub count: u32,
    /// Its link.
    pub link: String,
}

/// What the teacher says to all: one record, of which the newest counts.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClassState {
    /// Grows with every change.
    pub version: u64,
    /// Link of the page that the teacher shows; empty before there is one.
    pub place: String,
    /// What of it students follow.
    pub follows: Follows,
    /// How often all were called to it.
    pub calls: u32,
    /// "Eyes up": the students' pages are covered.
    pub is_paused: bool,
    /// The steps that are open; absent: all.
    pub open_steps: Option<OpenSteps>,
    /// The question before the class.
    pub question: Option<ClassQuestion>,
    /// The teacher's screens show no names.
    pub hides_names: bool,
    /// The last page that was sent to all.
    pub sent: Option<SentPage>,
    /// The class has ended.
    pub is_over: bool,
}

impl ClassState {
    pub(crate) fn is_sound(&self) -> bool {
        let sent = self.sent.as_ref().map_or(0, |sent| sent.link.len());
        let lesson = self.open_steps.as_ref().map_or(0, |open| open.lesson.len());
        self.place.len() + sent + lesson <= 2 * LINK_BYTES
            && self.question.as_ref().is_none_or(|question| question.address.is_sound())
    }
}
