//! Listings: highlighted code in a panel, with a button that copies it.

use bindpose_lesson::pieces;
use eframe::egui::{
    Button, Color32, CursorIcon, FontId, Galley, Label, Rangef, Rect, RichText, Role, Shape,
    TextFormat, Ui, UiBuilder, WidgetInfo, text::LayoutJob, vec2,
};

use crate::icons;
use crate::theme::{ICON_SIZE, SMALL_SIZE, Theme, font};
use crate::widgets::{Tip as _, highlight_shape, panel};

/// Height of a line of code, in points.
const LINE_HEIGHT_PTS: f32 = 20.0;

/// Minimum type size of a listing with long lines, in points.
const MIN_SIZE_PTS: f32 = 11.0;

/// Highlights source code. Code in an unknown language stays plain.
pub fn highlight(language_name: &str, source: &str, theme: &Theme) -> LayoutJob {
    let mut job = LayoutJob::default();
    for (kind, range) in pieces(language_name, source) {
        let color = theme.syntax.get(kind as usize).copied().unwrap_or(theme.ink);
        let format = TextFormat {
            font_id: FontId::monospace(SMALL_SIZE),
            color,
            line_height: Some(LINE_HEIGHT_PTS),
            ..TextFormat::default()
        };
        job.append(&source[range], 0.0, format);
    }
    job
}

/// Draws a listing in a panel with a button that copies it. Long lines reduce the type
/// size, and wrap if they still do not fit. The line with the index `lit_line` is lit.
pub fn listing_ui(
    ui: &mut Ui,
    language_name: &str,
    source: &str,
    lit_line: Option<usize>,
    theme: &Theme,
) {
    let panel = panel(ui, theme, |ui| {
        let width = ui.available_width();
        ui.set_width(width);
        source_ui(ui, language_name, source, lit_line, theme);
    })
    .response;
    copy_button(ui, panel.rect, source, theme);
}

/// Draws highlighted source code in the available width, without a panel. The line with the
/// index `lit_line` is lit.
pub fn source_ui(
    ui: &mut Ui,
    language_name: &str,
    source: &str,
    lit_line: Option<usize>,
    theme: &Theme,
) {
    let width = ui.available_width();
    let size = fitting_font_size(ui, source, width);
    let mut job = with_font_size(highlight(language_name, source, theme), size);
    job.wrap.max_width = width;
    let lit_range = lit_line.and_then(|line| {
        let galley = ui.fonts_mut(|fonts| fonts.layout_job(job.clone()));
        y_range_of_line(&galley, line)
    });
    let background = ui.painter().add(Shape::Noop);
    let response = ui.add(Label::new(job).wrap());
    if let Some(range) = lit_range {
        let rect = Rect::from_x_y_ranges(
            response.rect.left() - 4.0..=response.rect.left() + width + 4.0,
            response.rect.top() + range.min..=response.rect.top() + range.max,
        );
        ui.painter().set(background, highlight_shape(theme, rect, 4.0));
    }
}

/// Returns the vertical range of a line of code, which may be wrapped, from the top of the
/// text. Returns `None` if there is no such line.
fn y_range_of_line(galley: &Galley, line: usize) -> Option<Rangef> {
    let mut row_line = 0;
    let mut range: Option<Rangef> = None;
    for row in &galley.rows {
        if row_line == line {
            let y_range = row.rect().y_range();
            range = Some(range.map_or(y_range, |range| Rangef::new(range.min, y_range.max)));
        }
        row_line += usize::from(row.ends_with_newline);
    }
    range
}

/// Returns the type size at which the longest line fits in `width`, within legible
/// limits, in points.
pub fn fitting_font_size(ui: &Ui, source: &str, width: f32) -> f32 {
    let longest_line = source.lines().map(|line| line.chars().count()).max();
    let glyph_width = ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(SMALL_SIZE), '0'));
    let natural_width = longest_line.unwrap_or(0) as f32 * glyph_width;
    let size = (SMALL_SIZE * width / natural_width.max(1.0)).floor();
    size.clamp(MIN_SIZE_PTS, SMALL_SIZE)
}

/// Returns the height of a line of code in type of this size, in points.
pub fn line_height(size: f32) -> f32 {
    (LINE_HEIGHT_PTS * size / SMALL_SIZE).round()
}

/// Returns the highlighted code in type of another size.
pub fn with_font_size(mut job: LayoutJob, size: f32) -> LayoutJob {
    for section in &mut job.sections {
        section.format.font_id.size = size;
        section.format.line_height = Some(line_height(size));
    }
    job
}

/// Draws the button in the corner that copies the listing. Invisible until the pointer is
/// over the listing.
fn copy_button(ui: &mut Ui, panel: Rect, source: &str, theme: &Theme) {
    let rect = Rect::from_min_size(panel.right_top() + vec2(-36.0, 8.0), vec2(28.0, 26.0));
    if !panel.is_positive() || panel.width() < 120.0 {
        return;
    }
    let mut corner = ui.new_child(UiBuilder::new().max_rect(rect).id_salt("copy"));
    let id = corner.next_auto_id();
    let is_visible = ui.rect_contains_pointer(panel) || ui.memory(|memory| memory.has_focus(id));
    let (icon_color, fill) = if is_visible {
        (theme.quiet, theme.panel)
    } else {
        (Color32::TRANSPARENT, Color32::TRANSPARENT)
    };
    let icon = RichText::new(icons::COPY).color(icon_color);
    let font = font::icon(ICON_SIZE);
    let button = Button::new(icon.font(font)).fill(fill).frame(is_visible);
    let response =
        corner.add_sized(rect.size(), button).on_hover_cursor(CursorIcon::PointingHand).tip("Copy");
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Copy listing"));
    if response.clicked() {
        ui.ctx().copy_text(source.to_owned());
    }
}
