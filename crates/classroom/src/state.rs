//! What the teacher says to all, and the question that is put to the whole class.

use serde::{Deserialize, Serialize};

use super::limits::{ADDRESS_BYTES, LINK_BYTES};

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

/// The question that the class has before it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassQuestion {
    /// Which.
    pub address: QuestionAddress,
    /// How far it is.
    pub phase: QuestionPhase,
    /// The teacher takes no more answers in this round.
    #[serde(default)]
    pub is_locked: bool,
}

impl ClassQuestion {
    /// In which round an answer counts now; `None`: in none.
    pub fn round(&self) -> Option<Round> {
        self.phase.round().filter(|_| !self.is_locked)
    }
}

/// Which question of a course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QuestionAddress {
    /// Slug of the lesson.
    pub lesson: String,
    /// Id of the cell.
    pub cell: String,
    /// Of questions with drawn numbers: which draw; else 0.
    #[serde(default)]
    pub draw: u32,
}

impl QuestionAddress {
    pub(crate) fn bytes(&self) -> usize {
        self.lesson.len() + self.cell.len()
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.bytes() <= ADDRESS_BYTES
    }
}

/// Everyone answers alone, talks, and answers again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Round {
    /// Alone.
    First,
    /// After they have talked.
    Second,
}

/// One student's answer to one question in one round; another replaces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AnswerKey {
    /// The question.
    pub question: QuestionAddress,
    /// The round.
    pub round: Round,
}

/// How far a question is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionPhase {
    /// Everyone answers alone, and sees no other answer.
    Answering,
    /// They talk; nobody can answer.
    Talking,
    /// Everyone answers again.
    AnsweringAgain,
    /// The answer is shown to all.
    Revealed,
}

impl QuestionPhase {
    /// In which round an answer counts now; `None`: in none.
    pub fn round(self) -> Option<Round> {
        match self {
            Self::Answering => Some(Round::First),
            Self::AnsweringAgain => Some(Round::Second),
            Self::Talking | Self::Revealed => None,
        }
    }

    /// What comes next; after the last nothing does.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Answering => Some(Self::Talking),
            Self::Talking => Some(Self::AnsweringAgain),
            Self::AnsweringAgain => Some(Self::Revealed),
            Self::Revealed => None,
        }
    }
}
