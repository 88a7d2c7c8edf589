//! Tests of a class over real sockets, with well-behaved and with malicious clients.

use std::sync::mpsc::channel;
use std::time::Duration;

use bindpose_class_protocol::{
    ClassState, ClientMessage, PollRequest, PollResponse, RejectReason, RoomCode, Round,
    ServerMessage, StudentClient, StudentKey, StudentRecord, SyncCursor, TeacherClient,
    TeacherSecret,
};
use tungstenite::{Message, client};

use super::*;
use crate::client_address::ClientAddress;
use crate::seats::MAX_SEATS_PER_ADDRESS;
use crate::shared_room::ClientTimeouts;
use crate::testing::{TEST_TIMEOUT, TestSocket, question};

/// A running server with a room.
struct TestClass {
    server: TestServer,
    room: SharedRoom,
}

impl TestClass {
    fn new() -> Self {
        Self::with_timeouts(ClientTimeouts::default())
    }

    fn with_timeouts(timeouts: ClientTimeouts) -> Self {
        let code = RoomCode::from_random(5);
        let secret = TeacherSecret::from_random(9);
        let mut room = SharedRoom::new(bindpose_class_protocol::Room::new(code, secret));
        room.timeouts = timeouts;
        Self { server: TestServer::with_room(Some(room.clone().into())), room }
    }

    fn connect(&self) -> TestSocket {
        TestSocket::connect(&self.server)
    }

    fn join_student(&self, key: u128) -> (StudentClient, TestSocket) {
        let key = StudentKey::from_random(key);
        let mut student = StudentClient::new(self.room.code(), key, StudentRecord::default());
        let mut socket = self.connect();
        socket.send(&student.join());
        while student.state().is_none() {
            student.hear(socket.receive());
        }
        (student, socket)
    }

    fn join_teacher(&self) -> (TeacherClient, TestSocket) {
        let teacher = TeacherClient::new(self.room.code(), self.room.secret());
        let mut socket = self.connect();
        socket.send(&teacher.lead());
        (teacher, socket)
    }

    /// Enters with a first message and returns the answer.
    fn enter(&self, hello: &ClientMessage) -> ServerMessage {
        let mut socket = self.connect();
        socket.send(hello);
        socket.receive()
    }
}

#[test]
fn students_follow_the_teacher_and_answer() {
    let class = TestClass::new();
    let (mut teacher, mut teacher_socket) = class.join_teacher();
    let (mut student, mut socket) = class.join_student(1);
    teacher.hear(teacher_socket.receive());
    teacher.is_at("bindpose://bone-grid/first");
    teacher.ask(question());
    teacher_socket.send(&teacher.take_unsaid().unwrap());
    while student.question().is_none() {
        student.hear(socket.receive());
    }
    assert_eq!(student.take_place().as_deref(), Some("bindpose://bone-grid/first"));
    assert!(student.answer(&question(), "a"));
    socket.send(&student.take_unsaid().unwrap());
    while teacher.tally(&question()).counts(Round::First).is_empty() {
        teacher.hear(teacher_socket.receive());
    }
    assert_eq!(teacher.present(), 1);
    drop(socket);
    while teacher.present() > 0 {
        teacher.hear(teacher_socket.receive());
    }
    assert_eq!(teacher.tally(&question()).counts(Round::First), [("a", 1)].into());
}

#[test]
fn a_local_teacher_leads_without_a_connection() {
    let class = TestClass::new();
    let (wake, woken) = channel();
    let mut local = class.room.local_teacher(move || {
        let _ = wake.send(());
    });
    let mut teacher = TeacherClient::new(class.room.code(), class.room.secret());
    let (mut student, mut socket) = class.join_student(1);
    while teacher.present() == 0 {
        woken.recv_timeout(TEST_TIMEOUT).unwrap();
        while let Some(message) = local.take_news() {
            teacher.hear(message);
        }
    }
    teacher.pause(true);
    local.say(teacher.take_unsaid().unwrap());
    while !student.state().unwrap().is_paused {
        student.hear(socket.receive());
    }
}

#[test]
fn a_student_without_a_socket_polls() {
    let class = TestClass::new();
    let (mut teacher, mut teacher_socket) = class.join_teacher();
    teacher.hear(teacher_socket.receive());
    let key = StudentKey::from_random(3);
    let mut student = StudentClient::new(class.room.code(), key, StudentRecord::default());
    let mut poll =
        PollRequest { hello: student.join(), said: Vec::new(), seen: SyncCursor::default() };
    let first = class.server.poll(&poll);
    first.told.into_iter().for_each(|message| student.hear(message));
    assert!(student.state().is_some());
    teacher.ask(question());
    teacher_socket.send(&teacher.take_unsaid().unwrap());
    poll.seen = first.seen;
    let second = class.server.poll(&poll);
    second.told.into_iter().for_each(|message| student.hear(message));
    assert!(student.answer(&question(), "b"));
    poll.said.extend(student.take_unsaid());
    poll.seen = SyncCursor::default();
    class.server.poll(&poll);
    while teacher.tally(&question()).counts(Round::First).is_empty() {
        teacher.hear(teacher_socket.receive());
    }
    assert_eq!(teacher.students().count(), 1);
    let answer = class.server.post_poll("{");
    assert_eq!(answer.told, [ServerMessage::Refused { why: RejectReason::Malformed }]);
}

#[test]
fn wrong_codes_and_malformed_messages_are_refused_and_the_class_continues() {
    let class = TestClass::new();
    let (mut student, mut socket) = class.join_student(1);
    let other = RoomCode::from_random(6);
    let key = StudentKey::from_random(2);
    let record = StudentRecord::default();
    let join = ClientMessage::Join { code: other, key, record };
    assert_eq!(class.enter(&join), ServerMessage::Refused { why: RejectReason::NoSuchRoom });
    let secret = TeacherSecret::from_random(10);
    let lead = ClientMessage::Lead { code: class.room.code(), secret };
    assert_eq!(class.enter(&lead), ServerMessage::Refused { why: RejectReason::NotTheTeacher });
    // A student, who knows only the code, cannot act as the teacher.
    let state = ClassState { version: 99, is_over: true, ..ClassState::default() };
    let (_, mut impostor) = class.join_student(4);
    impostor.send(&ClientMessage::State { state: state.clone() });
    assert_eq!(impostor.receive(), ServerMessage::Refused { why: RejectReason::Malformed });
    assert_eq!(
        class.enter(&ClientMessage::State { state }),
        ServerMessage::Refused { why: RejectReason::Malformed }
    );

    let mut malformed = class.connect();
    malformed.send_text("{\"record\":\"".to_owned()).unwrap();
    assert_eq!(malformed.receive(), ServerMessage::Refused { why: RejectReason::Malformed });
    let mut long = class.connect();
    // Fails if the server closes the connection before the message is written.
    let _ = long.send_text("x".repeat(1 << 20));
    assert!(long.is_closed());
    let mut raw = TcpStream::connect(class.server.address).unwrap();
    raw.write_all(b"GET /class/socket HTTP/1.1\r\nUpgrade: websocket\r\n\xff\r\n\r\n").unwrap();
    let mut response = Vec::new();
    raw.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
    raw.read_to_end(&mut response).unwrap();
    assert!(response.starts_with(b"HTTP/1.1 400"), "{}", String::from_utf8_lossy(&response));

    // The teacher still reaches everyone.
    let (mut teacher, mut teacher_socket) = class.join_teacher();
    teacher.hear(teacher_socket.receive());
    teacher.pause(true);
    teacher_socket.send(&teacher.take_unsaid().unwrap());
    while !student.state().unwrap().is_paused {
        student.hear(socket.receive());
    }
}

#[test]
fn a_poll_can_arrive_in_pieces_and_a_long_one_is_rejected_at_once() {
    let class = TestClass::new();
    let key = StudentKey::from_random(3);
    let mut student = StudentClient::new(class.room.code(), key, StudentRecord::default());
    let poll = PollRequest { hello: student.join(), said: Vec::new(), seen: SyncCursor::default() };
    let body = serde_json::to_string(&poll).unwrap();
    let mut slow = class.server.start_poll(body.len());
    for byte in body.bytes() {
        slow.write_all(&[byte]).unwrap();
    }
    let mut response = String::new();
    slow.read_to_string(&mut response).unwrap();
    let (_, answer) = response.split_once("\r\n\r\n").unwrap();
    let answer: PollResponse = serde_json::from_str(answer).unwrap();
    answer.told.into_iter().for_each(|message| student.hear(message));
    assert!(student.state().is_some());
    let mut response = String::new();
    class.server.start_poll(1 << 20).read_to_string(&mut response).unwrap();
    assert!(response.starts_with("HTTP/1.1 413"), "{response}");
}

impl TestServer {
    /// Sends only the head of a poll.
    fn start_poll(&self, length: usize) -> TcpStream {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(TEST_TIMEOUT)).unwrap();
        stream.set_nodelay(true).unwrap();
        let head = format!("POST /class/poll HTTP/1.1\r\nHost: x\r\nContent-Length: {length}");
        write!(stream, "{head}\r\nConnection: close\r\n\r\n").unwrap();
        stream
    }
}

#[test]
fn silent_and_flooding_clients_do_not_delay_others() {
    let class = TestClass::new();
    let silent: Vec<TcpStream> =
        (0..200).map(|_| TcpStream::connect(class.server.address).unwrap()).collect();
    let without_hello: Vec<TestSocket> = (0..20).map(|_| class.connect()).collect();
    let address = class.server.address;
    let code = class.room.code();
    let (stop, stopped) = channel::<()>();
    let flood = std::thread::spawn(move || {
        let stream = TcpStream::connect(address).unwrap();
        stream.set_write_timeout(Some(Duration::from_millis(50))).unwrap();
        let (mut socket, _) = client(format!("ws://{address}/class/socket"), stream).unwrap();
        let key = StudentKey::from_random(77);
        let record = StudentRecord::default();
        let join = serde_json::to_string(&ClientMessage::Join { code, key, record }).unwrap();
        let _ = socket.send(Message::text(join));
        let page = "bindpose://a/".to_owned() + &"x".repeat(1000);
        let page = ClientMessage::Page { page, wanders: true, version: 1 };
        let page = serde_json::to_string(&page).unwrap();
        // Sends without reading any message.
        while matches!(stopped.try_recv(), Err(std::sync::mpsc::TryRecvError::Empty)) {
            let _ = socket.send(Message::text(page.clone()));
        }
    });
    let (mut teacher, mut teacher_socket) = class.join_teacher();
    teacher.hear(teacher_socket.receive());
    let (mut student, mut socket) = class.join_student(1);
    for step in 0..20 {
        let place = format!("bindpose://bone-grid/{step}");
        teacher.is_at(&place);
        teacher_socket.send(&teacher.take_unsaid().unwrap());
        while student.state().unwrap().place != place {
            student.hear(socket.receive());
        }
    }
    drop((stop, silent, without_hello));
    flood.join().unwrap();
}

#[test]
fn a_lost_client_times_out_while_the_teacher_keeps_sending() {
    let class = TestClass::with_timeouts(ClientTimeouts {
        ping_interval: Duration::from_millis(100),
        silence: Duration::from_millis(200),
        reconnect: Duration::ZERO,
    });
    let mut local = class.room.local_teacher(|| {});
    let mut teacher = TeacherClient::new(class.room.code(), class.room.secret());
    // The student reads nothing any more, so it does not answer pings.
    let (_student, _socket) = class.join_student(1);
    let mut change_count = 0;
    while teacher.present() > 0 || change_count == 0 {
        change_count += 1;
        assert!(change_count < 10_000, "the student still counts as present");
        teacher.is_at(&format!("bindpose://bone-grid/first?b0={change_count}"));
        local.say(teacher.take_unsaid().unwrap());
        std::thread::sleep(Duration::from_millis(1));
        while let Some(message) = local.take_news() {
            teacher.hear(message);
        }
    }
}

#[test]
fn the_code_leads_into_the_class() {
    let class = TestClass::new();
    let code = class.room.code();
    let front = class.server.get("/");
    assert_eq!(front.status(), "200");
    assert!(String::from_utf8(front.body).unwrap().contains("Join the class"));
    let short = class.server.get(&format!("/{}", code.as_str().to_lowercase()));
    assert_eq!(short.status(), "303");
    assert_eq!(short.header("location"), Some(&*format!("/?class={code}").to_lowercase()));
    let inside = class.server.get(&format!("/?class={code}"));
    assert_eq!(inside.body, b"<h1>Bindpose</h1>");
    let wrong = class.server.get("/?class=%3Cscript%3E");
    let wrong = String::from_utf8(wrong.body).unwrap();
    assert!(wrong.contains("No class has this code here"));
    assert!(wrong.contains("nothing is sent out of this room"));
    assert_eq!(class.server.get("/index.html").body, b"<h1>Bindpose</h1>");
    assert_eq!(class.server.get("/20-bind-pose/").status(), "200");
    // A server without a class has no join page.
    assert_eq!(TestServer::without_room().get("/").body, b"<h1>Bindpose</h1>");
    assert_eq!(TestServer::without_room().get("/class/socket").status(), "404");
}

#[test]
fn pages_of_other_sites_cannot_reach_the_class() {
    let class = TestClass::new();
    let own = format!("http://{}", class.server.address);
    assert!(TestSocket::try_connect(&class.server, &[("origin", &own)]).is_some());
    let poll = |origin: &str| {
        let header = format!("Origin: {origin}");
        let response = class.server.request("POST", "/class/poll", &[&header, "Content-Length: 0"]);
        response.status().to_owned()
    };
    // The host of these requests is `x`.
    assert_eq!(poll("http://x"), "200");
    for origin in ["https://evil.example", "null", ""] {
        let socket = TestSocket::try_connect(&class.server, &[("origin", origin)]);
        assert!(socket.is_none(), "{origin}");
        assert_eq!(poll(origin), "403", "{origin}");
    }
    assert!(TestSocket::try_connect(&class.server, &[]).is_some(), "a program, not a page");
}

#[test]
fn the_join_page_runs_its_own_script_alone() {
    let class = TestClass::new();
    let page = class.server.get("/");
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self';"), "{policy}");
    let html = String::from_utf8(page.body).unwrap();
    assert_eq!(html.matches("<script").count(), 1);
    assert!(html.contains("<script src=\"/class/join.js\"></script>"));
    let script = class.server.get("/class/join.js");
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert!(String::from_utf8(script.body).unwrap().contains("location.replace"));
}

#[test]
fn forty_students_of_one_address_come_in_while_another_guesses_codes() {
    let room = SharedRoom::with_new_code().unwrap();
    let proxy = std::net::IpAddr::from([127, 0, 0, 1]);
    let server = TestServer::behind_proxies(Some(room.clone().into()), vec![proxy]);
    let school = ["X-Forwarded-For: 192.0.2.1"];
    let attacker = ["X-Forwarded-For: 192.0.2.2"];
    let wrong = RoomCode::from_random(6);
    assert_ne!(wrong, room.code());
    let statuses: Vec<String> = std::thread::scope(|scope| {
        let guess = || server.request("GET", &format!("/?class={wrong}"), &attacker);
        let guesses: Vec<_> = (0..80).map(|_| scope.spawn(guess)).collect();
        guesses.into_iter().map(|guess| guess.join().unwrap().status().to_owned()).collect()
    });
    assert!(statuses.iter().any(|status| status == "429"), "{statuses:?}");
    let page = server.request("GET", &format!("/?class={}", room.code()), &school);
    assert_eq!(page.status(), "200");
    let sockets: Vec<TestSocket> = (0..40)
        .map(|number| {
            let headers = [("x-forwarded-for", "192.0.2.1")];
            let mut socket = TestSocket::try_connect(&server, &headers).unwrap();
            let key = StudentKey::from_random(number);
            let record = StudentRecord::default();
            let answer = socket.try_enter(&ClientMessage::Join { code: room.code(), key, record });
            assert!(matches!(answer, Some(ServerMessage::Joined { .. })), "{number}: {answer:?}");
            socket
        })
        .collect();
    assert_eq!(room.lock().present(), 40);
    drop(sockets);
}

#[test]
fn an_address_gets_seats_back_when_its_students_leave_without_a_trace() {
    let room = SharedRoom::with_new_code().unwrap();
    let code = room.code();
    let address = ClientAddress::Known([192, 0, 2, 1].into());
    let join = |number: usize| {
        let key = StudentKey::from_random(number as u128);
        room.join_from(address, &code, &key, StudentRecord::default())
    };
    for number in 0..MAX_SEATS_PER_ADDRESS {
        join(number).unwrap();
    }
    assert_eq!(join(MAX_SEATS_PER_ADDRESS), Err(RejectReason::Full));
    let other = ClientAddress::Known([192, 0, 2, 2].into());
    let key = StudentKey::from_random(u128::MAX);
    room.join_from(other, &code, &key, StudentRecord::default()).unwrap();
    assert!(join(0).is_ok(), "a second tab");
    for _ in 0..2 {
        room.leave(&StudentKey::from_random(0));
    }
    assert!(join(MAX_SEATS_PER_ADDRESS).is_ok());
    assert_eq!(join(0), Err(RejectReason::Full), "the seat has gone to another");
}
