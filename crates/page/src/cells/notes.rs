//! Cards beside the text: notes under a heading of their own, and claims of the
//! source articles, corrected: what they say, what is true, and how one can see it.

use bindpose_lesson::{ErrataCell, NoteCell, NoteKind, Text};
use eframe::egui::{Align, Layout, RichText, Ui};

use crate::PageContext;
use crate::prose::{Face, line_ui, text_ui};
use crate::theme::{CAPTION, CARD, FINE, LEAD};
use crate::widgets::Tip as _;
use crate::widgets::{Emphasis, Tone, card};

/// Draws a note.
pub(super) fn note_ui(ui: &mut Ui, cell: &NoteCell, page: &mut PageContext<'_>) {
    let tone = match cell.kind {
        NoteKind::Aside => Tone::Quiet,
        NoteKind::Caution => Tone::Caution,
    };
    let texts = [(&cell.text, CARD, Emphasis::Plain)];
    note_card(ui, tone, (&cell.title, None), &texts, page);
}

/// Draws a claim that is corrected.
pub(super) fn errata_ui(ui: &mut Ui, cell: &ErrataCell, page: &mut PageContext<'_>) {
    let heading = Text::from("Often written");
    let texts = [
        (&cell.claim, CARD, Emphasis::Quiet),
        (&cell.correction, LEAD, Emphasis::Strong),
        (&cell.why, CARD, Emphasis::Plain),
    ];
    let heading = (&heading, cell.id.as_deref());
    note_card(ui, Tone::Caution, heading, &texts, page);
}

/// A card with its heading, perhaps a number at its right, and texts below each other.
fn note_card(
    ui: &mut Ui,
    tone: Tone,
    (heading, number): (&Text, Option<&str>),
    texts: &[(&Text, f32, Emphasis)],
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            let mut face = Face::of_text(CAPTION, Emphasis::Strong, theme);
            face.color = tone.heading_color(theme);
            line_ui(ui, heading, face, page);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(number) = number {
                    let number = RichText::new(number).monospace().size(FINE);
                    ui.label(number.color(theme.quiet)).tip("Its number in the list of errata");
                }
            });
        });
        for &(text, size, emphasis) in texts {
            text_ui(ui, text, size, emphasis, page);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::testing::{Page, harness};
    use egui_kittest::kittest::Queryable;

    #[test]
    fn claim_correction_and_reason_can_be_read() {
        let cell = ErrataCell {
            claim: "64 slots leave 5 bones.".into(),
            correction: "They leave 13.".into(),
            why: "A matrix takes 4 slots.".into(),
            id: Some("E-01".to_owned()),
        };
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            errata_ui(view, &cell, page);
        });
        harness.run();
        let lines = [
            "Often written",
            "64 slots leave 5 bones.",
            "They leave 13.",
            "A matrix takes 4 slots.",
        ];
        let tops = lines.map(|line| harness.get_by_label(line).rect().top());
        assert!(tops.is_sorted(), "one below the other: {tops:?}");
        harness.get_by_label("E-01");
    }
}
