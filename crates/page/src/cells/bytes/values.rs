//! The numbers of the current element, to be dragged.

use bindpose_gltf::{AccessorLayout, ElementPlace};
use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::{Scrub, ScrubChange, Tip as _};
use bindpose_lesson::{DataEdit, significant_digits};
use bindpose_notebook::file_bytes::{MAX_DRAGGED_FILE_BYTES, size_of_file};
use bindpose_notebook::{Edit, EditTarget};
use eframe::egui::{FontId, RichText, Ui, vec2};

use super::selection::{BytesCellState, BytesView, PendingValue};
use crate::PageContext;

/// Width of a number and its name.
const COMPONENT_WIDTH_PTS: f32 = 104.0;

pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
) {
    let Some(place) = view.place else {
        let text = "It has no buffer view: every number is 0.";
        ui.label(page.theme.label(text));
        return;
    };
    ui.add_space(4.0);
    offset_sum_label(ui, page, view, place);
    let count = view.accessor.format.kind.components;
    let is_matrix = count == 16;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(14.0, 4.0);
        if is_matrix {
            // Matrices are stored column by column.
            for column in 0..4 {
                ui.vertical(|ui| {
                    for row in 0..4 {
                        component_ui(ui, id, page, view, state, place, column * 4 + row);
                    }
                });
            }
        } else {
            for component in 0..count {
                // A nested layout does not wrap by itself.
                if component > 0 && ui.available_size_before_wrap().x < COMPONENT_WIDTH_PTS {
                    ui.end_row();
                }
                component_ui(ui, id, page, view, state, place, component);
            }
        }
    });
}

/// Draws the sum that gives the element's offset: `120 + 160 + 6 × 16 = byte 376`. The
/// tooltip names its parts.
fn offset_sum_label(
    ui: &mut Ui,
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    place: ElementPlace,
) {
    let element = view.element_index;
    let start = place.start;
    let text = if place.sparse {
        format!(
            "element {element} is replaced: its bytes begin at {start} in buffer {}",
            place.buffer
        )
    } else {
        let buffer_view = view.accessor.view.and_then(|index| view.layout.views.get(index));
        let view_offset = buffer_view.and_then(|buffer_view| buffer_view.byte_offset).unwrap_or(0);
        let accessor_offset = view.accessor.byte_offset.unwrap_or(0);
        let stride = view.layout.stride(view.accessor, view.ignore_stride);
        format!(
            "element {element}: {view_offset} + {accessor_offset} + {element} × {stride} = byte {start}"
        )
    };
    ui.label(RichText::new(text).font(FontId::monospace(SMALL_SIZE)).color(page.theme.ink))
        .tip("byteOffset of the view + byteOffset of the accessor + element × stride");
}

/// Draws a component of the element as a number to drag.
fn component_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    place: ElementPlace,
    component_index: usize,
) {
    let component = view.accessor.format.component;
    let size = component.size();
    let buffer = place.buffer;
    let offset = place.start + component_index * size;
    let mut bytes = Vec::with_capacity(size);
    let mut is_changed = false;
    for byte_offset in offset..offset + size {
        let edited = page.document.state.bytes.get(buffer as u32, byte_offset as u32);
        is_changed |= edited.is_some();
        bytes.push(edited.unwrap_or_else(|| stored_byte(view, buffer, byte_offset)));
    }
    let pending_value = match state.pending_value {
        Some(pending) if pending.buffer == buffer && pending.offset == offset => {
            Some(pending.value)
        }
        _ => None,
    };
    let value = pending_value.unwrap_or_else(|| component.decode(&bytes, view.normalized));
    let name = component_name(view.accessor, component_index);
    let label = format!("{name} of element {}", view.element_index);
    // Integers decode the byte 1 to 1, floats do not.
    let is_integer = component.decode(&[1, 0, 0, 0], false) == 1.0 && !view.normalized;
    let (min, max) = component.range(view.normalized);
    let range = min.max(-1e6)..=max.min(1e6);
    let mut scrub = Scrub::new((id, "value", component_index), value, label).changed(is_changed);
    scrub = if is_integer {
        scrub.whole().range(range).steps_per_point(0.05).chars(3)
    } else {
        let step = 0.01 * significant_digits::unit(value.abs());
        scrub.decimals(3).limits(range).step(step).chars(6)
    };
    let change = ui
        .horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 5.0;
            ui.label(page.theme.caption(&name));
            scrub.show(ui)
        })
        .inner;
    // Every write reads the file again. For a large file, wait until the drag ends.
    let is_held = ui.input(|input| input.pointer.any_down())
        && size_of_file(&page.derived.rig) > MAX_DRAGGED_FILE_BYTES;
    let value_to_write = match change {
        Some(ScrubChange::Set(value)) if is_held => {
            state.pending_value = Some(PendingValue { buffer, offset, value });
            None
        }
        Some(ScrubChange::Set(value)) => Some(value),
        Some(ScrubChange::Reset) => {
            page.requests.edits.push(Edit::Reset(EditTarget::Bytes {
                buffer: buffer as u32,
                offset: offset as u32,
                length: size as u32,
            }));
            None
        }
        None if pending_value.is_some() && !is_held => {
            state.pending_value = None;
            pending_value
        }
        None => None,
    };
    if let Some(value) = value_to_write {
        page.requests.edits.push(Edit::data(DataEdit::Bytes {
            buffer: buffer as u32,
            offset: offset as u32,
            bytes: component.encode(value, view.normalized),
        }));
    }
}

/// Returns 0 if the buffer does not have this byte.
fn stored_byte(view: &BytesView<'_>, buffer: usize, offset: usize) -> u8 {
    let buffer = view.layout.buffers.get(buffer);
    buffer.and_then(|buffer| buffer.bytes().get(offset).copied()).unwrap_or(0)
}

/// Returns the name of a component: `x`, `lane 2` of a skin attribute, or `r1 c3` of a
/// matrix.
fn component_name(accessor: &AccessorLayout, index: usize) -> String {
    let is_skin_attribute = accessor
        .uses
        .iter()
        .any(|usage| usage.starts_with("JOINTS_") || usage.starts_with("WEIGHTS_"));
    match accessor.format.kind.components {
        1 => "value".to_owned(),
        16 => format!("r{} c{}", index % 4, index / 4),
        _ if is_skin_attribute => format!("lane {index}"),
        count if count <= 4 => ["x", "y", "z", "w"][index.min(3)].to_owned(),
        _ => format!("number {index}"),
    }
}
