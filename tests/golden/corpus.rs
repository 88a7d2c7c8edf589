//! Replays the corpus of the fuzzers: no panic, no hang, and all assertions of the fuzz targets hold.

use std::fs;
use std::io::Read as _;
use std::path::Path;

use rawzip::{CompressionMethod, ZipArchive};

use super::fuzz_targets as targets;
use super::hang::must_end;

/// Replays the inputs of an archive that `cargo xtask corpus pack` has written.
fn replay(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus");
    let bytes = fs::read(folder.join(name).with_extension("zip")).unwrap();
    let archive = ZipArchive::from_slice(bytes.as_slice()).unwrap();
    let mut entries = archive.entries();
    let mut count = 0;
    while let Some(entry) = entries.next_entry().unwrap() {
        let file_path = entry.file_path();
        let file_name = String::from_utf8_lossy(file_path.as_ref());
        assert_eq!(entry.compression_method(), CompressionMethod::STORE, "{name}: {file_name}");
        let stored = archive.get_entry(entry.wayfinder()).unwrap();
        let mut input = Vec::new();
        stored.verifying_reader(stored.data()).read_to_end(&mut input).unwrap();
        must_end(&format!("{name}: {file_name}"), move || target(&input));
        count += 1;
    }
    assert!(count > 0, "{name}.zip holds {count} inputs");
}

#[test]
fn lesson_texts_that_fuzzing_kept() {
    replay("lesson", targets::lesson);
}

#[test]
fn links_that_fuzzing_kept() {
    replay("link", targets::link);
}

#[test]
fn formulas_and_programs_of_every_part_of_the_language() {
    replay("language", targets::language);
}

#[test]
fn models_that_fuzzing_kept() {
    replay("glb", targets::glb);
    replay("gltf_json", targets::gltf_json);
    replay("ezm", targets::ezm);
}

#[test]
fn hierarchies_of_every_shape() {
    replay("graph", targets::graph);
}

#[test]
fn pictures_that_ask_for_too_much() {
    replay("picture", targets::picture);
}

#[test]
fn exports_of_models_that_fuzzing_kept() {
    replay("glb", targets::write);
    replay("write", targets::write);
}
