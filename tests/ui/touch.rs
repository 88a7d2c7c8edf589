//! Touch input: dragging, scrolling, long presses, pinches, and the space above an on-screen keyboard.

use bindpose_testkit::ReaderActions as _;
use eframe::egui::epaint::MarginF32;
use eframe::egui::{
    Event, Modifiers, PointerButton, Pos2, Rect, SafeAreaInsets, TouchDeviceId, TouchId,
    TouchPhase, Vec2, accesskit::Role, pos2, vec2,
};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};

use bindpose_lesson::LessonSet;

use super::nod_rad;
use crate::page::{self, Page};

const PHONE: [f32; 2] = [390.0, 844.0];
const SLIDER: &str = "bindpose://bind-pose/and-carry-it-back?nod=0";
/// Number of frames that is longer than a tap.
const HELD: usize = 60;

/// A page at 60 frames per second, so that taps are short.
fn page(link: &str, size: [f32; 2]) -> Harness<'static, Page> {
    let window = Harness::builder().with_size(size).with_step_dt(1.0 / 60.0);
    let window = window.with_max_steps(400);
    let mut harness = page::open(window, None, LessonSet::embedded(), 1.0);
    harness.state_mut().shell().open_link(link).expect("a page");
    harness.run();
    harness
}

fn touch(harness: &mut Harness<'_, Page>, finger: u64, phase: TouchPhase, pos: Pos2) {
    harness.event(Event::Touch {
        device_id: TouchDeviceId(0),
        id: TouchId(finger),
        phase,
        pos,
        force: None,
    });
}

fn button(harness: &mut Harness<'_, Page>, pos: Pos2, pressed: bool) {
    harness.event(Event::PointerButton {
        pos,
        button: PointerButton::Primary,
        pressed,
        modifiers: Modifiers::NONE,
    });
}

/// Sends the events of the first finger as browsers and windows do, as a touch and as a pointer.
fn put_down(harness: &mut Harness<'_, Page>, pos: Pos2) {
    touch(harness, 1, TouchPhase::Start, pos);
    button(harness, pos, true);
    harness.step();
}

fn move_to(harness: &mut Harness<'_, Page>, pos: Pos2) {
    touch(harness, 1, TouchPhase::Move, pos);
    harness.event(Event::PointerMoved(pos));
    harness.step();
}

fn lift(harness: &mut Harness<'_, Page>, pos: Pos2) {
    button(harness, pos, false);
    harness.event(Event::PointerGone);
    touch(harness, 1, TouchPhase::End, pos);
    harness.run_steps(2);
}

fn drag(harness: &mut Harness<'_, Page>, from: Pos2, by: Vec2) {
    put_down(harness, from);
    for part in 1..=10 {
        move_to(harness, from + by * (part as f32 / 10.0));
    }
    // The finger rests before it is lifted, so that there is no kinetic scrolling.
    harness.run_steps(20);
    lift(harness, from + by);
    harness.run();
}

fn tap(harness: &mut Harness<'_, Page>, at: Pos2) {
    put_down(harness, at);
    lift(harness, at);
    harness.run();
}

fn place(harness: &Harness<'_, Page>, role: Role, label: &str) -> Pos2 {
    let mut found = harness.query_all_by_role_and_label(role, label);
    found.next().expect(label).rect().center()
}

/// Returns the number in the prose that the step asks to drag, after scrolling to it.
fn number(harness: &mut Harness<'_, Page>) -> Pos2 {
    let at = place(harness, Role::SpinButton, "nod");
    let height = harness.ctx.content_rect().height();
    let low = at.y - 0.7 * height;
    if low > 0.0 {
        drag(harness, pos2(160.0, 0.75 * height), vec2(0.0, -low - 60.0));
    }
    place(harness, Role::SpinButton, "nod")
}

#[test]
fn a_finger_drags_a_number_sideways_and_scrolls_the_page_up_and_down() {
    let mut harness = page(SLIDER, PHONE);
    let at = number(&mut harness);
    assert!(at.y > 340.0 && at.y < 760.0, "in sight: {at}");
    let before = nod_rad(&mut harness);
    drag(&mut harness, at, vec2(3.0, -80.0));
    assert_eq!(nod_rad(&mut harness), before, "up");
    let after = place(&harness, Role::SpinButton, "nod");
    assert!((at.y - after.y - 80.0).abs() < 12.0, "{at} to {after}");

    drag(&mut harness, after, vec2(40.0, 4.0));
    let turned = (nod_rad(&mut harness) - before).to_degrees();
    assert!((30.0..=45.0).contains(&turned), "{turned}°");
    let still = place(&harness, Role::SpinButton, "nod");
    assert!((still.y - after.y).abs() < 1.0, "{after} to {still}");
}

#[test]
fn a_slider_waits_for_where_the_finger_goes_and_takes_a_tap() {
    let mut harness = page(SLIDER, PHONE);
    tap(&mut harness, pos2(200.0, 200.0));
    let tab = place(&harness, Role::Tab, "Angles");
    tap(&mut harness, tab);
    let slider = {
        let found = harness.query_all_by_role_and_label(Role::Slider, "nod");
        found.last().expect("in the sheet").rect()
    };
    assert!(slider.width() > 120.0, "{slider}");
    let at = slider.left_center() + vec2(0.8 * slider.width(), 0.0);
    drag(&mut harness, at, vec2(2.0, 60.0));
    assert_eq!(nod_rad(&mut harness), 0.0);
    tap(&mut harness, at);
    let tapped = nod_rad(&mut harness);
    assert!(tapped > 0.3, "{tapped}");
    drag(&mut harness, at, vec2(-0.3 * slider.width(), 5.0));
    assert!(nod_rad(&mut harness) < tapped - 0.3);
}

#[test]
fn a_finger_that_rests_shows_what_a_pointer_would_uncover_until_the_next_touch() {
    let mut harness = page(SLIDER, PHONE);
    let at = number(&mut harness);
    let hint = "Drag sideways, or tap to type.";
    put_down(&mut harness, at);
    assert!(harness.query_by_label_contains(hint).is_none());
    harness.run_steps(HELD);
    harness.get_by_label_contains(hint);
    lift(&mut harness, at);
    harness.run_steps(HELD);
    harness.get_by_label_contains(hint);
    assert_eq!(nod_rad(&mut harness), 0.0);
    tap(&mut harness, pos2(200.0, 470.0));
    assert!(harness.query_by_label_contains(hint).is_none());
}

/// Moves two fingers around a point apart, from 100 points to 160.
fn pinch(harness: &mut Harness<'_, Page>, middle: Pos2) {
    let (one, two) = (middle - vec2(50.0, 0.0), middle + vec2(50.0, 0.0));
    put_down(harness, one);
    touch(harness, 2, TouchPhase::Start, two);
    harness.step();
    for part in 1..=5 {
        let apart = vec2(6.0 * part as f32, 0.0);
        touch(harness, 1, TouchPhase::Move, one - apart);
        touch(harness, 2, TouchPhase::Move, two + apart);
        harness.step();
    }
    touch(harness, 2, TouchPhase::End, two);
    lift(harness, one);
    harness.run();
}

#[test]
fn two_fingers_on_the_prose_make_its_type_larger_and_leave_the_picture() {
    let mut harness = page(SLIDER, PHONE);
    pinch(&mut harness, pos2(200.0, 560.0));
    assert!(harness.ctx.zoom_factor() > 1.2, "{}", harness.ctx.zoom_factor());
    assert!(harness.query_by_label("Put the view back").is_none());
}

/// A pinch changes the view. A double tap resets it.
#[test]
fn two_fingers_move_a_picture_and_a_double_tap_puts_it_back() {
    let mut harness = page(SLIDER, PHONE);
    let moved = "Put the view back";
    pinch(&mut harness, pos2(200.0, 200.0));
    harness.get_by_label(moved);
    // Otherwise the lifted finger counts as the first of three taps.
    harness.run_steps(30);
    for _ in 0..2 {
        put_down(&mut harness, pos2(60.0, 300.0));
        lift(&mut harness, pos2(60.0, 300.0));
    }
    harness.run();
    let link = harness.state_mut().shell().notebook().link();
    assert!(harness.query_by_label(moved).is_none(), "{link}");
}

#[test]
fn buttons_are_a_thumb_high_after_a_touch_and_as_before_after_a_mouse() {
    let mut harness = page(SLIDER, PHONE);
    let sizes = |harness: &Harness<'_, Page>| {
        let buttons = ["Contents", "Back", "Next"];
        buttons.map(|name| harness.get_by_role_and_label(Role::Button, name).rect().size())
    };
    let before = sizes(&harness);
    tap(&mut harness, pos2(200.0, 470.0));
    for size in sizes(&harness) {
        // The drawn rectangle, and the larger touch target around it.
        assert!(size.min_elem() + 24.0 >= 44.0, "{size}");
        assert!(size.y >= 34.0, "{size}");
    }
    harness.event(Event::PointerMoved(pos2(200.0, 480.0)));
    harness.run();
    assert_eq!(sizes(&harness), before);
}

#[test]
fn rows_of_the_contents_are_a_thumb_high_and_touch_each_other_nowhere() {
    let mut harness = page(SLIDER, PHONE);
    tap(&mut harness, pos2(200.0, 470.0));
    let contents = place(&harness, Role::Button, "Contents");
    tap(&mut harness, contents);
    let rows = harness.query_all_by_role(Role::ListItem);
    let rows: Vec<Rect> = rows.map(|row| row.rect()).collect();
    assert!(rows.len() > 11, "lessons, and the steps of one: {rows:?}");
    for (index, row) in rows.iter().enumerate() {
        assert!(row.height() >= 40.0, "{row}");
        let others = &rows[index + 1..];
        assert!(others.iter().all(|other| !other.shrink(0.5).intersects(*row)));
    }
}

#[test]
fn the_field_stays_above_a_keyboard_that_takes_the_lower_half() {
    for size in [PHONE, [320.0, 568.0]] {
        let mut harness = page(SLIDER, size);
        let at = number(&mut harness);
        tap(&mut harness, at);
        // Below the part that stays visible.
        let field = |harness: &Harness<'_, Page>| {
            let mut nodes = harness.root().children_recursive();
            let node = nodes.find(|node| node.accesskit_node().is_focused());
            node.expect("a field that has the focus").rect()
        };
        let before = field(&harness);
        let keyboard = (0.45 * size[1]).round();
        harness.input_mut().safe_area_insets =
            Some(SafeAreaInsets(MarginF32 { bottom: keyboard, ..MarginF32::default() }));
        harness.run_steps(8);
        let left = size[1] - keyboard;
        let now = field(&harness);
        assert!(now.bottom() <= left && now.top() >= 48.0, "{before} to {now}, above {left}");
        harness.event(Event::Text("30".to_owned()));
        harness.run();
        harness.press(eframe::egui::Key::Enter);
        assert!((nod_rad(&mut harness).to_degrees() - 30.0).abs() < 1e-6);
    }
}
