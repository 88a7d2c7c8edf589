//! A rig: a skeleton, a mesh, and named parameters that pose it.

use std::sync::Arc;

use bindpose_diagnostic::{Diagnostic, Severity};
use bindpose_skin::{
    ChannelTarget, Clip, JointIndex, Pose, RotationInterpolation, Skeleton, TrackProperty,
    put_sample,
};
use glam::{Mat4, Quat, Vec3};

use super::{Mesh, ModelSource, SceneGraph};

/// Something that can be posed and drawn.
#[derive(Clone, Debug, PartialEq)]
pub struct Rig {
    /// Stable name: `bone_grid`, `whale`, ….
    pub id: String,
    /// For people.
    pub title: String,
    /// Joints, rest pose and inverse binds as stored.
    pub skeleton: Skeleton,
    /// Vertices as stored.
    pub mesh: Arc<Mesh>,
    /// What a slider, a lesson or `--set` can change.
    pub params: Vec<Param>,
    /// Drawn flat in the xy plane: lessons start with a front view.
    pub flat: bool,
    /// World transform of the node that carries the mesh. glTF says it must be
    /// ignored for a skinned mesh; lessons show what happens if it is not.
    pub world_from_mesh_node: Mat4,
    /// Motions that came with it.
    pub clips: Vec<Clip>,
    /// Morph weights at rest, by slot.
    pub morph_weights: Vec<f32>,
    /// The file it was read from; `None` for rigs made in memory.
    pub origin: Option<Arc<RigOrigin>>,
}

/// Where a rig came from.
#[derive(Clone, Debug, PartialEq)]
pub struct RigOrigin {
    /// The bytes.
    pub source: ModelSource,
    /// Every node of the file.
    pub graph: SceneGraph,
    /// What was left out when it was read, and what is good to know.
    pub notes: Vec<Diagnostic>,
}

/// A clip at a time, as part of a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ClipAt {
    /// Its place in [`Rig::clips`].
    pub clip: usize,
    /// From the clip's beginning.
    pub time_secs: f64,
    /// Its share; shares of a blend are divided by their sum.
    pub share: f64,
}

/// A number that poses the rig.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Name in lessons, links and on the command line: `b0`, `nod`.
    pub name: String,
    /// For people: `joint 0`, `nod`.
    pub label: String,
    /// What it does.
    pub kind: ParamKind,
    /// Value at the start; radians for angles, 1 for a scale.
    pub default: f64,
    /// Range of its slider; typed values may go beyond it.
    pub range: (f64, f64),
}

/// What a parameter does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamKind {
    /// Turns one joint about an axis of its own, on top of the rest pose.
    Angle {
        /// Which joint.
        joint: JointIndex,
        /// Unit vector in the joint's frame.
        axis: Vec3,
    },
    /// Turns the joint in the bind pose and the rest pose alike: the stored
    /// vertices stay, the inverse bind matrix changes with it.
    BindAngle {
        /// Which joint.
        joint: JointIndex,
        /// Unit vector in the joint's frame.
        axis: Vec3,
    },
    /// Stretches one joint, and all that hangs on it, along one of its axes or
    /// all, on top of the rest pose: 1 leaves it, 0.5 halves it, −1 mirrors it.
    Scale {
        /// Which joint.
        joint: JointIndex,
        /// 0 is x; `None`: all three.
        axis: Option<usize>,
    },
    /// Moves the joint in the bind pose and the rest pose alike, along an axis of
    /// its parent: the stored vertices stay, the inverse bind matrix changes with
    /// it.
    BindShift {
        /// Which joint.
        joint: JointIndex,
        /// 0 is x.
        axis: usize,
    },
    /// Moves the vertices as they are stored; see [`Rig::as_stored`].
    StoredShift {
        /// 0 is x.
        axis: usize,
        /// How far the vertices of this rig have been moved already.
        applied: f32,
    },
    /// Moves the vertices before every inverse bind matrix, and is multiplied
    /// into it: COLLADA's bind shape matrix, as a translation.
    BindShape {
        /// 0 is x.
        axis: usize,
    },
    /// Moves the node that carries the mesh.
    MeshNode(NodePart),
    /// Turns two joints alike, each about its own axis, on top of the rest pose.
    Angles {
        /// Which joints.
        joints: [JointIndex; 2],
        /// Unit vector in the frame of each.
        axis: Vec3,
    },
    /// How far all joints have come on their way from rest to where the
    /// parameters before it put them, 0 to 1: places and factors straight,
    /// rotations by slerp.
    RestToPose,
    /// Is added to a morph weight.
    Morph {
        /// Which of [`Rig::morph_weights`].
        slot: usize,
    },
}

/// What is done to a node, on top of what it is as stored.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum NodePart {
    /// Along an axis of the world; 0 is x.
    Shift(usize),
    /// About an axis of the node.
    Turn(Vec3),
    /// In all directions; a factor.
    Size,
}

impl Rig {
    /// A rig of joints and vertices, without parameters, clips or a file.
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
    /// Which joint it moves, the first of several; `None` for morph weights and
    /// for what moves all.
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

    /// Stored in radians and shown in degrees?
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

/// A rig with its parameters applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Posed {
    /// Local transforms.
    pub pose: Pose,
    /// Inverse bind matrices, before any edit by the learner.
    pub joint_from_bind: Vec<Mat4>,
    /// Morph weights, by slot.
    pub morph_weights: Vec<f32>,
}

impl Posed {
    /// Joint matrices: what moves the vertices that follow a joint.
    pub fn world_from_bind(&self, skeleton: &Skeleton) -> Vec<Mat4> {
        let (mut world_from_joint, mut world_from_bind) = (Vec::new(), Vec::new());
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
    /// What it lost when it was read: parts of the file that were left out, and all that
    /// is to be said of its clips. Nothing for rigs made in memory.
    pub fn left_out(&self) -> impl Iterator<Item = &Diagnostic> {
        let notes = self.origin.iter().flat_map(|origin| &origin.notes);
        notes.filter(|note| {
            note.severity != Severity::Note || note.at.pointer().starts_with("/animations")
        })
    }

    /// Joints of each skin that has some, in the order of its list: what a palette of the
    /// file is in the order of. Of a rig without skins, all joints as one.
    pub fn skins(&self) -> Vec<Vec<JointIndex>> {
        let graph = self.origin.as_ref().map(|origin| &origin.graph);
        let skins = graph.map_or(&[][..], |graph| &graph.skins).iter();
        let skins: Vec<Vec<JointIndex>> =
            skins.filter(|skin| !skin.ours.is_empty()).map(|skin| skin.ours.clone()).collect();
        if skins.is_empty() { vec![self.skeleton.indices().collect()] } else { skins }
    }

    /// Has a clip keys, for something that is there?
    pub fn is_moved_by(&self, clip: &Clip) -> bool {
        clip.channels.iter().any(|channel| {
            let is_there = match channel.target {
                ChannelTarget::Joint(_) => true,
                ChannelTarget::Morphs(first) => {
                    let slots = first..first + channel.track.width;
                    let targets = &self.mesh.targets;
                    targets.iter().any(|target| slots.contains(&target.slot))
                }
            };
            is_there && !channel.track.key_times().is_empty()
        })
    }

    /// The parameter of that name.
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The angle parameters of this rig: what the pseudo-parameter `all` sets.
    pub fn angles(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| {
            let kind = &param.kind;
            matches!(kind, ParamKind::Angle { .. } | ParamKind::Angles { .. })
        })
    }

    /// The parameters that are added to morph weights.
    pub fn morphs(&self) -> impl Iterator<Item = &Param> {
        self.params.iter().filter(|param| matches!(param.kind, ParamKind::Morph { .. }))
    }

    /// Joint matrices with parameter values applied, as [`Self::posed`] does.
    pub fn world_from_bind(&self, value: impl Fn(&str) -> Option<f64>) -> Vec<Mat4> {
        self.posed(value).world_from_bind(&self.skeleton)
    }

    /// Applies parameter values to the rest pose. `value` answers for a name with
    /// radians or a factor, or with `None` for the default.
    pub fn posed(&self, value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed_in(&[], value)
    }

    /// Applies clips, and then parameter values on top of them.
    pub fn posed_in(&self, clips: &[ClipAt], value: impl Fn(&str) -> Option<f64>) -> Posed {
        self.posed_by(RotationInterpolation::Slerp, clips, value)
    }

    /// As [`Self::posed_in`], with another way between two rotations.
    pub fn posed_by(
        &self,
        between: RotationInterpolation,
        clips: &[ClipAt],
        value: impl Fn(&str) -> Option<f64>,
    ) -> Posed {
        let mut bind = self.skeleton.rest_pose();
        let mut rebound = false;
        for param in &self.params {
            let value = value(&param.name).unwrap_or(param.default);
            match param.kind {
                ParamKind::BindAngle { joint, axis } => turn(&mut bind, joint, axis, value),
                ParamKind::BindShift { joint, axis } => shift(&mut bind, joint, axis, value),
                _ => continue,
            }
            rebound |= value != 0.0;
        }
        let mut joint_from_bind = self.skeleton.joint_from_bind();
        if rebound {
            // The turned joints, and all below them, are bound anew where the
            // stored bind pose would have them after the turn.
            let rest = self.skeleton.world_from_joint(&self.skeleton.rest_pose());
            let turned = self.skeleton.world_from_joint(&bind);
            for (index, matrix) in joint_from_bind.iter_mut().enumerate() {
                let bind_from_joint = matrix.inverse() * rest[index].inverse() * turned[index];
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
        let mut pose = bind;
        self.play(between, clips, &mut pose, &mut morph_weights);
        for param in &self.params {
            let value = value(&param.name).unwrap_or(param.default);
            match param.kind {
                ParamKind::Angle { joint, axis } => turn(&mut pose, joint, axis, value),
                ParamKind::Angles { joints, axis } => {
                    for joint in joints {
                        turn(&mut pose, joint, axis, value);
                    }
                }
                ParamKind::RestToPose => from_rest_to_pose(&mut pose, &self.skeleton, value),
                ParamKind::Scale { joint, axis } => stretch(&mut pose, joint, axis, value),
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

    /// Puts clips in the place of what they move; several are blended by their
    /// shares. What a clip leaves alone is at rest in it.
    fn play(
        &self,
        between: RotationInterpolation,
        clips: &[ClipAt],
        pose: &mut Pose,
        morph_weights: &mut [f32],
    ) {
        let known = clips.iter().filter(|at| at.clip < self.clips.len());
        let known = known.filter(|at| at.share > 0.0);
        if let [only] = clips
            && known.clone().next().is_some()
        {
            let clip = &self.clips[only.clip];
            play_one(clip, only.time_secs, between, pose, morph_weights);
            return;
        }
        let rest = (pose.clone(), morph_weights.to_vec());
        let mut shares = 0.0;
        for at in known {
            let (mut other, mut other_weights) = rest.clone();
            let clip = &self.clips[at.clip];
            play_one(clip, at.time_secs, between, &mut other, &mut other_weights);
            shares += at.share;
            let amount = at.share / shares;
            if amount >= 1.0 {
                *pose = other;
            } else {
                pose.blend(&other, amount, between);
            }
            for (mine, theirs) in morph_weights.iter_mut().zip(&other_weights) {
                *mine += (theirs - *mine) * amount as f32;
            }
        }
    }
}

fn play_one(
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

fn turn(pose: &mut Pose, joint: JointIndex, axis: Vec3, angle_rad: f64) {
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

fn shift(pose: &mut Pose, joint: JointIndex, axis: usize, distance: f64) {
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
        trs.translation[axis % 3] += distance as f32;
    }
}

fn from_rest_to_pose(pose: &mut Pose, skeleton: &Skeleton, part: f64) {
    let part = part.clamp(0.0, 1.0);
    for (trs, joint) in pose.parent_from_joint.iter_mut().zip(skeleton.joints()) {
        *trs = joint.parent_from_joint_at_rest.blended(*trs, part, RotationInterpolation::Slerp);
    }
}

fn stretch(pose: &mut Pose, joint: JointIndex, axis: Option<usize>, factor: f64) {
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.index()) {
        match axis {
            Some(axis) => trs.scale[axis % 3] *= factor as f32,
            None => trs.scale *= factor as f32,
        }
    }
}
