//! Answers below each other: to be put in order, or to be chosen among.

use std::borrow::Cow;

use bindpose_lesson::{Choice, OrderItem, Text};
use eframe::egui::{
    Pos2, Rect, Response, Role, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::prose::{Face, PaintedLine, line_ui};
use crate::theme::{CARD, Theme};
use crate::widgets::{Emphasis, small_button};

// Things to put in order, one below the other, moved by buttons.

/// Places of things, from 0, as an answer.
pub(super) fn written_order(places: &[usize]) -> String {
    let places: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
    places.join("+")
}

/// Draws the things as they stand now, by their places in the right order. Gives
/// the answer after one was moved.
pub(super) fn order_ui(
    ui: &mut Ui,
    items: &[OrderItem],
    now: &[usize],
    page: &mut PageContext<'_>,
) -> Option<String> {
    let mut moved = None;
    let face = Face::of_text(CARD, Emphasis::Plain, page.theme);
    for (at, &place) in now.iter().enumerate() {
        let Some(item) = items.get(place) else {
            continue;
        };
        ui.push_id(place, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(page.theme.label(format!("{}.", at + 1)));
                let words = item.text.words();
                for (name, to) in [("up", at.checked_sub(1)), ("down", Some(at + 1))] {
                    let to = to.filter(|&to| to < now.len());
                    let button = ui.add_enabled(to.is_some(), small_button(name));
                    let button = button.accessible_name(format!("{words}: {name}"));
                    if let Some(to) = to.filter(|_| button.clicked()) {
                        moved = Some((at, to));
                    }
                }
                line_ui(ui, &item.text, face, page);
            });
        });
    }
    moved.map(|(from, to)| {
        let mut next = now.to_vec();
        next.swap(from, to);
        written_order(&next)
    })
}

// Answers to choose among, one below the other.

/// From the left edge of a row to its words.
const WORDS: f32 = 34.0;
/// Above and below them.
const PAD: f32 = 6.0;

/// Draws the choices in `order`, by their places in the author's. Gives the places
/// that are chosen now as an answer, where that has changed; an empty one for none.
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
    let known = order.iter().filter_map(|&place| Some((place, choices.get(place)?)));
    let list =
        known.map(|(place, choice)| (place, Cow::Borrowed(&choice.text), chosen.contains(&place)));
    let place = choice_rows(ui, list, several, page)?;
    if !several {
        chosen = vec![place];
    } else if chosen.contains(&place) {
        chosen.retain(|&other| other != place);
    } else {
        chosen.push(place);
        chosen.sort_unstable();
    }
    Some(written_order(&chosen))
}

/// Draws a row for each place with its text, and whether it is chosen; gives the place
/// that was pressed.
pub(crate) fn choice_rows<'a>(
    ui: &mut Ui,
    rows: impl Iterator<Item = (usize, Cow<'a, Text>, bool)>,
    several: bool,
    page: &PageContext<'_>,
) -> Option<usize> {
    let mut pressed = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for (place, text, on) in rows {
            if ui.push_id(place, |ui| choice_row(ui, &text, on, several, page)).inner.clicked() {
                pressed = Some(place);
            }
        }
    });
    pressed
}

/// A mark and words, all of which can be pressed.
pub(crate) fn choice_row(
    ui: &mut Ui,
    text: &Text,
    on: bool,
    several: bool,
    page: &PageContext<'_>,
) -> Response {
    let theme = page.theme;
    let width = ui.available_width();
    let mut face = Face::of_text(CARD, Emphasis::Plain, theme);
    face.line = 21.0;
    let words = PaintedLine::new(ui, text.line(), face, (width - WORDS - 10.0).max(40.0), page);
    let size = vec2(width, words.size().y + 2.0 * PAD);
    let (rect, response) = ui.allocate_exact_size(size, Sense::click());
    let role = if several { Role::CheckBox } else { Role::RadioButton };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), on, &words.spoken));
    if ui.is_rect_visible(rect) {
        let lit = response.hovered() || response.has_focus();
        let fill = if on || lit { theme.accent_wash } else { theme.paper };
        let edge = if on { theme.accent } else { theme.rule };
        let stroke = Stroke::new(1.0, edge);
        ui.painter().rect(rect, 6.0, fill, stroke, StrokeKind::Inside);
        let at = pos2(rect.left() + 18.0, rect.top() + PAD + 10.5);
        paint_mark(ui, at, on, several, theme);
        words.paint(ui.painter(), rect.min + vec2(WORDS, PAD), theme);
    }
    response
}

/// A circle for one of many, a box for several of many.
pub(in crate::cells) fn paint_mark(ui: &Ui, at: Pos2, on: bool, several: bool, theme: &Theme) {
    let edge = Stroke::new(1.5, if on { theme.accent } else { theme.quiet });
    let painter = ui.painter();
    if !several {
        painter.circle(at, 7.0, theme.paper, edge);
        if on {
            painter.circle_filled(at, 3.5, theme.accent);
        }
        return;
    }
    let square = Rect::from_center_size(at, vec2(14.0, 14.0));
    painter.rect(square, 3.0, theme.paper, edge, StrokeKind::Inside);
    if on {
        let tick = [(-3.8, 0.2), (-1.0, 3.0), (4.0, -3.2)];
        let tick = tick.map(|(x, y)| at + vec2(x, y));
        let stroke = Stroke::new(2.0, theme.accent);
        painter.add(Shape::line(tick.to_vec(), stroke));
    }
}
