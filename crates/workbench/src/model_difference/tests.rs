use std::sync::Arc;

use bindpose_lesson::{Lesson, Rewriting};
use bindpose_notebook::posing::JointMove;
use bindpose_notebook::{Derived, in_pose_of_page, step_document};
use bindpose_rigs::builtin;
use bindpose_skin::{Influences, Joint, JointIndex, Skeleton, Trs};
use glam::{Mat4, Quat, Vec3};

use super::*;

fn arm() -> Rig {
    (*builtin("arm").unwrap()).clone()
}

fn with_joints(mut rig: Rig, change: impl Fn(usize, &mut Joint)) -> Rig {
    let mut joints = rig.skeleton.joints().to_vec();
    for (index, joint) in joints.iter_mut().enumerate() {
        change(index, joint);
    }
    rig.skeleton = Skeleton::in_any_order(joints).unwrap();
    rig
}

fn model_difference(a: &Rig, b: &Rig) -> ModelDifference {
    super::model_difference(&Arc::new(a.clone()), &Arc::new(b.clone()))
}

fn compared_with(a: &Arc<Rig>, b: Arc<Rig>) -> ModelComparison {
    let b = OtherModel::Given(b);
    let found = comparing(Arc::clone(a), b, &TaskProgress::default()).finish();
    found.expect("not cancelled")
}

fn assert_finding(found: &ModelDifference, words: &str) {
    let all = found.findings.join("\n");
    assert!(all.contains(words), "{words:?} is not in:\n{all}");
}

#[test]
fn every_rig_is_itself() {
    for id in bindpose_rigs::builtin_ids() {
        let rig = builtin(id).unwrap();
        let found = model_difference(&rig, &rig);
        assert!(found.equal, "{id}: {:?}", found.findings);
        assert_eq!(found.joints.len(), rig.skeleton.len(), "{id}");
        assert_eq!(found.vertices.in_one_place, rig.mesh.positions.len(), "{id}");
        assert_eq!(found.vertices.most, None, "{id}");
    }
}

#[test]
fn joints_in_another_order_are_the_only_finding() {
    let a = arm();
    let count = a.skeleton.len();
    assert!(count > 1);
    let turned = |joint: JointIndex| JointIndex((count - 1 - joint.index()) as u16);
    let mut joints = a.skeleton.joints().to_vec();
    joints.reverse();
    for joint in &mut joints {
        joint.parent = joint.parent.map(turned);
    }
    let mut b = a.clone();
    b.skeleton = Skeleton::in_any_order(joints).unwrap();
    let mut mesh = (*b.mesh).clone();
    mesh.influences = mesh
        .influences
        .iter()
        .map(|of| {
            let pairs: Vec<_> =
                of.used().map(|(_, joint, weight)| (turned(joint), weight)).collect();
            Influences::new(&pairs)
        })
        .collect();
    b.mesh = Arc::new(mesh);
    b.clips.clear();
    let mut a = a;
    a.clips.clear();
    let found = model_difference(&a, &b);
    assert_finding(&found, "have other numbers in B");
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert_eq!(found.vertices.other_weights, 0);
}

#[test]
fn centimetres_are_the_only_finding() {
    let a = arm();
    let mut b = with_joints(arm(), |_, joint| {
        let Trs { translation, .. } = &mut joint.parent_from_joint_at_rest;
        *translation *= 100.0;
        joint.joint_from_bind.w_axis *= glam::Vec4::new(100.0, 100.0, 100.0, 1.0);
    });
    let mut mesh = (*b.mesh).clone();
    for position in &mut mesh.positions {
        *position *= 100.0;
    }
    b.mesh = Arc::new(mesh);
    b.clips.clear();
    let found = model_difference(&Rig { clips: vec![], ..a }, &b);
    assert_finding(&found, "centimetres");
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
    assert_eq!(found.vertices.in_one_place, b.mesh.positions.len());
}

#[test]
fn moved_joint_is_reported_with_its_distance() {
    let a = arm();
    let last = a.skeleton.len() - 1;
    let b = with_joints(arm(), |index, joint| {
        if index == last {
            joint.parent_from_joint_at_rest.translation += Vec3::new(0.0, 0.25, 0.0);
        }
    });
    let found = model_difference(&a, &b);
    assert_finding(&found, "1 joint is elsewhere at rest, by 2.5 × 10⁻¹ units of A at most");
    let moved = found.joints.iter().filter(|pair| pair.moved > 1e-3);
    assert_eq!(moved.map(|pair| usize::from(pair.a)).collect::<Vec<_>>(), [last]);
}

#[test]
fn mesh_in_another_space_is_one_finding() {
    let a = arm();
    let shift = Mat4::from_translation(Vec3::new(0.0, 3.0, 0.0)) * Mat4::from_rotation_z(0.4);
    let mut b = with_joints(arm(), |_, joint| joint.joint_from_bind *= shift);
    let mut mesh = (*b.mesh).clone();
    for position in &mut mesh.positions {
        *position = shift.inverse().transform_point3(*position);
    }
    b.mesh = Arc::new(mesh);
    let found = model_difference(&a, &b);
    assert_finding(&found, "the mesh was put into another space");
    assert_eq!(found.findings.len(), 1, "{:?}", found.findings);
}

#[test]
fn weights_are_compared_by_vertex() {
    let a = arm();
    // A vertex on a seam has copies at the same position, which could be its partner.
    let alone = |at: u32| {
        let places = &a.mesh.positions;
        let here = places[at as usize];
        places.iter().filter(|place| place.distance(here) < 1e-3).count() == 1
    };
    let mut shared = (0_u32..).zip(a.mesh.influences.iter());
    let shared =
        shared.find(|&(at, of)| of.used().filter(|lane| lane.2 > 0.2).count() > 1 && alone(at));
    let (vertex, _) = shared.expect("a vertex of two joints");
    let mut b = arm();
    let mut mesh = (*b.mesh).clone();
    mesh.influences = (0..)
        .zip(mesh.influences.iter())
        .map(|(at, of)| if at == vertex { Influences::new(&[(of.strongest(), 1.0)]) } else { *of })
        .collect();
    b.mesh = Arc::new(mesh);
    let found = model_difference(&a, &b);
    assert_eq!(found.vertices.other_weights, 1);
    let most = found.vertices.most.clone().expect("a difference");
    assert_eq!((most.a, most.b), (vertex, vertex));
    assert_finding(
        &found,
        &format!("1 vertex has other weights in B; the largest difference is at v{vertex}"),
    );
}

#[test]
fn clips_are_compared_by_time() {
    let a = arm();
    assert!(!a.clips.is_empty());
    let mut b = arm();
    let gone = b.clips.pop().unwrap().name;
    if let Some(clip) = b.clips.first_mut() {
        clip.channels.clear();
    }
    let found = model_difference(&a, &b);
    assert_finding(&found, "Clips that only A has");
    assert_eq!(found.clips_only_in_a, [gone]);
    if a.clips.len() > 1 {
        assert_finding(&found, "joints differently");
        assert!(found.clips[0].turned > 0.1);
    }
}

#[test]
fn joints_without_a_common_name_are_paired_by_position() {
    let a = arm();
    let b = with_joints(arm(), |index, joint| {
        joint.name = format!("mixamorig:{index}");
    });
    let found = model_difference(&a, &b);
    assert_eq!(found.joints.len(), a.skeleton.len());
    assert!(found.joints.iter().all(|pair| pair.a == pair.b));
}

#[test]
fn nan_positions_are_differences() {
    let mut b = arm();
    let mut mesh = (*b.mesh).clone();
    mesh.positions.fill(Vec3::NAN);
    b.mesh = Arc::new(mesh);
    for (a, b) in [(&arm(), &b), (&b, &arm()), (&b, &b)] {
        let found = model_difference(a, b);
        assert!(!found.equal, "{:?}", found.findings);
    }
}

fn arc(id: &str) -> Arc<Rig> {
    builtin(id).unwrap()
}

/// The model after each known change.
fn with_each(rig: &Arc<Rig>) -> Vec<(Rewriting, ModelComparison)> {
    Rewriting::ALL
        .into_iter()
        .map(|one| (one, compared_with(rig, rewrite_model(rig, &[one].into()))))
        .collect()
}

#[test]
fn each_rewriting_is_reported_alone() {
    for id in ["arm", "whale", "tentacle"] {
        for (one, both) in with_each(&arc(id)) {
            let found = &both.found;
            let words = match one {
                Rewriting::Centimetres => "centimetres",
                Rewriting::ZUp => "z up",
                Rewriting::TwoInfluences => "other weights in B",
                Rewriting::MovedMesh => "the mesh was put into another space",
                Rewriting::NoEndJoints => "Only A has",
                Rewriting::OtherNames => "other names in B",
            };
            let most = both.a.mesh.influences.iter().map(|of| of.used().count()).max();
            if one == Rewriting::TwoInfluences && most <= Some(2) {
                assert!(found.equal, "{id}: {:?}", found.findings);
                continue;
            }
            assert_finding(found, words);
            let alone = matches!(
                one,
                Rewriting::Centimetres
                    | Rewriting::ZUp
                    | Rewriting::MovedMesh
                    | Rewriting::OtherNames
            );
            assert!(!alone || found.findings.len() == 1, "{id}: {:?}", found.findings);
        }
    }
}

#[test]
fn units_and_axes_are_found_together_and_without_names() {
    let all = |list: &[Rewriting]| list.iter().copied().collect();
    for list in [
        &[Rewriting::Centimetres, Rewriting::ZUp][..],
        &[Rewriting::Centimetres, Rewriting::ZUp, Rewriting::OtherNames],
    ] {
        let a = arc("whale");
        let found = model_difference(&a, &rewrite_model(&a, &all(list)));
        assert_finding(&found, "z up and with positions a hundred times as large");
        assert_eq!(found.joints.len(), a.skeleton.len());
        assert_eq!(found.findings.len(), list.len() - 1, "{:?}", found.findings);
    }
}

#[test]
fn joints_are_paired_by_name_without_prefix_or_by_position() {
    let a = arm();
    let b = with_joints(arm(), |_, joint| {
        joint.name = format!("mixamorig:{}", joint.name);
    });
    let found = model_difference(&a, &b);
    assert!(found.joints.iter().all(|pair| pair.by == PairingCriterion::NameAlone));
    assert_finding(&found, "have other names in B");
    let b = with_joints(arm(), |index, joint| {
        if index == 1 {
            "Bone.001".clone_into(&mut joint.name);
        }
    });
    let found = model_difference(&a, &b);
    let by: Vec<PairingCriterion> = found.joints.iter().map(|pair| pair.by).collect();
    assert_eq!(by, [PairingCriterion::Name, PairingCriterion::Place]);
    assert_eq!(found.joints[1].name_in_b, "Bone.001");
}

#[test]
fn b_beside_a_has_the_positions_and_names_of_a() {
    let a = arc("whale");
    let all = [Rewriting::Centimetres, Rewriting::ZUp, Rewriting::OtherNames];
    let both = compared_with(&a, rewrite_model(&a, &all.into()));
    let beside = &both.b_beside_a;
    for (ours, theirs) in a.mesh.positions.iter().zip(&beside.mesh.positions) {
        assert!(ours.distance(*theirs) < 1e-3, "{ours} {theirs}");
    }
    let clip = [bindpose_gltf::ClipAt { clip: 0, time_secs: 0.7, share: 1.0 }];
    let bend = |_: &str| Some(0.3);
    let worlds = [&a, beside].map(|rig| {
        let posed = rig.posed_in(&clip, bend);
        rig.skeleton.world_from_joint(&posed.pose)
    });
    for (ours, theirs) in worlds[0].iter().zip(&worlds[1]) {
        assert!(ours.abs_diff_eq(*theirs, 2e-3), "{ours} {theirs}");
    }
    let names = |rig: &Rig| -> Vec<String> {
        rig.skeleton.joints().iter().map(|joint| joint.name.clone()).collect()
    };
    assert_eq!(names(&a), names(beside));
    // Copies of a vertex on a seam may be partners of one another.
    let here = |at: usize| a.mesh.positions[at];
    for (at, partner) in both.vertex_in_b.iter().enumerate() {
        let partner = partner.expect("a partner");
        assert!(here(at).distance(here(partner as usize)) < 1e-3);
    }
}

#[test]
fn model_in_other_unit_and_axes_takes_the_pose_of_the_page() {
    let rig = arc("whale");
    let changes =
        [Rewriting::Centimetres, Rewriting::ZUp, Rewriting::OtherNames, Rewriting::MovedMesh];
    let other = OtherModel::Written(changes.into());
    let found = comparing(Arc::clone(&rig), other, &TaskProgress::default()).finish();
    let beside = found.expect("not cancelled").b_beside_a;
    let lesson = Lesson::default();
    let mut document = step_document(&lesson, 0, Some(&rig));
    for joint in [0, 2] {
        let by = JointMove {
            rotation: Quat::from_rotation_y(0.4),
            translation: Vec3::new(0.3, -0.2, 0.5),
        };
        document.state.joint_moves.insert(JointIndex(joint), by);
    }
    document.state.params.insert("nod".to_owned(), 0.6);
    let derived = Derived::of_document(&document, Some(&lesson), &rig);
    let (_, other) = in_pose_of_page((&document, &derived), &lesson, &beside);
    let all = derived.positions().iter().zip(other.positions().iter());
    for (vertex, (ours, theirs)) in all.enumerate() {
        assert!(ours.distance(*theirs) < 5e-3, "v{vertex}: {ours} {theirs}");
    }
}

#[test]
fn mirrored_model_keeps_its_surface() {
    let a = arc("arm");
    let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
    let b = super::rewriting::in_space(&a, mirror).unwrap();
    let pose = |_: &str| Some(0.6);
    let moved = [&*a, &b].map(|rig| {
        let matrices = rig.world_from_bind(pose);
        rig.mesh.moved(&matrices, &[], bindpose_skin::Method::Linear).positions
    });
    for (ours, theirs) in moved[0].iter().zip(&moved[1]) {
        assert!(mirror.transform_point3(*ours).distance(*theirs) < 1e-4);
    }
    assert_eq!(a.mesh.triangles[0][1], b.mesh.triangles[0][2]);
}

#[test]
fn weights_of_removed_joints_go_to_their_parents() {
    let a = arc("whale");
    let b = rewrite_model(&a, &[Rewriting::NoEndJoints].into());
    assert!(b.skeleton.len() < a.skeleton.len());
    for (ours, theirs) in a.mesh.influences.iter().zip(b.mesh.influences.iter()) {
        assert!((ours.sum() - theirs.sum()).abs() < 1e-5);
    }
    let one = Rig {
        skeleton: Skeleton::in_any_order(a.skeleton.joints()[..1].to_vec()).unwrap(),
        ..(*a).clone()
    };
    let one = Arc::new(one);
    assert_eq!(rewrite_model(&one, &[Rewriting::NoEndJoints].into()).skeleton.len(), 1);
}
