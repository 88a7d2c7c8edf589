//! The bytes of the buffer, sixteen or eight per row.

use std::fmt::Write as _;

use bindpose_kit::theme::{DENSE_SIZE, font};
use bindpose_kit::widgets::{
    Arrows, PaintText, SCROLL_BAR_ROOM_PTS, Tip as _, consume_key, keep_arrows, scroll_box,
    take_letters,
};
use bindpose_lesson::DataEdit;
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::{
    Color32, Event, FontId, Id, Key, Pos2, Rect, Response, Sense, Stroke, StrokeKind, Ui,
    WidgetInfo,
    accesskit::{Action, ActionData, Role},
    pos2, vec2,
};

use super::selection::{BytesCellState, BytesView, ScrolledView, element_entity, select_element};
use crate::PageContext;

pub(super) const ROW_HEIGHT_PTS: f32 = 22.0;
const BYTE_WIDTH_PTS: f32 = 23.0;
/// Width of the offset at the left of each row.
const OFFSET_WIDTH_PTS: f32 = 42.0;

/// Positions of bytes on the screen.
pub(super) struct HexGrid {
    /// Visible part of the grid.
    pub(super) area: Rect,
    bytes_per_row: usize,
    /// Distance that the rows are scrolled by, in points.
    scroll_offset: f32,
}

impl HexGrid {
    /// Returns the top left corner of a byte, even if it is not visible.
    pub(super) fn byte_position(&self, offset: usize) -> Pos2 {
        let row = offset / self.bytes_per_row;
        let column = offset % self.bytes_per_row;
        pos2(
            self.area.left() + OFFSET_WIDTH_PTS + BYTE_WIDTH_PTS * column as f32,
            self.area.top() + ROW_HEIGHT_PTS * row as f32 - self.scroll_offset,
        )
    }

    /// Returns the rectangles of consecutive bytes, one per row.
    pub(super) fn byte_rects(&self, start: usize, length: usize) -> Vec<Rect> {
        let mut rects = Vec::new();
        let end = start + length;
        let mut offset = start;
        while offset < end {
            let count = (self.bytes_per_row - offset % self.bytes_per_row).min(end - offset);
            let size = vec2(BYTE_WIDTH_PTS * count as f32, ROW_HEIGHT_PTS);
            rects.push(Rect::from_min_size(self.byte_position(offset), size));
            offset += count;
        }
        rects
    }
}

/// Draws the bytes of the accessor's buffer, and handles edits. Returns `None` if the
/// accessor has no buffer.
pub(super) fn ui(
    ui: &mut Ui,
    cell_id: Id,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    max_visible_rows: usize,
) -> Option<HexGrid> {
    let buffer_index = buffer_index(view)?;
    let buffer = view.layout.buffers.get(buffer_index)?;
    let byte_count = buffer.bytes().len();
    let bytes_width = ui.available_width() - OFFSET_WIDTH_PTS - SCROLL_BAR_ROOM_PTS;
    let max_bytes_per_row = (bytes_width / BYTE_WIDTH_PTS).floor() as usize;
    let bytes_per_row = if max_bytes_per_row >= 16 { 16 } else { 8.min(max_bytes_per_row.max(1)) };
    let row_count = byte_count.div_ceil(bytes_per_row);
    let visible_rows = max_visible_rows.min(row_count.max(1));
    let left = ui.cursor().left();
    // The area cannot scroll beyond its end, so it would jump back from a larger offset.
    let max_first_row = row_count.saturating_sub(visible_rows);
    let scroll_offset = scroll_to_element(view, state, bytes_per_row, visible_rows)
        .map(|row| ROW_HEIGHT_PTS * row.min(max_first_row) as f32);
    let height = ROW_HEIGHT_PTS * visible_rows as f32;
    let area = scroll_box(("hex", bytes_per_row), height, scroll_offset);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut hovered_byte = None;
    let output = area.show_rows(ui, ROW_HEIGHT_PTS, row_count, |ui, range| {
        for row in range {
            let size = vec2(ui.available_width(), ROW_HEIGHT_PTS);
            let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
            let row_start = row * bytes_per_row;
            ui.painter().text_right(
                pos2(rect.left() + OFFSET_WIDTH_PTS - 10.0, rect.center().y),
                row_start.to_string(),
                FontId::monospace(11.5),
                page.theme.quiet,
            );
            for offset in row_start..byte_count.min(row_start + bytes_per_row) {
                let x = OFFSET_WIDTH_PTS + BYTE_WIDTH_PTS * (offset - row_start) as f32;
                let size = vec2(BYTE_WIDTH_PTS, ROW_HEIGHT_PTS);
                let byte_rect = Rect::from_min_size(rect.min + vec2(x, 0.0), size);
                let stored = buffer.bytes().get(offset).copied().unwrap_or(0);
                let edited = page.document.state.bytes.get(buffer_index as u32, offset as u32);
                let byte = HexByte {
                    buffer: buffer_index as u32,
                    offset,
                    stored,
                    value: edited.unwrap_or(stored),
                    is_edited: edited.is_some(),
                    role: byte_role(view, buffer_index as u32, offset),
                    bytes_per_row,
                    byte_count,
                };
                if byte.ui(ui, cell_id, page, view, state, byte_rect).hovered() {
                    hovered_byte = Some(offset);
                }
            }
        }
    });
    if state.hovered_byte != hovered_byte {
        state.hovered_byte = hovered_byte;
        ui.ctx().request_repaint();
    }
    state.scroll_offset = output.state.clamped_offset().y;
    Some(HexGrid {
        area: output.inner_rect.with_min_x(left),
        bytes_per_row,
        scroll_offset: state.scroll_offset,
    })
}

/// Returns the buffer of the current element, or of the accessor's view if the element has
/// no bytes.
fn buffer_index(view: &BytesView<'_>) -> Option<usize> {
    if let Some(place) = view.place {
        return Some(place.buffer);
    }
    let buffer_view = view.layout.views.get(view.accessor.view?)?;
    Some(buffer_view.buffer)
}

/// Returns the first row to show if another element is shown than in the last frame, or if
/// the width of the rows changed. Prefers the row in which the accessor begins, if the
/// element is visible there.
fn scroll_to_element(
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    bytes_per_row: usize,
    visible_rows: usize,
) -> Option<usize> {
    let current = ScrolledView {
        accessor_index: view.accessor_index,
        element_index: view.element_index,
        bytes_per_row,
    };
    let last = state.scrolled_view.replace(current);
    if last == Some(current) {
        return None;
    }
    // Rows of another width have a scroll area of their own, which begins at the top.
    let is_same_area = last.is_some_and(|last| {
        last.accessor_index == current.accessor_index && last.bytes_per_row == bytes_per_row
    });
    let place = view.place?;
    let row = place.start / bytes_per_row;
    let last_row = (place.start + place.size).saturating_sub(1) / bytes_per_row;
    let first_visible = (state.scroll_offset / ROW_HEIGHT_PTS).ceil() as usize;
    if is_same_area && row >= first_visible && last_row < first_visible + visible_rows {
        return None;
    }
    let first_element = view.layout.element(view.accessor_index, 0, view.ignore_stride);
    let accessor_row = first_element.map_or(row, |place| place.start / bytes_per_row);
    if accessor_row <= row && last_row < accessor_row + visible_rows {
        Some(accessor_row)
    } else {
        Some(row.saturating_sub(visible_rows / 3))
    }
}

/// Role of a byte in the accessor.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteRole {
    /// Part of a component of the current element. Has the component's index.
    CurrentElement(usize),
    /// Part of another element. Has the element's index.
    OtherElement(usize),
    /// Not part of the accessor.
    Outside,
}

fn byte_role(view: &BytesView<'_>, buffer: u32, offset: usize) -> ByteRole {
    if let Some(place) = view.place
        && place.buffer as u32 == buffer
        && (place.start..place.start + place.size).contains(&offset)
    {
        let component_size = view.accessor.format.component.size();
        return ByteRole::CurrentElement((offset - place.start) / component_size);
    }
    match element_at(view, buffer, offset) {
        Some(element_index) => ByteRole::OtherElement(element_index),
        None => ByteRole::Outside,
    }
}

/// Returns the index of the element that a byte is part of. Returns `None` if it is part of
/// none, and for sparse elements.
fn element_at(view: &BytesView<'_>, buffer: u32, offset: usize) -> Option<usize> {
    let first = view.layout.element(view.accessor_index, 0, view.ignore_stride)?;
    if first.sparse || first.buffer as u32 != buffer {
        return None;
    }
    let stride = view.layout.stride(view.accessor, view.ignore_stride).max(1);
    let distance = offset.checked_sub(first.start)?;
    let element_index = distance / stride;
    (element_index < view.accessor.count && distance % stride < first.size).then_some(element_index)
}

/// One byte of the grid.
struct HexByte {
    buffer: u32,
    offset: usize,
    stored: u8,
    /// Current value: the reader's if edited, the stored one otherwise.
    value: u8,
    is_edited: bool,
    role: ByteRole,
    bytes_per_row: usize,
    /// Number of bytes in the buffer.
    byte_count: usize,
}

impl HexByte {
    /// Draws the byte and handles clicks, keys and requests of screen readers.
    fn ui(
        &self,
        ui: &mut Ui,
        cell_id: Id,
        page: &mut PageContext<'_>,
        view: &BytesView<'_>,
        state: &mut BytesCellState,
        rect: Rect,
    ) -> Response {
        let is_selected = state.selected_byte == Some(self.offset);
        // Only one byte is in the Tab order: the selected one, or the first of the element.
        let is_tab_stop = match state.selected_byte {
            Some(_) => is_selected,
            None => view.place.is_some_and(|place| place.start == self.offset),
        };
        let sense = if is_tab_stop { Sense::click() } else { Sense::CLICK };
        let id = cell_id.with(("byte", self.buffer, self.offset));
        let response = ui.interact(rect, id, sense);
        if is_selected && std::mem::take(&mut state.requests_focus) {
            response.request_focus();
        }
        let description = self.describe(view);
        response.widget_info(|| WidgetInfo::labeled(Role::TextInput, true, &description));
        ui.ctx().accesskit_node_builder(response.id, |node| {
            node.set_value(format!("{:02x}", self.value));
            node.add_action(Action::SetValue);
        });
        let has_focus = response.has_focus();
        self.draw(ui, page, state, view, rect, has_focus);
        if let Some(value) = requested_value(ui, &response)
            && value != self.value
        {
            self.set_value(page, value);
        }
        if has_focus {
            self.handle_keys(ui, page, state, &response);
        }
        if response.clicked() {
            state.selected_byte = Some(self.offset);
            state.requests_focus = true;
            if let ByteRole::OtherElement(element_index) = self.role {
                select_element(page, view, state, element_index);
            }
        }
        if response.hovered() || has_focus {
            let element_index = match self.role {
                ByteRole::CurrentElement(_) => Some(view.element_index),
                ByteRole::OtherElement(element_index) => Some(element_index),
                ByteRole::Outside => None,
            };
            if let Some(entity) = element_index.and_then(|index| element_entity(page, view, index))
            {
                page.linked.hover(entity);
            }
        }
        response.tip(description)
    }

    fn draw(
        &self,
        ui: &Ui,
        page: &PageContext<'_>,
        state: &BytesCellState,
        view: &BytesView<'_>,
        rect: Rect,
        has_focus: bool,
    ) {
        let theme = page.theme;
        let hovered_element =
            state.hovered_byte.and_then(|offset| element_at(view, self.buffer, offset));
        let fill = match self.role {
            ByteRole::CurrentElement(component) if component % 2 == 0 => theme.accent_wash,
            ByteRole::CurrentElement(_) => theme.accent_wash.lerp_to_gamma(theme.accent, 0.16),
            ByteRole::OtherElement(element) if hovered_element == Some(element) => theme.lit,
            ByteRole::OtherElement(element) if element % 2 == 0 => theme.panel,
            ByteRole::OtherElement(_) => theme.panel.lerp_to_gamma(theme.quiet, 0.12),
            ByteRole::Outside => Color32::TRANSPARENT,
        };
        let painter = ui.painter();
        painter.rect_filled(rect.shrink2(vec2(0.0, 1.0)), 0.0, fill);
        if has_focus {
            let stroke = Stroke::new(1.5, theme.accent);
            painter.rect_stroke(rect.shrink(1.0), 3.0, stroke, StrokeKind::Inside);
        }
        let color = match self.role {
            _ if self.is_edited => theme.accent,
            ByteRole::Outside => theme.quiet,
            _ => theme.ink,
        };
        let digits = format!("{:02x}", self.value);
        painter.text_centered(rect.center(), digits, font::mono(DENSE_SIZE, self.is_edited), color);
        if self.is_edited {
            painter.circle_filled(pos2(rect.right() - 3.0, rect.top() + 4.0), 2.0, theme.accent);
        }
    }

    /// Describes the byte for its accessible name and its tooltip.
    fn describe(&self, view: &BytesView<'_>) -> String {
        let mut text = format!("byte {}: {:02x}", self.offset, self.value);
        match self.role {
            ByteRole::CurrentElement(component) => {
                let _ = write!(text, ", number {component} of element {}", view.element_index);
            }
            ByteRole::OtherElement(element) => {
                let _ = write!(text, ", of element {element}");
            }
            ByteRole::Outside => text.push_str(", not part of this accessor"),
        }
        if self.is_edited {
            let _ = write!(text, ", changed from {:02x}", self.stored);
        }
        text
    }

    fn set_value(&self, page: &mut PageContext<'_>, value: u8) {
        page.requests.edits.push(Edit::data(DataEdit::Bytes {
            buffer: self.buffer,
            offset: self.offset as u32,
            bytes: vec![value],
        }));
    }

    /// Handles digits, which shift in from the right, deletion and arrow keys.
    fn handle_keys(
        &self,
        ui: &Ui,
        page: &mut PageContext<'_>,
        state: &mut BytesCellState,
        response: &Response,
    ) {
        keep_arrows(ui, response.id, Arrows::All);
        take_letters(ui, response.id);
        let mut value = self.value;
        ui.input_mut(|input| {
            input.events.retain(|event| {
                let Event::Text(text) = event else {
                    return true;
                };
                for digit in text.chars().filter_map(|letter| letter.to_digit(16)) {
                    value = (value << 4) | digit as u8;
                }
                false
            });
        });
        if value != self.value {
            self.set_value(page, value);
        }
        if consume_key(ui, Key::Backspace) || consume_key(ui, Key::Delete) {
            let offset = self.offset as u32;
            page.requests.edits.push(Edit::Reset(EditTarget::Bytes {
                buffer: self.buffer,
                offset,
                length: 1,
            }));
        }
        let next = if consume_key(ui, Key::ArrowRight) {
            self.offset.checked_add(1)
        } else if consume_key(ui, Key::ArrowLeft) {
            self.offset.checked_sub(1)
        } else if consume_key(ui, Key::ArrowDown) {
            self.offset.checked_add(self.bytes_per_row)
        } else if consume_key(ui, Key::ArrowUp) {
            self.offset.checked_sub(self.bytes_per_row)
        } else {
            None
        };
        if let Some(next) = next.filter(|next| *next < self.byte_count) {
            state.selected_byte = Some(next);
            state.requests_focus = true;
            ui.ctx().request_repaint();
        }
    }
}

/// Returns the value that a screen reader requests: hexadecimal digits, or a number.
fn requested_value(ui: &Ui, response: &Response) -> Option<u8> {
    ui.input(|input| {
        let requests = input.accesskit_action_requests(response.id, Action::SetValue);
        match requests.last()?.data.as_ref()? {
            ActionData::Value(digits) => u8::from_str_radix(digits.trim(), 16).ok(),
            ActionData::NumericValue(value) if value.fract() == 0.0 => {
                u8::try_from(*value as i64).ok()
            }
            _ => None,
        }
    })
}
