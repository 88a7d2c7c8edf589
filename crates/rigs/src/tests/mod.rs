//! Tests of the rigs, and of the readers and writers with them.

mod byte_edits;
mod computed_weights;
mod stored_shapes;
mod whale;
mod written_files;

use bindpose_skin::skin_positions;
use glam::Mat4;

use super::*;

#[test]
fn built_in_rigs_are_valid_and_unmoved_in_the_bind_pose() {
    for &id in builtin_ids() {
        let rig = builtin(id).unwrap();
        let mesh = &rig.mesh;
        let count = mesh.positions.len();
        assert_eq!(rig.id, id);
        assert_eq!(mesh.normals.len(), count, "{id}");
        assert_eq!(mesh.influences.len(), count, "{id}");
        assert!(mesh.uvs.is_empty() || mesh.uvs.len() == count, "{id}");
        for corner in mesh.triangles.iter().flatten() {
            assert!((*corner as usize) < count, "{id}");
        }
        for corner in mesh.lines.iter().flatten() {
            assert!((*corner as usize) < count, "{id}");
        }
        for normal in &mesh.normals {
            assert!((normal.length() - 1.0).abs() < 1e-4, "{id} {normal}");
        }
        for influences in &mesh.influences {
            assert_eq!(influences.sum(), 1.0, "{id}");
            for joint in influences.joints {
                assert!(joint.index() < rig.skeleton.len(), "{id}");
            }
        }
        let world_from_bind: Vec<Mat4> = rig
            .skeleton
            .joint_from_bind()
            .iter()
            .map(|joint_from_bind| joint_from_bind.inverse() * *joint_from_bind)
            .collect();
        let skinned = skin_positions(&mesh.positions, &mesh.influences, &world_from_bind);
        for (moved, stored) in skinned.iter().zip(&mesh.positions) {
            assert!(moved.abs_diff_eq(*stored, 1e-4), "{id} {moved} {stored}");
        }
    }
}

#[test]
fn rigs_are_cached() {
    let first = builtin("head").unwrap();
    assert!(Arc::ptr_eq(&first, &builtin("head").unwrap()));
}

#[test]
fn unknown_ids_are_rejected() {
    for id in ["", "heads", "centipede(", "centipede()", "centipede(0)", "centipede(2049)"] {
        assert!(builtin(id).is_none(), "{id}");
    }
    assert_eq!(builtin("centipede(300)").unwrap().skeleton.len(), 300);
    assert_eq!(builtin("whale").unwrap().skeleton.len(), WHALE_JOINTS);
}

#[test]
fn scales_affect_one_axis_and_may_mirror() {
    let rig = builtin("ball").unwrap();
    for factor in [0.5, 2.0, -1.0] {
        let posed = rig.posed(|name| (name == "squash").then_some(factor));
        let world = rig.skeleton.world_from_joint(&posed.pose)[1];
        let expected = Mat4::from_scale(Vec3::new(1.0, factor as f32, 1.0));
        assert!(world.abs_diff_eq(expected, 1e-6), "{factor}: {world}");
    }
    let angles: Vec<&str> = rig.angles().map(|p| p.name.as_str()).collect();
    assert_eq!(angles, ["lean"], "`all` sets angles only");
}

#[test]
fn squash_scales_along_the_length_of_the_model() {
    for (id, length) in [("arm", Vec3::X), ("whale", Vec3::Z), ("head", Vec3::Y)] {
        let rig = builtin(id).unwrap();
        let [full, half] = [1.0, 0.5]
            .map(|factor| rig.world_from_bind(|name| (name == "squash").then_some(factor)));
        let rest = rig.world_from_bind(|_| None);
        assert_eq!(full, rest, "{id}");
        for (half, rest) in half.iter().zip(&rest) {
            let volume = half.determinant() / rest.determinant();
            assert!((volume - 0.5).abs() < 1e-4, "{id}: {volume}");
        }
        for (direction, expected) in [(length, 0.5), (length.any_orthonormal_vector(), 1.0)] {
            let [half, rest] =
                [&half[0], &rest[0]].map(|m| m.transform_vector3(direction).length());
            assert!((half / rest - expected).abs() < 1e-4, "{id}");
        }
        assert!(rig.angles().chain(rig.morphs()).all(|param| param.name != "squash"));
    }
}
