//! A skeleton that is made up, and a clip that moves all of it.

use std::sync::Arc;

use bindpose_gltf::{ClipAt, Mesh, Rig};
use bindpose_skin::{
    Channel, ChannelTarget, Clip, ClipSampler, Interpolation, Joint, JointIndex, Pose, Skeleton,
    Track, TrackProperty, Trs,
};
use glam::{Affine3A, Mat4, Quat, Vec3};

const JOINTS: usize = 300;
const KEYS: usize = 60;
/// Of the clip.
pub(crate) const SECS: f32 = 2.0;

/// Translation, rotation and scale of every joint, at the same times.
pub(crate) struct Played {
    rig: Rig,
    sampler: ClipSampler,
    pose: Pose,
    joint_from_bind: Vec<Mat4>,
    world_from_joint: Vec<Mat4>,
    world_from_bind: Vec<Mat4>,
    plain: Plain,
}

/// What a plain loop has of the same.
struct Plain {
    times_secs: Vec<f32>,
    parents: Vec<Option<usize>>,
    /// By joint and key.
    keys: Vec<Vec<Trs>>,
    joint_from_bind: Vec<Affine3A>,
    world_from_joint: Vec<Affine3A>,
    world_from_bind: Vec<Affine3A>,
    before: usize,
}

impl Played {
    pub(crate) fn new() -> Self {
        let at = |joint: usize, key: usize| {
            let angle = (joint as f32 * 0.7 + key as f32 * 0.2).sin();
            Trs {
                translation: Vec3::new(0.0, 0.1, angle * 0.01),
                rotation: Quat::from_axis_angle(
                    Vec3::new(1.0, angle, 0.3).normalize_or_zero(),
                    angle,
                ),
                scale: Vec3::splat(1.0 + 0.01 * angle),
            }
        };
        let parent = |joint: usize| joint.checked_sub(1).map(|last| last - last % 3);
        let joints = (0..JOINTS).map(|joint| Joint {
            name: String::new(),
            parent: parent(joint).map(|parent| JointIndex(parent as u16)),
            parent_from_joint_at_rest: at(joint, 0),
            joint_from_bind: Mat4::from_translation(Vec3::Y * -0.1 * joint as f32),
        });
        let skeleton = Skeleton::new(joints.collect()).expect("parents stand before children");
        let times_secs: Vec<f32> =
            (0..KEYS).map(|key| SECS * key as f32 / (KEYS - 1) as f32).collect();
        let track = |joint: usize, property: TrackProperty, width: usize| {
            let numbers = (0..KEYS).flat_map(|key| {
                let Trs { translation, rotation, scale } = at(joint, key);
                match property {
                    TrackProperty::Translation => translation.to_array().to_vec(),
                    TrackProperty::Scale => scale.to_array().to_vec(),
                    _ => rotation.to_array().to_vec(),
                }
            });
            Channel {
                target: ChannelTarget::Joint(JointIndex(joint as u16)),
                track: Arc::new(Track {
                    property,
                    interpolation: Interpolation::Linear,
                    times_secs: times_secs.clone(),
                    values: numbers.collect(),
                    width,
                }),
            }
        };
        let channels = (0..JOINTS).flat_map(|joint| {
            [
                track(joint, TrackProperty::Translation, 3),
                track(joint, TrackProperty::Rotation, 4),
                track(joint, TrackProperty::Scale, 3),
            ]
        });
        let clip = Clip { duration_secs: SECS, channels: channels.collect(), ..Clip::default() };
        let mut rig = Rig::new("played", "Played", skeleton, Mesh::default());
        let joint_from_bind = rig.skeleton.joint_from_bind();
        let plain = Plain {
            times_secs,
            parents: (0..JOINTS).map(parent).collect(),
            keys: (0..JOINTS).map(|joint| (0..KEYS).map(|key| at(joint, key)).collect()).collect(),
            joint_from_bind: joint_from_bind
                .iter()
                .map(|&matrix| Affine3A::from_mat4(matrix))
                .collect(),
            world_from_joint: vec![Affine3A::IDENTITY; JOINTS],
            world_from_bind: vec![Affine3A::IDENTITY; JOINTS],
            before: 0,
        };
        let sampler = ClipSampler::new(&clip);
        rig.clips.push(clip);
        Self {
            sampler,
            pose: rig.skeleton.rest_pose(),
            joint_from_bind,
            world_from_joint: Vec::new(),
            world_from_bind: Vec::new(),
            plain,
            rig,
        }
    }

    pub(crate) fn joints(&self) -> usize {
        self.rig.skeleton.len()
    }

    pub(crate) fn ours(&mut self, time_secs: f64) {
        let clip = &self.rig.clips[0];
        let pose = &mut self.pose.parent_from_joint;
        self.sampler.sample(clip, time_secs, pose, &mut []);
        self.rig.skeleton.joint_matrices_into(
            &self.pose,
            &self.joint_from_bind,
            &mut self.world_from_joint,
            &mut self.world_from_bind,
        );
    }

    /// With what a rig does besides: parameters, blending, new lists.
    pub(crate) fn rig(&mut self, time_secs: f64) {
        let clip = ClipAt { clip: 0, time_secs, share: 1.0 };
        let posed = self.rig.posed_in(&[clip], |_| None);
        self.world_from_bind = posed.world_from_bind(&self.rig.skeleton);
    }

    pub(crate) fn nlerp(&mut self, time_secs: f64) {
        self.plain.play(time_secs as f32, Quat::lerp);
    }

    pub(crate) fn slerp(&mut self, time_secs: f64) {
        self.plain.play(time_secs as f32, Quat::slerp);
    }

    /// One of what was computed, so that it cannot be left out.
    pub(crate) fn one(&self) -> (Option<&Mat4>, Affine3A) {
        (self.world_from_bind.last(), self.plain.world_from_bind[JOINTS - 1])
    }
}

impl Plain {
    /// The key of the last frame is where the search begins.
    fn play(&mut self, time_secs: f32, between: impl Fn(Quat, Quat, f32) -> Quat) {
        let times = &self.times_secs;
        if times[self.before] > time_secs {
            self.before = 0;
        }
        while self.before + 2 < times.len() && times[self.before + 1] <= time_secs {
            self.before += 1;
        }
        let (start, end) = (times[self.before], times[self.before + 1]);
        let part = (time_secs - start) / (end - start);
        for (joint, keys) in self.keys.iter().enumerate() {
            let (from, to) = (keys[self.before], keys[self.before + 1]);
            let parent_from_joint = Affine3A::from_scale_rotation_translation(
                from.scale.lerp(to.scale, part),
                between(from.rotation, to.rotation, part),
                from.translation.lerp(to.translation, part),
            );
            let world_from_joint = match self.parents[joint] {
                Some(parent) => self.world_from_joint[parent] * parent_from_joint,
                None => parent_from_joint,
            };
            self.world_from_joint[joint] = world_from_joint;
            self.world_from_bind[joint] = world_from_joint * self.joint_from_bind[joint];
        }
    }
}
