//! The weights of the chosen vertex, as sliders.

use bindpose_lesson::Setting;
use bindpose_skin::{Blend, SkinStage};
use eframe::egui::Ui;

use super::on_page;
use super::shared_vertex::shared_vertex;
use crate::PageContext;
use crate::cells::{brush, entity_chooser, weight_sliders};
use crate::widgets::Tip as _;
use crate::widgets::small_button;

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
    let vertex = (!on_page::has_vertex(page))
        .then(|| shared_vertex(influences, page.document.state.joint))
        .flatten();
    if let Some(vertex) = vertex.filter(|&vertex| vertex != page.document.state.vertex) {
        page.choose(Setting::Vertex(vertex));
    }
    *page.state("bench") = FoundVertex { step: Some(step), vertex };
}

/// Shows the chooser and the sliders.
pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let paints = !on_page::has_brush(page) && !page.derived.meant_influences().is_empty();
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
