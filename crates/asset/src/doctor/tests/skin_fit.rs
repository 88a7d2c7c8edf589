//! Meshes around the bones of skeletons of every shape, and what is said where they are
//! elsewhere, or follow other joints.

use glam::{DMat3, DMat4, DVec3};
use serde_json::json;

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// Vertices around one bone.
const AROUND: usize = 12;

/// Places and the joint of each: around the bones, in bind space.
pub(super) fn mesh(skeleton: &Skeleton, numbers: &mut Numbers) -> Vec<(DVec3, usize)> {
    let world = skeleton.world();
    let place = |joint: usize| world[joint].w_axis.truncate();
    let mut vertices = Vec::new();
    for (joint, parent) in skeleton.parents.iter().enumerate() {
        let Some(parent) = *parent else { continue };
        let (from, to) = (place(parent), place(joint));
        for _ in 0..AROUND {
            let along = from.lerp(to, f64::midpoint(numbers.next(), 1.0));
            vertices.push((along + numbers.place(0.08 * from.distance(to)), parent));
        }
    }
    vertices
}

/// The skeleton with these vertices; `joints`: the order of the skin's list.
pub(super) fn model(
    skeleton: &Skeleton,
    binds: &[DMat4],
    vertices: &[(DVec3, usize)],
    joints: &[usize],
) -> Model {
    let mut model = skeleton.model(binds);
    model.remove("/animations");
    let mut put = |kind: &str, component: u32, count: usize, bytes: Vec<u8>| {
        model.accessor(component, kind, count, &bytes);
        model.list("accessors").len() - 1
    };
    let floats = |numbers: Vec<f64>| -> Vec<u8> {
        numbers.into_iter().flat_map(|x| (x as f32).to_le_bytes()).collect()
    };
    let count = vertices.len();
    let places = put(
        "VEC3",
        5126,
        count,
        floats(vertices.iter().flat_map(|(place, _)| place.to_array()).collect()),
    );
    let stored = vertices.iter().flat_map(|&(_, joint)| [joint as u16, 0, 0, 0]);
    let stored = put("VEC4", 5123, count, stored.flat_map(u16::to_le_bytes).collect());
    let weights = put("VEC4", 5126, count, floats([1.0, 0.0, 0.0, 0.0].repeat(count)));
    let indices = (0..count / 3 * 3).flat_map(|vertex| (vertex as u16).to_le_bytes());
    let indices = put("SCALAR", 5123, count / 3 * 3, indices.collect());
    let binds: Vec<f64> = joints.iter().flat_map(|&joint| binds[joint].to_cols_array()).collect();
    let binds = put("MAT4", 5126, joints.len(), floats(binds));
    let bound = |of: fn(f64, f64) -> f64, start: f64| {
        let fold = |lane: usize| {
            vertices.iter().map(|(place, _)| f64::from(place[lane] as f32)).fold(start, of)
        };
        json!([fold(0), fold(1), fold(2)])
    };
    model.put(&format!("/accessors/{places}/min"), bound(f64::min, f64::INFINITY));
    model.put(&format!("/accessors/{places}/max"), bound(f64::max, f64::NEG_INFINITY));
    model.put(
        "/meshes/0/primitives/0",
        json!({
            "attributes": {"POSITION": places, "JOINTS_0": stored, "WEIGHTS_0": weights},
            "indices": indices,
        }),
    );
    model.put("/skins/0", json!({"joints": joints, "inverseBindMatrices": binds}));
    model
}

/// Codes of what is more than a note.
fn said(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let needs = report.findings.iter().filter(|finding| finding.severity != Severity::Note);
    needs.map(|finding| finding.code).collect()
}

/// Enough vertices, and none too many joints at one place.
fn fitting() -> impl Iterator<Item = (Numbers, Skeleton, Vec<(DVec3, usize)>)> {
    skeletons().filter_map(|(mut numbers, skeleton)| {
        let vertices = mesh(&skeleton, &mut numbers);
        (skeleton.parents.len() >= 4).then_some((numbers, skeleton, vertices))
    })
}

#[test]
fn of_meshes_around_their_bones_nothing_is_said() {
    for (mut numbers, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let binds = skeleton.inverse_binds();
        assert_eq!(said(&model(&skeleton, &binds, &vertices, &own)), [""; 0]);
        // An armature that moves mesh and joints alike.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(9.0));
        let moved: Vec<DMat4> = binds.iter().map(|&matrix| matrix * above).collect();
        let bound = above.inverse();
        let there: Vec<(DVec3, usize)> =
            vertices.iter().map(|&(place, joint)| (bound.transform_point3(place), joint)).collect();
        assert_eq!(said(&model(&skeleton, &moved, &there, &own)), [""; 0]);
        // Another pose at rest.
        let mut resting = skeleton.clone();
        for turn in &mut resting.turns {
            *turn *= numbers.turn(1.5);
        }
        assert_eq!(said(&model(&resting, &binds, &vertices, &own)), [""; 0]);
    }
}

#[test]
fn what_a_mesh_and_its_skeleton_lack_is_told_where_they_are_far_apart() {
    let mut told = 0;
    for (mut numbers, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let binds = skeleton.inverse_binds();
        let moved = |change: &dyn Fn(DVec3) -> DVec3| -> Vec<(DVec3, usize)> {
            vertices.iter().map(|&(place, joint)| (change(place), joint)).collect()
        };
        let turn = DMat3::from_rotation_x(std::f64::consts::FRAC_PI_2);
        let far = 4.0 * numbers.place(1.0 + vertices[0].0.length());
        let elsewhere: [&dyn Fn(DVec3) -> DVec3; 4] =
            [&|place| turn * place, &|place| 100.0 * place, &|place| 4.0 * place + far, &|place| {
                0.01 * place
            }];
        for change in elsewhere {
            let found = said(&model(&skeleton, &binds, &moved(change), &own));
            assert!(found.is_empty() || found == ["MESH_OFF_SKELETON"], "{found:?}");
            told += found.len();
        }
        // Matrices that lack what is above the root.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), far);
        let lacking: Vec<DMat4> = binds.iter().map(|&matrix| matrix * above).collect();
        let found = said(&model(&skeleton, &lacking, &vertices, &own));
        assert!(found.is_empty() || found == ["IBM_WITHOUT_TRANSFORM"], "{found:?}");
        told += found.len();
    }
    assert!(told > 120, "{told}");
}

#[test]
fn joints_that_are_nodes_or_counted_from_one_are_told() {
    let mut told = 0;
    for (_, skeleton, vertices) in fitting() {
        let binds = skeleton.inverse_binds();
        let joints = skeleton.parents.len();
        // The list of the skin is the other way round: node n is joint last − n.
        let reversed: Vec<usize> = (0..joints).rev().collect();
        let found = said(&model(&skeleton, &binds, &vertices, &reversed));
        assert!(found.is_empty() || found == ["JOINTS_ARE_NODES"], "{found:?}");
        told += found.len();
        let own: Vec<usize> = (0..joints).collect();
        let from_one: Vec<(DVec3, usize)> =
            vertices.iter().map(|&(place, joint)| (place, joint + 1)).collect();
        let found = said(&model(&skeleton, &binds, &from_one, &own));
        assert!(found.is_empty() || found == ["JOINTS_FROM_ONE"], "{found:?}");
        told += found.len();
    }
    assert!(told > 20, "{told}");
}

/// The joints of every vertex in the other order.
fn reverse_lanes(model: &mut Model) {
    let accessor = model.root["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"].clone();
    let accessor = accessor.as_u64().unwrap() as usize;
    let view = &model.root["bufferViews"][accessor];
    let [from, length] =
        ["byteOffset", "byteLength"].map(|name| view[name].as_u64().unwrap() as usize);
    for lanes in model.bin[from..from + length].chunks_exact_mut(8) {
        lanes.rotate_left(2);
        lanes[..6].rotate_left(2);
        lanes[..4].rotate_left(2);
    }
}

#[test]
fn lanes_of_joints_in_another_order_than_their_weights_are_told_and_mended() {
    let mut told = 0;
    for (_, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let mut model = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
        reverse_lanes(&mut model);
        let found = said(&model);
        if found.contains(&"JOINTS_OTHER_LANES") {
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            told += 1;
        }
    }
    assert!(told > 15, "{told}");
}

#[test]
fn matrices_that_are_missing_are_told_and_computed() {
    let mut told = 0;
    for (_, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let identity = vec![DMat4::IDENTITY; own.len()];
        let mut written = model(&skeleton, &identity, &vertices, &own);
        let mut left_out = written.clone();
        left_out.remove("/skins/0/inverseBindMatrices");
        for model in [&mut written, &mut left_out] {
            let found = said(model);
            if !found.contains(&"IBM_MISSING") {
                continue;
            }
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            let left = mended.report.findings.iter();
            assert!(left.clone().all(|finding| finding.code == "NO_NORMALS"), "{left:?}");
            told += 1;
        }
    }
    assert!(told > 30, "{told}");
}
