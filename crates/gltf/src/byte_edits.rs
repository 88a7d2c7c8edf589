//! Edits of single bytes in the buffers of a file.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_diagnostic::Diagnostic;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::gltf::gltf_error;
use super::layout::{BufferPlace, FileLayout};
use super::write::glb_with;
use super::{ModelSource, Rig, read_gltf};
use crate::read_error::code;

/// Changed bytes, by buffer index and by offset in the buffer.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ByteEdits(BTreeMap<u32, BTreeMap<u32, u8>>);

impl ByteEdits {
    /// Returns whether no byte is changed.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the number of changed bytes.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeMap::len).sum()
    }

    /// Returns the new value of a byte, if it was changed.
    pub fn get(&self, buffer: u32, offset: u32) -> Option<u8> {
        self.0.get(&buffer)?.get(&offset).copied()
    }

    /// Sets the value of a byte.
    pub fn put(&mut self, buffer: u32, offset: u32, byte: u8) {
        self.0.entry(buffer).or_default().insert(offset, byte);
    }

    /// Restores the stored value of a byte.
    pub fn remove(&mut self, buffer: u32, offset: u32) {
        if let Some(bytes) = self.0.get_mut(&buffer) {
            bytes.remove(&offset);
            if bytes.is_empty() {
                self.0.remove(&buffer);
            }
        }
    }

    /// Returns runs of adjacent changed bytes, each as the buffer, the offset of the first
    /// byte, and the bytes.
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

/// Reads the file of a rig again with edited bytes, optionally ignoring all strides. Keeps
/// the id, title and parameters of `rig`.
///
/// # Errors
///
/// Returns an error if the rig has no glTF file, or if the edited file cannot be read.
pub fn read_again(rig: &Rig, edits: &ByteEdits, ignore_stride: bool) -> Result<Rig, Diagnostic> {
    let (origin, layout) = rig
        .origin
        .as_ref()
        .and_then(|origin| Some((origin, FileLayout::of_origin(origin)?)))
        .ok_or_else(|| no_file("none: it was made in memory"))?;
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

/// Creates the error for a rig without a glTF file, with the given finding.
pub fn no_file(found: &str) -> Diagnostic {
    gltf_error(code::GLTF_MISSING, "the rig", "a glTF file", found)
        .help("open a model, or choose a lesson with one")
}

/// Restores the stored integers of weights in a normalized format, by undoing both the
/// division by the largest integer and the division by the sum. Other weights are unchanged.
pub fn leave_weights_whole(rig: &mut Rig) {
    let Some(largest) = largest_stored_weight(rig) else { return };
    let mesh = Arc::make_mut(&mut rig.mesh);
    for (influences, sum) in mesh.influences.iter_mut().zip(&mut mesh.stored_sums) {
        for weight in &mut influences.weights {
            *weight *= *sum * largest;
        }
        *sum *= largest;
    }
}

/// Returns the largest integer of the rig's weight format. Returns `None` if weights are
/// not normalized integers.
fn largest_stored_weight(rig: &Rig) -> Option<f32> {
    let layout = FileLayout::of_origin(rig.origin.as_ref()?)?;
    let weights = *layout.primitives.first()?.attributes.get("WEIGHTS_0")?;
    let accessor = layout.accessors.get(weights)?;
    let (_, largest) = accessor.format.component.range(false);
    accessor.normalized.then_some(largest as f32)
}

/// Applies edits to the bytes of a file. If `ignore_stride` is set, also removes
/// `byteStride` from all buffer views. Embedded buffers that are edited become files beside
/// the model.
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
        match &buffer.place {
            BufferPlace::Chunk => {
                let mut main = edited.main.to_vec();
                set_bytes(main.get_mut(buffer.start()..).unwrap_or_default(), changed);
                edited.main = main.into();
            }
            BufferPlace::Beside(path) => {
                let mut bytes = buffer.bytes().to_vec();
                set_bytes(&mut bytes, changed);
                edited.beside.insert(path.clone(), bytes.into());
            }
            BufferPlace::Embedded => {
                let name = unused_file_name(&edited, index);
                let mut bytes = buffer.bytes().to_vec();
                set_bytes(&mut bytes, changed);
                edited.beside.insert(name.clone(), bytes.into());
                embedded.insert(index as usize, name);
            }
            BufferPlace::Missing => {}
        }
    }
    if ignore_stride || !embedded.is_empty() {
        rewrite_json(&mut edited, layout, &embedded, ignore_stride);
    }
    edited
}

/// Sets bytes by offset. Offsets beyond the end are ignored.
fn set_bytes(buffer: &mut [u8], changed: &BTreeMap<u32, u8>) {
    for (&offset, &byte) in changed {
        if let Some(stored) = buffer.get_mut(offset as usize) {
            *stored = byte;
        }
    }
}

fn unused_file_name(source: &ModelSource, buffer: u32) -> String {
    let mut name = format!("buffer{buffer}.bin");
    while source.beside.contains_key(&name) {
        name.insert(0, '_');
    }
    name
}

/// Replaces the URIs of buffers that have become files, and removes strides if
/// `ignore_stride` is set. `embedded` has the file name of each such buffer.
fn rewrite_json(
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
    if ignore_stride && let Some(views) = root.get_mut("bufferViews").and_then(Value::as_array_mut)
    {
        for view in views.iter_mut().filter_map(Value::as_object_mut) {
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

    #[test]
    fn adjacent_bytes_form_one_run() {
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
