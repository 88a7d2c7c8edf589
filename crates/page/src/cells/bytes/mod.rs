//! An accessor and its bytes: what the JSON says, and which bytes each number
//! of it governs. Bytes and values can be changed; the picture follows.

mod arrows;
mod chooser;
mod glb_chunks;
mod hex;
mod json;
mod keys;
mod selection;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use bindpose_asset::FileLayout;
use bindpose_lesson::{BytesCell, Reading, Setting};
use bindpose_notebook::Edit;
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::file_places::{attribute_of, element_of_vertex, inverse_bind_of};
use eframe::egui::{Id, Pos2, Rect, RichText, Ui, UiBuilder, pos2, vec2};

use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::{Tone, card, segmented, small_button};
use arrows::GUTTER;
use selection::{BytesCellState, BytesView};

/// Height of everything but the bytes, and of what stands above the cell, in
/// points: a low page shows fewer rows of bytes.
const BESIDES: f32 = 430.0;
/// From this width on, JSON and bytes stand side by side, with arrows.
const BESIDE: f32 = 462.0;
/// Width of the JSON.
const JSON: f32 = 196.0;

/// Draws the cell.
pub(super) fn ui(ui: &mut Ui, cell: &BytesCell, id: &str, page: &mut PageContext<'_>) {
    let origin = page.derived.rig.origin.clone();
    let layout: Option<Arc<FileLayout>> = origin.as_ref().and_then(FileLayout::of_origin);
    let Some(layout) = layout.filter(|layout| !layout.accessors.is_empty()) else {
        let words = "This rig was made in memory: there is no file whose bytes could be shown.";
        ui.label(RichText::new(words).color(page.theme.quiet));
        return;
    };
    if cell.faults {
        reading_switch(ui, page, &layout);
    }
    if let Some(glb) = &layout.glb {
        glb_chunks::ui(ui, page, glb);
    }
    if cell.chunks_only {
        return;
    }
    page.with_state(id, |memory, page| {
        accessor_ui(ui, cell, id, page, &layout, memory);
    });
}

/// One accessor, its bytes and its numbers.
fn accessor_ui(
    ui: &mut Ui,
    cell: &BytesCell,
    id: &str,
    page: &mut PageContext<'_>,
    layout: &FileLayout,
    memory: &mut BytesCellState,
) {
    let index = accessor(cell, page, layout, memory);
    let Some(accessor) = layout.accessors.get(index) else {
        return;
    };
    let reading = page.document.state.reading;
    let ignore_stride = reading == Reading::StrideIgnored;
    let element = element(page, layout, index, memory).min(accessor.count.saturating_sub(1));
    let view = BytesView {
        layout,
        index,
        accessor,
        element,
        ignore_stride,
        normalized: accessor.normalized && reading != Reading::NormalizedIgnored,
        place: layout.element(index, element, ignore_stride),
    };
    chooser::ui(ui, id, page, &view, memory);
    unreadable(ui, page);
    let room = (ui.ctx().content_rect().height() - BESIDES) / hex::ROW;
    let rows = cell.rows.unwrap_or(12).min((room as usize).max(3));
    let rows = rows.clamp(2, 40);
    let key = Id::unique(("bytes cell", &page.document.lesson, id));
    let bytes = columns(ui, key, page, &view, memory, rows);
    note(ui, page, bytes);
    let below = ui.cursor().min;
    values::ui(ui, id, page, &view, memory);
    note(ui, page, below);
    changed(ui, page);
}

/// What stands from here to where the page has got to can be dragged.
fn note(ui: &Ui, page: &mut PageContext<'_>, from: Pos2) {
    let to = pos2(ui.min_rect().right(), ui.cursor().top());
    page.view.placed.note(DemonstratedPart::Bytes, Rect::from_min_max(from, to));
}

/// JSON to the left, bytes to the right, arrows between; below each other where
/// there is no room. Answers with where the bytes begin.
fn columns(
    ui: &mut Ui,
    key: Id,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    rows: usize,
) -> Pos2 {
    let width = ui.available_width();
    if width < BESIDE {
        json::ui(ui, page, view, memory, width);
        ui.add_space(6.0);
        let bytes = ui.cursor().min;
        hex::ui(ui, key, page, view, memory, rows);
        return bytes;
    }
    let area = ui.available_rect_before_wrap();
    let (left, right) = area.split_left_right_at_x(area.left() + JSON + GUTTER);
    let mut json = ui
        .new_child(UiBuilder::new().id_salt("json").max_rect(left.with_max_x(left.left() + JSON)));
    let lines = json::ui(&mut json, page, view, memory, JSON);
    let mut bytes = ui.new_child(UiBuilder::new().id_salt("bytes").max_rect(right));
    let grid = hex::ui(&mut bytes, key, page, view, memory, rows);
    let bottom = json.min_rect().bottom().max(bytes.min_rect().bottom());
    ui.allocate_rect(area.with_max_y(bottom), eframe::egui::Sense::hover());
    if let Some(grid) = grid {
        arrows::paint(ui, page.theme, view, &lines, &grid, memory.line);
    }
    area.min
}

/// The chosen accessor, or what the lesson shows first.
fn accessor(
    cell: &BytesCell,
    page: &PageContext<'_>,
    layout: &FileLayout,
    memory: &BytesCellState,
) -> usize {
    if let Some(accessor) = memory.accessor.filter(|&a| a < layout.accessors.len()) {
        return accessor;
    }
    let rig = &page.derived.rig;
    let place = match cell.of.as_deref().unwrap_or("POSITION") {
        BytesCell::INVERSE_BIND => inverse_bind_of(rig, layout, page.document.state.joint),
        semantic => attribute_of(rig, layout, page.document.state.vertex, semantic),
    };
    place.map_or(0, |place| place.accessor)
}

/// That of the chosen vertex or joint, if the accessor belongs to it.
fn element(
    page: &PageContext<'_>,
    layout: &FileLayout,
    accessor: usize,
    memory: &BytesCellState,
) -> usize {
    let rig = &page.derived.rig;
    element_of_vertex(rig, layout, accessor, page.document.state.vertex)
        .or_else(|| {
            inverse_bind_of(rig, layout, page.document.state.joint)
                .filter(|place| place.accessor == accessor)
                .map(|place| place.element)
        })
        .unwrap_or(memory.element)
}

/// Why the file with the reader's bytes does not open.
fn unreadable(ui: &mut Ui, page: &mut PageContext<'_>) {
    let Some(error) = page.derived.unreadable.clone() else {
        return;
    };
    card(ui, page.theme, Tone::Wrong, |ui| {
        let words = "The file no longer opens. The picture shows it as it last did.";
        ui.label(RichText::new(words).size(SMALL));
        let what = format!("{}: expected {}, found {}", error.path, error.expected, error.found);
        ui.label(RichText::new(what).size(SMALL).color(page.theme.wrong));
    });
}

/// The rule of the format that can be broken here: that of `normalized` where
/// the weights are whole numbers, else that of strides.
fn reading_switch(ui: &mut Ui, page: &mut PageContext<'_>, layout: &FileLayout) {
    let normalized = layout.accessors.iter().any(|accessor| accessor.normalized);
    let options = if normalized {
        [
            (Reading::AsStored, "normalized as stored", "A byte of 255 means a weight of 1"),
            (
                Reading::NormalizedIgnored,
                "normalized ignored",
                "As if a byte of 255 meant a weight of 255: wrong",
            ),
        ]
    } else {
        [
            (
                Reading::AsStored,
                "byteStride as stored",
                "From one element to the next as the buffer view says",
            ),
            (
                Reading::StrideIgnored,
                "byteStride ignored",
                "As if elements always followed each other: wrong",
            ),
        ]
    };
    let now = page.document.state.reading;
    let alarm = now != Reading::AsStored;
    if let Some(reading) = segmented::choose(ui, page.theme, &options, now, alarm) {
        page.choose(Setting::Reading(reading));
    }
}

/// How many bytes are the reader's, and the way back.
fn changed(ui: &mut Ui, page: &mut PageContext<'_>) {
    let count = page.document.state.bytes.len();
    if count == 0 {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(8.0, 4.0);
        let s = if count == 1 { "" } else { "s" };
        let words = format!("{count} byte{s} changed");
        ui.label(RichText::new(words).size(SMALL).color(page.theme.accent));
        let button = small_button("Put the stored bytes back");
        if ui.add(button).clicked() {
            page.edits.push(Edit::ResetAllBytes);
        }
    });
}
