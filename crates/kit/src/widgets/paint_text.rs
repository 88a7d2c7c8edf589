//! Text painted at a point, with the three anchors that rows and marks need.

use std::sync::Arc;

use eframe::egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, pos2,
    text::{LayoutJob, TextWrapping},
};

/// Painter methods for one line of text. Those that lay text out return its rectangle.
pub trait PaintText {
    /// Paints text centered at `at`.
    fn text_centered(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// Paints text to the right of `at`, vertically centered.
    fn text_left(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// Paints text to the left of `at`, vertically centered.
    fn text_right(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// Paints laid out text as [`Self::text_left`] does.
    fn galley_left(&self, at: Pos2, galley: Arc<Galley>, color: Color32);

    /// Paints text to the right of `at`, truncated at `width` points.
    fn text_cut(&self, at: Pos2, text: &str, font: FontId, color: Color32, width: f32);
}

impl PaintText for Painter {
    fn text_centered(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect {
        self.text(at, Align2::CENTER_CENTER, text, font, color)
    }

    fn text_left(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect {
        self.text(at, Align2::LEFT_CENTER, text, font, color)
    }

    fn text_right(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect {
        self.text(at, Align2::RIGHT_CENTER, text, font, color)
    }

    fn galley_left(&self, at: Pos2, galley: Arc<Galley>, color: Color32) {
        let corner = pos2(at.x, at.y - galley.size().y / 2.0);
        self.galley(corner, galley, color);
    }

    fn text_cut(&self, at: Pos2, text: &str, font: FontId, color: Color32, width: f32) {
        let mut job = LayoutJob::simple_singleline(text.to_owned(), font, color);
        job.wrap = TextWrapping::truncate_at_width(width);
        self.galley_left(at, self.layout_job(job), color);
    }
}
