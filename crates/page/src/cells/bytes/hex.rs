//! The bytes of the buffer, sixteen or eight to a line.

use std::fmt::Write as _;

use bindpose_lesson::DataEdit;
use bindpose_notebook::Edit;
use eframe::egui::{
    Color32, Event, FontId, Id, Key, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo,
    accesskit::{self, Action, ActionData, Role},
    pos2, vec2,
};

use super::selection::{BytesCellState, BytesView, choose, owner};
use crate::PageContext;
use crate::theme::{DENSE, font};
use crate::widgets::{Arrows, PaintText, Tip as _, keep_arrows, pressed, scroll_box, take_letters};

pub(super) const ROW: f32 = 22.0;
const BYTE: f32 = 23.0;
/// Room for the offset at the left of each line.
const OFFSET: f32 = 42.0;
/// Room for the bar of the box.
const BAR: f32 = 12.0;

/// Where bytes are on the screen.
pub(super) struct HexGrid {
    pub(super) area: Rect,
    per_row: usize,
    first_row: f32,
}

impl HexGrid {
    /// The top left corner of a byte, whether it is in view or not.
    pub(super) fn at(&self, offset: usize) -> Pos2 {
        let (row, column) = (offset / self.per_row, offset % self.per_row);
        pos2(
            self.area.left() + OFFSET + BYTE * column as f32,
            self.area.top() + ROW * row as f32 - self.first_row,
        )
    }

    /// The rectangles of bytes that follow each other, one for each line.
    pub(super) fn rects(&self, start: usize, length: usize) -> Vec<Rect> {
        let mut rects = Vec::new();
        let (mut at, end) = (start, start + length);
        while at < end {
            let in_line = (self.per_row - at % self.per_row).min(end - at);
            let size = vec2(BYTE * in_line as f32, ROW);
            rects.push(Rect::from_min_size(self.at(at), size));
            at += in_line;
        }
        rects
    }
}

/// What a byte is to the accessor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum BytePart {
    /// Part of the element that is shown, and of which of its numbers.
    Shown(usize),
    /// Part of another element.
    Other(usize),
    /// No part of the accessor.
    None,
}

/// Shows the bytes; answers with where they are. `None` when there are none.
pub(super) fn ui(
    ui: &mut Ui,
    key: Id,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    visible: usize,
) -> Option<HexGrid> {
    let buffer_index = buffer_of(view)?;
    let buffer = view.layout.buffers.get(buffer_index)?;
    let count = buffer.bytes().len();
    let width = ui.available_width();
    let room = ((width - OFFSET - BAR) / BYTE).floor() as usize;
    let per_row = if room >= 16 { 16 } else { 8.min(room.max(1)) };
    let rows = count.div_ceil(per_row);
    let visible = visible.min(rows.max(1));
    let left = ui.cursor().left();
    // No further than the end: what is beyond would spring back.
    let jump = scroll_to(view, memory, per_row, visible);
    let jump = jump.map(|row| ROW * row.min(rows.saturating_sub(visible)) as f32);
    let area = scroll_box(("hex", per_row), ROW * visible as f32, jump);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut hovered = None;
    let output = area.show_rows(ui, ROW, rows, |ui, range| {
        for row in range {
            let size = vec2(ui.available_width(), ROW);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            ui.painter().text_right(
                pos2(rect.left() + OFFSET - 10.0, rect.center().y),
                (row * per_row).to_string(),
                FontId::monospace(11.5),
                page.theme.quiet,
            );
            for offset in row * per_row..count.min((row + 1) * per_row) {
                let min = rect.min + vec2(OFFSET + BYTE * (offset % per_row) as f32, 0.0);
                let cell = Rect::from_min_size(min, vec2(BYTE, ROW));
                let stored = buffer.bytes().get(offset).copied().unwrap_or(0);
                let byte = Byte { buffer: buffer_index as u32, offset, stored, per_row, count };
                if byte.ui(ui, key, page, view, memory, cell) {
                    hovered = Some(offset);
                }
            }
        }
    });
    if memory.hovered != hovered {
        memory.hovered = hovered;
        ui.ctx().request_repaint();
    }
    let first_row = output.state.clamped_offset().y;
    memory.offset = first_row;
    Some(HexGrid { area: output.inner_rect.with_min_x(left), per_row, first_row })
}

/// Where the element lies, or at least the view.
fn buffer_of(view: &BytesView<'_>) -> Option<usize> {
    view.place.map(|place| place.buffer).or_else(|| {
        let stored = view.layout.views.get(view.accessor.view?)?;
        Some(stored.buffer)
    })
}

/// The first line to show, when another element is shown than before, or rows of
/// another length: the beginning of the accessor if the element is seen then too.
fn scroll_to(
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    per_row: usize,
    visible: usize,
) -> Option<usize> {
    let shown = Some((view.index, view.element, per_row));
    if memory.shown == shown {
        return None;
    }
    // Rows of another length are scrolled by themselves, from their beginning.
    let before = memory.shown.map(|(index, _, per_row)| (index, per_row));
    let other = before != Some((view.index, per_row));
    memory.shown = shown;
    let place = view.place?;
    let row = place.start / per_row;
    let end = (place.start + place.size).saturating_sub(1) / per_row;
    let first = (memory.offset / ROW).ceil() as usize;
    if !other && row >= first && end < first + visible {
        return None;
    }
    let begin = view.layout.element(view.index, 0, view.ignore_stride);
    let begin = begin.map_or(row, |begin| begin.start / per_row);
    let fits = begin <= row && end < begin + visible;
    Some(if fits { begin } else { row.saturating_sub(visible / 3) })
}

/// Which number of which element a byte belongs to.
fn role(view: &BytesView<'_>, buffer: u32, offset: usize) -> BytePart {
    let size = view.accessor.format.component.size();
    if let Some(place) = view.place
        && place.buffer as u32 == buffer
        && (place.start..place.start + place.size).contains(&offset)
    {
        return BytePart::Shown((offset - place.start) / size);
    }
    match element_at(view, buffer, offset) {
        Some(element) => BytePart::Other(element),
        None => BytePart::None,
    }
}

/// The element that holds a byte, if one does.
fn element_at(view: &BytesView<'_>, buffer: u32, offset: usize) -> Option<usize> {
    let first = view.layout.element(view.index, 0, view.ignore_stride)?;
    if first.sparse || first.buffer as u32 != buffer {
        return None;
    }
    let stride = view.layout.stride(view.accessor, view.ignore_stride).max(1);
    let along = offset.checked_sub(first.start)?;
    let element = along / stride;
    (element < view.accessor.count && along % stride < first.size).then_some(element)
}

/// One byte on the screen.
struct Byte {
    buffer: u32,
    offset: usize,
    stored: u8,
    per_row: usize,
    count: usize,
}

impl Byte {
    /// Draws it; is the pointer on it?
    fn ui(
        &self,
        ui: &mut Ui,
        key: Id,
        page: &mut PageContext<'_>,
        view: &BytesView<'_>,
        memory: &mut BytesCellState,
        cell: Rect,
    ) -> bool {
        let edited = page.document.state.bytes.get(self.buffer, self.offset as u32);
        let now = edited.unwrap_or(self.stored);
        let role = role(view, self.buffer, self.offset);
        let taken = memory.byte == Some(self.offset);
        // One stop for the Tab key: the byte that takes keys, or the first of
        // the element.
        let begins = view.place.map(|place| place.start) == Some(self.offset);
        let stop = if memory.byte.is_some() { taken } else { begins };
        let sense = if stop { Sense::click() } else { Sense::CLICK };
        let response = ui.interact(cell, key.with(("byte", self.buffer, self.offset)), sense);
        if taken && std::mem::take(&mut memory.focus) {
            response.request_focus();
        }
        let words = self.words(view, role, now, edited.is_some());
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, words.clone()));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_value(format!("{now:02x}"));
            node.add_action(accesskit::Action::SetValue);
        });
        let focused = response.has_focus();
        self.paint(ui, page, memory, view, cell, (now, edited.is_some(), focused));
        if let Some(asked) = asked_keys(ui, &response).filter(|&asked| asked != now) {
            let bytes = vec![asked];
            let (buffer, offset) = (self.buffer, self.offset as u32);
            page.edits.push(Edit::Data(DataEdit::Bytes { buffer, offset, bytes }));
        }
        if focused {
            let byte = FocusedByte {
                buffer: self.buffer,
                offset: self.offset,
                now,
                per_row: self.per_row,
                count: self.count,
            };
            keys_ui(ui, page, memory, &response, &byte);
        }
        if response.clicked() {
            memory.byte = Some(self.offset);
            memory.focus = true;
            if let BytePart::Other(element) = role {
                choose(page, view, memory, element);
            }
        }
        let element = match role {
            BytePart::Shown(_) => Some(view.element),
            BytePart::Other(element) => Some(element),
            BytePart::None => None,
        };
        let hovered = response.hovered();
        if (hovered || focused)
            && let Some(entity) = element.and_then(|element| owner(page, view, element))
        {
            page.linked.hover(entity);
        }
        response.tip(words);
        hovered
    }

    fn paint(
        &self,
        ui: &Ui,
        page: &PageContext<'_>,
        memory: &BytesCellState,
        view: &BytesView<'_>,
        cell: Rect,
        (now, edited, focused): (u8, bool, bool),
    ) {
        let theme = page.theme;
        let role = role(view, self.buffer, self.offset);
        let hovered = memory.hovered.and_then(|offset| element_at(view, self.buffer, offset));
        let fill = match role {
            BytePart::Shown(component) if component % 2 == 0 => theme.accent_wash,
            BytePart::Shown(_) => theme.accent_wash.lerp_to_gamma(theme.accent, 0.16),
            BytePart::Other(element) if hovered == Some(element) => theme.lit,
            BytePart::Other(element) if element % 2 == 0 => theme.panel,
            BytePart::Other(_) => theme.panel.lerp_to_gamma(theme.quiet, 0.12),
            BytePart::None => Color32::TRANSPARENT,
        };
        let painter = ui.painter();
        painter.rect_filled(cell.shrink2(vec2(0.0, 1.0)), 0.0, fill);
        if focused {
            let stroke = Stroke::new(1.5, theme.accent);
            painter.rect_stroke(cell.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
        }
        let color = match role {
            _ if edited => theme.accent,
            BytePart::None => theme.quiet,
            _ => theme.ink,
        };

        painter.text_centered(
            cell.center(),
            format!("{now:02x}"),
            font::mono(DENSE, edited),
            color,
        );
        if edited {
            painter.circle_filled(pos2(cell.right() - 3.0, cell.top() + 4.0), 2.0, theme.accent);
        }
    }

    fn words(&self, view: &BytesView<'_>, role: BytePart, now: u8, edited: bool) -> String {
        let mut words = format!("byte {}: {now:02x}", self.offset);
        match role {
            BytePart::Shown(component) => {
                let _ = write!(words, ", number {component} of element {}", view.element);
            }
            BytePart::Other(element) => {
                let _ = write!(words, ", of element {element}");
            }
            BytePart::None => words.push_str(", not part of this accessor"),
        }
        if edited {
            let _ = write!(words, ", changed from {:02x}", self.stored);
        }
        words
    }
}

// Keys while a byte has the focus: digits, arrows, and the way back.

/// What a screen reader asks to write there: two digits at most, base 16.
pub(super) fn asked_keys(ui: &Ui, response: &Response) -> Option<u8> {
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
pub(super) fn keys_ui(
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
