//! The brush for weights: what it does, how large and strong it is, what stays as it is;
//! and a touch of it at the chosen vertex, for those who work by keys.

mod shares;
#[cfg(test)]
mod tests;

use bindpose_lesson::Setting;
use bindpose_notebook::joint_label;
use bindpose_skin::{BrushMode, Falloff, JointIndex};
use eframe::egui::{ComboBox, Ui, WidgetInfo, accesskit::Role, vec2};

use super::entity_chooser;
use super::viewport::paint_at_chosen;
use crate::PageContext;
use crate::brush::{RADII, hindrance};
use crate::widgets::segmented::choose;
use crate::widgets::{Scrub, Tip as _, combo, option_button, small_button};

const MODES: [(BrushMode, &str, &str); 4] = [
    (BrushMode::Add, "add", "The chosen joint gets more; with Alt or Ctrl, less"),
    (BrushMode::Subtract, "subtract", "The chosen joint gets less; with Alt or Ctrl, more"),
    (
        BrushMode::Smooth,
        "smooth",
        "Each joint comes nearer to what it has on neighbouring vertices",
    ),
    (BrushMode::Normalize, "normalise", "The sum of the weights comes nearer to 1"),
];

/// Influences that a vertex may have.
const LIMITS: [u32; 4] = [8, 4, 2, 1];

/// Locked joints that are listed; the rest is counted.
const LISTED: usize = 6;

/// Draws the panel. `id` tells places on the page apart.
pub(crate) fn ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.spacing_mut().item_spacing.y = 6.0;
    if let Some(words) = hindrance(page.derived) {
        ui.label(page.theme.label(words));
        return;
    }
    ui.horizontal_wrapped(|ui| {
        tool_switch(ui, page);
        entity_chooser::joint(ui, id, page);
        lock_switch(ui, page);
    });
    let now = page.view.brush.mode;
    if let Some(mode) = choose(ui, page.theme, &MODES, now, false) {
        page.view.brush.mode = mode;
    }
    numbers(ui, id, page);
    options(ui, id, page);
    locked(ui, page);
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("vertex"));
        entity_chooser::vertex_number(ui, id, page);
        let help = "One touch with the chosen vertex as its middle; Alt or Ctrl turns it round";
        if ui.add(small_button("brush here")).tip(help).clicked() {
            paint_at_chosen(ui, page);
        }
    });
    shares::ui(ui, id, page);
    if !page.view.brush.said.is_empty() {
        let said = page.theme.caption(page.view.brush.said.clone());
        ui.label(said);
    }
}

/// Takes the brush up or puts it down.
pub(crate) fn tool_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let on = page.view.brush.is_on;
    let help = "Drags that begin on the surface paint; beside it they turn the picture. [ and ] make the brush smaller and larger";
    let switch = ui.add(option_button(on, "paint in the picture")).tip(help);
    if switch.clicked() {
        let edit = page.view.brush.toggled(page.document);
        page.edits.push(edit);
    }
}

fn lock_switch(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joint = page.document.state.joint;
    let on = page.view.brush.locked.contains(&joint);
    let help = "A locked joint keeps its weights on every vertex while others are painted";
    let switch = ui.add(option_button(on, "locked")).tip(help);
    let name = format!("lock {}", joint_label(joint.index(), &page.derived.rig));
    switch.widget_info(|| WidgetInfo::selected(Role::CheckBox, true, on, &name));
    if switch.clicked() {
        let locked = &mut page.view.brush.locked;
        if !locked.remove(&joint) {
            locked.insert(joint);
        }
    }
}

fn numbers(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let brush = &mut page.view.brush;
        ui.label(page.theme.label("size"));
        let size = Scrub::new((id, "brush size"), brush.radius, "size of the brush")
            .suffix("%")
            .decimals(1)
            .range(RADII.0..=RADII.1)
            .chars(5);
        if let Some(change) = size.show(ui) {
            brush.radius = change.or(0.08);
        }
        ui.label(page.theme.label("of the model"));
        ui.add_space(8.0);
        ui.label(page.theme.label("strength"));
        let strength = Scrub::new((id, "brush strength"), brush.strength, "strength of the brush")
            .suffix("%")
            .decimals(0)
            .range(0.01..=1.0)
            .chars(4);
        if let Some(change) = strength.show(ui) {
            brush.strength = change.or(0.2);
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("falloff"));
        let name = |falloff: &Falloff| falloff.label().to_owned();
        let list = ComboBox::from_id_salt((id, "falloff"));
        let chosen = combo(ui, list, "falloff of the brush", &brush.falloff, Falloff::ALL, name);
        if let Some(falloff) = chosen {
            brush.falloff = falloff;
        }
    });
}

fn options(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing = vec2(6.0, 4.0);
        let keeps = page.view.brush.keeps_sum;
        let help = "The other joints give and take in proportion, so that the sum stays 1";
        if ui.add(option_button(keeps, "keep Σw = 1")).tip(help).clicked() {
            page.view.brush.keeps_sum = !keeps;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("mirror"));
        let axes = [None, Some(0), Some(1), Some(2)];
        let name = |axis: &Option<usize>| match axis {
            None => "off".to_owned(),
            Some(axis) => ["x", "y", "z"][*axis.min(&2)].to_owned(),
        };
        let list = ComboBox::from_id_salt((id, "mirror"));
        let now = page.view.brush.mirror;
        if let Some(axis) = combo(ui, list, "mirror the brush along", &now, axes, name) {
            page.view.brush.mirror = axis;
        }
        ui.add_space(8.0);
        ui.label(page.theme.label("at most"));
        let most = page.document.state.weights_by.most;
        let name = |most: &u32| match most {
            1 => "1 joint".to_owned(),
            most => format!("{most} joints"),
        };
        let list = ComboBox::from_id_salt((id, "most"));
        let label = "joints that a vertex keeps";
        if let Some(most) = combo(ui, list, label, &most, LIMITS, name) {
            page.choose(Setting::MostInfluences(most));
        }
    });
}

/// The locked joints, each a button that lets it go.
fn locked(ui: &mut Ui, page: &mut PageContext<'_>) {
    let joints: Vec<JointIndex> = page.view.brush.locked.iter().copied().collect();
    if joints.is_empty() {
        return;
    }
    ui.horizontal_wrapped(|ui| {
        ui.label(page.theme.label("locked:"));
        for &joint in joints.iter().take(LISTED) {
            let name = joint_label(joint.index(), &page.derived.rig);
            let help = format!("Let {name} be painted again");
            let button = ui.add(small_button(joint.0.to_string())).tip(help);
            button
                .widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("unlock {name}")));
            if button.clicked() {
                page.view.brush.locked.remove(&joint);
            }
        }
        if joints.len() > LISTED {
            let more = format!("and {} more", joints.len() - LISTED);
            ui.label(page.theme.label(more));
        }
        if joints.len() > 1 && ui.add(small_button("unlock all")).clicked() {
            page.view.brush.locked.clear();
        }
    });
}
