//! A box that scrolls, for rows of which there may be many.

use eframe::egui::{AsIdSalt, ScrollArea};

/// As high as its rows, `height` points at most; `jump`: where it scrolls to now.
pub fn scroll_box(salt: impl AsIdSalt, height: f32, jump: Option<f32>) -> ScrollArea {
    let area = ScrollArea::vertical().id_salt(salt).max_height(height).auto_shrink([false, true]);
    match jump {
        Some(offset) => area.vertical_scroll_offset(offset),
        None => area,
    }
}
