//! Keys that belong to the widget that has the focus.

use eframe::egui::{EventFilter, Id, Ui};

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
