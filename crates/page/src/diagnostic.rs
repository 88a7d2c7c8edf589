//! What is wrong, on the page. Cards in the prose and those of the doctor, whose
//! places can be clicked, are made where they stand.

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_lesson::find_lesson;
use bindpose_notebook::{Navigation, PageAddress};
use eframe::egui::{
    Color32, CursorIcon, Grid, Label, RichText, Sense, Ui, WidgetInfo, accesskit::Role,
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
