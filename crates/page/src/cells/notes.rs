//! Cards beside the text: notes under a heading of their own, and claims of the
//! source articles, corrected: what they say, what is true, and how one can see it.

use bindpose_lesson::{ErrataCell, ErrataSource, Inline, LinkTarget, NoteCell, NoteKind, Text};
use eframe::egui::{Align, Button, FontId, Layout, RichText, Role, Ui, WidgetInfo};

use crate::PageContext;
use crate::icons;
use crate::prose::{Face, inlines_ui, line_ui, text_ui};
use crate::theme::{CAPTION, CARD, FINE, LEAD, font};
use crate::widgets::{Emphasis, Tip as _, Tone, card, icon_line, text_button};

/// Draws a note.
pub(super) fn note_ui(ui: &mut Ui, cell: &NoteCell, page: &mut PageContext<'_>) {
    let tone = match cell.kind {
        NoteKind::Aside => Tone::Quiet,
        NoteKind::Caution => Tone::Caution,
    };
    let texts = [(&cell.text, CARD, Emphasis::Plain)];
    note_card(ui, tone, (&cell.title, None), &texts, page);
}

/// Draws a claim that is corrected: a line that unfolds, unless the reader has said that
/// they know the sources.
pub(super) fn errata_ui(ui: &mut Ui, cell: &ErrataCell, id: &str, page: &mut PageContext<'_>) {
    let known = page.view.knows_sources;
    let open = page.state::<Option<bool>>(id).unwrap_or(known || page.view.pictures.still);
    if !open {
        let words = cell.heading();
        let parts = [
            (icons::CARET_RIGHT, 0.0, font::icon(CAPTION)),
            (words, 6.0, FontId::proportional(CAPTION)),
        ];
        let line = Button::new(icon_line(parts, page.theme.quiet)).frame_when_inactive(false);
        let response = ui.add(line);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, words));
        if response.clicked() {
            *page.state(id) = Some(true);
        }
        return;
    }
    let texts = [
        (&cell.claim, CARD, Emphasis::Quiet),
        (&cell.correction, LEAD, Emphasis::Strong),
        (&cell.why, CARD, Emphasis::Plain),
    ];
    let heading = Text::from(cell.heading());
    note_card(ui, Tone::Caution, (&heading, cell.id.as_deref()), &texts, page);
    if page.view.pictures.still {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        if text_button(ui, "Fold it away", page.theme).clicked() {
            *page.state(id) = Some(false);
        }
        let all = if known { "Fold all corrections" } else { "I know these sources: unfold all" };
        if text_button(ui, all, page.theme).clicked() {
            page.view.knows_sources = !known;
            *page.state::<Option<bool>>(id) = None;
        }
        if cell.source != ErrataSource::Other {
            let text = "What are the sources?".to_owned();
            let link = Inline::Link { text, target: LinkTarget::Term("sources".to_owned()) };
            inlines_ui(ui, &[link], Face::of_text(CAPTION, Emphasis::Quiet, page.theme), page);
        }
    });
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
    use egui_kittest::kittest::Queryable;

    use super::*;
    use crate::cells::testing::{Page, harness};

    #[test]
    fn a_correction_is_a_line_that_unfolds_and_one_who_knows_the_sources_sees_all() {
        let cell = ErrataCell {
            claim: "64 slots leave 5 bones.".into(),
            correction: "They leave 13.".into(),
            why: "A matrix takes 4 slots.".into(),
            source: ErrataSource::WebGl,
            id: Some("E-01".to_owned()),
        };
        let mut harness = harness(Page::new("bone_grid"), move |view, page| {
            for id in ["one", "other"] {
                view.push_id(id, |view| errata_ui(view, &cell, id, page));
            }
        });
        harness.run();
        let heading = "A correction to the WebGL articles";
        assert!(harness.query_by_label("They leave 13.").is_none());
        harness.get_all_by_label(heading).next().unwrap().click();
        harness.run();
        let lines =
            [heading, "64 slots leave 5 bones.", "They leave 13.", "A matrix takes 4 slots."];
        let top = |line| harness.get_all_by_label(line).next().unwrap().rect().top();
        let tops = lines.map(top);
        assert!(tops.is_sorted(), "one below the other: {tops:?}");
        harness.get_by_label("E-01");
        harness.get_by_role_and_label(Role::Link, "What are the sources?");
        harness.get_by_label("I know these sources: unfold all").click();
        harness.run();
        assert_eq!(harness.query_all_by_label("They leave 13.").count(), 2);
        harness.get_all_by_label("Fold all corrections").next().unwrap().click();
        harness.run();
        assert!(harness.query_by_label("They leave 13.").is_none());
    }
}
