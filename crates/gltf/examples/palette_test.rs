//! A test that compares the palette of an engine with the reference. Here the engine is a few lines
//! with a bug: it omits the inverse bind matrices of all joints but the root.
//!
//! ```text
//! cargo run --package bindpose-gltf --example palette_test
//! cargo test --package bindpose-gltf --example palette_test
//! ```

#![expect(clippy::print_stdout, reason = "this is a program for a terminal")]

use std::error::Error;

use bindpose_gltf::{Rig, TaskProgress, load, open};
use bindpose_skin::{PaletteDifference, compare_palettes};
use glam::Mat4;

/// Returns the palette that the engine uploads: 16 floats per joint, column-major. In your test,
/// call the engine here.
fn uploaded_palette(rig: &Rig, has_bug: bool) -> Vec<f32> {
    let world_from_joint = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
    let mut palette = Vec::new();
    for index in &rig.skins()[0] {
        let joint = &rig.skeleton.joints()[index.index()];
        let joint_from_bind =
            if has_bug && joint.parent.is_some() { Mat4::IDENTITY } else { joint.joint_from_bind };
        palette.extend((world_from_joint[index.index()] * joint_from_bind).to_cols_array());
    }
    palette
}

/// Compares the palette of the first skin, in the rest pose.
fn compare(rig: &Rig, uploaded: &[f32]) -> Result<(), PaletteDifference> {
    let theirs: Vec<Mat4> = uploaded.chunks_exact(16).map(Mat4::from_cols_slice).collect();
    let ours = rig.world_from_bind(|_| None);
    compare_palettes(&rig.skeleton, &rig.skins()[0], &ours, &theirs)
}

const MODEL: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/simple_skin/simple_skin.glb");

fn model() -> Result<Rig, Box<dyn Error>> {
    let progress = TaskProgress::default();
    Ok(open(&load(MODEL.as_ref(), &progress)?, &progress)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rig = model()?;
    if let Err(difference) = compare(&rig, &uploaded_palette(&rig, true)) {
        println!("{difference}");
    }
    compare(&rig, &uploaded_palette(&rig, false))?;
    println!("without the fault, both palettes are the same");
    Ok(())
}

#[test]
fn palette_equals_the_reference() {
    let rig = model().unwrap();
    compare(&rig, &uploaded_palette(&rig, false)).unwrap();
    let difference = compare(&rig, &uploaded_palette(&rig, true)).unwrap_err();
    assert!(difference.to_string().starts_with("joint 1"), "{difference}");
}
