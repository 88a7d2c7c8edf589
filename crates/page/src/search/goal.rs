//! What a result leads to, and the group it stands in.

use crate::command::Command;

/// What a result leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResultGoal {
    /// A step, by indices of lesson and step.
    Step {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
    /// An entry of the glossary, by its slug.
    Term(String),
    /// A fault that the doctor knows, by its code.
    Fault(&'static str),
    /// A known bug of skinning, by its name.
    KnownFault(&'static str),
    /// Something that can be done.
    Command(Command),
    /// A step with a bookmark, by indices of lesson and step.
    Bookmark {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
    /// A step with a note of the reader's, by indices of lesson and step.
    Note {
        /// In the set.
        lesson: usize,
        /// In the lesson.
        step: usize,
    },
}

/// Results of a kind stand together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultGroup {
    /// Steps of lessons.
    Steps,
    /// Words of the field.
    Glossary,
    /// What the doctor finds.
    Doctor,
    /// Known bugs of skinning.
    KnownFaults,
    /// What can be done.
    Commands,
    /// Steps that the reader has marked.
    Bookmarks,
    /// What the reader has written.
    Notes,
}

impl ResultGoal {
    /// The group it stands in.
    pub fn group(&self) -> ResultGroup {
        match self {
            Self::Step { .. } => ResultGroup::Steps,
            Self::Term(_) => ResultGroup::Glossary,
            Self::Fault(_) => ResultGroup::Doctor,
            Self::KnownFault(_) => ResultGroup::KnownFaults,
            Self::Command(_) => ResultGroup::Commands,
            Self::Bookmark { .. } => ResultGroup::Bookmarks,
            Self::Note { .. } => ResultGroup::Notes,
        }
    }

    /// The step that it leads to, by indices; `None`: to none.
    pub fn step(&self) -> Option<(usize, usize)> {
        match *self {
            Self::Step { lesson, step }
            | Self::Bookmark { lesson, step }
            | Self::Note { lesson, step } => Some((lesson, step)),
            Self::Term(_) | Self::Fault(_) | Self::KnownFault(_) | Self::Command(_) => None,
        }
    }
}

impl ResultGroup {
    /// Above its results.
    pub fn heading(self) -> &'static str {
        match self {
            Self::Steps => "Steps",
            Self::Glossary => "Glossary",
            Self::Doctor => "What the doctor finds",
            Self::KnownFaults => "Known faults",
            Self::Commands => "Commands",
            Self::Bookmarks => "Your bookmarks",
            Self::Notes => "Your notes",
        }
    }
}
