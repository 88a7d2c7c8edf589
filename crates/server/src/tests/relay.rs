//! A class on two front machines and one relay, which is Debian's `nats-server`: all of
//! them die, one after another, and nothing is lost.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bindpose_classroom::{
    MemberKey, Poll, Refusal, RoomCode, Round, Said, Seen, StudentClient, StudentRecord,
    TeacherClient, TeacherSecret, Told,
};

use super::class::{Line, PATIENCE, question};
use super::*;

/// A relay that is killed when it is dropped.
struct RelayServer {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl RelayServer {
    fn start() -> Self {
        Self::with(&["-js"])
    }

    fn with(options: &[&str]) -> Self {
        // The port was free a moment ago.
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let child = Self::run(folder.path(), port, options);
        Self { child, port, folder }
    }

    fn run(folder: &Path, port: u16, options: &[&str]) -> Child {
        // Debian keeps it where only root looks for programs.
        let paths = std::env::var("PATH").unwrap_or_default() + ":/usr/sbin";
        let child = Command::new("nats-server")
            .env("PATH", paths)
            .args(["-a", "127.0.0.1", "-p", &port.to_string(), "-sd"])
            .arg(folder)
            .args(options)
            .stderr(Stdio::null())
            .spawn()
            .expect("nats-server is needed; install it: apt-get install nats-server");
        let start = Instant::now();
        while TcpStream::connect((Ipv4Addr::LOCALHOST, port)).is_err() {
            assert!(start.elapsed() < PATIENCE, "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        child
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn start_again(&mut self) {
        self.child = Self::run(self.folder.path(), self.port, &["-js"]);
    }

    fn front(&self) -> Front {
        Front::open(&format!("nats://127.0.0.1:{}", self.port)).unwrap()
    }
}

impl Drop for RelayServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A front machine and the room that it opened.
struct Front {
    running: Running,
    room: OpenedRoom,
}

struct OpenedRoom {
    code: RoomCode,
    secret: TeacherSecret,
}

impl Front {
    fn open(address: &str) -> Result<Self, RelayError> {
        let front = RelayFront::open(address)?;
        let room = OpenedRoom { code: front.code().clone(), secret: front.secret().clone() };
        Ok(Self { running: Running::with(Some(ServedRoom::Relayed(front))), room })
    }

    /// A line with its answer to the first word; who is not let in now tries again.
    fn answer(&self, hello: &Said) -> (Line, Told) {
        let start = Instant::now();
        loop {
            let mut line = Line::to(&self.running);
            if let Some(told) = line.tried(hello) {
                return (line, told);
            }
            assert!(start.elapsed() < PATIENCE, "nobody is let in");
        }
    }
}

struct Student {
    client: StudentClient,
    line: Line,
}

impl Student {
    fn comes(code: &RoomCode, key: u128, front: &Front) -> Self {
        let key = MemberKey::from_random(key);
        let mut client = StudentClient::new(code.clone(), key, StudentRecord::default());
        let (line, told) = front.answer(&client.join());
        client.hear(told);
        let mut student = Self { client, line };
        student.hears_state();
        student
    }

    fn comes_back(&mut self, front: &Front) {
        let (line, told) = front.answer(&self.client.join());
        self.client.hear(told);
        self.line = line;
        self.hears_state();
    }

    fn hears_state(&mut self) {
        loop {
            let told = self.line.told();
            let is_state = matches!(told, Told::State { .. });
            self.client.hear(told);
            if is_state {
                return;
            }
        }
    }

    fn waits(&mut self, until: impl Fn(&StudentClient) -> bool) {
        while !until(&self.client) {
            self.client.hear(self.line.told());
        }
    }

    fn answers(&mut self, answer: &str) {
        assert!(self.client.answer(&question(), answer));
        self.line.say(&self.client.take_unsaid().unwrap());
    }
}

struct Teacher {
    client: TeacherClient,
    line: Line,
}

impl Teacher {
    fn comes(room: &OpenedRoom, at: &Front) -> Self {
        let client = TeacherClient::new(room.code.clone(), room.secret.clone());
        let (line, told) = at.answer(&client.lead());
        assert!(matches!(told, Told::Leading { .. }), "{told:?}");
        Self { client, line }
    }

    fn waits(&mut self, until: impl Fn(&TeacherClient) -> bool) {
        while !until(&self.client) {
            self.client.hear(self.line.told());
        }
    }

    fn does(&mut self, what: impl FnOnce(&mut TeacherClient)) {
        what(&mut self.client);
        self.line.say(&self.client.take_unsaid().unwrap());
    }
}

fn answered(teacher: &TeacherClient) -> usize {
    teacher.tally(&question()).answers(Round::First).count()
}

#[test]
fn a_front_dies_in_the_middle_of_a_vote_and_nothing_is_lost() {
    let relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let mut teacher = Teacher::comes(&first.room, &first);
    let code = &first.room.code;
    let mut there: Vec<Student> = (1..=3).map(|key| Student::comes(code, key, &first)).collect();
    let mut other: Vec<Student> = (4..=6).map(|key| Student::comes(code, key, &second)).collect();
    teacher.waits(|teacher| teacher.present() == 6);

    teacher.does(|teacher| {
        teacher.is_at("bindpose://bone-grid/second");
        teacher.ask(question());
    });
    for student in there.iter_mut().chain(&mut other) {
        student.waits(|student| student.question().is_some());
        let place = student.client.take_place();
        assert_eq!(place.as_deref(), Some("bindpose://bone-grid/second"));
    }
    there[0].answers("a");
    other[0].answers("b");
    teacher.waits(|teacher| answered(teacher) == 2);

    // Nobody waits for what these two say: it may have arrived or not.
    there[1].answers("a");
    other[1].answers("b");
    let Front { running, room } = first;
    drop(running);
    for student in &mut there {
        student.comes_back(&second);
    }
    there[2].answers("a");
    other[2].answers("b");
    let kept = teacher.client.state().clone();
    // The teacher has another computer, which knows nothing.
    let mut teacher = Teacher::comes(&room, &second);
    teacher.waits(|teacher| answered(teacher) == 6 && teacher.present() == 6);
    assert_eq!(*teacher.client.state(), kept);
    assert_eq!(teacher.client.students().count(), 6, "nobody is counted twice");
    let counts = [("a", 3), ("b", 3)].into();
    assert_eq!(teacher.client.tally(&question()).counts(Round::First), counts);

    let late = Student::comes(&room.code, 7, &second);
    assert_eq!(late.client.state(), Some(&kept));
    drop(there.pop());
    teacher.waits(|teacher| teacher.students().count() == 7 && teacher.present() == 6);
}

#[test]
fn the_relay_dies_and_comes_back_and_the_class_goes_on() {
    let mut relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let mut teacher = Teacher::comes(&first.room, &second);
    let mut student = Student::comes(&first.room.code, 1, &first);
    teacher.does(|teacher| teacher.ask(question()));
    student.waits(|student| student.question().is_some());
    relay.kill();
    student.answers("a");
    teacher.does(|teacher| teacher.pause(true));
    teacher.does(|teacher| teacher.hide_names(true));
    relay.start_again();
    student.waits(|student| student.state().unwrap().hides_names);
    assert!(student.client.state().unwrap().is_paused);
    teacher.waits(|teacher| answered(teacher) == 1 && teacher.present() == 1);
    let late = Student::comes(&first.room.code, 2, &second);
    assert_eq!(late.client.state(), Some(teacher.client.state()));
    teacher.waits(|teacher| teacher.present() == 2);
}

#[test]
fn a_relay_that_has_lost_its_last_minutes_hears_them_again() {
    let mut relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let mut teacher = Teacher::comes(&first.room, &first);
    let mut student = Student::comes(&first.room.code, 1, &first);
    teacher.waits(|teacher| teacher.present() == 1);
    relay.kill();
    let before = tempfile::tempdir().unwrap();
    copy_folder(relay.folder.path(), before.path());
    relay.start_again();
    teacher.does(|teacher| teacher.ask(question()));
    student.waits(|student| student.question().is_some());
    student.answers("a");
    teacher.waits(|teacher| answered(teacher) == 1);
    relay.kill();
    relay.folder = before;
    relay.start_again();
    let mut teacher = Teacher::comes(&first.room, &second);
    teacher.waits(|teacher| answered(teacher) == 1);
    let mut late = Student::comes(&first.room.code, 2, &second);
    late.waits(|student| student.question().is_some());
}

fn copy_folder(from: &Path, to: &Path) {
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            std::fs::create_dir_all(&to).unwrap();
            copy_folder(&entry.path(), &to);
        } else {
            std::fs::copy(entry.path(), to).unwrap();
        }
    }
}

#[test]
fn every_front_knows_every_room_and_no_other() {
    let relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let unknown = (0..).map(RoomCode::from_random);
    let unknown =
        unknown.into_iter().find(|code| ![&first.room.code, &second.room.code].contains(&code));
    let unknown = unknown.unwrap();
    let (key, record) = (MemberKey::from_random(1), StudentRecord::default());
    for front in [&first, &second] {
        let code = unknown.clone();
        let join = Said::Join { code, key: key.clone(), record: record.clone() };
        assert_eq!(front.answer(&join).1, Told::Refused { why: Refusal::NoSuchRoom });
        // The teacher of one room is not the teacher of another.
        let lead = Said::Lead { code: first.room.code.clone(), secret: second.room.secret.clone() };
        assert_eq!(front.answer(&lead).1, Told::Refused { why: Refusal::NotTheTeacher });
        let lead = Said::Lead { code: unknown.clone(), secret: first.room.secret.clone() };
        assert_eq!(front.answer(&lead).1, Told::Refused { why: Refusal::NoSuchRoom });
        let record = StudentRecord { name: "x".repeat(41), ..record.clone() };
        let join = Said::Join { code: first.room.code.clone(), key: key.clone(), record };
        assert_eq!(front.answer(&join).1, Told::Refused { why: Refusal::Malformed });

        let lead = Said::Lead { code: first.room.code.clone(), secret: first.room.secret.clone() };
        let Told::Leading { invitation } = front.answer(&lead).1 else {
            panic!("the teacher leads")
        };
        let hosts: Vec<&str> = invitation.addresses.iter().map(|it| &*it.host).collect();
        assert_eq!(hosts, [front.running.address.to_string()]);
        for code in [&first.room.code, &second.room.code] {
            let inside = front.running.get(&format!("/?class={code}"));
            assert_eq!(inside.body, b"<h1>Bindpose</h1>");
        }
        let wrong = front.running.get(&format!("/?class={unknown}"));
        let wrong = String::from_utf8(wrong.body).unwrap();
        assert!(wrong.contains("No class has this code here"));
        assert!(wrong.contains("nothing is kept for longer than a day"));
    }
    // The code alone makes no teacher.
    let mut thief = Student::comes(&first.room.code, 2, &second);
    thief.line.say(&Said::State { state: thief.client.state().unwrap().clone() });
    assert_eq!(thief.line.told(), Told::Refused { why: Refusal::Malformed });
}

#[test]
fn who_has_come_in_elsewhere_is_not_heard_here_any_more() {
    let relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let mut teacher = Teacher::comes(&first.room, &second);
    teacher.does(|teacher| teacher.ask(question()));
    let mut old = Student::comes(&first.room.code, 1, &first);
    old.waits(|student| student.question().is_some());
    let mut new = Student::comes(&first.room.code, 1, &second);
    new.waits(|student| student.question().is_some());
    new.answers("new");
    teacher.waits(|teacher| answered(teacher) == 1);
    old.answers("old");
    assert!(old.line.is_closed());
    let _late = Student::comes(&first.room.code, 2, &first);
    teacher.waits(|teacher| teacher.students().count() == 2);
    let counts = [("new", 1)].into();
    assert_eq!(teacher.client.tally(&question()).counts(Round::First), counts);
}

#[test]
fn who_polls_may_come_to_another_front_each_time() {
    let relay = RelayServer::start();
    let (first, second) = (relay.front(), relay.front());
    let mut teacher = Teacher::comes(&first.room, &first);
    let key = MemberKey::from_random(3);
    let mut student = StudentClient::new(first.room.code.clone(), key, StudentRecord::default());
    let mut poll = Poll { hello: student.join(), said: Vec::new(), seen: Seen::default() };
    for front in [&first, &second].into_iter().cycle().take(2) {
        let answer = front.running.polled(&poll);
        answer.told.into_iter().for_each(|told| student.hear(told));
        poll.seen = answer.seen;
        teacher.does(TeacherClient::call);
    }
    teacher.does(|teacher| teacher.ask(question()));
    while student.question().is_none() {
        let answer = first.running.polled(&poll);
        answer.told.into_iter().for_each(|told| student.hear(told));
        poll.seen = answer.seen;
    }
    assert!(student.answer(&question(), "b"));
    poll.said.extend(student.take_unsaid());
    poll.seen = Seen::default();
    second.running.polled(&poll);
    teacher.waits(|teacher| answered(teacher) == 1);
    // A first word that was long under way undoes nothing, for nobody.
    poll.said.clear();
    first.running.polled(&poll);
    let third = relay.front();
    let mut late = Teacher::comes(&first.room, &third);
    late.waits(|teacher| teacher.students().count() == 1);
    assert_eq!(answered(&late.client), 1);

    // A teacher that polls misses nobody on its way between fronts.
    let mut poll = Poll { hello: teacher.client.lead(), said: Vec::new(), seen: Seen::default() };
    let mut polling = TeacherClient::new(first.room.code.clone(), first.room.secret.clone());
    poll.seen = first.running.polled(&poll).seen;
    let answer = second.running.polled(&poll);
    answer.told.into_iter().for_each(|told| polling.hear(told));
    assert_eq!(answered(&polling), 1);
}

#[test]
fn a_relay_that_cannot_be_used_is_said_in_words() {
    let words = |address: &str| match Front::open(address) {
        Ok(_) => panic!("{address} is used"),
        Err(why) => why.to_string(),
    };
    let free = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let nobody = words(&format!("nats://teacher:password@127.0.0.1:{free}"));
    assert!(nobody.starts_with(&format!("127.0.0.1:{free} could not be reached")), "{nobody}");
    assert!(!nobody.contains("password"), "{nobody}");
    for wrong in ["http://localhost", "nats://", "", "ws://localhost", "nats://a:b@c:d"] {
        let words = words(wrong);
        assert!(words.starts_with("that is no address of a relay"), "{wrong}: {words}");
    }

    let closed = RelayServer::with(&["-js", "--user", "teacher", "--pass", "pass@word"]);
    let at = |who: &str| format!("nats://{who}127.0.0.1:{}", closed.port);
    for who in ["", "teacher:word@", "token@"] {
        let words = words(&at(who));
        assert!(words.contains("does not let us in"), "{who}: {words}");
    }
    Front::open(&at("teacher:pass%40word@")).unwrap();

    let forgetful = RelayServer::with(&[]);
    let words = words(&format!("nats://127.0.0.1:{}", forgetful.port));
    assert!(words.contains("keeps no class"), "{words}");
}
