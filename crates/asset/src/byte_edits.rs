//! Bytes of a file's buffers that stand in the place of the stored ones.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::layout::{BufferPlace, FileLayout};
use super::write::glb_with;
use super::{GltfError, GltfErrorKind as Kind, ModelSource, Rig, read_gltf};

/// Changed bytes, by buffer and by offset in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByteEdits(BTreeMap<u32, BTreeMap<u32, u8>>);

impl ByteEdits {
    /// Is every byte as stored?
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many bytes are changed.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// The byte that stands at a place, if it was changed.
    pub fn get(&self, buffer: u32, offset: u32) -> Option<u8> {
        self.0.get(&buffer)?.get(&offset).copied()
    }

    /// Changes one byte.
    pub fn put(&mut self, buffer: u32, offset: u32, byte: u8) {
        self.0.entry(buffer).or_default().insert(offset, byte);
    }

    /// Puts one byte back to the stored one.
    pub fn remove(&mut self, buffer: u32, offset: u32) {
        if let Some(bytes) = self.0.get_mut(&buffer) {
            bytes.remove(&offset);
            if bytes.is_empty() {
                self.0.remove(&buffer);
            }
        }
    }

    /// Changed bytes that follow each other: buffer, offset of the first, bytes.
    pub fn runs(&self) -> Vec<(u32, u32, Vec<u8>)> {
        let mut runs: Vec<(u32, u32, Vec<u8>)> = Vec::new();
        for (&buffer, bytes) in &self.0 {
            for (&offset, &byte) in bytes {
                match runs.last_mut() {
                    Some((last, start, run))
                        if *last == buffer && *start as usize + run.len() == offset as usize =>
                    {
                        run.push(byte);
                    }
                    _ => runs.push((buffer, offset, vec![byte])),
                }
            }
        }
        runs
    }
}

/// Reads the rig's file again with other bytes, and with or without its
/// strides. Name, title and parameters are those of `rig`.
///
/// Fails when the changed file does not open; see [`read_gltf`].
pub fn read_again(rig: &Rig, edits: &ByteEdits, ignore_stride: bool) -> Result<Rig, GltfError> {
    let no_file = || no_file("none: it was made in memory");
    let origin = rig.origin.as_ref().ok_or_else(no_file)?;
    let layout = FileLayout::of_origin(origin).ok_or_else(no_file)?;
    let source = edited_source(&origin.source, &layout, edits, ignore_stride);
    let read = read_gltf(&source)?;
    Ok(Rig {
        skeleton: read.skeleton,
        mesh: read.mesh,
        world_from_mesh_node: read.world_from_mesh_node,
        clips: if read.clips.is_empty() { rig.clips.clone() } else { read.clips },
        morph_weights: read.morph_weights,
        ..rig.clone()
    })
}

/// A rig has no file to be read.
pub fn no_file(found: &str) -> GltfError {
    GltfError::new(Kind::Missing, "the rig")
        .expected("a glTF file", found)
        .help("open a model, or choose a lesson with one")
}

/// Weights stored as normalised whole numbers become these numbers, which the
/// reader has divided by the largest there is and by their sum. Floats stay.
pub fn leave_weights_whole(rig: &mut Rig) {
    let layout = rig.origin.as_ref().and_then(FileLayout::of_origin);
    let largest = layout.and_then(|layout| {
        let weights = *layout.primitives.first()?.attributes.get("WEIGHTS_0")?;
        let accessor = layout.accessors.get(weights)?;
        let (_, largest) = accessor.format.component.range(false);
        accessor.normalized.then_some(largest as f32)
    });
    let Some(largest) = largest else { return };
    let mesh = Arc::make_mut(&mut rig.mesh);
    for (influences, sum) in mesh.influences.iter_mut().zip(&mut mesh.stored_sums) {
        for weight in &mut influences.weights {
            *weight *= *sum * largest;
        }
        *sum *= largest;
    }
}

/// The file with these bytes in it. Without strides, `byteStride` is taken out
/// of every buffer view.
pub fn edited_source(
    source: &ModelSource,
    layout: &FileLayout,
    edits: &ByteEdits,
    ignore_stride: bool,
) -> ModelSource {
    let mut edited = source.clone();
    let mut embedded: BTreeMap<usize, String> = BTreeMap::new();
    for (&index, changed) in &edits.0 {
        let Some(buffer) = layout.buffers.get(index as usize) else {
            continue;
        };
        let put = |bytes: &mut [u8], start: usize| {
            for (&offset, &byte) in changed {
                if let Some(place) = bytes.get_mut(start + offset as usize) {
                    *place = byte;
                }
            }
        };
        match &buffer.place {
            BufferPlace::Chunk => {
                let mut main = edited.main.to_vec();
                put(&mut main, buffer.start());
                edited.main = main.into();
            }
            BufferPlace::Beside(path) => {
                let mut bytes = buffer.bytes().to_vec();
                put(&mut bytes, 0);
                edited.beside.insert(path.clone(), bytes.into());
            }
            BufferPlace::Embedded => {
                let name = free_name(&edited, index);
                let mut bytes = buffer.bytes().to_vec();
                put(&mut bytes, 0);
                edited.beside.insert(name.clone(), bytes.into());
                embedded.insert(index as usize, name);
            }
            BufferPlace::Missing => {}
        }
    }
    if ignore_stride || !embedded.is_empty() {
        rewrite(&mut edited, layout, &embedded, ignore_stride);
    }
    edited
}

/// A name that no file beside the model has.
fn free_name(source: &ModelSource, buffer: u32) -> String {
    let mut name = format!("buffer{buffer}.bin");
    while source.beside.contains_key(&name) {
        name.insert(0, '_');
    }
    name
}

/// Names buffers that have become files, and forgets strides.
fn rewrite(
    source: &mut ModelSource,
    layout: &FileLayout,
    embedded: &BTreeMap<usize, String>,
    ignore_stride: bool,
) {
    let json = source.main.get(layout.json.clone()).unwrap_or_default();
    let Ok(mut root) = serde_json::from_slice::<Value>(json) else {
        return;
    };
    for (&index, name) in embedded {
        if let Some(uri) = root.pointer_mut(&format!("/buffers/{index}/uri")) {
            *uri = Value::from(name.as_str());
        }
    }
    let views = root.get_mut("bufferViews").and_then(Value::as_array_mut);
    for view in views.into_iter().flatten().filter(|_| ignore_stride) {
        if let Some(view) = view.as_object_mut() {
            view.remove("byteStride");
        }
    }
    let text = root.to_string().into_bytes();
    if layout.glb.is_none() {
        source.main = text.into();
        return;
    }
    let rest = source.main.get(layout.json.end..).unwrap_or_default();
    source.main = glb_with(text, &[rest]).into();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builtin;

    /// Buffer and offset of the first byte of an attribute of a vertex.
    fn place(rig: &Rig, accessor: usize, element: usize) -> (u32, u32) {
        let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
        let place = layout.element(accessor, element, false).unwrap();
        (place.buffer as u32, place.start as u32)
    }

    #[test]
    fn a_changed_byte_is_read_and_the_rest_stays() {
        for id in ["simple_skin_file", "whale"] {
            let rig = builtin(id).unwrap();
            let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
            let positions = layout.primitives[0].attributes["POSITION"];
            let (buffer, offset) = place(&rig, positions, 3);
            let mut edits = ByteEdits::default();
            for (nth, byte) in 7.5_f32.to_le_bytes().into_iter().enumerate() {
                edits.put(buffer, offset + nth as u32, byte);
            }
            let read = read_again(&rig, &edits, false).unwrap();
            let mut expected = rig.mesh.positions.clone();
            expected[3].x = 7.5;
            assert_eq!(read.mesh.positions, expected, "{id}");
            assert_eq!(read.skeleton, rig.skeleton, "{id}");
            assert_eq!(read.params, rig.params, "{id}");
        }
    }

    #[test]
    fn a_file_that_no_longer_opens_says_why() {
        let rig = builtin("simple_skin_file").unwrap();
        let (buffer, offset) = place(&rig, 0, 0);
        let mut edits = ByteEdits::default();
        edits.put(buffer, offset + 2, 0xC0);
        edits.put(buffer, offset + 3, 0xFF);
        let error = read_again(&rig, &edits, false).unwrap_err();
        assert_eq!(error.path, "/accessors/0");
        let memory = builtin("head").unwrap();
        assert!(read_again(&memory, &edits, false).is_err());
    }

    #[test]
    fn embedded_buffers_become_files_of_their_own() {
        let rig = builtin("simple_skin_file").unwrap();
        let origin = rig.origin.as_ref().unwrap();
        let text = std::str::from_utf8(&origin.source.main).unwrap();
        // The first four positions: enough to be seen to change.
        let json = text.replace(
            "\"uri\": \"simple_skin.bin\"",
            "\"uri\": \"data:application/octet-stream;base64,AAAAvwAAAAA=\"",
        );
        let source = ModelSource::alone("embedded.gltf", json.into_bytes());
        let layout = FileLayout::from_source(&source).unwrap();
        assert_eq!(layout.buffers[0].place, BufferPlace::Embedded);
        assert_eq!(layout.buffers[0].bytes(), [0, 0, 0, 0xBF, 0, 0, 0, 0]);
        let mut edits = ByteEdits::default();
        edits.put(0, 5, 9);
        let edited = edited_source(&source, &layout, &edits, false);
        let layout = FileLayout::from_source(&edited).unwrap();
        assert_eq!(layout.buffers[0].bytes(), [0, 0, 0, 0xBF, 0, 9, 0, 0]);
    }

    #[test]
    fn a_glb_without_strides_is_a_glb() {
        let rig = builtin("whale").unwrap();
        let read = read_again(&rig, &ByteEdits::default(), true).unwrap();
        assert_eq!(read.mesh, rig.mesh, "it has no strides");
    }

    #[test]
    fn a_changed_file_is_read_in_about_the_time_of_a_reading() {
        // The least of several: a busy machine only ever adds.
        let least_secs = |work: &dyn Fn()| {
            let secs = (0..5).map(|_| {
                let started = std::time::Instant::now();
                work();
                started.elapsed().as_secs_f64()
            });
            secs.fold(f64::INFINITY, f64::min)
        };
        let rig = builtin("whale").unwrap();
        let source = &rig.origin.as_ref().unwrap().source;
        let mut edits = ByteEdits::default();
        edits.put(0, 2, 1);
        let first = least_secs(&|| {
            read_gltf(source).unwrap();
        });
        let again = least_secs(&|| {
            read_again(&rig, &edits, false).unwrap();
        });
        assert!(again < 8.0 * first, "{again} s for {first} s");
    }

    #[test]
    fn runs_join_neighbours() {
        let mut edits = ByteEdits::default();
        for (buffer, offset) in [(0, 4), (0, 5), (0, 7), (1, 8)] {
            edits.put(buffer, offset, offset as u8);
        }
        let runs = [(0, 4, vec![4, 5]), (0, 7, vec![7]), (1, 8, vec![8])];
        assert_eq!(edits.runs(), runs);
        assert_eq!(edits.len(), 4);
        for offset in [4, 5, 7] {
            edits.remove(0, offset);
        }
        assert_eq!(edits.runs(), [(1, 8, vec![8])]);
        edits.remove(1, 8);
        assert!(edits.is_empty());
    }
}
