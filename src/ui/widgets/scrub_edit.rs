//! Typing into a scrubbable number.

use eframe::egui::{
    Align2, Color32, Direction, Frame, Id, Key, Layout, Margin, Rect, Response, Stroke, StrokeKind,
    TextEdit, Ui, UiBuilder, text::CCursorRange, vec2,
};

use super::{Scrub, ScrubChange};
use crate::notebook::numbers;

#[derive(Clone, Debug)]
struct Typing {
    text: String,
    /// Seconds, as egui counts them.
    since_secs: f64,
    focused: bool,
}

fn key(id: Id) -> Id {
    id.with("typing")
}

/// Is this number being typed?
pub(super) fn is_open(ui: &Ui, id: Id) -> bool {
    ui.data(|data| data.get_temp::<Typing>(key(id))).is_some()
}

/// Begin to type: what stands there is selected.
pub(super) fn open(ui: &Ui, id: Id, text: String) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    state
        .cursor
        .set_char_range(Some(CCursorRange::select_all_str(&text)));
    state.store(ui.ctx(), id);
    let typing = Typing {
        text,
        since_secs: ui.input(|input| input.time),
        focused: false,
    };
    ui.data_mut(|data| data.insert_temp(key(id), typing));
    ui.memory_mut(|memory| memory.request_focus(id));
    ui.ctx().request_repaint();
}

fn close(ui: &Ui, id: Id) {
    ui.data_mut(|data| data.remove::<Typing>(key(id)));
    ui.ctx().request_repaint();
}

/// The field in the place of the number. What is not a number stays in the
/// field, with a word about it; Enter does not take it, Escape leaves.
pub(super) fn show(scrub: &Scrub, ui: &mut Ui, rect: Rect) -> (Option<ScrubChange>, Response) {
    let id = scrub.id;
    let Some(mut typing) = ui.data(|data| data.get_temp::<Typing>(key(id))) else {
        let response = ui.interact(rect, id, eframe::egui::Sense::hover());
        return (None, response);
    };
    let answer = numbers::parse(&typing.text, &scrub.suffix).and_then(|shown| scrub.accept(shown));
    let edge = if answer.is_ok() {
        ui.visuals().hyperlink_color
    } else {
        ui.visuals().error_fg_color
    };
    let field = rect.expand2(vec2(4.0, 0.0));
    ui.painter().rect(
        field,
        3.0,
        ui.visuals().extreme_bg_color,
        Stroke::new(1.5, edge),
        StrokeKind::Outside,
    );
    // A child with a salt of its own, so that the ids after it do not shift.
    let mut child = ui.new_child(
        UiBuilder::new()
            .id_salt(key(id))
            .max_rect(field)
            .layout(Layout::centered_and_justified(Direction::TopDown)),
    );
    let response = child.add(
        TextEdit::singleline(&mut typing.text)
            .id(id)
            .font(scrub.font_in(ui))
            .frame(Frame::NONE.fill(Color32::TRANSPARENT))
            .margin(Margin::symmetric(3, 0))
            .align(Align2::RIGHT_CENTER)
            .desired_width(field.width() - 6.0)
            .clip_text(true)
            .char_limit(32),
    );
    ui.ctx()
        .accesskit_node_builder(response.id, |node| node.set_label(scrub.label.clone()));

    let quick = ui.input(|input| input.time) - typing.since_secs < 0.5;
    if quick && response.double_clicked() {
        close(ui, id);
        return (Some(ScrubChange::Reset), response);
    }
    if response.lost_focus() || (typing.focused && !response.has_focus()) {
        return left(scrub, ui, typing, response);
    }
    typing.focused |= response.has_focus();
    ui.data_mut(|data| data.insert_temp(key(id), typing));
    if let Err(words) = answer {
        response.show_tooltip_text(words);
    }
    (None, response)
}

fn left(
    scrub: &Scrub,
    ui: &Ui,
    typing: Typing,
    response: Response,
) -> (Option<ScrubChange>, Response) {
    let (entered, escaped) = ui.input(|input| {
        (
            input.key_pressed(Key::Enter),
            input.key_pressed(Key::Escape),
        )
    });
    let answer = numbers::parse(&typing.text, &scrub.suffix).and_then(|shown| scrub.accept(shown));
    if entered || escaped {
        ui.memory_mut(|memory| memory.request_focus(scrub.id));
    }
    match answer {
        Err(_) if entered => {
            ui.data_mut(|data| data.insert_temp(key(scrub.id), typing));
            (None, response)
        }
        Ok(change) if !escaped && typing.text != scrub.text_without_suffix() => {
            close(ui, scrub.id);
            (Some(change), response)
        }
        _ => {
            close(ui, scrub.id);
            (None, response)
        }
    }
}
