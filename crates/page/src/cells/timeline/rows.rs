//! Which rows a timeline has: one for each joint that a clip moves, and below
//! it, where it is open, one for each of its channels.

use std::collections::HashMap;

use bindpose_asset::Rig;
use bindpose_notebook::Document;
use bindpose_skin::{Channel, ChannelTarget, Clip, JointIndex};

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
