//! Shells that are one part of the page: the stage of a step within a page of somebody
//! else, what a teacher reads in a window of their own, or, for pictures, one cell or one
//! question.

use bindpose_lesson::{Cell, CellKind, cells_in};
use bindpose_notebook::link::PagePart;
use bindpose_notebook::{Edit, Navigation};
use bindpose_page::cells::{cell_ui, learnt_picture};
use bindpose_page::command::Command;
use bindpose_page::inventory::question_picture;
use bindpose_page::theme::SMALL;
use bindpose_page::{PageContext, stage};
use bindpose_render::Renderer;
use eframe::egui::{
    Align, CentralPanel, Context, Frame, Layout, Margin, OpenUrl, Panel, Pos2, Rect, RichText, Ui,
    UiBuilder, pos2, vec2,
};

use super::Shell;

/// Height of the line below a stage.
const FOOT: f32 = 30.0;
/// Under this width the line has no room for the title.
const ROOM_FOR_TITLE: f32 = 320.0;

impl Shell {
    /// Shows only this from now on. Of what is remembered it is given nothing, and
    /// nothing of it should be remembered.
    pub fn show_only(&mut self, part: PagePart, dark: Option<bool>) {
        self.host.part = part;
        self.look.dark = dark;
    }

    /// Is the second part of the program on its way?
    pub fn await_rest(&mut self, awaits: bool) {
        self.view.awaits_rest = awaits;
    }

    /// Reads the lessons whose texts have come since.
    pub fn take_texts(&mut self) {
        self.notebook.take_texts();
        self.view.search.forget_texts();
    }

    /// What a part leaves of what keys and buttons ask for.
    pub(super) fn leave_to_part(&self, commands: &mut Vec<Command>) {
        use Command as C;
        match self.host.part {
            PagePart::Whole => {}
            PagePart::Stage => commands.retain(|command| {
                matches!(
                    command,
                    C::Undo | C::Redo | C::Reset | C::ResetView | C::Play | C::GoOn | C::Escape
                ) || matches!(command, C::Loop | C::FrameBack | C::FrameForward)
            }),
            PagePart::TeachersWindow => commands.retain(|command| {
                matches!(command, C::Next | C::Back | C::ReadOn | C::ReadBack | C::GoOn)
                    || matches!(command, C::ZoomIn | C::ZoomOut | C::ZoomReset | C::Theme)
            }),
        }
    }

    /// The stage of the open step, and a line that leads to the whole page.
    pub(super) fn stage_alone(
        &mut self,
        ui: &mut Ui,
        edits: &mut Vec<Edit>,
        navigation: &mut Vec<Navigation>,
    ) {
        let paper = Frame::NONE.fill(self.look.theme.paper);
        let line = paper.inner_margin(Margin::symmetric(12, 0));
        Panel::bottom("whole page").exact_size(FOOT).frame(line).show(ui, |ui| self.whole_page(ui));
        CentralPanel::no_frame().frame(paper).show(ui, |ui| {
            self.with_page(edits, navigation, |_, page| {
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
                stage::ui(ui, page, arrangement, false);
            });
        });
    }

    /// What is shown, and the way to all of it.
    fn whole_page(&self, ui: &mut Ui) {
        let title = self.notebook.step().map_or("", |step| &step.title);
        let links = self.page_links();
        let wide = ui.available_width() > ROOM_FOR_TITLE;
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let words = RichText::new("Open in Bindpose").size(SMALL);
            let words = words.color(self.look.theme.accent);
            if ui.link(words).clicked() {
                ui.ctx().open_url(OpenUrl::new_tab(links.first()));
            }
            if wide {
                ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
                    ui.add(eframe::egui::Label::new(self.look.theme.caption(title)).truncate());
                });
            }
        });
    }

    /// Time passes while somebody teaches.
    pub(super) fn count_time(&mut self, ctx: &Context) {
        let now_secs = ctx.input(|input| input.time);
        let document = self.notebook.document();
        if self.view.presenting || self.view.windows.notes {
            self.timing.lesson.at(&document.lesson, document.step, now_secs);
        } else {
            self.timing.lesson.stop(now_secs);
        }
    }
}

/// Of a cell that is as high as it needs to be, for a picture within it.
const PICTURE_HEIGHT: f32 = 300.0;
/// Around such a cell, in points.
const PAD: f32 = 8.0;

impl Shell {
    /// Shows one cell of the open step in the corner of what is left, `width`
    /// points wide; `height` is that of a picture. Where it came to lie; `None`
    /// when the step has no such cell.
    pub(in crate::app) fn cell(
        &mut self,
        ui: &mut Ui,
        id: &str,
        width: f32,
        height: Option<f32>,
    ) -> Option<Rect> {
        self.alone(ui, |ui, page| {
            let cell = found(page, id)?;
            // What is not a picture alone has room around it.
            let pad = if height.is_some() { 0.0 } else { PAD };
            let inner = width - 2.0 * pad;
            let room = Rect::from_min_size(pos2(pad, pad), vec2(inner, ui.available_height()));
            let shown = ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
                ui.set_width(inner);
                cell_ui(ui, cell, page, height.unwrap_or(PICTURE_HEIGHT));
            });
            let bottom = height.unwrap_or(shown.response.rect.bottom() + pad);
            Some(Rect::from_min_max(Pos2::ZERO, pos2(width, bottom)))
        })
    }

    /// Shows the figure of a question of the lesson's inventory in that corner, or one
    /// of its answers; `None` when there is no such picture.
    pub(in crate::app) fn question(
        &mut self,
        ui: &mut Ui,
        (id, option): (&str, Option<usize>),
        [width, height]: [f32; 2],
    ) -> Option<Rect> {
        self.alone(ui, |ui, page| {
            let question = page.lesson.inventory.question(id)?;
            let room = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
            let mut corner = ui.new_child(UiBuilder::new().max_rect(room));
            question_picture(&mut corner, question, option, page, height).then_some(room)
        })
    }

    /// Shows what proves a line of what was learnt in that corner; `None` when there is
    /// no such picture.
    pub(in crate::app) fn learnt(
        &mut self,
        ui: &mut Ui,
        (id, line): (&str, usize),
        [width, height]: [f32; 2],
    ) -> Option<Rect> {
        self.alone(ui, |ui, page| {
            let CellKind::Learnt(cell) = &found(page, id)?.kind else { return None };
            let line = cell.lines.get(line)?;
            let room = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
            let mut corner = ui.new_child(UiBuilder::new().max_rect(room));
            learnt_picture(&mut corner, line, page, height).then_some(room)
        })
    }

    fn alone(
        &mut self,
        ui: &mut Ui,
        show: impl FnOnce(&mut Ui, &mut PageContext<'_>) -> Option<Rect>,
    ) -> Option<Rect> {
        self.restyle(ui.ctx());
        let (mut edits, mut navigation) = (Vec::new(), Vec::new());
        self.view.pictures.still = true;
        self.view.before_frame();
        let paper = Frame::NONE.fill(self.look.theme.paper);
        let shown = CentralPanel::no_frame()
            .frame(paper)
            .show(ui, |ui| self.with_page(&mut edits, &mut navigation, |_, page| show(ui, page)));
        self.view.playing.after_frame();
        if let Some(renderer) = &mut self.pictures.renderer
            && !ui.ctx().will_discard()
        {
            Renderer::end_frame(renderer);
        }
        if self.linked.turn() {
            ui.ctx().request_repaint();
        }
        shown.inner
    }
}

fn found<'a>(page: &PageContext<'a>, id: &str) -> Option<&'a Cell> {
    let step = page.lesson.steps.get(page.document.step)?;
    let in_prose = cells_in(&page.lesson.intro).chain(cells_in(&step.blocks));
    let mut cells = page.lesson.on_stage(page.document.step).chain(in_prose);
    cells.find(|cell| cell.id == id)
}

#[cfg(test)]
mod tests {
    use bindpose_notebook::link::PagePart;
    use eframe::egui::{Key, Modifiers};
    use egui_kittest::kittest::Queryable as _;

    use crate::app::testing::page;

    #[test]
    fn an_embedded_stage_has_its_cells_and_the_way_to_the_page_alone() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        shell.follow("bindpose://bone-grid/half-of-each").unwrap();
        shell.show_only(PagePart::Stage, Some(true));
        harness.run();
        harness.get_by_label("Open in Bindpose");
        assert!(harness.query_by_label("Next").is_none(), "no bar");
        let before = harness.state_mut().document();
        for key in [Key::ArrowRight, Key::PageDown, Key::W, Key::F1] {
            harness.key_press(key);
            harness.run();
        }
        harness.key_press_modifiers(Modifiers::COMMAND, Key::N);
        harness.run();
        assert_eq!(harness.state_mut().document(), before);
        assert!(harness.query_by_label("Keys").is_none());
    }

    #[test]
    fn a_step_without_a_stage_says_so() {
        let mut harness = page([720.0, 540.0], Vec::new());
        let shell = harness.state_mut().shell();
        let set = &shell.notebook().set;
        let bare = set.lessons.iter().find_map(|lesson| {
            let steps = 0..lesson.steps.len();
            let mut bare = steps.filter(|&step| lesson.on_stage(step).next().is_none());
            Some((lesson.slug.clone(), lesson.steps[bare.next()?].slug.clone()))
        });
        let Some((lesson, step)) = bare else { return };
        shell.follow(&format!("bindpose://{lesson}/{step}")).unwrap();
        shell.show_only(PagePart::Stage, None);
        harness.run();
        harness.get_by_label_contains("no picture");
    }
}
