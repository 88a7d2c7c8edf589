//! Cells that the reader interacts with in the notebook, in the state in which their step opens:
//! sliders, stages, stops, the vertex and its copies, and matrices.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bindpose_gltf::ParamKind;
use bindpose_lesson::number_text::{fixed, point};
use bindpose_lesson::significant_digits::USUAL_DECIMALS;
use bindpose_lesson::{
    AnglesCell, COLUMN_MEANINGS, Inline, LessonBlock, LessonStep, LinkTarget, MatrixCell,
    StagesCell, StopsCell, VertexCell,
};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::matrix::{
    OperatorBlock, OperatorRole, SkinMatrixSum, resolve, row_as_written, with_operators,
};
use bindpose_notebook::page_state::{PageParam, decimals_of, page_param};
use bindpose_notebook::stage_points::{STAGE_NAMES, joint_of_view, sentence, way};
use bindpose_notebook::{PageState, holds};
use bindpose_skin::{Conventions, InverseBind, SkinStage};

use super::html::escaped;
use super::pages::OpenedStep;
use super::writer::HandoutWriter;

/// Of more sliders than this only the number is written.
const MAX_LISTED_SLIDERS: usize = 8;

/// Writes `Sliders: nod 30° · turn 0°`, or nothing if the prose of the step has a draggable number
/// for each of them.
pub(super) fn write_angles(
    out: &mut String,
    cell: &AnglesCell,
    step: &LessonStep,
    page: PageState<'_>,
) {
    let mut names: Vec<&str> = cell.params.iter().map(String::as_str).collect();
    if names.is_empty() {
        for param in &page.derived.rig.params {
            if param.kind.is_angle() || matches!(param.kind, ParamKind::Morph { .. }) {
                names.push(&param.name);
            }
        }
    }
    if cell.all && names.len() > 1 {
        names.insert(0, "all");
    }
    if names.len() > MAX_LISTED_SLIDERS {
        let _ = writeln!(out, "<p class=\"aside\">In the notebook: {} sliders.</p>", names.len());
        return;
    }
    let mut draggable_names = BTreeSet::new();
    collect_draggable_params(&step.blocks, &mut draggable_names);
    if names.iter().all(|name| draggable_names.contains(name)) {
        return;
    }
    let mut sliders = Vec::new();
    for param in names.iter().filter_map(|name| page_param(name, page)) {
        let formula = match &param.driven {
            Some(formula) => format!(" = <code>{}</code>", escaped(formula)),
            None => String::new(),
        };
        sliders.push(format!(
            "{}{formula} <span class=\"number\">{}</span>",
            escaped(&param.label),
            escaped(&format_param_value(&param, param.value))
        ));
    }
    if !sliders.is_empty() {
        let _ = writeln!(out, "<p class=\"aside\">Sliders: {}</p>", sliders.join(" · "));
    }
}

/// Collects the names of the parameters that have a draggable number in the prose.
fn collect_draggable_params<'a>(blocks: &'a [LessonBlock], names: &mut BTreeSet<&'a str>) {
    for block in blocks {
        match block {
            LessonBlock::Paragraph(inlines) => {
                for inline in inlines {
                    if let Inline::Link { target: LinkTarget::Param(name, _), .. } = inline {
                        names.insert(name);
                    }
                }
            }
            LessonBlock::List { items, .. } => {
                for item in items {
                    collect_draggable_params(item, names);
                }
            }
            LessonBlock::Quote(blocks) => collect_draggable_params(blocks, names),
            _ => {}
        }
    }
}

/// Formats a value of a parameter: `30°` for an angle, `1.50 cm` for a value with a unit.
pub(super) fn format_param_value(param: &PageParam, value: f64) -> String {
    if param.angle {
        let degrees = value.to_degrees();
        let decimals = usize::from((degrees - degrees.round()).abs() > 0.05);
        return format!("{}°", fixed(degrees, decimals));
    }
    let is_percentage = param.unit == "%";
    let shown_per_stored = if is_percentage { 100.0 } else { 1.0 };
    let decimals = match param.step {
        _ if param.whole => 0,
        Some(step) => decimals_of(step * shown_per_stored),
        None if is_percentage => 0,
        None => 2,
    };
    format!("{}{}", fixed(value * shown_per_stored, decimals), param.unit)
}

/// Writes the position of the chosen vertex at each stage, and the stage that the pictures show.
pub(super) fn write_stages(out: &mut String, cell: &StagesCell, page: PageState<'_>) {
    let state = &page.document.state;
    let joint = joint_of_view(page);
    let positions = way(page.derived, state.vertex as usize, joint);
    let shown_stage = SkinStage::ALL.iter().position(|&stage| stage == state.stage);
    let mut header_cells = String::new();
    let mut cells = String::new();
    for (index, (name, position)) in STAGE_NAMES.iter().zip(&positions).enumerate() {
        let class = if shown_stage == Some(index) { " class=\"chosen\"" } else { "" };
        let number = index + 1;
        let _ = write!(header_cells, "<th scope=\"col\"{class}>{number} {name}</th>");
        let _ = write!(cells, "<td{class}>{position}</td>");
    }
    let _ = writeln!(
        out,
        "<div class=\"wide\"><table class=\"numbers\"><caption>The way of v{}</caption>\
         <thead><tr>{header_cells}</tr></thead><tbody><tr>{cells}</tr></tbody></table></div>",
        state.vertex
    );
    let (words, is_wrong) = sentence(page, joint);
    let inverse_bind = if cell.stage_only {
        ""
    } else {
        match state.inverse_bind {
            InverseBind::Inverse => "",
            InverseBind::LeftOut => " Inverse bind: left out.",
            InverseBind::Subtract => " Inverse bind: subtract.",
        }
    };
    let class = if is_wrong { "aside wrong" } else { "aside" };
    let stage = shown_stage.map_or("", |index| STAGE_NAMES[index]);
    let _ =
        writeln!(out, "<p class=\"{class}\">Shown: {stage}.{inverse_bind} {}</p>", escaped(&words));
}

impl HandoutWriter<'_> {
    /// Writes the named states of a page, the current one highlighted.
    pub(super) fn write_stops(
        &mut self,
        out: &mut String,
        cell: &StopsCell,
        opened: &OpenedStep<'_>,
    ) {
        let page = opened.page_state();
        let label = self.line_html(&cell.label, opened);
        let _ = writeln!(out, "<div class=\"stops\"><p class=\"aside\">{label}</p><ol>");
        for stop in cell.stops.iter() {
            let is_current = holds(&stop.set.0, page.document, page.derived);
            let class = if is_current { " class=\"chosen\"" } else { "" };
            let label = self.line_html(&stop.label, opened);
            let _ = write!(out, "<li{class}><strong>{label}</strong>");
            if !stop.note.is_empty() {
                let at_stop = opened.after_edits(&stop.set.0, &[]);
                let _ = write!(out, ": {}", self.line_html(&stop.note, &at_stop));
            }
            out.push_str("</li>\n");
        }
        out.push_str("</ol></div>\n");
    }
}

/// Writes the positions to which each joint alone would move a vertex, and the blended position.
pub(super) fn write_vertex(out: &mut String, cell: &VertexCell, page: PageState<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    let Some(position) = page.derived.position(vertex as usize) else {
        return;
    };
    if cell.matrices {
        write_matrix_sum(out, vertex, page);
    }
    let axes = if page.derived.rig.flat { 2 } else { 3 };
    let _ = writeln!(
        out,
        "<div class=\"wide\"><table class=\"numbers\"><caption>v{vertex} and its copies</caption>\
         <thead><tr><th scope=\"col\">joint</th><th scope=\"col\">weight w</th><th scope=\"col\">where it alone puts the vertex</th>\
         <th scope=\"col\">w times that</th></tr></thead><tbody>"
    );
    for influence in page.derived.influence_points(vertex as usize) {
        let alone = influence.position_in_world;
        let weighted = alone * influence.weight;
        let _ = writeln!(
            out,
            "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>",
            influence.joint.0,
            fixed(influence.weight.into(), 2),
            point(&alone.to_array()[..axes], 2),
            point(&weighted.to_array()[..axes], 2)
        );
    }
    let _ = writeln!(
        out,
        "</tbody><tfoot><tr><th scope=\"row\" colspan=\"3\">where the picture shows it</th>\
         <td>{}</td></tr></tfoot></table></div>",
        point(&position.to_array()[..axes], 2)
    );
}

// ----------------------------------------------------------------------------
// Matrices.

/// Column headings of matrices that are placed side by side.
const SHORT_COLUMN_MEANINGS: [&str; 4] = ["x axis", "y axis", "z axis", "origin"];

/// Writes the matrices of a cell and the value of its formula.
pub(super) fn write_matrices(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    write_named_matrices(out, cell, page);
    if let Some(expr) = &cell.expr {
        write_formula_value(
            out,
            &expr.source,
            cell.decimals.map_or(USUAL_DECIMALS, |decimals| decimals.0),
            page,
        );
    }
}

/// Writes a formula and its value, a matrix row by row.
fn write_formula_value(out: &mut String, text: &str, decimals: usize, page: PageState<'_>) {
    let outcome = match value_of_text(text, page.derived) {
        Ok(outcome) => outcome,
        Err(error) => {
            let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&error.words));
            return;
        }
    };
    let frames = outcome.value.frame_words().unwrap_or_default();
    let _ = write!(
        out,
        "<table class=\"matrix\"><caption><code>{}</code> {}</caption><tbody>",
        escaped(text),
        escaped(&frames)
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

/// Writes the matrices that a cell refers to, with operators and products between them.
fn write_named_matrices(out: &mut String, cell: &MatrixCell, page: PageState<'_>) {
    if cell.show.is_empty() {
        return;
    }
    let mut sources = Vec::new();
    for reference in &cell.show {
        match resolve(reference, page.document, page.derived) {
            Ok(source) => sources.push(source),
            Err(error) => {
                let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&error));
                return;
            }
        }
    }
    let conventions = page.document.state.written_as.over(Conventions::default());
    let (blocks, seams) = with_operators(cell, sources, page.derived);
    let (blocks, seams) = row_as_written(&blocks, &seams, conventions);
    let meanings = if blocks.len() > 1 { SHORT_COLUMN_MEANINGS } else { COLUMN_MEANINGS };
    out.push_str("<div class=\"matrices\">\n");
    for block in &*blocks {
        out.push_str("<div class=\"factor\">");
        if !block.operator.is_empty() {
            let _ = write!(out, "<span class=\"operator\">{}</span>", block.operator);
        }
        let decimals =
            block.magnitude.decimals(cell.decimals.map_or(USUAL_DECIMALS, |decimals| decimals.0));
        write_matrix(out, block, meanings, decimals, conventions.has_rows());
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
    for seam in &*seams {
        let _ = writeln!(out, "<p class=\"wrong\">{}</p>", escaped(&seam.words));
    }
}

/// Writes the joint matrices of a vertex with their weights, and the skin matrix to which they
/// add up.
fn write_matrix_sum(out: &mut String, vertex: u32, page: PageState<'_>) {
    let shown = SkinMatrixSum::new(vertex, page.derived);
    let terms = shown.terms.iter().enumerate().map(|(index, term)| {
        let plus = if index == 0 { "" } else { "+ " };
        (format!("{plus}{} ·", fixed(term.weight.into(), 2)), &term.block)
    });
    out.push_str("<div class=\"matrices\">\n");
    for (lead, block) in terms.chain([("=".to_owned(), &shown.sum)]) {
        let _ = write!(out, "<div class=\"factor\"><span class=\"operator\">{lead}</span>");
        let decimals = block.magnitude.decimals(2);
        write_matrix(out, block, SHORT_COLUMN_MEANINGS, decimals, false);
        out.push_str("</div>\n");
    }
    out.push_str("</div>\n");
}

/// Writes a matrix with its frames as caption. If `is_for_row_vectors`, it is transposed, and the
/// meanings of its columns become headings of rows.
fn write_matrix(
    out: &mut String,
    block: &OperatorBlock,
    column_meanings: [&str; 4],
    column_decimals: [usize; 4],
    is_for_row_vectors: bool,
) {
    let source = &block.source;
    out.push_str("<table class=\"matrix\"><caption>");
    if block.role == OperatorRole::Difference {
        out.push_str("A − B");
    } else {
        let to = source.named.to;
        let from = source.named.from;
        let (left, arrow, right) =
            if is_for_row_vectors { (from, "→", to) } else { (to, "←", from) };
        let _ = write!(
            out,
            "<span class=\"frame\">{left}</span> {arrow} <span class=\"frame\">{right}</span> {}",
            escaped(&source.title)
        );
    }
    out.push_str("</caption>");
    if !is_for_row_vectors {
        out.push_str("<thead><tr>");
        for meaning in column_meanings {
            let _ = write!(out, "<th scope=\"col\">{meaning}</th>");
        }
        out.push_str("</tr></thead>");
    }
    out.push_str("<tbody>");
    for (written_row, meaning) in column_meanings.into_iter().enumerate() {
        out.push_str("<tr>");
        if is_for_row_vectors {
            let _ = write!(out, "<th scope=\"row\">{meaning}</th>");
        }
        for written_column in 0..4 {
            let (row, column) = if is_for_row_vectors {
                (written_column, written_row)
            } else {
                (written_row, written_column)
            };
            let number = f64::from(source.named.mat.col(column)[row]);
            let number = fixed(number, column_decimals[column]);
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
    fn parameter_values_have_a_unit_and_the_decimals_of_their_step() {
        for (unit, step, angle, value, expected) in [
            (" kg", Some(0.5), false, 3.0, "3.0 kg"),
            (" kg", None, false, 3.0, "3.00 kg"),
            ("%", Some(0.05), false, 0.5, "50%"),
            ("%", Some(0.005), false, 0.5, "50.0%"),
            ("", Some(2.0), false, 4.0, "4"),
            ("", None, true, std::f64::consts::FRAC_PI_2, "90°"),
        ] {
            let param = PageParam {
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
            assert_eq!(format_param_value(&param, value), expected);
        }
    }
}
