//! Cells of the open step that show the same as a part of the bench, which the bench
//! then leaves out.

use bindpose_kit::widgets::{Tip as _, small_button};
use bindpose_lesson::{AnglesCell, Cell, CellKind, JointRef, MatrixRef, Setting, ViewportCell};
use bindpose_notebook::shown_cells::{
    has_slider, shared_vertex, shows_chosen_vertex, shows_joint_matrix,
};
use bindpose_notebook::{Document, PageSnapshot};
use bindpose_skin::{Blend, SkinStage};
use eframe::egui::Ui;

use crate::PageContext;
use crate::cells::{brush, compare::draw_state_comparison, entity_chooser, weight_sliders};
use crate::slider_param::SliderParam;

/// Height of the pictures of the snapshots with their scale, in points.
const PICTURES_HEIGHT: f32 = 240.0;

/// Returns the cells that the open step shows: those of the stage and, unless the bench
/// replaces it, of the prose.
fn shown_cells<'a>(page: &PageContext<'a>) -> Vec<&'a Cell> {
    let lesson = page.lesson;
    let Some(step) = lesson.steps.get(page.document.step) else {
        return lesson.stage.iter().collect();
    };
    let mut cells: Vec<&Cell> =
        lesson.stage.iter().filter(|cell| !step.hide.contains(&cell.id)).collect();
    if page.view.bench.replaces_prose {
        cells.extend(&step.stage);
    } else {
        cells.extend(step.cells());
    }
    cells
}

/// Returns the shown cells that are visible together with the bench: none if it is a
/// sheet, which covers the end of the page.
fn cells_beside_bench<'a>(page: &PageContext<'a>) -> Vec<&'a Cell> {
    if page.view.bench.as_sheet { Vec::new() } else { shown_cells(page) }
}

/// Returns the parameters of `all` that have no slider on the page.
pub(super) fn angles_without_slider<'a>(
    page: &PageContext<'_>,
    all: &[SliderParam<'a>],
) -> Vec<SliderParam<'a>> {
    let angles_cells: Vec<&AnglesCell> = cells_beside_bench(page)
        .into_iter()
        .filter_map(|cell| match &cell.kind {
            CellKind::Angles(angles) => Some(angles),
            _ => None,
        })
        .collect();
    all.iter()
        .copied()
        .filter(|&param| {
            !angles_cells.iter().any(|cell| has_slider(cell, param.name(), param.is_of_rig()))
        })
        .collect()
}

/// Returns true if the page has sliders of the chosen vertex's weights.
pub(super) fn has_weight_sliders(page: &PageContext<'_>) -> bool {
    let vertex = page.document.state.vertex;
    cells_beside_bench(page).into_iter().any(|cell| match &cell.kind {
        CellKind::Weights(cell) => {
            cell.sliders && (cell.vertices.is_empty() || cell.vertices.contains(&vertex))
        }
        _ => false,
    })
}

fn has_brush(page: &PageContext<'_>) -> bool {
    cells_beside_bench(page).into_iter().any(|cell| matches!(cell.kind, CellKind::Brush(_)))
}

/// Returns the matrices of the chosen joint that no matrix cell shows.
pub(super) fn matrices_not_shown(page: &PageContext<'_>) -> Vec<MatrixRef> {
    let document = page.document;
    let cells = cells_beside_bench(page);
    let mut matrices = vec![
        MatrixRef::WorldFromJoint(JointRef::Chosen),
        MatrixRef::JointFromBind(JointRef::Chosen),
        MatrixRef::WorldFromBind(JointRef::Chosen),
    ];
    matrices.retain(|matrix| {
        let cells = cells.iter().copied();
        !shows_joint_matrix(cells, matrix, document.state.joint, document, page.derived)
    });
    matrices
}

/// Returns the settings of the step's first picture, or the default if it has none.
fn first_picture(page: &PageContext<'_>) -> ViewportCell {
    shown_cells(page)
        .into_iter()
        .find_map(|cell| match &cell.kind {
            CellKind::Viewport(viewport) => Some(viewport.clone()),
            _ => None,
        })
        .unwrap_or_default()
}

// Sliders of the chosen vertex's weights.

/// Vertex that the bench chose by itself.
#[derive(Default)]
struct SharedVertexChoice {
    /// Step at which the bench last looked for such a vertex.
    step: Option<usize>,
    vertex: Option<u32>,
}

/// Chooses a vertex that joints share if none is chosen and the page shows none.
pub(super) fn choose_shared_vertex(page: &mut PageContext<'_>) {
    let step = page.document.step;
    if page.state::<SharedVertexChoice>("bench").step == Some(step) {
        return;
    }
    let vertex = if shows_chosen_vertex(shown_cells(page), page.document) {
        None
    } else {
        shared_vertex(&page.derived.influences, page.document.state.joint)
    };
    if let Some(vertex) = vertex.filter(|&vertex| vertex != page.document.state.vertex) {
        page.choose(Setting::Vertex(vertex));
    }
    *page.state("bench") = SharedVertexChoice { step: Some(step), vertex };
}

/// Draws the field for the vertex number, the weight sliders and the brush.
pub(super) fn weights_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let can_paint = !has_brush(page) && !page.derived.faultless_influences().is_empty();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        ui.label(page.theme.label("Weights of vertex"));
        entity_chooser::vertex_index_ui(ui, "bench", page);
        if can_paint && !page.view.brush.is_on {
            ui.add_space(6.0);
            brush::tool_switch(ui, page);
        }
    });
    let vertex = page.document.state.vertex;
    if page.state::<SharedVertexChoice>("bench").vertex == Some(vertex) {
        let caption = "No vertex was chosen here; this is one that joints share.";
        ui.label(page.theme.caption(caption));
    }
    blend_hint_ui(ui, page);
    weight_sliders::ui(ui, vertex, "bench weights", page);
    if can_paint && page.view.brush.is_on {
        ui.add_space(4.0);
        brush::ui(ui, "bench brush", false, page);
    }
}

/// Draws a hint if the picture does not use weights.
fn blend_hint_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if page.derived.stage() == SkinStage::Blended
        || matches!(page.derived.blend, Blend::Linear | Blend::DualQuaternion)
    {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        let caption = "The picture shows a stage before blending: one joint moves each vertex.";
        ui.label(page.theme.caption(caption));
        let help = "Show the stage at which weights blend the joints";
        if ui.add(small_button("blend")).tip(help).clicked() {
            page.choose(Setting::Stage(SkinStage::Blended));
        }
    });
}

// Pictures of the snapshots, and the distances between their vertices.

/// Returns the documents of the snapshots A and B. Returns `None` unless both are of the
/// open lesson and model.
pub(super) fn snapshot_documents(page: &PageContext<'_>) -> Option<[Document; 2]> {
    let lesson = &page.document.lesson;
    let rig = &page.derived.stored_rig;
    let snapshots = &page.view.bench.snapshots;
    let a = snapshots.get(PageSnapshot::A, lesson, rig)?;
    let b = snapshots.get(PageSnapshot::B, lesson, rig)?;
    Some([a.document.clone(), b.document.clone()])
}

/// Draws the pictures of both snapshots if they are switched on.
pub(super) fn pictures_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    if !page.view.bench.shows_pictures {
        return;
    }
    if let Some([a, b]) = snapshot_documents(page) {
        let picture = first_picture(page);
        draw_state_comparison(ui, "bench pictures", [&a, &b], &picture, page, PICTURES_HEIGHT);
        ui.separator();
    }
}
