//! A slider for every angle, size or morph weight, one for all angles together,
//! and `sin(t)·amplitude`.

mod rows;
mod search;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use eframe::egui::Ui;

use crate::asset::Param;
use crate::lesson::{AnglesCell, Cell, CellKind};
use crate::notebook::Edit;
use crate::notebook::exercise_cells::cells_at;
use crate::ui::PageContext;
use crate::ui::widgets::{Scrub, ScrubChange, play_button};
pub(in crate::ui) use rows::param_ui;
use rows::{LONG, Row, Unit, scrolled, value};

/// With more angles, all together go less far.
const MANY: usize = 6;

/// Shows the sliders.
pub(super) fn ui(ui: &mut Ui, cell: &AnglesCell, id: &str, page: &mut PageContext<'_>) {
    let rig = std::sync::Arc::clone(&page.derived.rig);
    let params: Vec<&Param> = if cell.params.is_empty() {
        rig.angles().chain(rig.morphs()).collect()
    } else {
        cell.params
            .iter()
            .filter_map(|name| rig.param(name))
            .collect()
    };
    let searched = cell.search && params.len() > LONG;
    if cell.play && !has_clip_transport(page) {
        let angles: Vec<&Param> = params
            .iter()
            .copied()
            .filter(|param| param.kind.is_angle())
            .collect();
        let moved = if searched {
            search::of_joint(&angles, page.document.state.joint)
        } else {
            angles
        };
        play(ui, &moved, cell.all, page);
    }
    if cell.all {
        let all: Vec<f64> = rig.angles().map(|p| value(page, p)).collect();
        let first = all.first().copied().unwrap_or(0.0);
        // Where many joints hang on each other, a little of each is much.
        let most = if all.len() > MANY { PI / 4.0 } else { PI };
        let same = all.iter().all(|other| (other - first).abs() < 1e-9);
        let row = Row {
            name: "all",
            label: if same {
                "all joints"
            } else {
                "all joints (differ)"
            },
            joint: None,
            value: same.then_some(first),
            range: (-most, most),
            default: 0.0,
            unit: Unit::Degrees,
        };
        let before = page.edits.len();
        row.show(ui, page);
        // Who drags it takes it out of the motion's hands.
        page.view.motion.playing &= page.edits.len() == before;
    }
    if searched {
        search::ui(ui, &params, id, page);
    } else {
        scrolled(ui, &params, page);
    }
}

/// Does a timeline of the page play a clip? One thing on a page plays.
fn has_clip_transport(page: &PageContext<'_>) -> bool {
    let document = page.document;
    let is_timeline = |cell: &Cell| matches!(cell.kind, CellKind::Timeline(_));
    document.state.playback.clip.is_some()
        && document.length_secs(&page.derived.rig) > 0.0
        && cells_at(page.lesson, document.step).any(is_timeline)
}

/// Play or pause, amplitude and speed; and the motion itself.
fn play(ui: &mut Ui, params: &[&Param], all: bool, page: &mut PageContext<'_>) {
    page.view.motion.driven = true;
    let (of_lesson, motion) = (|name: &str| page.derived.param(name), page.view.motion);
    let amplitude_rad = of_lesson("amplitude").unwrap_or(motion.amplitude_rad);
    let speed = of_lesson("speed").unwrap_or(motion.speed);
    ui.horizontal(|ui| {
        let motion = &mut page.view.motion;
        if play_button(ui, motion.playing, "P") {
            motion.playing = !motion.playing;
        }
        ui.label(page.theme.label("angle = sin(t) ·"));
        let number = |ui: &mut Ui, value: f64, label: &str| {
            Scrub::new(("play", label), value, label)
                .decimals(2)
                .range(0.0..=3.0)
                .show(ui)
        };
        if let Some(ScrubChange::Set(value)) = number(ui, amplitude_rad, "amplitude") {
            set(page, "amplitude", value);
        }
        ui.label(page.theme.label("speed"));
        if let Some(ScrubChange::Set(value)) = number(ui, speed, "speed") {
            set(page, "speed", value);
        }
    });
    if page.view.motion.playing && ui.ctx().current_pass_index() == 0 {
        let dt = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
        page.view.motion.time_secs += dt * speed;
        let angle_rad = page.view.motion.time_secs.sin() * amplitude_rad;
        if all || params.len() == page.derived.rig.angles().count() {
            page.edits.push(Edit::param("all", angle_rad));
        } else {
            for param in params {
                page.edits.push(Edit::param(param.name.clone(), angle_rad));
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
        page.view.motion.amplitude_rad = value;
    } else {
        page.view.motion.speed = value;
    }
}
