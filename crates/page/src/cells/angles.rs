//! Sliders for the angles, sizes and morph weights of the rig and for parameters
//! of the lesson, one slider for all angles together, and a motion that sets
//! angles to `sin(t)·amplitude`.

#[cfg(test)]
mod tests;

use std::f64::consts::PI;

use bindpose_kit::icons;
use bindpose_kit::theme::{CAPTION_SIZE, family};
use bindpose_kit::widgets::scrub::Slider;
use bindpose_kit::widgets::{
    PaintText as _, Scrub, ScrubChange, Tip as _, fitted_text, icon_button, play_button,
};
use bindpose_lesson::{AnglesCell, CellKind, MAX_PARAM_ABS, number_text};
use bindpose_notebook::demonstration::DemonstratedPart;
use bindpose_notebook::exercise_cells::cells_at;
use bindpose_notebook::{DrivenParam, Edit, Entity};
use bindpose_skin::JointIndex;
use eframe::egui;
use eframe::egui::{
    Align, FontId, Key, Layout, RichText, Role, Sense, TextEdit, Ui, WidgetInfo, vec2,
};
use glam::Quat;

use crate::PageContext;
use crate::cells::entity_chooser;
use crate::cells::entity_chooser::{
    JOINT_LABEL_FONT, MIN_BADGE_WIDTH_PTS, joint_label, label_width, matches_joint_query,
};
use crate::slider_param::{SliderFormat, SliderParam};

/// Maximum number of angles for which the slider of all angles has its full range.
/// In longer chains, a small angle at each joint adds up to a large bend.
const MAX_ANGLES_WITH_FULL_RANGE: usize = 6;

/// Maximum number of sliders that are drawn without a box that scrolls.
const MAX_UNSCROLLED_SLIDERS: usize = 8;

/// Gap between two columns of sliders, in points.
const COLUMN_GAP: f32 = 16.0;

pub(super) fn ui(ui: &mut Ui, cell: &AnglesCell, id: &str, page: &mut PageContext<'_>) {
    let derived = page.derived;
    let params: Vec<SliderParam<'_>> = if cell.params.is_empty() {
        derived.rig.angles().chain(derived.rig.morphs()).map(SliderParam::OfRig).collect()
    } else {
        cell.params.iter().filter_map(|name| SliderParam::find(name, page)).collect()
    };
    let is_searchable = cell.search && params.len() > MAX_UNSCROLLED_SLIDERS;
    if cell.play && !has_clip_transport(page) {
        let angles: Vec<SliderParam<'_>> = params
            .iter()
            .copied()
            .filter(|param| param.is_joint_angle() && derived.driven(param.name()).is_none())
            .collect();
        let played = if is_searchable {
            params_of_joint(&angles, page.document.state.joint)
        } else {
            angles
        };
        motion_ui(ui, &played, cell.all, page);
    }
    if cell.all {
        let angles_rad: Vec<f64> =
            derived.free_angles().map(|param| SliderParam::OfRig(param).value(page)).collect();
        let first = angles_rad.first().copied().unwrap_or(0.0);
        let are_equal = angles_rad.iter().all(|other| (other - first).abs() < 1e-9);
        let has_full_range = angles_rad.len() <= MAX_ANGLES_WITH_FULL_RANGE;
        let max_rad = if has_full_range { PI } else { PI / 4.0 };
        let row = AngleRow {
            name: "all",
            label: if are_equal { "all joints" } else { "all joints (differ)" },
            joint: None,
            value: are_equal.then_some(first),
            range: (-max_rad, max_rad),
            limits: (-MAX_PARAM_ABS, MAX_PARAM_ABS),
            default: 0.0,
            format: SliderFormat::degrees(),
        };
        let edit_count = page.requests.edits.len();
        row.show(ui, page);
        // Dragging this slider stops the motion.
        page.view.playing.motion.playing &= page.requests.edits.len() == edit_count;
    }
    if is_searchable {
        searchable_ui(ui, &params, id, page);
    } else {
        scrollable_params_ui(ui, &params, page);
    }
}

/// Returns true if a timeline of the page plays a clip. A page then has no motion
/// of angles, because it plays one thing only.
pub(super) fn has_clip_transport(page: &PageContext<'_>) -> bool {
    let document = page.document;
    document.state.playback.clip.is_some()
        && document.length_secs(&page.derived.rig) > 0.0
        && cells_at(page.lesson, document.step)
            .any(|cell| matches!(cell.kind, CellKind::Timeline(_)))
}

/// Draws the play button, amplitude and speed of the motion, and advances it while
/// it plays.
fn motion_ui(ui: &mut Ui, params: &[SliderParam<'_>], all: bool, page: &mut PageContext<'_>) {
    page.view.playing.motion.has_control = true;
    let motion = page.view.playing.motion;
    let amplitude_rad = page.derived.param("amplitude").unwrap_or(motion.amplitude_rad);
    let speed = page.derived.param("speed").unwrap_or(motion.speed);
    ui.horizontal(|ui| {
        let motion = &mut page.view.playing.motion;
        if play_button(ui, motion.playing, "P") {
            motion.playing = !motion.playing;
        }
        ui.label(page.theme.label("angle = sin(t) ·"));
        motion_number_ui(ui, "amplitude", amplitude_rad, page);
        ui.label(page.theme.label("speed"));
        motion_number_ui(ui, "speed", speed, page);
    });
    if page.view.playing.motion.playing && ui.ctx().current_pass_index() == 0 {
        let dt_secs = f64::from(ui.input(|input| input.stable_dt)).min(0.1);
        page.view.playing.motion.time_secs += dt_secs * speed;
        let angle_rad = page.view.playing.motion.time_secs.sin() * amplitude_rad;
        if all || params.len() == page.derived.free_angles().count() {
            page.requests.edits.push(Edit::param("all", angle_rad));
        } else {
            for param in params {
                page.requests.edits.push(Edit::param(param.name(), angle_rad));
            }
        }
        ui.ctx().request_repaint();
    }
}

/// Draws the amplitude or speed of the motion. A change sets the parameter of the
/// lesson with that name, or that of the view if the lesson has none.
fn motion_number_ui(ui: &mut Ui, name: &str, value: f64, page: &mut PageContext<'_>) {
    let scrub = Scrub::new(("play", name), value, name).decimals(2).range(0.0..=3.0);
    let Some(ScrubChange::Set(value)) = scrub.show(ui) else {
        return;
    };
    if page.derived.param(name).is_some() {
        page.requests.edits.push(Edit::param(name, value));
    } else if name == "amplitude" {
        page.view.playing.motion.amplitude_rad = value;
    } else {
        page.view.playing.motion.speed = value;
    }
}

/// State of a list of many sliders.
#[derive(Default)]
struct SliderListState {
    /// The step of this state. Another step starts with the default state.
    step: usize,
    search: String,
    /// The reader's choice, if any.
    folded: Option<bool>,
}

fn params_of_joint<'a>(params: &[SliderParam<'a>], joint: JointIndex) -> Vec<SliderParam<'a>> {
    params.iter().copied().filter(|param| param.joint() == Some(joint)).collect()
}

/// Draws many sliders: those of the chosen joint first, then a list of all, which
/// can be folded and searched.
fn searchable_ui(ui: &mut Ui, params: &[SliderParam<'_>], id: &str, page: &mut PageContext<'_>) {
    entity_chooser::joint_chooser_ui(ui, "angles", page);
    let chosen = params_of_joint(params, page.document.state.joint);
    if chosen.is_empty() {
        ui.label(page.theme.label("No slider turns this joint."));
    } else {
        ui.push_id("chosen", |ui| params_ui(ui, &chosen, page));
    }
    page.with_state(id, |list, page| list_ui(ui, list, params, page));
}

fn list_ui(
    ui: &mut Ui,
    list: &mut SliderListState,
    params: &[SliderParam<'_>],
    page: &mut PageContext<'_>,
) {
    if list.step != page.document.step {
        *list = SliderListState { step: page.document.step, ..SliderListState::default() };
    }
    let was_folded = list.folded.unwrap_or_else(|| is_folded_by_default(page));
    list_header_ui(ui, list, params.len(), was_folded, page);
    if !list.folded.unwrap_or(was_folded) {
        // Matches the words of the search in any order, or the joint's number.
        let matching: Vec<SliderParam<'_>> = params
            .iter()
            .copied()
            .filter(|param| matches_joint_query(&list.search, param.label(), param.joint()))
            .collect();
        if matching.is_empty() {
            let message = format!("No name has “{}” in it.", list.search.trim());
            ui.label(page.theme.label(message));
        } else {
            ui.push_id("found", |ui| scrollable_params_ui(ui, &matching, page));
        }
    }
}

/// Returns true if the step shows something that a long list would push out of
/// view: a cell of its own on the stage, or the keys of a clip.
fn is_folded_by_default(page: &PageContext<'_>) -> bool {
    let step = page.lesson.steps.get(page.document.step);
    let has_stage_cell = step.is_some_and(|step| {
        step.stage.iter().any(|cell| !matches!(cell.kind, CellKind::Timeline(_)))
    });
    has_stage_cell || page.document.state.playback.clip.is_some()
}

/// Draws the button that folds the list, and the search field.
fn list_header_ui(
    ui: &mut Ui,
    list: &mut SliderListState,
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
        let icon = page.theme.label(icons::MAGNIFYING_GLASS);
        ui.label(icon.family(family::icons()));
        let edit =
            TextEdit::singleline(&mut list.search).hint_text("search by name").desired_width(160.0);
        let response = ui.add(edit).accessible_name("search joints by name");
        if response.changed() {
            list.folded = Some(false);
        }
        if response.lost_focus() && ui.input(|input| input.key_pressed(Key::Escape)) {
            list.search.clear();
        }
        if !list.search.is_empty() && icon_button(ui, icons::X, "clear the search", true) {
            list.search.clear();
        }
    });
}

/// Draws the rows of parameters, in a box that scrolls if they are many.
fn scrollable_params_ui(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    if params.len() > MAX_UNSCROLLED_SLIDERS {
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

/// Draws the rows of parameters, in two columns if they are more than two and fit
/// without truncated labels.
fn params_ui(ui: &mut Ui, params: &[SliderParam<'_>], page: &mut PageContext<'_>) {
    let half_width = (ui.available_width() - COLUMN_GAP) / 2.0;
    let max_label_width = label_width(half_width) - MIN_BADGE_WIDTH_PTS;
    let has_two_columns = params.len() > 2
        && half_width > 272.0
        && params.iter().all(|param| {
            let text = param.label().to_owned();
            let galley = ui.painter().layout_no_wrap(text, JOINT_LABEL_FONT, page.theme.ink);
            galley.size().x <= max_label_width
        });
    let column_count = if has_two_columns { 2 } else { 1 };
    let gaps = COLUMN_GAP * (column_count - 1) as f32;
    let width = (ui.available_width() - gaps) / column_count as f32;
    for row in params.chunks(column_count) {
        ui.horizontal(|ui| {
            ui.spacing_mut().item_spacing.x = COLUMN_GAP;
            for &param in row {
                ui.allocate_ui(vec2(width, 26.0), |ui| {
                    ui.set_width(width);
                    param_slider_ui(ui, page, param);
                });
            }
        });
    }
}

pub(crate) fn param_slider_ui(ui: &mut Ui, page: &mut PageContext<'_>, param: SliderParam<'_>) {
    AngleRow::of_param(param, page).show(ui, page);
}

/// Draws the slider and the number of a parameter in the rest of a row, or the formula that
/// drives it.
pub(crate) fn param_slider_without_label_ui(
    ui: &mut Ui,
    page: &mut PageContext<'_>,
    param: SliderParam<'_>,
) {
    let row = AngleRow::of_param(param, page);
    match page.derived.driven(param.name()) {
        Some(driven) => row.formula_ui(ui, page, driven),
        None => row.slider_ui(ui, page),
    }
}

/// A row with the label, slider and number of a parameter.
struct AngleRow<'a> {
    name: &'a str,
    label: &'a str,
    joint: Option<JointIndex>,
    /// `None` if the row is for several parameters that differ.
    value: Option<f64>,
    /// Ends of the slider.
    range: (f64, f64),
    /// Limits of typed numbers.
    limits: (f64, f64),
    default: f64,
    format: SliderFormat,
}

impl<'a> AngleRow<'a> {
    fn of_param(param: SliderParam<'a>, page: &PageContext<'_>) -> Self {
        Self {
            name: param.name(),
            label: param.label(),
            joint: param.joint(),
            value: Some(param.value(page)),
            range: param.range(),
            limits: param.limits(),
            default: param.default(),
            format: param.format(),
        }
    }

    fn show(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let name = self.name;
        let row = ui.push_id(name, |ui| {
            ui.horizontal(|ui| {
                ui.spacing_mut().item_spacing.x = 8.0;
                let width = label_width(ui.available_width());
                let joint_and_link = (self.joint, self.joint.map(Entity::Joint));
                match self.joint.and_then(|joint| hand_rotation_text(page, joint)) {
                    Some(tip) => {
                        let label = format!("{} + by hand", self.label);
                        joint_label(ui, page, joint_and_link, &label, width).tip(tip);
                    }
                    None => {
                        joint_label(ui, page, joint_and_link, self.label, width);
                    }
                }
                match page.derived.driven(name) {
                    Some(driven) => self.formula_ui(ui, page, driven),
                    None => self.slider_ui(ui, page),
                }
            })
            .response
        });
        let part = DemonstratedPart::Param(name.to_owned());
        page.view.item_rects.record_part(part, row.inner.rect);
    }

    fn scrub(&self, ui: &Ui) -> Scrub {
        let id = (ui.scope_id(), "angle", self.name);
        let scrub = Scrub::new(id, self.value.unwrap_or(self.default), self.label)
            .suffix(self.format.suffix.as_str())
            .chars(7)
            .range(self.range.0..=self.range.1)
            .limits(self.limits.0..=self.limits.1);
        match (self.format.is_whole, self.format.step) {
            (true, _) => scrub.whole(),
            (false, Some(step)) => scrub.decimals(self.format.decimals).in_steps(step),
            (false, None) => scrub.decimals(self.format.decimals),
        }
    }

    fn slider_ui(&self, ui: &mut Ui, page: &mut PageContext<'_>) {
        let joint = self.joint;
        let color = joint.map_or(page.theme.accent, |joint| page.theme.joint_line(joint));
        let scrub = self.scrub(ui);
        let slider =
            Slider { number: &scrub, home: self.default, filled_from: self.default, color };
        let width = ui.available_width() - number_width(ui, &scrub) - 8.0;
        let (response, slider_change) = slider.show(ui, width, page.theme);
        if let Some(joint) = joint.filter(|_| response.hovered() || response.dragged()) {
            page.linked.hover(Entity::Joint(joint));
        }
        let number_change = if self.value.is_some() {
            scrub.show(ui)
        } else {
            // Angles that differ have no common number.
            ui.label(RichText::new("–").monospace().color(page.theme.quiet));
            None
        };
        page.change_param(self.name, slider_change.or(number_change));
    }

    /// Draws the formula that drives the parameter instead of a slider, and its
    /// number, which cannot be dragged.
    fn formula_ui(&self, ui: &mut Ui, page: &PageContext<'_>, driven: &DrivenParam) {
        let scrub = self.scrub(ui);
        let width = ui.available_width() - number_width(ui, &scrub) - 8.0;
        let (rect, response) = ui.allocate_exact_size(vec2(width.max(40.0), 24.0), Sense::hover());
        let formula = format!("= {}", driven.formula);
        let (text, color) = match &driven.error {
            None => (formula.clone(), page.theme.quiet),
            Some(error) => (format!("{formula}: {error}"), page.theme.wrong),
        };
        let galley = fitted_text(ui, &text, &FontId::monospace(CAPTION_SIZE), rect.width(), color);
        ui.painter().galley_left(rect.left_center(), galley, color);
        let accessible_text = format!("{}: {} {text}", self.label, scrub.text());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &accessible_text));
        let label = self.label;
        response.tip(format!("{label} follows {text}. Change what that depends on."));
        let number = RichText::new(scrub.text()).monospace();
        let size = vec2(scrub.size(ui).x, 24.0);
        let layout = Layout::right_to_left(Align::Center);
        ui.allocate_ui_with_layout(size, layout, |ui| {
            ui.set_min_width(size.x);
            ui.label(number.color(page.theme.ink));
        });
    }
}

/// Describes the rotation of a joint by hand, which is added to its angles. Returns
/// `None` if there is none.
fn hand_rotation_text(page: &PageContext<'_>, joint: JointIndex) -> Option<String> {
    let rotation = page.document.state.joint_moves.get(&joint)?.rotation;
    let angle_deg = f64::from(rotation.xyz().length().atan2(rotation.w.abs()) * 2.0).to_degrees();
    (rotation != Quat::IDENTITY).then(|| {
        let angle = number_text::fixed(angle_deg, 1);
        format!(
            "Joint {} is turned by hand too, by {angle}°. The menu of the rings in the picture \
             takes that back.",
            joint.0
        )
    })
}

/// Returns the width reserved for the number at the end of a row.
fn number_width(ui: &Ui, scrub: &Scrub) -> f32 {
    scrub.size(ui).x.max(72.0)
}
