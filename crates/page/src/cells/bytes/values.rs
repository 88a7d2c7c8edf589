//! The numbers of the element that is shown, to be dragged.

use bindpose_asset::AccessorLayout;
use bindpose_lesson::DataEdit;
use bindpose_notebook::file_bytes::{MAX_DRAGGED_FILE_BYTES, size_of_file};
use bindpose_notebook::{Edit, significant_digits};
use eframe::egui::{FontId, RichText, Ui, vec2};

use super::selection::{BytesCellState, BytesView};
use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::Tip as _;
use crate::widgets::{Scrub, ScrubChange};

/// Room that a number and its name take in a row, in points.
const NUMBER: f32 = 104.0;

pub(super) fn ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
) {
    let Some(place) = view.place else {
        let words = "It has no buffer view: every number is 0.";
        ui.label(page.theme.label(words));
        return;
    };
    ui.add_space(4.0);
    sum(ui, page, view);
    let size = view.accessor.format.component.size();
    let count = view.accessor.format.kind.components;
    // The columns of a matrix lie one behind the other; here they stand so.
    let by_column = count == 16;
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(14.0, 4.0);
        if by_column {
            for column in 0..4 {
                ui.vertical(|ui| {
                    for row in 0..4 {
                        let lane = column * 4 + row;
                        let offset = place.start + lane * size;
                        number(ui, id, page, view, memory, (lane, place.buffer, offset));
                    }
                });
            }
        } else {
            for lane in 0..count {
                let offset = place.start + lane * size;
                // A group of its own does not break by itself.
                if lane > 0 && ui.available_size_before_wrap().x < NUMBER {
                    ui.end_row();
                }
                number(ui, id, page, view, memory, (lane, place.buffer, offset));
            }
        }
    });
}

/// `120 + 160 + 6 × 16 = 376`, with what each number is.
fn sum(ui: &mut Ui, page: &PageContext<'_>, view: &BytesView<'_>) {
    let Some(place) = view.place else { return };
    let words = if place.sparse {
        format!(
            "element {} is replaced: its bytes begin at {} in buffer {}",
            view.element, place.start, place.buffer
        )
    } else {
        let stored = view.accessor.view.and_then(|index| view.layout.views.get(index));
        let of_view = stored.and_then(|stored| stored.byte_offset).unwrap_or(0);
        let of_accessor = view.accessor.byte_offset.unwrap_or(0);
        let stride = view.layout.stride(view.accessor, view.ignore_stride);
        format!(
            "element {}: {of_view} + {of_accessor} + {} × {stride} = byte {}",
            view.element, view.element, place.start
        )
    };
    let font = FontId::monospace(SMALL);
    ui.label(RichText::new(words).font(font).color(page.theme.ink))
        .tip("byteOffset of the view + byteOffset of the accessor + element × stride");
}

fn number(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    (lane, buffer, offset): (usize, usize, usize),
) {
    let (component, normalized) = (view.accessor.format.component, view.normalized);
    let size = component.size();
    let bytes: Vec<u8> =
        (offset..offset + size).map(|at| byte_now(page, view, buffer, at)).collect();
    let is_changed = (offset..offset + size)
        .any(|at| page.document.state.bytes.get(buffer as u32, at as u32).is_some());
    let pending = memory
        .pending
        .filter(|&(in_buffer, at, _)| (in_buffer, at) == (buffer, offset))
        .map(|(.., value)| value);
    let value = pending.unwrap_or_else(|| component.decode(&bytes, normalized));
    let name = lane_name(view.accessor, lane);
    let whole = component.decode(&[1, 0, 0, 0], false) == 1.0 && !normalized;
    let (low, high) = component.range(normalized);
    let (low, high) = (low.max(-1e6), high.min(1e6));
    let scrub =
        Scrub::new((id, "value", lane), value, format!("{name} of element {}", view.element))
            .changed(is_changed);
    let scrub = if whole {
        scrub.whole().range(low..=high).steps_per_point(0.05).chars(3)
    } else {
        let step = 0.01 * significant_digits::unit(value.abs());
        scrub.decimals(3).limits(low..=high).step(step).chars(6)
    };
    let mut answer = None;
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        ui.label(page.theme.caption(&name));
        answer = scrub.show(ui);
    });
    let edit = |value: f64| {
        Edit::Data(DataEdit::Bytes {
            buffer: buffer as u32,
            offset: offset as u32,
            bytes: component.encode(value, normalized),
        })
    };
    // A large file is read when the number is let go, not at every step.
    let held = ui.input(|input| input.pointer.any_down())
        && size_of_file(&page.derived.rig) > MAX_DRAGGED_FILE_BYTES;
    match answer {
        Some(ScrubChange::Set(value)) if held => {
            memory.pending = Some((buffer, offset, value));
        }
        Some(ScrubChange::Set(value)) => page.edits.push(edit(value)),
        Some(ScrubChange::Reset) => page.edits.push(Edit::ResetBytes {
            buffer: buffer as u32,
            offset: offset as u32,
            length: size as u32,
        }),
        None => {
            if let Some(value) = pending.filter(|_| !held) {
                memory.pending = None;
                page.edits.push(edit(value));
            }
        }
    }
}

/// As stored, or the reader's.
fn byte_now(page: &PageContext<'_>, view: &BytesView<'_>, buffer: usize, offset: usize) -> u8 {
    let edited = page.document.state.bytes.get(buffer as u32, offset as u32);
    let stored = view.layout.buffers.get(buffer);
    edited.or_else(|| stored?.bytes().get(offset).copied()).unwrap_or(0)
}

/// `x`, `lane 2`, `row 0, column 3`.
fn lane_name(accessor: &AccessorLayout, lane: usize) -> String {
    let of_skin = |name: &str| accessor.uses.iter().any(|used| used.starts_with(name));
    match accessor.format.kind.components {
        1 => "value".to_owned(),
        16 => format!("r{} c{}", lane % 4, lane / 4),
        _ if of_skin("JOINTS_") || of_skin("WEIGHTS_") => format!("lane {lane}"),
        count if count <= 4 => ["x", "y", "z", "w"][lane.min(3)].to_owned(),
        _ => format!("number {lane}"),
    }
}
