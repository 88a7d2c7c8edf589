//! What is done to the chosen factor, and what can be put in.

use bindpose_lesson::{ChainCell, Factor, MOST_FACTORS, MatrixRef};
use bindpose_notebook::chain::{ChainProduct, ChainState};
use bindpose_notebook::matrix::resolve;
use eframe::egui::Ui;

use super::memory::ChainCellState;
use crate::PageContext;
use crate::widgets::Tip as _;
use crate::widgets::{option_button, small_button};

/// Shows them; the product that the reader wants.
pub(super) fn ui(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let changed = of_selected(ui, chain, product, memory, page);
    let put_in = tray(ui, cell, chain, memory, page);
    changed.or(put_in)
}

fn of_selected(
    ui: &mut Ui,
    chain: &ChainState,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let place = memory.selected;
    let factor = chain.product.0.get(place)?;
    let count = product.factors.len();
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let rows = page.conventions().has_rows();
        let number = if rows { count - place } else { place + 1 };
        ui.label(page.theme.label(format!("factor {number} is chosen:")));
        let before = place.checked_sub(1);
        let after = Some(place + 1).filter(|&after| after < count);
        let (left, right) = if rows { (after, before) } else { (before, after) };
        for (words, name, to) in [("◀", "move left", left), ("▶", "move right", right)] {
            let button = ui.add_enabled(to.is_some(), small_button(words));
            let to = to.unwrap_or(place);
            if button.accessible_name(name).clicked() {
                memory.selected = to;
                wanted = Some(chain.moved(place, to));
            }
        }
        if let Some(factor) = factor {
            let invert = option_button(factor.inverted, "invert");
            let tip = "The way back: it leads from where it led to";
            if ui.add(invert).tip(tip).clicked() {
                wanted = Some(chain.inverted(place));
            }
            let transpose = option_button(factor.transposed, "transpose");
            let tip = "Rows for columns, as for row vectors, or in the other order in memory";
            if ui.add(transpose).tip(tip).clicked() {
                wanted = Some(chain.transposed(place));
            }
        }
        if ui.add(small_button("take out")).clicked() {
            wanted = Some(chain.without(place));
        }
    });
    wanted
}

/// Every matrix that the cell names: what was taken out can be put back.
fn tray(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let mut matrices = tray_of(cell).peekable();
    matrices.peek()?;
    let full = chain.product.0.len() >= MOST_FACTORS && chain.product.filled().is_some();
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.label("put in:"));
        for matrix in matrices {
            let Ok(source) = resolve(matrix, page.document, page.derived) else {
                continue;
            };
            let name = source.name();
            let words =
                if source.title == "joint matrix" { matrix.to_string() } else { name.clone() };
            let button = ui.add_enabled(!full, small_button(format!("+ {words}")));
            let button = button.accessible_name(format!("put in {name}, {}", source.title));
            if button.tip(&source.title).clicked() {
                let next = chain.with(Factor::from(matrix.clone()), Some(memory.selected));
                let filled = |place: &usize| {
                    chain.product.0.get(*place).is_none_or(Option::is_none)
                        && next.product.0.get(*place).is_some_and(Option::is_some)
                };
                let place = (0..next.product.0.len()).find(filled);
                memory.selected = place.unwrap_or(memory.selected);
                wanted = Some(next);
            }
        }
    });
    wanted
}

/// In an order that says nothing of where they belong.
pub(super) fn tray_of(cell: &ChainCell) -> impl Iterator<Item = &MatrixRef> {
    let products = [&cell.product, &cell.solution].into_iter();
    let factors = products.flat_map(|product| product.0.iter().flatten());
    let mut all: Vec<&MatrixRef> = factors.map(|factor| &factor.matrix).collect();
    all.extend(&cell.tray);
    all.sort_by_cached_key(ToString::to_string);
    all.dedup();
    all.into_iter()
}
