//! Behaviour of a student's and a teacher's page in a class, without a connection.

use std::sync::Arc;

use bindpose_class_protocol::{
    AnswerKey, ClassQuestion, ClassState, Invitation, OpenSteps, RoomCode, Round, StudentId,
    StudentKey, StudentRecord, StudentView, TeacherSecret,
};
use bindpose_notebook::{Document, StepMarks};
use bindpose_page::view::classroom::ReportRequest;
use bindpose_page::view::placed::Region;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Event, Key, Modifiers, Rect, accesskit};
use egui_kittest::Harness;
use egui_kittest::kittest::Queryable as _;

use super::*;
use crate::app::testing;

#[test]
fn a_student_stays_in_the_steps_that_are_open() {
    let mut harness = testing::page([1280.0, 800.0], Vec::new());
    let shell = harness.state_mut().shell();
    let slug = shell.notebook.lesson().slug.clone();
    let code = RoomCode::from_random(1);
    let key = StudentKey::from_random(2);
    let record = StudentRecord::default();
    shell.handle_class_news(ClassNews::JoinAsStudent { code, key, record });
    let open_steps = Some(OpenSteps { lesson: slug, first: 0, last: 1 });
    let state = ClassState { version: 1, open_steps, ..ClassState::default() };
    shell.handle_class_news(ClassNews::Message {
        message: ServerMessage::State { state: state.clone() },
    });
    for _ in 0..3 {
        let ctx = harness.ctx.clone();
        harness.state_mut().shell().run_command(&ctx, Command::Next);
        harness.run();
    }
    assert_eq!(harness.state_mut().document().step, 1);
    harness.get_by_label("Your teacher has opened steps 1 to 2, for now.");
    let state = ClassState { version: 2, is_over: true, ..state };
    let shell = harness.state_mut().shell();
    shell.handle_class_news(ClassNews::Message { message: ServerMessage::State { state } });
    let ctx = harness.ctx.clone();
    harness.state_mut().shell().run_command(&ctx, Command::Next);
    harness.run();
    let step = harness.state_mut().document().step;
    assert_eq!(step, 2, "after the end all is the student’s own");
}

/// Creates a page of 1280 × 800 points that has received `news`.
fn page_in_class(news: ClassNews) -> Harness<'static, testing::Page> {
    let mut harness = testing::page([1280.0, 800.0], Vec::new());
    harness.state_mut().shell().handle_class_news(news);
    harness.run();
    harness
}

fn student() -> ClassNews {
    let code = RoomCode::from_random(1);
    let key = StudentKey::from_random(2);
    ClassNews::JoinAsStudent { code, key, record: StudentRecord::default() }
}

fn teacher() -> ClassNews {
    ClassNews::LeadAsTeacher {
        code: RoomCode::from_random(1),
        secret: TeacherSecret::from_random(2),
    }
}

/// Presses a key as a keyboard does: with the letter as text.
fn type_letter(harness: &mut Harness<'_, testing::Page>, key: Key) {
    harness.key_press(key);
    harness.event(Event::Text(key.name().to_lowercase()));
    harness.run();
}

const LETTERS: [Key; 6] = [Key::M, Key::N, Key::G, Key::I, Key::W, Key::X];

/// Everything on the page that a letter key could change.
#[derive(Debug, PartialEq)]
struct PageState {
    document: Document,
    marks: StepMarks,
    is_bench_open: bool,
    is_note_shown: bool,
}

fn page_state(shell: &Shell) -> PageState {
    PageState {
        document: shell.notebook.document().clone(),
        marks: shell.notebook.marks.clone(),
        is_bench_open: shell.view.bench.is_open,
        is_note_shown: shell.view.note.is_shown("", false),
    }
}

#[test]
fn a_name_is_typed_into_its_window_and_never_into_the_page_below() {
    let mut harness = page_in_class(student());
    let before = page_state(harness.state_mut().shell());
    harness.click_label("Your name");
    for key in LETTERS {
        type_letter(&mut harness, key);
    }
    let shell = harness.state_mut().shell();
    assert_eq!(page_state(shell), before);
    harness.press(Key::Enter);
    let student = harness.state_mut().shell().view.classroom.student().expect("a student");
    assert_eq!(student.record().name, "mngiwx");
    assert!(harness.query_by_label("Use this name").is_none(), "the window is closed");
}

#[test]
fn letters_do_nothing_to_the_page_while_the_name_window_has_lost_the_focus() {
    let mut harness = page_in_class(student());
    let before = page_state(harness.state_mut().shell());
    harness.click_label("Your name");
    harness.ctx.memory_mut(|memory| memory.focused().map(|id| memory.surrender_focus(id)));
    harness.run();
    for key in LETTERS {
        type_letter(&mut harness, key);
    }
    assert_eq!(page_state(harness.state_mut().shell()), before);
    harness.press(Key::Escape);
    assert!(harness.query_by_label("Use this name").is_none(), "Esc closes it");
    type_letter(&mut harness, Key::M);
    assert_ne!(page_state(harness.state_mut().shell()), before, "M is the page’s");
}

#[test]
fn esc_in_the_field_closes_the_name_window_and_keeps_the_name() {
    let mut harness = page_in_class(student());
    harness.click_label("Your name");
    type_letter(&mut harness, Key::A);
    harness.press(Key::Escape);
    assert!(harness.query_by_label("Use this name").is_none());
    let student = harness.state_mut().shell().view.classroom.student().expect("a student");
    assert_eq!(student.record().name, "");
}

#[test]
fn letters_do_nothing_to_a_page_below_links_a_report_a_pause_or_the_invitation() {
    type OpenWindow = fn(&mut Shell);
    let windows: [(ClassNews, OpenWindow); 4] = [
        (student(), |shell| shell.link_window.open = true),
        (teacher(), |shell| shell.view.classroom.report = Some(ReportRequest::default())),
        (student(), |shell| {
            let state = ClassState { version: 1, is_paused: true, ..ClassState::default() };
            shell.handle_class_news(ClassNews::Message { message: ServerMessage::State { state } });
        }),
        (teacher(), |shell| {
            let class = &mut shell.view.classroom;
            class.shows_invitation = true;
            class.invitation = Some(Invitation::default());
        }),
    ];
    for (index, (news, open)) in windows.into_iter().enumerate() {
        let mut harness = page_in_class(news);
        open(harness.state_mut().shell());
        harness.run();
        let before = page_state(harness.state_mut().shell());
        for key in LETTERS {
            type_letter(&mut harness, key);
        }
        let after = page_state(harness.state_mut().shell());
        assert_eq!(after, before, "window {index}");
    }
}

/// Window sizes of a laptop and of a phone, in points.
const WINDOW_SIZES: [[f32; 2]; 2] = [[1280.0, 720.0], [375.0, 700.0]];
const QUESTION_STEP: &str = "bindpose://what-skinning-is/a-weight-is-data-like-a-colour";
const CHOICES: [&str; 3] = [
    "One, that of joint 1",
    "Two: both joints move it",
    "None: it stays where it is in the lower arm",
];
const PHASES: [QuestionPhase; 4] = [
    QuestionPhase::Answering,
    QuestionPhase::Talking,
    QuestionPhase::AnsweringAgain,
    QuestionPhase::Revealed,
];

fn class_question(phase: QuestionPhase) -> ClassQuestion {
    let address = QuestionAddress {
        lesson: "what-skinning-is".to_owned(),
        cell: "follows".to_owned(),
        draw: 0,
    };
    ClassQuestion { address, phase, is_locked: false }
}

/// Returns true if the rectangle is in the visible part of the prose.
fn is_in_sight(harness: &mut Harness<'_, testing::Page>, rect: Rect) -> bool {
    let prose = harness.state_mut().shell().view.item_rects.room(Region::Prose);
    prose.expand(1.0).contains_rect(rect)
}

fn rect_of(harness: &Harness<'_, testing::Page>, label: &str) -> Rect {
    harness.get_by_label(label).rect()
}

fn rect_of_choices(harness: &Harness<'_, testing::Page>) -> Rect {
    CHOICES
        .iter()
        .map(|label| harness.get_by_role_and_label(accesskit::Role::RadioButton, label).rect())
        .reduce(Rect::union)
        .expect("choices")
}

#[test]
fn a_students_page_scrolls_to_the_question_in_every_phase() {
    for size in WINDOW_SIZES {
        let mut harness = testing::page(size, Vec::new());
        let shell = harness.state_mut().shell();
        shell.open_link(QUESTION_STEP).unwrap();
        shell.handle_class_news(student());
        harness.run();
        for (version, phase) in (1..).zip(PHASES) {
            // The reader has scrolled to the top in the meantime.
            let shell = harness.state_mut().shell();
            shell.view.scroll.to_top = true;
            let question = Some(class_question(phase));
            let place = QUESTION_STEP.to_owned();
            let state = ClassState { version, calls: 1, place, question, ..ClassState::default() };
            shell.handle_class_news(ClassNews::Message { message: ServerMessage::State { state } });
            harness.run();
            // At the end a phone has no room for both question and answer.
            if phase != QuestionPhase::Revealed {
                let heading = rect_of(&harness, "Question");
                let all = heading.union(rect_of_choices(&harness));
                assert!(is_in_sight(&mut harness, all), "{phase:?} at {size:?}: {all}");
            }
            if phase == QuestionPhase::Answering {
                harness.click_role(accesskit::Role::RadioButton, CHOICES[1]);
            }
        }
        let verdict = harness.query_by_label("Right").or(harness.query_by_label("Not right"));
        let verdict = verdict.expect("the answer is judged").rect();
        let reply = harness.get_by_label_contains("Joint 0 has the weight 0 for it.").rect();
        let answer = verdict.union(reply);
        assert!(is_in_sight(&mut harness, answer), "{size:?}: {answer}");

        harness.state_mut().shell().view.scroll.to_top = true;
        harness.run();
        let heading = rect_of(&harness, "Question");
        let is_phone = size == WINDOW_SIZES[1];
        assert!(!is_phone || !is_in_sight(&mut harness, heading), "the reader may scroll away");
    }
}

#[test]
fn a_clicker_moves_the_question_of_the_class_and_locks_it_before_it_is_revealed() {
    let mut harness = page_in_class(teacher());
    harness.state_mut().shell().open_link(QUESTION_STEP).unwrap();
    harness.press(Key::F5);
    let question = |harness: &mut Harness<'_, testing::Page>| {
        let class = &harness.state_mut().shell().view.classroom;
        class.question().map(|question| (question.phase, question.is_locked))
    };
    for press_count in 0.. {
        if question(&mut harness).is_some() {
            break;
        }
        assert!(press_count < 10, "no question");
        harness.press(Key::PageDown);
    }
    let mut phases = vec![question(&mut harness)];
    for _ in 0..5 {
        harness.press(Key::PageDown);
        phases.push(question(&mut harness));
    }
    let expected = [
        Some((QuestionPhase::Answering, false)),
        Some((QuestionPhase::Talking, false)),
        Some((QuestionPhase::AnsweringAgain, false)),
        Some((QuestionPhase::AnsweringAgain, true)),
        Some((QuestionPhase::Revealed, false)),
        None,
    ];
    assert_eq!(phases, expected);
    let step = harness.state_mut().document().step;
    for _ in 0..24 {
        harness.press(Key::PageDown);
        if harness.state_mut().document().step != step {
            return;
        }
        let class = &harness.state_mut().shell().view.classroom;
        let asked = class.question().map(|question| question.address.cell.clone());
        assert_ne!(asked.as_deref(), Some("follows"), "it is not asked again");
    }
    panic!("the step does not end");
}

#[test]
fn the_teachers_page_scrolls_to_the_question_and_its_bars() {
    let [size, _] = WINDOW_SIZES;
    let mut harness = testing::page(size, Vec::new());
    let shell = harness.state_mut().shell();
    shell.open_link(QUESTION_STEP).unwrap();
    shell.handle_class_news(teacher());
    harness.run();
    for phase in PHASES {
        harness.state_mut().shell().view.scroll.to_top = true;
        harness.run();
        harness.press(Key::Q);
        if phase == QuestionPhase::Answering {
            let key = AnswerKey { question: class_question(phase).address, round: Round::First };
            let mut record = StudentRecord::default();
            Arc::make_mut(&mut record.answers).insert(key, "0".to_owned());
            let changed = vec![StudentView { id: StudentId(1), is_here: true, record }];
            let shell = harness.state_mut().shell();
            shell.handle_class_news(ClassNews::Message {
                message: ServerMessage::Students { changed },
            });
            harness.run();
        }
        let class = &harness.state_mut().shell().view.classroom;
        assert_eq!(class.question().map(|question| question.phase), Some(phase));
        let heading = rect_of(&harness, "Question");
        let all = heading.union(rect_of_choices(&harness));
        assert!(is_in_sight(&mut harness, all), "{phase:?}: {all}");
    }
    let bars = rect_of(&harness, "Alone");
    assert!(is_in_sight(&mut harness, bars), "{bars}");
}

#[test]
fn a_question_closes_an_enlarged_picture_once_per_phase() {
    let mut harness = testing::page([1280.0, 720.0], Vec::new());
    let shell = harness.state_mut().shell();
    shell.open_link(QUESTION_STEP).unwrap();
    shell.handle_class_news(student());
    harness.run();
    harness.press(Key::I);
    assert!(harness.query_by_label("Question").is_none(), "the picture has all of the page");
    let question = Some(class_question(QuestionPhase::Answering));
    let state = ClassState { version: 1, question, ..ClassState::default() };
    let shell = harness.state_mut().shell();
    shell.handle_class_news(ClassNews::Message { message: ServerMessage::State { state } });
    harness.run();
    let heading = rect_of(&harness, "Question");
    assert!(is_in_sight(&mut harness, heading));
    harness.press(Key::I);
    assert!(harness.query_by_label("Question").is_none(), "once in each phase");
}

#[test]
fn a_question_and_the_wall_hide_the_invitation() {
    for key in [Key::Q, Key::O] {
        let mut harness = page_in_class(teacher());
        let class = &mut harness.state_mut().shell().view.classroom;
        class.shows_invitation = true;
        class.invitation = Some(Invitation::default());
        harness.press(key);
        assert!(!harness.state_mut().shell().view.classroom.shows_invitation, "{key:?}");
    }
}

#[test]
fn the_teachers_picture_shows_a_guess_only_when_it_is_revealed() {
    let mut harness = testing::page([1280.0, 800.0], Vec::new());
    let shell = harness.state_mut().shell();
    let bent = "bindpose://what-skinning-is/guess-half-of-two-joints?bend=1.5";
    shell.open_link(bent).unwrap();
    let code = RoomCode::from_random(1);
    let secret = TeacherSecret::from_random(2);
    shell.handle_class_news(ClassNews::LeadAsTeacher { code, secret });
    let mut bends = Vec::new();
    for _ in 0..4 {
        harness.press_with(Modifiers::NONE, Key::Q);
        let shell = harness.state_mut().shell();
        bends.push(shell.notebook.document().state.params.get("bend").copied());
    }
    assert_eq!(bends, [None, None, None, Some(std::f64::consts::FRAC_PI_2)]);
}

#[test]
fn a_step_without_a_question_shows_a_notice_only_when_asking() {
    let mut harness = testing::page([1280.0, 800.0], Vec::new());
    let shell = harness.state_mut().shell();
    shell.open_link("bindpose://what-skinning-is").unwrap();
    let code = RoomCode::from_random(1);
    let secret = TeacherSecret::from_random(2);
    shell.handle_class_news(ClassNews::LeadAsTeacher { code, secret });
    let notice = "This step has no question to ask.";
    for (key, is_expected) in [(Key::U, false), (Key::H, false), (Key::Q, true)] {
        harness.press_with(Modifiers::NONE, key);
        assert_eq!(harness.query_by_label(notice).is_some(), is_expected, "{key:?}");
    }
}
