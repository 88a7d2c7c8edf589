//! Changes that were made to all keys of a clip.

use std::collections::HashMap;

use bindpose_doctor::{MirrorAxis, known_factor};
use bindpose_lesson::number_text::fixed;
use bindpose_skin::{Channel, ChannelTarget, Clip, JointIndex, Track, TrackProperty, Trs};
use glam::{DQuat, DVec3};

use super::space::ComparedModels;
use crate::differences::{AXIS_TOLERANCE, describe_factor};

/// Units of time that programs confuse with seconds, with their number per second.
const TIME_UNITS: [(f64, &str); 6] = [
    (1000.0, "milliseconds"),
    (24.0, "frames, 24 a second"),
    (25.0, "frames, 25 a second"),
    (30.0, "frames, 30 a second"),
    (60.0, "frames, 60 a second"),
    (0.001, "thousands of seconds"),
];

/// A change of the keys of A, given the value of a track and the rest transform of the joint.
enum KeyChange {
    Nothing,
    OnTop,
    Differences,
    WFirst,
    WLast,
    Conjugated,
    Mirrored(MirrorAxis),
    Scaled(f64),
}

/// Maps the times of A's keys to those of B's: `factor * time + shift_secs`.
#[derive(Clone, Copy)]
struct TimeChange {
    factor: f64,
    shift_secs: f64,
}

/// Describes how the keys of B's clip were derived from A's, if the same change was made to
/// all of them. Returns `None` if no known change explains them. `pairs` are in the order
/// of A.
pub(super) fn find_clip_change(
    models: &ComparedModels<'_>,
    clip_a: &Clip,
    clip_b: &Clip,
    pairs: &[(JointIndex, JointIndex)],
) -> Option<String> {
    let tracks = SharedTracks::new(models, clip_a, clip_b, pairs)?;
    let times = tracks.find_time_change()?;
    let mut words = Vec::new();
    if (times.factor - 1.0).abs() > 1e-4 {
        let unit = TIME_UNITS.iter().find(|(known, _)| (times.factor / known - 1.0).abs() < 1e-3);
        words.push(match unit {
            Some((known, unit)) => {
                format!("with times {known} times as large: {unit} in the place of seconds")
            }
            None => format!("with times {} times as large", fixed(times.factor, 4)),
        });
    }
    if times.shift_secs.abs() > 1e-3 {
        words.push(format!("{} s later", fixed(times.shift_secs, 3)));
    }
    let fixed_changes = [
        KeyChange::Nothing,
        KeyChange::OnTop,
        KeyChange::Differences,
        KeyChange::WFirst,
        KeyChange::WLast,
        KeyChange::Conjugated,
    ];
    let mirrored = MirrorAxis::ALL.map(KeyChange::Mirrored);
    let scaled = tracks.translation_factor(times).map(KeyChange::Scaled);
    let change = fixed_changes
        .into_iter()
        .chain(mirrored)
        .chain(scaled)
        .find(|change| tracks.are_explained_by(change, times))?;
    words.extend(change.words());
    let missing = tracks.missing;
    if missing > 0 {
        words.push(format!("without {missing} of their {} tracks", clip_a.channels.len()));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// The tracks of the same joint and property in both clips.
struct SharedTracks<'a> {
    /// The tracks of A and B, and the rest transform of the joint in A.
    both: Vec<(&'a Track, &'a Track, Trs)>,
    /// Number of tracks of A that B lacks.
    missing: usize,
    /// Largest difference of translations that count as equal, in units of A.
    max_translation_error: f64,
}

impl<'a> SharedTracks<'a> {
    /// Returns `None` if B has tracks that A lacks, or no track in common.
    fn new(
        models: &ComparedModels<'_>,
        clip_a: &'a Clip,
        clip_b: &'a Clip,
        pairs: &[(JointIndex, JointIndex)],
    ) -> Option<Self> {
        let mut tracks_b: HashMap<_, &Track> = HashMap::new();
        for channel in &clip_b.channels {
            if let Some(key) = joint_property(channel) {
                tracks_b.insert(key, &*channel.track);
            }
        }
        let rest = models.a.rig.skeleton.joints();
        let mut both = Vec::new();
        let mut missing = 0;
        for channel in &clip_a.channels {
            let Some((joint, property)) = joint_property(channel) else { continue };
            let at = pairs.binary_search_by_key(&joint, |pair| pair.0).ok()?;
            match tracks_b.get(&(pairs.get(at)?.1, property)) {
                Some(track_b) => {
                    let rest = rest.get(joint.index())?.parent_from_joint_at_rest;
                    both.push((&*channel.track, *track_b, rest));
                }
                None => missing += 1,
            }
        }
        let has_all = tracks_b.len() == both.len() && !both.is_empty();
        let max_translation_error = f64::from(models.max_distance()) * 4.0;
        has_all.then_some(Self { both, missing, max_translation_error })
    }

    /// Finds the change of times from the track with the longest duration.
    fn find_time_change(&self) -> Option<TimeChange> {
        let mut longest: Option<([f64; 2], [f64; 2])> = None;
        for (a, b, _) in &self.both {
            let (Some(ends_a), Some(ends_b)) = (track_ends_secs(a), track_ends_secs(b)) else {
                continue;
            };
            let duration_secs = ends_a[1] - ends_a[0];
            if longest.is_none_or(|(ends, _)| duration_secs.total_cmp(&(ends[1] - ends[0])).is_ge())
            {
                longest = Some((ends_a, ends_b));
            }
        }
        let ([from_a, to_a], [from_b, to_b]) = longest?;
        let mut factor = if to_a > from_a { (to_b - from_b) / (to_a - from_a) } else { 1.0 };
        if (factor - 1.0).abs() < 1e-4 {
            factor = 1.0;
        }
        let shift_secs = from_b - factor * from_a;
        (factor.is_finite() && factor > 0.0).then_some(TimeChange { factor, shift_secs })
    }

    /// Returns the factor between all translations, by least squares. Returns `None` if it
    /// is 1.
    fn translation_factor(&self, times: TimeChange) -> Option<f64> {
        let mut dot_sum = 0.0;
        let mut square_sum = 0.0;
        for (a, b, _) in self.both.iter().filter(|of| of.0.property == TrackProperty::Translation) {
            for [of_a, of_b] in sample_both(a, b, times) {
                for (x, y) in of_a.iter().zip(&of_b) {
                    dot_sum += x * y;
                    square_sum += x * x;
                }
            }
        }
        let factor = dot_sum / square_sum;
        let factor = known_factor(factor).map_or(factor, |known| known.0);
        (factor.is_finite() && factor > 0.0 && (factor - 1.0).abs() > 1e-3).then_some(factor)
    }

    /// Does the change turn all keys of A into those of B?
    fn are_explained_by(&self, change: &KeyChange, times: TimeChange) -> bool {
        self.both.iter().all(|(a, b, rest)| {
            let scale = if let KeyChange::Scaled(by) = change { by.max(1.0) } else { 1.0 };
            let max_error = match a.property {
                TrackProperty::Translation => self.max_translation_error * scale,
                _ => f64::from(AXIS_TOLERANCE),
            };
            a.property == b.property
                && sample_both(a, b, times).all(|[of_a, of_b]| {
                    let expected = change.apply(a.property, &of_a, rest);
                    if expected.len() != of_b.len() {
                        return false;
                    }
                    // Quaternions of both signs are the same rotation.
                    let is_rotation = a.property == TrackProperty::Rotation;
                    largest_error(&expected, &of_b, 1.0) <= max_error
                        || (is_rotation && largest_error(&expected, &of_b, -1.0) <= max_error)
                })
        })
    }
}

fn largest_error(expected: &[f64], found: &[f64], sign: f64) -> f64 {
    expected.iter().zip(found).map(|(x, y)| (sign * x - y).abs()).fold(0.0, f64::max)
}

fn joint_property(channel: &Channel) -> Option<(JointIndex, u8)> {
    match channel.target {
        ChannelTarget::Joint(joint) => Some((joint, channel.track.property as u8)),
        ChannelTarget::Morphs(_) => None,
    }
}

/// Returns the times of the first and the last key.
fn track_ends_secs(track: &Track) -> Option<[f64; 2]> {
    let times = track.key_times();
    Some([f64::from(*times.first()?), f64::from(*times.last()?)])
}

/// Samples both tracks at the keys of A.
fn sample_both<'a>(
    a: &'a Track,
    b: &'a Track,
    times: TimeChange,
) -> impl Iterator<Item = [Vec<f64>; 2]> + 'a {
    a.key_times().iter().map(move |&time| {
        let mut both = [Vec::new(), Vec::new()];
        a.sample(time.into(), &mut both[0]);
        b.sample(f64::from(time) * times.factor + times.shift_secs, &mut both[1]);
        both
    })
}

impl KeyChange {
    fn apply(&self, property: TrackProperty, value: &[f64], rest: &Trs) -> Vec<f64> {
        match (property, value) {
            (TrackProperty::Translation, &[x, y, z]) => {
                let own = DVec3::new(x, y, z);
                let rest = rest.translation.as_dvec3();
                let changed = match self {
                    Self::OnTop => rest + own,
                    Self::Differences => own - rest,
                    Self::Scaled(by) => own * *by,
                    Self::Mirrored(axis) => axis.mirror().transform_vector3(own),
                    _ => own,
                };
                changed.to_array().to_vec()
            }
            (TrackProperty::Rotation, &[x, y, z, w]) => {
                let own = DQuat::from_xyzw(x, y, z, w);
                let rest = rest.rotation.as_dquat();
                let changed = match self {
                    Self::OnTop => rest * own,
                    Self::Differences => rest.inverse() * own,
                    Self::WFirst => DQuat::from_xyzw(w, x, y, z),
                    Self::WLast => DQuat::from_xyzw(y, z, w, x),
                    Self::Conjugated => own.conjugate(),
                    // A mirror reverses the direction of rotations.
                    Self::Mirrored(axis) => {
                        let about = -axis.mirror().transform_vector3(own.xyz());
                        DQuat::from_xyzw(about.x, about.y, about.z, w)
                    }
                    _ => own,
                };
                changed.to_array().to_vec()
            }
            (TrackProperty::Scale, &[x, y, z]) => {
                let own = DVec3::new(x, y, z);
                let rest = rest.scale.as_dvec3();
                let changed = match self {
                    Self::OnTop => rest * own,
                    Self::Differences => own / rest,
                    _ => own,
                };
                changed.to_array().to_vec()
            }
            _ => value.to_vec(),
        }
    }

    fn words(&self) -> Option<String> {
        Some(match self {
            Self::Nothing => return None,
            Self::OnTop => "put on top of the rest pose".to_owned(),
            Self::Differences => "as changes from the rest pose".to_owned(),
            Self::WFirst => "with quaternions written w, x, y, z".to_owned(),
            Self::WLast => "with quaternions taken for w, x, y, z".to_owned(),
            Self::Conjugated => "with quaternions conjugated".to_owned(),
            Self::Mirrored(axis) => format!("mirrored in {}", axis.name()),
            Self::Scaled(by) => {
                let words = describe_factor(*by).replace("times ours", "times as large");
                format!("with translations {words}")
            }
        })
    }
}
