//! Runs the complete programs of the lessons. Each file has one or more listings as on the page,
//! between `// begin NAME` and `// end NAME`, and tests of them. Shaders are run from the text of the
//! page in `tests/gl/listings.rs`.

#[rustfmt::skip]
mod bind_and_skin;
#[rustfmt::skip]
mod bone_grid;
#[rustfmt::skip]
mod gltf_accessor;
#[rustfmt::skip]
mod gltf_joint_matrices;
#[rustfmt::skip]
mod scene_graph;
mod shown;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use shown::{all_named, all_shown};

/// Returns the listings in these files by name, without their common indentation.
fn twins() -> BTreeMap<String, String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/listings");
    // Programs that draw are run by the OpenGL tests.
    let modules = ["mod.rs", "../gl.rs", "whale_skin.rs"]
        .map(|file| fs::read_to_string(folder.join(file)).unwrap());
    let mut twins = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        let stem = path.file_stem().unwrap().to_string_lossy();
        if stem == "mod" {
            continue;
        }
        assert!(
            modules.iter().any(|modules| modules.contains(&format!("\nmod {stem};"))),
            "tests/listings/mod.rs, tests/gl.rs and whale_skin.rs do not name {stem}, so no test runs it"
        );
        let mut lines = text.lines();
        while let Some(begin) = lines.find(|line| line.trim().starts_with("// begin ")) {
            let name = begin.trim().trim_start_matches("// begin ").to_owned();
            let end = format!("// end {name}");
            let inside: Vec<&str> = lines.by_ref().take_while(|line| line.trim() != end).collect();
            let before = twins.insert(name.clone(), unindented(&inside));
            assert_eq!(before, None, "two twins are named {name}");
        }
    }
    twins
}

fn unindented(lines: &[&str]) -> String {
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let common = filled.map(|line| line.len() - line.trim_start().len()).min();
    let lines = lines.iter().map(|line| line.get(common.unwrap_or(0)..).unwrap_or_default());
    lines.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_listed_program_is_the_one_that_runs() {
    let mut twins = twins();
    let shown = all_shown();
    let names: Vec<String> = shown.iter().map(|shown| shown.name.clone()).collect();
    assert_eq!(names, all_named(), "a listing with a name stands in a list or a quote");
    for shown in shown {
        match shown.language.as_str() {
            // `tests/gl/listings.rs` runs them.
            "glsl" | "js" => {}
            "rust" => {
                let twin = twins.remove(&shown.name);
                let twin = twin
                    .unwrap_or_else(|| panic!("tests/listings has no twin of `{}`", shown.name));
                assert!(
                    twin == shown.text,
                    "`{}` is on the page\n\n{}\n\nand in the test\n\n{twin}",
                    shown.name,
                    shown.text
                );
            }
            other => panic!("`{}`: no test runs {other}", shown.name),
        }
    }
    assert!(twins.is_empty(), "no page shows {:?}", twins.keys());
}
