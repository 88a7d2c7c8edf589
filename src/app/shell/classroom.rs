//! The class in the program: what a page hears and says in it, and, in a window, the
//! server that its students come to.

use bindpose_classroom::{
    MemberKey, QuestionAddress, QuestionPhase, RoomCode, Said, StudentClient, StudentRecord,
    TeacherClient, TeacherSecret, Told,
};
use bindpose_lesson::CellKind;
use bindpose_notebook::Edit;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_page::classroom::{self, ClassPart};
use bindpose_page::command::Command;
use eframe::egui::{Context, Ui};

use super::Shell;

/// The teacher's page is told at most that often while it changes, and the students'.
const TELL_SECS: [f64; 2] = [0.05, 0.3];

/// What of the class does not belong to the page's view.
#[derive(Default)]
pub(super) struct ClassHost {
    /// What the room is to hear, for who has the line.
    said: Vec<Said>,
    /// [`Shell::changes`] when the page was last looked at.
    changes: u64,
    /// Has the reader changed something since then?
    by_hand: bool,
    /// When it may be looked at again.
    next_secs: f64,
    #[cfg(not(target_arch = "wasm32"))]
    window: Option<WindowClass>,
}

/// The class of a window: its students come to this program.
#[cfg(not(target_arch = "wasm32"))]
struct WindowClass {
    /// Runs as long as this is here.
    _server: bindpose_server::WebServer,
    teacher: bindpose_server::LocalTeacher,
}

/// News of the class, from whoever has the line.
#[derive(Debug, PartialEq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ClassNews {
    /// The page is a student's.
    Come {
        /// The room's.
        code: RoomCode,
        /// The student's own.
        key: MemberKey,
        /// What its browser kept.
        #[serde(default)]
        record: StudentRecord,
    },
    /// The page is the teacher's.
    Lead {
        /// The room's.
        code: RoomCode,
        /// Which makes the teacher.
        secret: TeacherSecret,
    },
    /// The line is there: it begins with a hello.
    Open,
    /// It is gone, and tried again.
    Lost,
    /// What the room tells.
    Told {
        /// That.
        told: Told,
    },
}

impl Shell {
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
                if let Told::Leading { invitation } = &told {
                    class.invitation = Some(invitation.clone());
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
    pub fn take_said_to_class(&mut self) -> Vec<Said> {
        std::mem::take(&mut self.class.said)
    }

    /// Before the page is laid out: it goes where the class is.
    pub(super) fn go_with_class(&mut self) {
        #[cfg(not(target_arch = "wasm32"))]
        while let Some(told) = self.class.window.as_mut().and_then(|it| it.teacher.take_news()) {
            self.hear_of_class(ClassNews::Told { told });
        }
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

    /// The strip, and what of the class lies over the page.
    pub(super) fn class_strip(&mut self, ui: &mut Ui, commands: &mut Vec<Command>) {
        classroom::strip(ui, &self.look.theme, &mut self.view.classroom, commands);
    }

    /// Over the page.
    pub(super) fn class_windows(&mut self, ctx: &Context) {
        let (theme, class) = (&self.look.theme, &mut self.view.classroom);
        classroom::name_window(ctx, theme, class);
        classroom::invitation(ctx, theme, class);
        if class.is_covered() {
            classroom::paused(ctx, theme);
        }
    }

    /// After a frame: the room hears what has changed, now or soon.
    pub(super) fn tell_class(&mut self, ctx: &Context, by_hand: bool) {
        if matches!(self.view.classroom.part, ClassPart::None) {
            return;
        }
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
            ClassPart::Student(student) => student.is_at(&link, by_hand),
            ClassPart::Teacher(teacher) => teacher.is_at(&link),
        }
    }

    /// What keys and buttons ask of the class; nothing where there is none.
    pub(super) fn class_command(&mut self, ctx: &Context, command: Command) {
        if command == Command::InviteClass {
            self.invite_class(ctx);
            return;
        }
        let first = self.question_for_class();
        let class = &mut self.view.classroom;
        let Some(teacher) = class.teacher() else { return };
        match command {
            Command::CallClass => teacher.call(),
            Command::EyesUp => {
                let is_paused = teacher.state().is_paused;
                teacher.pause(!is_paused);
            }
            _ => {
                class.ask_or_go_on(first);
                self.show_truth_to_class(ctx);
            }
        }
    }

    /// The first question of the step that the class has not answered.
    fn question_for_class(&mut self) -> Option<QuestionAddress> {
        let document = self.notebook.document();
        let lesson = self.notebook.lesson();
        let asks = |kind: &CellKind| {
            matches!(kind, CellKind::Ask(_) | CellKind::Predict(_) | CellKind::Check(_))
        };
        let cells = cells_at(lesson, document.step).filter(|cell| asks(&cell.kind));
        let addresses: Vec<QuestionAddress> = cells
            .map(|cell| QuestionAddress {
                lesson: lesson.slug.clone(),
                cell: cell.id.clone(),
                draw: u32::try_from(document.draw_of(&cell.id)).unwrap_or(u32::MAX),
            })
            .collect();
        if addresses.is_empty() && self.view.classroom.leads() {
            self.notices.say("This step has no question to ask.");
        }
        let teacher = self.view.classroom.teacher()?;
        let is_new = |address: &&QuestionAddress| teacher.tally(address).is_empty();
        addresses.iter().find(is_new).or(addresses.first()).cloned()
    }

    /// Where a guess is revealed, the teacher's picture shows what becomes of the vertex.
    fn show_truth_to_class(&mut self, ctx: &Context) {
        let Some(question) = self.view.classroom.question() else { return };
        if question.phase != QuestionPhase::Revealed {
            return;
        }
        let document = self.notebook.document();
        let cells = cells_at(self.notebook.lesson(), document.step);
        let set = cells.filter(|cell| cell.id == question.address.cell).find_map(|cell| {
            let CellKind::Predict(drawn) = &cell.kind else { return None };
            Some(drawn.with(document.draw_of(&cell.id)).set.0.clone())
        });
        let Some(set) = set else { return };
        let (before, now_secs) = (document.clone(), ctx.input(|input| input.time));
        if self.notebook.edit(&Edit::Settings(set), self.gesture).is_ok() {
            self.view.playing.move_from(&before, now_secs);
        }
    }

    /// Shows the invitation or puts it away; a window without a class begins one.
    fn invite_class(&mut self, ctx: &Context) {
        #[cfg(not(target_arch = "wasm32"))]
        if matches!(self.view.classroom.part, ClassPart::None) {
            match WindowClass::begin(ctx) {
                Ok((window, teacher, invitation)) => {
                    self.class.window = Some(window);
                    self.view.classroom.part = ClassPart::Teacher(Box::new(teacher));
                    self.view.classroom.invitation = Some(invitation);
                    self.view.classroom.invites = true;
                }
                Err(why) => self.notices.wrong(why),
            }
            self.changes += 1;
            return;
        }
        let _ = ctx;
        let class = &mut self.view.classroom;
        match class.part {
            ClassPart::Teacher(_) => class.invites = !class.invites,
            ClassPart::Student(_) => {}
            ClassPart::None => self.notices.say(
                "A class is begun in the Bindpose program, or by `bindpose class --lan`: students \
                 come to the computer where that runs.",
            ),
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl WindowClass {
    /// Opens a room in this network.
    ///
    /// Fails in words, where there are no pages, or no port.
    fn begin(
        ctx: &Context,
    ) -> Result<(Self, TeacherClient, bindpose_classroom::Invitation), String> {
        use bindpose_server::{ServedFolder, ServerOptions, SharedRoom, WebServer, usual_folder};
        let folder = usual_folder().ok_or(
            "A class needs the notebook’s pages for browsers beside this program. `cargo xtask \
             web` makes them.",
        )?;
        let site = ServedFolder::open(&folder)
            .map_err(|why| format!("The notebook’s pages for browsers can’t be read: {why}."))?;
        let room = SharedRoom::with_new_code()
            .map_err(|why| format!("The system gives no random numbers for a code: {why}."))?;
        let served = Some(room.clone().into());
        let options = ServerOptions { site, port: PORT, lan: true, room: served };
        let server = WebServer::start(options).or_else(|_| {
            let site = ServedFolder::open(&folder)?;
            let served = Some(room.clone().into());
            let options = ServerOptions { site, port: 0, lan: true, room: served };
            WebServer::start(options)
        });
        let server = server.map_err(|why| format!("No port can be listened on: {why}."))?;
        let (teacher, waking) = (TeacherClient::new(room.code(), room.secret()), ctx.clone());
        let local = room.local_teacher(move || waking.request_repaint());
        Ok((Self { _server: server, teacher: local }, teacher, room.invitation()))
    }
}

/// Where a class is usually found; any other if it is taken.
#[cfg(not(target_arch = "wasm32"))]
const PORT: u16 = 8080;
