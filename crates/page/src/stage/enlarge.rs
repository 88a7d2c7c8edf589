//! A cell that takes the page while the reader asks for it.

use bindpose_lesson::{Cell, cells_in};
use eframe::egui::{
    Button, Frame, Margin, Rect, RichText, Role, ScrollArea, Sense, Ui, UiBuilder, WidgetInfo, vec2,
};

use super::placed::Region;
use super::stage_cells::{cells, child};
use crate::cells::cell_ui;
use crate::theme::{CAPTION, SMALL, font};
use crate::touch;
use crate::view::EnlargedCell;
use crate::widgets::Tip as _;
use crate::{PageContext, icons};

/// Height of the line above an enlarged cell.
const HEAD: f32 = 40.0;
/// Size of the button beside a cell.
const BUTTON: f32 = 11.0;

fn of_page(cell: &Cell, page: &PageContext<'_>) -> EnlargedCell {
    EnlargedCell {
        lesson: page.document.lesson.clone(),
        step: page.document.step,
        cell: cell.id.clone(),
    }
}

/// The cell that is to have all of the page now.
pub fn enlarged<'a>(page: &PageContext<'a>) -> Option<&'a Cell> {
    let wanted = page.view.enlarged.as_ref()?;
    let lesson = page.lesson;
    let step = lesson.steps.get(page.document.step);
    let in_prose = step.into_iter().flat_map(|step| cells_in(&step.blocks));
    let in_prose = cells_in(&lesson.intro).chain(in_prose);
    let mut all = cells(page).chain(in_prose);
    all.find(|cell| of_page(cell, page) == *wanted)
}

/// Shows it in all of `area`.
pub fn ui(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, area: Rect) {
    let (head, rest) = area.shrink2(vec2(20.0, 0.0)).split_top_bottom_at_y(area.top() + HEAD);
    let mut head = ui.new_child(UiBuilder::new().max_rect(head).id_salt("head"));
    head.horizontal_centered(|ui| {
        let icon = RichText::new(icons::X).font(font::icon(SMALL));
        let button = ui.add(Button::new(icon)).tip("Put the cell back (Esc)");
        button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Put the cell back"));
        if button.clicked() {
            page.view.enlarged = None;
            ui.ctx().request_repaint();
        }
        ui.label(page.theme.caption("Esc puts it back"));
    });
    page.view.placed.enter(Region::Cells, rest);
    let mut body = child(ui, rest, "enlarged");
    let height = rest.height() - 12.0;
    ScrollArea::vertical().id_salt(("enlarged", &cell.id)).auto_shrink([false, false]).show(
        &mut body,
        |ui| {
            let margin = Margin { bottom: 12, ..Margin::ZERO };
            Frame::NONE.inner_margin(margin).show(ui, |ui| cell_ui(ui, cell, page, height));
        },
    );
}

/// The button in the margin to the right of a cell; quiet until the pointer is
/// over the cell.
pub fn button(ui: &mut Ui, cell: &Cell, page: &mut PageContext<'_>, rect: Rect) {
    let at = Rect::from_min_size(rect.right_top() + vec2(0.0, 3.0), vec2(BUTTON, BUTTON));
    let response = ui.interact(at, ui.scope_id().with(("enlarge", &cell.id)), Sense::click());
    response
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Enlarge {}", cell.id)));
    let over = ui.rect_contains_pointer(rect.with_max_x(at.right()));
    if over || response.has_focus() || touch::is_at_work(ui.ctx()) {
        let color = if response.hovered() || response.has_focus() {
            page.theme.accent
        } else {
            page.theme.quiet
        };
        let icon = font::icon(CAPTION);
        ui.painter().text(
            at.center(),
            eframe::egui::Align2::CENTER_CENTER,
            icons::CORNERS_OUT,
            icon,
            color,
        );
    }
    if response.tip("Enlarge; Esc puts it back").clicked() {
        page.view.enlarged = Some(of_page(cell, page));
        ui.ctx().request_repaint();
    }
}
