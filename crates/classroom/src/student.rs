//! A class, seen by one of its students.

use std::sync::Arc;

use super::message::{Refusal, Said, Told};
use super::record::{LessonProgress, MemberKey, StudentRecord};
use super::room_code::RoomCode;
use super::state::{AnswerKey, ClassQuestion, ClassState, Follows, QuestionAddress};

/// More words than a line has under way when it is given up.
const OF_ONE_LINE: u64 = 1 << 20;

/// One student's part in a class: what it follows, where it is, what it handed in.
#[derive(Clone, Debug)]
pub struct StudentClient {
    code: RoomCode,
    key: MemberKey,
    record: StudentRecord,
    state: Option<ClassState>,
    refused: Option<Refusal>,
    /// What was taken from the state: where to, after how many calls and sent pages.
    taken: Taken,
    /// Nothing was heard yet on this connection.
    has_joined_anew: bool,
    unsaid: Option<Unsaid>,
}

#[derive(Clone, Debug, Default)]
struct Taken {
    place: String,
    calls: u32,
    sent: u32,
    /// The student wants to be where the class is, whether it follows or not.
    goes_back: bool,
}

/// What the room does not know yet; the more holds the less.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Unsaid {
    Page,
    Record,
}

impl StudentClient {
    /// Who comes into a room, with what its browser kept of an earlier visit.
    pub fn new(code: RoomCode, key: MemberKey, kept: StudentRecord) -> Self {
        Self {
            code,
            key,
            record: kept,
            state: None,
            refused: None,
            taken: Taken::default(),
            has_joined_anew: false,
            unsaid: None,
        }
    }

    /// The first word on every new connection.
    pub fn join(&mut self) -> Said {
        self.unsaid = None;
        self.has_joined_anew = true;
        self.record.version = self.record.version.saturating_add(OF_ONE_LINE);
        Said::Join { code: self.code.clone(), key: self.key.clone(), record: self.record.clone() }
    }

    /// The room's code.
    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// What the student says of itself, for the browser to keep.
    pub fn record(&self) -> &StudentRecord {
        &self.record
    }

    /// What the teacher says; absent before it was heard.
    pub fn state(&self) -> Option<&ClassState> {
        self.state.as_ref()
    }

    /// Why the room does not take this student.
    pub fn refused(&self) -> Option<Refusal> {
        self.refused
    }

    /// The question that is before the class, where it is.
    pub fn question(&self) -> Option<&ClassQuestion> {
        self.state.as_ref()?.question.as_ref()
    }

    /// Does it follow the teacher?
    pub fn follows(&self) -> bool {
        !self.record.wanders
            && self.state.as_ref().is_some_and(|state| state.follows != Follows::Nothing)
    }

    /// Hears what the room tells.
    pub fn hear(&mut self, told: Told) {
        match told {
            Told::State { state } => {
                self.hear_state(state);
                self.refused = None;
            }
            Told::Refused { why } => self.refused = Some(why),
            Told::Joined { .. } => self.refused = None,
            Told::Students { .. } | Told::Leading { .. } => {}
        }
    }

    fn hear_state(&mut self, state: ClassState) {
        let last = self.state.as_ref().map_or(0, |last| last.version);
        // A room that began anew says nothing yet, and then counts from its own beginning.
        let began_anew = self.has_joined_anew && state.version > 0;
        if self.state.is_some() && state.version < last && !began_anew {
            return;
        }
        self.has_joined_anew &= state.version == 0;
        if self.state.is_none() || state.version < last {
            // What was sent before it came is not for it.
            self.taken.sent = state.sent.as_ref().map_or(0, |sent| sent.count);
            self.taken.calls = 0;
        }
        self.state = Some(state);
    }

    /// Where the page has to go now, as a link; `None`: it is where it should be.
    pub fn take_place(&mut self) -> Option<String> {
        let state = self.state.as_ref()?;
        if let Some(sent) = &state.sent
            && sent.count > self.taken.sent
        {
            self.taken.sent = sent.count;
            self.record.wanders = false;
            self.taken.place.clone_from(&state.place);
            self.taken.calls = state.calls;
            return Some(sent.link.clone());
        }
        let is_called = std::mem::take(&mut self.taken.goes_back) || state.calls > self.taken.calls;
        if is_called {
            self.taken.calls = state.calls;
            self.record.wanders = false;
        }
        if state.place.is_empty() || !(is_called || self.follows()) {
            return None;
        }
        let takes_all = state.follows == Follows::Values;
        let wanted = if takes_all { &*state.place } else { step_of(&state.place) };
        if self.taken.place == wanted && !is_called {
            return None;
        }
        self.taken.place = wanted.to_owned();
        let is_there = !takes_all && step_of(&self.record.page) == wanted;
        (!is_there).then(|| wanted.to_owned())
    }

    /// The page before the student, as a link, and did the student bring it there?
    pub fn is_at(&mut self, page: &str, by_hand: bool) {
        let follows = self.state.as_ref().map_or(Follows::Nothing, |state| state.follows);
        let leaves = match follows {
            Follows::Nothing => false,
            Follows::Step => step_of(page) != step_of(&self.record.page),
            Follows::Values => page != self.record.page,
        };
        let wanders = self.record.wanders || (by_hand && leaves);
        if page != self.record.page || wanders != self.record.wanders {
            page.clone_into(&mut self.record.page);
            self.record.wanders = wanders;
            self.unsaid = self.unsaid.max(Some(Unsaid::Page));
        }
    }

    /// Back to the class.
    pub fn go_back(&mut self) {
        self.record.wanders = false;
        self.taken.goes_back = true;
        self.unsaid = self.unsaid.max(Some(Unsaid::Page));
    }

    /// How the student wants to be called; empty: not at all.
    pub fn call_me(&mut self, name: &str) {
        if self.record.name != name {
            name.clone_into(&mut self.record.name);
            self.unsaid = Some(Unsaid::Record);
        }
    }

    /// How far the student has come with a lesson that it has open. What makes the record
    /// longer than the room takes is left out: the room would refuse all of it.
    pub fn has_done(&mut self, lesson: &str, progress: LessonProgress) {
        if self.record.lessons.get(lesson) == Some(&progress) {
            return;
        }
        // Shared with what was said last: that stays as it is.
        let before = Arc::clone(&self.record.lessons);
        Arc::make_mut(&mut self.record.lessons).insert(lesson.to_owned(), progress);
        if self.record.is_sound() {
            self.unsaid = Some(Unsaid::Record);
        } else {
            self.record.lessons = before;
        }
    }

    /// Hands in an answer to the question before the class; another replaces it. Is it
    /// taken?
    pub fn answer(&mut self, address: &QuestionAddress, answer: &str) -> bool {
        let question = self.question().filter(|question| question.address == *address);
        let Some(round) = question.and_then(ClassQuestion::round) else { return false };
        let key = AnswerKey { question: address.clone(), round };
        Arc::make_mut(&mut self.record.answers).insert(key, answer.to_owned());
        self.unsaid = Some(Unsaid::Record);
        true
    }

    /// What it handed in to the question before the class in this round.
    pub fn handed_in(&self) -> Option<&str> {
        let question = self.question()?;
        let (question, round) = (question.address.clone(), question.phase.round()?);
        self.record.answers.get(&AnswerKey { question, round }).map(String::as_str)
    }

    /// What the room has to hear.
    pub fn take_unsaid(&mut self) -> Option<Said> {
        let unsaid = self.unsaid.take()?;
        self.record.version = self.record.version.saturating_add(1);
        let StudentRecord { version, wanders, .. } = self.record;
        Some(match unsaid {
            Unsaid::Record => Said::Record { record: self.record.clone() },
            Unsaid::Page => Said::Page { page: self.record.page.clone(), wanders, version },
        })
    }
}

/// Lesson and step of a link, without what is set on it.
fn step_of(link: &str) -> &str {
    link.split_once('?').map_or(link, |(step, _)| step)
}
