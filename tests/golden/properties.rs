//! Properties of all rigs in all poses.

use super::*;

const RIGS: [&str; 5] = ["head", "bone_grid", "simple_skin", "arm", "centipede(6)"];

fn any_rig() -> impl Strategy<Value = Arc<Rig>> {
    prop::sample::select(RIGS.to_vec()).prop_map(|id| builtin(id).unwrap())
}

/// An angle per parameter, of which rigs have at most eight.
fn any_angles() -> impl Strategy<Value = Vec<f64>> {
    prop::collection::vec(-3.0..3.0_f64, 8)
}

fn any_rigid_motion() -> impl Strategy<Value = Mat4> {
    (prop::array::uniform3(-3.0..3.0_f32), prop::array::uniform3(-5.0..5.0_f32)).prop_map(
        |([a, b, c], t)| {
            let rotation = Quat::from_euler(EulerRot::XYZ, a, b, c);
            Mat4::from_rotation_translation(rotation, Vec3::from_array(t))
        },
    )
}

fn posed(rig: &Arc<Rig>, angles: &[f64]) -> Computed {
    let turning = rig.params.iter().filter(|p| p.kind.is_angle());
    let names: Vec<&str> = turning.map(|p| p.name.as_str()).collect();
    Computed::new(rig, |name| {
        let index = names.iter().position(|&other| other == name)?;
        angles.get(index).copied()
    })
}

fn far_apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    a.iter().zip(b).map(|(a, b)| (*a - *b).abs().max_element()).fold(0.0, f32::max)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn in_the_bind_pose_every_vertex_stays(rig in any_rig()) {
        let computed = posed(&rig, &[]);
        prop_assert!(far_apart(&computed.positions(), &rig.mesh.positions) <= POSITION_TOLERANCE);
    }

    #[test]
    fn the_fast_path_agrees_with_float64(rig in any_rig(), angles in any_angles()) {
        let computed = posed(&rig, &angles);
        let off = far_apart(&computed.positions(), &computed.reference_positions());
        prop_assert!(off <= POSITION_TOLERANCE, "{} is off by {off}", rig.id);
    }

    #[test]
    fn moving_all_joints_rigidly_moves_the_mesh_rigidly(
        rig in any_rig(), angles in any_angles(), motion in any_rigid_motion(),
    ) {
        let computed = posed(&rig, &angles);
        let moved: Vec<Mat4> = computed.world_from_bind.iter().map(|&m| motion * m).collect();
        let expected: Vec<Vec3> =
            computed.positions().iter().map(|&p| motion.transform_point3(p)).collect();
        prop_assert!(far_apart(&computed.positions_by(&moved), &expected) <= 2e-5);
    }

    #[test]
    fn joints_permuted_with_their_indices_change_nothing(
        rig in any_rig(), angles in any_angles(), shift in 0_usize..6,
    ) {
        let computed = posed(&rig, &angles);
        let count = computed.world_from_bind.len();
        let mut palette = computed.world_from_bind.clone();
        palette.rotate_right(shift % count);
        let mut mesh = (*rig.mesh).clone();
        for joint in mesh.influences.iter_mut().flat_map(|influences| &mut influences.joints) {
            *joint = JointIndex(((joint.index() + shift) % count) as u16);
        }
        let found = skin_positions(&mesh.positions, &mesh.influences, &palette);
        prop_assert_eq!(found, computed.positions());
    }

    #[test]
    fn weights_that_sum_to_one_keep_what_moves_together_rigid(
        motion in any_rigid_motion(), parts in prop::array::uniform4(0.01..1.0_f32),
        a in prop::array::uniform3(-2.0..2.0_f32), b in prop::array::uniform3(-2.0..2.0_f32),
    ) {
        let pairs: Vec<_> = (0..).map(JointIndex).zip(parts).collect();
        let influences = Influences::new(&pairs).normalized();
        let palette = [motion; 4];
        let [a, b] = [a, b].map(Vec3::from_array);
        let [moved_a, moved_b] = [a, b].map(|p| skin_position(p, &influences, &palette));
        prop_assert!((moved_a.distance(moved_b) - a.distance(b)).abs() <= 2e-5);
    }

    #[test]
    fn normals_stay_unit_and_agree_with_float64(rig in any_rig(), angles in any_angles()) {
        // Joints bend less than a right angle, so that no ring collapses.
        let angles: Vec<f64> = angles.iter().map(|angle| angle * 0.25).collect();
        let computed = posed(&rig, &angles);
        let mesh = &rig.mesh;
        let normals = skin_normals(&mesh.normals, &mesh.influences, &computed.world_from_bind);
        let exact: Vec<DMat4> = computed.world_from_bind.iter().map(|m| m.as_dmat4()).collect();
        for ((found, stored), influences) in normals.iter().zip(&mesh.normals).zip(&mesh.influences) {
            prop_assert!((found.length() - 1.0).abs() <= 1e-5);
            let expected = reference::skin_normal(stored.as_dvec3(), influences, &exact).as_vec3();
            prop_assert!(found.abs_diff_eq(expected, 1e-4), "{found} for {expected}");
        }
    }
}
