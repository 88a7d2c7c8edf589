//! Views of opening: the hint to drop a file, the progress, the message of a failure.

use bindpose_diagnostic::Diagnostic;
use bindpose_kit::theme::{INTERFACE_SIZE, SMALL_SIZE, Theme, family};
use bindpose_kit::widgets::{Emphasis, RightGroup, Tip as _, name_dialog, paragraph_ui};
use bindpose_page::diagnostic;
use eframe::egui::{
    self, Align2, Area, Context, Frame, Id, Margin, Modal, Order, ProgressBar, RichText, Sense,
    Stroke, StrokeKind, Ui, vec2,
};

use super::{FilePurpose, ModelOpener, OpenFailure};

/// Time after which the progress is shown.
const PROGRESS_DELAY_SECS: f64 = 0.2;

/// Interval between two updates of the progress.
const PROGRESS_INTERVAL_SECS: f32 = 0.1;

/// Maximum width of the message of a failure, in points.
const MAX_FAILURE_WIDTH: f32 = 460.0;

impl ModelOpener {
    /// Draws the views over the page.
    pub(in crate::app) fn ui(&mut self, ctx: &Context, theme: &Theme) {
        if ctx.input(|input| !input.raw.hovered_files.is_empty()) {
            draw_drop_hint(ctx, theme, self.drop_purpose);
        }
        if self.draw_progress(ctx, theme) {
            self.cancel();
        }
        self.draw_failure(ctx, theme);
    }

    /// Draws the progress. Returns true if the reader has clicked Cancel.
    fn draw_progress(&mut self, ctx: &Context, theme: &Theme) -> bool {
        let Some(job) = &mut self.job else {
            return false;
        };
        let now_secs = ctx.input(|input| input.time);
        let since_secs = *job.since_secs.get_or_insert(now_secs);
        ctx.request_repaint_after_secs(PROGRESS_INTERVAL_SECS);
        if now_secs - since_secs < PROGRESS_DELAY_SECS {
            return false;
        }
        let mut is_cancelled = false;
        draw_card(ctx, theme, "opening", |ui| {
            let title = ui.label(strong_text(&format!("Opening {}", job.name), 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let fraction = job.fraction();
                let bar = ProgressBar::new(fraction).desired_width(200.0).fill(theme.accent);
                ui.add(bar).labelled_by(title.id);
                ui.label(format!("{:.0} %", f64::from(fraction) * 100.0));
                is_cancelled = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        is_cancelled
    }

    /// Draws the message of a failure until the reader closes it.
    fn draw_failure(&mut self, ctx: &Context, theme: &Theme) {
        let Some((failure, purpose)) = &self.failed else {
            return;
        };
        let purpose = *purpose;
        let mut is_closed = false;
        let mut opens_dialog = false;
        let modal =
            Modal::new(Id::unique("unopened")).frame(frame(theme, theme.wrong)).show(ctx, |ui| {
                name_dialog(ui, "Not opened");
                ui.set_width(MAX_FAILURE_WIDTH.min(ui.ctx().content_rect().width() - 64.0));
                draw_failure_text(ui, theme, failure);
                let button_text = if failure.missing_files.is_empty() {
                    "Open another…"
                } else {
                    draw_missing_files(ui, theme, &failure.missing_files);
                    "Choose the files…"
                };
                ui.add_space(12.0);
                ui.horizontal(|ui| {
                    RightGroup::new(ui, "buttons").show(ui, |ui| {
                        opens_dialog = ui.button(button_text).clicked();
                        is_closed = ui.button("Close").clicked();
                    });
                });
            });
        if opens_dialog {
            self.open_dialog(ctx, purpose);
        } else if is_closed || modal.should_close() {
            self.failed = None;
        }
    }
}

fn draw_failure_text(ui: &mut Ui, theme: &Theme, failure: &OpenFailure) {
    ui.label(strong_text(&format!("“{}” did not open", failure.name), 17.0));
    ui.add_space(4.0);
    let diagnostic = &failure.diagnostic;
    paragraph_ui(ui, theme, &diagnostic.title, INTERFACE_SIZE, Emphasis::Plain);
    if !diagnostic.expected.is_empty() {
        ui.add_space(4.0);
        diagnostic::parts_ui(ui, diagnostic, theme);
    }
    ui.add_space(4.0);
    paragraph_ui(ui, theme, &diagnostic.help, INTERFACE_SIZE, Emphasis::Plain);
    if failure.findings.len() > 1 {
        draw_findings(ui, theme, &failure.findings);
    }
}

/// Maximum number of missing files that are named.
const MAX_NAMED_FILES: usize = 5;

fn draw_missing_files(ui: &mut Ui, theme: &Theme, missing_files: &[String]) {
    let quoted_names: Vec<String> =
        missing_files.iter().take(MAX_NAMED_FILES).map(|name| format!("“{name}”")).collect();
    let names = quoted_names.join(", ");
    let more = match missing_files.len().saturating_sub(MAX_NAMED_FILES) {
        0 => String::new(),
        count => format!(" and {count} more"),
    };
    let text = format!("It names {names}{more}. Drop what is lacking here, or choose it.");
    ui.add_space(4.0);
    paragraph_ui(ui, theme, &text, INTERFACE_SIZE, Emphasis::Plain);
}

/// Draws all findings in a collapsed section.
fn draw_findings(ui: &mut Ui, theme: &Theme, findings: &[Diagnostic]) {
    ui.add_space(8.0);
    let title = RichText::new(format!("See all {} findings", findings.len()));
    egui::CollapsingHeader::new(title.size(SMALL_SIZE).color(theme.accent))
        .id_salt("findings")
        .show(ui, |ui| {
            let height = ui.ctx().content_rect().height() * 0.4;
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                // Keeps the text clear of the scroll bar.
                ui.set_width(ui.available_width() - 14.0);
                for finding in findings {
                    diagnostic::list_entry_ui(ui, finding, theme);
                    ui.add_space(6.0);
                }
            });
        });
}

/// Covers the page with a hint while a file is dragged over it.
fn draw_drop_hint(ctx: &Context, theme: &Theme, purpose: FilePurpose) {
    Area::new(Id::unique("drop here"))
        .order(Order::Foreground)
        .fixed_pos(egui::Pos2::ZERO)
        .interactable(false)
        .fade_in(false)
        .show(ctx, |ui| {
            let screen = ui.ctx().content_rect();
            ui.allocate_rect(screen, Sense::hover());
            ui.painter().rect_filled(screen, 0.0, theme.paper.gamma_multiply(0.86));
            let inner = screen.shrink(20.0);
            let stroke = Stroke::new(2.5, theme.accent);
            ui.painter().rect_stroke(inner, 16.0, stroke, StrokeKind::Inside);
            let text_rect =
                egui::Rect::from_center_size(screen.center(), vec2(inner.width(), 90.0));
            ui.put(text_rect, |ui: &mut Ui| {
                ui.vertical_centered(|ui| {
                    ui.label(strong_text(purpose.drop_title(), 24.0));
                    let description = RichText::new(purpose.drop_description());
                    ui.label(description.size(INTERFACE_SIZE).color(theme.quiet));
                })
                .response
            });
        });
}

/// Draws a card in the middle of the page.
pub(in crate::app) fn draw_card(
    ctx: &Context,
    theme: &Theme,
    id: &str,
    content: impl FnOnce(&mut Ui),
) {
    Area::new(Id::unique(id))
        .order(Order::Foreground)
        .anchor(Align2::CENTER_CENTER, vec2(0.0, 0.0))
        .show(ctx, |ui| {
            frame(theme, theme.accent).show(ui, content);
        });
}

fn frame(theme: &Theme, edge: egui::Color32) -> Frame {
    Frame::NONE
        .fill(theme.panel)
        .stroke(Stroke::new(1.5, edge))
        .corner_radius(8.0)
        .inner_margin(Margin::same(20))
}

pub(in crate::app) fn strong_text(text: &str, size: f32) -> RichText {
    RichText::new(text).family(family::strong()).size(size)
}
