//! Matrices of all joints, including the reader's edits.

#[cfg(test)]
mod tests;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_gltf::{Posed, Rig};
use bindpose_lesson::{MatrixKind, Moves, PoseProgram, ProgramRun, Values};
use bindpose_skin::{JointIndex, Pose, SkinStage, Trs, used_joint_from_bind};
use glam::{DMat3, DMat4, DQuat, DVec3, Mat3, Mat4, Vec4};

use super::faults::{pose_of_palette, put_wrong_matrices, put_wrong_palette, turned_too_far};
use super::joint_name::joint_in_formula;
use super::param_values::ParamValues;
use super::{Document, TIME_PARAM};

/// Pose of a rig and the matrices of all its joints.
#[derive(Clone, Debug)]
pub struct JointMatrices {
    /// Local transforms as translation, rotation and scale.
    pub pose: Pose,
    /// Local transforms as matrices.
    pub parent_from_joint: Vec<Mat4>,
    pub world_from_joint: Vec<Mat4>,
    /// Inverse bind matrices with the reader's edits.
    pub joint_from_bind: Vec<Mat4>,
    /// Matrices that were replaced by edits.
    pub replaced_joint_from_bind: BTreeMap<JointIndex, Mat4>,
    /// Inverse bind matrices in use: `joint_from_bind`, the identity, or a
    /// subtraction.
    pub used_joint_from_bind: Vec<Mat4>,
    /// `world_from_joint * used_joint_from_bind`.
    pub world_from_bind: Vec<Mat4>,
    /// Weights of morph targets, by slot.
    pub morph_weights: Vec<f32>,
    /// Result of the program that poses the joints. `None` if the step has
    /// none.
    pub program_run: Option<ProgramRun>,
    /// Joints moved by the program.
    pub(super) program_moves: Vec<JointIndex>,
}

impl JointMatrices {
    /// `taken`: local transforms taken from another rig, by joint.
    pub(super) fn new(
        document: &Document,
        rig: &Rig,
        values: &ParamValues<'_>,
        taken: Option<&[Option<TakenTransform>]>,
    ) -> Self {
        let mut posed =
            rig.posed_by(document.state.playback.between, &document.clips_at(rig), |name| {
                let value = values.get(name)?;
                Some(turned_too_far(&document.state.faults, rig, name, value))
            });
        for (joint, by) in &document.state.joint_moves {
            if let Some(trs) = posed.pose.parent_from_joint.get_mut(joint.index()) {
                *trs = by.on(*trs);
            }
        }
        if let Some(taken) = taken {
            apply_taken(taken, &mut posed.pose);
        }
        let ran = values
            .program
            .filter(|_| taken.is_none())
            .map(|program| run_pose_program(program, rig, &mut posed, values));
        let (program_run, program_moves) = ran.unzip();
        let parent_from_joint = rig
            .skeleton
            .indices()
            .map(|joint| posed.pose.matrix(joint).unwrap_or_default())
            .collect();
        let mut joint_from_bind = posed.joint_from_bind;
        let mut replaced_joint_from_bind = BTreeMap::new();
        for (joint, edit) in &document.state.inverse_binds {
            if let Some(matrix) = joint_from_bind.get_mut(joint.index()) {
                replaced_joint_from_bind.insert(*joint, *matrix);
                *matrix = Mat4::from_cols_array(&edit.0);
            }
        }
        let used_joint_from_bind: Vec<Mat4> = joint_from_bind
            .iter()
            .map(|&matrix| used_joint_from_bind(document.state.inverse_bind, matrix))
            .collect();
        let mut world_from_joint = Vec::new();
        let mut world_from_bind = Vec::new();
        rig.skeleton.joint_matrices_into(
            &posed.pose,
            &used_joint_from_bind,
            &mut world_from_joint,
            &mut world_from_bind,
        );
        put_wrong_matrices(
            &document.state.faults,
            (&rig.skeleton, &posed.pose),
            &used_joint_from_bind,
            &mut world_from_joint,
            &mut world_from_bind,
        );
        if let Some(earlier) = pose_of_palette(document, rig) {
            world_from_bind = Self::new(&earlier, rig, values, taken).world_from_bind;
        }
        put_wrong_palette(&document.state.faults, rig, &mut world_from_bind);
        apply_texel_edits(document, &mut world_from_bind);
        Self {
            parent_from_joint,
            pose: posed.pose,
            world_from_joint,
            joint_from_bind,
            replaced_joint_from_bind,
            used_joint_from_bind,
            morph_weights: posed.morph_weights,
            world_from_bind,
            program_run,
            program_moves: program_moves.unwrap_or_default(),
        }
    }

    /// Computes the matrices that move vertices at the document's stage. The
    /// mesh's node does not affect the joints' own spaces.
    pub(super) fn palette(&self, document: &Document, world_from_mesh_node: Mat4) -> Arc<[Mat4]> {
        let stage = document.state.stage;
        let mut palette: Vec<Mat4> = match stage {
            SkinStage::Posed | SkinStage::Blended => self.world_from_bind.clone(),
            SkinStage::Bind | SkinStage::Joint => {
                let pairs = self.world_from_joint.iter().zip(&self.used_joint_from_bind);
                pairs
                    .map(|(&world_from_joint, &joint_from_bind)| {
                        stage.matrix(world_from_joint, joint_from_bind)
                    })
                    .collect()
            }
        };
        let mesh_node = document.state.mesh_node;
        if stage != SkinStage::Joint {
            for matrix in &mut palette {
                *matrix = mesh_node.moved(world_from_mesh_node, *matrix);
            }
        }
        palette.into()
    }
}

/// Replaces columns of the computed matrices by edited texels.
fn apply_texel_edits(document: &Document, matrices: &mut [Mat4]) {
    for (joint, edits) in &document.state.texels {
        let Some(matrix) = matrices.get_mut(joint.index()) else {
            continue;
        };
        for (column, texel) in edits.0.iter().enumerate() {
            if let Some(texel) = texel {
                *matrix.col_mut(column) = Vec4::from_array(*texel);
            }
        }
    }
}

// Pose programs: rig, parameters and time in, local transforms out.

/// Short name of the time in programs.
const TIME_SHORT: &str = "t";

/// Runs a program and writes the joints that it moves to the pose. A moved
/// joint starts at rest, the others keep their pose. If the program stops
/// early, the moves up to there are kept. Returns the moved joints too.
pub(super) fn run_pose_program(
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
        param: &|name| match (name, values.get_or_default(name)) {
            (TIME_SHORT | TIME_PARAM, None) => Some(values.time_secs()),
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

/// Local transform of a joint, as changed by the program so far.
#[derive(Clone, Copy)]
struct ProgramTransform {
    translation: DVec3,
    rotation: DQuat,
    scale: DVec3,
    /// Remainder of a matrix that is not a rotation with a scale. Applied after
    /// the rotation, in the axes of the parent.
    stretch: DMat3,
    moved: bool,
}

impl ProgramTransform {
    fn of_pose(pose: &Pose, joint: JointIndex) -> Self {
        let trs = pose.parent_from_joint.get(joint.index()).copied().unwrap_or_default();
        let stretch = pose.stretch_in_parent.get(&joint);
        Self {
            translation: trs.translation.as_dvec3(),
            rotation: trs.rotation.as_dquat().normalize(),
            scale: trs.scale.as_dvec3(),
            stretch: stretch.map_or(DMat3::IDENTITY, |stretch| stretch.as_dmat3()),
            moved: false,
        }
    }

    /// Decomposes a matrix into rotation and scale if this loses nothing.
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

/// Values that a program can read while it poses: the joints as moved so far,
/// and of the mesh only stored data.
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
        for above in self.rig.skeleton.ancestors(joint) {
            world_from_joint = self.parent_from_joint(above)? * world_from_joint;
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

/// Values that depend on the finished pose are unavailable. Programs that use
/// them are rejected when parsed.
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

/// A local transform taken from another rig, as in [`Pose`]. The effect of pose
/// programs is included.
#[derive(Clone, Copy, Debug)]
pub(super) struct TakenTransform {
    pub(super) parent_from_joint: Trs,
    pub(super) stretch_in_parent: Option<Mat3>,
}

/// Replaces local transforms of the pose by taken ones, where there are any.
fn apply_taken(taken: &[Option<TakenTransform>], pose: &mut Pose) {
    let joints = (0..).map(JointIndex).zip(&mut pose.parent_from_joint);
    for ((joint, trs), taken) in joints.zip(taken) {
        let Some(taken) = taken else { continue };
        *trs = taken.parent_from_joint;
        pose.stretch_in_parent.remove(&joint);
        if let Some(stretch) = taken.stretch_in_parent {
            pose.stretch_in_parent.insert(joint, stretch);
        }
    }
}
