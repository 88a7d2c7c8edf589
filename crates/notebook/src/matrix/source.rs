//! From a matrix's name in a lesson to the matrix: numbers, frames, what it
//! belongs to, and whether it can be edited now.

use bindpose_asset::Rig;
use bindpose_lesson::{JointRef, MatrixRef, VertexRef};
use bindpose_skin::{CoordinateFrame, InverseBind, JointIndex, NamedTransform, skin_matrix};
use glam::Mat4;

use crate::{Derived, Document, EditError, joint_index};

/// What a matrix belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixOwner {
    /// A joint.
    Joint(JointIndex),
    /// A vertex.
    Vertex(u32),
    /// The node that carries the mesh.
    MeshNode,
}

/// A matrix on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageMatrix {
    /// Its numbers and its two frames.
    pub named: NamedTransform,
    /// What it belongs to.
    pub owner: MatrixOwner,
    /// What the field calls it.
    pub title: String,
    /// Edits go to this joint's inverse bind matrix; `None`: read only.
    pub editable: Option<JointIndex>,
    /// As the rig stores it, when the reader has edited it.
    pub stored: Option<Mat4>,
    /// What is not as it should be.
    pub note: Option<&'static str>,
    /// By what name it can be compared; `None`: it has none.
    pub reference: Option<MatrixRef>,
    /// Are there buttons that put it into the comparison?
    pub pins: bool,
}

impl PageMatrix {
    /// One that nobody edits.
    pub fn read_only(named: NamedTransform, owner: MatrixOwner, title: &str) -> Self {
        Self {
            named,
            owner,
            title: title.to_owned(),
            editable: None,
            stored: None,
            note: None,
            reference: None,
            pins: false,
        }
    }

    /// `world from joint 1`
    pub fn name(&self) -> String {
        format!("{} from {}", self.named.to, self.named.from)
    }

    /// Was the cell at (row, column) edited?
    pub fn edited(&self, row: usize, column: usize) -> bool {
        self.stored.is_some_and(|stored| stored.col(column)[row] != self.named.mat.col(column)[row])
    }
}

/// The joint meant.
///
/// Fails when the rig has no such joint.
pub fn joint_of(
    reference: &JointRef,
    document: &Document,
    rig: &Rig,
) -> Result<JointIndex, EditError> {
    match reference {
        JointRef::Named(joint) => joint_index(joint, rig),
        JointRef::Chosen => joint_index(&document.state.joint.into(), rig),
    }
}

/// Does it follow the chosen joint, the chosen vertex?
pub fn follows(reference: &MatrixRef) -> (bool, bool) {
    let joint = reference.joint() == Some(&JointRef::Chosen);
    (joint, *reference == MatrixRef::SkinMatrix(VertexRef::Chosen))
}

/// Finds the matrix.
///
/// Errors: in words, when the rig has no such joint or vertex.
pub fn resolve(
    reference: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Result<PageMatrix, String> {
    let mut source = found(reference, document, derived)?;
    // By number, whatever is chosen later.
    source.reference = Some(match source.owner {
        MatrixOwner::Joint(joint) => reference.of_joint(JointRef::Named(joint.into())),
        MatrixOwner::Vertex(vertex) => MatrixRef::SkinMatrix(VertexRef::Index(vertex)),
        MatrixOwner::MeshNode => MatrixRef::WorldFromMeshNode,
    });
    Ok(source)
}

fn found(
    reference: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Result<PageMatrix, String> {
    let (joint, matrices) = match reference {
        MatrixRef::SkinMatrix(vertex) => return of_vertex(*vertex, document, derived),
        MatrixRef::WorldFromMeshNode => return Ok(of_mesh_node(derived)),
        MatrixRef::ParentFromJoint(joint) => (joint, &derived.parent_from_joint),
        MatrixRef::WorldFromJoint(joint) => (joint, &derived.world_from_joint),
        MatrixRef::JointFromBind(joint) => (joint, &derived.used_joint_from_bind),
        MatrixRef::WorldFromBind(joint) | MatrixRef::MeshNodeFromBind(joint) => {
            (joint, &derived.world_from_bind)
        }
    };
    let joint = joint_of(joint, document, &derived.rig).map_err(|refused| refused.plain_words())?;
    let mut mat = matrices.get(joint.index()).copied().unwrap_or_default();
    let (to, from, title) = match reference {
        MatrixRef::ParentFromJoint(_) => {
            (parent_frame(derived, joint), CoordinateFrame::Joint(joint), "local transform")
        }
        MatrixRef::WorldFromJoint(_) => {
            (CoordinateFrame::World, CoordinateFrame::Joint(joint), "global transform")
        }
        MatrixRef::JointFromBind(_) => {
            (CoordinateFrame::Joint(joint), CoordinateFrame::Bind, "inverse bind matrix")
        }
        MatrixRef::MeshNodeFromBind(_) => {
            mat = derived.world_from_mesh_node.inverse() * mat;
            (CoordinateFrame::MeshNode, CoordinateFrame::Bind, "seen from the mesh’s node")
        }
        _ => (CoordinateFrame::World, CoordinateFrame::Bind, "joint matrix"),
    };
    let is_inverse_bind = matches!(reference, MatrixRef::JointFromBind(_));
    let named = NamedTransform { to, from, mat };
    let mut source = PageMatrix::read_only(named, MatrixOwner::Joint(joint), title);
    if is_inverse_bind {
        match document.state.inverse_bind {
            InverseBind::Inverse => {
                source.editable = Some(joint);
                if document.state.inverse_binds.contains_key(&joint) {
                    source.stored = stored_joint_from_bind(derived, joint);
                }
            }
            InverseBind::LeftOut => source.note = Some("left out: identity"),
            InverseBind::Subtract => source.note = Some("subtracted: translation only"),
        }
    }
    Ok(source)
}

fn of_mesh_node(derived: &Derived) -> PageMatrix {
    let named = NamedTransform {
        to: CoordinateFrame::World,
        from: CoordinateFrame::MeshNode,
        mat: derived.world_from_mesh_node,
    };
    PageMatrix::read_only(named, MatrixOwner::MeshNode, "global transform")
}

fn of_vertex(
    vertex: VertexRef,
    document: &Document,
    derived: &Derived,
) -> Result<PageMatrix, String> {
    let vertex = match vertex {
        VertexRef::Index(vertex) => vertex,
        VertexRef::Chosen => document.state.vertex,
    };
    let influences = derived.influences.get(vertex as usize).ok_or_else(|| {
        format!("There is no vertex {vertex}; this rig has {}.", derived.influences.len())
    })?;
    let named = NamedTransform {
        to: CoordinateFrame::World,
        from: CoordinateFrame::Bind,
        mat: skin_matrix(influences, &derived.world_from_bind),
    };
    let owner = MatrixOwner::Vertex(vertex);
    Ok(PageMatrix::read_only(named, owner, "skin matrix"))
}

/// Parents are joints, so that products down the hierarchy have meeting frames.
fn parent_frame(derived: &Derived, joint: JointIndex) -> CoordinateFrame {
    derived
        .rig
        .skeleton
        .joints()
        .get(joint.index())
        .and_then(|joint| joint.parent)
        .map_or(CoordinateFrame::World, CoordinateFrame::Joint)
}

fn stored_joint_from_bind(derived: &Derived, joint: JointIndex) -> Option<Mat4> {
    let posed = derived.rig.posed(|name| derived.param(name));
    posed.joint_from_bind.get(joint.index()).copied()
}

/// What the inverse bind matrix should be if the mesh was bound to the joints
/// as they stand at rest: the inverse of `world_from_joint` with all angles at
/// 0 and all scales at 1. `None` when that has no inverse.
pub fn from_bind(derived: &Derived, joint: JointIndex) -> Option<Mat4> {
    let rig = &derived.rig;
    let posed = rig.posed_at_rest(|name| derived.param(name));
    let world_from_joint = *rig.skeleton.world_from_joint(&posed.pose).get(joint.index())?;
    let joint_from_bind = world_from_joint.inverse();
    joint_from_bind.is_finite().then_some(joint_from_bind)
}
