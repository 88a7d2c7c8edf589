//! The bind-pose switch: the stage of skinning, and the matrix used as the inverse bind
//! matrix. Each option shows the position that it gives the selected vertex, so that all
//! stages can be compared at once.

use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::buttons::{self, SegmentedChoice, segmented_choice};
use bindpose_lesson::{JointName, Setting, StagesCell};
use bindpose_notebook::stage_points::{STAGE_NAMES, joint_of_view, sentence, way};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};
use eframe::egui::{Align, Layout, RichText, Ui, vec2};

use crate::PageContext;

/// Size of a row with a label and a switch.
struct SwitchRow {
    height: f32,
    /// Minimum available width at which the label is beside the switch.
    min_width_beside: f32,
}

pub(super) fn ui(ui: &mut Ui, cell: &StagesCell, page: &mut PageContext<'_>) {
    let document = page.document;
    let joint = joint_of_view(page.page_state());
    let names: Vec<String> = STAGE_NAMES
        .iter()
        .enumerate()
        .map(|(index, name)| format!("{}  {name}", index + 1))
        .collect();
    let positions = way(page.derived, document.state.vertex as usize, joint);
    let tooltips = [
        "The vertex as stored",
        "As the joint sees it: the inverse bind matrix, applied",
        "Carried to the world by one joint alone",
        "The weighted sum over all its joints",
    ];
    let row = SwitchRow { height: 50.0, min_width_beside: 520.0 };
    switch_row(ui, page, "Stage", &row, |ui, page| {
        let segments: Vec<SegmentedChoice<'_>> = (0..4)
            .map(|index| SegmentedChoice {
                text: &names[index],
                detail: positions[index].clone(),
                tooltip: tooltips[index],
            })
            .collect();
        let current = SkinStage::ALL.iter().position(|&stage| stage == document.state.stage);
        if let Some(chosen) = segmented_choice(ui, page.theme, &segments, current, false) {
            page.choose(Setting::Stage(SkinStage::ALL[chosen]));
        }
    });
    if !cell.stage_only {
        let row = SwitchRow { height: 32.0, min_width_beside: 416.0 };
        switch_row(ui, page, "Inverse bind", &row, |ui, page| {
            let options = [
                (
                    InverseBind::Inverse,
                    "inverse",
                    "The inverse of the joint’s bind transform: right",
                ),
                (
                    InverseBind::LeftOut,
                    "left out",
                    "The joint moves vertices as they are stored: wrong even at rest",
                ),
                (
                    InverseBind::Subtract,
                    "subtract",
                    "Only the joint’s position is taken off: right until the bind pose is rotated",
                ),
            ];
            let current = document.state.inverse_bind;
            let is_wrong = current != InverseBind::Inverse;
            let chosen = buttons::choose_segment(ui, page.theme, &options, current, is_wrong);
            if let Some(inverse_bind) = chosen {
                page.choose(Setting::InverseBind(inverse_bind));
            }
        });
    }
    if cell.through {
        through_row_ui(ui, page);
    }
    let (sentence, is_wrong) = sentence(page.page_state(), joint);
    let color = if is_wrong { page.theme.wrong } else { page.theme.quiet };
    ui.label(RichText::new(sentence).size(SMALL_SIZE).color(color));
}

/// Draws a switch with its label beside it, or above it if there is no room.
fn switch_row(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    label: &str,
    row: &SwitchRow,
    add_switch: impl FnOnce(&mut Ui, &mut PageContext<'_>),
) {
    if ui.available_width() > row.min_width_beside {
        ui.horizontal(|ui| {
            let label_width = 96.0;
            let size = vec2(label_width, row.height);
            ui.allocate_ui_with_layout(size, Layout::left_to_right(Align::Center), |ui| {
                ui.set_min_width(label_width);
                ui.label(page.theme.label(label));
            });
            ui.vertical(|ui| add_switch(ui, page));
        });
    } else {
        ui.label(page.theme.label(label));
        add_switch(ui, page);
    }
}

/// Draws the choice between a single joint for the whole mesh and each vertex's strongest
/// joint.
fn through_row_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let row = SwitchRow { height: 32.0, min_width_beside: 520.0 };
    switch_row(ui, page, "Through", &row, |ui, page| {
        let joint_count = page.derived.rig.skeleton.len().min(5) as u16;
        let names: Vec<String> = (0..joint_count).map(|joint| format!("joint {joint}")).collect();
        let tooltip = "Each vertex through the joint with its largest weight";
        let mut options = vec![(None, "strongest", tooltip)];
        for (name, joint) in names.iter().zip(0..joint_count) {
            let tooltip = "The whole mesh through this joint alone, whatever the weights say";
            options.push((Some(JointIndex(joint)), name.as_str(), tooltip));
        }
        let current = page.document.state.through;
        if let Some(joint) = buttons::choose_segment(ui, page.theme, &options, current, false) {
            page.choose(Setting::Through(joint.map(JointName::from)));
        }
    });
}
