//! A question before a class, on the pages of its teacher and of its students.

use std::cell::Cell;
use std::rc::Rc;

use bindpose_classroom::{
    ClientMessage, FollowMode, Invitation, InvitedAddress, Room, RoomCode, StudentClient,
    StudentKey, StudentNames, StudentRecord, SyncCursor, TeacherClient, TeacherSecret,
};
use bindpose_lesson::{CellKind, FaultName, FaultsCell, parse_lesson};
use bindpose_notebook::export::ExportFormat;
use bindpose_notebook::faults::fault_of_draw;
use eframe::egui::accesskit::Role;
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;
use crate::cells::cell_ui;
use crate::cells::testing::{Page, harness};
use crate::theme::Theme;

const ASK: &str = "```ask it\nask = \"Which?\"\nwhy = \"Because.\"\nelse = \"No.\"\n\
    choices = [{ text = \"the first\", right = true }, { text = \"the second\", reply = \"No b.\" }]\n```";
const PREDICT: &str = "```predict it\nask = \"Where to?\"\nvertex = 6\nset.b2 = \"90deg\"\n\
    close = 0.3\nwhy = \"So.\"\n```";
const DIAGNOSE: &str =
    "```faults it\ndiagnose = true\nfaults = [\"order-swapped\", \"parent-left-out\"]\n```";

/// A class without a line: what is said is heard at once.
struct Class {
    room: Room,
    pages: Vec<(Harness<'static, Page>, Option<StudentKey>, SyncCursor)>,
}

impl Class {
    /// The teacher's page and those of `students`, all with the same question.
    fn of(question: &str, students: u128) -> Self {
        let (code, secret) = (RoomCode::from_random(1), TeacherSecret::from_random(2));
        let mut class = Self { room: Room::new(code.clone(), secret.clone()), pages: Vec::new() };
        let teacher = TeacherClient::new(code.clone(), secret);
        let page = shown(question, ClassPart::Teacher(Box::new(teacher)));
        class.pages.push((page, None, SyncCursor::default()));
        for number in 1..=students {
            let key = StudentKey::from_random(number);
            let record = StudentRecord::default();
            let mut student = StudentClient::new(code.clone(), key.clone(), record);
            let ClientMessage::Join { code, key, record } = student.join() else {
                panic!("a join")
            };
            class.room.join(&code, &key, record).expect("let in");
            let page = shown(question, ClassPart::Student(Box::new(student)));
            class.pages.push((page, Some(key), SyncCursor::default()));
        }
        class.settle();
        class
    }

    fn settle(&mut self) {
        for _ in 0..2 {
            for (page, key, seen) in &mut self.pages {
                let room = &mut self.room;
                match &mut page.state_mut().view.classroom.part {
                    ClassPart::Teacher(teacher) => {
                        if let Some(ClientMessage::State { state }) = teacher.take_unsaid() {
                            room.put_state(state).expect("sound");
                        }
                        while let Some(told) = room.news_for_teacher(seen) {
                            teacher.hear(told);
                        }
                    }
                    ClassPart::Student(student) => {
                        if let Some(ClientMessage::Record { record }) = student.take_unsaid() {
                            room.put_record(key.as_ref().expect("a key"), record).expect("sound");
                        }
                        while let Some(told) = room.news_for_student(seen) {
                            student.hear(told);
                        }
                    }
                    ClassPart::None => {}
                }
            }
        }
        // What a page does by itself is seen with the next frame.
        self.pages.iter_mut().for_each(|(page, ..)| page.run_steps(3));
    }

    fn page(&mut self, number: usize) -> &mut Harness<'static, Page> {
        &mut self.pages[number].0
    }

    fn press(&mut self, number: usize, role: Role, words: &str) {
        let page = self.page(number);
        page.get_by_role_and_label(role, words).click();
        page.run();
        self.settle();
    }

    fn has(&mut self, number: usize, words: &str) -> bool {
        self.page(number).query_by_label(words).is_some()
    }

    /// The teacher goes on to the next phase.
    fn go_on(&mut self) {
        self.page(0).state_mut().view.classroom.ask_or_go_on(None);
        self.settle();
    }
}

/// The strip with the first cell of a lesson below it.
fn shown(question: &str, part: ClassPart) -> Harness<'static, Page> {
    let text =
        format!("+++\ntitle = \"T\"\nminutes = 5\nrig = \"bone_grid\"\n+++\n## S\n\n{question}\n");
    let lesson = parse_lesson("20-t", &text, "");
    assert_eq!(lesson.findings, []);
    let cell = lesson.cells().next().expect("a question").clone();
    assert!(matches!(cell.kind, CellKind::Ask(_) | CellKind::Predict(_) | CellKind::Faults(_)));
    let mut page = Page::new("bone_grid");
    page.put_lesson(lesson);
    page.view.classroom.part = part;
    let mut harness = harness(page, move |ui, page| {
        let mut class = std::mem::take(&mut page.view.classroom);
        strip(ui, &Theme::light(), &mut class, (("t".to_owned(), 1), &mut Vec::new()));
        page.view.classroom = class;
        cell_ui(ui, &cell, page, 400.0);
    });
    harness.run();
    harness
}

#[test]
fn nobody_learns_what_is_right_before_it_is_revealed() {
    let mut class = Class::of(ASK, 2);
    class.press(0, Role::Button, "Ask the class");
    assert!(class.has(1, "Answer on your own"));
    assert!(!class.has(1, "Answer"), "it is handed in instead");
    class.press(1, Role::RadioButton, "the second");
    class.press(1, Role::Button, "Hand in");
    class.press(2, Role::RadioButton, "the second");
    class.press(2, Role::Button, "Hand in");
    assert!(class.has(1, "Handed in; you can still change it"));
    assert!(!class.has(1, "No b."));
    assert!(class.has(0, "2 of 2 answered"));
    assert!(!class.has(0, "the second: 2"), "the teacher’s screen is seen by all");

    class.go_on();
    assert!(class.has(1, "Talk about it with your neighbours"));
    assert!(!class.has(1, "Hand in instead"));
    class.go_on();
    class.press(2, Role::RadioButton, "the first");
    class.press(2, Role::Button, "Hand in");
    class.go_on();
    assert!(class.has(0, "the second: 2, then 0"));
    assert!(class.has(0, "the first: 0, then 1"));
    assert!(class.has(0, "1 changed to the right answer, 0 away from it."));
    assert!(class.has(1, "No b."), "each learns what its own answer is worth");
    assert!(class.has(2, "Because."));
    class.go_on();
    assert!(class.has(1, "With the class"));
}

#[test]
fn a_guess_is_handed_in_and_each_page_says_what_its_own_is_worth() {
    let mut class = Class::of(PREDICT, 3);
    class.press(0, Role::Button, "Ask the class");
    for (number, x) in [(1, 6.0), (2, 6.5), (3, 5.0)] {
        let guess = bindpose_notebook::Prediction {
            position_in_world: [x, -0.5, 0.0],
            ..bindpose_notebook::Prediction::default()
        };
        let state = class.page(number).state_mut();
        state.document.state.predictions.insert("it".to_owned(), guess);
        class.settle();
        assert!(!class.has(number, "Reveal"));
        class.press(number, Role::Button, "Hand in");
    }
    assert!(class.has(0, "3 of 3 answered"));
    assert!(!class.has(0, "spot on: 1"), "the teacher’s screen is seen by all");
    assert!(!class.has(0, "Reveal"), "the strip does that for all");
    for _ in 0..3 {
        class.go_on();
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
        tally.answers(bindpose_classroom::Round::First).map(|(_, place)| place).collect();
    places.sort_unstable();
    assert_eq!(places, ["5,-0.5,0", "6,-0.5,0", "6.5,-0.5,0"]);
}

#[test]
fn a_diagnosis_is_named_by_all_and_told_to_nobody_before() {
    let mut class = Class::of(DIAGNOSE, 2);
    let faults = ["order-swapped", "parent-left-out"].map(|id| FaultName::from_id(id).unwrap());
    let cell = FaultsCell { faults: faults.to_vec(), diagnose: true };
    let hidden = fault_of_draw(&cell, "it", 0).unwrap();
    let other = faults.into_iter().find(|fault| *fault != hidden).unwrap();
    class.press(0, Role::Button, "Ask the class");
    for (number, named) in [(1, hidden), (2, other)] {
        class.press(number, Role::RadioButton, named.title);
        assert!(!class.has(number, "Name it"));
        class.press(number, Role::Button, "Hand in");
        assert!(!class.has(number, "Right") && !class.has(number, "Not this one"));
    }
    for _ in 0..3 {
        class.go_on();
    }
    assert!(class.has(1, "Right") && class.has(2, "Not this one"));
    assert!(!class.has(0, "Name it"));
    for named in faults {
        assert!(class.has(0, &format!("{}: 1", named.title)), "{}", named.title);
    }
}

#[test]
fn what_is_right_is_told_to_all_where_nobody_had_it() {
    let mut class = Class::of(ASK, 1);
    class.press(0, Role::Button, "Ask the class");
    class.press(1, Role::RadioButton, "the second");
    class.press(1, Role::Button, "Hand in");
    assert!(!class.has(0, "the first: 0"));
    for _ in 0..3 {
        class.go_on();
    }
    assert!(class.has(0, "the second: 1") && class.has(0, "the first: 0"));
}

#[test]
fn who_goes_its_own_way_has_one_button_back() {
    let mut class = Class::of(ASK, 1);
    let teacher = class.page(0).state_mut().view.classroom.teacher().expect("a teacher");
    teacher.let_follow(FollowMode::Step);
    teacher.is_at("bindpose://t/s");
    class.settle();
    assert!(class.has(1, "With the class"));
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    student.is_at("bindpose://t/s", false);
    student.is_at("bindpose://u/other", true);
    class.settle();
    assert!(class.has(1, "On your own"));
    class.press(1, Role::Button, "Back to the class");
    assert!(class.has(1, "With the class"));
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    assert_eq!(student.take_place().as_deref(), Some("bindpose://t/s"));
}

#[test]
fn what_a_narrow_strip_has_no_room_for_is_in_its_menu() {
    let mut class = Class::of(ASK, 1);
    class.press(0, Role::Button, "Ask the class");
    let of_all = ["Invite", "Pages", "Call all", "Eyes up", "Lock", "Peek"];
    for words in of_all {
        assert!(!class.has(0, words), "{words}");
    }
    class.press(0, Role::Button, "Class ▾");
    for words in of_all {
        assert!(class.has(0, words), "{words}");
    }
    class.press(0, Role::Button, "Lock");
    assert!(class.has(1, "No more answers, please"));
    class.page(0).set_size(eframe::egui::vec2(1000.0, 500.0));
    class.settle();
    assert!(class.has(0, "Same step ▾") && class.has(0, "Call all"));
}

#[test]
fn a_long_name_leaves_the_hint_its_room() {
    let mut class = Class::of(ASK, 1);
    class.press(0, Role::Button, "Ask the class");
    let student = class.page(1).state_mut().view.classroom.student().expect("a student");
    student.call_me("Bartholomew Featherstonehaugh-Williams");
    for hint in ["Answer on your own", "Talk about it with your neighbours", "Now answer again"] {
        let widths = [1000.0, 375.0].map(|width| {
            class.page(1).set_size(eframe::egui::vec2(width, 700.0));
            class.settle();
            class.page(1).get_by_label(hint).rect().width()
        });
        assert_eq!(widths[0], widths[1], "{hint}");
        class.go_on();
    }
}

#[test]
fn the_invitation_leads_through_all_addresses() {
    let teacher = TeacherClient::new(RoomCode::from_random(1), TeacherSecret::from_random(2));
    let mut page = Page::new("bone_grid");
    let class = &mut page.view.classroom;
    class.part = ClassPart::Teacher(Box::new(teacher));
    class.invites = true;
    let invited = |hosts: &[&str]| {
        let address =
            |host: &&str| InvitedAddress { host: (*host).to_owned(), squares: Vec::new() };
        Invitation { addresses: hosts.iter().map(address).collect(), ..Invitation::default() }
    };
    let (wifi, vpn) = ("10.42.0.1:8080", "10.8.0.2:8080");
    class.take_invitation(invited(&[wifi, vpn]));
    let mut harness = harness(page, |ui, page| {
        invitation(ui.ctx(), &Theme::light(), &mut page.view.classroom);
    });
    harness.run();
    for (host, button) in [(wifi, "(1 of 2)"), (vpn, "(2 of 2)"), (wifi, "(1 of 2)")] {
        harness.get_by_label(host);
        harness.get_by_label(&format!("Another address {button}")).click();
        harness.run();
    }
    harness.get_by_label(vpn);
    let class = &mut harness.state_mut().view.classroom;
    class.take_invitation(invited(&[wifi, vpn]));
    harness.run();
    harness.get_by_label(vpn);

    harness.state_mut().view.classroom.take_invitation(invited(&[wifi]));
    harness.run();
    harness.get_by_label(wifi);
    assert!(harness.query_by_label_contains("Another address").is_none());

    harness.state_mut().view.classroom.take_invitation(invited(&[]));
    harness.run();
    harness.get_by_label("Phones can’t reach this computer");
    harness.get_by_label("Back to the page").click();
    harness.run();
    assert!(!harness.state().view.classroom.invites);
}

#[test]
fn the_report_is_asked_for_in_the_menu_and_where_the_class_has_ended() {
    let mut class = Class::of(ASK, 1);
    class.press(0, Role::Button, "Class ▾");
    class.press(0, Role::Button, "Save the report…");
    assert_eq!(class.page(0).state_mut().view.classroom.report, Some(ReportRequest::default()));
    class.page(0).state_mut().view.classroom.report = None;
    class.page(0).state_mut().view.classroom.teacher().expect("a teacher").end();
    class.settle();
    assert!(class.has(0, "The class has ended."));
    assert!(!class.has(0, "Ask all"));
    class.press(0, Role::Button, "Save the report…");
    assert!(class.page(0).state_mut().view.classroom.report.is_some());
}

#[test]
fn a_report_has_initials_unless_the_teacher_says_otherwise() {
    let teacher = TeacherClient::new(RoomCode::from_random(1), TeacherSecret::from_random(2));
    let mut page = Page::new("bone_grid");
    page.view.classroom.part = ClassPart::Teacher(Box::new(teacher));
    page.view.classroom.report = Some(ReportRequest::default());
    let saved = Rc::new(Cell::new(None));
    let to_save = Rc::clone(&saved);
    let mut harness = harness(page, move |ui, page| {
        let wanted = report_window(ui.ctx(), &Theme::light(), &mut page.view.classroom.report);
        to_save.set(wanted.or(to_save.get()));
    });
    harness.run();
    harness.get_by_label("No names").click();
    harness.run();
    harness.get_by_label("CSV").click();
    harness.run();
    assert_eq!(saved.get(), None);
    harness.get_by_role_and_label(Role::Button, "Save the report").click();
    harness.run();
    let (names, format) = (StudentNames::None, ExportFormat::Csv);
    assert_eq!(saved.get(), Some(ReportRequest { names, format }));
    assert_eq!(harness.state().view.classroom.report, None, "it is closed");
}
