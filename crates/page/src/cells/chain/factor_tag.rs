//! A factor as a tag: the frames that it leads to and from, in their colours.

use bindpose_notebook::chain::ChainFactor;
use bindpose_skin::CoordinateFrame;
use eframe::egui::{Color32, FontId, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use crate::PageContext;
use crate::theme::{CAPTION, FINE, Theme, font};
use crate::widgets::{PaintText, chip_size, frame_look, paint_chip};

/// Inside its border.
const PAD: f32 = 6.0;
/// Of the arrow between its frames.
const ARROW: f32 = 20.0;
/// Of the second line.
const TITLE: f32 = 17.0;
/// A place without a factor.
const BLANK: Vec2 = vec2(72.0, 22.0 + TITLE + 2.0 * PAD);

/// How a tag looks.
#[derive(Clone, Copy, Default)]
pub(super) struct TagLook {
    pub(super) selected: bool,
    pub(super) hovered: bool,
    /// Carried to another place.
    pub(super) carried: bool,
}

/// What is read aloud of a place.
pub(super) fn words(factor: Option<&ChainFactor>) -> String {
    match factor {
        Some(factor) => format!("{}, {}", factor.source.name(), factor.source.title),
        None => "blank".to_owned(),
    }
}

/// The room that it takes.
pub(super) fn size(ui: &Ui, factor: Option<&ChainFactor>) -> Vec2 {
    let Some(factor) = factor else { return BLANK };
    let named = &factor.source.named;
    let frames = chip_size(ui, &named.to.to_string()).x + chip_size(ui, &named.from.to_string()).x;
    let title = FontId::proportional(FINE);
    let galley = ui.painter().layout_no_wrap(factor.source.title.clone(), title, Color32::BLACK);
    let width = (frames + ARROW).max(galley.size().x);
    vec2(width + 2.0 * PAD, BLANK.y)
}

/// Paints it; what can be done with it is for the line.
pub(super) fn paint(
    ui: &Ui,
    rect: Rect,
    factor: Option<&ChainFactor>,
    look: TagLook,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let painter = ui.painter();
    let (width, edge) = match look {
        TagLook { selected: true, .. } => (2.0, theme.accent),
        TagLook { hovered: true, .. } => (1.5, theme.accent),
        _ => (1.0, theme.rule),
    };
    let fill = match (look.carried, look.hovered) {
        (true, _) => theme.accent_wash,
        (false, true) => theme.accent_wash.gamma_multiply(0.6),
        (false, false) => theme.paper,
    };
    let stroke = Stroke::new(width, edge);
    painter.rect(rect, 8.0, fill, stroke, StrokeKind::Inside);
    let Some(factor) = factor else {
        let font = font::strong(20.0);
        painter.text_centered(rect.center(), "?", font, theme.quiet);
        return;
    };
    let named = &factor.source.named;
    let rows = page.conventions().has_rows();
    let mut frames = [named.to, named.from];
    if rows {
        frames.reverse();
    }
    let sizes = frames.map(|frame| chip_size(ui, &frame.to_string()));
    let all = sizes[0].x + ARROW + sizes[1].x;
    let left = rect.center().x - all / 2.0;
    let top = rect.top() + PAD;
    let first = Rect::from_min_size(pos2(left, top), sizes[0]);
    let last = Rect::from_min_size(pos2(first.right() + ARROW, top), sizes[1]);
    for (frame, rect) in frames.into_iter().zip([first, last]) {
        frame_tag(ui, theme, rect, frame);
    }
    let between = pos2(f32::midpoint(first.right(), last.left()), first.center().y);
    let arrow = if rows { "→" } else { "←" };
    painter.text_centered(between, arrow, FontId::proportional(CAPTION), theme.quiet);
    let title = FontId::proportional(FINE);
    let color = if factor.singular { theme.wrong } else { theme.quiet };
    let at = pos2(rect.center().x, first.bottom() + TITLE / 2.0 + 1.0);
    painter.text_centered(at, &factor.source.title, title, color);
}

pub(super) fn frame_tag(ui: &Ui, theme: &Theme, rect: Rect, frame: CoordinateFrame) {
    let (fill, text) = frame_look(theme, frame);
    paint_chip(ui, theme, rect, &text, fill);
}
