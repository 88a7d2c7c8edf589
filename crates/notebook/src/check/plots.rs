//! Plots: what stands along the axis is there, and every line has a value somewhere.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{DataTable, Here, OutlinePlace, PlotCell, PlotLine, Setting};

use super::checker::Checker;
use crate::{Derived, Document, apply_setting, step_document};

/// Places along the axis where a formula is tried.
const SAMPLES: u32 = 8;

impl Checker<'_> {
    pub(super) fn plot(
        &mut self,
        place: OutlinePlace,
        cell: &PlotCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let found = self.findings.len();
        if !cell.sweep.is_empty() {
            let at = key_at("sweep");
            if !self.param(place, at, &cell.sweep, true) || !self.is_free(place, at, &cell.sweep) {
                return;
            }
            self.sweep(place, cell, key_at);
        }
        for (index, part) in cell.along.iter().enumerate() {
            self.vertex(place, key_at(&format!("along[{index}]")), part.last());
        }
        if let Some(table) = cell.data.as_ref().and_then(|data| data.table()) {
            self.columns(place, cell, table, key_at);
        }
        if self.findings.len() > found {
            return;
        }
        for (index, line) in cell.lines.iter().enumerate() {
            let at = key_at(&format!("lines[{index}].expr")).right(1);
            self.plot_line(place, at, cell, line);
            for setting in &line.set.0 {
                self.setting(place, key_at(&format!("lines[{index}]")), setting);
            }
        }
    }

    fn columns(
        &mut self,
        place: OutlinePlace,
        cell: &PlotCell,
        table: &DataTable,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let x = cell.x.as_deref().or_else(|| table.names().next());
        let mut named: Vec<(String, &str)> = x.map(|x| ("x".to_owned(), x)).into_iter().collect();
        let lines = cell.lines.iter().enumerate();
        named.extend(lines.filter_map(|(index, line)| {
            Some((format!("lines[{index}].column"), line.column.as_deref()?))
        }));
        if let Some(x) = x {
            self.unit_of_column(place, cell, table, (x, key_at("data")));
        }
        for (key, name) in named {
            if let Err(wrong) = table.column(name) {
                let at = if key == "x" && cell.x.is_none() { "data" } else { &key };
                // A cell that is no number has a place in its own file, which the
                // title names.
                let wrong = match &wrong.at {
                    Within::Whole => wrong,
                    within => {
                        let title = format!("{within}: {}", wrong.sentence());
                        wrong.title(title)
                    }
                };
                self.error_in(place, key_at(at), wrong);
            }
        }
    }

    /// Numbers along an axis in degrees or percent that make sense as radians or
    /// fractions alone were written in those.
    fn unit_of_column(
        &mut self,
        place: OutlinePlace,
        cell: &PlotCell,
        table: &DataTable,
        (x, at): (&str, LineColumn),
    ) {
        let (Ok(column), Some(from), Some(to)) = (table.column(x), cell.from, cell.to) else {
            return;
        };
        let mut own = self.lesson.params.iter();
        let in_percent = own.any(|own| own.name == cell.sweep && own.unit == "%");
        let (shown_of_stored, read_in, written_in) = if self.is_angle(&cell.sweep) {
            (1.0_f64.to_degrees(), "degrees", "radians")
        } else if in_percent {
            (100.0, "percent", "fractions of 1")
        } else {
            return;
        };
        let numbers = || column.iter().flatten().copied();
        let least = numbers().fold(f64::INFINITY, f64::min);
        let most = numbers().fold(f64::NEG_INFINITY, f64::max);
        let (from, to) = (from.0.min(to.0), from.0.max(to.0));
        let is_stored = least < most && least >= from - 1e-6 && most <= to + 1e-6;
        if is_stored && most - least < 0.05 * (to - from) * shown_of_stored {
            let title = format!("the column `{x}` is read in {read_in}, as the axis is");
            let wrong = Diagnostic::said("UNIT", title);
            let help = format!("its numbers, {least} to {most}, look like {written_in}");
            self.error_in(place, at, wrong.help(help));
        }
    }

    /// A formula has a value somewhere along the axis, and names only what there is.
    fn plot_line(&mut self, place: OutlinePlace, at: LineColumn, cell: &PlotCell, line: &PlotLine) {
        let (Some(rig), Some(expr)) = (self.known_rig.clone(), &line.expr) else {
            return;
        };
        if self.not_formula_of_all(place, at, expr) {
            return;
        }
        let start = step_document(self.lesson, self.step_of(place), Some(&rig));
        let mut last = None;
        for (set, here) in places(cell) {
            let mut document: Document = start.clone();
            for setting in set.iter().chain(&line.set.0) {
                apply_setting(&mut document, setting, Some(&rig));
            }
            let influences = Derived::edited_influences(&document, &rig);
            let state = Derived::new(&document, Some(self.lesson), &rig, influences);
            let value = match here {
                Some(here) => expr.eval(&Here { page: &state, here }),
                None => expr.eval(&state),
            };
            match value {
                Ok(_) => return,
                Err(error) if error.is_of_numbers() => last = Some(error),
                Err(error) => return self.eval_error(place, at, &error),
            }
        }
        if let Some(error) = last {
            self.eval_error(place, at, &error);
        }
    }
}

/// What is set at some places along the axis, and what is `here` there.
fn places(cell: &PlotCell) -> Vec<(Option<Setting>, Option<f64>)> {
    if !cell.along.is_empty() {
        let vertices = cell.along.iter().flat_map(|part| part.vertices());
        let vertices = vertices.take(SAMPLES as usize);
        return vertices.map(|vertex| (None, Some(f64::from(vertex)))).collect();
    }
    let table = cell.data.as_ref().and_then(|data| data.table());
    let x = table.and_then(|table| {
        let name = cell.x.as_deref().or_else(|| table.names().next())?;
        table.column(name).ok()
    });
    let numbers = || x.into_iter().flatten().flatten().copied();
    let least = numbers().min_by(f64::total_cmp).unwrap_or(0.0);
    let most = numbers().max_by(f64::total_cmp).unwrap_or(1.0);
    let from = cell.from.map_or(least, |from| from.0);
    let to = cell.to.map_or(most, |to| to.0);
    let along = (0..=SAMPLES).map(|sample| f64::from(sample) / f64::from(SAMPLES));
    let values = along.map(|along| from + (to - from) * along);
    let place = |value| match cell.sweep.as_str() {
        "" => (None, Some(value)),
        name => (Some(Setting::Param(name.to_owned(), value)), None),
    };
    values.map(place).collect()
}
