//! Lines under the matrices: where a number of the product comes from, how
//! large a difference is.

use bindpose_notebook::matrix::{NOT_EQUAL, OperatorBlock, OperatorRole};
use bindpose_notebook::number_text;
use bindpose_notebook::significant_digits::USUAL;
use bindpose_skin::{ConventionAxes, Conventions};
use eframe::egui::{Align, FontId, Label, Layout, RichText, Ui, vec2};

use crate::cells::words::factor;
use crate::theme::{CAPTION, Theme};

/// Where a number of the product comes from.
pub(super) fn trace(
    ui: &mut Ui,
    theme: &Theme,
    (blocks, left_factor): (&[OperatorBlock], usize),
    tracing: Option<(usize, usize)>,
    decimals: usize,
) {
    let [first, second, result] = blocks else {
        return;
    };
    // Rows of `a` meet columns of `b`, wherever they stand.
    let reversed = left_factor == 1;
    let (a, b) = if reversed { (second, first) } else { (first, second) };
    let [of_a, of_b, of_result] = [a, b, result].map(|block| block.magnitude.decimals(decimals));
    let words = match tracing {
        None if result.operator == NOT_EQUAL => {
            let words = "Not the product of the two before it, but what moves vertices.";
            ui.label(theme.caption(words).color(theme.wrong));
            return;
        }
        None => "Point at a number of the product to see its sum.".to_owned(),
        Some((row, column)) => {
            let terms: Vec<String> = (0..4)
                .map(|k| {
                    let of_a = factor(a.source.named.mat.col(k)[row], of_a[k]);
                    let of_b = factor(b.source.named.mat.col(column)[k], of_b[column]);
                    if reversed { format!("{of_b}·{of_a}") } else { format!("{of_a}·{of_b}") }
                })
                .collect();
            let sum = f64::from(result.source.named.mat.col(column)[row]);
            let sum = number_text::fixed(sum, of_result[column]);
            format!("{} = {sum}", terms.join(" + "))
        }
    };
    let text = theme.caption(words);
    // Both faces take as much room, so that nothing moves when a number is pointed at.
    let faces = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
    let height = ui.fonts_mut(|fonts| faces.map(|face| fonts.row_height(&face)));
    let size = vec2(ui.available_width(), height[0].max(height[1]).ceil());
    let line = Layout::left_to_right(Align::Center).with_main_wrap(true);
    let words = if tracing.is_some() { text.monospace().color(theme.ink) } else { text };
    ui.allocate_ui_with_layout(size, line, |ui| ui.add(Label::new(words).wrap()));
}

pub(super) fn largest_difference(ui: &mut Ui, theme: &Theme, blocks: &[OperatorBlock]) {
    let Some(difference) = blocks.iter().find(|block| block.role == OperatorRole::Difference)
    else {
        return;
    };
    let mat = difference.source.named.mat;
    let (mut largest, mut at) = (0.0_f32, (0, 0));
    for column in 0..4 {
        for row in 0..4 {
            if mat.col(column)[row].abs() > largest {
                (largest, at) = (mat.col(column)[row].abs(), (row, column));
            }
        }
    }
    let decimals = difference.magnitude.decimals(USUAL);
    // What rounding leaves is 0 in it.
    let text = if largest == 0.0 {
        RichText::new("A and B are equal.").color(theme.right)
    } else {
        RichText::new(format!(
            "max |A − B| = {} in row {}, column {}",
            number_text::fixed(largest.into(), decimals[at.1]),
            at.0 + 1,
            at.1 + 1
        ))
    };
    ui.label(text);
}

/// Says that they are not written as prose writes them.
pub(super) fn written_as(ui: &mut Ui, theme: &Theme, conventions: Conventions, was_editable: bool) {
    let mut words = Vec::new();
    if conventions.has_rows() {
        words.push("for row vectors: rows are the columns of the text");
    }
    if conventions.axes != ConventionAxes::Gltf {
        words.push(conventions.axes.label());
        if was_editable {
            words.push("to be edited with y up, right-handed");
        }
    }
    if !words.is_empty() {
        ui.label(theme.caption(format!("Written {}.", words.join(" · "))));
    }
}
