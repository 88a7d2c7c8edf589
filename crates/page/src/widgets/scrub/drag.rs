//! A number under the pointer: dragged sideways, or pointed at along a rail, as on a
//! [`Slider`].
//!
//! What is dragged says where it will stand before anything is laid out
//! ([`moved_number`]): else each move would lay the page out twice, once to learn the new
//! number and once to show it.

use eframe::egui::{
    Color32, Context, CursorIcon, Id, Rangef, Response, Role, Sense, Stroke, Ui, Vec2, pos2, vec2,
};

use super::input::pace;
use super::{Scrub, ScrubChange};
use crate::theme::Theme;
use crate::touch;

/// Places along x and the values there: what is between the ends, and beyond, is linear.
#[derive(Clone, Copy, Debug)]
pub struct Rail {
    /// The ends, in points.
    pub x: Rangef,
    /// At the ends, in the unit of the number.
    pub values: (f64, f64),
}

impl Rail {
    fn value_at(self, x: f32) -> f64 {
        let (first, last) = self.values;
        first + f64::from((x - self.x.min) / self.x.span().max(1.0)) * (last - first)
    }

    fn per_point(self) -> f64 {
        self.value_at(self.x.min + 1.0) - self.values.0
    }
}

/// How moves of the pointer become values.
#[derive(Clone, Copy)]
enum DragWay {
    /// By the way sideways.
    Sideways,
    /// By the place; near `home` it is home.
    Along { rail: Rail, home: Option<f64> },
}

/// Kept while a number is dragged sideways.
#[derive(Clone, Copy)]
struct Dragging {
    /// Before rounding.
    shown: f64,
    /// As at the start, however large the number gets.
    shown_per_point: f64,
}

/// A number that was dragged in the last pass.
#[derive(Clone)]
struct DraggedNumber {
    id: Id,
    number: Scrub,
    way: DragWay,
    /// What the drag has put it to, and in which pass of egui's.
    put: (u64, f64),
}

/// A move of what is dragged, before the pass that shows it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NumberMove {
    /// The pass in which it was put to `from`, by egui's count.
    pub put_in_pass: u64,
    /// As the last move put it, in the unit of the number.
    pub from: f64,
    /// Where the pointer puts it now.
    pub to: f64,
}

/// Where the number that is dragged will stand in the pass that begins; once in a pass.
/// `None`: none is dragged, it has not moved, or what it is cannot be known yet.
pub fn moved_number(ctx: &Context) -> Option<NumberMove> {
    let mut dragged: DraggedNumber = ctx.data(|data| data.get_temp(Id::NULL))?;
    let (begins, pointer, delta) = ctx.input(|input| {
        let pointer = &input.pointer;
        (pointer.any_pressed(), pointer.interact_pos(), pointer.delta())
    });
    if begins || ctx.dragged_id() != Some(dragged.id) {
        ctx.data_mut(|data| data.remove::<DraggedNumber>(Id::NULL));
        return None;
    }
    let pointer = pointer.filter(|_| delta != Vec2::ZERO)?;
    let pace = pace(ctx);
    let (put_in_pass, from) = dragged.put;
    dragged.number.value = from;
    let change = match dragged.way {
        DragWay::Sideways => {
            let before = ctx.data(|data| data.get_temp::<Dragging>(dragged.id))?;
            let shown = dragged.number.moved(before, delta.x, pace).shown;
            dragged.number.rounded(shown, dragged.number.step_at(pace))
        }
        DragWay::Along { rail, home } if pace >= 1.0 => {
            dragged.number.along(rail, home, pointer.x, pace)
        }
        DragWay::Along { .. } => None,
    };
    let ScrubChange::Set(to) = change? else { return None };
    dragged.put = (ctx.cumulative_pass_nr(), to);
    ctx.data_mut(|data| data.insert_temp(Id::NULL, dragged));
    Some(NumberMove { put_in_pass, from, to })
}

/// Has a number been put by a drag in this pass?
pub fn is_number_put(ctx: &Context) -> bool {
    let dragged = ctx.data(|data| data.get_temp::<DraggedNumber>(Id::NULL));
    dragged.is_some_and(|dragged| dragged.put.0 == ctx.cumulative_pass_nr())
}

impl Scrub {
    /// Pointing along a rail. Near `home` it is home: one must be able to say exactly
    /// zero. With Shift the number follows the pointer at a tenth of its pace, with Ctrl
    /// in steps of ten. A double click resets.
    pub fn pointed_at(
        &self,
        ui: &Ui,
        response: &Response,
        rail: Rail,
        home: Option<f64>,
    ) -> Option<ScrubChange> {
        if response.double_clicked() {
            return Some(ScrubChange::Reset);
        }
        // A hand that rests changes nothing, and neither does a key that is let go.
        let moved =
            ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != Vec2::ZERO);
        let held = if touch::is_at_work(ui.ctx()) {
            // A finger that lands there may be about to scroll the page.
            response.clicked() || moved && response.dragged() && !touch::scrolls_page(ui, response)
        } else {
            moved && (response.is_pointer_button_down_on() || response.dragged())
        };
        let pointer = response.interact_pointer_pos().filter(|_| held)?;
        let pace = pace(ui.ctx());
        if pace < 1.0 {
            return self.dragged(ui, response, rail.per_point() * self.format.shown_per_stored());
        }
        ui.data_mut(|data| data.remove::<Dragging>(response.id));
        let change = self.along(rail, home, pointer.x, pace);
        self.note(ui, response, DragWay::Along { rail, home }, change)
    }

    /// Dragging sideways, `shown_per_point` to begin with.
    pub(super) fn dragged(
        &self,
        ui: &Ui,
        response: &Response,
        shown_per_point: f64,
    ) -> Option<ScrubChange> {
        let id = response.id;
        if !response.dragged() {
            ui.data_mut(|data| data.remove::<Dragging>(id));
            return None;
        }
        if touch::scrolls_page(ui, response) {
            return None;
        }
        // The first points of a drag, which could still have been a click, count too.
        let delta = if response.drag_started() {
            response.total_drag_delta().unwrap_or_default()
        } else {
            response.drag_delta()
        };
        let kept = ui.data(|data| data.get_temp::<Dragging>(id));
        let before = kept.unwrap_or(Dragging { shown: self.shown(), shown_per_point });
        let pace = pace(ui.ctx());
        let dragging = self.moved(before, delta.x, pace);
        ui.data_mut(|data| data.insert_temp(id, dragging));
        // A press that has not moved yet leaves a typed value as it is.
        if delta.x == 0.0 {
            return None;
        }
        let change = self.rounded(dragging.shown, self.step_at(pace));
        self.note(ui, response, DragWay::Sideways, change)
    }

    fn moved(&self, before: Dragging, points: f32, pace: f64) -> Dragging {
        let moved = f64::from(points) * before.shown_per_point * pace;
        Dragging { shown: self.held(before.shown + moved), ..before }
    }

    /// To where the pointer is on a rail.
    fn along(&self, rail: Rail, home: Option<f64>, x: f32, pace: f64) -> Option<ScrubChange> {
        let value = rail.value_at(x);
        let stepped =
            |step: f64| self.stored((value * self.format.shown_per_stored() / step).round() * step);
        let near = |home: &f64| (value - home).abs() < 4.0 * rail.per_point().abs();
        let value = match home.filter(near) {
            _ if pace > 1.0 => stepped(self.step_at(pace)),
            Some(home) => home,
            None if self.whole => value.round(),
            None if self.in_steps => stepped(self.step_at(1.0)),
            None => value,
        };
        let (low, high) = self.ends();
        let value = value.max(low).min(high);
        (value != self.value).then_some(ScrubChange::Set(value))
    }

    /// Keeps what [`moved_number`] needs in the next pass.
    fn note(
        &self,
        ui: &Ui,
        response: &Response,
        way: DragWay,
        change: Option<ScrubChange>,
    ) -> Option<ScrubChange> {
        if let Some(ScrubChange::Set(value)) = change {
            let put = (ui.ctx().cumulative_pass_nr(), value);
            let dragged = DraggedNumber { id: response.id, number: self.clone(), way, put };
            ui.data_mut(|data| data.insert_temp(Id::NULL, dragged));
        }
        change
    }
}

/// A number on a rail, which is filled from where it belongs, or from its start, and
/// marked where it belongs.
pub struct Slider<'a> {
    /// What it stands at, and the ends of the rail; a value beyond stands at the
    /// end.
    pub number: &'a Scrub,
    /// Where it belongs, in the unit of the number: marked.
    pub home: f64,
    /// Where the filled part begins.
    pub filled_from: f64,
    /// Colour of the filled part.
    pub color: Color32,
}

impl Slider<'_> {
    /// Takes the width that is left.
    pub fn show(self, ui: &mut Ui, width: f32, theme: &Theme) -> (Response, Option<ScrubChange>) {
        let size = vec2(width.max(40.0), 24.0);
        let (rect, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
        let (low, high) = self.number.ends();
        let span = (high - low).max(f64::EPSILON);
        let rail = rect.shrink2(vec2(9.0, 0.0));
        let x_of = |value: f64| {
            let part = ((value - low) / span).clamp(0.0, 1.0) as f32;
            rail.left() + rail.width() * part
        };
        let along = Rail { x: rail.x_range(), values: (low, low + span) };
        let change = self
            .number
            .pointed_at(ui, &response, along, Some(self.home))
            .or_else(|| self.number.asked(ui, &response));
        self.number.describe(ui, &response, Role::Slider);
        if ui.is_rect_visible(rect) {
            let y = rect.center().y;
            let (x, home) = (x_of(self.number.value()), x_of(self.home));
            let painter = ui.painter();
            let line = |a: f32, b: f32, stroke: Stroke| {
                painter.line_segment([pos2(a, y), pos2(b, y)], stroke);
            };
            line(rail.left(), rail.right(), Stroke::new(2.0, theme.track));
            line(x_of(self.filled_from), x, Stroke::new(4.0, self.color));
            painter.line_segment(
                [pos2(home, y - 5.0), pos2(home, y + 5.0)],
                Stroke::new(1.0, theme.quiet),
            );
            let lit = response.hovered() || response.dragged() || response.has_focus();
            let radius = if lit { 9.0 } else { 8.0 };
            painter.circle(
                pos2(x, y),
                radius,
                theme.paper,
                Stroke::new(if lit { 3.0 } else { 2.0 }, self.color),
            );
        }
        let response = response.on_hover_cursor(CursorIcon::ResizeHorizontal);
        (response, change)
    }
}
