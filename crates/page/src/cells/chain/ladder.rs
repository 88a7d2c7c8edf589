//! How a product stands towards its goal, and the rungs of a ladder.

use bindpose_lesson::{ChainCell, MatrixRef};
use bindpose_notebook::Edit;
use bindpose_notebook::chain::ChainState;
use bindpose_notebook::matrix::resolve;
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL};
use crate::widgets::{small_button, tick};

/// In the heading: which rung, or whether it is solved.
pub(super) fn standing(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    solved: bool,
    page: &PageContext<'_>,
) {
    if cell.ladder {
        let words = format!("rung {} of {}", chain.rung + 1, cell.rungs());
        ui.label(page.theme.label(words));
    }
    if solved {
        tick(ui, page.theme, "Solved", CAPTION);
    }
}

/// Whether it comes to the goal.
pub(super) fn verdict(
    ui: &mut Ui,
    goal: &MatrixRef,
    chain: &ChainState,
    comes: bool,
    page: &PageContext<'_>,
) {
    let Ok(goal) = resolve(goal, page.document, page.derived) else {
        return;
    };
    let goal = format!("{} ({})", goal.name(), goal.title);
    if comes {
        // What is too long for one line is no tick's.
        tick(ui, page.theme, "Right", SMALL);
        let words = format!("It comes to {goal}, in every pose.");
        ui.label(RichText::new(words).size(SMALL).color(page.theme.right));
    } else if chain.product.filled().is_some() && !chain.product.0.is_empty() {
        let words = format!("It does not come to {goal} in every pose.");
        ui.label(RichText::new(words).size(SMALL).color(page.theme.wrong));
    } else {
        ui.label(page.theme.label(format!("It should come to {goal}.")));
    }
}

/// Up and down the ladder.
pub(super) fn buttons(
    ui: &mut Ui,
    cell: &ChainCell,
    id: &str,
    chain: &ChainState,
    comes: bool,
    page: &mut PageContext<'_>,
) {
    if !cell.ladder {
        return;
    }
    let blanks = cell.product.0.len();
    let mut go = |rung: usize| {
        let chain = ChainState::at_rung(cell, rung);
        page.edits.push(Edit::Chain(id.to_owned(), chain));
    };
    let last = chain.rung + 1 == cell.rungs();
    if comes && !last {
        let words = match chain.rung + 1 {
            next if next == blanks => "Next rung: an empty line".to_owned(),
            1 => "Next rung: one place blank".to_owned(),
            next => format!("Next rung: {next} places blank"),
        };
        if ui.button(words).clicked() {
            go(chain.rung + 1);
        }
    }
    if chain.rung > 0 && ui.add(small_button("a rung down")).clicked() {
        go(chain.rung - 1);
    }
    if chain.product != cell.at_rung(chain.rung)
        && ui.add(small_button("this rung again")).clicked()
    {
        go(chain.rung);
    }
}
