//! Models that are damaged in one way each, independently of the code under test. The damage
//! must be reported, and no other one.

use std::path::Path;
use std::sync::Arc;

use bindpose_gltf::{MorphTarget, Rig, TaskProgress, load, open};
use bindpose_rigs::builtin;
use bindpose_skin::{ChannelTarget, Clip, Joint, Skeleton, Track, TrackProperty};
use glam::{Mat4, Quat, Vec3, Vec4};

use super::tests::{model_difference, with_mesh};

/// Changes the inverse bind matrix of each joint of the skin.
fn with_binds(rig: &Rig, change: impl Fn(&[Mat4], usize) -> Mat4) -> Rig {
    let count = rig.joint_count();
    let mut joints: Vec<Joint> = rig.skeleton.joints().to_vec();
    let stored: Vec<Mat4> = joints.iter().take(count).map(|joint| joint.joint_from_bind).collect();
    for (number, joint) in joints.iter_mut().take(count).enumerate() {
        joint.joint_from_bind = change(&stored, number);
    }
    Rig { skeleton: Skeleton::in_any_order(joints).unwrap(), ..rig.clone() }
}

fn with_places(rig: &Rig, change: impl Fn(Vec3) -> Vec3) -> Rig {
    with_mesh(rig, |mesh| {
        for place in &mut mesh.positions {
            *place = change(*place);
        }
    })
}

/// Changes all tracks of joints.
fn with_keys(rig: &Rig, change: impl Fn(&mut Track, &Joint)) -> Rig {
    let joints = rig.skeleton.joints();
    let clips = rig.clips.iter().map(|clip| {
        let mut clip: Clip = clip.clone();
        for channel in &mut clip.channels {
            if let ChannelTarget::Joint(joint) = channel.target {
                let mut track = (*channel.track).clone();
                change(&mut track, &joints[joint.index()]);
                channel.track = Arc::new(track);
            }
        }
        clip
    });
    Rig { clips: clips.collect(), ..rig.clone() }
}

fn on_top(track: &mut Track, joint: &Joint) {
    let rest = joint.parent_from_joint_at_rest;
    for numbers in track.values.chunks_exact_mut(track.width) {
        match (track.property, &mut *numbers) {
            (TrackProperty::Translation, [x, y, z]) => {
                let moved = rest.translation + Vec3::new(*x, *y, *z);
                numbers.copy_from_slice(&moved.to_array());
            }
            (TrackProperty::Rotation, [x, y, z, w]) => {
                let turned = rest.rotation * Quat::from_xyzw(*x, *y, *z, *w).normalize();
                numbers.copy_from_slice(&turned.to_array());
            }
            (TrackProperty::Scale, [x, y, z]) => {
                let scaled = rest.scale * Vec3::new(*x, *y, *z);
                numbers.copy_from_slice(&scaled.to_array());
            }
            _ => {}
        }
    }
}

/// Damaged models, with words that the finding on each must contain.
fn damages(rig: &Rig) -> Vec<(&'static str, Rig)> {
    let mirror = Mat4::from_scale(Vec3::new(1.0, 1.0, -1.0));
    let joints = rig.skeleton.joints();
    let scaled = |mut matrix: Mat4, by: f32| {
        matrix.w_axis *= Vec4::new(by, by, by, 1.0);
        matrix
    };
    let local = |stored: &[Mat4], number: usize| {
        let above = joints[number].parent.and_then(|parent| stored.get(parent.index()));
        stored[number] * above.map_or(Mat4::IDENTITY, Mat4::inverse)
    };
    let with_times = with_keys(rig, |track, _| {
        for time in &mut track.times_secs {
            *time *= 1000.0;
        }
    });
    let in_milliseconds = Rig {
        clips: with_times
            .clips
            .into_iter()
            .map(|clip| Clip { duration_secs: 1000.0 * clip.duration_secs, ..clip })
            .collect(),
        ..rig.clone()
    };
    vec![
        ("those of A, transposed", with_binds(rig, |stored, at| stored[at].transpose())),
        ("those of A, inverted", with_binds(rig, |stored, at| stored[at].inverse())),
        ("B has no inverse bind matrices", with_binds(rig, |_, _| Mat4::IDENTITY)),
        ("in another order: 1 ", with_binds(rig, |stored, at| stored[(at + 1) % stored.len()])),
        ("those of A, mirrored in z", with_binds(rig, |stored, at| mirror * stored[at] * mirror)),
        (
            "those of A, with translations 100 times as large",
            with_binds(rig, |stored, at| scaled(stored[at], 100.0)),
        ),
        ("without those of the parents", with_binds(rig, local)),
        (
            "The mesh of B is that of A, mirrored in x",
            with_places(rig, |p| Vec3::new(-p.x, p.y, p.z)),
        ),
        (
            "The mesh of B is that of A, turned by 90° about x",
            with_places(rig, |p| Vec3::new(p.x, -p.z, p.y)),
        ),
        ("The mesh of B is that of A, 0.01 times as large", with_places(rig, |p| 0.01 * p)),
        (
            "The mesh of B is that of A, moved by",
            with_places(rig, |p| p + Vec3::new(300.0, 0.0, 0.0)),
        ),
        ("put on top of the rest pose", with_keys(rig, on_top)),
        (
            "quaternions written w, x, y, z",
            with_keys(rig, |track, _| {
                if track.property == TrackProperty::Rotation {
                    for numbers in track.values.chunks_exact_mut(4) {
                        numbers.rotate_right(1);
                    }
                }
            }),
        ),
        (
            "of B has the keys of A, with translations 100 times",
            with_keys(rig, |track, _| {
                if track.property == TrackProperty::Translation {
                    for number in &mut track.values {
                        *number *= 100.0;
                    }
                }
            }),
        ),
        ("milliseconds in the place of seconds", in_milliseconds),
        (
            "have their corners in the other order",
            with_mesh(rig, |mesh| {
                for triangle in &mut mesh.triangles {
                    triangle.swap(1, 2);
                }
            }),
        ),
        ("Triangles stand in another order", with_mesh(rig, |mesh| mesh.triangles.reverse())),
        (
            "seen from its front in A, both sides in B",
            with_mesh(rig, |mesh| {
                for material in &mut mesh.materials {
                    material.double_sided = true;
                }
            }),
        ),
    ]
}

/// Are the models equal?
fn is_same(a: &Rig, b: &Rig) -> bool {
    let binds = |rig: &Rig| rig.skeleton.joint_from_bind();
    let near = |(a, b): (&Mat4, &Mat4)| a.abs_diff_eq(*b, 1e-4);
    binds(a).iter().zip(&binds(b)).all(near)
        && a.mesh.positions.iter().zip(&b.mesh.positions).all(|(a, b)| a.distance(*b) < 1e-4)
        && a.mesh.triangles == b.mesh.triangles
        && a.mesh.materials == b.mesh.materials
        && a.clips == b.clips
}

fn wrongs(name: &str, rig: &Rig) -> Vec<String> {
    let all = damages(rig);
    let mut wrongs = Vec::new();
    let same = model_difference(rig, rig);
    if !same.equal {
        wrongs.push(format!("{name} is not itself: {:?}", same.findings));
    }
    for (damage, damaged) in &all {
        if is_same(rig, damaged) {
            continue;
        }
        let words = model_difference(rig, damaged).findings.join(" ");
        if !words.contains(damage) {
            wrongs.push(format!("{name}, {damage}: {words}"));
        }
        for (other, others) in &all {
            if other != damage && words.contains(other) && !is_same(damaged, others) {
                wrongs.push(format!("{name}, {damage} reported as {other}: {words}"));
            }
        }
    }
    wrongs
}

#[test]
fn damages_of_built_in_rigs_are_reported() {
    let mut found = Vec::new();
    for id in ["whale", "limb", "head", "hand"] {
        if let Some(rig) = builtin(id) {
            found.extend(wrongs(id, &rig));
        }
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

#[test]
fn damages_of_models_with_a_node_above_their_joints_are_reported() {
    let folder = std::env::var_os("BINDPOSE_SHARED").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared"),
        std::path::PathBuf::from,
    );
    let mut found = Vec::new();
    for name in ["Fox.glb", "CesiumMan.glb"] {
        let path = folder.join("models").join(name);
        if !path.is_file() {
            println!("SKIPPED: no {name}");
            continue;
        }
        let source = load(&path, &TaskProgress::default()).unwrap();
        found.extend(wrongs(name, &open(&source, &TaskProgress::default()).unwrap()));
    }
    assert!(found.is_empty(), "{}\n{}", found.len(), found.join("\n"));
}

#[test]
fn morph_targets_are_compared_in_units_of_a() {
    let arm = builtin("arm").unwrap();
    let count = arm.mesh.positions.len();
    let target = |name: &str, slot: usize, by: f32| MorphTarget {
        name: name.to_owned(),
        slot,
        first_vertex: 0,
        positions: vec![Vec3::Y * by; count],
        normals: Vec::new(),
    };
    let with = |targets: Vec<MorphTarget>, weights: &[f32]| Rig {
        morph_weights: weights.to_vec(),
        ..with_mesh(&arm, |mesh| mesh.targets = targets)
    };
    let a = with(vec![target("smile", 0, 0.5), target("frown", 1, 0.25)], &[0.0, 0.0]);
    let cases: [(Rig, &str); 5] = [
        (
            with(vec![target("smile", 0, 50.0), target("frown", 1, 0.25)], &[0.0, 0.0]),
            "“smile” is that of A, 100 times as large: metres into centimetres: by 5.0 × 10¹ units of A",
        ),
        (
            with(vec![target("smile", 0, 0.5), target("frown", 1, 0.0)], &[0.0, 0.0]),
            "“frown” moves nothing in B: by 2.5 × 10⁻¹ units of A",
        ),
        (
            with(vec![target("frown", 0, 0.25), target("smile", 1, 0.5)], &[0.0, 0.0]),
            "Morph targets stand in another order",
        ),
        (with(vec![target("smile", 0, 0.5)], &[0.0]), "Morph targets that only A has: “frown”"),
        (
            with(vec![target("smile", 0, 0.5), target("frown", 1, 0.25)], &[0.0, 1.0]),
            "“frown” has the weight 0.000 at rest in A, and 1.000 in B",
        ),
    ];
    for (b, words) in cases {
        let found = model_difference(&a, &b).findings.join(" ");
        assert!(found.contains(words), "{words}: {found}");
    }
}
