//! Clips as animations. Channels without keys are left out, and all but the last
//! of those that move the same.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bindpose_skin::{Channel, ChannelTarget, Clip, Interpolation, Track, TrackProperty};
use glam::DQuat;

use super::json;
use super::writer::{Floats, GltfWriter};

/// Where joints and morph weights stand in the file.
#[derive(Default)]
pub(super) struct ChannelTargets<'a> {
    /// The node of each joint.
    pub(super) node_of_joint: &'a [usize],
    /// Nodes whose meshes have morph targets.
    pub(super) morphs: &'a [MorphNode],
    /// Morph weights where no key says otherwise, by slot.
    pub(super) morph_weights: &'a [f32],
}

/// A node whose mesh has morph targets.
pub(super) struct MorphNode {
    pub(super) node: usize,
    /// The rig's morph weights that it takes, one a target.
    pub(super) slots: Vec<usize>,
}

/// What was written so far of one animation: channels with the same times, or
/// the same track, share them.
#[derive(Default)]
struct WrittenAnimation {
    inputs: BTreeMap<Vec<u32>, usize>,
    samplers: BTreeMap<usize, usize>,
}

impl GltfWriter {
    /// An animation for each clip in which something moves.
    pub(super) fn animations(
        &mut self,
        clips: &[Clip],
        to: &ChannelTargets<'_>,
    ) -> Vec<json::Animation> {
        let animations = clips.iter().map(|clip| self.animation(clip, to));
        animations.filter(|animation| !animation.channels.is_empty()).collect()
    }

    fn animation(&mut self, clip: &Clip, to: &ChannelTargets<'_>) -> json::Animation {
        let mut animation =
            json::Animation { name: clip.name.clone(), channels: Vec::new(), samplers: Vec::new() };
        let mut written = WrittenAnimation::default();
        for (channel, node, path) in to.channels(clip) {
            let address = Arc::as_ptr(&channel.track).addr();
            let shared = written.samplers.get(&address).copied();
            let sampler = if let Some(sampler) = shared {
                sampler
            } else {
                let track = to.track(channel, node);
                let Some(sampler) = self.sampler(&track, &mut written) else {
                    continue;
                };
                animation.samplers.push(sampler);
                animation.samplers.len() - 1
            };
            if matches!(channel.target, ChannelTarget::Joint(_)) {
                written.samplers.insert(address, sampler);
            }
            animation.channels.push(json::Channel { sampler, target: json::Target { node, path } });
        }
        animation
    }

    fn sampler(&mut self, track: &Track, written: &mut WrittenAnimation) -> Option<json::Sampler> {
        let keys = WrittenKeys::new(track)?;
        let bits = keys.times_secs.iter().map(|time| time.to_bits()).collect();
        let inputs = &mut written.inputs;
        let input = *inputs.entry(bits).or_insert_with(|| self.times(&keys.times_secs));
        let floats = match track.property {
            TrackProperty::Translation | TrackProperty::Scale => Floats::KEY_VECTOR,
            TrackProperty::Rotation => Floats::KEY_ROTATION,
            TrackProperty::Weights => Floats::KEY,
        };
        Some(json::Sampler {
            input,
            interpolation: match keys.interpolation {
                Interpolation::Step => "STEP",
                Interpolation::Linear => "LINEAR",
                Interpolation::CubicSpline => "CUBICSPLINE",
            },
            output: self.floats(&keys.values, floats),
        })
    }
}

impl ChannelTargets<'_> {
    /// What moves which node; of several that move the same, the last.
    fn channels<'c>(&self, clip: &'c Clip) -> Vec<(&'c Channel, usize, &'static str)> {
        let mut seen = BTreeSet::new();
        let mut channels = Vec::new();
        for channel in clip.channels.iter().rev() {
            let Some(path) = path(channel) else {
                continue;
            };
            for node in self.nodes(channel) {
                if seen.insert((node, path)) {
                    channels.push((channel, node, path));
                }
            }
        }
        channels.reverse();
        channels
    }

    fn nodes(&self, channel: &Channel) -> Vec<usize> {
        match channel.target {
            ChannelTarget::Joint(joint) => {
                self.node_of_joint.get(joint.index()).copied().into_iter().collect()
            }
            ChannelTarget::Morphs(first) => {
                let moved = first..first + channel.track.width;
                let morphs = self.morphs.iter();
                let nodes = morphs.filter(|one| one.slots.iter().any(|slot| moved.contains(slot)));
                nodes.map(|one| one.node).collect()
            }
        }
    }

    /// The track with a number for each of the node's targets, and no others.
    fn track<'c>(&self, channel: &'c Channel, node: usize) -> Cow<'c, Track> {
        let track = &*channel.track;
        let (ChannelTarget::Morphs(first), Some(morphs)) =
            (channel.target, self.morphs.iter().find(|morphs| morphs.node == node))
        else {
            return Cow::Borrowed(track);
        };
        if morphs.slots.iter().copied().eq(first..first + track.width) {
            return Cow::Borrowed(track);
        }
        let spline = track.interpolation == Interpolation::CubicSpline;
        let parts = if spline { 3 } else { 1 };
        let key_values = track.values.chunks_exact(track.width).enumerate();
        let values = key_values.flat_map(|(row, values)| {
            morphs.slots.iter().map(move |&slot| {
                let value = slot.checked_sub(first).and_then(|lane| values.get(lane));
                // What no key moves has no slope.
                let is_value = !spline || row % parts == 1;
                let at_rest = self.morph_weights.get(slot).filter(|_| is_value);
                value.or(at_rest).copied().unwrap_or(0.0)
            })
        });
        Cow::Owned(Track { values: values.collect(), width: morphs.slots.len(), ..track.clone() })
    }
}

/// What a channel moves, as the file calls it; `None` where it moves nothing.
fn path(channel: &Channel) -> Option<&'static str> {
    let path = match (channel.target, channel.track.property) {
        (ChannelTarget::Joint(_), TrackProperty::Translation) => "translation",
        (ChannelTarget::Joint(_), TrackProperty::Rotation) => "rotation",
        (ChannelTarget::Joint(_), TrackProperty::Scale) => "scale",
        (ChannelTarget::Morphs(_), TrackProperty::Weights) => "weights",
        _ => return None,
    };
    (!channel.track.key_times().is_empty()).then_some(path)
}

// The keys of a track as glTF 2.0 wants them: from 0 on, each later than the
// one before, rotations of unit length; what they do stays the same.

/// How far a rotation's length may be from 1 before it is written anew; glTF's
/// own validator allows a little more.
const CHANGE: f64 = 5e-3;

/// Keys that may be written.
pub(super) struct WrittenKeys {
    pub(super) interpolation: Interpolation,
    pub(super) times_secs: Vec<f32>,
    /// As in [`Track::values`].
    pub(super) values: Vec<f32>,
}

impl WrittenKeys {
    /// `None` for a track without keys.
    pub(super) fn new(track: &Track) -> Option<Self> {
        let times = track.key_times();
        let (&first, &last) = (times.first()?, times.last()?);
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
                keys.push_in_turn(track, key);
            }
        }
        if keys.times_secs.len() == 1 && keys.interpolation == Interpolation::CubicSpline {
            // A spline has two ends.
            keys.interpolation = Interpolation::Step;
            keys.values = keys.values.chunks_exact(track.width).nth(1)?.to_vec();
        }
        if track.property == TrackProperty::Rotation {
            keys.make_unit();
        }
        Some(keys)
    }

    /// Of keys at one time, the first is what comes before leads to, the last
    /// what holds from then on; those between are never seen.
    fn push_in_turn(&mut self, track: &Track, key: usize) {
        let times = track.key_times();
        let time = times[key];
        let before = self.times_secs.last().copied();
        if time < 0.0 || before.is_some_and(|before| time < before) {
            return;
        }
        let of_same_time =
            |other: Option<usize>| other.and_then(|other| times.get(other)).copied() == Some(time);
        let (after_same, before_same) =
            (of_same_time(key.checked_sub(1)), of_same_time(Some(key + 1)));
        if !before_same {
            self.push(track, key, time);
            return;
        }
        let earlier = time.next_down();
        let seen = track.interpolation != Interpolation::Step || before.is_none();
        if !after_same && seen && time > 0.0 && before.is_none_or(|before| earlier > before) {
            self.push(track, key, earlier);
        }
    }

    fn push(&mut self, track: &Track, key: usize, time: f32) {
        let numbers = match track.interpolation {
            Interpolation::CubicSpline => 3 * track.width,
            _ => track.width,
        };
        let values = track.values.get(key * numbers..(key + 1) * numbers);
        self.values.extend_from_slice(values.unwrap_or_default());
        self.times_secs.push(time);
    }

    /// What a track that began before 0 has come to there.
    fn push_start(&mut self, track: &Track) {
        let mut sample = Vec::new();
        if track.interpolation == Interpolation::CubicSpline {
            sample.resize(track.width, 0.0);
            let lanes: Vec<[f64; 2]> = spline_at_start(track).unwrap_or_default();
            sample.extend(lanes.iter().map(|[value, _]| value));
            sample.extend(lanes.iter().map(|[_, slope]| slope));
        } else {
            track.sample(0.0, &mut sample);
        }
        self.values.extend(sample.iter().map(|&x| x as f32));
        self.times_secs.push(0.0);
    }

    fn make_unit(&mut self) {
        let (each, value_at) = match self.interpolation {
            Interpolation::CubicSpline => (12, 4),
            _ => (4, 0),
        };
        for key in self.values.chunks_exact_mut(each) {
            let [x, y, z, w] = [0, 1, 2, 3].map(|lane| f64::from(key[value_at + lane]));
            let length = DQuat::from_xyzw(x, y, z, w).length();
            if length <= 1e-12 {
                // As it is sampled: no rotation.
                key[value_at..value_at + 4].copy_from_slice(&[0.0, 0.0, 0.0, 1.0]);
            } else if (length - 1.0).abs() > CHANGE {
                for number in key {
                    *number = (f64::from(*number) / length) as f32;
                }
            }
        }
    }
}

/// Value and slope at 0 of a spline between a key before it and one after it, by
/// lane: what is left of a cubic is a cubic with the same slopes.
fn spline_at_start(track: &Track) -> Option<Vec<[f64; 2]>> {
    let times = track.key_times();
    let after = times.partition_point(|&time| time < 0.0);
    let before = after.checked_sub(1)?;
    let (start, end) = (f64::from(times[before]), f64::from(*times.get(after)?));
    let (span, t) = (end - start, -start / (end - start));
    let ([_, out_of], [into, _]) = (track.tangents(before)?, track.tangents(after)?);
    let lanes = (0..track.width).map(|lane| {
        let from = f64::from(track.value(before)[lane]);
        let to = f64::from(track.value(after)[lane]);
        let (b, a) = (span * f64::from(out_of[lane]), span * f64::from(into[lane]));
        let (t2, t3) = (t * t, t * t * t);
        let value = (2.0 * t3 - 3.0 * t2 + 1.0) * from
            + (t3 - 2.0 * t2 + t) * b
            + (3.0 * t2 - 2.0 * t3) * to
            + (t3 - t2) * a;
        let slope = (6.0 * t2 - 6.0 * t) * (from - to)
            + (3.0 * t2 - 4.0 * t + 1.0) * b
            + (3.0 * t2 - 2.0 * t) * a;
        [value, slope / span]
    });
    Some(lanes.collect())
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

    /// The same at all times from 0 on, and as glTF wants it.
    #[track_caller]
    fn assert_same(track: &Track) {
        let keys = WrittenKeys::new(track).unwrap();
        let increase = keys.times_secs.windows(2).all(|two| two[0] < two[1]);
        assert!(increase && keys.times_secs[0] >= 0.0, "{:?}", keys.times_secs);
        let written = Track {
            interpolation: keys.interpolation,
            times_secs: keys.times_secs,
            values: keys.values,
            ..track.clone()
        };
        let (mut found, mut expected) = (Vec::new(), Vec::new());
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
    fn keys_at_one_time_and_before_the_beginning_do_what_they_did() {
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
                assert_same(&track(interpolation, &times, &[1.0, 4.0, 2.0, 3.0]));
            }
            let values = [0.0, 1.0, 2.0, -1.0, 4.0, 0.5, 1.0, 2.0, 3.0, 0.0, 3.0, 1.0];
            assert_same(&track(CubicSpline, &times, &values));
        }
        assert_same(&track(CubicSpline, &[1.0], &[1.0, 2.0, 3.0]));
        assert!(WrittenKeys::new(&track(Linear, &[], &[])).is_none());
    }

    #[test]
    fn rotations_are_made_unit_where_they_are_not() {
        let turn = Track {
            property: TrackProperty::Rotation,
            values: vec![0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.707, 0.707],
            width: 4,
            ..track(Interpolation::Linear, &[0.0, 1.0, 2.0], &[])
        };
        let keys = WrittenKeys::new(&turn).unwrap();
        assert_eq!(keys.values[..8], [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(keys.values[8..], [0.0, 0.0, 0.707, 0.707], "near enough");
    }
}
