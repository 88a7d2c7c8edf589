use bindpose_asset::{builtin, builtin_ids};
use bindpose_skin::{CoordinateFrame, JointIndex, Skeleton};

use super::*;
use crate::{Derived, Document, number_text, test_sample};

fn derived(rig: &Arc<Rig>) -> Derived {
    let document = Document::default();
    let influences = Derived::edited_influences(&document, rig);
    Derived::new(&document, None, rig, influences)
}

#[test]
fn numbers_about_1_keep_the_usual_digits() {
    for usual in [0, 2, 3, 5] {
        for largest in [0.1, 0.5, 0.999_99, 1.0, 9.999_99, 10.0, 42.0, 99.0] {
            assert_eq!(decimals(largest, usual), usual, "{largest}");
            assert!((unit(largest) - 1.0).abs() < 1e-12, "{largest}");
        }
    }
}

#[test]
fn of_tiny_numbers_three_digits_are_seen_and_of_huge_ones_five() {
    let text = |number: f64| number_text::fixed(number, decimals(number, 3));
    assert_eq!(text(0.041_234), "0.0412");
    assert_eq!(text(0.004_123_4), "0.00412");
    assert_eq!(text(-1.234e-5), "−0.0000123");
    assert_eq!(text(123.456), "123.46");
    assert_eq!(text(1234.56), "1234.6");
    assert_eq!(text(-41_803.293), "−41803");
    assert_eq!(text(1.234e9), "1234000000");
    assert_eq!(number_text::fixed(-0.001, decimals(1e4, 3)), "0");
    assert_eq!(decimals(1e-300, 3), MOST);
    assert_eq!(decimals(0.02, 2), 4, "three digits, whatever is usual");
    assert_eq!(decimals(0.02, 5), 5);
    assert!((unit(4e-3) - 1e-3).abs() < 1e-12 && (unit(4e4) - 1e4).abs() < 1e-6);
}

#[test]
fn what_is_zero_or_no_number_has_the_usual_digits() {
    for number in [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        assert_eq!(decimals(number, 3), 3);
        assert!((unit(number) - 1.0).abs() < 1e-12);
    }
    let matrix = Mat4::from_cols_array(&[f32::NAN; 16]);
    assert_eq!(Magnitude::from_matrix(&matrix, 0.0), Magnitude::default());
    assert_eq!(Magnitude::from_matrix(&matrix, 0.0).decimals(3), [3; 4]);
}

#[test]
fn axes_and_places_have_digits_of_their_own() {
    let turn = Mat4::from_rotation_z(0.3);
    let small_step = Mat4::from_translation(Vec3::X * 0.001_5) * turn;
    assert_eq!(Magnitude::from_matrix(&small_step, 0.0).decimals(3), [3, 3, 3, 5]);
    let in_large_model = Magnitude::from_matrix(&small_step, 2.0);
    assert_eq!(in_large_model.decimals(3), [3; 4]);
    let scaled = Mat4::from_scale(Vec3::splat(1e-3)) * turn;
    assert_eq!(Magnitude::from_matrix(&scaled, 2.0).decimals(3), [5, 5, 5, 3]);
    let huge = Mat4::from_scale(Vec3::splat(1e4)) * turn;
    assert_eq!(Magnitude::from_matrix(&huge, 4e4).decimals(3), [0; 4]);
}

#[test]
fn turning_does_not_change_the_digits() {
    for step in 0..100 {
        let angle_rad = step as f32 * 0.1;
        let turn = Mat4::from_axis_angle(Vec3::ONE.normalize_or_zero(), angle_rad);
        for (scale, expected) in [(0.1, 3), (1e-3, 5), (100.0, 2), (1e4, 0)] {
            let scaled = turn * Mat4::from_scale(Vec3::splat(scale));
            let found = Magnitude::from_matrix(&scaled, 1.0).decimals(3);
            assert_eq!(found[..3], [expected; 3], "{scale} at {angle_rad}");
        }
    }
}

#[test]
fn a_difference_is_judged_by_the_size_of_what_is_compared() {
    for scale in [1e-5_f32, 1e-3, 1.0, 1e4] {
        let size = f64::from(2.0 * scale);
        let a = Mat4::from_scale_rotation_translation(
            Vec3::splat(scale),
            glam::Quat::from_rotation_z(0.3),
            Vec3::new(1.0, -2.0, 0.5) * scale,
        );
        assert_eq!(difference(&a, &(a * 1.000_000_2), size), Mat4::ZERO);
        let b = Mat4::from_translation(Vec3::X * 0.01 * scale) * a;
        let found = difference(&a, &b, size);
        assert_ne!(found.w_axis.x, 0.0, "{scale}");
        assert_eq!(found.x_axis, glam::Vec4::ZERO, "{scale}");
        let both = Magnitude::from_matrix(&a, size);
        assert!(both.are_near(&a, &b, 1e-2) && !both.are_near(&a, &b, 1e-3));
    }
}

#[test]
fn a_small_difference_gets_digits_of_its_own() {
    let compared = Magnitude { linear: 1.0, translation: 4e-3 };
    let beside = |linear, translation| {
        let own = Magnitude { linear, translation };
        let [linear, .., translation] = own.beside(compared).decimals(3);
        (linear, translation)
    };
    assert_eq!(beside(0.0, 0.0), (3, 5), "zeros look like the rest");
    assert_eq!(beside(0.02, 0.000_2), (3, 5));
    assert_eq!(beside(0.002, 0.000_02), (5, 7));
}

#[test]
fn the_built_in_rigs_are_shown_with_the_usual_digits() {
    for id in builtin_ids() {
        let rig = builtin(id).unwrap();
        let derived = derived(&rig);
        assert_eq!(decimals(size_in_world(&rig), 3), 3, "{id}");
        for (at, joint) in rig.skeleton.joints().iter().enumerate() {
            let index = JointIndex(at as u16);
            let above = joint.parent.map_or(CoordinateFrame::World, CoordinateFrame::Joint);
            for (frame, matrix) in [
                (CoordinateFrame::World, &derived.world_from_joint[at]),
                (CoordinateFrame::World, &derived.world_from_bind[at]),
                (CoordinateFrame::Joint(index), &derived.joint_from_bind[at]),
                (above, &derived.parent_from_joint[at]),
                (CoordinateFrame::Parent(index), &derived.parent_from_joint[at]),
            ] {
                let magnitude = Magnitude::from_matrix(matrix, derived.size_in(frame));
                assert_eq!(magnitude.decimals(3), [3; 4], "{id}, {frame} of joint {at}");
            }
        }
    }
}

#[test]
fn frames_below_a_scaled_root_have_their_own_size() {
    let small = test_sample::rig();
    let mut joints = small.skeleton.joints().to_vec();
    joints[0].parent_from_joint_at_rest.scale = Vec3::splat(1e-3);
    let rig = Arc::new(Rig { skeleton: Skeleton::new(joints).unwrap(), ..small });
    let derived = derived(&rig);
    let near = |frame, expected: f64| {
        let size = derived.size_in(frame);
        assert!((size - expected).abs() < 1e-3 * expected, "{frame}: {size}");
    };
    near(CoordinateFrame::World, 2e-3);
    near(CoordinateFrame::Bind, 2.0);
    near(CoordinateFrame::Joint(JointIndex(1)), 2.0);
    near(CoordinateFrame::Parent(JointIndex(1)), 2.0);
    near(CoordinateFrame::Parent(JointIndex(0)), 2e-3);
}

#[test]
fn scales_end_at_round_numbers() {
    for (value, end) in [
        (0.0, 1.0),
        (0.013, 0.02),
        (0.2, 0.2),
        (0.21, 0.5),
        (3.0, 5.0),
        (7.0, 10.0),
        (10.0, 10.0),
        (-1.0, 1.0),
        (f64::NAN, 1.0),
        (3e-6, 5e-6),
    ] {
        let found = round_up(value);
        assert!((found - end).abs() < 1e-9 * end, "{value}: {found}");
    }
}
