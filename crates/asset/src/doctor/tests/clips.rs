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

#[test]
fn tangents_that_are_keys_are_told_and_mended() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        let mut model = model(&skeleton, &clip, &seconds(&clip));
        let keys = clip[0].places.len();
        for sampler in 0..2 * clip.len() {
            let (joint, is_turn) = (sampler / 2, sampler % 2 == 1);
            let key = |key: usize| -> Vec<f32> {
                let turn = || clip[joint].turns[key].map(|x| x as f32).to_vec();
                let place = || clip[joint].places[key].as_vec3().to_array().to_vec();
                if is_turn { turn() } else { place() }
            };
            let tripled: Vec<f32> = (0..keys).flat_map(|at| key(at).repeat(3)).collect();
            model.floats(if is_turn { "VEC4" } else { "VEC3" }, &tripled);
            let output = model.list("accessors").len() - 1;
            let at = format!("/animations/0/samplers/{sampler}");
            model.put(&format!("{at}/output"), json!(output));
            model.put(&format!("{at}/interpolation"), json!("CUBICSPLINE"));
        }
        let found = said(&model);
        // Signs of random rotations may flip, too.
        assert!(found.contains(&"SPLINE_TANGENTS_ARE_KEYS"), "{found:?}");
        let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
        assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
    }
}

#[test]
fn a_skeleton_that_a_clip_holds_at_another_scale_is_told_and_mended() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        let times = seconds(&clip);
        let mut model = model(&skeleton, &clip, &times);
        model.floats("VEC3", &[100.0].repeat(3 * times.len()));
        let output = model.list("accessors").len() - 1;
        let animation = &mut model.root["animations"][0];
        let sampler = animation["samplers"].as_array().unwrap().len();
        let input = animation["samplers"][0]["input"].clone();
        let channel = json!({"sampler": sampler, "target": {"node": 0, "path": "scale"}});
        animation["channels"].as_array_mut().unwrap().push(channel);
        let new = json!({"input": input, "output": output});
        animation["samplers"].as_array_mut().unwrap().push(new);
        is_told_and_mended(&model, "CLIP_SCALES_SKELETON");
    }
}

#[test]
fn a_clip_of_a_copy_of_the_skeleton_moves_nothing() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        let mut model = model(&skeleton, &clip, &seconds(&clip));
        let joints = skeleton.parents.len();
        // The body is the last node; copies come behind it.
        let mut copies: Vec<Value> = model.list("nodes")[..joints].to_vec();
        for copy in &mut copies {
            for child in
                copy.get_mut("children").and_then(Value::as_array_mut).into_iter().flatten()
            {
                *child = json!(child.as_u64().unwrap() as usize + joints + 1);
            }
        }
        model.list("nodes").append(&mut copies);
        for channel in 0..2 * joints {
            let target = json!(channel / 2 + joints + 1);
            model.put(&format!("/animations/0/channels/{channel}/target/node"), target);
        }
        let report = report(&model.source());
        let told = finding(&report, "CLIP_MOVES_NOTHING");
        assert!(told.found.contains("copy of the skeleton"), "{}", told.found);
    }
}
