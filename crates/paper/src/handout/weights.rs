//! Weights as a table: a row a vertex, a joint and a weight a lane, their sum.

use std::fmt::Write as _;

use bindpose_lesson::WeightsCell;
use bindpose_notebook::number_text::{fixed, grouped};
use bindpose_notebook::significant_digits::{self, USUAL};
use bindpose_notebook::{PageState, SUM_TOLERANCE, rest_bounds};
use bindpose_skin::LANES;

/// Rows of a longer table.
const ROWS: usize = 12;

/// Writes the cell.
pub(super) fn weights(out: &mut String, cell: &WeightsCell, page: PageState<'_>) {
    let count = page.derived.influences.len() as u32;
    let chosen = page.document.state.vertex;
    let all: Vec<u32> = match &cell.vertices[..] {
        [] if cell.sliders => vec![chosen],
        [] => (0..count).collect(),
        listed => listed.to_vec(),
    };
    let mut shown: Vec<u32> = all.iter().copied().take(ROWS).collect();
    if all.len() > ROWS && all.contains(&chosen) && !shown.contains(&chosen) {
        shown.pop();
        shown.push(chosen);
    }
    let lanes = lanes(cell, page);
    let axes = match (cell.positions, page.derived.rig.flat) {
        (false, _) => 0,
        (true, true) => 2,
        (true, false) => 3,
    };
    let (low, high) = rest_bounds(&page.derived.rig);
    let decimals = significant_digits::decimals(f64::from((high - low).length()), USUAL);
    out.push_str(
        "<div class=\"wide\"><table class=\"numbers\"><thead><tr><th scope=\"col\">vertex</th>",
    );
    for _ in 0..lanes {
        out.push_str("<th scope=\"col\">joint</th><th scope=\"col\">weight</th>");
    }
    out.push_str("<th scope=\"col\">Σw</th>");
    for axis in ["x", "y", "z"].iter().take(axes) {
        let _ = write!(out, "<th scope=\"col\">{axis}</th>");
    }
    out.push_str("</tr></thead><tbody>\n");
    for vertex in shown {
        let Some(influences) = page.derived.influences.get(vertex as usize) else {
            continue;
        };
        let class = if vertex == chosen { " class=\"chosen\"" } else { "" };
        let _ = write!(out, "<tr{class}><th scope=\"row\">v{vertex}</th>");
        for lane in 0..lanes {
            let (joint, weight) = (influences.joints[lane], influences.weights[lane]);
            let quiet = if weight == 0.0 { " class=\"quiet\"" } else { "" };
            let weight = fixed(weight.into(), 2);
            let _ = write!(out, "<td{quiet}>{}</td><td{quiet}>{weight}</td>", joint.0);
        }
        let sum = influences.sum();
        let shown = fixed(sum.into(), 2);
        let _ = if (sum - 1.0).abs() <= SUM_TOLERANCE {
            write!(out, "<td>{shown}</td>")
        } else {
            write!(out, "<td class=\"wrong\">{shown} ≠ 1</td>")
        };
        let position = page.derived.position(vertex as usize).unwrap_or_default();
        for axis in 0..axes {
            let _ = write!(out, "<td>{}</td>", fixed(position[axis].into(), decimals));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody></table></div>\n");
    if all.len() > ROWS {
        let all = grouped(all.len() as u32);
        let _ = writeln!(out, "<p class=\"aside\">{ROWS} of {all} vertices.</p>");
    }
}

/// As many lanes as the cell asks for, or as the mesh uses.
fn lanes(cell: &WeightsCell, page: PageState<'_>) -> usize {
    let used = |lanes: usize| lanes.clamp(1, LANES);
    if let Some(lanes) = cell.lanes {
        return used(lanes);
    }
    let of_vertex = page.derived.influences.iter();
    let most = of_vertex.filter_map(|one| one.used().map(|(lane, ..)| lane + 1).max());
    used(most.max().unwrap_or(1))
}
