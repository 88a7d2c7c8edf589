//! Lists of answers: items to put in order, and choices.

use std::borrow::Cow;

use bindpose_kit::theme::{CARD_SIZE, Theme};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, small_button};
use bindpose_lesson::{Choice, OrderItem, Text};
use eframe::egui::{
    Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::prose::{PaintedLine, line_ui};

/// Distance from the left edge of a choice to its text, in points.
const TEXT_INDENT: f32 = 34.0;
/// Padding above and below the text of a choice, in points.
const TEXT_PADDING: f32 = 6.0;

/// Formats places of items, from 0, as an answer.
pub(super) fn format_places(places: &[usize]) -> String {
    let numbers: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
    numbers.join("+")
}

/// Draws items with buttons that move them up and down. `order` lists their places in
/// the right order. Returns the new answer after a move.
pub(super) fn order_ui(
    ui: &mut Ui,
    items: &[OrderItem],
    order: &[usize],
    page: &mut PageContext<'_>,
) -> Option<String> {
    let mut swap = None;
    let face = Face::of_text(CARD_SIZE, Emphasis::Plain, page.theme);
    for (position, &place) in order.iter().enumerate() {
        let Some(item) = items.get(place) else {
            continue;
        };
        ui.push_id(place, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(page.theme.label(format!("{}.", position + 1)));
                let text = item.text.words();
                let up = ui
                    .add_enabled(position > 0, small_button("up"))
                    .accessible_name(format!("{text}: up"));
                if up.clicked() {
                    swap = Some((position, position - 1));
                }
                let is_last = position + 1 == order.len();
                let down = ui
                    .add_enabled(!is_last, small_button("down"))
                    .accessible_name(format!("{text}: down"));
                if down.clicked() {
                    swap = Some((position, position + 1));
                }
                line_ui(ui, &item.text, face, page);
            });
        });
    }
    let (from, to) = swap?;
    let mut new_order = order.to_vec();
    new_order.swap(from, to);
    Some(format_places(&new_order))
}

/// Draws the choices in `order`, which lists their places in the lesson. Returns the new
/// answer after a change. It is empty if nothing is chosen.
pub(super) fn choices_ui(
    ui: &mut Ui,
    several: bool,
    choices: &[Choice],
    order: &[usize],
    mut chosen: Vec<usize>,
    page: &PageContext<'_>,
) -> Option<String> {
    if several {
        ui.label(page.theme.label("Choose all that are right."));
    }
    let rows = order.iter().filter_map(|&place| {
        let choice = choices.get(place)?;
        Some((place, Cow::Borrowed(&choice.text), chosen.contains(&place)))
    });
    let place = choice_rows(ui, rows, several, page)?;
    if !several {
        chosen = vec![place];
    } else if chosen.contains(&place) {
        chosen.retain(|&other| other != place);
    } else {
        chosen.push(place);
        chosen.sort_unstable();
    }
    Some(format_places(&chosen))
}

/// Draws a row for each choice, given as its place, its text and whether it is chosen.
/// Returns the place that was clicked.
pub(crate) fn choice_rows<'a>(
    ui: &mut Ui,
    rows: impl Iterator<Item = (usize, Cow<'a, Text>, bool)>,
    several: bool,
    page: &PageContext<'_>,
) -> Option<usize> {
    let mut clicked = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for (place, text, is_chosen) in rows {
            let row = ui.push_id(place, |ui| choice_row(ui, &text, is_chosen, several, page));
            if row.inner.clicked() {
                clicked = Some(place);
            }
        }
    });
    clicked
}

/// Draws a mark and a text. The whole row can be clicked.
pub(crate) fn choice_row(
    ui: &mut Ui,
    text: &Text,
    is_chosen: bool,
    several: bool,
    page: &PageContext<'_>,
) -> Response {
    let theme = page.theme;
    let width = ui.available_width();
    let mut face = Face::of_text(CARD_SIZE, Emphasis::Plain, theme);
    face.line = 21.0;
    let text_width = (width - TEXT_INDENT - 10.0).max(40.0);
    let line = PaintedLine::new(ui, text.line(), face, text_width, page);
    let size = vec2(width, line.size().y + 2.0 * TEXT_PADDING);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let role = if several { Role::CheckBox } else { Role::RadioButton };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), is_chosen, &line.spoken));
    if ui.is_rect_visible(rect) {
        let is_lit = response.hovered() || response.has_focus();
        let fill = if is_chosen || is_lit { theme.accent_wash } else { theme.paper };
        let edge = if is_chosen { theme.accent } else { theme.rule };
        let stroke = Stroke::new(1.0, edge);
        ui.painter().rect(rect, 6.0, fill, stroke, StrokeKind::Inside);
        let mark_center = pos2(rect.left() + 18.0, rect.top() + TEXT_PADDING + 10.5);
        paint_mark(ui, mark_center, is_chosen, several, theme);
        line.paint(ui.painter(), rect.min + vec2(TEXT_INDENT, TEXT_PADDING), theme);
    }
    response
}

/// Paints a radio button for a single choice, or a checkbox for several.
pub(in crate::cells) fn paint_mark(
    ui: &Ui,
    center: Pos2,
    is_chosen: bool,
    several: bool,
    theme: &Theme,
) {
    let edge = Stroke::new(1.5, if is_chosen { theme.accent } else { theme.quiet });
    let painter = ui.painter();
    if !several {
        painter.circle(center, 7.0, theme.paper, edge);
        if is_chosen {
            painter.circle_filled(center, 3.5, theme.accent);
        }
        return;
    }
    let square = Rect::from_center_size(center, vec2(14.0, 14.0));
    painter.rect(square, 3.0, theme.paper, edge, StrokeKind::Inside);
    if is_chosen {
        let tick =
            vec![center + vec2(-3.8, 0.2), center + vec2(-1.0, 3.0), center + vec2(4.0, -3.2)];
        painter.add(Shape::line(tick, Stroke::new(2.0, theme.accent)));
    }
}
