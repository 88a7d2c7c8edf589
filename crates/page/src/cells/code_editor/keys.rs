//! What keys do in the editor beyond a plain text field: Tab indents by four
//! spaces, Enter keeps the indent, and what is pasted has no tabs.

use eframe::egui::text::{CCursor, CCursorRange};
use eframe::egui::{Event, Id, Key, TextEdit, Ui};

const TAB: &str = "    ";

/// Rewrites this frame's key presses, before the text field sees them.
pub(super) fn prepare(ui: &Ui, id: Id, text: &str) {
    if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    // Undo is the notebook's: it knows every change of the page in its order.
    let Some(mut state) = TextEdit::load_state(ui.ctx(), id) else {
        return;
    };
    state.clear_undoer();
    let caret = state.cursor.char_range().map(|range| {
        let [first, _] = range.sorted_cursors();
        first.index.0
    });
    TextEdit::store_state(ui.ctx(), id, state);
    let indent = caret.map(|caret| indent_at(text, caret)).unwrap_or_default();
    ui.input_mut(|input| {
        for event in &mut input.events {
            match event {
                Event::Key { key: Key::Tab, pressed: true, modifiers, .. }
                    if modifiers.is_none() =>
                {
                    *event = Event::Text(TAB.to_owned());
                }
                Event::Key { key: Key::Enter, pressed: true, modifiers, .. }
                    if modifiers.is_none() && !indent.is_empty() =>
                {
                    *event = Event::Text(format!("\n{indent}"));
                }
                Event::Paste(pasted) => {
                    *pasted = pasted.replace("\r\n", "\n").replace('\t', TAB);
                }
                _ => {}
            }
        }
    });
}

/// The spaces that a line begins with which is started at this character: those
/// of the line before, and four more after a brace.
fn indent_at(text: &str, caret: usize) -> String {
    let before: String = text.chars().take(caret).collect();
    let line = before.rsplit('\n').next().unwrap_or_default();
    let spaces = line.len() - line.trim_start_matches(' ').len();
    let deeper = if line.trim_end().ends_with('{') { TAB } else { "" };
    format!("{}{deeper}", &line[..spaces])
}

/// Puts the caret.
pub(super) fn put_caret(ui: &Ui, id: Id, character: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let caret = CCursorRange::one(CCursor::new(character));
    state.cursor.set_char_range(Some(caret));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Where a change ended, in characters of the text after it: there the caret
/// belongs when undo has changed the text.
pub(super) fn end_of_change(before: &str, after: &str) -> usize {
    let total = after.chars().count();
    let same_start = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let same_end =
        before.chars().rev().zip(after.chars().rev()).take_while(|(a, b)| a == b).count();
    (total - same_end).max(same_start).min(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_where_the_one_before_did_and_deeper_in_a_block() {
        assert_eq!(indent_at("    a;", 6), "    ");
        assert_eq!(indent_at("void main() {", 13), TAB);
        assert_eq!(indent_at("    if (a) { ", 13), "        ");
        assert_eq!(indent_at("    a;\nb", 8), "");
        assert_eq!(indent_at("    a", 2), "  ", "in the middle of the indent");
        assert_eq!(indent_at("é\n  ü", 5), "  ");
    }

    #[test]
    fn the_caret_goes_to_the_end_of_what_undo_changed() {
        assert_eq!(end_of_change("ab", "axyb"), 3);
        assert_eq!(end_of_change("axyb", "ab"), 1);
        assert_eq!(end_of_change("aa", "aaa"), 2);
        assert_eq!(end_of_change("", "é"), 1);
        assert_eq!(end_of_change("same", "same"), 4);
    }
}
