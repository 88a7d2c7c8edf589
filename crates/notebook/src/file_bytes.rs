//! The file of the rig: edited bytes, other files of the same model, and the elements of the
//! file that belong to a vertex or joint.
//!
//! An edited file is parsed once for each change, and cached.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_diagnostic::Diagnostic;
use bindpose_gltf::{
    ByteEdits, FileLayout, PrimitiveLayout, Rig, RigOrigin, leave_weights_whole, no_file,
    read_again,
};
use bindpose_lesson::{FileReading, FileVariant};
use bindpose_rigs::builtin;
use bindpose_skin::JointIndex;

use super::{Document, EditError, StepState};

/// Maximum size in bytes, with external files, of a file that is parsed at every step of a
/// drag. The whale (0.7 MB) takes 12 ms.
pub const MAX_DRAGGED_FILE_BYTES: usize = 1 << 20;
/// Maximum size of a file that can be edited. Parsing larger ones would block the page.
const MAX_EDITED_FILE_BYTES: usize = 64 << 20;

/// Maximum number of edited bytes in a document.
const MAX_EDITED_BYTES: usize = 4096;

/// The document's options for reading the rig's file.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ReadOptions {
    bytes: ByteEdits,
    file: FileVariant,
    reading: FileReading,
}

impl ReadOptions {
    pub(super) fn from_document(document: &Document) -> Self {
        let state = &document.state;
        Self { bytes: state.bytes.clone(), file: state.file, reading: state.reading }
    }
}

/// Does the document change how the file is read?
pub(super) fn is_changed(document: &Document) -> bool {
    ReadOptions::from_document(document) != ReadOptions::default()
}

/// Reads the document's file of `stored` with the document's edited bytes. Results are cached.
///
/// # Errors
///
/// Returns an error if there is no such file, or the edited one cannot be opened.
pub(super) fn read_as(document: &Document, stored: &Arc<Rig>) -> Result<Arc<Rig>, Arc<Diagnostic>> {
    const MAX_CACHED_RIGS: usize = 6;
    static CACHE: Mutex<VecDeque<CachedRig>> = Mutex::new(VecDeque::new());
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let stored = rig_in_file(stored, document.state.file)
        .ok_or_else(|| Arc::new(no_file("none of this kind")))?;
    let options = ReadOptions::from_document(document);
    let cached = cache.iter().position(|cached: &CachedRig| {
        Arc::ptr_eq(&cached.stored, &stored) && cached.options == options
    });
    if let Some(at) = cached
        && let Some(cached) = cache.remove(at)
    {
        let read = cached.read.clone();
        cache.push_front(cached);
        return read;
    }
    let read = read_file(document, &stored).map_err(Arc::new);
    cache.push_front(CachedRig { stored, options, read: read.clone() });
    cache.truncate(MAX_CACHED_RIGS);
    read
}

fn read_file(document: &Document, stored: &Arc<Rig>) -> Result<Arc<Rig>, Diagnostic> {
    let bytes = &document.state.bytes;
    let reading = document.state.reading;
    if bytes.is_empty() && reading == FileReading::AsStored {
        return Ok(Arc::clone(stored));
    }
    let ignore_stride = reading == FileReading::StrideIgnored;
    let mut rig = read_again(stored, bytes, ignore_stride)?;
    if reading == FileReading::NormalizedIgnored {
        leave_weights_whole(&mut rig);
    }
    Ok(Arc::new(rig))
}

struct CachedRig {
    stored: Arc<Rig>,
    options: ReadOptions,
    read: Result<Arc<Rig>, Arc<Diagnostic>>,
}

/// Returns the size in bytes of the model file and all external files.
pub fn size_of_file(rig: &Rig) -> usize {
    rig.origin.as_ref().map_or(0, |origin| {
        let beside = origin.source.beside.values().map(|bytes| bytes.len());
        origin.source.main.len() + beside.sum::<usize>()
    })
}

/// Sets bytes of a buffer, from an offset on. Bytes that equal the stored ones are no edits.
pub(super) fn put_bytes(
    state: &mut StepState,
    rig: &Rig,
    buffer: u32,
    offset: u32,
    bytes: &[u8],
) -> Result<(), EditError> {
    let layout = origin_in_file(rig, state.file)
        .as_ref()
        .and_then(FileLayout::of_origin)
        .ok_or(EditError::NoFile)?;
    if size_of_file(rig) > MAX_EDITED_FILE_BYTES {
        let most_mb = MAX_EDITED_FILE_BYTES >> 20;
        return Err(EditError::LargeFile { most_mb });
    }
    let count = layout.buffers.len();
    let stored =
        layout.buffers.get(buffer as usize).ok_or(EditError::NoBuffer { buffer, count })?.bytes();
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
    if edited.len() > MAX_EDITED_BYTES {
        return Err(EditError::ManyBytes { most: MAX_EDITED_BYTES });
    }
    state.bytes = edited;
    Ok(())
}

/// Resets a range of bytes to the stored ones.
pub(super) fn reset_bytes(state: &mut StepState, buffer: u32, offset: u32, length: u32) {
    for nth in 0..length.min(MAX_EDITED_BYTES as u32) {
        state.bytes.remove(buffer, offset.saturating_add(nth));
    }
}

/// The rigs of the model that has a file of every kind.
const STRIP_FILES: [(FileVariant, &str); 4] = [
    (FileVariant::Usual, "simple_skin_file"),
    (FileVariant::ByteWeights, "simple_skin_bytes"),
    (FileVariant::Sparse, "simple_skin_sparse"),
    (FileVariant::Glb, "simple_skin_glb"),
];

/// Returns the rig of another file of the same model. Returns `None` if there is no such file.
fn rig_in_file(rig: &Arc<Rig>, file: FileVariant) -> Option<Arc<Rig>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => Some(Arc::clone(rig)),
        id => builtin(id),
    }
}

/// Returns the origin of the rig in another file of the same model. Returns `None` if there is
/// no such file, or the rig was made in memory.
fn origin_in_file(rig: &Rig, file: FileVariant) -> Option<Arc<RigOrigin>> {
    match id_in_file(&rig.id, file)? {
        id if id == rig.id => rig.origin.clone(),
        id => builtin(id)?.origin.clone(),
    }
}

fn id_in_file(id: &str, file: FileVariant) -> Option<&str> {
    if !STRIP_FILES.iter().any(|(_, known)| *known == id) {
        return (file == FileVariant::Usual).then_some(id);
    }
    STRIP_FILES.iter().find(|(kind, _)| *kind == file).map(|(_, id)| *id)
}

/// An element of an accessor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AccessorElement {
    /// Index of the accessor.
    pub accessor: usize,
    /// Index of the element in it.
    pub element: usize,
}

/// Consecutive vertices of the rig that come from one primitive.
struct VertexRun<'a> {
    first: usize,
    count: usize,
    primitive: &'a PrimitiveLayout,
}

/// Returns the element with an attribute of a vertex, such as `POSITION`.
pub fn attribute_of(
    rig: &Rig,
    layout: &FileLayout,
    vertex: u32,
    semantic: &str,
) -> Option<AccessorElement> {
    let vertex = vertex as usize;
    let runs = vertex_runs(rig, layout);
    let run = runs.iter().find(|run| (run.first..run.first + run.count).contains(&vertex))?;
    Some(AccessorElement {
        accessor: *run.primitive.attributes.get(semantic)?,
        element: vertex - run.first,
    })
}

/// Returns the element of an accessor that belongs to a vertex.
pub fn element_of_vertex(
    rig: &Rig,
    layout: &FileLayout,
    accessor: usize,
    vertex: u32,
) -> Option<usize> {
    let vertex = vertex as usize;
    vertex_runs(rig, layout)
        .iter()
        .filter(|run| has_accessor(run.primitive, accessor))
        .find(|run| (run.first..run.first + run.count).contains(&vertex))
        .map(|run| vertex - run.first)
}

/// Returns the vertex that an element belongs to.
pub fn vertex_of(rig: &Rig, layout: &FileLayout, place: AccessorElement) -> Option<u32> {
    vertex_runs(rig, layout)
        .iter()
        .find(|run| has_accessor(run.primitive, place.accessor) && place.element < run.count)
        .and_then(|run| u32::try_from(run.first + place.element).ok())
}

/// Returns the element with the inverse bind matrix of a joint.
pub fn inverse_bind_of(
    rig: &Rig,
    layout: &FileLayout,
    joint: JointIndex,
) -> Option<AccessorElement> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs.find_map(|(skin, &accessor)| {
        let element = skin.ours.iter().position(|&ours| ours == joint)?;
        Some(AccessorElement { accessor: accessor?, element })
    })
}

/// Returns the joint whose inverse bind matrix an element is.
pub fn joint_of(rig: &Rig, layout: &FileLayout, place: AccessorElement) -> Option<JointIndex> {
    let skins = &rig.origin.as_ref()?.graph.skins;
    let mut pairs = skins.iter().zip(&layout.inverse_binds);
    pairs
        .find(|(_, accessor)| **accessor == Some(place.accessor))
        .and_then(|(skin, _)| skin.ours.get(place.element).copied())
}

fn has_accessor(primitive: &PrimitiveLayout, accessor: usize) -> bool {
    primitive.attributes.values().any(|&used| used == accessor)
}

/// Returns the primitives that the vertices come from: those of the rig's parts, or without
/// parts, those of the skinned mesh in their order. Primitives with the same attributes share
/// their vertices.
fn vertex_runs<'a>(rig: &Rig, layout: &'a FileLayout) -> Vec<VertexRun<'a>> {
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
        if runs.iter().any(|run| run.primitive.attributes == primitive.attributes) {
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
    use bindpose_lesson::FileReading;

    use super::*;
    use crate::Derived;
    use crate::test_sample::document_with;

    fn derived(file: FileVariant, reading: FileReading) -> Derived {
        let rig = builtin("simple_skin_file").unwrap();
        let mut document = document_with(&[("bend", 0.5)]);
        document.state.file = file;
        document.state.reading = reading;
        Derived::of_document(&document, None, &rig)
    }

    #[test]
    fn every_file_variant_opens() {
        for file in FileVariant::ALL {
            let derived = derived(file, FileReading::AsStored);
            assert!(derived.unreadable.is_none(), "{file:?}");
            let id = id_in_file("simple_skin_file", file).unwrap();
            assert_eq!(derived.rig.id, id);
        }
        let whale = builtin("whale").unwrap();
        assert!(rig_in_file(&whale, FileVariant::Usual).is_some());
        assert!(rig_in_file(&whale, FileVariant::Glb).is_none());
    }

    #[test]
    fn unnormalized_weights_scale_vertices_by_255() {
        let right = derived(FileVariant::ByteWeights, FileReading::AsStored);
        let wrong = derived(FileVariant::ByteWeights, FileReading::NormalizedIgnored);
        for vertex in 0..10 {
            let place = right.position(vertex).unwrap();
            let far = wrong.position(vertex).unwrap();
            assert!(far.abs_diff_eq(255.0 * place, 1e-3), "v{vertex}: {far}");
        }
        let floats = derived(FileVariant::Usual, FileReading::NormalizedIgnored);
        let usual = derived(FileVariant::Usual, FileReading::AsStored);
        assert_eq!(floats.position(6), usual.position(6), "floats stay floats");
    }

    #[test]
    fn elements_of_vertices_and_joints_are_found() {
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
