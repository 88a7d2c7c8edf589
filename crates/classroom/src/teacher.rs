//! A class, seen by its teacher, and what it answered.

use std::collections::BTreeMap;

use super::message::{Refusal, Said, Told};
use super::record::{MemberId, StudentView};
use super::room_code::{RoomCode, TeacherSecret};
use super::state::{
    AnswerKey, ClassQuestion, ClassState, Follows, OpenSteps, QuestionAddress, QuestionPhase,
    Round, SentPage,
};

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

/// What a class answered to one question in both rounds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    answers: BTreeMap<MemberId, [Option<String>; 2]>,
    /// Those who are connected, whether they answered or not.
    present: Vec<MemberId>,
}

impl Tally {
    fn new<'a>(
        question: &QuestionAddress,
        students: impl Iterator<Item = &'a StudentView>,
    ) -> Self {
        let mut tally = Self::default();
        let key = |round| AnswerKey { question: question.clone(), round };
        let keys = [Round::First, Round::Second].map(key);
        for student in students {
            let both = keys.each_ref().map(|key| student.record.answers.get(key).cloned());
            if both.iter().any(Option::is_some) {
                tally.answers.insert(student.id, both);
            }
            if student.is_here {
                tally.present.push(student.id);
            }
        }
        tally
    }

    /// Has nobody answered?
    pub fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// Who answered what in that round.
    pub fn answers(&self, round: Round) -> impl Iterator<Item = (MemberId, &str)> {
        self.answers
            .iter()
            .filter_map(move |(id, both)| Some((*id, both[round as usize].as_deref()?)))
    }

    /// How often each answer was given in that round.
    pub fn counts(&self, round: Round) -> BTreeMap<&str, usize> {
        let mut counts = BTreeMap::new();
        for (_, answer) in self.answers(round) {
            *counts.entry(answer).or_insert(0) += 1;
        }
        counts
    }

    /// How many went from one answer to another between the rounds, or stayed with it.
    pub fn shifts(&self) -> BTreeMap<(&str, &str), usize> {
        let mut shifts = BTreeMap::new();
        for both in self.answers.values() {
            if let [Some(first), Some(second)] = both {
                *shifts.entry((first.as_str(), second.as_str())).or_insert(0) += 1;
            }
        }
        shifts
    }

    /// Who is connected and has not answered in that round.
    pub fn missing(&self, round: Round) -> impl Iterator<Item = MemberId> {
        let has = move |id: &MemberId| {
            self.answers.get(id).is_some_and(|both| both[round as usize].is_some())
        };
        self.present.iter().copied().filter(move |id| !has(id))
    }
}
