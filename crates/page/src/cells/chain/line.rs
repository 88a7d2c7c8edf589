//! The factors of a product in their order: dragged, or moved by the arrow keys; and
//! what stands between them.

use bindpose_lesson::{ChainCell, Factor, MAX_FACTORS, MatrixProduct, MatrixRef};
use bindpose_notebook::StepState;
use bindpose_notebook::chain::{ChainFactor, ChainProduct, ChainState};
use bindpose_notebook::matrix::resolve;
use bindpose_skin::CoordinateFrame;
use eframe::egui::{
    Color32, CursorIcon, FontId, Id, Key, Pos2, Rect, Response, Role, Sense, Stroke, StrokeKind,
    Ui, Vec2, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{BODY, CAPTION, FINE, LEAD, Theme, font};
use crate::widgets::{
    PaintText, Tip as _, chip_size, frame_look, option_button, paint_chip, place_by_arrows,
    pressed, small_button,
};

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
        product.factors.iter().map(|factor| size_of_tag(ui, factor.as_ref())).collect();
    let tallest = sizes.first().map_or(34.0, |size| size.y);
    sizes.extend(vertex.iter().map(|name| vec2(chip_size(ui, name).x, tallest)));
    if rows {
        sizes.reverse();
    }
    let room = ui.available_width();
    // The vertex stays with the factor that it meets first.
    let met = if rows { 0 } else { count.saturating_sub(1) };
    let (places, height) = flow(&sizes, room, vertex.is_some().then_some(met));
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
    let words = format!("factor {number}: {}", words_of_tag(factor));
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
    paint_factor_tag(ui, rect, factor, look, page);
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
    response.tip("Multiply what is left of here by what is right of it");
}

/// Places in lines, and how high they are in all.
fn flow(sizes: &[Vec2], room: f32, together: Option<usize>) -> (Vec<Pos2>, f32) {
    let (mut places, mut at, mut line) = (Vec::new(), Pos2::ZERO, 0.0_f32);
    for (index, size) in sizes.iter().enumerate() {
        // What joins it to the next stands behind it, also at the end of a line.
        let joins = if index + 1 < sizes.len() { GAP } else { 0.0 };
        let next = sizes.get(index + 1).filter(|_| together == Some(index));
        let wide = size.x + joins + next.map_or(0.0, |next| next.x);
        let is_second = together.is_some_and(|first| first + 1 == index);
        if at.x > 0.0 && at.x + wide > room && !is_second {
            at = pos2(0.0, at.y + line + BETWEEN_LINES);
            line = 0.0;
        }
        places.push(at);
        at.x += size.x + GAP;
        line = line.max(size.y);
    }
    (places, at.y + line)
}

// What is done to the chosen factor, and what can be put in.

/// Shows them; the product that the reader wants.
pub(super) fn tools_ui(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let changed = of_selected(ui, chain, product, memory, page);
    let put_in = tray(ui, cell, chain, memory, page);
    changed.or(put_in)
}

fn of_selected(
    ui: &mut Ui,
    chain: &ChainState,
    product: &ChainProduct,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let place = memory.selected;
    let factor = chain.product.0.get(place)?;
    let count = product.factors.len();
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let rows = page.conventions().has_rows();
        let number = if rows { count - place } else { place + 1 };
        ui.label(page.theme.label(format!("factor {number} is chosen:")));
        let before = place.checked_sub(1);
        let after = Some(place + 1).filter(|&after| after < count);
        let (left, right) = if rows { (after, before) } else { (before, after) };
        for (words, name, to) in [("◀", "move left", left), ("▶", "move right", right)] {
            let button = ui.add_enabled(to.is_some(), small_button(words));
            let to = to.unwrap_or(place);
            if button.accessible_name(name).clicked() {
                memory.selected = to;
                wanted = Some(chain.moved(place, to));
            }
        }
        // Where the place is blank, they stand there all the same: the next would move.
        let is = |what: fn(&Factor) -> bool| factor.as_ref().is_some_and(what);
        let invert = option_button(is(|factor| factor.inverted), "invert");
        let tip = "The way back: it leads from where it led to";
        if ui.add_enabled(factor.is_some(), invert).tip(tip).clicked() {
            wanted = Some(chain.inverted(place));
        }
        let transpose = option_button(is(|factor| factor.transposed), "transpose");
        let tip = "Rows for columns, as for row vectors, or in the other order in memory";
        if ui.add_enabled(factor.is_some(), transpose).tip(tip).clicked() {
            wanted = Some(chain.transposed(place));
        }
        if ui.add(small_button("take out")).clicked() {
            wanted = Some(chain.without(place));
        }
    });
    wanted
}

/// Every matrix that the cell names: what was taken out can be put back.
fn tray(
    ui: &mut Ui,
    cell: &ChainCell,
    chain: &ChainState,
    memory: &mut ChainCellState,
    page: &PageContext<'_>,
) -> Option<ChainState> {
    let mut matrices = tray_of(cell).peekable();
    matrices.peek()?;
    let full = chain.product.0.len() >= MAX_FACTORS && chain.product.filled().is_some();
    let mut wanted = None;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        ui.label(page.theme.label("put in:"));
        for matrix in matrices {
            let Ok(source) = resolve(matrix, page.document, page.derived) else {
                continue;
            };
            let name = source.name();
            let words =
                if source.title == "joint matrix" { matrix.to_string() } else { name.clone() };
            let button = ui.add_enabled(!full, small_button(format!("+ {words}")));
            let button = button.accessible_name(format!("put in {name}, {}", source.title));
            if button.tip(&source.title).clicked() {
                let next = chain.with(Factor::from(matrix.clone()), Some(memory.selected));
                let filled = |place: &usize| {
                    chain.product.0.get(*place).is_none_or(Option::is_none)
                        && next.product.0.get(*place).is_some_and(Option::is_some)
                };
                let place = (0..next.product.0.len()).find(filled);
                memory.selected = place.unwrap_or(memory.selected);
                wanted = Some(next);
            }
        }
    });
    wanted
}

/// In an order that says nothing of where they belong.
pub(super) fn tray_of(cell: &ChainCell) -> impl Iterator<Item = &MatrixRef> {
    let products = [&cell.product, &cell.solution].into_iter();
    let factors = products.flat_map(|product| product.0.iter().flatten());
    let mut all: Vec<&MatrixRef> = factors.map(|factor| &factor.matrix).collect();
    all.extend(&cell.tray);
    all.sort_by_cached_key(ToString::to_string);
    all.dedup();
    all.into_iter()
}

// What the cell keeps from frame to frame.

/// Lost without harm.
#[derive(Default)]
pub(super) struct ChainCellState {
    /// The place that the tools work on.
    pub(super) selected: usize,
    /// What stands left of this place is multiplied by the rest.
    pub(super) cut: usize,
    /// Row and column of the product whose sum is written out.
    pub(super) stepped: Option<(usize, usize)>,
    /// Whether numbers are shown; `None`: as the cell says.
    pub(super) shows_numbers: Option<bool>,
    /// Whether a product came to the goal, on a page in this state.
    pub(super) judged: Option<Box<(MatrixProduct, StepState, bool)>>,
}

// A factor as a tag: the frames that it leads to and from, in their colours.

/// Inside its border.
const PAD: f32 = 6.0;
/// Of the arrow between its frames.
const ARROW: f32 = 20.0;
/// Of the second line.
const TITLE: f32 = 17.0;
/// A place without a factor.
const BLANK: Vec2 = vec2(72.0, 22.0 + TITLE + 2.0 * PAD);

/// How a tag looks.
#[derive(Clone, Copy, Default)]
pub(super) struct TagLook {
    pub(super) selected: bool,
    pub(super) hovered: bool,
    /// Carried to another place.
    pub(super) carried: bool,
}

/// What is read aloud of a place.
pub(super) fn words_of_tag(factor: Option<&ChainFactor>) -> String {
    match factor {
        Some(factor) => format!("{}, {}", factor.source.name(), factor.source.title),
        None => "blank".to_owned(),
    }
}

/// The room that it takes.
pub(super) fn size_of_tag(ui: &Ui, factor: Option<&ChainFactor>) -> Vec2 {
    let Some(factor) = factor else { return BLANK };
    let named = &factor.source.named;
    let frames = chip_size(ui, &named.to.to_string()).x + chip_size(ui, &named.from.to_string()).x;
    let title = FontId::proportional(FINE);
    let galley = ui.painter().layout_no_wrap(factor.source.title.clone(), title, Color32::BLACK);
    let width = (frames + ARROW).max(galley.size().x);
    vec2(width + 2.0 * PAD, BLANK.y)
}

/// Paints it; what can be done with it is for the line.
pub(super) fn paint_factor_tag(
    ui: &Ui,
    rect: Rect,
    factor: Option<&ChainFactor>,
    look: TagLook,
    page: &PageContext<'_>,
) {
    let theme = page.theme;
    let painter = ui.painter();
    let (width, edge) = match look {
        TagLook { selected: true, .. } => (2.0, theme.accent),
        TagLook { hovered: true, .. } => (1.5, theme.accent),
        _ => (1.0, theme.rule),
    };
    let fill = match (look.carried, look.hovered) {
        (true, _) => theme.accent_wash,
        (false, true) => theme.accent_wash.gamma_multiply(0.6),
        (false, false) => theme.paper,
    };
    let stroke = Stroke::new(width, edge);
    painter.rect(rect, 8.0, fill, stroke, StrokeKind::Inside);
    let Some(factor) = factor else {
        let font = font::strong(20.0);
        painter.text_centered(rect.center(), "?", font, theme.quiet);
        return;
    };
    let named = &factor.source.named;
    let rows = page.conventions().has_rows();
    let mut frames = [named.to, named.from];
    if rows {
        frames.reverse();
    }
    let sizes = frames.map(|frame| chip_size(ui, &frame.to_string()));
    let all = sizes[0].x + ARROW + sizes[1].x;
    let left = rect.center().x - all / 2.0;
    let top = rect.top() + PAD;
    let first = Rect::from_min_size(pos2(left, top), sizes[0]);
    let last = Rect::from_min_size(pos2(first.right() + ARROW, top), sizes[1]);
    for (frame, rect) in frames.into_iter().zip([first, last]) {
        frame_tag(ui, theme, rect, frame);
    }
    let between = pos2(f32::midpoint(first.right(), last.left()), first.center().y);
    let arrow = if rows { "→" } else { "←" };
    painter.text_centered(between, arrow, FontId::proportional(CAPTION), theme.quiet);
    let title = FontId::proportional(FINE);
    let color = if factor.singular { theme.wrong } else { theme.quiet };
    let at = pos2(rect.center().x, first.bottom() + TITLE / 2.0 + 1.0);
    painter.text_centered(at, &factor.source.title, title, color);
}

pub(super) fn frame_tag(ui: &Ui, theme: &Theme, rect: Rect, frame: CoordinateFrame) {
    let (fill, text) = frame_look(theme, frame);
    paint_chip(ui, theme, rect, &text, fill);
}
