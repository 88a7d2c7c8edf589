//! Matrices as a lesson names them: from the name to numbers, frames, what it belongs
//! to and whether it can be edited now, and several in a row with operators between them.

use std::borrow::Cow;

use bindpose_asset::Rig;
use bindpose_lesson::{JointRef, MatrixCell, MatrixRef, VertexRef};
use bindpose_skin::{
    ConventionAxes, Conventions, CoordinateFrame, InverseBind, JointIndex, MeshNodeUse,
    NamedTransform, skin_matrix,
};
use glam::Mat4;

use crate::number_text::capitalised;
use crate::significant_digits::Magnitude;
use crate::{Derived, Document, EditError, joint_index, significant_digits};

/// What the columns of a matrix say.
pub const COLUMN_MEANINGS: [&str; 4] =
    ["x axis goes to", "y axis goes to", "z axis goes to", "origin goes to"];

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
        MatrixRef::ParentFromJoint(joint) => (joint, &derived.joints.parent_from_joint),
        MatrixRef::WorldFromJoint(joint) => (joint, &derived.joints.world_from_joint),
        MatrixRef::JointFromBind(joint) => (joint, &derived.joints.used_joint_from_bind),
        MatrixRef::WorldFromBind(joint) | MatrixRef::MeshNodeFromBind(joint) => {
            (joint, &derived.joints.world_from_bind)
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
        MatrixRef::WorldFromBind(_) if document.state.mesh_node == MeshNodeUse::TakenOut => {
            // What is left when the node was taken out and put in again.
            mat = MeshNodeUse::TakenOut.moved(derived.world_from_mesh_node, mat);
            (CoordinateFrame::World, CoordinateFrame::Bind, "joint matrix")
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
        mat: skin_matrix(influences, &derived.joints.world_from_bind),
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

// Operators between matrices: products, whose frames must meet, and
// differences.

/// Between A and B.
pub const MINUS: &str = "−";

/// Before a matrix that should be the product of those before it, and is not.
pub const NOT_EQUAL: &str = "≠";

/// One thing in the row.
#[derive(Clone)]
pub struct OperatorBlock {
    /// Written before it: `·`, `=`, `≠`, `−`; nothing for the first.
    pub operator: &'static str,
    /// The matrix.
    pub source: PageMatrix,
    /// Its part in the row.
    pub role: OperatorRole,
    /// How large its numbers are.
    pub magnitude: Magnitude,
}

/// What a matrix of the row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorRole {
    /// Stands by itself.
    Plain,
    /// Is multiplied.
    Factor,
    /// What comes of that.
    Product,
    /// Of the two before it.
    Difference,
}

/// Two touching frames that differ.
#[derive(Clone)]
pub struct BrokenSeam {
    /// Index of the left factor.
    pub left: usize,
    /// What does not meet, as a sentence.
    pub words: String,
}

/// Puts operators between the matrices and works out products and differences.
pub fn with_operators(
    cell: &MatrixCell,
    sources: Vec<PageMatrix>,
    derived: &Derived,
) -> (Vec<OperatorBlock>, Vec<BrokenSeam>) {
    let plain = |source: PageMatrix| OperatorBlock {
        operator: "",
        magnitude: magnitude(&source, derived),
        source,
        role: OperatorRole::Plain,
    };
    if sources.len() < 2 || !(cell.product || cell.difference) {
        return (sources.into_iter().map(plain).collect(), Vec::new());
    }
    if cell.difference {
        return (difference(sources, derived), Vec::new());
    }
    product(sources, derived)
}

/// `A − B = …`: A and B with the same digits, what is between them with those it
/// needs.
fn difference(sources: Vec<PageMatrix>, derived: &Derived) -> Vec<OperatorBlock> {
    let [a, b] = [&sources[0], &sources[1]];
    let size = derived.size_in(a.named.to);
    let compared = magnitude(a, derived).and(magnitude(b, derived));
    let mat = significant_digits::difference(&a.named.mat, &b.named.mat, size);
    let between = computed(NamedTransform { mat, ..a.named }, a, "A − B");
    let own = Magnitude::from_matrix(&mat, 0.0).beside(compared);
    let roles = [OperatorRole::Plain, OperatorRole::Plain, OperatorRole::Difference];
    let blocks = sources.into_iter().take(2).chain([between]).zip(roles);
    blocks
        .zip(["", MINUS, "="])
        .map(|((source, role), operator)| OperatorBlock {
            operator,
            source,
            role,
            magnitude: match role {
                OperatorRole::Difference => own,
                _ => compared,
            },
        })
        .collect()
}

fn magnitude(source: &PageMatrix, derived: &Derived) -> Magnitude {
    let size = derived.size_in(source.named.to);
    Magnitude::from_matrix(&source.named.mat, size)
}

/// The product of all factors; where the lesson names it last, by that name. What it
/// names and is not their product, though its frames are, stands as it is.
pub fn product(
    mut sources: Vec<PageMatrix>,
    derived: &Derived,
) -> (Vec<OperatorBlock>, Vec<BrokenSeam>) {
    let stated = if sources.len() > 2 { sources.pop() } else { None };
    let mut seams = Vec::new();
    let mut result = sources[0].named;
    for (left, source) in sources.iter().enumerate().skip(1) {
        result = match result.times(&source.named) {
            Ok(product) => product,
            Err(mismatch) => {
                seams.push(BrokenSeam {
                    left: left - 1,
                    words: format!("{}.", capitalised(&mismatch.to_string())),
                });
                mismatch.product
            }
        };
    }
    let size = derived.size_in(result.to);
    let magnitude_of_result = Magnitude::from_matrix(&result.mat, size);
    // Between other frames it is another matrix.
    let stated = stated.filter(|stated| {
        seams.is_empty() && (stated.named.to, stated.named.from) == (result.to, result.from)
    });
    let is_product = stated.as_ref().is_none_or(|PageMatrix { named, .. }| {
        magnitude_of_result.are_near(&named.mat, &result.mat, 1e-3)
            || !named.mat.is_finite() && !result.mat.is_finite()
    });
    let result = stated.unwrap_or_else(|| computed(result, &sources[0], "product"));
    let factors = sources.into_iter().enumerate().map(|(index, source)| OperatorBlock {
        operator: if index == 0 { "" } else { "·" },
        magnitude: magnitude(&source, derived),
        source,
        role: OperatorRole::Factor,
    });
    let (operator, role) =
        if is_product { ("=", OperatorRole::Product) } else { (NOT_EQUAL, OperatorRole::Plain) };
    let result = OperatorBlock { operator, source: result, role, magnitude: magnitude_of_result };
    (factors.chain([result]).collect(), seams)
}

/// What no rig stores.
pub fn computed(named: NamedTransform, like: &PageMatrix, title: &str) -> PageMatrix {
    PageMatrix::read_only(named, like.owner, title)
}

// The matrices of a row as they are written down: for row vectors a product is read
// from the left to the right, and in other axes all numbers are other ones.

/// In the order in which they are written, with their numbers in the axes of whoever
/// writes; lent, where that changes nothing. Rows and columns stay those of the matrices:
/// what transposes them is where they are drawn.
pub fn row_as_written<'a>(
    blocks: &'a [OperatorBlock],
    seams: &'a [BrokenSeam],
    conventions: Conventions,
) -> (Cow<'a, [OperatorBlock]>, Cow<'a, [BrokenSeam]>) {
    let mut blocks = Cow::Borrowed(blocks);
    let mut seams = Cow::Borrowed(seams);
    if conventions.axes != ConventionAxes::Gltf {
        for block in blocks.to_mut() {
            let named = &mut block.source.named;
            named.mat = conventions.axes.of(&named.mat);
            // Typed numbers would be of other axes than those that are stored.
            block.source.editable = None;
            block.source.stored = block.source.stored.map(|stored| conventions.axes.of(&stored));
            let units = conventions.axes.units_in_metre();
            block.magnitude = block.magnitude.in_units(units);
        }
    }
    let factors = factors(&blocks);
    if conventions.has_rows() && factors > 1 {
        let turned = &mut blocks.to_mut()[..factors];
        turned.reverse();
        for (place, block) in turned.iter_mut().enumerate() {
            block.operator = if place == 0 { "" } else { "·" };
        }
        for seam in seams.to_mut() {
            seam.left = (factors - 2).saturating_sub(seam.left);
        }
    }
    (blocks, seams)
}

/// Where the matrix stands that is the left one for column vectors.
pub fn left_factor(blocks: &[OperatorBlock], conventions: Conventions) -> usize {
    if conventions.has_rows() { factors(blocks).saturating_sub(1) } else { 0 }
}

fn factors(blocks: &[OperatorBlock]) -> usize {
    let is_factor = |block: &&OperatorBlock| block.role == OperatorRole::Factor;
    blocks.iter().take_while(is_factor).count()
}
