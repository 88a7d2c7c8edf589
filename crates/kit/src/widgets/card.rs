//! Containers: cards with a colored rule at the left, plain panels, scrolling boxes, and
//! the paragraphs in them.

use eframe::egui::{
    Align, AsIdSalt, Color32, CornerRadius, FontId, Frame, InnerResponse, Layout, Margin, Rect,
    Response, RichText, ScrollArea, TextFormat, Ui, text::LayoutJob,
};

use crate::theme::{CAPTION_SIZE, LINE_HEIGHT, Theme, font};

/// Purpose of a card, which sets the color of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    Caution,
    Wrong,
    /// A task for the reader.
    Task,
    /// A task that is solved.
    Right,
    Quiet,
}

impl Tone {
    /// Color of the card's heading. A rule may be faint, text may not.
    pub fn heading_color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Quiet => theme.ink,
            tone => tone.color(theme),
        }
    }

    fn color(self, theme: &Theme) -> Color32 {
        match self {
            Self::Caution => theme.caution,
            Self::Wrong => theme.wrong,
            Self::Task => theme.accent,
            Self::Right => theme.right,
            Self::Quiet => theme.rule,
        }
    }
}

/// Draws a card as wide as the available space.
pub fn card<R>(
    ui: &mut Ui,
    theme: &Theme,
    tone: Tone,
    contents: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<R> {
    let card = Frame::NONE
        .fill(theme.panel)
        .corner_radius(CornerRadius { nw: 0, ne: 6, sw: 0, se: 6 })
        .inner_margin(Margin { left: 19, right: 16, top: 12, bottom: 12 })
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            contents(ui)
        });
    let rect = card.response.rect;
    let rule = Rect::from_min_size(rect.min, eframe::egui::vec2(3.0, rect.height()));
    ui.painter().rect_filled(rule, 0.0, tone.color(theme));
    card
}

/// Draws the heading of a card in its color, and `right` at the right end of the line.
pub fn card_heading(
    ui: &mut Ui,
    theme: &Theme,
    tone: Tone,
    text: &str,
    right: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        let text = RichText::new(text).font(font::strong(CAPTION_SIZE));
        ui.label(text.color(tone.heading_color(theme)));
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// Draws a panel as wide as the available space, for formulas and listings.
pub fn panel<R>(
    ui: &mut Ui,
    theme: &Theme,
    contents: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<R> {
    let width = ui.available_width();
    Frame::NONE.fill(theme.panel).corner_radius(8).inner_margin(Margin::symmetric(16, 12)).show(
        ui,
        |ui| {
            ui.set_width((width - 32.0).max(0.0));
            contents(ui)
        },
    )
}

/// Room to the right of scrolled contents, so that the scroll bar does not cover them, in points.
pub const SCROLL_BAR_ROOM_PTS: f32 = 14.0;

/// Returns a scroll area for a list that may be long: as high as its rows, up to
/// `max_height` points. It scrolls to `offset` if that is given.
pub fn scroll_box(salt: impl AsIdSalt, max_height: f32, offset: Option<f32>) -> ScrollArea {
    let area =
        ScrollArea::vertical().id_salt(salt).max_height(max_height).auto_shrink([false, true]);
    match offset {
        Some(offset) => area.vertical_scroll_offset(offset),
        None => area,
    }
}

// Paragraphs inside cards.

/// Prominence of a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    Quiet,
    /// Highlights the main point.
    Strong,
    Plain,
}

/// Draws a paragraph in which `` `code` `` is set in monospace. `size` is in points.
pub fn paragraph_ui(
    ui: &mut Ui,
    theme: &Theme,
    text: &str,
    size: f32,
    emphasis: Emphasis,
) -> Response {
    let plain = TextFormat {
        font_id: match emphasis {
            Emphasis::Strong => font::strong(size),
            Emphasis::Quiet | Emphasis::Plain => FontId::proportional(size),
        },
        color: match emphasis {
            Emphasis::Quiet => theme.quiet,
            Emphasis::Strong | Emphasis::Plain => theme.ink,
        },
        line_height: Some((size * LINE_HEIGHT).round()),
        ..TextFormat::default()
    };
    let code = TextFormat {
        font_id: font::mono(size - 1.0, emphasis == Emphasis::Strong),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    for (index, part) in text.split('`').enumerate() {
        let format = if index % 2 == 1 { &code } else { &plain };
        job.append(part, 0.0, format.clone());
    }
    ui.label(job)
}
