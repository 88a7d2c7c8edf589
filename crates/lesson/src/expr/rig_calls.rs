//! What the rig gives to formulas: its matrices and points, with their frames.

use bindpose_skin::CoordinateFrame;
use glam::{DMat4, DVec3};

use super::arguments::Arguments;
use super::error::EvalError;
use super::functions::{MatrixKind, OfRig};
use super::value::{FormulaValue, Matrix, Vector3, VectorKind};

impl OfRig {
    /// Does it need the global transform of a joint?
    pub(super) fn reads_world(self) -> bool {
        matches!(self, Self::MeshNodeFromBind)
    }
}

/// A matrix of the joint that the first argument names, with its frames.
pub(super) fn matrix_of(arguments: &Arguments<'_>, kind: MatrixKind) -> Result<Matrix, EvalError> {
    let joint = arguments.joint()?;
    let mat = arguments.joint_matrix(kind, joint)?;
    let own = Some(CoordinateFrame::Joint(joint));
    let (to, from) = match kind {
        MatrixKind::ParentFromJoint => {
            let parent = arguments.values.parent(joint);
            (Some(parent.map_or(CoordinateFrame::World, CoordinateFrame::Joint)), own)
        }
        MatrixKind::WorldFromJoint => (Some(CoordinateFrame::World), own),
        MatrixKind::JointFromBind | MatrixKind::StoredJointFromBind => {
            (own, Some(CoordinateFrame::Bind))
        }
        MatrixKind::WorldFromBind => (Some(CoordinateFrame::World), Some(CoordinateFrame::Bind)),
    };
    Ok(Matrix { mat, to, from })
}

/// A function with its arguments.
pub(super) fn value(arguments: &Arguments<'_>, function: OfRig) -> Result<FormulaValue, EvalError> {
    let values = arguments.values;
    Ok(match function {
        OfRig::Bind => bind_from_joint(arguments)?,
        OfRig::Parent => {
            let joint = arguments.joint()?;
            let parent = values
                .parent(joint)
                .ok_or(EvalError::NoParent { joint: joint.index(), column: arguments.column })?;
            FormulaValue::Number(f64::from(parent.0))
        }
        OfRig::HasParent => {
            let has = values.parent(arguments.joint()?).is_some();
            FormulaValue::Number(f64::from(u8::from(has)))
        }
        OfRig::MeshNodeFromBind => {
            let world_from_bind =
                arguments.joint_matrix(MatrixKind::WorldFromBind, arguments.joint()?)?;
            let mesh_node_from_world = arguments.inverse(world_from_mesh_node(arguments))?;
            between(
                mesh_node_from_world * world_from_bind,
                (CoordinateFrame::MeshNode, CoordinateFrame::Bind),
            )
        }
        OfRig::WorldFromMeshNode => between(
            world_from_mesh_node(arguments),
            (CoordinateFrame::World, CoordinateFrame::MeshNode),
        ),
        OfRig::SkinMatrix => {
            let matrix = arguments.of_vertex(|vertex| values.skin_matrix(vertex))?;
            between(matrix.as_dmat4(), (CoordinateFrame::World, CoordinateFrame::Bind))
        }
        OfRig::Skinned => {
            let position = arguments.of_vertex(|vertex| values.position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::World)
        }
        OfRig::Stored => {
            let position = arguments.of_vertex(|vertex| values.bind_position(vertex))?;
            point(position.as_dvec3(), CoordinateFrame::Bind)
        }
    })
}

fn bind_from_joint(arguments: &Arguments<'_>) -> Result<FormulaValue, EvalError> {
    let joint = arguments.joint()?;
    let stored = arguments.joint_matrix(MatrixKind::StoredJointFromBind, joint)?;
    let frames = (CoordinateFrame::Bind, CoordinateFrame::Joint(joint));
    Ok(between(arguments.inverse(stored)?, frames))
}

fn world_from_mesh_node(arguments: &Arguments<'_>) -> DMat4 {
    let known = arguments.values.world_from_mesh_node();
    // What has no page has no mesh either.
    known.unwrap_or_default().as_dmat4()
}

fn between(mat: DMat4, (to, from): (CoordinateFrame, CoordinateFrame)) -> FormulaValue {
    FormulaValue::Mat4(Matrix { mat, to: Some(to), from: Some(from) })
}

fn point(xyz: DVec3, frame: CoordinateFrame) -> FormulaValue {
    FormulaValue::Vec3(Vector3 { xyz, kind: VectorKind::Point, frame: Some(frame) })
}
