//! Keys while a byte has the focus: digits, arrows, and the way back.

use bindpose_lesson::DataEdit;
use bindpose_notebook::Edit;
use eframe::egui::{
    Event, Key, Response, Ui,
    accesskit::{Action, ActionData},
};

use super::selection::BytesCellState;
use crate::PageContext;
use crate::widgets::{Arrows, keep_arrows, pressed, take_letters};

/// What a screen reader asks to write there: two digits at most, base 16.
pub(super) fn asked(ui: &Ui, response: &Response) -> Option<u8> {
    ui.input(|input| {
        let requests = input.accesskit_action_requests(response.id, Action::SetValue);
        match requests.last()?.data.as_ref()? {
            ActionData::Value(digits) => u8::from_str_radix(digits.trim(), 16).ok(),
            ActionData::NumericValue(value) => {
                (value.fract() == 0.0).then(|| u8::try_from(*value as i64).ok()).flatten()
            }
            _ => None,
        }
    })
}

/// The byte that has the focus.
pub(super) struct FocusedByte {
    pub(super) buffer: u32,
    /// In the buffer.
    pub(super) offset: usize,
    /// What stands there now.
    pub(super) now: u8,
    /// Bytes in a row of the grid.
    pub(super) per_row: usize,
    /// Bytes in the buffer.
    pub(super) count: usize,
}

/// A digit is written at the right, and what stood there moves to the left.
pub(super) fn ui(
    ui: &Ui,
    page: &mut PageContext<'_>,
    memory: &mut BytesCellState,
    response: &Response,
    byte: &FocusedByte,
) {
    keep_arrows(ui, response.id, Arrows::All);
    take_letters(ui, response.id);
    let FocusedByte { buffer, offset, per_row, count, .. } = *byte;
    let mut now = byte.now;
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let Event::Text(text) = event else {
                return true;
            };
            for digit in text.chars().filter_map(|letter| letter.to_digit(16)) {
                now = (now << 4) | digit as u8;
            }
            false
        });
    });
    let at = offset as u32;
    if now != byte.now {
        page.edits.push(Edit::Data(DataEdit::Bytes { buffer, offset: at, bytes: vec![now] }));
    }
    let pressed = |key: Key| pressed(ui, key);
    if pressed(Key::Backspace) || pressed(Key::Delete) {
        page.edits.push(Edit::ResetBytes { buffer, offset: at, length: 1 });
    }
    let to = if pressed(Key::ArrowRight) {
        offset.checked_add(1)
    } else if pressed(Key::ArrowLeft) {
        offset.checked_sub(1)
    } else if pressed(Key::ArrowDown) {
        offset.checked_add(per_row)
    } else if pressed(Key::ArrowUp) {
        offset.checked_sub(per_row)
    } else {
        None
    };
    if let Some(to) = to.filter(|&to| to < count) {
        memory.byte = Some(to);
        memory.focus = true;
        ui.ctx().request_repaint();
    }
}
