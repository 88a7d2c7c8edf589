//! Clips and channels from a few keys.

use std::sync::Arc;

use bindpose_skin::{
    Channel, ChannelTarget, Clip, Interpolation, JointIndex, Track, TrackProperty,
};
use glam::{Quat, Vec3};

/// Creates a clip that ends with the last key of its channels.
pub(crate) fn keyed_clip(name: &str, channels: Vec<Channel>) -> Clip {
    let duration_secs = channels
        .iter()
        .filter_map(|channel| channel.track.times_secs.last().copied())
        .fold(0.0, f32::max);
    Clip { name: name.to_owned(), duration_secs, frame_secs: None, channels }
}

pub(crate) fn translation_track(joint: u16, times_secs: &[f32], keys: &[Vec3]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    linear_channel(joint, TrackProperty::Translation, times_secs, values)
}

/// Creates a channel of quaternions, which are not normalized.
pub(crate) fn rotation_track(joint: u16, times_secs: &[f32], keys: &[Quat]) -> Channel {
    let values = keys.iter().flat_map(|key| key.to_array()).collect();
    linear_channel(joint, TrackProperty::Rotation, times_secs, values)
}

/// Returns a channel with the same keys and step interpolation.
pub(crate) fn stepped_track(channel: &Channel) -> Channel {
    let track = Track { interpolation: Interpolation::Step, ..(*channel.track).clone() };
    Channel { target: channel.target, track: Arc::new(track) }
}

/// Returns a channel with the same keys on a cubic spline. Each tangent is the slope from the
/// previous to the next key, or 0 at the ends.
pub(crate) fn smoothed_track(channel: &Channel) -> Channel {
    let track = &*channel.track;
    let keys: Vec<&[f32]> = track.values.chunks_exact(track.width).collect();
    let mut values = Vec::new();
    for (index, &key) in keys.iter().enumerate() {
        let tangent: Vec<f32> = if index == 0 || index + 1 == keys.len() {
            vec![0.0; track.width]
        } else {
            let secs = track.times_secs[index + 1] - track.times_secs[index - 1];
            let previous = keys[index - 1];
            let next = keys[index + 1];
            previous.iter().zip(next).map(|(from, to)| (to - from) / secs).collect()
        };
        values.extend_from_slice(&tangent);
        values.extend_from_slice(key);
        values.extend_from_slice(&tangent);
    }
    let track = Track { values, interpolation: Interpolation::CubicSpline, ..track.clone() };
    Channel { target: channel.target, track: Arc::new(track) }
}

/// Creates a channel with linear interpolation.
fn linear_channel(
    joint: u16,
    property: TrackProperty,
    times_secs: &[f32],
    values: Vec<f32>,
) -> Channel {
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
