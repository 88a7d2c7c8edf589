//! Tooltips. They appear above their widget, so that they cover neither it nor the row
//! that is read next.

use eframe::egui::accesskit::Role;
use eframe::egui::{Context, Event, Id, Rect, RectAlign, Response, Tooltip, Vec2, WidgetText};

use crate::touch;

/// Alternatives without space above: beside the widget, and at the top of the window
/// below it.
const ALTERNATIVE_ALIGNS: [RectAlign; 5] = [
    RectAlign::TOP_END,
    RectAlign::RIGHT,
    RectAlign::LEFT,
    RectAlign::BOTTOM_START,
    RectAlign::BOTTOM_END,
];

/// Adds tooltips to a [`Response`].
#[expect(
    clippy::return_self_not_must_use,
    reason = "the tooltip is shown whether or not the response is used"
)]
pub trait Tip {
    /// Shows a tooltip while the pointer rests on the widget.
    fn tip(self, text: impl Into<WidgetText>) -> Self;

    /// Shows a tooltip while the pointer rests on the disabled widget.
    fn tip_disabled(self, text: impl Into<WidgetText>) -> Self;
}

impl Tip for Response {
    fn tip(self, text: impl Into<WidgetText>) -> Self {
        let text = text.into();
        describe(&self, text.text());
        show_text(for_enabled(&self), text);
        self
    }

    fn tip_disabled(self, text: impl Into<WidgetText>) -> Self {
        let mut tooltip = Tooltip::for_disabled(&self);
        if are_closed_by_key(&self.ctx) {
            tooltip.popup = tooltip.popup.open(false);
        }
        if touch::is_long_pressed(&self) {
            tooltip.popup = tooltip.popup.open(true);
        }
        show_text(tooltip, text.into());
        self
    }
}

/// Returns the tooltip of an enabled widget: shown while the pointer rests on it, and
/// after a finger has rested on it. Closed from a key press until the pointer moves.
pub fn for_enabled(response: &Response) -> Tooltip<'_> {
    let mut tooltip = Tooltip::for_enabled(response);
    if are_closed_by_key(&response.ctx) {
        tooltip.popup = tooltip.popup.open(false);
    }
    if touch::is_long_pressed(response) {
        tooltip.popup = tooltip.popup.open(true);
    }
    tooltip
}

/// Places a tooltip as [`Tip`] does.
pub fn tip_above(mut tooltip: Tooltip<'_>) -> Tooltip<'_> {
    tooltip.popup =
        tooltip.popup.align(RectAlign::TOP_START).align_alternatives(&ALTERNATIVE_ALIGNS);
    tooltip
}

fn show_text(tooltip: Tooltip<'_>, text: WidgetText) {
    tip_above(tooltip).show(|ui| {
        // Otherwise the tooltip would keep its first width when its text grows.
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(text);
    });
}

// Tooltips of many widgets that are alike.

/// Shows a tooltip that belongs to many widgets alike, such as the numbers of a matrix: below
/// `group`, so that it covers none of them, and for the first of them alone until
/// [`forget_shown_tips`] is called.
pub fn tip_below_group(response: &Response, text: &str, group: Rect) {
    describe(response, text);
    let id = shown_group_tips_id();
    let was_shown = response.ctx.data(|data| data.get_temp::<bool>(id)).unwrap_or_default();
    if was_shown && !response.is_tooltip_open() {
        return;
    }
    let mut tooltip = for_enabled(response);
    tooltip.popup = tooltip
        .popup
        .anchor(group)
        .align(RectAlign::BOTTOM_START)
        .align_alternatives(&[RectAlign::BOTTOM_END, RectAlign::TOP_START]);
    let shown = tooltip.show(|ui| {
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(text);
    });
    if shown.is_some() {
        response.ctx.data_mut(|data| data.insert_temp(id, true));
    }
}

/// Lets the tooltips of [`tip_below_group`] be shown once more.
pub fn forget_shown_tips(ctx: &Context) {
    ctx.data_mut(|data| data.remove::<bool>(shown_group_tips_id()));
}

fn shown_group_tips_id() -> Id {
    Id::unique("group tips that were shown")
}

// Tooltips and the keyboard. A page that is turned by a key has other widgets below the pointer,
// which the reader has not pointed at.

/// Closes all tooltips from a key press until the pointer moves. To be called once a frame.
pub fn close_tips_after_keys(ctx: &Context) {
    let closed = ctx.input(|input| {
        let is_key = |event: &Event| matches!(event, Event::Key { pressed: true, .. });
        if input.raw.events.iter().any(is_key) {
            return Some(true);
        }
        (input.pointer.delta() != Vec2::ZERO).then_some(false)
    });
    if let Some(closed) = closed {
        ctx.data_mut(|data| data.insert_temp(closed_by_key_id(), closed));
    }
}

fn are_closed_by_key(ctx: &Context) -> bool {
    ctx.data(|data| data.get_temp(closed_by_key_id())).unwrap_or_default()
}

fn closed_by_key_id() -> Id {
    Id::unique("tips closed by a key")
}

/// Sets the accessible description of the widget, and its label if it has none. Does
/// nothing without an accessibility node.
fn describe(response: &Response, text: &str) {
    if !response.ctx.has_accesskit_node(response.id) {
        return;
    }
    response.ctx.accesskit_node_builder(response.id, |node| {
        if node.description().is_none() {
            node.set_description(text);
        }
        let unnamed = node.label().is_none_or(str::is_empty) && node.labelled_by().is_empty();
        if unnamed && node.role() != Role::Label {
            node.set_label(text);
        }
    });
}

#[cfg(test)]
mod tests {
    use eframe::egui::{Rect, vec2};
    use egui_kittest::Harness;
    use egui_kittest::kittest::Queryable as _;

    use super::*;
    use crate::theme::fonts;

    /// Returns the rectangles of the button and of its tooltip, with this much space
    /// above the button.
    fn lay_out_tooltip(space_above: f32) -> (Rect, Rect) {
        let mut harness = Harness::builder()
            .with_size(vec2(400.0, 300.0))
            .with_context_setup(|context| context.set_fonts(fonts()))
            .build_ui(move |ui| {
                ui.add_space(space_above);
                ui.horizontal(|ui| {
                    ui.add_space(150.0);
                    ui.button("number").tip("What it is about.");
                });
            });
        harness.get_by_label("number").hover();
        harness.run_steps(12);
        let button = harness.get_by_label("number").rect();
        (button, harness.get_by_label("What it is about.").rect())
    }

    #[test]
    fn tooltip_covers_neither_its_widget_nor_the_row_below() {
        let (button, tooltip) = lay_out_tooltip(120.0);
        assert!(tooltip.bottom() <= button.top(), "{button} {tooltip}");
        let (button, tooltip) = lay_out_tooltip(0.0);
        assert!(!tooltip.intersects(button), "{button} {tooltip}");
    }
}
