//! A class, seen by its teacher.

use std::collections::BTreeMap;

use super::message::{Refusal, Said, Told};
use super::question::{ClassQuestion, QuestionAddress, QuestionPhase};
use super::record::{MemberId, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::{ClassState, Follows, OpenSteps, SentPage};
use super::tally::Tally;

/// The teacher's part in a class.
#[derive(Clone, Debug)]
pub struct TeacherClient {
    code: RoomCode,
    secret: TeacherSecret,
    state: ClassState,
    students: BTreeMap<MemberId, StudentView>,
    refused: Option<Refusal>,
    is_unsaid: bool,
}

impl TeacherClient {
    /// Who leads that room.
    pub fn new(code: RoomCode, secret: TeacherSecret) -> Self {
        let (state, students) = (ClassState::default(), BTreeMap::new());
        Self { code, secret, state, students, refused: None, is_unsaid: false }
    }

    /// The first word on every new connection.
    pub fn lead(&self) -> Said {
        Said::Lead { code: self.code.clone(), secret: self.secret.clone() }
    }

    /// The room's code.
    pub fn code(&self) -> &RoomCode {
        &self.code
    }

    /// What is said to all.
    pub fn state(&self) -> &ClassState {
        &self.state
    }

    /// Why the room does not take this teacher.
    pub fn refused(&self) -> Option<Refusal> {
        self.refused
    }

    /// Everyone who ever came, in the order of coming.
    pub fn students(&self) -> impl ExactSizeIterator<Item = &StudentView> {
        self.students.values()
    }

    /// How many are connected.
    pub fn present(&self) -> usize {
        self.students().filter(|student| student.is_here).count()
    }

    /// Hears what the room tells.
    pub fn hear(&mut self, told: Told) {
        match told {
            // Who comes back goes on from where the class is, or brings a new room there.
            Told::State { state } if state.version > self.state.version => {
                self.state = state;
                self.is_unsaid = false;
            }
            Told::State { state } => self.is_unsaid |= state != self.state,
            Told::Students { changed } => {
                self.students.extend(changed.into_iter().map(|student| (student.id, student)));
            }
            Told::Refused { why } => self.refused = Some(why),
            Told::Joined { .. } | Told::Leading { .. } => {}
        }
    }

    /// The page that the teacher shows, as a link.
    pub fn is_at(&mut self, page: &str) {
        if self.state.place != page {
            self.change(|state| page.clone_into(&mut state.place));
        }
    }

    /// What students follow from now on.
    pub fn let_follow(&mut self, follows: Follows) {
        self.change(|state| state.follows = follows);
    }

    /// Calls all to the page that is shown.
    pub fn call(&mut self) {
        self.change(|state| state.calls += 1);
    }

    /// Covers the students' pages, or uncovers them.
    pub fn pause(&mut self, is_paused: bool) {
        self.change(|state| state.is_paused = is_paused);
    }

    /// Opens these steps alone; `None`: all.
    pub fn open(&mut self, steps: Option<OpenSteps>) {
        self.change(|state| state.open_steps = steps);
    }

    /// Hides names on the teacher's screens, or shows them.
    pub fn hide_names(&mut self, hides: bool) {
        self.change(|state| state.hides_names = hides);
    }

    /// Puts a question to the class, and calls all to it.
    pub fn ask(&mut self, address: QuestionAddress) {
        self.change(|state| {
            let phase = QuestionPhase::Answering;
            state.question = Some(ClassQuestion { address, phase, is_locked: false });
            state.calls += 1;
        });
    }

    /// Goes on to the next phase of the question; after the last it is put away.
    pub fn go_on(&mut self) {
        self.change(|state| {
            state.question = state.question.take().and_then(|mut question| {
                question.phase = question.phase.next()?;
                question.is_locked = false;
                Some(question)
            });
        });
    }

    /// Takes no more answers in this round, or takes them again.
    pub fn lock(&mut self, is_locked: bool) {
        self.change(|state| {
            if let Some(question) = &mut state.question {
                question.is_locked = is_locked;
            }
        });
    }

    /// Sends a page to all.
    pub fn send(&mut self, link: &str) {
        self.change(|state| {
            let count = state.sent.as_ref().map_or(0, |sent| sent.count) + 1;
            state.sent = Some(SentPage { count, link: link.to_owned() });
        });
    }

    /// Ends the class.
    pub fn end(&mut self) {
        self.change(|state| state.is_over = true);
    }

    /// What was answered to a question.
    pub fn tally(&self, question: &QuestionAddress) -> Tally {
        Tally::new(question, self.students())
    }

    /// What the room has to hear.
    pub fn take_unsaid(&mut self) -> Option<Said> {
        std::mem::take(&mut self.is_unsaid).then(|| Said::State { state: self.state.clone() })
    }

    fn change(&mut self, change: impl FnOnce(&mut ClassState)) {
        change(&mut self.state);
        self.state.version += 1;
        self.is_unsaid = true;
    }
}
