//! One cell of the open step, or one picture of a question, by itself, for pictures of
//! it.

use bindpose_lesson::{Cell, cells_in};
use bindpose_page::PageContext;
use bindpose_page::cells::cell_ui;
use bindpose_page::inventory::question_picture;
use bindpose_render::Renderer;
use eframe::egui::{CentralPanel, Frame, Pos2, Rect, Ui, UiBuilder, pos2, vec2};

use super::Shell;

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

    fn alone(
        &mut self,
        ui: &mut Ui,
        show: impl FnOnce(&mut Ui, &mut PageContext<'_>) -> Option<Rect>,
    ) -> Option<Rect> {
        self.restyle(ui.ctx());
        let (mut edits, mut navigation) = (Vec::new(), Vec::new());
        self.view.still = true;
        self.view.before_frame();
        let paper = Frame::NONE.fill(self.theme.paper);
        let shown = CentralPanel::no_frame()
            .frame(paper)
            .show(ui, |ui| self.with_page(&mut edits, &mut navigation, |_, page| show(ui, page)));
        self.view.after_frame();
        if let Some(renderer) = &mut self.renderer
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
