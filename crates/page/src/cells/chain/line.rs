//! The factors of a product in their order: dragged, or moved by the arrow keys; and
//! what stands between them.

use bindpose_notebook::chain::{ChainFactor, ChainProduct, ChainState};
use bindpose_skin::CoordinateFrame;
use eframe::egui::{
    CursorIcon, FontId, Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};

use super::factor_tag::{self, TagLook};
use super::memory::ChainCellState;
use crate::PageContext;
use crate::theme::{BODY, LEAD, font};
use crate::widgets::Tip as _;
use crate::widgets::{PaintText, chip_size, frame_look, place_by_arrows, pressed};

/// Between two factors.
const GAP: f32 = 26.0;
/// Between two lines.
const BETWEEN_LINES: f32 = 10.0;

/// Shows it; the product as the reader wants it, if that is another one. The vertex
/// stands at its right end where it goes through; at its left one for row vectors.
pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    chain: &ChainState,
    product: &ChainProduct,
    vertex: Option<u32>,
    memory: &mut ChainCellState,
    page: &mut PageContext<'_>,
) -> Option<ChainState> {
    let vertex = vertex.map(|vertex| format!("v{vertex}"));
    let rows = page.conventions().has_rows();
    let count = product.factors.len();
    let mut sizes: Vec<Vec2> =
        product.factors.iter().map(|factor| factor_tag::size(ui, factor.as_ref())).collect();
    let tallest = sizes.first().map_or(34.0, |size| size.y);
    sizes.extend(vertex.iter().map(|name| vec2(chip_size(ui, name).x, tallest)));
    if rows {
        sizes.reverse();
    }
    let room = ui.available_width();
    let (places, height) = flow(&sizes, room);
    let (rect, _) = ui.allocate_exact_size(vec2(room, height.max(tallest)), Sense::hover());
    if sizes.is_empty() {
        let words = "An empty product: the identity, which moves nothing.";
        ui.painter().text_left(
            pos2(rect.left(), rect.center().y),
            words,
            FontId::proportional(BODY),
            page.theme.quiet,
        );
        return None;
    }
    let mut rects: Vec<Rect> = places
        .iter()
        .zip(&sizes)
        .map(|(place, &size)| Rect::from_min_size(rect.min + place.to_vec2(), size))
        .collect();
    if rows {
        // In the order of the product, wherever they stand.
        rects.reverse();
    }
    let mut wanted = None;
    let turned = |place: usize| if rows { count - 1 - place } else { place };
    for (place, factor) in product.factors.iter().enumerate() {
        let at = TagPlace { place, number: turned(place) + 1, rect: rects[place] };
        let answer = tag(ui, id, at, factor.as_ref(), memory, page);
        if let Some(to) = place_by_arrows(ui, &answer, turned(place), count).map(turned) {
            ui.memory_mut(|egui| egui.request_focus(tag_id(id, to)));
            memory.selected = to;
            wanted = Some(chain.moved(place, to));
        } else if answer.has_focus() && (pressed(ui, Key::Delete) || pressed(ui, Key::Backspace)) {
            wanted = Some(chain.without(place));
        }
        if let Some(to) = dropped(ui, &answer, place, &rects[..count], page) {
            memory.selected = to;
            wanted = Some(chain.moved(place, to));
        }
    }
    if let (Some(name), Some(&at)) = (&vertex, rects.get(count)) {
        let chip = Rect::from_center_size(at.center(), chip_size(ui, name));
        let (fill, _) = frame_look(page.theme, CoordinateFrame::Bind);
        crate::widgets::paint_chip(ui, page.theme, chip, name, fill);
    }
    between(ui, id, product, &rects, memory, page);
    wanted
}

/// Where a factor stands.
struct TagPlace {
    /// In the product.
    place: usize,
    /// From the left, from 1.
    number: usize,
    rect: Rect,
}

fn tag_id(id: &str, place: usize) -> Id {
    Id::unique(("factor", id, place))
}

fn tag(
    ui: &Ui,
    id: &str,
    TagPlace { place, number, rect }: TagPlace,
    factor: Option<&ChainFactor>,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Response {
    let response = ui.interact(rect, tag_id(id, place), Sense::click_and_drag());
    let words = format!("factor {number}: {}", factor_tag::words(factor));
    let selected = memory.selected == place;
    response
        .widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), selected, &words));
    if response.clicked() || response.drag_started() || response.gained_focus() {
        memory.selected = place;
    }
    let look = TagLook {
        selected,
        hovered: response.hovered() || response.has_focus(),
        carried: response.dragged(),
    };
    factor_tag::paint(ui, rect, factor, look, page);
    response.on_hover_cursor(CursorIcon::Grab)
}

/// Where a factor that is dragged would go is marked; where it was let go, it goes.
fn dropped(
    ui: &Ui,
    response: &Response,
    place: usize,
    rects: &[Rect],
    page: &PageContext<'_>,
) -> Option<usize> {
    let at = response.interact_pointer_pos();
    let stopped = response.drag_stopped();
    let at = at.filter(|_| response.dragged() || stopped)?;
    let nearest = rects.iter().enumerate().min_by(|(_, a), (_, b)| {
        let distance = |rect: &Rect| rect.distance_to_pos(at);
        distance(a).total_cmp(&distance(b))
    });
    let (to, rect) = nearest?;
    if response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::Grabbing);
        if to != place {
            // On the far side of it, as the product or its mirror image is read.
            let after = (to > place) != page.conventions().has_rows();
            let x = if after { rect.right() + GAP / 2.0 } else { rect.left() - GAP / 2.0 };
            let stroke = Stroke::new(3.0, page.theme.accent);
            ui.painter().vline(x, rect.y_range(), stroke);
        }
    }
    (stopped && to != place).then_some(to)
}

/// Dots where frames meet, and where they do not, the sign for that. Of more than two
/// factors, a dot is pressed to multiply what stands left of it by the rest.
fn between(
    ui: &Ui,
    id: &str,
    product: &ChainProduct,
    rects: &[Rect],
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let count = product.factors.len();
    let mut broken: Vec<usize> = product.seams().iter().map(|seam| seam.left).collect();
    let ends = bindpose_notebook::chain::Travel::seam(product).filter(|_| rects.len() > count);
    broken.extend(ends.map(|seam| seam.left));
    for (left, pair) in rects.windows(2).enumerate() {
        let [a, b] = pair else { continue };
        let (a, b) = if page.conventions().has_rows() { (b, a) } else { (a, b) };
        let at = if a.top() == b.top() {
            pos2(f32::midpoint(a.right(), b.left()), a.center().y)
        } else {
            pos2(a.right() + GAP / 2.0, a.center().y)
        };
        if broken.contains(&left) {
            ui.painter().text_centered(at, "≠", font::strong(LEAD), theme.wrong);
        } else {
            meeting(ui, at, product, left, page);
        }
        if count > 2 && left + 1 < count {
            cut(ui, id, at, left + 1, memory, page);
        }
    }
}

/// In the colour of the frame that both share.
fn meeting(ui: &Ui, at: Pos2, product: &ChainProduct, left: usize, page: &PageContext<'_>) {
    let factor = product.factors.get(left).and_then(Option::as_ref);
    let color = factor
        .map_or(page.theme.quiet, |factor| frame_look(page.theme, factor.source.named.from).0);
    let painter = ui.painter();
    let half = vec2(GAP / 2.0 - 3.0, 0.0);
    painter.line_segment([at - half, at + half], Stroke::new(2.0, color));
    painter.circle_filled(at, 4.0, color);
}

fn cut(
    ui: &Ui,
    id: &str,
    at: Pos2,
    place: usize,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) {
    let rect = Rect::from_center_size(at, vec2(GAP - 2.0, GAP));
    let response = ui.interact(rect, Id::unique(("cut", id, place)), Sense::click());
    let on = memory.cut == place;
    let words = format!("multiply the first {place} by the rest");
    response.widget_info(|| WidgetInfo::selected(Role::RadioButton, ui.is_enabled(), on, &words));
    if response.clicked() {
        memory.cut = place;
    }
    if on || response.hovered() || response.has_focus() {
        let stroke = Stroke::new(if on { 2.0 } else { 1.0 }, page.theme.accent);
        ui.painter().circle_stroke(at, 9.0, stroke);
    }
    response.tip("Multiply what stands left of here by what stands right");
}

/// Places in lines, and how high they are in all.
fn flow(sizes: &[Vec2], room: f32) -> (Vec<Pos2>, f32) {
    let (mut places, mut at, mut line) = (Vec::new(), Pos2::ZERO, 0.0_f32);
    for size in sizes {
        if at.x > 0.0 && at.x + size.x > room {
            at = pos2(0.0, at.y + line + BETWEEN_LINES);
            line = 0.0;
        }
        places.push(at);
        at.x += size.x + GAP;
        line = line.max(size.y);
    }
    (places, at.y + line)
}
