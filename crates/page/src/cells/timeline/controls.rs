//! Controls above the ruler: the clips, the transport buttons, the time and the speed.

use std::ops::RangeInclusive;
use std::sync::Arc;

use bindpose_gltf::Rig;
use bindpose_kit::icons;
use bindpose_kit::theme::SMALL_SIZE;
use bindpose_kit::widgets::scrub::Slider;
use bindpose_kit::widgets::{
    Scrub, ScrubChange, Tip as _, buttons, drop_down_list, icon_button, play_button,
};
use bindpose_lesson::{ClipName, Setting, TimelineCell, number_text};
use bindpose_notebook::{Edit, FADE_PARAM, TIME_PARAM, clip_name};
use bindpose_skin::RotationInterpolation;
use eframe::egui::{Button, Checkbox, ComboBox, RichText, Ui};

use super::time_axis::{reset_time, set_time};
use crate::PageContext;

/// Range of playback speeds, in seconds of the clip per second.
const SPEED_RANGE: RangeInclusive<f64> = 0.05..=4.0;

/// Draws the choice of the clip, of the clip to fade to, and of the interpolation between
/// rotations.
pub(super) fn clip_controls(
    ui: &mut Ui,
    cell: &TimelineCell,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let rig = Arc::clone(&page.derived.rig);
    let clips = offered_clips(cell, &rig);
    let playback = page.document.state.playback.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(page.theme.label("clip"));
        if let Some(clip) = clip_combo(ui, (id, "clip"), "clip", playback.clip, &clips, &rig) {
            page.view.playing.stop();
            let start = Setting::Param(TIME_PARAM.to_owned(), 0.0);
            page.requests.edits.push(Edit::Settings(vec![Setting::Clip(clip), start]));
        }
        if page.document.length_secs(&rig) > 0.0 {
            frame_label(ui, page);
        }
        if !(cell.fade || playback.fade_to.is_some()) || playback.clip.is_none() {
            return;
        }
        ui.label(page.theme.label("fade to"));
        let name = "clip to fade to";
        if let Some(clip) = clip_combo(ui, (id, "fade"), name, playback.fade_to, &clips, &rig) {
            page.choose(Setting::FadeTo(clip));
        }
        if playback.fade_to.is_some() {
            fade_slider(ui, id, page);
        }
    });
    if cell.between {
        let options =
            RotationInterpolation::ALL.map(|between| (between, between.label(), between.tooltip()));
        let chosen = buttons::choose_segment(ui, page.theme, &options, playback.between, false);
        if let Some(between) = chosen {
            page.choose(Setting::Between(between));
        }
    }
}

/// Returns the indices in [`Rig::clips`] of the clips that the cell offers.
fn offered_clips(cell: &TimelineCell, rig: &Rig) -> Vec<usize> {
    if cell.clips.is_empty() {
        return (0..rig.clips.len()).collect();
    }
    cell.clips
        .iter()
        .filter_map(|name| rig.clips.iter().position(|clip| clip.name == *name))
        .collect()
}

fn clip_label(index: Option<usize>, rig: &Rig) -> String {
    let Some(index) = index else {
        return "none".to_owned();
    };
    match rig.clips.get(index) {
        Some(clip) if !clip.name.is_empty() => clip.name.clone(),
        _ => format!("clip {index}"),
    }
}

/// Draws a combo box of the offered clips and "none". Returns the choice if it changed.
fn clip_combo(
    ui: &mut Ui,
    id: (&str, &str),
    name: &str,
    current: Option<usize>,
    clips: &[usize],
    rig: &Rig,
) -> Option<ClipName> {
    let options = std::iter::once(None).chain(clips.iter().copied().map(Some));
    let list = ComboBox::from_id_salt(id);
    let chosen =
        drop_down_list(ui, list, name, &current, options, |&index| clip_label(index, rig))?;
    (chosen != current).then(|| clip_name(chosen, rig))
}

/// Draws the amount of the cross-fade as a slider and a number.
fn fade_slider(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let value = page.document.fade();
    let number = Scrub::new((id, "fade"), value, "cross-fade")
        .suffix("%")
        .decimals(0)
        .chars(4)
        .range(0.0..=1.0);
    let slider = Slider { number: &number, home: 0.0, filled_from: 0.0, color: page.theme.accent };
    let width = (ui.available_width() - 70.0).clamp(60.0, 220.0);
    let (_, slider_change) = slider.show(ui, width, page.theme);
    page.change_param(FADE_PARAM, slider_change.or(number.show(ui)));
}

/// Draws the frame number, counted from 0. The tooltip has the frame rate.
fn frame_label(ui: &mut Ui, page: &PageContext<'_>) {
    let rig = &page.derived.rig;
    let (frame, last) = page.document.frames(rig);
    let frames_per_sec = number_text::fixed(1.0 / page.document.frame_secs(rig), 0);
    let is_rate_from_file =
        page.document.clips(rig).next().is_some_and(|clip| clip.frame_secs.is_some());
    let tooltip = if is_rate_from_file {
        format!("Frames count from 0; the file has {frames_per_sec} a second")
    } else {
        format!("Frames count from 0; this clip has none of its own, so {frames_per_sec} a second")
    };
    let text = format!("frame {} of {last}", number_text::fixed(frame, 1));
    ui.label(page.theme.label(text)).tip(tooltip);
}

/// Draws the play button, the buttons for frames and keys, the time, the loop switch and
/// the speed.
pub(super) fn transport_controls(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    length_secs: f64,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        play_ui(ui, page);
        let rig = Arc::clone(&page.derived.rig);
        let document = page.document;
        let mut target_secs = None;
        if icon_button(ui, icons::CARET_LEFT, "one frame back (,)", true) {
            target_secs = Some(document.stepped(&rig, false));
        }
        if icon_button(ui, icons::CARET_RIGHT, "one frame on (.)", true) {
            target_secs = Some(document.stepped(&rig, true));
        }
        for (text, name, forward) in
            [("‹ key", "to the key before", false), ("key ›", "to the key after", true)]
        {
            let key_secs = document.neighbour_key(&rig, forward);
            let button =
                Button::new(RichText::new(text).size(SMALL_SIZE)).frame_when_inactive(false);
            let response =
                ui.add_enabled(key_secs.is_some(), button).accessible_name(name).tip(name);
            if response.clicked() {
                target_secs = key_secs;
            }
        }
        time_ui(ui, id, page, length_secs);
        if let Some(time_secs) = target_secs {
            page.view.playing.stop();
            page.requests.edits.push(Edit::param(TIME_PARAM, time_secs));
        }
        loop_and_speed_ui(ui, id, page);
    });
}

/// Draws the button that starts and stops the clip.
pub(super) fn play_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let motion = &mut page.view.playing.clip;
    if play_button(ui, motion.playing, "P") {
        motion.playing = !motion.playing;
    }
}

fn time_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, length_secs: f64) {
    let scrub = Scrub::new((id, "time"), page.document.time_secs(), "time")
        .suffix(" s")
        .decimals(2)
        .chars(6)
        .range(0.0..=length_secs);
    match scrub.show(ui) {
        Some(ScrubChange::Set(secs)) => set_time(page, secs),
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
    let length = number_text::fixed(length_secs, 2);
    ui.label(page.theme.label(format!("of {length} s")));
}

fn loop_and_speed_ui(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.add_space(6.0);
    let mut repeats = page.document.state.playback.repeats;
    let text = RichText::new("loop").size(SMALL_SIZE);
    let response =
        ui.add(Checkbox::new(&mut repeats, text)).tip("After the end comes the beginning (L)");
    if response.changed() {
        page.choose(Setting::Repeats(repeats));
    }
    ui.add_space(6.0);
    ui.label(page.theme.label("speed"));
    let scrub = Scrub::new((id, "speed"), page.view.playing.clip.speed, "speed")
        .suffix(" ×")
        .decimals(2)
        .chars(6)
        .range(SPEED_RANGE);
    if let Some(change) = scrub.show(ui) {
        page.view.playing.clip.speed = change.value_or(1.0);
    }
}
