//! Products that readers take apart: their matrices are there, and what comes to the
//! goal is the solution and nothing near it.

use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{ChainCell, Factor, MatrixProduct, MatrixRef, OutlinePlace};

use super::checker::Checker;
use crate::chain::comes_to_goal;
use crate::step_document;

/// Looks up where the value of a key is written.
type KeyAt<'a> = &'a dyn Fn(&str) -> LineColumn;

impl Checker<'_> {
    pub(super) fn chain_cell(&mut self, place: OutlinePlace, cell: &ChainCell, key_at: KeyAt<'_>) {
        let found = self.findings.len();
        for (key, product) in [("product", &cell.product), ("solution", &cell.solution)] {
            for factor in product.0.iter().flatten() {
                self.matrix(place, key_at(key), &factor.matrix);
            }
        }
        for (index, matrix) in cell.tray.iter().enumerate() {
            self.matrix(place, key_at(&format!("tray[{index}]")), matrix);
        }
        if let Some(vertex) = cell.vertex {
            self.vertex(place, key_at("vertex"), vertex);
        }
        if let Some(goal) = &cell.goal {
            self.matrix(place, key_at("goal"), goal);
            if self.findings.len() == found {
                self.goal_proven(place, cell, goal, key_at);
            }
        }
    }

    /// The solution comes to the goal; the product as each rung opens does not, nor the
    /// solution with two neighbours swapped, or with another matrix in a place.
    fn goal_proven(
        &mut self,
        place: OutlinePlace,
        cell: &ChainCell,
        goal: &MatrixRef,
        key_at: KeyAt<'_>,
    ) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let document = step_document(self.lesson, self.step_of(place), Some(&rig));
        let Some(derived) = self.start(place) else {
            return;
        };
        let comes =
            |product: &MatrixProduct| comes_to_goal(product, goal, &document, self.lesson, derived);
        let key = if cell.ladder { "product" } else { "solution" };
        let solution = cell.solution();
        let wrong = if comes(solution) {
            let open = opening(cell).find(&comes);
            let open = open.map(|open| {
                let title = format!("it opens as {open}, which comes to the goal already");
                ("product", title)
            });
            open.or_else(|| {
                let other = near(cell).find(&comes)?;
                Some((key, format!("{other} comes to the goal too")))
            })
        } else {
            let title = format!("{solution} does not come to {goal} in every pose");
            Some((key, title))
        };
        if let Some((key, title)) = wrong {
            let help = "correct the product, the goal, or the step’s rig and pose";
            let wrong = Diagnostic::said("EXERCISE", title).help(help);
            self.error_in(place, key_at(key), wrong);
        }
    }
}

/// What readers have before them: the first rung of a ladder is given on purpose.
fn opening(cell: &ChainCell) -> impl Iterator<Item = MatrixProduct> {
    let first = usize::from(cell.ladder);
    (first..cell.rungs()).map(|rung| cell.at_rung(rung))
}

/// Products that are one mistake away.
fn near(cell: &ChainCell) -> impl Iterator<Item = MatrixProduct> {
    let solution = cell.solution();
    let count = solution.0.len();
    let swapped = (1..count).filter_map(|right| {
        let mut product = solution.clone();
        product.0.swap(right - 1, right);
        (product != *solution).then_some(product)
    });
    let others = cell.tray.iter().flat_map(move |matrix| {
        (0..count).filter_map(move |place| {
            let mut product = solution.clone();
            let other = Some(Factor::from(matrix.clone()));
            if product.0[place] == other {
                return None;
            }
            product.0[place] = other;
            Some(product)
        })
    });
    swapped.chain(others)
}
