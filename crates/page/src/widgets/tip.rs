//! Words that appear while the pointer rests on something: above it, so that they
//! cover neither what they are about nor the row that is read next.

use eframe::egui::accesskit::Role;
use eframe::egui::{RectAlign, Response, Tooltip, WidgetText};

use crate::touch;

/// Where there is no room above: beside it, and at the top of the window below.
const ELSEWHERE: [RectAlign; 5] = [
    RectAlign::TOP_END,
    RectAlign::RIGHT,
    RectAlign::LEFT,
    RectAlign::BOTTOM_START,
    RectAlign::BOTTOM_END,
];

/// What a response can be given.
#[expect(
    clippy::return_self_not_must_use,
    reason = "the words are shown whether or not anything else is asked of the response"
)]
pub trait Tip {
    /// Says this while the pointer rests on it.
    fn tip(self, words: impl Into<WidgetText>) -> Self;

    /// Says this while the pointer rests on it and it cannot be used.
    fn tip_disabled(self, words: impl Into<WidgetText>) -> Self;
}

impl Tip for Response {
    fn tip(self, words: impl Into<WidgetText>) -> Self {
        let words = words.into();
        describe(&self, words.text());
        show(for_enabled(&self), words);
        self
    }

    fn tip_disabled(self, words: impl Into<WidgetText>) -> Self {
        let mut tooltip = Tooltip::for_disabled(&self);
        if touch::rests_on(&self) {
            tooltip.popup = tooltip.popup.open(true);
        }
        show(tooltip, words.into());
        self
    }
}

/// A tooltip for what can be used: while the pointer rests on it, and after a
/// finger has.
pub fn for_enabled(response: &Response) -> Tooltip<'_> {
    let mut tooltip = Tooltip::for_enabled(response);
    if touch::rests_on(response) {
        tooltip.popup = tooltip.popup.open(true);
    }
    tooltip
}

/// A tooltip that stands where [`Tip`] puts them.
pub fn tip_above(mut tooltip: Tooltip<'_>) -> Tooltip<'_> {
    tooltip.popup = tooltip.popup.align(RectAlign::TOP_START).align_alternatives(&ELSEWHERE);
    tooltip
}

fn show(tooltip: Tooltip<'_>, words: WidgetText) {
    tip_above(tooltip).show(|ui| {
        // Else what grows would be held to its first width.
        ui.set_max_width(ui.spacing().tooltip_width);
        ui.label(words);
    });
}

/// The words for a screen reader: the name, where there is none, and else more
/// about it. What has no node gets none.
fn describe(response: &Response, words: &str) {
    if !response.ctx.has_accesskit_node(response.id) {
        return;
    }
    response.ctx.accesskit_node_builder(response.id, |node| {
        if node.description().is_none() {
            node.set_description(words);
        }
        let unnamed = node.label().is_none_or(str::is_empty) && node.labelled_by().is_empty();
        if unnamed && node.role() != Role::Label {
            node.set_label(words);
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

    /// Where the button is and where its words are, with this much room above it.
    fn shown(above: f32) -> (Rect, Rect) {
        let mut harness = Harness::builder()
            .with_size(vec2(400.0, 300.0))
            .with_context_setup(|context| context.set_fonts(fonts()))
            .build_ui(move |ui| {
                ui.add_space(above);
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
    fn the_words_cover_neither_what_they_are_about_nor_what_is_below() {
        let (button, words) = shown(120.0);
        assert!(words.bottom() <= button.top(), "{button} {words}");
        let (button, words) = shown(0.0);
        assert!(!words.intersects(button), "{button} {words}");
    }
}
