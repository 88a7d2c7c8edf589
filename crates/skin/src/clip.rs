//! Clips: how joints and morph weights change over time.
//!
//! Sampling follows glTF 2.0, section 3.11 and appendix C: STEP, LINEAR (slerp
//! the short way for rotations) and CUBICSPLINE; before the first key and after
//! the last one the value stands still. Keys are absolute local transforms, not
//! changes.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use super::rotation_interpolation::{lerped_matrix, unit};
use super::{JointIndex, RotationInterpolation, Trs};

/// A named motion.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// For people; may be empty and need not be unique.
    pub name: String,
    /// When the last key stands.
    pub duration_secs: f32,
    /// From one frame to the next, where its file has frames, as EZMesh does;
    /// more than 0.
    pub frame_secs: Option<f64>,
    /// What moves.
    pub channels: Vec<Channel>,
}

/// One property of one thing over time.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// What it moves.
    pub target: ChannelTarget,
    /// The keys.
    pub track: Arc<Track>,
}

/// What a channel moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTarget {
    /// The local transform of a joint.
    Joint(JointIndex),
    /// Morph weights: the first slot of a mesh; as many follow as the track is
    /// wide.
    Morphs(usize),
}

/// Which property a track holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackProperty {
    /// Three numbers.
    Translation,
    /// A quaternion, x y z w.
    Rotation,
    /// Three factors.
    Scale,
    /// One number a morph target.
    Weights,
}

/// What happens between two keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// The earlier key, until the next one.
    Step,
    /// Straight; rotations by slerp, the short way.
    #[default]
    Linear,
    /// A cubic Hermite spline; keys carry tangents.
    CubicSpline,
}

/// Keys of one property.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// What the numbers are.
    pub property: TrackProperty,
    /// What happens between them.
    pub interpolation: Interpolation,
    /// When the keys stand; increasing.
    pub times_secs: Vec<f32>,
    /// `width` numbers a key; with [`Interpolation::CubicSpline`] three times as
    /// many: in-tangent, value, out-tangent.
    pub values: Vec<f32>,
    /// Numbers in one value: 3, 4, or how many morph targets there are.
    pub width: usize,
}

/// Where a time lies among the keys of a track.
#[derive(Clone, Copy)]
enum KeyPlace {
    /// On a key, before the first or after the last; or it holds until the next.
    Key(usize),
    /// Between a key and the next: 0 is the one, 1 the other.
    Between { before: usize, t: f64, span_secs: f64 },
}

impl Track {
    /// The value at a time, in `out`, which becomes `width` numbers long. A
    /// track without keys leaves it empty. Rotations come out of unit length.
    pub fn sample(&self, time_secs: f64, out: &mut Vec<f64>) {
        self.sample_by(RotationInterpolation::Slerp, time_secs, out);
    }

    /// As [`Self::sample`], with another way between the keys of a LINEAR
    /// rotation.
    pub fn sample_by(&self, between: RotationInterpolation, time_secs: f64, out: &mut Vec<f64>) {
        out.clear();
        match self.place(time_secs) {
            None => {}
            Some(KeyPlace::Key(key)) => self.push_value(key, out),
            Some(KeyPlace::Between { before, t, span_secs }) => match self.interpolation {
                Interpolation::CubicSpline => self.push_spline(before, t, span_secs, out),
                _ if self.property == TrackProperty::Rotation => {
                    let (from, to) = (self.rotation(before), self.rotation(before + 1));
                    out.extend(between.rotation(from, to, t).to_array());
                }
                _ => {
                    let pairs = self.value(before).iter().zip(self.value(before + 1));
                    let numbers = pairs.map(|(&a, &b)| (f64::from(a), f64::from(b)));
                    out.extend(numbers.map(|(a, b)| a + (b - a) * t));
                }
            },
        }
    }

    /// What stands at a time between the matrices of the keys of a LINEAR
    /// rotation, if each cell goes straight. `None` on a key, and for other
    /// tracks.
    pub fn lerped_matrix(&self, time_secs: f64) -> Option<DMat3> {
        match self.place(time_secs)? {
            KeyPlace::Between { before, t, .. }
                if self.property == TrackProperty::Rotation
                    && self.interpolation == Interpolation::Linear =>
            {
                let (from, to) = (self.rotation(before), self.rotation(before + 1));
                Some(lerped_matrix(from, to, t))
            }
            _ => None,
        }
    }

    /// Keys that have all their numbers.
    pub fn key_count(&self) -> usize {
        if self.property == TrackProperty::Rotation && self.width != 4 {
            return 0;
        }
        let whole = self.values.len().checked_div(self.numbers_per_key());
        whole.unwrap_or(0).min(self.times_secs.len())
    }

    /// When those keys stand.
    pub fn key_times(&self) -> &[f32] {
        self.times_secs.get(..self.key_count()).unwrap_or_default()
    }

    /// The value of a key, without its tangents.
    pub fn value(&self, key: usize) -> &[f32] {
        let begin = match self.interpolation {
            Interpolation::CubicSpline => (3 * key + 1) * self.width,
            _ => key * self.width,
        };
        self.values.get(begin..begin + self.width).unwrap_or_default()
    }

    /// The tangents into and out of a key of a spline, per second; `None` for
    /// other tracks, and where there is no such key.
    pub fn tangents(&self, key: usize) -> Option<[&[f32]; 2]> {
        if self.interpolation != Interpolation::CubicSpline || key >= self.key_count() {
            return None;
        }
        let part = |part: usize| {
            let begin = (3 * key + part) * self.width;
            self.values.get(begin..begin + self.width)
        };
        Some([part(0)?, part(2)?])
    }

    fn numbers_per_key(&self) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => self.width.saturating_mul(3),
            _ => self.width,
        }
    }

    /// `None` without keys. Keys that do not increase hold until the next that
    /// does.
    fn place(&self, time_secs: f64) -> Option<KeyPlace> {
        let times = self.key_times();
        let after = times.partition_point(|&key| f64::from(key) <= time_secs);
        let Some(before) = after.checked_sub(1) else {
            return (!times.is_empty()).then_some(KeyPlace::Key(0));
        };
        if after == times.len() || self.interpolation == Interpolation::Step {
            return Some(KeyPlace::Key(before));
        }
        let (start, end) = (f64::from(times[before]), f64::from(times[after]));
        let span_secs = end - start;
        let t = (time_secs - start) / span_secs;
        let is_between = span_secs.is_finite() && (0.0..=1.0).contains(&t);
        Some(if is_between {
            KeyPlace::Between { before, t, span_secs }
        } else {
            KeyPlace::Key(before)
        })
    }

    /// Of unit length.
    pub(super) fn rotation(&self, key: usize) -> DQuat {
        match *self.value(key) {
            [x, y, z, w] => unit(DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into())),
            _ => DQuat::IDENTITY,
        }
    }

    fn push_value(&self, key: usize, out: &mut Vec<f64>) {
        out.extend(self.value(key).iter().map(|&x| f64::from(x)));
        self.make_unit(out);
    }

    /// The cubic Hermite spline of glTF 2.0, appendix C.5; tangents are a
    /// second long and scaled by the time between the keys.
    fn push_spline(&self, before: usize, t: f64, span_secs: f64, out: &mut Vec<f64>) {
        let numbers = |part: usize| {
            let begin = part * self.width;
            &self.values[begin..begin + self.width]
        };
        let (value, out_tangent) = (numbers(3 * before + 1), numbers(3 * before + 2));
        let (in_tangent, next) = (numbers(3 * before + 3), numbers(3 * before + 4));
        let (t2, t3) = (t * t, t * t * t);
        for lane in 0..self.width {
            let [v, b, a, n] =
                [value, out_tangent, in_tangent, next].map(|part| f64::from(part[lane]));
            out.push(
                (2.0 * t3 - 3.0 * t2 + 1.0) * v
                    + span_secs * (t3 - 2.0 * t2 + t) * b
                    + (3.0 * t2 - 2.0 * t3) * n
                    + span_secs * (t3 - t2) * a,
            );
        }
        self.make_unit(out);
    }

    fn make_unit(&self, out: &mut [f64]) {
        if self.property == TrackProperty::Rotation
            && let [x, y, z, w] = *out
        {
            let unit = unit(DQuat::from_xyzw(x, y, z, w));
            out.copy_from_slice(&unit.to_array());
        }
    }
}

/// Puts a sampled value into a local transform.
pub fn put_sample(trs: &mut Trs, property: TrackProperty, value: &[f64]) {
    match (property, value) {
        (TrackProperty::Translation, &[x, y, z]) => trs.translation = DVec3::new(x, y, z).as_vec3(),
        (TrackProperty::Scale, &[x, y, z]) => trs.scale = DVec3::new(x, y, z).as_vec3(),
        (TrackProperty::Rotation, &[x, y, z, w]) => {
            trs.rotation = DQuat::from_xyzw(x, y, z, w).as_quat();
        }
        _ => {}
    }
}
