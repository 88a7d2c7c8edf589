//! An engine's own test suite holds its palette against ours. Here the engine is a few
//! lines with a fault: it leaves out the inverse bind matrices of what hangs on a joint.
//!
//! ```text
//! cargo run --package bindpose-asset --example palette_test
//! cargo test --package bindpose-asset --example palette_test
//! ```

#![expect(clippy::print_stdout, reason = "this is a program for a terminal")]

use std::error::Error;

use bindpose_asset::{ModelSource, Rig, TaskProgress, bundled_model, open};
use bindpose_skin::{PaletteDifference, compare_palettes};
use glam::Mat4;

/// What the engine uploads: 16 numbers a joint, column by column. Yours calls the engine.
fn uploaded(rig: &Rig, is_faulty: bool) -> Vec<f32> {
    let world_from_joint = rig.skeleton.world_from_joint(&rig.skeleton.rest_pose());
    let skins = rig.skins();
    let matrix = |joint: &bindpose_skin::JointIndex| {
        let of = &rig.skeleton.joints()[joint.index()];
        let is_left_out = is_faulty && of.parent.is_some();
        let joint_from_bind = if is_left_out { Mat4::IDENTITY } else { of.joint_from_bind };
        (world_from_joint[joint.index()] * joint_from_bind).to_cols_array()
    };
    skins[0].iter().flat_map(matrix).collect()
}

/// Of the model's first skin, in its rest pose.
fn compare(rig: &Rig, uploaded: &[f32]) -> Result<(), PaletteDifference> {
    let theirs: Vec<Mat4> = uploaded.chunks_exact(16).map(Mat4::from_cols_slice).collect();
    let ours = rig.world_from_bind(|_| None);
    compare_palettes(&rig.skeleton, &rig.skins()[0], &ours, &theirs)
}

fn model() -> Result<Rig, Box<dyn Error>> {
    let source: ModelSource = bundled_model("simple_skin.glb").ok_or("there is no such model")?;
    Ok(open(&source, &TaskProgress::default())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let rig = model()?;
    if let Err(wrong) = compare(&rig, &uploaded(&rig, true)) {
        println!("{wrong}");
    }
    compare(&rig, &uploaded(&rig, false))?;
    println!("without the fault, both palettes are the same");
    Ok(())
}

#[test]
fn the_palette_is_that_of_bindpose() {
    let rig = model().unwrap();
    compare(&rig, &uploaded(&rig, false)).unwrap();
    let wrong = compare(&rig, &uploaded(&rig, true)).unwrap_err();
    assert!(wrong.to_string().starts_with("joint 1"), "{wrong}");
}
