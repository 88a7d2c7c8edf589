//! A factor of a product as a tag: its two frames in their colours, and its title.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, font};
use bindpose_kit::widgets::{PaintText, chip_size, frame_color_and_name, paint_chip};
use bindpose_notebook::chain::ChainFactor;
use eframe::egui::{Color32, FontId, Rect, Stroke, StrokeKind, Ui, Vec2, pos2, vec2};

use crate::PageContext;

/// Padding inside the border.
const PAD_PTS: f32 = 6.0;
/// Width of the arrow between the frames.
const ARROW_WIDTH_PTS: f32 = 20.0;
const TITLE_HEIGHT_PTS: f32 = 17.0;
/// Size of a tag without a factor.
const BLANK_SIZE_PTS: Vec2 = vec2(72.0, 22.0 + TITLE_HEIGHT_PTS + 2.0 * PAD_PTS);

#[derive(Clone, Copy)]
pub(super) struct TagLook {
    pub(super) is_selected: bool,
    pub(super) is_hovered: bool,
    pub(super) is_dragged: bool,
}

/// Returns the accessible name of a factor, or of a blank.
pub(super) fn tag_label(factor: Option<&ChainFactor>) -> String {
    match factor {
        Some(factor) => format!("{}, {}", factor.source.name(), factor.source.title),
        None => "blank".to_owned(),
    }
}

/// Computes the size of a tag. All have the same height.
pub(super) fn tag_size(ui: &Ui, factor: Option<&ChainFactor>) -> Vec2 {
    let Some(factor) = factor else { return BLANK_SIZE_PTS };
    let named = &factor.source.named;
    let chips_width =
        chip_size(ui, &named.to.to_string()).x + chip_size(ui, &named.from.to_string()).x;
    let title = ui.painter().layout_no_wrap(
        factor.source.title.clone(),
        FontId::proportional(FINE_SIZE),
        Color32::BLACK,
    );
    let width = (chips_width + ARROW_WIDTH_PTS).max(title.size().x);
    vec2(width + 2.0 * PAD_PTS, BLANK_SIZE_PTS.y)
}

/// Paints a tag. Its response is handled by the row.
pub(super) fn paint_factor_tag(
    ui: &Ui,
    rect: Rect,
    factor: Option<&ChainFactor>,
    look: TagLook,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let painter = ui.painter();
    let stroke = match look {
        TagLook { is_selected: true, .. } => Stroke::new(2.0, theme.accent),
        TagLook { is_hovered: true, .. } => Stroke::new(1.5, theme.accent),
        _ => Stroke::new(1.0, theme.rule),
    };
    let fill = match look {
        TagLook { is_dragged: true, .. } => theme.accent_wash,
        TagLook { is_hovered: true, .. } => theme.accent_wash.gamma_multiply(0.6),
        _ => theme.paper,
    };
    painter.rect(rect, 8.0, fill, stroke, StrokeKind::Inside);
    let Some(factor) = factor else {
        painter.text_centered(rect.center(), "?", font::strong(20.0), theme.quiet);
        return;
    };
    let named = &factor.source.named;
    let has_rows = page.conventions().has_rows();
    let frames = if has_rows { [named.from, named.to] } else { [named.to, named.from] };
    let sizes = frames.map(|frame| chip_size(ui, &frame.to_string()));
    let content_width = sizes[0].x + ARROW_WIDTH_PTS + sizes[1].x;
    let top_left = pos2(rect.center().x - content_width / 2.0, rect.top() + PAD_PTS);
    let first = Rect::from_min_size(top_left, sizes[0]);
    let last = Rect::from_min_size(pos2(first.right() + ARROW_WIDTH_PTS, top_left.y), sizes[1]);
    for (frame, chip) in frames.into_iter().zip([first, last]) {
        let (fill, text) = frame_color_and_name(theme, frame);
        paint_chip(ui, theme, chip, &text, fill);
    }
    let between = pos2(f32::midpoint(first.right(), last.left()), first.center().y);
    let arrow = if has_rows { "→" } else { "←" };
    painter.text_centered(between, arrow, FontId::proportional(CAPTION_SIZE), theme.quiet);
    let title_color = if factor.singular { theme.wrong } else { theme.quiet };
    let title_center = pos2(rect.center().x, first.bottom() + TITLE_HEIGHT_PTS / 2.0 + 1.0);
    painter.text_centered(
        title_center,
        &factor.source.title,
        FontId::proportional(FINE_SIZE),
        title_color,
    );
}
