//! Input to a number from the pointer, the keyboard, screen readers and the text field.
//! Shift divides every step by ten, Ctrl (Command on a Mac) multiplies it by ten.

use eframe::egui::{
    Color32, Context, Frame, Id, Key, Modifiers, PointerButton, Response, Role, TextEdit, Ui,
    WidgetInfo, accesskit, text::CCursorRange,
};

use super::{Scrub, ScrubChange};
use crate::touch;
use crate::widgets::{Arrows, keep_arrows};

/// Modifiers and the factors by which they multiply steps.
const STEP_FACTORS: [(Modifiers, f64); 3] =
    [(Modifiers::COMMAND, 10.0), (Modifiers::SHIFT, 0.1), (Modifiers::NONE, 1.0)];

/// Factor of the modifiers that are held.
pub(super) fn step_factor(ctx: &Context) -> f64 {
    let modifiers = ctx.input(|input| input.modifiers);
    let held = STEP_FACTORS.iter().find(|(pattern, _)| modifiers.matches_logically(*pattern));
    held.map_or(1.0, |&(_, factor)| factor)
}

impl Scrub {
    /// Handles dragging sideways, keys and screen readers. A double click resets the
    /// number, a click begins typing.
    pub fn interact(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        if response.double_clicked() {
            return Some(ScrubChange::Reset);
        }
        if response.clicked() {
            self.begin_typing(ui, response.clicked_by(PointerButton::Primary));
            return None;
        }
        self.drag_sideways(ui, response, self.steps_per_point * self.step_at(1.0))
            .or_else(|| self.find_change(ui, response))
    }

    /// Handles keys while the number has the focus (arrows, Delete, and Home and End if
    /// there is a range), and actions of screen readers.
    pub fn find_change(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        let change = if response.has_focus() { self.handle_keys(ui, response) } else { None };
        change.or_else(|| self.handle_screen_reader(ui, response))
    }

    /// Describes name, value, range and step to screen readers.
    pub fn describe(&self, ui: &Ui, response: &Response, role: Role) {
        response.widget_info(|| WidgetInfo {
            enabled: ui.is_enabled(),
            label: Some(self.label.clone()),
            value: Some(self.displayed_value()),
            ..WidgetInfo::new(role)
        });
        let scale = self.format.shown_per_stored();
        ui.ctx().accesskit_node_builder(response.id, |node| {
            if let Some((low, high)) = self.range {
                node.set_min_numeric_value(low * scale);
                node.set_max_numeric_value(high * scale);
            }
            node.set_numeric_value_step(self.step_at(1.0));
            node.set_value(self.text());
            node.add_action(accesskit::Action::SetValue);
            node.add_action(accesskit::Action::Increment);
            node.add_action(accesskit::Action::Decrement);
        });
    }

    fn handle_keys(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        keep_arrows(ui, response.id, Arrows::All);
        ui.input_mut(|input| {
            for (modifiers, factor) in STEP_FACTORS {
                let steps = input.count_and_consume_key(modifiers, Key::ArrowUp) as f64
                    + input.count_and_consume_key(modifiers, Key::ArrowRight) as f64
                    - input.count_and_consume_key(modifiers, Key::ArrowDown) as f64
                    - input.count_and_consume_key(modifiers, Key::ArrowLeft) as f64;
                if steps != 0.0 {
                    return self.move_by_steps(steps, factor);
                }
            }
            if input.consume_key(Modifiers::NONE, Key::Delete)
                || input.consume_key(Modifiers::NONE, Key::Backspace)
            {
                return Some(ScrubChange::Reset);
            }
            let (low, high) = self.range?;
            if input.consume_key(Modifiers::NONE, Key::Home) {
                Some(ScrubChange::Set(low))
            } else if input.consume_key(Modifiers::NONE, Key::End) {
                Some(ScrubChange::Set(high))
            } else {
                None
            }
        })
    }

    fn handle_screen_reader(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        use accesskit::{Action, ActionData};
        let id = response.id;
        ui.input(|input| {
            let steps = input.num_accesskit_action_requests(id, Action::Increment) as f64
                - input.num_accesskit_action_requests(id, Action::Decrement) as f64;
            if steps != 0.0 {
                return self.move_by_steps(steps, 1.0);
            }
            let request = input.accesskit_action_requests(id, Action::SetValue).last()?;
            match request.data.as_ref()? {
                ActionData::NumericValue(displayed) => {
                    self.accept(self.stored_from_displayed(*displayed))
                }
                ActionData::Value(typed) => self.parse(typed),
                _ => None,
            }
        })
    }

    fn move_by_steps(&self, steps: f64, step_factor: f64) -> Option<ScrubChange> {
        let step = self.step_at(step_factor);
        self.round_displayed(self.clamp_displayed(self.displayed_value() + steps * step), step)
    }

    /// Step of the displayed value.
    pub(super) fn step_at(&self, step_factor: f64) -> f64 {
        if self.whole {
            return self.format.shown_per_stored() * step_factor.max(1.0);
        }
        let default_step = if self.is_angle() { 1.0 } else { self.last_digit() };
        let factor = if self.in_steps { step_factor.max(1.0) } else { step_factor };
        self.step.unwrap_or(default_step) * factor
    }

    fn last_digit(&self) -> f64 {
        1.0 / 10_f64.powi(self.format.decimals as i32)
    }

    /// Clamps a displayed value to the range. A value that was typed beyond the range may
    /// stay but not move further.
    pub(super) fn clamp_displayed(&self, displayed: f64) -> f64 {
        let scale = self.format.shown_per_stored();
        let (low, high) = self.drag_limits();
        displayed
            .max((low * scale).min(self.displayed_value()))
            .min((high * scale).max(self.displayed_value()))
    }

    /// Rounds a displayed value to the last digit, or to finer steps. Returns `None` if
    /// the value does not change.
    pub(super) fn round_displayed(&self, displayed: f64, step: f64) -> Option<ScrubChange> {
        let grid = if self.whole {
            self.format.shown_per_stored()
        } else if self.in_steps {
            step
        } else {
            step.min(self.last_digit())
        };
        // Dividing by the inverse keeps 0.3 exact.
        let rounded = if grid < 1.0 {
            let per_unit = (1.0 / grid).round();
            (displayed * per_unit).round() / per_unit
        } else {
            (displayed / grid).round() * grid
        };
        let value = self.stored_from_displayed(rounded);
        (value.is_finite() && value != self.value).then_some(ScrubChange::Set(value))
    }
}

// Typing into the text field of a number.

/// Time within which a second click counts as a double click.
const MAX_DOUBLE_CLICK_SECS: f64 = 0.5;

/// State of the text field.
#[derive(Clone, Debug)]
struct ScrubTyping {
    text: String,
    /// Time at which typing began, by egui's clock.
    since_secs: f64,
    /// Whether the field has had the focus.
    was_focused: bool,
    /// Whether the current text was rejected.
    is_refused: bool,
    /// Whether typing began with a click. If so, the arrow keys turn pages again
    /// afterwards.
    by_click: bool,
}

/// Reports that a number is being typed in this frame, for on-screen keyboards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TypedNumber {
    /// Whether the number may be negative. Decimal keyboards may have no minus.
    pub signed: bool,
}

/// Returns the number that was typed into since the last call.
pub fn take_typed_number(ctx: &Context) -> Option<TypedNumber> {
    ctx.data_mut(|data| data.remove_temp(Id::NULL))
}

impl Scrub {
    /// Returns true while the reader types into this number.
    pub fn is_typed(&self, ui: &Ui) -> bool {
        ui.data(|data| data.get_temp::<ScrubTyping>(self.id)).is_some()
    }

    /// Draws the text field with `field`, whose last argument is true if the text was
    /// rejected. Rejected text stays in the field, with a tooltip that describes allowed
    /// values. Enter and leaving the field accept other text, Escape does not.
    pub fn typing_ui(
        &self,
        ui: &mut Ui,
        field: impl FnOnce(&mut Ui, TextEdit<'_>, bool) -> Response,
    ) -> Option<ScrubChange> {
        let mut typing = ui.data(|data| data.get_temp::<ScrubTyping>(self.id))?;
        let edit = TextEdit::singleline(&mut typing.text)
            .id(self.field_id())
            .frame(Frame::NONE.fill(Color32::TRANSPARENT))
            .char_limit(64);
        let response = field(ui, edit, typing.is_refused);
        let name = format!("{}, type a value", self.label);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
        let (double_clicked, enter_pressed, escape_pressed, open_secs) = ui.input(|input| {
            (
                input.pointer.button_double_clicked(PointerButton::Primary),
                input.key_pressed(Key::Enter),
                input.key_pressed(Key::Escape),
                input.time - typing.since_secs,
            )
        });
        if double_clicked && open_secs < MAX_DOUBLE_CLICK_SECS {
            self.end_typing(ui, false);
            return Some(ScrubChange::Reset);
        }
        if touch::is_page_lower(ui.ctx()) {
            // Keeps the field above an on-screen keyboard.
            ui.scroll_to_rect(response.rect.expand(8.0), None);
        }
        let signed = self.limits.0 < 0.0;
        ui.data_mut(|data| data.insert_temp(Id::NULL, TypedNumber { signed }));
        typing.is_refused &= !response.changed();
        if typing.was_focused && !response.has_focus() {
            let is_unchanged = escape_pressed || typing.text == self.text();
            let change = if is_unchanged { None } else { self.parse(&typing.text) };
            if change.is_some() || is_unchanged || !enter_pressed {
                self.end_typing(ui, (enter_pressed || escape_pressed) && !typing.by_click);
                return change;
            }
            typing.is_refused = true;
            response.request_focus();
        }
        if response.has_focus() {
            typing.was_focused = true;
        } else if !typing.was_focused {
            // A widget may not take the focus in its first frame, so this is repeated.
            response.request_focus();
        }
        if typing.is_refused {
            response.show_tooltip_text(self.describe_allowed());
        }
        ui.data_mut(|data| data.insert_temp(self.id, typing));
        None
    }

    /// Opens the text field with its text selected. `by_click` is false if a key opened
    /// it.
    pub(super) fn begin_typing(&self, ui: &Ui, by_click: bool) {
        let text = self.text();
        let id = self.field_id();
        let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
        let all = CCursorRange::select_all_str(&text);
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
        let typing = ScrubTyping {
            text,
            since_secs: ui.input(|input| input.time),
            was_focused: false,
            is_refused: false,
            by_click,
        };
        ui.data_mut(|data| data.insert_temp(self.id, typing));
        ui.memory_mut(|memory| memory.request_focus(id));
        ui.ctx().request_repaint();
    }

    fn end_typing(&self, ui: &Ui, keep_focus: bool) {
        ui.data_mut(|data| data.remove::<ScrubTyping>(self.id));
        if keep_focus {
            ui.memory_mut(|memory| memory.request_focus(self.id));
        }
        ui.ctx().request_repaint();
    }

    fn field_id(&self) -> Id {
        self.id.with("field")
    }
}
