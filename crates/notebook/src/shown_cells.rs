//! Sliders, matrices and vertices that the cells of a step show. Bench and shelf leave them out.

use bindpose_lesson::{
    AnglesCell, Cell, CellKind, JointRef, MatrixRef, Show, VertexCell, VertexRef,
};
use bindpose_skin::{Blend, Influences, JointIndex, SkinStage};

use super::matrix::joint_of;
use super::{Derived, Document};

/// Returns true if an angles cell has a slider for the parameter. `is_of_rig` is false for
/// parameters of the lesson.
pub fn has_slider(cell: &AnglesCell, param: &str, is_of_rig: bool) -> bool {
    cell.params.iter().any(|name| name == param) || cell.params.is_empty() && is_of_rig
}

/// Returns true if one of the cells shows the matrix of this kind for `joint`: a matrix cell, or
/// the sum of a vertex's joint matrices. `of_chosen` is the matrix of the chosen joint.
pub fn shows_joint_matrix<'a>(
    cells: impl IntoIterator<Item = &'a Cell>,
    of_chosen: &MatrixRef,
    joint: JointIndex,
    document: &Document,
    derived: &Derived,
) -> bool {
    cells.into_iter().any(|cell| match &cell.kind {
        CellKind::Matrix(cell) => cell.show.iter().any(|shown| {
            let name = shown.joint();
            shown.of_joint(JointRef::Chosen) == *of_chosen
                && name.is_some_and(|name| joint_of(name, document, &derived.rig) == Ok(joint))
        }),
        CellKind::Vertex(cell) => {
            *of_chosen == MatrixRef::WorldFromBind(JointRef::Chosen)
                && sums_joint_matrix(cell, joint, document, derived)
        }
        _ => false,
    })
}

/// Returns true if the cell shows the joint matrix as a term of a sum of matrices.
fn sums_joint_matrix(
    cell: &VertexCell,
    joint: JointIndex,
    document: &Document,
    derived: &Derived,
) -> bool {
    let vertex = cell.vertex.unwrap_or(document.state.vertex) as usize;
    cell.matrices
        && derived.blend == Blend::Linear
        && derived.stage() == SkinStage::Blended
        && derived
            .influences
            .get(vertex)
            .is_some_and(|influences| influences.used().any(|(_, follows, _)| follows == joint))
}

/// Returns true if a vertex was chosen or one of the cells shows the chosen vertex.
pub fn shows_chosen_vertex<'a>(
    cells: impl IntoIterator<Item = &'a Cell>,
    document: &Document,
) -> bool {
    document.state.vertex != 0
        || cells.into_iter().any(|cell| match &cell.kind {
            CellKind::Weights(_) => true,
            CellKind::Vertex(vertex) => vertex.vertex.is_none(),
            CellKind::Matrix(matrix) => {
                matrix.show.contains(&MatrixRef::SkinMatrix(VertexRef::Chosen))
            }
            CellKind::Viewport(viewport) => {
                let show = document.state.show.as_ref().or(viewport.show.as_ref());
                show.is_some_and(|show| show.contains(&Show::Microscope))
            }
            _ => false,
        })
}

/// Returns the vertex that the joint shares most evenly with others.
///
/// If it shares none, returns the vertex that any joints share most evenly. The first of
/// equals is returned. Returns `None` if there are no weights.
pub fn shared_vertex(influences: &[Influences], joint: JointIndex) -> Option<u32> {
    vertex_with_max(influences, |influences| evenness(influences, joint))
        .or_else(|| {
            vertex_with_max(influences, |influences| evenness(influences, influences.strongest()))
        })
        .or_else(|| vertex_with_max(influences, Influences::sum))
}

/// Returns the first vertex with the largest score. Returns `None` if no score is
/// positive.
fn vertex_with_max(influences: &[Influences], score: impl Fn(&Influences) -> f32) -> Option<u32> {
    let mut max_score = 0.0;
    let mut best_vertex = None;
    for (influences, vertex) in influences.iter().zip(0_u32..) {
        let score = score(influences);
        if score > max_score {
            max_score = score;
            best_vertex = Some(vertex);
        }
    }
    best_vertex
}

/// Returns the smaller of the joint's weight and the sum of the other weights.
fn evenness(influences: &Influences, joint: JointIndex) -> f32 {
    let mut joint_weight = 0.0_f32;
    let mut other_weight = 0.0_f32;
    for (_, other, weight) in influences.used() {
        if other == joint {
            joint_weight += weight.max(0.0);
        } else {
            other_weight += weight.max(0.0);
        }
    }
    joint_weight.min(other_weight)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influences(weights: &[(u16, f32)]) -> Influences {
        let pairs: Vec<_> =
            weights.iter().map(|&(joint, weight)| (JointIndex(joint), weight)).collect();
        Influences::new(&pairs)
    }

    #[test]
    fn finds_the_vertex_that_a_joint_shares_most_evenly() {
        let all = [
            influences(&[(0, 1.0)]),
            influences(&[(0, 0.9), (1, 0.1)]),
            influences(&[(0, 0.6), (1, 0.4)]),
            influences(&[(1, 0.5), (2, 0.5)]),
            influences(&[(3, 1.0)]),
        ];
        assert_eq!(shared_vertex(&all, JointIndex(0)), Some(2));
        assert_eq!(shared_vertex(&all, JointIndex(2)), Some(3));
        assert_eq!(shared_vertex(&all, JointIndex(3)), Some(3), "the vertex of any joints");
        assert_eq!(shared_vertex(&all[..1], JointIndex(0)), Some(0));
        assert_eq!(shared_vertex(&[Influences::default()], JointIndex(0)), None);
        assert_eq!(shared_vertex(&[], JointIndex(0)), None);
    }
}
