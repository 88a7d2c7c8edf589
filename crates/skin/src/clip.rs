//! Animation clips: joint transforms and morph weights over time.
//!
//! Sampling follows glTF 2.0, section 3.11 and appendix C: STEP, LINEAR (for rotations
//! slerp along the shorter arc) and CUBICSPLINE. Times before the first key and after the
//! last are clamped to these. Keys are absolute local transforms, not differences.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use glam::{DMat3, DQuat, DVec3};

use super::rotation_interpolation::{lerped_matrix, normalize_or_identity};
use super::{JointIndex, RotationInterpolation, Trs};

/// A named animation.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Clip {
    /// The name for display. May be empty and need not be unique.
    pub name: String,
    /// The time of the last key, in seconds.
    pub duration_secs: f32,
    /// The duration of one frame in seconds, greater than 0. `None` unless the file is
    /// divided into frames, as in EZMesh.
    pub frame_secs: Option<f64>,
    /// The animated properties.
    pub channels: Vec<Channel>,
}

/// The animation of one property of a joint or a mesh.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// The animated joint or morph weights.
    pub target: ChannelTarget,
    /// The keys of the property.
    pub track: Arc<Track>,
}

/// The joint or the morph weights that a channel animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelTarget {
    /// The local transform of a joint.
    Joint(JointIndex),
    /// Consecutive morph weights: holds the index of the first. Their number is the width
    /// of the track.
    Morphs(usize),
}

/// The property that a track animates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackProperty {
    /// Three coordinates, in the parent's frame.
    Translation,
    /// A quaternion, in the order x y z w.
    Rotation,
    /// Three factors along the joint's axes.
    Scale,
    /// One weight per morph target.
    Weights,
}

/// The interpolation between two keys, as in glTF.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Holds the earlier key until the next one.
    Step,
    /// Linear interpolation. For rotations, slerp along the shorter arc.
    #[default]
    Linear,
    /// A cubic Hermite spline, whose keys have tangents.
    CubicSpline,
}

/// The keys of one animated property.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    /// The meaning of the values.
    pub property: TrackProperty,
    /// The interpolation between the keys.
    pub interpolation: Interpolation,
    /// The times of the keys in seconds, increasing.
    pub times_secs: Vec<f32>,
    /// `width` numbers per key. With [`Interpolation::CubicSpline`] three times as many:
    /// in-tangent, value, out-tangent.
    pub values: Vec<f32>,
    /// Number of components of one value: 3, 4, or the number of morph targets.
    pub width: usize,
}

/// The position of a time among the keys of a track.
#[derive(Clone, Copy)]
enum KeyPosition {
    /// The value is that of a single key: the time is at the key or outside the keys, or the
    /// key holds until the next one.
    Key(usize),
    /// The value is interpolated from key `before`, at `t` = 0, to the next one, at `t` = 1.
    Between { before: usize, t: f64, span_secs: f64 },
}

impl Track {
    /// Samples the track and writes the value to `out`, which then has `width` numbers.
    ///
    /// Leaves `out` empty if the track has no keys. Sampled rotations are of unit length.
    pub fn sample(&self, time_secs: f64, out: &mut Vec<f64>) {
        self.sample_by(RotationInterpolation::Slerp, time_secs, out);
    }

    /// Samples the track like [`Self::sample`], but with any interpolation between the keys
    /// of a LINEAR rotation.
    pub fn sample_by(
        &self,
        interpolation: RotationInterpolation,
        time_secs: f64,
        out: &mut Vec<f64>,
    ) {
        out.clear();
        match self.key_position(time_secs) {
            None => {}
            Some(KeyPosition::Key(key)) => self.push_value(key, out),
            Some(KeyPosition::Between { before, t, span_secs }) => match self.interpolation {
                Interpolation::CubicSpline => self.push_spline(before, t, span_secs, out),
                _ if self.property == TrackProperty::Rotation => {
                    let from = self.rotation(before);
                    let to = self.rotation(before + 1);
                    out.extend(interpolation.rotation(from, to, t).to_array());
                }
                _ => {
                    for (&a, &b) in self.value(before).iter().zip(self.value(before + 1)) {
                        let a = f64::from(a);
                        let b = f64::from(b);
                        out.push(a + (b - a) * t);
                    }
                }
            },
        }
    }

    /// Samples a LINEAR rotation by a lerp of the rotation matrices of its keys, which is not
    /// a rotation in general. Returns `None` at the time of a key and for other tracks.
    pub fn lerped_matrix(&self, time_secs: f64) -> Option<DMat3> {
        match self.key_position(time_secs)? {
            KeyPosition::Between { before, t, .. }
                if self.property == TrackProperty::Rotation
                    && self.interpolation == Interpolation::Linear =>
            {
                Some(lerped_matrix(self.rotation(before), self.rotation(before + 1), t))
            }
            _ => None,
        }
    }

    /// Returns the number of complete keys: those with a time and all of their numbers.
    pub fn key_count(&self) -> usize {
        if self.property == TrackProperty::Rotation && self.width != 4 {
            return 0;
        }
        let complete = self.values.len().checked_div(self.numbers_per_key());
        complete.unwrap_or(0).min(self.times_secs.len())
    }

    /// Returns the times of the complete keys, in seconds.
    pub fn key_times(&self) -> &[f32] {
        self.times_secs.get(..self.key_count()).unwrap_or_default()
    }

    /// Returns the value of a key, without its tangents. Returns an empty slice if there is
    /// no such key.
    pub fn value(&self, key: usize) -> &[f32] {
        let begin = match self.interpolation {
            Interpolation::CubicSpline => (3 * key + 1) * self.width,
            _ => key * self.width,
        };
        self.values.get(begin..begin + self.width).unwrap_or_default()
    }

    /// Returns the in-tangent and the out-tangent of a key of a spline, per second. Returns
    /// `None` for other tracks and if there is no such key.
    pub fn tangents(&self, key: usize) -> Option<[&[f32]; 2]> {
        if self.interpolation != Interpolation::CubicSpline || key >= self.key_count() {
            return None;
        }
        Some([self.spline_part(3 * key)?, self.spline_part(3 * key + 2)?])
    }

    /// Returns the `width` numbers at an index that counts in-tangent, value and out-tangent
    /// of each key.
    fn spline_part(&self, index: usize) -> Option<&[f32]> {
        self.values.get(index * self.width..(index + 1) * self.width)
    }

    fn numbers_per_key(&self) -> usize {
        match self.interpolation {
            Interpolation::CubicSpline => self.width.saturating_mul(3),
            _ => self.width,
        }
    }

    /// Finds the keys around a time. Returns `None` if there are no keys. If the times do not
    /// increase, a key holds until the next time that does.
    fn key_position(&self, time_secs: f64) -> Option<KeyPosition> {
        let times = self.key_times();
        let after = times.partition_point(|&key| f64::from(key) <= time_secs);
        let Some(before) = after.checked_sub(1) else {
            return (!times.is_empty()).then_some(KeyPosition::Key(0));
        };
        if after == times.len() || self.interpolation == Interpolation::Step {
            return Some(KeyPosition::Key(before));
        }
        let start = f64::from(times[before]);
        let span_secs = f64::from(times[after]) - start;
        let t = (time_secs - start) / span_secs;
        let is_between = span_secs.is_finite() && (0.0..=1.0).contains(&t);
        Some(if is_between {
            KeyPosition::Between { before, t, span_secs }
        } else {
            KeyPosition::Key(before)
        })
    }

    /// Returns the rotation of a key, normalized.
    pub(super) fn rotation(&self, key: usize) -> DQuat {
        match *self.value(key) {
            [x, y, z, w] => {
                normalize_or_identity(DQuat::from_xyzw(x.into(), y.into(), z.into(), w.into()))
            }
            _ => DQuat::IDENTITY,
        }
    }

    fn push_value(&self, key: usize, out: &mut Vec<f64>) {
        out.extend(self.value(key).iter().map(|&x| f64::from(x)));
        self.normalize_rotation(out);
    }

    /// Evaluates the cubic Hermite spline of glTF 2.0, appendix C.5. Tangents are per second
    /// and therefore scaled by the time between the keys.
    fn push_spline(&self, before: usize, t: f64, span_secs: f64, out: &mut Vec<f64>) {
        let t2 = t * t;
        let t3 = t * t * t;
        let first = 3 * before * self.width;
        for component in first..first + self.width {
            let value = f64::from(self.values[component + self.width]);
            let out_tangent = f64::from(self.values[component + 2 * self.width]);
            let next_in_tangent = f64::from(self.values[component + 3 * self.width]);
            let next_value = f64::from(self.values[component + 4 * self.width]);
            out.push(
                (2.0 * t3 - 3.0 * t2 + 1.0) * value
                    + span_secs * (t3 - 2.0 * t2 + t) * out_tangent
                    + (3.0 * t2 - 2.0 * t3) * next_value
                    + span_secs * (t3 - t2) * next_in_tangent,
            );
        }
        self.normalize_rotation(out);
    }

    fn normalize_rotation(&self, out: &mut [f64]) {
        if self.property == TrackProperty::Rotation
            && let [x, y, z, w] = *out
        {
            let unit = normalize_or_identity(DQuat::from_xyzw(x, y, z, w));
            out.copy_from_slice(&unit.to_array());
        }
    }
}

/// Writes a sampled value to the field of a local transform that `property` names. Ignores
/// values of the wrong length and morph weights.
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
