//! What was found, as sentences; what they name can be chosen, and a fault switched on.

use bindpose_lesson::{FaultName, Setting};
use bindpose_notebook::engine_numbers::NumbersFinding;
use bindpose_notebook::faults::FaultSwitch;
use bindpose_notebook::{Edit, Entity, joint_label};
use bindpose_skin::JointIndex;
use eframe::egui::{RichText, Ui};

use super::matching::Matching;
use crate::PageContext;
use crate::theme::SMALL;
use crate::touch;
use crate::widgets::{Emphasis, Tip as _, Tone, card, note, option_button, small_button, verdict};

/// Draws them.
pub(super) fn ui(ui: &mut Ui, matching: &Matching, page: &mut PageContext<'_>) {
    let theme = page.theme;
    let Some(found) = matching.found() else {
        let words = if matching.is_under_way() {
            "Held against this pose …"
        } else {
            "It could not be held against this pose: a fault of this program."
        };
        ui.label(RichText::new(words).size(SMALL).color(theme.quiet));
        return;
    };
    let tone = if found.equal { Tone::Right } else { Tone::Wrong };
    card(ui, theme, tone, |ui| {
        ui.spacing_mut().item_spacing.y = 4.0;
        if matching.is_under_way() {
            // Of the page before.
            ui.multiply_opacity(0.6);
        }
        let words = if found.equal { "Equal to ours" } else { "Not equal to ours" };
        verdict(ui, theme, words, SMALL, found.equal);
        for (nth, finding) in found.findings.iter().enumerate() {
            let emphasis = if nth == 0 { Emphasis::Strong } else { Emphasis::Plain };
            note(ui, theme, &finding.words, SMALL, emphasis);
            named(ui, finding, page);
        }
    });
}

/// Buttons for what a sentence names.
fn named(ui: &mut Ui, finding: &NumbersFinding, page: &mut PageContext<'_>) {
    if finding.joints.is_empty() && finding.vertices.is_empty() && finding.fault.is_none() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        for &joint in &finding.joints {
            joint_button(ui, joint, page);
        }
        for &vertex in &finding.vertices {
            vertex_button(ui, vertex, page);
        }
        if let Some(fault) = finding.fault {
            fault_button(ui, fault, page);
        }
    });
}

fn joint_button(ui: &mut Ui, joint: JointIndex, page: &mut PageContext<'_>) {
    let is_chosen = page.document.state.joint == joint;
    let label = joint_label(joint.index(), &page.derived.rig);
    let response =
        ui.add(option_button(is_chosen, label)).tip("Choose it in the pictures and the matrices");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Joint(joint));
    }
    if response.clicked() {
        page.choose(Setting::Joint(joint.into()));
    }
}

fn vertex_button(ui: &mut Ui, vertex: u32, page: &mut PageContext<'_>) {
    let is_chosen = page.document.state.vertex == vertex;
    let response =
        ui.add(option_button(is_chosen, format!("v{vertex}"))).tip("Choose it in the pictures");
    if touch::is_pointed_at(&response) {
        page.linked.hover(Entity::Vertex(vertex));
    }
    if response.clicked() {
        page.choose(Setting::Vertex(vertex));
    }
}

/// With it on, the page has these numbers too.
fn fault_button(ui: &mut Ui, fault: FaultName, page: &mut PageContext<'_>) {
    let words = format!("Switch on “{}”", fault.title);
    let response = ui
        .add(small_button(words))
        .tip("Then this page has these numbers too; undo switches it off");
    if response.clicked() {
        let settings = FaultSwitch::new(fault).switched(true, &page.document.state);
        page.edits.push(Edit::Settings(settings));
    }
}
