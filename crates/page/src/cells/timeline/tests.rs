use bindpose_lesson::Setting;
use bindpose_notebook::TIME_PARAM;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Event, Key, Modifiers, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::cells::testing::{Page, harness};
use crate::reader_presence::PRESENCE_TIMEOUT_SECS;

fn timeline_harness(page: Page, cell: TimelineCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

fn arm_with_clip(clip: usize) -> Page {
    let mut page = Page::new("arm");
    page.document.state.playback.clip = Some(clip);
    page
}

fn time_secs(harness: &Harness<'_, Page>) -> f64 {
    harness.state().document.time_secs()
}

fn begins_playback(edit: &Edit) -> bool {
    matches!(edit, Edit::PlayTo { begins: true, .. })
}

#[test]
fn message_replaces_timeline_without_clip() {
    let harness = timeline_harness(Page::new("bone_grid"), TimelineCell::default());
    harness.get_by_label_contains("without clips");
    let harness = timeline_harness(Page::new("arm"), TimelineCell::default());
    harness.get_by_label_contains("rest pose");
    assert!(harness.query_by_label("Play").is_none());
}

#[test]
fn row_names_its_target_and_selects_its_joint() {
    let mut harness = timeline_harness(arm_with_clip(5), TimelineCell::default());
    harness.get_by_label("joint 1 lower: translation, LINEAR, 3 keys");
    harness.get_by_label("joint 1 lower: rotation, LINEAR, 3 keys");
    let name = "joint 1 lower: 6 keys of translation, rotation";
    harness.click_role(Role::Button, name);
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    harness.get_by_label(name).hover();
    harness.run();
    let lit = bindpose_notebook::Entity::Joint(JointIndex(1));
    assert_eq!(harness.state().linked.hovered(), Some(lit));
}

#[test]
fn legend_explains_only_interpolations_in_use() {
    let harness = timeline_harness(arm_with_clip(1), TimelineCell::default());
    harness.get_by_label("joint 1 lower: rotation, STEP, 5 keys");
    harness.get_by_label_contains("STEP holds until the next key");
    let harness = timeline_harness(arm_with_clip(2), TimelineCell::default());
    harness.get_by_label("joint 1 lower: rotation, CUBICSPLINE, 5 keys");
    assert!(harness.query_by_label_contains("STEP").is_none());
}

#[test]
fn clicking_a_key_node_moves_the_playhead() {
    let mut harness = timeline_harness(arm_with_clip(1), TimelineCell::default());
    let key = harness.get_by_label_contains("key 2 of 5 at 0.50 s: ");
    key.click_accesskit();
    harness.run();
    assert!((time_secs(&harness) - 0.5).abs() < 1e-9);
}

#[test]
fn frame_number_has_its_rate_in_the_tooltip() {
    let page = arm_with_clip(0).with_params(&[(TIME_PARAM, 0.5)]);
    let mut harness = timeline_harness(page, TimelineCell::default());
    harness.get_by_label("frame 15.0 of 60").hover();
    harness.run();
    harness.get_by_label_contains("none of its own, so 30 a second");
}

#[test]
fn buttons_step_by_frame_and_by_key() {
    let mut harness = timeline_harness(arm_with_clip(0), TimelineCell::default());
    for (name, expected_secs) in [
        ("one frame on (.)", 1.0 / 30.0),
        ("one frame on (.)", 2.0 / 30.0),
        ("one frame back (,)", 1.0 / 30.0),
        ("to the key after", 0.5),
        ("to the key after", 1.0),
        ("to the key before", 0.5),
    ] {
        harness.click_role(Role::Button, name);
        let secs = time_secs(&harness);
        assert!((secs - expected_secs).abs() < 1e-9, "{name}: {secs}");
    }
}

#[test]
fn dragged_playhead_snaps_to_keys_with_command() {
    let mut harness = timeline_harness(arm_with_clip(0), TimelineCell::default());
    let rect = harness.get_by_label("time, in seconds").rect();
    // The playhead's rectangle extends 8 points beyond each end of the axis.
    let at =
        |fraction: f32| pos2(rect.left() + 8.0 + (rect.width() - 16.0) * fraction, rect.center().y);
    harness.drag_at(at(0.0));
    harness.hover_at(at(0.6));
    harness.run();
    assert!((time_secs(&harness) - 1.2).abs() < 0.01, "{}", time_secs(&harness));
    harness.drop_at(at(0.6));
    harness.run();
    harness.drag_at(at(0.3));
    harness.event_modifiers(Event::PointerMoved(at(0.31)), Modifiers::COMMAND);
    harness.run();
    assert_eq!(time_secs(&harness), 0.5);
    harness.drop_at(at(0.31));
}

#[test]
fn arrow_keys_move_the_playhead() {
    let mut harness = timeline_harness(arm_with_clip(0), TimelineCell::default());
    harness.get_by_label("time, in seconds").focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert!((time_secs(&harness) - 1.0 / 30.0).abs() < 1e-9);
    harness.press_with(Modifiers::COMMAND, Key::ArrowRight);
    assert_eq!(time_secs(&harness), 0.5);
    harness.press_with(Modifiers::SHIFT, Key::ArrowRight);
    let tenth_of_a_frame = 1.0 / 300.0;
    assert!((time_secs(&harness) - 0.5 - tenth_of_a_frame).abs() < 1e-4);
    harness.press(Key::End);
    assert_eq!(time_secs(&harness), 2.0);
    harness.press(Key::Delete);
    assert_eq!(time_secs(&harness), 0.0);
}

#[test]
fn clip_stops_at_its_end_without_loop() {
    let mut page = arm_with_clip(3);
    page.document.state.playback.repeats = false;
    page.document.state.params.insert(TIME_PARAM.to_owned(), 1.9);
    let mut harness = timeline_harness(page, TimelineCell::default());
    harness.get_by_label("Play").click();
    for _ in 0..60 {
        harness.step();
    }
    assert_eq!(time_secs(&harness), 2.0);
    harness.get_by_label("Play");
    assert_eq!(harness.state().edits.iter().filter(|edit| begins_playback(edit)).count(), 1);
    // `run` fails if frames are still requested.
    harness.run();
}

#[test]
fn loop_and_rotation_interpolation_are_settings() {
    let cell = TimelineCell { between: true, ..TimelineCell::default() };
    let mut harness = timeline_harness(arm_with_clip(3), cell);
    harness.click_role(Role::CheckBox, "loop");
    let off = Edit::set(Setting::Repeats(false));
    assert_eq!(harness.state().edits.last(), Some(&off));
    harness.click_role(Role::RadioButton, "nlerp");
    let between = harness.state().document.state.playback.between;
    assert_eq!(between, bindpose_skin::RotationInterpolation::Nlerp);
}

#[test]
fn cross_fade_has_a_slider_and_rows_of_both_clips() {
    let mut page = arm_with_clip(0);
    page.document.state.playback.fade_to = Some(3);
    let mut harness = timeline_harness(page, TimelineCell::default());
    harness.get_by_label("clip wave");
    harness.get_by_label("clip swing");
    harness.get_by_label("joint 0 upper: rotation, LINEAR, 2 keys");
    let sliders = harness.get_all_by_label("cross-fade");
    sliders.into_iter().next().unwrap().focus();
    harness.run();
    harness.press(Key::ArrowRight);
    assert!(harness.state().document.fade() > 0.0);
}

/// A timeline that starts its clip by itself, after its first frames.
fn autoplay_harness(wants_motion: bool, set_up: impl Fn(&mut Page)) -> Harness<'static, Page> {
    let mut page = arm_with_clip(1);
    page.view.pictures.waits_for_work = false;
    set_up(&mut page);
    let cell = TimelineCell { plays: true, ..TimelineCell::default() };
    let mut harness = harness(page, move |view, page| {
        view.style_mut().animation_time = if wants_motion { 0.1 } else { 0.0 };
        ui(view, &cell, "t", page);
    });
    harness.run_steps(4);
    harness
}

#[test]
fn autoplay_stops_without_a_reader() {
    let mut harness = autoplay_harness(true, |_| {});
    assert!(time_secs(&harness) > 0.0 && harness.state().view.playing.clip.playing);
    assert!(!harness.state().edits.iter().any(begins_playback), "nobody has begun it");
    // No input for longer than autoplay continues.
    let autoplay = harness.state_mut().view.playing.autoplay.as_mut().expect("it plays by itself");
    autoplay.reader.touched_secs =
        autoplay.reader.touched_secs.map(|secs| secs - PRESENCE_TIMEOUT_SECS);
    harness.run_steps(2);
    let at = time_secs(&harness);
    harness.run();
    assert!(!harness.state().view.playing.clip.playing);
    assert!((time_secs(&harness) - at).abs() < 1e-9, "it stands still");
}

#[test]
fn autoplay_runs_when_presenting_but_not_with_reduced_motion() {
    let presented = autoplay_harness(true, |page| page.view.presenting = true);
    assert!(time_secs(&presented) > 0.0 && presented.state().view.playing.clip.playing);
    let still = autoplay_harness(false, |page| page.view.presenting = true);
    assert!(time_secs(&still) == 0.0 && !still.state().view.playing.clip.playing);
}

#[test]
fn paused_autoplay_stays_paused() {
    let mut harness = autoplay_harness(true, |_| {});
    harness.click_role(Role::Button, "Pause");
    let at = time_secs(&harness);
    harness.run_steps(3);
    assert!((time_secs(&harness) - at).abs() < 1e-9);
}
