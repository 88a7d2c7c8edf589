//! A product of matrices that is taken apart: its factors in a line, moved, added,
//! taken out, inverted and transposed; what it comes to, number by number; and the
//! way of a vertex through it.

mod factor_tag;
mod ladder;
mod line;
mod memory;
mod numbers;
#[cfg(test)]
mod tests;
mod tools;
mod travel;

use bindpose_lesson::{ChainCell, MatrixProduct, MatrixRef};
use bindpose_notebook::Edit;
use bindpose_notebook::chain::{
    ChainProduct, ChainState, Travel, chain_of, chains_at, comes_to_goal,
};
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::prose::text_ui;
use crate::theme::{CARD, LEAD};
use crate::widgets::{Emphasis, Tone, card, card_heading};
use memory::ChainCellState;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ChainCell, id: &str, page: &mut PageContext<'_>) {
    let Some(goal) = &cell.goal else {
        page.with_state(id, |memory, page| content(ui, cell, id, None, memory, page));
        return;
    };
    page.with_state(id, |memory: &mut ChainCellState, page| {
        let chain = chain_of(page.document, id, cell);
        let comes = judged(memory, &chain.product, goal, page);
        // A rung that is given is no answer.
        let solved = comes && (!cell.ladder || chain.rung > 0);
        let tone = if solved { Tone::Right } else { Tone::Task };
        card(ui, page.theme, tone, |ui| {
            ui.spacing_mut().item_spacing.y = 6.0;
            let heading = if cell.ladder { "Ladder" } else { "Exercise" };
            card_heading(ui, page.theme, tone, heading, |ui| {
                ladder::standing(ui, cell, &chain, solved, page);
            });
            if let Some(ask) = &cell.ask {
                text_ui(ui, ask, LEAD, Emphasis::Plain, page);
            }
            content(ui, cell, id, Some(comes), memory, page);
            let last = chain.rung + 1 == cell.rungs();
            if let Some(words) = cell.solved.as_ref().filter(|_| comes && last) {
                text_ui(ui, words, CARD, Emphasis::Plain, page);
            }
        });
    });
}

/// `comes`: whether it comes to its goal, where it has one.
fn content(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    comes: Option<bool>,
    memory: &mut ChainCellState,
    page: &mut PageContext<'_>,
) {
    let chain = chain_of(page.document, id, cell);
    let product = match ChainProduct::resolved(&chain.product, page.document, page.derived) {
        Ok(product) => product,
        Err(words) => {
            ui.label(RichText::new(words).color(page.theme.wrong));
            return;
        }
    };
    let count = product.factors.len();
    memory.selected = memory.selected.min(count.saturating_sub(1));
    memory.cut = memory.cut.clamp(1, count.saturating_sub(1).max(1));
    let travel = travel_of(cell, &product, page);
    let vertex = travel.as_ref().map(|travel| travel.vertex);
    let changed = line::ui(ui, id, &chain, &product, vertex, memory, page);
    if let Some((goal, comes)) = cell.goal.as_ref().zip(comes) {
        ui.horizontal_wrapped(|ui| {
            ladder::verdict(ui, goal, &chain, comes, page);
            ladder::buttons(ui, cell, id, &chain, comes, page);
        });
    }
    let travelled = travel.and_then(|travel| travel::ui(ui, id, &chain, &travel, page));
    // Shown in any case: what stands below would jump.
    let by_tools = tools::ui(ui, cell, &chain, &product, memory, page);
    let seams = product.seams();
    let ends = vertex.and_then(|_| Travel::seam(&product));
    for seam in seams.iter().chain(&ends) {
        ui.label(RichText::new(&seam.words).color(page.theme.wrong));
    }
    numbers::ui(ui, cell, id, &product, memory, page);
    let next = changed.or(by_tools).or(travelled);
    if let Some(next) = next.filter(|next| *next != chain) {
        page.edits.push(Edit::Chain(id.to_owned(), next));
    }
}

/// Tried in several poses: only when something has changed.
fn judged(
    memory: &mut ChainCellState,
    product: &MatrixProduct,
    goal: &MatrixRef,
    page: &PageContext<'_>,
) -> bool {
    if let Some(judged) = memory.judged.as_mut().filter(|judged| judged.0 == *product) {
        // How far a vertex has travelled makes no difference.
        judged.1.chains.clone_from(&page.document.state.chains);
        if judged.1 == page.document.state {
            return judged.2;
        }
    }
    let comes = comes_to_goal(product, goal, page.document, page.lesson, page.derived);
    let state = page.document.state.clone();
    memory.judged = Some(Box::new((product.clone(), state, comes)));
    comes
}

/// Where the vertex is on its way, for pictures: products through which it has set
/// out.
pub(in crate::cells) fn under_way(
    page: &PageContext<'_>,
) -> impl Iterator<Item = (ChainState, Travel)> {
    let chains = chains_at(page.lesson, page.document);
    chains.filter_map(|(id, cell)| {
        let chain = page.document.state.chains.get(id)?.clone();
        if chain.travelled <= 0.0 {
            return None;
        }
        let (document, derived) = (page.document, page.derived);
        let product = ChainProduct::resolved(&chain.product, document, derived).ok()?;
        Some((chain, travel_of(cell, &product, page)?))
    })
}

/// The way of the cell's vertex; `None` where none goes through.
fn travel_of(cell: &ChainCell, product: &ChainProduct, page: &PageContext<'_>) -> Option<Travel> {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    Travel::through(product, vertex, page.derived).filter(|_| cell.carries_vertex())
}
