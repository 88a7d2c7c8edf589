//! Time along the lanes, and how a hand moves it.

use std::collections::HashMap;

use bindpose_asset::Rig;
use bindpose_lesson::{ClipName, Setting, TimelineCell};
use bindpose_notebook::{Document, Edit, FADE_PARAM, TIME_PARAM, clip_name, number_text};
use bindpose_skin::{Channel, ChannelTarget, Clip, JointIndex, RotationInterpolation};
use eframe::egui::{Button, Checkbox, ComboBox, Rangef, RichText, Ui};

use crate::theme::SMALL;
use crate::widgets::scrub::Slider;
use crate::widgets::{
    Rail, Scrub, ScrubChange, Tip as _, buttons, combo, icon_button, play_button,
};
use crate::{PageContext, icons};

/// Where times are, the same in the ruler and in every row.
#[derive(Clone, Copy)]
pub(super) struct TimeAxis {
    pub(super) left: f32,
    pub(super) right: f32,
    pub(super) length_secs: f64,
    /// From one frame to the next.
    pub(super) frame_secs: f64,
}

impl TimeAxis {
    pub(super) fn x(self, secs: f64) -> f32 {
        let part = (secs / self.length_secs).clamp(0.0, 1.0) as f32;
        self.left + (self.right - self.left) * part
    }

    /// Beyond the ends where `x` is.
    pub(super) fn secs(self, x: f32) -> f64 {
        f64::from((x - self.left) / self.points()) * self.length_secs
    }

    pub(super) fn rail(self) -> Rail {
        let x = Rangef::new(self.left, self.left + self.points());
        Rail { x, values: (0.0, self.length_secs) }
    }

    pub(super) fn points(self) -> f32 {
        (self.right - self.left).max(1.0)
    }
}

/// A scrub by hand: what played stands still.
pub(super) fn put_time(page: &mut PageContext<'_>, time_secs: f64) {
    page.view.playing.stop();
    // To a tenth of a millisecond: links stay short.
    let rounded = (time_secs * 1e4).round() / 1e4;
    if rounded != page.document.time_secs() {
        page.edits.push(Edit::param(TIME_PARAM, rounded));
    }
}

/// To where the step has it; what played stands still.
pub(super) fn reset_time(page: &mut PageContext<'_>) {
    page.view.playing.stop();
    page.edits.push(Edit::reset_param(TIME_PARAM));
}

// What stands above the ruler: which clips, and the buttons.

/// Slowest and fastest, in seconds of the clip a second.
const SPEEDS: std::ops::RangeInclusive<f64> = 0.05..=4.0;

/// Which clip plays, what it fades to, what stands between rotations.
pub(super) fn clip_controls(
    ui: &mut Ui,
    cell: &TimelineCell,
    id: &str,
    page: &mut PageContext<'_>,
) {
    let rig = std::sync::Arc::clone(&page.derived.rig);
    let offered = offered(cell, &rig);
    let playback = page.document.state.playback.clone();
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        ui.label(page.theme.label("clip"));
        if let Some(clip) = choice(ui, (id, "clip"), "clip", playback.clip, &offered, &rig) {
            page.view.playing.stop();
            let begin = Setting::Param(TIME_PARAM.to_owned(), 0.0);
            let settings = vec![Setting::Clip(clip), begin];
            page.edits.push(Edit::Settings(settings));
        }
        if page.document.length_secs(&rig) > 0.0 {
            frame(ui, page);
        }
        if !(cell.fade || playback.fade_to.is_some()) || playback.clip.is_none() {
            return;
        }
        ui.label(page.theme.label("fade to"));
        let name = "clip to fade to";
        if let Some(clip) = choice(ui, (id, "fade"), name, playback.fade_to, &offered, &rig) {
            page.choose(Setting::FadeTo(clip));
        }
        if playback.fade_to.is_some() {
            fade(ui, id, page);
        }
    });
    if cell.between {
        let all = RotationInterpolation::ALL;
        let options = all.map(|between| (between, between.label(), between.tooltip()));
        let chosen = buttons::choose_segment(ui, page.theme, &options, playback.between, false);
        if let Some(between) = chosen {
            page.choose(Setting::Between(between));
        }
    }
}

/// Places in [`Rig::clips`].
fn offered(cell: &TimelineCell, rig: &Rig) -> Vec<usize> {
    let all = 0..rig.clips.len();
    if cell.clips.is_empty() {
        return all.collect();
    }
    let place = |name: &String| rig.clips.iter().position(|clip| clip.name == *name);
    cell.clips.iter().filter_map(place).collect()
}

fn words(index: Option<usize>, rig: &Rig) -> String {
    match index.map(|index| (index, rig.clips.get(index))) {
        None => "none".to_owned(),
        Some((_, Some(clip))) if !clip.name.is_empty() => clip.name.clone(),
        Some((index, _)) => format!("clip {index}"),
    }
}

/// A list of clips, and none; answers with what was chosen now.
fn choice(
    ui: &mut Ui,
    id: (&str, &str),
    name: &str,
    now: Option<usize>,
    offered: &[usize],
    rig: &Rig,
) -> Option<ClipName> {
    let clips = offered.iter().copied().map(Some);
    let all = std::iter::once(None).chain(clips);
    let list = ComboBox::from_id_salt(id);
    let chosen = combo(ui, list, name, &now, all, |&index| words(index, rig));
    let chosen = chosen.filter(|&chosen| chosen != now);
    chosen.map(|index| clip_name(index, rig))
}

/// How far the fade has gone.
fn fade(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    let value = page.document.fade();
    let number = Scrub::new((id, "fade"), value, "cross-fade")
        .suffix("%")
        .decimals(0)
        .chars(4)
        .range(0.0..=1.0);
    let slider = Slider { number: &number, home: 0.0, filled_from: 0.0, color: page.theme.accent };
    let width = (ui.available_width() - 70.0).clamp(60.0, 220.0);
    let (_, slid) = slider.show(ui, width, page.theme);
    page.change_param(FADE_PARAM, slid.or(number.show(ui)));
}

/// Play, frames and keys, the time, loop and speed.
pub(super) fn transport_controls(
    ui: &mut Ui,
    id: &str,
    page: &mut PageContext<'_>,
    length_secs: f64,
) {
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 6.0;
        play_ui(ui, page);
        let rig = std::sync::Arc::clone(&page.derived.rig);
        let document = page.document;
        let mut to = None;
        if icon_button(ui, icons::CARET_LEFT, "one frame back (,)", true) {
            to = Some(document.stepped(&rig, false));
        }
        if icon_button(ui, icons::CARET_RIGHT, "one frame on (.)", true) {
            to = Some(document.stepped(&rig, true));
        }
        for (words, name, forward) in
            [("‹ key", "to the key before", false), ("key ›", "to the key after", true)]
        {
            let key = document.neighbour_key(&rig, forward);
            let button = Button::new(RichText::new(words).size(SMALL)).frame_when_inactive(false);
            let response = ui.add_enabled(key.is_some(), button).accessible_name(name).tip(name);
            if response.clicked() {
                to = key;
            }
        }
        time(ui, id, page, length_secs);
        if let Some(time_secs) = to {
            page.view.playing.stop();
            page.edits.push(Edit::param(TIME_PARAM, time_secs));
        }
        repeats_and_speed(ui, id, page);
    });
}

/// The button that plays and stops.
pub(super) fn play_ui(ui: &mut Ui, page: &mut PageContext<'_>) {
    let motion = &mut page.view.playing.clip;
    if play_button(ui, motion.playing, "P") {
        motion.playing = !motion.playing;
    }
}

fn time(ui: &mut Ui, id: &str, page: &mut PageContext<'_>, length_secs: f64) {
    let scrub = Scrub::new((id, "time"), page.document.time_secs(), "time")
        .suffix(" s")
        .decimals(2)
        .chars(6)
        .range(0.0..=length_secs);
    match scrub.show(ui) {
        Some(ScrubChange::Set(secs)) => put_time(page, secs),
        Some(ScrubChange::Reset) => reset_time(page),
        None => {}
    }
    let of = format!("of {} s", number_text::fixed(length_secs, 2));
    ui.label(page.theme.label(of));
}

/// The frame, counted from 0, with how long frames are.
fn frame(ui: &mut Ui, page: &PageContext<'_>) {
    let rig = &page.derived.rig;
    let (frame, last) = page.document.frames(rig);
    let words = format!("frame {} of {last}", number_text::fixed(frame, 1));
    let frames = number_text::fixed(1.0 / page.document.frame_secs(rig), 0);
    let own = page.document.clips(rig).next();
    let of_file = own.is_some_and(|clip| clip.frame_secs.is_some());
    let hint = if of_file {
        format!("Frames count from 0; the file has {frames} a second")
    } else {
        format!("Frames count from 0; this clip has none of its own, so {frames} a second")
    };
    ui.label(page.theme.label(words)).tip(hint);
}

fn repeats_and_speed(ui: &mut Ui, id: &str, page: &mut PageContext<'_>) {
    ui.add_space(6.0);
    let mut repeats = page.document.state.playback.repeats;
    let words = RichText::new("loop").size(SMALL);
    let response =
        ui.add(Checkbox::new(&mut repeats, words)).tip("After the end comes the beginning (L)");
    if response.changed() {
        page.choose(Setting::Repeats(repeats));
    }
    ui.add_space(6.0);
    ui.label(page.theme.label("speed"));
    let scrub = Scrub::new((id, "speed"), page.view.playing.clip.speed, "speed")
        .suffix(" ×")
        .decimals(2)
        .chars(6)
        .range(SPEEDS);
    if let Some(change) = scrub.show(ui) {
        page.view.playing.clip.speed = change.or(1.0);
    }
}

// Which rows a timeline has: one for each joint that a clip moves, and below
// it, where it is open, one for each of its channels.

/// With so many channels or fewer, all joints are open; else the chosen one is.
const ALL_OPEN: usize = 6;

/// A line of the timeline.
pub(super) enum TimelineRow<'a> {
    /// Which clip follows; only where there are two.
    Clip(&'a str),
    /// What moves, with all its channels.
    Group { target: ChannelTarget, channels: Vec<&'a Channel> },
    /// One property of what stands above.
    Channel(&'a Channel),
}

impl TimelineRow<'_> {
    pub(super) fn height(&self) -> f32 {
        match self {
            Self::Clip(_) => 22.0,
            Self::Group { .. } => 24.0,
            Self::Channel(_) => 44.0,
        }
    }

    /// Absent for morph weights.
    pub(super) fn joint(&self) -> Option<JointIndex> {
        let target = match self {
            Self::Clip(_) => return None,
            Self::Group { target, .. } => *target,
            Self::Channel(channel) => channel.target,
        };
        match target {
            ChannelTarget::Joint(joint) => Some(joint),
            ChannelTarget::Morphs(_) => None,
        }
    }
}

/// The rows of all that plays.
pub(super) fn timeline_rows<'a>(document: &Document, rig: &'a Rig) -> Vec<TimelineRow<'a>> {
    let clips: Vec<&Clip> = document.clips(rig).collect();
    let channels: usize = clips.iter().map(|clip| clip.channels.len()).sum();
    let mut rows = Vec::new();
    for clip in &clips {
        if clips.len() > 1 {
            rows.push(TimelineRow::Clip(&clip.name));
        }
        for (target, channels_of) in grouped(clip) {
            let open = channels <= ALL_OPEN || target == ChannelTarget::Joint(document.state.joint);
            let below = if open { channels_of.clone() } else { Vec::new() };
            rows.push(TimelineRow::Group { target, channels: channels_of });
            rows.extend(below.into_iter().map(TimelineRow::Channel));
        }
    }
    rows
}

/// Channels by what they move, in the order of the clip.
fn grouped(clip: &Clip) -> Vec<(ChannelTarget, Vec<&Channel>)> {
    let mut groups: Vec<(ChannelTarget, Vec<&Channel>)> = Vec::new();
    let mut places: HashMap<(bool, usize), usize> = HashMap::new();
    for channel in &clip.channels {
        let key = match channel.target {
            ChannelTarget::Joint(joint) => (true, joint.index()),
            ChannelTarget::Morphs(first) => (false, first),
        };
        let place = *places.entry(key).or_insert_with(|| {
            groups.push((channel.target, Vec::new()));
            groups.len() - 1
        });
        if let Some((_, channels)) = groups.get_mut(place) {
            channels.push(channel);
        }
    }
    groups
}
