use super::*;
use bindpose_testkit::ReaderActions as _;
use eframe::egui::{Event, Key, Modifiers, PointerButton, accesskit::Role, vec2};
use egui_kittest::{Harness, kittest::Queryable};

#[derive(Default)]
struct State {
    value: f64,
    changes: Vec<ScrubChange>,
}

fn harness(value: f64, is_angle: bool) -> Harness<'static, State> {
    let state = State { value, ..State::default() };
    let build = move |ui: &mut Ui, state: &mut State| {
        let mut scrub = Scrub::new("w", state.value, "weight of joint 1 on v2");
        scrub = if is_angle {
            let limit = std::f64::consts::PI;
            scrub.suffix("°").decimals(1).range(-limit..=limit)
        } else {
            scrub.range(0.0..=1.0)
        };
        if let Some(change) = scrub.show(ui) {
            state.changes.push(change);
            state.value = match change {
                ScrubChange::Set(value) => value,
                ScrubChange::Reset => 0.25,
            };
        }
    };
    Harness::builder()
        .with_size([300.0, 80.0])
        .with_step_dt(0.05)
        .with_context_setup(|context| context.set_fonts(crate::theme::fonts()))
        .build_ui_state(build, state)
}

fn drag_by(harness: &mut Harness<'_, State>, points: f32) {
    let from = harness.get_by_role(Role::SpinButton).rect().center();
    harness.drag_at(from);
    harness.run();
    harness.hover_at(from + vec2(points / 2.0, 0.0));
    harness.run();
    harness.hover_at(from + vec2(points, 0.0));
    harness.run();
    harness.drop_at(from + vec2(points, 0.0));
    harness.run();
}

#[test]
fn dragging_changes_the_displayed_digits_and_stops_at_the_range() {
    let mut harness = harness(0.5, false);
    drag_by(&mut harness, 20.0);
    let value = harness.state().value;
    assert!(value > 0.5 && value <= 0.71, "{value}");
    assert_eq!((value * 100.0).round() / 100.0, value, "the displayed value is set");
    drag_by(&mut harness, 5000.0);
    assert_eq!(harness.state().value, 1.0);
}

#[test]
fn screen_readers_get_name_value_and_unit() {
    let harness = harness(std::f64::consts::FRAC_PI_4, true);
    let node = harness.get_by_label("weight of joint 1 on v2");
    assert_eq!(node.value().as_deref(), Some("45.0°"));
}

#[test]
fn arrow_keys_step_the_number_and_delete_resets() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).focus();
    harness.run();
    harness.press(Key::ArrowUp);
    assert_eq!(harness.state().value, 0.51);
    harness.press_with(Modifiers::COMMAND, Key::ArrowLeft);
    assert!((harness.state().value - 0.41).abs() < 1e-9);
    harness.press(Key::Delete);
    assert_eq!(harness.state().changes.last(), Some(&ScrubChange::Reset));
}

#[test]
fn enter_opens_the_field_and_accepts_its_text() {
    let mut harness = harness(0.5, true);
    harness.get_by_role(Role::SpinButton).focus();
    harness.run();
    harness.press(Key::Enter);
    harness.event(Event::Text("−90".to_owned()));
    harness.run();
    harness.press(Key::Enter);
    assert!((harness.state().value + std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    assert!(harness.query_by_role(Role::SpinButton).is_some(), "closed again");
}

#[test]
fn text_that_is_not_a_number_is_rejected_and_escape_leaves() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).click();
    harness.run();
    harness.event(Event::Text("nan".to_owned()));
    harness.run();
    harness.press(Key::Enter);
    assert_eq!(harness.state().value, 0.5);
    harness.get_by_label("a number from 0 to 1, as 0.5 or 1/3");
    harness.press(Key::Escape);
    assert_eq!(harness.state().changes, []);
    assert!(harness.query_by_role(Role::SpinButton).is_some());
}

#[test]
fn typed_number_beyond_the_range_shows_the_range() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).click();
    harness.run();
    harness.event(Event::Text("1.5".to_owned()));
    harness.run();
    harness.press(Key::Enter);
    harness.get_by_label("a number from 0 to 1, as 0.5 or 1/3");
    harness.event(Event::Text("/2".to_owned()));
    harness.run();
    assert!(harness.query_by_label_contains("a number from").is_none(), "shown once");
    assert_eq!(harness.state().value, 0.5);
}

#[test]
fn a_double_click_resets() {
    let mut harness = harness(0.5, false);
    let at = harness.get_by_role(Role::SpinButton).rect().center();
    harness.hover_at(at);
    harness.step();
    for pressed in [true, false, true, false] {
        harness.event(Event::PointerButton {
            pos: at,
            button: PointerButton::Primary,
            pressed,
            modifiers: Modifiers::NONE,
        });
        harness.step();
    }
    harness.run();
    assert_eq!(harness.state().changes, [ScrubChange::Reset]);
    assert!(harness.query_by_role(Role::SpinButton).is_some(), "not typing");
}

/// A click, then this text and Enter; what is refused is left with Escape.
fn type_in(harness: &mut Harness<'_, State>, text: &str) {
    harness.get_by_role(Role::SpinButton).click();
    harness.run();
    harness.event(Event::Text(text.to_owned()));
    harness.run();
    harness.press(Key::Enter);
}

#[test]
fn an_angle_can_be_typed_as_a_formula() {
    let mut harness = harness(0.5, true);
    for (typed, angle_rad) in [
        ("pi/2", std::f64::consts::FRAC_PI_2),
        ("0.8rad", 0.8),
        ("45", std::f64::consts::FRAC_PI_4),
        ("22,5°", std::f64::consts::FRAC_PI_8),
    ] {
        type_in(&mut harness, typed);
        assert!((harness.state().value - angle_rad).abs() < 1e-12, "{typed}");
    }
    type_in(&mut harness, "200");
    harness.get_by_label("a number from −180° to 180°, as 45, pi/4 or 0.8rad");
    harness.press(Key::Escape);
    assert_eq!(harness.state().value, std::f64::consts::FRAC_PI_8);
}

#[test]
fn range_of_many_turns_is_described_in_turns() {
    for (limit, expected) in [
        (1000.0, "a number from −159 turns to 159 turns, as 45°, pi/4 or 0.8rad"),
        (std::f64::consts::TAU, "a number from −360° to 360°, as 45, pi/4 or 0.8rad"),
    ] {
        let angle = Scrub::new("a", 0.0, "bend").suffix("°").limits(-limit..=limit);
        assert_eq!(angle.describe_allowed(), expected);
    }
}

fn number_harness(value: f64, build: impl Fn(Scrub) -> Scrub + 'static) -> Harness<'static, f64> {
    Harness::builder()
        .with_size([300.0, 80.0])
        .with_context_setup(|context| context.set_fonts(crate::theme::fonts()))
        .build_ui_state(
            move |ui, value: &mut f64| {
                let scrub = build(Scrub::new("n", *value, "a number"));
                if let Some(ScrubChange::Set(to)) = scrub.show(ui) {
                    *value = to;
                }
            },
            value,
        )
}

#[test]
fn whole_numbers_stay_whole_and_large_steps_do_not_stick() {
    let mut whole = number_harness(3.0, |scrub| scrub.whole().range(0.0..=40.0));
    whole.get_by_role(Role::SpinButton).focus();
    whole.run();
    for (modifiers, expected) in
        [(Modifiers::SHIFT, 4.0), (Modifiers::NONE, 5.0), (Modifiers::COMMAND, 15.0)]
    {
        whole.press_with(modifiers, Key::ArrowUp);
        assert_eq!(*whole.state(), expected);
    }
    whole.get_by_role(Role::SpinButton).set_value_accesskit(2.5);
    whole.run();
    assert_eq!(*whole.state(), 15.0, "rejected");

    let mut large = number_harness(12_345.0, |scrub| scrub.step(100.0));
    large.get_by_role(Role::SpinButton).increment_accesskit();
    large.run();
    assert_eq!(*large.state(), 12_445.0);
}
