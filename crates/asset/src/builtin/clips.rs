//! Channels of the clips that are made by code.

use std::sync::Arc;

use glam::{Quat, Vec3};

use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};

/// A clip as long as its channels.
pub(super) fn clip(name: &str, channels: Vec<Channel>) -> Clip {
    let ends = channels.iter().filter_map(|channel| channel.track.times_secs.last());
    Clip {
        name: name.to_owned(),
        duration_secs: ends.copied().fold(0.0, f32::max),
        frame_secs: None,
        channels,
    }
}

/// LINEAR.
pub(super) fn translations(joint: u16, times_secs: &[f32], keys: &[Vec3]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    channel(joint, TrackProperty::Translation, times_secs, values)
}

/// LINEAR; quaternions are stored as they come.
pub(super) fn rotations(joint: u16, times_secs: &[f32], keys: &[Quat]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    channel(joint, TrackProperty::Rotation, times_secs, values)
}

/// The same keys, held until the next.
pub(super) fn stepped(channel: &Channel) -> Channel {
    with_track(channel, |track| track.interpolation = Interpolation::Step)
}

/// The same keys on a cubic spline: each tangent leads from the key before to
/// the key after, at the ends it is 0.
pub(super) fn smoothed(channel: &Channel) -> Channel {
    with_track(channel, |track| {
        let keys: Vec<&[f32]> = track.values.chunks_exact(track.width).collect();
        let times = &track.times_secs;
        let tangent = |key: usize| -> Vec<f32> {
            let ends = key.checked_sub(1).zip(keys.get(key + 1));
            let Some((before, next)) = ends else {
                return vec![0.0; track.width];
            };
            let secs = times[key + 1] - times[before];
            let pairs = keys[before].iter().zip(*next);
            pairs.map(|(from, to)| (to - from) / secs).collect()
        };
        let with_tangents = (0..keys.len())
            .flat_map(|key| [tangent(key), keys[key].to_vec(), tangent(key)])
            .flatten()
            .collect();
        track.values = with_tangents;
        track.interpolation = Interpolation::CubicSpline;
    })
}

fn with_track(channel: &Channel, change: impl FnOnce(&mut Track)) -> Channel {
    let mut track = (*channel.track).clone();
    change(&mut track);
    Channel { target: channel.target, track: Arc::new(track) }
}

fn channel(joint: u16, property: TrackProperty, times_secs: &[f32], values: Vec<f32>) -> Channel {
    Channel {
        target: ChannelTarget::Joint(JointIndex(joint)),
        track: Arc::new(Track {
            property,
            interpolation: Interpolation::Linear,
            times_secs: times_secs.to_vec(),
            width: values.len() / times_secs.len().max(1),
            values,
        }),
    }
}
