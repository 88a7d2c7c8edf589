//! Paragraphs inside cards.

use eframe::egui::{FontId, Response, TextFormat, Ui, text::LayoutJob};

use crate::theme::{LINE, Theme, font};

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
