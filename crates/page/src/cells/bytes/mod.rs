//! An accessor, its JSON and its bytes, with arrows from each line of the JSON to the bytes
//! that it determines. Edits of bytes and values change the picture.

mod arrows;
mod glb_chunks;
mod hex;
mod json;
mod selection;
#[cfg(test)]
mod tests;
mod values;

use bindpose_gltf::FileLayout;
use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::{Tone, buttons, card, small_button};
use bindpose_lesson::{BytesCell, FileReading, Setting};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::file_bytes::{attribute_of, element_of_vertex, inverse_bind_of};
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::{Id, Pos2, Rect, RichText, Sense, Ui, UiBuilder, pos2, vec2};

use crate::PageContext;
use selection::{BytesCellState, BytesView};

/// Height of everything around the bytes, above and below. A low page shows fewer rows of
/// bytes, so that the rest fits.
const OTHER_HEIGHT_PTS: f32 = 430.0;
/// Minimum width at which the JSON and the bytes are side by side, with arrows.
const MIN_SIDE_BY_SIDE_WIDTH_PTS: f32 = 462.0;
/// Width of the JSON beside the bytes.
const JSON_WIDTH_PTS: f32 = 196.0;

pub(super) fn ui(ui: &mut Ui, cell: &BytesCell, id: &str, page: &mut PageContext<'_>) {
    let layout = page.derived.rig.origin.as_ref().and_then(FileLayout::of_origin);
    let Some(layout) = layout.filter(|layout| !layout.accessors.is_empty()) else {
        let text = "This rig was made in memory: there is no file whose bytes could be shown.";
        ui.label(RichText::new(text).color(page.theme.quiet));
        return;
    };
    if cell.faults {
        reading_switch(ui, page, &layout);
    }
    if let Some(glb) = &layout.glb {
        glb_chunks::glb_chunks_ui(ui, page, glb);
    }
    if cell.chunks_only {
        return;
    }
    page.with_state(id, |state, page| {
        accessor_ui(ui, cell, id, page, &layout, state);
    });
}

/// Draws an accessor, its bytes and its numbers.
fn accessor_ui(
    ui: &mut Ui,
    cell: &BytesCell,
    id: &str,
    page: &mut PageContext<'_>,
    layout: &FileLayout,
    state: &mut BytesCellState,
) {
    let accessor_index = find_accessor(cell, page, layout, state);
    let Some(accessor) = layout.accessors.get(accessor_index) else {
        return;
    };
    let reading = page.document.state.reading;
    let ignore_stride = reading == FileReading::StrideIgnored;
    let element_index =
        find_element(page, layout, accessor_index, state).min(accessor.count.saturating_sub(1));
    let view = BytesView {
        layout,
        accessor_index,
        accessor,
        element_index,
        ignore_stride,
        normalized: accessor.normalized && reading != FileReading::NormalizedIgnored,
        place: layout.element(accessor_index, element_index, ignore_stride),
    };
    selection::selection_ui(ui, id, page, &view, state);
    read_error_ui(ui, page);
    let bytes_height = ui.ctx().content_rect().height() - OTHER_HEIGHT_PTS;
    let max_rows = ((bytes_height / hex::ROW_HEIGHT_PTS) as usize).max(3);
    let row_count = cell.rows.map_or(12, |rows| rows.0).min(max_rows).clamp(2, 40);
    let cell_id = Id::unique(("bytes cell", &page.document.lesson, id));
    let bytes_top_left = json_and_bytes_ui(ui, cell_id, page, &view, state, row_count);
    note_draggable_area(ui, page, bytes_top_left);
    let values_top_left = ui.cursor().min;
    values::ui(ui, id, page, &view, state);
    note_draggable_area(ui, page, values_top_left);
    changed_bytes_ui(ui, page);
}

/// Records the area from `top_left` to the cursor as one with numbers to drag.
fn note_draggable_area(ui: &Ui, page: &mut PageContext<'_>, top_left: Pos2) {
    let bottom_right = pos2(ui.min_rect().right(), ui.cursor().top());
    let area = Rect::from_min_max(top_left, bottom_right);
    page.view.item_rects.record_part(DemonstratedPart::Bytes, area);
}

/// Draws the JSON at the left, the bytes at the right, and arrows between them. Without
/// room, draws the bytes below the JSON. Returns the top left corner of the bytes, or of
/// both if they are side by side.
fn json_and_bytes_ui(
    ui: &mut Ui,
    cell_id: Id,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    row_count: usize,
) -> Pos2 {
    let width = ui.available_width();
    if width < MIN_SIDE_BY_SIDE_WIDTH_PTS {
        json::json_ui(ui, page, view, state, width);
        ui.add_space(6.0);
        let bytes_top_left = ui.cursor().min;
        hex::ui(ui, cell_id, page, view, state, row_count);
        return bytes_top_left;
    }
    let area = ui.available_rect_before_wrap();
    let json_right = area.left() + JSON_WIDTH_PTS;
    let json_rect = area.with_max_x(json_right);
    let bytes_rect = area.with_min_x(json_right + arrows::GUTTER_WIDTH_PTS);
    let mut json_column = ui.new_child(UiBuilder::new().id_salt("json").max_rect(json_rect));
    let lines = json::json_ui(&mut json_column, page, view, state, JSON_WIDTH_PTS);
    let mut bytes_column = ui.new_child(UiBuilder::new().id_salt("bytes").max_rect(bytes_rect));
    let grid = hex::ui(&mut bytes_column, cell_id, page, view, state, row_count);
    let bottom = json_column.min_rect().bottom().max(bytes_column.min_rect().bottom());
    ui.allocate_rect(area.with_max_y(bottom), Sense::hover());
    if let Some(grid) = grid {
        arrows::draw_arrows(ui, page.theme, view, &lines, &grid, state.hovered_line);
    }
    area.min
}

/// Returns the index of the selected accessor, or of the one that the lesson shows first.
fn find_accessor(
    cell: &BytesCell,
    page: &PageContext<'_>,
    layout: &FileLayout,
    state: &BytesCellState,
) -> usize {
    if let Some(index) = state.accessor_index
        && index < layout.accessors.len()
    {
        return index;
    }
    let rig = &page.derived.rig;
    let element = match cell.of.as_deref().unwrap_or("POSITION") {
        BytesCell::INVERSE_BIND => inverse_bind_of(rig, layout, page.document.state.joint),
        semantic => attribute_of(rig, layout, page.document.state.vertex, semantic),
    };
    element.map_or(0, |element| element.accessor)
}

/// Returns the index of the accessor's element for the selected vertex or joint, or of the
/// selected element if it has none.
fn find_element(
    page: &PageContext<'_>,
    layout: &FileLayout,
    accessor_index: usize,
    state: &BytesCellState,
) -> usize {
    let rig = &page.derived.rig;
    let vertex = page.document.state.vertex;
    if let Some(index) = element_of_vertex(rig, layout, accessor_index, vertex) {
        return index;
    }
    match inverse_bind_of(rig, layout, page.document.state.joint) {
        Some(inverse_bind) if inverse_bind.accessor == accessor_index => inverse_bind.element,
        _ => state.element_index,
    }
}

/// Explains why the file with the edited bytes cannot be read, if so.
fn read_error_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let Some(error) = page.derived.unreadable.clone() else {
        return;
    };
    card(ui, page.theme, Tone::Wrong, |ui| {
        let text = "The file no longer opens. The picture shows it as it last did.";
        ui.label(RichText::new(text).size(SMALL_SIZE));
        let details =
            format!("{}: expected {}, found {}", error.at.pointer(), error.expected, error.found);
        ui.label(RichText::new(details).size(SMALL_SIZE).color(page.theme.wrong));
    });
}

/// Draws a switch that breaks a rule of the format: that of `normalized` if the file has
/// normalized integers, or that of strides otherwise.
fn reading_switch(ui: &mut Ui, page: &mut PageContext<'_>, layout: &FileLayout) {
    let has_normalized = layout.accessors.iter().any(|accessor| accessor.normalized);
    let options = if has_normalized {
        [
            (FileReading::AsStored, "normalized as stored", "A byte of 255 means a weight of 1"),
            (
                FileReading::NormalizedIgnored,
                "normalized ignored",
                "As if a byte of 255 meant a weight of 255: wrong",
            ),
        ]
    } else {
        [
            (
                FileReading::AsStored,
                "byteStride as stored",
                "From one element to the next as the buffer view says",
            ),
            (
                FileReading::StrideIgnored,
                "byteStride ignored",
                "As if elements always followed each other: wrong",
            ),
        ]
    };
    let current = page.document.state.reading;
    let is_wrong = current != FileReading::AsStored;
    if let Some(reading) = buttons::choose_segment(ui, page.theme, &options, current, is_wrong) {
        page.choose(Setting::Reading(reading));
    }
}

/// Draws the number of changed bytes, and the button that restores the stored ones.
fn changed_bytes_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let count = page.document.state.bytes.len();
    if count == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        let plural = if count == 1 { "" } else { "s" };
        let text = format!("{count} byte{plural} changed");
        ui.label(RichText::new(text).size(SMALL_SIZE).color(page.theme.accent));
        if ui.add(small_button("Put the stored bytes back")).clicked() {
            page.requests.edits.push(Edit::Reset(EditTarget::AllBytes));
        }
    });
}
