use bindpose_lesson::Setting;
use bindpose_notebook::TIME_PARAM;
use eframe::egui::{Event, Key, Modifiers, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

use super::*;
use crate::cells::testing::{Page, harness};
use crate::reader_presence::STAYS_SECS;

fn shown(page: Page, cell: TimelineCell) -> Harness<'static, Page> {
    let mut harness = harness(page, move |view, page| ui(view, &cell, "t", page));
    harness.run();
    harness
}

/// The arm with a clip, by its place.
fn arm(clip: usize) -> Page {
    let mut page = Page::new("arm");
    page.document.state.playback.clip = Some(clip);
    page
}

fn time_secs(harness: &Harness<'_, Page>) -> f64 {
    harness.state().document.time_secs()
}

#[test]
fn a_model_without_clips_and_one_at_rest_say_so() {
    let harness = shown(Page::new("bone_grid"), TimelineCell::default());
    harness.get_by_label_contains("without clips");
    let harness = shown(Page::new("arm"), TimelineCell::default());
    harness.get_by_label_contains("rest pose");
    assert!(harness.query_by_label("Play").is_none());
}

#[test]
fn rows_name_what_moves_and_choose_its_joint() {
    let mut harness = shown(arm(5), TimelineCell::default());
    harness.get_by_label("joint 1 lower: translation, LINEAR, 3 keys");
    harness.get_by_label("joint 1 lower: rotation, LINEAR, 3 keys");
    let all = "joint 1 lower: 6 keys of translation, rotation";
    harness.get_by_role_and_label(Role::Button, all).click();
    harness.run();
    assert_eq!(harness.state().document.state.joint, JointIndex(1));
    harness.get_by_label(all).hover();
    harness.run();
    let lit = bindpose_notebook::Entity::Joint(JointIndex(1));
    assert_eq!(harness.state().linked.hovered(), Some(lit));
}

#[test]
fn steps_and_splines_say_what_they_are() {
    let harness = shown(arm(1), TimelineCell::default());
    harness.get_by_label("joint 1 lower: rotation, STEP, 5 keys");
    harness.get_by_label_contains("STEP holds until the next key");
    let harness = shown(arm(2), TimelineCell::default());
    harness.get_by_label("joint 1 lower: rotation, CUBICSPLINE, 5 keys");
    assert!(harness.query_by_label_contains("STEP").is_none());
}

#[test]
fn each_key_is_a_node_that_time_is_put_to() {
    let mut harness = shown(arm(1), TimelineCell::default());
    let key = harness.get_by_label_contains("key 2 of 5 at 0.50 s: ");
    key.click_accesskit();
    harness.run();
    assert!((time_secs(&harness) - 0.5).abs() < 1e-9);
}

#[test]
fn the_frame_is_told_with_how_long_frames_are() {
    let mut page = arm(0);
    page.document.state.params.insert(TIME_PARAM.to_owned(), 0.5);
    let mut harness = shown(page, TimelineCell::default());
    harness.get_by_label("frame 15.0 of 60").hover();
    harness.run();
    harness.get_by_label_contains("none of its own, so 30 a second");
}

#[test]
fn buttons_go_by_frame_and_by_key() {
    let mut harness = shown(arm(0), TimelineCell::default());
    let mut press = |name: &str, expected: f64| {
        harness.get_by_role_and_label(Role::Button, name).click();
        harness.run();
        let now = time_secs(&harness);
        assert!((now - expected).abs() < 1e-9, "{name}: {now}");
    };
    press("one frame on (.)", 1.0 / 30.0);
    press("one frame on (.)", 2.0 / 30.0);
    press("one frame back (,)", 1.0 / 30.0);
    press("to the key after", 0.5);
    press("to the key after", 1.0);
    press("to the key before", 0.5);
}

#[test]
fn the_playhead_is_dragged_and_with_shift_goes_from_key_to_key() {
    let mut harness = shown(arm(0), TimelineCell::default());
    let rect = harness.get_by_label("time, in seconds").rect();
    let at = |part: f32| pos2(rect.left() + 8.0 + (rect.width() - 16.0) * part, rect.center().y);
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
fn the_playhead_listens_to_arrows() {
    let mut harness = shown(arm(0), TimelineCell::default());
    harness.get_by_label("time, in seconds").focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!((time_secs(&harness) - 1.0 / 30.0).abs() < 1e-9);
    harness.key_press_modifiers(Modifiers::COMMAND, Key::ArrowRight);
    harness.run();
    assert_eq!(time_secs(&harness), 0.5);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowRight);
    harness.run();
    let tenth_of_a_frame = 1.0 / 300.0;
    assert!((time_secs(&harness) - 0.5 - tenth_of_a_frame).abs() < 1e-4);
    harness.key_press(Key::End);
    harness.run();
    assert_eq!(time_secs(&harness), 2.0);
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(time_secs(&harness), 0.0);
}

#[test]
fn what_plays_comes_to_its_end_and_stands_still() {
    let mut page = arm(3);
    page.document.state.playback.repeats = false;
    page.document.state.params.insert(TIME_PARAM.to_owned(), 1.9);
    let mut harness = shown(page, TimelineCell::default());
    harness.get_by_label("Play").click();
    for _ in 0..60 {
        harness.step();
    }
    assert_eq!(time_secs(&harness), 2.0);
    harness.get_by_label("Play");
    let begins = |edit: &&Edit| matches!(edit, Edit::PlayTo { begins: true, .. });
    assert_eq!(harness.state().edits.iter().filter(begins).count(), 1);
    // Nothing moves, nothing is drawn again.
    harness.run();
}

#[test]
fn loop_and_the_ways_between_rotations_are_switches() {
    let cell = TimelineCell { between: true, ..TimelineCell::default() };
    let mut harness = shown(arm(3), cell);
    harness.get_by_role_and_label(Role::CheckBox, "loop").click();
    harness.run();
    let off = Edit::set(Setting::Repeats(false));
    assert_eq!(harness.state().edits.last(), Some(&off));
    harness.get_by_role_and_label(Role::RadioButton, "nlerp").click();
    harness.run();
    let between = harness.state().document.state.playback.between;
    assert_eq!(between, bindpose_skin::RotationInterpolation::Nlerp);
}

#[test]
fn a_fade_has_an_amount_and_the_rows_of_both_clips() {
    let mut page = arm(0);
    page.document.state.playback.fade_to = Some(3);
    let mut harness = shown(page, TimelineCell::default());
    harness.get_by_label("clip wave");
    harness.get_by_label("clip swing");
    harness.get_by_label("joint 0 upper: rotation, LINEAR, 2 keys");
    let sliders = harness.get_all_by_label("cross-fade");
    sliders.into_iter().next().unwrap().focus();
    harness.run();
    harness.key_press(Key::ArrowRight);
    harness.run();
    assert!(harness.state().document.fade() > 0.0);
}

/// As shown first, where motion is wanted or not.
fn by_itself(wanted: bool, with: impl Fn(&mut Page)) -> Harness<'static, Page> {
    let mut page = arm(1);
    page.view.pictures.waits = false;
    with(&mut page);
    let cell = TimelineCell { plays: true, ..TimelineCell::default() };
    let mut harness = harness(page, move |view, page| {
        view.style_mut().animation_time = if wanted { 0.1 } else { 0.0 };
        ui(view, &cell, "t", page);
    });
    harness.run_steps(4);
    harness
}

#[test]
fn a_clip_plays_by_itself_where_motion_is_wanted_until_nobody_is_there() {
    let mut harness = by_itself(true, |_| {});
    assert!(time_secs(&harness) > 0.0 && harness.state().view.playing.clip.playing);
    let begins = |edit: &Edit| matches!(edit, Edit::PlayTo { begins: true, .. });
    assert!(!harness.state().edits.iter().any(begins), "nobody has begun it");
    // Nothing is done for longer than it plays.
    let own = harness.state_mut().view.playing.by_itself.as_mut().expect("it plays by itself");
    own.reader.touched_secs = own.reader.touched_secs.map(|secs| secs - STAYS_SECS);
    harness.run_steps(2);
    let at = time_secs(&harness);
    harness.run();
    assert!(!harness.state().view.playing.clip.playing);
    assert!((time_secs(&harness) - at).abs() < 1e-9, "it stands still");
}

#[test]
fn a_clip_waits_for_the_reader_on_a_projector_and_with_less_motion() {
    let presented = by_itself(true, |page| page.view.presenting = true);
    for harness in [by_itself(false, |_| {}), presented] {
        assert!(time_secs(&harness) == 0.0 && !harness.state().view.playing.clip.playing);
    }
}

#[test]
fn a_clip_that_plays_by_itself_and_is_stopped_stays_so() {
    let mut harness = by_itself(true, |_| {});
    harness.get_by_role_and_label(Role::Button, "Pause").click();
    harness.run();
    let at = time_secs(&harness);
    harness.run_steps(3);
    assert!((time_secs(&harness) - at).abs() < 1e-9);
}
