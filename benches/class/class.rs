//! A class of simulated students with its teacher, and what a teacher does with it.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::rc::Rc;
use std::time::Duration;

use bindpose_class_protocol::{AnswerKey, RoomCode, Round, StudentId};
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};
use tokio::task::spawn_local;
use tokio::time::{Instant, interval, sleep, timeout};

use super::figures::{Latencies, Summary};
use super::lead::{Answers, Order, question};
use super::network::{Network, Random};
use super::student::{Fate, Seen, Student};
use super::teacher::Teacher;

/// Between two steps: a look at the page, a drag, another look.
const LOOK: Duration = Duration::from_millis(500);
const DRAGS: usize = 20;
/// The page tells at most that often.
const DRAG: Duration = Duration::from_millis(50);
/// How long a round is open, and how long they talk.
const ANSWER: Duration = Duration::from_secs(4);
const TALK: Duration = Duration::from_secs(1);
/// Students that fall asleep in a step, where some do.
const SLEEPERS: usize = 3;
/// Until all are settled; no measure of speed: only a hang takes this long.
const PATIENCE: Duration = Duration::from_mins(1);
/// From a socket by way of the server to a frame of the teacher's window.
const ON_THE_WAY: Duration = Duration::from_millis(500);

pub(crate) struct Class {
    pub(crate) teacher: Teacher,
    addresses: Vec<SocketAddr>,
    code: RoomCode,
    network: Network,
    students: Vec<Simulated>,
    latencies: Rc<RefCell<Latencies>>,
    random: Random,
    step: usize,
    votes: usize,
}

struct Simulated {
    fate: UnboundedSender<Fate>,
    seen: Rc<Seen>,
}

/// How a vote was counted.
#[derive(Clone, Copy, Default)]
pub(crate) struct Counted {
    pub(crate) votes: usize,
    pub(crate) answers: usize,
    /// Students whose last answers were not counted exactly once.
    pub(crate) wrong: usize,
}

impl Class {
    pub(crate) fn new(
        teacher: Teacher,
        addresses: Vec<SocketAddr>,
        code: RoomCode,
        network: Network,
    ) -> Self {
        let (students, latencies) = (Vec::new(), Rc::default());
        let random = Random::of(7);
        Self { teacher, addresses, code, network, students, latencies, random, step: 0, votes: 0 }
    }

    pub(crate) fn addresses(&self) -> &[SocketAddr] {
        &self.addresses
    }

    pub(crate) fn code(&self) -> &RoomCode {
        &self.code
    }

    /// Students come until there are so many.
    pub(crate) async fn grow(&mut self, count: usize) -> Result<(), String> {
        for number in self.students.len()..count {
            let (fate, fates) = unbounded_channel();
            let to = (self.addresses[number % self.addresses.len()], self.code.clone());
            let latencies = Rc::clone(&self.latencies);
            let student = Student::new(to, number, self.network, fates, latencies);
            self.students.push(Simulated { fate, seen: Rc::clone(&student.seen) });
            spawn_local(student.live());
            // No more come through a door.
            sleep(Duration::from_millis(2)).await;
        }
        self.settle().await
    }

    /// Steps at a class's pace, each dragged.
    pub(crate) async fn show(&mut self, steps: usize) -> Result<(), String> {
        for _ in 0..steps {
            self.step += 1;
            self.teacher.order(Order::Show(self.step, 0))?;
            if let Some(secs) = self.network.sleep_secs {
                for sleeper in 0..SLEEPERS {
                    let ms = self.random.between(secs) * 1e3;
                    let renews = sleeper == 0;
                    self.befall(if renews { Fate::SleepsAndRenews(ms) } else { Fate::Sleeps(ms) });
                }
            }
            sleep(LOOK).await;
            let mut ticks = interval(DRAG);
            for dragged in 1..=DRAGS {
                ticks.tick().await;
                self.teacher.order(Order::Show(self.step, dragged))?;
            }
            sleep(LOOK).await;
        }
        Ok(())
    }

    /// One question in two rounds, in each of which some lose their lines.
    pub(crate) async fn vote(&mut self, rejoins: usize) -> Result<Counted, String> {
        self.votes += 1;
        self.teacher.order(Order::Ask(self.votes))?;
        self.answering(rejoins / 2).await?;
        self.teacher.order(Order::GoOn)?;
        sleep(TALK).await;
        self.teacher.order(Order::GoOn)?;
        self.answering(rejoins - rejoins / 2).await?;
        self.teacher.order(Order::GoOn)?;
        self.settle().await?;
        let answers = self.teacher.tally(self.votes).await?;
        self.teacher.order(Order::GoOn)?;
        Ok(self.counted(answers))
    }

    /// The teacher drags while they answer.
    async fn answering(&mut self, rejoins: usize) -> Result<(), String> {
        let mut ticks = interval(DRAG);
        let count = (ANSWER.as_millis() / DRAG.as_millis()) as usize;
        let mut gone = 0;
        for dragged in 1..=count {
            ticks.tick().await;
            self.teacher.order(Order::Show(self.step, dragged))?;
            while gone * count < rejoins * dragged {
                self.befall([Fate::Lost, Fate::Late, Fate::Twice][gone % 3]);
                gone += 1;
            }
        }
        Ok(())
    }

    fn befall(&mut self, fate: Fate) {
        let one = self.random.below(self.students.len());
        let _ = self.students[one].fate.send(fate);
    }

    /// Until all are in the room and have said all.
    async fn settle(&self) -> Result<(), String> {
        sleep(ON_THE_WAY).await;
        let began = Instant::now();
        let missing = || self.students.iter().filter(|one| !one.seen.is_settled.get()).count();
        let all_are = async {
            while missing() > 0 {
                sleep(Duration::from_millis(20)).await;
            }
        };
        if timeout(PATIENCE, all_are).await.is_err() {
            let (missing, refused) = (missing(), self.refused());
            return Err(format!(
                "{missing} students have not settled after {} s; {refused} were refused",
                began.elapsed().as_secs()
            ));
        }
        sleep(ON_THE_WAY).await;
        Ok(())
    }

    fn counted(&self, answers: Answers) -> Counted {
        let counted: BTreeMap<StudentId, [Option<String>; 2]> = answers.into_iter().collect();
        let key = |round| AnswerKey { question: question(self.votes), round };
        let mut remembered = BTreeMap::new();
        for Simulated { seen, .. } in &self.students {
            let given = seen.answers.borrow();
            let both = [Round::First, Round::Second].map(|round| given.get(&key(round)).cloned());
            if let Some(id) = seen.id.get().filter(|_| both.iter().any(Option::is_some)) {
                remembered.insert(id, both);
            }
        }
        let is_wrong = |id: &&StudentId| counted.get(id) != remembered.get(id);
        let lost = remembered.keys().filter(is_wrong).count();
        let invented = counted.keys().filter(|id| !remembered.contains_key(id)).count();
        let answers = counted.values().flatten().flatten().count();
        Counted { votes: 1, answers, wrong: lost + invented }
    }

    /// Latencies since this was last asked.
    pub(crate) fn latencies(&self) -> Summary {
        self.latencies.borrow_mut().take()
    }

    pub(crate) fn rejoins(&self) -> usize {
        self.students.iter().map(|one| one.seen.rejoins.get()).sum()
    }

    pub(crate) fn refused(&self) -> usize {
        self.students.iter().map(|one| one.seen.refused.get()).sum()
    }
}

impl std::ops::AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        self.votes += other.votes;
        self.answers += other.answers;
        self.wrong += other.wrong;
    }
}
