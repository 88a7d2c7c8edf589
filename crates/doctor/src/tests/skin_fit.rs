//! Meshes around the bones of random skeletons, and meshes that are elsewhere or follow other
//! joints.

use glam::{DMat3, DMat4, DVec3};
use serde_json::json;

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// Number of vertices around one bone.
const AROUND: usize = 12;

/// Returns positions around the bones in bind space, each with its joint.
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

/// Returns a file of the skeleton with these vertices. `joints` is the order of the skin.
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

/// Returns the codes of errors and warnings.
fn problem_codes(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let needs = report.findings.iter().filter(|finding| finding.severity != Severity::Note);
    needs.map(|finding| finding.code).collect()
}

/// Returns random skeletons with enough vertices and without many joints in one place.
pub(super) fn fitting() -> impl Iterator<Item = (Numbers, Skeleton, Vec<(DVec3, usize)>)> {
    skeletons().filter_map(|(mut numbers, skeleton)| {
        let vertices = mesh(&skeleton, &mut numbers);
        (skeleton.parents.len() >= 4).then_some((numbers, skeleton, vertices))
    })
}

#[test]
fn meshes_around_their_bones_have_no_findings() {
    for (mut numbers, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let binds = skeleton.inverse_binds();
        assert_eq!(problem_codes(&model(&skeleton, &binds, &vertices, &own)), [""; 0]);
        // An armature that transforms mesh and joints alike.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(9.0));
        let moved: Vec<DMat4> = binds.iter().map(|&matrix| matrix * above).collect();
        let bound = above.inverse();
        let there: Vec<(DVec3, usize)> =
            vertices.iter().map(|&(place, joint)| (bound.transform_point3(place), joint)).collect();
        assert_eq!(problem_codes(&model(&skeleton, &moved, &there, &own)), [""; 0]);
        // Another rest pose.
        let mut resting = skeleton.clone();
        for turn in &mut resting.turns {
            *turn *= numbers.turn(1.5);
        }
        assert_eq!(problem_codes(&model(&resting, &binds, &vertices, &own)), [""; 0]);
    }
}

#[test]
fn meshes_far_from_their_skeleton_are_explained() {
    let mut recognized_count = 0;
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
            let found = problem_codes(&model(&skeleton, &binds, &moved(change), &own));
            assert!(found.is_empty() || found == ["MESH_OFF_SKELETON"], "{found:?}");
            recognized_count += found.len();
        }
        // Matrices without the transforms above the root.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), far);
        let lacking: Vec<DMat4> = binds.iter().map(|&matrix| matrix * above).collect();
        let found = problem_codes(&model(&skeleton, &lacking, &vertices, &own));
        assert!(found.is_empty() || found == ["IBM_WITHOUT_TRANSFORM"], "{found:?}");
        recognized_count += found.len();
    }
    assert!(recognized_count > 120, "{recognized_count}");
}

#[test]
fn joints_that_are_nodes_or_count_from_one_are_recognized() {
    let mut recognized_count = 0;
    for (_, skeleton, vertices) in fitting() {
        let binds = skeleton.inverse_binds();
        let joints = skeleton.parents.len();
        // The skin lists joints in reverse: node n is joint last − n.
        let reversed: Vec<usize> = (0..joints).rev().collect();
        let found = problem_codes(&model(&skeleton, &binds, &vertices, &reversed));
        assert!(found.is_empty() || found == ["JOINTS_ARE_NODES"], "{found:?}");
        recognized_count += found.len();
        let own: Vec<usize> = (0..joints).collect();
        let from_one: Vec<(DVec3, usize)> =
            vertices.iter().map(|&(place, joint)| (place, joint + 1)).collect();
        let found = problem_codes(&model(&skeleton, &binds, &from_one, &own));
        assert!(found.is_empty() || found == ["JOINTS_FROM_ONE"], "{found:?}");
        recognized_count += found.len();
    }
    assert!(recognized_count > 20, "{recognized_count}");
}

/// Reverses the joints of every vertex.
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
fn joints_in_another_order_than_their_weights_are_recognized_and_mended() {
    let mut recognized_count = 0;
    for (_, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let mut model = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
        reverse_lanes(&mut model);
        let found = problem_codes(&model);
        if found.contains(&"JOINTS_OTHER_LANES") {
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            recognized_count += 1;
        }
    }
    assert!(recognized_count > 15, "{recognized_count}");
}

#[test]
fn missing_matrices_are_recognized_and_computed() {
    let mut recognized_count = 0;
    for (_, skeleton, vertices) in fitting() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let identity = vec![DMat4::IDENTITY; own.len()];
        let mut written = model(&skeleton, &identity, &vertices, &own);
        let mut left_out = written.clone();
        left_out.remove("/skins/0/inverseBindMatrices");
        for model in [&mut written, &mut left_out] {
            let found = problem_codes(model);
            if !found.contains(&"IBM_MISSING") {
                continue;
            }
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            let left = mended.report.findings.iter();
            assert!(left.clone().all(|finding| finding.code == "NO_NORMALS"), "{left:?}");
            recognized_count += 1;
        }
    }
    assert!(recognized_count > 30, "{recognized_count}");
}
