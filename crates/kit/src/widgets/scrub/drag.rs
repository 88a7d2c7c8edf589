//! Dragging of numbers: sideways, or along a rail as on a [`Slider`].
//!
//! [`moved_number`] computes the new value before the page is laid out. Otherwise each
//! move would lay out the page twice, once to find the new number and once to show it.

use eframe::egui::{
    Color32, Context, CursorIcon, Id, Rangef, Response, Role, Sense, Stroke, Ui, Vec2, pos2, vec2,
};

use super::input::step_factor;
use super::{Scrub, ScrubChange};
use crate::theme::Theme;
use crate::touch;

/// A linear mapping from x coordinates to values, which continues beyond its ends.
#[derive(Clone, Copy, Debug)]
pub struct Rail {
    pub x: Rangef,
    /// Values at both ends, in the unit of the number.
    pub values: (f64, f64),
}

impl Rail {
    fn value_at(self, x: f32) -> f64 {
        let (first, last) = self.values;
        first + f64::from((x - self.x.min) / self.x.span().max(1.0)) * (last - first)
    }

    fn value_per_point(self) -> f64 {
        self.value_at(self.x.min + 1.0) - self.values.0
    }
}

/// Mapping from pointer moves to values.
#[derive(Clone, Copy)]
enum DragMapping {
    /// Relative to the sideways movement.
    Sideways,
    /// By the position on a rail. Snaps to `home` nearby.
    OnRail { rail: Rail, home: Option<f64> },
}

/// State of a sideways drag.
#[derive(Clone, Copy)]
struct SidewaysDrag {
    /// Displayed value before rounding.
    displayed: f64,
    /// Change per point, which stays as it was at the start of the drag.
    displayed_per_point: f64,
}

/// The number that was dragged in the last pass.
#[derive(Clone)]
struct DraggedNumber {
    id: Id,
    number: Scrub,
    mapping: DragMapping,
    /// Value after the last move, in the unit of the number.
    value: f64,
    /// Pass of egui in which `value` was set.
    pass: u64,
}

/// A move of the dragged number, computed before the pass that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberMove {
    /// Pass of egui in which the number was set to `from`.
    pub put_in_pass: u64,
    /// Value after the last move, in the unit of the number.
    pub from: f64,
    /// Value at the current pointer position.
    pub to: f64,
}

/// Computes the move of the dragged number for the pass that begins. Called once per
/// pass. Returns `None` if none is dragged, if it has not moved, or if its change is not
/// known yet.
pub fn compute_number_move(ctx: &Context) -> Option<NumberMove> {
    let mut dragged: DraggedNumber = ctx.data(|data| data.get_temp(Id::NULL))?;
    let (is_new_press, pointer, delta) = ctx.input(|input| {
        let pointer = &input.pointer;
        (pointer.any_pressed(), pointer.interact_pos(), pointer.delta())
    });
    if is_new_press || ctx.dragged_id() != Some(dragged.id) {
        ctx.data_mut(|data| data.remove::<DraggedNumber>(Id::NULL));
        return None;
    }
    let pointer = pointer.filter(|_| delta != Vec2::ZERO)?;
    let step_factor = step_factor(ctx);
    let put_in_pass = dragged.pass;
    let from = dragged.value;
    dragged.number.value = from;
    let change = match dragged.mapping {
        DragMapping::Sideways => {
            let drag = ctx.data(|data| data.get_temp::<SidewaysDrag>(dragged.id))?;
            let displayed = dragged.number.move_sideways(drag, delta.x, step_factor).displayed;
            dragged.number.round_displayed(displayed, dragged.number.step_at(step_factor))
        }
        DragMapping::OnRail { rail, home } if step_factor >= 1.0 => {
            dragged.number.move_on_rail(rail, home, pointer.x, step_factor)
        }
        DragMapping::OnRail { .. } => None,
    };
    let ScrubChange::Set(to) = change? else { return None };
    dragged.value = to;
    dragged.pass = ctx.cumulative_pass_nr();
    ctx.data_mut(|data| data.insert_temp(Id::NULL, dragged));
    Some(NumberMove { put_in_pass, from, to })
}

/// Returns true if a drag has set a number in this pass.
pub fn is_number_set(ctx: &Context) -> bool {
    let dragged = ctx.data(|data| data.get_temp::<DraggedNumber>(Id::NULL));
    dragged.is_some_and(|dragged| dragged.pass == ctx.cumulative_pass_nr())
}

impl Scrub {
    /// Handles pointing along a rail. Snaps to `home` nearby, so that the reader can set
    /// exactly zero. With Shift, the number moves at a tenth of the speed of the pointer,
    /// with Ctrl in steps of ten. A double click resets it.
    pub fn drag_on_rail(
        &self,
        ui: &Ui,
        response: &Response,
        rail: Rail,
        home: Option<f64>,
    ) -> Option<ScrubChange> {
        if response.double_clicked() {
            return Some(ScrubChange::Reset);
        }
        // Without a move of the pointer nothing changes, also when a key is released.
        let has_moved =
            ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != Vec2::ZERO);
        let is_held = if touch::is_touch_active(ui.ctx()) {
            // A finger that touches the rail may be about to scroll the page.
            response.clicked()
                || has_moved && response.dragged() && !touch::scroll_page_instead(ui, response)
        } else {
            has_moved && (response.is_pointer_button_down_on() || response.dragged())
        };
        let pointer = response.interact_pointer_pos().filter(|_| is_held)?;
        let step_factor = step_factor(ui.ctx());
        if step_factor < 1.0 {
            return self.drag_sideways(
                ui,
                response,
                rail.value_per_point() * self.format.shown_per_stored(),
            );
        }
        ui.data_mut(|data| data.remove::<SidewaysDrag>(response.id));
        let change = self.move_on_rail(rail, home, pointer.x, step_factor);
        self.store_drag(ui, response, DragMapping::OnRail { rail, home }, change)
    }

    /// Handles dragging sideways, by `displayed_per_point` at the start of the drag.
    pub(super) fn drag_sideways(
        &self,
        ui: &Ui,
        response: &Response,
        displayed_per_point: f64,
    ) -> Option<ScrubChange> {
        let id = response.id;
        if !response.dragged() {
            ui.data_mut(|data| data.remove::<SidewaysDrag>(id));
            return None;
        }
        if touch::scroll_page_instead(ui, response) {
            return None;
        }
        // Includes the first points of the drag, when it could still have been a click.
        let delta = if response.drag_started() {
            response.total_drag_delta().unwrap_or_default()
        } else {
            response.drag_delta()
        };
        let previous = ui.data(|data| data.get_temp::<SidewaysDrag>(id));
        let drag = previous
            .unwrap_or(SidewaysDrag { displayed: self.displayed_value(), displayed_per_point });
        let step_factor = step_factor(ui.ctx());
        let moved_drag = self.move_sideways(drag, delta.x, step_factor);
        ui.data_mut(|data| data.insert_temp(id, moved_drag));
        // A press without a move leaves a typed value unchanged.
        if delta.x == 0.0 {
            return None;
        }
        let change = self.round_displayed(moved_drag.displayed, self.step_at(step_factor));
        self.store_drag(ui, response, DragMapping::Sideways, change)
    }

    fn move_sideways(&self, drag: SidewaysDrag, points: f32, step_factor: f64) -> SidewaysDrag {
        let change = f64::from(points) * drag.displayed_per_point * step_factor;
        SidewaysDrag { displayed: self.clamp_displayed(drag.displayed + change), ..drag }
    }

    /// Moves the number to the position `x` on a rail.
    fn move_on_rail(
        &self,
        rail: Rail,
        home: Option<f64>,
        x: f32,
        step_factor: f64,
    ) -> Option<ScrubChange> {
        let pointed = rail.value_at(x);
        let snap_distance = 4.0 * rail.value_per_point().abs();
        let snapped = match home.filter(|home| (pointed - home).abs() < snap_distance) {
            _ if step_factor > 1.0 => self.round_to_step(pointed, self.step_at(step_factor)),
            Some(home) => home,
            None if self.whole => pointed.round(),
            None if self.in_steps => self.round_to_step(pointed, self.step_at(1.0)),
            None => pointed,
        };
        let (low, high) = self.drag_limits();
        let value = snapped.max(low).min(high);
        (value != self.value).then_some(ScrubChange::Set(value))
    }

    /// Rounds a stored value to multiples of a displayed step.
    fn round_to_step(&self, value: f64, step: f64) -> f64 {
        let displayed = value * self.format.shown_per_stored();
        self.stored_from_displayed((displayed / step).round() * step)
    }

    /// Stores the state that [`moved_number`] needs in the next pass.
    fn store_drag(
        &self,
        ui: &Ui,
        response: &Response,
        mapping: DragMapping,
        change: Option<ScrubChange>,
    ) -> Option<ScrubChange> {
        if let Some(ScrubChange::Set(value)) = change {
            let dragged = DraggedNumber {
                id: response.id,
                number: self.clone(),
                mapping,
                value,
                pass: ui.ctx().cumulative_pass_nr(),
            };
            ui.data_mut(|data| data.insert_temp(Id::NULL, dragged));
        }
        change
    }
}

/// A number on a rail. The rail is filled from the home value or the start, and marked at
/// the home value.
pub struct Slider<'a> {
    /// The value and the ends of the rail. A value beyond is shown at the end.
    pub number: &'a Scrub,
    /// Marked home value, in the unit of the number.
    pub home: f64,
    /// Value at which the filled part begins.
    pub filled_from: f64,
    /// Color of the filled part.
    pub color: Color32,
}

impl Slider<'_> {
    /// Draws the slider, `width` points wide.
    pub fn show(self, ui: &mut Ui, width: f32, theme: &Theme) -> (Response, Option<ScrubChange>) {
        let size = vec2(width.max(40.0), 24.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let (low, high) = self.number.drag_limits();
        let span = (high - low).max(f64::EPSILON);
        let rail = Rail { x: rect.shrink2(vec2(9.0, 0.0)).x_range(), values: (low, low + span) };
        let change = self
            .number
            .drag_on_rail(ui, &response, rail, Some(self.home))
            .or_else(|| self.number.find_change(ui, &response));
        self.number.describe(ui, &response, Role::Slider);
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let [x, home_x, filled_from_x] = [self.number.value(), self.home, self.filled_from]
                .map(|value| {
                    let fraction = ((value - low) / span).clamp(0.0, 1.0) as f32;
                    rail.x.min + rail.x.span() * fraction
                });
            let painter = ui.painter();
            painter.line_segment(
                [pos2(rail.x.min, y), pos2(rail.x.max, y)],
                Stroke::new(2.0, theme.track),
            );
            painter
                .line_segment([pos2(filled_from_x, y), pos2(x, y)], Stroke::new(4.0, self.color));
            painter.line_segment(
                [pos2(home_x, y - 5.0), pos2(home_x, y + 5.0)],
                Stroke::new(1.0, theme.quiet),
            );
            let is_active = response.hovered() || response.dragged() || response.has_focus();
            let radius = if is_active { 9.0 } else { 8.0 };
            let line_width = if is_active { 3.0 } else { 2.0 };
            painter.circle(pos2(x, y), radius, theme.paper, Stroke::new(line_width, self.color));
        }
        let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        (response, change)
    }
}
