//! A number to drag: in prose, in tables, in matrices, on a slider, in a plot.
//!
//! [`Scrub`] is what the number is and what the reader does to it; how it looks
//! is for those who paint it: a field in a table ([`Scrub::show`]), a
//! [`Slider`], a word in running prose, a plot.

mod drag;
mod input;
#[cfg(test)]
mod tests;

pub use drag::{NumberMove, Rail, Slider, is_number_put, moved_number};
pub use input::{NumberTyped, take_typed};

use std::f64::consts::TAU;
use std::ops::RangeInclusive;

use bindpose_lesson::{MAX_NUMBER_ABS, NumberFormat};
use bindpose_notebook::number_text;
use eframe::egui::{
    Align2, Color32, CursorIcon, Direction, FontFamily, FontId, Id, Layout, Margin, Rect, Response,
    Role, Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, UiBuilder, Vec2, pos2, vec2,
};

use crate::theme::family;
use crate::touch;
use crate::widgets::{PaintText, Tip as _};

/// An angle that may go farther is told in turns.
const MANY_TURNS_RAD: f64 = 10.0 * TAU;

/// What the reader did to a [`Scrub`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScrubChange {
    /// Put it to this value, in the unit of [`Scrub::new`]'s `value`.
    Set(f64),
    /// Back to what the step gives.
    Reset,
}

impl ScrubChange {
    /// The new value, which is `default` after a reset.
    pub fn or(self, default: f64) -> f64 {
        match self {
            Self::Set(value) => value,
            Self::Reset => default,
        }
    }
}

/// A number to drag. Nothing is kept here: the caller applies the change and
/// hands in the new value in the next frame.
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
}

impl Scrub {
    /// `id` must be stable and unique on the page: slugs, not positions. `label`
    /// names the number to those who cannot see it: `weight of joint 1 on v2`.
    pub fn new(
        id: impl std::hash::Hash + std::fmt::Debug,
        value: f64,
        label: impl Into<String>,
    ) -> Self {
        Self::with_id(Id::unique(("scrub", id)), value, label)
    }

    /// For a widget that has an id: that of what is clicked and dragged.
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
        }
    }

    /// The accent if not said: something else where that is hard to read.
    pub fn color(mut self, color: Color32) -> Self {
        self.color = Some(color);
        self
    }

    /// Digits after the point; 2 if not said.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.format.decimals = decimals;
        self
    }

    /// Whole numbers only, shown without a point.
    pub fn whole(mut self) -> Self {
        self.whole = true;
        self.decimals(0)
    }

    /// Written after the number. With `°`, `value`, range and change are radians;
    /// with `%`, fractions: what is shown and typed is degrees and percent.
    pub fn suffix(mut self, suffix: impl Into<String>) -> Self {
        self.format.suffix = suffix.into();
        self
    }

    /// Where dragging and keys end; typing too, unless [`Scrub::limits`] follows.
    pub fn range(mut self, range: RangeInclusive<f64>) -> Self {
        self.range = Some((*range.start(), *range.end()));
        self.limits(range)
    }

    /// What may be typed; dragging and keys end there, too, where no range is.
    pub fn limits(mut self, limits: RangeInclusive<f64>) -> Self {
        self.limits = (*limits.start(), *limits.end());
        self
    }

    /// What one press of an arrow key adds to what is shown. If not said: 1°, or
    /// one of the last digit.
    pub fn step(mut self, shown: f64) -> Self {
        self.step = Some(shown);
        self
    }

    /// As [`Self::step`], and dragging and sliding go in the same steps.
    pub fn in_steps(self, shown: f64) -> Self {
        Self { in_steps: true, ..self.step(shown) }
    }

    /// Steps in a point of dragging; 1 if not said.
    pub fn steps_per_point(mut self, steps: f64) -> Self {
        self.steps_per_point = steps;
        self
    }

    /// Differs from its default: bold in a table.
    pub fn changed(mut self, changed: bool) -> Self {
        self.changed = changed;
        self
    }

    /// Keeps room for so many characters in a table, so that neighbours stay
    /// still.
    pub fn chars(mut self, chars: usize) -> Self {
        self.chars = chars;
        self
    }

    /// Size and face in a table; if not said, the monospace of the style.
    pub fn font(mut self, font: FontId) -> Self {
        self.font = Some(font);
        self
    }

    /// As shown, unit included.
    pub fn text(&self) -> String {
        let number = number_text::fixed(self.shown(), self.format.decimals);
        format!("{number}{}", self.format.suffix)
    }

    /// For those who can see it and wonder what to do.
    pub fn hint(ui: &Ui) -> String {
        if touch::is_at_work(ui.ctx()) {
            return "Drag sideways, or tap to type. A double tap resets.".to_owned();
        }
        let coarsely = if ui.ctx().os().is_mac() { "Command" } else { "Ctrl" };
        format!(
            "Drag, or click to type. Double-click resets; Shift drags finely, {coarsely} coarsely."
        )
    }

    pub(super) fn value(&self) -> f64 {
        self.value
    }

    /// Where dragging ends, as stored.
    pub(super) fn ends(&self) -> (f64, f64) {
        self.range.unwrap_or(self.limits)
    }

    fn shown(&self) -> f64 {
        self.value * self.format.shown_per_stored()
    }

    fn is_angle(&self) -> bool {
        self.format.suffix.starts_with('°')
    }

    fn stored(&self, shown: f64) -> f64 {
        if self.is_angle() {
            // To the last bit as `45deg` in a link.
            shown.to_radians()
        } else {
            shown / self.format.shown_per_stored()
        }
    }

    /// The value of a typed text; `None` when it is no number or not an allowed one.
    fn read(&self, typed: &str) -> Option<ScrubChange> {
        self.accept(self.format.read(typed)?)
    }

    fn accept(&self, stored: f64) -> Option<ScrubChange> {
        let (low, high) = self.limits;
        // A little beyond is forgiven: the end as shown is not quite the end.
        let slack = 1e-6 * (1.0 + stored.abs());
        let inside = stored >= low - slack && stored <= high + slack;
        let fits = inside && (!self.whole || stored.fract() == 0.0);
        fits.then(|| ScrubChange::Set(stored.clamp(low, high)))
    }

    /// In words: `a number from −180° to 180°, as 45, pi/4 or 0.8rad`.
    fn allowed(&self) -> String {
        let is_angle = self.format.suffix.starts_with('°');
        // Nobody counts so many turns in degrees.
        let in_turns = is_angle && self.limits.1 >= MANY_TURNS_RAD;
        let end = |stored: f64| {
            if in_turns {
                return format!("{} turns", number_text::fixed((stored / TAU).trunc(), 0));
            }
            let shown = stored * self.format.shown_per_stored();
            let digits = number_text::fixed(shown, self.format.decimals);
            let digits = if digits.contains('.') {
                digits.trim_end_matches('0').trim_end_matches('.')
            } else {
                &digits
            };
            format!("{digits}{}", self.format.suffix)
        };
        let (kind, examples) = match self.format.suffix.chars().next() {
            _ if self.whole => ("a whole number", ""),
            Some('°') if in_turns => ("a number", ", as 45°, pi/4 or 0.8rad"),
            Some('°') => ("a number", ", as 45, pi/4 or 0.8rad"),
            Some('%') => ("a number", ", as 50"),
            _ => ("a number", ", as 0.5 or 1/3"),
        };
        let (low, high) = (end(self.limits.0), end(self.limits.1));
        format!("{kind} from {low} to {high}{examples}")
    }
}

// A number to drag as a table shows it: right-aligned, with a dotted underline.

impl Scrub {
    /// The room it takes, for whoever places it by hand.
    pub fn size(&self, ui: &Ui) -> Vec2 {
        let font = self.font_in(ui);
        let (glyph, row) =
            ui.fonts_mut(|fonts| (fonts.glyph_width(&font, '0'), fonts.row_height(&font)));
        let chars = self.text().chars().count().max(self.chars);
        vec2(chars as f32 * glyph, row + 4.0)
    }

    /// Takes its room in the flow of `ui`.
    pub fn show(&self, ui: &mut Ui) -> Option<ScrubChange> {
        let (rect, _) = ui.allocate_exact_size(self.size(ui), Sense::hover());
        self.show_at(ui, rect)
    }

    /// Draws into a rectangle; the caller has taken the room.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect) -> Option<ScrubChange> {
        if self.is_typed(ui) {
            return self.typing(ui, |ui, edit, refused| {
                let field = self.field(ui, rect);
                let visuals = ui.visuals();
                let edge = if refused { visuals.error_fg_color } else { visuals.hyperlink_color };
                ui.painter().rect(
                    field,
                    3.0,
                    visuals.extreme_bg_color,
                    Stroke::new(1.5, edge),
                    StrokeKind::Outside,
                );
                // A child with a salt of its own, so that the ids after it do not shift.
                let mut child = ui.new_child(
                    UiBuilder::new()
                        .id_salt(self.id.with("typing"))
                        .max_rect(field)
                        .layout(Layout::centered_and_justified(Direction::TopDown)),
                );
                // Else it is as high as a button and stands lower than its room.
                child.spacing_mut().interact_size.y = 0.0;
                let row = ui.fonts_mut(|fonts| fonts.row_height(&self.font_in(ui)));
                let above = ((field.height() - row) / 2.0).floor().max(0.0) as i8;
                child.add(
                    edit.font(self.font_in(ui))
                        .margin(Margin::symmetric(3, above))
                        .align(Align2::RIGHT_CENTER)
                        .desired_width(field.width() - 6.0)
                        .clip_text(true),
                )
            });
        }
        let response = ui.interact(rect, self.id, Sense::click_and_drag());
        let change = self.interact(ui, &response);
        self.paint(ui, rect, &response);
        self.describe(ui, &response, Role::SpinButton);
        response.on_hover_cursor(CursorIcon::ResizeHorizontal).tip(Self::hint(ui));
        change
    }

    /// Room to type in: a digit more than stands there, over what stands beside
    /// it, and a line that is not cut.
    fn field(&self, ui: &Ui, rect: Rect) -> Rect {
        let size = self.size(ui);
        let digit = size.x / self.text().chars().count().max(self.chars).max(1) as f32;
        let wide = (size.x + digit + 8.0).max(rect.width() + 8.0);
        let high = size.y.max(rect.height());
        let field = Rect::from_min_max(
            pos2(rect.right() + 4.0 - wide, rect.center().y - high / 2.0),
            pos2(rect.right() + 4.0, rect.center().y + high / 2.0),
        );
        // At the edge of the page to the right rather than cut.
        let left = ui.clip_rect().left() + 2.0;
        field.translate(vec2((left - field.left()).max(0.0), 0.0))
    }

    fn font_in(&self, ui: &Ui) -> FontId {
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
        let around = rect.expand2(vec2(3.0, 0.0));
        if response.hovered() || response.dragged() {
            ui.painter().rect_filled(around, 3.0, visuals.selection.bg_fill);
        }
        let text =
            ui.painter().text_right(rect.right_center(), self.text(), self.font_in(ui), accent);
        // The dotted underline of everything that can be dragged.
        let under = text.bottom() - 1.0;
        let ends = [pos2(text.left(), under), pos2(text.right(), under)];
        ui.painter().extend(Shape::dotted_line(&ends, accent, 3.0, 0.7));
    }
}
