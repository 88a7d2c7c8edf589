//! The calculation of a vertex position: the positions from each of its joints and
//! their weighted sum, written as on paper.

mod coordinate_format;
mod matrix_sum;
#[cfg(test)]
mod tests;
mod weight_total;

use bindpose_kit::touch;
use bindpose_kit::widgets::{badge, badge_size, highlight_shape};
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_lesson::{VertexCell, number_text};
use bindpose_notebook::{Entity, InfluencePoint};
use bindpose_skin::{Blend, JointIndex, SkinStage};
use eframe::egui::{CollapsingHeader, RichText, Shape, Stroke, Ui, text::LayoutJob, vec2};
use glam::{Mat4, Vec3};

use self::coordinate_format::{CoordinateFormat, single_joint};
use self::weight_total::{explain_weight_sum_ui, is_wrong_weight_sum};
use super::entity_chooser;
use super::matrix::factor_text;
use crate::PageContext;

pub(crate) fn ui(ui: &mut Ui, cell: &VertexCell, id: &str, page: &mut PageContext<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    if cell.vertex.is_none() {
        entity_chooser::vertex_chooser_ui(ui, id, page);
    }
    let index = vertex as usize;
    let (Some(&stored), Some(position)) =
        (page.derived.stored_positions().get(index), page.derived.position(index))
    else {
        let message = format!(
            "There is no vertex {vertex}; this rig has {}.",
            page.derived.rig.mesh.positions.len()
        );
        ui.label(RichText::new(message).color(page.theme.wrong));
        return;
    };
    let points = influence_points(page, vertex);
    let format = CoordinateFormat::new(ui, page, &points, stored, position);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        stored_position_ui(ui, page, vertex, stored, format);
        if page.derived.blend != Blend::Linear {
            single_matrix_ui(ui, cell, page, vertex, position, format);
        } else if !cell.matrices {
            weighted_sum_ui(ui, page, vertex, &points, position, format);
        }
        if cell.matrices {
            matrix_sum::ui(ui, page, id, vertex, position, format);
        }
    });
    if cell.arithmetic {
        arithmetic_ui(ui, id, page, &points, stored, format);
    }
}

/// Returns the influences that move the vertex. With a blend other than linear, this
/// is one joint with weight 1.
fn influence_points(page: &PageContext<'_>, vertex: u32) -> Vec<InfluencePoint> {
    let all = page.derived.influence_points(vertex as usize);
    if page.derived.blend == Blend::Linear {
        return all;
    }
    let joint = single_joint(page, vertex);
    let position_in_world = page.derived.position(vertex as usize).unwrap_or_default();
    vec![InfluencePoint { lane: 0, joint, weight: 1.0, position_in_world }]
}

fn stored_position_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    stored: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let name = format!("v{vertex}");
    let point = format.point(stored, format.stored_decimals);
    let job = format.layout_job(&[
        (&name, theme.accent, true),
        ("  stored at p = ", theme.quiet, false),
        (&point, theme.ink, false),
    ]);
    if touch::is_pointed_at(&ui.label(job)) {
        page.linked.hover(Entity::Vertex(vertex));
    }
}

/// Draws the products of weights and positions, and their sum.
fn weighted_sum_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    points: &[InfluencePoint],
    position: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let mut max_line_chars = 0;
    for point in points {
        let product = point.position_in_world * point.weight;
        let weight = number_text::fixed(f64::from(point.weight), 2);
        let matrix = format!(" · M{} p", joint_subscript(point.joint));
        let moved_text = format.point(point.position_in_world, format.moved_decimals);
        let product_text = format.point(product, format.moved_decimals);
        let [first_break, second_break] = match format.line_count {
            1 => ["", ""],
            2 => ["", "\n"],
            _ => ["\n", "\n"],
        };
        let job = format.layout_job(&[
            (&weight, theme.ink, true),
            (&matrix, theme.joint_text(point.joint), true),
            (
                &format!("{first_break} = {weight} · {moved_text}{second_break} = "),
                theme.ink,
                false,
            ),
            (&product_text, theme.ink, false),
        ]);
        let line_chars = job.text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
        max_line_chars = max_line_chars.max(line_chars);
        joint_line_ui(ui, page, point.joint, job);
    }
    let total: f32 = points.iter().map(|point| point.weight).sum();
    let is_wrong = is_wrong_weight_sum(total);
    let total_text = number_text::fixed(f64::from(total), 2);
    let total_color = if is_wrong { theme.wrong } else { theme.quiet };
    let weights = format!("Σw = {total_text}");
    let name = format!("v{vertex}′ = ");
    let point = format.point(position, format.moved_decimals);
    // Align the sum with the products above it.
    let sum_column = if format.line_count > 1 {
        4
    } else {
        max_line_chars.saturating_sub(name.chars().count() + point.chars().count())
    };
    let gap = if format.line_count == 3 {
        "\n".to_owned()
    } else {
        " ".repeat(sum_column.saturating_sub(weights.chars().count()).max(2))
    };
    let job = format.layout_job(&[
        (&weights, total_color, is_wrong),
        (&gap, theme.ink, false),
        (&name, theme.accent, true),
        (&point, theme.ink, true),
    ]);
    let indent = points.iter().map(|point| badge_size(point.joint).x).fold(18.0, f32::max) + 8.0;
    let response = ui
        .horizontal(|ui| {
            let placeholder = ui.painter().add(Shape::Noop);
            ui.add_space(indent);
            let response = ui.label(job);
            let rule = Shape::hline(
                ui.min_rect().x_range(),
                response.rect.top() - 1.0,
                Stroke::new(1.0, theme.quiet),
            );
            ui.painter().set(placeholder, rule);
            response
        })
        .inner;
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    explain_weight_sum_ui(ui, page, total);
}

/// Draws a joint's badge and a line of text.
fn joint_line_ui(ui: &mut Ui, page: &mut PageContext<'_>, joint: JointIndex, job: LayoutJob) {
    let name = entity_chooser::joint_name(page, joint).to_owned();
    let is_lit = page.linked.is_lit(Entity::Joint(joint));
    let response = ui
        .horizontal(|ui| {
            let background = ui.painter().add(Shape::Noop);
            badge(ui, page.theme, joint, &name);
            ui.label(job);
            if is_lit {
                let rect = ui.min_rect().expand2(vec2(4.0, 0.0));
                ui.painter().set(background, highlight_shape(page.theme, rect, 4.0));
            }
        })
        .response;
    if response.contains_pointer() {
        page.linked.hover(Entity::Joint(joint));
    }
}

/// Draws the product with a single matrix, for the stages before blending.
fn single_matrix_ui(
    ui: &mut Ui,
    cell: &VertexCell,
    page: &mut PageContext<'_>,
    vertex: u32,
    position: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let joint = single_joint(page, vertex);
    let point = format.point(position, format.moved_decimals);
    let explanation = match page.derived.stage() {
        SkinStage::Bind => {
            ui.label(theme.label("Bind space: as stored, no matrix has touched it yet."));
            return;
        }
        SkinStage::Joint => format!(
            "Joint space: one matrix alone, joint {0} ← bind. This is where joint {0} sees the vertex.",
            joint.0
        ),
        SkinStage::Posed | SkinStage::Blended => format!(
            "Posed: one matrix alone, world ← bind of joint {}; the other weights wait.",
            joint.0
        ),
    };
    // Otherwise the matrix below says it, and the cell stays as high as at the other stages.
    if !cell.matrices {
        ui.label(theme.label(explanation));
    }
    let matrix = if page.derived.stage() == SkinStage::Joint {
        format!("joint{}_from_bind · p", joint.0)
    } else {
        format!("M{} p", joint_subscript(joint))
    };
    let job = format.layout_job(&[
        (&matrix, theme.joint_text(joint), true),
        (" = ", theme.ink, false),
        (&point, theme.ink, true),
    ]);
    joint_line_ui(ui, page, joint, job);
}

/// Draws the rows of each matrix product, in a block per joint. The blocks are open
/// by default if there are at most two.
fn arithmetic_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    points: &[InfluencePoint],
    stored: Vec3,
    format: CoordinateFormat,
) {
    if page.derived.stage() == SkinStage::Bind {
        return;
    }
    for point in points {
        let Some(&matrix) = page.derived.palette.get(point.joint.index()) else {
            continue;
        };
        let title = page.theme.label(format!("row by row: M{} p", joint_subscript(point.joint)));
        CollapsingHeader::new(title)
            .id_salt((id, "arithmetic", point.joint.0))
            .default_open(points.len() <= 2)
            .show(ui, |ui| {
                ui.spacing_mut().item_spacing.y = 2.0;
                for row in 0..format.axis_count {
                    let (terms, value) = row_of_product(&matrix, stored, row, format);
                    let ink = page.theme.ink;
                    let job = format.layout_job(&[(&terms, ink, false), (&value, ink, true)]);
                    if touch::is_pointed_at(&ui.label(job)) {
                        page.linked.hover(Entity::Joint(point.joint));
                    }
                }
            });
    }
}

/// Formats a row of a matrix product, as terms such as
/// `y = 0.559·0.250 + 0.829·2.000 + 0.342·1 = ` and a value such as `2.140`.
fn row_of_product(
    matrix: &Mat4,
    point: Vec3,
    row: usize,
    format: CoordinateFormat,
) -> (String, String) {
    let linear_decimals =
        significant_digits::decimals(significant_digits::longest_axis(matrix), USUAL_DECIMALS);
    let mut terms: Vec<String> = (0..format.axis_count)
        .map(|axis| {
            let element = factor_text(matrix.col(axis)[row], linear_decimals);
            format!("{element}·{}", factor_text(point[axis], format.stored_decimals))
        })
        .collect();
    terms.push(format!("{}·1", factor_text(matrix.w_axis[row], format.moved_decimals)));
    let value = (*matrix * point.extend(1.0))[row];
    let name = ["x", "y", "z"].get(row).copied().unwrap_or("w");
    let terms_text = format!("{name} = {} = ", terms.join(" + "));
    (terms_text, number_text::fixed(f64::from(value), format.moved_decimals))
}

/// Formats a joint's number in subscript digits.
pub(super) fn joint_subscript(joint: JointIndex) -> String {
    let number = joint.0.to_string();
    let digits = number.bytes();
    digits.filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0'))).collect()
}
