//! Sampled animation clips, compared with golden numbers.

use super::*;

/// A channel with two keys.
fn two_keys(data: &Value, property: TrackProperty, interpolation: Interpolation) -> Track {
    let keys: &[&str] = match interpolation {
        Interpolation::CubicSpline => &["", "v0", "out_tangent0", "in_tangent1", "v1", ""],
        _ => &[],
    };
    let mut values: Vec<f32> = Vec::new();
    for key in keys {
        match *key {
            // The tangents before the first key and after the last are unused.
            "" => values.extend([9.0, 9.0, 9.0]),
            key => values.extend(floats(&data["cubic_translation"][key])),
        }
    }
    if keys.is_empty() {
        let keys = data["linear_rotation"]["keys_xyzw"].as_array().unwrap();
        values = keys.iter().flat_map(floats).collect();
    }
    Track {
        property,
        interpolation,
        times_secs: floats(&data["times"]),
        width: if property == TrackProperty::Rotation { 4 } else { 3 },
        values,
    }
}

#[test]
fn clips_are_sampled_to_the_golden_numbers() {
    let data = data(include_str!("../data/sampling.json"));
    let rotation = two_keys(&data, TrackProperty::Rotation, Interpolation::Linear);
    let translation = two_keys(&data, TrackProperty::Translation, Interpolation::CubicSpline);
    let cases = [("linear_rotation", rotation), ("cubic_translation", translation)];
    let mut checked = 0;
    for (name, track) in cases {
        for sample in data[name]["samples"].as_array().unwrap() {
            let time_secs = sample[0].as_f64().unwrap();
            let expected: Vec<f64> = sample[1]
                .as_array()
                .unwrap()
                .iter()
                .map(|number| number.as_f64().unwrap())
                .collect();
            let mut found = Vec::new();
            track.sample(time_secs, &mut found);
            // A quaternion and its negative are the same rotation.
            let dot: f64 = found.iter().zip(&expected).map(|(a, b)| a * b).sum();
            let sign = if name == "linear_rotation" { dot.signum() } else { 1.0 };
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                let off = (found * sign - expected).abs();
                assert!(off < 1e-6, "{name} at {time_secs} s: {found} for {expected}");
            }
            checked += 1;
        }
    }
    assert_eq!(checked, 14);
}

#[test]
fn simple_skin_plays_the_tutorials_keys_made_unit() {
    let rig = builtin("simple_skin").unwrap();
    let [clip] = &rig.clips[..] else {
        panic!("{} clips", rig.clips.len());
    };
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("bend", 5.5));
    let angle_deg = |time_secs: f64| {
        let at = ClipAt { clip: 0, time_secs, share: 1.0 };
        let pose = rig.posed_in(&[at], |_| None).pose;
        let rotation = pose.parent_from_joint[1].rotation;
        assert!((rotation.length() - 1.0).abs() < 1e-6);
        2.0 * rotation.z.atan2(rotation.w).to_degrees()
    };
    // The tutorial's keys for 45° and 90° are rounded.
    let off = 2.0 * 0.383_f32.atan2(0.924).to_degrees() - 45.0;
    for (time_secs, expected) in [
        (0.0, 0.0),
        (0.5, 45.0 + off),
        (0.75, (90.0 + 45.0 + off) / 2.0),
        (1.25, 90.0),
        (4.0, -90.0),
        (5.5, 0.0),
        (9.0, 0.0),
    ] {
        let found = angle_deg(time_secs);
        assert!((found - expected).abs() < 1e-3, "{time_secs} s: {found} for {expected}");
    }
}
