//! What a reader sees of opening: where to drop, how far it is, what failed.

use bindpose_diagnostic::Diagnostic;
use bindpose_page::diagnostic;
use bindpose_page::theme::{INTERFACE, SMALL, Theme, family};
use bindpose_page::widgets::Tip as _;
use bindpose_page::widgets::{Emphasis, RightGroup, name_dialog, note};
use eframe::egui::{
    self, Align2, Area, Context, Frame, Id, Margin, Modal, Order, ProgressBar, RichText, Sense,
    Stroke, StrokeKind, Ui, vec2,
};

use super::{FilePurpose, ModelOpener, OpenFailure};

/// The progress is shown only of what takes longer than this.
const SHOW_AFTER_SECS: f64 = 0.2;

/// How often the progress is looked at.
const LOOK_SECS: f32 = 0.1;

/// Widest window of words, in points.
const WIDE: f32 = 460.0;

impl ModelOpener {
    /// Draws what lies over the page.
    pub(in crate::app) fn show(&mut self, ctx: &Context, theme: &Theme) {
        if ctx.input(|input| !input.raw.hovered_files.is_empty()) {
            drop_hint(ctx, theme, self.drops);
        }
        if self.progress(ctx, theme) {
            self.cancel();
        }
        self.failure(ctx, theme);
    }

    /// How far it is; true when the reader wants it to stop.
    fn progress(&mut self, ctx: &Context, theme: &Theme) -> bool {
        let Some(job) = &mut self.job else {
            return false;
        };
        let now = ctx.input(|input| input.time);
        let since = *job.since_secs.get_or_insert(now);
        ctx.request_repaint_after_secs(LOOK_SECS);
        if now - since < SHOW_AFTER_SECS {
            return false;
        }
        let mut cancel = false;
        card(ctx, theme, "opening", |ui| {
            let told = ui.label(strong(&format!("Opening {}", job.name), 15.0));
            ui.add_space(4.0);
            ui.horizontal(|ui| {
                let fraction = job.fraction();
                let bar = ProgressBar::new(fraction).desired_width(200.0).fill(theme.accent);
                ui.add(bar).labelled_by(told.id);
                ui.label(format!("{:.0} %", f64::from(fraction) * 100.0));
                cancel = ui.button("Cancel").tip("Cancel (Esc)").clicked();
            });
        });
        cancel
    }

    /// What did not open, where it was asked for, until it is closed.
    fn failure(&mut self, ctx: &Context, theme: &Theme) {
        let Some((unopened, purpose)) = &self.failed else {
            return;
        };
        let purpose = *purpose;
        let mut close = false;
        let mut again = false;
        let modal =
            Modal::new(Id::unique("unopened")).frame(frame(theme, theme.wrong)).show(ctx, |ui| {
                name_dialog(ui, "Not opened");
                ui.set_width(WIDE.min(ui.ctx().content_rect().width() - 64.0));
                said(ui, theme, unopened);
                if !unopened.lacks.is_empty() {
                    lacking(ui, theme, &unopened.lacks);
                }
                let words = if unopened.lacks.is_empty() {
                    "Open another…"
                } else {
                    "Choose the files…"
                };
                ui.add_space(12.0);
                at_the_right(ui, |ui| {
                    again = ui.button(words).clicked();
                    close = ui.button("Close").clicked();
                });
            });
        if again {
            self.ask(ctx, purpose);
        } else if close || modal.should_close() {
            self.failed = None;
        }
    }
}

/// One row of buttons, the first at the right.
fn at_the_right(ui: &mut Ui, buttons: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        RightGroup::new(ui, "buttons").show(ui, buttons);
    });
}

fn said(ui: &mut Ui, theme: &Theme, unopened: &OpenFailure) {
    ui.label(strong(&format!("“{}” did not open", unopened.name), 17.0));
    ui.add_space(4.0);
    let wrong = &unopened.wrong;
    note(ui, theme, &wrong.title, INTERFACE, Emphasis::Plain);
    if !wrong.expected.is_empty() {
        ui.add_space(4.0);
        diagnostic::parts(ui, wrong, theme);
    }
    ui.add_space(4.0);
    note(ui, theme, &wrong.help, INTERFACE, Emphasis::Plain);
    if unopened.findings.len() > 1 {
        findings(ui, theme, &unopened.findings);
    }
}

/// Names of at most this many files that are lacking are told.
const MOST_LACKING: usize = 5;

fn lacking(ui: &mut Ui, theme: &Theme, lacks: &[String]) {
    let names = lacks.iter().take(MOST_LACKING);
    let names: Vec<String> = names.map(|name| format!("“{name}”")).collect();
    let more = match lacks.len().saturating_sub(MOST_LACKING) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let names = names.join(", ");
    let words = format!("It names {names}{more}. Drop what is lacking here, or choose it.");
    ui.add_space(4.0);
    note(ui, theme, &words, INTERFACE, Emphasis::Plain);
}

/// All that was found, on asking.
fn findings(ui: &mut Ui, theme: &Theme, findings: &[Diagnostic]) {
    ui.add_space(8.0);
    let title = RichText::new(format!("See all {} findings", findings.len()));
    egui::CollapsingHeader::new(title.size(SMALL).color(theme.accent)).id_salt("findings").show(
        ui,
        |ui| {
            let height = ui.ctx().content_rect().height() * 0.4;
            egui::ScrollArea::vertical().max_height(height).show(ui, |ui| {
                // The bar must not lie on the words.
                ui.set_width(ui.available_width() - 14.0);
                for finding in findings {
                    diagnostic::in_list(ui, finding, theme);
                    ui.add_space(6.0);
                }
            });
        },
    );
}

/// All over the page: a file let go here is opened.
fn drop_hint(ctx: &Context, theme: &Theme, purpose: FilePurpose) {
    Area::new(Id::unique("drop here"))
        .order(Order::Foreground)
        .fixed_pos(egui::Pos2::ZERO)
        .interactable(false)
        .fade_in(false)
        .show(ctx, |ui| {
            let all = ui.ctx().content_rect();
            ui.allocate_rect(all, Sense::hover());
            ui.painter().rect_filled(all, 0.0, theme.paper.gamma_multiply(0.86));
            let inner = all.shrink(20.0);
            let stroke = Stroke::new(2.5, theme.accent);
            ui.painter().rect_stroke(inner, 16.0, stroke, StrokeKind::Inside);
            let middle = egui::Rect::from_center_size(all.center(), vec2(inner.width(), 90.0));
            ui.put(middle, |ui: &mut Ui| {
                ui.vertical_centered(|ui| {
                    let (title, words) = purpose.drop_words();
                    ui.label(strong(title, 24.0));
                    ui.label(RichText::new(words).size(INTERFACE).color(theme.quiet));
                })
                .response
            });
        });
}

/// A card over the foot of the page.
pub(in crate::app) fn card(ctx: &Context, theme: &Theme, id: &str, content: impl FnOnce(&mut Ui)) {
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

pub(in crate::app) fn strong(text: &str, size: f32) -> RichText {
    RichText::new(text).family(family::strong()).size(size)
}
