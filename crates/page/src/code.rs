//! Listings: monospace in a panel, in the colours of what its pieces are; and whole
//! programs among the prose, with their name and a button that copies them.

use bindpose_lesson::pieces;
use eframe::egui::{
    Button, Color32, CursorIcon, FontId, Label, Rect, RichText, Role, TextFormat, Ui, UiBuilder,
    WidgetInfo, text::LayoutJob, vec2,
};

use super::theme::{CAPTION, ICON, SMALL, Theme, font};
use super::{PageContext, icons};
use crate::widgets::{RightGroup, Tip as _, panel, small_button};

/// Of a line of code, in points.
const LINE_HEIGHT: f32 = 20.0;

/// Type of a listing with long lines, in points.
const LEAST_SIZE: f32 = 11.0;

/// Source with its colours; one that is not known stays plain.
pub fn highlight(language_name: &str, source: &str, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (kind, range) in pieces(language_name, source) {
        let color = theme.syntax.get(kind as usize).copied().unwrap_or(theme.ink);
        let format = TextFormat {
            font_id: FontId::monospace(SMALL),
            color,
            line_height: Some(LINE_HEIGHT),
            ..TextFormat::default()
        };
        job.append(&source[range], 0.0, format);
    }
    job
}

/// A listing in its panel: in smaller type where its lines are long, and wrapped
/// where they are longer still; copied at a click.
pub fn listing_ui(ui: &mut Ui, language_name: &str, source: &str, theme: &Theme) {
    let panel = panel(ui, theme, |ui| {
        let width = ui.available_width();
        ui.set_width(width);
        source_ui(ui, language_name, source, theme);
    })
    .response;
    copy_button(ui, panel.rect, source, theme);
}

/// Source in its colours, as wide as there is room, without a panel.
fn source_ui(ui: &mut Ui, language_name: &str, source: &str, theme: &Theme) {
    let width = ui.available_width();
    let job = fitted(ui, highlight(language_name, source, theme), width);
    ui.add(Label::new(job).wrap());
}

fn fitted(ui: &Ui, job: LayoutJob, width: f32) -> LayoutJob {
    let size = size_for(ui, &job.text, width);
    let mut job = in_size(job, size);
    job.wrap.max_width = width;
    job
}

/// As small as the longest line needs in `width`, but to be read; in points.
pub fn size_for(ui: &Ui, source: &str, width: f32) -> f32 {
    let longest = source.lines().map(|line| line.chars().count()).max();
    let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(SMALL), '0'));
    let needed = longest.unwrap_or(0) as f32 * glyph;
    let size = (SMALL * width / needed.max(1.0)).floor();
    size.clamp(LEAST_SIZE, SMALL)
}

/// Height of a line of code in type of this size, in points.
pub fn line_height(size: f32) -> f32 {
    (LINE_HEIGHT * size / SMALL).round()
}

/// The same in type of another size.
pub fn in_size(mut job: LayoutJob, size: f32) -> LayoutJob {
    for section in &mut job.sections {
        section.format.font_id.size = size;
        section.format.line_height = Some(line_height(size));
    }
    job
}

/// In the corner, quiet until the pointer is over the listing.
fn copy_button(ui: &mut Ui, panel: Rect, source: &str, theme: &Theme) {
    let rect = Rect::from_min_size(panel.right_top() + vec2(-36.0, 8.0), vec2(28.0, 26.0));
    if !panel.is_positive() || panel.width() < 120.0 {
        return;
    }
    let mut corner = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("copy"));
    let id = corner.next_auto_id();
    let shown = ui.rect_contains_pointer(panel) || ui.memory(|memory| memory.has_focus(id));
    let (ink, fill) = if shown {
        (theme.quiet, theme.panel)
    } else {
        (Color32::TRANSPARENT, Color32::TRANSPARENT)
    };
    let icon = RichText::new(icons::COPY).color(ink);
    let font = font::icon(ICON);
    let button = Button::new(icon.font(font)).fill(fill).frame(shown);
    let response =
        corner.add_sized(rect.size(), button).on_hover_cursor(CursorIcon::PointingHand).tip("Copy");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy listing"));
    if response.clicked() {
        ui.ctx().copy_text(source.to_owned());
    }
}

// Whole programs. Long ones show their beginning, so that what follows stays near.

/// Programs of more lines than this are folded.
const MOST_LINES: usize = 24;
/// Of a folded one, so many are shown.
const FOLDED_LINES: usize = 12;

/// What a listing keeps from frame to frame.
#[derive(Default)]
struct ListingState {
    /// Is all of it shown?
    all: bool,
}

/// A listing that stands for a program. `name` is unique in all lessons.
pub fn program_ui(
    ui: &mut Ui,
    language: &str,
    name: &str,
    source: &str,
    page: &mut PageContext<'_>,
) {
    let theme = page.theme;
    let memory: &mut ListingState = page.state(&format!("listing {name}"));
    let lines = source.lines().count();
    panel(ui, theme, |ui| {
        ui.spacing_mut().item_spacing.y = 8.0;
        ui.horizontal(|ui| {
            let words = format!("{name}, {}, {lines} lines", language_words(language));
            let words = RichText::new(words).size(CAPTION).color(theme.quiet);
            let copying = RightGroup::new(ui, "copy");
            ui.scope(|ui| {
                ui.set_max_width(copying.rest.width());
                ui.add(Label::new(words).truncate());
            });
            copying.show(ui, |ui| {
                let copy = ui.add(small_button("Copy"));
                if copy.tip("Copy the whole program").clicked() {
                    ui.ctx().copy_text(format!("{source}\n"));
                }
            });
        });
        let folds = lines > MOST_LINES;
        let shown = if folds && !memory.all { first_lines(source, FOLDED_LINES) } else { source };
        source_ui(ui, language, shown, theme);
        if folds {
            let words = if memory.all {
                format!("Show the first {FOLDED_LINES} lines")
            } else {
                format!("Show all {lines} lines")
            };
            if ui.button(RichText::new(words).size(SMALL)).clicked() {
                memory.all = !memory.all;
            }
        }
    });
}

fn first_lines(source: &str, count: usize) -> &str {
    let end = source.match_indices('\n').nth(count.saturating_sub(1));
    end.map_or(source, |(at, _)| &source[..at])
}

/// As its makers write it.
fn language_words(language: &str) -> &str {
    match language {
        "glsl" => "GLSL",
        "rust" => "Rust",
        "js" => "JavaScript",
        other => other,
    }
}
