//! The hinge angle of the shelf's joint as a slider, or several angles behind one slider with
//! a switch.

use bindpose_gltf::{Param, ParamKind};
use bindpose_kit::theme::CAPTION_SIZE;
use bindpose_kit::widgets::{PaintText as _, Tip as _, badge, fitted_text, option_button};
use bindpose_notebook::shelf::Shelf;
use eframe::egui::{FontId, Sense, Ui, vec2};

use crate::PageContext;
use crate::cells::angles::param_slider_without_label_ui;
use crate::cells::entity_chooser::joint_name;
use crate::slider_param::SliderParam;

/// Minimum width for badge, slider and number, in points.
pub(super) const MIN_WIDTH: f32 = 176.0;
/// Width beyond which a slider is no easier to set, in points.
pub(super) const MAX_WIDTH: f32 = 320.0;
/// Width from which there is room for the name of the angle, in points.
const MIN_NAMED_WIDTH: f32 = 200.0;
/// Maximum width of the name, in points.
const MAX_NAME_WIDTH: f32 = 64.0;

/// Index of the chosen angle of a joint with several.
#[derive(Default)]
struct ChosenAngle(usize);

pub(super) fn ui(ui: &mut Ui, page: &mut PageContext<'_>, shelf: &Shelf<'_>) {
    let name = joint_name(page, shelf.joint).to_owned();
    badge(ui, page.theme, shelf.joint, &name);
    let chosen = page.state::<ChosenAngle>("shelf").0;
    let Some(&param) = shelf.angles.get(chosen).or(shelf.angles.first()) else {
        return;
    };
    if shelf.angles.len() > 1 {
        switch_ui(ui, page, &shelf.angles, param);
    } else if ui.available_width() >= MIN_NAMED_WIDTH - 24.0 {
        let font = FontId::proportional(CAPTION_SIZE);
        let galley = fitted_text(ui, &param.label, &font, MAX_NAME_WIDTH, page.theme.ink);
        let (rect, response) = ui.allocate_exact_size(vec2(galley.size().x, 24.0), Sense::hover());
        ui.painter().galley_left(rect.left_center(), galley, page.theme.ink);
        response.tip(&param.label);
    }
    param_slider_without_label_ui(ui, page, SliderParam::OfRig(param));
}

/// Draws a button for each angle of the joint.
fn switch_ui(ui: &mut Ui, page: &mut PageContext<'_>, angles: &[&Param], current: &Param) {
    ui.spacing_mut().button_padding = vec2(4.0, 2.0);
    for (index, &param) in angles.iter().enumerate() {
        let is_current = param.name == current.name;
        let button = ui.add(option_button(is_current, short_name(param, index)));
        if button.tip(format!("Set the angle “{}” here", param.label)).clicked() {
            page.state::<ChosenAngle>("shelf").0 = index;
        }
    }
    ui.spacing_mut().button_padding = vec2(8.0, 3.0);
}

/// Returns the letter of the axis, or the number of an angle about another axis.
fn short_name(param: &Param, index: usize) -> String {
    let ParamKind::Angle { axis, .. } = param.kind else {
        return (index + 1).to_string();
    };
    for (letter, component) in [("x", axis.x), ("y", axis.y), ("z", axis.z)] {
        if component.abs() > 0.999 {
            return letter.to_owned();
        }
    }
    (index + 1).to_string()
}
