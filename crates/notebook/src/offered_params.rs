//! The parameters that a step lets a reader change as they like: by sliders, numbers in
//! its prose, plots and timelines; not what links and stops put.

use bindpose_asset::Rig;
use bindpose_lesson::{BudgetCell, CellKind, Lesson, LinkTarget};

use crate::demonstration::targets;
use crate::exercise_cells::cells_at;
use crate::{FADE, TIME};

/// Their names, where `rig` stands on the page; some may come twice.
pub fn offered_params<'a>(lesson: &'a Lesson, step: usize, rig: &'a Rig) -> Vec<&'a str> {
    let intro = if step == 0 { &*lesson.intro } else { &[] };
    let own = lesson.steps.get(step);
    let own = own.map_or(&[][..], |step| &step.blocks);
    let in_prose = [intro, own].into_iter().flat_map(targets);
    let mut offered: Vec<&str> = in_prose
        .filter_map(|target| match target {
            LinkTarget::Param(name, _) => Some(name.as_str()),
            _ => None,
        })
        .collect();
    for cell in cells_at(lesson, step) {
        match &cell.kind {
            CellKind::Angles(angles) => {
                if angles.params.is_empty() || angles.search {
                    let all = rig.angles().chain(rig.morphs());
                    offered.extend(all.map(|param| param.name.as_str()));
                }
                offered.extend(angles.params.iter().map(String::as_str));
                if angles.all {
                    offered.push("all");
                }
            }
            CellKind::Timeline(_) => offered.extend([TIME, FADE]),
            CellKind::Plot(plot) => offered.push(&plot.sweep),
            CellKind::Budget(BudgetCell { limit, others, .. }) => {
                offered.push(limit.as_deref().unwrap_or("vec4s"));
                offered.extend(others.iter().map(String::as_str));
            }
            _ => {}
        }
    }
    if offered.contains(&"all") {
        offered.extend(rig.angles().map(|param| param.name.as_str()));
    }
    offered
}
