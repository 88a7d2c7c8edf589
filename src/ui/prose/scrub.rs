//! A number in the text that can be dragged, stepped, typed and reset.

use eframe::egui::{
    self, Area, CursorIcon, EventFilter, FontId, Id, Key, Modifiers, Order, Pos2, Response, Role,
    TextEdit, Ui, WidgetInfo,
    accesskit::{Action, ActionData},
    text::{CCursor, CCursorRange},
    vec2,
};

use super::links::Param;
use super::number;
use super::typeset::Spot;
use crate::lesson::NumberFormat;
use crate::notebook::{Edit, Entity};
use crate::ui::PageContext;
use crate::ui::theme::{BODY, Theme, family};

/// Kept while the number is dragged: the value before rounding, as shown.
#[derive(Clone, Copy)]
struct Dragging(f64);

/// Kept while the number is typed.
#[derive(Clone)]
struct Typing {
    text: String,
    /// The field has not been shown yet.
    fresh: bool,
    /// egui's clock, in seconds.
    since_secs: f64,
    /// Why Enter did not take it.
    refused: Option<String>,
}

/// A second click this soon was meant as a double click.
const DOUBLE_CLICK_SECS: f64 = 0.4;

/// Lets the reader change the number under `response`.
pub(super) fn scrub_ui(
    ui: &mut Ui,
    response: &Response,
    spots: &[Spot],
    name: &str,
    param: &Param,
    format: &NumberFormat,
    page: &mut PageContext<'_>,
) {
    let id = response.id;
    name_for_readers(ui, response, param, format);
    if let Some(joint) = param.joint
        && (response.hovered() || response.dragged())
    {
        page.linked.hover(Entity::Joint(joint));
    }
    let typing = ui.data(|data| data.get_temp::<Typing>(id));
    let change = match typing {
        Some(typing) => type_ui(ui, id, spots, typing, param, format, page.theme),
        None => {
            by_key(ui, response, param, format).or_else(|| by_drag(ui, response, param, format))
        }
    };
    let reset = response.double_clicked() || matches!(change, Some(Change::Reset));
    match change {
        Some(Change::To(value)) if value != param.value => {
            page.edits.push(Edit::Param(name.to_owned(), value));
        }
        _ => {}
    }
    if reset {
        ui.data_mut(|data| data.remove::<Typing>(id));
        page.edits.push(Edit::ResetParam(name.to_owned()));
    } else if response.clicked() {
        let typing = Typing {
            text: bare(format).print(param.value),
            fresh: true,
            since_secs: ui.input(|input| input.time),
            refused: None,
        };
        ui.data_mut(|data| data.insert_temp(id, typing));
        ui.ctx().request_repaint();
    }
}

enum Change {
    To(f64),
    Reset,
}

/// The number without the brackets it may stand in; the unit stays.
fn bare(format: &NumberFormat) -> NumberFormat {
    let unit = ["°", "%"]
        .into_iter()
        .find(|unit| format.suffix.contains(unit));
    NumberFormat {
        decimals: format.decimals,
        prefix: String::new(),
        suffix: unit.unwrap_or_default().to_owned(),
    }
}

/// One unit of the last digit, as shown.
fn step(param: &Param, format: &NumberFormat) -> f64 {
    if param.whole {
        return format.shown_per_stored();
    }
    10_f64.powi(-(format.decimals.min(12) as i32))
}

/// `shown` to a whole number of steps, as stored, within the range.
fn settle(shown: f64, step: f64, param: &Param, format: &NumberFormat) -> f64 {
    // Steps are powers of ten: dividing by their inverse keeps 0.3 at 0.3.
    let steps_per_unit = (1.0 / step).round().max(1.0);
    let rounded = if step > 1.0 {
        (shown / step).round() * step
    } else {
        (shown * steps_per_unit).round() / steps_per_unit
    };
    let (low, high) = param.range;
    let stored = rounded / format.shown_per_stored();
    stored.max(low.min(high)).min(high.max(low))
}

fn by_drag(ui: &Ui, response: &Response, param: &Param, format: &NumberFormat) -> Option<Change> {
    let id = response.id;
    if response.hovered() || response.dragged() {
        ui.ctx().set_cursor_icon(CursorIcon::ResizeHorizontal);
    }
    if !response.dragged() {
        ui.data_mut(|data| data.remove::<Dragging>(id));
        if !response.hovered() {
            return None;
        }
        let hint = "drag to change, click to type, double-click to reset";
        response
            .clone()
            .on_hover_text(format!("{}: {hint}", param.label));
        return None;
    }
    let scale = format.shown_per_stored();
    let step = step(param, format)
        * if ui.input(|i| i.modifiers.shift) {
            0.1
        } else {
            1.0
        };
    let (low, high) = param.range;
    let before = ui
        .data(|data| data.get_temp(id))
        .unwrap_or(Dragging(param.value * scale))
        .0;
    // The first points of a drag, which could still have been a click, count too.
    let delta = if response.drag_started() {
        response.total_drag_delta().unwrap_or_default()
    } else {
        response.drag_delta()
    };
    let moved = f64::from(delta.x) * step;
    let now = (before + moved).clamp(low.min(high) * scale, high.max(low) * scale);
    ui.data_mut(|data| data.insert_temp(id, Dragging(now)));
    // A press that has not moved yet leaves a typed value as it is.
    (moved != 0.0).then(|| Change::To(settle(now, step, param, format)))
}

fn by_key(ui: &Ui, response: &Response, param: &Param, format: &NumberFormat) -> Option<Change> {
    let id = response.id;
    let mut steps = 0.0;
    let mut to = None;
    ui.input(|input| {
        let count = |action| input.num_accesskit_action_requests(id, action) as f64;
        steps += count(Action::Increment) - count(Action::Decrement);
        for request in input.accesskit_action_requests(id, Action::SetValue) {
            to = match &request.data {
                Some(ActionData::NumericValue(shown)) if shown.is_finite() => Some(*shown),
                Some(ActionData::Value(typed)) => number::parse(typed, format)
                    .ok()
                    .map(|value| value * format.shown_per_stored()),
                _ => None,
            };
        }
    });
    if response.has_focus() {
        let arrows = EventFilter {
            horizontal_arrows: true,
            vertical_arrows: true,
            ..EventFilter::default()
        };
        ui.memory_mut(|memory| memory.set_focus_lock_filter(id, arrows));
        let reset = ui.input_mut(|input| {
            let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key) as f64;
            steps += pressed(Key::ArrowRight) + pressed(Key::ArrowUp);
            steps -= pressed(Key::ArrowLeft) + pressed(Key::ArrowDown);
            pressed(Key::Delete) + pressed(Key::Backspace) > 0.0
        });
        if reset {
            return Some(Change::Reset);
        }
    }
    let step = step(param, format);
    if let Some(shown) = to {
        return Some(Change::To(settle(shown, step, param, format)));
    }
    (steps != 0.0).then(|| {
        let shown = param.value * format.shown_per_stored() + steps * step;
        Change::To(settle(shown, step, param, format))
    })
}

/// The field over the number. Enter and clicking elsewhere take what is typed,
/// Escape does not.
fn type_ui(
    ui: &Ui,
    id: Id,
    spots: &[Spot],
    mut typing: Typing,
    param: &Param,
    format: &NumberFormat,
    theme: &Theme,
) -> Option<Change> {
    let spot = spots.first()?;
    let field = field_ui(ui, id, spot, &mut typing, param, theme);
    let input = ui.ctx().input(|input| {
        (
            input
                .pointer
                .button_double_clicked(egui::PointerButton::Primary),
            input.key_pressed(Key::Escape),
            input.key_pressed(Key::Enter),
            input.time - typing.since_secs,
        )
    });
    let (double_clicked, escape, enter, open_secs) = input;
    if double_clicked && open_secs < DOUBLE_CLICK_SECS {
        close(ui, id, true);
        return Some(Change::Reset);
    }
    let left = field.lost_focus() && !typing.fresh;
    typing.fresh = false;
    if !left {
        ui.data_mut(|data| data.insert_temp(id, typing));
        return None;
    }
    if escape {
        close(ui, id, true);
        return None;
    }
    match number::parse(&typing.text, format) {
        Ok(value) => {
            close(ui, id, enter);
            let value = if param.whole { value.round() } else { value };
            Some(Change::To(value))
        }
        Err(words) if enter => {
            typing.refused = Some(words);
            field.request_focus();
            ui.data_mut(|data| data.insert_temp(id, typing));
            None
        }
        Err(_) => {
            close(ui, id, false);
            None
        }
    }
}

fn close(ui: &Ui, id: Id, focus: bool) {
    ui.data_mut(|data| data.remove::<Typing>(id));
    if focus {
        ui.memory_mut(|memory| memory.request_focus(id));
    }
}

fn field_ui(
    ui: &Ui,
    id: Id,
    spot: &Spot,
    typing: &mut Typing,
    param: &Param,
    theme: &Theme,
) -> Response {
    let edge = if typing.refused.is_some() {
        theme.wrong
    } else {
        theme.accent
    };
    let frame = egui::Frame::new()
        .fill(theme.paper)
        .stroke(egui::Stroke::new(1.5, edge))
        .corner_radius(5.0)
        .inner_margin(egui::Margin::symmetric(5, 0));
    let corner = Pos2::new(spot.rect.left() - 6.5, spot.baseline - 17.5);
    Area::new(id.with("typing"))
        .order(Order::Foreground)
        .fixed_pos(corner)
        .constrain_to(ui.ctx().content_rect())
        .show(ui.ctx(), |ui| {
            ui.spacing_mut().interact_size.y = 0.0;
            let width = (spot.rect.width() + 24.0).max(72.0);
            let edit = |ui: &mut Ui| {
                TextEdit::singleline(&mut typing.text)
                    .id(id.with("field"))
                    .frame(egui::Frame::NONE)
                    .margin(vec2(0.0, 2.0))
                    .font(FontId::new(BODY, family::strong()))
                    .text_color(theme.accent)
                    .char_limit(32)
                    .desired_width(width)
                    .show(ui)
            };
            let mut output = frame.show(ui, edit).inner;
            let response = output.response.response.clone();
            ui.ctx().accesskit_node_builder(response.id, |node| {
                node.set_label(format!("{}, type a value", param.label));
            });
            if typing.fresh {
                let end = CCursor::new(typing.text.chars().count());
                let all = CCursorRange::two(CCursor::new(0), end);
                output.state.cursor.set_char_range(Some(all));
                output.state.store(ui.ctx(), response.id);
                response.request_focus();
            }
            if let Some(words) = &typing.refused {
                let words = egui::RichText::new(words).color(theme.wrong);
                frame.show(ui, |ui| ui.label(words));
            }
            response
        })
        .inner
}

fn name_for_readers(ui: &Ui, response: &Response, param: &Param, format: &NumberFormat) {
    let scale = format.shown_per_stored();
    response.widget_info(|| WidgetInfo {
        label: Some(param.label.clone()),
        value: Some(param.value * scale),
        ..WidgetInfo::new(Role::SpinButton)
    });
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_value(format.print(param.value));
        node.set_min_numeric_value(param.range.0 * scale);
        node.set_max_numeric_value(param.range.1 * scale);
        node.set_numeric_value_step(step(param, format));
        for action in [Action::SetValue, Action::Increment, Action::Decrement] {
            node.add_action(action);
        }
    });
}
