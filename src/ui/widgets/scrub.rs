//! A number to drag: in prose, in tables, in matrices.
//!
//! Drag sideways (Shift: ten times finer), click or press Enter to type, double
//! click to reset, arrow keys to step the last digit.

#[cfg(test)]
mod tests;

use std::ops::RangeInclusive;

use eframe::egui::{
    Align2, CursorIcon, EventFilter, FontFamily, FontId, Id, Key, Modifiers, Pos2, Rect, Response,
    Sense, Shape, Stroke, StrokeKind, TextStyle, Ui, Vec2, WidgetInfo, accesskit, pos2, vec2,
};

use super::scrub_edit;
use crate::notebook::numbers;
use crate::ui::theme::family;

/// What the reader did to a [`Scrub`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ScrubChange {
    /// Put it to this value, in the unit of [`Scrub::new`]'s `value`.
    Set(f64),
    /// Back to the default: double click.
    Reset,
}

/// A number to drag. Nothing is kept here: the caller applies the change and
/// hands in the new value in the next frame.
#[derive(Clone, Debug)]
#[must_use = "call show"]
pub struct Scrub {
    pub(super) id: Id,
    value: f64,
    pub(super) decimals: usize,
    pub(super) suffix: String,
    range: (f64, f64),
    limits: (f64, f64),
    speed: Option<f64>,
    pub(super) label: String,
    help: Option<String>,
    changed: bool,
    chars: usize,
    font: Option<FontId>,
    /// Shown = value × scale.
    scale: f64,
}

impl Scrub {
    /// `id` must be stable and unique on the page: slugs, not positions. `label`
    /// names the number to those who cannot see it: `weight of joint 1 on v2`.
    pub fn new(
        id: impl std::hash::Hash + std::fmt::Debug,
        value: f64,
        label: impl Into<String>,
    ) -> Self {
        Self {
            id: Id::unique(("scrub", id)),
            value,
            decimals: 2,
            suffix: String::new(),
            range: (f64::MIN, f64::MAX),
            limits: (f64::MIN, f64::MAX),
            speed: None,
            label: label.into(),
            help: None,
            changed: false,
            chars: 0,
            font: None,
            scale: 1.0,
        }
    }

    /// Digits after the point; 2 if not said.
    pub fn decimals(mut self, decimals: usize) -> Self {
        self.decimals = decimals;
        self
    }

    /// Written after the number.
    pub fn suffix(mut self, suffix: impl Into<String>) -> Self {
        self.suffix = suffix.into();
        self
    }

    /// `value`, range and change are radians; degrees are shown and typed.
    pub fn degrees(mut self) -> Self {
        self.scale = 180.0 / std::f64::consts::PI;
        self.suffix = String::from("°");
        self
    }

    /// A fraction, shown in percent.
    pub fn percent(mut self) -> Self {
        self.scale = 100.0;
        self.suffix = String::from("%");
        self
    }

    /// Where dragging and arrow keys end; typing too, unless
    /// [`Scrub::typed_range`] follows.
    pub fn range(mut self, range: RangeInclusive<f64>) -> Self {
        self.range = (*range.start(), *range.end());
        self.limits = self.range;
        self
    }

    /// What may be typed.
    pub fn typed_range(mut self, range: RangeInclusive<f64>) -> Self {
        self.limits = (*range.start(), *range.end());
        self
    }

    /// Change of the shown number per point of dragging; if not said, one step
    /// of the last digit but one tenth for long numbers.
    pub fn speed(mut self, shown_per_point: f64) -> Self {
        self.speed = Some(shown_per_point);
        self
    }

    /// First line of the tooltip.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Differs from its default: shown bold.
    pub fn changed(mut self, changed: bool) -> Self {
        self.changed = changed;
        self
    }

    /// Keeps room for so many characters, so that neighbours stay still.
    pub fn chars(mut self, chars: usize) -> Self {
        self.chars = chars;
        self
    }

    /// Size and face; if not said, the monospace of the style.
    pub fn font(mut self, font: FontId) -> Self {
        self.font = Some(font);
        self
    }

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
        self.show_at(ui, rect).0
    }

    /// Draws into a rectangle, right-aligned; the caller has taken the room.
    pub fn show_at(&self, ui: &mut Ui, rect: Rect) -> (Option<ScrubChange>, Response) {
        if scrub_edit::is_open(ui, self.id) {
            return scrub_edit::show(self, ui, rect);
        }
        let mut response = ui.interact(rect, self.id, Sense::click_and_drag());
        let mut change = self.dragged(ui, &response);
        if response.has_focus() {
            change = change.or_else(|| self.stepped(ui));
        }
        change = change.or_else(|| self.asked_by_screen_reader(ui));
        if response.double_clicked() {
            change = Some(ScrubChange::Reset);
        } else if response.clicked() {
            scrub_edit::open(ui, self.id, self.text_without_suffix());
        }
        if change.is_some() {
            response.mark_changed();
        }
        self.paint(ui, rect, &response);
        self.describe(ui, &response);
        let response = response
            .on_hover_cursor(CursorIcon::ResizeHorizontal)
            .on_hover_text(self.tooltip());
        (change, response)
    }

    /// As shown, unit included.
    #[must_use]
    pub fn text(&self) -> String {
        format!("{}{}", self.text_without_suffix(), self.suffix)
    }

    pub(super) fn text_without_suffix(&self) -> String {
        numbers::fixed(self.shown(), self.decimals)
    }

    pub(super) fn shown(&self) -> f64 {
        self.value * self.scale
    }

    pub(super) fn font_in(&self, ui: &Ui) -> FontId {
        let mut font = self
            .font
            .clone()
            .unwrap_or_else(|| TextStyle::Monospace.resolve(ui.style()));
        if self.changed && font.family == FontFamily::Monospace {
            font.family = family::mono_strong();
        }
        font
    }

    /// From the shown unit; `Err` says in words what is allowed.
    pub(super) fn accept(&self, shown: f64) -> Result<ScrubChange, String> {
        let (low, high) = (self.limits.0 * self.scale, self.limits.1 * self.scale);
        // Half of what the last digit shows is forgiven: 180° is not quite π.
        let slack = 1e-6 * (1.0 + shown.abs());
        if shown < low - slack || shown > high + slack {
            return Err(format!(
                "from {}{unit} to {}{unit}",
                numbers::fixed(low, self.decimals),
                numbers::fixed(high, self.decimals),
                unit = self.suffix,
            ));
        }
        Ok(ScrubChange::Set(
            (shown / self.scale).clamp(self.limits.0, self.limits.1),
        ))
    }

    fn step(&self) -> f64 {
        0.1_f64.powi(self.decimals as i32)
    }

    fn dragged(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        let precise = self.id.with("precise");
        if response.drag_stopped() || response.drag_started() {
            ui.data_mut(|data| data.remove::<f64>(precise));
        }
        if !response.dragged() {
            return None;
        }
        let points = f64::from(response.drag_delta().x);
        if points == 0.0 {
            return None;
        }
        let speed = self.speed.unwrap_or_else(|| self.step());
        let fine = if ui.input(|input| input.modifiers.shift) {
            0.1
        } else {
            1.0
        };
        let before = ui
            .data_mut(|data| data.get_temp::<f64>(precise))
            .unwrap_or_else(|| self.shown());
        let after = self.within_range(before + points * speed * fine);
        ui.data_mut(|data| data.insert_temp(precise, after));
        self.rounded(after)
    }

    /// Arrow keys, a step of the last digit; Shift: ten steps.
    fn stepped(&self, ui: &Ui) -> Option<ScrubChange> {
        ui.memory_mut(|memory| {
            memory.set_focus_lock_filter(
                self.id,
                EventFilter {
                    horizontal_arrows: true,
                    vertical_arrows: true,
                    ..EventFilter::default()
                },
            );
        });
        let steps = ui.input_mut(|input| {
            let mut steps = 0_i32;
            for (modifiers, size) in [(Modifiers::SHIFT, 10), (Modifiers::NONE, 1)] {
                for (key, sign) in [
                    (Key::ArrowUp, 1),
                    (Key::ArrowRight, 1),
                    (Key::ArrowDown, -1),
                    (Key::ArrowLeft, -1),
                ] {
                    let pressed = input.count_and_consume_key(modifiers, key);
                    steps += i32::try_from(pressed).unwrap_or(0) * size * sign;
                }
            }
            steps
        });
        let reset = ui.input_mut(|input| {
            input.consume_key(Modifiers::NONE, Key::Backspace)
                || input.consume_key(Modifiers::NONE, Key::Delete)
        });
        if reset {
            return Some(ScrubChange::Reset);
        }
        (steps != 0)
            .then(|| self.within_range(self.shown() + f64::from(steps) * self.step()))
            .and_then(|shown| self.rounded(shown))
    }

    fn asked_by_screen_reader(&self, ui: &Ui) -> Option<ScrubChange> {
        use accesskit::{Action, ActionData};
        ui.input(|input| {
            let steps = input.num_accesskit_action_requests(self.id, Action::Increment) as f64
                - input.num_accesskit_action_requests(self.id, Action::Decrement) as f64;
            if steps != 0.0 {
                return self.rounded(self.within_range(self.shown() + steps * self.step()));
            }
            let request = input
                .accesskit_action_requests(self.id, Action::SetValue)
                .last()?;
            let shown = match request.data.as_ref()? {
                ActionData::NumericValue(value) => *value,
                ActionData::Value(text) => numbers::parse(text, &self.suffix).ok()?,
                _ => return None,
            };
            shown.is_finite().then(|| self.accept(shown).ok()).flatten()
        })
    }

    /// A value beyond the range, typed before, may stay but not go further.
    fn within_range(&self, shown: f64) -> f64 {
        let (low, high) = (self.range.0 * self.scale, self.range.1 * self.scale);
        shown.clamp(low.min(self.shown()), high.max(self.shown()))
    }

    fn rounded(&self, shown: f64) -> Option<ScrubChange> {
        let factor = 10_f64.powi(self.decimals as i32);
        let rounded = (shown * factor).round() / factor;
        (rounded.is_finite() && rounded != self.shown())
            .then_some(ScrubChange::Set(rounded / self.scale))
    }

    fn paint(&self, ui: &Ui, rect: Rect, response: &Response) {
        if !ui.is_rect_visible(rect) {
            return;
        }
        let visuals = ui.visuals();
        let accent = visuals.hyperlink_color;
        let around = rect.expand2(vec2(3.0, 0.0));
        if response.hovered() || response.dragged() {
            ui.painter()
                .rect_filled(around, 3.0, visuals.selection.bg_fill);
        }
        if response.has_focus() {
            let stroke = Stroke::new(1.5, accent);
            ui.painter()
                .rect_stroke(around, 3.0, stroke, StrokeKind::Outside);
        }
        let text = ui.painter().text(
            rect.right_center(),
            Align2::RIGHT_CENTER,
            self.text(),
            self.font_in(ui),
            accent,
        );
        let under = text.bottom() - 1.0;
        ui.painter()
            .extend(dots(pos2(text.left(), under), text.right(), accent));
    }

    fn describe(&self, ui: &Ui, response: &Response) {
        response.widget_info(|| WidgetInfo {
            label: Some(self.label.clone()),
            ..WidgetInfo::drag_value(ui.is_enabled(), self.shown())
        });
        let (low, high) = (self.range.0 * self.scale, self.range.1 * self.scale);
        ui.ctx().accesskit_node_builder(response.id, |node| {
            if low > f64::MIN && high < f64::MAX {
                node.set_min_numeric_value(low);
                node.set_max_numeric_value(high);
            }
            node.set_numeric_value_step(self.step());
            node.set_value(self.text());
            node.add_action(accesskit::Action::SetValue);
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
        });
    }

    fn tooltip(&self) -> String {
        let how = "Drag, or click to type. Double-click resets; Shift drags finely.";
        match &self.help {
            Some(help) => format!("{help}\n{how}"),
            None => how.to_owned(),
        }
    }
}

/// The dotted underline of everything that can be dragged.
fn dots(from: Pos2, right: f32, color: eframe::egui::Color32) -> Vec<Shape> {
    Shape::dotted_line(&[from, pos2(right, from.y)], color, 3.0, 0.7)
}
