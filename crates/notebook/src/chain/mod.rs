//! Products that readers take apart: what they have made of one, what it comes to,
//! where its frames meet, and where a vertex goes by it.

mod factors;
mod state;

use bindpose_lesson::{CellKind, ChainCell, Lesson};

use super::Document;
use super::exercise_cells::cells_at;

pub use factors::{ChainFactor, ChainProduct, Travel, comes_to_goal};
pub use state::ChainState;

/// A product as the cell of that name stands in a document.
pub fn chain_of(document: &Document, id: &str, cell: &ChainCell) -> ChainState {
    let changed = document.state.chains.get(id).cloned();
    changed.unwrap_or_else(|| ChainState::at_rung(cell, *cell.rungs().start()))
}

/// The products on the page of a document, by the name of their cell.
pub fn chains_at<'a>(
    lesson: &'a Lesson,
    document: &Document,
) -> impl Iterator<Item = (&'a str, &'a ChainCell)> {
    cells_at(lesson, document.step).filter_map(|cell| match &cell.kind {
        CellKind::Chain(chain) => Some((&*cell.id, chain)),
        _ => None,
    })
}
