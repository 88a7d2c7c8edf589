//! Answers in words and numbers, one below the other.

use bindpose_lesson::{InventoryQuestion, short_text};
use bindpose_notebook::inventory::{OptionValue, option_letter, value_words};
use eframe::egui::Ui;

use super::figure::Shown;
use crate::PageContext;
use crate::cells::choice_row;

/// Draws them in `order`; `chosen` is the place of one among the options.
pub(super) fn ui(
    ui: &mut Ui,
    question: &InventoryQuestion,
    order: &[usize],
    shown: Option<&Shown>,
    chosen: &mut Option<usize>,
    page: &PageContext<'_>,
) {
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        for &place in order {
            let text = short_text(&words(question, place, shown));
            let on = *chosen == Some(place);
            let row = ui.push_id(place, |ui| choice_row(ui, &text, on, false, page));
            if row.inner.clicked() {
                *chosen = Some(place);
            }
        }
    });
}

/// What an answer is called in a sentence: its words, its number, `picture B`.
pub(super) fn name(
    question: &InventoryQuestion,
    place: usize,
    order: &[usize],
    shown: Option<&Shown>,
) -> String {
    match shown.and_then(|shown| shown.values.get(place)) {
        Some(OptionValue::Picture(_)) => format!("picture {}", option_letter(order, place)),
        Some(OptionValue::Value(value)) if value_words(question, value).is_none() => {
            format!("matrix {}", option_letter(order, place))
        }
        Some(OptionValue::Value(_)) => words(question, place, shown),
        _ => {
            let words = words(question, place, shown);
            format!("“{}”", words.trim_end_matches('.'))
        }
    }
}

fn words(question: &InventoryQuestion, place: usize, shown: Option<&Shown>) -> String {
    let value = shown.and_then(|shown| shown.values.get(place));
    let number = match value {
        Some(OptionValue::Value(value)) => value_words(question, value),
        _ => None,
    };
    let text = || question.options.get(place).map(|option| option.text.clone());
    number.or_else(text).unwrap_or_default()
}
