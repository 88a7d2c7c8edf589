//! What holds other things: cards with a rule at their left, as errata and exercises,
//! plain panels, and boxes that scroll; and the paragraphs in them.

use eframe::egui::{
    Align, AsIdSalt, Color32, CornerRadius, FontId, Frame, InnerResponse, Layout, Margin, Rect,
    Response, RichText, ScrollArea, TextFormat, Ui, text::LayoutJob,
};

use crate::theme::{CAPTION, LINE, Theme, font};

/// What a card is about; decides the colour of its rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tone {
    /// Needs a second look.
    Caution,
    /// Is wrong.
    Wrong,
    /// Asks the reader to do something.
    Task,
    /// Is done, and right.
    Right,
    /// An aside.
    Quiet,
}

impl Tone {
    /// Of the words that say what a card is. A rule may be faint, words may not.
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

/// Lies on the page, as wide as there is room.
pub fn card<R>(
    ui: &mut Ui,
    theme: &Theme,
    tone: Tone,
    contents: impl FnOnce(&mut Ui) -> R,
) -> InnerResponse<R> {
    let answer = Frame::NONE
        .fill(theme.panel)
        .corner_radius(CornerRadius { nw: 0, ne: 6, sw: 0, se: 6 })
        .inner_margin(Margin { left: 19, right: 16, top: 12, bottom: 12 })
        .show(ui, |ui| {
            ui.set_min_width(ui.available_width());
            contents(ui)
        });
    let rect = answer.response.rect;
    let rule = Rect::from_min_size(rect.min, eframe::egui::vec2(3.0, rect.height()));
    ui.painter().rect_filled(rule, 0.0, tone.color(theme));
    answer
}

/// What a card is, in its colour, and `right` at the right end of the line.
pub fn card_heading(
    ui: &mut Ui,
    theme: &Theme,
    tone: Tone,
    words: &str,
    right: impl FnOnce(&mut Ui),
) {
    ui.horizontal(|ui| {
        let words = RichText::new(words).font(font::strong(CAPTION));
        ui.label(words.color(tone.heading_color(theme)));
        ui.with_layout(Layout::right_to_left(Align::Center), right);
    });
}

/// Formulas and listings: a panel as wide as there is room.
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

/// A box that scrolls, for rows of which there may be many: as high as these, `height`
/// points at most; `jump`: where it scrolls to now.
pub fn scroll_box(salt: impl AsIdSalt, height: f32, jump: Option<f32>) -> ScrollArea {
    let area = ScrollArea::vertical().id_salt(salt).max_height(height).auto_shrink([false, true]);
    match jump {
        Some(offset) => area.vertical_scroll_offset(offset),
        None => area,
    }
}

// Paragraphs inside cards.

/// How much a paragraph stands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Emphasis {
    /// May be overlooked.
    Quiet,
    /// The thing to remember.
    Strong,
    /// Everything else.
    Plain,
}

/// A paragraph; `` `code` `` is set in monospace. `size` is in points.
pub fn note(ui: &mut Ui, theme: &Theme, words: &str, size: f32, emphasis: Emphasis) -> Response {
    let plain = TextFormat {
        font_id: match emphasis {
            Emphasis::Strong => font::strong(size),
            Emphasis::Quiet | Emphasis::Plain => FontId::proportional(size),
        },
        color: match emphasis {
            Emphasis::Quiet => theme.quiet,
            Emphasis::Strong | Emphasis::Plain => theme.ink,
        },
        line_height: Some((size * LINE).round()),
        ..TextFormat::default()
    };
    let code = TextFormat {
        font_id: font::mono(size - 1.0, emphasis == Emphasis::Strong),
        ..plain.clone()
    };
    let mut job = LayoutJob::default();
    for (part, words) in words.split('`').enumerate() {
        let format = if part % 2 == 1 { &code } else { &plain };
        job.append(words, 0.0, format.clone());
    }
    ui.label(job)
}
