//! Presenter mode: full screen, prose by paragraph, pen, spotlight, freeze and blank.

use std::rc::Rc;

use bindpose_kit::theme;
use bindpose_page::command::Command;
use bindpose_page::presenter;
use bindpose_page::view::presenter::{FrozenPage, PresenterTool};
use eframe::egui::{
    Area, Context, CursorIcon, Event, Id, Order, Sense, WidgetInfo, accesskit::Role,
};

use super::Shell;
use crate::app::host;

impl Shell {
    /// Enters presenter mode and full screen, or restores the window as it was.
    pub(super) fn set_presenting(&mut self, ctx: &Context, on: bool) {
        if self.view.presenting == on {
            return;
        }
        self.view.presenting = on;
        self.view.note.forget();
        let is_full_screen = ctx.input(|input| input.viewport().fullscreen).unwrap_or(false);
        if on {
            self.was_full_screen = is_full_screen;
            self.offer_to_begin_anew();
        }
        let should_be_full_screen = on || self.was_full_screen;
        if is_full_screen != should_be_full_screen {
            host::set_full_screen(ctx, should_be_full_screen);
        }
        if !on {
            self.view.presenter.clear();
        }
    }

    /// Shows one paragraph more, or one fewer. Returns false if no paragraph is hidden, or if
    /// prose is not shown by paragraph.
    pub(super) fn turn_paragraph(&mut self, forward: bool) -> bool {
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        let by_paragraph = self.view.presenter.by_paragraph.unwrap_or(self.view.presenting);
        // The bench and the questions replace the prose, so the paragraph would not be seen.
        if !by_paragraph || self.view.bench.replaces_prose || self.notebook.forms().open.is_some() {
            return false;
        }
        let total_count = presenter::count_paragraphs(lesson, step);
        let reading = &mut self.view.presenter.reading;
        reading.shown(&lesson.slug, step);
        reading.show_next_or_previous(forward, total_count)
    }

    /// Reveals an open guess of the step, so that Page Down shows the result before it turns
    /// the page. Returns false if there is none.
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

    /// Shows all paragraphs after turning back, because the reader has seen them before.
    pub(super) fn paragraphs_after_turn(&mut self, forward: bool) {
        if forward {
            return;
        }
        let lesson = self.notebook.lesson();
        let step = self.notebook.document().step;
        let total_count = presenter::count_paragraphs(lesson, step);
        self.view.presenter.reading.show_all(&lesson.slug, step, total_count);
    }

    /// Runs pen, spotlight, freeze or blank. Does nothing outside of presenter mode.
    pub(super) fn run_presenter_command(&mut self, command: Command) {
        if !self.view.presenting {
            return;
        }
        let presenter = &mut self.view.presenter;
        match command {
            Command::Pen => presenter.toggle_tool(PresenterTool::Pen),
            Command::Spotlight => presenter.toggle_tool(PresenterTool::Spotlight),
            Command::Blank => presenter.is_blank = !presenter.is_blank,
            Command::Freeze if presenter.frozen.is_some() => presenter.frozen = None,
            Command::Freeze => {
                presenter.frozen = Some(Rc::new(FrozenPage {
                    document: self.notebook.document().clone(),
                    derived: self.notebook.derived().clone(),
                }));
            }
            _ => {}
        }
    }

    /// Fills the screen with one dark colour until a key or button is pressed. That press has
    /// no other effect.
    pub(super) fn draw_blank_screen(&mut self, ctx: &Context) {
        let screen = ctx.content_rect();
        Area::new(Id::unique("blank"))
            .order(Order::Foreground)
            .fixed_pos(screen.min)
            .constrain(false)
            .fade_in(false)
            .show(ctx, |ui| {
                let (rect, response) = ui.allocate_exact_size(screen.size(), Sense::CLICK);
                let label = "The screen is blank; any key wakes it";
                response.widget_info(|| WidgetInfo::labeled(Role::Image, true, label));
                ui.painter().rect_filled(rect, 0.0, theme::BLANK);
                response.on_hover_cursor(CursorIcon::None);
            });
        let is_woken = ctx.input(|input| {
            input.pointer.any_pressed()
                || input
                    .events
                    .iter()
                    .any(|event| matches!(event, Event::Key { pressed: true, .. }))
        });
        if is_woken {
            self.view.presenter.is_blank = false;
            ctx.request_repaint();
        }
    }
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::LessonSet;
    use bindpose_notebook::{Edit, Preferences};
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, accesskit::Role};
    use egui_kittest::Harness;
    use egui_kittest::kittest::{NodeT as _, Queryable as _};

    use crate::app::testing::{Page, page_with, page_with_preferences};

    #[test]
    fn a_key_toggles_the_enlarged_picture() {
        let mut harness = page_with([1280.0, 720.0], LessonSet::embedded(), Preferences::default());
        harness.state_mut().shell().open_link("bindpose://bind-pose").unwrap();
        harness.run();
        let picture_rect = |harness: &Harness<'_, Page>| {
            harness
                .get_by(|node| node.label().is_some_and(|label| label.starts_with("Viewport")))
                .rect()
        };
        let small = picture_rect(&harness);
        harness.press(Key::I);
        let enlarged = picture_rect(&harness);
        assert!(enlarged.area() > 1.5 * small.area(), "{small} {enlarged}");
        assert!(harness.query_by_role_and_label(Role::Heading, "Something is wrong").is_none());
        harness.click_label("Back to the page");
        assert_eq!(picture_rect(&harness), small);
        for expected in [enlarged, small] {
            harness.press(Key::I);
            assert_eq!(picture_rect(&harness), expected);
        }
    }

    #[test]
    fn a_step_without_pictures_keeps_its_page() {
        let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n## One\n\nWords.\n";
        let set = LessonSet::from_memory(&[("10-words", text, "")], "");
        let mut harness = page_with([1280.0, 720.0], set, Preferences::default());
        harness.press(Key::I);
        harness.get_by_role_and_label(Role::Heading, "One");
        assert!(harness.state_mut().shell().view.enlarged.is_none());
    }

    #[test]
    fn a_full_stop_blanks_the_screen_when_presenting() {
        let mut harness = page_with_preferences([1280.0, 800.0], Preferences::default());
        // Outside of presenter mode the full stop advances the clip by a frame.
        harness.state_mut().shell().open_link("bindpose://bind-pose").unwrap();
        harness.run();
        harness.press(Key::Period);
        assert!(!harness.state_mut().shell().view.presenter.is_blank);
        harness.press(Key::F5);
        harness.press(Key::Period);
        assert!(harness.state_mut().shell().view.presenter.is_blank);
    }

    /// Returns the texts of all matrix cells.
    fn numbers(harness: &Harness<'_, Page>) -> Vec<String> {
        harness
            .root()
            .children_recursive()
            .map(|node| node.accesskit_node())
            .filter(|node| node.role() == Role::Cell)
            .filter_map(|node| node.value().or_else(|| node.label()))
            .collect()
    }

    #[test]
    fn freezing_keeps_the_numbers_until_it_ends() {
        let mut harness = page_with([1280.0, 720.0], LessonSet::embedded(), Preferences::default());
        harness.state_mut().shell().open_link("bindpose://hierarchy").unwrap();
        harness.press(Key::F5);
        let before = numbers(&harness);
        assert!(!before.is_empty());
        harness.press(Key::F);
        harness.state_mut().shell().edit(&Edit::param("b1", 0.7)).unwrap();
        harness.run();
        assert_eq!(numbers(&harness), before);
        harness.press(Key::F);
        assert_ne!(numbers(&harness), before);
    }
}
