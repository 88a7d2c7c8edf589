//! What pointer, keys and screen readers do to a number. Shift makes a tenth of
//! every step, Ctrl (Command on a Mac) ten of it.

use eframe::egui::{
    Color32, Context, Frame, Id, Key, Modifiers, PointerButton, Response, Role, TextEdit, Ui,
    WidgetInfo, accesskit, text::CCursorRange,
};

use super::{Scrub, ScrubChange};
use crate::touch;
use crate::widgets::{Arrows, keep_arrows};

/// Modifiers, and what they multiply steps with.
const PACES: [(Modifiers, f64); 3] =
    [(Modifiers::COMMAND, 10.0), (Modifiers::SHIFT, 0.1), (Modifiers::NONE, 1.0)];

pub(super) fn pace(ctx: &Context) -> f64 {
    let modifiers = ctx.input(|input| input.modifiers);
    let held = PACES.iter().find(|(pattern, _)| modifiers.matches_logically(*pattern));
    held.map_or(1.0, |&(_, pace)| pace)
}

impl Scrub {
    /// Dragging sideways, keys, a screen reader; a double click resets, a click
    /// begins typing.
    pub fn interact(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        if response.double_clicked() {
            return Some(ScrubChange::Reset);
        }
        if response.clicked() {
            self.begin_typing(ui, response.clicked_by(PointerButton::Primary));
            return None;
        }
        self.dragged(ui, response, self.steps_per_point * self.step_at(1.0))
            .or_else(|| self.asked(ui, response))
    }

    /// Keys while it has the focus (arrows, Delete, and Home and End where there
    /// is a range), and what a screen reader asks for.
    pub fn asked(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        let by_key = if response.has_focus() { self.by_key(ui, response) } else { None };
        by_key.or_else(|| self.by_screen_reader(ui, response))
    }

    /// Name, value, range and step for those who hear the page.
    pub fn describe(&self, ui: &Ui, response: &Response, role: Role) {
        response.widget_info(|| WidgetInfo {
            enabled: ui.is_enabled(),
            label: Some(self.label.clone()),
            value: Some(self.shown()),
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

    fn by_key(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        keep_arrows(ui, response.id, Arrows::All);
        ui.input_mut(|input| {
            for (modifiers, pace) in PACES {
                let mut presses = |key| input.count_and_consume_key(modifiers, key) as f64;
                let steps = presses(Key::ArrowUp) + presses(Key::ArrowRight)
                    - presses(Key::ArrowDown)
                    - presses(Key::ArrowLeft);
                if steps != 0.0 {
                    return self.stepped(steps, pace);
                }
            }
            let mut pressed = |key| input.consume_key(Modifiers::NONE, key);
            if pressed(Key::Delete) || pressed(Key::Backspace) {
                return Some(ScrubChange::Reset);
            }
            let (low, high) = self.range?;
            if pressed(Key::Home) {
                Some(ScrubChange::Set(low))
            } else if pressed(Key::End) {
                Some(ScrubChange::Set(high))
            } else {
                None
            }
        })
    }

    fn by_screen_reader(&self, ui: &Ui, response: &Response) -> Option<ScrubChange> {
        use accesskit::{Action, ActionData};
        let id = response.id;
        ui.input(|input| {
            let count = |action| input.num_accesskit_action_requests(id, action) as f64;
            let steps = count(Action::Increment) - count(Action::Decrement);
            if steps != 0.0 {
                return self.stepped(steps, 1.0);
            }
            let request = input.accesskit_action_requests(id, Action::SetValue).last()?;
            match request.data.as_ref()? {
                ActionData::NumericValue(shown) => self.accept(self.stored(*shown)),
                ActionData::Value(typed) => self.read(typed),
                _ => None,
            }
        })
    }

    fn stepped(&self, steps: f64, pace: f64) -> Option<ScrubChange> {
        let step = self.step_at(pace);
        self.rounded(self.held(self.shown() + steps * step), step)
    }

    /// Of what is shown.
    pub(super) fn step_at(&self, pace: f64) -> f64 {
        if self.whole {
            return self.format.shown_per_stored() * pace.max(1.0);
        }
        let usual = if self.is_angle() { 1.0 } else { self.last_digit() };
        let pace = if self.in_steps { pace.max(1.0) } else { pace };
        self.step.unwrap_or(usual) * pace
    }

    fn last_digit(&self) -> f64 {
        1.0 / 10_f64.powi(self.format.decimals as i32)
    }

    /// A value beyond the ends, typed before, may stay but not go further.
    pub(super) fn held(&self, shown: f64) -> f64 {
        let scale = self.format.shown_per_stored();
        let (low, high) = self.ends();
        shown.max((low * scale).min(self.shown())).min((high * scale).max(self.shown()))
    }

    /// To the last digit, or to steps that are finer than it.
    pub(super) fn rounded(&self, shown: f64, step: f64) -> Option<ScrubChange> {
        let grid = if self.whole {
            self.format.shown_per_stored()
        } else if self.in_steps {
            step
        } else {
            step.min(self.last_digit())
        };
        // Dividing by the inverse keeps 0.3 at 0.3.
        let rounded = if grid < 1.0 {
            let per_unit = (1.0 / grid).round();
            (shown * per_unit).round() / per_unit
        } else {
            (shown / grid).round() * grid
        };
        let value = self.stored(rounded);
        (value.is_finite() && value != self.value).then_some(ScrubChange::Set(value))
    }
}

// Typing a number: what it is while it is typed, and how it ends.

/// A second click this soon was meant as a double click.
const DOUBLE_CLICK_SECS: f64 = 0.5;

#[derive(Clone, Debug)]
struct ScrubTyping {
    text: String,
    /// egui's clock.
    since_secs: f64,
    /// The field has had the focus.
    focused: bool,
    /// Enter did not take it as it is.
    refused: bool,
    /// A click began it: when it ends, arrows turn pages again.
    clicked: bool,
}

/// That a number is typed in this frame, for a keyboard on the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NumberTyped {
    /// Can it be negative? Keyboards for decimals may have no minus.
    pub signed: bool,
}

/// The number that was typed in since this was last asked; `None`: none was.
pub fn take_typed(ctx: &Context) -> Option<NumberTyped> {
    ctx.data_mut(|data| data.remove_temp(Id::NULL))
}

impl Scrub {
    /// Is this number being typed?
    pub fn is_typed(&self, ui: &Ui) -> bool {
        ui.data(|data| data.get_temp::<ScrubTyping>(self.id)).is_some()
    }

    /// The field in which it is typed: `field` shows the text, with an edge that
    /// says whether it was refused. What is not allowed stays in the field, with
    /// words about what is; Enter and leaving take the rest, Escape does not.
    pub fn typing(
        &self,
        ui: &mut Ui,
        field: impl FnOnce(&mut Ui, TextEdit<'_>, bool) -> Response,
    ) -> Option<ScrubChange> {
        let mut typing = ui.data(|data| data.get_temp::<ScrubTyping>(self.id))?;
        let edit = TextEdit::singleline(&mut typing.text)
            .id(self.field_id())
            .frame(Frame::NONE.fill(Color32::TRANSPARENT))
            .char_limit(64);
        let response = field(ui, edit, typing.refused);
        let name = format!("{}, type a value", self.label);
        ui.ctx().accesskit_node_builder(response.id, |node| node.set_label(name));
        let (double_clicked, entered, escaped, open_secs) = ui.input(|input| {
            (
                input.pointer.button_double_clicked(PointerButton::Primary),
                input.key_pressed(Key::Enter),
                input.key_pressed(Key::Escape),
                input.time - typing.since_secs,
            )
        });
        if double_clicked && open_secs < DOUBLE_CLICK_SECS {
            self.end_typing(ui, false);
            return Some(ScrubChange::Reset);
        }
        if touch::is_page_lower(ui.ctx()) {
            // A keyboard has come up: the field stays above it.
            ui.scroll_to_rect(response.rect.expand(8.0), None);
        }
        let signed = self.limits.0 < 0.0;
        ui.data_mut(|data| data.insert_temp(Id::NULL, NumberTyped { signed }));
        typing.refused &= !response.changed();
        if typing.focused && !response.has_focus() {
            let untouched = escaped || typing.text == self.text();
            let read = self.read(&typing.text).filter(|_| !untouched);
            if read.is_some() || untouched || !entered {
                self.end_typing(ui, (entered || escaped) && !typing.clicked);
                return read;
            }
            typing.refused = true;
            response.request_focus();
        }
        if response.has_focus() {
            typing.focused = true;
        } else if !typing.focused {
            // What is shown for the first time may not take it yet.
            response.request_focus();
        }
        if typing.refused {
            response.show_tooltip_text(self.allowed());
        }
        ui.data_mut(|data| data.insert_temp(self.id, typing));
        None
    }

    /// What stands there is selected. `clicked`: by the pointer, not by a key.
    pub(super) fn begin_typing(&self, ui: &Ui, clicked: bool) {
        let text = self.text();
        let id = self.field_id();
        let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
        let all = CCursorRange::select_all_str(&text);
        state.cursor.set_char_range(Some(all));
        state.store(ui.ctx(), id);
        let typing = ScrubTyping {
            text,
            since_secs: ui.input(|input| input.time),
            focused: false,
            refused: false,
            clicked,
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
