//! The bind-pose switch: how far a vertex has come, and what is put in the
//! place of the inverse bind matrix. Every position shows where the chosen
//! vertex is then, so the whole way can be read at once.

use bindpose_lesson::{JointName, Setting, StagesCell};
use bindpose_notebook::stage_points::{STAGE_NAMES, joint_of_view, sentence, way};
use bindpose_skin::{InverseBind, JointIndex, SkinStage};
use eframe::egui::{RichText, Ui};

use crate::PageContext;
use crate::theme::SMALL;
use crate::widgets::buttons::{self, SegmentedChoice, segmented};

/// Shows the switch.
pub(super) fn ui(ui: &mut Ui, cell: &StagesCell, page: &mut PageContext<'_>) {
    let document = page.document;
    let joint = joint_of_view(page.now());
    let names: Vec<String> =
        (1..).zip(STAGE_NAMES).map(|(number, name)| format!("{number}  {name}")).collect();
    let details = way(page.derived, document.state.vertex as usize, joint);
    let tooltips = [
        "The vertex as stored",
        "As the joint sees it: the inverse bind matrix, applied",
        "Carried to the world by one joint alone",
        "The weighted sum over all its joints",
    ];
    row(ui, page, "Stage", (50.0, 520.0), |ui, page| {
        let segments: Vec<SegmentedChoice<'_>> = (0..4)
            .map(|index| SegmentedChoice {
                text: &names[index],
                detail: details[index].clone(),
                tooltip: tooltips[index],
            })
            .collect();
        let current = SkinStage::ALL.iter().position(|&s| s == document.state.stage);
        if let Some(chosen) = segmented(ui, page.theme, &segments, current, false) {
            page.choose(Setting::Stage(SkinStage::ALL[chosen]));
        }
    });
    if !cell.stage_only {
        row(ui, page, "Inverse bind", (32.0, 416.0), |ui, page| {
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
            let now = document.state.inverse_bind;
            let alarm = now != InverseBind::Inverse;
            if let Some(way) = buttons::choose_segment(ui, page.theme, &options, now, alarm) {
                page.choose(Setting::InverseBind(way));
            }
        });
    }
    if cell.through {
        through_row(ui, page);
    }
    let (sentence, wrong) = sentence(page.now(), joint);
    let color = if wrong { page.theme.wrong } else { page.theme.quiet };
    ui.label(RichText::new(sentence).size(SMALL).color(color));
}

/// A switch of this height with its label, which stands beside it where there are
/// `least_beside` points, above it where not.
fn row(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    label: &str,
    (height, least_beside): (f32, f32),
    add: impl FnOnce(&mut Ui, &mut PageContext<'_>),
) {
    if ui.available_width() > least_beside {
        ui.horizontal(|ui| {
            let width = 96.0;
            ui.allocate_ui_with_layout(
                eframe::egui::vec2(width, height),
                eframe::egui::Layout::left_to_right(eframe::egui::Align::Center),
                |ui| {
                    ui.set_min_width(width);
                    ui.label(page.theme.label(label));
                },
            );
            ui.vertical(|ui| add(ui, page));
        });
    } else {
        ui.label(page.theme.label(label));
        add(ui, page);
    }
}

/// One joint for the whole mesh, or each vertex through its strongest.
fn through_row(ui: &mut Ui, page: &mut PageContext<'_>) {
    row(ui, page, "Through", (32.0, 520.0), |ui, page| {
        let count = page.derived.rig.skeleton.len().min(5);
        let names: Vec<String> = (0..count).map(|joint| format!("joint {joint}")).collect();
        let strongest = "Each vertex through the joint with its largest weight";
        let mut options = vec![(None, "strongest", strongest)];
        options.extend(names.iter().zip(0..).map(|(name, joint)| {
            let alone = "The whole mesh through this joint alone, whatever the weights say";
            (Some(JointIndex(joint)), name.as_str(), alone)
        }));
        let now = page.document.state.through;
        if let Some(joint) = buttons::choose_segment(ui, page.theme, &options, now, false) {
            page.choose(Setting::Through(joint.map(JointName::from)));
        }
    });
}
