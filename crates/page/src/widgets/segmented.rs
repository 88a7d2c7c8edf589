//! A row of choices of which one holds.

use eframe::egui::{
    self, Align2, Color32, CornerRadius, FontId, Rect, Sense, Stroke, StrokeKind, Ui, WidgetInfo,
    vec2,
};

use super::PaintText;
use super::tip::Tip as _;
use crate::theme::{CAPTION, SMALL, Theme, font};

/// One choice.
pub struct SegmentedChoice<'a> {
    /// In large.
    pub text: &'a str,
    /// In small, below; may be empty.
    pub detail: String,
    /// A sentence for the pointer and for screen readers.
    pub tooltip: &'a str,
}

/// Choices without details, each with its text and tooltip; answers with what was
/// chosen now.
pub fn choose<T: Copy + PartialEq>(
    ui: &mut Ui,
    theme: &Theme,
    options: &[(T, &str, &str)],
    now: T,
    alarm: bool,
) -> Option<T> {
    let segments: Vec<SegmentedChoice<'_>> = options
        .iter()
        .map(|&(_, text, tooltip)| SegmentedChoice { text, detail: String::new(), tooltip })
        .collect();
    let current = options.iter().position(|&(option, ..)| option == now);
    let chosen = segmented(ui, theme, &segments, current.unwrap_or(0), alarm)?;
    options.get(chosen).map(|&(option, ..)| option)
}

/// Shows the choices side by side, or stacked where they don't fit. Answers
/// with the one that was chosen now. `alarm` colours the current choice as
/// something wrong.
pub fn segmented(
    ui: &mut Ui,
    theme: &Theme,
    segments: &[SegmentedChoice<'_>],
    current: usize,
    alarm: bool,
) -> Option<usize> {
    let width = ui.available_width();
    let count = segments.len().max(1);
    let widest = segments.iter().map(|segment| {
        let text = segment.text.to_owned();
        let line = ui.painter().layout_no_wrap(text, font::strong(SMALL), theme.ink);
        line.size().x + 16.0
    });
    let least = widest.fold(104.0, f32::max);
    let columns = [count, count.div_ceil(2), 1]
        .into_iter()
        .find(|&columns| width / columns as f32 >= least)
        .unwrap_or(1);
    let rows = count.div_ceil(columns);
    let detailed = segments.iter().any(|segment| !segment.detail.is_empty());
    let height = if detailed { 50.0 } else { 32.0 };
    let (area, _) = ui.allocate_exact_size(vec2(width, height * rows as f32), Sense::hover());
    let mut chosen = None;
    let fill = if alarm { theme.wrong } else { theme.accent };
    ui.painter().rect_filled(area, 8.0, theme.paper);
    for (index, segment) in segments.iter().enumerate() {
        let (row, column) = (index / columns, index % columns);
        let size = vec2(width / columns as f32, height);
        let min = area.min + vec2(size.x * column as f32, size.y * row as f32);
        let rect = Rect::from_min_size(min, size);
        let response = ui
            .interact(rect, ui.scope_id().with((segments[0].text, index)), Sense::click())
            .tip(segment.tooltip);
        let on = index == current;
        response.widget_info(|| {
            WidgetInfo::selected(egui::Role::RadioButton, ui.is_enabled(), on, segment.text)
        });
        if response.clicked() {
            chosen = Some(index);
        }
        let ground = if on {
            fill
        } else if response.hovered() || response.has_focus() {
            theme.accent_wash
        } else {
            Color32::TRANSPARENT
        };
        let round = |corner: bool| if corner { 8 } else { 0 };
        let corners = CornerRadius {
            nw: round(row == 0 && column == 0),
            sw: round(row + 1 == rows && column == 0),
            ne: round(row == 0 && column + 1 == columns),
            se: round(index + 1 == count),
        };
        ui.painter().rect_filled(rect, corners, ground);
        if column > 0 {
            ui.painter()
                .line_segment([rect.left_top(), rect.left_bottom()], Stroke::new(1.0, theme.rule));
        }
        let ink = on.then(|| theme.on_fill(fill));
        paint_words(ui, theme, segment, rect, ink, detailed);
    }
    ui.painter().rect_stroke(area, 8.0, Stroke::new(1.0, theme.rule), StrokeKind::Inside);
    chosen
}

/// The words of one choice; `ink` is set for the one that holds.
fn paint_words(
    ui: &Ui,
    theme: &Theme,
    segment: &SegmentedChoice<'_>,
    rect: Rect,
    ink: Option<Color32>,
    detailed: bool,
) {
    let (center, color) = (rect.center(), ink.unwrap_or(theme.ink));
    let rise = if detailed { 10.0 } else { 0.0 };
    let at = center - vec2(0.0, rise);
    let font = font::text(SMALL, ink.is_some());
    ui.painter().text_centered(at, segment.text, font, color);
    if detailed {
        let at = center + vec2(0.0, 11.0);
        let quiet = ink.unwrap_or(theme.quiet);
        fitted(ui, &segment.detail, at, rect.width() - 12.0, quiet);
    }
}

/// Monospace text centred at `at`, smaller where it would not fit.
fn fitted(ui: &Ui, text: &str, at: eframe::egui::Pos2, width: f32, color: Color32) {
    let layout =
        |size: f32| ui.painter().layout_no_wrap(text.to_owned(), FontId::monospace(size), color);
    let mut galley = layout(CAPTION);
    if galley.size().x > width {
        galley = layout((CAPTION * width / galley.size().x).max(9.0));
    }
    let rect = Align2::CENTER_CENTER.anchor_size(at, galley.size());
    ui.painter().galley(rect.min, galley, color);
}
