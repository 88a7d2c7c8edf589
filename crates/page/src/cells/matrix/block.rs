//! One matrix of a row: header, grid, and the buttons below it.

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, font};
use bindpose_kit::widgets::{MatrixGrid, NumberStyle, Tip as _};
use bindpose_lesson::{DataEdit, Setting};
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock, OperatorRole, PageMatrix, from_bind};
use bindpose_notebook::{Edit, EditTarget, Entity};
use bindpose_skin::{InverseBind, JointIndex};
use eframe::egui::{Button, Pos2, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use glam::Mat4;

use super::header::draw_header;
use super::row_layout::{FOOTER_HEIGHT_PTS, HEADER_HEIGHT_PTS, block_size};
use crate::PageContext;

/// The row of a matrix, and which of its elements are highlighted.
pub(super) struct RowHighlight<'a> {
    /// All matrices, from left to right.
    pub(super) blocks: &'a [OperatorBlock],
    /// Index of the factor whose rows are multiplied by the columns of the other.
    pub(super) left_factor: usize,
    /// Row and column of the element of the product whose sum is shown.
    pub(super) element: Option<(usize, usize)>,
    /// Difference of two matrices. Elements are marked in both where it is not 0.
    pub(super) difference: Option<Mat4>,
}

/// Draws a matrix. Returns row and column of the element under the pointer.
pub(super) fn draw_block(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    grid: &MatrixGrid<'_>,
    at: Pos2,
    highlight: &RowHighlight<'_>,
) -> Option<(usize, usize)> {
    let grid_size = grid.size(ui);
    let size = block_size(ui, block, grid_size);
    let grid_top = at.y + HEADER_HEIGHT_PTS;
    let hovered_entity = page.linked.hovered();
    let answer = grid.show(ui, pos2(at.x, grid_top), |row, column| {
        number_look(block, highlight, hovered_entity, row, column)
    });
    draw_header(ui, page, block, at, size.x, &answer.response);
    if let Some((row, column, change)) = answer.change
        && let Some(joint) = block.source.editable
    {
        let stored = block.source.stored.unwrap_or(block.source.named.mat);
        let value = change.value_or(stored.col(column)[row].into()) as f32;
        page.requests.edits.push(Edit::InverseBindCell { joint, row, column, value });
    }
    match (block.source.owner, answer.hovered, answer.hovered_column) {
        (MatrixOwner::Joint(joint), Some((row, column)), _) => {
            page.linked.hover(Entity::Cell(joint, column, row));
        }
        (MatrixOwner::Joint(joint), None, Some(column)) => {
            page.linked.hover(Entity::Column(joint, column));
        }
        (MatrixOwner::Vertex(vertex), Some(_), _) => page.linked.hover(Entity::Vertex(vertex)),
        _ => {}
    }
    let mut y = grid_top + grid_size.y + 4.0;
    if let Some(note) = block.source.note {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, 20.0));
        let text = RichText::new(note).font(font::strong(CAPTION_SIZE)).color(page.theme.wrong);
        let mut child = ui.new_child(UiBuilder::new().id_salt((&grid.id, "note")).max_rect(rect));
        child.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(text);
            let link = ui.link(RichText::new("edit").size(CAPTION_SIZE));
            if link.tip("With the inverse it can be edited.").clicked() {
                page.choose(Setting::InverseBind(InverseBind::Inverse));
            }
        });
        y += 22.0;
    }
    if let Some(joint) = block.source.editable {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, FOOTER_HEIGHT_PTS - 4.0));
        draw_inverse_bind_buttons(ui, page, &block.source, joint, &grid.id, rect);
    }
    answer.hovered
}

fn number_look(
    block: &OperatorBlock,
    highlight: &RowHighlight<'_>,
    hovered: Option<Entity>,
    row: usize,
    column: usize,
) -> NumberStyle {
    let mut look = NumberStyle {
        changed: block.source.edited(row, column),
        differs: highlight.difference.is_some_and(|mat| mat.col(column)[row] != 0.0),
        ..NumberStyle::default()
    };
    if block.role == OperatorRole::Difference {
        look.outlined = highlight.element == Some((row, column));
        look.differs = block.source.named.mat.col(column)[row] != 0.0;
        look.dim = !look.differs;
        return look;
    }
    if let Some((active_row, active_column)) = highlight.element {
        match block.role {
            OperatorRole::Factor => {
                let left_factor = highlight.blocks.get(highlight.left_factor);
                let is_left = left_factor.is_some_and(|left| std::ptr::eq(block, left));
                look.lit = if is_left { row == active_row } else { column == active_column };
            }
            _ => look.outlined = (row, column) == (active_row, active_column),
        }
        return look;
    }
    let MatrixOwner::Joint(owner) = block.source.owner else {
        return look;
    };
    match hovered {
        Some(Entity::Cell(joint, hovered_column, hovered_row)) if joint == owner => {
            look.outlined = (hovered_column, hovered_row) == (column, row);
        }
        Some(Entity::Column(joint, hovered_column)) if joint == owner => {
            look.lit = hovered_column == column;
        }
        _ => {}
    }
    look
}

/// Draws the buttons that replace the inverse bind matrix of a joint.
fn draw_inverse_bind_buttons(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    source: &PageMatrix,
    joint: JointIndex,
    salt: &str,
    rect: Rect,
) {
    let from_bind_edit =
        from_bind(page.derived, joint).map(|matrix| inverse_bind_edit(joint, matrix));
    let identity_edit = inverse_bind_edit(joint, Mat4::IDENTITY);
    let reset_edit = source.stored.map(|_| Edit::Reset(EditTarget::InverseBind(Some(joint))));
    let mut child = ui.new_child(UiBuilder::new().id_salt((salt, "buttons")).max_rect(rect));
    child.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(5.0, 2.0);
        ui.spacing_mut().interact_size.y = 22.0;
        for (label, help, edit) in [
            ("from bind", "The inverse of where the joint is at rest", from_bind_edit),
            (
                "identity",
                "As if the vertices were stored in the joint's own space",
                Some(identity_edit),
            ),
            ("reset", "Back to the matrix the rig stores", reset_edit),
        ] {
            let button = Button::new(RichText::new(label).size(FINE_SIZE));
            let response = ui.add_enabled(edit.is_some(), button);
            if response.tip(help).clicked() {
                page.requests.edits.extend(edit);
            }
        }
    });
}

fn inverse_bind_edit(joint: JointIndex, matrix: Mat4) -> Edit {
    Edit::data(DataEdit::InverseBind(joint.into(), matrix.to_cols_array()))
}
