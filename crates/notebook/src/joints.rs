//! The matrices of all joints, with what readers have edited.

use std::collections::BTreeMap;
use std::sync::Arc;

use bindpose_asset::Rig;
use bindpose_lesson::ProgramRun;
use bindpose_skin::{JointIndex, Pose, SkinStage, used_joint_from_bind};
use glam::{Mat4, Vec4};

use super::Document;
use super::faults::{pose_of_palette, put_wrong_matrices, put_wrong_palette, turned_too_far};
use super::param_values::ParamValues;
use super::program_pose;
use super::taken_pose::TakenPose;

/// The matrices of all joints; see the fields of [`super::Derived`].
pub(super) struct JointMatrices {
    pub(super) pose: Pose,
    pub(super) parent_from_joint: Vec<Mat4>,
    pub(super) world_from_joint: Vec<Mat4>,
    pub(super) joint_from_bind: Vec<Mat4>,
    pub(super) replaced_joint_from_bind: BTreeMap<JointIndex, Mat4>,
    pub(super) used_joint_from_bind: Vec<Mat4>,
    pub(super) morph_weights: Vec<f32>,
    pub(super) world_from_bind: Vec<Mat4>,
    /// What became of the program that poses, where there is one.
    pub(super) program_run: Option<ProgramRun>,
    /// The joints that it moved.
    pub(super) program_moves: Vec<JointIndex>,
}

impl JointMatrices {
    /// `taken`: what the pose takes over from another.
    pub(super) fn new(
        document: &Document,
        rig: &Rig,
        values: &ParamValues<'_>,
        taken: &TakenPose,
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
        taken.put_into(&mut posed.pose);
        let ran = values
            .program
            .filter(|_| !taken.is_whole())
            .map(|program| program_pose::pose(program, rig, &mut posed, values));
        let (program_run, program_moves) = ran.unzip();
        let joints = rig.skeleton.indices();
        let parent_from_joint = joints.map(|joint| posed.pose.matrix(joint).unwrap_or_default());
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
        let (mut world_from_joint, mut world_from_bind) = (Vec::new(), Vec::new());
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
        put_wrong_palette(&document.state.faults, &mut world_from_bind);
        edit_texels(document, &mut world_from_bind);
        Self {
            parent_from_joint: parent_from_joint.collect(),
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
}

impl JointMatrices {
    /// What the picture moves vertices with at the document's stage. The mesh's
    /// node has no part in the joints' own spaces.
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

/// Puts edited texels, which are columns, in the place of the computed ones.
fn edit_texels(document: &Document, matrices: &mut [Mat4]) {
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
