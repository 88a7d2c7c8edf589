//! The teacher's window as a page of its own, which a browser opens: what the notebook
//! tells it, and what it asks of the notebook.

use std::collections::BTreeMap;

use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::Command;
use eframe::egui::{Context, Ui};

use super::Shell;
use crate::app::teachers_message::TeachersMessage;

impl Shell {
    /// Is the teacher's window wanted? In a browser somebody else opens it.
    pub fn has_teachers_window(&self) -> bool {
        self.view.notes
    }

    /// It was opened or closed.
    pub fn set_teachers_window(&mut self, open: bool) {
        self.view.notes = open;
    }

    /// What the teacher's window shows now.
    pub fn teachers_state(&self, now_secs: f64) -> TeachersMessage {
        let used = self.lesson_time.used_secs(now_secs);
        // Whole seconds: a window that counts itself needs no message for less.
        let used = used.map(|((lesson, step), secs)| (lesson.clone(), *step, secs.floor()));
        TeachersMessage::State {
            link: self.notebook.link(),
            teaching: self.view.presenting || self.view.notes,
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
                self.lesson_time.begin_anew(now_secs);
            }
            TeachersMessage::Hello => self.view.notes = true,
            TeachersMessage::Bye => self.view.notes = false,
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
        self.connection.link = self.notebook.link();
        self.view.notes = *teaching;
        let now_secs = ctx.input(|input| input.time);
        let used = used_secs.iter();
        let used: BTreeMap<_, _> =
            used.map(|(lesson, step, secs)| ((lesson.clone(), *step), *secs)).collect();
        self.lesson_time.know(used, now_secs);
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
            self.connection.asked.push(asked);
            false
        });
        for one in moves {
            if let Navigation::Go(page) = one {
                let step = page.step.as_deref().unwrap_or_default();
                let link = format!("bindpose://{}/{step}", page.lesson);
                self.connection.asked.push(TeachersMessage::Go { link });
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
        let before = self.lesson_time.clone();
        self.teachers_notes(ui, 20, commands, edits, navigation);
        if self.lesson_time != before {
            self.connection.asked.push(TeachersMessage::BeginTime);
        }
        self.ask_notebook(commands, navigation);
        navigation.clear();
    }

    /// What is asked of the notebook since this was last called.
    pub fn take_asked_of_notebook(&mut self) -> Vec<TeachersMessage> {
        let link = self.notebook.link();
        if !self.connection.link.is_empty() && self.connection.link != link {
            // A value in the notes was set.
            self.connection.link.clone_from(&link);
            self.connection.asked.push(TeachersMessage::Go { link });
        }
        std::mem::take(&mut self.connection.asked)
    }
}

#[cfg(test)]
mod tests {
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
