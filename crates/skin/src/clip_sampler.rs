//! Fast sampling of clips, for once per frame.
//!
//! [`Track::sample`] is the formula to read, in 64-bit floats. The sampler computes the same
//! slerp in 32-bit floats. For each pair of neighbouring keys it precomputes their angle and
//! the reciprocal of its sine. Sines are Taylor series up to x¹¹, with an error of at most
//! 6·10⁻⁸ on the quarter turn that an arc can have. The sampler also remembers the keys
//! of the last frame, which are usually those of the next. Splines, morph weights and other
//! interpolations of rotations use the formula itself.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use glam::{Quat, Vec3, Vec4};

use super::{
    Channel, ChannelTarget, Clip, Interpolation, RotationInterpolation, Track, TrackProperty, Trs,
    put_sample,
};

/// Maximum number of clips for which each thread caches a sampler.
const MAX_CACHED_SAMPLERS: usize = 4;

thread_local! {
    /// The cached samplers, the last used first.
    static CACHE: RefCell<Vec<ClipSampler>> = const { RefCell::new(Vec::new()) };
}

/// The keys of a clip in a form that is fast to sample repeatedly.
#[derive(Debug)]
pub struct ClipSampler {
    /// The channels of the clip, to recognize it. The weak pointers keep the addresses from
    /// being reused for other tracks.
    channels: Vec<(ChannelTarget, Weak<Track>)>,
    /// The keys of each channel.
    keys: Vec<TrackKeys>,
    /// The distinct lists of key times. Tracks often share one.
    timelines: Vec<Timeline>,
    /// The sampled time in each timeline.
    cursors: Vec<KeyCursor>,
    /// Buffer for values sampled by the formula.
    sample: Vec<f64>,
}

/// The keys of one track. `timeline` is an index into [`ClipSampler::timelines`].
#[derive(Debug)]
enum TrackKeys {
    Rotations {
        timeline: usize,
        segments: Vec<SlerpSegment>,
    },
    /// Translations or scales.
    Vectors {
        timeline: usize,
        vectors: Vec<Vec3>,
    },
    /// The track is sampled by [`Track::sample`].
    ByFormula,
}

/// Precomputed slerp along the shorter arc from one key to the next.
#[derive(Clone, Copy, Debug)]
struct SlerpSegment {
    from: Vec4,
    to: Vec4,
    /// The angle between the two as vectors in four dimensions.
    angle_rad: f32,
    /// The reciprocal of the angle's sine. 0 if the two are nearly equal.
    inverse_sine: f32,
}

/// The key times of one or more tracks.
#[derive(Debug)]
struct Timeline {
    times_secs: Vec<f32>,
    is_sorted: bool,
    /// Number of keys at or before the last sampled time.
    last_count: usize,
}

/// A time in a [`Timeline`].
#[derive(Clone, Copy, Debug, Default)]
struct KeyCursor {
    /// Index of the last key at or before the time, or 0.
    before: usize,
    /// Position between that key and the next, from 0 to 1.
    t: f32,
}

/// Samples a clip into local transforms and morph weights, as [`Track::sample`] does for each
/// channel.
///
/// Caches a [`ClipSampler`] for the next call. `pose` is indexed by joint. Channels whose
/// joint or morph weight is out of range are ignored.
pub fn sample_clip(clip: &Clip, time_secs: f64, pose: &mut [Trs], morph_weights: &mut [f32]) {
    CACHE.with_borrow_mut(|cache| {
        if let Some(index) = cache.iter().position(|sampler| sampler.is_made_from(clip)) {
            cache[..=index].rotate_right(1);
        } else {
            cache.truncate(MAX_CACHED_SAMPLERS - 1);
            cache.insert(0, ClipSampler::new(clip));
        }
        if let Some(sampler) = cache.first_mut() {
            sampler.sample(clip, time_secs, pose, morph_weights);
        }
    });
}

impl ClipSampler {
    /// Prepares the keys of a clip for sampling.
    pub fn new(clip: &Clip) -> Self {
        let mut timelines: Vec<Timeline> = Vec::new();
        let mut keys = Vec::with_capacity(clip.channels.len());
        for channel in &clip.channels {
            keys.push(TrackKeys::new(channel, &mut timelines));
        }
        Self {
            channels: clip
                .channels
                .iter()
                .map(|channel| (channel.target, Arc::downgrade(&channel.track)))
                .collect(),
            keys,
            cursors: vec![KeyCursor::default(); timelines.len()],
            timelines,
            sample: Vec::new(),
        }
    }

    fn is_made_from(&self, clip: &Clip) -> bool {
        self.channels.len() == clip.channels.len()
            && self.channels.iter().zip(&clip.channels).all(|((target, track), channel)| {
                *target == channel.target
                    && std::ptr::eq(track.as_ptr(), Arc::as_ptr(&channel.track))
            })
    }

    /// Samples the clip into local transforms, indexed by joint, and morph weights.
    ///
    /// `clip` must be the clip from which the sampler was made. Channels whose joint or morph
    /// weight is out of range are ignored.
    pub fn sample(
        &mut self,
        clip: &Clip,
        time_secs: f64,
        pose: &mut [Trs],
        morph_weights: &mut [f32],
    ) {
        for (cursor, timeline) in self.cursors.iter_mut().zip(&mut self.timelines) {
            *cursor = timeline.cursor_at(time_secs);
        }
        for (channel, keys) in clip.channels.iter().zip(&self.keys) {
            let track = &*channel.track;
            let trs = match channel.target {
                ChannelTarget::Joint(joint) => pose.get_mut(joint.index()),
                ChannelTarget::Morphs(first) => {
                    if track.property == TrackProperty::Weights {
                        track.sample(time_secs, &mut self.sample);
                        let slots = morph_weights.iter_mut().skip(first);
                        for (slot, &weight) in slots.zip(&self.sample) {
                            *slot = weight as f32;
                        }
                    }
                    continue;
                }
            };
            let Some(trs) = trs else { continue };
            let is_stepped = track.interpolation == Interpolation::Step;
            match keys {
                TrackKeys::Rotations { timeline, segments } => {
                    let KeyCursor { before, t } =
                        self.cursors.get(*timeline).copied().unwrap_or_default();
                    if let Some(segment) = segments.get(before) {
                        trs.rotation = segment.at(if is_stepped { 0.0 } else { t });
                    }
                }
                TrackKeys::Vectors { timeline, vectors } => {
                    let KeyCursor { before, t } =
                        self.cursors.get(*timeline).copied().unwrap_or_default();
                    let Some(&from) = vectors.get(before) else {
                        continue;
                    };
                    let value = match vectors.get(before + 1) {
                        Some(&to) if t > 0.0 && !is_stepped => from + (to - from) * t,
                        _ => from,
                    };
                    match track.property {
                        TrackProperty::Scale => trs.scale = value,
                        _ => trs.translation = value,
                    }
                }
                TrackKeys::ByFormula => {
                    track.sample_by(RotationInterpolation::Slerp, time_secs, &mut self.sample);
                    put_sample(trs, track.property, &self.sample);
                }
            }
        }
    }
}

impl TrackKeys {
    /// Copies the keys of a channel. Adds its timeline to `timelines` unless it is there.
    fn new(channel: &Channel, timelines: &mut Vec<Timeline>) -> Self {
        let track = &*channel.track;
        let is_joint = matches!(channel.target, ChannelTarget::Joint(_));
        let is_spline = track.interpolation == Interpolation::CubicSpline;
        if !is_joint || is_spline || track.key_count() == 0 {
            return Self::ByFormula;
        }
        let keys = 0..track.key_count();
        match track.property {
            TrackProperty::Rotation => Self::Rotations {
                timeline: Timeline::find_or_push(timelines, track.key_times()),
                segments: keys.map(|key| SlerpSegment::new(track, key)).collect(),
            },
            TrackProperty::Translation | TrackProperty::Scale if track.width == 3 => {
                Self::Vectors {
                    timeline: Timeline::find_or_push(timelines, track.key_times()),
                    vectors: keys
                        .map(|key| match *track.value(key) {
                            [x, y, z] => Vec3::new(x, y, z),
                            _ => Vec3::ZERO,
                        })
                        .collect(),
                }
            }
            _ => Self::ByFormula,
        }
    }
}

impl Timeline {
    fn new(times_secs: &[f32]) -> Self {
        Self { times_secs: times_secs.to_vec(), is_sorted: times_secs.is_sorted(), last_count: 0 }
    }

    /// Returns the index of the timeline with these times.
    fn find_or_push(timelines: &mut Vec<Self>, times_secs: &[f32]) -> usize {
        let index = timelines.iter().position(|timeline| timeline.times_secs == times_secs);
        index.unwrap_or_else(|| {
            timelines.push(Self::new(times_secs));
            timelines.len() - 1
        })
    }

    /// Finds the keys around a time. As in [`Track::sample`], a key holds until the next time
    /// that increases.
    fn cursor_at(&mut self, time_secs: f64) -> KeyCursor {
        self.last_count = self.count_keys_until(time_secs);
        let before = self.last_count.saturating_sub(1);
        let at_key = KeyCursor { before, t: 0.0 };
        if self.last_count == 0 {
            return at_key;
        }
        let (Some(&start), Some(&end)) =
            (self.times_secs.get(before), self.times_secs.get(self.last_count))
        else {
            return at_key;
        };
        let span_secs = f64::from(end) - f64::from(start);
        let t = (time_secs - f64::from(start)) / span_secs;
        if span_secs.is_finite() && (0.0..=1.0).contains(&t) {
            KeyCursor { before, t: t as f32 }
        } else {
            at_key
        }
    }

    /// Returns the number of keys at or before a time. Tries the last count and the one after
    /// it before a binary search.
    fn count_keys_until(&self, time_secs: f64) -> usize {
        if self.is_sorted {
            for count in [self.last_count, self.last_count + 1] {
                if self.is_count_until(count, time_secs) {
                    return count;
                }
            }
        }
        self.times_secs.partition_point(|&key| f64::from(key) <= time_secs)
    }

    /// Returns whether exactly the first `count` of the sorted keys are at or before a time.
    fn is_count_until(&self, count: usize, time_secs: f64) -> bool {
        let is_last_before = match count.checked_sub(1) {
            None => true,
            Some(last) => self.times_secs.get(last).is_some_and(|&key| f64::from(key) <= time_secs),
        };
        // Not `key > time_secs`, which differs for NaN.
        let is_next_after =
            !self.times_secs.get(count).is_some_and(|&key| f64::from(key) <= time_secs);
        is_last_before && is_next_after
    }
}

impl SlerpSegment {
    /// Precomputes the arc from a key to the next one. The arc of the last key ends at itself.
    fn new(track: &Track, key: usize) -> Self {
        let from = track.rotation(key);
        let next = if key + 1 < track.key_count() { key + 1 } else { key };
        let mut to = track.rotation(next);
        if from.dot(to) < 0.0 {
            to = -to;
        }
        let cos = from.dot(to).clamp(-1.0, 1.0);
        let sine = (1.0 - cos * cos).sqrt();
        let inverse_sine = if sine < 1e-6 { 0.0 } else { sine.recip() };
        Self {
            from: Vec4::from_array(from.as_quat().to_array()),
            to: Vec4::from_array(to.as_quat().to_array()),
            angle_rad: cos.acos() as f32,
            inverse_sine: inverse_sine as f32,
        }
    }

    /// Interpolates at `t`, from 0 to 1. The result is of unit length.
    fn at(&self, t: f32) -> Quat {
        if t <= 0.0 {
            return Quat::from_vec4(self.from);
        }
        let (from_weight, to_weight) = if self.inverse_sine == 0.0 {
            (1.0 - t, t)
        } else {
            (
                taylor_sine((1.0 - t) * self.angle_rad) * self.inverse_sine,
                taylor_sine(t * self.angle_rad) * self.inverse_sine,
            )
        };
        let sum = self.from * from_weight + self.to * to_weight;
        // The length is already almost 1: one Newton step for the inverse square root.
        Quat::from_vec4(sum * (1.5 - 0.5 * sum.length_squared()))
    }
}

/// Computes the sine of an angle from 0 to π/2 radians by its Taylor series up to x¹¹.
fn taylor_sine(x: f32) -> f32 {
    /// Coefficients of x¹¹, x⁹, x⁷, x⁵ and x³.
    const COEFFICIENTS: [f32; 5] =
        [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0];
    let squared = x * x;
    let [a, b, c, d, e] = COEFFICIENTS;
    x + x * squared * ((((a * squared + b) * squared + c) * squared + d) * squared + e)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::JointIndex;

    /// Samples a clip of one joint and three morph weights by [`Track::sample`].
    fn sample_by_formula(clip: &Clip, time_secs: f64) -> (Trs, Vec<f32>) {
        let (mut trs, mut weights, mut sample) = (Trs::IDENTITY, vec![0.5; 3], Vec::new());
        for channel in &clip.channels {
            channel.track.sample(time_secs, &mut sample);
            match channel.target {
                ChannelTarget::Joint(_) => put_sample(&mut trs, channel.track.property, &sample),
                ChannelTarget::Morphs(first) => {
                    for (slot, value) in weights.iter_mut().skip(first).zip(&sample) {
                        *slot = *value as f32;
                    }
                }
            }
        }
        (trs, weights)
    }

    fn any_number() -> impl Strategy<Value = f32> {
        prop_oneof![5 => -2.0f32..2.0, 1 => Just(0.0), 1 => Just(1.0)]
    }

    /// Times that increase in most cases.
    fn any_times() -> impl Strategy<Value = Vec<f32>> {
        let step = prop_oneof![6 => 0.05f32..1.0, 1 => Just(0.0), 1 => -0.5f32..0.0];
        (prop::collection::vec(step, 0..9), prop::bool::weighted(0.7)).prop_map(
            |(steps, increasing)| {
                let mut now = 0.0;
                let times = steps.into_iter().map(|step| {
                    now += if increasing { step.abs() + 0.01 } else { step };
                    now
                });
                times.collect()
            },
        )
    }

    fn any_channel(property: TrackProperty) -> impl Strategy<Value = Channel> {
        let interpolation = prop_oneof![
            1 => Just(Interpolation::Step),
            3 => Just(Interpolation::Linear),
            1 => Just(Interpolation::CubicSpline)
        ];
        let width = match property {
            TrackProperty::Rotation => 4,
            _ => 3,
        };
        let numbers = prop::collection::vec(any_number(), 9 * 3 * width);
        (any_times(), interpolation, numbers, 0u8..4).prop_map(
            move |(times_secs, interpolation, mut values, kind)| {
                if property == TrackProperty::Rotation && interpolation == Interpolation::Linear {
                    let (first, rest) = values.split_at_mut(width);
                    for (key, value) in rest.chunks_mut(width).enumerate() {
                        match (kind, key % 3) {
                            // The negated quaternion, a nearly equal rotation, or no rotation.
                            (1, 0) => {
                                value.iter_mut().zip(&*first).for_each(|(to, from)| *to = -from);
                            }
                            (2, _) => value
                                .iter_mut()
                                .zip(&*first)
                                .for_each(|(to, from)| *to = from * 1.5 + 1e-5),
                            (3, 1) => value.fill(0.0),
                            _ => {}
                        }
                    }
                }
                Channel {
                    target: match property {
                        TrackProperty::Weights => ChannelTarget::Morphs(0),
                        _ => ChannelTarget::Joint(JointIndex(0)),
                    },
                    track: Arc::new(Track { property, interpolation, times_secs, values, width }),
                }
            },
        )
    }

    /// Times before, between and after the keys, in any order, because a player may seek. The
    /// flag requests the time of a key.
    fn any_sample_times() -> impl Strategy<Value = Vec<(f64, bool)>> {
        prop::collection::vec((-0.5f64..6.0, prop::bool::weighted(0.3)), 1..30)
    }

    proptest! {
        #[test]
        fn samples_equal_those_of_the_formula_after_any_earlier_sample(
            channels in (
                any_channel(TrackProperty::Translation),
                any_channel(TrackProperty::Rotation),
                any_channel(TrackProperty::Scale),
                any_channel(TrackProperty::Weights),
            ),
            sample_times in any_sample_times(),
        ) {
            let (translation, rotation, scale, weights) = channels;
            let clip = Clip {
                channels: vec![translation, rotation, scale, weights],
                ..Clip::default()
            };
            let times = &clip.channels[1].track.times_secs;
            for (time_secs, on_key) in sample_times {
                let key = times.get(time_secs.max(0.0) as usize);
                let time_secs = match key {
                    Some(&key) if on_key => f64::from(key),
                    _ => time_secs,
                };
                let (expected, expected_weights) = sample_by_formula(&clip, time_secs);
                let (mut pose, mut found_weights) = ([Trs::IDENTITY], [0.5; 3]);
                sample_clip(&clip, time_secs, &mut pose, &mut found_weights);
                let found = pose[0];
                // The keys are at most 2 in size, but tangents of splines lead further.
                let error = (found.translation - expected.translation).abs().max_element();
                prop_assert!(error <= 1e-6, "{found:?} {expected:?}");
                let error = (found.scale - expected.scale).abs().max_element();
                prop_assert!(error <= 1e-6, "{found:?} {expected:?}");
                let error = (found.rotation - expected.rotation).length();
                prop_assert!(error <= 1e-6, "{error}: {found:?} {expected:?} at {time_secs}");
                prop_assert_eq!(&found_weights[..], &expected_weights[..]);
            }
        }
    }

    #[test]
    fn a_clip_at_the_address_of_a_dropped_one_gets_a_new_sampler() {
        let clip = |x: f32| Clip {
            channels: vec![Channel {
                target: ChannelTarget::Joint(JointIndex(0)),
                track: Arc::new(Track {
                    property: TrackProperty::Translation,
                    interpolation: Interpolation::Linear,
                    times_secs: vec![0.0, 1.0],
                    values: vec![0.0, 0.0, 0.0, x, 0.0, 0.0],
                    width: 3,
                }),
            }],
            ..Clip::default()
        };
        for round in 0..20 {
            let x = round as f32;
            let clip = clip(x);
            let mut pose = [Trs::IDENTITY];
            for _ in 0..2 {
                sample_clip(&clip, 0.5, &mut pose, &mut []);
                assert_eq!(pose[0].translation.x, x / 2.0);
            }
        }
        CACHE.with_borrow(|cache| assert!(cache.len() <= MAX_CACHED_SAMPLERS));
    }
}
