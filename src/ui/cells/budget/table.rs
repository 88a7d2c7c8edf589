//! Joints that fit: in uniforms by representation, in a block, in a texture. A
//! row chosen is the one that the strip shows.

use eframe::egui::{Sense, Ui, WidgetInfo, accesskit::Role};

use super::kept::{Budget, Kept};
use super::rows::{fitted, heads, number, row_with, words};
use crate::lesson::Device;
use crate::notebook::budget::Representation;
use crate::notebook::{GpuLimits, numbers::grouped};
use crate::ui::PageContext;

/// Answers with the row that was chosen now.
pub(super) fn ui(
    ui: &mut Ui,
    page: &PageContext<'_>,
    budget: Budget,
    chosen: Kept,
) -> Option<Kept> {
    let theme = page.theme;
    ui.spacing_mut().item_spacing.y = 0.0;
    let narrow = ui.available_width() < 380.0;
    let widths = fitted(ui, [130.0, 88.0, 66.0, 110.0]);
    let here = page.document.state.device == Device::Here;
    let titles = match (narrow, here) {
        (true, true) => ["kept in", "takes", "joints", "here"],
        (true, false) => ["kept in", "takes", "joints", "device"],
        (false, true) => ["kept in", "a joint takes", "joints", "this machine"],
        (false, false) => ["kept in", "a joint takes", "joints", "this device"],
    };
    heads(ui, theme, titles, widths);
    let limits = GpuLimits::of(page.document.state.device, page.limits);
    let mut answer = None;
    for (index, kept) in Kept::ALL.into_iter().enumerate() {
        let joints = kept.store(budget).joints();
        let there = limits.as_ref().map_or_else(
            || "no GL".to_owned(),
            |limits| match kept.on_device(limits, budget.others) {
                0 => "none".to_owned(),
                joints => grouped(joints),
            },
        );
        let on = kept == chosen;
        let fill = if on {
            Some(theme.accent_wash)
        } else {
            index.is_multiple_of(2).then_some(theme.panel)
        };
        let cells = vec![
            words(kept.label(), widths[0]),
            number(kept.takes(), widths[1], false),
            number(grouped(joints), widths[2], true),
            number(there, widths[3], false),
        ];
        let response = row_with(ui, fill, Sense::click(), cells);
        response.widget_info(|| {
            let label = format!("show {}: {joints} joints", kept.label());
            WidgetInfo::selected(Role::RadioButton, true, on, label)
        });
        if response.has_focus() {
            let stroke = eframe::egui::Stroke::new(1.5, theme.accent);
            let kind = eframe::egui::StrokeKind::Inside;
            ui.painter().rect_stroke(response.rect, 3.0, stroke, kind);
        }
        if response.clicked() {
            answer = Some(kept);
        }
    }
    ui.add_space(6.0);
    let Budget { vec4s, others } = budget;
    let sum = format!(
        "mat4: ⌊({vec4s} − {others}) / 4⌋ = {}.  Block and texture: what WebGL 2 guarantees. A \
         row chosen is shown in the strip.",
        Representation::Mat4.joints(vec4s, others)
    );
    ui.label(theme.caption(sum));
    answer
}
