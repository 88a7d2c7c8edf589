//! The weights of the shelf's vertex as a bar, with borders that can be dragged.

use std::fmt::Write as _;

use bindpose_kit::theme::{CAPTION_SIZE, FINE_SIZE, font};
use bindpose_kit::touch;
use bindpose_kit::widgets::scrub::Rail;
use bindpose_kit::widgets::{PaintText as _, Scrub, Tip as _};
use bindpose_lesson::{DataEdit, number_text};
use bindpose_notebook::{Edit, Entity, SUM_TOLERANCE};
use bindpose_skin::{Blend, Influences, JointIndex};
use eframe::egui::{
    CursorIcon, FontId, Id, Rangef, Rect, RichText, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2,
};

use crate::PageContext;
use crate::cells::weight_sliders::{drawable_share, paint_share};

/// Minimum width for the number of the vertex and its bar, in points.
pub(super) const MIN_WIDTH: f32 = 136.0;
/// Width beyond which a bar is no easier to read, in points.
pub(super) const MAX_WIDTH: f32 = 280.0;
/// Height of the bar, in points.
const BAR_HEIGHT: f32 = 18.0;
/// Width of the area of a border that is dragged, in points.
const BORDER_WIDTH: f32 = 12.0;
/// Height of the caption below the bar, in points.
const CAPTION_HEIGHT: f32 = 13.0;
/// Size of its letters, in points.
const CAPTION_FONT_SIZE: f32 = 11.0;
/// Caption at stages at which one joint moves each vertex.
const NOT_BLENDED: &str = "not blended at this stage";
/// Minimum width of a share that is labelled with its weight, in points.
const MIN_NUMBERED_WIDTH: f32 = 52.0;

/// Share of one joint in the bar.
struct Share {
    lane: usize,
    joint: JointIndex,
    weight: f32,
    rect: Rect,
}

/// A border that is dragged: it changes the weight before it, and takes the difference from
/// the weight after it, if there is one.
struct Border<'a> {
    before: &'a Share,
    after: Option<&'a Share>,
}

pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, vertex: u32) {
    let Some(&influences) = page.derived.influences.get(vertex as usize) else {
        return;
    };
    let text = RichText::new(format!("v{vertex}"))
        .font(font::mono(CAPTION_SIZE, true))
        .color(page.theme.accent);
    let label = ui.add(eframe::egui::Label::new(text).sense(Sense::CLICK));
    label
        .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("choose vertex {vertex}")));
    page.link_response(&label, Entity::Vertex(vertex));
    let size = vec2((ui.available_width() - BORDER_WIDTH / 2.0).max(40.0), BAR_HEIGHT);
    let (bar, response) = ui.allocate_exact_size(size, Sense::hover());
    let shares = lay_out_shares(&influences, bar);
    let is_blended = matches!(page.derived.blend, Blend::Linear | Blend::DualQuaternion);
    let mut description = describe(vertex, &influences);
    if !is_blended {
        let _ = write!(description, " ({NOT_BLENDED})");
    }
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &description));
    ui.painter().rect_filled(bar, 4.0, page.theme.rule);
    let pointer = response.hovered().then(|| ui.input(|input| input.pointer.hover_pos())).flatten();
    for share in &shares {
        if pointer.is_some_and(|pointer| share.rect.contains(pointer)) {
            page.linked.hover(Entity::Weight(vertex, share.joint));
        }
        let is_lit = page.linked.is_lit(Entity::Joint(share.joint));
        let numbered = (share.rect.width() >= MIN_NUMBERED_WIDTH)
            .then(|| number_text::fixed(f64::from(share.weight), 2));
        paint_share(ui, page, share.rect, share.joint, numbered.is_none(), is_lit);
        if let Some(number) = numbered {
            let fill = page.theme.joint(share.joint);
            ui.painter().text_centered(
                share.rect.center(),
                format!("{}  {number}", share.joint.0),
                font::strong(FINE_SIZE),
                page.theme.text_on_fill(fill),
            );
        }
    }
    response.tip(description);
    if !is_blended {
        let at = pos2(bar.center().x, bar.bottom() + CAPTION_HEIGHT / 2.0 + 1.0);
        let font = FontId::proportional(CAPTION_FONT_SIZE);
        ui.painter().text_centered(at, NOT_BLENDED, font, page.theme.quiet);
    }
    for border in borders(&shares, influences.sum()) {
        if let Some(weights) = border_ui(ui, page, vertex, &influences, &border, bar) {
            page.requests.edits.push(Edit::data(DataEdit::Weights(vertex, weights)));
        }
    }
}

/// Places the shares of the weights in use side by side. Shares of more than 1 in sum fill
/// the bar.
fn lay_out_shares(influences: &Influences, bar: Rect) -> Vec<Share> {
    let total: f32 = influences.weights.iter().copied().map(drawable_share).sum();
    let points_per_share = bar.width() / total.max(1.0);
    let mut left = bar.left();
    let mut shares = Vec::new();
    for (lane, joint, weight) in influences.used() {
        let width = drawable_share(weight) * points_per_share;
        let rect = Rect::from_min_size(pos2(left, bar.top()), vec2(width, bar.height()));
        shares.push(Share { lane, joint, weight, rect });
        left += width;
    }
    shares
}

/// Returns the borders between shares. The end of the last share is one too, if that vertex
/// follows one joint, or if the sum is not 1.
fn borders(shares: &[Share], sum: f32) -> Vec<Border<'_>> {
    let mut borders: Vec<Border<'_>> =
        shares.windows(2).map(|pair| Border { before: &pair[0], after: Some(&pair[1]) }).collect();
    if let Some(last) = shares.last()
        && (shares.len() == 1 || (sum - 1.0).abs() > SUM_TOLERANCE)
    {
        borders.push(Border { before: last, after: None });
    }
    borders
}

/// Draws a border. Returns all weights after a drag.
fn border_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    vertex: u32,
    influences: &Influences,
    border: &Border<'_>,
    bar: Rect,
) -> Option<[f32; bindpose_skin::LANES]> {
    let before = border.before;
    let sum = influences.sum();
    // What the weight before the border can have at most.
    let max = match border.after {
        Some(after) => before.weight + after.weight,
        None => 1.0_f32.max(sum) - (sum - before.weight),
    };
    let right = border.after.map_or(bar.right(), |after| after.rect.right());
    let x = before.rect.right();
    let width = if touch::is_touch_active(ui.ctx()) { 2.0 * BORDER_WIDTH } else { BORDER_WIDTH };
    let place = Rect::from_center_size(pos2(x, bar.center().y), vec2(width, bar.height() + 12.0));
    let id = Id::unique(("shelf border", vertex, before.lane));
    let response = ui.interact(place, id, Sense::click_and_drag());
    let stored = page.derived.rig.mesh.influences.get(vertex as usize);
    let home = stored.map_or(before.weight, |stored| stored.weights[before.lane]);
    let number = Scrub::with_id(
        id,
        f64::from(before.weight),
        format!("weight of joint {} on v{vertex}", before.joint.0),
    )
    .range(0.0..=f64::from(max.max(0.0)))
    .limits(0.0..=f64::from(max.max(0.0)));
    let rail = Rail { x: Rangef::new(before.rect.left(), right), values: (0.0, f64::from(max)) };
    let change = number
        .drag_on_rail(ui, &response, rail, None)
        .or_else(|| number.find_change(ui, &response));
    number.describe(ui, &response, Role::Slider);
    let is_active = response.hovered() || response.dragged() || response.has_focus();
    let stroke_width = if is_active { 4.0 } else { 2.5 };
    let stroke = Stroke::new(stroke_width, page.theme.ink);
    ui.painter().vline(x, bar.expand(3.0).y_range(), stroke);
    if is_active {
        page.linked.hover(Entity::Weight(vertex, before.joint));
    }
    response.on_hover_cursor(CursorIcon::ResizeHorizontal);
    let weight = (change?.value_or(f64::from(home)) as f32).clamp(0.0, max.max(0.0));
    let mut weights = influences.weights;
    weights[before.lane] = weight;
    if let Some(after) = border.after {
        weights[after.lane] = max - weight;
    }
    Some(weights)
}

/// Describes the weights in a sentence: `v482: 0.62 of joint 0, 0.38 of joint 1`.
fn describe(vertex: u32, influences: &Influences) -> String {
    let shares: Vec<String> = influences
        .used()
        .map(|(_, joint, weight)| {
            format!("{} of joint {}", number_text::fixed(f64::from(weight), 2), joint.0)
        })
        .collect();
    if shares.is_empty() {
        return format!("v{vertex}: no joint has a weight");
    }
    format!("v{vertex}: {}", shares.join(", "))
}
