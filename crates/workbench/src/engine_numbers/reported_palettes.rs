//! Palettes and positions as people have reported them, if they are available. Each is
//! explained by its cause.

use bindpose_notebook::engine_numbers::read_numbers;

use super::engine_model::page;
use super::matched;
use super::wrong_palettes::{shared, shared_folder};

/// Files with phrases that their explanation contains.
const EXPECTED: [(&str, &[&str]); 13] = [
    ("last_row_zero.json", &["The last row is 0 0 0 0 in all 11", "They are the joint matrices"]),
    ("scale_before_rotation.json", &["translation · scale · rotation"]),
    ("root_stays.json", &["without the root motion: “hips” stays at rest"]),
    ("no_channel_is_identity.json", &["what the clip has no channel for"]),
    ("one_late.json", &["shifted by 1", "the first is the identity"]),
    ("limit_of_8_zeros.json", &["The first 8 are the joint matrices", "are 0"]),
    ("keys_on_top_of_rest.json", &["rest rotation × key"]),
    ("joints_plus_one.json", &["JOINTS_0 + 1"]),
    ("first_weight_undivided.json", &["Σw is below 1", "the first influence alone"]),
    ("moved_by_a_matrix.json", &["a turn of 30.0° about z, a move by (0.500, 0.000, 0.000)"]),
    ("armature_twice.json", &["above the joints, again"]),
    ("joints_one_vertex_late.json", &["of the vertex before: one element late"]),
    ("offset_of_three.json", &["JOINTS_0 + 3", "go round"]),
];

#[test]
fn reported_palettes_are_explained() {
    let Some(rig) = shared("reports/palettes/walker.glb") else {
        return;
    };
    let (document, derived) = page(&rig, Some(0.25));
    let mut wrongs = Vec::new();
    for (file, phrases) in EXPECTED {
        let bytes = std::fs::read(shared_folder().join("reports/palettes").join(file)).unwrap();
        let found = matched(read_numbers(&bytes).unwrap(), &document, &derived);
        let words = found.words();
        if found.equal || !phrases.iter().all(|phrase| words.contains(phrase)) {
            wrongs.push(format!("{file}: {words}"));
        }
    }
    assert!(wrongs.is_empty(), "{}", wrongs.join("\n"));
}
