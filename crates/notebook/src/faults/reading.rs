//! A rig as a faulty loader reads it: vertices, inverse bind matrices, keys. What
//! goes wrong with influences is beside this.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_asset::{Mesh, Rig};
use bindpose_lesson::SkinningFault;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, InfluencesName, Interpolation, Joint, JointIndex,
    SET_LANES, SharedInfluences, Skeleton, Track, TrackProperty, Trs,
};
use glam::{Mat4, Quat, Vec3};

use super::switches::last_joint;

/// What a loader can do to a rig.
const OF_RIG: [SkinningFault; 10] = [
    SkinningFault::InverseBindsShifted,
    SkinningFault::InverseBindsByName,
    SkinningFault::InverseBindsByRows,
    SkinningFault::QuaternionsWFirst,
    SkinningFault::MeshTurned,
    SkinningFault::MeshMirrored,
    SkinningFault::MeshHundredfold,
    SkinningFault::KeysAsChanges,
    SkinningFault::ClipHundredfold,
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
        SkinningFault::InverseBindsByName => with_joints(&mut rig, |joints| {
            let mut by_name: Vec<(&str, Mat4)> =
                joints.iter().map(|joint| (&*joint.name, joint.joint_from_bind)).collect();
            by_name.sort_by_key(|&(name, _)| name);
            let sorted: Vec<Mat4> = by_name.into_iter().map(|(_, matrix)| matrix).collect();
            for (joint, matrix) in joints.iter_mut().zip(sorted) {
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
        SkinningFault::ClipHundredfold => with_tracks(&mut rig, |track, _| {
            if track.property == TrackProperty::Translation {
                for number in &mut track.values {
                    *number *= 100.0;
                }
            }
        }),
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

// Influences as a faulty loader reads them, or as they reach a shader whose
// attributes are bound wrongly.

/// In the order in which they act.
const OF_INFLUENCES: [SkinningFault; 8] = [
    SkinningFault::ShortsAsBytes,
    SkinningFault::NodeForJoint,
    SkinningFault::JointsOffByOne,
    SkinningFault::WeightsRoundedDown,
    SkinningFault::InfluencesCut,
    SkinningFault::LastJointLost,
    SkinningFault::IndicesAsFloats,
    SkinningFault::WeightsNotBound,
];

/// Lists that were changed and are kept.
const KEPT_ATTRIBUTES: usize = 6;

/// The influences with what is wrong with them; the same ones where nothing is, and
/// for the same faults as a moment ago.
pub(crate) fn influences_as_read(
    meant: &SharedInfluences,
    rig: &Rig,
    faults: &BTreeSet<SkinningFault>,
) -> SharedInfluences {
    static KNOWN: Mutex<VecDeque<KnownAttributes>> = Mutex::new(VecDeque::new());
    if faults.is_empty() {
        return meant.clone();
    }
    let on: Vec<SkinningFault> =
        OF_INFLUENCES.into_iter().filter(|one| faults.contains(one)).collect();
    if on.is_empty() {
        return meant.clone();
    }
    let joint_of_node = joint_of_node(rig);
    let mut all = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    all.retain(|known| !known.meant.is_gone());
    let name = meant.name();
    let same = |known: &KnownAttributes| {
        known.meant.is_same(&name) && known.faults == on && known.joint_of_node == joint_of_node
    };
    if let Some(at) = all.iter().position(same)
        && let Some(known) = all.remove(at)
    {
        let read = known.read.clone();
        all.push_front(known);
        return read;
    }
    let last = last_joint(rig);
    let changed = meant.iter().map(|influences| {
        on.iter().fold(*influences, |influences, &fault| {
            changed(influences, fault, last, &joint_of_node)
        })
    });
    let read: SharedInfluences = changed.collect();
    all.push_front(KnownAttributes { meant: name, faults: on, joint_of_node, read: read.clone() });
    all.truncate(KEPT_ATTRIBUTES);
    read
}

struct KnownAttributes {
    meant: InfluencesName,
    faults: Vec<SkinningFault>,
    joint_of_node: Vec<JointIndex>,
    read: SharedInfluences,
}

/// By the number of a node: its joint. A node that is none gets one past the last,
/// which moves nothing.
fn joint_of_node(rig: &Rig) -> Vec<JointIndex> {
    let past = JointIndex(u16::try_from(rig.skeleton.len()).unwrap_or(u16::MAX));
    match &rig.origin {
        None => rig.skeleton.indices().collect(),
        Some(origin) => {
            let is_joint = |node: usize| {
                let mut skins = origin.graph.skins.iter();
                skins.any(|skin| skin.joints.iter().any(|one| one.index() == node))
            };
            let nodes = origin.graph.nodes.iter().enumerate();
            // Only the first as many as there are joints can be asked for.
            nodes
                .take(rig.skeleton.len())
                .map(|(at, node)| node.joint.filter(|_| is_joint(at)).unwrap_or(past))
                .collect()
        }
    }
}

fn changed(
    mut influences: Influences,
    fault: SkinningFault,
    last: usize,
    joint_of_node: &[JointIndex],
) -> Influences {
    let Influences { joints, weights } = &mut influences;
    match fault {
        SkinningFault::ShortsAsBytes => {
            for set in joints.chunks_exact_mut(SET_LANES) {
                if let [a, b, c, d] = set {
                    let [a_low, a_high] = a.0.to_le_bytes();
                    let [b_low, b_high] = b.0.to_le_bytes();
                    let read = [a_low, a_high, b_low, b_high].map(|byte| JointIndex(byte.into()));
                    [*a, *b, *c, *d] = read;
                }
            }
        }
        SkinningFault::NodeForJoint => {
            for joint in joints {
                *joint = joint_of_node.get(joint.index()).copied().unwrap_or(*joint);
            }
        }
        SkinningFault::JointsOffByOne => {
            for joint in joints {
                joint.0 = joint.0.saturating_sub(1);
            }
        }
        SkinningFault::WeightsRoundedDown => {
            for weight in weights {
                // A weight that is a byte already is that byte.
                *weight = (*weight * 255.0 + 1e-4).floor() / 255.0;
            }
        }
        SkinningFault::InfluencesCut => {
            for weight in weights.iter_mut().skip(2) {
                *weight = 0.0;
            }
        }
        SkinningFault::LastJointLost => {
            for (joint, weight) in joints.iter().zip(weights) {
                if joint.index() == last {
                    *weight = 0.0;
                }
            }
        }
        SkinningFault::IndicesAsFloats => *joints = Default::default(),
        SkinningFault::WeightsNotBound => {
            *weights = Default::default();
            if let Some(fourth) = weights.get_mut(SET_LANES - 1) {
                *fourth = 1.0;
            }
        }
        _ => {}
    }
    influences
}
