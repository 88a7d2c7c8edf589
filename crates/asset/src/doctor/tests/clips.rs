//! Clips whose numbers are something else, on skeletons of every shape; and sound ones,
//! of which nothing is said.

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// The keys of one joint.
struct Keys {
    places: Vec<DVec3>,
    turns: Vec<[f64; 4]>,
}

/// A clip in which joints turn, and the root goes somewhere.
fn clip(skeleton: &Skeleton, numbers: &mut Numbers) -> Vec<Keys> {
    let count = 2 + numbers.below(4);
    let joints = 0..skeleton.parents.len();
    let keys = joints.map(|joint| {
        let place = |numbers: &mut Numbers| {
            let goes = if joint == 0 { numbers.place(1.0) } else { DVec3::ZERO };
            skeleton.places[joint] + goes
        };
        Keys {
            places: (0..count).map(|_| place(numbers)).collect(),
            turns: (0..count)
                .map(|_| (skeleton.turns[joint] * numbers.turn(0.5)).to_array())
                .collect(),
        }
    });
    keys.collect()
}

/// The skeleton with that clip alone.
fn model(skeleton: &Skeleton, clip: &[Keys], times: &[f32]) -> Model {
    let mut model = skeleton.model(&skeleton.inverse_binds());
    let mut put = |kind: &str, numbers: Vec<f64>| {
        let numbers: Vec<f32> = numbers.into_iter().map(|x| x as f32).collect();
        model.floats(kind, &numbers);
        model.list("accessors").len() - 1
    };
    let input = put("SCALAR", times.iter().map(|&time| f64::from(time)).collect());
    let mut samplers: Vec<Value> = Vec::new();
    let mut channels: Vec<Value> = Vec::new();
    for (joint, keys) in clip.iter().enumerate() {
        let places = put("VEC3", keys.places.iter().flat_map(DVec3::to_array).collect());
        let turns = put("VEC4", keys.turns.concat());
        for (path, output) in [("translation", places), ("rotation", turns)] {
            channels.push(json!({
                "sampler": samplers.len(), "target": {"node": joint, "path": path},
            }));
            samplers.push(json!({"input": input, "output": output}));
        }
    }
    model.put(&format!("/accessors/{input}/min"), json!([times[0]]));
    model.put(&format!("/accessors/{input}/max"), json!([times[times.len() - 1]]));
    model.put("/animations", json!([{"channels": channels, "samplers": samplers}]));
    model
}

fn seconds(clip: &[Keys]) -> Vec<f32> {
    (0..clip[0].places.len()).map(|key| key as f32 * 0.25).collect()
}

/// Codes of findings about what a clip means.
fn said(model: &Model) -> Vec<&'static str> {
    let codes = report(&model.source()).findings.into_iter().map(|finding| finding.code);
    let of_clips = ["CLIP_", "SPLINE_", "FULL_"];
    codes.filter(|code| of_clips.iter().any(|begin| code.starts_with(begin))).collect()
}

/// Told by this name alone, and gone when it is mended.
fn is_told_and_mended(model: &Model, code: &str) {
    assert_eq!(said(model), [code]);
    let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
    assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
}

#[test]
fn of_sound_clips_nothing_is_said() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        assert_eq!(said(&model(&skeleton, &clip, &seconds(&clip))), [""; 0]);
    }
}

#[test]
fn what_the_numbers_of_a_clip_are_is_told_by_its_name_and_mended() {
    for (mut numbers, skeleton) in skeletons() {
        // Joints that hardly turn, and that hardly are away, tell nothing.
        if skeleton.parents.len() < 3 {
            continue;
        }
        let sound = || clip(&skeleton, &mut Numbers(7));
        for by in [100.0, 0.01, 0.0254] {
            let mut clip = sound();
            for keys in &mut clip {
                keys.places.iter_mut().for_each(|place| *place *= by);
            }
            is_told_and_mended(&model(&skeleton, &clip, &seconds(&clip)), "CLIP_OTHER_UNIT");
        }
        let mut clip = sound();
        for keys in &mut clip {
            keys.turns.iter_mut().for_each(|[x, y, z, w]| [*x, *y, *z, *w] = [*w, *x, *y, *z]);
        }
        // Joints that rest far from upright may look alike in both ways.
        let found = said(&model(&skeleton, &clip, &seconds(&clip)));
        assert!(found.is_empty() || found == ["CLIP_W_FIRST"], "{found:?}");

        let mut clip = sound();
        for (joint, keys) in clip.iter_mut().enumerate() {
            let rest = skeleton.turns[joint].inverse();
            for turn in &mut keys.turns {
                *turn = (rest * DQuat::from_array(*turn)).to_array();
            }
            keys.places.iter_mut().for_each(|place| *place -= skeleton.places[joint]);
        }
        is_told_and_mended(&model(&skeleton, &clip, &seconds(&clip)), "CLIP_OF_CHANGES");
        let _ = numbers.next();
    }
}

#[test]
fn times_that_are_no_seconds_are_told() {
    let (_, skeleton) = skeletons().nth(3).unwrap();
    let longer = |keys: usize| -> Vec<Keys> {
        let mut clip = clip(&skeleton, &mut Numbers(1));
        for joint in &mut clip {
            joint.places = (0..keys).map(|key| joint.places[key % 2]).collect();
            joint.turns = (0..keys).map(|key| joint.turns[key % 2]).collect();
        }
        clip
    };
    let clip = longer(60);
    let told = |step: f32, from: f32| {
        let times: Vec<f32> = (0..60).map(|key| from + key as f32 * step).collect();
        said(&model(&skeleton, &clip, &times))
    };
    assert_eq!(told(1.0, 0.0), ["CLIP_TIMES_ARE_FRAMES"]);
    assert_eq!(told(33.333, 0.0), ["CLIP_TIMES_ARE_MILLISECONDS"]);
    assert_eq!(told(1.0 / 30.0, 12.0), ["CLIP_BEGINS_LATE"]);
    assert_eq!(told(1.0 / 30.0, 0.04), [""; 0]);
    assert_eq!(told(0.5, 0.0), [""; 0]);
}
