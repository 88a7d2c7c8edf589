//! Exercises within reach: what the stored solution changes, the step itself offers
//! to change.

use bindpose_asset::Rig;
use bindpose_diagnostic::{Diagnostic, LineColumn};
use bindpose_lesson::{
    BudgetCell, Cell, CellKind, CheckCell, DataEdit, LinkTarget, OutlinePlace, Setting, Values,
};

use super::checker::Checker;
use crate::demonstration::{shows_inverse_bind, targets};
use crate::exercise_cells::cells_at;
use crate::{Derived, FADE, TIME, is_same_edit};

/// Values nearer than this are the same.
const NEAR: f64 = 1e-6;

impl Checker<'_> {
    /// Everything in a solution that differs from how the step begins has a slider, a
    /// number, a cell or a link there.
    pub(super) fn reach(
        &mut self,
        place: OutlinePlace,
        cell: &CheckCell,
        key_at: &dyn Fn(&str) -> LineColumn,
    ) {
        let Some(start) = self.state(place) else {
            return;
        };
        let offered = self.offered(self.step_of(place), &start.stored_rig);
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
            self.error_in(place, key_at(&key), wrong);
        }
    }

    fn offered(&self, step: usize, rig: &Rig) -> Offered<'_> {
        let mut offered = Offered::default();
        let intro = if step == 0 { &*self.lesson.intro } else { &[] };
        let own = self.lesson.steps.get(step);
        let own = own.map_or(&[][..], |step| &step.blocks);
        for target in [intro, own].into_iter().flat_map(targets) {
            match target {
                LinkTarget::Param(name, _) => offered.params.push(name.clone()),
                LinkTarget::Set(settings) => offered.puts.extend(settings),
                _ => {}
            }
        }
        offered.cells = cells_at(self.lesson, step).collect();
        for cell in &offered.cells {
            match &cell.kind {
                CellKind::Angles(angles) => {
                    if angles.params.is_empty() || angles.search {
                        let all = rig.angles().chain(rig.morphs());
                        offered.params.extend(all.map(|param| param.name.clone()));
                    }
                    offered.params.extend(angles.params.iter().cloned());
                    if angles.all {
                        offered.params.push("all".to_owned());
                    }
                }
                CellKind::Timeline(_) => {
                    offered.params.extend([TIME, FADE].map(str::to_owned));
                }
                CellKind::Plot(plot) => offered.params.push(plot.sweep.clone()),
                CellKind::Budget(BudgetCell { limit, others, .. }) => {
                    let limit = limit.as_deref().unwrap_or("vec4s");
                    offered.params.push(limit.to_owned());
                    offered.params.extend(others.clone());
                }
                CellKind::Stops(stops) => {
                    let settings = stops.stops.iter().flat_map(|stop| &stop.set.0);
                    offered.puts.extend(settings);
                }
                _ => {}
            }
        }
        if offered.params.iter().any(|name| name == "all") {
            offered.params.extend(rig.angles().map(|param| param.name.clone()));
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
