//! Clips sampled once a frame: keys laid out for it, and where the last frame was is
//! remembered.
//!
//! [`Track::sample`] is the formula to read, in float64. Here rotations go along the
//! same arc, in float32: what a key and the next have in common, their angle and one
//! over its sine, is worked out before; sines come from the series of Taylor to x¹¹,
//! off by 6·10⁻⁸ at most on the quarter of a turn that an arc can be. Splines, morph
//! weights and other ways between rotations stay with the formula.

use std::cell::RefCell;
use std::sync::{Arc, Weak};

use glam::{Quat, Vec3, Vec4};

use super::{
    ChannelTarget, Clip, Interpolation, RotationInterpolation, Track, TrackProperty, Trs,
    put_sample,
};

/// Clips that are remembered on a thread.
const KEPT: usize = 4;

thread_local! {
    static KNOWN: RefCell<Vec<ClipSampler>> = const { RefCell::new(Vec::new()) };
}

/// A clip, ready to be sampled again and again.
#[derive(Debug)]
pub struct ClipSampler {
    /// What it was made from.
    channels: Vec<(ChannelTarget, Weak<Track>)>,
    keys: Vec<TrackKeys>,
    /// When keys stand: tracks often share that.
    timelines: Vec<Timeline>,
    moments: Vec<KeyCursor>,
    sample: Vec<f64>,
}

/// The keys of one track, and the number of its timeline.
#[derive(Debug)]
enum TrackKeys {
    Rotations(usize, Vec<Arc4>),
    /// Translations or scales.
    Vectors(usize, Vec<Vec3>),
    /// As [`Track::sample`] has it.
    ByFormula,
}

/// From a key to the next, the short way.
#[derive(Clone, Copy, Debug)]
struct Arc4 {
    from: Vec4,
    to: Vec4,
    /// Between them, as directions in four dimensions.
    angle_rad: f32,
    /// 0 where the two are as good as one.
    one_over_sine: f32,
}

/// When keys stand.
#[derive(Debug)]
struct Timeline {
    times_secs: Vec<f32>,
    /// They never decrease.
    is_sorted: bool,
    /// How many keys stood at or before the time of the last look.
    after: usize,
}

/// Where a time lies in a timeline.
#[derive(Clone, Copy, Debug, Default)]
struct KeyCursor {
    before: usize,
    /// From that key to the next, 0 to 1.
    part: f32,
}

/// Samples a clip as [`Track::sample`] does, channel after channel, into local
/// transforms and morph weights. What it lays out is kept for the next time.
pub fn sample_clip(clip: &Clip, time_secs: f64, pose: &mut [Trs], morph_weights: &mut [f32]) {
    KNOWN.with_borrow_mut(|known| {
        if let Some(place) = known.iter().position(|sampler| sampler.is_of(clip)) {
            known[..=place].rotate_right(1);
        } else {
            known.truncate(KEPT - 1);
            known.insert(0, ClipSampler::new(clip));
        }
        if let Some(sampler) = known.first_mut() {
            sampler.sample(clip, time_secs, pose, morph_weights);
        }
    });
}

impl ClipSampler {
    /// Lays out the keys of a clip.
    pub fn new(clip: &Clip) -> Self {
        let mut timelines: Vec<Timeline> = Vec::new();
        let mut number = |track: &Track| {
            let times = track.key_times();
            let known = timelines.iter().position(|line| line.times_secs == times);
            known.unwrap_or_else(|| {
                timelines.push(Timeline::new(times));
                timelines.len() - 1
            })
        };
        let keys = |channel: &super::Channel| {
            let track = &*channel.track;
            let (property, between) = (track.property, track.interpolation);
            let is_joint = matches!(channel.target, ChannelTarget::Joint(_));
            if !is_joint || between == Interpolation::CubicSpline || track.key_count() == 0 {
                return TrackKeys::ByFormula;
            }
            let keys = 0..track.key_count();
            match property {
                TrackProperty::Rotation => TrackKeys::Rotations(
                    number(track),
                    keys.map(|key| Arc4::after(track, key)).collect(),
                ),
                TrackProperty::Translation | TrackProperty::Scale if track.width == 3 => {
                    let vectors = keys.map(|key| match *track.value(key) {
                        [x, y, z] => Vec3::new(x, y, z),
                        _ => Vec3::ZERO,
                    });
                    TrackKeys::Vectors(number(track), vectors.collect())
                }
                _ => TrackKeys::ByFormula,
            }
        };
        let keys: Vec<TrackKeys> = clip.channels.iter().map(keys).collect();
        let identity = |channel: &super::Channel| (channel.target, Arc::downgrade(&channel.track));
        Self {
            channels: clip.channels.iter().map(identity).collect(),
            keys,
            moments: vec![KeyCursor::default(); timelines.len()],
            timelines,
            sample: Vec::new(),
        }
    }

    /// A weak one keeps the place in memory from being given to another.
    fn is_of(&self, clip: &Clip) -> bool {
        self.channels.len() == clip.channels.len()
            && self.channels.iter().zip(&clip.channels).all(|((target, track), channel)| {
                *target == channel.target
                    && std::ptr::eq(track.as_ptr(), Arc::as_ptr(&channel.track))
            })
    }

    /// Puts what the clip holds at a time into local transforms, by joint, and morph
    /// weights, by slot. `clip` is the one that it was made from.
    pub fn sample(
        &mut self,
        clip: &Clip,
        time_secs: f64,
        pose: &mut [Trs],
        morph_weights: &mut [f32],
    ) {
        for (moment, timeline) in self.moments.iter_mut().zip(&mut self.timelines) {
            *moment = timeline.moment(time_secs);
        }
        for (channel, keys) in clip.channels.iter().zip(&self.keys) {
            let track = &*channel.track;
            let joint = match channel.target {
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
            let Some(trs) = joint else { continue };
            let holds = track.interpolation == Interpolation::Step;
            match keys {
                TrackKeys::Rotations(line, arcs) => {
                    let moment = self.moments.get(*line).copied().unwrap_or_default();
                    if let Some(arc) = arcs.get(moment.before) {
                        let part = if holds { 0.0 } else { moment.part };
                        trs.rotation = arc.at(part);
                    }
                }
                TrackKeys::Vectors(line, vectors) => {
                    let KeyCursor { before, part } =
                        self.moments.get(*line).copied().unwrap_or_default();
                    let Some(&from) = vectors.get(before) else {
                        continue;
                    };
                    let value = match vectors.get(before + 1) {
                        Some(&to) if part > 0.0 && !holds => from + (to - from) * part,
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

impl Timeline {
    fn new(times_secs: &[f32]) -> Self {
        Self { times_secs: times_secs.to_vec(), is_sorted: times_secs.is_sorted(), after: 0 }
    }

    /// As the formula has it: keys that do not increase hold until the next that
    /// does.
    fn moment(&mut self, time_secs: f64) -> KeyCursor {
        self.after = self.keys_until(time_secs);
        let before = self.after.saturating_sub(1);
        let held = KeyCursor { before, part: 0.0 };
        if self.after == 0 {
            return held;
        }
        let times = (self.times_secs.get(before), self.times_secs.get(self.after));
        let (Some(&start), Some(&end)) = times else {
            return held;
        };
        let span_secs = f64::from(end) - f64::from(start);
        let part = (time_secs - f64::from(start)) / span_secs;
        if span_secs.is_finite() && (0.0..=1.0).contains(&part) {
            let part = part as f32;
            KeyCursor { before, part }
        } else {
            held
        }
    }

    /// How many keys stand at or before a time: as many as last time, or one more,
    /// or found by halves.
    fn keys_until(&self, time_secs: f64) -> usize {
        let is_past = |key: &f32| f64::from(*key) <= time_secs;
        for after in [self.after, self.after + 1] {
            let last = after.checked_sub(1).map(|last| self.times_secs.get(last));
            let begins = last.is_none_or(|last| last.is_some_and(is_past));
            let ends = self.times_secs.get(after).is_none_or(|next| !is_past(next));
            if self.is_sorted && begins && ends {
                return after;
            }
        }
        self.times_secs.partition_point(is_past)
    }
}

impl Arc4 {
    /// From that key; of the last one, to itself.
    fn after(track: &Track, key: usize) -> Self {
        let from = track.rotation(key);
        let next = if key + 1 < track.key_count() { key + 1 } else { key };
        let to = track.rotation(next);
        let to = if from.dot(to) < 0.0 { -to } else { to };
        let cos = from.dot(to).clamp(-1.0, 1.0);
        let sine = (1.0 - cos * cos).sqrt();
        let one_over_sine = if sine < 1e-6 { 0.0 } else { sine.recip() };
        Self {
            from: Vec4::from_array(from.as_quat().to_array()),
            to: Vec4::from_array(to.as_quat().to_array()),
            angle_rad: cos.acos() as f32,
            one_over_sine: one_over_sine as f32,
        }
    }

    /// `part` of the way, of unit length.
    fn at(&self, part: f32) -> Quat {
        if part <= 0.0 {
            return Quat::from_vec4(self.from);
        }
        let rest = 1.0 - part;
        let (of_from, of_to) = if self.one_over_sine == 0.0 {
            (rest, part)
        } else {
            (
                sine(rest * self.angle_rad) * self.one_over_sine,
                sine(part * self.angle_rad) * self.one_over_sine,
            )
        };
        let sum = self.from * of_from + self.to * of_to;
        // All but of unit length: one step of Newton's for one over the root.
        Quat::from_vec4(sum * (1.5 - 0.5 * sum.length_squared()))
    }
}

/// From 0 to a quarter of a turn.
fn sine(x: f32) -> f32 {
    const BY_POWER: [f32; 5] =
        [-1.0 / 39_916_800.0, 1.0 / 362_880.0, -1.0 / 5_040.0, 1.0 / 120.0, -1.0 / 6.0];
    let squared = x * x;
    let [a, b, c, d, e] = BY_POWER;
    x + x * squared * ((((a * squared + b) * squared + c) * squared + d) * squared + e)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Channel, JointIndex};

    /// One channel a property, and what the formula makes of them.
    fn by_formula(clip: &Clip, time_secs: f64) -> (Trs, Vec<f32>) {
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

    fn a_number() -> impl Strategy<Value = f32> {
        prop_oneof![5 => -2.0f32..2.0, 1 => Just(0.0), 1 => Just(1.0)]
    }

    /// Increasing, but for a few.
    fn some_times() -> impl Strategy<Value = Vec<f32>> {
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

    fn a_channel(property: TrackProperty) -> impl Strategy<Value = Channel> {
        let between = prop_oneof![
            1 => Just(Interpolation::Step),
            3 => Just(Interpolation::Linear),
            1 => Just(Interpolation::CubicSpline)
        ];
        let width = match property {
            TrackProperty::Rotation => 4,
            _ => 3,
        };
        let numbers = prop::collection::vec(a_number(), 9 * 3 * width);
        (some_times(), between, numbers, 0u8..4).prop_map(
            move |(times_secs, interpolation, mut values, kind)| {
                if property == TrackProperty::Rotation && interpolation == Interpolation::Linear {
                    let (first, rest) = values.split_at_mut(width);
                    for (key, value) in rest.chunks_mut(width).enumerate() {
                        match (kind, key % 3) {
                            // The same rotation by the other quaternion; all but the same; none.
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

    /// Before, between, after and on the keys, in any order: a player may jump.
    fn some_looks() -> impl Strategy<Value = Vec<(f64, bool)>> {
        prop::collection::vec((-0.5f64..6.0, prop::bool::weighted(0.3)), 1..30)
    }

    proptest! {
        #[test]
        fn clips_are_sampled_as_the_formula_has_it_wherever_the_last_look_was(
            channels in (
                a_channel(TrackProperty::Translation),
                a_channel(TrackProperty::Rotation),
                a_channel(TrackProperty::Scale),
                a_channel(TrackProperty::Weights),
            ),
            looks in some_looks(),
        ) {
            let (translation, rotation, scale, weights) = channels;
            let clip = Clip {
                channels: vec![translation, rotation, scale, weights],
                ..Clip::default()
            };
            let times = &clip.channels[1].track.times_secs;
            for (time_secs, on_key) in looks {
                let key = times.get(time_secs.max(0.0) as usize);
                let time_secs = match key {
                    Some(&key) if on_key => f64::from(key),
                    _ => time_secs,
                };
                let (expected, expected_weights) = by_formula(&clip, time_secs);
                let (mut pose, mut found_weights) = ([Trs::IDENTITY], [0.5; 3]);
                sample_clip(&clip, time_secs, &mut pose, &mut found_weights);
                let found = pose[0];
                // Numbers of up to 2, of which a spline makes more by its tangents.
                let off = (found.translation - expected.translation).abs().max_element();
                prop_assert!(off <= 1e-6, "{found:?} {expected:?}");
                let off = (found.scale - expected.scale).abs().max_element();
                prop_assert!(off <= 1e-6, "{found:?} {expected:?}");
                let off = (found.rotation - expected.rotation).length();
                prop_assert!(off <= 1e-6, "{off}: {found:?} {expected:?} at {time_secs}");
                prop_assert_eq!(&found_weights[..], &expected_weights[..]);
            }
        }
    }

    #[test]
    fn a_clip_in_the_place_of_another_is_laid_out_anew() {
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
        KNOWN.with_borrow(|known| assert!(known.len() <= KEPT));
    }
}
