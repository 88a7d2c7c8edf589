//! The skin matrix of a vertex as the weighted sum of its joint matrices, and the position to
//! which it moves the vertex.

use bindpose_kit::theme::font;
use bindpose_kit::touch;
use bindpose_kit::widgets::{
    Density, HEADINGS_HEIGHT_PTS, MatrixGrid, MatrixHeads, MatrixRoom, NumberStyle, PaintText as _,
    highlight_shape, paint_badge_at,
};
use bindpose_lesson::number_text;
use bindpose_lesson::significant_digits::USUAL_DECIMALS;
use bindpose_notebook::Entity;
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock, SkinMatrixSum, moving_matrix};
use bindpose_skin::{Blend, SkinStage};
use eframe::egui::accesskit::Role;
use eframe::egui::{Pos2, Rect, Sense, Ui, Vec2, WidgetInfo, pos2, vec2};
use glam::Vec3;

use super::coordinate_format::{CoordinateFormat, single_joint};
use super::weight_total::{explain_weight_sum_ui, is_wrong_weight_sum};
use crate::PageContext;
use crate::cells::matrix::min_presented_font;

/// Gap between neighbouring matrices, and between lines.
const GAP_PTS: Vec2 = vec2(4.0, 8.0);

/// Length of the text before a matrix, such as `+0.50`, in characters.
const LEAD_CHARS: usize = 5;

/// Gap between this text and the matrix, in points.
const LEAD_GAP_PTS: f32 = 2.0;

/// Maximum padding on both sides of a number.
const MAX_PAD_PTS: f32 = 5.0;

/// Density with which three matrices fit beside each other below a picture at 1280 × 720.
const DENSEST: Density = Density { decimals: 2, font: 11.0, pad: 1.0, bracket: 4.0, operator: 0.0 };

/// Row and column of the element that was under the pointer in the last frame.
#[derive(Default)]
struct HoveredElement(Option<(usize, usize)>);

/// A matrix of the sum, with the text before it.
struct SumPart<'a> {
    /// `+` or `=`. Empty before the first matrix.
    operator: &'static str,
    weight: Option<String>,
    block: &'a OperatorBlock,
}

/// Draws the sum and the position of the vertex. At stages before blending, draws the matrix of
/// the stage in the same space.
pub(super) fn ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    id: &str,
    vertex: u32,
    position: Vec3,
    format: CoordinateFormat,
) {
    let shown = SkinMatrixSum::new(vertex, page.derived);
    let mut parts: Vec<SumPart<'_>> = Vec::new();
    for term in &shown.terms {
        let operator = if parts.is_empty() { "" } else { "+" };
        let weight = number_text::fixed(f64::from(term.weight), 2);
        parts.push(SumPart { operator, weight: Some(weight), block: &term.block });
    }
    parts.push(SumPart { operator: "=", weight: None, block: &shown.sum });
    if page.derived.blend == Blend::Linear {
        draw_parts(ui, page, id, vertex, &parts, &parts);
        result_ui(ui, page, vertex, &shown, position, format);
    } else if page.derived.stage() == SkinStage::Bind {
        draw_parts(ui, page, id, vertex, &parts, &[]);
    } else {
        let block = moving_matrix(single_joint(page, vertex), page.derived);
        let part = SumPart { operator: "", weight: None, block: &block };
        draw_parts(ui, page, id, vertex, &parts, &[part]);
    }
}

/// Draws the sum of the weights, and where the skin matrix moves the vertex.
fn result_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    shown: &SkinMatrixSum,
    position: Vec3,
    format: CoordinateFormat,
) {
    let total: f32 = shown.terms.iter().map(|term| term.weight).sum();
    let is_wrong = is_wrong_weight_sum(total);
    let weight_color = if is_wrong { page.theme.wrong } else { page.theme.quiet };
    let job = format.layout_job(&[
        (&format!("Σw = {}  ", number_text::fixed(f64::from(total), 2)), weight_color, is_wrong),
        (&format!("v{vertex}′ = S p = "), page.theme.accent, true),
        (&format.point(position, format.moved_decimals), page.theme.ink, true),
    ]);
    if touch::is_pointed_at(&ui.label(job)) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    explain_weight_sum_ui(ui, page, total);
}

/// Draws `shown` in the space that `all` needs: as few lines as possible, in the largest type
/// that needs no more.
fn draw_parts(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    id: &str,
    vertex: u32,
    all: &[SumPart<'_>],
    shown: &[SumPart<'_>],
) {
    let element = page.state::<HoveredElement>(id).0;
    let width = ui.available_width();
    let min_font = min_presented_font(ui, page);
    let decimals = page.view.presenter.limit_decimals(USUAL_DECIMALS);
    let enlarged = page.view.enlarged.iter().flat_map(|_| Density::enlarged(decimals));
    let density = enlarged
        .chain(Density::choices(decimals))
        .chain([DENSEST])
        .filter(|density| density.font >= min_font)
        .min_by_key(|&density| {
            let part_width = part_size(ui, &grid(page, id, all, &all[0], 0, density)).x;
            let is_cut = part_width > width;
            (is_cut, all.len().div_ceil(parts_per_line(part_width, width)))
        });
    let Some(mut density) = density else {
        return;
    };
    let mut size = part_size(ui, &grid(page, id, all, &all[0], 0, density));
    let per_line = parts_per_line(size.x, width);
    // Spare width goes between the columns.
    while density.pad < MAX_PAD_PTS {
        let wider = Density { pad: density.pad + 0.25, ..density };
        let wider_size = part_size(ui, &grid(page, id, all, &all[0], 0, wider));
        if wider_size.x > width || parts_per_line(wider_size.x, width) < per_line {
            break;
        }
        density = wider;
        size = wider_size;
    }
    let line_count = all.len().div_ceil(per_line) as f32;
    let height = line_count * (size.y + GAP_PTS.y) - GAP_PTS.y;
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());

    let mut hovered = None;
    for (index, part) in shown.iter().enumerate() {
        let place = vec2((index % per_line) as f32, (index / per_line) as f32);
        let at = rect.min + place * (size + GAP_PTS);
        let grid = grid(page, id, all, part, index, density);
        hovered = hovered.or(draw_part(ui, page, vertex, part, &grid, at, element));
    }
    if hovered != element {
        page.state::<HoveredElement>(id).0 = hovered;
        ui.ctx().request_repaint();
    }
}

/// Builds the grid of one matrix, with the space for the numbers of all.
fn grid<'a>(
    page: &PageContext<'a>,
    id: &str,
    all: &[SumPart<'_>],
    part: &SumPart<'_>,
    index: usize,
    density: Density,
) -> MatrixGrid<'a> {
    let magnitude = all
        .iter()
        .map(|part| part.block.magnitude)
        .fold(part.block.magnitude, |common, magnitude| common.and(magnitude));
    let is_flat = page.derived.rig.flat;
    let mut room = MatrixRoom { signs: [true, true, !is_flat, true], ..MatrixRoom::default() };
    for part in all {
        room.grow(&part.block.source.named.mat, magnitude.decimals(density.decimals));
    }
    let source = &part.block.source;
    let brackets = match source.owner {
        MatrixOwner::Joint(joint) if page.linked.is_lit(Entity::Joint(joint)) => {
            page.theme.joint(joint)
        }
        _ => page.theme.ink,
    };
    MatrixGrid {
        theme: page.theme,
        id: format!("{id}/sum/{index}"),
        name: source.title.clone(),
        matrix: source.named.mat,
        magnitude,
        density,
        room,
        outline: page.theme.accent,
        brackets,
        editable: false,
        heads: MatrixHeads::Columns,
        row_count: 3,
    }
}

fn lead_width(density: Density) -> f32 {
    font::mono_width(LEAD_CHARS, density.font) + LEAD_GAP_PTS
}

fn part_size(ui: &Ui, grid: &MatrixGrid<'_>) -> Vec2 {
    grid.size(ui) + vec2(lead_width(grid.density), 0.0)
}

fn parts_per_line(part_width: f32, width: f32) -> usize {
    (((width + GAP_PTS.x) / (part_width + GAP_PTS.x)) as usize).max(1)
}

/// Draws a matrix, and before it its weight below the badge of the joint. Returns row and column
/// of the element under the pointer.
fn draw_part(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    part: &SumPart<'_>,
    grid: &MatrixGrid<'_>,
    at: Pos2,
    element: Option<(usize, usize)>,
) -> Option<(usize, usize)> {
    let theme = page.theme;
    let size = part_size(ui, grid);
    let lead_rect = Rect::from_min_size(at, vec2(lead_width(grid.density), size.y));
    let body_middle = f32::midpoint(lead_rect.top() + HEADINGS_HEIGHT_PTS, lead_rect.bottom());
    let text_font = font::mono(grid.density.font, true);
    let heading_at = pos2(at.x, at.y + 9.0);
    let output = grid.show(ui, pos2(lead_rect.right(), at.y), |row, column| NumberStyle {
        outlined: element == Some((row, column)),
        ..NumberStyle::default()
    });
    match part.block.source.owner {
        MatrixOwner::Joint(joint) => {
            paint_badge_at(ui, theme, heading_at, joint);
            if let Some(weight) = &part.weight {
                let id = output.response.id.with("weight");
                let response = ui.interact(lead_rect, id, Sense::hover());
                let label = format!("weight of joint {}: {weight}", joint.0);
                response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &label));
                if touch::is_pointed_at(&response) {
                    page.linked.hover(Entity::Weight(vertex, joint));
                }
                if page.linked.is_lit(Entity::Weight(vertex, joint)) {
                    let line = Rect::from_center_size(
                        pos2(lead_rect.center().x, body_middle),
                        vec2(lead_rect.width(), grid.density.row_height()),
                    );
                    ui.painter().add(highlight_shape(theme, line, 4.0));
                }
            }
            if let Some((row, column)) = output.hovered {
                page.linked.hover(Entity::Cell(joint, column, row));
            } else if let Some(column) = output.hovered_column {
                page.linked.hover(Entity::Column(joint, column));
            }
        }
        MatrixOwner::Vertex(_) | MatrixOwner::MeshNode => {
            ui.painter().text_left(heading_at, "S", text_font.clone(), theme.accent);
            if touch::is_pointed_at(&output.response) {
                page.linked.hover(Entity::Vertex(vertex));
            }
        }
    }
    let lead_end = pos2(lead_rect.right() - LEAD_GAP_PTS, body_middle);
    let lead = format!("{}{}", part.operator, part.weight.as_deref().unwrap_or_default());
    ui.painter().text_right(lead_end, lead, text_font, theme.ink);
    output.hovered
}
