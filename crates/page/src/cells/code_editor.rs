//! A text field for code: colours, line numbers that stay while the text
//! scrolls, and marks at lines that are wrong, or changed.

use std::collections::BTreeSet;

use eframe::egui::cache::{ComputerMut, FrameCache};
use eframe::egui::text::{CCursor, CCursorRange, LayoutJob};
use eframe::egui::{
    Button, CornerRadius, Event, FontId, Frame, Galley, Id, Key, Margin, Pos2, Rect, Response,
    ScrollArea, Sense, Shape, Stroke, StrokeKind, TextBuffer, TextEdit, Ui, UiBuilder, pos2, vec2,
};

use crate::theme::{CAPTION, SMALL, Theme, font};
use crate::widgets::{PaintText, Tip as _, icon_line};
use crate::{code, icons};

/// Above and below the text.
const PAD: f32 = 8.0;
/// Between the line numbers and the text.
const GAP: f32 = 10.0;
/// Width of the bar beside a line that was changed.
const BAR: f32 = 3.0;
/// Room for the mark before a line's number.
const MARK: f32 = 18.0;

/// One text, as it is in this frame.
pub(super) struct Editor<'a> {
    pub(super) id: Id,
    pub(super) text: &'a str,
    /// What it is, for those who hear the page.
    pub(super) name: &'a str,
    /// What gives it its colours: `glsl`.
    pub(super) language: &'static str,
    /// Lines, from 1, that are not the page's own.
    pub(super) changed: &'a BTreeSet<usize>,
    /// Lines, from 1, and what is wrong there.
    pub(super) wrong: &'a [(usize, &'a str)],
    /// Shown at once, at most.
    pub(super) lines: usize,
}

/// What is kept of a text from frame to frame.
#[derive(Default)]
pub(super) struct EditorState {
    /// As it was last shown.
    shown: Option<String>,
    /// The line, from 1, that comes into view in the next frame.
    go_to: Option<usize>,
}

/// Where the text was painted.
struct PaintedText {
    top_left: Pos2,
    galley: std::sync::Arc<Galley>,
}

impl Editor<'_> {
    /// Shows it in the width there is; the text as the reader has changed it.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        state: &mut EditorState,
    ) -> Option<String> {
        self.follow(ui, state);
        prepare_keys(ui, self.id, self.text);

        let line_count = self.text.split('\n').count();
        let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(SMALL), '0'));
        let digits = line_count.to_string().len().max(2);
        let gutter = MARK + digits as f32 * glyph + GAP;
        let size = code::size_for(ui, self.text, ui.available_width() - gutter - 2.0 * glyph);
        let height = code::line_height(size) * line_count.min(self.lines) as f32 + 2.0 * PAD;

        let (outer, _) =
            ui.allocate_exact_size(vec2(ui.available_width(), height + SCROLL_BAR), Sense::hover());
        ui.painter().rect_filled(outer, CornerRadius::same(8), theme.panel);
        let (numbers, field) = outer.split_left_right_at_x(outer.left() + gutter);
        let mut field_ui = ui.new_child(UiBuilder::new().max_rect(field).id_salt("field"));
        let (painted, changed) = self.field(&mut field_ui, theme, size, state);
        self.numbers(ui, theme, numbers, &painted);

        let focused = ui.memory(|memory| memory.has_focus(self.id));
        let edge = if focused { theme.accent } else { theme.rule };
        ui.painter().rect_stroke(outer, 8.0, Stroke::new(1.0, edge), StrokeKind::Inside);
        changed
    }

    /// Puts the caret at the start of a line, from 1, and brings it into view.
    pub(super) fn go_to(&self, ui: &Ui, line: usize, state: &mut EditorState) {
        let before: usize = self
            .text
            .split_inclusive('\n')
            .take(line.saturating_sub(1))
            .map(|line| line.chars().count())
            .sum();
        put_caret(ui, self.id, before);
        ui.memory_mut(|memory| memory.request_focus(self.id));
        state.go_to = Some(line);
        ui.ctx().request_repaint();
    }

    /// When the text has changed from outside, as by undo or a button, the caret
    /// goes there, and the view.
    fn follow(&self, ui: &Ui, state: &mut EditorState) {
        if state.shown.as_deref() == Some(self.text) {
            return;
        }
        if let Some(shown) = state.shown.replace(self.text.to_owned()) {
            let end = end_of_change(&shown, self.text);
            put_caret(ui, self.id, end);
            let line = 1 + self.text.chars().take(end).filter(|&c| c == '\n').count();
            state.go_to = Some(line);
        }
    }

    fn field(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        size: f32,
        state: &mut EditorState,
    ) -> (PaintedText, Option<String>) {
        let glyph = ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(size), '0'));
        let longest = self.text.split('\n').map(|line| line.chars().count()).max();
        // Room for the caret after the last letter.
        let width = (longest.unwrap_or(0) as f32 + 1.0) * glyph;
        let (dark, language) = (theme.dark, self.language);
        let mut layouter = move |ui: &Ui, buffer: &dyn TextBuffer, _wrap: f32| {
            let job = ui.memory_mut(|memory| {
                memory
                    .caches
                    .cache::<FrameCache<LayoutJob, Highlighter>>()
                    .get((dark, language, buffer.as_str()))
                    .clone()
            });
            let job = code::in_size(job, size);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let mut buffer = self.text.to_owned();
        let go_to = state.go_to.take();
        let visible = ui.available_size();
        let output = ScrollArea::both()
            .id_salt("text")
            .auto_shrink([false, false])
            // A text of one line has a field of one line: its bar is not lower.
            .min_scrolled_height(0.0)
            .show(ui, |ui| {
                // Painted under the text, where it will have been laid out.
                let washes: Vec<_> =
                    self.wrong.iter().map(|_| ui.painter().add(Shape::Noop)).collect();
                let output = TextEdit::multiline(&mut buffer)
                    .id(self.id)
                    .font(FontId::monospace(size))
                    .frame(Frame::NONE.inner_margin(Margin::symmetric(0, PAD as i8)))
                    .min_size(vec2(width, 0.0))
                    .desired_width(visible.x)
                    .desired_rows(1)
                    .cursor_at_end(false)
                    .lock_focus(true)
                    .layouter(&mut layouter)
                    .show(ui);
                output.response.response.clone().accessible_name(self.name);
                let painted = PaintedText { top_left: output.galley_pos, galley: output.galley };
                for (&(line, _), wash) in self.wrong.iter().zip(washes) {
                    if let Some(row) = painted.row(line) {
                        let rect = Rect::from_x_y_ranges(ui.clip_rect().x_range(), row);
                        ui.painter().set(wash, Shape::rect_filled(rect, 0.0, theme.wrong_wash));
                    }
                }
                if let Some(row) = go_to.and_then(|line| painted.row(line)) {
                    let rect = Rect::from_x_y_ranges(painted.top_left.x..=painted.top_left.x, row);
                    ui.scroll_to_rect(rect, None);
                }
                painted
            });
        let changed = (buffer != self.text).then_some(buffer);
        if let Some(text) = &changed {
            state.shown = Some(text.clone());
        }
        (output.inner, changed)
    }

    fn numbers(&self, ui: &Ui, theme: &Theme, area: Rect, painted: &PaintedText) {
        let painter = ui.painter_at(area.shrink2(vec2(1.0, 1.0)));
        let mut hovered = None;
        for line in 1..=painted.galley.rows.len() {
            let Some(row) = painted.row(line) else {
                continue;
            };
            if row.max < area.top() || row.min > area.bottom() {
                continue;
            }
            let wrong = self.wrong.iter().find(|(wrong, _)| *wrong == line);
            let middle = f32::midpoint(row.min, row.max);
            let changed = self.changed.contains(&line);
            if changed {
                let x = area.right() - 0.5 * GAP;
                let bar = Rect::from_x_y_ranges(x - BAR..=x, row);
                painter.rect_filled(bar, 0.0, theme.accent);
            }
            let (color, font) = if wrong.is_some() {
                (theme.wrong, font::mono_strong(CAPTION))
            } else if changed {
                (theme.accent, font::mono_strong(CAPTION))
            } else {
                (theme.quiet, FontId::monospace(CAPTION))
            };
            if let Some((_, message)) = wrong {
                let mark = font::icon(SMALL);
                let at = pos2(area.left() + 6.0, middle);
                painter.text_left(at, icons::X, mark, theme.wrong);
                let band = Rect::from_x_y_ranges(area.x_range(), row);
                if ui.rect_contains_pointer(band) {
                    hovered = Some((band, *message));
                }
            }
            let at = pos2(area.right() - GAP, middle);
            painter.text_right(at, line, font, color);
        }
        if let Some((band, message)) = hovered {
            ui.interact(band, self.id.with("mark"), Sense::hover()).tip(message);
        }
    }
}

/// A bar under the text, where it scrolls sideways.
const SCROLL_BAR: f32 = 10.0;

impl PaintedText {
    /// From top to bottom of a line, from 1.
    fn row(&self, line: usize) -> Option<eframe::egui::Rangef> {
        let row = self.galley.rows.get(line.checked_sub(1)?)?;
        let top = self.top_left.y + row.pos.y;
        Some(eframe::egui::Rangef::new(top, top + row.size.y))
    }
}

/// Colours, kept from frame to frame.
#[derive(Default)]
struct Highlighter;

impl ComputerMut<(bool, &str, &str), LayoutJob> for Highlighter {
    fn compute(&mut self, (dark, language, text): (bool, &str, &str)) -> LayoutJob {
        let mut job = code::highlight(language, text, &Theme::new(dark));
        job.keep_trailing_whitespace = true;
        job
    }
}

// What keys do in the editor beyond a plain text field: Tab indents by four
// spaces, Enter keeps the indent, and what is pasted has no tabs.

const TAB: &str = "    ";

/// Rewrites this frame's key presses, before the text field sees them.
fn prepare_keys(ui: &Ui, id: Id, text: &str) {
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
fn put_caret(ui: &Ui, id: Id, character: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let caret = CCursorRange::one(CCursor::new(character));
    state.cursor.set_char_range(Some(caret));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Where a change ended, in characters of the text after it: there the caret
/// belongs when undo has changed the text.
fn end_of_change(before: &str, after: &str) -> usize {
    let total = after.chars().count();
    let same_start = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let same_end =
        before.chars().rev().zip(after.chars().rev()).take_while(|(a, b)| a == b).count();
    (total - same_end).max(same_start).min(total)
}

/// What a button that puts a text back is called, and what it says.
pub(super) struct ResetWords {
    pub(super) name: &'static str,
    pub(super) tip: &'static str,
    pub(super) tip_disabled: &'static str,
}

/// The way back to the text before it was `edited`. Always there, so that nothing moves
/// under the pointer.
pub(super) fn reset_button(
    ui: &mut Ui,
    theme: &Theme,
    edited: bool,
    words: &ResetWords,
) -> Response {
    let parts = [
        (icons::ARROW_COUNTER_CLOCKWISE, 0.0, font::icon(SMALL)),
        ("Reset", 5.0, FontId::proportional(CAPTION)),
    ];
    let line = icon_line(parts, if edited { theme.ink } else { theme.quiet });
    ui.add_enabled(edited, Button::new(line))
        .accessible_name(words.name)
        .tip(words.tip)
        .tip_disabled(words.tip_disabled)
}

// Which lines of a text are not the page's own.

/// Beyond so many pairs of lines, all between the first and the last that differ
/// count as changed.
const MOST_PAIRS: usize = 250_000;

/// Lines of `text`, from 1, that are not in the longest common sequence with
/// `own`.
pub(super) fn changed_lines(own: &str, text: &str) -> BTreeSet<usize> {
    let (own, text): (Vec<&str>, Vec<&str>) = (own.lines().collect(), text.lines().collect());
    let same = |(a, b): &(&&str, &&str)| a == b;
    let before = own.iter().zip(&text).take_while(same).count();
    let (own_left, text_left) = (&own[before..], &text[before..]);
    let backwards = own_left.iter().rev().zip(text_left.iter().rev());
    let after = backwards.take_while(same).count();
    let own = &own_left[..own_left.len() - after];
    let text = &text_left[..text_left.len() - after];
    let all = before + 1..=before + text.len();
    if own.len() * text.len() > MOST_PAIRS {
        return all.collect();
    }
    let kept = common(own, text);
    all.filter(|line| !kept.contains(&(line - before - 1))).collect()
}

/// Indices into `text` of the longest sequence that it has in common with `own`.
fn common(own: &[&str], text: &[&str]) -> BTreeSet<usize> {
    // By what is left of both: how long it is at most.
    let wide = text.len() + 1;
    let mut length = vec![0_u32; (own.len() + 1) * wide];
    for a in (0..own.len()).rev() {
        for b in (0..text.len()).rev() {
            length[a * wide + b] = if own[a] == text[b] {
                length[(a + 1) * wide + b + 1] + 1
            } else {
                length[(a + 1) * wide + b].max(length[a * wide + b + 1])
            };
        }
    }
    let (mut a, mut b, mut kept) = (0, 0, BTreeSet::new());
    while a < own.len() && b < text.len() {
        if own[a] == text[b] {
            kept.insert(b);
            (a, b) = (a + 1, b + 1);
        } else if length[(a + 1) * wide + b] >= length[a * wide + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    kept
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

    fn changed(own: &str, text: &str) -> Vec<usize> {
        changed_lines(own, text).into_iter().collect()
    }

    #[test]
    fn lines_that_are_new_or_other_are_changed_and_no_others() {
        let own = "a\nb\nc\nd\n";
        assert!(changed(own, own).is_empty() && changed(own, "").is_empty());
        assert_eq!(changed(own, "a\nB\nc\nd\n"), [2]);
        assert_eq!(changed(own, "a\nb\nnew\nc\nd\n"), [3]);
        assert!(changed(own, "a\nd\n").is_empty(), "what is gone has no line");
        assert_eq!(changed(own, "x\na\nB\nc\nD\n"), [1, 3, 5]);
        assert_eq!(changed("", "a\nb"), [1, 2]);
    }

    #[test]
    fn very_long_texts_are_not_compared_line_by_line() {
        let numbers = |from: u32| {
            let lines: Vec<String> = (from..from + 600).map(|line| line.to_string()).collect();
            lines.join("\n")
        };
        let (own, text) = (numbers(0), numbers(1));
        assert_eq!(changed(&own, &text).len(), 600);
    }
}
