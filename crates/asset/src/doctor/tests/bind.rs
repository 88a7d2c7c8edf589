//! Inverse bind matrices that are something else, on skeletons of every shape; and
//! sound ones, of which nothing is said.

use glam::{DMat4, DQuat, DVec3, EulerRot};

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// Codes of findings about inverse bind matrices.
fn said(model: &Model) -> Vec<&'static str> {
    let report = report(&model.source());
    let codes = report.findings.iter().map(|finding| finding.code);
    let of_binds = |code: &&str| code.starts_with("IBM_") || code.starts_with("NODES_");
    codes.filter(|code| of_binds(code) || *code == "REST_IS_NOT_BIND").collect()
}

#[test]
fn what_the_matrices_are_is_told_by_its_name_and_mended() {
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
            // Any factor at all can be told of many joints only.
            if place + 1 == faults.len() && skeleton.parents.len() < 4 {
                continue;
            }
            let model = skeleton.model(&fault(&skeleton, &mut numbers));
            let joints = skeleton.parents.len();
            assert_eq!(said(&model), [code], "{joints} joints");
            let progress = TaskProgress::default();
            let mended = mend(&model.source(), Container::Glb, &progress).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
            let after = crate::open(&ModelSource::alone("m", mended.bytes), &progress).unwrap();
            let expected = skeleton.inverse_binds();
            // Up to one transform that is common to all.
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
fn matrices_row_by_row_are_told_where_their_last_row_tells_nothing() {
    for (_, mut skeleton) in skeletons() {
        skeleton.places.fill(DVec3::ZERO);
        let rows: Vec<DMat4> = skeleton.inverse_binds().iter().map(DMat4::transpose).collect();
        // A turn's transpose is its inverse: with all joints in one point the two are one.
        assert_eq!(said(&skeleton.model(&rows)), ["IBM_TRANSPOSED"]);
    }
}

#[test]
fn of_sound_skins_nothing_is_said_however_they_rest() {
    for (mut numbers, skeleton) in skeletons() {
        let bound = skeleton.inverse_binds();
        assert_eq!(said(&skeleton.model(&bound)), [""; 0]);
        // Apart by one transform: an armature that is scaled, turned and moved.
        let above = DMat4::from_rotation_translation(numbers.turn(3.0), numbers.place(9.0));
        let moved: Vec<DMat4> = bound.iter().map(|&matrix| matrix * above).collect();
        assert_eq!(said(&skeleton.model(&moved)), [""; 0]);
        // Bent, far or a little.
        for most_rad in [0.001, 0.1, 1.0, 3.0] {
            let mut resting = skeleton.clone();
            for turn in &mut resting.turns {
                *turn *= numbers.turn(most_rad);
            }
            let said = said(&resting.model(&bound));
            assert!(said.iter().all(|code| *code == "REST_IS_NOT_BIND"), "{said:?}");
        }
    }
}

#[test]
fn rotations_that_are_something_else_are_told_by_what_matrices_ask_for_and_mended() {
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
            assert_eq!(said(&model), [code]);
            let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
            assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
        }
    }
}
