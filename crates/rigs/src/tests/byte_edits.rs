//! Files with edited bytes.

use bindpose_gltf::{
    BufferPlace, ByteEdits, FileLayout, ModelSource, Rig, edited_source, read_again, read_gltf,
};

use crate::builtin;

/// Returns the buffer of an element and the offset of its first byte.
fn locate(rig: &Rig, accessor: usize, element: usize) -> (u32, u32) {
    let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
    let place = layout.element(accessor, element, false).unwrap();
    (place.buffer as u32, place.start as u32)
}

#[test]
fn only_the_edited_number_changes() {
    for id in ["simple_skin_file", "whale"] {
        let rig = builtin(id).unwrap();
        let layout = FileLayout::of_origin(rig.origin.as_ref().unwrap()).unwrap();
        let positions = layout.primitives[0].attributes["POSITION"];
        let (buffer, offset) = locate(&rig, positions, 3);
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
fn an_edit_that_breaks_the_file_is_an_error() {
    let rig = builtin("simple_skin_file").unwrap();
    let (buffer, offset) = locate(&rig, 0, 0);
    let mut edits = ByteEdits::default();
    edits.put(buffer, offset + 2, 0xC0);
    edits.put(buffer, offset + 3, 0xFF);
    let error = read_again(&rig, &edits, false).unwrap_err();
    assert_eq!(error.at.pointer(), "/accessors/0");
    let memory = builtin("head").unwrap();
    assert!(read_again(&memory, &edits, false).is_err());
}

#[test]
fn edited_embedded_buffers_become_files() {
    let rig = builtin("simple_skin_file").unwrap();
    let origin = rig.origin.as_ref().unwrap();
    let text = std::str::from_utf8(&origin.source.main).unwrap();
    // Two floats are enough to observe a change.
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
fn ignoring_strides_keeps_a_glb_valid() {
    let rig = builtin("whale").unwrap();
    let read = read_again(&rig, &ByteEdits::default(), true).unwrap();
    assert_eq!(read.mesh, rig.mesh, "it has no strides");
}

#[test]
fn reading_an_edited_file_is_about_as_fast_as_reading_the_original() {
    /// The minimum of several runs, because a busy machine only ever adds time.
    fn min_secs(work: impl Fn()) -> f64 {
        let mut min = f64::INFINITY;
        for _ in 0..5 {
            let start = std::time::Instant::now();
            work();
            min = min.min(start.elapsed().as_secs_f64());
        }
        min
    }
    let rig = builtin("whale").unwrap();
    let source = &rig.origin.as_ref().unwrap().source;
    let mut edits = ByteEdits::default();
    edits.put(0, 2, 1);
    let first = min_secs(|| {
        read_gltf(source).unwrap();
    });
    let again = min_secs(|| {
        read_again(&rig, &edits, false).unwrap();
    });
    assert!(again < 8.0 * first, "{again} s for {first} s");
}
