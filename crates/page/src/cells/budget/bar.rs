//! The storage as a strip: what others take, then a piece for
//! each joint.

use bindpose_notebook::number_text::grouped;
use bindpose_notebook::uniform_budget::{PARTS, TAKEN};
use bindpose_skin::JointIndex;
use eframe::egui::{
    Align2, FontId, Painter, Rect, Sense, Ui, WidgetInfo, accesskit::Role, pos2, vec2,
};

use super::storage::{Capacity, Storage, StorageNumbers};
use crate::theme::{CAPTION, FINE, Theme, font};
use crate::widgets::PaintText;

pub(super) fn ui(ui: &mut Ui, theme: &Theme, budget: StorageNumbers, storage: Storage) {
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 46.0), Sense::hover());
    let capacity = storage.capacity(budget);
    let Capacity { unit, total, taken, each } = capacity;
    let joints = capacity.joints();
    let taken = taken.min(total);
    response.widget_info(|| {
        let words = format!(
            "{}: {total} {unit}, {taken} for everything else, {} for {joints} joints, {} left",
            storage.label(),
            joints * each,
            total - taken - joints * each
        );
        WidgetInfo::labeled(Role::Label, true, words)
    });
    let strip = Rect::from_min_size(rect.min, vec2(rect.width(), 22.0));
    let painter = ui.painter().clone();
    painter.rect_filled(strip, 4.0, theme.panel);
    if total == 0 {
        return;
    }
    let slot = strip.width() / total as f32;
    let piece = |from: u32, to: u32| {
        Rect::from_min_max(
            pos2(strip.left() + from as f32 * slot, strip.top()),
            pos2(strip.left() + to as f32 * slot, strip.bottom()),
        )
    };
    let words = others(&painter, theme, taken, piece);
    // Below a point a piece is thinner than a line: one stands for all.
    if slot * each as f32 >= 2.5 {
        for joint in 0..joints {
            let from = taken + joint * each;
            let block = piece(from, from + each).shrink2(vec2((slot * 0.3).min(1.0), 0.0));
            let color = theme.joint(JointIndex((joint % 6) as u16));
            painter.rect_filled(block, 0.0, color);
            let number = joint.to_string();
            if block.width() > 9.0 * number.len() as f32 + 2.0 {
                let font = font::strong(FINE);
                let middle = block.center();
                painter.text_centered(middle, number, font, theme.on(color));
            }
        }
    } else {
        painter.rect_filled(piece(taken, taken + joints * each), 0.0, theme.accent);
    }
    let font = FontId::proportional(CAPTION);
    let below = strip.bottom() + 4.0;
    let at = pos2(strip.left(), below);
    let label = painter.text(at, Align2::LEFT_TOP, words, font.clone(), theme.quiet);
    let gap = if taken > 0 { 16.0 } else { 0.0 };
    let least = label.right() + gap;
    let stored = format!("{} joints in {}", grouped(joints), storage.label());
    // The table below says the rest where there is no room for it.
    let fitting = [
        format!("{stored}, {} {unit}", grouped(total)),
        stored,
        format!("{} joints", grouped(joints)),
    ]
    .into_iter()
    .map(|text| painter.layout_no_wrap(text, font.clone(), theme.ink))
    .find(|galley| least + galley.size().x <= strip.right());
    let Some(galley) = fitting else { return };
    let left = piece(taken, total).left().min(strip.right() - galley.size().x).max(least);
    painter.galley(pos2(left, below), galley, theme.ink);
}

/// What is taken before the first joint, in its parts where they are known;
/// answers with the words for it.
fn others(
    painter: &Painter,
    theme: &Theme,
    taken: u32,
    piece: impl Fn(u32, u32) -> Rect,
) -> String {
    if taken == 0 {
        return String::new();
    }
    painter.rect_filled(piece(0, taken), 0.0, theme.world);
    if taken != TAKEN {
        return format!("{taken} for everything else");
    }
    let mut from = 0;
    for (_, vec4s) in PARTS {
        from += vec4s;
        let edge = piece(from, from);
        let line = eframe::egui::Stroke::new(1.0, theme.paper);
        painter.line_segment([edge.left_top(), edge.left_bottom()], line);
    }
    let parts = PARTS.map(|(name, vec4s)| format!("{vec4s} {name}"));
    parts.join(", ")
}
