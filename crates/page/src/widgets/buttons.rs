//! Small buttons, as they stand in rows below and above figures.

use eframe::egui::{Button, RichText, Ui};

use super::tip::Tip as _;
use crate::icons;
use crate::theme::{CAPTION, ICON, SMALL, font};

/// A button with a word or two.
pub fn small_button(words: impl Into<String>) -> Button<'static> {
    Button::new(RichText::new(words).size(CAPTION))
}

/// A button that is down while `on`; with a frame in any case.
pub fn option_button(on: bool, words: impl Into<String>) -> Button<'static> {
    Button::selectable(on, RichText::new(words).size(CAPTION)).frame_when_inactive(true)
}

/// One of [`icons`] without a frame; was it clicked?
pub fn icon_button(ui: &mut Ui, icon: &str, name: &str, enabled: bool) -> bool {
    let icon = RichText::new(icon).font(font::icon(SMALL));
    let button = Button::new(icon).frame_when_inactive(false);
    ui.add_enabled(enabled, button).accessible_name(name).tip(name).clicked()
}

/// Starts and stops what moves; was it clicked? `keys` do the same.
pub fn play_button(ui: &mut Ui, playing: bool, keys: &str) -> bool {
    let (icon, name) = if playing { (icons::PAUSE, "Pause") } else { (icons::PLAY, "Play") };
    let icon = RichText::new(icon).font(font::icon(ICON));
    ui.add(Button::new(icon)).accessible_name(name).tip(format!("{name} ({keys})")).clicked()
}
