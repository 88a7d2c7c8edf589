//! Compares skinning with golden numbers: `tests/data/*.json` come from an independent float64
//! program. Also tests properties that hold for any rig.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail as loudly as tests")]

#[path = "golden/blending.rs"]
mod blending;
#[path = "golden/clips.rs"]
mod clips;
#[path = "golden/corpus.rs"]
mod corpus;
#[path = "../fuzz/targets.rs"]
#[expect(unreachable_pub, reason = "the fuzzers, for which this is a crate, reach it")]
mod fuzz_targets;
#[path = "common/hang.rs"]
mod hang;
#[path = "listings/mod.rs"]
mod listings;
#[path = "golden/properties.rs"]
mod properties;
#[path = "golden/simple_skin.rs"]
mod simple_skin;

use std::sync::Arc;

use bindpose_gltf::{ByteEdits, ClipAt, Rig, read_again};
use bindpose_rigs::builtin;
use bindpose_skin::{
    Blend, Influences, Interpolation, JointIndex, JointMotion, NormalRule, Pose, Track,
    TrackProperty, dual_quaternion_matrix, joint_matrices, keep_strongest, normal_from_bind,
    normal_matrix, reference, skin_matrix, skin_normals, skin_position, skin_positions,
};
use glam::{DMat4, EulerRot, Mat4, Quat, Vec3};
use proptest::prelude::*;
use serde_json::Value;

/// Absolute tolerance, for rigs of about unit size.
const POSITION_TOLERANCE: f32 = 1e-5;
const MATRIX_TOLERANCE: f32 = 1e-6;

fn data(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn floats(value: &Value) -> Vec<f32> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap() as f32).collect()
}

fn points(value: &Value) -> Vec<Vec3> {
    value
        .as_array()
        .unwrap()
        .iter()
        .map(|point| {
            let p = floats(point);
            Vec3::new(p[0], p[1], p.get(2).copied().unwrap_or(0.0))
        })
        .collect()
}

fn matrix(value: &Value) -> Mat4 {
    Mat4::from_cols_slice(&floats(value))
}

fn matrices(value: &Value) -> Vec<Mat4> {
    value.as_array().unwrap().iter().map(matrix).collect()
}

#[track_caller]
fn assert_points(found: &[Vec3], expected: &[Vec3]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        let off = (*found - *expected).abs().max_element();
        assert!(off <= POSITION_TOLERANCE, "vertex {index}: {found} for {expected}");
    }
}

#[track_caller]
fn assert_matrices(found: &[Mat4], expected: &[Mat4]) {
    assert_eq!(found.len(), expected.len());
    for (index, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!(
            found.abs_diff_eq(*expected, MATRIX_TOLERANCE),
            "joint {index}: {found} for {expected}"
        );
    }
}

/// A posed rig with all derived matrices and vertices.
struct Computed {
    rig: Arc<Rig>,
    pose: Pose,
    world_from_joint: Vec<Mat4>,
    joint_from_bind: Vec<Mat4>,
    world_from_bind: Vec<Mat4>,
}

impl Computed {
    fn new(rig: &Arc<Rig>, value: impl Fn(&str) -> Option<f64>) -> Self {
        let posed = rig.posed(value);
        let world_from_joint = rig.skeleton.world_from_joint(&posed.pose);
        let world_from_bind = joint_matrices(&world_from_joint, &posed.joint_from_bind);
        Self {
            rig: Arc::clone(rig),
            pose: posed.pose,
            world_from_joint,
            joint_from_bind: posed.joint_from_bind,
            world_from_bind,
        }
    }

    fn positions_by(&self, palette: &[Mat4]) -> Vec<Vec3> {
        let mesh = &self.rig.mesh;
        skin_positions(&mesh.positions, &mesh.influences, palette)
    }

    fn positions(&self) -> Vec<Vec3> {
        self.positions_by(&self.world_from_bind)
    }

    /// The same, computed naively in 64-bit floats.
    fn reference_positions(&self) -> Vec<Vec3> {
        let joints = self.rig.skeleton.joints();
        let parents: Vec<_> = joints.iter().map(|joint| joint.parent).collect();
        let local: Vec<DMat4> =
            self.pose.parent_from_joint.iter().map(reference::parent_from_joint).collect();
        let world_from_bind: Vec<DMat4> = self
            .rig
            .skeleton
            .indices()
            .zip(&self.joint_from_bind)
            .map(|(joint, joint_from_bind)| {
                reference::world_from_joint(joint, &parents, &local) * joint_from_bind.as_dmat4()
            })
            .collect();
        let mesh = &self.rig.mesh;
        mesh.positions
            .iter()
            .zip(&mesh.influences)
            .map(|(p, influences)| {
                reference::skin_position(p.as_dvec3(), influences, &world_from_bind).as_vec3()
            })
            .collect()
    }
}

#[test]
fn the_bone_grid_has_the_articles_data() {
    let data = data(include_str!("data/bone_grid.json"));
    let mesh = &builtin("bone_grid").unwrap().mesh;
    assert_eq!(mesh.positions, points(&data["positions"]));
    for (vertex, influences) in mesh.influences.iter().enumerate() {
        let joints = floats(&data["joints"][vertex]);
        let weights = floats(&data["weights"][vertex]);
        let stored = influences.joints.map(|j| f32::from(j.0));
        assert_eq!(stored[..joints.len()], joints);
        assert_eq!(influences.weights[..weights.len()], weights);
        assert!(influences.lanes() <= weights.len());
    }
    assert_eq!((mesh.lines.len(), mesh.triangles.len()), (13, 8));
}

#[test]
fn the_bone_grid_bends_to_the_golden_numbers() {
    let rig = builtin("bone_grid").unwrap();
    let data = data(include_str!("data/bone_grid.json"));
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 8);
    for case in cases {
        let angles: Vec<f64> = case["angles_rad"]
            .as_array()
            .unwrap()
            .iter()
            .map(|angle| angle.as_f64().unwrap())
            .collect();
        let computed = Computed::new(&rig, |name| match name {
            "b0" => Some(angles[0]),
            "b1" => Some(angles[1]),
            "b2" => Some(angles[2]),
            _ => None,
        });
        assert_matrices(&computed.world_from_joint, &matrices(&case["world_from_joint"]));
        assert_matrices(&computed.joint_from_bind, &matrices(&case["joint_from_bind"]));
        assert_matrices(&computed.world_from_bind, &matrices(&case["joint_matrices"]));
        assert_points(&computed.positions(), &points(&case["skinned"]));
        assert_points(&computed.reference_positions(), &points(&case["skinned"]));
        assert_points(
            &computed.positions_by(&computed.world_from_joint),
            &points(&case["skinned_without_inverse_bind"]),
        );
    }
}

#[test]
fn the_chin_is_four_up_without_the_inverse_bind_and_stays_with_it() {
    let rig = builtin("head").unwrap();
    let data = data(include_str!("data/bind_pose.json"));
    let chin = rig.mesh.positions[0];
    assert_eq!(chin.to_array().to_vec(), floats(&data["vertex"]));
    assert_matrices(&[rig.skeleton.joints()[1].joint_from_bind], &[matrix(&data["inverse_bind"])]);
    for case in data["cases"].as_array().unwrap() {
        let nod_rad = case["nod_rad"].as_f64().unwrap();
        let computed = Computed::new(&rig, |name| (name == "nod").then_some(nod_rad));
        let influences = &rig.mesh.influences[0];
        assert_matrices(&computed.world_from_joint[1..], &[matrix(&case["world"])]);
        assert_points(
            &[
                skin_position(chin, influences, &computed.world_from_joint),
                skin_position(chin, influences, &computed.world_from_bind),
            ],
            &[
                Vec3::from_slice(&floats(&case["without_inverse_bind"])),
                Vec3::from_slice(&floats(&case["with_inverse_bind"])),
            ],
        );
    }
}

#[test]
fn a_tilted_bind_pose_leaves_the_figure_as_stored_until_it_nods() {
    let rig = builtin("head").unwrap();
    let computed = Computed::new(&rig, |name| (name == "bind_tilt").then_some(0.6));
    assert_points(&computed.positions(), &rig.mesh.positions);
    assert!(
        !computed.joint_from_bind[1].abs_diff_eq(rig.skeleton.joints()[1].joint_from_bind, 0.1)
    );
}

#[test]
fn the_strongest_weights_are_kept_and_renormalised() {
    let data = data(include_str!("data/weights.json"));
    let cases = data["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 12);
    for case in cases {
        let pairs: Vec<_> = (0..).map(JointIndex).zip(floats(&case["weights"])).collect();
        for (key, count) in [("top1", 1), ("top2", 2), ("top4", 4)] {
            let kept = keep_strongest(&pairs, count);
            let expected = case[key].as_array().unwrap();
            assert_eq!(kept.len(), expected.len());
            for ((joint, weight), expected) in kept.iter().zip(expected) {
                assert_eq!(u64::from(joint.0), expected[0].as_u64().unwrap());
                assert!((f64::from(*weight) - expected[1].as_f64().unwrap()).abs() < 1e-6);
            }
            let influences = Influences::new(&kept);
            assert!((influences.sum() - 1.0).abs() < 1e-6);
            assert_eq!(influences.strongest(), kept[0].0);
        }
    }
}
