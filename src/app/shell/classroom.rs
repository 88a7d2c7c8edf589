//! The class in the program: messages from and to the room, and, in a window, the server
//! that its students connect to.
//!
//! Functions with `_in_class` in their name are not inlined, so that a page outside of a
//! class need not fetch them (`xtask/src/web/called_later.rs`).

#[cfg(test)]
mod tests;

use bindpose_class_protocol::{
    ClientMessage, QuestionAddress, QuestionPhase, ServerMessage, StudentClient, TeacherClient,
};
use bindpose_lesson::CellKind;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::inventory::FormAct;
use bindpose_notebook::{Edit, Navigation, PageSnapshot};
use bindpose_page::classroom::{self, WallRequest};
use bindpose_page::command::Command;
use bindpose_page::view::classroom::{ClassRole, ClassroomView};
use eframe::egui::{Context, Ui};

use super::Shell;
use super::class_host::{ClassHost, ClassNews, report_progress};
use crate::app::host::{CAN_SERVE_CLASS, WindowClass};

/// Minimum time between two messages about a changing page of the teacher.
const MIN_TEACHER_SEND_INTERVAL_SECS: f64 = 0.05;
/// The same for a page of a student.
const MIN_STUDENT_SEND_INTERVAL_SECS: f64 = 0.3;

impl Shell {
    fn is_in_class(&self) -> bool {
        !matches!(self.view.classroom.role, ClassRole::None)
    }

    /// Applies news of the class.
    pub fn handle_class_news(&mut self, news: ClassNews) {
        let class = &mut self.view.classroom;
        match news {
            ClassNews::JoinAsStudent { code, key, record } => {
                class.role = ClassRole::Student(Box::new(StudentClient::new(code, key, record)));
            }
            ClassNews::LeadAsTeacher { code, secret } => {
                class.role = ClassRole::Teacher(Box::new(TeacherClient::new(code, secret)));
            }
            ClassNews::Connected => {
                let hello = match &mut class.role {
                    ClassRole::None => return,
                    ClassRole::Student(student) => student.join(),
                    ClassRole::Teacher(teacher) => teacher.lead(),
                };
                self.class.outgoing.push(hello);
            }
            ClassNews::Disconnected => class.is_cut_off = true,
            ClassNews::Message { message } => {
                class.is_cut_off = false;
                if let ServerMessage::Leading { invitation } = &message {
                    class.set_invitation(invitation.clone());
                }
                match &mut class.role {
                    ClassRole::None => {}
                    ClassRole::Student(student) => student.hear(message),
                    ClassRole::Teacher(teacher) => teacher.hear(message),
                }
            }
        }
        self.changes += 1;
    }

    /// Takes the messages to the room since the last call.
    pub fn take_client_messages(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.class.outgoing)
    }

    /// Returns true if the reader has left the class since the last call.
    pub fn take_leave_request(&mut self) -> bool {
        std::mem::take(&mut self.class.has_left)
    }

    /// Applies messages of the class and opens its page. Runs before the page is laid out.
    pub(super) fn follow_class(&mut self) {
        if self.is_in_class() {
            self.go_in_class();
        }
    }

    #[inline(never)]
    fn go_in_class(&mut self) {
        while let Some(message) = self.class.window.as_mut().and_then(WindowClass::take_message) {
            self.handle_class_news(ClassNews::Message { message });
        }
        if self.view.classroom.student().is_none() {
            return self.uncover_question();
        }
        self.stay_in_open_steps();
        self.open_page_of_class();
        self.uncover_question();
    }

    /// Opens the page that the class is on. For students.
    fn open_page_of_class(&mut self) {
        let Some(link) = self.view.classroom.student().and_then(StudentClient::take_place) else {
            return;
        };
        let before = self.current_page();
        if let Err(error) = self.open_link(&link) {
            self.notices.add_error(format!("The class is on a page that isn’t here. {error}"));
        }
        if before != self.current_page() {
            self.view.scroll.to_top = true;
        }
        self.send_page_to_class(false);
    }

    /// Closes everything that covers the question of the open step, once in each of its
    /// phases. The page then scrolls to it.
    fn uncover_question(&mut self) {
        let Some(question) = self.view.classroom.question() else { return };
        let question_and_phase = Some((question.address.clone(), question.phase));
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        let is_here = question.address.lesson == lesson.slug
            && cells_at(lesson, step).any(|cell| cell.id == question.address.cell);
        if !is_here || self.class.uncovered_question == question_and_phase {
            return;
        }
        self.class.uncovered_question = question_and_phase;
        let view = &mut self.view;
        if !view.shows_tasks_alone(&lesson.slug, step) {
            view.enlarged = None;
        }
        self.windows.contents_over = false;
        if view.bench.replaces_prose {
            view.bench.is_open = false;
        }
        view.presenter.reading.show_all(&lesson.slug, step, usize::MAX);
        if self.notebook.forms().open.is_some() {
            // Leaving a form cannot fail.
            let _ = self.notebook.navigate(&Navigation::Form(FormAct::Leave));
        }
    }

    /// Leaves a step that the teacher has not opened. For students.
    fn stay_in_open_steps(&mut self) {
        let current_step = self.notebook.document().step;
        let slug = &self.notebook.lesson().slug;
        let state = self.view.classroom.student().and_then(|student| student.state());
        let Some(state) = state.filter(|state| !state.is_over) else { return };
        let Some(open) = state.open_steps.clone() else { return };
        if open.allow(slug, current_step) {
            return;
        }
        let step_index = if open.lesson == *slug {
            current_step.clamp(open.first, open.last)
        } else {
            open.first
        };
        let mut lessons = self.notebook.set.lessons.iter();
        let lesson = lessons.find(|lesson| lesson.slug == open.lesson);
        let Some(step) = lesson.and_then(|lesson| lesson.steps.get(step_index)) else { return };
        let link = format!("bindpose://{}/{}", open.lesson, step.slug);
        if self.open_link(&link).is_ok() {
            let first = open.first + 1;
            let last = open.last + 1;
            let steps = if first == last {
                format!("step {first} alone")
            } else {
                format!("steps {first} to {last}")
            };
            self.notices.set_status(format!("Your teacher has opened {steps}, for now."));
        }
    }

    /// Draws the strip with the state of the class above the page.
    pub(super) fn draw_class_strip(&mut self, ui: &mut Ui) {
        if self.is_in_class() {
            self.strip_in_class(ui);
        }
    }

    #[inline(never)]
    fn strip_in_class(&mut self, ui: &mut Ui) {
        let lesson = self.notebook.lesson();
        let class = &mut self.view.classroom;
        let has_left =
            classroom::strip_ui(ui, &self.appearance.theme, class, lesson, &mut self.requests);
        if has_left {
            self.view.classroom = ClassroomView::default();
            self.class = ClassHost { has_left: true, ..ClassHost::default() };
        }
    }

    /// Draws everyone's pages instead of the page.
    #[inline(never)]
    pub(super) fn wall_in_class(&mut self, ui: &mut Ui) {
        let request = self.with_page(|notebook, page| classroom::wall_ui(ui, notebook, page));
        if let Some(request) = request {
            self.apply_wall_request(ui.ctx(), &request);
        }
    }

    /// Draws the windows of the class over the page.
    pub(super) fn draw_class_windows(&mut self, ctx: &Context) {
        if self.is_in_class() {
            self.windows_in_class(ctx);
        }
    }

    #[inline(never)]
    fn windows_in_class(&mut self, ctx: &Context) {
        let theme = &self.appearance.theme;
        let class = &mut self.view.classroom;
        classroom::name_window_ui(ctx, theme, class);
        classroom::invitation_ui(ctx, theme, class);
        if class.is_covered() {
            classroom::paused_cover_ui(ctx, theme);
        }
        if let Some(request) = classroom::report_window_ui(ctx, theme, &mut class.report) {
            self.class.report = Some(request);
        }
        self.save_class_report(ctx);
    }

    /// Applies the teacher's choice on the wall.
    fn apply_wall_request(&mut self, ctx: &Context, request: &WallRequest) {
        let outcome = match request {
            WallRequest::Show(link) => self.open_link(link),
            WallRequest::Compare([a, b]) => self.compare_pages(a, b),
            WallRequest::Send(link) => {
                if let Some(teacher) = self.view.classroom.teacher() {
                    teacher.send(link);
                }
                self.notices.set_status("Every page shows it now.");
                Ok(())
            }
        };
        match outcome {
            Ok(()) => self.view.classroom.wall = None,
            Err(why) => self.notices.add_error(format!("This can’t be shown here: {why}.")),
        }
        ctx.request_repaint();
    }

    /// Keeps two pages as snapshots A and B and opens the bench with their pictures and their
    /// difference.
    ///
    /// # Errors
    /// Fails with a message for the reader.
    fn compare_pages(&mut self, a: &str, b: &str) -> Result<(), String> {
        self.open_link(a)?;
        let document_b = self
            .notebook
            .parse_link_document(b)
            .ok_or("the two pages stand on different models")?;
        self.keep_snapshot(PageSnapshot::A);
        let rig = &self.notebook.derived().stored_rig;
        self.view.bench.snapshots.keep(PageSnapshot::B, &document_b, rig);
        self.view.bench.is_open = true;
        self.view.bench.shows_pictures = true;
        self.notices.set_status("A and B on the bench are the two pages.");
        Ok(())
    }

    /// Sends changes of the page to the room, at once or after the minimum interval. Runs
    /// after a frame.
    pub(super) fn update_class(&mut self, ctx: &Context, by_hand: bool) {
        if self.is_in_class() {
            self.tell_in_class(ctx, by_hand);
        }
    }

    #[inline(never)]
    fn tell_in_class(&mut self, ctx: &Context, by_hand: bool) {
        self.class.has_manual_change |= by_hand;
        if self.class.sent_changes != self.changes && !self.is_on_cover() {
            let now_secs = ctx.input(|input| input.time);
            let wait_secs = self.class.next_send_secs - now_secs;
            if wait_secs > 0.0 {
                ctx.request_repaint_after_secs(wait_secs as f32);
            } else {
                self.class.next_send_secs = now_secs
                    + if self.view.classroom.is_teacher() {
                        MIN_TEACHER_SEND_INTERVAL_SECS
                    } else {
                        MIN_STUDENT_SEND_INTERVAL_SECS
                    };
                self.class.sent_changes = self.changes;
                let has_manual_change = std::mem::take(&mut self.class.has_manual_change);
                self.send_page_to_class(has_manual_change);
            }
        }
        let message = match &mut self.view.classroom.role {
            ClassRole::None => None,
            ClassRole::Student(student) => student.take_unsaid(),
            ClassRole::Teacher(teacher) => teacher.take_unsaid(),
        };
        let Some(message) = message else { return };
        if let Some(window) = &mut self.class.window {
            window.send(message);
            return;
        }
        self.class.outgoing.push(message);
    }

    fn send_page_to_class(&mut self, by_hand: bool) {
        let link = self.notebook.link();
        match &mut self.view.classroom.role {
            ClassRole::None => {}
            ClassRole::Student(student) => {
                student.is_at(&link, by_hand);
                report_progress(student, &self.notebook);
            }
            ClassRole::Teacher(teacher) => teacher.is_at(&link),
        }
    }

    /// Returns true unless the invitation covers the page and the command is for the page. Those
    /// of the class and of the whole window work over the invitation.
    pub(super) fn works_over_invitation(&self, command: Command) -> bool {
        use Command as C;
        let class = &self.view.classroom;
        if !class.shows_invitation || class.invitation.is_none() {
            return true;
        }
        matches!(command, C::InviteClass | C::CallClass | C::EyesUp | C::AskClass)
            || matches!(command, C::ClassWall | C::Present | C::Blank | C::Escape)
            || matches!(command, C::Motion | C::Theme)
            || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset)
    }

    /// Runs a command of the class. Without a class only the invitation has an effect.
    pub(super) fn class_command(&mut self, ctx: &Context, command: Command) {
        if command == Command::InviteClass {
            self.invite_class(ctx);
        } else if self.view.classroom.is_teacher() {
            self.lead_in_class(ctx, command);
        }
    }

    #[inline(never)]
    fn lead_in_class(&mut self, ctx: &Context, command: Command) {
        let class = &mut self.view.classroom;
        // The invitation would cover the wall and the question.
        class.shows_invitation &= !matches!(command, Command::ClassWall | Command::AskClass);
        let Some(teacher) = class.teacher() else { return };
        match command {
            Command::ClassWall => class.toggle_wall(),
            Command::CallClass => teacher.call(),
            Command::EyesUp => {
                let is_paused = teacher.state().is_paused;
                teacher.pause(!is_paused);
            }
            _ => {
                let is_asking = teacher.state().question.is_some();
                let first = if is_asking { None } else { self.find_question_for_class() };
                self.ask_class(ctx, first);
            }
        }
    }

    /// Moves the question of the class to its next phase, or asks `first` if there is none.
    pub(super) fn ask_class(&mut self, ctx: &Context, first: Option<QuestionAddress>) {
        self.view.classroom.start_next_phase(first);
        self.uncover_question();
        self.show_question_to_class(ctx);
    }

    /// Returns the first question of the step that the class has not answered, or the first
    /// one if all are answered.
    fn find_question_for_class(&mut self) -> Option<QuestionAddress> {
        let document = self.notebook.document();
        let lesson = self.notebook.lesson();
        let addresses: Vec<QuestionAddress> = cells_at(lesson, document.step)
            .filter(|cell| match &cell.kind {
                CellKind::Ask(_) | CellKind::Predict(_) | CellKind::Check(_) => true,
                CellKind::Faults(faults) => faults.diagnose,
                _ => false,
            })
            .map(|cell| classroom::question_address(lesson, document, &cell.id))
            .collect();
        if addresses.is_empty() {
            self.notices.add("This step has no question to ask.");
        }
        let teacher = self.view.classroom.teacher()?;
        let unanswered = addresses.iter().find(|address| teacher.tally(address).is_empty());
        unanswered.or(addresses.first()).cloned()
    }

    /// Shows the result of a guess on the teacher's picture once it is revealed, and hides it
    /// while the class is answering.
    fn show_question_to_class(&mut self, ctx: &Context) {
        let Some(question) = self.view.classroom.question() else { return };
        let document = self.notebook.document();
        let settings =
            cells_at(self.notebook.lesson(), document.step).find_map(|cell| match &cell.kind {
                CellKind::Predict(drawn) if cell.id == question.address.cell => {
                    Some(drawn.with(document.draw_of(&cell.id)).set.0.clone())
                }
                _ => None,
            });
        let edit = match (settings, question.phase) {
            (Some(settings), QuestionPhase::Answering) => Edit::ResetSettings(settings),
            (Some(settings), QuestionPhase::Revealed) => Edit::Settings(settings),
            _ => return,
        };
        let before = document.clone();
        let now_secs = ctx.input(|input| input.time);
        if self.notebook.edit(&edit, self.gesture).is_ok() {
            self.view.playing.move_from(&before, now_secs);
        }
    }

    /// Shows or hides the invitation. A window without a class starts one.
    fn invite_class(&mut self, ctx: &Context) {
        if CAN_SERVE_CLASS && !self.is_in_class() {
            match WindowClass::start(ctx) {
                Ok((window, teacher)) => {
                    let class = &mut self.view.classroom;
                    class.role = ClassRole::Teacher(Box::new(teacher));
                    class.set_invitation(window.invitation());
                    class.shows_invitation = true;
                    if window.is_continued() {
                        self.notices.add("The class that was interrupted goes on.");
                    }
                    self.class.window = Some(window);
                }
                Err(why) => self.notices.add_error(why),
            }
            self.changes += 1;
            return;
        }
        let class = &mut self.view.classroom;
        match class.role {
            ClassRole::Teacher(_) => {
                class.shows_invitation = !class.shows_invitation;
                // The computer may be in another network than before.
                if let Some(window) = self.class.window.as_ref().filter(|_| class.shows_invitation)
                {
                    class.set_invitation(window.invitation());
                }
            }
            ClassRole::Student(_) => {}
            ClassRole::None => self.notices.add(
                "A class is begun in the Bindpose program, or by `bindpose class --lan`: students \
                 come to the computer where that runs.",
            ),
        }
    }
}
