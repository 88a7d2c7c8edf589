//! Exercises within reach: what the stored solution changes, the step itself offers
//! to change.

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_lesson::{
    Cell, CellKind, CheckCell, DataEdit, DataTable, Here, LinkTarget, PlotCell, PlotLine, Setting,
    Values,
};

use super::checker::{Checker, KeyAt};
use crate::demonstration::{offered_params, shows_inverse_bind, targets};
use crate::exercise_cells::cells_at;
use crate::{Derived, Document, apply_setting, is_same_edit, step_document};

/// Values nearer than this are the same.
const NEAR: f64 = 1e-6;

impl Checker<'_> {
    /// Everything in a solution that differs from how the step begins has a slider, a
    /// number, a cell or a link there.
    pub(super) fn reach(&mut self, cell: &CheckCell, key_at: KeyAt<'_>) {
        let Some(start) = self.state() else {
            return;
        };
        let offered = self.offered(self.step(), &start.stored_rig);
        let mut missing = Vec::new();
        for setting in &cell.solution.0 {
            if let Some(what) = offered.lacks_setting(setting, start) {
                missing.push((format!("solution.{}", setting.key()), what));
            }
        }
        for edit in &cell.solution_edits.0 {
            if !offered.has_data(edit, &start.stored_rig) {
                let key = edit.key();
                missing.push((format!("solution-edits.{key}"), (key, cell_for(edit))));
            }
        }
        for (key, (name, help)) in missing {
            let title = format!(
                "the solution changes `{name}`, and the step offers nothing to change it with"
            );
            let wrong = Diagnostic::said("OUT_OF_REACH", title).help(help);
            self.error(key_at(&key), wrong);
        }
    }

    fn offered(&self, step: usize, rig: &Rig) -> Offered<'_> {
        let mut offered = Offered::default();
        let params = offered_params(self.lesson, step, rig);
        offered.params = params.into_iter().map(str::to_owned).collect();
        let intro = if step == 0 { &*self.lesson.intro } else { &[] };
        let own = self.lesson.steps.get(step);
        let own = own.map_or(&[][..], |step| &step.blocks);
        for target in [intro, own].into_iter().flat_map(targets) {
            if let LinkTarget::Set(settings) = target {
                offered.puts.extend(settings);
            }
        }
        offered.cells = cells_at(self.lesson, step).collect();
        for cell in &offered.cells {
            if let CellKind::Stops(stops) = &cell.kind {
                let settings = stops.stops.iter().flat_map(|stop| &stop.set.0);
                offered.puts.extend(settings);
            }
        }
        offered
    }
}

/// What the reader finds at a step to change something with.
#[derive(Default)]
struct Offered<'a> {
    params: Vec<String>,
    /// What links and stops put.
    puts: Vec<&'a Setting>,
    cells: Vec<&'a Cell>,
}

impl Offered<'_> {
    /// What is missing, and what to write; of settings that are no parameters nothing
    /// is said.
    fn lacks_setting(&self, setting: &Setting, start: &Derived) -> Option<(String, String)> {
        let angles = || start.rig.angles().map(|param| param.name.as_str());
        let (names, value): (Vec<&str>, f64) = match setting {
            Setting::Param(name, value) if name == "all" => (angles().collect(), *value),
            Setting::Param(name, value) => (vec![name], *value),
            Setting::Data(edit) if !self.has_data(edit, &start.stored_rig) => {
                return Some((edit.key(), cell_for(edit)));
            }
            _ => return None,
        };
        let is_put = |name: &str| {
            self.puts.iter().any(|put| {
                matches!(put, Setting::Param(other, to)
                    if (other == name || other == "all" && angles().any(|angle| angle == name))
                        && (to - value).abs() < NEAR)
            })
        };
        let missing = names.into_iter().find(|name| {
            let is = Values::param(start, name);
            let differs = is.is_none_or(|is| (is - value).abs() > NEAR);
            differs && !self.params.iter().any(|one| one == name) && !is_put(name)
        })?;
        let help = format!(
            "add a cell angles with params = [\"{missing}\"], or a number to drag in the prose: \
             [0.50](param:{missing})"
        );
        Some((missing.to_owned(), help))
    }

    fn has_data(&self, edit: &DataEdit, rig: &Rig) -> bool {
        let is_put =
            |put: &&Setting| matches!(put, Setting::Data(other) if is_same_edit(other, edit, rig));
        let edits = |cell: &&Cell| match (&cell.kind, edit) {
            (CellKind::Weights(cell), DataEdit::Weights(vertex, _)) => {
                cell.vertices.is_empty() || cell.vertices.contains(vertex)
            }
            (CellKind::Weights(cell), DataEdit::Joints(vertex, _)) => {
                cell.sliders && (cell.vertices.is_empty() || cell.vertices.contains(vertex))
            }
            (CellKind::Matrix(cell), DataEdit::InverseBind(joint, _)) => {
                shows_inverse_bind(cell, joint, rig)
            }
            (CellKind::Brush(_), DataEdit::Weights(..) | DataEdit::Joints(..))
            | (CellKind::Texture(_), DataEdit::Texel(..))
            | (CellKind::Bytes(_), DataEdit::Bytes { .. }) => true,
            _ => false,
        };
        self.puts.iter().any(is_put) || self.cells.iter().any(edits)
    }
}

/// The cell that lets a reader make such an edit.
fn cell_for(edit: &DataEdit) -> String {
    match edit {
        DataEdit::Weights(vertex, _) => format!("add a cell weights with vertices = [{vertex}]"),
        DataEdit::Joints(vertex, _) => {
            format!("add a cell weights with vertices = [{vertex}] and sliders = true")
        }
        DataEdit::InverseBind(joint, _) => {
            format!("add a cell matrix with show = [\"joint_from_bind({joint})\"]")
        }
        DataEdit::Texel(..) => "add a cell texture".to_owned(),
        DataEdit::Bytes { .. } => "add a cell bytes".to_owned(),
        DataEdit::Turn(..) => "put gizmo = \"turn\" into the step".to_owned(),
        DataEdit::Shift(..) => "put gizmo = \"move\" into the step".to_owned(),
    }
}

// Plots: what stands along the axis is there, and every line has a value somewhere.

/// Places along the axis where a formula is tried.
const SAMPLES: u32 = 8;

impl Checker<'_> {
    pub(super) fn plot(&mut self, cell: &PlotCell, key_at: KeyAt<'_>) {
        let found = self.findings.len();
        if !cell.sweep.is_empty() {
            let at = key_at("sweep");
            if !self.param(at, &cell.sweep, true) || !self.is_free(at, &cell.sweep) {
                return;
            }
            self.sweep(cell, key_at);
        }
        for (index, part) in cell.along.iter().enumerate() {
            self.vertex(key_at(&format!("along[{index}]")), part.last());
        }
        if let Some(table) = cell.data.as_ref().and_then(|data| data.table()) {
            self.columns(cell, table, key_at);
        }
        if self.findings.len() > found {
            return;
        }
        for (index, line) in cell.lines.iter().enumerate() {
            let at = key_at(&format!("lines[{index}].expr")).right(1);
            self.plot_line(at, cell, line);
            for setting in &line.set.0 {
                self.setting(key_at(&format!("lines[{index}]")), setting);
            }
        }
    }

    fn columns(&mut self, cell: &PlotCell, table: &DataTable, key_at: KeyAt<'_>) {
        let x = cell.x.as_deref().or_else(|| table.names().next());
        let mut named: Vec<(String, &str)> = x.map(|x| ("x".to_owned(), x)).into_iter().collect();
        let lines = cell.lines.iter().enumerate();
        named.extend(lines.filter_map(|(index, line)| {
            Some((format!("lines[{index}].column"), line.column.as_deref()?))
        }));
        if let Some(x) = x {
            self.unit_of_column(cell, table, (x, key_at("data")));
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
                self.error(key_at(at), wrong);
            }
        }
    }

    /// Numbers along an axis in degrees or percent that make sense as radians or
    /// fractions alone were written in those.
    fn unit_of_column(&mut self, cell: &PlotCell, table: &DataTable, (x, at): (&str, LineColumn)) {
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
            self.error(at, wrong.help(help));
        }
    }

    /// A formula has a value somewhere along the axis, and names only what there is.
    fn plot_line(&mut self, at: LineColumn, cell: &PlotCell, line: &PlotLine) {
        let (Some(rig), Some(expr)) = (self.rig_with_numbers(), &line.expr) else {
            return;
        };
        if self.not_formula_of_all(at, expr) {
            return;
        }
        let start = step_document(self.lesson, self.step(), Some(&rig));
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
                Err(error) => return self.eval_error(at, &error),
            }
        }
        if let Some(error) = last {
            self.eval_error(at, &error);
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
