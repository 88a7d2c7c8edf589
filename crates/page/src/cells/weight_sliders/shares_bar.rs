//! The weights of a vertex as shares of a bar that is 1 long, and Σw beside it.

use bindpose_notebook::{Entity, SUM_TOLERANCE, number_text};
use eframe::egui::{Color32, Rect, Role, Sense, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::vertex_weights::VertexWeights;
use crate::PageContext;
use crate::theme::{FINE, SMALL, font};
use crate::widgets::PaintText;

const HEIGHT: f32 = 16.0;
/// Room for `Σw 1.30 ≠ 1`.
const SUM: f32 = 108.0;
/// A share that is wider bears its joint's number.
const NUMBERED: f32 = 20.0;

/// Shows bar and sum.
pub(super) fn ui(ui: &mut Ui, vertex_weights: &VertexWeights, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let size = vec2(ui.available_width(), 26.0);
    let (row, response) = ui.allocate_exact_size(size, Sense::hover());
    let sum = vertex_weights.now.sum();
    let text = number_text::fixed(f64::from(sum), 2);
    let off = (sum - 1.0).abs() > SUM_TOLERANCE || !sum.is_finite();
    let (words, color) = if off {
        (format!("Σw {text} ≠ 1"), theme.wrong)
    } else {
        (format!("Σw {text}"), theme.ink)
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
    let sum_font = font::mono(SMALL, off);
    let right = row.right_center();
    ui.painter().text_right(right, &words, sum_font, color);

    let bar = Rect::from_min_max(
        pos2(row.left() + 1.0, row.center().y - HEIGHT / 2.0),
        pos2((row.right() - SUM).max(row.left() + 20.0), row.center().y + HEIGHT / 2.0),
    );
    ui.painter().rect_filled(bar, 4.0, theme.rule);
    let part = |weight: f32| {
        if weight.is_finite() { weight.max(0.0) } else { 0.0 }
    };
    let total: f32 = vertex_weights.now.weights.iter().copied().map(part).sum();
    let scale = bar.width() / total.max(1.0);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let mut left = bar.left();
    for &lane in &vertex_weights.shown {
        let (joint, width) =
            (vertex_weights.now.joints[lane], part(vertex_weights.now.weights[lane]) * scale);
        let share = Rect::from_min_size(pos2(left, bar.top()), vec2(width, HEIGHT));
        left += width;
        let lit = page.linked.is_lit(Entity::Joint(joint));
        paint_share(ui, page, share, joint, lit);
        if response.hovered() && pointer.is_some_and(|pointer| share.contains(pointer)) {
            page.linked.hover(Entity::Weight(vertex_weights.vertex, joint));
        }
    }
    if total > 1.0 {
        // Where 1 is in what is longer.
        let x = bar.left() + scale;
        let stroke = Stroke::new(2.0, theme.wrong);
        ui.painter().vline(x, bar.expand(3.0).y_range(), stroke);
    }
}

fn paint_share(
    ui: &Ui,
    page: &PageContext<'_>,
    share: Rect,
    joint: bindpose_skin::JointIndex,
    lit: bool,
) {
    if share.width() < 0.5 {
        return;
    }
    let fill: Color32 = page.theme.joint(joint);
    // A gap tells neighbours of one colour apart.
    let inner = Rect::from_min_max(share.min, share.max - vec2(share.width().min(1.5), 0.0));
    ui.painter().rect_filled(inner, 3.0, fill);
    if share.width() > NUMBERED {
        let font = font::strong(FINE);
        ui.painter().text_centered(inner.center(), joint.0, font, page.theme.on(fill));
    }
    if lit {
        let below = inner.translate(vec2(0.0, inner.height() + 1.0));
        let line = Rect::from_min_size(below.min, vec2(inner.width(), 2.0));
        ui.painter().rect_filled(line, 1.0, page.theme.ink);
    }
}
