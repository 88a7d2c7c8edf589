//! What plays: a clip, perhaps on the way to another, and how far it has come.
//!
//! Time and the amount of a cross-fade are numbers like any parameter: they
//! stand in [`super::StepState::params`] under the names [`TIME`] and [`FADE`], so that
//! prose, plots, links and undo know them as they know an angle.

#[cfg(test)]
mod tests;

use bindpose_asset::{ClipAt, Rig};
use bindpose_diagnostic::did_you_mean;
use bindpose_lesson::{ClipName, Setting};
use bindpose_skin::Clip;

use super::{Document, Edit, EditError, Playback};

/// Name of the parameter that says how far a clip has come, in seconds.
pub const TIME: &str = "time";

/// Name of the parameter that says how much of a cross-fade is done, 0 to 1.
pub const FADE: &str = "fade";

/// Frames of a second, for stepping, where the file of a clip has none.
const FRAMES_PER_SEC: f64 = 30.0;

/// A number that is there where there are clips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlaybackParam {
    /// [`TIME`] or [`FADE`].
    pub name: &'static str,
    /// For people.
    pub label: &'static str,
    /// Ends of its range; both begin at 0, which is the default.
    pub range: (f64, f64),
}

/// Time and fade for a rig with clips; nothing for others.
pub fn playback_params(rig: &Rig) -> Vec<PlaybackParam> {
    if rig.clips.is_empty() {
        return Vec::new();
    }
    let longest = rig.clips.iter().map(duration_secs).fold(0.0, f64::max);
    vec![
        PlaybackParam { name: TIME, label: "time", range: (0.0, longest) },
        PlaybackParam { name: FADE, label: "cross-fade", range: (0.0, 1.0) },
    ]
}

/// The one of that name, if this rig has it and no parameter of its own that is
/// called so.
pub fn playback_param(name: &str, rig: &Rig) -> Option<PlaybackParam> {
    let known = matches!(name, TIME | FADE) && rig.param(name).is_none();
    let params = if known { playback_params(rig) } else { Vec::new() };
    params.into_iter().find(|param| param.name == name)
}

/// Never negative, infinite or NaN.
fn duration_secs(clip: &Clip) -> f64 {
    let secs = f64::from(clip.duration_secs);
    if secs.is_finite() { secs.max(0.0) } else { 0.0 }
}

impl Document {
    /// How far what plays has come, in seconds.
    pub fn time_secs(&self) -> f64 {
        self.state.params.get(TIME).copied().unwrap_or(0.0)
    }

    /// How much of the cross-fade is done, from 0 to 1.
    pub fn fade(&self) -> f64 {
        self.state.params.get(FADE).copied().unwrap_or(0.0)
    }

    /// The clips that play: the one, and the one faded in.
    pub fn clips<'a>(&self, rig: &'a Rig) -> impl Iterator<Item = &'a Clip> + use<'a> {
        let indices = [self.state.playback.clip, self.state.playback.fade_to];
        // A fade without a clip to fade from has nothing to do.
        let known = indices.into_iter().map_while(|index| rig.clips.get(index?));
        known.collect::<Vec<_>>().into_iter()
    }

    /// From 0 to the end of what plays: of two clips, the longer one's.
    pub fn length_secs(&self, rig: &Rig) -> f64 {
        self.clips(rig).map(duration_secs).fold(0.0, f64::max)
    }

    /// What plays, at its time, with its shares.
    pub fn clips_at(&self, rig: &Rig) -> Vec<ClipAt> {
        let fade = self.fade().clamp(0.0, 1.0);
        let at = |index: Option<usize>, share: f64| {
            let clip = index?;
            let duration_secs = duration_secs(rig.clips.get(clip)?);
            Some(ClipAt {
                clip,
                time_secs: within(self.time_secs(), duration_secs, self.state.playback.repeats),
                share,
            })
        };
        let Playback { clip, fade_to, .. } = self.state.playback;
        let Some(from) = at(clip, 1.0) else {
            return Vec::new();
        };
        match at(fade_to, fade) {
            None => vec![from],
            Some(to) => vec![ClipAt { share: 1.0 - fade, ..from }, to],
        }
    }

    /// How far what plays has come after some more time, and whether it stops
    /// there.
    pub fn played_on(&self, rig: &Rig, more_secs: f64) -> (f64, bool) {
        let length_secs = self.length_secs(rig);
        let now = self.time_secs().min(length_secs) + more_secs;
        if self.state.playback.repeats && length_secs > 0.0 {
            (now.rem_euclid(length_secs), false)
        } else {
            (now.min(length_secs), now >= length_secs)
        }
    }

    /// From one frame of what plays to the next, in seconds: as the file of the clip
    /// has it, else 1/30.
    pub fn frame_secs(&self, rig: &Rig) -> f64 {
        let own = self.clips(rig).next().and_then(|clip| clip.frame_secs);
        own.unwrap_or(1.0 / FRAMES_PER_SEC)
    }

    /// The frame that what plays has come to, counted from 0, and the last one. A
    /// time between two frames is a fraction.
    pub fn frames(&self, rig: &Rig) -> (f64, u32) {
        let frame_secs = self.frame_secs(rig);
        // An end that is as good as a frame is that frame.
        let last = self.length_secs(rig) / frame_secs + 1e-3;
        (self.time_secs() / frame_secs, last as u32)
    }

    /// One frame on or back: to the next whole number of frames. Past the end
    /// of what repeats comes its beginning.
    pub fn stepped(&self, rig: &Rig, forward: bool) -> f64 {
        let length_secs = self.length_secs(rig);
        let frame_secs = self.frame_secs(rig);
        let frame = self.time_secs() / frame_secs;
        // A time that is as good as a frame is that frame.
        let to = if forward { (frame + 1e-3).floor() + 1.0 } else { (frame - 1e-3).ceil() - 1.0 };
        let secs = to * frame_secs;
        let (first, last) = (0.0, length_secs);
        match self.state.playback.repeats {
            true if secs > last + 1e-6 => first,
            true if secs < first => last,
            _ => secs.clamp(first, last),
        }
    }

    /// The edit that goes one frame on or back.
    pub fn step_frame(&self, rig: &Rig, forward: bool) -> Edit {
        Edit::param(TIME, self.stepped(rig, forward))
    }

    /// The edit that lets what plays begin again after its end, or not.
    pub fn toggle_loop(&self) -> Edit {
        Edit::set(Setting::Repeats(!self.state.playback.repeats))
    }

    /// The key before or after the time, of all that plays.
    pub fn neighbour_key(&self, rig: &Rig, forward: bool) -> Option<f64> {
        let now = self.time_secs();
        let near = |secs: &f64| {
            if forward { *secs > now + 1e-4 } else { *secs < now - 1e-4 }
        };
        let keys = self.key_times(rig).filter(near);
        if forward { keys.min_by(f64::total_cmp) } else { keys.max_by(f64::total_cmp) }
    }

    /// The key nearest to a time, of all that plays.
    pub fn nearest_key(&self, rig: &Rig, time_secs: f64) -> Option<f64> {
        let off = |secs: &f64| (secs - time_secs).abs();
        self.key_times(rig).min_by(|a, b| off(a).total_cmp(&off(b)))
    }

    fn key_times<'a>(&self, rig: &'a Rig) -> impl Iterator<Item = f64> + use<'a> {
        self.clips(rig)
            .flat_map(|clip| &clip.channels)
            .flat_map(|channel| channel.track.key_times())
            .map(|&secs| f64::from(secs))
            .filter(|secs| secs.is_finite())
    }
}

/// A time as one clip of what plays has it.
pub(super) fn within(time_secs: f64, duration_secs: f64, repeats: bool) -> f64 {
    if !repeats || time_secs <= duration_secs || duration_secs <= 0.0 {
        time_secs
    } else {
        time_secs.rem_euclid(duration_secs)
    }
}

/// The clip a setting names.
///
/// Fails when the rig has none of that name or number, with those it has.
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

/// What a setting names a clip by: its name where that leads back to it.
pub fn clip_name(index: Option<usize>, rig: &Rig) -> ClipName {
    let Some(index) = index else {
        return ClipName::None;
    };
    let name = rig.clips.get(index).map_or("", |clip| &clip.name);
    let plain = !name.is_empty()
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    let named = ClipName::from_text(name);
    let leads_back = clip_index(&named, rig).is_ok_and(|found| found == Some(index));
    if plain && leads_back { named } else { ClipName::Index(index as u32) }
}
