//! Tests of a class on two front machines and a relay, for which the `nats-server` of Debian is
//! used. Fronts and relay are killed one after another, and no data must be lost.

use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use bindpose_class_protocol::{
    ClientMessage, PollRequest, RejectReason, RoomCode, Round, ServerMessage, StudentClient,
    StudentKey, StudentRecord, SyncCursor, TeacherClient, TeacherSecret,
};
use bindpose_class_server::testing::{TEST_TIMEOUT, TestServer, TestSocket, question};

use super::*;

/// A NATS server that is killed when dropped.
struct RelayServer {
    child: Child,
    port: u16,
    folder: tempfile::TempDir,
}

impl RelayServer {
    fn start() -> Self {
        Self::start_with(&["-js"])
    }

    fn start_with(options: &[&str]) -> Self {
        // The listener is dropped at once, so the port is free again.
        let port =
            TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
        let folder = tempfile::tempdir().unwrap();
        let child = Self::spawn(folder.path(), port, options);
        Self { child, port, folder }
    }

    fn spawn(folder: &Path, port: u16, options: &[&str]) -> Child {
        // Debian installs it to a folder that is only in the PATH of root.
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
            assert!(start.elapsed() < TEST_TIMEOUT, "nats-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        child
    }

    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn restart(&mut self) {
        self.child = Self::spawn(self.folder.path(), self.port, &["-js"]);
    }

    fn start_front(&self) -> TestFront {
        TestFront::start(&format!("nats://127.0.0.1:{}", self.port)).unwrap()
    }
}

impl Drop for RelayServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A front machine with the room that it has opened.
struct TestFront {
    server: TestServer,
    room: RoomCredentials,
}

struct RoomCredentials {
    code: RoomCode,
    secret: TeacherSecret,
}

impl TestFront {
    fn start(address: &str) -> Result<Self, RelayError> {
        let front = RelayFront::open(address)?;
        let room = RoomCredentials { code: front.code().clone(), secret: front.secret().clone() };
        Ok(Self { server: TestServer::with_room(Some(front.into_served_room())), room })
    }

    /// Enters with a first message and returns the answer. Retries while the relay is unavailable.
    fn enter(&self, hello: &ClientMessage) -> (TestSocket, ServerMessage) {
        let start = Instant::now();
        loop {
            let mut socket = TestSocket::connect(&self.server);
            if let Some(answer) = socket.try_enter(hello) {
                return (socket, answer);
            }
            assert!(start.elapsed() < TEST_TIMEOUT, "the relay stays unavailable");
        }
    }
}

struct TestStudent {
    client: StudentClient,
    socket: TestSocket,
}

impl TestStudent {
    fn join(code: &RoomCode, key: u128, front: &TestFront) -> Self {
        let key = StudentKey::from_random(key);
        let mut client = StudentClient::new(code.clone(), key, StudentRecord::default());
        let (socket, answer) = front.enter(&client.join());
        client.hear(answer);
        let mut student = Self { client, socket };
        student.wait_for_state();
        student
    }

    fn rejoin(&mut self, front: &TestFront) {
        let (socket, answer) = front.enter(&self.client.join());
        self.client.hear(answer);
        self.socket = socket;
        self.wait_for_state();
    }

    fn wait_for_state(&mut self) {
        loop {
            let message = self.socket.receive();
            let is_state = matches!(message, ServerMessage::State { .. });
            self.client.hear(message);
            if is_state {
                return;
            }
        }
    }

    fn wait_until(&mut self, condition: impl Fn(&StudentClient) -> bool) {
        while !condition(&self.client) {
            self.client.hear(self.socket.receive());
        }
    }

    fn answer(&mut self, answer: &str) {
        assert!(self.client.answer(&question(), answer));
        self.socket.send(&self.client.take_unsaid().unwrap());
    }
}

struct TestTeacher {
    client: TeacherClient,
    socket: TestSocket,
}

impl TestTeacher {
    fn lead(room: &RoomCredentials, front: &TestFront) -> Self {
        let client = TeacherClient::new(room.code.clone(), room.secret.clone());
        let (socket, answer) = front.enter(&client.lead());
        assert!(matches!(answer, ServerMessage::Leading { .. }), "{answer:?}");
        Self { client, socket }
    }

    fn wait_until(&mut self, condition: impl Fn(&TeacherClient) -> bool) {
        while !condition(&self.client) {
            self.client.hear(self.socket.receive());
        }
    }

    fn act(&mut self, action: impl FnOnce(&mut TeacherClient)) {
        action(&mut self.client);
        self.socket.send(&self.client.take_unsaid().unwrap());
    }
}

fn answer_count(teacher: &TeacherClient) -> usize {
    teacher.tally(&question()).answers(Round::First).count()
}

#[test]
fn no_answer_is_lost_if_a_front_fails_during_a_vote() {
    let relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let mut teacher = TestTeacher::lead(&first.room, &first);
    let code = &first.room.code;
    let mut on_first: Vec<TestStudent> =
        (1..=3).map(|key| TestStudent::join(code, key, &first)).collect();
    let mut on_second: Vec<TestStudent> =
        (4..=6).map(|key| TestStudent::join(code, key, &second)).collect();
    teacher.wait_until(|teacher| teacher.present() == 6);

    teacher.act(|teacher| {
        teacher.is_at("bindpose://bone-grid/second");
        teacher.ask(question());
    });
    for student in on_first.iter_mut().chain(&mut on_second) {
        student.wait_until(|student| student.question().is_some());
        let place = student.client.take_place();
        assert_eq!(place.as_deref(), Some("bindpose://bone-grid/second"));
    }
    on_first[0].answer("a");
    on_second[0].answer("b");
    teacher.wait_until(|teacher| answer_count(teacher) == 2);

    // The front may fail before or after these two answers arrive.
    on_first[1].answer("a");
    on_second[1].answer("b");
    let TestFront { server, room } = first;
    drop(server);
    for student in &mut on_first {
        student.rejoin(&second);
    }
    on_first[2].answer("a");
    on_second[2].answer("b");
    let state = teacher.client.state().clone();
    // The teacher continues on another computer, which has no data.
    let mut teacher = TestTeacher::lead(&room, &second);
    teacher.wait_until(|teacher| answer_count(teacher) == 6 && teacher.present() == 6);
    assert_eq!(*teacher.client.state(), state);
    assert_eq!(teacher.client.students().count(), 6, "no student is counted twice");
    let counts = [("a", 3), ("b", 3)].into();
    assert_eq!(teacher.client.tally(&question()).counts(Round::First), counts);

    let late = TestStudent::join(&room.code, 7, &second);
    assert_eq!(late.client.state(), Some(&state));
    drop(on_first.pop());
    teacher.wait_until(|teacher| teacher.students().count() == 7 && teacher.present() == 6);
}

#[test]
fn the_class_continues_after_a_restart_of_the_relay() {
    let mut relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let mut teacher = TestTeacher::lead(&first.room, &second);
    let mut student = TestStudent::join(&first.room.code, 1, &first);
    teacher.act(|teacher| teacher.ask(question()));
    student.wait_until(|student| student.question().is_some());
    relay.kill();
    student.answer("a");
    teacher.act(|teacher| teacher.pause(true));
    teacher.act(|teacher| teacher.hide_names(true));
    relay.restart();
    student.wait_until(|student| student.state().unwrap().hides_names);
    assert!(student.client.state().unwrap().is_paused);
    teacher.wait_until(|teacher| answer_count(teacher) == 1 && teacher.present() == 1);
    let late = TestStudent::join(&first.room.code, 2, &second);
    assert_eq!(late.client.state(), Some(teacher.client.state()));
    teacher.wait_until(|teacher| teacher.present() == 2);
}

#[test]
fn values_that_the_relay_has_lost_are_written_again() {
    let mut relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let mut teacher = TestTeacher::lead(&first.room, &first);
    let mut student = TestStudent::join(&first.room.code, 1, &first);
    teacher.wait_until(|teacher| teacher.present() == 1);
    relay.kill();
    let backup = tempfile::tempdir().unwrap();
    copy_folder(relay.folder.path(), backup.path());
    relay.restart();
    teacher.act(|teacher| teacher.ask(question()));
    student.wait_until(|student| student.question().is_some());
    student.answer("a");
    teacher.wait_until(|teacher| answer_count(teacher) == 1);
    relay.kill();
    relay.folder = backup;
    relay.restart();
    let mut teacher = TestTeacher::lead(&first.room, &second);
    teacher.wait_until(|teacher| answer_count(teacher) == 1);
    let mut late = TestStudent::join(&first.room.code, 2, &second);
    late.wait_until(|student| student.question().is_some());
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
fn every_front_serves_every_room_of_the_relay() {
    let relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let unknown = (0..100)
        .map(RoomCode::from_random)
        .find(|code| *code != first.room.code && *code != second.room.code)
        .unwrap();
    let key = StudentKey::from_random(1);
    let record = StudentRecord::default();
    for front in [&first, &second] {
        let code = unknown.clone();
        let join = ClientMessage::Join { code, key: key.clone(), record: record.clone() };
        assert_eq!(front.enter(&join).1, ServerMessage::Refused { why: RejectReason::NoSuchRoom });
        // The secret of another room is not accepted.
        let lead = ClientMessage::Lead {
            code: first.room.code.clone(),
            secret: second.room.secret.clone(),
        };
        assert_eq!(
            front.enter(&lead).1,
            ServerMessage::Refused { why: RejectReason::NotTheTeacher }
        );
        let lead = ClientMessage::Lead { code: unknown.clone(), secret: first.room.secret.clone() };
        assert_eq!(front.enter(&lead).1, ServerMessage::Refused { why: RejectReason::NoSuchRoom });
        let record = StudentRecord { name: "x".repeat(41), ..record.clone() };
        let join = ClientMessage::Join { code: first.room.code.clone(), key: key.clone(), record };
        assert_eq!(front.enter(&join).1, ServerMessage::Refused { why: RejectReason::Malformed });

        let lead = ClientMessage::Lead {
            code: first.room.code.clone(),
            secret: first.room.secret.clone(),
        };
        let ServerMessage::Leading { invitation } = front.enter(&lead).1 else {
            panic!("the teacher leads")
        };
        let hosts: Vec<&str> = invitation.addresses.iter().map(|address| &*address.host).collect();
        assert_eq!(hosts, [front.server.address.to_string()]);
        for code in [&first.room.code, &second.room.code] {
            let inside = front.server.get(&format!("/?class={code}"));
            assert_eq!(inside.body, b"<h1>Bindpose</h1>");
        }
        let wrong = front.server.get(&format!("/?class={unknown}"));
        let wrong = String::from_utf8(wrong.body).unwrap();
        assert!(wrong.contains("No class has this code here"));
        assert!(wrong.contains("nothing is kept for longer than a day"));
    }
    // A student, who knows only the code, cannot act as the teacher.
    let mut impostor = TestStudent::join(&first.room.code, 2, &second);
    impostor.socket.send(&ClientMessage::State { state: impostor.client.state().unwrap().clone() });
    assert_eq!(impostor.socket.receive(), ServerMessage::Refused { why: RejectReason::Malformed });
}

#[test]
fn a_replaced_connection_of_a_student_can_no_longer_write() {
    let relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let mut teacher = TestTeacher::lead(&first.room, &second);
    teacher.act(|teacher| teacher.ask(question()));
    let mut old = TestStudent::join(&first.room.code, 1, &first);
    old.wait_until(|student| student.question().is_some());
    let mut new = TestStudent::join(&first.room.code, 1, &second);
    new.wait_until(|student| student.question().is_some());
    new.answer("new");
    teacher.wait_until(|teacher| answer_count(teacher) == 1);
    old.answer("old");
    assert!(old.socket.is_closed());
    let _late = TestStudent::join(&first.room.code, 2, &first);
    teacher.wait_until(|teacher| teacher.students().count() == 2);
    let counts = [("new", 1)].into();
    assert_eq!(teacher.client.tally(&question()).counts(Round::First), counts);
}

#[test]
fn each_poll_can_be_answered_by_another_front() {
    let relay = RelayServer::start();
    let first = relay.start_front();
    let second = relay.start_front();
    let mut teacher = TestTeacher::lead(&first.room, &first);
    let key = StudentKey::from_random(3);
    let mut student = StudentClient::new(first.room.code.clone(), key, StudentRecord::default());
    let mut poll =
        PollRequest { hello: student.join(), said: Vec::new(), seen: SyncCursor::default() };
    for front in [&first, &second].into_iter().cycle().take(2) {
        let answer = front.server.poll(&poll);
        answer.told.into_iter().for_each(|message| student.hear(message));
        poll.seen = answer.seen;
        teacher.act(TeacherClient::call);
    }
    teacher.act(|teacher| teacher.ask(question()));
    while student.question().is_none() {
        let answer = first.server.poll(&poll);
        answer.told.into_iter().for_each(|message| student.hear(message));
        poll.seen = answer.seen;
    }
    assert!(student.answer(&question(), "b"));
    poll.said.extend(student.take_unsaid());
    poll.seen = SyncCursor::default();
    second.server.poll(&poll);
    teacher.wait_until(|teacher| answer_count(teacher) == 1);
    // An outdated first message overwrites nothing.
    poll.said.clear();
    first.server.poll(&poll);
    let third = relay.start_front();
    let mut late = TestTeacher::lead(&first.room, &third);
    late.wait_until(|teacher| teacher.students().count() == 1);
    assert_eq!(answer_count(&late.client), 1);

    // A polling teacher receives all students when it switches to another front.
    let mut poll =
        PollRequest { hello: teacher.client.lead(), said: Vec::new(), seen: SyncCursor::default() };
    let mut polling = TeacherClient::new(first.room.code.clone(), first.room.secret.clone());
    poll.seen = first.server.poll(&poll).seen;
    let answer = second.server.poll(&poll);
    answer.told.into_iter().for_each(|message| polling.hear(message));
    assert_eq!(answer_count(&polling), 1);
}

#[test]
fn errors_explain_why_a_relay_cannot_be_used() {
    let free_port =
        TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().local_addr().unwrap().port();
    let error = relay_error(&format!("nats://teacher:password@127.0.0.1:{free_port}"));
    assert!(error.starts_with(&format!("127.0.0.1:{free_port} could not be reached")), "{error}");
    assert!(!error.contains("password"), "{error}");
    for invalid in ["http://localhost", "nats://", "", "ws://localhost", "nats://a:b@c:d"] {
        let error = relay_error(invalid);
        assert!(error.starts_with("that is no address of a relay"), "{invalid}: {error}");
    }

    let protected = RelayServer::start_with(&["-js", "--user", "teacher", "--pass", "pass@word"]);
    for credentials in ["", "teacher:word@", "token@"] {
        let error = relay_error(&format!("nats://{credentials}127.0.0.1:{}", protected.port));
        assert!(error.contains("does not let us in"), "{credentials}: {error}");
    }
    TestFront::start(&format!("nats://teacher:pass%40word@127.0.0.1:{}", protected.port)).unwrap();

    let without_jetstream = RelayServer::start_with(&[]);
    let error = relay_error(&format!("nats://127.0.0.1:{}", without_jetstream.port));
    assert!(error.contains("keeps no class"), "{error}");
}

fn relay_error(address: &str) -> String {
    match TestFront::start(address) {
        Ok(_) => panic!("{address} can be used"),
        Err(error) => error.to_string(),
    }
}
