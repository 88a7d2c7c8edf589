//! The bench of a narrow page: a sheet along its lower edge, which shows its tabs
//! alone until one of them is asked for.

use bindpose_lesson::VertexCell;
use eframe::egui::{
    Align2, Button, CursorIcon, Frame, Id, Margin, Rect, RichText, Role, ScrollArea, Sense, Stroke,
    StrokeKind, Ui, UiBuilder, WidgetInfo, pos2, scroll_area::ScrollBarVisibility, vec2,
};

use super::state::Tab;
use super::{comparison, on_page, states_ui};
use crate::cells::vertex;
use crate::theme::{SMALL, Theme};
use crate::widgets::reveal_focus;
use crate::{PageContext, touch};

/// A page that is lower has no sheet: the prose needs the room.
const LEAST_PAGE: f32 = 260.0;
/// The sheet takes at most this share of the page's height.
const MOST: f32 = 0.5;
/// Room for the handle above the tabs.
const HANDLE: f32 = 16.0;
/// Of the sheet, at its sides and below.
const MARGIN: f32 = 14.0;
/// Of its upper corners.
const ROUND: u8 = 14;
/// A drag of the handle by so much opens the sheet or closes it.
const PULL: f32 = 16.0;

/// What was measured in the last frame, in points.
#[derive(Default)]
struct SheetMeasure {
    /// Handle and tabs.
    head: f32,
    /// What is below them.
    body: f32,
}

/// What is left of `area` for the page, and the sheet; absent where the page is too
/// low.
pub(crate) fn split(page: &mut PageContext<'_>, area: Rect) -> (Rect, Option<Rect>) {
    let fits = area.height() >= LEAST_PAGE;
    page.view.bench.as_sheet = fits;
    if !fits {
        return (area, None);
    }
    let open = page.view.bench.open;
    let measured = page.state::<SheetMeasure>("bench sheet");
    let head = if measured.head > 0.0 { measured.head } else { HANDLE + touch::TARGET };
    let body = match measured.body {
        _ if !open => 0.0,
        known if known > 0.0 => known,
        _ => area.height(),
    };
    let height = (head + body).min(head.max(area.height() * MOST)).floor();
    let (rest, sheet) = area.split_top_bottom_at_y(area.bottom() - height);
    (rest, Some(sheet))
}

/// Shows it. After the page: Tab comes to it in that order.
pub(crate) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, sheet: Rect) {
    paint(ui, page.theme, sheet);
    let room = Rect::from_min_max(sheet.min + vec2(MARGIN, HANDLE), sheet.max - vec2(MARGIN, 0.0));
    handle(ui, page, sheet);
    let mut child = ui.new_child(UiBuilder::new().id_salt("bench").max_rect(room));
    child.set_clip_rect(sheet.intersect(ui.clip_rect()));
    tabs(&mut child, page);
    child.add_space(4.0);
    let head = (child.cursor().top() - sheet.top()).ceil();
    let body = page.view.bench.open.then(|| body(&mut child, page));
    let kept = page.state::<SheetMeasure>("bench sheet");
    let known = (kept.head - head).abs() <= 0.5
        && body.is_none_or(|body: f32| (kept.body - body).abs() <= 0.5);
    kept.head = head;
    kept.body = body.unwrap_or(kept.body);
    if !known {
        // Once more at once, with the height now known.
        ui.ctx().request_discard("the height of the bench became known");
    }
}

fn paint(ui: &Ui, theme: &Theme, sheet: Rect) {
    let corners = eframe::egui::CornerRadius { nw: ROUND, ne: ROUND, sw: 0, se: 0 };
    // Its lower edge is the window's.
    let below = sheet.with_max_y(sheet.bottom() + 2.0);
    let edge = Stroke::new(1.0, theme.rule);
    ui.painter().rect(below, corners, theme.panel, edge, StrokeKind::Inside);
}

/// Pulled up or down, or tapped.
fn handle(ui: &Ui, page: &mut PageContext<'_>, sheet: Rect) {
    let place = Rect::from_min_max(sheet.min, pos2(sheet.right(), sheet.top() + HANDLE));
    let response = ui.interact(place, Id::unique("bench handle"), Sense::click_and_drag());
    let open = page.view.bench.open;
    let words = if open { "close the bench" } else { "open the bench" };
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
    let bar = Align2::CENTER_CENTER.anchor_size(place.center(), vec2(44.0, 4.0));
    ui.painter().rect_filled(bar, 2.0, page.theme.track);
    let pulled = response.total_drag_delta().unwrap_or_default().y;
    if response.clicked() {
        page.view.bench.open = !open;
    } else if pulled < -PULL {
        page.view.bench.open = true;
    } else if pulled > PULL {
        page.view.bench.open = false;
    }
    if page.view.bench.open != open {
        ui.ctx().request_repaint();
    }
    response.on_hover_cursor(CursorIcon::ResizeVertical);
}

fn tabs(ui: &mut Ui, page: &mut PageContext<'_>) {
    let theme = page.theme;
    // Four of them stand beside each other on the smallest phone; with large text
    // they are drawn along.
    let padding = if ui.available_width() < 340.0 { 7.0 } else { 12.0 };
    let line = ScrollArea::horizontal().id_salt("tabs");
    let line = line.scroll_bar_visibility(ScrollBarVisibility::AlwaysHidden);
    let row = |ui: &mut Ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.spacing_mut().button_padding.x = padding;
        for tab in Tab::ALL {
            let bench = &mut page.view.bench;
            let on = bench.open && bench.tab == tab;
            let color = if on { theme.on_accent } else { theme.ink };
            let words = RichText::new(tab.words()).size(SMALL).color(color);
            let fill = if on { theme.accent } else { theme.paper };
            let height = ui.spacing().interact_size.y.max(34.0);
            let button = Button::new(words)
                .fill(fill)
                .stroke(Stroke::new(1.0, if on { theme.accent } else { theme.rule }))
                .corner_radius(8.0)
                .min_size(vec2(0.0, height));
            let response = ui.add(button);
            response.widget_info(|| WidgetInfo::selected(Role::Tab, true, on, tab.words()));
            if response.clicked() {
                bench.open = !on;
                bench.tab = tab;
                ui.ctx().request_repaint();
            }
        }
    };
    line.show(ui, |ui| ui.horizontal(row));
}

/// What the tab is about, scrolled where it must be; how high it would like to be.
fn body(ui: &mut Ui, page: &mut PageContext<'_>) -> f32 {
    let tab = page.view.bench.tab;
    let shown =
        ScrollArea::vertical().id_salt(("bench", tab)).auto_shrink([false, false]).show(ui, |ui| {
            let margin = Margin { right: 4, bottom: 12, ..Margin::ZERO };
            Frame::NONE.inner_margin(margin).show(ui, |ui| {
                part(ui, page, tab);
            });
            reveal_focus(ui);
        });
    shown.content_size.y.ceil()
}

fn part(ui: &mut Ui, page: &mut PageContext<'_>, tab: Tab) {
    if matches!(tab, Tab::Weights | Tab::Sum) {
        on_page::choose_a_vertex(page);
    }
    match tab {
        Tab::Angles => {
            super::angles_ui(ui, page);
            comparison::poses_ui(ui, page);
        }
        Tab::Weights => on_page::weights_ui(ui, page),
        Tab::Matrices => {
            super::matrices_ui(ui, page);
            ui.separator();
            ui.horizontal_wrapped(|ui| states_ui(ui, page));
            on_page::pictures_ui(ui, page);
            comparison::ui(ui, page);
        }
        Tab::Sum => {
            let chosen = VertexCell { vertex: None, arithmetic: false };
            vertex::ui(ui, &chosen, "bench sum", page);
        }
    }
}
