//! Mistakes in the numbers of clips, on random skeletons, and sound clips without findings.

use glam::{DQuat, DVec3};
use serde_json::{Value, json};

use super::made::Model;
use super::skeletons::{Numbers, Skeleton, skeletons};
use super::*;

/// Keys of one joint.
struct Keys {
    places: Vec<DVec3>,
    turns: Vec<[f64; 4]>,
}

/// Returns a clip that rotates all joints and moves the root.
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

/// Returns a file of the skeleton with one clip.
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

/// Returns the codes of findings about clips.
fn clip_codes(model: &Model) -> Vec<&'static str> {
    let codes = report(&model.source()).findings.into_iter().map(|finding| finding.code);
    let of_clips = ["CLIP_", "SPLINE_", "FULL_"];
    codes.filter(|code| of_clips.iter().any(|begin| code.starts_with(begin))).collect()
}

/// Asserts that `code` is the only finding about clips, and that mending removes it.
fn assert_found_and_mended(model: &Model, code: &str) {
    assert_eq!(clip_codes(model), [code]);
    let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
    assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
}

#[test]
fn sound_clips_have_no_findings() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        assert_eq!(clip_codes(&model(&skeleton, &clip, &seconds(&clip))), [""; 0]);
    }
}

#[test]
fn mistakes_in_clips_are_recognized_and_mended() {
    for (mut numbers, skeleton) in skeletons() {
        // Joints near the identity do not reveal the mistake.
        if skeleton.parents.len() < 3 {
            continue;
        }
        let sound = || clip(&skeleton, &mut Numbers(7));
        for by in [100.0, 0.01, 0.0254] {
            let mut clip = sound();
            for keys in &mut clip {
                keys.places.iter_mut().for_each(|place| *place *= by);
            }
            assert_found_and_mended(&model(&skeleton, &clip, &seconds(&clip)), "CLIP_OTHER_UNIT");
        }
        let mut clip = sound();
        for keys in &mut clip {
            keys.turns.iter_mut().for_each(|[x, y, z, w]| [*x, *y, *z, *w] = [*w, *x, *y, *z]);
        }
        // Rotations far from the identity may fit both orders.
        let found = clip_codes(&model(&skeleton, &clip, &seconds(&clip)));
        assert!(found.is_empty() || found == ["CLIP_W_FIRST"], "{found:?}");

        let mut clip = sound();
        for (joint, keys) in clip.iter_mut().enumerate() {
            let rest = skeleton.turns[joint].inverse();
            for turn in &mut keys.turns {
                *turn = (rest * DQuat::from_array(*turn)).to_array();
            }
            keys.places.iter_mut().for_each(|place| *place -= skeleton.places[joint]);
        }
        assert_found_and_mended(&model(&skeleton, &clip, &seconds(&clip)), "CLIP_OF_CHANGES");
        let _ = numbers.next();
    }
}

#[test]
fn times_in_other_units_are_recognized() {
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
    let find_codes = |step: f32, from: f32| {
        let times: Vec<f32> = (0..60).map(|key| from + key as f32 * step).collect();
        clip_codes(&model(&skeleton, &clip, &times))
    };
    assert_eq!(find_codes(1.0, 0.0), ["CLIP_TIMES_ARE_FRAMES"]);
    assert_eq!(find_codes(33.333, 0.0), ["CLIP_TIMES_ARE_MILLISECONDS"]);
    assert_eq!(find_codes(1.0 / 30.0, 12.0), ["CLIP_BEGINS_LATE"]);
    assert_eq!(find_codes(1.0 / 30.0, 0.04), [""; 0]);
    assert_eq!(find_codes(0.5, 0.0), [""; 0]);
}

#[test]
fn keys_as_tangents_are_recognized_and_mended() {
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
        let found = clip_codes(&model);
        // Signs of random rotations may flip too.
        assert!(found.contains(&"SPLINE_TANGENTS_ARE_KEYS"), "{found:?}");
        let mended = mend(&model.source(), Container::Glb, &TaskProgress::default()).unwrap();
        assert_eq!(mended.left().count(), 0, "{:?}", mended.report.findings);
    }
}

#[test]
fn a_clip_that_scales_the_skeleton_is_recognized_and_mended() {
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
        assert_found_and_mended(&model, "CLIP_SCALES_SKELETON");
    }
}

#[test]
fn a_clip_of_a_copy_of_the_skeleton_moves_nothing() {
    for (mut numbers, skeleton) in skeletons() {
        let clip = clip(&skeleton, &mut numbers);
        let mut model = model(&skeleton, &clip, &seconds(&clip));
        let joints = skeleton.parents.len();
        // The body is the last node. Copies follow it.
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
        let fault = finding(&report, "CLIP_MOVES_NOTHING");
        assert!(fault.found.contains("copy of the skeleton"), "{}", fault.found);
    }
}

#[test]
fn bones_of_another_body_are_a_note() {
    for (mut numbers, skeleton) in skeletons().filter(|(_, one)| one.parents.len() > 4) {
        let mut clip = clip(&skeleton, &mut numbers);
        for keys in clip.iter_mut().skip(1) {
            let factor = 1.4 + 0.3 * numbers.next();
            keys.places.iter_mut().for_each(|place| *place *= factor);
        }
        let report = report(&model(&skeleton, &clip, &seconds(&clip)).source());
        let bones = finding(&report, "CLIP_OTHER_BONES");
        assert_eq!(bones.severity, Severity::Note, "{}", bones.found);
        assert_eq!(clip_codes(&model(&skeleton, &clip, &seconds(&clip))), ["CLIP_OTHER_BONES"]);
    }
}

#[test]
fn a_clip_of_another_scene_is_told_from_a_copy() {
    let (mut numbers, skeleton) = skeletons().nth(3).unwrap();
    let clip = clip(&skeleton, &mut numbers);
    let mut model = model(&skeleton, &clip, &seconds(&clip));
    let other = model.list("nodes").len();
    model.list("nodes").push(json!({"name": "elsewhere"}));
    model.list("scenes").push(json!({"nodes": [other]}));
    for channel in 0..2 * skeleton.parents.len() {
        model.put(&format!("/animations/0/channels/{channel}/target/node"), json!(other));
    }
    let report = report(&model.source());
    let fault = finding(&report, "CLIP_MOVES_NOTHING");
    assert!(fault.found.contains("in scene 1"), "{}", fault.found);
}
