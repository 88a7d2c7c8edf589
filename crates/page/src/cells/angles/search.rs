//! Many joints: the chosen one first, the others folded away or searched by
//! their names.

use bindpose_lesson::CellKind;
use bindpose_skin::JointIndex;
use eframe::egui::{Key, TextEdit, Ui};

use super::rows::{params_ui, scrolled};
use super::slider_param::SliderParam;
use crate::cells::entity_chooser;
use crate::cells::joint_list::is_found;
use crate::theme::family;
use crate::widgets::icon_button;
use crate::{PageContext, icons};

/// What the reader has made of the list.
#[derive(Default)]
struct FilteredAngles {
    /// Where this was said; another step begins anew.
    step: usize,
    sought: String,
    /// `None`: the reader has not said.
    folded: Option<bool>,
}

/// The parameters that move a joint.
pub(super) fn of_joint<'a>(params: &[SliderParam<'a>], joint: JointIndex) -> Vec<SliderParam<'a>> {
    let of_joint = |param: &&SliderParam<'_>| param.joint() == Some(joint);
    params.iter().filter(of_joint).copied().collect()
}

/// Those whose names, or whose joint's number, the reader looks for. Words may
/// stand in any order.
fn found<'a>(params: &[SliderParam<'a>], sought: &str) -> Vec<SliderParam<'a>> {
    let fits = |param: &&SliderParam<'_>| is_found(sought, param.label(), param.joint());
    params.iter().filter(fits).copied().collect()
}

pub(super) fn ui(ui: &mut Ui, params: &[SliderParam<'_>], id: &str, page: &mut PageContext<'_>) {
    entity_chooser::joint(ui, "angles", page);
    let chosen = of_joint(params, page.document.state.joint);
    if chosen.is_empty() {
        let words = "No slider turns this joint.";
        ui.label(page.theme.label(words));
    } else {
        ui.push_id("chosen", |ui| params_ui(ui, &chosen, page));
    }
    page.with_state(id, |list, page| list_ui(ui, list, params, page));
}

fn list_ui(
    ui: &mut Ui,
    list: &mut FilteredAngles,
    params: &[SliderParam<'_>],
    page: &mut PageContext<'_>,
) {
    if list.step != page.document.step {
        *list = FilteredAngles { step: page.document.step, ..FilteredAngles::default() };
    }
    let folded = list.folded.unwrap_or_else(|| needs_room(page));
    head(ui, list, params.len(), folded, page);
    if !list.folded.unwrap_or(folded) {
        let found = found(params, &list.sought);
        if found.is_empty() {
            let words = format!("No name has “{}” in it.", list.sought.trim());
            ui.label(page.theme.label(words));
        } else {
            ui.push_id("found", |ui| scrolled(ui, &found, page));
        }
    }
}

/// Does the step show something that a long list would push out of view: a cell
/// of its own on the stage, or the keys of a clip?
fn needs_room(page: &PageContext<'_>) -> bool {
    let step = page.lesson.steps.get(page.document.step);
    let own = step.is_some_and(|step| {
        let mut own = step.stage.iter();
        own.any(|cell| !matches!(cell.kind, CellKind::Timeline(_)))
    });
    own || page.document.state.playback.clip.is_some()
}

/// Folds the list, and searches it.
fn head(
    ui: &mut Ui,
    list: &mut FilteredAngles,
    count: usize,
    folded: bool,
    page: &PageContext<'_>,
) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        let (icon, name) = if folded {
            (icons::CARET_RIGHT, "show all sliders")
        } else {
            (icons::CARET_DOWN, "fold the sliders away")
        };
        if icon_button(ui, icon, name, true) {
            list.folded = Some(!folded);
        }
        ui.label(page.theme.label(format!("all {count}")));
        let glass = page.theme.label(icons::MAGNIFYING_GLASS);
        ui.label(glass.family(family::icons()));
        let edit =
            TextEdit::singleline(&mut list.sought).hint_text("search by name").desired_width(160.0);
        let response = ui.add(edit).accessible_name("search joints by name");
        if response.changed() {
            list.folded = Some(false);
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            list.sought.clear();
        }
        if !list.sought.is_empty() && icon_button(ui, icons::X, "clear the search", true) {
            list.sought.clear();
        }
    });
}
