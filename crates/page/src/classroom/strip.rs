//! The strip below the bar: for a student, where it is with the class; for the teacher,
//! who is there and what can be done with all of them.

use std::collections::BTreeSet;

use bindpose_classroom::{
    ClassState, FollowMode, OpenSteps, QuestionPhase, RejectReason, Round, StudentClient,
    StudentId, TeacherClient,
};
use eframe::egui::{
    Align, Button, Color32, DragValue, FontId, Frame, Label, Layout, Margin, Panel, Popup,
    PopupCloseBehavior, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, vec2,
};

use super::class_view::{ClassPart, ClassroomView, NameEntry, ReportRequest, named_students};
use crate::command::Command;
use crate::theme::{SMALL, Theme, font};
use crate::widgets::{RightGroup, Tip as _, landmark};

/// Height of the strip, in points.
const HEIGHT: f32 = 40.0;
/// Who has not answered is named, as far as there are not more.
const NAMED: usize = 12;
/// Under this width the teacher's buttons are in the menu, but for what comes next.
const NARROW: f32 = 800.0;
/// Least width of the button with a student's name, in points.
const MIN_NAME_WIDTH: f32 = 48.0;
/// Leads a student back to the class.
const BACK: &str = "Back to the class";
/// Opens the window for a report.
const SAVE_REPORT: &str = "Save the report…";

/// The lesson before the teacher: its slug, and how many steps it has.
type OpenLesson = (String, usize);

/// Shows it, where the page is in a class; pushes what a teacher asks for. Does the reader
/// leave the class?
pub fn strip(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut ClassroomView,
    (lesson, commands): (OpenLesson, &mut Vec<Command>),
) -> bool {
    if matches!(view.part, ClassPart::None) {
        return false;
    }
    let mut leaves = false;
    let paper = Frame::NONE.fill(theme.panel).inner_margin(Margin::symmetric(12, 0));
    Panel::top("class").exact_size(HEIGHT).frame(paper).show(ui, |ui| {
        landmark(ui, Role::Region, "Class");
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.horizontal_centered(|ui| {
            let is_over = view.state().is_some_and(|state| state.is_over);
            let cut_off = view.is_cut_off && !is_over;
            match &mut view.part {
                ClassPart::None => {}
                ClassPart::Student(student) => {
                    leaves = student_ui(ui, theme, student, cut_off, &mut view.name);
                }
                ClassPart::Teacher(_) if is_over => {
                    words(ui, "The class has ended.", theme.ink);
                    if button(ui, SAVE_REPORT) {
                        view.report = Some(ReportRequest::default());
                    }
                    leaves = button(ui, "Close the class");
                }
                ClassPart::Teacher(teacher) => {
                    let (invites, peeks) = (&mut view.invites, &mut view.peeks);
                    let (wall, report) = (view.wall.is_some(), &mut view.report);
                    let on = &mut TeacherSwitches { cut_off, invites, peeks, wall, report };
                    teacher_ui(ui, theme, teacher, on, (lesson, commands));
                }
            }
        });
    });
    leaves
}

/// Words at the left, cut off where buttons need the room.
fn words(ui: &mut Ui, words: &str, color: Color32) {
    let text = RichText::new(words).font(font::strong(SMALL)).color(color);
    ui.add(Label::new(text).truncate());
}

fn button(ui: &mut Ui, words: &str) -> bool {
    ui.add(Button::new(RichText::new(words).size(SMALL)).min_size(vec2(0.0, 28.0))).clicked()
}

// A student.

fn student_ui(
    ui: &mut Ui,
    theme: &Theme,
    student: &mut StudentClient,
    cut_off: bool,
    name: &mut Option<NameEntry>,
) -> bool {
    let (said, color) = student_words(student, cut_off, theme);
    let state = student.state();
    let may_go_back = !student.follows()
        && state.is_some_and(|state| {
            !state.is_over && (state.follows != FollowMode::Nothing || state.question.is_some())
        });
    let name_width = name_width(ui, &said, may_go_back);
    let group = RightGroup::new(ui, "own");
    let line = Layout::left_to_right(Align::Center);
    let mut rest = ui.new_child(UiBuilder::new().max_rect(group.rest).layout(line));
    words(&mut rest, &said, color);
    let mut leaves = false;
    let is_over = state.is_some_and(|state| state.is_over) || student.refused().is_some();
    group.show(ui, |ui| {
        if is_over {
            leaves = button(ui, "Leave the class");
            return;
        }
        if may_go_back && button(ui, BACK) {
            student.go_back();
            ui.ctx().request_repaint();
        }
        let own = student.record().name.clone();
        let shown = if own.is_empty() { "Your name" } else { &own };
        let quiet = RichText::new(shown).size(SMALL).color(theme.quiet);
        let own_button = |ui: &mut Ui| {
            ui.set_max_width(name_width);
            ui.add(Button::new(quiet).frame_when_inactive(false).truncate())
        };
        let response = ui.scope(own_button).inner;
        if response.tip("What the teacher calls you, and what the teacher sees").clicked() {
            *name = Some(NameEntry::new(&own));
        }
    });
    leaves
}

/// Width of the button with the student's name: what the hint and the other button leave.
fn name_width(ui: &Ui, hint: &str, may_go_back: bool) -> f32 {
    let width = |words: &str, font: FontId| {
        ui.painter().layout_no_wrap(words.to_owned(), font, Color32::PLACEHOLDER).size().x
    };
    let (gap, padding) = (ui.spacing().item_spacing.x, 2.0 * ui.spacing().button_padding.x);
    let back =
        if may_go_back { width(BACK, FontId::proportional(SMALL)) + padding + gap } else { 0.0 };
    let hint = width(hint, font::strong(SMALL)) + gap;
    // Rounding must not cut the hint.
    (ui.available_width() - hint - back - 2.0).max(MIN_NAME_WIDTH)
}

/// Where the student is with the class.
fn student_words(student: &StudentClient, cut_off: bool, theme: &Theme) -> (String, Color32) {
    let plain = |words: &str| (words.to_owned(), theme.ink);
    if let Some(why) = student.refused() {
        let words = match why {
            RejectReason::NoSuchRoom => "This class isn’t here any more.",
            RejectReason::Full => "The class is full.",
            RejectReason::NotTheTeacher | RejectReason::Malformed | RejectReason::TooOften => {
                "The class couldn’t read what this page sent. Reload the page."
            }
        };
        return (words.to_owned(), theme.wrong);
    }
    if cut_off {
        return ("No connection; trying again. Your work is safe.".to_owned(), theme.caution);
    }
    let Some(state) = student.state() else {
        return plain("Joining the class");
    };
    if state.is_over {
        return plain("The class has ended. The notebook is yours.");
    }
    if let Some(question) = &state.question {
        let has = student.handed_in().is_some();
        return plain(match question.phase {
            _ if question.is_locked => "No more answers, please",
            QuestionPhase::Answering | QuestionPhase::AnsweringAgain if has => {
                "Handed in; you can still change it"
            }
            QuestionPhase::Answering => "Answer on your own",
            QuestionPhase::Talking => "Talk about it with your neighbours",
            QuestionPhase::AnsweringAgain => "Now answer again",
            QuestionPhase::Revealed => "Here is the answer",
        });
    }
    plain(match (state.follows, student.follows()) {
        (FollowMode::Nothing, _) => "At your own pace",
        (_, true) => "With the class",
        (_, false) => "On your own",
    })
}

// The teacher.

/// What is on for the teacher.
struct TeacherSwitches<'a> {
    cut_off: bool,
    invites: &'a mut bool,
    peeks: &'a mut bool,
    wall: bool,
    report: &'a mut Option<ReportRequest>,
}

fn teacher_ui(
    ui: &mut Ui,
    theme: &Theme,
    teacher: &mut TeacherClient,
    on: &mut TeacherSwitches<'_>,
    (lesson, commands): (OpenLesson, &mut Vec<Command>),
) {
    let narrow = ui.available_width() < NARROW;
    let group = RightGroup::new(ui, "class");
    let line = Layout::left_to_right(Align::Center);
    let mut rest = ui.new_child(UiBuilder::new().max_rect(group.rest).layout(line));
    if on.cut_off {
        words(&mut rest, "No connection to the class; trying again", theme.caution);
    } else if teacher.refused().is_some() {
        words(&mut rest, "The room doesn’t take this address as the teacher’s.", theme.wrong);
    } else {
        let code = RichText::new(teacher.code().as_str()).monospace().size(SMALL).color(theme.ink);
        rest.add(Label::new(code).sense(Sense::empty()));
        let here = teacher.present();
        words(&mut rest, &format!("{here} here"), theme.ink);
        if let Some((told, missing)) = answered(teacher) {
            let told = RichText::new(told).font(font::strong(SMALL)).color(theme.accent);
            rest.add(Label::new(told).truncate()).tip(missing);
        }
    }
    group.show(ui, |ui| {
        if !narrow {
            command_button(ui, Command::InviteClass, *on.invites, None, commands);
            command_button(ui, Command::ClassWall, on.wall, None, commands);
        }
        class_menu(ui, teacher, on, lesson, narrow.then_some(&mut *commands));
        if !narrow {
            calls_ui(ui, teacher, commands);
        }
        let next = next_words(teacher.state());
        command_button(ui, Command::AskClass, false, Some(next), commands);
        if !narrow {
            question_switches(ui, teacher, on.peeks);
        }
    });
}

fn calls_ui(ui: &mut Ui, teacher: &TeacherClient, commands: &mut Vec<Command>) {
    command_button(ui, Command::CallClass, false, None, commands);
    command_button(ui, Command::EyesUp, teacher.state().is_paused, None, commands);
}

/// While a question is before the class.
fn question_switches(ui: &mut Ui, teacher: &mut TeacherClient, peeks: &mut bool) {
    let Some(question) = &teacher.state().question else { return };
    let (is_open, mut is_locked) = (question.phase.round().is_some(), question.is_locked);
    if is_open && switch(ui, "Lock", "Take no more answers in this round", &mut is_locked) {
        teacher.lock(is_locked);
    }
    let tip = "Show the answers so far: everyone who sees this screen sees them";
    switch(ui, "Peek", tip, peeks);
}

/// Was it turned?
fn switch(ui: &mut Ui, words: &str, tip: &str, on: &mut bool) -> bool {
    let button = Button::selectable(*on, RichText::new(words).size(SMALL));
    let is_turned = ui.add(button.frame_when_inactive(true)).tip(tip).clicked();
    *on ^= is_turned;
    is_turned
}

/// How many have answered in this round, and who has not.
fn answered(teacher: &TeacherClient) -> Option<(String, String)> {
    let question = teacher.state().question.as_ref()?;
    let round = match question.phase {
        QuestionPhase::Answering | QuestionPhase::Talking => Round::First,
        QuestionPhase::AnsweringAgain | QuestionPhase::Revealed => Round::Second,
    };
    let tally = teacher.tally(&question.address);
    let answers = tally.answers(round).count();
    let missing: BTreeSet<StudentId> = tally.missing(round).collect();
    let told = format!("{answers} of {} answered", answers + missing.len());
    if missing.is_empty() {
        return Some((told, "Everyone has answered".to_owned()));
    }
    let names =
        named_students(teacher).into_iter().filter(|(student, _)| missing.contains(&student.id));
    let names: Vec<String> = names.map(|(_, name)| name).take(NAMED).collect();
    let names = names.join(", ");
    let who = match missing.len().saturating_sub(NAMED) {
        0 => format!("Not yet: {names}"),
        more => format!("Not yet: {names}, and {more} more"),
    };
    Some((told, who))
}

/// What the key for questions does next.
fn next_words(state: &ClassState) -> &'static str {
    match state.question.as_ref().map(|question| question.phase) {
        None => "Ask all",
        Some(QuestionPhase::Answering) => "Let them talk",
        Some(QuestionPhase::Talking) => "Ask again",
        Some(QuestionPhase::AnsweringAgain) => "Reveal",
        Some(QuestionPhase::Revealed) => "Go on",
    }
}

fn command_button(
    ui: &mut Ui,
    command: Command,
    on: bool,
    words: Option<&str>,
    commands: &mut Vec<Command>,
) {
    let words = RichText::new(words.unwrap_or(command.text())).font(FontId::proportional(SMALL));
    let button = Button::selectable(on, words).frame_when_inactive(true).min_size(vec2(0.0, 28.0));
    if ui.add(button).tip(command.hint(ui.ctx(), None)).clicked() {
        commands.push(command);
    }
}

/// How the class is led; with `commands`, all that the strip has no room for, too.
fn class_menu(
    ui: &mut Ui,
    teacher: &mut TeacherClient,
    on: &mut TeacherSwitches<'_>,
    (slug, steps): OpenLesson,
    commands: Option<&mut Vec<Command>>,
) {
    const WAYS: [(FollowMode, &str, &str); 3] = [
        (FollowMode::Nothing, "Own pace", "Everyone goes their own way"),
        (FollowMode::Step, "Same step", "They follow your step and drag for themselves"),
        (FollowMode::Values, "Same values", "They see your values and your view, too"),
    ];
    let now = teacher.state().follows;
    let way = WAYS.iter().find(|(way, ..)| *way == now).map_or("", |(_, words, _)| words);
    let shown = if commands.is_some() { "Class" } else { way };
    let button = ui.add(Button::new(RichText::new(format!("{shown} ▾")).size(SMALL)));
    let button = button.tip("How closely students follow this page, and which steps are open");
    let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
    menu.show(|ui| {
        // With large text there is more than fits.
        let scroll = ScrollArea::vertical().max_height(0.9 * ui.ctx().content_rect().height());
        scroll.show(ui, |ui| {
            if let Some(commands) = commands {
                let before = commands.len();
                command_button(ui, Command::InviteClass, *on.invites, None, commands);
                command_button(ui, Command::ClassWall, on.wall, None, commands);
                calls_ui(ui, teacher, commands);
                question_switches(ui, teacher, on.peeks);
                if commands.len() > before {
                    ui.close();
                }
                ui.separator();
            }
            for (way, words, tip) in WAYS {
                if ui.add(Button::selectable(way == now, words)).tip(tip).clicked() {
                    teacher.let_follow(way);
                    ui.close();
                }
            }
            ui.separator();
            open_steps_ui(ui, teacher, slug, steps);
            ui.separator();
            let hides = teacher.state().hides_names;
            let words = if hides { "Show names" } else { "Hide names" };
            if ui.button(words).tip("On the teacher’s screens").clicked() {
                teacher.hide_names(!hides);
                ui.close();
            }
            if ui.button(SAVE_REPORT).clicked() {
                *on.report = Some(ReportRequest::default());
                ui.close();
            }
            if ui.button("End the class").clicked() {
                teacher.end();
                ui.close();
            }
        });
    });
}

/// Which steps of the open lesson students may open.
fn open_steps_ui(ui: &mut Ui, teacher: &mut TeacherClient, slug: String, steps: usize) {
    let open = teacher.state().open_steps.clone();
    if ui.add(Button::selectable(open.is_none(), "All steps are open")).clicked() {
        teacher.open(None);
    }
    let (mut first, mut last) = match &open {
        Some(open) if open.lesson == slug => (open.first + 1, open.last + 1),
        _ => (1, steps),
    };
    let before = (first, last);
    let is_ranged = open.as_ref().is_some_and(|open| open.lesson == slug);
    let begins = ui.add(Button::selectable(is_ranged, "Only some of this lesson")).clicked();
    ui.horizontal(|ui| {
        ui.label("Steps");
        ui.add(DragValue::new(&mut first).range(1..=last).speed(0.1)).accessible_name("first");
        ui.label("to");
        ui.add(DragValue::new(&mut last).range(first..=steps).speed(0.1)).accessible_name("last");
    });
    if begins || before != (first, last) {
        teacher.open(Some(OpenSteps { lesson: slug, first: first - 1, last: last - 1 }));
    }
}
