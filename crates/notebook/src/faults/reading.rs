//! A rig as a faulty loader reads it: vertices, inverse bind matrices, keys. What
//! goes wrong with influences is beside this.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use glam::{Mat4, Quat, Vec3};

use bindpose_asset::{Mesh, Rig};
use bindpose_lesson::SkinningFault;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, Joint, JointIndex, Skeleton, Track, TrackProperty,
    Trs,
};
use std::collections::BTreeSet;

/// What a loader can do to a rig.
const OF_RIG: [SkinningFault; 8] = [
    SkinningFault::InverseBindsShifted,
    SkinningFault::InverseBindsByRows,
    SkinningFault::QuaternionsWFirst,
    SkinningFault::MeshTurned,
    SkinningFault::MeshMirrored,
    SkinningFault::MeshHundredfold,
    SkinningFault::KeysAsChanges,
    SkinningFault::MissingChannelIdentity,
];

/// Rigs that were read with faults and are kept.
const KEPT: usize = 6;

/// The rig with what is wrong in reading it; the same one, by its pointer, where
/// nothing is, and for the same faults as a moment ago.
pub(crate) fn rig_as_read(rig: &Arc<Rig>, faults: &BTreeSet<SkinningFault>) -> Arc<Rig> {
    static KNOWN: Mutex<VecDeque<KnownReading>> = Mutex::new(VecDeque::new());
    if faults.is_empty() {
        return Arc::clone(rig);
    }
    let on: Vec<SkinningFault> = OF_RIG.into_iter().filter(|one| faults.contains(one)).collect();
    if on.is_empty() {
        return Arc::clone(rig);
    }
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let same = |known: &KnownReading| Arc::ptr_eq(&known.stored, rig) && known.faults == on;
    if let Some(at) = all.iter().position(same)
        && let Some(known) = all.remove(at)
    {
        let read = Arc::clone(&known.read);
        all.push_front(known);
        return read;
    }
    let read = on.iter().fold((**rig).clone(), |rig, &fault| read(rig, fault));
    let read = Arc::new(read);
    all.push_front(KnownReading { stored: Arc::clone(rig), faults: on, read: Arc::clone(&read) });
    all.truncate(KEPT);
    read
}

struct KnownReading {
    stored: Arc<Rig>,
    faults: Vec<SkinningFault>,
    read: Arc<Rig>,
}

fn read(mut rig: Rig, fault: SkinningFault) -> Rig {
    match fault {
        SkinningFault::InverseBindsShifted => with_joints(&mut rig, |joints| {
            let stored: Vec<Mat4> = joints.iter().map(|joint| joint.joint_from_bind).collect();
            let before = std::iter::once(Mat4::IDENTITY).chain(stored);
            for (joint, matrix) in joints.iter_mut().zip(before) {
                joint.joint_from_bind = matrix;
            }
        }),
        SkinningFault::InverseBindsByRows => with_joints(&mut rig, |joints| {
            for joint in joints {
                joint.joint_from_bind = joint.joint_from_bind.transpose();
            }
        }),
        SkinningFault::QuaternionsWFirst => {
            with_joints(&mut rig, |joints| {
                for joint in joints {
                    let [x, y, z, w] = joint.parent_from_joint_at_rest.rotation.to_array();
                    joint.parent_from_joint_at_rest.rotation = Quat::from_xyzw(y, z, w, x);
                }
            });
            with_tracks(&mut rig, |track, _| {
                if track.property == TrackProperty::Rotation && track.width == 4 {
                    for numbers in track.values.chunks_exact_mut(4) {
                        numbers.rotate_left(1);
                    }
                }
            });
        }
        SkinningFault::MeshTurned => with_vertices(&mut rig, |p| Vec3::new(p.x, p.z, -p.y), true),
        SkinningFault::MeshMirrored => with_vertices(&mut rig, |p| Vec3::new(-p.x, p.y, p.z), true),
        SkinningFault::MeshHundredfold => with_vertices(&mut rig, |p| 100.0 * p, false),
        SkinningFault::KeysAsChanges => {
            let rest = rig.skeleton.rest_pose().parent_from_joint;
            with_tracks(&mut rig, |track, joint| {
                if let Some(rest) = rest.get(joint.index()) {
                    add_rest(track, rest);
                }
            });
        }
        SkinningFault::MissingChannelIdentity => {
            let joints = rig.skeleton.len();
            for clip in &mut rig.clips {
                put_missing_channels(clip, joints);
            }
        }
        _ => {}
    }
    rig
}

/// A skeleton that is none after the change stays as it was.
fn with_joints(rig: &mut Rig, change: impl FnOnce(&mut [Joint])) {
    let mut joints = rig.skeleton.joints().to_vec();
    change(&mut joints);
    if let Ok(skeleton) = Skeleton::in_any_order(joints) {
        rig.skeleton = skeleton;
    }
}

/// Places and directions of all vertices and of what is added to them.
fn with_vertices(rig: &mut Rig, moved: impl Fn(Vec3) -> Vec3, directions: bool) {
    let mut mesh: Mesh = (*rig.mesh).clone();
    let put = |all: &mut Vec<Vec3>| {
        for one in all {
            *one = moved(*one);
        }
    };
    put(&mut mesh.positions);
    for target in &mut mesh.targets {
        put(&mut target.positions);
    }
    if directions {
        put(&mut mesh.normals);
        for target in &mut mesh.targets {
            put(&mut target.normals);
        }
    }
    rig.mesh = Arc::new(mesh);
}

/// All tracks of joints.
fn with_tracks(rig: &mut Rig, change: impl Fn(&mut Track, JointIndex)) {
    for channel in rig.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
        if let ChannelTarget::Joint(joint) = channel.target {
            let mut track = (*channel.track).clone();
            change(&mut track, joint);
            channel.track = Arc::new(track);
        }
    }
}

/// What the keys say, on top of what is there at rest. Tangents of a place stay;
/// those of a turn are turned, those of factors multiplied.
fn add_rest(track: &mut Track, rest: &Trs) {
    if track.width == 0 {
        return;
    }
    let is_spline = track.interpolation == Interpolation::CubicSpline;
    for (nth, numbers) in track.values.chunks_exact_mut(track.width).enumerate() {
        let is_tangent = is_spline && nth % 3 != 1;
        match (track.property, &mut *numbers) {
            (TrackProperty::Translation, [x, y, z]) if !is_tangent => {
                let moved = rest.translation + Vec3::new(*x, *y, *z);
                numbers.copy_from_slice(&moved.to_array());
            }
            (TrackProperty::Scale, [x, y, z]) => {
                let scaled = rest.scale * Vec3::new(*x, *y, *z);
                numbers.copy_from_slice(&scaled.to_array());
            }
            (TrackProperty::Rotation, [x, y, z, w]) => {
                let turned = product(rest.rotation, Quat::from_xyzw(*x, *y, *z, *w));
                numbers.copy_from_slice(&turned.to_array());
            }
            _ => {}
        }
    }
}

/// Of any two quaternions; glam's own is for those of unit length.
fn product(a: Quat, b: Quat) -> Quat {
    let (u, v) = (a.xyz(), b.xyz());
    let xyz = a.w * v + b.w * u + u.cross(v);
    Quat::from_xyzw(xyz.x, xyz.y, xyz.z, a.w * b.w - u.dot(v))
}

/// A key that says nothing, for each property of a joint that has no channel.
fn put_missing_channels(clip: &mut Clip, joints: usize) {
    let nothing = [
        (TrackProperty::Translation, vec![0.0, 0.0, 0.0]),
        (TrackProperty::Rotation, vec![0.0, 0.0, 0.0, 1.0]),
        (TrackProperty::Scale, vec![1.0, 1.0, 1.0]),
    ];
    for (property, values) in nothing {
        let has = |joint: JointIndex| {
            let mut channels = clip.channels.iter();
            channels.any(|one| {
                one.target == ChannelTarget::Joint(joint) && one.track.property == property
            })
        };
        let track = Arc::new(Track {
            property,
            interpolation: Interpolation::Step,
            times_secs: vec![0.0],
            width: values.len(),
            values,
        });
        let all = (0..=u16::MAX).map(JointIndex).take(joints);
        let missing: Vec<JointIndex> = all.filter(|&joint| !has(joint)).collect();
        let channels = missing.into_iter().map(|joint| Channel {
            target: ChannelTarget::Joint(joint),
            track: Arc::clone(&track),
        });
        clip.channels.extend(channels);
    }
}
