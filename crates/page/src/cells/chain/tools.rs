//! Buttons that change the selected factor of a product, and those that insert matrices.

use bindpose_kit::widgets::{Tip as _, option_button, small_button};
use bindpose_lesson::matrix_names::JOINT_MATRIX;
use bindpose_lesson::{ChainCell, Factor, MAX_FACTORS, MatrixRef};
use bindpose_notebook::chain::ChainState;
use bindpose_notebook::matrix::resolve;
use eframe::egui::Ui;

use super::factor_row::ChainCellState;
use crate::PageContext;

/// Draws the tools. Returns the product after a change by the reader.
pub(super) fn draw_tools(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let changed = draw_factor_tools(ui, chain, state, page);
    let with_inserted = draw_tray(ui, cell, chain, state, page);
    changed.or(with_inserted)
}

fn draw_factor_tools(
    ui: &mut Ui,
    chain: &ChainState,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let index = state.selected;
    let count = chain.product.0.len();
    let factor = chain.product.0.get(index)?.as_ref();
    let mut changed = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let has_rows = page.conventions().has_rows();
        let number = if has_rows { count - index } else { index + 1 };
        ui.label(page.theme.label(format!("factor {number} is chosen:")));
        let before = index.checked_sub(1);
        let after = Some(index + 1).filter(|&after| after < count);
        let (left, right) = if has_rows { (after, before) } else { (before, after) };
        for (symbol, name, to) in [("◀", "move left", left), ("▶", "move right", right)] {
            let button = ui.add_enabled(to.is_some(), small_button(symbol));
            let to = to.unwrap_or(index);
            if button.accessible_name(name).clicked() {
                state.selected = to;
                changed = Some(chain.moved(index, to));
            }
        }
        // For a blank, these buttons are disabled instead of hidden, so that those after them do
        // not move.
        let invert = option_button(factor.is_some_and(|factor| factor.inverted), "invert");
        let tip = "The way back: it leads from where it led to";
        if ui.add_enabled(factor.is_some(), invert).tip(tip).clicked() {
            changed = Some(chain.inverted(index));
        }
        let transpose = option_button(factor.is_some_and(|factor| factor.transposed), "transpose");
        let tip = "Rows for columns, as for row vectors, or in the other order in memory";
        if ui.add_enabled(factor.is_some(), transpose).tip(tip).clicked() {
            changed = Some(chain.transposed(index));
        }
        if ui.add(small_button("take out")).clicked() {
            changed = Some(chain.without(index));
        }
    });
    changed
}

/// Draws a button for each matrix of the cell, so that factors that were taken out can be put
/// back.
fn draw_tray(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let matrices = tray_matrices(cell);
    if matrices.is_empty() {
        return None;
    }
    let is_full = chain.product.0.len() >= MAX_FACTORS && chain.product.filled().is_some();
    let mut changed = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.label("put in:"));
        for matrix in matrices {
            let Ok(source) = resolve(matrix, page.document, page.derived) else {
                continue;
            };
            let name = source.name();
            let label =
                if source.title == JOINT_MATRIX { matrix.to_string() } else { name.clone() };
            let response = ui
                .add_enabled(!is_full, small_button(format!("+ {label}")))
                .accessible_name(format!("put in {name}, {}", source.title))
                .tip(&source.title);
            if response.clicked() {
                let next = chain.with(Factor::from(matrix.clone()), Some(state.selected));
                let inserted = (0..next.product.0.len()).find(|&index| {
                    let was_blank = chain.product.0.get(index).is_none_or(Option::is_none);
                    was_blank && next.product.0[index].is_some()
                });
                state.selected = inserted.unwrap_or(state.selected);
                changed = Some(next);
            }
        }
    });
    changed
}

/// Returns the matrices of the cell in alphabetical order, which does not reveal their places.
fn tray_matrices(cell: &ChainCell) -> Vec<&MatrixRef> {
    let mut matrices: Vec<&MatrixRef> = Vec::new();
    for product in [&cell.product, &cell.solution] {
        matrices.extend(product.0.iter().flatten().map(|factor| &factor.matrix));
    }
    matrices.extend(&cell.tray);
    matrices.sort_by_cached_key(ToString::to_string);
    matrices.dedup();
    matrices
}
