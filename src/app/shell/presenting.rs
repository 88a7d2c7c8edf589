//! Presenter mode: full screen, paragraphs, and what lies over the stage.

use std::rc::Rc;

use bindpose_page::command::Command;
use bindpose_page::presenter::{HeldPage, PresenterTool};
use bindpose_page::{presenter, theme};
use eframe::egui::{
    Area, Context, CursorIcon, Event, Id, Order, Sense, ViewportCommand, WidgetInfo,
    accesskit::Role,
};

use super::Shell;

impl Shell {
    /// Goes to presenter mode and full screen, or back to the window as it was.
    pub(super) fn set_presenting(&mut self, ctx: &Context, on: bool) {
        if self.view.presenting == on {
            return;
        }
        self.view.presenting = on;
        self.view.note.forget();
        let full = ctx.input(|input| input.viewport().fullscreen).unwrap_or(false);
        if on {
            self.was_full_screen = full;
            self.offer_to_begin_anew();
        }
        let wanted = on || self.was_full_screen;
        // In a browser the page asks for it: see `browser/device.rs`.
        if full != wanted && cfg!(not(target_arch = "wasm32")) {
            ctx.send_viewport_cmd(ViewportCommand::Fullscreen(wanted));
        }
        if !on {
            self.view.presenter.put_away();
        }
    }

    /// Shows one paragraph more, or one fewer. False where none is hidden or prose
    /// does not come so.
    pub(super) fn turn_paragraph(&mut self, forward: bool) -> bool {
        let (lesson, step) = (self.notebook.lesson(), self.notebook.document().step);
        let by_paragraph = self.view.presenter.by_paragraph.unwrap_or(self.view.presenting);
        // Where bench or questions stand in its place, nobody would see it come.
        if !by_paragraph || self.view.bench.for_prose || self.notebook.forms().open.is_some() {
            return false;
        }
        let presenter = &mut self.view.presenter;
        let least = presenter::least_paragraph(lesson, step);
        let all = presenter::count_paragraphs(lesson, step);
        presenter.reading.shown(&lesson.slug, step, least);
        presenter.reading.turn(forward, least, all)
    }

    /// The clicker shows what becomes of a guess before it leads on.
    pub(super) fn reveal_guess(&mut self, ctx: &Context) -> bool {
        if self.notebook.forms().open.is_some() {
            return false;
        }
        let now_secs = ctx.input(|input| input.time);
        let before = self.notebook.document().clone();
        let revealed = self.notebook.reveal_guess(self.gesture);
        if revealed {
            self.view.playing.move_from(&before, now_secs);
        }
        revealed
    }

    /// On the way back, a step stands there as it was left: with all of its prose.
    pub(super) fn paragraphs_after_turn(&mut self, forward: bool) {
        if forward {
            return;
        }
        let (lesson, step) = (self.notebook.lesson(), self.notebook.document().step);
        let all = presenter::count_paragraphs(lesson, step);
        self.view.presenter.reading.all_of(&lesson.slug, step, all);
    }

    /// Pen, spotlight, freeze and blank: in presenter mode alone.
    pub(super) fn present_with(&mut self, command: Command) {
        if !self.view.presenting {
            return;
        }
        let presenter = &mut self.view.presenter;
        match command {
            Command::Pen => presenter.take(PresenterTool::Pen),
            Command::Spotlight => presenter.take(PresenterTool::Spotlight),
            Command::Blank => presenter.blank = !presenter.blank,
            Command::Freeze if presenter.held.is_some() => presenter.held = None,
            Command::Freeze => {
                presenter.held = Some(Rc::new(HeldPage {
                    document: self.notebook.document().clone(),
                    derived: self.notebook.derived().clone(),
                }));
            }
            _ => {}
        }
    }

    /// Nothing but one dark colour, until a key or a button is pressed: which does
    /// nothing else.
    pub(super) fn blank(&mut self, ctx: &Context) {
        let screen = ctx.content_rect();
        Area::new(Id::unique("blank"))
            .order(Order::Foreground)
            .fixed_pos(screen.min)
            .constrain(false)
            .fade_in(false)
            .show(ctx, |ui| {
                let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::CLICK);
                let words = "The screen is blank; any key wakes it";
                response.widget_info(|| WidgetInfo::labeled(Role::Image, true, words));
                ui.painter().rect_filled(rect, 0.0, theme::BLANK);
                response.on_hover_cursor(CursorIcon::None);
            });
        let woken = ctx.input(|input| {
            input.pointer.any_pressed()
                || input
                    .events
                    .iter()
                    .any(|event| matches!(event, Event::Key { pressed: true, .. }))
        });
        if woken {
            self.view.presenter.blank = false;
            ctx.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;
    use bindpose_notebook::{Edit, Preferences};
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use crate::app::testing::{Page, page_of, page_with};

    #[test]
    fn the_picture_stands_alone_at_a_key() {
        let mut harness = page_with([1280.0, 720.0], LessonSet::embedded(), Preferences::default());
        harness.state_mut().shell().follow("bindpose://bind-pose").unwrap();
        harness.run();
        let picture = |harness: &Harness<'_, Page>| {
            harness
                .get_by(|node| node.label().is_some_and(|label| label.starts_with("Viewport")))
                .rect()
        };
        let small = picture(&harness);
        harness.key_press(Key::I);
        harness.run();
        let alone = picture(&harness);
        assert!(alone.area() > 1.5 * small.area(), "{small} {alone}");
        assert!(harness.query_by_role_and_label(Role::Heading, "Something is wrong").is_none());
        harness.get_by_label("Back to the page").click();
        harness.run();
        assert_eq!(picture(&harness), small);
        for expected in [alone, small] {
            harness.key_press(Key::I);
            harness.run();
            assert_eq!(picture(&harness), expected);
        }
    }

    #[test]
    fn a_step_without_pictures_keeps_its_page() {
        let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## One\n\nWords.\n";
        let set = LessonSet::from_memory(&[("10-words", text, "")], "");
        let mut harness = page_with([1280.0, 720.0], set, Preferences::default());
        harness.key_press(Key::I);
        harness.run();
        harness.get_by_role_and_label(Role::Heading, "One");
        assert!(harness.state_mut().shell().view.enlarged.is_none());
    }

    #[test]
    fn a_full_stop_blanks_the_screen_when_presenting() {
        let mut harness = page_of([1280.0, 800.0], Preferences::default());
        // With a clip on the page it goes a frame on.
        harness.state_mut().shell().follow("bindpose://bind-pose").unwrap();
        harness.run();
        harness.key_press(Key::Period);
        harness.run();
        assert!(!harness.state_mut().shell().view.presenter.blank);
        harness.key_press(Key::F5);
        harness.run();
        harness.key_press(Key::Period);
        harness.run();
        assert!(harness.state_mut().shell().view.presenter.blank);
    }

    #[test]
    fn a_held_page_holds_its_numbers_and_lets_them_go() {
        let mut harness = page_with([1280.0, 720.0], LessonSet::embedded(), Preferences::default());
        harness.state_mut().shell().follow("bindpose://hierarchy").unwrap();
        harness.key_press(Key::F5);
        harness.run();
        let numbers = |harness: &Harness<'_, Page>| -> Vec<String> {
            let all = harness.root().children_recursive().map(|node| node.accesskit_node());
            let cells = all.filter(|node| node.role() == Role::Cell);
            cells.filter_map(|node| node.value().or_else(|| node.label())).collect()
        };
        let before = numbers(&harness);
        assert!(!before.is_empty());
        let turn = |harness: &mut Harness<'_, Page>, by: f64| {
            harness.state_mut().shell().edit(&Edit::param("b1", by)).unwrap();
            harness.run();
        };
        harness.key_press(Key::F);
        harness.run();
        turn(&mut harness, 0.7);
        assert_eq!(numbers(&harness), before);
        harness.key_press(Key::F);
        harness.run();
        assert_ne!(numbers(&harness), before);
    }
}
