//! Names in the room there is.

use std::sync::Arc;

use eframe::egui::{Color32, FontId, Galley, Ui};

/// A name in one line. What does not fit is left out in the middle: names of
/// joints often begin alike and differ at their ends.
pub fn fitted_text(ui: &Ui, text: &str, font: &FontId, width: f32, color: Color32) -> Arc<Galley> {
    let line = |text: String| ui.painter().layout_no_wrap(text, font.clone(), color);
    let whole = line(text.to_owned());
    if whole.size().x <= width {
        return whole;
    }
    let chars: Vec<char> = text.chars().collect();
    let keeping = |kept: usize| {
        let (head, tail) = (kept * 2 / 5, kept - kept * 2 / 5);
        let head = chars[..head].iter();
        let tail = chars[chars.len() - tail..].iter();
        line(head.chain(['…'].iter()).chain(tail).collect())
    };
    let counts: Vec<usize> = (1..chars.len()).collect();
    let fits = counts.partition_point(|&kept| keeping(kept).size().x <= width);
    keeping(fits)
}
