//! Matrices side by side, each with its frames and the meaning of its columns: as a list, as a
//! product whose frames must meet, or as a difference.

mod block;
mod formula;
mod header;
mod memory_strip;
mod row_layout;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_as_written;

use bindpose_kit::theme::{CAPTION_SIZE, Theme};
use bindpose_kit::widgets::{Density, MatrixHeads};
use bindpose_lesson::significant_digits::USUAL_DECIMALS;
use bindpose_lesson::{CellKind, Decimals, MatrixCell, MatrixRef, number_text};
use bindpose_notebook::matrix::{
    BrokenSeam, MINUS, NOT_EQUAL, OperatorBlock, OperatorRole, PageMatrix, follows, left_factor,
    resolve, row_as_written, with_operators,
};
use bindpose_notebook::{Derived, Document};
use bindpose_skin::{ConventionAxes, Conventions};
use eframe::egui::{Align, Area, FontId, Frame, Label, Layout, Order, RichText, Sense, Ui, vec2};
use glam::Mat4;

use super::entity_chooser;
use crate::PageContext;
use block::{RowHighlight, draw_block};
use header::{draw_braces, draw_operator};
use memory_strip::memory_strip_ui;
use row_layout::{RoomByDecimals, RowLayout, place_blocks, row_width};

/// Font size of matrices in presenter mode, as a fraction of the page's height: digits are
/// 1/47 of it high.
const PRESENTED_FONT_SHARE: f32 = 0.0292;
/// Minimum font size in presenter mode, as a fraction of the page's height.
const MIN_PRESENTED_FONT_SHARE: f32 = 0.0204;

/// Maximum width that is added to each gap of a row to fill the line.
const MAX_EXTRA_GAP_PTS: f32 = 14.0;

#[derive(Default)]
struct MatrixCellState {
    rooms: RoomByDecimals,
    /// Row and column of the element of a product that was under the pointer in the last frame.
    hovered_element: Option<(usize, usize)>,
    /// Row and column of the element whose sum is shown while the pointer is on none.
    stepped_element: Option<(usize, usize)>,
    /// Computes the difference of two matrices. Its nonzero elements are marked in both.
    difference: Option<fn(&Mat4, &Mat4) -> Mat4>,
}

/// Draws the cell.
pub(crate) fn ui(ui: &mut Ui, cell: &MatrixCell, id: &str, page: &mut PageContext<'_>) {
    if !cell.show.is_empty() {
        draw_named_matrices(ui, cell, id, page);
    }
    if let Some(expr) = &cell.expr {
        formula::ui(ui, cell, &expr.source, id, page);
    }
}

fn draw_named_matrices(ui: &mut Ui, cell: &MatrixCell, id: &str, page: &mut PageContext<'_>) {
    let mut follows_joint = false;
    let mut follows_vertex = false;
    for reference in &cell.show {
        let (joint, vertex) = follows(reference);
        follows_joint |= joint;
        follows_vertex |= vertex;
    }
    if follows_joint && !has_joint_search_beside(id, page) {
        entity_chooser::joint_chooser_ui(ui, id, page);
    }
    if follows_vertex {
        entity_chooser::vertex_chooser_ui(ui, id, page);
    }
    let mut sources = Vec::new();
    for reference in &cell.show {
        match resolve(reference, page.document, page.derived) {
            Ok(mut source) => {
                source.pins = page.view.bench.is_open;
                sources.push(source);
            }
            Err(message) => {
                ui.label(RichText::new(message).color(page.theme.wrong));
            }
        }
    }
    if sources.len() < cell.show.len() || sources.is_empty() {
        return;
    }
    let (blocks, seams) = with_operators(cell, sources, page.derived);
    page.with_state(id, |state, page| {
        draw_row(ui, cell, id, &blocks, &seams, state, page);
    });
    for seam in &seams {
        ui.label(RichText::new(&seam.words).color(page.theme.wrong));
    }
    if cell.difference {
        draw_largest_difference(ui, page.theme, &blocks);
    }
}

/// Returns true if another cell on the same stage has the search field that chooses the joint.
fn has_joint_search_beside(id: &str, page: &PageContext<'_>) -> bool {
    let step = page.document.step;
    page.lesson.on_stage(step).any(|cell| cell.id == id)
        && page
            .lesson
            .on_stage(step)
            .any(|cell| matches!(&cell.kind, CellKind::Angles(angles) if angles.search))
}

/// One side of a comparison: a matrix, and the state of the page from which it is taken.
pub(crate) struct ComparisonSide<'a> {
    pub(crate) matrix: &'a MatrixRef,
    pub(crate) document: &'a Document,
    pub(crate) derived: &'a Derived,
}

/// Draws matrices A and B, optionally A − B, and a line with the largest difference.
pub(crate) fn draw_side_comparison(
    ui: &mut Ui,
    id: &str,
    sides: [ComparisonSide<'_>; 2],
    difference: bool,
    page: &mut PageContext<'_>,
) {
    let mut sources = Vec::new();
    for (side, letter) in sides.into_iter().zip(["A", "B"]) {
        match resolve(side.matrix, side.document, side.derived) {
            Ok(mut source) => {
                // It may be from another state of the page, which cannot be edited.
                source.editable = None;
                source.reference = None;
                source.title = format!("{letter} · {}", source.title);
                sources.push(source);
            }
            Err(message) => {
                ui.label(RichText::new(message).color(page.theme.wrong));
                return;
            }
        }
    }
    draw_comparison(ui, id, sources, difference, page);
}

/// Draws two resolved matrices, optionally their difference, and a line with the largest
/// difference.
pub(in crate::cells) fn draw_comparison(
    ui: &mut Ui,
    id: &str,
    sources: Vec<PageMatrix>,
    difference: bool,
    page: &mut PageContext<'_>,
) {
    let with_difference = MatrixCell { difference: true, ..MatrixCell::default() };
    let (blocks, _) = with_operators(&with_difference, sources, page.derived);
    let cell = MatrixCell { difference, ..MatrixCell::default() };
    page.with_state(id, |state, page| {
        draw_row(ui, &cell, id, &blocks, &[], state, page);
    });
    draw_largest_difference(ui, page.theme, &blocks);
}

/// Draws two matrices and their product, or a single matrix. With a product, the sum behind its
/// element at `stepped_element` (row and column) is written below.
pub(in crate::cells) fn draw_product(
    ui: &mut Ui,
    id: &str,
    decimals: Option<Decimals>,
    sources: Vec<PageMatrix>,
    stepped_element: Option<(usize, usize)>,
    page: &mut PageContext<'_>,
) {
    let cell = MatrixCell { product: true, decimals, ..MatrixCell::default() };
    let (blocks, seams) = with_operators(&cell, sources, page.derived);
    page.with_state(&format!("{id}/product"), |state: &mut MatrixCellState, page| {
        state.stepped_element = stepped_element;
        draw_row(ui, &cell, id, &blocks, &seams, state, page);
    });
}

/// Draws two matrices that should be equal, and marks the elements whose difference is not zero.
pub(in crate::cells) fn draw_marked_pair(
    ui: &mut Ui,
    id: &str,
    sources: [PageMatrix; 2],
    difference: fn(&Mat4, &Mat4) -> Mat4,
    page: &mut PageContext<'_>,
) {
    let cell = MatrixCell::default();
    let (blocks, seams) = with_operators(&cell, sources.into(), page.derived);
    page.with_state(&format!("{id}/beside"), |state: &mut MatrixCellState, page| {
        state.difference = Some(difference);
        draw_row(ui, &cell, id, &blocks, &seams, state, page);
    });
}

/// Returns the densities of a row of matrices, from roomy to dense.
fn row_densities(ui: &Ui, decimals: usize, page: &PageContext<'_>) -> Vec<Density> {
    let mut choices = Vec::new();
    if page.view.enlarged.is_some() {
        choices.extend(Density::enlarged(decimals));
    }
    if page.view.presenting {
        let font = PRESENTED_FONT_SHARE * ui.ctx().content_rect().height();
        choices.extend(Density::presented(decimals, font));
    } else {
        choices.extend(Density::choices(decimals));
    }
    choices
}

/// Minimum font size of a row of matrices, in points. Relative to the screen, so that larger
/// text is no reason to break a row. 0 if the page is not presented.
pub(in crate::cells) fn min_presented_font(ui: &Ui, page: &PageContext<'_>) -> f32 {
    if page.view.presenting {
        MIN_PRESENTED_FONT_SHARE * ui.ctx().content_rect().height()
    } else {
        0.0
    }
}

/// Draws a row of matrices. If the row ends with A − B, the elements that differ are marked,
/// even if the cell does not show A − B itself.
fn draw_row(
    ui: &mut Ui,
    cell: &MatrixCell,
    id: &str,
    blocks: &[OperatorBlock],
    seams: &[BrokenSeam],
    state: &mut MatrixCellState,
    page: &mut PageContext<'_>,
) {
    let conventions = page.conventions();
    let was_editable = blocks.iter().any(|block| block.source.editable.is_some());
    let (all_blocks, seams) = row_as_written(blocks, seams, conventions);
    let subtracted = all_blocks
        .iter()
        .find(|block| block.role == OperatorRole::Difference)
        .map(|block| block.source.named.mat);
    let hides_difference = subtracted.is_some() && !cell.difference;
    let blocks = &all_blocks[..all_blocks.len() - usize::from(hides_difference)];
    let left_factor = left_factor(blocks, conventions);

    let width = ui.available_width();
    let mut layout = RowLayout {
        id,
        blocks,
        theme: page.theme,
        derived: page.derived,
        heads: MatrixHeads::for_vectors(conventions.has_rows()),
        width,
        rooms: &mut state.rooms,
    };
    let decimals = cell.decimals.map_or(USUAL_DECIMALS, |decimals| decimals.0);
    let decimals = page.view.presenter.limit_decimals(decimals);
    let choices = row_densities(ui, decimals, page);
    let fitting = layout.choose_density(ui, &choices, min_presented_font(ui, page));
    let density = layout.widen_padding(ui, fitting);
    let sizes = layout.block_sizes(ui, density);
    let spare = width - row_width(&sizes, blocks, density.operator);
    let gap_count = blocks.len().saturating_sub(1).max(1) as f32;
    let gap = density.operator + (spare / gap_count).clamp(0.0, MAX_EXTRA_GAP_PTS);
    let (places, height) = place_blocks(&sizes, blocks, width, gap);
    let (rect, _) = ui.allocate_exact_size(vec2(width, height), Sense::hover());

    let custom_difference = match (state.difference, blocks) {
        (Some(difference), [a, b]) => Some(difference(&a.source.named.mat, &b.source.named.mat)),
        _ => None,
    };
    let highlight = RowHighlight {
        blocks,
        left_factor,
        element: state.hovered_element.or(state.stepped_element),
        difference: custom_difference.or(subtracted),
    };
    let is_comparison = blocks.iter().any(|block| block.operator == MINUS);
    let mut hovered_element = None;
    for (index, block) in blocks.iter().enumerate() {
        let at = rect.min + places[index].to_vec2();
        let grid = layout.grid(index, density);
        draw_operator(ui, page.theme, block, at, grid.size(ui), gap);
        let hovered = draw_block(ui, page, block, &grid, at, &highlight);
        if block.role == OperatorRole::Product || is_comparison {
            hovered_element = hovered_element.or(hovered);
        }
    }
    draw_braces(ui, page, blocks, &seams, rect.min, &places);
    draw_conventions_caption(ui, page.theme, conventions, was_editable);
    if cell.memory {
        memory_strip_ui(ui, blocks, conventions, page);
    }
    let factor_count = blocks.iter().filter(|block| block.role == OperatorRole::Factor).count();
    if factor_count == 2
        && let [first, second, product] = blocks
    {
        // Rows of the left factor meet columns of the right one, in either order on the page.
        let is_reversed = left_factor == 1;
        let factors = if is_reversed { [second, first] } else { [first, second] };
        let element = hovered_element.or(state.stepped_element);
        let draw = |ui: &mut Ui| {
            draw_sum(ui, page.theme, factors, product, is_reversed, element, density.decimals);
        };
        if !page.view.presenting || product.operator == NOT_EQUAL {
            draw(ui);
        } else if element.is_some() {
            // A line that is empty most of the time would take room from the picture.
            let area = Area::new(ui.scope_id().with("sum")).order(Order::Tooltip);
            area.fixed_pos(ui.cursor().min).interactable(false).show(ui.ctx(), |ui| {
                ui.set_width(width);
                Frame::popup(ui.style()).show(ui, draw);
            });
        }
    }
    if hovered_element != state.hovered_element {
        state.hovered_element = hovered_element;
        ui.ctx().request_repaint();
    }
}

/// Draws the sum from which an element of a product of two matrices results.
///
/// `factors` are the left and the right one. If the vectors are rows, they are on the page in
/// reversed order. Without an element (row and column), a hint takes the place of the sum.
fn draw_sum(
    ui: &mut Ui,
    theme: &Theme,
    factors: [&OperatorBlock; 2],
    product: &OperatorBlock,
    is_reversed: bool,
    element: Option<(usize, usize)>,
    decimals: usize,
) {
    let text = match element {
        None if product.operator == NOT_EQUAL => {
            let message = "This moves the vertices, but isn’t the product of the two before it.";
            ui.label(theme.caption(message).color(theme.wrong));
            return;
        }
        None => theme.caption("Point at a number of the product to see its sum."),
        Some((row, column)) => {
            let [left, right] = factors;
            let left_decimals = left.magnitude.decimals(decimals);
            let right_decimals = right.magnitude.decimals(decimals)[column];
            let terms: Vec<String> = (0..4)
                .map(|k| {
                    let a = factor_text(left.source.named.mat.col(k)[row], left_decimals[k]);
                    let b = factor_text(right.source.named.mat.col(column)[k], right_decimals);
                    if is_reversed { format!("{b}·{a}") } else { format!("{a}·{b}") }
                })
                .collect();
            let sum = number_text::fixed(
                f64::from(product.source.named.mat.col(column)[row]),
                product.magnitude.decimals(decimals)[column],
            );
            theme.caption(format!("{} = {sum}", terms.join(" + "))).monospace().color(theme.ink)
        }
    };
    // The line has the height of the higher of both fonts, so that nothing moves when a number
    // is pointed at.
    let fonts = [FontId::proportional(CAPTION_SIZE), FontId::monospace(CAPTION_SIZE)];
    let heights = ui.fonts_mut(|egui_fonts| fonts.map(|font| egui_fonts.row_height(&font)));
    let size = vec2(ui.available_width(), heights[0].max(heights[1]).ceil());
    let line = Layout::left_to_right(Align::Center).with_main_wrap(true);
    ui.allocate_ui_with_layout(size, line, |ui| ui.add(Label::new(text).wrap()));
}

fn draw_largest_difference(ui: &mut Ui, theme: &Theme, blocks: &[OperatorBlock]) {
    let Some(difference) = blocks.iter().find(|block| block.role == OperatorRole::Difference)
    else {
        return;
    };
    let mat = difference.source.named.mat;
    let mut largest = 0.0_f32;
    let mut largest_row = 0;
    let mut largest_column = 0;
    for column in 0..4 {
        for row in 0..4 {
            let magnitude = mat.col(column)[row].abs();
            if magnitude > largest {
                largest = magnitude;
                largest_row = row;
                largest_column = column;
            }
        }
    }
    // Rounding errors have been set to 0 in the difference.
    let text = if largest == 0.0 {
        RichText::new("A and B are equal.").color(theme.right)
    } else {
        let decimals = difference.magnitude.decimals(USUAL_DECIMALS)[largest_column];
        RichText::new(format!(
            "max |A − B| = {} in row {}, column {}",
            number_text::fixed(largest.into(), decimals),
            largest_row + 1,
            largest_column + 1
        ))
    };
    ui.label(text);
}

/// Draws a caption that lists how the matrices differ in form from those in the text, if they do.
fn draw_conventions_caption(
    ui: &mut Ui,
    theme: &Theme,
    conventions: Conventions,
    was_editable: bool,
) {
    let mut parts = Vec::new();
    if conventions.has_rows() {
        parts.push("for row vectors: rows are the columns of the text");
    }
    if conventions.axes != ConventionAxes::Gltf {
        parts.push(conventions.axes.label());
        if was_editable {
            parts.push("to be edited with y up, right-handed");
        }
    }
    if !parts.is_empty() {
        ui.label(theme.caption(format!("Written {}.", parts.join(" · "))));
    }
}

/// Formats a factor of a product, in parentheses if it is negative.
pub(in crate::cells) fn factor_text(value: f32, decimals: usize) -> String {
    let text = number_text::fixed(f64::from(value), decimals);
    if text.starts_with(number_text::MINUS) { format!("({text})") } else { text }
}
