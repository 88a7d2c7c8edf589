//! Cards beside the text: notes with a heading, and errata of the source articles, each
//! with the claim, its correction and the reason.

use bindpose_kit::icons;
use bindpose_kit::theme::{CAPTION_SIZE, CARD_SIZE, FINE_SIZE, LEAD_SIZE, font};
use bindpose_kit::typeset::Face;
use bindpose_kit::widgets::{Emphasis, Tip as _, Tone, card, icon_line, text_button};
use bindpose_lesson::{ErrataCell, ErrataSource, Inline, LinkTarget, NoteCell, NoteKind, Text};
use eframe::egui::{Align, Button, FontId, Layout, RichText, Role, Ui, WidgetInfo};

use crate::PageContext;
use crate::prose::{inlines_ui, line_ui, text_ui};

pub(super) fn note_ui(ui: &mut Ui, cell: &NoteCell, page: &mut PageContext<'_>) {
    let tone = match cell.kind {
        NoteKind::Aside => Tone::Quiet,
        NoteKind::Caution => Tone::Caution,
    };
    let texts = [(&cell.text, CARD_SIZE, Emphasis::Plain)];
    card_ui(ui, tone, &cell.title, None, &texts, page);
}

/// Draws the correction of a claim. It is folded to a line unless the reader knows the
/// sources.
pub(super) fn errata_ui(ui: &mut Ui, cell: &ErrataCell, id: &str, page: &mut PageContext<'_>) {
    let knows_sources = page.view.knows_sources;
    let is_open =
        page.state::<Option<bool>>(id).unwrap_or(knows_sources || page.view.pictures.is_still);
    if !is_open {
        let heading = cell.heading();
        let parts = [
            (icons::CARET_RIGHT, 0.0, font::icon(CAPTION_SIZE)),
            (heading, 6.0, FontId::proportional(CAPTION_SIZE)),
        ];
        let button = Button::new(icon_line(parts, page.theme.quiet)).frame_when_inactive(false);
        let response = ui.add(button);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, heading));
        if response.clicked() {
            *page.state(id) = Some(true);
        }
        return;
    }
    let texts = [
        (&cell.claim, CARD_SIZE, Emphasis::Quiet),
        (&cell.correction, LEAD_SIZE, Emphasis::Strong),
        (&cell.why, CARD_SIZE, Emphasis::Plain),
    ];
    let heading = Text::from(cell.heading());
    card_ui(ui, Tone::Caution, &heading, cell.id.as_deref(), &texts, page);
    if page.view.pictures.is_still {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        if text_button(ui, "Fold it away", page.theme).clicked() {
            *page.state(id) = Some(false);
        }
        let toggle_all =
            if knows_sources { "Fold all corrections" } else { "I know these sources: unfold all" };
        if text_button(ui, toggle_all, page.theme).clicked() {
            page.view.knows_sources = !knows_sources;
            *page.state::<Option<bool>>(id) = None;
        }
        if cell.source != ErrataSource::Other {
            let text = "What are the sources?".to_owned();
            let link = Inline::Link { text, target: LinkTarget::Term("sources".to_owned()) };
            inlines_ui(ui, &[link], Face::of_text(CAPTION_SIZE, Emphasis::Quiet, page.theme), page);
        }
    });
}

/// Draws a card with a heading, an optional number at the right and texts with their font
/// sizes.
fn card_ui(
    ui: &mut Ui,
    tone: Tone,
    heading: &Text,
    number: Option<&str>,
    texts: &[(&Text, f32, Emphasis)],
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.horizontal(|ui| {
            let mut face = Face::of_text(CAPTION_SIZE, Emphasis::Strong, theme);
            face.color = tone.heading_color(theme);
            line_ui(ui, heading, face, page);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                if let Some(number) = number {
                    let number = RichText::new(number).monospace().size(FINE_SIZE);
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
    use bindpose_testkit::ReaderActions as _;
    use egui_kittest::kittest::Queryable;

    use super::*;
    use crate::cells::testing::{Page, harness};

    #[test]
    fn corrections_are_folded_unless_the_reader_knows_the_sources() {
        let cell = ErrataCell {
            claim: "64 slots leave 5 bones.".into(),
            correction: "They leave 13.".into(),
            why: "A matrix takes 4 slots.".into(),
            source: ErrataSource::WebGl,
            id: Some("E-01".to_owned()),
        };
        let mut harness = harness(Page::new("bone_grid"), move |ui, page| {
            for id in ["one", "other"] {
                ui.push_id(id, |ui| errata_ui(ui, &cell, id, page));
            }
        });
        harness.run();
        let heading = "A correction to the WebGL articles";
        assert!(harness.query_by_label("They leave 13.").is_none());
        harness.get_all_by_label(heading).next().unwrap().click();
        harness.run();
        let lines =
            [heading, "64 slots leave 5 bones.", "They leave 13.", "A matrix takes 4 slots."];
        let tops = lines.map(|line| harness.get_all_by_label(line).next().unwrap().rect().top());
        assert!(tops.is_sorted(), "one below the other: {tops:?}");
        harness.get_by_label("E-01");
        harness.get_by_role_and_label(Role::Link, "What are the sources?");
        harness.click_label("I know these sources: unfold all");
        assert_eq!(harness.query_all_by_label("They leave 13.").count(), 2);
        harness.get_all_by_label("Fold all corrections").next().unwrap().click();
        harness.run();
        assert!(harness.query_by_label("They leave 13.").is_none());
    }
}
