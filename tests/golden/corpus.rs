//! Replays the corpus of the fuzzers: no panic, no hang, and all assertions of the fuzz targets hold.

use std::path::Path;

use super::fuzz_targets as targets;
use super::hang::must_end;

fn replay(name: &str, target: fn(&[u8])) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/corpus").join(name);
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).unwrap() {
        let file = entry.unwrap().path();
        let data = std::fs::read(&file).unwrap();
        must_end(&file.display().to_string(), move || target(&data));
        count += 1;
    }
    assert!(count > 0, "{} holds {count} files", folder.display());
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
