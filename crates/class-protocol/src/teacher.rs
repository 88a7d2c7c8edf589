//! The client of the teacher, and the tally of answers.

use std::collections::BTreeMap;

use super::message::{ClientMessage, RejectReason, ServerMessage};
use super::record::{StudentId, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::{
    AnswerKey, ClassQuestion, ClassState, FollowMode, OpenSteps, QuestionAddress, QuestionPhase,
    Round, SentPage,
};

/// The client's state of the teacher: the state of the class, and all students.
#[derive(Clone, Debug)]
pub struct TeacherClient {
    code: RoomCode,
    secret: TeacherSecret,
    state: ClassState,
    students: BTreeMap<StudentId, StudentView>,
    refused: Option<RejectReason>,
    /// Whether the room has not received the current state.
    is_state_pending: bool,
}

impl TeacherClient {
    pub fn new(code: RoomCode, secret: TeacherSecret) -> Self {
        Self {
            code,
            secret,
            state: ClassState::default(),
            students: BTreeMap::new(),
            refused: None,
            is_state_pending: false,
        }
    }

    /// Returns the first message on a new connection.
    pub fn lead(&self) -> ClientMessage {
        ClientMessage::Lead { code: self.code.clone(), secret: self.secret.clone() }
    }

    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    pub fn state(&self) -> &ClassState {
        &self.state
    }

    /// Returns the reason for which the room rejects this teacher, if it does.
    pub fn refused(&self) -> Option<RejectReason> {
        self.refused
    }

    /// Iterates over all students that have ever joined, in the order in which they did.
    pub fn students(&self) -> impl ExactSizeIterator<Item = &StudentView> {
        self.students.values()
    }

    /// Returns the number of connected students.
    pub fn present(&self) -> usize {
        self.students().filter(|student| student.is_here).count()
    }

    /// Handles a message from the room.
    pub fn hear(&mut self, message: ServerMessage) {
        match message {
            // A reconnecting teacher continues with the room's state if that is newer. Otherwise
            // it restores the state of a restarted room.
            ServerMessage::State { state } if state.version > self.state.version => {
                self.state = state;
                self.is_state_pending = false;
            }
            ServerMessage::State { state } => self.is_state_pending |= state != self.state,
            ServerMessage::Students { changed } => {
                self.students.extend(changed.into_iter().map(|student| (student.id, student)));
            }
            ServerMessage::Refused { why } => self.refused = Some(why),
            ServerMessage::Joined { .. } | ServerMessage::Leading { .. } => {}
        }
    }

    /// Sets the link of the page that the teacher shows.
    pub fn is_at(&mut self, page: &str) {
        if self.state.place != page {
            self.change(|state| page.clone_into(&mut state.place));
        }
    }

    /// Sets the part of the page that students follow.
    pub fn let_follow(&mut self, follows: FollowMode) {
        self.change(|state| state.follows = follows);
    }

    /// Calls all students to the teacher's page.
    pub fn call(&mut self) {
        self.change(|state| state.calls += 1);
    }

    /// Covers the students' pages, or uncovers them.
    pub fn pause(&mut self, is_paused: bool) {
        self.change(|state| state.is_paused = is_paused);
    }

    /// Restricts the steps that students may open. `None` allows all.
    pub fn open(&mut self, steps: Option<OpenSteps>) {
        self.change(|state| state.open_steps = steps);
    }

    /// Hides names on the teacher's screens, or shows them.
    pub fn hide_names(&mut self, hides: bool) {
        self.change(|state| state.hides_names = hides);
    }

    /// Asks the class a question, and calls all students to it.
    pub fn ask(&mut self, address: QuestionAddress) {
        self.change(|state| {
            let phase = QuestionPhase::Answering;
            state.question = Some(ClassQuestion { address, phase, is_locked: false });
            state.calls += 1;
        });
    }

    /// Advances the question to its next phase. Removes it after the last one.
    pub fn go_on(&mut self) {
        self.change(|state| {
            state.question = state.question.take().and_then(|mut question| {
                question.phase = question.phase.next()?;
                question.is_locked = false;
                Some(question)
            });
        });
    }

    /// Stops or resumes accepting answers in this round.
    pub fn lock(&mut self, is_locked: bool) {
        self.change(|state| {
            if let Some(question) = &mut state.question {
                question.is_locked = is_locked;
            }
        });
    }

    /// Sends a page to all students, which open it once.
    pub fn send(&mut self, link: &str) {
        self.change(|state| {
            let count = state.sent.as_ref().map_or(0, |sent| sent.count) + 1;
            state.sent = Some(SentPage { count, link: link.to_owned() });
        });
    }

    pub fn end(&mut self) {
        self.change(|state| state.is_over = true);
    }

    /// Counts the answers to a question.
    pub fn tally(&self, question: &QuestionAddress) -> AnswerTally {
        AnswerTally::new(question, self.students())
    }

    /// Takes the message to send to the room. Returns `None` if nothing has changed.
    pub fn take_unsaid(&mut self) -> Option<ClientMessage> {
        let is_pending = std::mem::take(&mut self.is_state_pending);
        is_pending.then(|| ClientMessage::State { state: self.state.clone() })
    }

    fn change(&mut self, change: impl FnOnce(&mut ClassState)) {
        change(&mut self.state);
        self.state.version += 1;
        self.is_state_pending = true;
    }
}

/// The answers of a class to one question, in both rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AnswerTally {
    /// The answers of each student, indexed by round.
    answers: BTreeMap<StudentId, [Option<String>; 2]>,
    /// All connected students.
    present: Vec<StudentId>,
}

impl AnswerTally {
    fn new<'a>(
        question: &QuestionAddress,
        students: impl Iterator<Item = &'a StudentView>,
    ) -> Self {
        let mut tally = Self::default();
        let keys = [Round::First, Round::Second]
            .map(|round| AnswerKey { question: question.clone(), round });
        for student in students {
            let answers = keys.each_ref().map(|key| student.record.answers.get(key).cloned());
            if answers.iter().any(Option::is_some) {
                tally.answers.insert(student.id, answers);
            }
            if student.is_here {
                tally.present.push(student.id);
            }
        }
        tally
    }

    /// Returns whether no student has answered in either round.
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Iterates over the answers in a round.
    pub fn answers(&self, round: Round) -> impl Iterator<Item = (StudentId, &str)> {
        self.answers
            .iter()
            .filter_map(move |(id, answers)| Some((*id, answers[round as usize].as_deref()?)))
    }

    /// Counts the students for each answer in a round.
    pub fn counts(&self, round: Round) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for (_, answer) in self.answers(round) {
            *counts.entry(answer).or_insert(0) += 1;
        }
        counts
    }

    /// Counts the students for each pair of answers in the first and the second round.
    pub fn shifts(&self) -> BTreeMap<(&str, &str), usize> {
        let mut shifts = BTreeMap::new();
        for answers in self.answers.values() {
            if let [Some(first), Some(second)] = answers {
                *shifts.entry((first.as_str(), second.as_str())).or_insert(0) += 1;
            }
        }
        shifts
    }

    /// Iterates over the connected students that have not answered in a round.
    pub fn missing(&self, round: Round) -> impl Iterator<Item = StudentId> {
        self.present.iter().copied().filter(move |id| {
            self.answers.get(id).is_none_or(|answers| answers[round as usize].is_none())
        })
    }
}
