//! Typing a number: what it is while it is typed, and how it ends.

use eframe::egui::{
    Color32, Context, Frame, Id, Key, PointerButton, Response, TextEdit, Ui, text::CCursorRange,
};

use super::{Scrub, ScrubChange};
use crate::touch;

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
