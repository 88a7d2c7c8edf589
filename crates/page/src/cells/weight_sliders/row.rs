//! One weight: whose it is, a slider from 0 to 1, and the number.

use bindpose_notebook::Entity;
use eframe::egui::{FontId, Ui};

use super::vertex_weights::VertexWeights;
use crate::PageContext;
use crate::cells::entity_chooser::joint_name;
use crate::cells::joint_label::joint_label;
use crate::theme::SMALL;
use crate::widgets::Scrub;
use crate::widgets::slider::Slider;

/// Answers with the weight that is wanted now.
pub(super) fn ui(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    lane: usize,
    id: &str,
    page: &mut PageContext<'_>,
) -> Option<f32> {
    let (joint, weight) = (vertex_weights.now.joints[lane], vertex_weights.now.weights[lane]);
    let stored = vertex_weights.stored.weights[lane];
    let vertex = vertex_weights.vertex;
    let most = if page.view.keep_sum { 1.0 } else { 10.0 };
    let least = if page.view.keep_sum { 0.0 } else { -10.0 };
    let number = Scrub::new(
        ("weight slider", id, vertex, lane),
        f64::from(weight),
        format!("weight of joint {} on v{vertex}", joint.0),
    )
    .range(0.0..=1.0)
    .limits(least..=most)
    .changed(weight != stored)
    .chars(5)
    .font(FontId::monospace(SMALL));
    let row = ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        let room = (ui.available_width() * 0.34).clamp(60.0, 160.0);
        let name = joint_name(page, joint).to_owned();
        let lights = Entity::Weight(vertex, joint);
        joint_label(ui, page, (Some(joint), Some(lights)), &name, room);
        let slider = Slider {
            number: &number,
            home: f64::from(stored),
            filled_from: 0.0,
            color: page.theme.joint_line(joint),
        };
        let width = ui.available_width() - number.size(ui).x - 10.0;
        let (response, slid) = slider.show(ui, width, page.theme);
        if response.dragged() || response.has_focus() {
            page.linked.hover(lights);
        }
        slid.or(number.show(ui))
    });
    if row.response.contains_pointer() {
        page.linked.hover(Entity::Weight(vertex, joint));
    }
    let change = row.inner?;
    Some(change.or(f64::from(stored)) as f32)
}
