//! The file behind the rig: with the reader's bytes in it, read again once for each change
//! and kept for a while; the same model in another file; and which of its bytes hold what of
//! a vertex or a joint.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_asset::{
    ByteEdits, FileLayout, GltfError, PrimitiveLayout, Rig, RigOrigin, builtin,
    leave_weights_whole, no_file, read_again,
};
use bindpose_lesson::{FileVariant, Reading};
use bindpose_skin::JointIndex;

use super::{Document, EditError, StepState};

/// Files up to this many bytes, with all beside them, are read again at every
/// step of a drag: the whale (0.7 MB) takes 12 ms.
pub const READ_WHILE_DRAGGING: usize = 1 << 20;
/// Larger files are not read again at all: the page would stand still.
const LARGEST_EDITED: usize = 64 << 20;

/// Changed bytes in a document.
const MOST_BYTES: usize = 4096;

/// How the document wants the rig's file read.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReadAs {
    bytes: ByteEdits,
    file: FileVariant,
    reading: Reading,
}

impl ReadAs {
    pub(super) fn of(document: &Document) -> Self {
        let state = &document.state;
        Self { bytes: state.bytes.clone(), file: state.file, reading: state.reading }
    }
}

/// Does the document want the file read otherwise than it is stored?
pub(super) fn is_changed(document: &Document) -> bool {
    ReadAs::of(document) != ReadAs::default()
}

/// Reads the document's file of `stored` with the document's bytes; answers with
/// what it read before for the same bytes, if it still has that.
///
/// Fails when there is no such file, or the changed one does not open.
pub(super) fn read_as(document: &Document, stored: &Arc<Rig>) -> Result<Arc<Rig>, Arc<GltfError>> {
    const KEPT: usize = 6;
    static KNOWN: Mutex<VecDeque<KnownBytes>> = Mutex::new(VecDeque::new());
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let stored = rig_in_file(stored, document.state.file)
        .ok_or_else(|| Arc::new(no_file("none of this kind")))?;
    let read_as = ReadAs::of(document);
    let same = |known: &KnownBytes| Arc::ptr_eq(&known.stored, &stored) && known.read_as == read_as;
    if let Some(at) = all.iter().position(same)
        && let Some(known) = all.remove(at)
    {
        let read = known.read.clone();
        all.push_front(known);
        return read;
    }
    let read = read(document, &stored).map_err(Arc::new);
    all.push_front(KnownBytes { stored, read_as, read: read.clone() });
    all.truncate(KEPT);
    read
}

fn read(document: &Document, stored: &Arc<Rig>) -> Result<Arc<Rig>, GltfError> {
    let (bytes, reading) = (&document.state.bytes, document.state.reading);
    let as_stored = bytes.is_empty() && reading == Reading::AsStored;
    if as_stored {
        return Ok(Arc::clone(stored));
    }
    let ignore_stride = reading == Reading::StrideIgnored;
    let mut rig = read_again(stored, bytes, ignore_stride)?;
    if reading == Reading::NormalizedIgnored {
        leave_weights_whole(&mut rig);
    }
    Ok(Arc::new(rig))
}

struct KnownBytes {
    stored: Arc<Rig>,
    read_as: ReadAs,
    read: Result<Arc<Rig>, Arc<GltfError>>,
}

/// Bytes of the model and of all files beside it.
pub fn size_of_file(rig: &Rig) -> usize {
    rig.origin.as_ref().map_or(0, |origin| {
        let beside = origin.source.beside.values().map(|bytes| bytes.len());
        origin.source.main.len() + beside.sum::<usize>()
    })
}

/// Puts bytes, one after the other from an offset of a buffer. A byte that is
/// as stored is no change.
pub(super) fn put_bytes(
    state: &mut StepState,
    rig: &Rig,
    buffer: u32,
    offset: u32,
    bytes: &[u8],
) -> Result<(), EditError> {
    let origin = origin_in_file(rig, state.file);
    let layout = origin.as_ref().and_then(FileLayout::of_origin);
    let layout = layout.ok_or(EditError::NoFile)?;
    if size_of_file(rig) > LARGEST_EDITED {
        let most_mb = LARGEST_EDITED >> 20;
        return Err(EditError::LargeFile { most_mb });
    }
    let count = layout.buffers.len();
    let stored = layout.buffers.get(buffer as usize);
    let stored = stored.ok_or(EditError::NoBuffer { buffer, count })?.bytes();
    let from = offset as usize;
    let end = from.saturating_add(bytes.len());
    let as_stored = stored.get(from..end).ok_or(EditError::NoByte {
        buffer,
        count: stored.len(),
        byte: end.saturating_sub(1),
    })?;
    let mut edited = state.bytes.clone();
    for (nth, (&byte, &stored)) in bytes.iter().zip(as_stored).enumerate() {
        let offset = offset + nth as u32;
        if byte == stored {
            edited.remove(buffer, offset);
        } else {
            edited.put(buffer, offset, byte);
        }
    }
    if edited.len() > MOST_BYTES {
        return Err(EditError::ManyBytes { most: MOST_BYTES });
    }
    state.bytes = edited;
    Ok(())
}

/// Puts so many bytes back to the stored ones.
pub(super) fn reset_bytes(document: &mut Document, buffer: u32, offset: u32, length: u32) {
    for nth in 0..length.min(MOST_BYTES as u32) {
        document.state.bytes.remove(buffer, offset.saturating_add(nth));
    }
}

// The rig of another file of the same model.

/// A model that has a file of every kind: the name of the rig that is read from
/// each.
const STRIP: [(FileVariant, &str); 4] = [
    (FileVariant::Usual, "simple_skin_file"),
    (FileVariant::ByteWeights, "simple_skin_bytes"),
    (FileVariant::Sparse, "simple_skin_sparse"),
    (FileVariant::Glb, "simple_skin_glb"),
];

/// `rig` as it is in that file; `None` when it has no such file.
fn rig_in_file(rig: &Arc<Rig>, file: FileVariant) -> Option<Arc<Rig>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => Some(Arc::clone(rig)),
        id => builtin(id),
    }
}

/// Where the rig's numbers come from in that file; `None` when it has no such
/// file, or was made in memory.
fn origin_in_file(rig: &Rig, file: FileVariant) -> Option<Arc<RigOrigin>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => rig.origin.clone(),
        id => builtin(id)?.origin.clone(),
    }
}

fn id_in_file(id: &str, file: FileVariant) -> Option<&str> {
    if !STRIP.iter().any(|(_, known)| *known == id) {
        return (file == FileVariant::Usual).then_some(id);
    }
    let of_kind = STRIP.iter().find(|(kind, _)| *kind == file);
    of_kind.map(|(_, id)| *id)
}

// Which bytes of the file hold an attribute of a vertex or the matrix of a
// joint, and the other way round.

/// An accessor and one of its elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementOf {
    /// Index of the accessor.
    pub accessor: usize,
    /// Index of the element.
    pub element: usize,
}

/// Vertices that come from one primitive.
struct VertexRun<'a> {
    first: usize,
    count: usize,
    primitive: &'a PrimitiveLayout,
}

/// The element that holds an attribute, such as `POSITION`, of a vertex.
pub fn attribute_of(
    rig: &Rig,
    layout: &FileLayout,
    vertex: u32,
    semantic: &str,
) -> Option<ElementOf> {
    let vertex = vertex as usize;
    let runs = runs(rig, layout);
    let run = runs.iter().find(|run| (run.first..run.first + run.count).contains(&vertex))?;
    Some(ElementOf {
        accessor: *run.primitive.attributes.get(semantic)?,
        element: vertex - run.first,
    })
}

/// The element of this accessor that belongs to a vertex.
pub fn element_of_vertex(
    rig: &Rig,
    layout: &FileLayout,
    accessor: usize,
    vertex: u32,
) -> Option<usize> {
    let vertex = vertex as usize;
    runs(rig, layout)
        .iter()
        .filter(|run| uses(run.primitive, accessor))
        .find(|run| (run.first..run.first + run.count).contains(&vertex))
        .map(|run| vertex - run.first)
}

/// The vertex that an element is an attribute of.
pub fn vertex_of(rig: &Rig, layout: &FileLayout, place: ElementOf) -> Option<u32> {
    runs(rig, layout)
        .iter()
        .find(|run| uses(run.primitive, place.accessor) && place.element < run.count)
        .and_then(|run| u32::try_from(run.first + place.element).ok())
}

/// The element with the inverse bind matrix of a joint.
pub fn inverse_bind_of(rig: &Rig, layout: &FileLayout, joint: JointIndex) -> Option<ElementOf> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs.find_map(|(skin, &accessor)| {
        let element = skin.ours.iter().position(|&ours| ours == joint)?;
        Some(ElementOf { accessor: accessor?, element })
    })
}

/// The joint whose inverse bind matrix an element is.
pub fn joint_of(rig: &Rig, layout: &FileLayout, place: ElementOf) -> Option<JointIndex> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs
        .find(|(_, accessor)| **accessor == Some(place.accessor))
        .and_then(|(skin, _)| skin.ours.get(place.element).copied())
}

fn uses(primitive: &PrimitiveLayout, accessor: usize) -> bool {
    primitive.attributes.values().any(|&used| used == accessor)
}

/// Where the vertices of the rig come from: as its parts say, or, without parts,
/// the primitives of the skinned mesh in their order, of which those with the
/// same attributes share their vertices.
fn runs<'a>(rig: &Rig, layout: &'a FileLayout) -> Vec<VertexRun<'a>> {
    if !rig.mesh.parts.is_empty() {
        let parts = rig.mesh.parts.iter();
        return parts
            .filter_map(|part| {
                let primitive = layout.primitives.iter().find(|primitive| {
                    (primitive.mesh, primitive.primitive) == (part.mesh, part.primitive)
                })?;
                Some(VertexRun {
                    first: part.vertices.start as usize,
                    count: part.vertices.len(),
                    primitive,
                })
            })
            .collect();
    }
    let nodes = rig.origin.iter().flat_map(|origin| &origin.graph.nodes);
    let mut skinned = nodes.filter(|node| node.skin.is_some());
    let mesh = skinned.find_map(|node| node.mesh);
    let mut runs: Vec<VertexRun<'a>> = Vec::new();
    let mut first = 0;
    for primitive in layout.primitives.iter().filter(|p| Some(p.mesh) == mesh) {
        let seen = |run: &VertexRun<'_>| run.primitive.attributes == primitive.attributes;
        if runs.iter().any(seen) {
            continue;
        }
        let positions = primitive.attributes.get("POSITION");
        let count = positions
            .and_then(|&accessor| layout.accessors.get(accessor))
            .map_or(0, |accessor| accessor.count);
        runs.push(VertexRun { first, count, primitive });
        first += count;
    }
    runs
}

#[cfg(test)]
mod tests {
    use bindpose_lesson::Reading;

    use super::*;
    use crate::{Derived, Document};

    fn derived(file: FileVariant, reading: Reading) -> Derived {
        let rig = builtin("simple_skin_file").unwrap();
        let mut document = Document::default();
        document.state.file = file;
        document.state.reading = reading;
        document.state.params.insert("bend".to_owned(), 0.5);
        let influences = Derived::edited_influences(&document, &rig);
        Derived::new(&document, None, &rig, influences)
    }

    #[test]
    fn every_file_is_opened_and_another_model_has_only_its_own() {
        for file in FileVariant::ALL {
            let derived = derived(file, Reading::AsStored);
            assert!(derived.unreadable.is_none(), "{file:?}");
            let id = id_in_file("simple_skin_file", file).unwrap();
            assert_eq!(derived.rig.id, id);
        }
        let whale = builtin("whale").unwrap();
        assert!(rig_in_file(&whale, FileVariant::Usual).is_some());
        assert!(rig_in_file(&whale, FileVariant::Glb).is_none());
    }

    #[test]
    fn without_normalized_a_vertex_goes_to_255_times_its_place() {
        let right = derived(FileVariant::ByteWeights, Reading::AsStored);
        let wrong = derived(FileVariant::ByteWeights, Reading::NormalizedIgnored);
        for vertex in 0..10 {
            let place = right.position(vertex).unwrap();
            let far = wrong.position(vertex).unwrap();
            assert!(far.abs_diff_eq(255.0 * place, 1e-3), "v{vertex}: {far}");
        }
        let floats = derived(FileVariant::Usual, Reading::NormalizedIgnored);
        let usual = derived(FileVariant::Usual, Reading::AsStored);
        assert_eq!(floats.position(6), usual.position(6), "floats stay floats");
    }

    #[test]
    fn attributes_and_matrices_are_found_and_lead_back() {
        for id in ["simple_skin_file", "whale", "gimbal"] {
            let rig = builtin(id).unwrap();
            let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
            let place = attribute_of(&rig, &layout, 6, "POSITION").unwrap();
            assert_eq!(place.element, 6);
            assert_eq!(vertex_of(&rig, &layout, place), Some(6), "{id}");
            let element = element_of_vertex(&rig, &layout, place.accessor, 6);
            assert_eq!(element, Some(6), "{id}");
            let bytes = layout.element(place.accessor, 6, false).unwrap();
            let buffer = layout.buffers[bytes.buffer].bytes();
            let component = layout.accessors[place.accessor].format.component;
            let x = component.decode(&buffer[bytes.start..], false) as f32;
            assert_eq!(x, rig.mesh.positions[6].x, "{id}");

            let joint = JointIndex(1);
            let place = inverse_bind_of(&rig, &layout, joint).unwrap();
            assert_eq!(joint_of(&rig, &layout, place), Some(joint), "{id}");
            assert_eq!(vertex_of(&rig, &layout, place), None, "{id}");
            assert!(attribute_of(&rig, &layout, u32::MAX, "POSITION").is_none());
        }
    }
}
