//! Bones in the bind pose: straight parts from a joint to each of its children.

use glam::DVec3;

use crate::{JointIndex, Skeleton};

/// The bones of a skeleton in bind space, at least one segment a joint.
#[derive(Clone, Debug)]
pub struct BindBones {
    segments: Vec<BoneSegment>,
}

#[derive(Clone, Copy, Debug)]
struct BoneSegment {
    joint: JointIndex,
    from: DVec3,
    to: DVec3,
}

/// The place on a joint's bone that is nearest to a vertex.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnBone {
    pub(super) joint: JointIndex,
    /// In bind space.
    pub(super) point: DVec3,
    /// To the vertex.
    pub(super) distance: f64,
}

impl BindBones {
    /// A joint's bone reaches to each of its children. One without children goes on in
    /// the direction in which the bone before it led, and is as long as that; a joint
    /// all by itself is a point. A joint whose inverse bind matrix has no inverse
    /// stands where its parent does, or at the origin.
    pub fn new(skeleton: &Skeleton) -> Self {
        let joints = skeleton.joints();
        let mut places = vec![DVec3::ZERO; joints.len()];
        let mut is_parent = vec![false; joints.len()];
        for joint in skeleton.walk().map(JointIndex::index) {
            let parent = joints[joint].parent.map(JointIndex::index);
            let bind_from_joint = joints[joint].joint_from_bind.as_dmat4().inverse();
            let place = bind_from_joint.w_axis.truncate();
            let there = parent.map_or(DVec3::ZERO, |parent| places[parent]);
            places[joint] = if place.is_finite() { place } else { there };
            if let Some(parent) = parent {
                is_parent[parent] = true;
            }
        }
        let mut segments = Vec::with_capacity(joints.len());
        for joint in skeleton.indices() {
            let at = joint.index();
            let parent = joints[at].parent.map(JointIndex::index);
            if let Some(parent) = parent {
                segments.push(BoneSegment {
                    joint: JointIndex(parent as u16),
                    from: places[parent],
                    to: places[at],
                });
            }
            if !is_parent[at] {
                let led = parent.map_or(DVec3::ZERO, |parent| places[at] - places[parent]);
                segments.push(BoneSegment { joint, from: places[at], to: places[at] + led });
            }
        }
        segments.sort_by_key(|segment| segment.joint);
        Self { segments }
    }

    /// How many straight parts.
    pub(super) fn segments(&self) -> usize {
        self.segments.len()
    }

    /// The nearest place of every joint's bone, joints in rising order.
    pub(super) fn nearest(&self, to: DVec3) -> impl Iterator<Item = OnBone> + '_ {
        let bones = self.segments.chunk_by(|a, b| a.joint == b.joint);
        bones.filter_map(move |bone| {
            let places = bone.iter().map(|segment| segment.nearest(to));
            places.min_by(|a, b| a.distance.total_cmp(&b.distance))
        })
    }
}

impl BoneSegment {
    fn nearest(&self, to: DVec3) -> OnBone {
        let along = self.to - self.from;
        let part = (to - self.from).dot(along) / along.length_squared();
        // A bone without length is a point.
        let part = if part.is_finite() { part } else { 0.0 };
        let point = self.from + along * part.clamp(0.0, 1.0);
        OnBone { joint: self.joint, point, distance: point.distance(to) }
    }
}
