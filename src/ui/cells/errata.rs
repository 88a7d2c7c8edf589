//! A claim of the source articles, corrected: what they say, what is true, and
//! how one can see it.

use eframe::egui::{RichText, Ui};

use crate::lesson::ErrataCell;
use crate::ui::PageContext;
use crate::ui::theme::{CARD, FINE, LEAD};
use crate::ui::widgets::Tip as _;
use crate::ui::widgets::{Emphasis, Tone, card, card_heading, note};

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &ErrataCell, page: &mut PageContext<'_>) {
    let theme = page.theme;
    card(ui, theme, Tone::Caution, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        card_heading(ui, theme, Tone::Caution, "The articles say", |ui| {
            if let Some(number) = &cell.id {
                let number = RichText::new(number).monospace().size(FINE);
                ui.label(number.color(theme.quiet))
                    .tip("Its number in the list of errata");
            }
        });
        note(ui, theme, &cell.claim, CARD, Emphasis::Quiet);
        note(ui, theme, &cell.correction, LEAD, Emphasis::Strong);
        note(ui, theme, &cell.why, CARD, Emphasis::Plain);
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ui::cells::testing::{Page, harness};
    use egui_kittest::kittest::Queryable;

    #[test]
    fn claim_correction_and_reason_can_be_read() {
        let cell = ErrataCell {
            claim: "64 slots leave `5` bones.".to_owned(),
            correction: "They leave 13.".to_owned(),
            why: "A matrix takes 4 slots.".to_owned(),
            id: Some("E-01".to_owned()),
        };
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            ui(view, &cell, page);
        });
        harness.run();
        let lines = [
            "The articles say",
            "64 slots leave 5 bones.",
            "They leave 13.",
            "A matrix takes 4 slots.",
        ];
        let tops = lines.map(|line| harness.get_by_label(line).rect().top());
        assert!(tops.is_sorted(), "one below the other: {tops:?}");
        harness.get_by_label("E-01");
    }
}
