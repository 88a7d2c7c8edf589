//! What the reader looks at: an accessor, one of its elements, a byte, a line of
//! the JSON.

use bindpose_asset::{AccessorLayout, ElementPlace, FileLayout};
use bindpose_lesson::Setting;
use bindpose_notebook::Entity;
use bindpose_notebook::file_places::{ElementOf, joint_of, vertex_of};

use crate::PageContext;

/// What the reader looks at.
#[derive(Default)]
pub(super) struct BytesCellState {
    /// `None`: what the lesson shows first.
    pub(super) accessor: Option<usize>,
    /// Of accessors that belong to neither vertices nor joints.
    pub(super) element: usize,
    /// The byte that takes keys.
    pub(super) byte: Option<usize>,
    /// It takes the focus when it is drawn.
    pub(super) focus: bool,
    /// Offset of the byte under the pointer in the last frame.
    pub(super) hovered: Option<usize>,
    /// The line of JSON under the pointer in the last frame.
    pub(super) line: Option<Governs>,
    /// What was shown last, accessor and element, and how many bytes stood in a row;
    /// when one of these changes, the bytes scroll to it.
    pub(super) shown: Option<(usize, usize, usize)>,
    /// How far the bytes are scrolled, in points.
    pub(super) offset: f32,
    /// A number that is held while it is dragged: buffer, offset, value.
    pub(super) pending: Option<(usize, usize, f64)>,
}

/// What is shown in this frame.
pub(super) struct BytesView<'a> {
    pub(super) layout: &'a FileLayout,
    pub(super) index: usize,
    pub(super) accessor: &'a AccessorLayout,
    pub(super) element: usize,
    pub(super) ignore_stride: bool,
    /// Do whole numbers stand for fractions, as they are read now?
    pub(super) normalized: bool,
    /// `None`: the element has no bytes.
    pub(super) place: Option<ElementPlace>,
}

/// What a line of the JSON decides about the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Governs {
    /// Where the view begins.
    ViewStart,
    /// Where the view ends.
    ViewEnd,
    /// Where the first element begins.
    FirstElement,
    /// From one element to the next.
    Stride,
    /// The bytes of one number.
    Component,
    /// The bytes of one element.
    Element,
    /// Where the last element ends.
    Last,
    /// Another part of the JSON.
    Nothing,
}

/// Whose element this is.
pub(super) fn owner(
    page: &PageContext<'_>,
    view: &BytesView<'_>,
    element: usize,
) -> Option<Entity> {
    let place = ElementOf { accessor: view.index, element };
    let rig = &page.derived.rig;
    vertex_of(rig, view.layout, place)
        .map(Entity::Vertex)
        .or_else(|| joint_of(rig, view.layout, place).map(Entity::Joint))
}

/// Shows another element, and chooses what it belongs to.
pub(super) fn choose(
    page: &mut PageContext<'_>,
    view: &BytesView<'_>,
    memory: &mut BytesCellState,
    element: usize,
) {
    match owner(page, view, element) {
        Some(Entity::Vertex(vertex)) => page.choose(Setting::Vertex(vertex)),
        Some(Entity::Joint(joint)) => page.choose(Setting::Joint(joint.into())),
        _ => memory.element = element,
    }
}
