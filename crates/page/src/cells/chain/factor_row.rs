//! The factors of a product in a row. They are moved by dragging or with the arrow keys, and
//! between them a mark shows whether their frames meet.

use bindpose_kit::theme::{BODY_SIZE, LEAD_SIZE, font};
use bindpose_kit::widgets::{
    PaintText, Tip as _, chip_size, consume_key, frame_color_and_name, index_by_arrows, paint_chip,
};
use bindpose_lesson::MatrixProduct;
use bindpose_notebook::StepState;
use bindpose_notebook::chain::{ChainFactor, ChainProduct, ChainState, Travel};
use bindpose_skin::CoordinateFrame;
use eframe::egui::{
    CursorIcon, FontId, Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use super::factor_tag::{TagLook, paint_factor_tag, tag_label, tag_size};
use crate::PageContext;

/// Gap between two factors.
const GAP_PTS: f32 = 26.0;
const LINE_GAP_PTS: f32 = 10.0;
/// Height of a row without factors.
const EMPTY_HEIGHT_PTS: f32 = 34.0;

/// Transient state of the cell, not saved.
#[derive(Default)]
pub(super) struct ChainCellState {
    /// Index of the factor that the tools change.
    pub(super) selected: usize,
    /// Number of factors that are multiplied to the left one of the two matrices below.
    pub(super) cut: usize,
    /// Row and column of the element of the product whose sum is written out.
    pub(super) stepped_element: Option<(usize, usize)>,
    /// Visibility of the numbers as chosen by the reader. `None` leaves it to the cell.
    pub(super) shows_numbers: Option<bool>,
    /// The last comparison with the goal.
    pub(super) verdict: Option<Box<GoalVerdict>>,
}

/// Cached result of the comparison of a product with the goal.
pub(super) struct GoalVerdict {
    pub(super) product: MatrixProduct,
    pub(super) page_state: StepState,
    pub(super) is_right: bool,
}

/// Draws the row. Returns the product after a change by the reader.
///
/// The vertex that goes through the product, if any, is at its right end, or at the left end for
/// row vectors.
pub(super) fn draw_factors(
    ui: &mut Ui,
    id: &str,
    chain: &ChainState,
    product: &ChainProduct,
    vertex: Option<u32>,
    state: &mut ChainCellState,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let vertex_name = vertex.map(|vertex| format!("v{vertex}"));
    let has_rows = page.conventions().has_rows();
    let count = product.factors.len();
    let mut sizes: Vec<Vec2> =
        product.factors.iter().map(|factor| tag_size(ui, factor.as_ref())).collect();
    let tag_height = sizes.first().map_or(EMPTY_HEIGHT_PTS, |size| size.y);
    if let Some(name) = &vertex_name {
        sizes.push(vec2(chip_size(ui, name).x, tag_height));
    }
    if has_rows {
        sizes.reverse();
    }
    let width = ui.available_width();
    // The vertex stays on the line of its neighbour.
    let left_of_pair = if has_rows { 0 } else { count.saturating_sub(1) };
    let (places, height) = place_tags(&sizes, width, vertex.is_some().then_some(left_of_pair));
    let (row, _) = ui.allocate_exact_size(vec2(width, height.max(tag_height)), Sense::hover());
    if sizes.is_empty() {
        ui.painter().text_left(
            pos2(row.left(), row.center().y),
            "An empty product: the identity, which moves nothing.",
            FontId::proportional(BODY_SIZE),
            page.theme.quiet,
        );
        return None;
    }
    let mut rects: Vec<Rect> = places
        .iter()
        .zip(&sizes)
        .map(|(place, &size)| Rect::from_min_size(row.min + place.to_vec2(), size))
        .collect();
    if has_rows {
        // In the order of the product.
        rects.reverse();
    }
    let mut changed = None;
    for (index, factor) in product.factors.iter().enumerate() {
        let position = mirrored(index, count, has_rows);
        let label = format!("factor {}: {}", position + 1, tag_label(factor.as_ref()));
        let response = draw_factor(
            ui,
            factor_id(id, index),
            rects[index],
            &label,
            factor.as_ref(),
            index,
            state,
            page,
        );
        if let Some(to_position) = index_by_arrows(ui, &response, position, count) {
            let to = mirrored(to_position, count, has_rows);
            ui.memory_mut(|memory| memory.request_focus(factor_id(id, to)));
            state.selected = to;
            changed = Some(chain.moved(index, to));
        } else if response.has_focus()
            && (consume_key(ui, Key::Delete) || consume_key(ui, Key::Backspace))
        {
            changed = Some(chain.without(index));
        }
        if let Some(to) = drop_target(ui, &response, index, &rects[..count], page) {
            state.selected = to;
            changed = Some(chain.moved(index, to));
        }
    }
    if let Some(name) = &vertex_name
        && let Some(&rect) = rects.get(count)
    {
        let chip = Rect::from_center_size(rect.center(), chip_size(ui, name));
        let (fill, _) = frame_color_and_name(page.theme, CoordinateFrame::Bind);
        paint_chip(ui, page.theme, chip, name, fill);
    }
    draw_joints(ui, id, product, &rects, state, page);
    changed
}

/// Returns the position from the left of a factor, or the index of the factor at a position.
/// For row vectors, the product is written in reversed order.
fn mirrored(index: usize, count: usize, has_rows: bool) -> usize {
    if has_rows { count - 1 - index } else { index }
}

fn factor_id(id: &str, index: usize) -> Id {
    Id::unique(("factor", id, index))
}

fn draw_factor(
    ui: &Ui,
    id: Id,
    rect: Rect,
    label: &str,
    factor: Option<&ChainFactor>,
    index: usize,
    state: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Response {
    let response = ui.interact(rect, id, Sense::click_and_drag());
    let is_selected = state.selected == index;
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_selected, label)
    });
    if response.clicked() || response.drag_started() || response.gained_focus() {
        state.selected = index;
    }
    let look = TagLook {
        is_selected,
        is_hovered: response.hovered() || response.has_focus(),
        is_dragged: response.dragged(),
    };
    paint_factor_tag(ui, rect, factor, look, page);
    response.on_hover_cursor(CursorIcon::Grab)
}

/// Marks the place to which a dragged factor would move. Returns it when the factor is dropped.
fn drop_target(
    ui: &Ui,
    response: &Response,
    index: usize,
    rects: &[Rect],
    page: &PageContext<'_>,
) -> Option<usize> {
    let is_dropped = response.drag_stopped();
    if !response.dragged() && !is_dropped {
        return None;
    }
    let pointer = response.interact_pointer_pos()?;
    let (to, rect) = rects.iter().enumerate().min_by(|(_, a), (_, b)| {
        a.distance_to_pos(pointer).total_cmp(&b.distance_to_pos(pointer))
    })?;
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        if to != index {
            // On the far side of the target, in the order in which the row is written.
            let is_right_of_target = (to > index) != page.conventions().has_rows();
            let x = if is_right_of_target {
                rect.right() + GAP_PTS / 2.0
            } else {
                rect.left() - GAP_PTS / 2.0
            };
            ui.painter().vline(x, rect.y_range(), Stroke::new(3.0, page.theme.accent));
        }
    }
    (is_dropped && to != index).then_some(to)
}

/// Draws the marks between factors: a dot where frames meet, an unequal sign where they do not.
/// With more than two factors, a mark can be clicked to multiply the factors to its left by the
/// rest.
fn draw_joints(
    ui: &Ui,
    id: &str,
    product: &ChainProduct,
    rects: &[Rect],
    state: &mut ChainCellState,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let count = product.factors.len();
    let has_vertex = rects.len() > count;
    let mut broken: Vec<usize> = product.seams().iter().map(|seam| seam.left).collect();
    if has_vertex && let Some(seam) = Travel::seam(product) {
        broken.push(seam.left);
    }
    for (index, pair) in rects.windows(2).enumerate() {
        let [first, second] = pair else { continue };
        let (left, right) =
            if page.conventions().has_rows() { (second, first) } else { (first, second) };
        let center = if left.top() == right.top() {
            pos2(f32::midpoint(left.right(), right.left()), left.center().y)
        } else {
            pos2(left.right() + GAP_PTS / 2.0, left.center().y)
        };
        if broken.contains(&index) {
            ui.painter().text_centered(center, "≠", font::strong(LEAD_SIZE), theme.wrong);
        } else {
            // In the colour of the shared frame.
            let factor = product.factors.get(index).and_then(Option::as_ref);
            let color = factor.map_or(theme.quiet, |factor| {
                frame_color_and_name(theme, factor.source.named.from).0
            });
            let half = vec2(GAP_PTS / 2.0 - 3.0, 0.0);
            ui.painter().line_segment([center - half, center + half], Stroke::new(2.0, color));
            ui.painter().circle_filled(center, 4.0, color);
        }
        if count > 2 && index + 1 < count {
            draw_cut_button(ui, id, center, index + 1, state, page);
        }
    }
}

/// Draws the button that multiplies the first `factor_count` factors by the rest.
fn draw_cut_button(
    ui: &Ui,
    id: &str,
    center: Pos2,
    factor_count: usize,
    state: &mut ChainCellState,
    page: &PageContext<'_>,
) {
    let rect = Rect::from_center_size(center, vec2(GAP_PTS - 2.0, GAP_PTS));
    let response = ui.interact(rect, Id::unique(("cut", id, factor_count)), Sense::click());
    let is_selected = state.cut == factor_count;
    let label = format!("multiply the first {factor_count} by the rest");
    response.widget_info(|| {
        WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), is_selected, &label)
    });
    if response.clicked() {
        state.cut = factor_count;
    }
    if is_selected || response.hovered() || response.has_focus() {
        let stroke = Stroke::new(if is_selected { 2.0 } else { 1.0 }, page.theme.accent);
        ui.painter().circle_stroke(center, 9.0, stroke);
    }
    response.tip("Multiply what is left of here by what is right of it");
}

/// Breaks the row into lines. Returns the top left corner of each tag and the height of all lines.
///
/// The tag at `left_of_pair` is not separated from the one after it.
fn place_tags(sizes: &[Vec2], width: f32, left_of_pair: Option<usize>) -> (Vec<Pos2>, f32) {
    let mut places = Vec::new();
    let mut at = Pos2::ZERO;
    let mut line_height = 0.0_f32;
    for (index, size) in sizes.iter().enumerate() {
        // The mark that joins it to the next follows it, also at the end of a line.
        let mark_width = if index + 1 < sizes.len() { GAP_PTS } else { 0.0 };
        let partner = sizes.get(index + 1).filter(|_| left_of_pair == Some(index));
        let needed_width = size.x + mark_width + partner.map_or(0.0, |partner| partner.x);
        let is_right_of_pair = left_of_pair.is_some_and(|left| left + 1 == index);
        if at.x > 0.0 && at.x + needed_width > width && !is_right_of_pair {
            at = pos2(0.0, at.y + line_height + LINE_GAP_PTS);
            line_height = 0.0;
        }
        places.push(at);
        at.x += size.x + GAP_PTS;
        line_height = line_height.max(size.y);
    }
    (places, at.y + line_height)
}
