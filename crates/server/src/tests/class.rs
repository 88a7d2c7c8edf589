//! A class over real sockets: sound clients, and clients that mean no good.

use std::sync::mpsc::channel;
use std::time::Duration;

use bindpose_classroom::{
    ClassState, MemberKey, Poll, PollAnswer, QuestionAddress, Refusal, RoomCode, Round, Said, Seen,
    StudentClient, StudentRecord, TeacherClient, TeacherSecret, Told,
};
use tungstenite::{Message, WebSocket, client};

use super::*;
use crate::class::Patience;

/// No measure of speed: only a hang takes this long.
pub(super) const PATIENCE: Duration = Duration::from_mins(2);

struct Class {
    running: Running,
    room: SharedRoom,
}

/// A client on a socket.
pub(super) struct Line(WebSocket<TcpStream>);

impl Class {
    fn new() -> Self {
        Self::with(Patience::default())
    }

    fn with(patience: Patience) -> Self {
        let (code, secret) = (RoomCode::from_random(5), TeacherSecret::from_random(9));
        let mut room = SharedRoom::new(bindpose_classroom::Room::new(code, secret));
        room.patience = patience;
        Self { running: Running::with(Some(room.clone().into())), room }
    }

    fn line(&self) -> Line {
        Line::to(&self.running)
    }

    fn student(&self, key: u128) -> (StudentClient, Line) {
        let key = MemberKey::from_random(key);
        let mut student = StudentClient::new(self.room.code(), key, StudentRecord::default());
        let mut line = self.line();
        line.say(&student.join());
        while student.state().is_none() {
            student.hear(line.told());
        }
        (student, line)
    }

    fn teacher(&self) -> (TeacherClient, Line) {
        let teacher = TeacherClient::new(self.room.code(), self.room.secret());
        let mut line = self.line();
        line.say(&teacher.lead());
        (teacher, line)
    }

    fn polled(&self, poll: &Poll) -> PollAnswer {
        self.running.polled(poll)
    }
}

impl Running {
    pub(super) fn polled(&self, poll: &Poll) -> PollAnswer {
        let body = serde_json::to_string(poll).unwrap();
        self.posted(&body)
    }

    fn posted(&self, body: &str) -> PollAnswer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let length = body.len();
        write!(
            stream,
            "POST /class/poll HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\
             Content-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (_, body) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(body).unwrap_or_else(|why| panic!("{why}: {answer}"))
    }
}

impl Line {
    pub(super) fn to(running: &Running) -> Self {
        let stream = TcpStream::connect(running.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let url = format!("ws://{}/class/socket", running.address);
        Self(client(url, stream).unwrap().0)
    }

    pub(super) fn say(&mut self, said: &Said) {
        self.0.send(Message::text(serde_json::to_string(said).unwrap())).unwrap();
    }

    pub(super) fn told(&mut self) -> Told {
        loop {
            match self.0.read().unwrap() {
                Message::Text(text) => return serde_json::from_str(&text).unwrap(),
                Message::Ping(_) => {}
                other => panic!("{other:?}"),
            }
        }
    }

    /// What is answered to a first word; nothing where the line ends, as it does while a
    /// relay is away.
    pub(super) fn tried(&mut self, hello: &Said) -> Option<Told> {
        self.say(hello);
        loop {
            match self.0.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Does the server close it, whatever it says before?
    pub(super) fn is_closed(&mut self) -> bool {
        (0..100).any(|_| self.0.read().is_err())
    }
}

pub(super) fn question() -> QuestionAddress {
    QuestionAddress { lesson: "bone-grid".into(), cell: "ask-1".into(), draw: 0 }
}

#[test]
fn a_class_follows_and_answers() {
    let class = Class::new();
    let (mut teacher, mut teachers) = class.teacher();
    let (mut student, mut line) = class.student(1);
    teacher.hear(teachers.told());
    teacher.is_at("bindpose://bone-grid/first");
    teacher.ask(question());
    teachers.say(&teacher.take_unsaid().unwrap());
    while student.question().is_none() {
        student.hear(line.told());
    }
    assert_eq!(student.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    assert!(student.answer(&question(), "a"));
    line.say(&student.take_unsaid().unwrap());
    while teacher.tally(&question()).counts(Round::First).is_empty() {
        teacher.hear(teachers.told());
    }
    assert_eq!(teacher.present(), 1);
    drop(line);
    while teacher.present() > 0 {
        teacher.hear(teachers.told());
    }
    assert_eq!(teacher.tally(&question()).counts(Round::First), [("a", 1)].into());
}

#[test]
fn the_window_of_this_program_leads_without_a_line() {
    let class = Class::new();
    let (wake, woken) = channel();
    let mut local = class.room.local_teacher(move || {
        let _ = wake.send(());
    });
    let mut teacher = TeacherClient::new(class.room.code(), class.room.secret());
    let (mut student, mut line) = class.student(1);
    while teacher.present() == 0 {
        woken.recv_timeout(PATIENCE).unwrap();
        while let Some(told) = local.take_news() {
            teacher.hear(told);
        }
    }
    teacher.pause(true);
    local.say(teacher.take_unsaid().unwrap());
    while !student.state().unwrap().is_paused {
        student.hear(line.told());
    }
}

#[test]
fn who_can_hold_no_socket_polls() {
    let class = Class::new();
    let (mut teacher, mut teachers) = class.teacher();
    teacher.hear(teachers.told());
    let key = MemberKey::from_random(3);
    let mut student = StudentClient::new(class.room.code(), key, StudentRecord::default());
    let mut poll = Poll { hello: student.join(), said: Vec::new(), seen: Seen::default() };
    let first = class.polled(&poll);
    first.told.into_iter().for_each(|told| student.hear(told));
    assert!(student.state().is_some());
    teacher.ask(question());
    teachers.say(&teacher.take_unsaid().unwrap());
    poll.seen = first.seen;
    let second = class.polled(&poll);
    second.told.into_iter().for_each(|told| student.hear(told));
    assert!(student.answer(&question(), "b"));
    poll.said.extend(student.take_unsaid());
    poll.seen = Seen::default();
    class.polled(&poll);
    while teacher.tally(&question()).counts(Round::First).is_empty() {
        teacher.hear(teachers.told());
    }
    assert_eq!(teacher.students().count(), 1);
    let nonsense = class.running.posted("{");
    assert_eq!(nonsense.told, [Told::Refused { why: Refusal::Malformed }]);
}

#[test]
fn a_wrong_code_a_stolen_code_and_noise_are_refused_and_the_class_goes_on() {
    let class = Class::new();
    let (mut student, mut line) = class.student(1);
    let other = RoomCode::from_random(6);
    let key = MemberKey::from_random(2);
    let refused = |said: &Said| {
        let mut line = class.line();
        line.say(said);
        line.told()
    };
    let record = StudentRecord::default();
    let join = Said::Join { code: other, key, record };
    assert_eq!(refused(&join), Told::Refused { why: Refusal::NoSuchRoom });
    let secret = TeacherSecret::from_random(10);
    let lead = Said::Lead { code: class.room.code(), secret };
    assert_eq!(refused(&lead), Told::Refused { why: Refusal::NotTheTeacher });
    // The code alone makes no teacher.
    let state = ClassState { version: 99, is_over: true, ..ClassState::default() };
    let (_, mut thief) = class.student(4);
    thief.say(&Said::State { state: state.clone() });
    assert_eq!(thief.told(), Told::Refused { why: Refusal::Malformed });
    assert_eq!(refused(&Said::State { state }), Told::Refused { why: Refusal::Malformed });

    let mut noisy = class.line();
    noisy.0.send(Message::text("{\"record\":\"")).unwrap();
    assert_eq!(noisy.told(), Told::Refused { why: Refusal::Malformed });
    let mut long = class.line();
    // The server may have closed it before all was written.
    let _ = long.0.send(Message::text("x".repeat(1 << 20)));
    assert!(long.is_closed());
    let mut raw = TcpStream::connect(class.running.address).unwrap();
    raw.write_all(b"GET /class/socket HTTP/1.1\r\nUpgrade: websocket\r\n\xff\r\n\r\n").unwrap();
    let mut answer = Vec::new();
    raw.set_read_timeout(Some(PATIENCE)).unwrap();
    raw.read_to_end(&mut answer).unwrap();
    assert!(answer.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&answer));

    // The teacher still reaches everyone.
    let (mut teacher, mut teachers) = class.teacher();
    teacher.hear(teachers.told());
    teacher.pause(true);
    teachers.say(&teacher.take_unsaid().unwrap());
    while !student.state().unwrap().is_paused {
        student.hear(line.told());
    }
}

#[test]
fn a_poll_comes_in_pieces_and_one_that_is_too_long_is_not_waited_for() {
    let class = Class::new();
    let key = MemberKey::from_random(3);
    let mut student = StudentClient::new(class.room.code(), key, StudentRecord::default());
    let poll = Poll { hello: student.join(), said: Vec::new(), seen: Seen::default() };
    let body = serde_json::to_string(&poll).unwrap();
    let connect = |length: usize| {
        let mut stream = TcpStream::connect(class.running.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_nodelay(true).unwrap();
        let head = format!("POST /class/poll HTTP/1.1\r\nHost: x\r\nContent-Length: {length}");
        write!(stream, "{head}\r\nConnection: close\r\n\r\n").unwrap();
        stream
    };
    let read = |mut stream: TcpStream| {
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let mut slow = connect(body.len());
    for byte in body.bytes() {
        slow.write_all(&[byte]).unwrap();
    }
    let answer = read(slow);
    let (_, answer) = answer.split_once("\r\n\r\n").unwrap();
    let answer: PollAnswer = serde_json::from_str(answer).unwrap();
    answer.told.into_iter().for_each(|told| student.hear(told));
    assert!(student.state().is_some());
    // Nothing of it has come, and it is refused.
    let answer = read(connect(1 << 20));
    assert!(answer.starts_with("HTTP/1.1 413"), "{answer}");
}

#[test]
fn two_hundred_who_say_nothing_and_one_who_floods_delay_nobody() {
    let class = Class::new();
    let silent: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(class.running.address).unwrap()).collect();
    let half: Vec<Line> = (0..20).map(|_| class.line()).collect();
    let address = class.running.address;
    let code = class.room.code();
    let (stop, stopped) = channel::<()>();
    let flood = std::thread::spawn(move || {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        let (mut socket, _) = client(format!("ws://{address}/class/socket"), stream).unwrap();
        let key = MemberKey::from_random(77);
        let record = StudentRecord::default();
        let join = serde_json::to_string(&Said::Join { code, key, record }).unwrap();
        let _ = socket.send(Message::text(join));
        let page = "bindpose://a/".to_owned() + &"x".repeat(1000);
        let page = Said::Page { page, wanders: true, version: 1 };
        let page = serde_json::to_string(&page).unwrap();
        // It reads nothing, either.
        while matches!(stopped.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty)) {
            let _ = socket.send(Message::text(page.clone()));
        }
    });
    let (mut teacher, mut teachers) = class.teacher();
    teacher.hear(teachers.told());
    let (mut student, mut line) = class.student(1);
    for step in 0..20 {
        let place = format!("bindpose://bone-grid/{step}");
        teacher.is_at(&place);
        teachers.say(&teacher.take_unsaid().unwrap());
        while student.state().unwrap().place != place {
            student.hear(line.told());
        }
    }
    drop((stop, silent, half));
    flood.join().unwrap();
}

#[test]
fn who_has_gone_without_a_word_is_not_here_though_the_teacher_drags_on() {
    let [ping, silence] = [100, 200].map(Duration::from_millis);
    let class = Class::with(Patience { ping, silence, grace: Duration::ZERO });
    let mut local = class.room.local_teacher(|| {});
    let mut teacher = TeacherClient::new(class.room.code(), class.room.secret());
    // From now on it reads nothing, and so answers no ping.
    let (_student, _line) = class.student(1);
    let mut changes = 0;
    while teacher.present() > 0 || changes == 0 {
        changes += 1;
        assert!(changes < 10_000, "it still counts as here");
        teacher.is_at(&format!("bindpose://bone-grid/first?b0={changes}"));
        local.say(teacher.take_unsaid().unwrap());
        std::thread::sleep(Duration::from_millis(1));
        while let Some(told) = local.take_news() {
            teacher.hear(told);
        }
    }
}

#[test]
fn the_code_leads_into_the_class() {
    let class = Class::new();
    let code = class.room.code();
    let front = class.running.get("/");
    assert_eq!(front.status(), "200");
    assert!(String::from_utf8(front.body).unwrap().contains("Join the class"));
    let short = class.running.get(&format!("/{}", code.as_str().to_lowercase()));
    assert_eq!(short.status(), "303");
    assert_eq!(short.header("location"), Some(&*format!("/?class={code}").to_lowercase()));
    let inside = class.running.get(&format!("/?class={code}"));
    assert_eq!(inside.body, b"<h1>Bindpose</h1>");
    let wrong = class.running.get("/?class=%3Cscript%3E");
    let wrong = String::from_utf8(wrong.body).unwrap();
    assert!(wrong.contains("No class has this code here"));
    assert!(wrong.contains("nothing is sent out of this room"));
    assert_eq!(class.running.get("/index.html").body, b"<h1>Bindpose</h1>");
    assert_eq!(class.running.get("/20-bind-pose/").status(), "200");
    // Without a class the pages are as they are.
    assert_eq!(Running::new().get("/").body, b"<h1>Bindpose</h1>");
    assert_eq!(Running::new().get("/class/socket").status(), "404");
}
