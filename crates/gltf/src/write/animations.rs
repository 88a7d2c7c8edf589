//! Writes clips as animations. Channels without keys are left out. Of several channels that
//! animate the same property, only the last is written.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bindpose_skin::{Channel, ChannelTarget, Clip, Interpolation, Track, TrackProperty};
use glam::DQuat;

use super::json;
use super::writer::{FloatFormat, GltfWriter};

/// Nodes and morph weights that channels refer to.
#[derive(Default)]
pub(super) struct ChannelTargets<'a> {
    /// Node of each joint.
    pub(super) node_of_joint: &'a [usize],
    /// Nodes whose meshes have morph targets.
    pub(super) morphs: &'a [MorphNode],
    /// Morph weights by slot, for those without keys.
    pub(super) morph_weights: &'a [f32],
}

/// A node whose mesh has morph targets.
pub(super) struct MorphNode {
    pub(super) node: usize,
    /// Slot in the rig's morph weights of each target.
    pub(super) slots: Vec<usize>,
}

/// Accessors and samplers of an animation that channels can share.
#[derive(Default)]
struct SharedSamplers {
    /// Accessor of times, by the bits of the times.
    inputs: BTreeMap<Vec<u32>, usize>,
    /// Sampler of a joint's track, by the address of the track.
    samplers: BTreeMap<usize, usize>,
}

impl GltfWriter {
    /// Adds the accessors of all clips. Returns an animation for each clip that has channels.
    pub(super) fn add_animations(
        &mut self,
        clips: &[Clip],
        targets: &ChannelTargets<'_>,
    ) -> Vec<json::Animation> {
        clips
            .iter()
            .map(|clip| self.add_animation(clip, targets))
            .filter(|animation| !animation.channels.is_empty())
            .collect()
    }

    fn add_animation(&mut self, clip: &Clip, targets: &ChannelTargets<'_>) -> json::Animation {
        let mut animation =
            json::Animation { name: clip.name.clone(), channels: Vec::new(), samplers: Vec::new() };
        let mut shared = SharedSamplers::default();
        for NodeChannel { channel, node, path } in targets.node_channels(clip) {
            let address = Arc::as_ptr(&channel.track).addr();
            let sampler = if let Some(&sampler) = shared.samplers.get(&address) {
                sampler
            } else {
                let track = targets.track_for_node(channel, node);
                let Some(sampler) = self.add_sampler(&track, &mut shared) else {
                    continue;
                };
                animation.samplers.push(sampler);
                animation.samplers.len() - 1
            };
            if matches!(channel.target, ChannelTarget::Joint(_)) {
                shared.samplers.insert(address, sampler);
            }
            animation.channels.push(json::Channel { sampler, target: json::Target { node, path } });
        }
        animation
    }

    fn add_sampler(&mut self, track: &Track, shared: &mut SharedSamplers) -> Option<json::Sampler> {
        let keys = GltfKeys::new(track)?;
        let bits = keys.times_secs.iter().map(|time| time.to_bits()).collect();
        let input = *shared.inputs.entry(bits).or_insert_with(|| self.add_times(&keys.times_secs));
        let format = match track.property {
            TrackProperty::Translation | TrackProperty::Scale => FloatFormat::KEY_VEC3,
            TrackProperty::Rotation => FloatFormat::KEY_VEC4,
            TrackProperty::Weights => FloatFormat::KEY_SCALAR,
        };
        Some(json::Sampler {
            input,
            interpolation: match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            },
            output: self.add_floats(&keys.values, format),
        })
    }
}

/// A channel with the node and the path that it animates in the file.
struct NodeChannel<'a> {
    channel: &'a Channel,
    node: usize,
    path: &'static str,
}

impl ChannelTargets<'_> {
    /// Returns all channels of a clip, except those that are overridden by a later one.
    fn node_channels<'c>(&self, clip: &'c Clip) -> Vec<NodeChannel<'c>> {
        let mut seen = BTreeSet::new();
        let mut channels = Vec::new();
        for channel in clip.channels.iter().rev() {
            let Some(path) = channel_path(channel) else {
                continue;
            };
            for node in self.animated_nodes(channel) {
                if seen.insert((node, path)) {
                    channels.push(NodeChannel { channel, node, path });
                }
            }
        }
        channels.reverse();
        channels
    }

    fn animated_nodes(&self, channel: &Channel) -> Vec<usize> {
        match channel.target {
            ChannelTarget::Joint(joint) => {
                self.node_of_joint.get(joint.index()).copied().into_iter().collect()
            }
            ChannelTarget::Morphs(first) => {
                let slots = first..first + channel.track.width;
                self.morphs
                    .iter()
                    .filter(|morphs| morphs.slots.iter().any(|slot| slots.contains(slot)))
                    .map(|morphs| morphs.node)
                    .collect()
            }
        }
    }

    /// Returns the track of a channel with exactly one value for each morph target of the node.
    fn track_for_node<'c>(&self, channel: &'c Channel, node: usize) -> Cow<'c, Track> {
        let track = &*channel.track;
        let (ChannelTarget::Morphs(first), Some(morphs)) =
            (channel.target, self.morphs.iter().find(|morphs| morphs.node == node))
        else {
            return Cow::Borrowed(track);
        };
        if morphs.slots.iter().copied().eq(first..first + track.width) {
            return Cow::Borrowed(track);
        }
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        let mut values = Vec::new();
        for (row, stored) in track.values.chunks_exact(track.width).enumerate() {
            // Keys of a spline have three rows: in-tangents, values and out-tangents.
            let is_tangent = is_spline && row % 3 != 1;
            for &slot in &morphs.slots {
                let value = slot.checked_sub(first).and_then(|lane| stored.get(lane));
                let rest_weight = self.morph_weights.get(slot).filter(|_| !is_tangent);
                values.push(value.or(rest_weight).copied().unwrap_or(0.0));
            }
        }
        Cow::Owned(Track { values, width: morphs.slots.len(), ..track.clone() })
    }
}

/// Returns the path of a channel's target in the file. Returns `None` if it animates nothing.
fn channel_path(channel: &Channel) -> Option<&'static str> {
    let path = match (channel.target, channel.track.property) {
        (ChannelTarget::Joint(_), TrackProperty::Translation) => "translation",
        (ChannelTarget::Joint(_), TrackProperty::Rotation) => "rotation",
        (ChannelTarget::Joint(_), TrackProperty::Scale) => "scale",
        (ChannelTarget::Morphs(_), TrackProperty::Weights) => "weights",
        _ => return None,
    };
    (!channel.track.key_times().is_empty()).then_some(path)
}

/// Difference of a rotation's length from 1 up to which it is not normalized. The validator
/// of Khronos accepts slightly more.
const MAX_LENGTH_ERROR: f64 = 5e-3;

/// Keys of a track, converted to the rules of glTF 2.0 without changing the motion: times are
/// not negative and increase, rotations have unit length.
struct GltfKeys {
    interpolation: Interpolation,
    times_secs: Vec<f32>,
    /// As in [`Track::values`].
    values: Vec<f32>,
}

impl GltfKeys {
    /// Returns `None` if the track has no keys.
    fn new(track: &Track) -> Option<Self> {
        let times = track.key_times();
        let first = *times.first()?;
        let last = *times.last()?;
        let mut keys = Self {
            interpolation: track.interpolation,
            times_secs: Vec::with_capacity(times.len()),
            values: Vec::with_capacity(track.values.len()),
        };
        if last < 0.0 {
            keys.push(track, times.len() - 1, 0.0);
        } else {
            if first < 0.0 && !times.contains(&0.0) {
                keys.push_start(track);
            }
            for key in 0..times.len() {
                keys.push_if_visible(track, key);
            }
        }
        if keys.times_secs.len() == 1 && keys.interpolation == Interpolation::CubicSpline {
            // A spline needs two keys.
            keys.interpolation = Interpolation::Step;
            keys.values = keys.values.chunks_exact(track.width).nth(1)?.to_vec();
        }
        if track.property == TrackProperty::Rotation {
            keys.normalize_rotations();
        }
        Some(keys)
    }

    /// Pushes a key unless it has no effect. Of several keys with the same time, the first is
    /// the end of the preceding segment, the last is the beginning of the following segment, and
    /// those in between have no effect.
    fn push_if_visible(&mut self, track: &Track, key: usize) {
        let times = track.key_times();
        let time = times[key];
        let last_time = self.times_secs.last().copied();
        if time < 0.0 || last_time.is_some_and(|last_time| time < last_time) {
            return;
        }
        let next_is_simultaneous = times.get(key + 1) == Some(&time);
        if !next_is_simultaneous {
            self.push(track, key, time);
            return;
        }
        let previous_is_simultaneous = key > 0 && times[key - 1] == time;
        let ends_segment = track.interpolation != Interpolation::Step || last_time.is_none();
        if !previous_is_simultaneous && ends_segment && time > 0.0 {
            // Times must differ, so that the end is moved by the smallest possible step.
            let earlier = time.next_down();
            if last_time.is_none_or(|last_time| earlier > last_time) {
                self.push(track, key, earlier);
            }
        }
    }

    fn push(&mut self, track: &Track, key: usize, time: f32) {
        let values_per_key = match track.interpolation {
            Interpolation::CubicSpline => 3 * track.width,
            _ => track.width,
        };
        let values = track.values.get(key * values_per_key..(key + 1) * values_per_key);
        self.values.extend_from_slice(values.unwrap_or_default());
        self.times_secs.push(time);
    }

    /// Pushes a key at time 0 with the value of a track that begins before.
    fn push_start(&mut self, track: &Track) {
        let mut sample = Vec::new();
        if track.interpolation == Interpolation::CubicSpline {
            // The in-tangent of the first key has no effect.
            sample.resize(track.width, 0.0);
            let lanes = spline_at_start(track).unwrap_or_default();
            sample.extend(lanes.iter().map(|lane| lane.value));
            sample.extend(lanes.iter().map(|lane| lane.slope));
        } else {
            track.sample(0.0, &mut sample);
        }
        self.values.extend(sample.iter().map(|&x| x as f32));
        self.times_secs.push(0.0);
    }

    fn normalize_rotations(&mut self) {
        // In a spline, the value is between two tangents.
        let (values_per_key, offset) = match self.interpolation {
            Interpolation::CubicSpline => (12, 4),
            _ => (4, 0),
        };
        for key in self.values.chunks_exact_mut(values_per_key) {
            let [x, y, z, w] = [0, 1, 2, 3].map(|lane| f64::from(key[offset + lane]));
            let length = DQuat::from_xyzw(x, y, z, w).length();
            if length <= 1e-12 {
                // Sampling treats it as the identity.
                key[offset..offset + 4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
            } else if (length - 1.0).abs() > MAX_LENGTH_ERROR {
                for number in key {
                    *number = (f64::from(*number) / length) as f32;
                }
            }
        }
    }
}

struct SplinePoint {
    value: f64,
    slope: f64,
}

/// Computes value and slope at time 0 of each lane of a spline with keys before and after it.
/// A part of a cubic is the cubic with the same values and slopes at its ends.
fn spline_at_start(track: &Track) -> Option<Vec<SplinePoint>> {
    let times = track.key_times();
    let next = times.partition_point(|&time| time < 0.0);
    let previous = next.checked_sub(1)?;
    let start = f64::from(times[previous]);
    let end = f64::from(*times.get(next)?);
    let span = end - start;
    let t = -start / span;
    let t2 = t * t;
    let t3 = t * t * t;
    let [_, out_tangent] = track.tangents(previous)?;
    let [in_tangent, _] = track.tangents(next)?;
    let mut lanes = Vec::with_capacity(track.width);
    for lane in 0..track.width {
        let p0 = f64::from(track.value(previous)[lane]);
        let p1 = f64::from(track.value(next)[lane]);
        let m0 = span * f64::from(out_tangent[lane]);
        let m1 = span * f64::from(in_tangent[lane]);
        let value = (2.0 * t3 - 3.0 * t2 + 1.0) * p0
            + (t3 - 2.0 * t2 + t) * m0
            + (3.0 * t2 - 2.0 * t3) * p1
            + (t3 - t2) * m1;
        let slope = (6.0 * t2 - 6.0 * t) * (p0 - p1)
            + (3.0 * t2 - 4.0 * t + 1.0) * m0
            + (3.0 * t2 - 2.0 * t) * m1;
        lanes.push(SplinePoint { value, slope: slope / span });
    }
    Some(lanes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(interpolation: Interpolation, times: &[f32], values: &[f32]) -> Track {
        Track {
            property: TrackProperty::Weights,
            interpolation,
            times_secs: times.to_vec(),
            values: values.to_vec(),
            width: 1,
        }
    }

    /// Checks that converted keys follow the rules of glTF, and that samples at all times from
    /// 0 on are unchanged.
    #[track_caller]
    fn assert_same_motion(track: &Track) {
        let keys = GltfKeys::new(track).unwrap();
        let is_increasing = keys.times_secs.windows(2).all(|times| times[0] < times[1]);
        assert!(is_increasing && keys.times_secs[0] >= 0.0, "{:?}", keys.times_secs);
        let written = Track {
            interpolation: keys.interpolation,
            times_secs: keys.times_secs,
            values: keys.values,
            ..track.clone()
        };
        let mut found = Vec::new();
        let mut expected = Vec::new();
        for step in 0..=32 {
            let time_secs = f64::from(step) / 8.0;
            written.sample(time_secs, &mut found);
            track.sample(time_secs, &mut expected);
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found - expected).abs() < 1e-5, "{time_secs} s: {found} {expected}");
            }
            assert_eq!(found.len(), expected.len());
        }
    }

    #[test]
    fn simultaneous_and_negative_keys_keep_their_effect() {
        use Interpolation::{CubicSpline, Linear, Step};
        for times in [
            [0.0, 1.0, 2.0, 3.0],
            [0.0, 1.0, 1.0, 3.0],
            [0.0, 0.0, 0.0, 3.0],
            [1.0, 1.0, 1.0, 1.0],
            [1.0, 2.0, 2.0, 2.0],
            [-1.0, 0.5, 2.0, 3.0],
            [-1.0, 0.0, 2.0, 3.0],
            [-4.0, -3.0, -3.0, -1.0],
        ] {
            for interpolation in [Step, Linear] {
                assert_same_motion(&track(interpolation, &times, &[1.0, 4.0, 2.0, 3.0]));
            }
            let values = [0.0, 1.0, 2.0, -1.0, 4.0, 0.5, 1.0, 2.0, 3.0, 0.0, 3.0, 1.0];
            assert_same_motion(&track(CubicSpline, &times, &values));
        }
        assert_same_motion(&track(CubicSpline, &[1.0], &[1.0, 2.0, 3.0]));
        assert!(GltfKeys::new(&track(Linear, &[], &[])).is_none());
    }

    #[test]
    fn rotations_are_normalized() {
        let rotation = Track {
            property: TrackProperty::Rotation,
            values: vec![0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.707, 0.707],
            width: 4,
            ..track(Interpolation::Linear, &[0.0, 1.0, 2.0], &[])
        };
        let keys = GltfKeys::new(&rotation).unwrap();
        assert_eq!(keys.values[..8], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(keys.values[8..], [0.0, 0.0, 0.707, 0.707], "near enough");
    }
}
