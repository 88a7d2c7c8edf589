//! The client of a student.

use std::sync::Arc;

use super::message::{ClientMessage, RejectReason, ServerMessage};
use super::record::{LessonProgress, StudentKey, StudentRecord};
use super::room_code::RoomCode;
use super::state::{AnswerKey, ClassQuestion, ClassState, FollowMode, QuestionAddress};

/// Version numbers reserved for each connection: more than the messages that can be under way
/// when a connection is abandoned.
const VERSIONS_PER_CONNECTION: u64 = 1 << 20;

/// The client's state of one student: its record, and the state of the class.
#[derive(Clone, Debug)]
pub struct StudentClient {
    code: RoomCode,
    key: StudentKey,
    record: StudentRecord,
    state: Option<ClassState>,
    refused: Option<RejectReason>,
    navigation: Navigation,
    /// Whether no state was received yet on this connection.
    has_reconnected: bool,
    pending: Option<PendingUpdate>,
}

/// The navigation requests of the state that were already followed.
#[derive(Clone, Debug, Default)]
struct Navigation {
    /// Link of the last page that was followed.
    place: String,
    /// [`ClassState::calls`] at the last call.
    calls: u32,
    /// [`SentPage::count`](super::state::SentPage::count) of the last sent page.
    sent: u32,
    /// Whether the student wants to return to the page of the class.
    is_returning: bool,
}

/// An update that the room has not received. A later variant includes the earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum PendingUpdate {
    Page,
    Record,
}

impl StudentClient {
    /// Creates a client with the record that the browser stored at an earlier visit.
    pub fn new(code: RoomCode, key: StudentKey, stored: StudentRecord) -> Self {
        Self {
            code,
            key,
            record: stored,
            state: None,
            refused: None,
            navigation: Navigation::default(),
            has_reconnected: false,
            pending: None,
        }
    }

    /// Returns the first message on a new connection.
    pub fn join(&mut self) -> ClientMessage {
        self.pending = None;
        self.has_reconnected = true;
        self.record.version = self.record.version.saturating_add(VERSIONS_PER_CONNECTION);
        ClientMessage::Join {
            code: self.code.clone(),
            key: self.key.clone(),
            record: self.record.clone(),
        }
    }

    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// Returns the student's record, for the browser to store.
    pub fn record(&self) -> &StudentRecord {
        &self.record
    }

    /// Returns the latest state of the class. Returns `None` if none was received yet.
    pub fn state(&self) -> Option<&ClassState> {
        self.state.as_ref()
    }

    /// Returns the reason for which the room rejects this student, if it does.
    pub fn refused(&self) -> Option<RejectReason> {
        self.refused
    }

    /// Returns the current question to the class.
    pub fn question(&self) -> Option<&ClassQuestion> {
        self.state.as_ref()?.question.as_ref()
    }

    /// Returns whether the student follows the teacher's page.
    pub fn follows(&self) -> bool {
        !self.record.wanders
            && self.state.as_ref().is_some_and(|state| state.follows != FollowMode::Nothing)
    }

    /// Handles a message from the room.
    pub fn hear(&mut self, message: ServerMessage) {
        match message {
            ServerMessage::State { state } => {
                self.update_state(state);
                self.refused = None;
            }
            ServerMessage::Refused { why } => self.refused = Some(why),
            ServerMessage::Joined { .. } => self.refused = None,
            ServerMessage::Students { .. } | ServerMessage::Leading { .. } => {}
        }
    }

    fn update_state(&mut self, state: ClassState) {
        let last_version = self.state.as_ref().map_or(0, |last| last.version);
        // A restarted room has version 0 until the teacher connects, and then counts anew.
        let has_restarted = self.has_reconnected && state.version > 0;
        if self.state.is_some() && state.version < last_version && !has_restarted {
            return;
        }
        self.has_reconnected &= state.version == 0;
        if self.state.is_none() || state.version < last_version {
            // A page that was sent before the student joined is not opened.
            self.navigation.sent = state.sent.as_ref().map_or(0, |sent| sent.count);
            self.navigation.calls = 0;
        }
        self.state = Some(state);
    }

    /// Takes the link of the page to open now. Returns `None` if the page need not change.
    pub fn take_place(&mut self) -> Option<String> {
        let state = self.state.as_ref()?;
        if let Some(sent) = &state.sent
            && sent.count > self.navigation.sent
        {
            self.navigation.sent = sent.count;
            self.record.wanders = false;
            self.navigation.place.clone_from(&state.place);
            self.navigation.calls = state.calls;
            return Some(sent.link.clone());
        }
        let is_returning = std::mem::take(&mut self.navigation.is_returning);
        let is_called = is_returning || state.calls > self.navigation.calls;
        if is_called {
            self.navigation.calls = state.calls;
            self.record.wanders = false;
        }
        if state.place.is_empty() || !(is_called || self.follows()) {
            return None;
        }
        let follows_values = state.follows == FollowMode::Values;
        let target = if follows_values { &*state.place } else { step_of(&state.place) };
        if self.navigation.place == target && !is_called {
            return None;
        }
        self.navigation.place = target.to_owned();
        let is_there = !follows_values && step_of(&self.record.page) == target;
        (!is_there).then(|| target.to_owned())
    }

    /// Sets the link of the open page. `by_hand` is set if the student has opened it, not the
    /// class.
    pub fn is_at(&mut self, page: &str, by_hand: bool) {
        let follows = self.state.as_ref().map_or(FollowMode::Nothing, |state| state.follows);
        let leaves_class = match follows {
            FollowMode::Nothing => false,
            FollowMode::Step => step_of(page) != step_of(&self.record.page),
            FollowMode::Values => page != self.record.page,
        };
        let wanders = self.record.wanders || (by_hand && leaves_class);
        if page != self.record.page || wanders != self.record.wanders {
            page.clone_into(&mut self.record.page);
            self.record.wanders = wanders;
            self.pending = self.pending.max(Some(PendingUpdate::Page));
        }
    }

    /// Returns to the page of the class with the next [`Self::take_place`], even if the class
    /// follows nothing.
    pub fn go_back(&mut self) {
        self.record.wanders = false;
        self.navigation.is_returning = true;
        self.pending = self.pending.max(Some(PendingUpdate::Page));
    }

    /// Sets the name of the student. Empty for none.
    pub fn call_me(&mut self, name: &str) {
        if self.record.name != name {
            name.clone_into(&mut self.record.name);
            self.pending = Some(PendingUpdate::Record);
        }
    }

    /// Sets the progress in a lesson. Has no effect if the record would exceed a limit, because
    /// the room would reject the whole record.
    pub fn has_done(&mut self, lesson: &str, progress: LessonProgress) {
        if self.record.lessons.get(lesson) == Some(&progress) {
            return;
        }
        let before = Arc::clone(&self.record.lessons);
        Arc::make_mut(&mut self.record.lessons).insert(lesson.to_owned(), progress);
        if self.record.is_sound() {
            self.pending = Some(PendingUpdate::Record);
        } else {
            self.record.lessons = before;
        }
    }

    /// Submits an answer to the current question. Replaces an earlier answer in the same round.
    /// Returns whether the answer is accepted now.
    pub fn answer(&mut self, address: &QuestionAddress, answer: &str) -> bool {
        let question = self.question().filter(|question| question.address == *address);
        let Some(round) = question.and_then(ClassQuestion::round) else { return false };
        let key = AnswerKey { question: address.clone(), round };
        Arc::make_mut(&mut self.record.answers).insert(key, answer.to_owned());
        self.pending = Some(PendingUpdate::Record);
        true
    }

    /// Returns the submitted answer to the current question in this round, if any.
    pub fn handed_in(&self) -> Option<&str> {
        let question = self.question()?;
        let key = AnswerKey { question: question.address.clone(), round: question.phase.round()? };
        self.record.answers.get(&key).map(String::as_str)
    }

    /// Takes the message to send to the room. Returns `None` if nothing has changed.
    pub fn take_unsaid(&mut self) -> Option<ClientMessage> {
        let pending = self.pending.take()?;
        self.record.version = self.record.version.saturating_add(1);
        Some(match pending {
            PendingUpdate::Record => ClientMessage::Record { record: self.record.clone() },
            PendingUpdate::Page => ClientMessage::Page {
                page: self.record.page.clone(),
                wanders: self.record.wanders,
                version: self.record.version,
            },
        })
    }
}

/// Returns the part of a link for lesson and step, without the values.
fn step_of(link: &str) -> &str {
    link.split_once('?').map_or(link, |(step, _)| step)
}
