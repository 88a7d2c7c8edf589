//! What became of the reader's text, in words under it.

use bindpose_notebook::glsl::ShaderKind;
use bindpose_notebook::{DrawnWith, ShaderFinding, ShaderReport};
use eframe::egui::{CursorIcon, FontId, Label, RichText, Role, Sense, Ui, WidgetInfo};

use super::shader_source::ShaderSource;
use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::Tip as _;
use crate::widgets::icon_line;
use crate::{PageContext, icons};

/// Says it; the line of a mistake that was clicked.
pub(super) fn ui(ui: &mut Ui, source: &ShaderSource, page: &PageContext<'_>) -> Option<usize> {
    let theme = page.theme;
    let mut chosen = None;
    ui.scope(|ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if let Some(report) = &source.report {
            for finding in &report.findings {
                if mistake(ui, finding, theme) {
                    chosen = finding.line;
                }
            }
            for note in &report.notes {
                ui.label(RichText::new(note).size(SMALL).color(theme.caution));
            }
            let (words, color) = drawn(report, theme);
            ui.label(RichText::new(words).size(CAPTION).color(color));
        } else if source.text != source.own {
            let words = "It is compiled as soon as a viewport shows the surface.";
            ui.label(theme.caption(words));
        }
        if let Some(words) = elsewhere(source, page) {
            ui.label(theme.caption(words));
        }
    });
    chosen
}

/// True when clicked.
fn mistake(ui: &mut Ui, finding: &ShaderFinding, theme: &Theme) -> bool {
    let words = match finding.line {
        Some(line) => format!("Line {line}: {}", finding.message),
        None => finding.message.clone(),
    };
    let parts = [(icons::X, 0.0, font::icon(SMALL)), (&*words, 6.0, FontId::proportional(SMALL))];
    let mut job = icon_line(parts, theme.wrong);
    job.wrap.max_width = ui.available_width();
    let (role, sense) = match finding.line {
        Some(_) => (Role::Link, Sense::click()),
        None => (Role::Label, Sense::hover()),
    };
    let mut response = ui.add(Label::new(job).sense(sense));
    response.widget_info(|| WidgetInfo::labeled(role, true, &words));
    if finding.line.is_some() {
        response = response.on_hover_cursor(CursorIcon::PointingHand).tip("To this line");
    }
    response.clicked()
}

/// Which text the picture shows.
fn drawn(report: &ShaderReport, theme: &Theme) -> (&'static str, eframe::egui::Color32) {
    match report.drawn_with {
        DrawnWith::Reader if report.notes.is_empty() => {
            ("It compiles, and draws the picture.", theme.right)
        }
        DrawnWith::Reader => ("It compiles.", theme.quiet),
        DrawnWith::LastGood => {
            ("Until it compiles, the picture is drawn by your last text that did.", theme.quiet)
        }
        DrawnWith::Ours => {
            ("Until it compiles, the picture is drawn by the page’s own text.", theme.quiet)
        }
    }
}

/// Texts of other kinds that the reader changed: they come back with the
/// switches they were written under.
fn elsewhere(source: &ShaderSource, page: &PageContext<'_>) -> Option<String> {
    let others: Vec<String> = page
        .document
        .state
        .shaders
        .keys()
        .filter(|key| **key != source.kind.key())
        .filter_map(|key| Some(format!("“{}”", ShaderKind::from_key(key)?.label())))
        .collect();
    (!others.is_empty()).then(|| {
        format!(
            "Each way of skinning has a shader of its own. Yours for {} is kept, and comes back with its switches.",
            others.join(", ")
        )
    })
}
