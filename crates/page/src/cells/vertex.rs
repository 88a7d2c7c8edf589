//! The calculation of a vertex position: the positions from each of its joints and
//! their weighted sum, written as on paper.

mod matrix_sum;
#[cfg(test)]
mod tests;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, SMALL_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::{badge, badge_size, highlight_shape};
use bindpose_lesson::significant_digits::{self, USUAL_DECIMALS};
use bindpose_lesson::{VertexCell, number_text};
use bindpose_notebook::{Entity, InfluencePoint};
use bindpose_skin::{Blend, CoordinateFrame, JointIndex, SkinStage};
use eframe::egui::{
    CollapsingHeader, Color32, RichText, Shape, Stroke, TextFormat, Ui, text::LayoutJob, vec2,
};
use glam::{Mat4, Vec3};

use super::entity_chooser;
use crate::PageContext;

/// Format of positions. All coordinates have the same width, so that columns are
/// aligned.
#[derive(Clone, Copy)]
struct CoordinateFormat {
    /// Number of coordinates: 2 or 3.
    axis_count: usize,
    /// Decimals of the position as stored.
    stored_decimals: usize,
    /// Decimals of positions transformed by matrices.
    moved_decimals: usize,
    /// Width of a coordinate, in characters.
    char_count: usize,
    font_size: f32,
    /// Number of lines for the product of a joint: 1, or 2 or 3 in a narrow column.
    line_count: u8,
}

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

/// Returns the joint that moves the vertex if it does not have the weighted sum of
/// several.
fn single_joint(page: &PageContext<'_>, vertex: u32) -> JointIndex {
    match page.derived.blend {
        Blend::Only(joint) => joint,
        Blend::Linear | Blend::DualQuaternion | Blend::Strongest => page
            .derived
            .influences
            .get(vertex as usize)
            .map_or(page.document.state.joint, |influences| influences.strongest()),
    }
}

impl CoordinateFormat {
    /// Chooses the largest font size, and the smallest number of lines, with which
    /// the longest line fits.
    fn new(
        ui: &Ui,
        page: &PageContext<'_>,
        points: &[InfluencePoint],
        stored: Vec3,
        position: Vec3,
    ) -> Self {
        let derived = page.derived;
        let frame = match derived.stage() {
            SkinStage::Bind => CoordinateFrame::Bind,
            SkinStage::Joint => {
                CoordinateFrame::Joint(single_joint(page, page.document.state.vertex))
            }
            SkinStage::Posed | SkinStage::Blended => CoordinateFrame::World,
        };
        let largest_moved = points
            .iter()
            .map(|point| significant_digits::largest(point.position_in_world))
            .fold(significant_digits::largest(position), f64::max);
        let largest_stored = significant_digits::largest(stored);
        let moved_size = derived.size_in(frame).max(largest_moved);
        let moved_decimals = significant_digits::decimals(moved_size, USUAL_DECIMALS);
        let stored_size = derived.size_in(CoordinateFrame::Bind).max(largest_stored);
        let stored_decimals = significant_digits::decimals(stored_size, USUAL_DECIMALS);
        let char_count = negative_char_count(largest_moved, moved_decimals)
            .max(negative_char_count(largest_stored, stored_decimals));
        let axis_count = if derived.rig.flat { 2 } else { 3 };

        // Lengths of `0.50 · M₀ p`, ` = 0.50 · (x, y)` and ` = (x, y)`.
        let point_chars = axis_count * (char_count + 2);
        let matrix_chars = 13;
        let product_chars = 10 + point_chars;
        let result_chars = 3 + point_chars;
        let max_width = ui.available_width() - 34.0;
        let one_line_chars = matrix_chars + product_chars + result_chars;
        let one_line_font = [SMALL_SIZE, CAPTION_SIZE, FINE_SIZE]
            .into_iter()
            .find(|&font_size| font::mono_width(one_line_chars, font_size) <= max_width);
        let (font_size, line_count) = match one_line_font {
            Some(font_size) => (font_size, 1),
            None if font::mono_width(matrix_chars + product_chars, CAPTION_SIZE) <= max_width => {
                (CAPTION_SIZE, 2)
            }
            None => (FINE_SIZE, 3),
        };
        Self { axis_count, stored_decimals, moved_decimals, char_count, font_size, line_count }
    }

    /// Formats a position, such as `(−0.717, 0.697)`.
    fn point(self, point: Vec3, decimals: usize) -> String {
        let numbers: Vec<String> = (0..self.axis_count)
            .map(|axis| {
                let text = number_text::fixed(f64::from(point[axis]), decimals);
                format!("{text:>width$}", width = self.char_count)
            })
            .collect();
        format!("({})", numbers.join(", "))
    }

    /// Lays out parts of a line, each with its colour and whether it is strong.
    fn layout_job(self, parts: &[(&str, Color32, bool)]) -> LayoutJob {
        let mut job = LayoutJob::default();
        for &(text, color, strong) in parts {
            let format = TextFormat {
                font_id: font::mono(self.font_size, strong),
                color,
                line_height: Some((self.font_size * 1.6).round()),
                ..TextFormat::default()
            };
            job.append(text, 0.0, format);
        }
        job
    }
}

/// Returns the length of the number `-largest`, in characters.
fn negative_char_count(largest: f64, decimals: usize) -> usize {
    number_text::fixed(-largest, decimals).chars().count()
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

/// Returns true if the sum of the weights differs from 1 by more than rounding error.
fn is_wrong_weight_sum(total: f32) -> bool {
    (total - 1.0).abs() > 1e-4
}

/// Draws a sentence about a sum of the weights other than 1.
fn explain_weight_sum_ui(ui: &mut Ui, page: &PageContext<'_>, total: f32) {
    if is_wrong_weight_sum(total) {
        let total_text = number_text::fixed(f64::from(total), 2);
        let explanation = format!(
            "The weights add up to {total_text}, not 1: the vertex comes to {total_text} times its \
             distance from the origin. It is no longer between its copies."
        );
        ui.label(RichText::new(explanation).color(page.theme.wrong).size(SMALL_SIZE));
    }
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

/// Formats a factor of a product, in parentheses if it is negative.
pub(super) fn factor_text(value: f32, decimals: usize) -> String {
    let text = number_text::fixed(f64::from(value), decimals);
    if text.starts_with(number_text::MINUS) { format!("({text})") } else { text }
}

/// Formats a joint's number in subscript digits.
pub(super) fn joint_subscript(joint: JointIndex) -> String {
    let number = joint.0.to_string();
    let digits = number.bytes();
    digits.filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0'))).collect()
}
