//! Things to put in order, one below the other, moved by buttons.

use bindpose_lesson::OrderItem;
use eframe::egui::Ui;

use crate::PageContext;
use crate::prose::{Face, line_ui};
use crate::theme::CARD;
use crate::widgets::{Emphasis, small_button};

/// Places of things, from 0, as an answer.
pub(super) fn written(places: &[usize]) -> String {
    let places: Vec<String> = places.iter().map(|place| (place + 1).to_string()).collect();
    places.join("+")
}

/// Draws the things as they stand now, by their places in the right order. Gives
/// the answer after one was moved.
pub(super) fn ui(
    ui: &mut Ui,
    items: &[OrderItem],
    now: &[usize],
    page: &mut PageContext<'_>,
) -> Option<String> {
    let mut moved = None;
    let face = Face::of_text(CARD, Emphasis::Plain, page.theme);
    for (at, &place) in now.iter().enumerate() {
        let Some(item) = items.get(place) else {
            continue;
        };
        ui.push_id(place, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 6.0;
                ui.label(page.theme.label(format!("{}.", at + 1)));
                let words = item.text.words();
                for (name, to) in [("up", at.checked_sub(1)), ("down", Some(at + 1))] {
                    let to = to.filter(|&to| to < now.len());
                    let button = ui.add_enabled(to.is_some(), small_button(name));
                    let button = button.accessible_name(format!("{words}: {name}"));
                    if let Some(to) = to.filter(|_| button.clicked()) {
                        moved = Some((at, to));
                    }
                }
                line_ui(ui, &item.text, face, page);
            });
        });
    }
    moved.map(|(from, to)| {
        let mut next = now.to_vec();
        next.swap(from, to);
        written(&next)
    })
}
