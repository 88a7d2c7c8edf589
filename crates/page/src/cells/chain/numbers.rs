//! What a product comes to: two matrices side by side and their product, and the sum
//! behind each of its numbers, one after the other.

use bindpose_lesson::ChainCell;
use bindpose_notebook::chain::ChainProduct;
use bindpose_notebook::matrix::PageMatrix;
use bindpose_skin::NamedTransform;
use eframe::egui::{RichText, Ui};

use super::memory::ChainCellState;
use crate::PageContext;
use crate::cells::matrix;
use crate::theme::CAPTION;
use crate::widgets::{option_button, small_button};

/// Shows it, or why there is nothing to show.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    if let Some(words) = product.missing() {
        ui.label(page.theme.label(words));
        return;
    }
    let places = 0..product.factors.len();
    let sources = match product.cut(memory.cut) {
        Some([left, right]) => {
            let cut = memory.cut;
            vec![part(product, 0..cut, left), part(product, cut..places.end, right)]
        }
        None => match product.value() {
            Some(value) => vec![part(product, places, value)],
            None => return,
        },
    };
    let sources: Vec<PageMatrix> = sources.into_iter().flatten().collect();
    if sources.len() < 2 {
        memory.stepped = None;
    }
    let at_first = cell.numbers.unwrap_or(cell.goal.is_none());
    let shown = memory.shows_numbers.unwrap_or(at_first);
    let shown = switches(ui, shown, sources.len() == 2, memory, page);
    if !shown {
        return;
    }
    matrix::product_row(ui, (id, cell.decimals), sources, memory.stepped, page);
}

/// Some neighbours as one matrix: that of the factor itself, if it is alone.
fn part(
    product: &ChainProduct,
    places: std::ops::Range<usize>,
    value: NamedTransform,
) -> Option<PageMatrix> {
    let factors = product.factors.get(places)?;
    let first = factors.first()?.as_ref()?;
    if factors.len() == 1 {
        return Some(first.source.clone());
    }
    let title = format!("product of {}", factors.len());
    Some(PageMatrix::read_only(value, first.source.owner, &title))
}

/// Shows and hides the numbers, and goes through the sixteen of the product, row by
/// row. Are they shown now?
fn switches(
    ui: &mut Ui,
    shown: bool,
    has_sums: bool,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> bool {
    let mut shown = shown;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        if ui.add(option_button(shown, "numbers")).clicked() {
            shown = !shown;
            memory.shows_numbers = Some(shown);
        }
        if !shown || !has_sums {
            return;
        }
        ui.label(page.theme.label("one by one:"));
        let at = memory.stepped.map(|(row, column)| row * 4 + column);
        for (words, name, next) in [
            ("◀", "number before", at.map_or(15, |at| (at + 15) % 16)),
            ("▶", "next number", at.map_or(0, |at| (at + 1) % 16)),
        ] {
            let button = ui.add(small_button(words));
            if button.accessible_name(name).clicked() {
                memory.stepped = Some((next / 4, next % 4));
            }
        }
        let Some((row, column)) = memory.stepped else {
            return;
        };
        let words = format!("row {} · column {}", row + 1, column + 1);
        ui.label(RichText::new(words).size(CAPTION));
        if ui.add(small_button("all")).clicked() {
            memory.stepped = None;
        }
    });
    shown
}
