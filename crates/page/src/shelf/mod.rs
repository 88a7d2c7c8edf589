//! The shelf: one row under the stage with an angle, the weights of a vertex and a matrix,
//! except what the step shows itself, and a button that opens the bench. Where the stage has
//! no room for the row, and in presenter mode, it lies over the picture while the pointer is
//! near. On a phone it is in the sheet, one line for each part.
//!
//! [`bindpose_notebook::shelf`] decides what is on it, and what must wait for an answer.

mod angle;
mod matrix_rows;
#[cfg(test)]
mod tests;
mod weights_bar;

use std::sync::Arc;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE};
use bindpose_kit::touch;
use bindpose_kit::widgets::{Tip as _, fitted_text};
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::shelf::{Shelf, ShelfParts, ShelfVertex, has_shelf, shelf_vertex};
use bindpose_notebook::shown_cells::shared_vertex;
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align, Button, FontId, Layout, Rect, RichText, Role, Sense, Stroke, Ui, UiBuilder, WidgetInfo,
    pos2, vec2,
};

use self::matrix_rows::MatrixRows;
use crate::PageContext;
use crate::cells::with_held_page;
use crate::command::Command;
use crate::view::placed::PartsAtHand;

/// Height of the row, in points.
const ROW_HEIGHT: f32 = 48.0;
/// Margin on both sides of the row, as of the stage, in points.
const SIDE_MARGIN: f32 = 16.0;
/// Gap between two parts, in points.
const PART_GAP: f32 = 16.0;
/// Height of a stage below which the row lies over the picture, in points.
const MIN_STAGE_HEIGHT: f32 = 330.0;
/// Minimum width of the row, in points.
const MIN_ROW_WIDTH: f32 = 250.0;
/// Width of a row with more than two parts above which the button has its words, in points.
const MIN_LABELLED_WIDTH: f32 = 720.0;
/// Maximum distance of the pointer above a row over the picture at which it appears, in points.
const MAX_POINTER_DISTANCE: f32 = 60.0;

/// Row of the shelf in this frame.
pub(crate) struct ShelfRow<'a> {
    /// Rectangle of the row, or the column of the stage if the row lies over the picture.
    rect: Rect,
    contents: ShelfContents<'a>,
    /// Whether the row lies over the picture. It then has as many lines as its parts need.
    is_over_picture: bool,
}

struct ShelfContents<'a> {
    shelf: Shelf<'a>,
    /// Parts with their numbers.
    shown: ShelfParts,
    /// Parts that an open exercise asks for.
    asked: ShelfParts,
}

/// Shared vertex of the open step, which is searched for only if something else is open.
#[derive(Default)]
struct SharedVertex {
    key: Option<SharedVertexKey>,
    vertex: Option<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
struct SharedVertexKey {
    step: usize,
    joint: JointIndex,
    rig_address: usize,
    influence_count: usize,
}

/// True while the row lies over the picture.
#[derive(Default)]
struct IsRaised(bool);

/// Divides the column of the stage into the stage and the row below it. Returns `None` for
/// the row if the step needs none, if the bench is open, or if the column is too narrow.
/// In presenter mode and on a low stage, the stage keeps the whole column, and the row lies
/// over the end of the picture while the pointer is near.
pub(crate) fn split<'a>(page: &mut PageContext<'a>, column: Rect) -> (Rect, Option<ShelfRow<'a>>) {
    let width = column.width() - 2.0 * SIDE_MARGIN;
    if page.view.bench.is_open || width < MIN_ROW_WIDTH {
        return (column, None);
    }
    let Some(contents) = contents(page) else {
        return (column, None);
    };
    if !page.view.presenting && column.height() >= MIN_STAGE_HEIGHT {
        let (stage, rect) = column.split_top_bottom_at_y(column.bottom() - ROW_HEIGHT);
        return (stage, Some(ShelfRow { rect, contents, is_over_picture: false }));
    }
    (column, Some(ShelfRow { rect: column, contents, is_over_picture: true }))
}

/// Returns the rectangle of a row over the picture, at its lower edge, so that no cell of the
/// stage is covered. `None` while the pointer is elsewhere.
fn raised_rect(ui: &Ui, page: &mut PageContext<'_>, row: &ShelfRow<'_>) -> Option<Rect> {
    let pictures = page.view.item_rects.pictures();
    let min_width = MIN_ROW_WIDTH + 2.0 * SIDE_MARGIN;
    let room = pictures.filter(|rect| rect.width() >= min_width).unwrap_or(row.rect);
    let width = room.width() - 2.0 * SIDE_MARGIN;
    let line_count = divide_into_lines(ui, page, &row.contents, width).len().max(1);
    let height = ROW_HEIGHT * line_count as f32;
    let rect = room.with_min_y((room.bottom() - height).max(room.top()));
    is_raised(ui, page, room, rect).then_some(rect)
}

/// Returns true if a row at `rect` lies over a picture in `room` in this frame.
fn is_raised(ui: &Ui, page: &mut PageContext<'_>, room: Rect, rect: Rect) -> bool {
    let was_raised = page.state::<IsRaised>("shelf").0;
    let is_touch_active = touch::is_touch_active(ui.ctx());
    let is_raised = ui.input(|input| {
        // A drag that began on the row goes on.
        if input.pointer.any_down() && !input.pointer.any_pressed() {
            return was_raised;
        }
        match input.pointer.hover_pos() {
            Some(pointer) => {
                room.contains(pointer) && pointer.y > rect.top() - MAX_POINTER_DISTANCE
            }
            // A finger that was lifted is no longer anywhere.
            None => was_raised && is_touch_active,
        }
    });
    page.state::<IsRaised>("shelf").0 = is_raised;
    is_raised
}

/// Draws the shelf in the sheet of a phone.
pub(crate) fn sheet_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let Some(contents) = contents(page) else {
        return;
    };
    let note = waiting_note(contents.asked);
    if !note.is_empty() {
        let width = text_width(ui, &note).min(ui.available_width());
        note_ui(ui, page, &note, width);
    }
    let width = ui.available_width();
    for line in divide_into_lines(ui, page, &contents, width) {
        line_ui(ui, page, &contents, &line);
    }
}

/// Returns true if the open step has a shelf with something on it.
pub(crate) fn has_contents(page: &mut PageContext<'_>) -> bool {
    contents(page).is_some()
}

/// Returns the parts of the shelf at the open step. Returns `None` if there are none.
fn contents<'a>(page: &mut PageContext<'a>) -> Option<ShelfContents<'a>> {
    let lesson = page.lesson;
    let document = page.document;
    let derived = page.derived;
    if !has_shelf(lesson, document.step, &derived.rig) {
        return None;
    }
    let vertex = match shelf_vertex(lesson, document) {
        ShelfVertex::Chosen(vertex) => Some(vertex),
        ShelfVertex::Shared => find_shared_vertex(page),
    };
    let shelf = Shelf::new(lesson, document, derived, vertex);
    let cells: Vec<_> = cells_at(lesson, document.step).collect();
    let by_step = shelf.shown_by(&cells, document, derived);
    page.view.item_rects.at_hand =
        Some(PartsAtHand { shown: by_step, asked: ShelfParts::default() });
    let parts = shelf.parts().without(by_step);
    if parts.is_empty() {
        return None;
    }
    let (at_rest, derived_at_rest) = page.at_rest.unwrap_or((document, derived));
    let asked = shelf.asked_at(lesson, at_rest, derived_at_rest, page.record);
    let shown = parts.without(asked);
    let asked = parts.without(shown);
    Some(ShelfContents { shelf, shown, asked })
}

fn find_shared_vertex(page: &mut PageContext<'_>) -> Option<u32> {
    let derived = page.derived;
    let joint = page.document.state.joint;
    let key = SharedVertexKey {
        step: page.document.step,
        joint,
        rig_address: Arc::as_ptr(&derived.stored_rig) as usize,
        influence_count: derived.influences.len(),
    };
    let found = page.state::<SharedVertex>("shelf");
    if found.key != Some(key) {
        *found = SharedVertex { key: Some(key), vertex: shared_vertex(&derived.influences, joint) };
    }
    found.vertex
}

/// Widths of the parts in a row, in points. 0 for a part that has no room.
#[derive(Debug, PartialEq)]
struct PartWidths {
    angle: f32,
    weights: f32,
    matrix: f32,
}

/// Divides `width` among the shown parts. The matrix needs its own width. Of parts that do
/// not fit, the last is left out.
fn divide_width(width: f32, shown: ShelfParts, matrix_width: f32) -> PartWidths {
    let mut left = width;
    let angle = if shown.angle { angle::MIN_WIDTH } else { 0.0 };
    let weights = if shown.weights { weights_bar::MIN_WIDTH } else { 0.0 };
    let gap_of = |part: f32| if part > 0.0 { PART_GAP } else { 0.0 };
    left -= angle + gap_of(angle);
    let has_weights = weights > 0.0 && left >= weights;
    if has_weights {
        left -= weights + PART_GAP;
    }
    let has_matrix = shown.matrix && left >= matrix_width;
    if has_matrix {
        left -= matrix_width + PART_GAP;
    }
    let spare = left.max(0.0);
    let share = if shown.angle && has_weights { spare / 2.0 } else { spare };
    let widen = |min: f32, max: f32| (min + share).min(max);
    PartWidths {
        angle: if shown.angle { widen(angle, angle::MAX_WIDTH) } else { 0.0 },
        weights: if has_weights { widen(weights, weights_bar::MAX_WIDTH) } else { 0.0 },
        matrix: if has_matrix { matrix_width } else { 0.0 },
    }
}

impl PartWidths {
    /// Returns the parts that have room.
    fn parts(&self) -> ShelfParts {
        ShelfParts {
            angle: self.angle > 0.0,
            weights: self.weights > 0.0,
            matrix: self.matrix > 0.0,
        }
    }
}

/// Divides the shown parts into lines of this width.
fn divide_into_lines(
    ui: &Ui,
    page: &PageContext<'_>,
    contents: &ShelfContents<'_>,
    width: f32,
) -> Vec<PartWidths> {
    let matrix = contents.shown.matrix.then(|| MatrixRows::new(ui, page, &contents.shelf));
    let matrix_width = matrix.flatten().map_or(f32::INFINITY, |matrix| matrix.width());
    let mut left = contents.shown;
    let mut lines = Vec::new();
    loop {
        let line = divide_width(width, left, matrix_width);
        if line.parts().is_empty() {
            return lines;
        }
        left = left.without(line.parts());
        lines.push(line);
    }
}

/// Draws the row. Called after the stage, because Tab follows the order of drawing.
pub(crate) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, row: &ShelfRow<'_>) {
    let ShelfRow { contents, is_over_picture, .. } = row;
    let rect = if *is_over_picture {
        let Some(rect) = raised_rect(ui, page, row) else { return };
        // Nothing of the picture shows through, or is dragged through it.
        ui.interact(rect, ui.scope_id().with("shelf"), Sense::click_and_drag());
        ui.painter().rect_filled(rect, 0.0, page.theme.paper);
        rect
    } else {
        row.rect
    };
    // Cells of the stage may scroll under this edge.
    ui.painter().hline(rect.x_range(), rect.top(), Stroke::new(1.0, page.theme.rule));
    let inner = rect.shrink2(vec2(SIDE_MARGIN, 0.0));
    let top_line = inner.with_max_y(inner.top() + ROW_HEIGHT);
    let ShelfContents { shown, asked, .. } = contents;
    let part_count = [shown.angle, shown.weights, shown.matrix, !asked.is_empty()]
        .into_iter()
        .filter(|&is_drawn| is_drawn)
        .count();
    let is_labelled = part_count <= 2 || inner.width() >= MIN_LABELLED_WIDTH;
    let mut child = ui.new_child(UiBuilder::new().id_salt("shelf").max_rect(inner));
    child.set_clip_rect(rect.intersect(ui.clip_rect()));
    let button_left = bench_button_ui(&mut child, page, top_line, is_labelled);
    let mut top_line = top_line.with_max_x(button_left - PART_GAP);
    let note = waiting_note(*asked);
    if !note.is_empty() {
        let width = text_width(&child, &note).min(top_line.width() / 2.0);
        let (parts, note_rect) = top_line.split_left_right_at_x(top_line.right() - width);
        top_line = parts;
        let layout = Layout::left_to_right(Align::Center);
        let builder = UiBuilder::new().id_salt("note").max_rect(note_rect).layout(layout);
        note_ui(&mut child.new_child(builder), page, &note, width);
    }
    let mut lines = divide_into_lines(&child, page, contents, top_line.width());
    if !is_over_picture {
        lines.truncate(1);
    }
    child.spacing_mut().item_spacing.y = 0.0;
    for line in &lines {
        line_ui(&mut child, page, contents, line);
        if let Some(at_hand) = &mut page.view.item_rects.at_hand {
            at_hand.shown = at_hand.shown.union(line.parts());
        }
    }
    if let Some(at_hand) = &mut page.view.item_rects.at_hand {
        at_hand.asked = *asked;
    }
}

/// Draws the parts of a line side by side.
fn line_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    contents: &ShelfContents<'_>,
    widths: &PartWidths,
) {
    let shelf = &contents.shelf;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = PART_GAP;
        if widths.angle > 0.0 {
            part_ui(ui, widths.angle, |ui| angle::ui(ui, page, shelf));
        }
        if let Some(vertex) = shelf.vertex.filter(|_| widths.weights > 0.0) {
            part_ui(ui, widths.weights, |ui| weights_bar::ui(ui, page, vertex));
        }
        if widths.matrix > 0.0
            && let Some(matrix) = MatrixRows::new(ui, page, shelf)
        {
            part_ui(ui, widths.matrix, |ui| {
                with_held_page(page, |page| matrix.show(ui, page, ROW_HEIGHT));
            });
        }
    });
}

/// Draws a part of the row in its width.
fn part_ui(ui: &mut Ui, width: f32, draw: impl FnOnce(&mut Ui)) {
    let layout = Layout::left_to_right(Align::Center);
    ui.allocate_ui_with_layout(vec2(width, ROW_HEIGHT), layout, |ui| {
        ui.set_min_size(vec2(width, ROW_HEIGHT));
        ui.spacing_mut().item_spacing.x = 6.0;
        draw(ui);
    });
}

/// Returns the sentence about the parts that wait, such as `weights and matrix after your
/// answer`.
fn waiting_note(asked: ShelfParts) -> String {
    let mut names = Vec::new();
    for (is_asked, name) in
        [(asked.angle, "angle"), (asked.weights, "weights"), (asked.matrix, "matrix")]
    {
        if is_asked {
            names.push(name);
        }
    }
    match names[..] {
        [] => String::new(),
        [only] => format!("{only} after your answer"),
        [first, second] => format!("{first} and {second} after your answer"),
        _ => "numbers after your answer".to_owned(),
    }
}

fn text_width(ui: &Ui, text: &str) -> f32 {
    let font = FontId::proportional(CAPTION_SIZE);
    let color = ui.visuals().text_color();
    ui.painter().layout_no_wrap(text.to_owned(), font, color).size().x.ceil()
}

fn note_ui(ui: &mut Ui, page: &PageContext<'_>, note: &str, width: f32) {
    let font = FontId::proportional(CAPTION_SIZE);
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    let galley = fitted_text(ui, note, &font, width, page.theme.quiet);
    let corner = pos2(rect.left(), rect.center().y - galley.size().y / 2.0);
    ui.painter().galley(corner, galley, page.theme.quiet);
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, note));
    response.tip("Answer the question of this step first");
}

/// Draws the button that opens the bench at the right end. Returns its left edge.
fn bench_button_ui(ui: &mut Ui, page: &mut PageContext<'_>, inner: Rect, is_labelled: bool) -> f32 {
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt("all numbers")
            .max_rect(inner)
            .layout(Layout::right_to_left(Align::Center)),
    );
    child.spacing_mut().button_padding = vec2(6.0, 3.0);
    let label = if is_labelled { "all numbers  W" } else { "W" };
    let text = RichText::new(label).size(FINE_SIZE).color(page.theme.quiet);
    let button = child.add(Button::new(text).frame_when_inactive(false));
    button.widget_info(|| WidgetInfo::labeled(Role::Button, true, "all numbers"));
    let hint = Command::Bench.hint(ui.ctx(), None);
    if button.clone().tip(hint).clicked() {
        page.requests.commands.push(Command::Bench);
    }
    button.rect.left()
}
