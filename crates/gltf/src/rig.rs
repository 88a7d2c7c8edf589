//! Rigs: a skeleton and a mesh, with animation clips and named parameters that pose them.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{
    ChannelTarget, Clip, JointIndex, Pose, RotationInterpolation, Skeleton, TrackProperty,
    put_sample,
};
use glam::{Mat4, Quat, Vec3};

use super::{Mesh, ModelSource, SceneGraph};

/// A skinned model that can be posed and drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Stable identifier in links and settings, such as `bone_grid` or `whale`.
    pub id: String,
    /// Name shown to the user.
    pub title: String,
    /// Joints, rest pose and inverse bind matrices as stored.
    pub skeleton: Skeleton,
    /// Mesh in bind space, with vertices as stored.
    pub mesh: Arc<Mesh>,
    /// Parameters that sliders, lessons and `--set` can change.
    pub params: Vec<Param>,
    /// Whether the model lies in the xy plane, so that lessons start with a front view.
    pub flat: bool,
    /// World transform of the node that carries the mesh. glTF requires that it is ignored
    /// for a skinned mesh. Lessons show the effect of applying it.
    pub world_from_mesh_node: Mat4,
    /// Animation clips of the file.
    pub clips: Vec<Clip>,
    /// Morph weights at rest, by slot.
    pub morph_weights: Vec<f32>,
    /// The file that the rig was read from. `None` for rigs made in memory.
    pub origin: Option<Arc<RigOrigin>>,
}

/// The file that a rig was read from.
#[derive(Clone, Debug, PartialEq)]
pub struct RigOrigin {
    /// Bytes of the model and of the files beside it.
    pub source: ModelSource,
    /// All nodes of the file, including those that are no joints.
    pub graph: SceneGraph,
    /// Notes of the reader: skipped parts of the file, and remarks.
    pub notes: Vec<Diagnostic>,
}

/// A clip at a point in time, with its weight in a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipAt {
    /// Index into [`Rig::clips`].
    pub clip: usize,
    /// Seconds since the beginning of the clip.
    pub time_secs: f64,
    /// Blend weight. The weights of a blend are divided by their sum.
    pub share: f64,
}

/// A named number that poses the rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name in lessons, links and on the command line, such as `b0` or `nod`.
    pub name: String,
    /// Label shown to the user, such as `joint 0` or `nod`.
    pub label: String,
    /// Effect of the parameter on the rig.
    pub kind: ParamKind,
    /// Initial value: radians for angles, 1 for a scale.
    pub default: f64,
    /// Minimum and maximum of its slider. Typed values may exceed it.
    pub range: (f64, f64),
}

/// Effect of a parameter on the rig.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// Rotates one joint about an axis of its own frame, on top of the rest pose.
    Angle {
        /// Joint that is rotated.
        joint: JointIndex,
        /// Unit vector in the joint's frame.
        axis: Vec3,
    },
    /// Rotates one joint in the bind pose and in the rest pose. The stored vertices stay in
    /// place, the inverse bind matrix changes with the joint.
    BindAngle {
        /// Joint that is rotated.
        joint: JointIndex,
        /// Unit vector in the joint's frame.
        axis: Vec3,
    },
    /// Scales one joint and its descendants along one of its axes, or along all of them, on
    /// top of the rest pose. 1 is the rest pose, −1 mirrors.
    Scale {
        /// Joint that is scaled.
        joint: JointIndex,
        /// 0 for x, 1 for y, 2 for z. `None` scales all three.
        axis: Option<usize>,
    },
    /// Moves one joint in the bind pose and in the rest pose, along an axis of its parent.
    /// The stored vertices stay in place, the inverse bind matrix changes with the joint.
    BindShift {
        /// Joint that is moved.
        joint: JointIndex,
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
    },
    /// Moves the stored vertices. See [`Rig::as_stored`].
    StoredShift {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
        /// Distance by which the vertices of this rig have been moved already.
        applied: f32,
    },
    /// Translates the vertices before the inverse bind matrix is applied, like COLLADA's
    /// bind shape matrix. Is multiplied into every inverse bind matrix.
    BindShape {
        /// 0 for x, 1 for y, 2 for z.
        axis: usize,
    },
    /// Moves the node that carries the mesh.
    MeshNode(NodePart),
    /// Rotates two joints by the same angle, each about an axis of its own frame, on top of
    /// the rest pose.
    Angles {
        /// Joints that are rotated.
        joints: [JointIndex; 2],
        /// Unit vector in the frame of each joint.
        axis: Vec3,
    },
    /// Blends all joints between the rest pose (0) and the pose that the preceding
    /// parameters give (1): translations and scales linearly, rotations by slerp.
    RestToPose,
    /// Adds its value to a morph weight.
    Morph {
        /// Index into [`Rig::morph_weights`].
        slot: usize,
    },
}

/// Part of a node's transform that a parameter changes, relative to the stored transform.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodePart {
    /// Translation along an axis of the world: 0 for x, 1 for y, 2 for z.
    Shift(usize),
    /// Rotation about an axis in the frame of the node.
    Turn(Vec3),
    /// Uniform scale factor about the node's origin.
    Size,
}

impl Rig {
    /// Creates a rig of a skeleton and a mesh, without parameters, clips or origin.
    pub fn new(id: &str, title: &str, skeleton: Skeleton, mesh: Mesh) -> Self {
        Self {
            id: id.to_owned(),
            title: title.to_owned(),
            skeleton,
            mesh: Arc::new(mesh),
            params: Vec::new(),
            flat: false,
            world_from_mesh_node: Mat4::IDENTITY,
            clips: Vec::new(),
            morph_weights: Vec::new(),
            origin: None,
        }
    }
}

impl ParamKind {
    /// Returns the joint that the parameter moves, or the first of two. Returns `None` if it
    /// changes a morph weight, the whole mesh or all joints.
    pub fn joint(self) -> Option<JointIndex> {
        match self {
            Self::Angle { joint, .. }
            | Self::Angles { joints: [joint, _], .. }
            | Self::BindAngle { joint, .. }
            | Self::BindShift { joint, .. }
            | Self::Scale { joint, .. } => Some(joint),
            Self::StoredShift { .. }
            | Self::BindShape { .. }
            | Self::MeshNode(_)
            | Self::Morph { .. }
            | Self::RestToPose => None,
        }
    }

    /// Returns whether the value is an angle, stored in radians and shown in degrees.
    pub fn is_angle(self) -> bool {
        matches!(
            self,
            Self::Angle { .. }
                | Self::Angles { .. }
                | Self::BindAngle { .. }
                | Self::MeshNode(NodePart::Turn(_))
        )
    }
}

/// Pose of a rig after clips and parameters have been applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Posed {
    /// Local transform of every joint.
    pub pose: Pose,
    /// Inverse bind matrices, before any edit by the learner.
    pub joint_from_bind: Vec<Mat4>,
    /// Morph weights by slot, with parameters added.
    pub morph_weights: Vec<f32>,
}

impl Posed {
    /// Joint matrices: what moves the vertices that follow a joint.
    pub fn world_from_bind(&self, skeleton: &Skeleton) -> Vec<Mat4> {
        let mut world_from_joint = Vec::new();
        let mut world_from_bind = Vec::new();
        skeleton.joint_matrices_into(
            &self.pose,
            &self.joint_from_bind,
            &mut world_from_joint,
            &mut world_from_bind,
        );
        world_from_bind
    }
}

impl Rig {
    /// Returns the notes on losses while reading: skipped parts of the file, and all notes
    /// on clips. Empty for rigs made in memory.
    pub fn left_out(&self) -> impl Iterator<Item = &Diagnostic> {
        let notes = self.origin.iter().flat_map(|origin| &origin.notes);
        notes.filter(|note| {
            note.severity != Severity::Note || note.at.pointer().starts_with("/animations")
        })
    }

    /// Returns the joints of each skin, in the skin's order, which is also the order of its
    /// palette. Skins without joints are left out. A rig without skins counts as one skin of
    /// all its joints.
    pub fn skins(&self) -> Vec<Vec<JointIndex>> {
        let skins: Vec<Vec<JointIndex>> = self
            .origin
            .iter()
            .flat_map(|origin| &origin.graph.skins)
            .filter(|skin| !skin.ours.is_empty())
            .map(|skin| skin.ours.clone())
            .collect();
        if skins.is_empty() { vec![self.skeleton.indices().collect()] } else { skins }
    }

    /// Returns whether a clip has keys for a joint or a morph target of this rig.
    pub fn is_moved_by(&self, clip: &Clip) -> bool {
        clip.channels.iter().any(|channel| {
            let has_target = match channel.target {
                ChannelTarget::Joint(_) => true,
                ChannelTarget::Morphs(first) => {
                    let slots = first..first + channel.track.width;
                    self.mesh.targets.iter().any(|target| slots.contains(&target.slot))
                }
            };
            has_target && !channel.track.key_times().is_empty()
        })
    }

    /// Returns the parameter with the given name, if there is one.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// Returns the parameters that the pseudo-parameter `all` sets: the angles of joints.
    pub fn angles(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| {
            matches!(param.kind, ParamKind::Angle { .. } | ParamKind::Angles { .. })
        })
    }

    /// Returns the parameters that are added to morph weights.
    pub fn morphs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| matches!(param.kind, ParamKind::Morph { .. }))
    }

    /// Computes the joint matrices with parameter values applied. See [`Self::posed`].
    pub fn world_from_bind(&self, value: impl Fn(&str) -> Option<f64>) -> Vec<Mat4> {
        self.posed(value).world_from_bind(&self.skeleton)
    }

    /// Applies parameter values to the rest pose.
    ///
    /// `value` returns the value of a parameter by name, as radians or a factor, or `None`
    /// for the default.
    pub fn posed(&self, value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed_in(&[], value)
    }

    /// Applies clips, and parameter values on top of them. See [`Self::posed`] for `value`.
    pub fn posed_in(&self, clips: &[ClipAt], value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed_by(RotationInterpolation::Slerp, clips, value)
    }

    /// Like [`Self::posed_in`], with a choice of the interpolation of rotations.
    pub fn posed_by(
        &self,
        between: RotationInterpolation,
        clips: &[ClipAt],
        value: impl Fn(&str) -> Option<f64>,
    ) -> Posed {
        let mut bind_pose = self.skeleton.rest_pose();
        let mut bind_changed = false;
        for param in &self.params {
            let value = value(&param.name).unwrap_or(param.default);
            match param.kind {
                ParamKind::BindAngle { joint, axis } => {
                    rotate_joint(&mut bind_pose, joint, axis, value);
                }
                ParamKind::BindShift { joint, axis } => {
                    translate_joint(&mut bind_pose, joint, axis, value);
                }
                _ => continue,
            }
            bind_changed |= value != 0.0;
        }
        let mut joint_from_bind = self.skeleton.joint_from_bind();
        if bind_changed {
            // Apply the change of each joint's world transform to its bind transform.
            let before = self.skeleton.world_from_joint(&self.skeleton.rest_pose());
            let after = self.skeleton.world_from_joint(&bind_pose);
            for (index, matrix) in joint_from_bind.iter_mut().enumerate() {
                let bind_from_joint = matrix.inverse() * before[index].inverse() * after[index];
                *matrix = bind_from_joint.inverse();
            }
        }
        let bind_shape = self.bind_shape(&value);
        if bind_shape != Vec3::ZERO {
            for matrix in &mut joint_from_bind {
                *matrix *= Mat4::from_translation(bind_shape);
            }
        }
        let mut morph_weights = self.morph_weights.clone();
        let mut pose = bind_pose;
        self.apply_clips(between, clips, &mut pose, &mut morph_weights);
        for param in &self.params {
            let value = value(&param.name).unwrap_or(param.default);
            match param.kind {
                ParamKind::Angle { joint, axis } => rotate_joint(&mut pose, joint, axis, value),
                ParamKind::Angles { joints, axis } => {
                    for joint in joints {
                        rotate_joint(&mut pose, joint, axis, value);
                    }
                }
                ParamKind::RestToPose => blend_from_rest(&mut pose, &self.skeleton, value),
                ParamKind::Scale { joint, axis } => scale_joint(&mut pose, joint, axis, value),
                ParamKind::Morph { slot } => {
                    if let Some(weight) = morph_weights.get_mut(slot) {
                        *weight += value as f32;
                    }
                }
                ParamKind::BindAngle { .. }
                | ParamKind::BindShift { .. }
                | ParamKind::StoredShift { .. }
                | ParamKind::BindShape { .. }
                | ParamKind::MeshNode(_) => {}
            }
        }
        Posed { pose, joint_from_bind, morph_weights }
    }

    /// Replaces the transforms and weights that the clips animate. Several clips are
    /// blended by their shares. Joints that a clip does not animate are at rest in it.
    fn apply_clips(
        &self,
        between: RotationInterpolation,
        clips: &[ClipAt],
        pose: &mut Pose,
        morph_weights: &mut [f32],
    ) {
        let is_valid = |at: &&ClipAt| at.clip < self.clips.len() && at.share > 0.0;
        if let [only] = clips
            && is_valid(&only)
        {
            let clip = &self.clips[only.clip];
            apply_clip(clip, only.time_secs, between, pose, morph_weights);
            return;
        }
        let rest_pose = pose.clone();
        let rest_weights = morph_weights.to_vec();
        let mut share_sum = 0.0;
        for at in clips.iter().filter(is_valid) {
            let mut clip_pose = rest_pose.clone();
            let mut clip_weights = rest_weights.clone();
            let clip = &self.clips[at.clip];
            apply_clip(clip, at.time_secs, between, &mut clip_pose, &mut clip_weights);
            share_sum += at.share;
            let amount = at.share / share_sum;
            if amount >= 1.0 {
                *pose = clip_pose;
            } else {
                pose.blend(&clip_pose, amount, between);
            }
            for (weight, clip_weight) in morph_weights.iter_mut().zip(&clip_weights) {
                *weight += (clip_weight - *weight) * amount as f32;
            }
        }
    }
}

fn apply_clip(
    clip: &Clip,
    time_secs: f64,
    between: RotationInterpolation,
    pose: &mut Pose,
    morph_weights: &mut [f32],
) {
    if between == RotationInterpolation::Slerp {
        bindpose_skin::sample_clip(clip, time_secs, &mut pose.parent_from_joint, morph_weights);
        return;
    }
    let mut sample = Vec::new();
    for channel in &clip.channels {
        let track = &channel.track;
        track.sample_by(between, time_secs, &mut sample);
        match channel.target {
            ChannelTarget::Joint(joint) => {
                if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
                    put_sample(trs, track.property, &sample);
                }
                if between == RotationInterpolation::Matrix
                    && let Some(linear) = track.lerped_matrix(time_secs)
                {
                    pose.stretch_to(joint, linear);
                }
            }
            ChannelTarget::Morphs(first) if track.property == TrackProperty::Weights => {
                let slots = morph_weights.iter_mut().skip(first);
                for (slot, &weight) in slots.zip(&sample) {
                    *slot = weight as f32;
                }
            }
            ChannelTarget::Morphs(_) => {}
        }
    }
}

fn rotate_joint(pose: &mut Pose, joint: JointIndex, axis: Vec3, angle_rad: f64) {
    if angle_rad == 0.0 {
        return;
    }
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
        let rotation = glam::DQuat::from_axis_angle(axis.as_dvec3(), angle_rad);
        *trs = trs.turned(Quat::from_xyzw(
            rotation.x as f32,
            rotation.y as f32,
            rotation.z as f32,
            rotation.w as f32,
        ));
    }
}

fn translate_joint(pose: &mut Pose, joint: JointIndex, axis: usize, distance: f64) {
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
        trs.translation[axis % 3] += distance as f32;
    }
}

fn blend_from_rest(pose: &mut Pose, skeleton: &Skeleton, amount: f64) {
    let amount = amount.clamp(0.0, 1.0);
    for (trs, joint) in pose.parent_from_joint.iter_mut().zip(skeleton.joints()) {
        let rest = joint.parent_from_joint_at_rest;
        *trs = rest.blended(*trs, amount, RotationInterpolation::Slerp);
    }
}

fn scale_joint(pose: &mut Pose, joint: JointIndex, axis: Option<usize>, factor: f64) {
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
        match axis {
            Some(axis) => trs.scale[axis % 3] *= factor as f32,
            None => trs.scale *= factor as f32,
        }
    }
}
