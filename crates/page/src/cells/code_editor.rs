//! A text field for code: syntax colours, line numbers that stay in place while
//! the text scrolls, and marks beside lines that are wrong or changed.

use std::collections::BTreeSet;

use bindpose_kit::theme::{CAPTION_SIZE, SMALL_SIZE, Theme, font};
use bindpose_kit::widgets::{PaintText, Tip as _, icon_line};
use bindpose_kit::{code, icons};
use eframe::egui::cache::{ComputerMut, FrameCache};
use eframe::egui::text::{CCursor, CCursorRange, LayoutJob};
use eframe::egui::{
    Button, CornerRadius, Event, FontId, Frame, Galley, Id, Key, Margin, Pos2, Rangef, Rect,
    Response, ScrollArea, Sense, Shape, Stroke, StrokeKind, TextBuffer, TextEdit, Ui, UiBuilder,
    pos2, vec2,
};

/// Padding above and below the text, in points.
const TEXT_PADDING: f32 = 8.0;
/// Gap between the line numbers and the text, in points.
const GUTTER_GAP: f32 = 10.0;
/// Width of the bar beside a changed line, in points.
const CHANGE_BAR_WIDTH: f32 = 3.0;
/// Width reserved for the error mark before a line's number, in points.
const ERROR_MARK_WIDTH: f32 = 18.0;
/// Height reserved for the horizontal scroll bar, in points.
const SCROLL_BAR_HEIGHT: f32 = 10.0;

/// A code field with its contents in this frame.
pub(super) struct CodeEditor<'a> {
    pub(super) id: Id,
    pub(super) text: &'a str,
    /// Accessible name.
    pub(super) name: &'a str,
    /// Language of the syntax colours, such as `glsl`.
    pub(super) language: &'static str,
    /// Lines, from 1, that differ from the page's own text.
    pub(super) changed_lines: &'a BTreeSet<usize>,
    /// Lines, from 1, with their error messages.
    pub(super) errors: &'a [(usize, &'a str)],
    /// Maximum number of lines visible at once.
    pub(super) max_visible_lines: usize,
}

/// State of a code field that is kept from frame to frame.
#[derive(Default)]
pub(super) struct EditorState {
    /// Text of the last frame. A difference is a change from outside.
    last_text: Option<String>,
    /// Line, from 1, to scroll to in the next frame.
    scroll_to_line: Option<usize>,
}

/// Position of the painted text, which the line numbers are aligned with.
struct PaintedText {
    top_left: Pos2,
    galley: std::sync::Arc<Galley>,
}

impl CodeEditor<'_> {
    /// Draws the field in the available width. Returns the new text if the
    /// reader has changed it.
    pub(super) fn show(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        state: &mut EditorState,
    ) -> Option<String> {
        self.follow_outside_change(ui, state);
        rewrite_key_events(ui, self.id, self.text);

        let line_count = self.text.split('\n').count();
        let glyph_width =
            ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(SMALL_SIZE), '0'));
        let digits = line_count.to_string().len().max(2);
        let gutter_width = ERROR_MARK_WIDTH + digits as f32 * glyph_width + GUTTER_GAP;
        let text_width = ui.available_width() - gutter_width - 2.0 * glyph_width;
        let font_size = code::fitting_font_size(ui, self.text, text_width);
        let height = code::line_height(font_size) * line_count.min(self.max_visible_lines) as f32
            + 2.0 * TEXT_PADDING;

        let size = vec2(ui.available_width(), height + SCROLL_BAR_HEIGHT);
        let (outer, _) = ui.allocate_exact_size(size, Sense::hover());
        ui.painter().rect_filled(outer, CornerRadius::same(8), theme.panel);
        let (gutter, field) = outer.split_left_right_at_x(outer.left() + gutter_width);
        let mut field_ui = ui.new_child(UiBuilder::new().max_rect(field).id_salt("field"));
        let (painted, new_text) = self.draw_field(&mut field_ui, theme, font_size, state);
        self.draw_line_numbers(ui, theme, gutter, &painted);

        let focused = ui.memory(|memory| memory.has_focus(self.id));
        let edge = if focused { theme.accent } else { theme.rule };
        ui.painter().rect_stroke(outer, 8.0, Stroke::new(1.0, edge), StrokeKind::Inside);
        new_text
    }

    /// Moves the caret to the start of a line, from 1, and scrolls to it.
    pub(super) fn go_to(&self, ui: &Ui, line: usize, state: &mut EditorState) {
        let line_start: usize = self
            .text
            .split_inclusive('\n')
            .take(line.saturating_sub(1))
            .map(|line| line.chars().count())
            .sum();
        set_caret(ui, self.id, line_start);
        ui.memory_mut(|memory| memory.request_focus(self.id));
        state.scroll_to_line = Some(line);
        ui.ctx().request_repaint();
    }

    /// Moves the caret and the view to a change that was made outside of the
    /// field, such as by undo or a button.
    fn follow_outside_change(&self, ui: &Ui, state: &mut EditorState) {
        if state.last_text.as_deref() == Some(self.text) {
            return;
        }
        if let Some(last_text) = state.last_text.replace(self.text.to_owned()) {
            let end = end_of_change(&last_text, self.text);
            set_caret(ui, self.id, end);
            let line = 1 + self.text.chars().take(end).filter(|&c| c == '\n').count();
            state.scroll_to_line = Some(line);
        }
    }

    /// Draws the scrollable text. The second value is the new text if the reader
    /// has changed it.
    fn draw_field(
        &self,
        ui: &mut Ui,
        theme: &Theme,
        font_size: f32,
        state: &mut EditorState,
    ) -> (PaintedText, Option<String>) {
        let glyph_width =
            ui.fonts_mut(|fonts| fonts.glyph_width(&FontId::monospace(font_size), '0'));
        let longest_line = self.text.split('\n').map(|line| line.chars().count()).max();
        // One more glyph leaves room for the caret after the last letter.
        let text_width = (longest_line.unwrap_or(0) as f32 + 1.0) * glyph_width;
        let dark = theme.is_dark;
        let language = self.language;
        let mut layouter = move |ui: &Ui, buffer: &dyn TextBuffer, _wrap_width: f32| {
            let highlighted = ui.memory_mut(|memory| {
                memory
                    .caches
                    .cache::<FrameCache<LayoutJob, Highlighter>>()
                    .get((dark, language, buffer.as_str()))
                    .clone()
            });
            let job = code::with_font_size(highlighted, font_size);
            ui.fonts_mut(|fonts| fonts.layout_job(job))
        };
        let mut buffer = self.text.to_owned();
        let scroll_to_line = state.scroll_to_line.take();
        let visible = ui.available_size();
        let output = ScrollArea::both()
            .id_salt("text")
            .auto_shrink([false, false])
            // Lets the field of a one-line text be one line high.
            .min_scrolled_height(0.0)
            .show(ui, |ui| {
                // Placeholders under the text for the backgrounds of wrong lines,
                // whose positions are known after the layout.
                let backgrounds: Vec<_> =
                    self.errors.iter().map(|_| ui.painter().add(Shape::Noop)).collect();
                let output = TextEdit::multiline(&mut buffer)
                    .id(self.id)
                    .font(FontId::monospace(font_size))
                    .frame(Frame::NONE.inner_margin(Margin::symmetric(0, TEXT_PADDING as i8)))
                    .min_size(vec2(text_width, 0.0))
                    .desired_width(visible.x)
                    .desired_rows(1)
                    .cursor_at_end(false)
                    .lock_focus(true)
                    .layouter(&mut layouter)
                    .show(ui);
                output.response.response.clone().accessible_name(self.name);
                let painted = PaintedText { top_left: output.galley_pos, galley: output.galley };
                for (&(line, _), background) in self.errors.iter().zip(backgrounds) {
                    if let Some(row) = painted.row_range(line) {
                        let rect = Rect::from_x_y_ranges(ui.clip_rect().x_range(), row);
                        let fill = Shape::rect_filled(rect, 0.0, theme.wrong_wash);
                        ui.painter().set(background, fill);
                    }
                }
                if let Some(row) = scroll_to_line.and_then(|line| painted.row_range(line)) {
                    let rect = Rect::from_x_y_ranges(painted.top_left.x..=painted.top_left.x, row);
                    ui.scroll_to_rect(rect, None);
                }
                painted
            });
        let new_text = (buffer != self.text).then_some(buffer);
        if let Some(text) = &new_text {
            state.last_text = Some(text.clone());
        }
        (output.inner, new_text)
    }

    /// Draws line numbers with marks of changes and errors, beside the text.
    fn draw_line_numbers(&self, ui: &Ui, theme: &Theme, gutter: Rect, painted: &PaintedText) {
        let painter = ui.painter_at(gutter.shrink2(vec2(1.0, 1.0)));
        let mut hovered = None;
        for line in 1..=painted.galley.rows.len() {
            let Some(row) = painted.row_range(line) else {
                continue;
            };
            if row.max < gutter.top() || row.min > gutter.bottom() {
                continue;
            }
            let error = self.errors.iter().find(|(wrong_line, _)| *wrong_line == line);
            let center_y = f32::midpoint(row.min, row.max);
            let is_changed = self.changed_lines.contains(&line);
            if is_changed {
                let x = gutter.right() - 0.5 * GUTTER_GAP;
                let bar = Rect::from_x_y_ranges(x - CHANGE_BAR_WIDTH..=x, row);
                painter.rect_filled(bar, 0.0, theme.accent);
            }
            let (color, font) = if error.is_some() {
                (theme.wrong, font::mono_strong(CAPTION_SIZE))
            } else if is_changed {
                (theme.accent, font::mono_strong(CAPTION_SIZE))
            } else {
                (theme.quiet, FontId::monospace(CAPTION_SIZE))
            };
            if let Some((_, message)) = error {
                let at = pos2(gutter.left() + 6.0, center_y);
                painter.text_left(at, icons::X, font::icon(SMALL_SIZE), theme.wrong);
                let band = Rect::from_x_y_ranges(gutter.x_range(), row);
                if ui.rect_contains_pointer(band) {
                    hovered = Some((band, *message));
                }
            }
            let at = pos2(gutter.right() - GUTTER_GAP, center_y);
            painter.text_right(at, line, font, color);
        }
        if let Some((band, message)) = hovered {
            ui.interact(band, self.id.with("mark"), Sense::hover()).tip(message);
        }
    }
}

impl PaintedText {
    /// Returns the vertical range of a line, from 1. Returns `None` if there is
    /// no such line.
    fn row_range(&self, line: usize) -> Option<Rangef> {
        let row = self.galley.rows.get(line.checked_sub(1)?)?;
        let top = self.top_left.y + row.pos.y;
        Some(Rangef::new(top, top + row.size.y))
    }
}

/// Computes syntax colours, which are cached from frame to frame.
#[derive(Default)]
struct Highlighter;

/// The key is dark mode, language and text.
impl ComputerMut<(bool, &str, &str), LayoutJob> for Highlighter {
    fn compute(&mut self, key: (bool, &str, &str)) -> LayoutJob {
        let (dark, language, text) = key;
        let mut job = code::highlight(language, text, &Theme::new(dark));
        job.keep_trailing_whitespace = true;
        job
    }
}

const TAB: &str = "    ";

/// Rewrites the key presses of this frame before the text field receives them:
/// Tab indents by four spaces, Enter keeps the indent, and pasted tabs become
/// spaces.
fn rewrite_key_events(ui: &Ui, id: Id, text: &str) {
    if !ui.memory(|memory| memory.has_focus(id)) {
        return;
    }
    // The notebook implements undo, because it records all changes of the page
    // in their order.
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

/// Returns the indent of a line that is started at this character: that of the
/// line before, and four more spaces after an opening brace.
fn indent_at(text: &str, caret: usize) -> String {
    let text_before: String = text.chars().take(caret).collect();
    let line = text_before.rsplit('\n').next().unwrap_or_default();
    let spaces = line.len() - line.trim_start_matches(' ').len();
    let deeper = if line.trim_end().ends_with('{') { TAB } else { "" };
    format!("{}{deeper}", &line[..spaces])
}

fn set_caret(ui: &Ui, id: Id, character: usize) {
    let mut state = TextEdit::load_state(ui.ctx(), id).unwrap_or_default();
    let caret = CCursorRange::one(CCursor::new(character));
    state.cursor.set_char_range(Some(caret));
    TextEdit::store_state(ui.ctx(), id, state);
}

/// Returns the end of a change, in characters of the text after it. Undo moves
/// the caret there.
fn end_of_change(before: &str, after: &str) -> usize {
    let char_count = after.chars().count();
    let prefix = before.chars().zip(after.chars()).take_while(|(a, b)| a == b).count();
    let suffix = before.chars().rev().zip(after.chars().rev()).take_while(|(a, b)| a == b).count();
    (char_count - suffix).max(prefix).min(char_count)
}

/// Texts of a reset button.
pub(super) struct ResetButtonText {
    /// Accessible name.
    pub(super) name: &'static str,
    pub(super) tip: &'static str,
    pub(super) tip_disabled: &'static str,
}

/// Draws a button that restores the original text. It is disabled unless the text
/// is `edited`, but always visible, so that nothing moves under the pointer.
pub(super) fn reset_button(
    ui: &mut Ui,
    theme: &Theme,
    edited: bool,
    text: &ResetButtonText,
) -> Response {
    let parts = [
        (icons::ARROW_COUNTER_CLOCKWISE, 0.0, font::icon(SMALL_SIZE)),
        ("Reset", 5.0, FontId::proportional(CAPTION_SIZE)),
    ];
    let line = icon_line(parts, if edited { theme.ink } else { theme.quiet });
    ui.add_enabled(edited, Button::new(line))
        .accessible_name(text.name)
        .tip(text.tip)
        .tip_disabled(text.tip_disabled)
}

/// Maximum number of pairs of lines to compare. In longer texts, all lines between
/// the first and the last that differ count as changed.
const MAX_LINE_PAIRS: usize = 250_000;

/// Returns the lines of `text`, from 1, that are not in its longest common
/// subsequence with `own`, the page's own text.
pub(super) fn changed_lines(own: &str, text: &str) -> BTreeSet<usize> {
    let own_lines: Vec<&str> = own.lines().collect();
    let text_lines: Vec<&str> = text.lines().collect();
    let prefix = own_lines.iter().zip(&text_lines).take_while(|(a, b)| a == b).count();
    let own_rest = &own_lines[prefix..];
    let text_rest = &text_lines[prefix..];
    let reversed = own_rest.iter().rev().zip(text_rest.iter().rev());
    let suffix = reversed.take_while(|(a, b)| a == b).count();
    let own_middle = &own_rest[..own_rest.len() - suffix];
    let text_middle = &text_rest[..text_rest.len() - suffix];
    let candidates = prefix + 1..=prefix + text_middle.len();
    if own_middle.len() * text_middle.len() > MAX_LINE_PAIRS {
        return candidates.collect();
    }
    let unchanged = common_lines(own_middle, text_middle);
    candidates.filter(|line| !unchanged.contains(&(line - prefix - 1))).collect()
}

/// Returns the indices into `text` of its longest common subsequence with `own`.
fn common_lines(own: &[&str], text: &[&str]) -> BTreeSet<usize> {
    // Element (a, b) is the length of the longest common subsequence of `own[a..]`
    // and `text[b..]`.
    let stride = text.len() + 1;
    let mut length = vec![0_u32; (own.len() + 1) * stride];
    for a in (0..own.len()).rev() {
        for b in (0..text.len()).rev() {
            length[a * stride + b] = if own[a] == text[b] {
                length[(a + 1) * stride + b + 1] + 1
            } else {
                length[(a + 1) * stride + b].max(length[a * stride + b + 1])
            };
        }
    }
    let mut common = BTreeSet::new();
    let mut a = 0;
    let mut b = 0;
    while a < own.len() && b < text.len() {
        if own[a] == text[b] {
            common.insert(b);
            a += 1;
            b += 1;
        } else if length[(a + 1) * stride + b] >= length[a * stride + b + 1] {
            a += 1;
        } else {
            b += 1;
        }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_line_keeps_the_indent_and_deepens_it_in_a_block() {
        assert_eq!(indent_at("    a;", 6), "    ");
        assert_eq!(indent_at("void main() {", 13), TAB);
        assert_eq!(indent_at("    if (a) { ", 13), "        ");
        assert_eq!(indent_at("    a;\nb", 8), "");
        assert_eq!(indent_at("    a", 2), "  ", "in the middle of the indent");
        assert_eq!(indent_at("é\n  ü", 5), "  ");
    }

    #[test]
    fn end_of_change_is_in_characters_of_the_new_text() {
        assert_eq!(end_of_change("ab", "axyb"), 3);
        assert_eq!(end_of_change("axyb", "ab"), 1);
        assert_eq!(end_of_change("aa", "aaa"), 2);
        assert_eq!(end_of_change("", "é"), 1);
        assert_eq!(end_of_change("same", "same"), 4);
    }

    fn changed_list(own: &str, text: &str) -> Vec<usize> {
        changed_lines(own, text).into_iter().collect()
    }

    #[test]
    fn added_and_edited_lines_are_changed() {
        let own = "a\nb\nc\nd\n";
        assert!(changed_list(own, own).is_empty() && changed_list(own, "").is_empty());
        assert_eq!(changed_list(own, "a\nB\nc\nd\n"), [2]);
        assert_eq!(changed_list(own, "a\nb\nnew\nc\nd\n"), [3]);
        assert!(changed_list(own, "a\nd\n").is_empty(), "deleted lines");
        assert_eq!(changed_list(own, "x\na\nB\nc\nD\n"), [1, 3, 5]);
        assert_eq!(changed_list("", "a\nb"), [1, 2]);
    }

    #[test]
    fn very_long_texts_are_not_compared_line_by_line() {
        let numbers: Vec<String> = (0..601).map(|number| number.to_string()).collect();
        let own = numbers[..600].join("\n");
        let text = numbers[1..].join("\n");
        assert_eq!(changed_list(&own, &text).len(), 600);
    }
}
