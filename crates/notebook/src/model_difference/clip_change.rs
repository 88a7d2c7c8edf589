//! What was done to all keys of a clip alike.

use std::collections::HashMap;

use bindpose_asset::doctor::{MirrorAxis, known_factor};
use bindpose_skin::{Channel, ChannelTarget, Clip, JointIndex, Track, TrackProperty, Trs};
use glam::{DQuat, DVec3};

use super::space::AtRest;
use crate::differences::{PART, SAME, factor_words};
use crate::number_text::fixed;

/// What programs mistake for seconds, and how many of them one is.
const TIME_UNITS: [(f64, &str); 6] = [
    (1000.0, "milliseconds"),
    (24.0, "frames, 24 a second"),
    (25.0, "frames, 25 a second"),
    (30.0, "frames, 30 a second"),
    (60.0, "frames, 60 a second"),
    (0.001, "thousands of seconds"),
];

/// What was done to the keys of A; each takes a value of a track and the joint’s rest.
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

/// How the keys of B’s clip came of those of A’s, where one thing was done to all;
/// `None`: nothing is known that does it. `pairs` in the order of A.
pub(super) fn done_to_clip(
    (a, of_a): (&AtRest<'_>, &Clip),
    of_b: &Clip,
    pairs: &[(JointIndex, JointIndex)],
    size: f32,
) -> Option<String> {
    let tracks = Tracks::new((a, of_a), of_b, pairs, size)?;
    let (by, shift_secs) = tracks.times()?;
    let mut words = Vec::new();
    if (by - 1.0).abs() > 1e-4 {
        let near = |(known, _): &&(f64, &str)| (by / known - 1.0).abs() < 1e-3;
        words.push(match TIME_UNITS.iter().find(near) {
            Some((known, unit)) => {
                format!("with times {known} times as large: {unit} in the place of seconds")
            }
            None => format!("with times {} times as large", fixed(by, 4)),
        });
    }
    if shift_secs.abs() > 1e-3 {
        words.push(format!("{} s later", fixed(shift_secs, 3)));
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
    let scaled = tracks.factor((by, shift_secs)).map(KeyChange::Scaled);
    let mut all = fixed_changes.into_iter().chain(mirrored).chain(scaled);
    let change = all.find(|change| tracks.fit(change, (by, shift_secs)))?;
    words.extend(change.words());
    let missing = tracks.missing;
    if missing > 0 {
        words.push(format!("without {missing} of their {} tracks", of_a.channels.len()));
    }
    (!words.is_empty()).then(|| words.join(", "))
}

/// Tracks of one joint and property in both clips.
struct Tracks<'a> {
    both: Vec<(&'a Track, &'a Track, Trs)>,
    /// Tracks of A that B has not.
    missing: usize,
    /// Of translations, in units of A.
    most: f64,
}

impl<'a> Tracks<'a> {
    /// `None`: B has others, or none in common.
    fn new(
        (a, of_a): (&AtRest<'_>, &'a Clip),
        of_b: &'a Clip,
        pairs: &[(JointIndex, JointIndex)],
        size: f32,
    ) -> Option<Self> {
        let key = |channel: &Channel| match channel.target {
            ChannelTarget::Joint(joint) => Some((joint, channel.track.property as u8)),
            ChannelTarget::Morphs(_) => None,
        };
        let in_b: HashMap<_, &Track> =
            of_b.channels.iter().filter_map(|one| Some((key(one)?, &*one.track))).collect();
        let rest = a.rig.skeleton.joints();
        let (mut both, mut missing) = (Vec::new(), 0);
        for channel in &of_a.channels {
            let Some((joint, property)) = key(channel) else { continue };
            let at = pairs.binary_search_by_key(&joint, |pair| pair.0).ok()?;
            match in_b.get(&(pairs.get(at)?.1, property)) {
                Some(there) => {
                    let rest = rest.get(joint.index())?.parent_from_joint_at_rest;
                    both.push((&*channel.track, *there, rest));
                }
                None => missing += 1,
            }
        }
        let has_all = in_b.len() == both.len() && !both.is_empty();
        has_all.then_some(Self { both, missing, most: f64::from(PART * size) * 4.0 })
    }

    /// What B’s times are: A’s times a factor, and then later by so many seconds.
    fn times(&self) -> Option<(f64, f64)> {
        let ends = |track: &Track| {
            let times = track.key_times();
            Some([f64::from(*times.first()?), f64::from(*times.last()?)])
        };
        let both = self.both.iter().filter_map(|(a, b, _)| Some((ends(a)?, ends(b)?)));
        let ([from_a, to_a], [from_b, to_b]) =
            both.max_by(|x, y| (x.0[1] - x.0[0]).total_cmp(&(y.0[1] - y.0[0])))?;
        let by = if to_a > from_a { (to_b - from_b) / (to_a - from_a) } else { 1.0 };
        let by = if (by - 1.0).abs() < 1e-4 { 1.0 } else { by };
        let shift_secs = from_b - by * from_a;
        (by.is_finite() && by > 0.0).then_some((by, shift_secs))
    }

    /// The factor of all translations, by least squares.
    fn factor(&self, times: (f64, f64)) -> Option<f64> {
        let (mut along, mut square) = (0.0, 0.0);
        for (a, b, _) in self.both.iter().filter(|of| of.0.property == TrackProperty::Translation) {
            for [of_a, of_b] in samples((a, b), times) {
                for (x, y) in of_a.iter().zip(&of_b) {
                    along += x * y;
                    square += x * x;
                }
            }
        }
        let factor = along / square;
        let factor = known_factor(factor).map_or(factor, |known| known.0);
        (factor.is_finite() && factor > 0.0 && (factor - 1.0).abs() > 1e-3).then_some(factor)
    }

    /// Are B’s those of A after it?
    fn fit(&self, change: &KeyChange, times: (f64, f64)) -> bool {
        self.both.iter().all(|(a, b, rest)| {
            let larger = if let KeyChange::Scaled(by) = change { by.max(1.0) } else { 1.0 };
            let most = match a.property {
                TrackProperty::Translation => self.most * larger,
                _ => f64::from(SAME),
            };
            a.property == b.property
                && samples((a, b), times).all(|[of_a, of_b]| {
                    let expected = change.changed(a.property, &of_a, rest);
                    // Of a quaternion both signs are one rotation.
                    let off = |sign: f64| {
                        let pairs = expected.iter().zip(&of_b);
                        pairs.map(|(x, y)| (sign * x - y).abs()).fold(0.0, f64::max)
                    };
                    let is_turn = a.property == TrackProperty::Rotation;
                    expected.len() == of_b.len()
                        && (off(1.0) <= most || (is_turn && off(-1.0) <= most))
                })
        })
    }
}

/// Values of both tracks at the keys of A.
fn samples<'a>(
    (a, b): (&'a Track, &'a Track),
    (by, shift_secs): (f64, f64),
) -> impl Iterator<Item = [Vec<f64>; 2]> + 'a {
    a.key_times().iter().map(move |&time| {
        let mut both = [Vec::new(), Vec::new()];
        a.sample(time.into(), &mut both[0]);
        b.sample(f64::from(time) * by + shift_secs, &mut both[1]);
        both
    })
}

impl KeyChange {
    fn changed(&self, property: TrackProperty, value: &[f64], rest: &Trs) -> Vec<f64> {
        match (property, value) {
            (TrackProperty::Translation, &[x, y, z]) => {
                let (own, rest) = (DVec3::new(x, y, z), rest.translation.as_dvec3());
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
                let (own, rest) = (DQuat::from_xyzw(x, y, z, w), rest.rotation.as_dquat());
                let changed = match self {
                    Self::OnTop => rest * own,
                    Self::Differences => rest.inverse() * own,
                    Self::WFirst => DQuat::from_xyzw(w, x, y, z),
                    Self::WLast => DQuat::from_xyzw(y, z, w, x),
                    Self::Conjugated => own.conjugate(),
                    // What turns about an axis turns the other way in a mirror.
                    Self::Mirrored(axis) => {
                        let about = -axis.mirror().transform_vector3(own.xyz());
                        DQuat::from_xyzw(about.x, about.y, about.z, w)
                    }
                    _ => own,
                };
                changed.to_array().to_vec()
            }
            (TrackProperty::Scale, &[x, y, z]) => {
                let (own, rest) = (DVec3::new(x, y, z), rest.scale.as_dvec3());
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
                let words = factor_words(*by).replace("times ours", "times as large");
                format!("with translations {words}")
            }
        })
    }
}
