//! What the teacher saves of a class.

use bindpose_classroom::StudentNames;
use bindpose_notebook::export::ExportFormat;
use eframe::egui::{Align2, Button, Context, Ui, Vec2, Window};

use crate::theme::{SMALL, Theme};
use crate::widgets::{Emphasis, buttons, name_dialog, note};

const TITLE: &str = "Report of the class";

/// How a report of the class is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReportRequest {
    /// What students are called in it.
    pub names: StudentNames,
    /// HTML, CSV or JSON.
    pub format: ExportFormat,
}

impl Default for ReportRequest {
    fn default() -> Self {
        Self { names: StudentNames::default(), format: ExportFormat::Html }
    }
}

/// Shows the window, where it is open; answers with what is to be saved now. `chosen`: what
/// is chosen in it; `None`: it is not open.
pub fn report_window(
    ctx: &Context,
    theme: &Theme,
    chosen: &mut Option<ReportRequest>,
) -> Option<ReportRequest> {
    let request = chosen.as_mut()?;
    let (mut open, mut done) = (true, false);
    Window::new(TITLE)
        .open(&mut open)
        .resizable(false)
        .collapsible(false)
        .anchor(Align2::CENTER_CENTER, Vec2::ZERO)
        .show(ctx, |ui| {
            name_dialog(ui, TITLE);
            ui.set_width(360.0_f32.min(ctx.content_rect().width() - 60.0));
            choices(ui, theme, request);
            ui.add_space(8.0);
            done = ui.add(Button::new("Save the report")).clicked();
            ui.add_space(6.0);
            let words = "Nothing of this class is on disk until you save it, and nothing is sent \
                         anywhere.";
            note(ui, theme, words, SMALL, Emphasis::Quiet);
        });
    let wanted = done.then_some(*request);
    if done || !open {
        *chosen = None;
    }
    wanted
}

fn choices(ui: &mut Ui, theme: &Theme, request: &mut ReportRequest) {
    const NAMES: [(StudentNames, &str, &str); 3] = [
        (StudentNames::Full, "Names in full", "As students typed them"),
        (StudentNames::Initials, "Initials", "Ada Lovelace is A. L."),
        (StudentNames::None, "No names", "Student 1, Student 2, in the order of coming"),
    ];
    const FORMATS: [(ExportFormat, &str, &str); 3] = [
        (ExportFormat::Html, "HTML", "A page to read and to print"),
        (ExportFormat::Csv, "CSV", "A table for a spreadsheet"),
        (ExportFormat::Json, "JSON", "For programs"),
    ];
    let names = buttons::choose_segment(ui, theme, &NAMES, request.names, false);
    request.names = names.unwrap_or(request.names);
    ui.add_space(6.0);
    let format = buttons::choose_segment(ui, theme, &FORMATS, request.format, false);
    request.format = format.unwrap_or(request.format);
}
