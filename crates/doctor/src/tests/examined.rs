//! Statistics of examined models.

use std::f64::consts::{FRAC_1_SQRT_2, FRAC_PI_2};

use serde_json::json;

use super::made::{Model, POSITIONS, TURNS};
use super::*;

#[track_caller]
fn model(report: &DoctorReport) -> ExaminedModel {
    report.examined.expect("there is a model")
}

#[test]
fn contents_are_counted_and_measured() {
    let report = report(&Model::sound().source());
    let words = "Examined: 1 mesh (3 vertices), 1 skin (2 joints), 1 clip. It is 1.00 × 2.00 × 0. \
                 Nothing wrong was found.";
    assert_eq!(report.summary(), words);
    let size = model(&report).size.unwrap();
    assert_eq!((size.stored, size.at_rest), ([1.0, 2.0, 0.0], [1.0, 2.0, 0.0]));
    assert_eq!(model(&report).rest, None);
}

#[test]
fn a_rest_pose_is_described_by_its_largest_angle() {
    let mut turned = Model::sound();
    turned.put("/nodes/1/rotation", json!([0, 0, FRAC_1_SQRT_2, FRAC_1_SQRT_2]));
    let turned = report(&turned.source());
    let rest = model(&turned).rest.unwrap();
    assert_eq!(rest.joints, 1);
    assert!((rest.most_rad - FRAC_PI_2).abs() < 1e-6, "{rest:?}");
    let words = "Nothing wrong was found. It rests up to 90° away from its bind pose at 1 joint.";
    assert!(turned.summary().ends_with(words), "{}", turned.summary());
    assert_eq!(turned.verdict().as_deref(), Some(words));
    let left = turned.retaining(|_| false);
    assert_eq!((left.notes, left.findings.len()), (0, 0));
    assert_eq!(model(&left).rest, Some(rest), "it rests there all the same");
}

#[test]
fn a_note_that_can_be_seen_is_in_the_verdict() {
    let mut still = Model::sound();
    still.write(TURNS, 4, &[0.0, 0.0, 0.0, 1.0]);
    let still = report(&still.source());
    finding(&still, "CLIP_MOVES_NOTHING");
    let verdict = still.verdict().unwrap();
    assert!(verdict.contains("a note") && !verdict.contains("Nothing wrong"), "{verdict}");
    assert!(still.summary().ends_with(&verdict), "{}", still.summary());
}

#[test]
fn a_skeleton_that_shrinks_the_mesh_shows_both_sizes() {
    let mut small = Model::sound();
    small.put("/nodes/0/scale", json!([0.01, 0.01, 0.01]));
    let small = report(&small.source());
    let words = "It is 0.0100 × 0.0200 × 0 at rest, and 1.00 × 2.00 × 0 as stored.";
    assert!(small.summary().contains(words), "{}", small.summary());
}

#[test]
fn hostile_counts_saturate_and_other_files_have_none() {
    let mut absurd = Model::sound();
    absurd.put(&format!("/accessors/{POSITIONS}/count"), json!(u64::MAX));
    absurd.put("/meshes/0/primitives/0/attributes/POSITION", json!(-1));
    absurd.put("/skins/0/joints", json!([0, 0, "x", 1e300]));
    let found = report(&absurd.source());
    assert_eq!((model(&found).vertices, model(&found).joints), (0, 1));
    assert!(found.summary().contains("a rule of the format is broken"), "{}", found.summary());
    let other = report(&ModelSource::alone("a.glb", *b"no model"));
    assert_eq!(other.examined, None);
    assert!(other.summary().starts_with("1 error: "), "{}", other.summary());
}
