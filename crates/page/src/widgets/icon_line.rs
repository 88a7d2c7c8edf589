//! Icons and words on one line, for buttons and links.

use eframe::egui::{Align, Color32, FontId, TextFormat, text::LayoutJob};

/// Each part: its text, the room before it in points, and its face.
pub fn icon_line<'a>(
    parts: impl IntoIterator<Item = (&'a str, f32, FontId)>,
    color: Color32,
) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (text, lead, font_id) in parts {
        let format = TextFormat { font_id, color, valign: Align::Center, ..TextFormat::default() };
        job.append(text, lead, format);
    }
    job
}
