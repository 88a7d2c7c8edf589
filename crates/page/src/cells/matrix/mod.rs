//! Matrices side by side: what each leads from and to, what its columns mean,
//! as a product whose frames must meet, or as a difference.

mod header;
#[cfg(test)]
mod tests;
#[cfg(test)]
mod tests_as_written;
mod written;

use std::cell::RefCell;

use bindpose_lesson::{Cell, CellKind, MatrixCell, MatrixRef};
use bindpose_notebook::matrix::{
    BrokenSeam, MINUS, MatrixOwner, NOT_EQUAL, OperatorBlock, OperatorRole, PageMatrix, follows,
    left_factor, resolve, row_as_written, with_operators,
};
use bindpose_notebook::significant_digits::USUAL_DECIMALS;
use bindpose_notebook::{Derived, Document, number_text};
use bindpose_skin::{ConventionAxes, Conventions};
use eframe::egui::{Align, Color32, FontId, Label, Layout, RichText, Sense, Ui, Vec2, vec2};
use glam::Mat4;

use super::entity_chooser;
use crate::PageContext;
use crate::cells::vertex::factor_text;
use crate::theme::{CAPTION, Theme};
use crate::widgets::{Density, MatrixGrid, MatrixHeads};
use header::{
    Rooms, block_size, braces, chosen_density, flow, one_row, operator, room_for_numbers,
    with_spare,
};
use written::{BlockRow, show_block};

/// Digits in presenter mode, where the page is 576 points high: 1/48 of it.
const PRESENTED_FONT: f32 = 12.0;

/// What it keeps from frame to frame.
#[derive(Default)]
struct MatrixCellState {
    rooms: Rooms,
    /// Row and column of the element of a product that was under the pointer in
    /// the last frame.
    traced: Option<(usize, usize)>,
    /// The same, where it is gone through without a pointer.
    stepped: Option<(usize, usize)>,
    /// Of two, what is not 0 where it is marked that they differ.
    difference: Option<fn(&Mat4, &Mat4) -> Mat4>,
}

/// Draws the cell.
pub(crate) fn ui(ui: &mut Ui, cell: &MatrixCell, id: &str, page: &mut PageContext<'_>) {
    if !cell.show.is_empty() {
        named(ui, cell, id, page);
    }
    if let Some(expr) = &cell.expr {
        written::ui(ui, cell, &expr.source, id, page);
    }
}

/// Matrices by their names.
fn named(ui: &mut Ui, cell: &MatrixCell, id: &str, page: &mut PageContext<'_>) {
    let (follows_joint, follows_vertex) =
        cell.show.iter().map(follows).fold((false, false), |a, b| (a.0 || b.0, a.1 || b.1));
    if follows_joint && !is_chosen_beside(id, page) {
        entity_chooser::joint(ui, id, page);
    }
    if follows_vertex {
        entity_chooser::vertex(ui, id, page);
    }
    let mut sources = Vec::new();
    for reference in &cell.show {
        match resolve(reference, page.document, page.derived) {
            Ok(mut source) => {
                source.pins = page.view.bench.open;
                sources.push(source);
            }
            Err(words) => {
                ui.label(RichText::new(words).color(page.theme.wrong));
            }
        }
    }
    if sources.len() < cell.show.len() || sources.is_empty() {
        return;
    }
    let (blocks, seams) = with_operators(cell, sources, page.derived);
    page.with_state(id, |memory, page| {
        show_blocks(ui, cell, id, page, (&blocks, &seams), memory);
    });
    for seam in &seams {
        ui.label(RichText::new(&seam.words).color(page.theme.wrong));
    }
    if cell.difference {
        largest_difference(ui, page.theme, &blocks);
    }
}

/// Does another cell on the same stage have the control that chooses the joint?
fn is_chosen_beside(id: &str, page: &PageContext<'_>) -> bool {
    let has_control = |cell: &Cell| matches!(&cell.kind, CellKind::Angles(angles) if angles.search);
    let on_stage = || page.lesson.on_stage(page.document.step);
    on_stage().any(|cell| cell.id == id) && on_stage().any(has_control)
}

/// One side of a comparison: a matrix, and the state of the page that it is from.
pub(crate) struct Side<'a> {
    pub(crate) matrix: &'a MatrixRef,
    pub(crate) document: &'a Document,
    pub(crate) derived: &'a Derived,
}

/// A and B, and, if asked for, A − B as a third; the largest difference in words.
pub(crate) fn compared(
    ui: &mut Ui,
    id: &str,
    sides: [Side<'_>; 2],
    difference: bool,
    page: &mut PageContext<'_>,
) {
    let mut sources = Vec::new();
    for (side, letter) in sides.into_iter().zip(["A", "B"]) {
        match resolve(side.matrix, side.document, side.derived) {
            Ok(mut source) => {
                // It may be of another state of the page: that cannot be edited.
                (source.editable, source.reference) = (None, None);
                source.title = format!("{letter} · {}", source.title);
                sources.push(source);
            }
            Err(words) => {
                ui.label(RichText::new(words).color(page.theme.wrong));
                return;
            }
        }
    }
    compared_sources(ui, id, sources, difference, page);
}

/// The same of matrices that were found.
pub(crate) fn compared_sources(
    ui: &mut Ui,
    id: &str,
    sources: Vec<PageMatrix>,
    difference: bool,
    page: &mut PageContext<'_>,
) {
    let cell = MatrixCell { difference: true, ..MatrixCell::default() };
    let (blocks, _) = with_operators(&cell, sources, page.derived);
    let cell = MatrixCell { difference, ..cell };
    page.with_state(id, |memory, page| {
        show_blocks(ui, &cell, id, page, (&blocks, &[]), memory);
    });
    largest_difference(ui, page.theme, &blocks);
}

/// Two matrices and what they multiply to, or one alone; with the sum behind an element
/// of the product, if one is stepped to.
pub(in crate::cells) fn product_row(
    ui: &mut Ui,
    (id, decimals): (&str, Option<usize>),
    sources: Vec<PageMatrix>,
    stepped: Option<(usize, usize)>,
    page: &mut PageContext<'_>,
) {
    let cell = MatrixCell { product: true, decimals, ..MatrixCell::default() };
    let (blocks, seams) = with_operators(&cell, sources, page.derived);
    page.with_state(&format!("{id}/product"), |memory: &mut MatrixCellState, page| {
        memory.stepped = stepped;
        show_blocks(ui, &cell, id, page, (&blocks, &seams), memory);
    });
}

/// Two matrices that should be the same, with the cells marked whose difference is not
/// zero.
pub(in crate::cells) fn marked_where_they_differ(
    ui: &mut Ui,
    id: &str,
    sources: [PageMatrix; 2],
    difference: fn(&Mat4, &Mat4) -> Mat4,
    page: &mut PageContext<'_>,
) {
    let cell = MatrixCell::default();
    let (blocks, seams) = with_operators(&cell, sources.into(), page.derived);
    page.with_state(&format!("{id}/beside"), |memory: &mut MatrixCellState, page| {
        memory.difference = Some(difference);
        show_blocks(ui, &cell, id, page, (&blocks, &seams), memory);
    });
}

/// Where A − B is among the blocks, cells that differ are marked, also where the cell does
/// not show it.
fn show_blocks(
    ui: &mut Ui,
    cell: &MatrixCell,
    id: &str,
    page: &mut PageContext<'_>,
    (blocks, seams): (&[OperatorBlock], &[BrokenSeam]),
    memory: &mut MatrixCellState,
) {
    let conventions = page.conventions();
    let was_editable = blocks.iter().any(|block| block.source.editable.is_some());
    let (blocks, seams) = row_as_written(blocks, seams, conventions);
    let is_difference = |block: &&OperatorBlock| block.role == OperatorRole::Difference;
    let subtracted = blocks.iter().find(is_difference).map(|block| block.source.named.mat);
    let shown = blocks.len() - usize::from(subtracted.is_some() && !cell.difference);
    let (blocks, seams) = (&blocks[..shown], &*seams);
    let left_factor = left_factor(blocks, conventions);
    let room = ui.available_width();
    let (theme, derived) = (page.theme, page.derived);
    // Every density that is tried adds to them.
    let rooms = RefCell::new(&mut memory.rooms);
    let grid = |block: &OperatorBlock, place: usize, density: Density| MatrixGrid {
        theme,
        id: format!("{id}/{place}"),
        name: block.source.name(),
        matrix: block.source.named.mat,
        magnitude: block.magnitude,
        density,
        room: room_for_numbers(
            &mut rooms.borrow_mut(),
            derived,
            blocks,
            block.magnitude.decimals(density.decimals),
            density.decimals,
        ),
        outline: outline(theme, block.source.owner),
        brackets: theme.ink,
        editable: block.source.editable.is_some(),
        heads: MatrixHeads::of_vectors(conventions.has_rows()),
    };
    let sizes = |ui: &Ui, density: Density| -> Vec<Vec2> {
        blocks
            .iter()
            .enumerate()
            .map(|(place, block)| {
                let grid = grid(block, place, density);
                block_size(ui, block, grid.size(ui))
            })
            .collect()
    };
    let decimals = cell.decimals.unwrap_or(USUAL_DECIMALS);
    let least_font = if page.view.presenting { PRESENTED_FONT } else { 0.0 };
    let enlarged = page.view.enlarged.is_some();
    let density =
        chosen_density(decimals, room, least_font, enlarged, blocks, |density| sizes(ui, density));
    let density = with_spare(density, room, blocks, |density| sizes(ui, density));
    let sizes = sizes(ui, density);
    // What is left over goes between the matrices, up to a point.
    let spare = room - one_row(&sizes, blocks, density.operator);
    let joints_in_row = blocks.len().saturating_sub(1).max(1) as f32;
    let gap = density.operator + (spare / joints_in_row).clamp(0.0, 14.0);
    let (places, height) = flow(&sizes, blocks, room, gap);
    let (rect, _) = ui.allocate_exact_size(vec2(room, height), Sense::hover());

    let differing = memory.difference.and_then(|difference| match blocks {
        [a, b] => Some(difference(&a.source.named.mat, &b.source.named.mat)),
        _ => None,
    });
    let differing = differing.or(subtracted);
    let traced = memory.traced.or(memory.stepped);
    let compares = blocks.iter().any(|block| block.operator == MINUS);
    let mut tracing = None;
    for (place, block) in blocks.iter().enumerate() {
        let at = rect.min + places[place].to_vec2();
        let grid = grid(block, place, density);
        operator(ui, page.theme, block, at, grid.size(ui), gap);
        let row = BlockRow { blocks, left_factor, traced, differing };
        let hovered = show_block(ui, page, block, &grid, at, &row);
        if block.role == OperatorRole::Product || compares {
            tracing = tracing.or(hovered);
        }
    }
    braces(ui, page, blocks, seams, rect.min, &places);
    written_as(ui, page.theme, conventions, was_editable);
    if cell.memory {
        written::memory_strip_ui(ui, blocks, conventions, page);
    }
    let traced = tracing.or(memory.stepped);
    sum_behind(ui, page.theme, (blocks, left_factor), traced, density);
    if tracing != memory.traced {
        memory.traced = tracing;
        ui.ctx().request_repaint();
    }
}

/// Where a number of a product of two comes from.
fn sum_behind(
    ui: &mut Ui,
    theme: &Theme,
    (blocks, left_factor): (&[OperatorBlock], usize),
    traced: Option<(usize, usize)>,
    density: Density,
) {
    let factors = blocks.iter().filter(|block| block.role == OperatorRole::Factor);
    if factors.count() == 2 {
        trace(ui, theme, (blocks, left_factor), traced, density.decimals);
    }
}

fn outline(theme: &Theme, owner: MatrixOwner) -> Color32 {
    match owner {
        MatrixOwner::Joint(joint) => theme.joint(joint),
        MatrixOwner::Vertex(_) => theme.accent,
        MatrixOwner::MeshNode => theme.caution,
    }
}

// Lines under the matrices: where a number of the product comes from, how
// large a difference is.

/// Where a number of the product comes from.
fn trace(
    ui: &mut Ui,
    theme: &Theme,
    (blocks, left_factor): (&[OperatorBlock], usize),
    tracing: Option<(usize, usize)>,
    decimals: usize,
) {
    let [first, second, result] = blocks else {
        return;
    };
    // Rows of `a` meet columns of `b`, wherever they stand.
    let reversed = left_factor == 1;
    let (a, b) = if reversed { (second, first) } else { (first, second) };
    let [of_a, of_b, of_result] = [a, b, result].map(|block| block.magnitude.decimals(decimals));
    let words = match tracing {
        None if result.operator == NOT_EQUAL => {
            let words = "Not the product of the two before it, but what moves vertices.";
            ui.label(theme.caption(words).color(theme.wrong));
            return;
        }
        None => "Point at a number of the product to see its sum.".to_owned(),
        Some((row, column)) => {
            let terms: Vec<String> = (0..4)
                .map(|k| {
                    let of_a = factor_text(a.source.named.mat.col(k)[row], of_a[k]);
                    let of_b = factor_text(b.source.named.mat.col(column)[k], of_b[column]);
                    if reversed { format!("{of_b}·{of_a}") } else { format!("{of_a}·{of_b}") }
                })
                .collect();
            let sum = f64::from(result.source.named.mat.col(column)[row]);
            let sum = number_text::fixed(sum, of_result[column]);
            format!("{} = {sum}", terms.join(" + "))
        }
    };
    let text = theme.caption(words);
    // Both faces take as much room, so that nothing moves when a number is pointed at.
    let faces = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
    let height = ui.fonts_mut(|fonts| faces.map(|face| fonts.row_height(&face)));
    let size = vec2(ui.available_width(), height[0].max(height[1]).ceil());
    let line = Layout::left_to_right(Align::Center).with_main_wrap(true);
    let words = if tracing.is_some() { text.monospace().color(theme.ink) } else { text };
    ui.allocate_ui_with_layout(size, line, |ui| ui.add(Label::new(words).wrap()));
}

fn largest_difference(ui: &mut Ui, theme: &Theme, blocks: &[OperatorBlock]) {
    let Some(difference) = blocks.iter().find(|block| block.role == OperatorRole::Difference)
    else {
        return;
    };
    let mat = difference.source.named.mat;
    let (mut largest, mut at) = (0.0_f32, (0, 0));
    for column in 0..4 {
        for row in 0..4 {
            if mat.col(column)[row].abs() > largest {
                (largest, at) = (mat.col(column)[row].abs(), (row, column));
            }
        }
    }
    let decimals = difference.magnitude.decimals(USUAL_DECIMALS);
    // What rounding leaves is 0 in it.
    let text = if largest == 0.0 {
        RichText::new("A and B are equal.").color(theme.right)
    } else {
        RichText::new(format!(
            "max |A − B| = {} in row {}, column {}",
            number_text::fixed(largest.into(), decimals[at.1]),
            at.0 + 1,
            at.1 + 1
        ))
    };
    ui.label(text);
}

/// Says that they are not written as prose writes them.
fn written_as(ui: &mut Ui, theme: &Theme, conventions: Conventions, was_editable: bool) {
    let mut words = Vec::new();
    if conventions.has_rows() {
        words.push("for row vectors: rows are the columns of the text");
    }
    if conventions.axes != ConventionAxes::Gltf {
        words.push(conventions.axes.label());
        if was_editable {
            words.push("to be edited with y up, right-handed");
        }
    }
    if !words.is_empty() {
        ui.label(theme.caption(format!("Written {}.", words.join(" · "))));
    }
}
