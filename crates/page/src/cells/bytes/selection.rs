//! The selected accessor, element and byte, and the controls that select them.

use bindpose_gltf::{AccessorLayout, ElementPlace, FileLayout};
use bindpose_kit::widgets::drop_down_list;
use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_notebook::file_bytes::{AccessorElement, joint_of, vertex_of};
use eframe::egui::{ComboBox, RichText, Ui};

use crate::PageContext;
use crate::cells::entity_chooser::{index_scrub_ui, index_stepper_ui};

/// Minimum width at which the element is selected on the line of the accessor.
const MIN_SINGLE_LINE_WIDTH_PTS: f32 = 520.0;

/// State of the cell that is kept between frames.
#[derive(Default)]
pub(super) struct BytesCellState {
    /// Selected accessor. `None` until the reader selects one.
    pub(super) accessor_index: Option<usize>,
    /// Selected element of an accessor that belongs to neither vertices nor joints.
    pub(super) element_index: usize,
    /// Offset of the byte that takes keyboard input.
    pub(super) selected_byte: Option<usize>,
    /// If set, the selected byte requests the focus when it is drawn.
    pub(super) requests_focus: bool,
    /// Offset of the byte under the pointer in the last frame.
    pub(super) hovered_byte: Option<usize>,
    /// The line of JSON under the pointer in the last frame.
    pub(super) hovered_line: Option<GovernedBytes>,
    /// The view that the bytes last scrolled to.
    pub(super) scrolled_view: Option<ScrolledView>,
    /// Distance that the bytes are scrolled by, in points.
    pub(super) scroll_offset: f32,
    /// A dragged number of a large file that is not written yet.
    pub(super) pending_value: Option<PendingValue>,
}

/// The parts of a view that the bytes scroll to. If one changes, they scroll again.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct ScrolledView {
    pub(super) accessor_index: usize,
    pub(super) element_index: usize,
    pub(super) bytes_per_row: usize,
}

/// A number that is written when the drag ends.
#[derive(Clone, Copy)]
pub(super) struct PendingValue {
    pub(super) buffer: usize,
    /// Offset of the number in the buffer.
    pub(super) offset: usize,
    pub(super) value: f64,
}

/// The accessor and the element shown in this frame.
pub(super) struct BytesView<'a> {
    pub(super) layout: &'a FileLayout,
    pub(super) accessor_index: usize,
    pub(super) accessor: &'a AccessorLayout,
    pub(super) element_index: usize,
    pub(super) ignore_stride: bool,
    /// Whether integers are currently read as fractions.
    pub(super) normalized: bool,
    /// Position of the element's bytes. `None` if the element has no bytes.
    pub(super) place: Option<ElementPlace>,
}

/// The bytes that a line of the JSON determines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GovernedBytes {
    /// The first byte of the buffer view.
    ViewStart,
    /// The last byte of the buffer view.
    ViewEnd,
    /// The first byte of the first element.
    FirstElement,
    /// The bytes from one element to the next.
    Stride,
    /// The bytes of the current element's first component.
    Component,
    /// The bytes of the current element.
    Element,
    /// The last byte of the last element.
    Last,
    Nothing,
}

/// Returns the vertex or joint that an element belongs to.
pub(super) fn element_entity(
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    element_index: usize,
) -> Option<Entity> {
    let element = AccessorElement { accessor: view.accessor_index, element: element_index };
    let rig = &page.derived.rig;
    vertex_of(rig, view.layout, element)
        .map(Entity::Vertex)
        .or_else(|| joint_of(rig, view.layout, element).map(Entity::Joint))
}

/// Selects an element, by selecting the vertex or joint that it belongs to, if any.
pub(super) fn select_element(
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
    element_index: usize,
) {
    match element_entity(page, view, element_index) {
        Some(Entity::Vertex(vertex)) => page.choose(Setting::Vertex(vertex)),
        Some(Entity::Joint(joint)) => page.choose(Setting::Joint(joint.into())),
        _ => state.element_index = element_index,
    }
}

/// Draws the choice of the accessor and of the element.
pub(super) fn selection_ui(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
) {
    if ui.available_width() < MIN_SINGLE_LINE_WIDTH_PTS {
        accessor_combo(ui, id, view, state);
        ui.horizontal(|ui| element_choice(ui, id, page, view, state));
    } else {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 6.0;
            accessor_combo(ui, id, view, state);
            element_choice(ui, id, page, view, state);
        });
    }
}

fn accessor_combo(ui: &mut Ui, id: &str, view: &BytesView<'_>, state: &mut BytesCellState) {
    let list = ComboBox::from_id_salt((id, "accessor"))
        .width((ui.available_width() - 20.0).min(300.0))
        .truncate();
    let accessors = &view.layout.accessors;
    let indices = 0..accessors.len();
    let chosen =
        drop_down_list(ui, list, "the accessor shown", &view.accessor_index, indices, |&index| {
            let usage = accessors[index].uses.first().map_or("not used", String::as_str);
            format!("accessor {index}: {usage}")
        });
    if chosen.is_some() {
        state.accessor_index = chosen;
        state.element_index = 0;
        state.selected_byte = None;
    }
}

fn element_choice(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    state: &mut BytesCellState,
) {
    let count = view.accessor.count;
    if count == 0 {
        return;
    }
    let index = view.element_index;
    // An element with the index of its vertex or joint is named after it. One with another
    // index is called an element, and its vertex or joint follows.
    let (title, suffix) = match element_entity(page, view, index) {
        Some(Entity::Vertex(vertex)) if vertex as usize == index => ("vertex", None),
        Some(Entity::Joint(joint)) if joint.index() == index => ("joint", None),
        Some(Entity::Vertex(vertex)) => ("element", Some(format!("of v{vertex}"))),
        Some(Entity::Joint(joint)) => ("element", Some(format!("of joint {}", joint.0))),
        _ => ("element", None),
    };
    ui.label(RichText::new(title).color(page.theme.quiet));
    let chosen = index_stepper_ui(ui, "element", index, count, |ui| {
        index_scrub_ui(ui, (id, "element"), index, count, "the element shown")
    });
    if let Some(suffix) = suffix {
        ui.label(RichText::new(suffix).color(page.theme.quiet));
    }
    if let Some(chosen) = chosen {
        select_element(page, view, state, chosen);
    }
}
