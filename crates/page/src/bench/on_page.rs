//! What the open step shows by itself: the bench leaves that out.

use bindpose_lesson::{
    AnglesCell, Cell, CellKind, JointRef, LessonStep, MatrixRef, Show, VertexRef, ViewportCell,
};
use bindpose_notebook::matrix::joint_of;

use crate::PageContext;
use crate::cells::angles::SliderParam;

/// The cells of the open step, on the stage and, where that is shown, in its prose.
fn cells<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    let lesson = page.lesson;
    let step = lesson.steps.get(page.document.step);
    let is_shown = move |cell: &&Cell| step.is_none_or(|step| !step.hide.contains(&cell.id));
    let without_prose = page.view.bench.for_prose;
    let of_step = move |step: &'a LessonStep| {
        let staged = step.stage.iter().filter(move |_| without_prose);
        let all = step.cells().filter(move |_| !without_prose);
        staged.chain(all)
    };
    let own = step.into_iter().flat_map(of_step);
    lesson.stage.iter().filter(is_shown).chain(own)
}

/// Those of them that are in sight together with the bench: none, where it is a
/// sheet over the end of the page.
fn beside<'a>(page: &PageContext<'a>) -> impl Iterator<Item = &'a Cell> + use<'a> {
    let as_sheet = page.view.bench.as_sheet;
    cells(page).filter(move |_| !as_sheet)
}

/// Those of so many parameters that have no slider on the page yet.
pub(super) fn angles_left<'a>(
    page: &PageContext<'_>,
    all: &[SliderParam<'a>],
) -> Vec<SliderParam<'a>> {
    let shown: Vec<&AnglesCell> = beside(page)
        .filter_map(|cell| match &cell.kind {
            CellKind::Angles(angles) => Some(angles),
            _ => None,
        })
        .collect();
    let has_slider = |param: SliderParam<'_>| {
        let mut shown = shown.iter();
        shown.any(|cell| {
            let named = cell.params.iter().any(|name| name == param.name());
            named || cell.params.is_empty() && param.is_of_rig()
        })
    };
    let left = all.iter().copied().filter(|&param| !has_slider(param));
    left.collect()
}

/// Do the weights of the chosen vertex have sliders on the page?
pub(super) fn has_weight_sliders(page: &PageContext<'_>) -> bool {
    let vertex = page.document.state.vertex;
    beside(page).any(|cell| match &cell.kind {
        CellKind::Weights(cell) => {
            cell.sliders && (cell.vertices.is_empty() || cell.vertices.contains(&vertex))
        }
        _ => false,
    })
}

/// Is there a brush on the page?
pub(super) fn has_brush(page: &PageContext<'_>) -> bool {
    beside(page).any(|cell| matches!(cell.kind, CellKind::Brush(_)))
}

/// Those of the matrices of the chosen joint that no matrix cell shows.
pub(super) fn matrices_left(page: &PageContext<'_>) -> Vec<MatrixRef> {
    let of_joint: [fn(JointRef) -> MatrixRef; 3] =
        [MatrixRef::WorldFromJoint, MatrixRef::JointFromBind, MatrixRef::WorldFromBind];
    let shown: Vec<&MatrixRef> = beside(page)
        .filter_map(|cell| match &cell.kind {
            CellKind::Matrix(matrix) => Some(&matrix.show),
            _ => None,
        })
        .flatten()
        .collect();
    let is_of_chosen = |other: &MatrixRef| {
        let joint = other.joint();
        let joint = joint.map(|joint| joint_of(joint, page.document, &page.derived.rig));
        joint == Some(Ok(page.document.state.joint))
    };
    let is_shown = |matrix: &MatrixRef| {
        let mut shown = shown.iter();
        shown.any(|other| other.of_joint(JointRef::Chosen) == *matrix && is_of_chosen(other))
    };
    let all = of_joint.map(|of_joint| of_joint(JointRef::Chosen));
    all.into_iter().filter(|matrix| !is_shown(matrix)).collect()
}

/// The first picture of the step, as its cell says it looks.
pub(super) fn picture(page: &PageContext<'_>) -> ViewportCell {
    let mut pictures = cells(page).filter_map(|cell| match &cell.kind {
        CellKind::Viewport(viewport) => Some(viewport.clone()),
        _ => None,
    });
    pictures.next().unwrap_or_default()
}

/// Does anything on the page show the chosen vertex, or has one been chosen?
pub(super) fn has_vertex(page: &PageContext<'_>) -> bool {
    page.document.state.vertex != 0
        || cells(page).any(|cell| match &cell.kind {
            CellKind::Weights(_) => true,
            CellKind::Vertex(vertex) => vertex.vertex.is_none(),
            CellKind::Matrix(matrix) => {
                let chosen = MatrixRef::SkinMatrix(VertexRef::Chosen);
                matrix.show.contains(&chosen)
            }
            CellKind::Viewport(viewport) => {
                let show = page.document.state.show.as_ref().or(viewport.show.as_ref());
                show.is_some_and(|show| show.contains(&Show::Microscope))
            }
            _ => false,
        })
}
