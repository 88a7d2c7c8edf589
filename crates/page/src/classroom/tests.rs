//! A question before a class, on the pages of its teacher and of its students.

use std::cell::Cell;
use std::rc::Rc;

use bindpose_class_protocol::{
    ClientMessage, FollowMode, Invitation, InvitedAddress, Room, RoomCode, StudentClient,
    StudentKey, StudentNames, StudentRecord, SyncCursor, TeacherClient, TeacherSecret,
};
use bindpose_kit::theme::Theme;
use bindpose_lesson::{CellKind, FaultName, FaultsCell};
use bindpose_notebook::export::ExportFormat;
use bindpose_notebook::faults::fault_of_draw;
use bindpose_notebook::test_sample::lesson_on;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;
use crate::cells::cell_ui;
use crate::cells::testing::{Page, harness};
use crate::view::classroom::{ClassRole, ReportRequest};

const ASK: &str = "```ask it\nask = \"Which?\"\nwhy = \"Because.\"\nelse = \"No.\"\n\
    choices = [{ text = \"the first\", right = true }, { text = \"the second\", reply = \"No b.\" }]\n```";
const PREDICT: &str = "```predict it\nask = \"Where to?\"\nvertex = 6\nset.b2 = \"90deg\"\n\
    close = 0.3\nwhy = \"So.\"\n```";
const DIAGNOSE: &str =
    "```faults it\ndiagnose = true\nfaults = [\"order-swapped\", \"parent-left-out\"]\n```";

/// A class without a network: each message arrives at once.
struct Class {
    room: Room,
    pages: Vec<ClassPage>,
}

/// A page of the class.
struct ClassPage {
    harness: Harness<'static, Page>,
    /// `None` on the teacher's page.
    key: Option<StudentKey>,
    cursor: SyncCursor,
}

impl Class {
    /// Creates the teacher's page and pages of `student_count` students, all with the same
    /// question.
    fn new(question: &str, student_count: u128) -> Self {
        let code = RoomCode::from_random(1);
        let secret = TeacherSecret::from_random(2);
        let mut class = Self { room: Room::new(code.clone(), secret.clone()), pages: Vec::new() };
        let teacher = TeacherClient::new(code.clone(), secret);
        let harness = class_page(question, ClassRole::Teacher(Box::new(teacher)));
        class.pages.push(ClassPage { harness, key: None, cursor: SyncCursor::default() });
        for number in 1..=student_count {
            let key = StudentKey::from_random(number);
            let record = StudentRecord::default();
            let mut student = StudentClient::new(code.clone(), key.clone(), record);
            let ClientMessage::Join { code, key, record } = student.join() else {
                panic!("a join")
            };
            class.room.join(&code, &key, record).expect("accepted");
            let harness = class_page(question, ClassRole::Student(Box::new(student)));
            class.pages.push(ClassPage { harness, key: Some(key), cursor: SyncCursor::default() });
        }
        class.exchange_messages();
        class
    }

    /// Exchanges all messages between the pages and the room, then draws all pages.
    fn exchange_messages(&mut self) {
        for _ in 0..2 {
            for ClassPage { harness, key, cursor } in &mut self.pages {
                let room = &mut self.room;
                match &mut harness.state_mut().view.classroom.role {
                    ClassRole::Teacher(teacher) => {
                        if let Some(ClientMessage::State { state }) = teacher.take_unsaid() {
                            room.put_state(state).expect("accepted");
                        }
                        while let Some(message) = room.news_for_teacher(cursor) {
                            teacher.hear(message);
                        }
                    }
                    ClassRole::Student(student) => {
                        if let Some(ClientMessage::Record { record }) = student.take_unsaid() {
                            let key = key.as_ref().expect("a key");
                            room.put_record(key, record).expect("accepted");
                        }
                        while let Some(message) = room.news_for_student(cursor) {
                            student.hear(message);
                        }
                    }
                    ClassRole::None => {}
                }
            }
        }
        // A page reacts to the messages in the next frames.
        for page in &mut self.pages {
            page.harness.run_steps(3);
        }
    }

    fn page(&mut self, number: usize) -> &mut Harness<'static, Page> {
        &mut self.pages[number].harness
    }

    fn click(&mut self, number: usize, role: Role, label: &str) {
        let page = self.page(number);
        page.get_by_role_and_label(role, label).click();
        page.run();
        self.exchange_messages();
    }

    fn has(&mut self, number: usize, label: &str) -> bool {
        self.page(number).query_by_label(label).is_some()
    }

    /// Starts the next phase of the question on the teacher's page.
    fn start_next_phase(&mut self) {
        self.page(0).state_mut().view.classroom.start_next_phase(None);
        self.exchange_messages();
    }
}

/// Creates a page with the strip and, below it, the first cell of a lesson.
fn class_page(question: &str, part: ClassRole) -> Harness<'static, Page> {
    let lesson = lesson_on("bone_grid", question);
    let cell = lesson.cells().next().expect("a question").clone();
    assert!(matches!(cell.kind, CellKind::Ask(_) | CellKind::Predict(_) | CellKind::Faults(_)));
    let mut page = Page::new("bone_grid");
    page.lesson(lesson);
    page.view.classroom.role = part;
    let mut harness = harness(page, move |ui, page| {
        let mut class = std::mem::take(&mut page.view.classroom);
        strip_ui(ui, &Theme::light(), &mut class, page.lesson, page.requests);
        page.view.classroom = class;
        cell_ui(ui, &cell, page, 400.0);
    });
    harness.run();
    harness
}

#[test]
fn right_answer_is_hidden_until_it_is_revealed() {
    let mut class = Class::new(ASK, 2);
    class.click(0, Role::Button, "Ask the class");
    assert!(class.has(1, "Answer on your own"));
    assert!(!class.has(1, "Answer"), "it is handed in instead");
    class.click(1, Role::RadioButton, "the second");
    class.click(1, Role::Button, "Hand in");
    class.click(2, Role::RadioButton, "the second");
    class.click(2, Role::Button, "Hand in");
    assert!(class.has(1, "Handed in; you can still change it"));
    assert!(!class.has(1, "No b."));
    assert!(class.has(0, "2 of 2 answered"));
    assert!(!class.has(0, "the second: 2"), "the teacher’s screen is seen by all");

    class.start_next_phase();
    assert!(class.has(1, "Talk about it with your neighbours"));
    assert!(!class.has(1, "Hand in instead"));
    class.start_next_phase();
    class.click(2, Role::RadioButton, "the first");
    class.click(2, Role::Button, "Hand in");
    class.start_next_phase();
    assert!(class.has(0, "the second: 2, then 0"));
    assert!(class.has(0, "the first: 0, then 1"));
    assert!(class.has(0, "1 changed to the right answer, 0 away from it."));
    assert!(class.has(1, "No b."), "each learns what its own answer is worth");
    assert!(class.has(2, "Because."));
    class.start_next_phase();
    assert!(class.has(1, "With the class"));
}

#[test]
fn guesses_are_handed_in_and_rated_on_each_page() {
    let mut class = Class::new(PREDICT, 3);
    class.click(0, Role::Button, "Ask the class");
    for (number, x) in [(1, 6.0), (2, 6.5), (3, 5.0)] {
        let guess = bindpose_notebook::Prediction {
            position_in_world: [x, -0.5, 0.0],
            ..bindpose_notebook::Prediction::default()
        };
        let state = class.page(number).state_mut();
        state.document.state.predictions.insert("it".to_owned(), guess);
        class.exchange_messages();
        assert!(!class.has(number, "Reveal"));
        class.click(number, Role::Button, "Hand in");
    }
    assert!(class.has(0, "3 of 3 answered"));
    assert!(!class.has(0, "spot on: 1"), "the teacher’s screen is seen by all");
    assert!(!class.has(0, "Reveal"), "the strip does that for all");
    for _ in 0..3 {
        class.start_next_phase();
    }
    assert!(class.has(1, "0.50 away: not far"));
    assert!(class.has(2, "0.00 away: spot on"));
    for row in ["spot on: 1", "not far: 1", "far off: 1"] {
        assert!(class.has(0, row), "{row}");
    }
    let teacher = class.page(0).state_mut().view.classroom.teacher().expect("a teacher");
    let question = teacher.state().question.clone().expect("asked");
    let tally = teacher.tally(&question.address);
    let mut places: Vec<&str> =
        tally.answers(bindpose_class_protocol::Round::First).map(|(_, place)| place).collect();
    places.sort_unstable();
    assert_eq!(places, ["5,-0.5,0", "6,-0.5,0", "6.5,-0.5,0"]);
}

#[test]
fn diagnosis_is_hidden_until_it_is_revealed() {
    let mut class = Class::new(DIAGNOSE, 2);
    let faults = ["order-swapped", "parent-left-out"].map(|id| FaultName::from_id(id).unwrap());
    let cell = FaultsCell { faults: faults.to_vec(), diagnose: true };
    let hidden = fault_of_draw(&cell, "it", 0).unwrap();
    let other = faults.into_iter().find(|fault| *fault != hidden).unwrap();
    class.click(0, Role::Button, "Ask the class");
    for (number, named) in [(1, hidden), (2, other)] {
        class.click(number, Role::RadioButton, named.title);
        assert!(!class.has(number, "Name it"));
        class.click(number, Role::Button, "Hand in");
        assert!(!class.has(number, "Right") && !class.has(number, "Not this one"));
    }
    for _ in 0..3 {
        class.start_next_phase();
    }
    assert!(class.has(1, "Right") && class.has(2, "Not this one"));
    assert!(!class.has(0, "Name it"));
    for named in faults {
        assert!(class.has(0, &format!("{}: 1", named.title)), "{}", named.title);
    }
}

#[test]
fn right_answer_has_a_row_if_nobody_gave_it() {
    let mut class = Class::new(ASK, 1);
    class.click(0, Role::Button, "Ask the class");
    class.click(1, Role::RadioButton, "the second");
    class.click(1, Role::Button, "Hand in");
    assert!(!class.has(0, "the first: 0"));
    for _ in 0..3 {
        class.start_next_phase();
    }
    assert!(class.has(0, "the second: 1") && class.has(0, "the first: 0"));
}

#[test]
fn student_on_its_own_can_return_to_the_class() {
    let mut class = Class::new(ASK, 1);
    let teacher = class.page(0).state_mut().view.classroom.teacher().expect("a teacher");
    teacher.let_follow(FollowMode::Step);
    teacher.is_at("bindpose://t/s");
    class.exchange_messages();
    assert!(class.has(1, "With the class"));
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    student.is_at("bindpose://t/s", false);
    student.is_at("bindpose://u/other", true);
    class.exchange_messages();
    assert!(class.has(1, "On your own"));
    class.click(1, Role::Button, "Back to the class");
    assert!(class.has(1, "With the class"));
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    assert_eq!(student.take_place().as_deref(), Some("bindpose://t/s"));
}

#[test]
fn menu_of_a_narrow_strip_contains_its_buttons() {
    let mut class = Class::new(ASK, 1);
    class.click(0, Role::Button, "Ask the class");
    let labels = ["Invite", "Pages", "Call all", "Eyes up", "Lock", "Peek"];
    for label in labels {
        assert!(!class.has(0, label), "{label}");
    }
    class.click(0, Role::Button, "Class ▾");
    for label in labels {
        assert!(class.has(0, label), "{label}");
    }
    class.click(0, Role::Button, "Lock");
    assert!(class.has(1, "No more answers, please"));
    class.page(0).set_size(eframe::egui::vec2(1000.0, 500.0));
    class.exchange_messages();
    assert!(class.has(0, "Same step ▾") && class.has(0, "Call all"));
}

#[test]
fn long_name_does_not_truncate_the_message() {
    let mut class = Class::new(ASK, 1);
    class.click(0, Role::Button, "Ask the class");
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    student.call_me("Bartholomew Featherstonehaugh-Williams");
    for message in ["Answer on your own", "Talk about it with your neighbours", "Now answer again"]
    {
        let widths = [1000.0, 375.0].map(|width| {
            class.page(1).set_size(eframe::egui::vec2(width, 700.0));
            class.exchange_messages();
            class.page(1).get_by_label(message).rect().width()
        });
        assert_eq!(widths[0], widths[1], "{message}");
        class.start_next_phase();
    }
}

fn invitation_to(hosts: &[&str]) -> Invitation {
    let mut invitation = Invitation::default();
    for host in hosts {
        let address = InvitedAddress { host: (*host).to_owned(), squares: Vec::new() };
        invitation.addresses.push(address);
    }
    invitation
}

#[test]
fn invitation_shows_all_addresses_in_turn() {
    let teacher = TeacherClient::new(RoomCode::from_random(1), TeacherSecret::from_random(2));
    let mut page = Page::new("bone_grid");
    let class = &mut page.view.classroom;
    class.role = ClassRole::Teacher(Box::new(teacher));
    class.shows_invitation = true;
    let wifi = "10.42.0.1:8080";
    let vpn = "10.8.0.2:8080";
    class.set_invitation(invitation_to(&[wifi, vpn]));
    let mut harness = harness(page, |ui, page| {
        invitation_ui(ui.ctx(), &Theme::light(), &mut page.view.classroom);
    });
    harness.run();
    for (host, button) in [(wifi, "(1 of 2)"), (vpn, "(2 of 2)"), (wifi, "(1 of 2)")] {
        harness.get_by_label(host);
        harness.get_by_label(&format!("Another address {button}")).click();
        harness.run();
    }
    harness.get_by_label(vpn);
    let class = &mut harness.state_mut().view.classroom;
    class.set_invitation(invitation_to(&[wifi, vpn]));
    harness.run();
    harness.get_by_label(vpn);

    harness.state_mut().view.classroom.set_invitation(invitation_to(&[wifi]));
    harness.run();
    harness.get_by_label(wifi);
    assert!(harness.query_by_label_contains("Another address").is_none());

    harness.state_mut().view.classroom.set_invitation(invitation_to(&[]));
    harness.run();
    harness.get_by_label("Phones can’t reach this computer");
    harness.get_by_label("Back to the page").click();
    harness.run();
    assert!(!harness.state().view.classroom.shows_invitation);
}

#[test]
fn report_window_opens_from_the_menu_and_after_the_class() {
    let mut class = Class::new(ASK, 1);
    class.click(0, Role::Button, "Class ▾");
    class.click(0, Role::Button, "Save the report…");
    assert_eq!(class.page(0).state_mut().view.classroom.report, Some(ReportRequest::default()));
    class.page(0).state_mut().view.classroom.report = None;
    class.page(0).state_mut().view.classroom.teacher().expect("a teacher").end();
    class.exchange_messages();
    assert!(class.has(0, "The class has ended."));
    assert!(!class.has(0, "Ask all"));
    class.click(0, Role::Button, "Save the report…");
    assert!(class.page(0).state_mut().view.classroom.report.is_some());
}

#[test]
fn report_has_initials_unless_the_teacher_chooses_otherwise() {
    let teacher = TeacherClient::new(RoomCode::from_random(1), TeacherSecret::from_random(2));
    let mut page = Page::new("bone_grid");
    page.view.classroom.role = ClassRole::Teacher(Box::new(teacher));
    page.view.classroom.report = Some(ReportRequest::default());
    let saved = Rc::new(Cell::new(None));
    let last_saved = Rc::clone(&saved);
    let mut harness = harness(page, move |ui, page| {
        let report = report_window_ui(ui.ctx(), &Theme::light(), &mut page.view.classroom.report);
        last_saved.set(report.or(last_saved.get()));
    });
    harness.run();
    harness.get_by_label("No names").click();
    harness.run();
    harness.get_by_label("CSV").click();
    harness.run();
    assert_eq!(saved.get(), None);
    harness.get_by_role_and_label(Role::Button, "Save the report").click();
    harness.run();
    let expected = ReportRequest { names: StudentNames::None, format: ExportFormat::Csv };
    assert_eq!(saved.get(), Some(expected));
    assert_eq!(harness.state().view.classroom.report, None, "the window is closed");
}
