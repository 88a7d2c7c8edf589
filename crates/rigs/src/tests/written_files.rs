//! The files of the rigs, read back.

use std::collections::BTreeMap;

use bindpose_gltf::{ClipAt, Mesh, ModelSource, Rig, read_ezm, read_gltf};
use bindpose_skin::{Influences, JointIndex, LANES, skin_positions};
use glam::Vec3;

use crate::{AssetFile, WHALE_FILE, asset_files, builtin, builtin_ids};

/// Returns the built-in models, by their path below `assets/models`.
fn model_files() -> BTreeMap<String, Vec<u8>> {
    let files = asset_files().unwrap().into_iter();
    let whale = ("whale/whale.glb".to_owned(), WHALE_FILE.request().loaded().unwrap().to_vec());
    files.map(|AssetFile { path, bytes }| (path, bytes)).chain([whale]).collect()
}

#[test]
fn written_rigs_are_read_back_unchanged() {
    let files = model_files();
    for &id in builtin_ids() {
        let Some(bytes) = files.get(&format!("{id}/{id}.glb")) else {
            let without_file =
                ["simple_skin_file", "simple_skin_bytes", "simple_skin_sparse", "simple_skin_glb"];
            assert!(without_file.contains(&id), "{id} has no file of its own");
            continue;
        };
        let read = read_gltf(&ModelSource::alone(id, bytes.as_slice())).unwrap();
        let made = builtin(id).unwrap();
        assert_eq!(read.skeleton, made.skeleton, "{id}");
        assert!(comparable(&read.mesh) == comparable(&made.mesh), "{id}");
        assert_eq!(read.mesh.stored_sums, vec![1.0; read.mesh.positions.len()]);
        assert_eq!(read.world_from_mesh_node, made.world_from_mesh_node, "{id}");
    }
}

/// Returns a mesh without data that files do not preserve. Unused lanes refer to joint 0 in a
/// file.
fn comparable(mesh: &Mesh) -> Mesh {
    let mut influences: Vec<Influences> = mesh.influences.iter().copied().collect();
    for influences in &mut influences {
        for lane in (0..LANES).filter(|&lane| influences.weights[lane] == 0.0) {
            influences.joints[lane] = JointIndex(0);
        }
    }
    Mesh {
        influences: influences.into(),
        stored_sums: Vec::new(),
        parts: Vec::new(),
        materials: Vec::new(),
        images: Vec::new(),
        ..mesh.clone()
    }
}

#[test]
fn a_written_ezmesh_file_is_read_back() {
    let files = asset_files().unwrap();
    let written = |file: &&AssetFile| file.path == "arm/arm.ezm";
    let file = files.iter().find(written).unwrap();
    let read = read_ezm(&file.bytes).unwrap();
    assert_eq!(read.origin.as_ref().unwrap().notes, []);
    let arm = builtin("arm").unwrap();
    assert_eq!(read.mesh.positions, arm.mesh.positions);
    assert_eq!(read.mesh.uvs, arm.mesh.uvs);
    assert_eq!(read.mesh.triangles, arm.mesh.triangles);
    assert_eq!(read.mesh.influences, arm.mesh.influences);
    for (ours, stored) in read.mesh.normals.iter().zip(&arm.mesh.normals) {
        assert!(ours.abs_diff_eq(*stored, 1e-6), "{ours} {stored}");
    }
    for (ours, stored) in read.skeleton.joints().iter().zip(arm.skeleton.joints()) {
        assert_eq!((&ours.name, ours.parent), (&stored.name, stored.parent));
        assert_eq!(ours.parent_from_joint_at_rest, stored.parent_from_joint_at_rest);
        assert!(ours.joint_from_bind.abs_diff_eq(stored.joint_from_bind, 1e-6));
    }
    let [clip] = &read.clips[..] else { panic!("one clip") };
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("reach", 1.5));
    let half = skinned_with(&arm, &[("bend", 0.4), ("twist", 0.9)]);
    for (ours, expected) in skinned_at(&read, 0.75).iter().zip(&half) {
        assert!(ours.abs_diff_eq(*expected, 1e-5), "{ours} {expected}");
    }
    assert_eq!(skinned_at(&read, 0.0), skinned_with(&read, &[]), "it begins at rest");
}

/// Skins the mesh in a pose of the first clip.
fn skinned_at(rig: &Rig, time_secs: f64) -> Vec<Vec3> {
    let at = ClipAt { clip: 0, time_secs, share: 1.0 };
    let palette = rig.posed_in(&[at], |_| None).world_from_bind(&rig.skeleton);
    skin_positions(&rig.mesh.positions, &rig.mesh.influences, &palette)
}

/// Skins the mesh with values of parameters.
fn skinned_with(rig: &Rig, values: &[(&str, f64)]) -> Vec<Vec3> {
    let value = |name: &str| values.iter().find(|(other, _)| *other == name).map(|v| v.1);
    let palette = rig.world_from_bind(value);
    skin_positions(&rig.mesh.positions, &rig.mesh.influences, &palette)
}
