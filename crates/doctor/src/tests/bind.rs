//! Mistakes in inverse bind matrices and joint rotations, on random skeletons, and sound skins
//! without findings.

use glam::{DMat4, DQuat, DVec3, EulerRot};

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// Returns the codes of findings about inverse bind matrices and joint rotations.
fn bind_codes(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let codes = report.findings.iter().map(|finding| finding.code);
    let of_binds = |code: &&str| code.starts_with("IBM_") || code.starts_with("NODES_");
    codes.filter(|code| of_binds(code) || *code == "REST_IS_NOT_BIND").collect()
}

#[test]
fn mistakes_in_inverse_bind_matrices_are_recognized_and_mended() {
    type Fault = fn(&Skeleton, &mut Numbers) -> Vec<DMat4>;
    let faults: [(&str, Fault); 11] = [
        ("IBM_ORDER", |skeleton, _| {
            let mut all = skeleton.inverse_binds();
            all.rotate_left(1);
            all
        }),
        ("IBM_ORDER", |skeleton, _| skeleton.inverse_binds().into_iter().rev().collect()),
        ("IBM_NOT_INVERTED", |skeleton, _| skeleton.world()),
        ("IBM_OF_LOCAL", |skeleton, _| {
            (0..skeleton.parents.len()).map(|joint| skeleton.local(joint).inverse()).collect()
        }),
        ("IBM_OTHER_HAND", |skeleton, _| {
            conjugated(skeleton, DMat4::from_scale(DVec3::new(1.0, 1.0, -1.0)))
        }),
        ("IBM_OTHER_HAND", |skeleton, _| {
            conjugated(skeleton, DMat4::from_scale(DVec3::new(-1.0, 1.0, 1.0)))
        }),
        ("IBM_OTHER_AXES", |skeleton, _| {
            conjugated(skeleton, DMat4::from_rotation_x(std::f64::consts::FRAC_PI_2))
        }),
        ("IBM_OTHER_SIDE", |skeleton, numbers| {
            let bind_shape =
                DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(5.0));
            skeleton.inverse_binds().into_iter().map(|matrix| bind_shape * matrix).collect()
        }),
        ("IBM_OTHER_UNIT", |skeleton, _| scaled(skeleton, 100.0)),
        ("IBM_OTHER_UNIT", |skeleton, _| scaled(skeleton, 0.0254)),
        ("IBM_OTHER_UNIT", |skeleton, numbers| scaled(skeleton, 3.0 + numbers.next())),
    ];
    for (mut numbers, skeleton) in skeletons() {
        for (place, (code, fault)) in faults.into_iter().enumerate() {
            // Arbitrary factors are recognized only in skins with several joints.
            if place + 1 == faults.len() && skeleton.parents.len() < 4 {
                continue;
            }
            let model = skeleton.model(&fault(&skeleton, &mut numbers));
            let joints = skeleton.parents.len();
            assert_eq!(bind_codes(&model), [code], "{joints} joints");
            let progress = TaskProgress::default();
            let mended = mend(&model.source(), Container::Glb, &progress).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            let after =
                bindpose_gltf::open(&ModelSource::alone("m", mended.bytes), &progress).unwrap();
            let expected = skeleton.inverse_binds();
            // Equal except for one transform that all joints share.
            let common = |joint: usize| {
                skeleton.world()[joint] * after.skeleton.joint_from_bind()[joint].as_dmat4()
            };
            for joint in 0..expected.len() {
                let off = common(joint) - common(0);
                let size = 1.0 + common(0).w_axis.truncate().length();
                assert!(off.abs_diff_eq(DMat4::ZERO, 3e-3 * size), "{code} {joint}: {off}");
            }
        }
    }
}

fn conjugated(skeleton: &Skeleton, by: DMat4) -> Vec<DMat4> {
    skeleton.inverse_binds().iter().map(|&matrix| by * matrix * by.inverse()).collect()
}

fn scaled(skeleton: &Skeleton, by: f64) -> Vec<DMat4> {
    let scaled = |mut matrix: DMat4| {
        matrix.w_axis *= DVec3::splat(by).extend(1.0);
        matrix
    };
    skeleton.inverse_binds().into_iter().map(scaled).collect()
}

#[test]
fn transposed_matrices_without_translations_are_recognized() {
    for (_, mut skeleton) in skeletons() {
        skeleton.places.fill(DVec3::ZERO);
        let rows: Vec<DMat4> = skeleton.inverse_binds().iter().map(DMat4::transpose).collect();
        // The transpose of a rotation is its inverse: with all joints in one place, both repairs fit.
        assert_eq!(bind_codes(&skeleton.model(&rows)), ["IBM_TRANSPOSED"]);
    }
}

#[test]
fn sound_skins_have_no_findings_in_any_rest_pose() {
    for (mut numbers, skeleton) in skeletons() {
        let bound = skeleton.inverse_binds();
        assert_eq!(bind_codes(&skeleton.model(&bound)), [""; 0]);
        // All joints share a transform, like that of an armature.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(9.0));
        let moved: Vec<DMat4> = bound.iter().map(|&matrix| matrix * above).collect();
        assert_eq!(bind_codes(&skeleton.model(&moved)), [""; 0]);
        // Posed, by large or small angles.
        for most_rad in [0.001, 0.1, 1.0, 3.0] {
            let mut resting = skeleton.clone();
            for turn in &mut resting.turns {
                *turn *= numbers.turn(most_rad);
            }
            let codes = bind_codes(&resting.model(&bound));
            assert!(codes.iter().all(|code| *code == "REST_IS_NOT_BIND"), "{codes:?}");
        }
    }
}

#[test]
fn mistakes_in_joint_rotations_are_recognized_and_mended() {
    type Fault = fn(DQuat) -> DQuat;
    let faults: [(&str, Fault); 4] = [
        ("NODES_W_FIRST", |turn| DQuat::from_xyzw(turn.w, turn.x, turn.y, turn.z)),
        ("NODES_TURN_BACK", |turn| turn.inverse()),
        ("NODES_OTHER_ANGLES", |turn| {
            let (a, b, c) = turn.to_euler(EulerRot::ZYX);
            DQuat::from_euler(EulerRot::ZYX, a.to_degrees(), b.to_degrees(), c.to_degrees())
        }),
        ("NODES_OTHER_ANGLES", |turn| {
            let (a, b, c) = turn.to_euler(EulerRot::YXZ);
            DQuat::from_euler(EulerRot::YXZ, a.to_radians(), b.to_radians(), c.to_radians())
        }),
    ];
    for (_, skeleton) in skeletons().filter(|(_, skeleton)| skeleton.parents.len() > 3) {
        for (code, fault) in faults {
            let mut resting = skeleton.clone();
            for turn in &mut resting.turns {
                *turn = fault(*turn);
            }
            let model = resting.model(&skeleton.inverse_binds());
            assert_eq!(bind_codes(&model), [code]);
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
        }
    }
}
