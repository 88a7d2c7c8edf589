//! What the articles print, beside what is right.

use eframe::egui::{RichText, Ui};

use super::rows::{fitted, heads, number, row, words};
use crate::notebook::budget::{Representation, TAKEN, mat4s_in_all, printed};
use crate::ui::theme::{SMALL, Theme};

/// The articles' figures, struck through.
pub(super) fn ui(ui: &mut Ui, theme: &Theme) {
    ui.add_space(10.0);
    let narrow = ui.available_width() < 380.0;
    let widths = fitted(ui, [100.0, 110.0, 66.0, 96.0]);
    let titles = if narrow {
        ["vec4s", "printed", "joints", "mat4s"]
    } else {
        ["vec4 uniforms", "articles print", "joints", "mat4s in all"]
    };
    heads(ui, theme, titles, widths);
    for (index, vec4s) in [64, 128, 256].into_iter().enumerate() {
        let said = if vec4s == 64 {
            format!("{} mat4s, {}", vec4s / 8, printed(vec4s))
        } else {
            printed(vec4s).to_string()
        };
        let mut said = number(said, widths[1], false);
        said.text = said.text.strikethrough().color(theme.quiet);
        let cells = vec![
            number(vec4s.to_string(), 36.0, false),
            words("", widths[0] - 36.0),
            said,
            number(
                Representation::Mat4.joints(vec4s, TAKEN).to_string(),
                widths[2],
                true,
            ),
            number(mat4s_in_all(vec4s).to_string(), widths[3], false),
        ];
        row(ui, theme, index % 2 == 0, cells);
    }
    ui.add_space(6.0);
    let why = "The printed figures are N/8 − 3: a mat4 counted as 8 vec4s. It takes 4.";
    ui.label(RichText::new(why).size(SMALL).color(theme.caution));
}
