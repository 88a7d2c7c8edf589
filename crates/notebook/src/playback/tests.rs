use std::sync::Arc;

use bindpose_gltf::{TaskProgress, open};
use bindpose_lesson::{Crowd, Lesson};
use bindpose_rigs::{builtin, bundled_model};
use bindpose_skin::JointIndex;

use super::*;
use crate::test_sample::{lesson_set, notebook_of};
use crate::{Derived, Notebook, apply};

const LESSON: &str = "+++\ntitle = \"Time\"\nminutes = 5\nrig = \"arm\"\n+++\n\n\
    ## One\n\n```set\nclip = \"swing\"\nloop = \"off\"\n```\n\nWords.\n\n\
    ## Two\n\n```set\nclip = \"wave\"\ntime = 0.5\nloop = \"on\"\n```\n\nWords.\n";

fn lesson() -> Lesson {
    lesson_set(&[("10-time", LESSON)]).lessons.remove(0)
}

fn notebook() -> Notebook {
    notebook_of(&[("10-time", LESSON)])
}

fn put(document: &mut Document, text: &str) -> Result<(), EditError> {
    let settings = bindpose_lesson::parse_settings(text).unwrap();
    let rig = builtin("arm").unwrap();
    apply(document, &Edit::Settings(settings), &lesson(), &rig)
}

fn with(text: &str) -> Document {
    let mut document = Document::default();
    put(&mut document, text).unwrap();
    document
}

/// Direction of joint 0's x axis as an angle, and its length.
fn hand(text: &str) -> (f64, f64) {
    let (document, rig) = (with(text), builtin("arm").unwrap());
    let derived = Derived::of_document(&document, None, &rig);
    let x = derived.joints.world_from_joint[0].x_axis.as_dvec4();
    (x.y.atan2(x.x).to_degrees(), x.length())
}

#[track_caller]
fn assert_near((angle, length): (f64, f64), expected: (f64, f64)) {
    assert!((angle - expected.0).abs() < 1e-3, "{angle}° for {expected:?}");
    assert!((length - expected.1).abs() < 1e-5, "{length} for {expected:?}");
}

#[test]
fn interpolation_between_keys() {
    assert_near(hand("clip=swing,time=0.5"), (40.0, 1.0));
    assert_near(hand("clip=swing,time=1,between=matrix"), (80.0, 80_f64.to_radians().cos()));
    let (straight, length) = hand("clip=swing,time=0.5,between=nlerp");
    assert!(straight < 35.0 && (length - 1.0).abs() < 1e-5, "{straight}");
    assert_near(hand("clip=swing-other-sign,time=0.5"), (40.0, 1.0));
    let long = "clip=swing-other-sign,time=0.5,between=signs-as-stored";
    assert_near(hand(long), (-50.0, 1.0));
    assert_near(hand("clip=none,time=0.5"), (0.0, 1.0));
}

#[test]
fn parameters_apply_on_top_of_clips() {
    let rig = builtin("arm").unwrap();
    let lower = |text: &str| {
        let document = with(text);
        Derived::of_document(&document, None, &rig).joints.world_from_joint[1].x_axis
    };
    let (turned, still) = (lower("clip=wave,time=0.5,bend=-75deg"), lower("clip=none"));
    assert!(turned.abs_diff_eq(still, 1e-5), "75° and back: {turned}");
    let matrix = lower("clip=wave,time=0.25,between=matrix,bend=90deg");
    let shrunk = 37.5_f32.to_radians().cos();
    assert!((matrix.length() - shrunk).abs() < 1e-5, "{matrix}");
}

#[test]
fn cross_fade_mixes_clips_at_their_own_times() {
    let document = with("clip=wave,fade-to=swing,fade=0.25,time=1.5,loop=on");
    let rig = builtin("arm").unwrap();
    let at = document.clips_at(&rig);
    let shares: Vec<f64> = at.iter().map(|at| at.share).collect();
    assert_eq!(shares, [0.75, 0.25]);
    assert_near(hand("clip=wave,fade-to=swing,fade=0.25,time=1"), (20.0, 1.0));
    assert_near(hand("clip=wave,fade-to=swing,fade=1,time=2"), (160.0, 1.0));
    assert!(with("clip=none,fade-to=swing,fade=1").clips_at(&rig).is_empty());

    let mut longer = (*rig).clone();
    longer.clips[3].duration_secs = 5.0;
    let mut document = with("clip=wave,fade-to=swing,fade=0.5");
    document.state.params.insert(TIME_PARAM.to_owned(), 3.5);
    assert_eq!(document.length_secs(&longer), 5.0);
    assert_eq!(document.clips_at(&longer)[0].time_secs, 1.5, "it begins again");
    document.state.playback.repeats = false;
    assert_eq!(document.clips_at(&longer)[0].time_secs, 3.5, "it stands still");
}

#[test]
fn playback_stops_loops_and_steps() {
    let rig = builtin("arm").unwrap();
    let once = with("clip=swing,time=1.9,loop=off");
    assert_eq!(once.played_on(&rig, 0.5), (2.0, true));
    let again = with("clip=swing,time=1.9,loop=on");
    let (time_secs, stops) = again.played_on(&rig, 0.5);
    assert!((time_secs - 0.4).abs() < 1e-9 && !stops);

    let at = |secs: f64, repeats: bool| {
        let mut document = with("clip=wave");
        document.state.params.insert(TIME_PARAM.to_owned(), secs);
        document.state.playback.repeats = repeats;
        document
    };
    let near = |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found}");
    near(at(0.0, false).stepped(&rig, true), 1.0 / 30.0);
    near(at(0.05, false).stepped(&rig, true), 2.0 / 30.0);
    near(at(0.05, false).stepped(&rig, false), 1.0 / 30.0);
    near(at(0.0, false).stepped(&rig, false), 0.0);
    near(at(0.0, true).stepped(&rig, false), 2.0);
    near(at(2.0, true).stepped(&rig, true), 0.0);
    near(at(2.0, false).stepped(&rig, true), 2.0);
    let keys = |secs: f64| {
        let document = at(secs, false);
        [false, true].map(|forward| document.neighbour_key(&rig, forward))
    };
    assert_eq!(keys(0.5), [Some(0.0), Some(1.0)]);
    assert_eq!(keys(2.0), [Some(1.5), None]);
    assert_eq!(at(0.0, false).nearest_key(&rig, 1.2), Some(1.0));
}

#[test]
fn steps_use_the_frame_rate_of_the_file() {
    let source = bundled_model("arm.ezm").unwrap();
    let rig = open(&source, &TaskProgress::default()).unwrap();
    let mut document = Document::default();
    document.state.playback.clip = Some(0);
    assert_eq!(document.frames(&rig), (0.0, 36), "counted from 0");
    for frame in 1..=36 {
        let secs = document.stepped(&rig, true);
        assert!((secs - f64::from(frame) / 24.0).abs() < 1e-6, "{frame}: {secs}");
        document.state.params.insert(TIME_PARAM.to_owned(), secs);
    }
    let (frame, last) = document.frames(&rig);
    assert!((frame - 36.0).abs() < 1e-6 && last == 36);
    let arm = builtin("arm").unwrap();
    assert_eq!(document.frame_secs(&arm), 1.0 / 30.0, "made, not read");
}

#[test]
fn playback_is_one_undo_step() {
    let mut notebook = notebook();
    let play = |notebook: &mut Notebook, time_secs: f64, begins: bool, gesture: u64| {
        let edit = Edit::PlayTo { time_secs, begins };
        notebook.edit(&edit, gesture).unwrap();
    };
    play(&mut notebook, 0.1, true, 5);
    play(&mut notebook, 0.2, false, 5);
    play(&mut notebook, 0.3, false, 9);
    let nod = Edit::param("bend", 0.5);
    notebook.edit(&nod, 10).unwrap();
    play(&mut notebook, 0.4, false, 11);
    assert!(notebook.undo());
    assert_eq!(notebook.document().time_secs(), 0.3, "before the bend");
    assert!(notebook.undo());
    assert_eq!(notebook.document().time_secs(), 0.0);
    assert!(!notebook.undo());
}

#[test]
fn automatic_playback_is_not_undone_and_no_change() {
    let text = "+++\ntitle = \"T\"\nminutes = 5\nrig = \"arm\"\n+++\n\n## One\n\n\
        ```set\nclip = \"wave\"\ntime = 0.3\n```\n\n\
        ```timeline swim stage\nplays = true\n```\n\nWords.\n";
    let mut notebook = notebook_of(&[("10-t", text)]);
    let play = Edit::PlayTo { time_secs: 0.7, begins: false };
    notebook.edit(&play, 1).unwrap();
    assert_eq!(notebook.document().time_secs(), 0.7);
    assert_eq!(notebook.changes(), []);
    assert!(!notebook.undo());
    notebook.edit(&Edit::param("bend", 0.5), 2).unwrap();
    assert_eq!(notebook.changes().len(), 1, "the reader's own");
}

#[test]
fn playback_settings_work_in_steps_links_and_resets() {
    let mut notebook = notebook();
    assert_eq!(notebook.document().state.playback.clip, Some(3));
    assert!(!notebook.document().state.playback.repeats);
    notebook.turn_page(true);
    assert_eq!(notebook.document().state.playback.clip, Some(0));
    assert_eq!(notebook.document().time_secs(), 0.5);
    assert_eq!(notebook.derived().param("time"), Some(0.5));

    let changes = "clip=reach,fade-to=3,fade=0.4,time=1.25,between=matrix,loop=off";
    let settings = bindpose_lesson::parse_settings(changes).unwrap();
    notebook.edit(&Edit::Settings(settings), 2).unwrap();
    let (changed, link) = (notebook.document().clone(), notebook.link());
    for part in ["clip=reach", "fade-to=swing", "fade=0.4", "time=1.25", "loop=off"] {
        assert!(link.contains(part), "{part}: {link}");
    }
    notebook.edit(&Edit::ResetStep, 3).unwrap();
    assert_eq!(
        notebook.document().state.playback,
        Playback { clip: Some(0), ..Playback::default() }
    );
    assert_eq!(notebook.document().time_secs(), 0.5);
    notebook.follow(&link, 4).unwrap();
    assert_eq!(*notebook.document(), changed);
    let error = notebook.follow("bindpose://time/one?clip=waves", 5).unwrap_err();
    assert!(error.title.contains("write `wave`"), "{error}");
}

#[test]
fn missing_clips_are_rejected() {
    let mut document = Document::default();
    for text in ["clip=dive", "clip=99", "fade-to=dive"] {
        let refused = put(&mut document, text).unwrap_err().to_string();
        assert!(refused.contains("no ") && refused.contains("clip"), "{refused}");
    }
    assert_eq!(document, Document::default());
    let rig = builtin("bone_grid").unwrap();
    assert_eq!(playback_param(TIME_PARAM, &rig), None, "no clips, no time");
    let lesson = lesson();
    let time = Edit::param(TIME_PARAM, 1.0);
    assert!(apply(&mut document, &time, &lesson, &rig).is_err());
}

#[test]
fn ambiguous_names_are_written_as_numbers() {
    let mut rig = (*builtin("arm").unwrap()).clone();
    for (index, name) in ["wave", "wave", "none", "3", "a b", ""].iter().enumerate() {
        (*name).clone_into(&mut rig.clips[index].name);
    }
    let written: Vec<String> = (0..6).map(|i| clip_name(Some(i), &rig).to_string()).collect();
    assert_eq!(written, ["wave", "1", "2", "3", "4", "5"]);
    for (index, written) in written.iter().enumerate() {
        let name = ClipName::from_text(written);
        assert_eq!(clip_index(&name, &rig).unwrap(), Some(index));
    }
}

#[test]
fn instances_play_at_different_times() {
    let rig = builtin("arm").unwrap();
    let mut document = with("clip=wave,time=0.5");
    document.state.crowd = Crowd { count: 9, own_poses: true };
    let derived = Derived::of_document(&document, None, &rig);
    let crowd = Arc::clone(derived.crowd().unwrap());
    let joints = rig.skeleton.len();
    assert_eq!(crowd.palettes[..joints], derived.palette[..]);
    let lower = |index: usize| crowd.palettes[index * joints + JointIndex(1).index()];
    for index in 1..9 {
        assert!(!lower(index).abs_diff_eq(lower(0), 1e-3), "{index}");
        let upper = crowd.palettes[index * joints];
        assert!(upper.abs_diff_eq(derived.palette[0], 1e-6), "only the clip moves");
    }
}
