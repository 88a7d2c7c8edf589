//! A slider for every angle, size, morph weight or parameter of the lesson's own,
//! one for all angles together, and `sin(t)·amplitude`.

mod slider_param;
#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use bindpose_lesson::{AnglesCell, Cell, CellKind, MAX_PARAM_ABS};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::{DrivenParam, Edit, Entity, number_text};
use bindpose_skin::JointIndex;
use eframe::egui;
use eframe::egui::{
    Align, FontId, Key, Layout, RichText, Role, Sense, TextEdit, Ui, WidgetInfo, vec2,
};
use glam::Quat;

use crate::cells::entity_chooser;
use crate::cells::entity_chooser::{BADGE, FONT, is_found, joint_label, label_width};
use crate::theme::{CAPTION, family};
use crate::widgets::scrub::Slider;
use crate::widgets::{
    PaintText as _, Scrub, ScrubChange, Tip as _, fitted_text, icon_button, play_button,
};
use crate::{PageContext, icons};
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
        let moved = if searched { of_joint(&angles, page.document.state.joint) } else { angles };
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
            limits: (-MAX_PARAM_ABS, MAX_PARAM_ABS),
            default: 0.0,
            format: SliderFormat::degrees(),
        };
        let before = page.edits.len();
        row.show(ui, page);
        // Who drags it takes it out of the motion's hands.
        page.view.playing.motion.playing &= page.edits.len() == before;
    }
    if searched {
        search_ui(ui, &params, id, page);
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

// Many joints: the chosen one first, the others folded away or searched by
// their names.

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
fn of_joint<'a>(params: &[SliderParam<'a>], joint: JointIndex) -> Vec<SliderParam<'a>> {
    let of_joint = |param: &&SliderParam<'_>| param.joint() == Some(joint);
    params.iter().filter(of_joint).copied().collect()
}

/// Those whose names, or whose joint's number, the reader looks for. Words may
/// stand in any order.
fn found<'a>(params: &[SliderParam<'a>], sought: &str) -> Vec<SliderParam<'a>> {
    let fits = |param: &&SliderParam<'_>| is_found(sought, param.label(), param.joint());
    params.iter().filter(fits).copied().collect()
}

fn search_ui(ui: &mut Ui, params: &[SliderParam<'_>], id: &str, page: &mut PageContext<'_>) {
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

// Rows of sliders: a label, a slider and a number each.

/// Rigs with more angles than this show them in a box that scrolls.
const LONG: usize = 8;

/// In a box that scrolls, if there are many.
fn scrolled(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    if params.len() > LONG {
        egui::ScrollArea::vertical()
            .id_salt("angles")
            .max_height((ui.ctx().content_rect().height() * 0.3).max(140.0))
            .auto_shrink([false, true])
            .scroll_bar_visibility(egui::scroll_area::ScrollBarVisibility::AlwaysVisible)
            .show(ui, |ui| params_ui(ui, params, page));
    } else {
        params_ui(ui, params, page);
    }
}

/// In one column, or in two where there is room and need, and no name is cut.
fn params_ui(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    let half = (ui.available_width() - 16.0) / 2.0;
    let room = label_width(half) - BADGE;
    let fits = |param: &SliderParam<'_>| {
        let text = param.label().to_owned();
        let galley = ui.painter().layout_no_wrap(text, FONT, page.theme.ink);
        galley.size().x <= room
    };
    let two = params.len() > 2 && half > 272.0 && params.iter().all(fits);
    let columns = if two { 2 } else { 1 };
    let width = (ui.available_width() - 16.0 * (columns - 1) as f32) / columns as f32;
    for pair in params.chunks(columns) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            for &param in pair {
                ui.allocate_ui(vec2(width, 26.0), |ui| {
                    ui.set_width(width);
                    param_ui(ui, page, param);
                });
            }
        });
    }
}

/// The row of one parameter.
pub(crate) fn param_ui(ui: &mut Ui, page: &mut PageContext<'_>, param: SliderParam<'_>) {
    let row = AngleRow {
        name: param.name(),
        label: param.label(),
        joint: param.joint(),
        value: Some(param.value(page)),
        range: param.range(),
        limits: param.limits(),
        default: param.default(),
        format: param.format(),
    };
    row.show(ui, page);
}

/// A label, a slider and a number.
struct AngleRow<'a> {
    name: &'a str,
    label: &'a str,
    joint: Option<JointIndex>,
    /// `None`: several that differ.
    value: Option<f64>,
    range: (f64, f64),
    /// What may be typed.
    limits: (f64, f64),
    default: f64,
    format: SliderFormat,
}

impl AngleRow<'_> {
    fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let name = self.name;
        let shown = ui.push_id(name, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                let room = label_width(ui.available_width());
                let of_joint = (self.joint, self.joint.map(Entity::Joint));
                let by_hand = self.joint.and_then(|joint| by_hand_words(page, joint));
                let words = by_hand.as_ref().map(|_| format!("{} + by hand", self.label));
                let label = words.as_deref().unwrap_or(self.label);
                let shown = joint_label(ui, page, of_joint, label, room);
                if let Some(words) = by_hand {
                    shown.tip(words);
                }
                match page.derived.driven(name) {
                    Some(driven) => self.followed(ui, page, driven),
                    None => self.slider(ui, page),
                }
            })
            .response
        });
        let part = DemonstratedPart::Param(name.to_owned());
        page.view.placed.note(part, shown.inner.rect);
    }

    fn number(&self, ui: &Ui) -> Scrub {
        let id = (ui.scope_id(), "angle", self.name);
        let number = Scrub::new(id, self.value.unwrap_or(self.default), self.label)
            .suffix(self.format.suffix.as_str())
            .chars(7)
            .range(self.range.0..=self.range.1)
            .limits(self.limits.0..=self.limits.1);
        match (self.format.whole, self.format.step) {
            (true, _) => number.whole(),
            (false, Some(step)) => number.decimals(self.format.decimals).in_steps(step),
            (false, None) => number.decimals(self.format.decimals),
        }
    }

    fn slider(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let joint = self.joint;
        let color = joint.map_or(page.theme.accent, |joint| page.theme.joint_line(joint));
        let number = self.number(ui);
        let slider =
            Slider { number: &number, home: self.default, filled_from: self.default, color };
        let width = ui.available_width() - number_width(ui, &number) - 8.0;
        let (response, slid) = slider.show(ui, width, page.theme);
        if let Some(joint) = joint.filter(|_| response.hovered() || response.dragged()) {
            page.linked.hover(Entity::Joint(joint));
        }
        let typed = if self.value.is_some() {
            number.show(ui)
        } else {
            // Angles that differ have no number in common.
            ui.label(RichText::new("–").monospace().color(page.theme.quiet));
            None
        };
        page.change_param(self.name, slid.or(typed));
    }

    /// What it follows, and its number, which nobody drags.
    fn followed(&self, ui: &mut Ui, page: &PageContext<'_>, driven: &DrivenParam) {
        let number = self.number(ui);
        let width = ui.available_width() - number_width(ui, &number) - 8.0;
        let (rect, response) = ui.allocate_exact_size(vec2(width.max(40.0), 24.0), Sense::hover());
        let formula = format!("= {}", driven.formula);
        let (words, color) = match &driven.error {
            None => (formula.clone(), page.theme.quiet),
            Some(error) => (format!("{formula}: {error}"), page.theme.wrong),
        };
        let galley = fitted_text(ui, &words, &FontId::monospace(CAPTION), rect.width(), color);
        let at = rect.left_center();
        ui.painter().galley_left(at, galley, color);
        let told = format!("{}: {} {words}", self.label, number.text());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
        let label = self.label;
        response.tip(format!("{label} follows {words}. Change what that depends on."));
        let shown = RichText::new(number.text()).monospace();
        let size = vec2(number.size(ui).x, 24.0);
        let layout = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(shown.color(page.theme.ink));
        });
    }
}

/// What turns a joint beside its angles, where something does.
fn by_hand_words(page: &PageContext<'_>, joint: JointIndex) -> Option<String> {
    let by_hand = page.document.state.joint_moves.get(&joint)?.rotation;
    let angle_deg = f64::from(by_hand.xyz().length().atan2(by_hand.w.abs()) * 2.0).to_degrees();
    (by_hand != Quat::IDENTITY).then(|| {
        let angle = number_text::fixed(angle_deg, 1);
        format!(
            "Joint {} is turned by hand too, by {angle}°. The menu of the rings in the picture \
             takes that back.",
            joint.0
        )
    })
}

/// Room for the number at the end of a row.
fn number_width(ui: &Ui, number: &Scrub) -> f32 {
    number.size(ui).x.max(72.0)
}
