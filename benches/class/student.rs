//! One simulated student: the real client behind a line, and a person who answers, wanders,
//! sleeps and loses the line.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use bindpose_class_protocol::{
    AnswerKey, LessonProgress, QuestionAddress, RoomCode, Round, ServerMessage, StudentClient,
    StudentId, StudentKey, StudentRecord,
};
use tokio::sync::mpsc::UnboundedReceiver;
use tokio::task::spawn_local;
use tokio::time::sleep;

use super::figures::Latencies;
use super::lead::Place;
use super::line::{Heard, Line};
use super::network::{Network, Random, now_ms, until};

/// A page tells where it is at most that often.
const TELL_MS: f64 = 300.0;
/// Before the next try to connect, as `class.js` does it.
const PATIENCE_MS: [u64; 5] = [0, 500, 1000, 2000, 4000];
/// Two lines at a time.
const TWICE: Duration = Duration::from_secs(2);
/// From a question to an answer, and from that to another.
const THINKS_MS: [f64; 2] = [300.0, 2000.0];
/// Shares: of answers that are changed, of steps that are left by hand.
const CHANGES: f64 = 0.3;
const WANDERS: f64 = 0.02;
/// Answers and lessons of a record late in a course.
const ANSWERED: u32 = 30;
const LESSONS: u16 = 8;

/// What befalls a student.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fate {
    /// The line is gone, and what is under way with it.
    Lost,
    /// It is gone; what is under way arrives late.
    Late,
    /// A new line, while the old one still seems alive.
    Twice,
    /// So many milliseconds of sleep on the same line.
    Sleeps(f64),
    /// The same, and a new line after it.
    SleepsAndRenews(f64),
}

/// What the bench sees of a student.
#[derive(Default)]
pub(crate) struct Seen {
    pub(crate) id: Cell<Option<StudentId>>,
    /// Its last answers, as the person remembers them.
    pub(crate) answers: RefCell<BTreeMap<AnswerKey, String>>,
    /// It is in the room, and everything it has to say is on the socket.
    pub(crate) is_settled: Cell<bool>,
    pub(crate) rejoins: Cell<usize>,
    pub(crate) refused: Cell<usize>,
}

pub(crate) struct Student {
    pub(crate) address: SocketAddr,
    pub(crate) number: usize,
    pub(crate) network: Network,
    pub(crate) random: Random,
    pub(crate) client: StudentClient,
    pub(crate) fates: UnboundedReceiver<Fate>,
    pub(crate) seen: Rc<Seen>,
    pub(crate) latencies: Rc<RefCell<Latencies>>,
    last: Place,
    answers_at_ms: Option<f64>,
    says_at_ms: f64,
}

impl Student {
    pub(crate) fn new(
        (address, code): (SocketAddr, RoomCode),
        number: usize,
        network: Network,
        fates: UnboundedReceiver<Fate>,
        latencies: Rc<RefCell<Latencies>>,
    ) -> Self {
        let key = StudentKey::from_random((u128::from(std::process::id()) << 64) + number as u128);
        Self {
            address,
            number,
            network,
            random: Random::of(number as u64 + 1),
            client: StudentClient::new(code, key, record(number)),
            fates,
            seen: Rc::default(),
            latencies,
            last: Place::default(),
            answers_at_ms: None,
            says_at_ms: 0.0,
        }
    }

    /// Until the bench lets go of its fates.
    pub(crate) async fn live(mut self) {
        loop {
            let mut line = self.come().await;
            match self.takes_part(&mut line).await {
                None => return,
                Some(Fate::Lost) => line.cut(),
                Some(Fate::Twice) => drop(spawn_local(async move {
                    sleep(TWICE).await;
                    drop(line);
                })),
                Some(_) => {}
            }
            self.seen.is_settled.set(false);
            self.seen.rejoins.set(self.seen.rejoins.get() + 1);
        }
    }

    async fn come(&mut self) -> Line {
        let mut tries = 0;
        loop {
            sleep(Duration::from_millis(PATIENCE_MS[tries])).await;
            tries = (tries + 1).min(PATIENCE_MS.len() - 1);
            let line = Line::open(self.address, self.number, self.network, &mut self.random);
            if let Some(mut line) = line.await {
                line.say(&self.client.join());
                return line;
            }
        }
    }

    /// Until the line ends, and how; `None`: the bench is done.
    async fn takes_part(&mut self, line: &mut Line) -> Option<Fate> {
        loop {
            let now_ms = now_ms();
            if now_ms >= self.says_at_ms
                && let Some(said) = self.client.take_unsaid()
            {
                line.say(&said);
                self.says_at_ms = now_ms + TELL_MS;
            }
            self.seen.is_settled.set(self.is_settled(line));
            let wakes_ms = self.answers_at_ms.unwrap_or(f64::MAX).min(now_ms + TELL_MS);
            tokio::select! {
                heard = line.hear() => match heard {
                    Some(heard) => self.hear(heard),
                    None => return Some(Fate::Lost),
                },
                () = until(wakes_ms) => self.answers_if_time(),
                fate = self.fates.recv() => match fate? {
                    Fate::Sleeps(ms) => {
                        self.seen.is_settled.set(false);
                        line.sleeps_until(now_ms + ms);
                        until(now_ms + ms).await;
                    }
                    Fate::SleepsAndRenews(ms) => {
                        self.seen.is_settled.set(false);
                        line.sleeps_until(now_ms + ms);
                        until(now_ms + ms).await;
                        return Some(Fate::Late);
                    }
                    fate => return Some(fate),
                },
            }
        }
    }

    fn is_settled(&self, line: &Line) -> bool {
        self.client.state().is_some()
            && self.answers_at_ms.is_none()
            && now_ms() > self.says_at_ms
            && line.has_said_all()
    }

    fn hear(&mut self, heard: Heard) {
        match &heard.told {
            ServerMessage::Joined { id } => self.seen.id.set(Some(*id)),
            ServerMessage::State { state } => {
                let place = Place::of(&state.place);
                if place.stamp_ms > self.last.stamp_ms {
                    let above_ms = (heard.above_ms)(place.stamp_ms);
                    self.latencies.borrow_mut().add(&place, self.last.step, above_ms);
                    self.last = place;
                }
            }
            ServerMessage::Refused { .. } => self.seen.refused.set(self.seen.refused.get() + 1),
            ServerMessage::Leading { .. } | ServerMessage::Students { .. } => {}
        }
        self.client.hear(heard.told);
        if let Some(place) = self.client.take_place() {
            self.client.is_at(&place, false);
            if self.random.share() < WANDERS {
                self.client.is_at("bindpose://elsewhere/one?b0=1", true);
            }
        }
        let asks = self.client.question().is_some_and(|question| question.round().is_some());
        if asks && self.client.handed_in().is_none() && self.answers_at_ms.is_none() {
            self.answers_at_ms = Some(now_ms() + self.random.between(THINKS_MS));
        }
    }

    fn answers_if_time(&mut self) {
        if self.answers_at_ms.is_none_or(|at_ms| at_ms > now_ms()) {
            return;
        }
        self.answers_at_ms = None;
        let Some(question) = self.client.question() else { return };
        let (address, round) = (question.address.clone(), question.round());
        let answer = ["a,given", "b,given", "c,given", "d,given"][self.random.below(4)];
        // The round may be over since.
        let Some(round) = round.filter(|_| self.client.answer(&address, answer)) else { return };
        let key = AnswerKey { question: address, round };
        self.seen.answers.borrow_mut().insert(key, answer.to_owned());
        // What is handed in is said at once.
        self.says_at_ms = 0.0;
        if self.random.share() < CHANGES {
            self.answers_at_ms = Some(now_ms() + self.random.between(THINKS_MS));
        }
    }
}

/// As it is late in a course.
fn record(number: usize) -> StudentRecord {
    let answer = |cell| {
        let question =
            QuestionAddress { lesson: "linear-blending".into(), cell: format!("q{cell}"), draw: 0 };
        (AnswerKey { question, round: Round::First }, "b,as-given".to_owned())
    };
    let progress =
        LessonProgress { seen: (0..10).collect(), solved: (0..8).collect(), ..<_>::default() };
    StudentRecord {
        name: format!("Student {number}"),
        answers: Arc::new((0..ANSWERED).map(answer).collect()),
        lessons: Arc::new(
            (0..LESSONS).map(|n| (format!("lesson-number-{n}"), progress.clone())).collect(),
        ),
        ..StudentRecord::default()
    }
}
