//! The class in the program: what a page hears and says in it, and, in a window, the
//! server that its students come to.
//!
//! What has `_in_class` in its name is not inlined, so that a page outside of a class need
//! not fetch it (`xtask/src/web/called_later.rs`).

#[cfg(test)]
mod tests;

use bindpose_classroom::{
    ClientMessage, QuestionAddress, QuestionPhase, ServerMessage, StudentClient, TeacherClient,
};
use bindpose_lesson::CellKind;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::inventory::FormAct;
use bindpose_notebook::{Edit, Navigation, PageSnapshot};
use bindpose_page::classroom::{self, ClassPart, ClassroomView, WallRequest};
use bindpose_page::command::Command;
use eframe::egui::{Context, Ui};

use super::Shell;
use super::class_host::{ClassHost, ClassNews, tell_progress};
#[cfg(not(target_arch = "wasm32"))]
use crate::app::class_server::WindowClass;

/// The teacher's page is told at most that often while it changes, and the students'.
const TELL_SECS: [f64; 2] = [0.05, 0.3];

impl Shell {
    fn is_in_class(&self) -> bool {
        !matches!(self.view.classroom.part, ClassPart::None)
    }

    /// Takes news of the class.
    pub fn hear_of_class(&mut self, news: ClassNews) {
        let class = &mut self.view.classroom;
        match news {
            ClassNews::Come { code, key, record } => {
                class.part = ClassPart::Student(Box::new(StudentClient::new(code, key, record)));
            }
            ClassNews::Lead { code, secret } => {
                class.part = ClassPart::Teacher(Box::new(TeacherClient::new(code, secret)));
            }
            ClassNews::Open => {
                let hello = match &mut class.part {
                    ClassPart::None => return,
                    ClassPart::Student(student) => student.join(),
                    ClassPart::Teacher(teacher) => teacher.lead(),
                };
                self.class.said.push(hello);
            }
            ClassNews::Lost => class.is_cut_off = true,
            ClassNews::Told { told } => {
                class.is_cut_off = false;
                if let ServerMessage::Leading { invitation } = &told {
                    class.take_invitation(invitation.clone());
                }
                match &mut class.part {
                    ClassPart::None => {}
                    ClassPart::Student(student) => student.hear(told),
                    ClassPart::Teacher(teacher) => teacher.hear(told),
                }
            }
        }
        self.changes += 1;
    }

    /// What the room is to hear, since this was last called.
    pub fn take_said_to_class(&mut self) -> Vec<ClientMessage> {
        std::mem::take(&mut self.class.said)
    }

    /// Has the reader left the class, since this was last asked?
    pub fn takes_leave(&mut self) -> bool {
        std::mem::take(&mut self.class.left)
    }

    /// Before the page is laid out: it goes where the class is.
    pub(super) fn go_with_class(&mut self) {
        if self.is_in_class() {
            self.go_in_class();
        }
    }

    #[inline(never)]
    fn go_in_class(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        while let Some(told) = self.class.window.as_mut().and_then(|it| it.teacher.take_news()) {
            self.hear_of_class(ClassNews::Told { told });
        }
        if self.view.classroom.student().is_none() {
            return self.uncover_question();
        }
        self.stay_in_open_steps();
        self.go_where_class_is();
        self.uncover_question();
    }

    /// As a student: goes to the page that the class is on.
    fn go_where_class_is(&mut self) {
        let Some(link) = self.view.classroom.student().and_then(StudentClient::take_place) else {
            return;
        };
        let before = self.page_in_sight();
        if let Err(wrong) = self.follow(&link) {
            self.notices.wrong(format!("The class is on a page that isn’t here. {wrong}"));
        }
        if before != self.page_in_sight() {
            self.view.scroll.to_top = true;
        }
        self.tell_class_where(false);
    }

    /// Puts away what hides the question of the open step, once in each of its phases. The
    /// page then scrolls to it.
    fn uncover_question(&mut self) {
        let Some(question) = self.view.classroom.question() else { return };
        let shown = Some((question.address.clone(), question.phase));
        let (lesson, step) = (self.notebook.lesson(), self.notebook.document().step);
        let is_here = question.address.lesson == lesson.slug
            && cells_at(lesson, step).any(|cell| cell.id == question.address.cell);
        if !is_here || self.class.uncovered == shown {
            return;
        }
        self.class.uncovered = shown;
        let view = &mut self.view;
        view.enlarged = None;
        view.windows.contents_over = false;
        if view.bench.for_prose {
            view.bench.open = false;
        }
        view.presenter.reading.all_of(&lesson.slug, step, usize::MAX);
        if self.notebook.forms().open.is_some() {
            // Nothing can refuse that.
            let _ = self.notebook.navigate(&Navigation::Form(FormAct::Leave));
        }
    }

    /// As a student: goes back from a step that the teacher has not opened.
    fn stay_in_open_steps(&mut self) {
        let at = self.notebook.document().step;
        let slug = &self.notebook.lesson().slug;
        let state = self.view.classroom.student().and_then(|student| student.state());
        let open = state.filter(|state| !state.is_over).and_then(|state| state.open_steps.clone());
        let Some(open) = open.filter(|open| !open.allow(slug, at)) else { return };
        let step = if open.lesson == *slug { at.clamp(open.first, open.last) } else { open.first };
        let mut lessons = self.notebook.set.lessons.iter();
        let lesson = lessons.find(|lesson| lesson.slug == open.lesson);
        let step = lesson.and_then(|lesson| lesson.steps.get(step));
        let Some(step) = step else { return };
        let link = format!("bindpose://{}/{}", open.lesson, step.slug);
        if self.follow(&link).is_ok() {
            let (first, last) = (open.first + 1, open.last + 1);
            let steps = if first == last {
                format!("step {first} alone")
            } else {
                format!("steps {first} to {last}")
            };
            self.notices.say_instead(format!("Your teacher has opened {steps}, for now."));
        }
    }

    /// The strip, and what of the class lies over the page.
    pub(super) fn class_strip(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        if self.is_in_class() {
            self.strip_in_class(ui, commands);
        }
    }

    #[inline(never)]
    fn strip_in_class(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        let steps = (self.notebook.lesson().slug.clone(), self.notebook.lesson().steps.len());
        let (theme, class) = (&self.look.theme, &mut self.view.classroom);
        let leaves = classroom::strip(ui, theme, class, (steps, commands));
        if leaves {
            self.view.classroom = ClassroomView::default();
            self.class = ClassHost { left: true, ..ClassHost::default() };
        }
    }

    /// Everyone's pages, in the place of the page.
    #[inline(never)]
    pub(super) fn wall_in_class(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let request = self.with_page(edits, navigation, |notebook, page| {
            classroom::wall(ui, notebook, page, commands)
        });
        if let Some(request) = request {
            self.take_from_wall(ui.ctx(), &request);
        }
    }

    /// Over the page.
    pub(super) fn class_windows(&mut self, ctx: &Context) {
        if self.is_in_class() {
            self.windows_in_class(ctx);
        }
    }

    #[inline(never)]
    fn windows_in_class(&mut self, ctx: &Context) {
        let (theme, class) = (&self.look.theme, &mut self.view.classroom);
        classroom::name_window(ctx, theme, class);
        classroom::invitation(ctx, theme, class);
        if class.is_covered() {
            classroom::paused(ctx, theme);
        }
        if let Some(request) = classroom::report_window(ctx, theme, &mut class.report) {
            self.class.report = Some(request);
        }
        self.save_class_report(ctx);
    }

    /// What the teacher does with pages of the wall.
    fn take_from_wall(&mut self, ctx: &Context, request: &WallRequest) {
        let outcome = match request {
            WallRequest::Show(link) => self.follow(link),
            WallRequest::Compare([a, b]) => self.compare_pages(a, b),
            WallRequest::Send(link) => {
                if let Some(teacher) = self.view.classroom.teacher() {
                    teacher.send(link);
                }
                self.notices.say_instead("Every page shows it now.");
                Ok(())
            }
        };
        match outcome {
            Ok(()) => self.view.classroom.wall = None,
            Err(why) => self.notices.wrong(format!("This can’t be shown here: {why}.")),
        }
        ctx.request_repaint();
    }

    /// Puts two pages on this one as A and B, with their pictures and their difference.
    ///
    /// Fails in words.
    fn compare_pages(&mut self, a: &str, b: &str) -> Result<(), String> {
        self.follow(a)?;
        let other = self.notebook.read_aside(b);
        let other = other.ok_or("the two pages stand on different models")?;
        self.keep(PageSnapshot::A);
        let rig = &self.notebook.derived().stored_rig;
        self.view.bench.snapshots.keep(PageSnapshot::B, &other, rig);
        (self.view.bench.open, self.view.bench.pictures) = (true, true);
        self.notices.say_instead("A and B on the bench are the two pages.");
        Ok(())
    }

    /// After a frame: the room hears what has changed, now or soon.
    pub(super) fn tell_class(&mut self, ctx: &Context, by_hand: bool) {
        if self.is_in_class() {
            self.tell_in_class(ctx, by_hand);
        }
    }

    #[inline(never)]
    fn tell_in_class(&mut self, ctx: &Context, by_hand: bool) {
        self.class.by_hand |= by_hand;
        let leads = self.view.classroom.leads();
        if self.class.changes != self.changes && !self.is_on_cover() {
            let now_secs = ctx.input(|input| input.time);
            let wait_secs = self.class.next_secs - now_secs;
            if wait_secs > 0.0 {
                ctx.request_repaint_after_secs(wait_secs as f32);
            } else {
                self.class.next_secs = now_secs + TELL_SECS[usize::from(!leads)];
                self.class.changes = self.changes;
                let by_hand = std::mem::take(&mut self.class.by_hand);
                self.tell_class_where(by_hand);
            }
        }
        let unsaid = match &mut self.view.classroom.part {
            ClassPart::None => None,
            ClassPart::Student(student) => student.take_unsaid(),
            ClassPart::Teacher(teacher) => teacher.take_unsaid(),
        };
        let Some(said) = unsaid else { return };
        #[cfg(not(target_arch = "wasm32"))]
        if let Some(window) = &self.class.window {
            window.teacher.say(said);
            return;
        }
        self.class.said.push(said);
    }

    fn tell_class_where(&mut self, by_hand: bool) {
        let link = self.notebook.link();
        match &mut self.view.classroom.part {
            ClassPart::None => {}
            ClassPart::Student(student) => {
                student.is_at(&link, by_hand);
                tell_progress(student, &self.notebook);
            }
            ClassPart::Teacher(teacher) => teacher.is_at(&link),
        }
    }

    /// The invitation covers the whole page: of keys, those of the class and of the whole
    /// window are left.
    pub(super) fn leave_to_invitation(&self, commands: &mut Vec<Command>) {
        use Command as C;
        let class = &self.view.classroom;
        if !class.invites || class.invitation.is_none() {
            return;
        }
        commands.retain(|command| {
            matches!(command, C::InviteClass | C::CallClass | C::EyesUp | C::AskClass)
                || matches!(command, C::ClassWall | C::Present | C::Blank | C::Escape)
                || matches!(command, C::Motion | C::Theme)
                || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset)
        });
    }

    /// What keys and buttons ask of the class; nothing where there is none.
    pub(super) fn class_command(&mut self, ctx: &Context, command: Command) {
        if command == Command::InviteClass {
            self.invite_class(ctx);
        } else if self.view.classroom.leads() {
            self.lead_in_class(ctx, command);
        }
    }

    #[inline(never)]
    fn lead_in_class(&mut self, ctx: &Context, command: Command) {
        let class = &mut self.view.classroom;
        // Pages and question are in sight when they are asked for.
        class.invites &= !matches!(command, Command::ClassWall | Command::AskClass);
        let Some(teacher) = class.teacher() else { return };
        match command {
            Command::ClassWall => class.turn_wall(),
            Command::CallClass => teacher.call(),
            Command::EyesUp => {
                let is_paused = teacher.state().is_paused;
                teacher.pause(!is_paused);
            }
            _ => {
                let goes_on = teacher.state().question.is_some();
                let first = if goes_on { None } else { self.question_for_class() };
                self.view.classroom.ask_or_go_on(first);
                self.uncover_question();
                self.show_question_to_class(ctx);
            }
        }
    }

    /// The first question of the step that the class has not answered.
    fn question_for_class(&mut self) -> Option<QuestionAddress> {
        let document = self.notebook.document();
        let lesson = self.notebook.lesson();
        let asks = |kind: &CellKind| match kind {
            CellKind::Ask(_) | CellKind::Predict(_) | CellKind::Check(_) => true,
            CellKind::Faults(faults) => faults.diagnose,
            _ => false,
        };
        let cells = cells_at(lesson, document.step).filter(|cell| asks(&cell.kind));
        let addresses: Vec<QuestionAddress> =
            cells.map(|cell| classroom::question_address(lesson, document, &cell.id)).collect();
        if addresses.is_empty() {
            self.notices.say("This step has no question to ask.");
        }
        let teacher = self.view.classroom.teacher()?;
        let is_new = |address: &&QuestionAddress| teacher.tally(address).is_empty();
        addresses.iter().find(is_new).or(addresses.first()).cloned()
    }

    /// Where a guess is asked for, the teacher's picture does not show what becomes of the
    /// vertex, and where it is revealed it does.
    fn show_question_to_class(&mut self, ctx: &Context) {
        let Some(question) = self.view.classroom.question() else { return };
        let document = self.notebook.document();
        let cells = cells_at(self.notebook.lesson(), document.step);
        let set = cells.filter(|cell| cell.id == question.address.cell).find_map(|cell| {
            let CellKind::Predict(drawn) = &cell.kind else { return None };
            Some(drawn.with(document.draw_of(&cell.id)).set.0.clone())
        });
        let edit = match (set, question.phase) {
            (Some(set), QuestionPhase::Answering) => Edit::ResetSettings(set),
            (Some(set), QuestionPhase::Revealed) => Edit::Settings(set),
            _ => return,
        };
        let (before, now_secs) = (document.clone(), ctx.input(|input| input.time));
        if self.notebook.edit(&edit, self.gesture).is_ok() {
            self.view.playing.move_from(&before, now_secs);
        }
    }

    /// Shows the invitation or puts it away; a window without a class begins one.
    fn invite_class(&mut self, ctx: &Context) {
        #[cfg(not(target_arch = "wasm32"))]
        if !self.is_in_class() {
            match WindowClass::begin(ctx) {
                Ok((window, teacher)) => {
                    let class = &mut self.view.classroom;
                    class.part = ClassPart::Teacher(Box::new(teacher));
                    class.take_invitation(window.invitation());
                    class.invites = true;
                    if window.goes_on {
                        self.notices.say("The class that was interrupted goes on.");
                    }
                    self.class.window = Some(window);
                }
                Err(why) => self.notices.wrong(why),
            }
            self.changes += 1;
            return;
        }
        let _ = ctx;
        let class = &mut self.view.classroom;
        match class.part {
            ClassPart::Teacher(_) => {
                class.invites = !class.invites;
                // The computer may have come into another network.
                #[cfg(not(target_arch = "wasm32"))]
                if let Some(window) = self.class.window.as_ref().filter(|_| class.invites) {
                    class.take_invitation(window.invitation());
                }
            }
            ClassPart::Student(_) => {}
            ClassPart::None => self.notices.say(
                "A class is begun in the Bindpose program, or by `bindpose class --lan`: students \
                 come to the computer where that runs.",
            ),
        }
    }
}
