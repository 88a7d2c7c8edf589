//! Loads a skinned model, poses it, computes the palette for a shader, and skins the mesh.
//!
//! ```text
//! cargo run --package bindpose-gltf --example engine -- FILE [CLIP] [SECONDS]
//! ```
//!
//! CLIP is an index from 0. Without a file, an arm is used.

#![expect(clippy::print_stdout, reason = "this is a program for a terminal")]

use std::error::Error;
use std::path::Path;

use bindpose_gltf::{ClipAt, ModelSource, TaskProgress, load, open};
use bindpose_skin::{Method, compare_palettes};
use glam::Mat4;

/// The model that is used without a file.
const ARM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../assets/models/arm/arm.ezm");

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let progress = TaskProgress::default();

    // Load the model, and the files that a .gltf references.
    let file = args.next().unwrap_or_else(|| ARM.to_owned());
    let source: ModelSource = load(Path::new(&file), &progress)?;
    let rig = open(&source, &progress)?;
    println!("{}: {} joints, {} clips", source.name, rig.skeleton.len(), rig.clips.len());

    // Pose the skeleton by a clip.
    let clip: usize = args.next().map_or(Ok(0), |clip| clip.parse())?;
    let time_secs: f64 = args.next().map_or(Ok(0.5), |time| time.parse())?;
    let posed = rig.posed_in(&[ClipAt { clip, time_secs, share: 1.0 }], |_| None);

    // Compute the matrices of all joints, and select those of one skin, in the order that
    // `JOINTS_0` refers to.
    let world_from_bind = posed.world_from_bind(&rig.skeleton);
    let skins = rig.skins();
    let skin = skins.first().ok_or("there is no skin")?;
    let palette: Vec<Mat4> = skin.iter().map(|joint| world_from_bind[joint.index()]).collect();

    // The bytes for the shader: 16 floats per joint, column-major.
    let bytes: &[u8] = bytemuck::cast_slice(&palette);
    println!("palette: {} matrices, {} bytes", palette.len(), bytes.len());
    for (joint, matrix) in skin.iter().zip(&palette).take(3) {
        let name = &rig.skeleton.joints()[joint.index()].name;
        println!("  {} “{name}” translates by {}", joint.index(), matrix.w_axis.truncate());
    }

    // Skin on the CPU, as a reference for the shader.
    let moved = rig.mesh.moved(&world_from_bind, &posed.morph_weights, Method::Linear);
    for (vertex, position) in moved.positions.iter().enumerate().take(3) {
        println!("  vertex {vertex} is at {position} in the world");
    }

    // Compare with the palette of an engine. Here it is the same palette, read back.
    let numbers: Vec<f32> = bytemuck::pod_collect_to_vec(bytes);
    let theirs: Vec<Mat4> = numbers.chunks_exact(16).map(Mat4::from_cols_slice).collect();
    compare_palettes(&rig.skeleton, skin, &world_from_bind, &theirs)?;
    println!("both palettes are the same");
    Ok(())
}
