//! What is wrong, on the page: parts of what tells it, and the list above a step. Cards in
//! the prose and those of the doctor, whose places can be clicked, are made where they
//! stand.

use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_lesson::find_lesson;
use bindpose_notebook::findings_here::StepFindings;
use bindpose_notebook::{Navigation, PageAddress};
use eframe::egui::{
    Color32, CursorIcon, Frame, Grid, Label, Margin, Rect, RichText, Sense, Stroke, Ui, WidgetInfo,
    accesskit::Role, vec2,
};

use super::PageContext;
use super::theme::{CAPTION, SMALL, Theme, family};
use super::widgets::{Emphasis, note};

/// The colour of its word, its icon, its edge.
pub fn color(theme: &Theme, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => theme.wrong,
        Severity::Warning => theme.caution,
        Severity::Note => theme.quiet,
    }
}

/// Where, what should stand there, and what does, below each other.
pub fn parts(ui: &mut Ui, wrong: &Diagnostic, theme: &Theme) {
    Grid::new("place").num_columns(2).spacing([16.0, 6.0]).show(ui, |ui| {
        for (label, text, mono) in [
            ("where", &wrong.at.to_string(), true),
            ("expected", &wrong.expected, false),
            ("found", &wrong.found, false),
        ] {
            ui.label(theme.label(label));
            let text = RichText::new(text).size(SMALL);
            let text = if mono { text.monospace() } else { text };
            ui.add(Label::new(text).wrap());
            ui.end_row();
        }
    });
}

/// One of many: how bad, where, and in words.
pub fn in_list(ui: &mut Ui, wrong: &Diagnostic, theme: &Theme) {
    ui.horizontal_wrapped(|ui| {
        let severity = RichText::new(wrong.severity.key()).family(family::strong());
        ui.label(severity.size(CAPTION).color(color(theme, wrong.severity)));
        let at = RichText::new(wrong.at.to_string()).monospace();
        ui.label(at.size(CAPTION).color(theme.quiet));
    });
    let Diagnostic { expected, found, help, .. } = wrong;
    let words = format!("Expected {expected}, found {found}. {help}");
    note(ui, theme, &words, SMALL, Emphasis::Plain);
}

/// A way to the lesson that explains it.
pub fn lesson_link(ui: &mut Ui, slug: &'static str, page: &mut PageContext<'_>) {
    let lessons = &page.set.lessons;
    let title = find_lesson(lessons, slug).map(|index| lessons[index].title.clone());
    // A folder of someone's own lessons need not have it.
    let title = title.unwrap_or_else(|_| slug.replace('-', " "));
    let words = format!("The lesson “{title}” explains it");
    page_link(ui, &words, PageAddress::lesson(slug), page);
}

/// Words that lead to a page.
pub fn page_link(ui: &mut Ui, words: &str, address: PageAddress, page: &mut PageContext<'_>) {
    let text = RichText::new(words).size(SMALL).color(page.theme.accent);
    let link = Label::new(text.underline()).sense(Sense::click());
    let response = ui.add(link).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, words));
    if response.clicked() {
        page.navigation.push(Navigation::Go(address));
    }
}

// Above a step: what is wrong with the text that it comes from, for whoever writes it.
// Readers of sound lessons never see it.

/// So many are listed; the others are counted.
const MOST: usize = 6;

/// Shows what is wrong with the text of a step; nothing where nothing is.
pub(super) fn above_step_ui(ui: &mut Ui, findings: &StepFindings<'_>, theme: &Theme) {
    if findings.here.is_empty() && findings.elsewhere == 0 {
        return;
    }
    let title = findings_title(findings);
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
                finding_ui(ui, finding, theme);
            }
            let more = findings.listed.len().saturating_sub(MOST);
            if more > 0 {
                note(ui, theme, &format!("and {more} more here"), SMALL, Emphasis::Quiet);
            }
        });
    // A line at the edge, as cards have.
    let edge = shown.response.rect;
    let edge = Rect::from_min_max(edge.min, edge.left_bottom() + vec2(3.0, 0.0));
    ui.painter().rect_filled(edge.shrink2(vec2(0.0, 6.0)), 1.5, theme.caution);
    ui.add_space(12.0);
}

/// `2 findings here, 1 elsewhere`
fn findings_title(findings: &StepFindings<'_>) -> String {
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
fn finding_ui(ui: &mut Ui, finding: &Diagnostic, theme: &Theme) {
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
