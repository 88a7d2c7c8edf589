//! Faults of loaders: a rig and its influences as they are read with known faults.

use std::collections::{BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use bindpose_gltf::{Mesh, Rig};
use bindpose_lesson::SkinningFault;
use bindpose_skin::{
    Channel, ChannelTarget, Clip, Influences, InfluencesName, Interpolation, Joint, JointIndex,
    SET_LANES, SharedInfluences, Skeleton, Track, TrackProperty, Trs,
};
use glam::{Mat4, Quat, Vec3};

use super::switches::last_joint;

/// Faults that change the rig.
const RIG_FAULTS: [SkinningFault; 10] = [
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

/// Maximum number of cached rigs.
const MAX_CACHED_RIGS: usize = 6;

/// Returns the rig as it is read with these faults. Returns the same `Arc` if no fault
/// changes the rig, or if the result is cached.
pub(crate) fn rig_as_read(rig: &Arc<Rig>, faults: &BTreeSet<SkinningFault>) -> Arc<Rig> {
    static CACHE: Mutex<VecDeque<CachedRig>> = Mutex::new(VecDeque::new());
    if faults.is_empty() {
        return Arc::clone(rig);
    }
    let on: Vec<SkinningFault> =
        RIG_FAULTS.into_iter().filter(|one| faults.contains(one)).collect();
    if on.is_empty() {
        return Arc::clone(rig);
    }
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let cached = cache
        .iter()
        .position(|cached: &CachedRig| Arc::ptr_eq(&cached.stored, rig) && cached.faults == on);
    if let Some(at) = cached
        && let Some(cached) = cache.remove(at)
    {
        let read = Arc::clone(&cached.read);
        cache.push_front(cached);
        return read;
    }
    let mut faulty = (**rig).clone();
    for fault in &on {
        apply_rig_fault(&mut faulty, *fault);
    }
    let read = Arc::new(faulty);
    cache.push_front(CachedRig { stored: Arc::clone(rig), faults: on, read: Arc::clone(&read) });
    cache.truncate(MAX_CACHED_RIGS);
    read
}

struct CachedRig {
    stored: Arc<Rig>,
    faults: Vec<SkinningFault>,
    read: Arc<Rig>,
}

fn apply_rig_fault(rig: &mut Rig, fault: SkinningFault) {
    match fault {
        SkinningFault::InverseBindsShifted => change_joints(rig, |joints| {
            let stored: Vec<Mat4> = joints.iter().map(|joint| joint.joint_from_bind).collect();
            let before = std::iter::once(Mat4::IDENTITY).chain(stored);
            for (joint, matrix) in joints.iter_mut().zip(before) {
                joint.joint_from_bind = matrix;
            }
        }),
        SkinningFault::InverseBindsByName => change_joints(rig, |joints| {
            let mut by_name: Vec<(&str, Mat4)> =
                joints.iter().map(|joint| (&*joint.name, joint.joint_from_bind)).collect();
            by_name.sort_by_key(|&(name, _)| name);
            let sorted: Vec<Mat4> = by_name.into_iter().map(|(_, matrix)| matrix).collect();
            for (joint, matrix) in joints.iter_mut().zip(sorted) {
                joint.joint_from_bind = matrix;
            }
        }),
        SkinningFault::InverseBindsByRows => change_joints(rig, |joints| {
            for joint in joints {
                joint.joint_from_bind = joint.joint_from_bind.transpose();
            }
        }),
        SkinningFault::QuaternionsWFirst => {
            change_joints(rig, |joints| {
                for joint in joints {
                    let [x, y, z, w] = joint.parent_from_joint_at_rest.rotation.to_array();
                    joint.parent_from_joint_at_rest.rotation = Quat::from_xyzw(y, z, w, x);
                }
            });
            change_tracks(rig, |track, _| {
                if track.property == TrackProperty::Rotation && track.width == 4 {
                    for numbers in track.values.chunks_exact_mut(4) {
                        numbers.rotate_left(1);
                    }
                }
            });
        }
        SkinningFault::MeshTurned => change_vertices(rig, |p| Vec3::new(p.x, p.z, -p.y), true),
        SkinningFault::MeshMirrored => change_vertices(rig, |p| Vec3::new(-p.x, p.y, p.z), true),
        SkinningFault::MeshHundredfold => change_vertices(rig, |p| 100.0 * p, false),
        SkinningFault::KeysAsChanges => {
            let rest = rig.skeleton.rest_pose().parent_from_joint;
            change_tracks(rig, |track, joint| {
                if let Some(rest) = rest.get(joint.index()) {
                    add_rest(track, rest);
                }
            });
        }
        SkinningFault::ClipHundredfold => change_tracks(rig, |track, _| {
            if track.property == TrackProperty::Translation {
                for number in &mut track.values {
                    *number *= 100.0;
                }
            }
        }),
        SkinningFault::MissingChannelIdentity => {
            let joints = rig.skeleton.len();
            for clip in &mut rig.clips {
                add_missing_channels(clip, joints);
            }
        }
        _ => {}
    }
}

/// Keeps the skeleton if it would be invalid after the change.
fn change_joints(rig: &mut Rig, change: impl FnOnce(&mut [Joint])) {
    let mut joints = rig.skeleton.joints().to_vec();
    change(&mut joints);
    if let Ok(skeleton) = Skeleton::in_any_order(joints) {
        rig.skeleton = skeleton;
    }
}

/// Changes the positions of all vertices and morph targets, and optionally their normals.
fn change_vertices(rig: &mut Rig, change: impl Fn(Vec3) -> Vec3, with_normals: bool) {
    let mut mesh: Mesh = (*rig.mesh).clone();
    let mut lists = vec![&mut mesh.positions];
    lists.extend(mesh.targets.iter_mut().map(|target| &mut target.positions));
    for vector in lists.into_iter().flatten() {
        *vector = change(*vector);
    }
    if with_normals {
        let mut lists = vec![&mut mesh.normals];
        lists.extend(mesh.targets.iter_mut().map(|target| &mut target.normals));
        for vector in lists.into_iter().flatten() {
            *vector = change(*vector);
        }
    }
    rig.mesh = Arc::new(mesh);
}

/// Changes all tracks of joints.
fn change_tracks(rig: &mut Rig, change: impl Fn(&mut Track, JointIndex)) {
    for channel in rig.clips.iter_mut().flat_map(|clip| &mut clip.channels) {
        if let ChannelTarget::Joint(joint) = channel.target {
            let mut track = (*channel.track).clone();
            change(&mut track, joint);
            channel.track = Arc::new(track);
        }
    }
}

/// Applies the keys on top of the rest transform. Keeps the tangents of translations, and
/// transforms those of rotations and scales.
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
                let turned = quaternion_product(rest.rotation, Quat::from_xyzw(*x, *y, *z, *w));
                numbers.copy_from_slice(&turned.to_array());
            }
            _ => {}
        }
    }
}

/// Multiplies quaternions of any length. The product of glam expects unit quaternions.
fn quaternion_product(a: Quat, b: Quat) -> Quat {
    let u = a.xyz();
    let v = b.xyz();
    let xyz = a.w * v + b.w * u + u.cross(v);
    Quat::from_xyzw(xyz.x, xyz.y, xyz.z, a.w * b.w - u.dot(v))
}

/// Adds a channel with an identity key for each property of a joint that has no channel.
fn add_missing_channels(clip: &mut Clip, joint_count: usize) {
    let identity = [
        (TrackProperty::Translation, vec![0.0, 0.0, 0.0]),
        (TrackProperty::Rotation, vec![0.0, 0.0, 0.0, 1.0]),
        (TrackProperty::Scale, vec![1.0, 1.0, 1.0]),
    ];
    for (property, values) in identity {
        let track = Arc::new(Track {
            property,
            interpolation: Interpolation::Step,
            times_secs: vec![0.0],
            width: values.len(),
            values,
        });
        for joint in (0..=u16::MAX).map(JointIndex).take(joint_count) {
            let target = ChannelTarget::Joint(joint);
            let has_channel = clip
                .channels
                .iter()
                .any(|channel| channel.target == target && channel.track.property == property);
            if !has_channel {
                clip.channels.push(Channel { target, track: Arc::clone(&track) });
            }
        }
    }
}

/// Faults that change influences, in the order in which they are applied: those of loaders,
/// then those of shader attributes.
const INFLUENCE_FAULTS: [SkinningFault; 8] = [
    SkinningFault::ShortsAsBytes,
    SkinningFault::NodeForJoint,
    SkinningFault::JointsOffByOne,
    SkinningFault::WeightsRoundedDown,
    SkinningFault::InfluencesCut,
    SkinningFault::LastJointLost,
    SkinningFault::IndicesAsFloats,
    SkinningFault::WeightsNotBound,
];

/// Maximum number of cached lists of influences.
const MAX_CACHED_INFLUENCES: usize = 6;

/// Returns the influences as they are read with these faults. Returns the same list if no
/// fault changes influences, or if the result is cached.
pub(crate) fn influences_as_read(
    meant: &SharedInfluences,
    rig: &Rig,
    faults: &BTreeSet<SkinningFault>,
) -> SharedInfluences {
    static CACHE: Mutex<VecDeque<CachedInfluences>> = Mutex::new(VecDeque::new());
    if faults.is_empty() {
        return meant.clone();
    }
    let on: Vec<SkinningFault> =
        INFLUENCE_FAULTS.into_iter().filter(|one| faults.contains(one)).collect();
    if on.is_empty() {
        return meant.clone();
    }
    let joint_of_node = joint_of_node(rig);
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.retain(|cached| !cached.meant.is_gone());
    let name = meant.name();
    let cached = cache.iter().position(|cached: &CachedInfluences| {
        cached.meant.is_same(&name) && cached.faults == on && cached.joint_of_node == joint_of_node
    });
    if let Some(at) = cached
        && let Some(cached) = cache.remove(at)
    {
        let read = cached.read.clone();
        cache.push_front(cached);
        return read;
    }
    let last = last_joint(rig);
    let read: SharedInfluences = meant
        .iter()
        .map(|influences| {
            on.iter().fold(*influences, |influences, &fault| {
                apply_influence_fault(influences, fault, last, &joint_of_node)
            })
        })
        .collect();
    cache.push_front(CachedInfluences {
        meant: name,
        faults: on,
        joint_of_node,
        read: read.clone(),
    });
    cache.truncate(MAX_CACHED_INFLUENCES);
    read
}

struct CachedInfluences {
    meant: InfluencesName,
    faults: Vec<SkinningFault>,
    joint_of_node: Vec<JointIndex>,
    read: SharedInfluences,
}

/// Returns the joint of each node. Nodes that are no joints get an index past the last joint,
/// which has no effect.
fn joint_of_node(rig: &Rig) -> Vec<JointIndex> {
    let past_last = JointIndex(u16::try_from(rig.skeleton.len()).unwrap_or(u16::MAX));
    match &rig.origin {
        None => rig.skeleton.indices().collect(),
        Some(origin) => {
            // Vertices cannot refer to more nodes than there are joints.
            origin
                .graph
                .nodes
                .iter()
                .take(rig.skeleton.len())
                .enumerate()
                .map(|(index, node)| {
                    let is_joint = origin
                        .graph
                        .skins
                        .iter()
                        .any(|skin| skin.joints.iter().any(|joint| joint.index() == index));
                    node.joint.filter(|_| is_joint).unwrap_or(past_last)
                })
                .collect()
        }
    }
}

fn apply_influence_fault(
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
                // Weights stored as bytes must not be rounded down by an inexact product.
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
