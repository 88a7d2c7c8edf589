//! The strip below the bar of a page in a class. A student sees the state of the class, the
//! teacher sees the students' number and the buttons that lead the class.

use std::collections::BTreeSet;

use bindpose_class_protocol::{
    ClassState, FollowMode, OpenSteps, QuestionPhase, RejectReason, Round, StudentClient,
    StudentId, TeacherClient,
};
use bindpose_kit::theme::{SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{RightGroup, Tip as _, landmark};
use bindpose_lesson::Lesson;
use eframe::egui::{
    Align, Button, Color32, DragValue, FontId, Frame, Label, Layout, Margin, Panel, Popup,
    PopupCloseBehavior, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, vec2,
};

use crate::command::Command;
use crate::requests::Requests;
use crate::view::classroom::{ClassRole, ClassroomView, NameEntry, ReportRequest, named_students};

/// Height of the strip, in points.
const STRIP_HEIGHT: f32 = 40.0;
/// Maximum number of students without an answer that are listed by name.
const MAX_LISTED_NAMES: usize = 12;
/// Strip width, in points, below which the teacher's buttons move into the menu. Only the
/// button of the next phase stays.
const NARROW_WIDTH: f32 = 800.0;
/// Minimum width of the button with a student's name, in points.
const MIN_NAME_WIDTH: f32 = 48.0;
const BACK_LABEL: &str = "Back to the class";
const SAVE_REPORT_LABEL: &str = "Save the report…";

/// Draws the strip if the page belongs to a class. Returns true if the reader leaves the
/// class.
pub fn strip_ui(
    ui: &mut Ui,
    theme: &Theme,
    view: &mut ClassroomView,
    lesson: &Lesson,
    requests: &mut Requests,
) -> bool {
    if matches!(view.role, ClassRole::None) {
        return false;
    }
    let mut leaves = false;
    let frame = Frame::NONE.fill(theme.panel).inner_margin(Margin::symmetric(12, 0));
    Panel::top("class").exact_size(STRIP_HEIGHT).frame(frame).show(ui, |ui| {
        landmark(ui, Role::Region, "Class");
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.horizontal_centered(|ui| {
            let is_over = view.state().is_some_and(|state| state.is_over);
            let is_cut_off = view.is_cut_off && !is_over;
            match &mut view.role {
                ClassRole::None => {}
                ClassRole::Student(student) => {
                    leaves = student_ui(ui, theme, student, is_cut_off, &mut view.name);
                }
                ClassRole::Teacher(_) if is_over => {
                    message_ui(ui, "The class has ended.", theme.ink);
                    if button_ui(ui, SAVE_REPORT_LABEL) {
                        view.report = Some(ReportRequest::default());
                    }
                    leaves = button_ui(ui, "Close the class");
                }
                ClassRole::Teacher(teacher) => {
                    let mut strip = TeacherStrip {
                        theme,
                        teacher,
                        is_cut_off,
                        invites: view.shows_invitation,
                        is_wall_open: view.wall.is_some(),
                        peeks: &mut view.shows_answers_early,
                        report: &mut view.report,
                        lesson,
                        requests,
                    };
                    strip.ui(ui);
                }
            }
        });
    });
    leaves
}

/// Draws a message at the left, truncated if the buttons need the room.
fn message_ui(ui: &mut Ui, message: &str, color: Color32) {
    let text = RichText::new(message).font(font::strong(SMALL_SIZE)).color(color);
    ui.add(Label::new(text).truncate());
}

/// Draws a button. Returns true if it was clicked.
fn button_ui(ui: &mut Ui, label: &str) -> bool {
    ui.add(Button::new(RichText::new(label).size(SMALL_SIZE)).min_size(vec2(0.0, 28.0))).clicked()
}

// A student's strip.

/// Draws a student's strip. Returns true if the student leaves the class.
fn student_ui(
    ui: &mut Ui,
    theme: &Theme,
    student: &mut StudentClient,
    is_cut_off: bool,
    name_window: &mut Option<NameEntry>,
) -> bool {
    let (message, color) = student_message(student, is_cut_off, theme);
    let state = student.state();
    let can_go_back = !student.follows()
        && state.is_some_and(|state| {
            !state.is_over && (state.follows != FollowMode::Nothing || state.question.is_some())
        });
    let name_width = name_button_width(ui, &message, can_go_back);
    let group = RightGroup::new(ui, "own");
    let layout = Layout::left_to_right(Align::Center);
    let mut rest = ui.new_child(UiBuilder::new().max_rect(group.rest).layout(layout));
    message_ui(&mut rest, &message, color);
    let mut leaves = false;
    let is_over = state.is_some_and(|state| state.is_over) || student.refused().is_some();
    group.show(ui, |ui| {
        if is_over {
            leaves = button_ui(ui, "Leave the class");
            return;
        }
        if can_go_back && button_ui(ui, BACK_LABEL) {
            student.go_back();
            ui.ctx().request_repaint();
        }
        let name = student.record().name.clone();
        let label = if name.is_empty() { "Your name" } else { &name };
        let text = RichText::new(label).size(SMALL_SIZE).color(theme.quiet);
        let name_button = ui.scope(|ui| {
            ui.set_max_width(name_width);
            ui.add(Button::new(text).frame_when_inactive(false).truncate())
        });
        let tip = "What the teacher calls you, and what the teacher sees";
        if name_button.inner.tip(tip).clicked() {
            *name_window = Some(NameEntry::new(&name));
        }
    });
    leaves
}

/// Returns the width that the message and the other button leave to the button with the
/// student's name, in points.
fn name_button_width(ui: &Ui, message: &str, can_go_back: bool) -> f32 {
    let gap = ui.spacing().item_spacing.x;
    let padding = 2.0 * ui.spacing().button_padding.x;
    let back_width = if can_go_back {
        text_width(ui, BACK_LABEL, FontId::proportional(SMALL_SIZE)) + padding + gap
    } else {
        0.0
    };
    let message_width = text_width(ui, message, font::strong(SMALL_SIZE)) + gap;
    // Two points less, so that rounding does not truncate the message.
    (ui.available_width() - message_width - back_width - 2.0).max(MIN_NAME_WIDTH)
}

fn text_width(ui: &Ui, text: &str, font: FontId) -> f32 {
    ui.painter().layout_no_wrap(text.to_owned(), font, Color32::PLACEHOLDER).size().x
}

/// Returns the message about the state of the class, and its colour.
fn student_message(student: &StudentClient, is_cut_off: bool, theme: &Theme) -> (String, Color32) {
    if let Some(reason) = student.refused() {
        let message = match reason {
            RejectReason::NoSuchRoom => "This class isn’t here any more.",
            RejectReason::Full => "The class is full.",
            RejectReason::NotTheTeacher | RejectReason::Malformed | RejectReason::TooOften => {
                "The class couldn’t read what this page sent. Reload the page."
            }
        };
        return (message.to_owned(), theme.wrong);
    }
    if is_cut_off {
        return ("No connection; trying again. Your work is safe.".to_owned(), theme.caution);
    }
    (joined_student_message(student).to_owned(), theme.ink)
}

fn joined_student_message(student: &StudentClient) -> &'static str {
    let Some(state) = student.state() else {
        return "Joining the class";
    };
    if state.is_over {
        return "The class has ended. The notebook is yours.";
    }
    if let Some(question) = &state.question {
        if question.is_locked {
            return "No more answers, please";
        }
        let has_handed_in = student.handed_in().is_some();
        return match question.phase {
            QuestionPhase::Answering | QuestionPhase::AnsweringAgain if has_handed_in => {
                "Handed in; you can still change it"
            }
            QuestionPhase::Answering => "Answer on your own",
            QuestionPhase::Talking => "Talk about it with your neighbours",
            QuestionPhase::AnsweringAgain => "Now answer again",
            QuestionPhase::Revealed => "Here is the answer",
        };
    }
    match (state.follows, student.follows()) {
        (FollowMode::Nothing, _) => "At your own pace",
        (_, true) => "With the class",
        (_, false) => "On your own",
    }
}

// The teacher's strip.

/// The teacher's strip while the class is running.
struct TeacherStrip<'a> {
    theme: &'a Theme,
    teacher: &'a mut TeacherClient,
    is_cut_off: bool,
    invites: bool,
    is_wall_open: bool,
    peeks: &'a mut bool,
    report: &'a mut Option<ReportRequest>,
    lesson: &'a Lesson,
    requests: &'a mut Requests,
}

impl TeacherStrip<'_> {
    fn ui(&mut self, ui: &mut Ui) {
        let is_narrow = ui.available_width() < NARROW_WIDTH;
        let group = RightGroup::new(ui, "class");
        let layout = Layout::left_to_right(Align::Center);
        let mut rest = ui.new_child(UiBuilder::new().max_rect(group.rest).layout(layout));
        self.message_ui(&mut rest);
        group.show(ui, |ui| {
            if !is_narrow {
                self.window_buttons_ui(ui);
            }
            self.menu_ui(ui, is_narrow);
            if !is_narrow {
                self.call_buttons_ui(ui);
            }
            let label = next_phase_label(self.teacher.state());
            command_button(ui, Command::AskClass, false, label, self.requests);
            if !is_narrow {
                self.question_switches_ui(ui);
            }
        });
    }

    /// Draws the room's code, the number of students and that of the answers, or what is
    /// wrong with the connection.
    fn message_ui(&self, ui: &mut Ui) {
        let theme = self.theme;
        if self.is_cut_off {
            message_ui(ui, "No connection to the class; trying again", theme.caution);
            return;
        }
        if self.teacher.refused().is_some() {
            let message = "The room doesn’t take this address as the teacher’s.";
            message_ui(ui, message, theme.wrong);
            return;
        }
        let code = RichText::new(self.teacher.code().as_str()).monospace().size(SMALL_SIZE);
        ui.add(Label::new(code.color(theme.ink)).sense(Sense::empty()));
        message_ui(ui, &format!("{} here", self.teacher.present()), theme.ink);
        if let Some(progress) = AnswerProgress::new(self.teacher) {
            let text = RichText::new(progress.summary).font(font::strong(SMALL_SIZE));
            ui.add(Label::new(text.color(theme.accent)).truncate()).tip(progress.missing_names);
        }
    }

    fn window_buttons_ui(&mut self, ui: &mut Ui) {
        for (command, is_open) in
            [(Command::InviteClass, self.invites), (Command::ClassWall, self.is_wall_open)]
        {
            command_button(ui, command, is_open, command.text(), self.requests);
        }
    }

    fn call_buttons_ui(&mut self, ui: &mut Ui) {
        let is_paused = self.teacher.state().is_paused;
        for (command, is_on) in [(Command::CallClass, false), (Command::EyesUp, is_paused)] {
            command_button(ui, command, is_on, command.text(), self.requests);
        }
    }

    /// Draws the switches of the current question, if there is one.
    fn question_switches_ui(&mut self, ui: &mut Ui) {
        let Some(question) = &self.teacher.state().question else { return };
        let takes_answers = question.phase.round().is_some();
        let is_locked = question.is_locked;
        let lock_tip = "Take no more answers in this round";
        if takes_answers && switch_ui(ui, "Lock", lock_tip, is_locked) {
            self.teacher.lock(!is_locked);
        }
        let peek_tip = "Show the answers so far: everyone who sees this screen sees them";
        if switch_ui(ui, "Peek", peek_tip, *self.peeks) {
            *self.peeks = !*self.peeks;
        }
    }

    /// Draws the menu of the class. On a narrow strip it contains the strip's buttons, too.
    fn menu_ui(&mut self, ui: &mut Ui, is_narrow: bool) {
        const MODES: [(FollowMode, &str, &str); 3] = [
            (FollowMode::Nothing, "Own pace", "Everyone goes their own way"),
            (FollowMode::Step, "Same step", "They follow your step and drag for themselves"),
            (FollowMode::Values, "Same values", "They see your values and your view, too"),
        ];
        let current = self.teacher.state().follows;
        let mode_label = MODES.iter().find(|mode| mode.0 == current).map_or("", |mode| mode.1);
        let label = if is_narrow { "Class" } else { mode_label };
        let button = ui
            .add(Button::new(RichText::new(format!("{label} ▾")).size(SMALL_SIZE)))
            .tip("How closely students follow this page, and which steps are open");
        let menu = Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside);
        menu.show(|ui| {
            // With large text the menu is higher than the window.
            let scroll = ScrollArea::vertical().max_height(0.9 * ui.ctx().content_rect().height());
            scroll.show(ui, |ui| {
                if is_narrow {
                    let command_count = self.requests.commands.len();
                    self.window_buttons_ui(ui);
                    self.call_buttons_ui(ui);
                    self.question_switches_ui(ui);
                    if self.requests.commands.len() > command_count {
                        ui.close();
                    }
                    ui.separator();
                }
                for (mode, mode_label, tip) in MODES {
                    let entry = Button::selectable(mode == current, mode_label);
                    if ui.add(entry).tip(tip).clicked() {
                        self.teacher.let_follow(mode);
                        ui.close();
                    }
                }
                ui.separator();
                self.open_steps_ui(ui);
                ui.separator();
                let hides_names = self.teacher.state().hides_names;
                let names_label = if hides_names { "Show names" } else { "Hide names" };
                if ui.button(names_label).tip("On the teacher’s screens").clicked() {
                    self.teacher.hide_names(!hides_names);
                    ui.close();
                }
                if ui.button(SAVE_REPORT_LABEL).clicked() {
                    *self.report = Some(ReportRequest::default());
                    ui.close();
                }
                if ui.button("End the class").clicked() {
                    self.teacher.end();
                    ui.close();
                }
            });
        });
    }

    /// Draws the choice of the steps that students may open.
    fn open_steps_ui(&mut self, ui: &mut Ui) {
        let open_steps = self.teacher.state().open_steps.clone();
        if ui.add(Button::selectable(open_steps.is_none(), "All steps are open")).clicked() {
            self.teacher.open(None);
        }
        let range = open_steps.filter(|open| open.lesson == self.lesson.slug);
        // Numbers from 1, as readers see them.
        let (old_first, old_last) = match &range {
            Some(open) => (open.first + 1, open.last + 1),
            None => (1, self.lesson.steps.len()),
        };
        let mut first = old_first;
        let mut last = old_last;
        let limits_steps =
            ui.add(Button::selectable(range.is_some(), "Only some of this lesson")).clicked();
        ui.horizontal(|ui| {
            ui.label("Steps");
            ui.add(DragValue::new(&mut first).range(1..=last).speed(0.1)).accessible_name("first");
            ui.label("to");
            ui.add(DragValue::new(&mut last).range(first..=self.lesson.steps.len()).speed(0.1))
                .accessible_name("last");
        });
        if limits_steps || first != old_first || last != old_last {
            self.teacher.open(Some(OpenSteps {
                lesson: self.lesson.slug.clone(),
                first: first - 1,
                last: last - 1,
            }));
        }
    }
}

/// Draws a switch. Returns true if it was clicked.
fn switch_ui(ui: &mut Ui, label: &str, tip: &str, is_on: bool) -> bool {
    let button = Button::selectable(is_on, RichText::new(label).size(SMALL_SIZE));
    ui.add(button.frame_when_inactive(true)).tip(tip).clicked()
}

fn command_button(
    ui: &mut Ui,
    command: Command,
    is_on: bool,
    label: &str,
    requests: &mut Requests,
) {
    let text = RichText::new(label).font(FontId::proportional(SMALL_SIZE));
    let button =
        Button::selectable(is_on, text).frame_when_inactive(true).min_size(vec2(0.0, 28.0));
    if ui.add(button).tip(command.hint(ui.ctx(), None)).clicked() {
        requests.commands.push(command);
    }
}

/// Progress of the answers in the current round, for people.
struct AnswerProgress {
    summary: String,
    missing_names: String,
}

impl AnswerProgress {
    /// Returns `None` if the class has no question.
    fn new(teacher: &TeacherClient) -> Option<Self> {
        let question = teacher.state().question.as_ref()?;
        let round = match question.phase {
            QuestionPhase::Answering | QuestionPhase::Talking => Round::First,
            QuestionPhase::AnsweringAgain | QuestionPhase::Revealed => Round::Second,
        };
        let tally = teacher.tally(&question.address);
        let answer_count = tally.answers(round).count();
        let missing: BTreeSet<StudentId> = tally.missing(round).collect();
        let summary = format!("{answer_count} of {} answered", answer_count + missing.len());
        if missing.is_empty() {
            return Some(Self { summary, missing_names: "Everyone has answered".to_owned() });
        }
        let listed_names: Vec<String> = named_students(teacher)
            .into_iter()
            .filter(|(student, _)| missing.contains(&student.id))
            .map(|(_, name)| name)
            .take(MAX_LISTED_NAMES)
            .collect();
        let names = listed_names.join(", ");
        let missing_names = match missing.len().saturating_sub(MAX_LISTED_NAMES) {
            0 => format!("Not yet: {names}"),
            more => format!("Not yet: {names}, and {more} more"),
        };
        Some(Self { summary, missing_names })
    }
}

/// Returns the label of the button that starts the next phase of the question.
fn next_phase_label(state: &ClassState) -> &'static str {
    match state.question.as_ref().map(|question| question.phase) {
        None => "Ask all",
        Some(QuestionPhase::Answering) => "Let them talk",
        Some(QuestionPhase::Talking) => "Ask again",
        Some(QuestionPhase::AnsweringAgain) => "Reveal",
        Some(QuestionPhase::Revealed) => "Go on",
    }
}
