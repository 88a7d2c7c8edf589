//! Above a step: what is wrong with the text that it comes from, for whoever writes
//! it. Readers of sound lessons never see it.

use bindpose_diagnostic::{Diagnostic, Place, counted};
use bindpose_notebook::findings_here::FindingsHere;
use eframe::egui::{Frame, Label, Margin, Rect, RichText, Stroke, Ui, WidgetInfo, accesskit::Role};

use super::theme::{CAPTION, SMALL, Theme, family};
use super::widgets::{Emphasis, note};

/// So many are listed; the others are counted.
const MOST: usize = 6;

/// Shows them; nothing where nothing is wrong.
pub(super) fn ui(ui: &mut Ui, findings: &FindingsHere<'_>, theme: &Theme) {
    if findings.here.is_empty() && findings.elsewhere == 0 {
        return;
    }
    let title = title(findings);
    let shown = Frame::NONE
        .stroke(Stroke::new(1.0, theme.rule))
        .corner_radius(6.0)
        .inner_margin(Margin { left: 14, right: 12, top: 8, bottom: 9 })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 3.0;
            let words = RichText::new(&title).size(CAPTION).family(family::strong());
            let heading = ui.add(Label::new(words.color(theme.caution)).wrap());
            heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
            for finding in findings.listed.iter().take(MOST) {
                one(ui, finding, theme);
            }
            let more = findings.listed.len().saturating_sub(MOST);
            if more > 0 {
                note(ui, theme, &format!("and {more} more here"), SMALL, Emphasis::Quiet);
            }
        });
    // A line at the edge, as cards have.
    let edge = shown.response.rect;
    let edge = Rect::from_min_max(edge.min, edge.left_bottom() + eframe::egui::vec2(3.0, 0.0));
    ui.painter().rect_filled(edge.shrink2(eframe::egui::vec2(0.0, 6.0)), 1.5, theme.caution);
    ui.add_space(12.0);
}

/// `2 findings here, 1 elsewhere`
fn title(findings: &FindingsHere<'_>) -> String {
    let (here, elsewhere) = (findings.here.len(), findings.elsewhere);
    match (here, elsewhere) {
        (0, elsewhere) => {
            format!("{} elsewhere in the lessons", counted(elsewhere, "finding"))
        }
        (here, 0) => format!("{} at this step", counted(here, "finding")),
        (here, elsewhere) => {
            format!("{} at this step, {elsewhere} elsewhere", counted(here, "finding"))
        }
    }
}

/// `line 12 · what is wrong`, and below it what to write.
fn one(ui: &mut Ui, finding: &Diagnostic, theme: &Theme) {
    let place = match &finding.at {
        Place::Text { file, at } if file.ends_with("notes.md") => {
            format!("notes, line {}", at.line)
        }
        Place::Text { at, .. } => format!("line {}", at.line),
        _ => String::new(),
    };
    ui.add_space(2.0);
    let words = format!("{place} · {}", finding.sentence());
    note(ui, theme, &words, SMALL, Emphasis::Plain);
    if !finding.help.is_empty() {
        note(ui, theme, &finding.help, CAPTION, Emphasis::Quiet);
    }
}
