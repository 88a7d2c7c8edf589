//! What the open step shows by itself: the bench leaves that out.

use bindpose_lesson::{
    AnglesCell, Cell, CellKind, JointRef, LessonStep, MatrixRef, Setting, Show, VertexRef,
    ViewportCell,
};
use bindpose_notebook::matrix::joint_of;
use bindpose_notebook::{Document, PageSnapshot};
use bindpose_skin::{Blend, Influences, JointIndex, SkinStage};
use eframe::egui::Ui;

use crate::PageContext;
use crate::cells::angles::SliderParam;
use crate::cells::{brush, compare::states, entity_chooser, weight_sliders};
use crate::widgets::{Tip as _, small_button};

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

// The weights of the chosen vertex, as sliders.

/// The step at which the bench last looked for a vertex, and what it found.
#[derive(Default)]
struct FoundVertex {
    step: Option<usize>,
    vertex: Option<u32>,
}

/// Where the page shows no vertex and none is chosen, one that joints share.
pub(super) fn choose_a_vertex(page: &mut PageContext<'_>) {
    let step = page.document.step;
    if page.state::<FoundVertex>("bench").step == Some(step) {
        return;
    }
    let influences = &page.derived.influences;
    let vertex =
        (!has_vertex(page)).then(|| shared_vertex(influences, page.document.state.joint)).flatten();
    if let Some(vertex) = vertex.filter(|&vertex| vertex != page.document.state.vertex) {
        page.choose(Setting::Vertex(vertex));
    }
    *page.state("bench") = FoundVertex { step: Some(step), vertex };
}

/// Shows the chooser and the sliders.
pub(super) fn weights_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let paints = !has_brush(page) && !page.derived.meant_influences().is_empty();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(page.theme.label("Weights of vertex"));
        entity_chooser::vertex_number(ui, "bench", page);
        if paints && !page.view.brush.is_on {
            ui.add_space(6.0);
            brush::tool_switch(ui, page);
        }
    });
    let vertex = page.document.state.vertex;
    if page.state::<FoundVertex>("bench").vertex == Some(vertex) {
        let words = "No vertex was chosen here; this is one that joints share.";
        ui.label(page.theme.caption(words));
    }
    without_effect(ui, page);
    weight_sliders::ui(ui, vertex, "bench weights", page);
    if paints && page.view.brush.is_on {
        ui.add_space(4.0);
        brush::ui(ui, "bench brush", page);
    }
}

/// Says so where the picture does not use weights.
fn without_effect(ui: &mut Ui, page: &mut PageContext<'_>) {
    let (stage, blend) = (page.derived.stage(), page.derived.blend);
    if stage == SkinStage::Blended || matches!(blend, Blend::Linear | Blend::DualQuaternion) {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let words = "The picture shows a stage before blending: one joint moves each vertex.";
        ui.label(page.theme.caption(words));
        let help = "Show the stage at which weights blend the joints";
        if ui.add(small_button("blend")).tip(help).clicked() {
            page.choose(Setting::Stage(SkinStage::Blended));
        }
    });
}

// A vertex that is worth a look.

/// The vertex that a joint shares most evenly with others; where it shares none,
/// the one that any joints share most evenly. The first of equals; `None`: there
/// are no weights at all.
pub(super) fn shared_vertex(influences: &[Influences], joint: JointIndex) -> Option<u32> {
    let best = |worth: &dyn Fn(&Influences) -> f32| {
        let mut best: Option<(f32, u32)> = None;
        for (influences, vertex) in influences.iter().zip(0_u32..) {
            let worth = worth(influences);
            if worth > best.map_or(0.0, |(worth, _)| worth) {
                best = Some((worth, vertex));
            }
        }
        best.map(|(_, vertex)| vertex)
    };
    best(&|influences| evenness(influences, Some(joint)))
        .or_else(|| best(&|influences| evenness(influences, None)))
        .or_else(|| best(&|influences| influences.sum()))
}

/// The smaller of what one joint has and what the others have; without a joint, of
/// what the strongest has.
fn evenness(influences: &Influences, joint: Option<JointIndex>) -> f32 {
    let joint = joint.unwrap_or_else(|| influences.strongest());
    let mut parts = [0.0_f32; 2];
    for (_, other, weight) in influences.used() {
        parts[usize::from(other == joint)] += weight.max(0.0);
    }
    parts[0].min(parts[1])
}

// The kept states as pictures, and how far apart they put the vertices.

/// Of the pictures with their scale.
const HEIGHT: f32 = 240.0;

/// Are A and B both of this lesson and model?
pub(super) fn are_possible(page: &PageContext<'_>) -> bool {
    kept(page).is_some()
}

fn kept(page: &PageContext<'_>) -> Option<[Document; 2]> {
    let (lesson, rig) = (&page.document.lesson, &page.derived.stored_rig);
    let snapshots = &page.view.bench.snapshots;
    let kept = |which| Some(snapshots.get(which, lesson, rig)?.document.clone());
    Some([kept(PageSnapshot::A)?, kept(PageSnapshot::B)?])
}

/// Shows them, if the reader asked for them.
pub(super) fn pictures_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if !page.view.bench.pictures {
        return;
    }
    if let Some([a, b]) = kept(page) {
        let look = picture(page);
        states(ui, "bench pictures", [&a, &b], &look, page, HEIGHT);
        ui.separator();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn influences(pairs: &[(u16, f32)]) -> Influences {
        let pairs: Vec<_> = pairs.iter().map(|&(j, w)| (JointIndex(j), w)).collect();
        Influences::new(&pairs)
    }

    #[test]
    fn the_vertex_that_a_joint_shares_most_evenly() {
        let all = [
            influences(&[(0, 1.0)]),
            influences(&[(0, 0.9), (1, 0.1)]),
            influences(&[(0, 0.6), (1, 0.4)]),
            influences(&[(1, 0.5), (2, 0.5)]),
            influences(&[(3, 1.0)]),
        ];
        assert_eq!(shared_vertex(&all, JointIndex(0)), Some(2));
        assert_eq!(shared_vertex(&all, JointIndex(2)), Some(3));
        assert_eq!(shared_vertex(&all, JointIndex(3)), Some(3), "of any");
        assert_eq!(shared_vertex(&all[..1], JointIndex(0)), Some(0));
        assert_eq!(shared_vertex(&[Influences::default()], JointIndex(0)), None);
        assert_eq!(shared_vertex(&[], JointIndex(0)), None);
    }
}
