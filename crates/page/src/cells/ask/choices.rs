//! Answers to choose among, one below the other.

use std::borrow::Cow;

use bindpose_lesson::{Choice, Text};
use eframe::egui::{
    self, Rect, Response, Sense, Shape, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2,
};

use super::order;
use crate::PageContext;
use crate::prose::{Face, PaintedLine};
use crate::theme::{CARD, Theme};
use crate::widgets::Emphasis;

/// From the left edge of a row to its words.
const WORDS: f32 = 34.0;
/// Above and below them.
const PAD: f32 = 6.0;

/// Draws the choices in `order`, by their places in the author's. Gives the places
/// that are chosen now as an answer, where that has changed; an empty one for none.
pub(super) fn ui(
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
    let place = rows(ui, list, several, page)?;
    if !several {
        chosen = vec![place];
    } else if chosen.contains(&place) {
        chosen.retain(|&other| other != place);
    } else {
        chosen.push(place);
        chosen.sort_unstable();
    }
    Some(order::written(&chosen))
}

/// Draws a row for each place with its text, and whether it is chosen; gives the place
/// that was pressed.
pub(crate) fn rows<'a>(
    ui: &mut Ui,
    rows: impl Iterator<Item = (usize, Cow<'a, Text>, bool)>,
    several: bool,
    page: &PageContext<'_>,
) -> Option<usize> {
    let mut pressed = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for (place, text, on) in rows {
            if ui.push_id(place, |ui| row(ui, &text, on, several, page)).inner.clicked() {
                pressed = Some(place);
            }
        }
    });
    pressed
}

/// A mark and words, all of which can be pressed.
pub(crate) fn row(
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
    let role = if several { egui::Role::CheckBox } else { egui::Role::RadioButton };
    response.widget_info(|| WidgetInfo::selected(role, ui.is_enabled(), on, &words.spoken));
    if ui.is_rect_visible(rect) {
        let lit = response.hovered() || response.has_focus();
        let fill = if on || lit { theme.accent_wash } else { theme.paper };
        let edge = if on { theme.accent } else { theme.rule };
        let stroke = Stroke::new(1.0, edge);
        ui.painter().rect(rect, 6.0, fill, stroke, StrokeKind::Inside);
        let at = pos2(rect.left() + 18.0, rect.top() + PAD + 10.5);
        mark(ui, at, on, several, theme);
        words.paint(ui.painter(), rect.min + vec2(WORDS, PAD), theme);
    }
    response
}

/// A circle for one of many, a box for several of many.
pub(in crate::cells) fn mark(ui: &Ui, at: egui::Pos2, on: bool, several: bool, theme: &Theme) {
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
