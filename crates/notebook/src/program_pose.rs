//! A program that poses: rig, parameters and time in, local transforms out.

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};

use bindpose_asset::{Posed, Rig};
use bindpose_lesson::{MatrixKind, Moves, PoseProgram, ProgramRun, Values};
use bindpose_skin::{JointIndex, Pose, Trs};
use glam::{DMat3, DMat4, DQuat, DVec3, Mat4};

use super::TIME;
use super::joint_name::joint_in_formula;
use super::param_values::ParamValues;

/// What programs call the time too.
const T: &str = "t";

/// Runs it and puts what it moved into the pose: a joint that it moves begins at rest,
/// the others stay as they were posed. Where it stops before its end, what it had done
/// stays. With the joints that it moved.
pub(super) fn pose(
    program: &PoseProgram,
    rig: &Rig,
    posed: &mut Posed,
    values: &ParamValues<'_>,
) -> (ProgramRun, Vec<JointIndex>) {
    let rest = rig.posed_at_rest(|name| values.get(name)).pose;
    let joints = rig.skeleton.indices();
    let locals = joints.map(|joint| ProgramTransform::of_pose(&posed.pose, joint));
    let page = ProgramPage {
        rig,
        param: &|name| match (name, values.named(name)) {
            (T | TIME, None) => Some(values.time_secs()),
            (_, known) => known,
        },
        joint_from_bind: &posed.joint_from_bind,
        rest: &rest,
        locals: RefCell::new(locals.collect()),
        depth: Cell::new(None),
    };
    let run = program.run(&page, &page);
    let locals = page.locals.into_inner();
    let mut moved = Vec::new();
    for (joint, local) in rig.skeleton.indices().zip(locals) {
        if local.moved {
            local.put_into(&mut posed.pose, joint);
            moved.push(joint);
        }
    }
    (run, moved)
}

/// The local transform of a joint, as the program has made it so far.
#[derive(Clone, Copy)]
struct ProgramTransform {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    /// What is applied after the rotation, in the axes of the parent: of a matrix that
    /// is no rotation with a scale.
    stretch: DMat3,
    moved: bool,
}

impl ProgramTransform {
    fn of_pose(pose: &Pose, joint: JointIndex) -> Self {
        let trs = pose.parent_from_joint.get(joint.index());
        let trs = trs.copied().unwrap_or_default();
        let stretch = pose.stretch_in_parent.get(&joint);
        Self {
            translation: trs.translation.as_dvec3(),
            rotation: trs.rotation.as_dquat().normalize(),
            scale: trs.scale.as_dvec3(),
            stretch: stretch.map_or(DMat3::IDENTITY, |stretch| stretch.as_dmat3()),
            moved: false,
        }
    }

    /// Taken apart, where it can be put together again.
    fn of_matrix(matrix: DMat4) -> Self {
        let translation = matrix.w_axis.truncate();
        let linear = DMat3::from_mat4(matrix);
        let (scale, rotation, _) = matrix.to_scale_rotation_translation();
        let whole = DMat3::from_quat(rotation) * DMat3::from_diagonal(scale);
        let size = linear.x_axis.length() + linear.y_axis.length() + linear.z_axis.length();
        if rotation.is_normalized() && whole.abs_diff_eq(linear, 1e-9 * size) {
            return Self { translation, rotation, scale, stretch: DMat3::IDENTITY, moved: true };
        }
        Self {
            translation,
            rotation: DQuat::IDENTITY,
            scale: DVec3::ONE,
            stretch: linear,
            moved: true,
        }
    }

    fn matrix(&self) -> DMat4 {
        let linear =
            self.stretch * DMat3::from_quat(self.rotation) * DMat3::from_diagonal(self.scale);
        let mut matrix = DMat4::from_mat3(linear);
        matrix.w_axis = self.translation.extend(1.0);
        matrix
    }

    fn put_into(&self, pose: &mut Pose, joint: JointIndex) {
        let finite = self.matrix().as_mat4().is_finite();
        if let Some(trs) = pose.parent_from_joint.get_mut(joint.index())
            && finite
        {
            *trs = Trs {
                translation: self.translation.as_vec3(),
                rotation: self.rotation.as_quat().normalize(),
                scale: self.scale.as_vec3(),
            };
            if self.stretch == DMat3::IDENTITY {
                pose.stretch_in_parent.remove(&joint);
            } else {
                let stretch = self.stretch.as_mat3();
                pose.stretch_in_parent.insert(joint, stretch);
            }
        }
    }
}

/// What a program sees while it poses: the joints as it has moved them so far, and
/// nothing of the mesh but where it is stored.
struct ProgramPage<'a> {
    rig: &'a Rig,
    param: &'a dyn Fn(&str) -> Option<f64>,
    joint_from_bind: &'a [Mat4],
    rest: &'a Pose,
    locals: RefCell<Vec<ProgramTransform>>,
    depth: Cell<Option<u32>>,
}

impl ProgramPage<'_> {
    fn change(&self, joint: JointIndex, change: impl FnOnce(&mut ProgramTransform)) {
        let mut locals = self.locals.borrow_mut();
        if let Some(local) = locals.get_mut(joint.index()) {
            if !local.moved {
                *local = ProgramTransform::of_pose(self.rest, joint);
                local.moved = true;
            }
            change(local);
        }
    }

    fn parent_from_joint(&self, joint: JointIndex) -> Option<DMat4> {
        self.locals.borrow().get(joint.index()).map(ProgramTransform::matrix)
    }

    fn world_from_joint(&self, joint: JointIndex) -> Option<DMat4> {
        let mut world_from_joint = self.parent_from_joint(joint)?;
        let mut next = self.parent(joint);
        while let Some(parent) = next {
            world_from_joint = self.parent_from_joint(parent)? * world_from_joint;
            next = self.parent(parent);
        }
        Some(world_from_joint)
    }
}

impl Moves for ProgramPage<'_> {
    fn rotate(&self, joint: JointIndex, rotation: DQuat) {
        self.change(joint, |local| {
            local.rotation = (local.rotation * rotation).normalize();
        });
    }

    fn translate(&self, joint: JointIndex, by: DVec3) {
        self.change(joint, |local| local.translation += by);
    }

    fn scale(&self, joint: JointIndex, by: DVec3) {
        self.change(joint, |local| local.scale *= by);
    }

    fn put_local(&self, joint: JointIndex, parent_from_joint: DMat4) {
        self.change(joint, |local| *local = ProgramTransform::of_matrix(parent_from_joint));
    }

    fn depth(&self) -> u32 {
        let depth = self.depth.get().unwrap_or_else(|| {
            let mut depths = vec![0_u32; self.rig.skeleton.len()];
            for joint in self.rig.skeleton.walk() {
                let parent = self.parent(joint);
                depths[joint.index()] = 1 + parent.map_or(0, |parent| depths[parent.index()]);
            }
            depths.into_iter().max().unwrap_or(0)
        });
        self.depth.set(Some(depth));
        depth
    }
}

/// What follows from the pose is not there before it; programs that ask for it are refused
/// where they are read.
impl Values for ProgramPage<'_> {
    fn param(&self, name: &str) -> Option<f64> {
        (self.param)(name)
    }

    fn matrix(&self, kind: MatrixKind, joint: JointIndex) -> Option<Mat4> {
        let joint_from_bind = self.joint_from_bind.get(joint.index()).copied();
        match kind {
            MatrixKind::ParentFromJoint => self.parent_from_joint(joint).map(|mat| mat.as_mat4()),
            MatrixKind::WorldFromJoint => self.world_from_joint(joint).map(|mat| mat.as_mat4()),
            MatrixKind::JointFromBind | MatrixKind::StoredJointFromBind => joint_from_bind,
            MatrixKind::WorldFromBind => {
                let world_from_joint = self.world_from_joint(joint)?.as_mat4();
                Some(world_from_joint * joint_from_bind?)
            }
        }
    }

    fn joint_named(&self, name: &str) -> Option<JointIndex> {
        joint_in_formula(name, self.rig)
    }

    fn joints(&self) -> usize {
        self.rig.joint_count()
    }

    fn rows(&self) -> usize {
        self.rig.skeleton.len()
    }

    fn vertices(&self) -> usize {
        self.rig.mesh.positions.len()
    }

    fn crowd(&self) -> u32 {
        1
    }

    fn parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.rig.skeleton.joints().get(joint.index())?.parent
    }
}
