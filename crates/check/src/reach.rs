//! Check that readers can reach the solutions of exercises with the controls of the step, and
//! check of plots.

use bindpose_diagnostic::{Diagnostic, LineColumn, Place as Within};
use bindpose_gltf::Rig;
use bindpose_lesson::{
    Cell, CellKind, CheckCell, DataEdit, DataTable, LinkTarget, PageAtPoint, PlotCell, PlotLine,
    Setting, Values,
};

use super::checker::{Checker, KeyPositions};
use bindpose_notebook::demonstration::{offered_params, shows_inverse_bind, targets};
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::{Derived, Document, apply_setting, is_same_edit, step_document};

/// Largest difference of values that count as equal.
const VALUE_TOLERANCE: f64 = 1e-6;

impl Checker<'_> {
    /// Reports each change of a solution for which the step has no slider, number, cell or
    /// link.
    pub(super) fn check_reach(&mut self, cell: &CheckCell, keys: KeyPositions<'_>) {
        let Some(start) = self.current_state() else {
            return;
        };
        let offered = self.offered_controls(self.step_index(), &start.stored_rig);
        let mut missing = Vec::new();
        for setting in &cell.solution.0 {
            if let Some(what) = offered.missing_control(setting, start) {
                missing.push((format!("solution.{}", setting.key()), what));
            }
        }
        for edit in &cell.solution_edits.0 {
            if !offered.can_edit(edit, &start.stored_rig) {
                let key = edit.key();
                missing.push((format!("solution-edits.{key}"), (key, suggest_cell(edit))));
            }
        }
        for (key, (name, help)) in missing {
            let title = format!(
                "the solution changes `{name}`, and the step offers nothing to change it with"
            );
            let wrong = Diagnostic::said("OUT_OF_REACH", title).help(help);
            self.error(keys.at(&key), wrong);
        }
    }

    fn offered_controls(&self, step: usize, rig: &Rig) -> OfferedControls<'_> {
        let params = offered_params(self.lesson, step, rig);
        let mut offered = OfferedControls {
            params: params.into_iter().map(str::to_owned).collect(),
            ..Default::default()
        };
        let intro = if step == 0 { &*self.lesson.intro } else { &[] };
        let own = self.lesson.steps.get(step).map_or(&[][..], |step| &step.blocks);
        for target in [intro, own].into_iter().flat_map(targets) {
            if let LinkTarget::Set(settings) = target {
                offered.link_settings.extend(settings);
            }
        }
        offered.cells = cells_at(self.lesson, step).collect();
        for cell in &offered.cells {
            if let CellKind::Stops(stops) = &cell.kind {
                let settings = stops.stops.iter().flat_map(|stop| &stop.set.0);
                offered.link_settings.extend(settings);
            }
        }
        offered
    }
}

/// The controls of a step that the reader can change values with.
#[derive(Default)]
struct OfferedControls<'a> {
    params: Vec<String>,
    /// Settings of links and stops.
    link_settings: Vec<&'a Setting>,
    cells: Vec<&'a Cell>,
}

impl OfferedControls<'_> {
    /// Returns the name of a parameter or datum that no control can set, and help on what to
    /// write. Returns `None` if the setting can be reached, or is neither of these.
    fn missing_control(&self, setting: &Setting, start: &Derived) -> Option<(String, String)> {
        let angles: Vec<&str> = start.rig.angles().map(|param| param.name.as_str()).collect();
        let (names, value): (Vec<&str>, f64) = match setting {
            Setting::Param(name, value) if name == "all" => (angles.clone(), *value),
            Setting::Param(name, value) => (vec![name], *value),
            Setting::Data(edit) if !self.can_edit(edit, &start.stored_rig) => {
                return Some((edit.key(), suggest_cell(edit)));
            }
            _ => return None,
        };
        let missing = names.into_iter().find(|name| {
            let current = Values::param(start, name);
            let differs = current.is_none_or(|current| (current - value).abs() > VALUE_TOLERANCE);
            let is_linked = self.link_settings.iter().any(|setting| {
                matches!(setting, Setting::Param(other, to)
                    if (other == name || other == "all" && angles.contains(name))
                        && (to - value).abs() < VALUE_TOLERANCE)
            });
            differs && !self.params.iter().any(|one| one == name) && !is_linked
        })?;
        let help = format!(
            "add a cell angles with params = [\"{missing}\"], or a number to drag in the prose: \
             [0.50](param:{missing})"
        );
        Some((missing.to_owned(), help))
    }

    fn can_edit(&self, edit: &DataEdit, rig: &Rig) -> bool {
        let is_linked = self.link_settings.iter().any(
            |setting| matches!(setting, Setting::Data(other) if is_same_edit(other, edit, rig)),
        );
        is_linked
            || self.cells.iter().any(|cell| match (&cell.kind, edit) {
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
            })
    }
}

/// Returns the help that names the cell for such an edit.
fn suggest_cell(edit: &DataEdit) -> String {
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

/// Number of intervals along the axis at whose ends a formula is evaluated.
const AXIS_SAMPLES: u32 = 8;

impl Checker<'_> {
    pub(super) fn check_plot(&mut self, cell: &PlotCell, keys: KeyPositions<'_>) {
        let found = self.findings.len();
        if !cell.sweep.is_empty() {
            let at = keys.at("sweep");
            if !self.check_param(at, &cell.sweep, true) || !self.check_not_driven(at, &cell.sweep) {
                return;
            }
            self.check_sweep(cell, keys);
        }
        for (index, part) in cell.along.iter().enumerate() {
            self.check_vertex(keys.at(&format!("along[{index}]")), part.last());
        }
        if let Some(table) = cell.data.as_ref().and_then(|data| data.table()) {
            self.check_columns(cell, table, keys);
        }
        if self.findings.len() > found {
            return;
        }
        for (index, line) in cell.lines.iter().enumerate() {
            let at = keys.at(&format!("lines[{index}].expr")).right(1);
            self.check_plot_line(at, cell, line);
            for setting in &line.set.0 {
                self.check_setting(keys.at(&format!("lines[{index}]")), setting);
            }
        }
    }

    fn check_columns(&mut self, cell: &PlotCell, table: &DataTable, keys: KeyPositions<'_>) {
        let x = cell.x.as_deref().or_else(|| table.names().next());
        let mut named: Vec<(String, &str)> = x.map(|x| ("x".to_owned(), x)).into_iter().collect();
        let lines = cell.lines.iter().enumerate();
        named.extend(lines.filter_map(|(index, line)| {
            Some((format!("lines[{index}].column"), line.column.as_deref()?))
        }));
        if let Some(x) = x {
            self.check_column_unit(cell, table, x, keys.at("data"));
        }
        for (key, name) in named {
            if let Err(wrong) = table.column(name) {
                let at = if key == "x" && cell.x.is_none() { "data" } else { &key };
                // Errors in a cell of the table have a place in their own file, which the
                // title names.
                let wrong = match &wrong.at {
                    Within::Whole => wrong,
                    within => {
                        let title = format!("{within}: {}", wrong.sentence());
                        wrong.title(title)
                    }
                };
                self.error(keys.at(at), wrong);
            }
        }
    }

    /// Reports a column whose values only make sense in radians or fractions, along an axis
    /// in degrees or percent.
    fn check_column_unit(&mut self, cell: &PlotCell, table: &DataTable, x: &str, at: LineColumn) {
        let (Ok(column), Some(from), Some(to)) = (table.column(x), cell.from, cell.to) else {
            return;
        };
        let param = self.lesson.params.iter().find(|own| own.name == cell.sweep);
        let in_percent = param.is_some_and(|param| param.unit == "%");
        let (shown_of_stored, read_in, written_in) = if self.is_angle(&cell.sweep) {
            (1.0_f64.to_degrees(), "degrees", "radians")
        } else if in_percent {
            (100.0, "percent", "fractions of 1")
        } else {
            return;
        };
        let numbers = column.iter().flatten().copied();
        let min = numbers.clone().fold(f64::INFINITY, f64::min);
        let max = numbers.fold(f64::NEG_INFINITY, f64::max);
        let axis_min = from.0.min(to.0);
        let axis_max = from.0.max(to.0);
        let is_stored = min < max && min >= axis_min - 1e-6 && max <= axis_max + 1e-6;
        if is_stored && max - min < 0.05 * (axis_max - axis_min) * shown_of_stored {
            let title = format!("the column `{x}` is read in {read_in}, as the axis is");
            let wrong = Diagnostic::said("UNIT", title);
            let help = format!("its numbers, {min} to {max}, look like {written_in}");
            self.error(at, wrong.help(help));
        }
    }

    /// Reports a formula without a value everywhere along the axis, or with unknown names.
    fn check_plot_line(&mut self, at: LineColumn, cell: &PlotCell, line: &PlotLine) {
        let (Some(rig), Some(expr)) = (self.rig_with_numbers(), &line.expr) else {
            return;
        };
        if self.reject_model_formula(at, expr) {
            return;
        }
        let start = step_document(self.lesson, self.step_index(), Some(&rig));
        let mut last = None;
        for (set, here) in sample_axis(cell) {
            let mut document: Document = start.clone();
            for setting in set.iter().chain(&line.set.0) {
                apply_setting(&mut document, setting, Some(&rig));
            }
            let state = Derived::of_document(&document, Some(self.lesson), &rig);
            let value = match here {
                Some(here) => expr.eval(&PageAtPoint { page: &state, here }),
                None => expr.eval(&state),
            };
            match value {
                Ok(_) => return,
                Err(error) if error.is_of_numbers() => last = Some(error),
                Err(error) => return self.report_eval_error(at, &error),
            }
        }
        if let Some(error) = last {
            self.report_eval_error(at, &error);
        }
    }
}

/// Returns samples along the axis of a plot: the setting, and the value of `here`.
fn sample_axis(cell: &PlotCell) -> Vec<(Option<Setting>, Option<f64>)> {
    if !cell.along.is_empty() {
        return cell
            .along
            .iter()
            .flat_map(|part| part.vertices())
            .take(AXIS_SAMPLES as usize)
            .map(|vertex| (None, Some(f64::from(vertex))))
            .collect();
    }
    let column = cell.data.as_ref().and_then(|data| data.table()).and_then(|table| {
        let name = cell.x.as_deref().or_else(|| table.names().next())?;
        table.column(name).ok()
    });
    let numbers = column.into_iter().flatten().flatten().copied();
    let min = numbers.clone().min_by(f64::total_cmp).unwrap_or(0.0);
    let max = numbers.max_by(f64::total_cmp).unwrap_or(1.0);
    let from = cell.from.map_or(min, |from| from.0);
    let to = cell.to.map_or(max, |to| to.0);
    (0..=AXIS_SAMPLES)
        .map(|sample| {
            let value = from + (to - from) * (f64::from(sample) / f64::from(AXIS_SAMPLES));
            match cell.sweep.as_str() {
                "" => (None, Some(value)),
                name => (Some(Setting::Param(name.to_owned(), value)), None),
            }
        })
        .collect()
}
