//! The teacher's window: notes of the open step, the next step, the time. It follows the
//! open step, and is never drawn within the projected window. In a browser it is a separate
//! page that exchanges messages with the notebook.

use std::collections::BTreeMap;
use std::time::Duration;

use bindpose_notebook::Navigation;
use bindpose_page::command::Command;
use bindpose_page::presenter_notes;
use eframe::egui::{
    CentralPanel, Context, Frame, Margin, Ui, Vec2, ViewportBuilder, ViewportClass, ViewportId,
    vec2,
};

use super::Shell;
use crate::app::host;
use crate::app::keys::{self, KeyOwner};
use crate::app::teachers_message::TeachersMessage;

/// Interval between two updates of the clock.
const CLOCK_INTERVAL: Duration = Duration::from_secs(20);
const WINDOW_SIZE: Vec2 = vec2(560.0, 640.0);
/// Size of the window's frame and the desktop's bars, in points.
const WINDOW_SURROUNDINGS: Vec2 = vec2(16.0, 96.0);

impl Shell {
    /// Counts the time while somebody teaches, and draws the window if it is open.
    pub(super) fn draw_teachers_window(&mut self, ctx: &Context) {
        self.update_lesson_time(ctx);
        if host::HAS_TEACHERS_PAGE {
            return;
        }
        // If egui has one window only, that one is projected.
        let is_projected = self.view.presenting && ctx.embed_viewports();
        let id = window_id();
        if !self.windows.notes || is_projected {
            // The window closes with the first frame that does not draw it. A frame in which
            // a key closes it has drawn it before, so one more is needed.
            if ctx.input(|input| input.raw.viewports.contains_key(&id)) {
                ctx.request_repaint();
            }
            return;
        }
        // With presenter mode's text size it can be higher than a projector's screen.
        let screen = ctx.input(|input| input.viewport().monitor_size);
        let max_size = screen.map_or(Vec2::INFINITY, |screen| screen - WINDOW_SURROUNDINGS);
        let builder = ViewportBuilder::default()
            .with_title("Bindpose: teacher’s notes")
            .with_inner_size(WINDOW_SIZE.min(max_size))
            .with_min_inner_size([320.0, 240.0]);
        ctx.show_viewport_immediate(id, builder, |ui, class| {
            let has_own_window = class != ViewportClass::EmbeddedWindow;
            if has_own_window {
                self.opening.collect_drops(ui.ctx());
                let pressed =
                    keys::take_pressed_commands(ui.ctx(), KeyOwner::focused_control(ui.ctx()));
                // The reader's own note would open on the projection.
                let commands = &mut self.requests.commands;
                commands.extend(pressed.into_iter().filter(|&command| command != Command::OwnNote));
                if ui.input(|input| input.viewport().close_requested()) {
                    self.windows.notes = false;
                }
            }
            let margin = if has_own_window { 20 } else { 0 };
            self.draw_teachers_notes(ui, margin);
        });
    }

    /// Draws notes, next step and time into all of `ui`. `margin` is in points.
    pub(super) fn draw_teachers_notes(&mut self, ui: &mut Ui, margin: i8) {
        let now_secs = ui.input(|input| input.time);
        let paper = Frame::NONE.fill(self.appearance.theme.paper);
        let frame = paper.inner_margin(Margin::same(margin));
        CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            let mut time = std::mem::take(&mut self.timing.lesson);
            self.with_text_of_page(|notebook, page| {
                let mut context = presenter_notes::NotesContext {
                    clock: host::format_local_time(),
                    time: &mut time,
                    now_secs,
                    next: notebook.next_words(),
                    next_minutes: notebook.next_minutes(),
                    route: presenter_notes::FollowedRoute::of(notebook),
                };
                presenter_notes::ui(ui, page, &mut context);
            });
            self.timing.lesson = time;
        });
        ui.ctx().request_repaint_after(CLOCK_INTERVAL);
    }
}

fn window_id() -> ViewportId {
    ViewportId::from_hash_of("teacher's notes")
}

impl Shell {
    /// Returns true if the teacher's window should be open. In a browser the caller opens it.
    pub fn is_teachers_window_open(&self) -> bool {
        self.windows.notes
    }

    /// Records that the window was opened or closed.
    pub fn set_teachers_window(&mut self, open: bool) {
        self.windows.notes = open;
    }

    /// Returns the state that the teacher's window has to show.
    pub fn teachers_state(&self, now_secs: f64) -> TeachersMessage {
        // Whole seconds, because the window counts by itself and needs no message for less.
        let used_secs = self
            .timing
            .lesson
            .used_secs(now_secs)
            .map(|((lesson, step), secs)| (lesson.clone(), *step, secs.floor()))
            .collect();
        TeachersMessage::State {
            link: self.notebook.link(),
            teaching: self.view.presenting || self.windows.notes,
            used_secs,
        }
    }

    /// Applies a message of the teacher's window. For the notebook.
    pub fn handle_window_request(&mut self, ctx: &Context, request: TeachersMessage) {
        match request {
            TeachersMessage::Next => self.run_command(ctx, Command::Next),
            TeachersMessage::Back => self.run_command(ctx, Command::Back),
            TeachersMessage::Go { link } => {
                if let Err(why) = self.open_link(&link) {
                    self.show_error(why);
                }
            }
            TeachersMessage::BeginTime => {
                let now_secs = ctx.input(|input| input.time);
                self.timing.lesson.begin_anew(now_secs);
            }
            TeachersMessage::Hello => self.windows.notes = true,
            TeachersMessage::Bye => self.windows.notes = false,
            TeachersMessage::State { .. } => {}
        }
        self.changes += 1;
        ctx.request_repaint();
    }

    /// Shows the state of the notebook. For the teacher's window.
    pub fn apply_notebook_state(&mut self, ctx: &Context, state: &TeachersMessage) {
        let TeachersMessage::State { link, teaching, used_secs } = state else {
            return;
        };
        if *link != self.notebook.link() {
            // The reader's own model is not loaded in this window; the notes do not need it.
            let _ = self.notebook.follow(link, self.gesture);
        }
        self.host.teacher.link = self.notebook.link();
        self.windows.notes = *teaching;
        let now_secs = ctx.input(|input| input.time);
        let used: BTreeMap<_, _> =
            used_secs.iter().map(|(lesson, step, secs)| ((lesson.clone(), *step), *secs)).collect();
        self.timing.lesson.know(used, now_secs);
        ctx.request_repaint();
    }

    /// Forwards the navigation of buttons, keys and links to the notebook instead of applying
    /// it here. For the teacher's window.
    fn forward_to_notebook(&mut self) {
        self.requests.commands.retain(|command| {
            let request = match command {
                Command::Next | Command::ReadOn | Command::GoOn => TeachersMessage::Next,
                Command::Back | Command::ReadBack => TeachersMessage::Back,
                _ => return true,
            };
            self.host.teacher.pending_requests.push(request);
            false
        });
        for target in std::mem::take(&mut self.requests.navigation) {
            if let Navigation::Go(page) = target {
                self.host.teacher.pending_requests.push(TeachersMessage::Go { link: page.link() });
            }
        }
    }

    /// Draws the notes into the whole page. For the teacher's window.
    pub(super) fn draw_notes_only(&mut self, ui: &mut Ui) {
        self.update_lesson_time(ui.ctx());
        let old_time = self.timing.lesson.clone();
        self.draw_teachers_notes(ui, 20);
        if self.timing.lesson != old_time {
            self.host.teacher.pending_requests.push(TeachersMessage::BeginTime);
        }
        self.forward_to_notebook();
    }

    /// Takes the requests to the notebook since the last call.
    pub fn take_notebook_requests(&mut self) -> Vec<TeachersMessage> {
        let link = self.notebook.link();
        if !self.host.teacher.link.is_empty() && self.host.teacher.link != link {
            // The reader has set a value in the notes.
            self.host.teacher.link.clone_from(&link);
            self.host.teacher.pending_requests.push(TeachersMessage::Go { link });
        }
        std::mem::take(&mut self.host.teacher.pending_requests)
    }
}

#[cfg(test)]
mod tests {
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, Modifiers, ViewportInfo};
    use egui_kittest::kittest::Queryable as _;

    use super::window_id;
    use crate::app::testing::page;

    const NOTES: &str = "Bindpose: teacher’s notes";

    #[test]
    fn the_same_key_opens_and_closes_the_window() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        for open in [true, false, true, false] {
            harness.press_with(Modifiers::COMMAND, Key::N);
            assert_eq!(harness.query_by_label(NOTES).is_some(), open);
        }
    }

    #[test]
    fn frames_are_requested_until_a_closed_window_is_gone() {
        let mut harness = page([1280.0, 800.0], Vec::new());
        let info = ViewportInfo::default();
        harness.input_mut().viewports.insert(window_id(), info);
        assert!(harness.try_run().is_err(), "the window is still open");
        harness.input_mut().viewports.remove(&window_id());
        assert!(harness.try_run().is_ok(), "nothing is left to do");
    }
}

#[cfg(test)]
mod teachers_page_tests {
    use bindpose_notebook::link::PagePart;
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::Key;
    use egui_kittest::kittest::Queryable as _;

    use crate::app::teachers_message::TeachersMessage as M;
    use crate::app::testing::page;

    #[test]
    fn the_window_follows_the_notebook_and_requests_the_next_step() {
        let mut notebook = page([1280.0, 800.0], Vec::new());
        let mut window = page([560.0, 640.0], Vec::new());
        let shell = notebook.state_mut().shell();
        shell.open_link("bindpose://bone-grid").unwrap();
        shell.set_teachers_window(true);
        notebook.run();
        let ctx = window.ctx.clone();
        let shell = window.state_mut().shell();
        shell.set_part(PagePart::TeachersWindow, None);
        shell.apply_notebook_state(&ctx, &notebook.state_mut().shell().teachers_state(0.0));
        window.run();
        let title = |step: usize| {
            let set = bindpose_lesson::LessonSet::embedded();
            let mut lessons = set.lessons.into_iter();
            let lesson = lessons.find(|lesson| lesson.slug == "bone-grid").unwrap();
            lesson.steps[step].title.clone()
        };
        window.get_by_label(&title(0));

        // It turns no page itself.
        window.click_label("Next");
        window.press(Key::ArrowRight);
        window.get_by_label(&title(0));
        let requests = window.state_mut().shell().take_notebook_requests();
        assert_eq!(requests, [M::Next, M::Next]);

        let ctx = notebook.ctx.clone();
        for request in requests {
            notebook.state_mut().shell().handle_window_request(&ctx, request);
        }
        let state = notebook.state_mut().shell().teachers_state(0.0);
        let ctx = window.ctx.clone();
        window.state_mut().shell().apply_notebook_state(&ctx, &state);
        window.run();
        window.get_by_label(&title(2));
        let ctx = notebook.ctx.clone();
        notebook.state_mut().shell().handle_window_request(&ctx, M::Bye);
        assert!(!notebook.state_mut().shell().is_teachers_window_open());
    }
}
