//! Matrices referenced by lessons: their values, frames, owners and
//! editability, and rows of matrices with operators between them.

use std::borrow::Cow;

use bindpose_gltf::Rig;
use bindpose_lesson::matrix_names::{
    INVERSE_BIND_MATRIX, JOINT_MATRIX, LOCAL_TRANSFORM, WORLD_MATRIX,
};
use bindpose_lesson::number_text::capitalised;
use bindpose_lesson::significant_digits::Magnitude;
use bindpose_lesson::{JointRef, MatrixCell, MatrixRef, VertexRef, significant_digits};
use bindpose_skin::{
    ConventionAxes, Conventions, CoordinateFrame, InverseBind, JointIndex, MeshNodeUse,
    NamedTransform, SkinStage, skin_matrix,
};
use glam::Mat4;

use crate::{Derived, Document, EditError, InfluencePoint, joint_index};

/// Part of the model that a matrix belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MatrixOwner {
    Joint(JointIndex),
    Vertex(u32),
    /// The node of the mesh.
    MeshNode,
}

/// A matrix shown on the page.
#[derive(Clone, Debug, PartialEq)]
pub struct PageMatrix {
    /// Matrix with its two frames.
    pub named: NamedTransform,
    pub owner: MatrixOwner,
    /// Usual name of the matrix.
    pub title: String,
    /// Joint whose inverse bind matrix is edited through it. If `None`, it is
    /// read-only.
    pub editable: Option<JointIndex>,
    /// Stored matrix, if the reader has edited it.
    pub stored: Option<Mat4>,
    /// Remark if the matrix is replaced by another.
    pub note: Option<&'static str>,
    /// Reference used to select it for comparison, if it has one.
    pub reference: Option<MatrixRef>,
    /// Whether buttons select it for comparison.
    pub pins: bool,
}

impl PageMatrix {
    /// Creates a matrix that cannot be edited.
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

    /// Name built from its frames, such as `world from joint 1`.
    pub fn name(&self) -> String {
        format!("{} from {}", self.named.to, self.named.from)
    }

    /// Returns true if the cell was edited.
    pub fn edited(&self, row: usize, column: usize) -> bool {
        self.stored.is_some_and(|stored| stored.col(column)[row] != self.named.mat.col(column)[row])
    }
}

/// Resolves a reference to a joint.
///
/// # Errors
///
/// Fails if the rig has no such joint.
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

/// Returns whether it depends on the selected joint, and whether on the
/// selected vertex.
pub fn follows(reference: &MatrixRef) -> (bool, bool) {
    let joint = reference.joint() == Some(&JointRef::Chosen);
    (joint, *reference == MatrixRef::SkinMatrix(VertexRef::Chosen))
}

/// Resolves a reference to a matrix.
///
/// # Errors
///
/// Fails with a message if the rig has no such joint or vertex.
pub fn resolve(
    reference: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Result<PageMatrix, String> {
    let mut source = find_matrix(reference, document, derived)?;
    // Refer to it by number, so that it stays the same when the selection
    // changes.
    source.reference = Some(match source.owner {
        MatrixOwner::Joint(joint) => reference.of_joint(JointRef::Named(joint.into())),
        MatrixOwner::Vertex(vertex) => MatrixRef::SkinMatrix(VertexRef::Index(vertex)),
        MatrixOwner::MeshNode => MatrixRef::WorldFromMeshNode,
    });
    Ok(source)
}

fn find_matrix(
    reference: &MatrixRef,
    document: &Document,
    derived: &Derived,
) -> Result<PageMatrix, String> {
    let (joint, matrices) = match reference {
        MatrixRef::SkinMatrix(vertex) => return skin_matrix_of_vertex(*vertex, document, derived),
        MatrixRef::WorldFromMeshNode => return Ok(mesh_node_matrix(derived)),
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
            (parent_frame(derived, joint), CoordinateFrame::Joint(joint), LOCAL_TRANSFORM)
        }
        MatrixRef::WorldFromJoint(_) => {
            (CoordinateFrame::World, CoordinateFrame::Joint(joint), WORLD_MATRIX)
        }
        MatrixRef::JointFromBind(_) => {
            (CoordinateFrame::Joint(joint), CoordinateFrame::Bind, INVERSE_BIND_MATRIX)
        }
        MatrixRef::WorldFromBind(_) if document.state.mesh_node == MeshNodeUse::TakenOut => {
            // Rounding errors remain after removing and reapplying the node's
            // transform.
            mat = MeshNodeUse::TakenOut.moved(derived.world_from_mesh_node, mat);
            (CoordinateFrame::World, CoordinateFrame::Bind, JOINT_MATRIX)
        }
        MatrixRef::MeshNodeFromBind(_) => {
            mat = derived.world_from_mesh_node.inverse() * mat;
            (CoordinateFrame::MeshNode, CoordinateFrame::Bind, "seen from the mesh’s node")
        }
        _ => (CoordinateFrame::World, CoordinateFrame::Bind, JOINT_MATRIX),
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

fn mesh_node_matrix(derived: &Derived) -> PageMatrix {
    let named = NamedTransform {
        to: CoordinateFrame::World,
        from: CoordinateFrame::MeshNode,
        mat: derived.world_from_mesh_node,
    };
    PageMatrix::read_only(named, MatrixOwner::MeshNode, WORLD_MATRIX)
}

fn skin_matrix_of_vertex(
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

/// Parent frames are those of joints, so that frames match in products along
/// the hierarchy.
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

/// Inverse bind matrix for a mesh bound to the joints at rest: the inverse of
/// `world_from_joint` with all angles 0 and all scales 1. Returns `None` if it
/// is singular.
pub fn from_bind(derived: &Derived, joint: JointIndex) -> Option<Mat4> {
    let rig = &derived.rig;
    let posed = rig.posed_at_rest(|name| derived.param(name));
    let world_from_joint = *rig.skeleton.world_from_joint(&posed.pose).get(joint.index())?;
    let joint_from_bind = world_from_joint.inverse();
    joint_from_bind.is_finite().then_some(joint_from_bind)
}

// Operators between matrices: products, whose frames must match, and
// differences.

/// Operator between the two matrices of a difference.
pub const MINUS: &str = "−";

/// Operator before a matrix that should equal the product but does not.
pub const NOT_EQUAL: &str = "≠";

/// A matrix in a row, with the operator before it.
#[derive(Clone)]
pub struct OperatorBlock {
    /// `·`, `=`, `≠` or `−`. Empty for the first matrix.
    pub operator: &'static str,
    pub source: PageMatrix,
    /// Role of the matrix in the row.
    pub role: OperatorRole,
    /// Magnitude of its values, which determines their digits.
    pub magnitude: Magnitude,
}

/// Role of a matrix in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperatorRole {
    /// Independent of its neighbours.
    Plain,
    Factor,
    Product,
    /// Difference of the two matrices before it.
    Difference,
}

/// A mismatch between the frames of two neighbouring factors.
#[derive(Clone)]
pub struct BrokenSeam {
    /// Index of the left factor.
    pub left: usize,
    /// Description as a sentence.
    pub words: String,
}

/// Inserts operators between the matrices and computes products and
/// differences.
pub fn with_operators(
    cell: &MatrixCell,
    sources: Vec<PageMatrix>,
    derived: &Derived,
) -> (Vec<OperatorBlock>, Vec<BrokenSeam>) {
    if sources.len() < 2 || !(cell.product || cell.difference) {
        let blocks = sources.into_iter().map(|source| plain_block(source, derived)).collect();
        return (blocks, Vec::new());
    }
    if cell.difference {
        return (difference_row(sources, derived), Vec::new());
    }
    product(sources, derived)
}

/// Builds `A − B = …`. A and B have the same digits, the difference has as many
/// as it needs.
fn difference_row(sources: Vec<PageMatrix>, derived: &Derived) -> Vec<OperatorBlock> {
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

/// Multiplies the factors. If the lesson names the product last, it is shown
/// under that name. A named matrix that has the product's frames but another
/// value is shown after `≠`.
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
    // A matrix between other frames is not the product.
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

/// Creates a matrix that is computed and not stored in the rig.
pub fn computed(named: NamedTransform, like: &PageMatrix, title: &str) -> PageMatrix {
    PageMatrix::read_only(named, like.owner, title)
}

// Rows in other conventions: with row vectors, products are read from left to
// right, and in other axes all values differ.

/// Returns the row in writing order, with values in the axes of the
/// conventions. Borrowed if nothing changes. Transposition for row vectors
/// happens when matrices are drawn, not here.
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
            // Typed values would be in other axes than the stored ones.
            block.source.editable = None;
            block.source.stored = block.source.stored.map(|stored| conventions.axes.of(&stored));
            let units = conventions.axes.units_in_metre();
            block.magnitude = block.magnitude.in_units(units);
        }
    }
    let factors = count_factors(&blocks);
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

/// Index of the matrix that is leftmost for column vectors.
pub fn left_factor(blocks: &[OperatorBlock], conventions: Conventions) -> usize {
    if conventions.has_rows() { count_factors(blocks).saturating_sub(1) } else { 0 }
}

/// A joint matrix of a vertex, and the weight of the joint on it.
pub struct WeightedMatrix {
    pub joint: JointIndex,
    pub weight: f32,
    pub block: OperatorBlock,
}

/// Skin matrix of a vertex as the weighted sum of its joint matrices.
pub struct SkinMatrixSum {
    /// Joint matrices in lane order. Those with weight 0 are left out.
    pub terms: Vec<WeightedMatrix>,
    pub sum: OperatorBlock,
}

impl SkinMatrixSum {
    /// Collects the matrices with which the picture moves a vertex by linear blending.
    pub fn new(vertex: u32, derived: &Derived) -> Self {
        let index = vertex as usize;
        let mut terms = Vec::new();
        for InfluencePoint { joint, weight, .. } in derived.influence_points(index) {
            terms.push(WeightedMatrix { joint, weight, block: moving_matrix(joint, derived) });
        }
        let named = NamedTransform {
            to: CoordinateFrame::World,
            from: CoordinateFrame::Bind,
            mat: derived.vertex_matrix(index),
        };
        let owner = MatrixOwner::Vertex(vertex);
        let source = PageMatrix::read_only(named, owner, "skin matrix");
        Self { terms, sum: plain_block(source, derived) }
    }
}

/// Returns the matrix with which the picture moves what follows a joint alone: the joint matrix,
/// or the inverse bind matrix at the stage *joint*.
pub fn moving_matrix(joint: JointIndex, derived: &Derived) -> OperatorBlock {
    let (to, title) = match derived.stage() {
        SkinStage::Joint => (CoordinateFrame::Joint(joint), "inverse bind matrix"),
        SkinStage::Bind | SkinStage::Posed | SkinStage::Blended => {
            (CoordinateFrame::World, "joint matrix")
        }
    };
    let named = NamedTransform {
        to,
        from: CoordinateFrame::Bind,
        mat: derived.palette.get(joint.index()).copied().unwrap_or(Mat4::IDENTITY),
    };
    let title = format!("{title} of joint {}", joint.0);
    plain_block(PageMatrix::read_only(named, MatrixOwner::Joint(joint), &title), derived)
}

fn plain_block(source: PageMatrix, derived: &Derived) -> OperatorBlock {
    OperatorBlock {
        operator: "",
        magnitude: magnitude(&source, derived),
        source,
        role: OperatorRole::Plain,
    }
}

fn count_factors(blocks: &[OperatorBlock]) -> usize {
    blocks.iter().take_while(|block| block.role == OperatorRole::Factor).count()
}

#[cfg(test)]
mod tests {
    use bindpose_rigs::builtin;
    use bindpose_skin::{Blend, reference};

    use super::*;

    #[test]
    fn skin_matrix_is_the_weighted_sum_of_its_terms() {
        for (rig, angle, vertex, joint_count) in
            [("bone_grid", "b2", 6, 2), ("whale", "tail_1", 1342, 4)]
        {
            let rig = builtin(rig).unwrap();
            let mut document = Document::default();
            document.state.params.insert(angle.to_owned(), 1.25);
            let influences = Derived::edited_influences(&document, &rig);
            let derived = Derived::new(&document, None, &rig, influences);
            let shown = SkinMatrixSum::new(vertex, &derived);
            assert_eq!(shown.terms.len(), joint_count);

            let palette: Vec<_> = derived.palette.iter().map(Mat4::as_dmat4).collect();
            let influences = derived.influences[vertex as usize];
            let expected = reference::skin_matrix(Blend::Linear, &influences, &palette).as_mat4();
            assert!(shown.sum.source.named.mat.abs_diff_eq(expected, 1e-6));
            let terms = shown.terms.iter().map(|term| term.weight * term.block.source.named.mat);
            let sum = terms.fold(Mat4::ZERO, |sum, term| sum + term);
            assert!(sum.abs_diff_eq(expected, 1e-6));
            let stored = derived.stored_positions()[vertex as usize];
            let moved = expected.transform_point3(stored);
            assert!(derived.position(vertex as usize).unwrap().abs_diff_eq(moved, 1e-5));
        }
    }
}
