//! The teacher's window: notes of the step in sight, what comes next, the time. It follows
//! the steps, and never stands within the projected window. In a browser it is a page of its
//! own: what the notebook tells it, and what it asks of the notebook.

use std::collections::BTreeMap;
use std::time::Duration;

use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::Command;
use bindpose_page::presenter_notes;
use eframe::egui::{
    CentralPanel, Context, Frame, Margin, Ui, Vec2, ViewportBuilder, ViewportClass, ViewportId,
    vec2,
};

use super::Shell;
use crate::app::keys::{self, KeyOwner};
use crate::app::teachers_message::TeachersMessage;

/// Between two looks at the clock.
const TICK: Duration = Duration::from_secs(20);
const SIZE: Vec2 = vec2(560.0, 640.0);
/// Of a window and a desktop's bars, beside what is in the window.
const AROUND: Vec2 = vec2(16.0, 96.0);

impl Shell {
    /// Counts the time while somebody teaches, and shows the window if it is open.
    pub(super) fn teachers_window(
        &mut self,
        ctx: &Context,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        self.count_time(ctx);
        if cfg!(target_arch = "wasm32") {
            // A page of its own, which the browser opens: see `teachers_page`.
            return;
        }
        // Where there is one window only, it is the one that is projected.
        let is_projected = self.view.presenting && ctx.embed_viewports();
        let id = window_id();
        if !self.view.windows.notes || is_projected {
            // A window goes with the first frame in which no layout shows it: the one
            // in which a key has closed it has shown it before.
            if ctx.input(|input| input.raw.viewports.contains_key(&id)) {
                ctx.request_repaint();
            }
            return;
        }
        // At the size of presenter mode's type it may be higher than a projector's screen.
        let screen = ctx.input(|input| input.viewport().monitor_size);
        let room = screen.map_or(Vec2::INFINITY, |screen| screen - AROUND);
        let builder = ViewportBuilder::default()
            .with_title("Bindpose: teacher’s notes")
            .with_inner_size(SIZE.min(room))
            .with_min_inner_size([320.0, 240.0]);
        ctx.show_viewport_immediate(id, builder, |ui, class| {
            let own = class != ViewportClass::EmbeddedWindow;
            if own {
                let pressed = keys::pressed(ui.ctx(), KeyOwner::whatever_has_the_focus(ui.ctx()));
                // The reader's own note would open on the projection.
                commands.extend(pressed.into_iter().filter(|&one| one != Command::OwnNote));
                if ui.input(|input| input.viewport().close_requested()) {
                    self.view.windows.notes = false;
                }
            }
            let margin = if own { 20 } else { 0 };
            self.teachers_notes(ui, margin, commands, edits, navigation);
        });
    }

    /// Notes, what comes next and the time, in all of `ui`; `margin` in points.
    pub(super) fn teachers_notes(
        &mut self,
        ui: &mut Ui,
        margin: i8,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let now_secs = ui.input(|input| input.time);
        let paper = Frame::NONE.fill(self.look.theme.paper);
        let frame = paper.inner_margin(Margin::same(margin));
        CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            let mut time = std::mem::take(&mut self.timing.lesson);
            self.with_text_of_page(edits, navigation, |notebook, page| {
                let mut context = presenter_notes::NotesContext {
                    clock: clock(),
                    time: &mut time,
                    now_secs,
                    next: notebook.next_words(),
                    next_minutes: notebook.next_minutes(),
                    route: presenter_notes::FollowedRoute::of(notebook),
                    commands,
                };
                presenter_notes::ui(ui, page, &mut context);
            });
            self.timing.lesson = time;
        });
        ui.ctx().request_repaint_after(TICK);
    }
}

fn window_id() -> ViewportId {
    ViewportId::from_hash_of("teacher's notes")
}

/// The time of day where the teacher is: `10:42`.
fn clock() -> String {
    #[cfg(not(target_arch = "wasm32"))]
    {
        jiff::Zoned::now().strftime("%H:%M").to_string()
    }
    #[cfg(target_arch = "wasm32")]
    {
        let now = js_sys::Date::new_0();
        format!("{:02}:{:02}", now.get_hours(), now.get_minutes())
    }
}

impl Shell {
    /// Is the teacher's window wanted? In a browser somebody else opens it.
    pub fn has_teachers_window(&self) -> bool {
        self.view.windows.notes
    }

    /// It was opened or closed.
    pub fn set_teachers_window(&mut self, open: bool) {
        self.view.windows.notes = open;
    }

    /// What the teacher's window shows now.
    pub fn teachers_state(&self, now_secs: f64) -> TeachersMessage {
        let used = self.timing.lesson.used_secs(now_secs);
        // Whole seconds: a window that counts itself needs no message for less.
        let used = used.map(|((lesson, step), secs)| (lesson.clone(), *step, secs.floor()));
        TeachersMessage::State {
            link: self.notebook.link(),
            teaching: self.view.presenting || self.view.windows.notes,
            used_secs: used.collect(),
        }
    }

    /// As the notebook: does what the teacher's window asks for.
    pub fn take_request(&mut self, ctx: &Context, asked: TeachersMessage) {
        match asked {
            TeachersMessage::Next => self.command(ctx, Command::Next),
            TeachersMessage::Back => self.command(ctx, Command::Back),
            TeachersMessage::Go { link } => {
                if let Err(why) = self.follow(&link) {
                    self.warn(why);
                }
            }
            TeachersMessage::BeginTime => {
                let now_secs = ctx.input(|input| input.time);
                self.timing.lesson.begin_anew(now_secs);
            }
            TeachersMessage::Hello => self.view.windows.notes = true,
            TeachersMessage::Bye => self.view.windows.notes = false,
            TeachersMessage::State { .. } => {}
        }
        self.changes += 1;
        ctx.request_repaint();
    }

    /// As the teacher's window: shows what the notebook has open.
    pub fn take_state(&mut self, ctx: &Context, state: &TeachersMessage) {
        let TeachersMessage::State { link, teaching, used_secs } = state else {
            return;
        };
        if *link != self.notebook.link() {
            // A model of the reader's own is not here; the notes do without.
            let _ = self.notebook.follow(link, self.gesture);
        }
        self.host.teacher.link = self.notebook.link();
        self.view.windows.notes = *teaching;
        let now_secs = ctx.input(|input| input.time);
        let used = used_secs.iter();
        let used: BTreeMap<_, _> =
            used.map(|(lesson, step, secs)| ((lesson.clone(), *step), *secs)).collect();
        self.timing.lesson.know(used, now_secs);
        ctx.request_repaint();
    }

    /// As the teacher's window: what its buttons, keys and links ask of the notebook,
    /// instead of doing it here.
    fn ask_notebook(&mut self, commands: &mut Vec<Command>, moves: &[Navigation]) {
        commands.retain(|command| {
            let asked = match command {
                Command::Next | Command::ReadOn | Command::GoOn => TeachersMessage::Next,
                Command::Back | Command::ReadBack => TeachersMessage::Back,
                _ => return true,
            };
            self.host.teacher.asked.push(asked);
            false
        });
        for one in moves {
            if let Navigation::Go(page) = one {
                self.host.teacher.asked.push(TeachersMessage::Go { link: page.link() });
            }
        }
    }

    /// As the teacher's window: notes, in all of it.
    pub(super) fn notes_alone(
        &mut self,
        ui: &mut Ui,
        commands: &mut Vec<Command>,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        self.count_time(ui.ctx());
        let before = self.timing.lesson.clone();
        self.teachers_notes(ui, 20, commands, edits, navigation);
        if self.timing.lesson != before {
            self.host.teacher.asked.push(TeachersMessage::BeginTime);
        }
        self.ask_notebook(commands, navigation);
        navigation.clear();
    }

    /// What is asked of the notebook since this was last called.
    pub fn take_asked_of_notebook(&mut self) -> Vec<TeachersMessage> {
        let link = self.notebook.link();
        if !self.host.teacher.link.is_empty() && self.host.teacher.link != link {
            // A value in the notes was set.
            self.host.teacher.link.clone_from(&link);
            self.host.teacher.asked.push(TeachersMessage::Go { link });
        }
        std::mem::take(&mut self.host.teacher.asked)
    }
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Key, Modifiers, ViewportInfo};
    use egui_kittest::kittest::Queryable as _;

    use super::window_id;
    use crate::app::testing::page;

    const NOTES: &str = "Bindpose: teacher’s notes";

    #[test]
    fn the_same_key_opens_and_closes_the_window() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        for open in [true, false, true, false] {
            harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
            harness.run();
            assert_eq!(harness.query_by_label(NOTES).is_some(), open);
        }
    }

    #[test]
    fn frames_come_until_a_closed_window_is_gone() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        let info = ViewportInfo::default();
        harness.input_mut().viewports.insert(window_id(), info);
        assert!(harness.try_run().is_err(), "it still stands there");
        harness.input_mut().viewports.remove(&window_id());
        assert!(harness.try_run().is_ok(), "nothing is left to do");
    }
}

#[cfg(test)]
mod teachers_page_tests {
    use bindpose_notebook::link::PagePart;
    use eframe::egui::Key;
    use egui_kittest::kittest::Queryable as _;

    use crate::app::teachers_message::TeachersMessage as M;
    use crate::app::testing::page;

    #[test]
    fn the_window_follows_the_notebook_and_asks_it_for_the_next_step() {
        let mut notebook = page([1280.0, 800.0], Vec::new());
        let mut window = page([560.0, 640.0], Vec::new());
        let shell = notebook.state_mut().shell();
        shell.follow("bindpose://bone-grid").unwrap();
        shell.set_teachers_window(true);
        notebook.run();
        let ctx = window.ctx.clone();
        let shell = window.state_mut().shell();
        shell.show_only(PagePart::TeachersWindow, None);
        shell.take_state(&ctx, &notebook.state_mut().shell().teachers_state(0.0));
        window.run();
        let title = |step: usize| {
            let set = bindpose_lesson::LessonSet::embedded();
            let mut lessons = set.lessons.into_iter();
            let lesson = lessons.find(|lesson| lesson.slug == "bone-grid").unwrap();
            lesson.steps[step].title.clone()
        };
        window.get_by_label(&title(0));

        // It turns no page itself.
        window.get_by_label("Next").click();
        window.run();
        window.key_press(Key::ArrowRight);
        window.run();
        window.get_by_label(&title(0));
        let asked = window.state_mut().shell().take_asked_of_notebook();
        assert_eq!(asked, [M::Next, M::Next]);

        let ctx = notebook.ctx.clone();
        for one in asked {
            notebook.state_mut().shell().take_request(&ctx, one);
        }
        let state = notebook.state_mut().shell().teachers_state(0.0);
        let ctx = window.ctx.clone();
        window.state_mut().shell().take_state(&ctx, &state);
        window.run();
        window.get_by_label(&title(2));
        let ctx = notebook.ctx.clone();
        notebook.state_mut().shell().take_request(&ctx, M::Bye);
        assert!(!notebook.state_mut().shell().has_teachers_window());
    }
}
