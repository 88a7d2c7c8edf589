//! Figures: sweeps that stay within their parameter, products whose frames meet.

use std::f64::consts::TAU;

use bindpose_diagnostic::{Diagnostic, LineColumn, short_number};
use bindpose_lesson::{MatrixCell, OutlinePlace, PlotCell};

use super::checker::Checker;
use crate::matrix::{resolve, with_operators};
use crate::{TIME, param_range, step_document};

/// As readers see it.
pub(super) fn shown(value: f64, angle: bool) -> String {
    let words = if angle {
        format!("{}°", short_number((value.to_degrees() * 10.0).round() / 10.0))
    } else {
        short_number(value)
    };
    words.replace('-', "−")
}

impl Checker<'_> {
    /// A plot shows what the reader can reach.
    pub(super) fn sweep(
        &mut self,
        place: OutlinePlace,
        cell: &PlotCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let Some(rig) = self.known_rig.clone() else {
            return;
        };
        let start = step_document(self.lesson, self.step_of(place), Some(&rig));
        let range = param_range(&cell.sweep, &start, self.lesson, &rig);
        // How far time goes depends on what each line plays.
        let Some((low, high)) = range.filter(|_| cell.sweep != TIME) else {
            return;
        };
        // An angle is no other for a full turn, wherever its slider ends.
        let of_rig = cell.sweep == "all" || rig.param(&cell.sweep).is_some();
        let (low, high) = if of_rig && self.is_angle(&cell.sweep) {
            (low.min(-TAU), high.max(TAU))
        } else {
            (low, high)
        };
        let slack = 1e-4 * (high - low).abs();
        let ends = [("from", &cell.from), ("to", &cell.to)];
        let ends = ends.map(|(key, end)| Some((key, end.as_ref()?.0)));
        for (key, end) in ends.into_iter().flatten() {
            if (low - slack..=high + slack).contains(&end) {
                continue;
            }
            let angle = self.is_angle(&cell.sweep);
            let shown = |value: f64| shown(value, angle);
            let (from, to) = (shown(low), shown(high));
            let title = format!(
                "the plot sweeps `{}` to {}, and it goes from {from} to {to}",
                cell.sweep,
                shown(end)
            );
            let wrong = Diagnostic::said("OUT_OF_RANGE", title);
            let help = format!("write a value from {from} to {to}");
            self.error_in(place, key_at(key), wrong.help(help));
        }
    }

    /// Its matrices are there, and its formula comes to something.
    pub(super) fn matrix_cell(
        &mut self,
        place: OutlinePlace,
        cell: &MatrixCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        for (index, matrix) in cell.show.iter().enumerate() {
            self.matrix(place, key_at(&format!("show[{index}]")), matrix);
        }
        self.product(place, cell, key_at);
        if let Some(expr) = &cell.expr {
            self.matrix_formula(place, key_at("expr").right(1), expr);
        }
    }

    /// The frames of factors meet, and a product that is named last is theirs.
    fn product(
        &mut self,
        place: OutlinePlace,
        cell: &MatrixCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let Some(rig) = self.known_rig.clone().filter(|_| cell.product) else {
            return;
        };
        let document = step_document(self.lesson, self.step_of(place), Some(&rig));
        let Some(derived) = self.state(place) else {
            return;
        };
        let show = cell.show.iter();
        let sources = show.map(|matrix| resolve(matrix, &document, derived));
        let Ok(sources) = sources.collect::<Result<Vec<_>, _>>() else {
            // There is no such joint or vertex, which is said.
            return;
        };
        let stated = (sources.len() > 2).then(|| sources.last().cloned()).flatten();
        let (blocks, seams) = with_operators(cell, sources, derived);
        if let Some(seam) = seams.first() {
            let words = seam.words.trim_end_matches('.');
            let title = format!("the frames of two factors do not meet: {words}");
            let wrong = Diagnostic::said("FRAMES", title)
                .help("write a product as A←B times B←C, which is A←C");
            let at = key_at(&format!("show[{}]", seam.left + 1));
            return self.error_in(place, at, wrong);
        }
        let frames = blocks.last().map(|block| block.source.named);
        let Some((stated, product)) = stated.zip(frames) else {
            return;
        };
        if (stated.named.to, stated.named.from) != (product.to, product.from) {
            let title = format!(
                "the product is {} from {}, and {} stands in its place",
                product.to,
                product.from,
                stated.name()
            );
            let wrong = Diagnostic::said("FRAMES", title)
                .help("name the product last, or leave it out where there are two factors");
            let at = key_at(&format!("show[{}]", cell.show.len() - 1));
            self.error_in(place, at, wrong);
        }
    }
}
