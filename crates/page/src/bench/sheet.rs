//! The bench of a narrow page: a sheet along its lower edge. While it is closed, only its
//! tabs are visible. The handle above them opens the shelf, a tab a part of the bench.

use bindpose_kit::theme::{SMALL_SIZE, Theme};
use bindpose_kit::touch;
use bindpose_kit::widgets::reveal_focus;
use bindpose_lesson::VertexCell;
use eframe::egui::{
    Align2, Button, CornerRadius, CursorIcon, Frame, Id, Margin, Rect, RichText, Role, ScrollArea,
    Sense, Stroke, StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, scroll_area::ScrollBarVisibility,
    vec2,
};

use super::{comparison, on_page, snapshots_ui};
use crate::PageContext;
use crate::cells::vertex;
use crate::shelf;
use crate::view::bench::Tab;

/// Minimum height of a page with a sheet, in points. On a lower one the prose needs the
/// room.
const MIN_PAGE_HEIGHT: f32 = 260.0;
/// Maximum share of the page's height.
const MAX_HEIGHT_SHARE: f32 = 0.5;
/// Height of the handle above the tabs, in points.
const HANDLE_HEIGHT: f32 = 16.0;
/// Margin at the sides, in points.
const SIDE_MARGIN: f32 = 14.0;
/// Radius of the upper corners, in points.
const CORNER_RADIUS: u8 = 14;
/// Drag distance of the handle, in points, that opens or closes the sheet.
const OPEN_DRAG_DISTANCE: f32 = 16.0;

/// Measurements of the last frame, in points.
#[derive(Default)]
struct SheetMeasure {
    /// Height of the handle and the tabs.
    head: f32,
    /// Height of the content below the tabs.
    body: f32,
}

/// Divides `area` into the page and the sheet. Returns `None` for the sheet if the page is
/// too low.
pub(crate) fn split(page: &mut PageContext<'_>, area: Rect) -> (Rect, Option<Rect>) {
    let fits = area.height() >= MIN_PAGE_HEIGHT;
    page.view.bench.as_sheet = fits;
    if !fits {
        return (area, None);
    }
    let open = page.view.bench.is_open;
    let measured = page.state::<SheetMeasure>("bench sheet");
    let head = if measured.head > 0.0 {
        measured.head
    } else {
        HANDLE_HEIGHT + touch::MIN_TARGET_SIZE_PTS
    };
    let body = match measured.body {
        _ if !open => 0.0,
        known if known > 0.0 => known,
        _ => area.height(),
    };
    let height = (head + body).min(head.max(area.height() * MAX_HEIGHT_SHARE)).floor();
    let (rest, sheet) = area.split_top_bottom_at_y(area.bottom() - height);
    (rest, Some(sheet))
}

/// Draws the sheet. Called after the page, because Tab follows the order of drawing.
pub(crate) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, sheet: Rect) {
    paint_background(ui, page.theme, sheet);
    let room = Rect::from_min_max(
        sheet.min + vec2(SIDE_MARGIN, HANDLE_HEIGHT),
        sheet.max - vec2(SIDE_MARGIN, 0.0),
    );
    handle_ui(ui, page, sheet);
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(sheet.intersect(ui.clip_rect()));
    tabs_ui(&mut child, page);
    child.add_space(4.0);
    let head = (child.cursor().top() - sheet.top()).ceil();
    let body = page.view.bench.is_open.then(|| body_ui(&mut child, page));
    let measured = page.state::<SheetMeasure>("bench sheet");
    let is_unchanged = (measured.head - head).abs() <= 0.5
        && body.is_none_or(|body: f32| (measured.body - body).abs() <= 0.5);
    measured.head = head;
    measured.body = body.unwrap_or(measured.body);
    if !is_unchanged {
        // Lays out the frame again, with the height now known.
        ui.ctx().request_discard("the height of the bench became known");
    }
}

fn paint_background(ui: &Ui, theme: &Theme, sheet: Rect) {
    let corners = CornerRadius { nw: CORNER_RADIUS, ne: CORNER_RADIUS, sw: 0, se: 0 };
    // The lower edge lies outside of the window, which hides its line.
    let rect = sheet.with_max_y(sheet.bottom() + 2.0);
    let edge = Stroke::new(1.0, theme.rule);
    ui.painter().rect(rect, corners, theme.panel, edge, StrokeKind::Inside);
}

/// Draws the handle, which opens and closes the sheet by a drag or a click.
fn handle_ui(ui: &Ui, page: &mut PageContext<'_>, sheet: Rect) {
    let rect = Rect::from_min_max(sheet.min, pos2(sheet.right(), sheet.top() + HANDLE_HEIGHT));
    let response = ui.interact(rect, Id::unique("bench handle"), Sense::click_and_drag());
    let was_open = page.view.bench.is_open;
    let name = if was_open { "close the bench" } else { "open the bench" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
    let bar = Align2::CENTER_CENTER.anchor_size(rect.center(), vec2(44.0, 4.0));
    ui.painter().rect_filled(bar, 2.0, page.theme.track);
    let drag_y = response.total_drag_delta().unwrap_or_default().y;
    if response.clicked() {
        page.view.bench.is_open = !was_open;
    } else if drag_y < -OPEN_DRAG_DISTANCE {
        page.view.bench.is_open = true;
    } else if drag_y > OPEN_DRAG_DISTANCE {
        page.view.bench.is_open = false;
    }
    if page.view.bench.is_open != was_open {
        page.view.bench.tab = Tab::Shelf;
        ui.ctx().request_repaint();
    }
    response.on_hover_cursor(CursorIcon::ResizeVertical);
}

fn tabs_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let theme = page.theme;
    // All four tabs fit on the smallest phone. With large text they scroll.
    let padding = if ui.available_width() < 340.0 { 7.0 } else { 12.0 };
    let scroll = ScrollArea::horizontal()
        .id_salt("tabs")
        .scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    scroll.show(ui, |ui| {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            ui.spacing_mut().button_padding.x = padding;
            let open_tab = page.view.bench.is_open.then(|| drawn_tab(page));
            for tab in Tab::WITH_BUTTON {
                let bench = &mut page.view.bench;
                let is_open = open_tab == Some(tab);
                let (text_color, fill, edge) = if is_open {
                    (theme.on_accent, theme.accent, theme.accent)
                } else {
                    (theme.ink, theme.paper, theme.rule)
                };
                let text = RichText::new(tab.label()).size(SMALL_SIZE).color(text_color);
                let height = ui.spacing().interact_size.y.max(34.0);
                let button = Button::new(text)
                    .fill(fill)
                    .stroke(Stroke::new(1.0, edge))
                    .corner_radius(8.0)
                    .min_size(vec2(0.0, height));
                let response = ui.add(button);
                response
                    .widget_info(|| WidgetInfo::selected(Role::Tab, true, is_open, tab.label()));
                if response.clicked() {
                    bench.is_open = !is_open;
                    bench.tab = tab;
                    ui.ctx().request_repaint();
                }
            }
        })
    });
}

/// Returns the tab that is open: the first tab with a button instead of a shelf without
/// contents.
fn drawn_tab(page: &mut PageContext<'_>) -> Tab {
    let tab = page.view.bench.tab;
    if tab == Tab::Shelf && !shelf::has_contents(page) { Tab::Angles } else { tab }
}

/// Draws the content of the open tab. Returns the height that it needs, in points.
fn body_ui(ui: &mut Ui, page: &mut PageContext<'_>) -> f32 {
    let tab = drawn_tab(page);
    let scroll = ScrollArea::vertical().id_salt(("bench", tab)).auto_shrink([false, false]);
    let output = scroll.show(ui, |ui| {
        let margin = Margin { right: 4, bottom: 12, ..Margin::ZERO };
        Frame::NONE.inner_margin(margin).show(ui, |ui| tab_ui(ui, page, tab));
        reveal_focus(ui);
    });
    output.content_size.y.ceil()
}

fn tab_ui(ui: &mut Ui, page: &mut PageContext<'_>, tab: Tab) {
    if matches!(tab, Tab::Weights | Tab::Sum) {
        on_page::choose_shared_vertex(page);
    }
    match tab {
        Tab::Shelf => shelf::sheet_ui(ui, page),
        Tab::Angles => {
            super::angles_ui(ui, page);
        }
        Tab::Weights => on_page::weights_ui(ui, page),
        Tab::Matrices => {
            super::matrices_ui(ui, page);
            ui.separator();
            ui.horizontal_wrapped(|ui| snapshots_ui(ui, page));
            on_page::pictures_ui(ui, page);
            comparison::ui(ui, page);
        }
        Tab::Sum => {
            let cell = VertexCell::default();
            vertex::ui(ui, &cell, "bench sum", page);
        }
    }
}
