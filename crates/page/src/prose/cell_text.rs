//! Texts of cells: paragraphs in cards, lines beside numbers, and words where only
//! a painter is.

use std::sync::Arc;

use bindpose_lesson::{Inline, Text};
use eframe::egui::{Painter, Pos2, Rect, Response, Ui, Vec2, vec2};

use super::blocks::text_blocks_ui;
use super::inline;
use super::paragraph::{aligned_ui, paint_pieces};
use super::typeset::{Face, Typeset};
use crate::PageContext;
use crate::theme::{LINE, Theme};
use crate::widgets::Emphasis;

impl Face {
    /// Of a text in a cell; `size` is in points.
    pub fn of_text(size: f32, emphasis: Emphasis, theme: &Theme) -> Self {
        Self {
            size,
            line: (size * LINE).round(),
            color: match emphasis {
                Emphasis::Quiet => theme.quiet,
                Emphasis::Strong | Emphasis::Plain => theme.ink,
            },
            strong: emphasis == Emphasis::Strong,
        }
    }
}

/// A text in the width that is left.
pub fn text_ui(
    ui: &mut Ui,
    text: &Text,
    size: f32,
    emphasis: Emphasis,
    page: &mut PageContext<'_>,
) {
    let face = Face::of_text(size, emphasis, page.theme);
    text_blocks_ui(ui, &text.blocks(), face, page);
}

/// A text of one line, no wider than its words.
pub fn line_ui(ui: &mut Ui, text: &Text, face: Face, page: &mut PageContext<'_>) -> Response {
    let room = ui.available_width().max(40.0);
    let line = text.line();
    let natural = inline::inlines(ui, line, face, room, page).run.set(ui, room);
    aligned_ui(ui, line, face, natural.width().ceil().min(room), 0.0, page)
}

/// A line for a painter: what it says, laid out, and what a screen reader says of it.
pub struct PaintedLine {
    set: Arc<Typeset>,
    /// As it is heard.
    pub spoken: String,
}

impl PaintedLine {
    /// Lays out a line, no wider than `width`.
    pub fn new(ui: &Ui, line: &[Inline], face: Face, width: f32, page: &PageContext<'_>) -> Self {
        let text = inline::inlines(ui, line, face, width, page);
        Self { spoken: text.spoken, set: text.run.set(ui, width) }
    }

    /// As [`Self::new`], each of its rows in the middle.
    pub fn centred(
        ui: &Ui,
        line: &[Inline],
        face: Face,
        width: f32,
        page: &PageContext<'_>,
    ) -> Self {
        let text = inline::inlines(ui, line, face, width, page);
        Self { spoken: text.spoken, set: text.run.set_centred(ui, width) }
    }

    /// In points.
    pub fn size(&self) -> Vec2 {
        vec2(self.set.width(), self.set.height())
    }

    /// With its corner at `at`.
    pub fn paint(&self, painter: &Painter, at: Pos2, theme: &Theme) {
        if painter.clip_rect().intersects(Rect::from_min_size(at, self.size())) {
            let origin = at - vec2(self.set.galley.rect.left(), 0.0);
            paint_pieces(painter, origin, &self.set, theme, |painter| {
                painter.galley(origin, self.set.galley.clone(), theme.ink);
            });
        }
    }
}
