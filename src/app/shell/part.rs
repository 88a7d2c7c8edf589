//! Shells that show one part of the notebook: the stage of a step embedded in a foreign
//! page, the teacher's window, or, for pictures, one cell or one question.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_lesson::{Cell, CellKind, cells_in};
use bindpose_notebook::link::PagePart;
use bindpose_page::cells::{cell_ui, learnt_picture};
use bindpose_page::command::Command;
use bindpose_page::inventory::question_picture;
use bindpose_page::requests::Requests;
use bindpose_page::{PageContext, stage};
use bindpose_render::Renderer;
use eframe::egui::{
    Align, CentralPanel, Context, Frame, Layout, Margin, OpenUrl, Panel, Pos2, Rect, RichText, Ui,
    UiBuilder, pos2, vec2,
};

use super::Shell;

/// Height of the line below a stage, in points.
const FOOTER_HEIGHT: f32 = 30.0;
/// Minimum width of the line below a stage for the title, in points.
const MIN_WIDTH_FOR_TITLE: f32 = 320.0;

impl Shell {
    /// Sets the only part that is shown from now on. The caller passes no saved preferences to such a
    /// shell, and should not save its preferences.
    pub fn set_part(&mut self, part: PagePart, dark: Option<bool>) {
        self.host.part = part;
        self.appearance.dark = dark;
    }

    /// Sets whether the second part of the program is still being loaded.
    pub fn set_waiting_for_parts(&mut self, is_waiting: bool) {
        self.view.is_loading_second_part = is_waiting;
    }

    /// Reads the lessons whose texts were loaded since the last call.
    pub fn reload_lesson_texts(&mut self) {
        self.notebook.take_texts();
        self.search.discard_indices();
    }

    /// Returns true if the command has an effect on the part shown.
    pub(super) fn works_in_part(&self, command: Command) -> bool {
        use Command as C;
        match self.host.part {
            PagePart::Whole => true,
            PagePart::Stage => {
                matches!(
                    command,
                    C::Undo | C::Redo | C::Reset | C::ResetView | C::Play | C::GoOn | C::Escape
                ) || matches!(command, C::Loop | C::FrameBack | C::FrameForward)
            }
            PagePart::TeachersWindow => {
                matches!(command, C::Next | C::Back | C::ReadOn | C::ReadBack | C::GoOn)
                    || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset | C::Theme)
            }
        }
    }

    /// Draws the stage of the open step, and a line with a link to the notebook.
    pub(super) fn draw_stage_only(&mut self, ui: &mut Ui) {
        let paper = Frame::NONE.fill(self.appearance.theme.paper);
        let line = paper.inner_margin(Margin::symmetric(12, 0));
        Panel::bottom("whole page")
            .exact_size(FOOTER_HEIGHT)
            .frame(line)
            .show(ui, |ui| self.draw_link_to_notebook(ui));
        CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            self.with_page(|_, page| {
                if stage::cells(page).next().is_none() {
                    ui.centered_and_justified(|ui| {
                        ui.label(
                            page.theme.caption("This step has no picture: open it to read it."),
                        );
                    });
                    return;
                }
                let area = ui.available_rect_before_wrap();
                let arrangement = stage::arrangement(page, area.size());
                stage::ui(ui, page, arrangement, None);
            });
        });
    }

    /// Draws the title of the step and a link to it in the whole notebook.
    fn draw_link_to_notebook(&self, ui: &mut Ui) {
        let title = self.notebook.step().map_or("", |step| &step.title);
        let links = self.page_links();
        let has_room_for_title = ui.available_width() > MIN_WIDTH_FOR_TITLE;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let text = RichText::new("Open in Bindpose")
                .size(SMALL_SIZE)
                .color(self.appearance.theme.accent);
            if ui.link(text).clicked() {
                ui.ctx().open_url(OpenUrl::new_tab(links.first()));
            }
            if has_room_for_title {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(
                        eframe::egui::Label::new(self.appearance.theme.caption(title)).truncate(),
                    );
                });
            }
        });
    }

    /// Counts the time of the lesson while somebody teaches.
    pub(super) fn update_lesson_time(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let document = self.notebook.document();
        if self.view.presenting || self.windows.notes {
            self.timing.lesson.at(&document.lesson, document.step, now_secs);
        } else {
            self.timing.lesson.stop(now_secs);
        }
    }
}

/// Height of a picture within a cell whose height is not given, in points.
const DEFAULT_PICTURE_HEIGHT: f32 = 300.0;
/// Margin around such a cell, in points.
const CELL_MARGIN: f32 = 8.0;

impl Shell {
    /// Draws one cell of the open step in the upper left corner, `width` points wide. Without
    /// `height` the cell is as high as its content. Returns its rectangle, or `None` if the
    /// step has no such cell.
    pub(in crate::app) fn draw_cell(
        &mut self,
        ui: &mut Ui,
        id: &str,
        width: f32,
        height: Option<f32>,
    ) -> Option<Rect> {
        self.draw_alone(ui, |ui, page| {
            let cell = find_cell(page, id)?;
            // A cell that is only a picture has no margin.
            let margin = if height.is_some() { 0.0 } else { CELL_MARGIN };
            let inner_width = width - 2.0 * margin;
            let size = vec2(inner_width, ui.available_height());
            let max_rect = Rect::from_min_size(pos2(margin, margin), size);
            let inner = ui.scope_builder(UiBuilder::new().max_rect(max_rect), |ui| {
                ui.set_width(inner_width);
                cell_ui(ui, cell, page, height.unwrap_or(DEFAULT_PICTURE_HEIGHT));
            });
            let bottom = height.unwrap_or(inner.response.rect.bottom() + margin);
            Some(Rect::from_min_max(Pos2::ZERO, pos2(width, bottom)))
        })
    }

    /// Draws the figure of a question of the lesson's inventory, or of one of its answers, in
    /// the upper left corner. Returns `None` if there is no such picture.
    pub(in crate::app) fn draw_question(
        &mut self,
        ui: &mut Ui,
        id: &str,
        option: Option<usize>,
        [width, height]: [f32; 2],
    ) -> Option<Rect> {
        self.draw_alone(ui, |ui, page| {
            let question = page.lesson.inventory.question(id)?;
            let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
            let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
            question_picture(&mut child, question, option, page, height).then_some(rect)
        })
    }

    /// Draws the picture that proves a line of a summary cell, in the upper left corner.
    /// Returns `None` if there is no such picture.
    pub(in crate::app) fn draw_summary_line(
        &mut self,
        ui: &mut Ui,
        id: &str,
        line: usize,
        [width, height]: [f32; 2],
    ) -> Option<Rect> {
        self.draw_alone(ui, |ui, page| {
            let CellKind::Learnt(cell) = &find_cell(page, id)?.kind else { return None };
            let line = cell.lines.get(line)?;
            let rect = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
            let mut child = ui.new_child(UiBuilder::new().max_rect(rect));
            learnt_picture(&mut child, line, page, height).then_some(rect)
        })
    }

    /// Draws a part of the open page without anything else, for a picture of it.
    fn draw_alone(
        &mut self,
        ui: &mut Ui,
        draw: impl FnOnce(&mut Ui, &mut PageContext<'_>) -> Option<Rect>,
    ) -> Option<Rect> {
        self.apply_appearance(ui.ctx());
        self.view.pictures.is_still = true;
        self.view.before_frame();
        let paper = Frame::NONE.fill(self.appearance.theme.paper);
        let panel = CentralPanel::no_frame()
            .frame(paper)
            .show(ui, |ui| self.with_page(|_, page| draw(ui, page)));
        // A picture changes nothing.
        self.requests = Requests::default();
        self.view.playing.after_frame();
        if let Some(renderer) = &mut self.pictures.renderer
            && !ui.ctx().will_discard()
        {
            Renderer::end_frame(renderer);
        }
        if self.linked.turn() {
            ui.ctx().request_repaint();
        }
        panel.inner
    }
}

fn find_cell<'a>(page: &PageContext<'a>, id: &str) -> Option<&'a Cell> {
    let step = page.lesson.steps.get(page.document.step)?;
    let prose_cells = cells_in(&page.lesson.intro).chain(cells_in(&step.blocks));
    page.lesson.on_stage(page.document.step).chain(prose_cells).find(|cell| cell.id == id)
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::link::PagePart;
    use bindpose_testkit::ReaderActions as _;
    use eframe::egui::{Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use crate::app::testing::page;

    #[test]
    fn an_embedded_stage_shows_only_its_cells_and_a_link_to_the_page() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        shell.open_link("bindpose://bone-grid/half-of-each").unwrap();
        shell.set_part(PagePart::Stage, Some(true));
        harness.run();
        harness.get_by_label("Open in Bindpose");
        assert!(harness.query_by_label("Next").is_none(), "no bar");
        let before = harness.state_mut().document();
        for key in [Key::ArrowRight, Key::PageDown, Key::W, Key::F1] {
            harness.press(key);
        }
        harness.press_with(Modifiers::COMMAND, Key::N);
        assert_eq!(harness.state_mut().document(), before);
        assert!(harness.query_by_label("Keys").is_none());
    }

    #[test]
    fn a_step_without_a_stage_says_so() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        let set = &shell.notebook().set;
        let step_without_stage = set.lessons.iter().find_map(|lesson| {
            let step =
                (0..lesson.steps.len()).find(|&step| lesson.on_stage(step).next().is_none())?;
            Some((lesson.slug.clone(), lesson.steps[step].slug.clone()))
        });
        let Some((lesson, step)) = step_without_stage else { return };
        shell.open_link(&format!("bindpose://{lesson}/{step}")).unwrap();
        shell.set_part(PagePart::Stage, None);
        harness.run();
        harness.get_by_label_contains("no picture");
    }
}
