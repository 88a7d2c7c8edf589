//! A rig: a skeleton, a mesh, and named parameters that pose it.

use std::sync::Arc;

use glam::{Mat4, Quat, Vec3};

use super::Mesh;
use crate::skin::{JointIndex, Pose, Skeleton};

/// Parameters beyond ±this are refused: a hundred turns is more than any lesson
/// asks for, and far below where an f32 angle loses its digits.
pub const PARAM_LIMIT: f64 = 1000.0;

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
    /// Range of its slider; typed values may go beyond it, up to
    /// [`PARAM_LIMIT`].
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
}

impl ParamKind {
    /// Which joint it moves.
    #[must_use]
    pub fn joint(self) -> JointIndex {
        match self {
            Self::Angle { joint, .. }
            | Self::BindAngle { joint, .. }
            | Self::Scale { joint, .. } => joint,
        }
    }

    /// Stored in radians and shown in degrees?
    #[must_use]
    pub fn is_angle(self) -> bool {
        matches!(self, Self::Angle { .. } | Self::BindAngle { .. })
    }
}

/// A rig with its parameters applied.
#[derive(Clone, Debug, PartialEq)]
pub struct Posed {
    /// Local transforms.
    pub pose: Pose,
    /// Inverse bind matrices, before any edit by the learner.
    pub joint_from_bind: Vec<Mat4>,
}

impl Rig {
    /// The parameter of that name.
    #[must_use]
    pub fn param(&self, name: &str) -> Option<&Param> {
        self.params.iter().find(|param| param.name == name)
    }

    /// The angle parameters of this rig: what the pseudo-parameter `all` sets.
    pub fn angles(&self) -> impl Iterator<Item = &Param> {
        self.params
            .iter()
            .filter(|param| matches!(param.kind, ParamKind::Angle { .. }))
    }

    /// Applies parameter values. `value` answers for a name with radians or a
    /// factor, or with `None` for the default.
    #[must_use]
    pub fn posed(&self, value: impl Fn(&str) -> Option<f64>) -> Posed {
        let mut bind = self.skeleton.rest_pose();
        let mut rebound = false;
        for param in &self.params {
            if let ParamKind::BindAngle { joint, axis } = param.kind {
                let angle_rad = value(&param.name).unwrap_or(param.default);
                rebound |= angle_rad != 0.0;
                turn(&mut bind, joint, axis, angle_rad);
            }
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
        let mut pose = bind;
        for param in &self.params {
            let value = value(&param.name).unwrap_or(param.default);
            match param.kind {
                ParamKind::Angle { joint, axis } => turn(&mut pose, joint, axis, value),
                ParamKind::Scale { joint, axis } => stretch(&mut pose, joint, axis, value),
                ParamKind::BindAngle { .. } => {}
            }
        }
        Posed {
            pose,
            joint_from_bind,
        }
    }
}

fn turn(pose: &mut Pose, joint: JointIndex, axis: Vec3, angle_rad: f64) {
    if angle_rad == 0.0 {
        return;
    }
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.at()) {
        let rotation = glam::DQuat::from_axis_angle(axis.as_dvec3(), angle_rad);
        *trs = trs.turned(Quat::from_xyzw(
            rotation.x as f32,
            rotation.y as f32,
            rotation.z as f32,
            rotation.w as f32,
        ));
    }
}

fn stretch(pose: &mut Pose, joint: JointIndex, axis: Option<usize>, factor: f64) {
    if let Some(trs) = pose.parent_from_joint.get_mut(joint.at()) {
        match axis {
            Some(axis) => trs.scale[axis % 3] *= factor as f32,
            None => trs.scale *= factor as f32,
        }
    }
}
