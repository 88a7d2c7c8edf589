//! A joint for a lane that is not in use.

use bindpose_notebook::Edit;
use bindpose_skin::{JointIndex, LANES};
use eframe::egui::{Popup, PopupCloseBehavior, Ui};

use super::state::Sliders;
use super::vertex_weights::VertexWeights;
use crate::PageContext;
use crate::cells::joint_list::joint_list;
use crate::widgets::Tip as _;
use crate::widgets::small_button;

/// A button that opens the list of joints.
pub(super) fn ui(
    ui: &mut Ui,
    vertex_weights: &VertexWeights,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let has_slider = |joint: JointIndex| {
        let mut lanes = vertex_weights.shown.iter();
        lanes.any(|&lane| vertex_weights.now.joints[lane] == joint)
    };
    let joints = page.derived.rig.skeleton.indices();
    let joints: Vec<JointIndex> = joints.filter(|&joint| !has_slider(joint)).collect();
    let free = (0..LANES).filter(|lane| !vertex_weights.shown.contains(lane));
    let free: Vec<usize> = free.collect();
    let (enabled, help) = if free.is_empty() {
        (false, "All lanes are in use: eight joints at most")
    } else if joints.is_empty() {
        (false, "Every joint has its slider")
    } else {
        (true, "Let another joint have a weight on this vertex")
    };
    let button = ui.add_enabled(enabled, small_button("+ a joint"));
    let button = button.tip(help).tip_disabled(help);
    Popup::menu(&button).close_behavior(PopupCloseBehavior::CloseOnClickOutside).show(|ui| {
        ui.set_width(220.0);
        let Some(joint) = joint_list(ui, page, &mut sliders.sought, &joints, None) else {
            return;
        };
        if let Some(lane) = lane_for(joint, &free, vertex_weights) {
            give(joint, lane, vertex_weights, sliders, page);
        }
        ui.close();
    });
}

/// One that is the joint's already, though without a weight; else the first.
fn lane_for(joint: JointIndex, free: &[usize], vertex_weights: &VertexWeights) -> Option<usize> {
    let own = |lane: &&usize| vertex_weights.now.joints[**lane] == joint;
    free.iter().find(own).or(free.first()).copied()
}

fn give(
    joint: JointIndex,
    lane: usize,
    vertex_weights: &VertexWeights,
    sliders: &mut Sliders,
    page: &mut PageContext<'_>,
) {
    let vertex = vertex_weights.vertex;
    sliders.added.insert((vertex, lane));
    sliders.sought.clear();
    if vertex_weights.now.joints[lane] != joint {
        page.edits.push(Edit::LaneJoint { vertex, lane, joint });
    }
}
