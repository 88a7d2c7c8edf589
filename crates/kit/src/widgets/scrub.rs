//! A number that can be dragged and typed: in prose, tables, matrices, on sliders and in
//! plots.
//!
//! [`Scrub`] holds the number and its interaction. Its appearance is up to the caller: a
//! field in a table ([`Scrub::show`]), a [`Slider`], text in running prose, or a plot.

mod drag;
mod input;
#[cfg(test)]
mod tests;

pub use drag::{NumberMove, Rail, Slider, compute_number_move, is_number_set};
pub use input::{TypedNumber, take_typed_number};

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use bindpose_lesson::{MAX_NUMBER_ABS, NumberFormat, number_text};
use eframe::egui::{
    Align2, Color32, CursorIcon, Direction, FontFamily, FontId, Id, Layout, Margin, Rect, Response,
    Role, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2,
};

use crate::theme::family;
use crate::touch;
use crate::widgets::{PaintText, Tip as _, tip_below_group};

/// Limit of an angle from which its range is described in turns, in radians.
const MIN_TURNS_LIMIT_RAD: f64 = 10.0 * TAU;

/// A change by the reader to a [`Scrub`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScrubChange {
    /// A new value, in the unit of the `value` of [`Scrub::new`].
    Set(f64),
    /// Resets the number to the value of the step.
    Reset,
}

impl ScrubChange {
    /// Returns the new value, which is `default` after a reset.
    pub fn value_or(self, default: f64) -> f64 {
        match self {
            Self::Set(value) => value,
            Self::Reset => default,
        }
    }
}

/// A number that can be dragged and typed. It keeps no value of its own: the caller
/// applies the change and passes the new value in the next frame.
#[derive(Clone, Debug)]
#[must_use = "call show"]
pub struct Scrub {
    id: Id,
    value: f64,
    format: NumberFormat,
    whole: bool,
    range: Option<(f64, f64)>,
    limits: (f64, f64),
    step: Option<f64>,
    in_steps: bool,
    steps_per_point: f64,
    label: String,
    changed: bool,
    chars: usize,
    font: Option<FontId>,
    color: Option<Color32>,
    /// Rectangle of a group of numbers that share their hint.
    group: Option<Rect>,
}

impl Scrub {
    /// `id` must be stable and unique on the page: slugs, not positions. `label` is the
    /// accessible name, such as `weight of joint 1 on v2`.
    pub fn new(
        id: impl std::hash::Hash + std::fmt::Debug,
        value: f64,
        label: impl Into<String>,
    ) -> Self {
        Self::with_id(Id::unique(("scrub", id)), value, label)
    }

    /// Creates the number for a widget with an id of its own, which is clicked and
    /// dragged.
    pub fn with_id(id: Id, value: f64, label: impl Into<String>) -> Self {
        Self {
            id,
            value,
            format: NumberFormat { decimals: 2, ..NumberFormat::default() },
            whole: false,
            range: None,
            limits: (-MAX_NUMBER_ABS, MAX_NUMBER_ABS),
            step: None,
            in_steps: false,
            steps_per_point: 1.0,
            label: label.into(),
            changed: false,
            chars: 0,
            font: None,
            color: None,
            group: None,
        }
    }

    /// Makes the number one of a group in this rectangle. The hint on how to use it is below
    /// the group, and is shown for one of its numbers alone.
    pub fn in_group(mut self, group: Rect) -> Self {
        self.group = Some(group);
        self
    }

    /// Sets the text color. The default is the accent color, which is hard to read on
    /// some backgrounds.
    pub fn color(mut self, color: Color32) -> Self {
        self.color = Some(color);
        self
    }

    /// Sets the number of decimals. The default is 2.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.format.decimals = decimals;
        self
    }

    /// Allows only whole numbers and shows no decimals.
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self.decimals(0)
    }

    /// Sets the unit after the number. With `°`, the value, range and changes are in
    /// radians, with `%` they are fractions, while the reader sees and types degrees and
    /// percent.
    pub fn suffix(mut self, suffix: impl Into<String>) -> Self {
        self.format.suffix = suffix.into();
        self
    }

    /// Limits dragging and keys, and typed values unless [`Scrub::limits`] is called
    /// afterwards.
    pub fn range(mut self, range: RangeInclusive<f64>) -> Self {
        self.range = Some((*range.start(), *range.end()));
        self.limits(range)
    }

    /// Limits typed values, and dragging and keys if no range is set.
    pub fn limits(mut self, limits: RangeInclusive<f64>) -> Self {
        self.limits = (*limits.start(), *limits.end());
        self
    }

    /// Sets the step of the arrow keys, in displayed units. The default is 1° or one unit
    /// of the last digit.
    pub fn step(mut self, step: f64) -> Self {
        self.step = Some(step);
        self
    }

    /// Sets the step as [`Self::step`] does, for dragging and sliders too.
    pub fn in_steps(self, step: f64) -> Self {
        Self { in_steps: true, ..self.step(step) }
    }

    /// Sets the number of steps per point of dragging. The default is 1.
    pub fn steps_per_point(mut self, steps: f64) -> Self {
        self.steps_per_point = steps;
        self
    }

    /// Marks a number that differs from its default, which is bold in a table.
    pub fn changed(mut self, changed: bool) -> Self {
        self.changed = changed;
        self
    }

    /// Reserves space for a number of characters in a table, so that neighbors do not
    /// move.
    pub fn chars(mut self, chars: usize) -> Self {
        self.chars = chars;
        self
    }

    /// Sets the font in a table. The default is the monospace font of the style.
    pub fn font(mut self, font: FontId) -> Self {
        self.font = Some(font);
        self
    }

    /// Returns the displayed text, including the unit.
    pub fn text(&self) -> String {
        let number = number_text::fixed(self.displayed_value(), self.format.decimals);
        format!("{number}{}", self.format.suffix)
    }

    /// Returns the hint on how to use the number.
    pub fn hint(ui: &Ui) -> String {
        if touch::is_touch_active(ui.ctx()) {
            return "Drag sideways, or tap to type. A double tap resets.".to_owned();
        }
        let coarse_key = if ui.ctx().os().is_mac() { "Command" } else { "Ctrl" };
        format!(
            "Drag, or click to type. Double-click resets; Shift drags finely, {coarse_key} coarsely."
        )
    }

    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// Limits of dragging, in stored units.
    pub(super) fn drag_limits(&self) -> (f64, f64) {
        self.range.unwrap_or(self.limits)
    }

    fn displayed_value(&self) -> f64 {
        self.value * self.format.shown_per_stored()
    }

    fn is_angle(&self) -> bool {
        self.format.suffix.starts_with('°')
    }

    fn stored_from_displayed(&self, displayed: f64) -> f64 {
        if self.is_angle() {
            // Exactly the value of `45deg` in a link.
            displayed.to_radians()
        } else {
            displayed / self.format.shown_per_stored()
        }
    }

    /// Parses typed text. Returns `None` if it is not a number or not an allowed one.
    fn parse(&self, typed: &str) -> Option<ScrubChange> {
        self.accept(self.format.read(typed)?)
    }

    fn accept(&self, value: f64) -> Option<ScrubChange> {
        let (low, high) = self.limits;
        // The displayed limit is rounded, so that it may be slightly beyond the limit.
        let tolerance = 1e-6 * (1.0 + value.abs());
        let is_within_limits = value >= low - tolerance && value <= high + tolerance;
        let is_allowed = is_within_limits && (!self.whole || value.fract() == 0.0);
        is_allowed.then(|| ScrubChange::Set(value.clamp(low, high)))
    }

    /// Describes the allowed values, as in `a number from −180° to 180°, as 45, pi/4 or
    /// 0.8rad`.
    fn describe_allowed(&self) -> String {
        // Large angles are easier to read in turns than in degrees.
        let in_turns = self.is_angle() && self.limits.1 >= MIN_TURNS_LIMIT_RAD;
        let (kind, examples) = match self.format.suffix.chars().next() {
            _ if self.whole => ("a whole number", ""),
            Some('°') if in_turns => ("a number", ", as 45°, pi/4 or 0.8rad"),
            Some('°') => ("a number", ", as 45, pi/4 or 0.8rad"),
            Some('%') => ("a number", ", as 50"),
            _ => ("a number", ", as 0.5 or 1/3"),
        };
        let low = self.format_limit(self.limits.0, in_turns);
        let high = self.format_limit(self.limits.1, in_turns);
        format!("{kind} from {low} to {high}{examples}")
    }

    fn format_limit(&self, limit: f64, in_turns: bool) -> String {
        if in_turns {
            return format!("{} turns", number_text::fixed((limit / TAU).trunc(), 0));
        }
        let displayed = limit * self.format.shown_per_stored();
        let digits = number_text::fixed(displayed, self.format.decimals);
        let trimmed = if digits.contains('.') {
            digits.trim_end_matches('0').trim_end_matches('.')
        } else {
            &digits
        };
        format!("{trimmed}{}", self.format.suffix)
    }
}

// The number in a table: right-aligned, with a dotted underline.

impl Scrub {
    /// Size of the number, for callers that place it themselves.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let font = self.resolve_font(ui);
        let (digit_width, row_height) =
            ui.fonts_mut(|fonts| (fonts.glyph_width(&font, '0'), fonts.row_height(&font)));
        let char_count = self.text().chars().count().max(self.chars);
        vec2(char_count as f32 * digit_width, row_height + 4.0)
    }

    /// Draws the number in the layout of `ui`.
    pub fn show(&self, ui: &mut Ui) -> Option<ScrubChange> {
        let (rect, _) = ui.allocate_exact_size(self.size(ui), Sense::hover());
        self.show_at(ui, rect)
    }

    /// Draws the number in a rectangle that the caller has allocated.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect) -> Option<ScrubChange> {
        if self.is_typed(ui) {
            return self.typing_ui(ui, |ui, edit, is_refused| {
                let field_rect = self.field_rect(ui, rect);
                let visuals = ui.visuals();
                let edge_color =
                    if is_refused { visuals.error_fg_color } else { visuals.hyperlink_color };
                ui.painter().rect(
                    field_rect,
                    3.0,
                    visuals.extreme_bg_color,
                    Stroke::new(1.5, edge_color),
                    StrokeKind::Outside,
                );
                // A child with its own salt, so that later ids do not shift.
                let mut child = ui.new_child(
                    UiBuilder::new()
                        .id_salt(self.id.with("typing"))
                        .max_rect(field_rect)
                        .layout(Layout::centered_and_justified(Direction::TopDown)),
                );
                // Otherwise the field is as high as a button and lower than its space.
                child.spacing_mut().interact_size.y = 0.0;
                let row_height = ui.fonts_mut(|fonts| fonts.row_height(&self.resolve_font(ui)));
                let vertical_margin =
                    ((field_rect.height() - row_height) / 2.0).floor().max(0.0) as i8;
                child.add(
                    edit.font(self.resolve_font(ui))
                        .margin(Margin::symmetric(3, vertical_margin))
                        .align(Align2::RIGHT_CENTER)
                        .desired_width(field_rect.width() - 6.0)
                        .clip_text(true),
                )
            });
        }
        let response = ui.interact(rect, self.id, Sense::click_and_drag());
        let change = self.interact(ui, &response);
        self.paint(ui, rect, &response);
        self.describe(ui, &response, Role::SpinButton);
        let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        if let Some(group) = self.group {
            tip_below_group(&response, &Self::hint(ui), group);
        } else {
            response.tip(Self::hint(ui));
        }
        change
    }

    /// Rectangle of the text field: one digit wider than the number, overlapping its
    /// neighbors, so that the text is not clipped. A number by itself has its name to the
    /// left, which stays free.
    fn field_rect(&self, ui: &Ui, rect: Rect) -> Rect {
        let size = self.size(ui);
        let digit_width = size.x / self.text().chars().count().max(self.chars).max(1) as f32;
        let width = (size.x + digit_width + 8.0).max(rect.width() + 8.0);
        let height = size.y.max(rect.height());
        let left =
            if self.group.is_some() { rect.right() + 4.0 - width } else { rect.left() - 4.0 };
        // Moves the field sideways instead of clipping it at an edge of the page.
        let page = ui.clip_rect().shrink2(vec2(2.0, 0.0));
        let left = left.min(page.right() - width).max(page.left());
        Rect::from_min_size(pos2(left, rect.center().y - height / 2.0), vec2(width, height))
    }

    fn resolve_font(&self, ui: &Ui) -> FontId {
        let mut font =
            self.font.clone().unwrap_or_else(|| TextStyle::Monospace.resolve(ui.style()));
        if self.changed && font.family == FontFamily::Monospace {
            font.family = family::mono_strong();
        }
        font
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response) {
        if !ui.is_rect_visible(rect) {
            return;
        }
        let visuals = ui.visuals();
        let accent = self.color.unwrap_or(visuals.hyperlink_color);
        let background = rect.expand2(vec2(3.0, 0.0));
        if response.hovered() || response.dragged() {
            ui.painter().rect_filled(background, 3.0, visuals.selection.bg_fill);
        }
        let text = ui.painter().text_right(
            rect.right_center(),
            self.text(),
            self.resolve_font(ui),
            accent,
        );
        // A dotted underline marks everything that can be dragged.
        let underline_y = text.bottom() - 1.0;
        let ends = [pos2(text.left(), underline_y), pos2(text.right(), underline_y)];
        ui.painter().extend(Shape::dotted_line(&ends, accent, 3.0, 0.7));
    }
}
