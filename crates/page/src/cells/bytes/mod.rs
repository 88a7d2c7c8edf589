//! An accessor and its bytes: what the JSON says, and which bytes each number
//! of it governs. Bytes and values can be changed; the picture follows.

mod hex;
mod selection;
#[cfg(test)]
mod tests;
mod values;

use std::sync::Arc;

use bindpose_asset::{FileLayout, Glb};
use bindpose_lesson::{BytesCell, FileReading, Setting};
use bindpose_notebook::Edit;
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::file_bytes::{attribute_of, element_of_vertex, inverse_bind_of};
use bindpose_notebook::number_text::grouped;
use eframe::egui::{
    Color32, FontId, Id, Pos2, Rect, RichText, Sense, Shape, Stroke, StrokeKind, Ui, UiBuilder,
    WidgetInfo, accesskit::Role, epaint::CubicBezierShape, pos2, vec2,
};

use crate::PageContext;
use crate::theme::{CAPTION, SMALL, Theme};
use crate::widgets::{PaintText, Tone, buttons, card, small_button};
use hex::HexGrid;
use selection::{BytesCellState, BytesView, Governs, JsonLine};

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
        glb_chunks_ui(ui, page, glb);
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
    let ignore_stride = reading == FileReading::StrideIgnored;
    let element = element(page, layout, index, memory).min(accessor.count.saturating_sub(1));
    let view = BytesView {
        layout,
        index,
        accessor,
        element,
        ignore_stride,
        normalized: accessor.normalized && reading != FileReading::NormalizedIgnored,
        place: layout.element(index, element, ignore_stride),
    };
    selection::chooser_ui(ui, id, page, &view, memory);
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
        selection::json_ui(ui, page, view, memory, width);
        ui.add_space(6.0);
        let bytes = ui.cursor().min;
        hex::ui(ui, key, page, view, memory, rows);
        return bytes;
    }
    let area = ui.available_rect_before_wrap();
    let (left, right) = area.split_left_right_at_x(area.left() + JSON + ARROW_GUTTER);
    let mut json = ui
        .new_child(UiBuilder::new().id_salt("json").max_rect(left.with_max_x(left.left() + JSON)));
    let lines = selection::json_ui(&mut json, page, view, memory, JSON);
    let mut bytes = ui.new_child(UiBuilder::new().id_salt("bytes").max_rect(right));
    let grid = hex::ui(&mut bytes, key, page, view, memory, rows);
    let bottom = json.min_rect().bottom().max(bytes.min_rect().bottom());
    ui.allocate_rect(area.with_max_y(bottom), eframe::egui::Sense::hover());
    if let Some(grid) = grid {
        paint_arrows(ui, page.theme, view, &lines, &grid, memory.line);
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
    let now = page.document.state.reading;
    let alarm = now != FileReading::AsStored;
    if let Some(reading) = buttons::choose_segment(ui, page.theme, &options, now, alarm) {
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

// Arrows from the numbers of the JSON to the bytes they decide about.

/// Room for the arrows, between JSON and bytes.
const ARROW_GUTTER: f32 = 34.0;

/// Draws all arrows, that of the line under the pointer on top and in colour.
fn paint_arrows(
    ui: &Ui,
    theme: &Theme,
    view: &BytesView<'_>,
    lines: &[JsonLine],
    grid: &HexGrid,
    lit: Option<Governs>,
) {
    let (last, first): (Vec<&JsonLine>, Vec<&JsonLine>) =
        lines.iter().partition(|line| lit == Some(line.governs));
    for (lines, lit) in [(first, false), (last, true)] {
        for line in lines {
            if let Some((start, length)) = target(view, line.governs) {
                arrow(ui, theme, grid, line.rect, (start, length), lit);
            }
        }
    }
}

/// First byte, and how many.
fn target(view: &BytesView<'_>, governs: Governs) -> Option<(usize, usize)> {
    let element = |index| view.layout.element(view.index, index, view.ignore_stride);
    let stored = view.accessor.view.and_then(|index| view.layout.views.get(index));
    let start_of_view = stored.map(|stored| stored.byte_offset.unwrap_or(0));
    match governs {
        Governs::ViewStart => start_of_view.map(|start| (start, 1)),
        Governs::ViewEnd => {
            let end = start_of_view?.checked_add(stored?.byte_length)?;
            end.checked_sub(1).map(|last| (last, 1))
        }
        Governs::FirstElement => element(0).map(|place| (place.start, 1)),
        Governs::Stride => {
            // To the next element; from the last one there is none.
            let next = element(view.element + 1).or_else(|| element(view.element))?;
            let stride = view.layout.stride(view.accessor, view.ignore_stride);
            Some((next.start.checked_sub(stride)?, stride))
        }
        Governs::Component => {
            let size = view.accessor.format.component.size();
            view.place.map(|place| (place.start, size))
        }
        Governs::Element => view.place.map(|place| (place.start, place.size)),
        Governs::Last => {
            let place = element(view.accessor.count.checked_sub(1)?)?;
            Some((place.start + place.size - 1, 1))
        }
        Governs::Nothing => None,
    }
}

/// From the right of a line to the top of a byte; when that is out of view, to
/// the edge beyond which it lies.
fn arrow(
    ui: &Ui,
    theme: &Theme,
    grid: &HexGrid,
    line: Rect,
    (start, length): (usize, usize),
    lit: bool,
) {
    let color = if lit { theme.accent } else { theme.paper.lerp_to_gamma(theme.quiet, 0.55) };
    let stroke = Stroke::new(if lit { 2.0 } else { 1.0 }, color);
    let words_end = line.right_center() + vec2(6.0, 0.0);
    // Straight to the edge of the words, so that none is crossed, then the bow.
    let edge = grid.area.left() - ARROW_GUTTER;
    let from = pos2(edge.max(words_end.x), words_end.y);
    ui.painter().line_segment([words_end, from], stroke);
    let corner = grid.at(start);
    let area = grid.area;
    if corner.y < area.top() - 1.0 || corner.y > area.bottom() - 8.0 {
        let below = corner.y > area.top();
        let edge = if below { area.bottom() - 4.0 } else { area.top() + 4.0 };
        let end = pos2(area.left() + 6.0, edge);
        curve(ui, from, end, stroke);
        let tip = end + vec2(0.0, if below { 6.0 } else { -6.0 });
        head(ui, tip, if below { 1.0 } else { -1.0 }, color);
        return;
    }
    if lit {
        let painter = ui.painter().with_clip_rect(area.expand(2.0));
        for rect in grid.rects(start, length) {
            painter.rect_stroke(rect, 3.0, stroke, StrokeKind::Outside);
        }
    }
    // Along the upper edge of the line of bytes, then down into the byte.
    let turn = pos2(area.left() + 2.0, corner.y);
    curve(ui, from, turn, stroke);
    let end = corner + vec2(6.0, 0.0);
    ui.painter().line_segment([turn, end], stroke);
    head(ui, end + vec2(0.0, 6.0), 1.0, color);
}

fn curve(ui: &Ui, from: Pos2, to: Pos2, stroke: Stroke) {
    let reach = vec2(((to.x - from.x) * 0.6).max(8.0), 0.0);
    ui.painter().add(CubicBezierShape::from_points_stroke(
        [from, from + reach, to - reach, to],
        false,
        Color32::TRANSPARENT,
        stroke,
    ));
}

/// A small triangle that points down, or up for a negative `way`.
fn head(ui: &Ui, tip: Pos2, way: f32, color: Color32) {
    let back = tip - vec2(0.0, 6.0 * way);
    let corners = vec![tip, back - vec2(3.5, 0.0), back + vec2(3.5, 0.0)];
    ui.painter().add(Shape::convex_polygon(corners, color, Stroke::NONE));
}

// The frame of a `.glb`: its header and its chunks.

const HEIGHT: f32 = 40.0;

/// Header and chunks side by side; narrow ones keep room for their words.
fn glb_chunks_ui(ui: &mut Ui, page: &PageContext<'_>, glb: &Glb) {
    let bytes = |count: usize| grouped(u32::try_from(count).unwrap_or(u32::MAX));
    let mut parts = vec![(
        "header, 12 bytes".to_owned(),
        format!("glTF, {}, {}", glb.version.unwrap_or(0), grouped(glb.length.unwrap_or(0))),
    )];
    for chunk in &glb.chunks {
        let kind: String = chunk
            .kind
            .iter()
            .filter(|byte| byte.is_ascii_graphic())
            .map(|&byte| char::from(byte))
            .collect();
        parts.push((
            format!("chunk {kind}, from {}", bytes(chunk.start)),
            format!("{} bytes", bytes(chunk.length)),
        ));
    }
    let width = ui.available_width();
    let widest = parts
        .iter()
        .flat_map(|(what, numbers)| {
            let fonts = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
            [what, numbers].into_iter().zip(fonts)
        })
        .map(|(text, font)| {
            let line = ui.painter().layout_no_wrap(text.clone(), font, page.theme.ink);
            line.size().x + 18.0
        })
        .fold(0.0, f32::max);
    let beside = width >= widest * parts.len() as f32;
    let columns = if beside { parts.len() } else { 1 };
    let each = width / columns as f32;
    let height = HEIGHT * parts.len().div_ceil(columns) as f32;
    let (area, response) = ui.allocate_exact_size(vec2(width, height), Sense::hover());
    for (index, (what, numbers)) in parts.iter().enumerate() {
        let min =
            area.min + vec2(each * (index % columns) as f32, HEIGHT * (index / columns) as f32);
        let rect = Rect::from_min_size(min, vec2(each, HEIGHT)).shrink(1.0);
        let painter = ui.painter().with_clip_rect(rect);
        painter.rect_filled(rect, 4.0, page.theme.panel);
        let stroke = Stroke::new(1.0, page.theme.rule);
        painter.rect_stroke(rect, 4.0, stroke, StrokeKind::Inside);
        let at = |y: f32| pos2(rect.left() + 8.0, rect.top() + y);
        let [plain, mono] = [FontId::proportional(CAPTION), FontId::monospace(CAPTION)];
        painter.text_left(at(11.0), what, plain, page.theme.quiet);
        painter.text_left(at(27.0), numbers, mono, page.theme.ink);
    }
    response.widget_info(|| {
        let words: Vec<String> = parts.iter().map(|(a, b)| format!("{a}: {b}")).collect();
        WidgetInfo::labeled(Role::Label, true, words.join("; "))
    });
}
