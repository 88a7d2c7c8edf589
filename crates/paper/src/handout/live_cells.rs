//! Cells that are worked on the page, as they stand when their step opens:
//! sliders, stages, named states, the copies of a vertex.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bindpose_asset::ParamKind;
use bindpose_lesson::{
    AnglesCell, Inline, LessonBlock, LessonStep, LinkTarget, MatrixCell, StagesCell, StopsCell,
    VertexCell,
};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::matrix::{
    COLUMN_MEANINGS, OperatorBlock, OperatorRole, resolve, row_as_written, with_operators,
};
use bindpose_notebook::number_text::{fixed, point};
use bindpose_notebook::page_state::{PageParam, decimals_of, page_param};
use bindpose_notebook::significant_digits::USUAL;
use bindpose_notebook::stage_points::{STAGE_NAMES, joint_of_view, sentence, way};
use bindpose_notebook::{PageState, holds};
use bindpose_skin::{Conventions, InverseBind, SkinStage};

use super::html::{OpenedStep, escaped};
use super::writer::HandoutWriter;

/// Of more sliders than this only the number is said.
const SLIDERS: usize = 8;

/// `Sliders: nod 30° · turn 0°`; nothing where the text has all of them.
pub(super) fn angles(out: &mut String, cell: &AnglesCell, step: &LessonStep, page: PageState<'_>) {
    let rig = &page.derived.rig;
    let mut names: Vec<&str> = cell.params.iter().map(String::as_str).collect();
    if names.is_empty() {
        let movable = |kind: &ParamKind| kind.is_angle() || matches!(kind, ParamKind::Morph { .. });
        let params = rig.params.iter().filter(|param| movable(&param.kind));
        names.extend(params.map(|param| param.name.as_str()));
    }
    if cell.all && names.len() > 1 {
        names.insert(0, "all");
    }
    if names.len() > SLIDERS {
        let _ = writeln!(out, "<p class=\"aside\">In the notebook: {} sliders.</p>", names.len());
        return;
    }
    let mut dragged = BTreeSet::new();
    dragged_in(&step.blocks, &mut dragged);
    if names.iter().all(|name| dragged.contains(name)) {
        return;
    }
    let sliders = names.iter().filter_map(|name| page_param(name, page)).map(|param| {
        let follows = param.driven.as_ref();
        let follows = follows
            .map_or_else(String::new, |formula| format!(" = <code>{}</code>", escaped(formula)));
        format!(
            "{}{follows} <span class=\"number\">{}</span>",
            escaped(&param.label),
            escaped(&value_words(&param, param.value))
        )
    });
    let sliders: Vec<String> = sliders.collect();
    if !sliders.is_empty() {
        let _ = writeln!(out, "<p class=\"aside\">Sliders: {}</p>", sliders.join(" · "));
    }
}

/// The parameters that prose has as numbers to drag.
fn dragged_in<'a>(blocks: &'a [LessonBlock], names: &mut BTreeSet<&'a str>) {
    for block in blocks {
        match block {
            LessonBlock::Paragraph(inlines) => {
                names.extend(inlines.iter().filter_map(|one| match one {
                    Inline::Link { target: LinkTarget::Param(name, _), .. } => Some(name.as_str()),
                    _ => None,
                }));
            }
            LessonBlock::List { items, .. } => {
                for item in items {
                    dragged_in(item, names);
                }
            }
            LessonBlock::Quote(blocks) => dragged_in(blocks, names),
            _ => {}
        }
    }
}

/// `30°` for angles, `1.50 cm` for what has a unit.
pub(super) fn value_words(param: &PageParam, value: f64) -> String {
    if param.angle {
        let degrees = value.to_degrees();
        let decimals = usize::from((degrees - degrees.round()).abs() > 0.05);
        format!("{}°", fixed(degrees, decimals))
    } else {
        let (shown_per_stored, usual) = match param.unit.as_str() {
            "%" => (100.0, 0),
            _ => (1.0, 2),
        };
        let step = param.step.map(|step| step * shown_per_stored);
        let decimals = match step {
            _ if param.whole => 0,
            Some(step) => decimals_of(step),
            None => usual,
        };
        format!("{}{}", fixed(value * shown_per_stored, decimals), param.unit)
    }
}

/// Where the chosen vertex is at each stage, and which of them the pictures show.
pub(super) fn stages(out: &mut String, cell: &StagesCell, page: PageState<'_>) {
    let state = &page.document.state;
    let joint = joint_of_view(page);
    let places = way(page.derived, state.vertex as usize, joint);
    let _ = write!(
        out,
        "<div class=\"wide\"><table class=\"numbers\"><caption>The way of v{}</caption><thead><tr>",
        state.vertex
    );
    let now = SkinStage::ALL.iter().position(|&stage| stage == state.stage);
    let class = |index: usize| {
        if now == Some(index) { " class=\"chosen\"" } else { "" }
    };
    for (index, name) in STAGE_NAMES.iter().enumerate() {
        let number = index + 1;
        let _ = write!(out, "<th scope=\"col\"{}>{number} {name}</th>", class(index));
    }
    out.push_str("</tr></thead><tbody><tr>");
    for (index, place) in places.iter().enumerate() {
        let _ = write!(out, "<td{}>{place}</td>", class(index));
    }
    out.push_str("</tr></tbody></table></div>\n");
    let (words, wrong) = sentence(page, joint);
    let inverse_bind = match (cell.stage_only, state.inverse_bind) {
        (true, _) | (_, InverseBind::Inverse) => "",
        (_, InverseBind::LeftOut) => " Inverse bind: left out.",
        (_, InverseBind::Subtract) => " Inverse bind: subtract.",
    };
    let class = if wrong { "aside wrong" } else { "aside" };
    let shown = now.map_or("", |index| STAGE_NAMES[index]);
    let _ =
        writeln!(out, "<p class=\"{class}\">Shown: {shown}.{inverse_bind} {}</p>", escaped(&words));
}

impl HandoutWriter<'_> {
    /// Writes the named states of the page in their order.
    pub(super) fn stops(&mut self, out: &mut String, cell: &StopsCell, opened: &OpenedStep<'_>) {
        let page = opened.state();
        let label = self.line(&cell.label, opened);
        let _ = writeln!(out, "<div class=\"stops\"><p class=\"aside\">{label}</p><ol>");
        for stop in &cell.stops {
            let now = holds(&stop.set.0, page.document, page.derived);
            let class = if now { " class=\"chosen\"" } else { "" };
            let label = self.line(&stop.label, opened);
            let _ = write!(out, "<li{class}><strong>{label}</strong>");
            if !stop.note.is_empty() {
                let there = opened.after(&stop.set.0, &[]);
                let _ = write!(out, ": {}", self.line(&stop.note, &there));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol></div>\n");
    }
}

/// Where each joint alone would put a vertex, and where they put it together.
pub(super) fn vertex(out: &mut String, cell: &VertexCell, page: PageState<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    let Some(place) = page.derived.position(vertex as usize) else {
        return;
    };
    let axes = if page.derived.rig.flat { 2 } else { 3 };
    let words = |numbers: [f32; 3]| point(&numbers[..axes], 2);
    let _ = writeln!(
        out,
        "<div class=\"wide\"><table class=\"numbers\"><caption>v{vertex} and its copies</caption>\
         <thead><tr><th scope=\"col\">joint</th><th scope=\"col\">weight w</th><th scope=\"col\">where it alone puts the vertex</th>\
         <th scope=\"col\">w times that</th></tr></thead><tbody>"
    );
    for point in page.derived.influence_points(vertex as usize) {
        let alone = point.position_in_world;
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            point.joint.0,
            fixed(point.weight.into(), 2),
            words(alone.to_array()),
            words((alone * point.weight).to_array())
        );
    }
    let _ = writeln!(
        out,
        "</tbody><tfoot><tr><th scope=\"row\" colspan=\"3\">where the picture shows it</th>\
         <td>{}</td></tr></tfoot></table></div>",
        words(place.to_array())
    );
}

// Matrices as tables: what each leads from and to, and what its columns mean.

/// What columns mean, where matrices stand beside each other.
const SHORT_MEANINGS: [&str; 4] = ["x axis", "y axis", "z axis", "origin"];

/// Writes the cell.
pub(super) fn matrices(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    named(out, cell, page);
    if let Some(expr) = &cell.expr {
        written(out, &expr.source, cell.decimals.unwrap_or(USUAL), page);
    }
}

/// A formula and what it comes to: of a matrix row by row, else in a line.
fn written(out: &mut String, text: &str, decimals: usize, page: PageState<'_>) {
    let outcome = match value_of_text(text, page.derived) {
        Ok(outcome) => outcome,
        Err(error) => {
            let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&error.words));
            return;
        }
    };
    let frames = outcome.value.frame_words().unwrap_or_default();
    let (text, frames) = (escaped(text), escaped(&frames));
    let _ = write!(
        out,
        "<table class=\"matrix\"><caption><code>{text}</code> {frames}</caption><tbody>"
    );
    for row in outcome.value.numbers().chunks(4) {
        out.push_str("<tr>");
        for number in row {
            let _ = write!(out, "<td>{}</td>", fixed(*number, decimals));
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>\n");
    for seam in &outcome.seams {
        let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&seam.words()));
    }
}

/// Matrices by their names.
fn named(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    let found = cell.show.iter();
    let found: Result<Vec<_>, String> =
        found.map(|reference| resolve(reference, page.document, page.derived)).collect();
    let sources = match found {
        Ok(sources) if !sources.is_empty() => sources,
        Ok(_) => return,
        Err(words) => {
            let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&words));
            return;
        }
    };
    let conventions = page.document.state.written_as.over(Conventions::default());
    let (blocks, seams) = with_operators(cell, sources, page.derived);
    let (blocks, seams) = row_as_written(&blocks, &seams, conventions);
    let decimals = cell.decimals.unwrap_or(USUAL);
    out.push_str("<div class=\"matrices\">\n");
    let meanings = if blocks.len() > 1 { SHORT_MEANINGS } else { COLUMN_MEANINGS };
    for block in &*blocks {
        out.push_str("<div class=\"factor\">");
        if !block.operator.is_empty() {
            let _ = write!(out, "<span class=\"operator\">{}</span>", block.operator);
        }
        let decimals = block.magnitude.decimals(decimals);
        matrix(out, block, meanings, decimals, conventions.has_rows());
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
    for seam in &*seams {
        let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&seam.words));
    }
}

/// For row vectors, `rows`: what columns mean stands before the rows.
fn matrix(
    out: &mut String,
    block: &OperatorBlock,
    meanings: [&str; 4],
    decimals: [usize; 4],
    rows: bool,
) {
    let source = &block.source;
    out.push_str("<table class=\"matrix\"><caption>");
    if block.role == OperatorRole::Difference {
        out.push_str("A − B");
    } else {
        let (to, from) = (source.named.to, source.named.from);
        let (left, arrow, right) = if rows { (from, "→", to) } else { (to, "←", from) };
        let _ = write!(
            out,
            "<span class=\"frame\">{left}</span> {arrow} <span class=\"frame\">{right}</span> {}",
            escaped(&source.title)
        );
    }
    out.push_str("</caption>");
    if !rows {
        out.push_str("<thead><tr>");
        for meaning in meanings {
            let _ = write!(out, "<th scope=\"col\">{meaning}</th>");
        }
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>");
    for (down, meaning) in meanings.into_iter().enumerate() {
        out.push_str("<tr>");
        if rows {
            let _ = write!(out, "<th scope=\"row\">{meaning}</th>");
        }
        for across in 0..4 {
            let (row, column) = if rows { (across, down) } else { (down, across) };
            let number = f64::from(source.named.mat.col(column)[row]);
            let number = fixed(number, decimals[column]);
            let _ = write!(out, "<td class=\"c{column}\">{number}</td>");
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table>");
    if let Some(words) = source.note {
        let _ = write!(out, "<span class=\"wrong\">{}</span>", escaped(words));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_unit_and_the_digits_of_their_step() {
        let param = |unit: &str, step: Option<f64>, angle: bool| PageParam {
            label: "load".to_owned(),
            value: 0.0,
            range: (0.0, 10.0),
            limits: (0.0, 10.0),
            whole: false,
            angle,
            default: 0.0,
            joint: None,
            unit: unit.to_owned(),
            step,
            driven: None,
        };
        for (unit, step, angle, value, expected) in [
            (" kg", Some(0.5), false, 3.0, "3.0 kg"),
            (" kg", None, false, 3.0, "3.00 kg"),
            ("%", Some(0.05), false, 0.5, "50%"),
            ("%", Some(0.005), false, 0.5, "50.0%"),
            ("", Some(2.0), false, 4.0, "4"),
            ("", None, true, std::f64::consts::FRAC_PI_2, "90°"),
        ] {
            assert_eq!(value_words(&param(unit, step, angle), value), expected);
        }
    }
}
