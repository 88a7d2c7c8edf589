//! The microscope: one vertex, the copies its joints propose, and their sum, as
//! one would add them up on paper.

#[cfg(test)]
mod tests;

use bindpose_lesson::VertexCell;
use bindpose_notebook::significant_digits::{self, USUAL_DECIMALS};
use bindpose_notebook::{Entity, InfluencePoint, number_text};
use bindpose_skin::{Blend, CoordinateFrame, JointIndex, SkinStage};
use eframe::egui::{
    CollapsingHeader, Color32, RichText, Shape, Stroke, TextFormat, Ui, text::LayoutJob, vec2,
};
use glam::{Mat4, Vec3};

use super::entity_chooser;
use crate::PageContext;
use crate::theme::{CAPTION, FINE, SMALL, font};
use crate::touch;
use crate::widgets::{badge, badge_size, lit_shape};

/// How a vertex is written: 2 or 3 coordinates, columns that stay in line.
#[derive(Clone, Copy)]
struct CoordinateFormat {
    coordinates: usize,
    /// Digits after the point, of the vertex as stored.
    stored: usize,
    /// Digits after the point, of where matrices put it.
    put: usize,
    /// Characters of a coordinate.
    chars: usize,
    /// Size of type.
    font: f32,
    /// Lines that a copy takes where there is less room: 1, 2 or 3.
    lines: u8,
}

/// Draws the cell.
pub(crate) fn ui(ui: &mut Ui, cell: &VertexCell, id: &str, page: &mut PageContext<'_>) {
    let vertex = cell.vertex.unwrap_or(page.document.state.vertex);
    if cell.vertex.is_none() {
        entity_chooser::vertex(ui, id, page);
    }
    let at = vertex as usize;
    let (Some(&stored), Some(position)) =
        (page.derived.stored_positions().get(at), page.derived.position(at))
    else {
        let words = format!(
            "There is no vertex {vertex}; this rig has {}.",
            page.derived.rig.mesh.positions.len()
        );
        ui.label(RichText::new(words).color(page.theme.wrong));
        return;
    };
    let points = influence_points(page, vertex);
    let format = coordinate_format(ui, page, &points, stored, position);
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 3.0;
        headline(ui, page, vertex, stored, format);
        if page.derived.blend == Blend::Linear {
            sum(ui, page, vertex, &points, position, format);
        } else {
            single(ui, page, vertex, position, format);
        }
    });
    if cell.arithmetic {
        arithmetic(ui, id, page, &points, stored, format);
    }
}

/// What moves the vertex now: all of its influences, or one alone.
fn influence_points(page: &PageContext<'_>, vertex: u32) -> Vec<InfluencePoint> {
    let all = page.derived.influence_points(vertex as usize);
    if page.derived.blend == Blend::Linear {
        return all;
    }
    let joint = single_joint(page, vertex);
    let position = page.derived.position(vertex as usize);
    vec![InfluencePoint {
        lane: 0,
        joint,
        weight: 1.0,
        position_in_world: position.unwrap_or_default(),
    }]
}

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

/// Type as large as the longest line allows.
fn coordinate_format(
    ui: &Ui,
    page: &PageContext<'_>,
    points: &[InfluencePoint],
    stored: Vec3,
    position: Vec3,
) -> CoordinateFormat {
    let derived = page.derived;
    let frame = match derived.stage() {
        SkinStage::Bind => CoordinateFrame::Bind,
        SkinStage::Joint => CoordinateFrame::Joint(single_joint(page, page.document.state.vertex)),
        SkinStage::Posed | SkinStage::Blended => CoordinateFrame::World,
    };
    let largest_put = points
        .iter()
        .map(|point| significant_digits::largest(point.position_in_world))
        .fold(significant_digits::largest(position), f64::max);
    let largest_stored = significant_digits::largest(stored);
    let decimals = |frame, largest: f64| {
        significant_digits::decimals(derived.size_in(frame).max(largest), USUAL_DECIMALS)
    };
    let put = decimals(frame, largest_put);
    let stored = decimals(CoordinateFrame::Bind, largest_stored);
    let length = |largest: f64, decimals| number_text::fixed(-largest, decimals).chars().count();
    let chars = length(largest_put, put).max(length(largest_stored, stored));
    let coordinates = if derived.rig.flat { 2 } else { 3 };
    let point = coordinates * (chars + 2);
    // `0.50 · M₀ p`, ` = 0.50 · (x, y)`, ` = (x, y)`
    let (matrix, proposed, part) = (13, 10 + point, 3 + point);
    let room = ui.available_width() - 34.0;
    let fits = |chars: usize, font: f32| chars as f32 * font * 0.6 <= room;
    let (font, lines) = [SMALL, CAPTION, FINE]
        .into_iter()
        .find(|&font| fits(matrix + proposed + part, font))
        .map(|font| (font, 1))
        .or_else(|| fits(matrix + proposed, CAPTION).then_some((CAPTION, 2)))
        .unwrap_or((FINE, 3));
    CoordinateFormat { coordinates, stored, put, chars, font, lines }
}

impl CoordinateFormat {
    /// `(−0.717, 0.697)`
    fn point(self, point: Vec3, decimals: usize) -> String {
        let numbers: Vec<String> = (0..self.coordinates)
            .map(|axis| {
                let text = number_text::fixed(f64::from(point[axis]), decimals);
                format!("{text:>width$}", width = self.chars)
            })
            .collect();
        format!("({})", numbers.join(", "))
    }

    fn job(self, parts: &[(&str, Color32, bool)]) -> LayoutJob {
        let mut job = LayoutJob::default();
        for &(text, color, strong) in parts {
            let format = TextFormat {
                font_id: font::mono(self.font, strong),
                color,
                line_height: Some((self.font * 1.6).round()),
                ..TextFormat::default()
            };
            job.append(text, 0.0, format);
        }
        job
    }
}

fn headline(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    stored: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let name = format!("v{vertex}");
    let point = format.point(stored, format.stored);
    let job = format.job(&[
        (&name, theme.accent, true),
        ("  stored at p = ", theme.quiet, false),
        (&point, theme.ink, false),
    ]);
    if touch::is_pointed_at(&ui.label(job)) {
        page.linked.hover(Entity::Vertex(vertex));
    }
}

fn sum(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    points: &[InfluencePoint],
    position: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let mut chars = 0;
    for point in points {
        let part = point.position_in_world * point.weight;
        let weight = number_text::fixed(f64::from(point.weight), 2);
        let matrix = format!(" · M{} p", joint_subscript(point.joint));
        let proposed = format.point(point.position_in_world, format.put);
        let part = format.point(part, format.put);
        let [before, between] = match format.lines {
            1 => ["", ""],
            2 => ["", "\n"],
            _ => ["\n", "\n"],
        };
        let job = format.job(&[
            (&weight, theme.ink, true),
            (&matrix, theme.joint_text(point.joint), true),
            (&format!("{before} = {weight} · {proposed}{between} = "), theme.ink, false),
            (&part, theme.ink, false),
        ]);
        chars = chars.max(job.text.lines().map(|line| line.chars().count()).max().unwrap_or(0));
        line(ui, page, point.joint, job);
    }
    let total: f32 = points.iter().map(|point| point.weight).sum();
    let off = (total - 1.0).abs() > 1e-4;
    let sum_of_weights = number_text::fixed(f64::from(total), 2);
    let tint = if off { theme.wrong } else { theme.quiet };
    let weights = format!("Σw = {sum_of_weights}");
    let name = format!("v{vertex}′ = ");
    let point = format.point(position, format.put);
    // The sum stands below what is summed.
    let ahead = if format.lines > 1 {
        4
    } else {
        chars.saturating_sub(name.chars().count() + point.chars().count())
    };
    let pad = if format.lines == 3 {
        "\n".to_owned()
    } else {
        " ".repeat(ahead.saturating_sub(weights.chars().count()).max(2))
    };
    let job = format.job(&[
        (&weights, tint, off),
        (&pad, theme.ink, false),
        (&name, theme.accent, true),
        (&point, theme.ink, true),
    ]);
    let indent = points.iter().map(|point| badge_size(point.joint).x).fold(18.0, f32::max) + 8.0;
    let response = ui
        .horizontal(|ui| {
            let above = ui.painter().add(Shape::Noop);
            ui.add_space(indent);
            let response = ui.label(job);
            let rule = Shape::hline(
                ui.min_rect().x_range(),
                response.rect.top() - 1.0,
                Stroke::new(1.0, theme.quiet),
            );
            ui.painter().set(above, rule);
            response
        })
        .inner;
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    if off {
        let words = format!(
            "The weights add up to {sum_of_weights}, not 1: the vertex comes to {sum_of_weights} \
             times its distance from the origin. It is no longer between its copies."
        );
        ui.label(RichText::new(words).color(theme.wrong).size(SMALL));
    }
}

/// A badge and a line.
fn line(ui: &mut Ui, page: &mut PageContext<'_>, joint: JointIndex, job: LayoutJob) {
    let name = entity_chooser::joint_name(page, joint).to_owned();
    let lit = page.linked.is_lit(Entity::Joint(joint));
    let response = ui
        .horizontal(|ui| {
            let behind = ui.painter().add(Shape::Noop);
            badge(ui, page.theme, joint, &name);
            ui.label(job);
            if lit {
                let rect = ui.min_rect().expand2(vec2(4.0, 0.0));
                ui.painter().set(behind, lit_shape(page.theme, rect, 4.0));
            }
        })
        .response;
    if response.contains_pointer() {
        page.linked.hover(Entity::Joint(joint));
    }
}

/// At the stages before blending one matrix alone is at work.
fn single(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    position: Vec3,
    format: CoordinateFormat,
) {
    let theme = page.theme;
    let joint = single_joint(page, vertex);
    let point = format.point(position, format.put);
    let words = match page.derived.stage() {
        SkinStage::Bind => {
            let words = "Bind space: as stored, no matrix has touched it yet.";
            ui.label(theme.label(words));
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
    ui.label(theme.label(words));
    let matrix = if page.derived.stage() == SkinStage::Joint {
        format!("joint{}_from_bind · p", joint.0)
    } else {
        format!("M{} p", joint_subscript(joint))
    };
    let job = format.job(&[
        (&matrix, theme.joint_text(joint), true),
        (" = ", theme.ink, false),
        (&point, theme.ink, true),
    ]);
    line(ui, page, joint, job);
}

/// Row by row, one block a joint, open as long as they are few.
fn arithmetic(
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
                for row in 0..format.coordinates {
                    let (terms, value) = row_of_product(&matrix, stored, row, format);
                    let job = format
                        .job(&[(&terms, page.theme.ink, false), (&value, page.theme.ink, true)]);
                    if touch::is_pointed_at(&ui.label(job)) {
                        page.linked.hover(Entity::Joint(point.joint));
                    }
                }
            });
    }
}

/// `y = 0.559·0.250 + 0.829·2.000 + 0.342·1 = ` and `2.140`
fn row_of_product(
    matrix: &Mat4,
    point: Vec3,
    row: usize,
    format: CoordinateFormat,
) -> (String, String) {
    let linear =
        significant_digits::decimals(significant_digits::longest_axis(matrix), USUAL_DECIMALS);
    let mut terms: Vec<String> = (0..format.coordinates)
        .map(|axis| {
            let of_matrix = factor_text(matrix.col(axis)[row], linear);
            format!("{of_matrix}·{}", factor_text(point[axis], format.stored))
        })
        .collect();
    terms.push(format!("{}·1", factor_text(matrix.w_axis[row], format.put)));
    let value = (*matrix * point.extend(1.0))[row];
    let name = ["x", "y", "z"].get(row).copied().unwrap_or("w");
    (format!("{name} = {} = ", terms.join(" + ")), number_text::fixed(f64::from(value), format.put))
}

// Numbers and names of joints in such sums, as other cells write them too.

/// A factor: in parentheses when negative, as between other operators.
pub(super) fn factor_text(value: f32, decimals: usize) -> String {
    let text = number_text::fixed(f64::from(value), decimals);
    if text.starts_with(number_text::MINUS) { format!("({text})") } else { text }
}

/// A joint's number in subscript figures.
pub(super) fn joint_subscript(joint: JointIndex) -> String {
    let number = joint.0.to_string();
    let figures = number.bytes();
    figures.filter_map(|digit| char::from_u32(0x2080 + u32::from(digit - b'0'))).collect()
}
