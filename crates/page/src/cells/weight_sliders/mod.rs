//! The weights of one vertex as sliders, one a lane that is in use, with their
//! shares as a bar above them; further joints can be added.

mod add_joint;
mod row;
mod shares_bar;
mod state;
#[cfg(test)]
mod tests;
mod vertex_weights;

use bindpose_lesson::DataEdit;
use bindpose_notebook::{Edit, SUM_TOLERANCE};
use bindpose_skin::LANES;
use eframe::egui::{Ui, vec2};

use crate::PageContext;
use crate::widgets::Tip as _;
use crate::widgets::{option_button, small_button};
use state::Sliders;
use vertex_weights::VertexWeights;

/// Shows the sliders of a vertex. `id` tells places on the page apart.
pub(crate) fn ui(ui: &mut Ui, vertex: u32, id: &str, page: &mut PageContext<'_>) {
    let Some(&now) = page.derived.influences.get(vertex as usize) else {
        let words = if page.derived.rig.mesh.positions.is_empty() {
            "This model has no vertices.".to_owned()
        } else {
            format!("v{vertex} is bound to no joint: it has no weights.")
        };
        ui.label(page.theme.label(words));
        return;
    };
    let stored = page.derived.rig.mesh.influences.get(vertex as usize);
    let stored = stored.copied().unwrap_or(now);
    page.with_state(id, |sliders: &mut Sliders, page| {
        let shown = (0..LANES).filter(|&lane| {
            let used = now.weights[lane] != 0.0 || stored.weights[lane] != 0.0;
            used || sliders.added.contains(&(vertex, lane))
        });
        let vertex_weights = VertexWeights { vertex, now, stored, shown: shown.collect() };
        ui.push_id(id, |ui| show(ui, &vertex_weights, id, sliders, page));
    });
}

fn show(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    id: &str,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    ui.spacing_mut().item_spacing.y = 4.0;
    shares_bar::ui(ui, vertex_weights, page);
    for &lane in &vertex_weights.shown {
        if let Some(weight) = row::ui(ui, vertex_weights, lane, id, page) {
            put(vertex_weights, lane, weight, sliders, page);
        }
    }
    if vertex_weights.shown.is_empty() {
        let words = format!("No joint has a weight on v{}.", vertex_weights.vertex);
        ui.label(page.theme.label(words));
    }
    ui.add_space(2.0);
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().button_padding = vec2(8.0, 3.0);
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        keep_sum(ui, page);
        add_joint::ui(ui, vertex_weights, sliders, page);
        buttons(ui, vertex_weights, page);
    });
    if page.view.keep_sum && vertex_weights.shown.len() == 1 {
        let words = "One joint alone keeps all of it. Add a joint to share with.";
        ui.label(page.theme.caption(words));
    }
}

/// One weight, and where Σw is kept, the others with it.
fn put(
    vertex_weights: &VertexWeights,
    lane: usize,
    weight: f32,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let vertex = vertex_weights.vertex;
    page.edits.push(if page.view.keep_sum {
        let weights = sliders.sharing(vertex_weights, lane, weight);
        Edit::Data(DataEdit::Weights(vertex, weights))
    } else {
        Edit::Weight { vertex, lane, weight }
    });
}

fn keep_sum(ui: &mut Ui, page: &mut PageContext<'_>) {
    let help = "While one weight is moved, the others move in proportion, so that the sum is 1";
    let switch = ui.add(option_button(page.view.keep_sum, "keep Σw = 1"));
    if switch.tip(help).clicked() {
        page.view.keep_sum = !page.view.keep_sum;
    }
}

fn buttons(ui: &mut Ui, vertex_weights: &VertexWeights, page: &mut PageContext<'_>) {
    let vertex = vertex_weights.vertex;
    let sum = vertex_weights.now.sum();
    let off = (sum - 1.0).abs() > SUM_TOLERANCE && sum.is_finite() && sum.abs() > f32::EPSILON;
    let is_empty = sum.abs() <= f32::EPSILON;
    let edited = page.document.state.weights.get(vertex).is_some();
    for (words, help, why_not, enabled, edit) in [
        (
            "normalise",
            "Divide the weights of this vertex by their sum",
            if is_empty {
                "The sum is 0, and nothing can be divided by it: give the vertex a weight first"
            } else {
                "The sum is 1"
            },
            off,
            Edit::NormalizeWeights(Some(vertex)),
        ),
        (
            "as stored",
            "The joints and weights that the model stores for this vertex",
            "They are as stored",
            edited,
            Edit::ResetWeights(Some(vertex)),
        ),
    ] {
        let response = ui.add_enabled(enabled, small_button(words));
        if response.tip(help).tip_disabled(why_not).clicked() {
            page.edits.push(edit);
        }
    }
}
