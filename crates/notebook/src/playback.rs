//! Playback of clips, including cross-fades between two clips.
//!
//! The time and the amount of a cross-fade are ordinary parameters, stored in
//! [`super::StepState::params`] as [`TIME_PARAM`] and [`FADE_PARAM`]. Prose, plots, links
//! and undo treat them like angles.

#[cfg(test)]
mod tests;

use bindpose_diagnostic::did_you_mean;
use bindpose_gltf::{ClipAt, Rig};
use bindpose_lesson::{ClipName, Setting};
use bindpose_skin::Clip;

use super::{Document, Edit, EditError, Playback};

/// Name of the parameter for the playback time, in seconds.
pub const TIME_PARAM: &str = "time";

/// Name of the parameter for the progress of a cross-fade, 0 to 1.
pub const FADE_PARAM: &str = "fade";

/// Frame rate used for stepping if the file of a clip has none.
const DEFAULT_FRAMES_PER_SEC: f64 = 30.0;

/// A parameter that rigs with clips have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaybackParam {
    /// [`TIME_PARAM`] or [`FADE_PARAM`].
    pub name: &'static str,
    pub label: &'static str,
    /// Range. Both parameters start at 0, which is the default.
    pub range: (f64, f64),
}

/// Returns time and fade for a rig with clips. Empty for others.
pub fn playback_params(rig: &Rig) -> Vec<PlaybackParam> {
    if rig.clips.is_empty() {
        return Vec::new();
    }
    let longest = rig.clips.iter().map(duration_secs).fold(0.0, f64::max);
    vec![
        PlaybackParam { name: TIME_PARAM, label: "time", range: (0.0, longest) },
        PlaybackParam { name: FADE_PARAM, label: "cross-fade", range: (0.0, 1.0) },
    ]
}

/// Returns the parameter of that name, unless the rig has no clips or has an
/// own parameter of that name.
pub fn playback_param(name: &str, rig: &Rig) -> Option<PlaybackParam> {
    let known = matches!(name, TIME_PARAM | FADE_PARAM) && rig.param(name).is_none();
    let params = if known { playback_params(rig) } else { Vec::new() };
    params.into_iter().find(|param| param.name == name)
}

/// Duration of a clip, never negative, infinite or NaN.
fn duration_secs(clip: &Clip) -> f64 {
    let secs = f64::from(clip.duration_secs);
    if secs.is_finite() { secs.max(0.0) } else { 0.0 }
}

impl Document {
    pub fn time_secs(&self) -> f64 {
        self.state.params.get(TIME_PARAM).copied().unwrap_or(0.0)
    }

    /// Progress of the cross-fade, 0 to 1.
    pub fn fade(&self) -> f64 {
        self.state.params.get(FADE_PARAM).copied().unwrap_or(0.0)
    }

    /// Playing clips: the current one and the one faded in.
    pub fn clips<'a>(&self, rig: &'a Rig) -> impl Iterator<Item = &'a Clip> + use<'a> {
        let indices = [self.state.playback.clip, self.state.playback.fade_to];
        // A fade needs a clip to fade from.
        let known = indices.into_iter().map_while(|index| rig.clips.get(index?));
        known.collect::<Vec<_>>().into_iter()
    }

    /// Length of playback, which is that of the longer clip.
    pub fn length_secs(&self, rig: &Rig) -> f64 {
        self.clips(rig).map(duration_secs).fold(0.0, f64::max)
    }

    /// Playing clips with their times and shares.
    pub fn clips_at(&self, rig: &Rig) -> Vec<ClipAt> {
        let fade = self.fade().clamp(0.0, 1.0);
        let Playback { clip, fade_to, .. } = self.state.playback;
        let Some(from) = self.clip_at(rig, clip, 1.0) else {
            return Vec::new();
        };
        match self.clip_at(rig, fade_to, fade) {
            None => vec![from],
            Some(to) => vec![ClipAt { share: 1.0 - fade, ..from }, to],
        }
    }

    fn clip_at(&self, rig: &Rig, index: Option<usize>, share: f64) -> Option<ClipAt> {
        let clip = index?;
        let duration_secs = duration_secs(rig.clips.get(clip)?);
        let time_secs = within(self.time_secs(), duration_secs, self.state.playback.repeats);
        Some(ClipAt { clip, time_secs, share })
    }

    /// Playback time after some more seconds, and whether playback stops there.
    pub fn played_on(&self, rig: &Rig, more_secs: f64) -> (f64, bool) {
        let length_secs = self.length_secs(rig);
        let now = self.time_secs().min(length_secs) + more_secs;
        if self.state.playback.repeats && length_secs > 0.0 {
            (now.rem_euclid(length_secs), false)
        } else {
            (now.min(length_secs), now >= length_secs)
        }
    }

    /// Duration of a frame, in seconds: from the file of the clip, otherwise
    /// 1/30.
    pub fn frame_secs(&self, rig: &Rig) -> f64 {
        let own = self.clips(rig).next().and_then(|clip| clip.frame_secs);
        own.unwrap_or(1.0 / DEFAULT_FRAMES_PER_SEC)
    }

    /// Current frame from 0, and the last frame. A time between two frames is a
    /// fraction.
    pub fn frames(&self, rig: &Rig) -> (f64, u32) {
        let frame_secs = self.frame_secs(rig);
        // Tolerate rounding errors at the last frame.
        let last = self.length_secs(rig) / frame_secs + 1e-3;
        (self.time_secs() / frame_secs, last as u32)
    }

    /// Time of the next or previous whole frame. Stepping past the end of a
    /// loop continues at its start.
    pub fn stepped(&self, rig: &Rig, forward: bool) -> f64 {
        let length_secs = self.length_secs(rig);
        let frame_secs = self.frame_secs(rig);
        let frame = self.time_secs() / frame_secs;
        // Tolerate rounding errors at a frame.
        let to = if forward { (frame + 1e-3).floor() + 1.0 } else { (frame - 1e-3).ceil() - 1.0 };
        let secs = to * frame_secs;
        let first = 0.0;
        let last = length_secs;
        match self.state.playback.repeats {
            true if secs > last + 1e-6 => first,
            true if secs < first => last,
            _ => secs.clamp(first, last),
        }
    }

    /// Creates the edit that steps to the next or previous frame.
    pub fn step_frame(&self, rig: &Rig, forward: bool) -> Edit {
        Edit::param(TIME_PARAM, self.stepped(rig, forward))
    }

    /// Creates the edit that toggles looping.
    pub fn toggle_loop(&self) -> Edit {
        Edit::set(Setting::Repeats(!self.state.playback.repeats))
    }

    /// Time of the next or previous key of all playing clips.
    pub fn neighbour_key(&self, rig: &Rig, forward: bool) -> Option<f64> {
        let now = self.time_secs();
        let times = self.key_times(rig);
        if forward {
            times.filter(|secs| *secs > now + 1e-4).min_by(f64::total_cmp)
        } else {
            times.filter(|secs| *secs < now - 1e-4).max_by(f64::total_cmp)
        }
    }

    /// Time of the key nearest to a time, of all playing clips.
    pub fn nearest_key(&self, rig: &Rig, time_secs: f64) -> Option<f64> {
        self.key_times(rig).min_by(|a, b| (a - time_secs).abs().total_cmp(&(b - time_secs).abs()))
    }

    fn key_times<'a>(&self, rig: &'a Rig) -> impl Iterator<Item = f64> + use<'a> {
        self.clips(rig)
            .flat_map(|clip| &clip.channels)
            .flat_map(|channel| channel.track.key_times())
            .map(|&secs| f64::from(secs))
            .filter(|secs| secs.is_finite())
    }
}

/// Wraps a playback time to the duration of one clip if it repeats.
pub(super) fn within(time_secs: f64, duration_secs: f64, repeats: bool) -> f64 {
    if !repeats || time_secs <= duration_secs || duration_secs <= 0.0 {
        time_secs
    } else {
        time_secs.rem_euclid(duration_secs)
    }
}

/// Resolves the clip named by a setting.
///
/// # Errors
///
/// Fails if the rig has no clip of that name or number, and lists existing
/// ones.
pub fn clip_index(name: &ClipName, rig: &Rig) -> Result<Option<usize>, EditError> {
    let names: Vec<&str> = rig.clips.iter().map(|clip| clip.name.as_str()).collect();
    let found = match name {
        ClipName::None => return Ok(None),
        ClipName::Index(index) => Some(*index as usize).filter(|&index| index < names.len()),
        ClipName::Name(name) => names.iter().position(|other| other == name),
    };
    match (found, name) {
        (Some(index), _) => Ok(Some(index)),
        (None, _) if names.is_empty() => Err(EditError::NoClips),
        (None, ClipName::Name(name)) => {
            Err(EditError::NoClipNamed { name: name.clone(), help: did_you_mean(name, &names) })
        }
        (None, _) => {
            Err(EditError::NoNumber { what: "such clip".to_owned(), last: names.len() - 1 })
        }
    }
}

/// Returns the name of a clip for settings, or its number if the name is not
/// unique or not plain.
pub fn clip_name(index: Option<usize>, rig: &Rig) -> ClipName {
    let Some(index) = index else {
        return ClipName::None;
    };
    let name = rig.clips.get(index).map_or("", |clip| &clip.name);
    let is_plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let named = ClipName::from_text(name);
    let resolves = clip_index(&named, rig).is_ok_and(|found| found == Some(index));
    if is_plain && resolves { named } else { ClipName::Index(index as u32) }
}
