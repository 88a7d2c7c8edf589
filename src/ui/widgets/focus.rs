//! Keys that belong to the widget that has the focus, and the ring around it.

use eframe::egui::{
    EventFilter, Id, Key, Modifiers, Rect, Response, Shape, Stroke, StrokeKind, Ui,
    epaint::RectShape,
};

use crate::ui::theme::Theme;

/// Which arrow keys a widget uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrows {
    /// Left and right.
    Horizontal,
    /// All four.
    All,
}

/// While `id` has the focus, these arrow keys do not lead away from it.
pub fn keep_arrows(ui: &Ui, id: Id, arrows: Arrows) {
    let filter = EventFilter {
        horizontal_arrows: true,
        vertical_arrows: arrows == Arrows::All,
        ..EventFilter::default()
    };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(id, filter));
}

/// Was the key pressed alone? Takes it from the other widgets.
pub fn pressed(ui: &Ui, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(Modifiers::NONE, key))
}

/// The place, of so many, that an arrow key leads to from `place` while `response`
/// has the focus.
pub fn place_by_arrows(ui: &Ui, response: &Response, place: usize, count: usize) -> Option<usize> {
    if !response.has_focus() {
        return None;
    }
    keep_arrows(ui, response.id, Arrows::Horizontal);
    if pressed(ui, Key::ArrowRight) {
        Some((place + 1).min(count.saturating_sub(1)))
    } else if pressed(ui, Key::ArrowLeft) {
        Some(place.saturating_sub(1))
    } else {
        None
    }
}

/// Behind what is lit by hovering: a wash, and an edge for those who cannot tell
/// the wash from the page.
pub fn lit_shape(theme: &Theme, rect: Rect, round: f32) -> Shape {
    let edge = Stroke::new(1.0, theme.lit_edge);
    RectShape::new(rect, round, theme.lit, edge, StrokeKind::Inside).into()
}

/// The ring inside `rect`, with corners `round` points wide, while `response` has the
/// focus.
pub fn focus_ring(ui: &Ui, theme: &Theme, response: &Response, rect: Rect, round: f32) {
    if response.has_focus() {
        let stroke = Stroke::new(1.5, theme.accent);
        ui.painter()
            .rect_stroke(rect, round, stroke, StrokeKind::Inside);
    }
}
