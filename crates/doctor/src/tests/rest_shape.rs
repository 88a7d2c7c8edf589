//! Meshes at rest: collapsed, torn, tiny, or far away.

use glam::{DMat4, DVec3};
use serde_json::json;

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::skin_fit::{mesh, model};
use super::*;

/// Returns random skeletons with a mesh around their bones.
fn sound() -> impl Iterator<Item = (Numbers, Skeleton, Vec<(DVec3, usize)>, Model)> {
    skeletons().filter(|(_, skeleton)| skeleton.parents.len() >= 4).map(
        |(mut numbers, skeleton)| {
            let vertices = mesh(&skeleton, &mut numbers);
            let own: Vec<usize> = (0..skeleton.parents.len()).collect();
            let model = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
            (numbers, skeleton, vertices, model)
        },
    )
}

fn codes(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let codes = report.findings.iter().map(|finding| finding.code);
    codes.filter(|code| *code != "NO_NORMALS").collect()
}

#[test]
fn a_scale_of_0_is_an_error_unless_a_clip_changes_it() {
    for (.., mut model) in sound() {
        model.put("/nodes/0/scale", json!([0, 0, 0]));
        let report = report(&model.source());
        let collapsed = finding(&report, "ALL_IN_ONE_POINT");
        assert_eq!(collapsed.severity, Severity::Error);
        assert!(
            collapsed.found.contains("node 0 (“joint 0”) has a scale of 0"),
            "{}",
            collapsed.found
        );
        model.floats("SCALAR", &[0.0, 1.0]);
        model.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
        let last = model.list("accessors").len() - 1;
        model.put(
            "/animations",
            json!([{
                "channels": [{"sampler": 0, "target": {"node": 0, "path": "scale"}}],
                "samplers": [{"input": last - 1, "output": last}],
            }]),
        );
        let report = super::report(&model.source());
        assert_eq!(finding(&report, "ALL_IN_ONE_POINT").severity, Severity::Warning);
    }
}

#[test]
fn a_model_scaled_as_a_whole_is_reported_with_both_sizes() {
    for (.., mut model) in sound() {
        model.put("/nodes/0/scale", json!([0.01, 0.01, 0.01]));
        assert_eq!(codes(&model), ["SIZE_AT_REST"]);
    }
}

#[test]
fn a_model_far_from_the_origin_is_reported() {
    for (_, mut skeleton, mut vertices, sound) in sound() {
        assert_eq!(codes(&sound), [""; 0]);
        let size = 1.0 + skeleton.places.iter().map(|place| place.length()).sum::<f64>();
        let far = DVec3::new(3e5 * size, 0.0, 0.0);
        skeleton.places[0] += far;
        for (place, _) in &mut vertices {
            *place += far;
        }
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        let model = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
        let found = codes(&model);
        assert!(found.contains(&"FAR_FROM_ORIGIN"), "{found:?}");
    }
}

#[test]
fn many_joints_are_reported_with_the_number_of_unused_ones() {
    let skeleton = Skeleton {
        parents: (0..300).map(|joint: usize| joint.checked_sub(1)).collect(),
        places: vec![DVec3::Y; 300],
        turns: vec![glam::DQuat::IDENTITY; 300],
    };
    let mut vertices = mesh(&skeleton, &mut Numbers(3));
    vertices.retain(|(_, joint)| *joint < 5);
    let own: Vec<usize> = (0..300).collect();
    let model = model(&skeleton, &skeleton.inverse_binds(), &vertices, &own);
    let report = report(&model.source());
    assert_eq!(finding(&report, "MANY_JOINTS").found, "300, of which 295 move no vertex");
}

#[test]
fn a_mesh_that_is_torn_at_rest_is_an_error() {
    let mut torn_count = 0;
    for (mut numbers, skeleton, vertices, _) in sound() {
        let own: Vec<usize> = (0..skeleton.parents.len()).collect();
        // Unrelated matrices.
        let size = vertices[0].0.length() + 1.0;
        let binds: Vec<DMat4> = own
            .iter()
            .map(|_| DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(9.0 * size)))
            .collect();
        let mut model = model(&skeleton, &binds, &vertices, &own);
        // Triangles between vertices of different joints.
        let indices =
            model.root["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap() as usize;
        let count = model.root["accessors"][indices]["count"].as_u64().unwrap() as usize;
        let spread = (0..count).map(|at| ((at / 3 + at % 3 * 5) % vertices.len()) as u16);
        let bytes: Vec<u8> = spread.flat_map(u16::to_le_bytes).collect();
        model.write_bytes(indices, 0, &bytes);
        let found = codes(&model);
        // A mesh that is not torn has a note about its rest pose instead.
        assert!(
            found.contains(&"REST_IS_NOT_BIND") != found.contains(&"MESH_IN_PIECES"),
            "{found:?}"
        );
        torn_count += usize::from(found.contains(&"MESH_IN_PIECES"));
    }
    assert!(torn_count > 15, "{torn_count}");
}
