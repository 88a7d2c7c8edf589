use proptest::prelude::*;

use super::*;

fn track(
    property: TrackProperty,
    interpolation: Interpolation,
    times_secs: Vec<f32>,
    values: Vec<f32>,
) -> Track {
    let width = match property {
        TrackProperty::Rotation => 4,
        _ => 3,
    };
    Track { property, interpolation, times_secs, values, width }
}

fn sample(track: &Track, time_secs: f64) -> Vec<f64> {
    let mut out = vec![7.0];
    track.sample(time_secs, &mut out);
    out
}

fn key_value(track: &Track, key: usize) -> Vec<f64> {
    track.value(key).iter().map(|&x| f64::from(x)).collect()
}

fn property() -> impl Strategy<Value = TrackProperty> {
    prop_oneof![Just(TrackProperty::Translation), Just(TrackProperty::Rotation)]
}

fn interpolation() -> impl Strategy<Value = Interpolation> {
    prop_oneof![
        Just(Interpolation::Step),
        Just(Interpolation::Linear),
        Just(Interpolation::CubicSpline),
    ]
}

/// A track of one to six keys at increasing times. Its rotations are not of unit length.
fn valid_track() -> impl Strategy<Value = Track> {
    let keys = prop::collection::vec((0.01..2.0f32, prop::array::uniform12(0.1..1.0f32)), 1..6);
    (property(), interpolation(), keys).prop_map(|(property, interpolation, keys)| {
        let mut now = 0.25;
        let mut times = Vec::new();
        let mut values = Vec::new();
        let width = if property == TrackProperty::Rotation { 4 } else { 3 };
        let per_key = match interpolation {
            Interpolation::CubicSpline => 3 * width,
            _ => width,
        };
        for (secs, numbers) in keys {
            now += secs;
            times.push(now);
            values.extend_from_slice(&numbers[..per_key]);
        }
        track(property, interpolation, times, values)
    })
}

/// A track of arbitrary bits: NaN, infinities, decreasing times, incomplete keys.
fn any_track() -> impl Strategy<Value = Track> {
    let any = || prop::num::f32::ANY;
    let times = prop::collection::vec(any(), 0..5);
    let values = prop::collection::vec(any(), 0..40);
    (property(), interpolation(), times, values, 0..5_usize).prop_map(
        |(property, interpolation, times_secs, values, width)| Track {
            width,
            ..track(property, interpolation, times_secs, values)
        },
    )
}

proptest! {
    // Some tests reject all tracks except LINEAR rotations.
    #![proptest_config(ProptestConfig { max_global_rejects: 20_000, ..ProptestConfig::default() })]

    #[test]
    fn times_outside_the_keys_are_clamped(track in valid_track(), off in 0.0..100.0f64) {
        let first = f64::from(track.times_secs[0]);
        let last = f64::from(*track.times_secs.last().unwrap());
        for (outside, edge) in [(first - off, first), (last + off, last)] {
            let pairs = sample(&track, outside).into_iter().zip(sample(&track, edge));
            for (outside, edge) in pairs {
                prop_assert!((outside - edge).abs() < 1e-12, "{outside} {edge}");
            }
        }
    }

    #[test]
    fn samples_at_keys_are_their_values(track in valid_track()) {
        for (key, &secs) in track.times_secs.iter().enumerate() {
            let found = sample(&track, f64::from(secs));
            let expected = key_value(&track, key);
            let length = match track.property {
                TrackProperty::Rotation => expected.iter().map(|x| x * x).sum::<f64>().sqrt(),
                _ => 1.0,
            };
            for (found, expected) in found.iter().zip(&expected) {
                prop_assert!((found - expected / length).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_stepped_track_holds_its_key_until_the_next(track in valid_track(), part in 0.0..0.999f64) {
        let track = Track { interpolation: Interpolation::Step, ..track };
        for key in 1..track.key_count() {
            let [from, to] = [key - 1, key].map(|key| f64::from(track.times_secs[key]));
            prop_assert_eq!(sample(&track, from + (to - from) * part), sample(&track, from));
        }
    }

    #[test]
    fn rotations_are_of_unit_length_at_any_time(track in valid_track(), secs in -1.0..12.0f64) {
        prop_assume!(track.property == TrackProperty::Rotation);
        for between in RotationInterpolation::ALL {
            let mut out = Vec::new();
            track.sample_by(between, secs, &mut out);
            let length = out.iter().map(|x| x * x).sum::<f64>().sqrt();
            prop_assert!((length - 1.0).abs() < 1e-9, "{between:?} {length}");
        }
    }

    #[test]
    fn negated_keys_are_the_same_rotation(track in valid_track(), secs in 0.0..12.0f64) {
        prop_assume!(track.property == TrackProperty::Rotation);
        prop_assume!(track.interpolation == Interpolation::Linear);
        let mut flipped = track.clone();
        for key in flipped.values.chunks_exact_mut(4).skip(1).step_by(2) {
            for number in key {
                *number = -*number;
            }
        }
        let pairs = sample(&track, secs).into_iter().zip(sample(&flipped, secs));
        let dot: f64 = pairs.map(|(a, b)| a * b).sum();
        prop_assert!(dot.abs() > 1.0 - 1e-9, "{dot}");
    }

    #[test]
    fn arbitrary_numbers_neither_panic_nor_change_the_width(track in any_track(), secs in prop::num::f64::ANY) {
        for between in RotationInterpolation::ALL {
            let mut out = Vec::new();
            track.sample_by(between, secs, &mut out);
            prop_assert!(out.is_empty() || out.len() == track.width);
            prop_assert_eq!(out.is_empty(), track.key_times().is_empty());
        }
        let _ = track.lerped_matrix(secs);
    }
}

#[test]
fn keys_whose_times_do_not_increase_hold() {
    for times in [[1.0, 1.0, 2.0], [1.0, 0.5, 2.0], [f32::NAN, 1.0, 2.0]] {
        let values = vec![1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 3.0, 3.0, 3.0];
        let track =
            track(TrackProperty::Translation, Interpolation::Linear, times.to_vec(), values);
        for tenth in 0..30 {
            let out = sample(&track, f64::from(tenth) * 0.1);
            let [x, ..] = out[..] else {
                panic!("{times:?}: nothing at {tenth}");
            };
            assert!((1.0..=3.0).contains(&x), "{times:?} {tenth}: {x}");
        }
    }
}

#[test]
fn only_linear_rotations_have_a_lerped_matrix() {
    let values = vec![0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0];
    let times = vec![0.0, 1.0];
    let mut track = track(TrackProperty::Rotation, Interpolation::Linear, times, values);
    let half = track.lerped_matrix(0.5).unwrap();
    assert!(half.x_axis.length() < 1e-12, "a half turn collapses to nothing");
    assert_eq!(track.lerped_matrix(1.0), None, "on a key");
    track.interpolation = Interpolation::Step;
    assert_eq!(track.lerped_matrix(0.5), None);
}
