//! Models with many vertices or joints at the same position, and unusual changes.

use std::sync::Arc;

use bindpose_gltf::Mesh;
use bindpose_lesson::Rewriting;
use bindpose_rigs::builtin;
use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, Trs};
use glam::{Mat4, Quat, Vec3};

use super::tests::{assert_finding, model_difference, with_joints, with_mesh};
use super::*;

/// A chain of joints along x without clips.
fn chain(count: usize) -> Rig {
    let arm = builtin("arm").unwrap();
    let joints = (0..count).map(|index| Joint {
        name: format!("j{index}"),
        parent: index.checked_sub(1).map(|parent| JointIndex(parent as u16)),
        parent_from_joint_at_rest: Trs::at(Vec3::X * if index == 0 { 0.0 } else { 1.0 }),
        joint_from_bind: Mat4::from_translation(Vec3::X * -(index as f32)),
    });
    Rig {
        skeleton: Skeleton::in_any_order(joints.collect()).unwrap(),
        clips: Vec::new(),
        params: Vec::new(),
        ..(*arm).clone()
    }
}

/// A chain with a mesh of points.
fn points(joints: usize, points: Vec<(Vec3, Influences)>) -> Rig {
    with_mesh(&chain(joints), |mesh| {
        let (positions, influences): (Vec<_>, Vec<_>) = points.into_iter().unzip();
        *mesh = Mesh { positions, influences: influences.into_iter().collect(), ..Mesh::default() };
    })
}

/// Vertices at one position, each with other weights of two joints.
fn crowd(count: usize) -> Vec<(Vec3, Influences)> {
    let at = |index: usize| {
        let weight = 0.1 + 0.8 * index as f32 / count as f32;
        let joint = |step: usize| JointIndex(((index + step) % 20) as u16);
        let pairs = [(joint(0), weight), (joint(1), 1.0 - weight)];
        (Vec3::new(1.0, 2.0, 3.0), Influences::new(&pairs))
    };
    (0..count).map(at).collect()
}

#[test]
fn vertices_at_one_position_have_partners_of_their_own() {
    let whole = [Influences::new(&[(JointIndex(0), 1.0)]); 4];
    let places = [Vec3::ZERO, Vec3::Y, Vec3::Y, Vec3::X * 3.0];
    let a = points(2, places.into_iter().zip(whole).collect());
    // One of two vertices at the same position has moved, and the other one is shared.
    let b = with_mesh(&a, |mesh| mesh.positions[2] = Vec3::Z * 2.0);
    let found = model_difference(&a, &b);
    assert!(!found.equal);
    assert_eq!(found.vertices.sharing, [1, 0]);
    assert_eq!(found.vertices.alone, [0, 1]);
    assert_finding(&found, "1 vertex of B stands where A has none.");
    let back = model_difference(&b, &a);
    assert!(!back.equal);
    assert_finding(&back, "1 vertex of A stands where B has none.");
    // It has moved to the position of another vertex.
    let b = with_mesh(&a, |mesh| mesh.positions[2] = Vec3::X * 3.0);
    let found = model_difference(&a, &b);
    assert!(!found.equal);
    assert_eq!(found.vertices.alone, [0, 0]);
    assert_finding(&found, "A has 1 vertex more at some, and B 1 more");
    // A vertex split along a seam only changes the counts.
    let mut split: Vec<(Vec3, Influences)> = places.into_iter().zip(whole).collect();
    split.push((Vec3::X * 3.0, whole[0]));
    let found = model_difference(&a, &points(2, split));
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert_finding(&found, "A has 4 vertices and B 5");
}

#[test]
fn vertices_at_one_position_are_paired_by_weights() {
    let a = points(20, crowd(200));
    let mut turned = crowd(200);
    turned.reverse();
    let found = model_difference(&a, &points(20, turned));
    assert!(found.equal, "{:?}", found.findings);
    assert_eq!(found.vertices.in_one_place, 200);
}

/// Number of pieces of a comparison.
fn pieces(a: &Rig, b: &Rig) -> usize {
    let a = Arc::new(a.clone());
    let b = Arc::new(b.clone());
    let mut work = comparing(a, OtherModel::Given(b), &TaskProgress::default());
    let pieces = std::iter::from_fn(|| match work.advance(2_000) {
        None => Some(()),
        Some(found) => {
            assert!(found.is_some());
            None
        }
    });
    pieces.count()
}

#[test]
fn work_is_linear_in_vertices_at_one_position() {
    let both = |count: usize| {
        let mut other = crowd(count);
        other.reverse();
        // No vertex has exactly the weights of another.
        for (_, influences) in &mut other {
            influences.weights[0] *= 0.9;
        }
        pieces(&points(20, crowd(count)), &points(20, other))
    };
    let few = both(2_000);
    let many = both(8_000);
    assert!(few > 50, "{few}");
    assert!(many < few * 5, "{few} {many}");
}

#[test]
fn work_is_linear_in_joints_at_one_position() {
    let heap = |count: usize, prefix: &str| {
        with_joints(&chain(count), |index, joint| {
            joint.name = format!("{prefix}{index}");
            joint.parent = None;
            joint.parent_from_joint_at_rest = Trs::at(Vec3::Y);
        })
    };
    let both = |count: usize| pieces(&heap(count, "a"), &heap(count, "b"));
    let few = both(1_000);
    let many = both(4_000);
    assert!(few > 50, "{few}");
    assert!(many < few * 5, "{few} {many}");
}

#[test]
fn cancelled_comparison_stops_at_the_next_piece() {
    let a = builtin("whale").unwrap();
    let progress = TaskProgress::default();
    let other = OtherModel::Written([Rewriting::Centimetres].into());
    let mut work = comparing(Arc::clone(&a), other, &progress);
    for _ in 0..3 {
        assert!(work.advance(1).is_none());
    }
    progress.cancel();
    assert!(matches!(work.advance(1), Some(None)));
}

#[test]
fn unit_is_found_despite_a_moved_joint() {
    let whale = builtin("whale").unwrap();
    let leaf = |rig: &Rig| {
        let has_child = |joint: JointIndex| {
            let mut joints = rig.skeleton.joints().iter();
            joints.any(|other| other.parent == Some(joint))
        };
        let mut all = rig.skeleton.indices();
        all.find(|&joint| !has_child(joint)).unwrap()
    };
    for changes in [vec![Rewriting::Centimetres], vec![Rewriting::Centimetres, Rewriting::ZUp]] {
        let b = rewrite_model(&whale, &changes.into_iter().collect());
        let moved = leaf(&b);
        let b = with_joints(&b, |index, joint| {
            if index == moved.index() {
                joint.parent_from_joint_at_rest.translation += Vec3::Y * 20.0;
            }
        });
        let found = model_difference(&whale, &b);
        assert_finding(&found, "positions a hundred times as large");
        assert_finding(&found, "1 joint is elsewhere at rest, by 2.0 × 10⁻¹");
    }
    // If most joints have moved, the space is unknown.
    let b = with_joints(&whale, |index, joint| {
        joint.parent_from_joint_at_rest.translation += Vec3::Y * (0.1 + index as f32);
    });
    assert_eq!(model_difference(&whale, &b).space, None);
}

#[test]
fn prefixed_names_are_paired_despite_an_equal_name() {
    let a = chain(5);
    // Moved, so that positions pair no joints.
    let b = with_joints(&a, |index, joint| {
        if index > 0 {
            joint.name = format!("mixamorig:{}", joint.name);
            let trs = &mut joint.parent_from_joint_at_rest;
            trs.translation += Vec3::Y * 0.3;
            trs.rotation = Quat::from_rotation_z(0.2);
        }
    });
    let found = model_difference(&a, &b);
    let by: Vec<PairingCriterion> = found.joints.iter().map(|pair| pair.by).collect();
    let alone = PairingCriterion::NameAlone;
    assert_eq!(by, [PairingCriterion::Name, alone, alone, alone, alone]);
    assert!(found.joints.iter().all(|pair| pair.a == pair.b));
}

#[test]
fn tolerance_depends_on_the_size_of_the_model() {
    let small = Mat4::from_scale(Vec3::splat(0.01));
    let a = super::rewriting::in_space(&chain(5), small).unwrap();
    let b = with_joints(&a, |index, joint| {
        if index == 4 {
            joint.parent_from_joint_at_rest.translation += Vec3::Y * 0.0009;
        }
    });
    let found = model_difference(&a, &b);
    assert!(found.size < 0.06, "{}", found.size);
    assert_finding(&found, "1 joint is elsewhere at rest");
    let differ: Vec<bool> = found.joints.iter().map(|pair| pair.differs).collect();
    assert_eq!(differ, [false, false, false, false, true]);
}
