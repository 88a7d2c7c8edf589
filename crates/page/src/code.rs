//! Listings: monospace in a panel, in the colours of what its pieces are.

use bindpose_lesson::pieces;

use crate::widgets::Tip as _;
use crate::widgets::panel;

use eframe::egui::{
    self, Button, Color32, CursorIcon, FontId, Rect, Role, TextFormat, Ui, UiBuilder, WidgetInfo,
    text::LayoutJob, vec2,
};

use super::icons;
use super::theme::{ICON, SMALL, Theme, font};

/// Of a line of code, in points.
pub const LINE_HEIGHT: f32 = 20.0;

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
pub fn source_ui(ui: &mut Ui, language_name: &str, source: &str, theme: &Theme) {
    let width = ui.available_width();
    let job = fitted(ui, highlight(language_name, source, theme), width);
    ui.add(egui::Label::new(job).wrap());
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
    let icon = egui::RichText::new(icons::COPY).color(ink);
    let font = font::icon(ICON);
    let button = Button::new(icon.font(font)).fill(fill).frame(shown);
    let response =
        corner.add_sized(rect.size(), button).on_hover_cursor(CursorIcon::PointingHand).tip("Copy");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy listing"));
    if response.clicked() {
        ui.ctx().copy_text(source.to_owned());
    }
}
