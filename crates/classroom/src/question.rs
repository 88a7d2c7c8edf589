//! A question that is put to the whole class.

use serde::{Deserialize, Serialize};

use super::limits::ADDRESS_BYTES;

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
