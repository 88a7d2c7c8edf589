//! A formula that the reader may rewrite, and the matrix, vector or number that comes
//! of it, with its frames.

use bindpose_lesson::{DataEdit, FormulaOutcome, FormulaValue, Matrix, MatrixCell, Setting};
use bindpose_notebook::cell_text::value_of_text;
use bindpose_notebook::matrix::{MatrixOwner, OperatorBlock, OperatorRole, PageMatrix, from_bind};
use bindpose_notebook::number_text::fixed;
use bindpose_notebook::significant_digits::{Magnitude, USUAL_DECIMALS};
use bindpose_notebook::{Edit, Entity};
use bindpose_skin::{Conventions, CoordinateFrame, InverseBind, JointIndex};
use eframe::egui::accesskit::Role;
use eframe::egui::{
    Button, Color32, FontId, Pos2, Rect, RichText, Sense, Ui, UiBuilder, WidgetInfo, pos2, vec2,
};
use glam::Mat4;

use super::header::{FOOTER, HEADER, block_size, header};
use crate::cells::formula_field::{field, wrong_at};
use crate::theme::{CAPTION, FINE, family, font};
use crate::widgets::{
    FittedMatrix, MatrixGrid, MatrixHeads, NumberLook, PaintText, Tip as _, chip_size, frame_look,
    lit_shape, paint_chip,
};
use crate::{PageContext, touch};

/// The last value that the formula had.
#[derive(Default)]
struct LastValue(Option<FormulaValue>);

/// Draws the field, what is wrong with its text, and its value.
pub(super) fn ui(ui: &mut Ui, cell: &MatrixCell, own: &str, id: &str, page: &mut PageContext<'_>) {
    let text = page.document.text_of(id, own).to_owned();
    let found = value_of_text(&text, page.derived);
    let columns: Vec<usize> = match &found {
        Ok(outcome) => outcome.seams.iter().map(|seam| seam.column).collect(),
        Err(error) => vec![error.at.column],
    };
    field(ui, (&text, own), id, &columns, page);
    let decimals = cell.decimals.unwrap_or(USUAL_DECIMALS);
    match found {
        Ok(FormulaOutcome { value, seams }) => {
            page.state::<LastValue>(id).0 = Some(value);
            value_ui(ui, &value, decimals, id, page);
            for seam in &seams {
                wrong_at(ui, page, seam.column, &seam.words());
            }
        }
        Err(error) => {
            wrong_at(ui, page, error.at.column, &error.words);
            if let Some(value) = page.state::<LastValue>(id).0 {
                ui.label(page.theme.caption("What it was before the mistake:"));
                ui.scope(|ui| {
                    ui.multiply_opacity(0.6);
                    value_ui(ui, &value, decimals, id, page);
                });
            }
        }
    }
}

fn value_ui(ui: &mut Ui, value: &FormulaValue, decimals: usize, id: &str, page: &PageContext<'_>) {
    let frame = match value {
        FormulaValue::Mat4(matrix) => return matrix_ui(ui, matrix, decimals, id, page),
        FormulaValue::Number(number) => {
            let words = format!("= {}", fixed(*number, decimals));
            ui.label(RichText::new(words).monospace());
            return;
        }
        FormulaValue::Vec3(vector) => vector.frame,
        FormulaValue::Vec4(vector) => vector.frame,
        FormulaValue::Quat(_) => None,
    };
    ui.horizontal_wrapped(|ui| {
        if let Some(frame) = frame {
            chip_ui(ui, page, frame_look(page.theme, frame));
        }
        let parts = value.numbers().into_iter().zip(["x", "y", "z", "w"]);
        for (number, name) in parts {
            ui.label(page.theme.caption(name));
            ui.label(RichText::new(fixed(number, decimals)).monospace());
        }
        ui.label(page.theme.caption(value.type_name()));
    });
}

fn matrix_ui(ui: &mut Ui, matrix: &Matrix, decimals: usize, id: &str, page: &PageContext<'_>) {
    let look = |frame: Option<CoordinateFrame>| match frame {
        Some(frame) => frame_look(page.theme, frame),
        None => (page.theme.rule, "not known".to_owned()),
    };
    let conventions = page.conventions();
    if matrix.to.is_some() || matrix.from.is_some() {
        ui.horizontal(|ui| {
            let (first, between, last) = if conventions.has_rows() {
                (matrix.from, "to", matrix.to)
            } else {
                (matrix.to, "from", matrix.from)
            };
            chip_ui(ui, page, look(first));
            ui.label(page.theme.caption(between));
            chip_ui(ui, page, look(last));
        });
    }
    let mat = conventions.axes.of(&matrix.mat.as_mat4());
    let size = page.derived.size_in(matrix.to.unwrap_or(CoordinateFrame::World))
        * f64::from(conventions.axes.units_in_metre());
    let name = FormulaValue::Mat4(*matrix).frame_words();
    FittedMatrix {
        theme: page.theme,
        id: format!("{id}/written"),
        name: name.unwrap_or_else(|| "matrix".to_owned()),
        matrix: mat,
        magnitude: Magnitude::from_matrix(&mat, size),
        decimals,
        heads: MatrixHeads::of_vectors(conventions.has_rows()),
    }
    .show(ui);
}

fn chip_ui(ui: &mut Ui, page: &PageContext<'_>, (fill, text): (Color32, String)) {
    let (rect, response) = ui.allocate_exact_size(chip_size(ui, &text), Sense::hover());
    paint_chip(ui, page.theme, rect, &text, fill);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &text));
}

// One matrix with its tags above and its buttons below.

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
            let edit = ui.link(edit).tip("With the inverse it can be edited.");
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
            ("from bind", "The inverse of where the joint is at rest", bound.map(set)),
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

// The sixteen numbers of a matrix as they lie in memory, each under its place; what is
// pointed at there is lit in the grid, and the other way round.

/// Of a number.
const HEIGHT: f32 = 22.0;
/// Of the place under it.
const PLACE: f32 = 15.0;
/// Narrower ones could not be read.
const LEAST: f32 = 44.0;
const WIDEST: f32 = 64.0;
/// Before and behind a number.
const PAD: f32 = 4.0;

/// A strip for each matrix; `blocks` have the axes of the paper already.
pub(super) fn memory_strip_ui(
    ui: &mut Ui,
    blocks: &[OperatorBlock],
    conventions: Conventions,
    page: &mut PageContext<'_>,
) {
    for block in blocks {
        let order = conventions.memory.label();
        let words = format!("{} in memory, {order}:", block.source.name());
        ui.label(page.theme.caption(words));
        strip(ui, block, conventions, page);
    }
}

fn strip(ui: &mut Ui, block: &OperatorBlock, conventions: Conventions, page: &mut PageContext<'_>) {
    let room = ui.available_width();
    let decimals = block.magnitude.decimals(2);
    let texts: [String; 16] = std::array::from_fn(|at| {
        let (row, column) = conventions.row_and_column(at);
        let number = f64::from(block.source.named.mat.col(column)[row]);
        fixed(number, decimals[column])
    });
    let longest = texts.iter().map(|text| text.chars().count()).max();
    let font = FontId::new(CAPTION, family::mono(true));
    let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&font, '0'));
    let least = LEAST.max(longest.unwrap_or(0) as f32 * glyph + 2.0 * PAD);
    let in_line =
        [16, 8, 4, 2].into_iter().find(|&count| room / count as f32 >= least).unwrap_or(1);
    let width = (room / in_line as f32).min(WIDEST.max(least));
    let lines = 16 / in_line;
    let size = vec2(width * in_line as f32, (HEIGHT + PLACE) * lines as f32);
    let (all, _) = ui.allocate_exact_size(size, Sense::hover());
    for (at, text) in texts.into_iter().enumerate() {
        let (row, column) = conventions.row_and_column(at);
        let corner = vec2(width * (at % in_line) as f32, (HEIGHT + PLACE) * (at / in_line) as f32);
        let rect = Rect::from_min_size(all.min + corner, vec2(width, HEIGHT));
        let response = ui.interact(
            rect,
            ui.scope_id().with(("in memory", &block.source.title, at)),
            Sense::hover(),
        );
        response.widget_info(|| {
            WidgetInfo::labeled(Role::Label, true, format!("place {at} in memory: {text}"))
        });
        if touch::is_pointed_at(&response)
            && let MatrixOwner::Joint(joint) = block.source.owner
        {
            page.linked.hover(Entity::Cell(joint, column, row));
        }
        let theme = page.theme;
        ui.painter().rect_filled(rect, 0.0, theme.column(column));
        let is_lit = match (block.source.owner, page.linked.hovered()) {
            (MatrixOwner::Joint(joint), Some(Entity::Cell(of, c, r))) => {
                (of, c, r) == (joint, column, row)
            }
            (MatrixOwner::Joint(joint), Some(Entity::Column(of, c))) => (of, c) == (joint, column),
            _ => false,
        };
        if is_lit {
            ui.painter().add(lit_shape(theme, rect, 2.0));
        }
        let is_place = column == 3 && row < 3;
        let font = FontId::new(CAPTION, family::mono(is_place));
        ui.painter().text_centered(rect.center(), text, font, theme.ink);
        let below = rect.center_bottom() + vec2(0.0, PLACE / 2.0);
        let color: Color32 = if is_place { theme.ink } else { theme.quiet };
        ui.painter().text_centered(below, at, FontId::proportional(FINE), color);
    }
}
