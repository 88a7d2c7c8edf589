//! Text painted at a point, by the three anchors that rows and marks need.

use std::sync::Arc;

use eframe::egui::{
    Align2, Color32, FontId, Galley, Painter, Pos2, Rect, pos2,
    text::{LayoutJob, TextWrapping},
};

/// Text on one line; each answers with the room it takes.
pub trait PaintText {
    /// Around `at`.
    fn text_centered(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// From `at` to the right, `at` in the middle of its height.
    fn text_left(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// Up to `at`, in the middle of its height.
    fn text_right(&self, at: Pos2, text: impl ToString, font: FontId, color: Color32) -> Rect;

    /// Text that is laid out, as [`Self::text_left`] has it.
    fn galley_left(&self, at: Pos2, galley: Arc<Galley>, color: Color32);

    /// One line from `at` to the right, cut off at `width` points.
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
