//! Diagnostics on the page: their parts, links to explanations, and the list above a step.
//!
//! Cards in the prose and those of the doctor, whose places can be clicked, are drawn by
//! their own modules.

use bindpose_diagnostic::{Diagnostic, Place, Severity, counted};
use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, family};
use bindpose_kit::widgets::{Emphasis, paragraph_ui};
use bindpose_lesson::find_lesson;
use bindpose_notebook::PageAddress;
use bindpose_notebook::findings_here::StepFindings;
use eframe::egui::{
    Color32, CursorIcon, Frame, Grid, Label, Margin, Rect, RichText, Sense, Stroke, Ui, WidgetInfo,
    accesskit::Role, vec2,
};

use super::PageContext;

/// Returns the colour of a severity's label, icon and edge.
pub fn severity_color(theme: &Theme, severity: Severity) -> Color32 {
    match severity {
        Severity::Error => theme.wrong,
        Severity::Warning => theme.caution,
        Severity::Note => theme.quiet,
    }
}

/// Draws the place of a diagnostic, what was expected and what was found.
pub fn parts_ui(ui: &mut Ui, diagnostic: &Diagnostic, theme: &Theme) {
    Grid::new("place").num_columns(2).spacing([16.0, 6.0]).show(ui, |ui| {
        let place = RichText::new(diagnostic.at.to_string()).monospace();
        for (label, text) in [
            ("where", place),
            ("expected", RichText::new(&diagnostic.expected)),
            ("found", RichText::new(&diagnostic.found)),
        ] {
            ui.label(theme.label(label));
            ui.add(Label::new(text.size(SMALL_SIZE)).wrap());
            ui.end_row();
        }
    });
}

/// Draws a diagnostic as an entry of a list.
pub fn list_entry_ui(ui: &mut Ui, diagnostic: &Diagnostic, theme: &Theme) {
    ui.horizontal_wrapped(|ui| {
        let severity = RichText::new(diagnostic.severity.key()).family(family::strong());
        ui.label(severity.size(CAPTION_SIZE).color(severity_color(theme, diagnostic.severity)));
        let place = RichText::new(diagnostic.at.to_string()).monospace();
        ui.label(place.size(CAPTION_SIZE).color(theme.quiet));
    });
    let Diagnostic { expected, found, help, .. } = diagnostic;
    let text = format!("Expected {expected}, found {found}. {help}");
    paragraph_ui(ui, theme, &text, SMALL_SIZE, Emphasis::Plain);
}

/// Draws a link to the lesson that explains a diagnostic.
pub fn lesson_link(ui: &mut Ui, slug: &'static str, page: &mut PageContext<'_>) {
    let lessons = &page.set.lessons;
    let title = match find_lesson(lessons, slug) {
        Ok(index) => lessons[index].title.clone(),
        // A folder of other lessons may not contain it.
        Err(_) => slug.replace('-', " "),
    };
    let label = format!("The lesson “{title}” explains it");
    page_link(ui, &label, PageAddress::lesson(slug), page);
}

/// Draws a link to a page.
pub fn page_link(ui: &mut Ui, label: &str, address: PageAddress, page: &mut PageContext<'_>) {
    let text = RichText::new(label).size(SMALL_SIZE).color(page.theme.accent);
    let link = Label::new(text.underline()).sense(Sense::click());
    let response = ui.add(link).on_hover_cursor(CursorIcon::PointingHand);
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, label));
    if response.clicked() {
        page.requests.go_to(address);
    }
}

// The list above a step: findings about its text, for the author of the lesson. Readers of
// correct lessons never see it.

/// Maximum number of listed findings. The others are counted.
const MAX_LISTED_FINDINGS: usize = 6;

/// Draws the findings about the text of a step, if there are any.
pub(super) fn above_step_ui(ui: &mut Ui, findings: &StepFindings<'_>, theme: &Theme) {
    if findings.here.is_empty() && findings.elsewhere == 0 {
        return;
    }
    let title = format_findings_title(findings);
    let frame = Frame::NONE
        .stroke(Stroke::new(1.0, theme.rule))
        .corner_radius(6.0)
        .inner_margin(Margin { left: 14, right: 12, top: 8, bottom: 9 })
        .show(ui, |ui| {
            ui.set_width(ui.available_width());
            ui.spacing_mut().item_spacing.y = 3.0;
            let text = RichText::new(&title).size(CAPTION_SIZE).family(family::strong());
            let heading = ui.add(Label::new(text.color(theme.caution)).wrap());
            heading.widget_info(|| WidgetInfo::labeled(Role::Label, true, &title));
            for finding in findings.listed.iter().take(MAX_LISTED_FINDINGS) {
                finding_ui(ui, finding, theme);
            }
            let more = findings.listed.len().saturating_sub(MAX_LISTED_FINDINGS);
            if more > 0 {
                paragraph_ui(
                    ui,
                    theme,
                    &format!("and {more} more here"),
                    SMALL_SIZE,
                    Emphasis::Quiet,
                );
            }
        });
    // Cards have the same line at their edge.
    let rect = frame.response.rect;
    let edge = Rect::from_min_max(rect.min, rect.left_bottom() + vec2(3.0, 0.0));
    ui.painter().rect_filled(edge.shrink2(vec2(0.0, 6.0)), 1.5, theme.caution);
    ui.add_space(12.0);
}

/// Returns a title such as `2 findings at this step, 1 elsewhere`.
fn format_findings_title(findings: &StepFindings<'_>) -> String {
    match (findings.here.len(), findings.elsewhere) {
        (0, elsewhere) => {
            format!("{} elsewhere in the lessons", counted(elsewhere, "finding"))
        }
        (here, 0) => format!("{} at this step", counted(here, "finding")),
        (here, elsewhere) => {
            format!("{} at this step, {elsewhere} elsewhere", counted(here, "finding"))
        }
    }
}

/// Draws the line and the sentence of a finding, and below them its help.
fn finding_ui(ui: &mut Ui, finding: &Diagnostic, theme: &Theme) {
    let place = match &finding.at {
        Place::Text { file, at } if file.ends_with("notes.md") => {
            format!("notes, line {}", at.line)
        }
        Place::Text { at, .. } => format!("line {}", at.line),
        _ => String::new(),
    };
    ui.add_space(2.0);
    let text = format!("{place} · {}", finding.sentence());
    paragraph_ui(ui, theme, &text, SMALL_SIZE, Emphasis::Plain);
    if !finding.help.is_empty() {
        paragraph_ui(ui, theme, &finding.help, CAPTION_SIZE, Emphasis::Quiet);
    }
}
