use super::*;
use eframe::egui::{Event, PointerButton, accesskit::Role};
use egui_kittest::{Harness, kittest::Queryable};

#[derive(Default)]
struct State {
    value: f64,
    changes: Vec<ScrubChange>,
}

fn harness(value: f64, degrees: bool) -> Harness<'static, State> {
    let state = State {
        value,
        ..State::default()
    };
    let build = move |ui: &mut Ui, state: &mut State| {
        let mut scrub = Scrub::new("w", state.value, "weight of joint 1 on v2");
        scrub = if degrees {
            let limit = std::f64::consts::PI;
            scrub.degrees().decimals(1).range(-limit..=limit)
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
        .with_context_setup(|context| context.set_fonts(crate::ui::theme::fonts()))
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
fn dragging_sideways_changes_the_number_by_what_is_shown_and_stops_at_the_range() {
    let mut harness = harness(0.5, false);
    drag_by(&mut harness, 20.0);
    let value = harness.state().value;
    assert!(value > 0.5 && value <= 0.71, "{value}");
    assert_eq!(
        (value * 100.0).round() / 100.0,
        value,
        "what is shown is what is set"
    );
    drag_by(&mut harness, 5000.0);
    assert_eq!(harness.state().value, 1.0);
}

#[test]
fn it_has_a_name_a_value_and_a_unit_for_those_who_hear_the_page() {
    let harness = harness(std::f64::consts::FRAC_PI_4, true);
    let node = harness.get_by_label("weight of joint 1 on v2");
    assert_eq!(node.value().as_deref(), Some("45.0°"));
}

#[test]
fn arrow_keys_step_the_last_digit_and_delete_resets() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).focus();
    harness.run();
    harness.key_press(Key::ArrowUp);
    harness.run();
    assert_eq!(harness.state().value, 0.51);
    harness.key_press_modifiers(Modifiers::SHIFT, Key::ArrowLeft);
    harness.run();
    assert!((harness.state().value - 0.41).abs() < 1e-9);
    harness.key_press(Key::Delete);
    harness.run();
    assert_eq!(harness.state().changes.last(), Some(&ScrubChange::Reset));
}

#[test]
fn enter_opens_a_field_and_enter_takes_what_was_typed() {
    let mut harness = harness(0.5, true);
    harness.get_by_role(Role::SpinButton).focus();
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    harness.event(Event::Text("−90".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert!((harness.state().value + std::f64::consts::FRAC_PI_2).abs() < 1e-9);
    assert!(
        harness.query_by_role(Role::SpinButton).is_some(),
        "closed again"
    );
}

#[test]
fn what_is_no_number_is_refused_in_words_and_escape_leaves() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).click();
    harness.run();
    harness.event(Event::Text("nan".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    assert_eq!(harness.state().value, 0.5);
    harness.get_by_label("“nan” is not a number");
    harness.key_press(Key::Escape);
    harness.run();
    assert_eq!(harness.state().changes, []);
    assert!(harness.query_by_role(Role::SpinButton).is_some());
}

#[test]
fn a_typed_number_beyond_the_range_is_told_the_range() {
    let mut harness = harness(0.5, false);
    harness.get_by_role(Role::SpinButton).click();
    harness.run();
    harness.event(Event::Text("1.5".to_owned()));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    harness.get_by_label("from 0.00 to 1.00");
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
    assert!(
        harness.query_by_role(Role::SpinButton).is_some(),
        "not typing"
    );
}
