//! One matrix with its tags above and its buttons below.

use bindpose_lesson::{DataEdit, Setting};
use bindpose_notebook::matrix::{MatrixOwner, PageMatrix, from_bind};
use bindpose_notebook::matrix::{OperatorBlock, OperatorRole};
use bindpose_notebook::{Edit, Entity};
use bindpose_skin::{InverseBind, JointIndex};
use eframe::egui::{Button, Pos2, Rect, RichText, Ui, UiBuilder, pos2, vec2};
use glam::Mat4;

use super::header::header;
use super::layout::{FOOTER, HEADER, block_size};
use crate::PageContext;
use crate::theme::{CAPTION, FINE, font};
use crate::widgets::Tip as _;
use crate::widgets::{MatrixGrid, NumberLook};

/// What stands beside a block.
pub(super) struct BlockRow<'a> {
    /// All, in the order of the paper.
    pub(super) blocks: &'a [OperatorBlock],
    /// Which of them gives its rows to the product.
    pub(super) left_factor: usize,
    /// Row and column of the number of the product that is looked at.
    pub(super) traced: Option<(usize, usize)>,
    /// Where it is not 0 the two differ; `None`: that is not asked.
    pub(super) differing: Option<Mat4>,
}

pub(super) fn show_block(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    block: &OperatorBlock,
    grid: &MatrixGrid<'_>,
    at: Pos2,
    beside: &BlockRow<'_>,
) -> Option<(usize, usize)> {
    let size = block_size(ui, block, grid.size(ui));
    let theme = page.theme;
    let below = at.y + HEADER;
    let answer = {
        let linked = &*page.linked;
        let hovered = linked.hovered();
        let look = |row: usize, column: usize| look(block, beside, hovered, row, column);
        grid.show(ui, pos2(at.x, below), look)
    };
    header(ui, page, block, at, size.x, &answer.response);
    if let Some((row, column, change)) = answer.change
        && let Some(joint) = block.source.editable
    {
        let stored = block.source.stored.unwrap_or(block.source.named.mat);
        let value = change.or(stored.col(column)[row].into()) as f32;
        page.edits.push(Edit::InverseBindCell { joint, row, column, value });
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
    let mut y = below + grid.size(ui).y + 4.0;
    if let Some(note) = block.source.note {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, 20.0));
        let text = RichText::new(note).font(font::strong(CAPTION));
        let mut child = ui.new_child(UiBuilder::new().id_salt((&grid.id, "note")).max_rect(rect));
        child.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 8.0;
            ui.label(text.color(theme.wrong));
            let edit = RichText::new("edit").size(CAPTION);
            let edit = ui.link(edit).tip("With the inverse in its place it can be edited.");
            if edit.clicked() {
                page.choose(Setting::InverseBind(InverseBind::Inverse));
            }
        });
        y += 22.0;
    }
    if let Some(joint) = block.source.editable {
        let rect = Rect::from_min_size(pos2(at.x, y), vec2(size.x, FOOTER - 4.0));
        buttons(ui, page, &block.source, joint, &grid.id, rect);
    }
    answer.hovered
}

pub(super) fn look(
    block: &OperatorBlock,
    beside: &BlockRow<'_>,
    hovered: Option<Entity>,
    row: usize,
    column: usize,
) -> NumberLook {
    let mut look = NumberLook {
        changed: block.source.edited(row, column),
        differs: beside.differing.is_some_and(|off| off.col(column)[row] != 0.0),
        ..NumberLook::default()
    };
    if block.role == OperatorRole::Difference {
        look.outlined = beside.traced == Some((row, column));
        look.differs = block.source.named.mat.col(column)[row] != 0.0;
        look.dim = !look.differs;
        return look;
    }
    if let Some((traced_row, traced_column)) = beside.traced {
        let left = beside.blocks.get(beside.left_factor);
        let first = left.is_some_and(|left| std::ptr::eq(block, left));
        (look.lit, look.outlined) = match block.role {
            OperatorRole::Factor if first => (row == traced_row, false),
            OperatorRole::Factor => (column == traced_column, false),
            _ => (false, (row, column) == (traced_row, traced_column)),
        };
        return look;
    }
    let MatrixOwner::Joint(owner) = block.source.owner else {
        return look;
    };
    match hovered {
        Some(Entity::Cell(joint, c, r)) if joint == owner => {
            look.outlined = (c, r) == (column, row);
        }
        Some(Entity::Column(joint, c)) if joint == owner => look.lit = c == column,
        _ => {}
    }
    look
}

pub(super) fn buttons(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    source: &PageMatrix,
    joint: JointIndex,
    salt: &str,
    rect: Rect,
) {
    let mut child = ui.new_child(UiBuilder::new().id_salt((salt, "buttons")).max_rect(rect));
    child.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.spacing_mut().button_padding = vec2(5.0, 2.0);
        ui.spacing_mut().interact_size.y = 22.0;
        let bound = from_bind(page.derived, joint);
        let set =
            |matrix: Mat4| Edit::Data(DataEdit::InverseBind(joint.into(), matrix.to_cols_array()));
        let stored = source.stored.map(|_| Edit::ResetInverseBind(Some(joint)));
        for (words, help, edit) in [
            ("from bind", "The inverse of where the joint stands at rest", bound.map(set)),
            (
                "identity",
                "As if the vertices were stored in the joint's own space",
                Some(set(Mat4::IDENTITY)),
            ),
            ("reset", "Back to the matrix the rig stores", stored),
        ] {
            let button = Button::new(RichText::new(words).size(FINE));
            let response = ui.add_enabled(edit.is_some(), button);
            if response.tip(help).clicked() {
                page.edits.extend(edit);
            }
        }
    });
}
