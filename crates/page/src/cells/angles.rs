//! A slider for every angle, size, morph weight or parameter of the lesson's own,
//! one for all angles together, and `sin(t)·amplitude`.

mod rows;
mod search;
mod slider_param;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use bindpose_lesson::{AnglesCell, Cell, CellKind, PARAM_LIMIT};
use bindpose_notebook::Edit;
use bindpose_notebook::exercise_cells::cells_at;
use eframe::egui::Ui;

use crate::PageContext;
use crate::widgets::{Scrub, ScrubChange, play_button};
pub(crate) use rows::param_ui;
use rows::{AngleRow, LONG, scrolled};
use slider_param::SliderFormat;
pub(crate) use slider_param::SliderParam;

/// With more angles, all together go less far.
const MANY: usize = 6;

/// Shows the sliders.
pub(super) fn ui(ui: &mut Ui, cell: &AnglesCell, id: &str, page: &mut PageContext<'_>) {
    let derived = page.derived;
    let params: Vec<SliderParam<'_>> = if cell.params.is_empty() {
        let all = derived.rig.angles().chain(derived.rig.morphs());
        all.map(SliderParam::OfRig).collect()
    } else {
        let named = cell.params.iter();
        named.filter_map(|name| SliderParam::named(name, page)).collect()
    };
    let searched = cell.search && params.len() > LONG;
    if cell.play && !has_clip_transport(page) {
        let angles: Vec<SliderParam<'_>> = params
            .iter()
            .copied()
            .filter(|param| param.is_joint_angle() && derived.driven(param.name()).is_none())
            .collect();
        let moved =
            if searched { search::of_joint(&angles, page.document.state.joint) } else { angles };
        play(ui, &moved, cell.all, page);
    }
    if cell.all {
        let all = derived.free_angles().map(SliderParam::OfRig);
        let all: Vec<f64> = all.map(|param| param.value(page)).collect();
        let first = all.first().copied().unwrap_or(0.0);
        // Where many joints hang on each other, a little of each is much.
        let most = if all.len() > MANY { PI / 4.0 } else { PI };
        let same = all.iter().all(|other| (other - first).abs() < 1e-9);
        let row = AngleRow {
            name: "all",
            label: if same { "all joints" } else { "all joints (differ)" },
            joint: None,
            value: same.then_some(first),
            range: (-most, most),
            limits: (-PARAM_LIMIT, PARAM_LIMIT),
            default: 0.0,
            format: SliderFormat::degrees(),
        };
        let before = page.edits.len();
        row.show(ui, page);
        // Who drags it takes it out of the motion's hands.
        page.view.playing.motion.playing &= page.edits.len() == before;
    }
    if searched {
        search::ui(ui, &params, id, page);
    } else {
        scrolled(ui, &params, page);
    }
}

/// Does a timeline of the page play a clip? One thing on a page plays.
pub(super) fn has_clip_transport(page: &PageContext<'_>) -> bool {
    let document = page.document;
    let is_timeline = |cell: &Cell| matches!(cell.kind, CellKind::Timeline(_));
    document.state.playback.clip.is_some()
        && document.length_secs(&page.derived.rig) > 0.0
        && cells_at(page.lesson, document.step).any(is_timeline)
}

/// Play or pause, amplitude and speed; and the motion itself.
fn play(ui: &mut Ui, params: &[SliderParam<'_>], all: bool, page: &mut PageContext<'_>) {
    page.view.playing.motion.driven = true;
    let (of_lesson, motion) = (|name: &str| page.derived.param(name), page.view.playing.motion);
    let amplitude_rad = of_lesson("amplitude").unwrap_or(motion.amplitude_rad);
    let speed = of_lesson("speed").unwrap_or(motion.speed);
    ui.horizontal(|ui| {
        let motion = &mut page.view.playing.motion;
        if play_button(ui, motion.playing, "P") {
            motion.playing = !motion.playing;
        }
        ui.label(page.theme.label("angle = sin(t) ·"));
        let number = |ui: &mut Ui, value: f64, label: &str| {
            Scrub::new(("play", label), value, label).decimals(2).range(0.0..=3.0).show(ui)
        };
        if let Some(ScrubChange::Set(value)) = number(ui, amplitude_rad, "amplitude") {
            set(page, "amplitude", value);
        }
        ui.label(page.theme.label("speed"));
        if let Some(ScrubChange::Set(value)) = number(ui, speed, "speed") {
            set(page, "speed", value);
        }
    });
    if page.view.playing.motion.playing && ui.ctx().current_pass_index() == 0 {
        let dt = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
        page.view.playing.motion.time_secs += dt * speed;
        let angle_rad = page.view.playing.motion.time_secs.sin() * amplitude_rad;
        if all || params.len() == page.derived.free_angles().count() {
            page.edits.push(Edit::param("all", angle_rad));
        } else {
            for param in params {
                page.edits.push(Edit::param(param.name(), angle_rad));
            }
        }
        ui.ctx().request_repaint();
    }
}

/// The lesson's own parameter where there is one, else the view's.
fn set(page: &mut PageContext<'_>, name: &str, value: f64) {
    if page.derived.param(name).is_some() {
        page.edits.push(Edit::param(name, value));
    } else if name == "amplitude" {
        page.view.playing.motion.amplitude_rad = value;
    } else {
        page.view.playing.motion.speed = value;
    }
}
