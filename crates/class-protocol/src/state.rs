//! The state of the class, and the question to the whole class.

use serde::{Deserialize, Serialize};

use super::limits::{MAX_ADDRESS_BYTES, MAX_LINK_BYTES};

/// The state of the class, written by the teacher alone. The latest version is valid.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ClassState {
    /// Grows with every change.
    pub version: u64,
    /// Link of the page that the teacher shows. Empty if it shows none yet.
    pub place: String,
    /// The part of the teacher's page that students follow.
    pub follows: FollowMode,
    /// Number of times that the teacher has called all students to its page.
    pub calls: u32,
    /// Whether the pages of students are covered ("eyes up").
    pub is_paused: bool,
    /// The steps that students may open. `None` if they may open all.
    pub open_steps: Option<OpenSteps>,
    /// The current question to the class.
    pub question: Option<ClassQuestion>,
    /// Whether the teacher's screens hide the names of students.
    pub hides_names: bool,
    /// The last page that was sent to all students.
    pub sent: Option<SentPage>,
    /// Whether the class has ended.
    pub is_over: bool,
}

impl ClassState {
    /// Returns whether the state respects the limits of the room.
    pub(crate) fn is_sound(&self) -> bool {
        let sent = self.sent.as_ref().map_or(0, |sent| sent.link.len());
        let lesson = self.open_steps.as_ref().map_or(0, |open| open.lesson.len());
        self.place.len() + sent + lesson <= 2 * MAX_LINK_BYTES
            && self.question.as_ref().is_none_or(|question| question.address.is_sound())
    }
}

/// The part of the teacher's page that students follow automatically.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FollowMode {
    /// Students choose their pages themselves.
    Nothing,
    /// Students open the teacher's step, but keep their own values.
    #[default]
    Step,
    /// Students open the teacher's page with all of its values and its view.
    Values,
}

/// The steps of a lesson that students may open.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OpenSteps {
    /// Slug of the lesson.
    pub lesson: String,
    /// Index of the first open step, from 0.
    pub first: usize,
    /// Index of the last open step, from 0.
    pub last: usize,
}

impl OpenSteps {
    /// Returns whether students may open a step of a lesson.
    pub fn allow(&self, lesson: &str, step: usize) -> bool {
        lesson == self.lesson && (self.first..=self.last).contains(&step)
    }
}

/// A page that the teacher has sent to all students.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentPage {
    /// Number of pages sent in this class so far, including this one.
    pub count: u32,
    pub link: String,
}

/// The current question to the class.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClassQuestion {
    pub address: QuestionAddress,
    pub phase: QuestionPhase,
    /// Whether the teacher accepts no more answers in this round.
    #[serde(default)]
    pub is_locked: bool,
}

impl ClassQuestion {
    /// Returns the round in which answers are accepted now. Returns `None` if none are.
    pub fn round(&self) -> Option<Round> {
        self.phase.round().filter(|_| !self.is_locked)
    }

    /// Returns the key of the answers that are accepted now. Returns `None` if none are.
    pub(crate) fn open_round(&self) -> Option<AnswerKey> {
        Some(AnswerKey { question: self.address.clone(), round: self.round()? })
    }
}

/// The address of a question in a course.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct QuestionAddress {
    /// Slug of the lesson.
    pub lesson: String,
    /// Id of the cell.
    pub cell: String,
    /// Index of the random draw of the question's numbers. 0 for questions without.
    #[serde(default)]
    pub draw: u32,
}

impl QuestionAddress {
    pub(crate) fn bytes(&self) -> usize {
        self.lesson.len() + self.cell.len()
    }

    pub(crate) fn is_sound(&self) -> bool {
        self.bytes() <= MAX_ADDRESS_BYTES
    }
}

/// A round of peer instruction: students answer alone, discuss, and answer again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Round {
    /// The answers before the discussion.
    First,
    /// The answers after the discussion.
    Second,
}

/// The key of a student's answer. A later answer with the same key replaces it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct AnswerKey {
    pub question: QuestionAddress,
    pub round: Round,
}

/// The phase of a question to the class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum QuestionPhase {
    /// Students answer alone, without seeing other answers.
    Answering,
    /// Students discuss and cannot answer.
    Talking,
    /// Students answer again after the discussion.
    AnsweringAgain,
    /// The correct answer is shown to all.
    Revealed,
}

impl QuestionPhase {
    /// Returns the round in which answers are accepted. Returns `None` if none are.
    pub fn round(self) -> Option<Round> {
        match self {
            Self::Answering => Some(Round::First),
            Self::AnsweringAgain => Some(Round::Second),
            Self::Talking | Self::Revealed => None,
        }
    }

    /// Returns the next phase, or `None` after the last one.
    pub fn next(self) -> Option<Self> {
        match self {
            Self::Answering => Some(Self::Talking),
            Self::Talking => Some(Self::AnsweringAgain),
            Self::AnsweringAgain => Some(Self::Revealed),
            Self::Revealed => None,
        }
    }
}
