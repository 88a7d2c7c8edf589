//! The teacher's window: notes of the step in sight, what comes next, the time.
//! It follows the steps, and never stands on the projected window.

use std::time::Duration;

use bindpose_notebook::{Edit, Navigation};
use bindpose_page::command::Command;
use bindpose_page::presenter_notes;
use eframe::egui::{
    CentralPanel, Context, Frame, Margin, Ui, ViewportBuilder, ViewportClass, ViewportId,
};

use super::Shell;
use crate::app::keys::{self, Owner};

/// Between two looks at the clock.
const TICK: Duration = Duration::from_secs(20);
const SIZE: [f32; 2] = [560.0, 640.0];

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
        if !self.view.notes || is_projected {
            // A window goes with the first frame in which no layout shows it: the one
            // in which a key has closed it has shown it before.
            if ctx.input(|input| input.raw.viewports.contains_key(&id)) {
                ctx.request_repaint();
            }
            return;
        }
        let builder = ViewportBuilder::default()
            .with_title("Bindpose: teacher’s notes")
            .with_inner_size(SIZE)
            .with_min_inner_size([320.0, 240.0]);
        ctx.show_viewport_immediate(id, builder, |ui, class| {
            let own = class != ViewportClass::EmbeddedWindow;
            if own {
                commands.extend(keys::pressed(ui.ctx(), Owner::whatever_has_the_focus(ui.ctx())));
                if ui.input(|input| input.viewport().close_requested()) {
                    self.view.notes = false;
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
        let paper = Frame::NONE.fill(self.theme.paper);
        let frame = paper.inner_margin(Margin::same(margin));
        CentralPanel::no_frame().frame(frame).show(ui, |ui| {
            let mut time = std::mem::take(&mut self.lesson_time);
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
            self.lesson_time = time;
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
